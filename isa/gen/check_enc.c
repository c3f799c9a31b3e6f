/* SPDX-License-Identifier: Apache-2.0
 *
 * One encoding by itself: what a decoded word has one place for, fields that
 * nothing prints, sizes of operands, what the RTL can take.
 */
#include <string.h>

#include "isa/gen/spec.h"

static unsigned count_kinds(const struct spec *s, const struct enc *e, enum kind k, enum kind other) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_fields; i++) {
    enum kind f = s->field[e->fields[i]].kind;
    n += f == k || f == other;
  }
  return n;
}

/* Decoded words have one place for each of these, and one for a kind and its uniform kin together. */
static bool check_single(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  static const struct {
    enum kind kind, other;
    const char *name;
  } single[] = {{K_GUARD, K_UGUARD, "'guard' or 'uguard'"},
                {K_GPR_WRITE, K_UGPR_WRITE, "'gpr.write' or 'ugpr.write'"},
                {K_IMM32, K_IMM32, "'imm32'"},
                {K_COFF, K_COFF, "'coff'"},
                {K_CBANK, K_CBANK, "'cbank'"},
                {K_STALL, K_STALL, "'stall'"},
                {K_YIELD, K_YIELD, "'yield'"},
                {K_SBWAIT, K_SBWAIT, "'sbwait'"},
                {K_REUSE, K_REUSE, "'reuse'"}};
  for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
    unsigned n = count_kinds(s, e, single[k].kind, single[k].other);
    if (n > 1)
      return diag_fail(d, s->insn[e->insn].at, "%s: owns %u fields of kind %s; one is possible", who, n,
                       single[k].name);
  }
  if (count_kinds(s, e, K_GUARD, K_UGUARD) == 0)
    return diag_fail(d, s->insn[e->insn].at, "%s: owns no guard; add a field of kind 'guard' or 'uguard'", who);
  return true;
}

/* Predicate sources are all of one kind, and so are predicate destinations. */
static bool check_mixed(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  static const struct {
    enum kind plain, uniform;
  } pair[] = {{K_PRED_READ, K_UPRED_READ}, {K_PRED_WRITE, K_UPRED_WRITE}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    unsigned p = enc_field_of_kind(s, e, pair[i].plain), u = enc_field_of_kind(s, e, pair[i].uniform);
    if (p != SPEC_NONE && u != SPEC_NONE)
      return diag_fail(d, s->insn[e->insn].at,
                       "%s: '%s' is a predicate of the thread and '%s' one of the warp; use one kind", who,
                       s->field[p].name, s->field[u].name);
  }
  return true;
}

/* The place where a field is written in assembly: behind an operand, in the control code, in the template. */
struct printed {
  bool slot, control, syntax, suffix;
};

static struct printed find_printed(const struct spec *s, const struct enc *e, unsigned f) {
  const struct insn *in = &s->insn[e->insn];
  enum kind k = s->field[f].kind;
  struct printed p = {0};
  for (unsigned o = 0; o < 3; o++) {
    const struct slot *sl = &e->src[o];
    p.slot = p.slot || sl->field == f || sl->neg == f || sl->abs == f || sl->part == f ||
             (sl->kind == SLOT_CONST && (k == K_COFF || k == K_CBANK));
  }
  for (unsigned m = 0; m < in->n_elems; m++)
    p.syntax = p.syntax || (in->elem[m].kind == E_FIELD && in->elem[m].field == f);
  p.control = k == K_GUARD || k == K_UGUARD || (k >= K_STALL && k <= K_REUSE);
  p.suffix = memchr(in->suffix, (int)f, in->n_suffix) != NULL;
  return p;
}

/* An owned field that cannot be written in assembly would be a hole in the language. */
static bool check_printed(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct field *f = &s->field[e->fields[i]];
    enum kind k = f->kind;
    struct printed p = find_printed(s, e, e->fields[i]);
    bool needs_slot = k == K_GPR_READ || k == K_UGPR_READ || k == K_IMM32 || k == K_NEG || k == K_ABS || k == K_COFF;
    if (needs_slot && !p.slot)
      return diag_fail(d, in->at, "%s: field '%s' of kind '%s' is not behind an operand; write a=%s in the format", who,
                       f->name, spec_kind_names[k], f->name);
    if (!p.slot && !p.syntax && !p.control && !p.suffix)
      return diag_fail(d, in->at, "%s: field '%s' is owned but nothing prints it; add {%s} to the syntax", who, f->name,
                       f->name);
    if (p.slot && p.suffix)
      return diag_fail(d, in->at, "%s: field '%s' is printed twice; remove it from the field list", who, f->name);
    if (p.syntax && (p.slot || p.control))
      return diag_fail(d, in->at, "%s: field '%s' is printed twice; remove {%s} from the syntax", who, f->name,
                       f->name);
  }
  return true;
}

static bool check_wide(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const struct insn *in = &s->insn[e->insn];
  for (unsigned i = 0; i < 4; i++) {
    const struct wide *w = &in->wide[i];
    if (w->words == 1) continue;
    bool there = i < 3 ? e->src[i].kind != SLOT_NONE : enc_field_of_kinds(s, e, K_GPR_WRITE, K_UGPR_WRITE) != SPEC_NONE;
    if (!there)
      return diag_fail(d, in->at, "%s: wide names '%s', which the encoding does not have", who,
                       i < 3 ? (const char *[]){"a", "b", "c"}[i] : "rd");
    if (w->words == 0 && !enc_owns(e, w->field))
      return diag_fail(d, in->at, "%s: wide uses field '%s', which the encoding does not own", who,
                       s->field[w->field].name);
  }
  return true;
}

/* The package's decoded word has no place for these. */
static bool check_rtl(const struct spec *s, const struct enc *e, const char *who, struct diag *d) {
  const char *what = NULL;
  if (e->only_model) return true;
  for (unsigned o = 0; o < 3; o++)
    if (slot_is_short(s, &e->src[o])) {
      if (o == 0) what = "a short immediate as operand a";
      if (field_width(&s->field[e->src[o].field]) > SPEC_SHORT_BITS_MAX)
        what = "a short immediate of more than 16 bits";
    }
  return what == NULL ? true
                      : diag_fail(d, s->insn[e->insn].at, "%s: has %s, which the RTL cannot take yet; add only=model",
                                  who, what);
}

bool spec_check_enc(const struct spec *s, const struct enc *e, struct diag *d) {
  char who[2 * TEXT_NAME_MAX];
  (void)snprintf(who, sizeof who, "%s %s", s->insn[e->insn].name, s->format[e->format].name);
  return check_single(s, e, who, d) && check_mixed(s, e, who, d) && check_printed(s, e, who, d) &&
         check_wide(s, e, who, d) && check_rtl(s, e, who, d);
}
