/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands a, b, c: registers, constants and immediates with their modifiers, and how they go into a word.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/number.h"
#include "isa/asm/internal.h"

/* Immediates as text, both ways: 32 bits whose meaning the instruction says (isa/doc/00-isa-file.md, imm=). */

/* How a number was spelled: digits of a decimal, or a name. */
struct spelling {
  enum { SPELLED_DECIMAL, SPELLED_INF, SPELLED_QNAN } what;
  bool minus;
  char digits[64];
};

static bool hex_follows(const struct cursor *c) {
  return c->end - c->at > 1 && c->at[0] == '0' && (c->at[1] == 'x' || c->at[1] == 'X');
}

/* [+|-] and a decimal number, INF or QNAN; hex and names are left alone. */
static bool take_spelling(struct cursor *c, struct spelling *out) {
  struct cursor p = *c;
  size_t n = 0;
  *out = (struct spelling){.what = SPELLED_DECIMAL, .minus = lex_char(&p, '-')};
  if (!out->minus) lex_char(&p, '+');
  lex_blank(&p);
  if (hex_follows(&p)) return false;
  char *buf = out->digits;
  while (p.at < p.end && *p.at != '\0' && n + 1 < sizeof out->digits &&
         (strchr("0123456789.eE", *p.at) || ((*p.at == '+' || *p.at == '-') && n > 0 && strchr("eE", buf[n - 1]))))
    buf[n++] = *p.at++;
  char *end = buf;
  if (n > 0) (void)number_read(buf, &end);
  if (n > 0 && *end == 0)
    out->what = SPELLED_DECIMAL;
  else if (lex_text(&p, "INF"))
    out->what = SPELLED_INF;
  else if (lex_text(&p, "QNAN"))
    out->what = SPELLED_QNAN;
  else
    return false;
  *c = p;
  return true;
}

/* Nearest half, ties to even; false when that is infinite. */
static bool half_of(double v, uint32_t *bits) {
  double m = fabs(v);
  int e;
  if (!(m < 65520.0)) return false;
  (void)frexp(m, &e);
  int ulp = m == 0 || e - 11 < -24 ? -24 : e - 11; /* exponent of a half's last place */
  double scaled = ldexp(m, -ulp);                  /* exact, at most 2048 */
  uint32_t n = (uint32_t)scaled;
  double rest = scaled - n;
  if (rest > 0.5 || (rest == 0.5 && (n & 1))) n++;
  /* Subnormals have ulp = -24 and no hidden bit; a carry out of the fraction is the next exponent. */
  *bits = (uint32_t)(ulp + 24) * 1024u + n + (signbit(v) ? 0x8000u : 0u);
  return true;
}

static double half_value(uint32_t h) {
  int e = (int)(h >> 10 & 31);
  double m = e == 0 ? ldexp(h & 1023, -24) : ldexp((h & 1023) + 1024, e - 25);
  return h & 0x8000 ? -m : m;
}

