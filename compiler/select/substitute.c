/* SPDX-License-Identifier: Apache-2.0
 * What the RTL lacks, done with what it has: integer and rounding instructions for which there is an exact sequence.
 * Where the RTL of the machine has the instruction itself (mir_in_rtl) it stays, and so does everything else.
 *
 * All of a sequence carries the guard of the instruction, and the last one of it alone writes the result. */
#include "substitute.h"

static struct mir_insn *insert_guarded(struct substitute *s, enum heddle_isa_op op, struct mir_operand rd,
                                       struct mir_operand a, struct mir_operand b, struct mir_operand c) {
  struct mir_insn *i = ptx_alloc(s->f->arena, sizeof *i);
  *i = (struct mir_insn){.op = (uint16_t)op, .guard = s->insn->guard, .rd = rd, .src = {a, b, c}, .pos = s->insn->pos};
  mir_insert_before(s->b, s->insn, i);
  return i;
}

struct mir_insn *sub_last(struct substitute *s, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                          struct mir_operand c) {
  struct mir_insn *i = insert_guarded(s, op, s->insn->rd, a, b, c);
  i->keeps_old = s->insn->keeps_old;
  return i;
}

struct mir_operand sub_1(struct substitute *s, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                         struct mir_operand c) {
  struct mir_operand r = mir_new(s->f, MIR_R, 1);
  (void)insert_guarded(s, op, r, a, b, c);
  return r;
}

struct mir_insn *sub_made(const struct substitute *s) {
  return s->insn->prev;
}

struct mir_operand sub_shift(struct substitute *s, struct mir_operand x, unsigned by, bool right, bool is_signed) {
  struct mir_operand r =
      right ? sub_1(s, ISA_OP_SHF, mir_zero(), mir_imm(by), x) : sub_1(s, ISA_OP_SHF, x, mir_imm(by), mir_zero());
  struct mir_insn *i = sub_made(s);
  mir_set(i, ISA_F_SHDIR, right ? ISA_SHDIR_R : ISA_SHDIR_L);
  mir_set(i, ISA_F_SHTYPE, is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32);
  mir_set(i, ISA_F_SHHI, right ? ISA_HI_HI : ISA_HI_NONE);
  return r;
}

struct mir_operand sub_funnel(struct substitute *s, struct mir_operand lo, struct mir_operand by, struct mir_operand hi,
                              bool right, unsigned type, bool high) {
  struct mir_operand r = sub_1(s, ISA_OP_SHF, lo, by, hi);
  struct mir_insn *i = sub_made(s);
  mir_set(i, ISA_F_SHDIR, right ? ISA_SHDIR_R : ISA_SHDIR_L);
  mir_set(i, ISA_F_SHTYPE, type);
  mir_set(i, ISA_F_SHHI, high ? ISA_HI_HI : ISA_HI_NONE);
  return r;
}

struct mir_operand sub_add(struct substitute *s, struct mir_operand a, struct mir_operand b, struct mir_operand c) {
  return sub_1(s, ISA_OP_IADD3, a, b, c);
}

struct mir_operand sub_minus(struct mir_operand x) {
  x.neg = !x.neg;
  return x;
}

struct mir_operand sub_choose(struct substitute *s, struct mir_operand p, struct mir_operand yes,
                              struct mir_operand no) {
  struct mir_operand r = sub_1(s, ISA_OP_SEL, yes, no, mir_none());
  sub_made(s)->ps[0] = p;
  return r;
}

