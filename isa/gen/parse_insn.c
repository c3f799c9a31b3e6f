/* SPDX-License-Identifier: Apache-2.0
 *
 * Format and instruction lines.
 */
#include <string.h>

#include "spec.h"

const char *const spec_imm_types[] = {"i32", "u32", "f32", "f16x2", "f64", NULL};

bool spec_parse_fixed(struct spec *s, const struct line *l, const char *word, struct fixed *out, struct diag *d) {
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
    return diag_fail(d, l->at, "field '%s' is of kind '%s'; here stands a field of kind '%s'", name,
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
                     "field '%s' is of kind '%s'; an operand lies in a 'gpr.read', 'ugpr.read', 'imm32' or 'uN' field "
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

/* only=model: not in the RTL yet. */
static bool parse_only(const struct line *l, const char *value, bool *only_model, struct diag *d) {
  if (strcmp(value, "model") != 0) return diag_fail(d, l->at, "only '%s' is unknown; use only=model", value);
  *only_model = true;
  return true;
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
      ok = parse_only(l, word + 5, &f->only_model, d);
    else if (strchr(word, '=') != NULL)
      ok = add_fixed(s, l, word, f->fixed, &f->n_fixed, d);
    else
      ok = add_field(s, l, word, f->owned, &f->n_owned, d);
    if (!ok) return false;
  }
  s->n_formats++;
  return true;
}

static bool parse_mem(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  static const char *const space[] = {"global.", "shared.", "local.", "generic.", "const.", NULL};
  static const char *const kind[] = {"load", "store", "atom", "red", NULL};
  bool ok = false;
  for (unsigned i = 0; space[i] != NULL; i++)
    for (unsigned k = 0; kind[k] != NULL; k++)
      ok = ok || (strncmp(value, space[i], strlen(space[i])) == 0 && strcmp(value + strlen(space[i]), kind[k]) == 0);
  if (!ok)
    return diag_fail(d, l->at, "mem '%s' is unknown; use global|shared|local|generic|const.load|store|atom|red", value);
  for (in->mem = 1; in->mem <= s->n_mems; in->mem++)
    if (strcmp(s->mem[in->mem - 1], value) == 0) return true;
  if (s->n_mems == SPEC_MEMS_MAX) return diag_fail(d, l->at, "more than %d kinds of memory access", SPEC_MEMS_MAX);
  strcpy(s->mem[s->n_mems++], value);
  return true;
}

/* "rd:2,c:size" */
static bool parse_wide(struct spec *s, const struct line *l, const char *value, struct insn *in, struct diag *d) {
  static const char *const names[] = {"a", "b", "c", "rd"};
  char op[TEXT_NAME_MAX], how[TEXT_NAME_MAX];
  int used = 0;
  for (const char *p = value;; p += used + 1) {
    used = 0;
    if (sscanf(p, "%31[^:,]:%31[^:,]%n", op, how, &used) != 2 || used == 0)
      return diag_fail(d, l->at, "wide '%s': expected OPERAND:N or OPERAND:FIELD", value);
    unsigned i = 0;
    while (i < 4 && strcmp(names[i], op) != 0) i++;
    if (i == 4) return diag_fail(d, l->at, "wide: operand '%s' is unknown; use a, b, c or rd", op);
    if (in->wide[i].words != 1) return diag_fail(d, l->at, "wide: operand '%s' is given twice; remove one", op);
    uint64_t n = 0;
    if (text_number(how, &n)) {
      if (n != 2 && n != 4) return diag_fail(d, l->at, "wide: '%s' spans %s registers; use 2 or 4", op, how);
      in->wide[i].words = (unsigned)n;
    } else {
      unsigned f = spec_field(s, how);
      if (f == SPEC_NONE) return diag_fail(d, l->at, "wide: field '%s' is not declared", how);
      if (s->field[f].kind != K_SET || !s->set[s->field[f].set].has_words)
        return diag_fail(d, l->at, "wide: field '%s' has no width table; declare 'width'", how);
      in->wide[i] = (struct wide){0, f};
    }
    if (p[used] == '\0') return true;
    if (p[used] != ',') return diag_fail(d, l->at, "wide '%s': expected OPERAND:N or OPERAND:FIELD", value);
  }
}

/* unit= imm= mem= sem= wide= only=; *seen collects which were given. */
static bool parse_option(struct spec *s, const struct line *l, const char *word, struct insn *in, unsigned *seen,
                         struct diag *d) {
  static const char *const names[] = {"unit=", "imm=", "mem=", "sem=", "wide=", "only="};
  unsigned k = 0;
  while (k < 6 && strncmp(word, names[k], strlen(names[k])) != 0) k++;
  if (k == 6)
    return diag_fail(d, l->at, "'%s' is unknown after the syntax; use unit=, imm=, mem=, sem=, wide= or only=", word);
  if ((*seen & (1u << k)) != 0) return diag_fail(d, l->at, "'%s' is given twice; remove one", names[k]);
  *seen |= 1u << k;
  const char *value = word + strlen(names[k]);
  if (k == 0) {
    in->unit = spec_unit(s, value);
    return in->unit != SPEC_NONE ? true : diag_fail(d, l->at, "unit '%s' is not declared", value);
  }
  if (k == 1) {
    for (unsigned i = 0; spec_imm_types[i] != NULL; i++)
      if (strcmp(spec_imm_types[i], value) == 0) in->imm = i + 1;
    return in->imm != 0 ? true
                        : diag_fail(d, l->at, "immediate type '%s' is unknown; use i32, u32, f32, f16x2 or f64", value);
  }
  if (k == 2) return parse_mem(s, l, value, in, d);
  if (k == 4) return parse_wide(s, l, value, in, d);
  if (k == 5) return parse_only(l, value, &in->only_model, d);
  if (!text_is_name(value) || strchr(value, '.') != NULL)
    return diag_fail(d, l->at, "sem '%s' is not the name of a C function", value);
  strcpy(in->sem, value);
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
  unsigned seen = 0, w = 2;
  strcpy(in->name, name);
  in->at = l->at;
  for (unsigned i = 0; i < 4; i++) in->wide[i] = (struct wide){1, SPEC_NONE};
  for (; w < l->n && !l->quoted[w]; w++)
    if (!parse_shape(s, l, l->word[w], in, d)) return false;
  if (w == l->n)
    return diag_fail(d, l->at, "%s: the syntax template is missing; write \"\" if it has no operands", name);
  if (strlen(l->word[w]) >= sizeof in->syntax)
    return diag_fail(d, l->at, "%s: syntax template is longer than %zu characters", name, sizeof in->syntax - 1);
  strcpy(in->syntax, l->word[w++]);
  for (; w < l->n; w++)
    if (!parse_option(s, l, l->word[w], in, &seen, d)) return false;
  if (in->n_formats == 0) return diag_fail(d, l->at, "%s: no format is listed", name);
  if ((seen & 1u) == 0) return diag_fail(d, l->at, "%s: unit is missing; add unit=NAME", name);
  if ((seen & 8u) == 0) return diag_fail(d, l->at, "%s: sem is missing; add sem=FUNCTION", name);
  s->n_insns++;
  return spec_parse_syntax(s, in, d);
}