static uint32_t f32_bits(const struct spelling *s) {
  uint32_t bits;
  if (s->what == SPELLED_QNAN) return 0x7fffffffu;
  float f = s->what == SPELLED_INF ? INFINITY : number_read_f32(s->digits);
  if (s->minus) f = -f;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static double double_of(const struct spelling *s, bool *in_range) {
  errno = 0;
  double v = number_read(s->digits, NULL);
  *in_range = errno != ERANGE;
  return s->minus ? -v : v;
}

static bool f16x2_bits(struct assembler *a, const struct cursor *at, const struct spelling *s, uint32_t *bits) {
  bool in_range;
  uint32_t half = s->what == SPELLED_QNAN ? 0x7fffu : 0x7c00u | (s->minus ? 0x8000u : 0u);
  if (s->what == SPELLED_DECIMAL && !half_of(double_of(s, &in_range), &half)) {
    asm_error(a, at, "%s does not fit a half; the largest is 65504", s->digits);
    return false;
  }
  *bits = half << 16 | half;
  return true;
}

static bool f64_bits(struct assembler *a, const struct cursor *at, const struct spelling *s, uint32_t *bits) {
  bool in_range = true;
  double v = s->what == SPELLED_INF ? (s->minus ? -INFINITY : INFINITY) : 0.0;
  uint64_t raw;
  if (s->what == SPELLED_DECIMAL) v = double_of(s, &in_range);
  memcpy(&raw, &v, sizeof raw);
  *bits = s->what == SPELLED_QNAN ? 0x7ff80000u : (uint32_t)(raw >> 32);
  if (in_range && (uint32_t)raw == 0) return true;
  asm_error(a, at, "%s has more bits than the upper word of an FP64 number holds; put it into constant memory",
            s->digits);
  return false;
}

/* 0x and more than eight digits: a whole FP64 number, whose lower word must be zero. */
static bool take_long_hex(struct assembler *a, struct cursor *c, bool *error, uint32_t *bits) {
  struct cursor p = *c;
  uint64_t v;
  lex_blank(&p);
  const char *start = p.at;
  if (!hex_follows(&p) || !lex_number(&p, &v) || p.at - start <= 10) return false;
  *error = (uint32_t)v != 0;
  if (*error) asm_error(a, c, "the lower word of 0x%016llx is not zero", (unsigned long long)v);
  *bits = (uint32_t)(v >> 32);
  *c = p;
  return true;
}

/* ---- immediates (operand.c): `type` is enum heddle_isa_imm_type */
static bool asm_immediate(struct assembler *a, struct cursor *c, unsigned type, uint32_t *bits) {
  struct cursor start = *c;
  struct spelling s;
  bool is_float = type == ISA_IMM_F32 || type == ISA_IMM_F16X2 || type == ISA_IMM_F64, error = false;
  if (is_float && take_spelling(c, &s)) {
    if (type == ISA_IMM_F16X2) return f16x2_bits(a, &start, &s, bits);
    if (type == ISA_IMM_F64) return f64_bits(a, &start, &s, bits);
    *bits = f32_bits(&s);
    return true;
  }
  if (type == ISA_IMM_F64 && take_long_hex(a, c, &error, bits)) return !error;
  int64_t v;
  if (!lex_expression(a, c, &v)) {
    asm_error(a, &start, "expected a register, an immediate or c[bank][offset]");
    return false;
  }
  if (v < -(int64_t)0x80000000 || v > (int64_t)0xffffffff) {
    asm_error(a, &start, "immediate does not fit 32 bits");
    return false;
  }
  *bits = (uint32_t)v;
  return true;
}

/* With a point or exponent, so that it reads as a float. */
static void print_decimal(struct text_room *p, const char *text) {
  text_print(p, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static bool print_f32(struct text_room *p, uint32_t bits) {
  float f;
  char text[40];
  memcpy(&f, &bits, sizeof f);
  if (!isfinite(f)) return false;
  number_print(text, sizeof text, "%.9g", (double)f);
  print_decimal(p, text);
  return true;
}

static bool print_f16x2(struct text_room *p, uint32_t bits) {
  char text[40];
  if (bits >> 16 != (bits & 0xffff) || (bits & 0x7c00) == 0x7c00) return false;
  number_print(text, sizeof text, "%.5g", half_value(bits & 0xffff));
  print_decimal(p, text);
  return true;
}

/* The shortest decimal that reads back. */
static bool print_f64(struct text_room *p, uint32_t upper) {
  uint64_t raw = (uint64_t)upper << 32;
  double v, back = 0;
  char text[40];
  memcpy(&v, &raw, sizeof v);
  if (!isfinite(v) || fpclassify(v) == FP_SUBNORMAL) return false; /* strtod may refuse a subnormal decimal */
  for (int digits = 6; digits <= 17; digits++) {
    number_print(text, sizeof text, "%.*g", digits, v);
    back = number_read(text, NULL);
    if (memcmp(&back, &v, sizeof v) == 0) break; // NOLINT(bugprone-suspicious-memory-comparison): of every bit
  }
  print_decimal(p, text);
  return true;
}

static bool print_float(struct text_room *p, uint32_t imm, unsigned type) {
  const number_unit host = number_unit_begin(); /* where a subnormal is one */
  const bool done = type == ISA_IMM_F32     ? print_f32(p, imm)
                    : type == ISA_IMM_F16X2 ? print_f16x2(p, imm)
                                            : type == ISA_IMM_F64 && print_f64(p, imm);
  number_unit_end(host);
  return done;
}

void print_immediate(struct text_room *p, uint32_t imm, unsigned type) {
  if (print_float(p, imm, type)) return;
  if (type == ISA_IMM_F32 || type == ISA_IMM_F16X2 || type == ISA_IMM_F64)
    text_print(p, "0x%08x", imm);
  else if (imm >= 0xfffff000u && type == ISA_IMM_I32)
    text_print(p, "-0x%x", 0u - imm);
  else
    text_print(p, "0x%x", imm);
}

/* ---- operands a, b, c */

/* The type that an immediate has here. One that is short in every form is a plain number. */
static unsigned immediate_type(const struct heddle_isa_instr *in, unsigned operand) {
  unsigned type = in->imm;
  for (unsigned i = 0; i < in->n_encs; i++) {
    const struct heddle_isa_slot *s = &heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i))->src[operand];
    if (s->kind != ISA_IMM) continue;
    if (heddle_isa_field_info((enum heddle_isa_field)s->field)->kind == ISA_K_IMM32) return in->imm;
    type = ISA_IMM_U32;
  }
  return type;
}

/* c[bank][offset]; the cursor stands at 'c'. Whether both fit is seen when they are put into their fields. */
static bool take_constant(struct assembler *a, struct cursor *c, struct operand_value *out) {
  struct cursor start = *c;
  int64_t bank, offset;
  if (!lex_text(c, "c[") || !lex_expression(a, c, &bank) || !lex_text(c, "][") || !lex_expression(a, c, &offset) ||
      !lex_char(c, ']')) {
    *c = start;
    return false;
  }
  if (bank < 0 || bank > 31 || offset < 0 || offset > 0xffff || offset % 4 != 0) {
    asm_error(a, &start, "constant operand: bank 0 to 31, offset 0 to 0xfffc in steps of 4");
    return false;
  }
  out->kind = ISA_CONST;
  out->cbank = (uint32_t)bank;
  out->coff = (uint32_t)offset;
  return true;
}

/* The longest suffix that some form of the instruction has for this operand. */
static const char *take_part(struct cursor *c, const struct heddle_isa_instr *in, unsigned operand) {
  const char *best = NULL;
  struct cursor after = *c;
  for (unsigned i = 0; i < in->n_encs; i++) {
    unsigned f = heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i))->src[operand].part;
    if (f == ISA_FIELD_NONE) continue;
    const struct heddle_isa_set *set =
        heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set);
    for (unsigned t = 0; t < set->n_tokens; t++) {
      const char *text = set->tokens[t].text;
      struct cursor probe = *c;
      if (!*text || (best && strlen(text) <= strlen(best)) || !lex_suffix(&probe, text)) continue;
      best = text;
      after = probe;
    }
  }
  *c = after;
  return best;
}