struct mir_operand sub_extreme(struct substitute *s, struct mir_operand a, struct mir_operand b, bool is_signed,
                               bool most) {
  struct mir_operand r = sub_1(s, ISA_OP_IMNMX, a, b, mir_none());
  mir_set(sub_made(s), ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  sub_made(s)->ps[0] = most ? mir_not(mir_zero()) : mir_zero();
  return r;
}

struct mir_operand sub_lop3(struct substitute *s, struct mir_operand a, struct mir_operand b, struct mir_operand c,
                            unsigned lut) {
  struct mir_operand r = sub_1(s, ISA_OP_LOP3_LUT, a, b, c);
  mir_set(sub_made(s), ISA_F_LUT, lut);
  return r;
}

struct mir_operand sub_reg(struct substitute *s, struct mir_operand x) {
  const bool turned = x.neg;
  x.neg = false;
  if (x.kind == MIR_IMM || x.kind == MIR_CONST) x = sub_1(s, ISA_OP_MOV, mir_none(), x, mir_none());
  return turned ? sub_lop3(s, x, mir_zero(), mir_zero(), 0x0f) : x;
}

void sub_move(struct substitute *s, struct mir_operand x) {
  (void)sub_last(s, ISA_OP_MOV, mir_none(), x, mir_none());
}

uint64_t sub_field(const struct mir_insn *i, enum heddle_isa_field f) {
  for (unsigned k = 0; k < i->fields; k++)
    if (i->field[k].field == (uint8_t)f) return i->field[k].value;
  return heddle_isa_field_default(f);
}

/* ---- instructions ---- */

/* The upper word of what IMAD.WIDE gives. */
static bool product_high(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  struct mir_operand t = mir_new(s->f, MIR_R, 2);
  struct mir_insn *m = insert_guarded(s, ISA_OP_IMAD_WIDE, t, i->src[0], i->src[1], i->src[2]);
  mir_set(m, ISA_F_SIGN, sub_field(i, ISA_F_SIGN));
  sub_move(s, mir_word(t, 1));
  return true;
}

static bool absolute(struct substitute *s) {
  struct mir_operand x = sub_reg(s, s->insn->src[1]), minus = x;
  minus.neg = true;
  struct mir_operand t = sub_1(s, ISA_OP_IADD3, minus, mir_zero(), mir_zero());
  struct mir_insn *m = sub_last(s, ISA_OP_IMNMX, x, t, mir_none());
  m->ps[0] = mir_not(mir_zero());
  return true;
}

/* Sums of 2, 4, 8 bits side by side, then of the four bytes in the topmost one. */
static bool population(struct substitute *s) {
  enum { AND = 0xc0 };
  struct mir_operand x = sub_reg(s, s->insn->src[1]);
  struct mir_operand half = sub_lop3(s, sub_shift(s, x, 1, true, false), mir_imm(0x55555555), mir_zero(), AND);
  half.neg = true;
  x = sub_1(s, ISA_OP_IADD3, x, half, mir_zero());
  half = sub_lop3(s, sub_shift(s, x, 2, true, false), mir_imm(0x33333333), mir_zero(), AND);
  x = sub_1(s, ISA_OP_IADD3, sub_lop3(s, x, mir_imm(0x33333333), mir_zero(), AND), half, mir_zero());
  x = sub_1(s, ISA_OP_IADD3, x, sub_shift(s, x, 4, true, false), mir_zero());
  x = sub_lop3(s, x, mir_imm(0x0f0f0f0f), mir_zero(), AND);
  x = sub_1(s, ISA_OP_IMAD, x, mir_imm(0x01010101), mir_zero());
  sub_move(s, sub_shift(s, x, 24, true, false));
  return true;
}

/* Halves of 1, 2, 4, 8, 16 bits change places. */
static bool reverse(struct substitute *s) {
  static const uint32_t mask[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
  enum { CHOOSE = 0xca }; /* index: mask, down, up */
  struct mir_operand x = sub_reg(s, s->insn->src[1]);
  for (unsigned k = 0; k < 5; k++) {
    struct mir_operand down = sub_shift(s, x, 1u << k, true, false), up = sub_shift(s, x, 1u << k, false, false);
    struct mir_operand m = sub_reg(s, mir_imm(mask[k]));
    x = sub_lop3(s, m, down, up, CHOOSE);
  }
  sub_move(s, x);
  return true;
}

/* The exponent of the number as a float, rounded towards zero. */
static bool highest_bit(struct substitute *s) {
  enum { XOR = 0x3c, BIAS = 127 };
  const struct mir_insn *i = s->insn;
  const bool from_above = sub_field(i, ISA_F_SH) != 0;
  struct mir_operand x = sub_reg(s, i->src[1]);
  if (sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32) x = sub_lop3(s, x, sub_shift(s, x, 31, true, true), mir_zero(), XOR);
  struct mir_operand t = sub_1(s, ISA_OP_I2F, mir_none(), x, mir_none());
  mir_set(sub_made(s), ISA_F_ISRC, ISA_ITYPE_U32);
  mir_set(sub_made(s), ISA_F_RND, ISA_RND_RZ);
  t = sub_shift(s, t, 23, true, false);
  t.neg = from_above;
  t = sub_1(s, ISA_OP_IADD3, t, mir_imm(from_above ? BIAS + 31 : 0u - BIAS), mir_zero());
  struct mir_operand some = sub_compare(s, ISA_ICMP_NE, false, x, mir_zero());
  sub_last(s, ISA_OP_SEL, t, mir_imm(0xffffffff), mir_none())->ps[0] = some;
  return true;
}

typedef bool substitute_fn(struct substitute *s);

static substitute_fn *substitute_of(enum heddle_isa_op op) {
  switch (op) {
  case ISA_OP_IMAD_HI:
    return product_high;
  case ISA_OP_IABS:
    return absolute;
  case ISA_OP_SGXT:
    return sub_extend;
  case ISA_OP_POPC:
    return population;
  case ISA_OP_BREV:
    return reverse;
  case ISA_OP_FLO:
    return highest_bit;
  case ISA_OP_ISETP_EX:
    return sub_compare_high;
  case ISA_OP_PRMT:
    return sub_permute;
  case ISA_OP_VABSDIFF:
    return sub_difference;
  case ISA_OP_BMSK:
    return sub_mask;
  case ISA_OP_I2F:
    return sub_from_integer;
  case ISA_OP_F2I:
    return sub_to_integer;
  case ISA_OP_FMNMX:
    return sub_extreme_nan;
  case ISA_OP_F2F:
    return sub_half;
  case ISA_OP_F2FP_F16_F32_PACK_AB:
    return sub_halves;
  case ISA_OP_FRND:
    return sub_round;
  case ISA_OP_FCHK_DIVIDE:
    return sub_check_divide;
  default:
    return NULL;
  }
}

void mir_substitute(struct mir_function *f) {
  struct substitute s = {.f = f};
  if (f->whole_machine) return;
  for (s.b = f->first; s.b; s.b = s.b->next)
    for (struct mir_insn *i = s.b->first, *next; i; i = next) {
      next = i->next;
      substitute_fn *by = substitute_of((enum heddle_isa_op)i->op);
      s.insn = i;
      if (by && !mir_in_rtl(f, i) && by(&s)) mir_remove(s.b, i);
    }
}
