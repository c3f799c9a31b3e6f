/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands behind the syntax of an instruction: unit=, sem= and the like.
 */
#include <string.h>

#include "isa/gen/spec.h"

const char *const spec_imm_types[] = {"i32", "u32", "f32", "f16x2", "f64", NULL};
const char *const spec_flows[] = {"next", "sync", "branch", "call", "return", "exit", "trap", NULL};

/* Index of a name in a NULL-terminated list; that of the NULL when it is not there. */
static unsigned index_of(const char *const *list, const char *name) {
  unsigned i = 0;
  while (list[i] != NULL && strcmp(list[i], name) != 0) i++;
  return i;
}

/* only=model: not in the RTL yet. */
bool spec_parse_only(const struct line *l, const char *value, bool *only_model, struct diag *d) {
  if (strcmp(value, "model") != 0) return diag_fail(d, l->at, "only '%s' is unknown; use only=model", value);
  *only_model = true;
  return true;
}

static bool option_unit(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  in->unit = spec_unit(s, value);
  return in->unit != SPEC_NONE ? true : diag_fail(d, l->at, "unit '%s' is not declared", value);
}

static bool option_wide_unit(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  in->wide_unit = spec_unit(s, value);
  return in->wide_unit != SPEC_NONE ? true : diag_fail(d, l->at, "wide_unit '%s' is not declared", value);
}

static bool option_imm(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  (void)s;
  const unsigned i = index_of(spec_imm_types, value);
  in->imm = i + 1;
  return spec_imm_types[i] != NULL
             ? true
             : diag_fail(d, l->at, "immediate type '%s' is unknown; use i32, u32, f32, f16x2 or f64", value);
}

/* The parts of "SPACE.KIND"; order as enum heddle_isa_space and enum heddle_isa_access, less one. */
static bool option_mem(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  static const char *const spaces[] = {"global", "shared", "const", "local", "generic", NULL};
  static const char *const kinds[] = {"load", "store", "atom", "red", "copy", NULL};
  char part[sizeof "generic"] = "";
  const size_t n = strcspn(value, ".");
  if (n < sizeof part) memcpy(part, value, n);
  const unsigned space = index_of(spaces, part), kind = index_of(kinds, value[n] == '.' ? value + n + 1 : "");
  if (spaces[space] == NULL || kinds[kind] == NULL)
    return diag_fail(d, l->at, "mem '%s' is unknown; use global|shared|local|generic|const.load|store|atom|red|copy",
                     value);
  for (in->mem = 1; in->mem <= s->n_mems; in->mem++)
    if (strcmp(s->mem[in->mem - 1], value) == 0) return true;
  if (s->n_mems == SPEC_MEMS_MAX) return diag_fail(d, l->at, "more than %d kinds of memory access", SPEC_MEMS_MAX);
  s->mem_space[s->n_mems] = (uint8_t)(space + 1);
  s->mem_kind[s->n_mems] = (uint8_t)(kind + 1);
  strcpy(s->mem[s->n_mems++], value);
  return true;
}

static bool option_sem(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  (void)s;
  if (!text_is_name(value) || strchr(value, '.') != NULL)
    return diag_fail(d, l->at, "sem '%s' is not the name of a C function", value);
  strcpy(in->sem, value);
  return true;
}

/* How many registers one operand spans: a number, or a field with a width table. */
static bool width_of(const struct spec *s, const struct line *l, const char *op, const char *how, struct wide *out,
                     struct diag *d) {
  uint64_t n = 0;
  if (text_number(how, &n)) {
    if (n != 2 && n != 4) return diag_fail(d, l->at, "wide: '%s' spans %s registers; use 2 or 4", op, how);
    out->words = (unsigned)n;
    return true;
  }
  const unsigned f = spec_field(s, how);
  if (f == SPEC_NONE) return diag_fail(d, l->at, "wide: field '%s' is not declared", how);
  if (s->field[f].kind != K_SET || !s->set[s->field[f].set].has_words)
    return diag_fail(d, l->at, "wide: field '%s' has no width table; declare 'width'", how);
  *out = (struct wide){0, f};
  return true;
}

/* "rd:2,c:size" */
static bool option_wide(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  static const char *const names[] = {"a", "b", "c", "rd", NULL};
  char op[TEXT_NAME_MAX], how[TEXT_NAME_MAX];
  int used = 0;
  for (const char *p = value;; p += used + 1) {
    used = 0;
    if (sscanf(p, "%31[^:,]:%31[^:,]%n", op, how, &used) != 2 || used == 0)
      return diag_fail(d, l->at, "wide '%s': expected OPERAND:N or OPERAND:FIELD", value);
    const unsigned i = index_of(names, op);
    if (names[i] == NULL) return diag_fail(d, l->at, "wide: operand '%s' is unknown; use a, b, c or rd", op);
    if (in->wide[i].words != 1) return diag_fail(d, l->at, "wide: operand '%s' is given twice; remove one", op);
    if (!width_of(s, l, op, how, &in->wide[i], d)) return false;
    if (p[used] == '\0') return true;
    if (p[used] != ',') return diag_fail(d, l->at, "wide '%s': expected OPERAND:N or OPERAND:FIELD", value);
  }
}