static bool take_plain(struct assembler *a, struct cursor *c, const struct heddle_isa_instr *in, unsigned operand,
                       bool in_address, struct operand_value *out) {
  struct cursor start = *c;
  bool uniform = lex_register(c, "UR", &out->reg);
  if (uniform || lex_register(c, "R", &out->reg)) {
    out->kind = uniform ? ISA_UREG : ISA_REG;
    out->reuse = lex_suffix(c, ".reuse");
    return !in_address || spelling_address(a, c, in);
  }
  if (in_address) { /* [0x10], [name]: no register */
    out->kind = heddle_isa_encoding_info((enum heddle_isa_enc)in->first_enc)->src[operand].kind;
    out->reg = ISA_RZ;
    return true;
  }
  unsigned before = a->errors;
  if (take_constant(a, c, out)) return true;
  if (a->errors != before) return false;
  *c = start;
  out->kind = ISA_IMM;
  return asm_immediate(a, c, immediate_type(in, operand), &out->imm);
}

/* A sign belongs to the number if one follows, else it is the operand's modifier. */
static bool sign_is_modifier(const struct cursor *c) {
  struct cursor probe = *c;
  unsigned index;
  return lex_char(&probe, '|') || lex_register(&probe, "R", &index) || lex_register(&probe, "UR", &index) ||
         lex_text(&probe, "c[");
}

struct modifiers {
  bool minus, complement, bars;
};

static struct modifiers take_modifiers(struct cursor *c) {
  struct modifiers m = {0};
  struct cursor probe = *c;
  bool minus = lex_char(&probe, '-');
  if ((minus || lex_char(&probe, '+')) && sign_is_modifier(&probe)) {
    m.minus = minus;
    *c = probe;
  } else {
    m.complement = lex_char(c, '~');
  }
  m.bars = lex_char(c, '|');
  return m;
}

/* What the template does not allow, or NULL. */
static const char *forbidden(const struct heddle_isa_elem *e, const struct modifiers *m, unsigned kind) {
  if (m->minus && !e->may_neg) return "'-'";
  if (m->complement && !e->may_not) return "'~'";
  if (m->bars && !e->may_abs) return "'|'";
  return kind == ISA_IMM && (m->minus || m->complement || m->bars) ? "a modifier on an immediate" : NULL;
}

