/* SPDX-License-Identifier: Apache-2.0
 * Integer division and remainder of 32 bits: 12 instructions unsigned, 16 signed, no branch.
 *
 * With Y = 2^32 / b: I2F rounds b up, MUFU.RCP is within one unit in the last place, two units are taken off and the
 * exponent raised by 32: the result y0, cut to an integer, is Y - d with 0 <= d < 1 + Y 2^-20.9. e = 2^32 - b y0 = b d.
 * y1 = y0 + floor((y0 + 1) e / 2^32) = floor(Y - d (d - 1) / Y). This is floor(Y), or Y - 1 when b is a power of two:
 * for other b the fraction of Y is at least 1/b, and d (d - 1) / Y is less than the fraction, since
 *   d < 1: it is negative;  1 <= d < 2: d = 1 + fraction, and d < Y;
 *   d >= 2: then Y > 2^20, so d < 2 Y 2^-20.9, and d^2 < 2^32 / b^2.
 * So Y - y1 <= 1, a y1 / 2^32 is less than a / b by less than 1, and q = floor(a y1 / 2^32) is the quotient or one
 * less. (Tried for every b, too, with the largest multiple of b as a.)
 *
 * A divisor of 0 gives all ones, quotient and remainder (tests/silicon/ops); -2^31 / -1 gives -2^31. */
#include "compiler/select/expand.h"

/* I2F.U32.RP; MUFU.RCP; less two units, times 2^32; F2I.U32.TRUNC */
static void start_value(struct mir_builder *m, struct mir_operand b, struct mir_operand y0) {
  struct mir_operand f = ex_1(m, ISA_OP_I2F, mir_none(), b, mir_none());
  mir_set(ex_last(m), ISA_F_ISRC, ISA_ITYPE_U32);
  mir_set(ex_last(m), ISA_F_RND, ISA_RND_RP);
  struct mir_operand r = ex_reciprocal(m, f, ISA_RND_RZ, false);
  r = ex_1(m, ISA_OP_IADD3, r, mir_imm((32u << 23) - 2), mir_zero());
  struct mir_insn *i = mir_add(m, ISA_OP_F2I, y0, mir_none(), r, mir_none());
  mir_set(i, ISA_F_DINT, ISA_ITYPE_U32);
  mir_set(i, ISA_F_IRND, ISA_IRND_TRUNC);
}

static struct mir_operand high_product(struct mir_builder *m, struct mir_operand a, struct mir_operand b,
                                       struct mir_operand c) {
  struct mir_operand r = ex_1(m, ISA_OP_IMAD_HI, a, b, c);
  mir_set(ex_last(m), ISA_F_SIGN, ISA_SIGN_U32);
  return r;
}

struct mir_operand ex_divide_u32(struct mir_builder *m, bool remainder, struct mir_operand a, struct mir_operand b,
                                 struct mir_operand *zero) {
  struct mir_operand w = mir_new(m->f, MIR_R, 2), nb = mir_new(m->f, MIR_R, 1), none = mir_none();
  *zero = ex_flag(m);
  start_value(m, b, mir_word(w, 1));
  ex_add(m, nb, *zero, mir_zero(), ex_neg(b)); /* carries when b is 0 */
  m->b->last->keeps_old = m->guard.kind != MIR_NONE;
  mir_add(m, ISA_OP_IMAD, mir_word(w, 0), mir_word(w, 1), nb, mir_zero());
  struct mir_operand y = high_product(m, mir_word(w, 1), mir_word(w, 0), w); /* w = {y0 : e} */
  struct mir_operand q = high_product(m, a, y, mir_zero());
  struct mir_operand r = ex_1(m, ISA_OP_IMAD, q, nb, a);
  if (remainder) { /* the smaller of r and r - b, which wraps when it is negative */
    struct mir_operand t = ex_1(m, ISA_OP_IADD3, r, nb, mir_zero());
    mir_add(m, ISA_OP_IMNMX, r, r, t, none);
    mir_set(ex_last(m), ISA_F_SIGN, ISA_SIGN_U32);
    return r;
  }
  struct mir_operand more = ex_flag(m);
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, more, r, b), ISA_F_SIGN, ISA_SIGN_U32);
  ex_if(m, more, ISA_OP_IADD3, q, q, mir_imm(1), mir_zero());
  return q;
}

static struct mir_operand magnitude(struct mir_builder *m, struct mir_operand x) {
  return ex_1(m, ISA_OP_IABS, mir_none(), x, mir_none());
}

/* The remainder has the dividend's sign; the quotient is negative when the signs differ. */
static struct mir_operand divide_s32(struct mir_builder *m, bool remainder, struct mir_operand a, struct mir_operand b,
                                     struct mir_operand *zero) {
  struct mir_operand r = ex_divide_u32(m, remainder, magnitude(m, a), magnitude(m, b), zero), negative = ex_flag(m);
  if (remainder) {
    ex_test(m, ISA_OP_ISETP, ISA_ICMP_LT, negative, a, mir_zero());
  } else {
    struct mir_insn *i = mir_add(m, ISA_OP_LOP3_LUT, mir_zero(), a, b, mir_imm(0x80000000));
    mir_set(i, ISA_F_LUT, 0x28); /* (a ^ b) & c */
    i->pd[0] = negative;
    i->keeps_old = i->guard.kind != MIR_NONE;
  }
  ex_if(m, negative, ISA_OP_IADD3, r, mir_zero(), ex_neg(r), mir_zero());
  return r;
}

struct mir_operand expand_div_int(struct mir_builder *m, enum ptx_type t, bool remainder, struct mir_operand a,
                                  struct mir_operand b) {
  const bool is_signed = t == PTX_S32 || t == PTX_S64, wide = t == PTX_S64 || t == PTX_U64 || t == PTX_B64;
  struct mir_operand zero;
  if (wide) return ex_divide_64(m, is_signed, remainder, ex_in(m, a, 2), ex_in(m, b, 2));
  if (b.kind == MIR_IMM) return ex_divide_const(m, is_signed, remainder, ex_in(m, a, 1), b.imm);
  a = ex_in(m, a, 1);
  b = ex_in(m, b, 1);
  struct mir_operand r = is_signed ? divide_s32(m, remainder, a, b, &zero) : ex_divide_u32(m, remainder, a, b, &zero);
  ex_mov_if(m, zero, r, mir_imm(0xffffffff));
  return r;
}
