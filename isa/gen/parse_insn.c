/* SPDX-License-Identifier: Apache-2.0
 *
 * Format and instruction lines: syntax templates, options, the lines.
 */
#include <string.h>
#include "isa/gen/spec.h"

/* Syntax templates: "{rd}[, {pd0}], {a:-|}, [{b}{off24}]" into elements. */

static bool add_element(struct insn *in, struct elem e, struct diag *d) {
  if (in->n_elems == SPEC_ELEMS_MAX)
    return diag_fail(d, in->at, "%s: more than %d pieces in the syntax", in->name, SPEC_ELEMS_MAX);
  in->elem[in->n_elems++] = e;
  return true;
}

static bool add_text(struct insn *in, const char *s, size_t n, struct diag *d) {
  struct elem e = {.kind = E_TEXT};
  if (n >= sizeof e.text)
    return diag_fail(d, in->at, "%s: literal text in the syntax is longer than %zu characters", in->name,
                     sizeof e.text - 1);
  memcpy(e.text, s, n);
  e.text[n] = '\0';
  return add_element(in, e, d);
}

static bool parse_flags(struct insn *in, struct elem *e, const char *flags, struct diag *d) {
  for (; *flags != '\0'; flags++) {
    bool *flag = *flags == '-'   ? &e->neg
                 : *flags == '|' ? &e->abs
                 : *flags == '~' ? &e->inv
                 : *flags == '.' ? &e->part
                                 : NULL;
    if (flag == NULL || *flag)
      return diag_fail(d, in->at, "%s: operand flags '%s' are not of - | ~ ., each once", in->name, flags);
    *flag = true;
  }
  if (e->neg && e->inv) return diag_fail(d, in->at, "%s: - and ~ use the same bit; allow one of them", in->name);
  return true;
}

/* The inside of {...}. */
static bool parse_brace(struct spec *s, struct insn *in, const char *p, size_t n, struct diag *d) {
  char name[TEXT_NAME_MAX];
  struct elem e = {.kind = E_FIELD};
  if (n == 0 || n >= sizeof name)
    return diag_fail(d, in->at, "%s: '{%.*s}' is not a name", in->name, (int)(n > 40 ? 40 : n), p);
  memcpy(name, p, n);
  name[n] = '\0';
  char *colon = strchr(name, ':');
  if (colon != NULL) *colon = '\0';
  bool operand = strlen(name) == 1 && name[0] >= 'a' && name[0] <= 'c';
  if (operand) {
    e.kind = E_OPERAND;
    e.operand = (unsigned)(name[0] - 'a');
  } else {
    e.field = spec_field(s, name);
    if (e.field == SPEC_NONE)
      return diag_fail(d, in->at, "%s: '{%s}' is neither a field nor an operand", in->name, name);
    if (colon != NULL) return diag_fail(d, in->at, "%s: '{%s}' is a field; only operands take flags", in->name, name);
  }
  for (unsigned i = 0; i < in->n_elems; i++) {
    const struct elem *o = &in->elem[i];
    if (o->kind == e.kind && (operand ? o->operand == e.operand : o->field == e.field) &&
        (o->kind == E_FIELD || o->kind == E_OPERAND))
      return diag_fail(d, in->at, "%s: '{%s}' is twice in the syntax", in->name, name);
  }
  if (colon != NULL && !parse_flags(in, &e, colon + 1, d)) return false;
  return add_element(in, e, d);
}

/* What is left out must have a default: fields have, operands have not. The group is the last in the list. */
static bool check_optional(const struct insn *in, struct diag *d) {
  for (unsigned i = in->n_elems; i-- > 0 && in->elem[i].kind != E_OPT_BEGIN;)
    if (in->elem[i].kind == E_OPERAND)
      return diag_fail(d, in->at, "%s: operand '%c' is in an optional group; operands cannot be left out", in->name,
                       'a' + (int)in->elem[i].operand);
  return true;
}

/* A bracket whose inside begins or ends with a comma is an optional group; any other is printed. */
static bool is_optional(const char *p, size_t n) {
  size_t first = 0;
  while (first < n && p[first] == ' ') first++;
  while (n > 0 && p[n - 1] == ' ') n--;
  return n > 0 && first < n && (p[first] == ',' || p[n - 1] == ',');
}