static bool option_only(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  (void)s;
  return spec_parse_only(l, value, &in->only_model, d);
}

static bool option_part(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  (void)s;
  if (strcmp(value, "async") != 0) return diag_fail(d, l->at, "part '%s' is unknown; use part=async", value);
  in->async = true;
  return true;
}

static bool option_flow(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  (void)s;
  in->flow = index_of(spec_flows, value);
  return spec_flows[in->flow] != NULL
             ? true
             : diag_fail(d, l->at, "flow '%s' is unknown; use next, sync, branch, call, return, exit or trap", value);
}

static bool option_drains(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  (void)s;
  if (value[0] != '\0') return diag_fail(d, l->at, "'drains%s': drains takes no value", value);
  in->drains = true;
  return true;
}

enum { UNIT, WIDE_UNIT, IMM, MEM, SEM, WIDE, ONLY, PART, FLOW, DRAINS, OPTIONS };

static const struct option {
  const char *name;
  bool (*parse)(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d);
} options[OPTIONS] = {[UNIT] = {"unit=", option_unit}, [WIDE_UNIT] = {"wide_unit=", option_wide_unit},
                      [IMM] = {"imm=", option_imm},    [MEM] = {"mem=", option_mem},
                      [SEM] = {"sem=", option_sem},    [WIDE] = {"wide=", option_wide},
                      [ONLY] = {"only=", option_only}, [PART] = {"part=", option_part},
                      [FLOW] = {"flow=", option_flow}, [DRAINS] = {"drains", option_drains}};

/* Where a warp goes on is said of each instruction of a control unit, and of no other. */
static bool check_flow(const struct spec *s, const struct line *l, const struct insn *in, unsigned seen,
                       struct diag *d) {
  const char *unit = s->unit[in->unit].name;
  const bool given = (seen >> FLOW & 1) != 0;
  if (s->unit[in->unit].latency == LATENCY_CONTROL)
    return given ? true
                 : diag_fail(d, l->at,
                             "%s: flow is missing; '%s' is a control unit: add flow=next, sync, branch, call, return, "
                             "exit or trap",
                             in->name, unit);
  if (!given && !in->drains) return true;
  return diag_fail(d, l->at, "%s: %s is for instructions of a control unit, which '%s' is not; remove it", in->name,
                   given ? "flow=" : "drains", unit);
}

/* Another unit for wide words: of an instruction that has narrow ones too, between units that are not control. */
static bool check_wide_unit(const struct spec *s, const struct line *l, const struct insn *in, unsigned seen,
                            struct diag *d) {
  if ((seen >> WIDE_UNIT & 1) == 0) return true;
  bool varies = false;
  for (unsigned k = 0; k < 4; k++) varies = varies || in->wide[k].words == 0;
  if (!varies)
    return diag_fail(d, l->at, "%s: wide_unit= is for instructions whose wide= names a field; use unit= alone",
                     in->name);
  if (s->unit[in->unit].latency == LATENCY_CONTROL || s->unit[in->wide_unit].latency == LATENCY_CONTROL)
    return diag_fail(d, l->at, "%s: wide_unit= and unit= name a control unit; its instructions have one unit",
                     in->name);
  if (in->unit == in->wide_unit) return diag_fail(d, l->at, "%s: wide_unit= is the same as unit=; remove it", in->name);
  return true;
}

bool spec_parse_options(struct spec *s, const struct line *l, unsigned first, struct insn *in, struct diag *d) {
  unsigned seen = 0;
  for (unsigned w = first; w < l->n; w++) {
    const char *word = l->word[w];
    unsigned k = 0;
    while (k < OPTIONS && strncmp(word, options[k].name, strlen(options[k].name)) != 0) k++;
    if (k == OPTIONS)
      return diag_fail(d, l->at,
                       "'%s' is unknown after the syntax; use unit=, wide_unit=, imm=, mem=, sem=, wide=, only=, "
                       "part=, flow= or drains",
                       word);
    if ((seen >> k & 1) != 0) return diag_fail(d, l->at, "'%s' is given twice; remove one", options[k].name);
    seen |= 1u << k;
    if (!options[k].parse(s, l, word + strlen(options[k].name), in, d)) return false;
  }
  if (in->n_formats == 0) return diag_fail(d, l->at, "%s: no format is listed", in->name);
  if ((seen >> UNIT & 1) == 0) return diag_fail(d, l->at, "%s: unit is missing; add unit=NAME", in->name);
  if ((seen >> SEM & 1) == 0) return diag_fail(d, l->at, "%s: sem is missing; add sem=FUNCTION", in->name);
  return check_wide_unit(s, l, in, seen, d) && check_flow(s, l, in, seen, d);
}