bool asm_operand(struct assembler *a, struct cursor *c, enum heddle_isa_op op, const struct heddle_isa_elem *e,
                 bool in_address, struct operand_value *out) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info(op);
  lex_blank(c);
  *out = (struct operand_value){.place = *c};
  struct modifiers m = {0};
  if (!in_address) m = take_modifiers(c);
  if (!take_plain(a, c, in, e->operand, in_address, out)) return false;
  if (m.bars && !lex_char(c, '|')) {
    asm_error(a, c, "missing the second '|'");
    return false;
  }
  const char *what = forbidden(e, &m, out->kind);
  if (what) {
    asm_error(a, &out->place, "this operand does not allow %s", what);
    return false;
  }
  if (e->may_part && out->kind != ISA_IMM) out->part = take_part(c, in, e->operand);
  if (out->kind != ISA_IMM && !out->reuse) out->reuse = lex_suffix(c, ".reuse");
  if (out->reuse && out->kind != ISA_REG) {
    asm_error(a, &out->place, "only a general register has a reuse flag");
    return false;
  }
  out->neg = m.minus || m.complement;
  out->abs = m.bars;
  return true;
}

static bool put_register(struct assembler *a, const struct heddle_isa_encoding *enc, unsigned operand,
                         const struct operand_value *v, struct heddle_isa_word *w) {
  enum heddle_isa_field f = (enum heddle_isa_field)enc->src[operand].field;
  uint64_t raw;
  if (!asm_fit_register(a, &v->place, f, v->reg, &raw)) return false;
  *w = heddle_isa_put(*w, f, raw);
  if (!v->reuse) return true;
  if (enc->reuse == ISA_FIELD_NONE) {
    asm_error(a, &v->place, "this instruction has no reuse flags");
    return false;
  }
  enum heddle_isa_field reuse = (enum heddle_isa_field)enc->reuse;
  *w = heddle_isa_put(*w, reuse, heddle_isa_get(*w, reuse) | (uint64_t)1 << operand);
  return true;
}

static bool put_constant(struct assembler *a, const struct heddle_isa_encoding *enc, const struct operand_value *v,
                         struct heddle_isa_word *w) {
  uint64_t bank, offset;
  if (!asm_fit(a, &v->place, (enum heddle_isa_field)enc->cbank, v->cbank, false, &bank) ||
      !asm_fit(a, &v->place, (enum heddle_isa_field)enc->coff, v->coff, false, &offset))
    return false;
  *w = heddle_isa_put(heddle_isa_put(*w, (enum heddle_isa_field)enc->cbank, bank), (enum heddle_isa_field)enc->coff,
                      offset);
  return true;
}

/* A missing suffix is the empty token, where the set has one. */
static bool put_part(struct assembler *a, enum heddle_isa_field f, const struct operand_value *v,
                     struct heddle_isa_word *w) {
  unsigned value;
  if (!heddle_isa_set_value((enum heddle_isa_set_id)heddle_isa_field_info(f)->set, v->part ? v->part : "", &value)) {
    asm_error(a, &v->place, "this operand needs a suffix of '%s'", heddle_isa_field_info(f)->name);
    return false;
  }
  *w = heddle_isa_put(*w, f, value);
  return true;
}

bool asm_put_operand(struct assembler *a, const struct heddle_isa_encoding *enc, unsigned operand,
                     const struct operand_value *v, struct heddle_isa_word *w) {
  const struct heddle_isa_slot *slot = &enc->src[operand];
  uint64_t raw;
  if (slot->neg != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)slot->neg, v->neg);
  if (slot->abs != ISA_FIELD_NONE) *w = heddle_isa_put(*w, (enum heddle_isa_field)slot->abs, v->abs);
  if (slot->part != ISA_FIELD_NONE && !put_part(a, (enum heddle_isa_field)slot->part, v, w)) return false;
  if (slot->kind == ISA_CONST) return put_constant(a, enc, v, w);
  if (slot->kind != ISA_IMM) return put_register(a, enc, operand, v, w);
  if (!asm_fit(a, &v->place, (enum heddle_isa_field)slot->field, v->imm, false, &raw)) return false;
  *w = heddle_isa_put(*w, (enum heddle_isa_field)slot->field, raw);
  return true;
}
