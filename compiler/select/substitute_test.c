/* SPDX-License-Identifier: Apache-2.0
 * What the RTL lacks: comparisons of upper words, FCHK.DIVIDE; and rounding to an integral float. */
#include "compiler/select/substitute.h"

static struct mir_insn *compare_into(struct substitute *s, enum heddle_isa_op op, struct mir_operand pd,
                                     struct mir_operand a, struct mir_operand b) {
  (void)sub_1(s, op, a, b, mir_none());
  struct mir_insn *i = sub_made(s);
  i->rd = mir_none();
  i->pd[0] = pd;
  return i;
}

struct mir_operand sub_compare(struct substitute *s, unsigned cmp, bool is_signed, struct mir_operand a,
                               struct mir_operand b) {
  struct mir_operand p = mir_new(s->f, MIR_P, 1);
  struct mir_insn *i = compare_into(s, ISA_OP_ISETP, p, a, b);
  mir_set(i, ISA_F_ICMP, cmp);
  mir_set(i, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  return p;
}

/* pd0, pd1 of the instruction: table of r and its ps0 */
static void combine(struct substitute *s, struct mir_operand r) {
  static const uint8_t plain[3] = {0xc0, 0xfc, 0x3c}, other[3] = {0x0c, 0xcf, 0xc3};
  const struct mir_insn *old = s->insn;
  const unsigned how = (unsigned)sub_field(old, ISA_F_BOOL) % 3;
  (void)sub_1(s, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none());
  struct mir_insn *i = sub_made(s);
  i->rd = mir_none();
  for (unsigned k = 0; k < 2; k++) i->pd[k] = old->pd[k];
  i->ps[0] = r;
  i->ps[1] = old->ps[0];
  i->keeps_old = old->keeps_old;
  mir_set(i, ISA_F_PLUT0, plain[how]);
  mir_set(i, ISA_F_PLUT1, other[how]);
}

/* (a = b) and the verdict of the low words, or a stands to b in the strict relation. */
bool sub_compare_high(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const unsigned cmp = (unsigned)sub_field(i, ISA_F_ICMP);
  const bool less = cmp == ISA_ICMP_LT || cmp == ISA_ICMP_LE, more = cmp == ISA_ICMP_GT || cmp == ISA_ICMP_GE;
  if (cmp == ISA_ICMP_F || cmp == ISA_ICMP_T) return false;
  struct mir_operand same = sub_compare(s, ISA_ICMP_EQ, false, i->src[0], i->src[1]);
  sub_made(s)->ps[0] = i->ps[2];
  if (cmp == ISA_ICMP_EQ) {
    combine(s, same);
    return true;
  }
  struct mir_operand r = sub_compare(s,
                                     less   ? ISA_ICMP_LT
                                     : more ? ISA_ICMP_GT
                                            : ISA_ICMP_NE,
                                     sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32, i->src[0], i->src[1]);
  mir_set(sub_made(s), ISA_F_BOOL, ISA_BOOL_OR);
  sub_made(s)->ps[0] = same;
  combine(s, r);
  return true;
}

/* Below 2^23 through an integer, with the sign; above it is one already (and a NaN becomes the one of all results). */
bool sub_round(struct substitute *s) {
  enum { SIGN_OR = 0xea }; /* index: x, the sign bit, r: (x and sign) or r */
  const struct mir_insn *i = s->insn;
  const uint64_t ftz = sub_field(i, ISA_F_FTZ);
  if (sub_field(i, ISA_F_RINT) != ISA_RINT_F32) return false;
  struct mir_operand x = sub_1(s, ISA_OP_FMUL, i->src[1], mir_imm(0x3f800000), mir_none());
  mir_set(sub_made(s), ISA_F_FTZ, ftz);
  struct mir_operand n = sub_1(s, ISA_OP_F2I, mir_none(), x, mir_none());
  mir_set(sub_made(s), ISA_F_DINT, ISA_ITYPE_S32);
  mir_set(sub_made(s), ISA_F_IRND, sub_field(i, ISA_F_IRND));
  struct mir_operand r = sub_1(s, ISA_OP_I2F, mir_none(), n, mir_none());
  mir_set(sub_made(s), ISA_F_ISRC, ISA_ITYPE_S32);
  r = sub_lop3(s, x, sub_reg(s, mir_imm(0x80000000)), r, SIGN_OR);
  struct mir_operand small = mir_new(s->f, MIR_P, 1), size = x;
  size.abs = true;
  mir_set(compare_into(s, ISA_OP_FSETP, small, size, mir_imm(0x4b000000)), ISA_F_FCMP, ISA_FCMP_LT);
  sub_last(s, ISA_OP_SEL, r, x, mir_none())->ps[0] = small;
  return true;
}

static struct mir_operand exponent(struct substitute *s, struct mir_operand x) {
  x = sub_reg(s, x);
  x.neg = x.abs = false;
  return sub_shift(s, sub_shift(s, x, 1, false, false), 24, true, false);
}

/* Another range test: p and (x - least) <= most - least, without sign */
static struct mir_operand within(struct substitute *s, struct mir_operand p, struct mir_operand x, uint32_t least,
                                 uint32_t most) {
  struct mir_operand d = sub_1(s, ISA_OP_IADD3, x, mir_imm(0u - least), mir_zero());
  struct mir_operand q = sub_compare(s, ISA_ICMP_LE, false, d, mir_imm(most - least));
  sub_made(s)->ps[0] = p;
  return q;
}

bool sub_check_divide(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  struct mir_operand a = exponent(s, i->src[0]), b = exponent(s, i->src[1]), minus = b;
  minus.neg = true;
  struct mir_operand fine = within(s, mir_none(), a, 25, 254);
  fine = within(s, fine, b, 2, 252);
  fine = within(s, fine, sub_1(s, ISA_OP_IADD3, a, minus, mir_zero()), 0u - 100, 125);
  (void)sub_1(s, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none());
  struct mir_insn *m = sub_made(s);
  m->rd = mir_none();
  m->pd[0] = i->pd[0];
  m->ps[0] = fine;
  m->keeps_old = i->keeps_old;
  mir_set(m, ISA_F_PLUT0, 0x0f);
  return true;
}