static bool spec_parse_syntax(struct spec *s, struct insn *in, struct diag *d) {
  enum elem_kind end = E_TEXT; /* of the open bracket; E_TEXT: none is open */
  for (const char *p = in->syntax; *p != '\0';) {
    if (*p == '{') {
      size_t n = strcspn(p, "}");
      if (p[n] == '\0') return diag_fail(d, in->at, "%s: '{' is not closed in the syntax", in->name);
      if (!parse_brace(s, in, p + 1, n - 1, d)) return false;
      p += n + 1;
    } else if (*p == '[') {
      size_t n = strcspn(p, "]");
      if (p[n] == '\0' || end != E_TEXT)
        return diag_fail(d, in->at, "%s: '[' is nested or not closed in the syntax", in->name);
      bool opt = is_optional(p + 1, n - 1);
      end = opt ? E_OPT_END : E_ADDR_END;
      if (!add_element(in, (struct elem){.kind = opt ? E_OPT_BEGIN : E_ADDR_BEGIN}, d)) return false;
      p++;
    } else if (*p == ']') {
      if (end == E_TEXT) return diag_fail(d, in->at, "%s: ']' without '[' in the syntax", in->name);
      if (end == E_OPT_END && !check_optional(in, d)) return false;
      if (!add_element(in, (struct elem){.kind = end}, d)) return false;
      end = E_TEXT;
      p++;
    } else {
      size_t n = strcspn(p, "{}[]");
      if (n == 0) return diag_fail(d, in->at, "%s: '}' without '{' in the syntax", in->name);
      if (!add_text(in, p, n, d)) return false;
      p += n;
    }
  }
  return true;
}

/* What stands behind the syntax of an instruction: unit=, sem= and the like. */

const char *const spec_imm_types[] = {"i32", "u32", "f32", "f16x2", "f64", NULL};
const char *const spec_flows[] = {"next", "sync", "branch", "call", "return", "exit", "trap", NULL};

/* Index of a name in a NULL-terminated list; that of the NULL when it is not there. */
static unsigned index_of(const char *const *list, const char *name) {
  unsigned i = 0;
  while (list[i] != NULL && strcmp(list[i], name) != 0) i++;
  return i;
}

/* only=model: not in the RTL yet. */
static bool spec_parse_only(const struct line *l, const char *value, bool *only_model, struct diag *d) {
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
    return diag_fail(d, l->at, "%s: wide_unit= is for instructions with a field in wide=; use unit= alone", in->name);
  if (s->unit[in->unit].latency == LATENCY_CONTROL || s->unit[in->wide_unit].latency == LATENCY_CONTROL)
    return diag_fail(d, l->at, "%s: wide_unit= and unit= name a control unit; its instructions have one unit",
                     in->name);
  if (in->unit == in->wide_unit) return diag_fail(d, l->at, "%s: wide_unit= is the same as unit=; remove it", in->name);
  return true;
}

