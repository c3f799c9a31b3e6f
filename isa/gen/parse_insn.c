/* SPDX-License-Identifier: Apache-2.0
 *
 * Format and instruction lines.
 */
#include <string.h>

#include "isa/gen/spec.h"

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