static bool spec_parse_options(struct spec *s, const struct line *l, unsigned first, struct insn *in, struct diag *d) {
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

/* The lines. */

/* "FIELD=V": index and value; false with a complaint. */
static bool spec_parse_fixed(struct spec *s, const struct line *l, const char *word, struct fixed *out,
                             struct diag *d) {
  char name[TEXT_NAME_MAX];
  size_t n = strcspn(word, "=");
  if (n == 0 || n >= sizeof name) return diag_fail(d, l->at, "expected FIELD=VALUE, found '%s'", word);
  memcpy(name, word, n);
  name[n] = '\0';
  out->field = spec_field(s, name);
  if (out->field == SPEC_NONE) return diag_fail(d, l->at, "field '%s' is not declared", name);
  enum kind k = s->field[out->field].kind;
  if (k != K_OPCODE && k != K_FIXED)
    return diag_fail(d, l->at, "field '%s' is of kind '%s'; only 'opcode' and 'fixed' fields are given values", name,
                     spec_kind_names[k]);
  if (!text_number(word + n + 1, &out->value)) return diag_fail(d, l->at, "'%s': the value is not a number", word);
  return true;
}

static bool add_fixed(struct spec *s, const struct line *l, const char *word, struct fixed *list, unsigned *n,
                      struct diag *d) {
  struct fixed fx;
  if (!spec_parse_fixed(s, l, word, &fx, d)) return false;
  for (unsigned i = 0; i < *n; i++)
    if (list[i].field == fx.field)
      return diag_fail(d, l->at, "field '%s' is given two values; remove one", s->field[fx.field].name);
  if (*n == SPEC_LIST_MAX / 2) return diag_fail(d, l->at, "more than %d fixed fields", SPEC_LIST_MAX / 2);
  list[(*n)++] = fx;
  return true;
}

static bool add_field(struct spec *s, const struct line *l, const char *name, uint8_t *list, unsigned *n,
                      struct diag *d) {
  unsigned f = spec_field(s, name);
  if (f == SPEC_NONE) return diag_fail(d, l->at, "'%s' is neither a field nor a format", name);
  enum kind k = s->field[f].kind;
  if (k == K_OPCODE || k == K_FIXED)
    return diag_fail(d, l->at, "field '%s' is of kind '%s'; give it a value: %s=V", name, spec_kind_names[k], name);
  for (unsigned i = 0; i < *n; i++)
    if (list[i] == f) return diag_fail(d, l->at, "field '%s' is listed twice; remove one", name);
  if (*n == SPEC_LIST_MAX / 2) return diag_fail(d, l->at, "more than %d fields in one list", SPEC_LIST_MAX / 2);
  list[(*n)++] = (uint8_t)f;
  return true;
}

/* The neg, abs or part field behind a slot; the name is empty where the format leaves it out. */
static bool parse_modifier(struct spec *s, const struct line *l, const char *name, enum kind k, unsigned *out,
                           struct diag *d) {
  *out = SPEC_NONE;
  if (name[0] == '\0') return true;
  unsigned f = spec_field(s, name);
  if (f == SPEC_NONE) return diag_fail(d, l->at, "field '%s' is not declared", name);
  if (s->field[f].kind != k)
    return diag_fail(d, l->at, "field '%s' is of kind '%s'; here a field of kind '%s' is needed", name,
                     spec_kind_names[s->field[f].kind], spec_kind_names[k]);
  *out = f;
  return true;
}

static bool parse_slot_kind(struct spec *s, const struct line *l, const char *name, struct slot *sl, struct diag *d) {
  sl->field = SPEC_NONE;
  if (strcmp(name, "const") == 0) {
    sl->kind = SLOT_CONST;
    return true;
  }
  sl->field = spec_field(s, name);
  if (sl->field == SPEC_NONE) return diag_fail(d, l->at, "slot '%s' is neither a field nor 'const'", name);
  enum kind k = s->field[sl->field].kind;
  if (k != K_GPR_READ && k != K_UGPR_READ && k != K_IMM32 && k != K_UINT)
    return diag_fail(d, l->at,
                     "field '%s' is of kind '%s'; an operand is in a 'gpr.read', 'ugpr.read', 'imm32' or 'uN' field "
                     "or in 'const'",
                     name, spec_kind_names[k]);
  if (field_width(&s->field[sl->field]) > SPEC_IMM_BITS_MAX)
    return diag_fail(d, l->at, "field '%s' is %u bits wide; an immediate operand has at most %d", name,
                     field_width(&s->field[sl->field]), SPEC_IMM_BITS_MAX);
  sl->kind = k == K_GPR_READ ? SLOT_REG : k == K_UGPR_READ ? SLOT_UREG : SLOT_IMM;
  return true;
}

bool slot_is_short(const struct spec *s, const struct slot *sl) {
  return sl->kind == SLOT_IMM && s->field[sl->field].kind == K_UINT;
}

/* "b=rb,nb,ab,pb" */
static bool parse_slot(struct spec *s, const struct line *l, const char *word, struct slot *sl, struct diag *d) {
  char part[4][TEXT_NAME_MAX] = {"", "", "", ""};
  const char *p = word + 2;
  unsigned n = 0;
  for (;; n++) {
    size_t len = strcspn(p, ",");
    if (n == 4 || len >= TEXT_NAME_MAX)
      return diag_fail(d, l->at, "'%s': expected OPERAND=SLOT[,NEG[,ABS[,PART]]]", word);
    memcpy(part[n], p, len);
    part[n][len] = '\0';
    if (p[len] == '\0') break;
    p += len + 1;
  }
  if (sl->kind != SLOT_NONE) return diag_fail(d, l->at, "operand '%c' is given two slots; remove one", word[0]);
  if (!parse_slot_kind(s, l, part[0], sl, d)) return false;
  if (sl->kind == SLOT_IMM && n > 0)
    return diag_fail(d, l->at, "'%s': an immediate carries its own sign; remove the negate field", word);
  return parse_modifier(s, l, part[1], K_NEG, &sl->neg, d) && parse_modifier(s, l, part[2], K_ABS, &sl->abs, d) &&
         parse_modifier(s, l, part[3], K_SET, &sl->part, d);
}

bool spec_parse_format(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n < 3 || !text_is_name(l->word[1]))
    return diag_fail(d, l->at, "expected 'format NAME FIELD=V ... FIELD ... OPERAND=SLOT ...'");
  const char *name = l->word[1];
  if (spec_format(s, name) != SPEC_NONE) return diag_fail(d, l->at, "format '%s' is declared twice; remove one", name);
  if (spec_field(s, name) != SPEC_NONE)
    return diag_fail(d, l->at, "'%s' is already a field; choose another name", name);
  if (s->n_formats == SPEC_FORMATS_MAX) return diag_fail(d, l->at, "more than %d formats", SPEC_FORMATS_MAX);
  struct format *f = &s->format[s->n_formats];
  strcpy(f->name, name);
  f->at = l->at;
  for (unsigned i = 0; i < 3; i++) f->src[i] = (struct slot){SLOT_NONE, SPEC_NONE, SPEC_NONE, SPEC_NONE, SPEC_NONE};
  for (unsigned w = 2; w < l->n; w++) {
    const char *word = l->word[w];
    bool ok;
    if (word[0] >= 'a' && word[0] <= 'c' && word[1] == '=')
      ok = parse_slot(s, l, word, &f->src[word[0] - 'a'], d);
    else if (strncmp(word, "only=", 5) == 0)
      ok = spec_parse_only(l, word + 5, &f->only_model, d);
    else if (strchr(word, '=') != NULL)
      ok = add_fixed(s, l, word, f->fixed, &f->n_fixed, d);
    else
      ok = add_field(s, l, word, f->owned, &f->n_owned, d);
    if (!ok) return false;
  }
  s->n_formats++;
  return true;
}

/* A word before the syntax: FIELD=V, a format, or a field. */
static bool parse_shape(struct spec *s, const struct line *l, const char *word, struct insn *in, struct diag *d) {
  if (strchr(word, '=') != NULL) return add_fixed(s, l, word, in->fixed, &in->n_fixed, d);
  unsigned f = spec_format(s, word);
  if (f == SPEC_NONE) return add_field(s, l, word, in->listed, &in->n_listed, d);
  for (unsigned i = 0; i < in->n_formats; i++)
    if (in->formats[i] == f) return diag_fail(d, l->at, "format '%s' is listed twice; remove one", word);
  if (in->n_formats == SPEC_FORMATS_OF_INSN_MAX)
    return diag_fail(d, l->at, "more than %d formats", SPEC_FORMATS_OF_INSN_MAX);
  in->formats[in->n_formats++] = (uint8_t)f;
  return true;
}

bool spec_parse_insn(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n < 2 || !text_is_name(l->word[1]))
    return diag_fail(d, l->at, "expected 'insn NAME FIELD=V ... FORMAT ... FIELD ... \"SYNTAX\" unit=U sem=S'");
  const char *name = l->word[1];
  for (unsigned i = 0; i < s->n_insns; i++)
    if (strcmp(s->insn[i].name, name) == 0)
      return diag_fail(d, l->at, "instruction '%s' is declared twice (first at line %u); remove one", name,
                       s->insn[i].at.line);
  if (s->n_insns == SPEC_INSNS_MAX) return diag_fail(d, l->at, "more than %d instructions", SPEC_INSNS_MAX);
  struct insn *in = &s->insn[s->n_insns];
  unsigned w = 2;
  strcpy(in->name, name);
  in->at = l->at;
  for (unsigned i = 0; i < 4; i++) in->wide[i] = (struct wide){1, SPEC_NONE};
  in->wide_unit = SPEC_NONE;
  for (; w < l->n && !l->quoted[w]; w++)
    if (!parse_shape(s, l, l->word[w], in, d)) return false;
  if (w == l->n)
    return diag_fail(d, l->at, "%s: the syntax template is missing; write \"\" if it has no operands", name);
  if (strlen(l->word[w]) >= sizeof in->syntax)
    return diag_fail(d, l->at, "%s: syntax template is longer than %zu characters", name, sizeof in->syntax - 1);
  strcpy(in->syntax, l->word[w++]);
  if (!spec_parse_options(s, l, w, in, d)) return false;
  s->n_insns++;
  return spec_parse_syntax(s, in, d);
}
