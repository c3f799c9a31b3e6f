/* SPDX-License-Identifier: Apache-2.0
 *
 * What all expansions are made with.
 */
#include "expand.h"

/* Building blocks of the expansions. */

static struct mir_insn *without_guard(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand rd) {
  struct mir_insn *i = mir_add(m, op, rd, mir_none(), mir_none(), mir_none());
  i->guard = mir_none();
  i->keeps_old = false;
  return i;
}

/* Modifiers of a float: its topmost bit. */
static struct mir_operand modified(struct mir_builder *m, struct mir_operand x, unsigned words) {
  struct mir_operand r = mir_new(m->f, MIR_R, words), top = mir_word(x, words - 1);
  top.neg = top.abs = false;
  for (unsigned w = 0; w + 1 < words; w++) ex_mov(m, mir_word(r, w), mir_word(x, w));
  /* abs: clear the bit, neg: turn it round, both: set it. Index of the table: bit of x, bit of the mask, 1. */
  unsigned lut = x.abs ? (x.neg ? 0xfc : 0x30) : 0x3c;
  struct mir_insn *i =
      mir_add(m, ISA_OP_LOP3_LUT, mir_word(r, words - 1), mir_reg(m, top), mir_imm(0x80000000), mir_zero());
  mir_set(i, ISA_F_LUT, lut);
  return r;
}

struct mir_operand ex_in(struct mir_builder *m, struct mir_operand x, unsigned words) {
  if (x.kind == MIR_ZERO) return mir_zero();
  if (x.kind != MIR_REG || x.class != MIR_R) {
    struct mir_operand r = mir_new(m->f, MIR_R, words);
    for (unsigned w = 0; w < words; w++) ex_mov(m, mir_word(r, w), mir_word(x, w));
    r.neg = x.neg;
    r.abs = x.abs;
    x = r;
  }
  return x.neg || x.abs ? modified(m, x, words) : x;
}

struct mir_operand ex_1(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                        struct mir_operand c) {
  struct mir_operand r = mir_new(m->f, MIR_R, 1);
  mir_add(m, op, r, a, b, c);
  return r;
}

struct mir_operand ex_2(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                        struct mir_operand c) {
  struct mir_operand r = mir_new(m->f, MIR_R, 2);
  mir_add(m, op, r, a, b, c);
  return r;
}

struct mir_insn *ex_last(struct mir_builder *m) {
  return m->b->last;
}

struct mir_operand ex_flag(struct mir_builder *m) {
  struct mir_operand p = mir_new(m->f, MIR_P, 1);
  if (m->guard.kind == MIR_NONE) return p;
  struct mir_insn *i = without_guard(m, ISA_OP_PLOP3_LUT, mir_none());
  i->pd[0] = p;
  mir_set(i, ISA_F_PLUT0, 0);
  return p;
}

struct mir_insn *ex_test(struct mir_builder *m, enum heddle_isa_op op, unsigned cmp, struct mir_operand flag,
                         struct mir_operand a, struct mir_operand b) {
  struct mir_insn *i = mir_add(m, op, mir_none(), a, b, mir_none());
  i->pd[0] = flag;
  i->keeps_old = i->guard.kind != MIR_NONE;
  if (op == ISA_OP_ISETP)
    mir_set(i, ISA_F_ICMP, cmp);
  else if (op != ISA_OP_FCHK_DIVIDE)
    mir_set(i, ISA_F_FCMP, cmp);
  return i;
}

struct mir_insn *ex_if(struct mir_builder *m, struct mir_operand flag, enum heddle_isa_op op, struct mir_operand rd,
                       struct mir_operand a, struct mir_operand b, struct mir_operand c) {
  struct mir_insn *i = mir_add(m, op, rd, a, b, c);
  i->guard = flag;
  i->keeps_old = true;
  return i;
}

void ex_mov(struct mir_builder *m, struct mir_operand rd, struct mir_operand x) {
  mir_add(m, ISA_OP_MOV, rd, mir_none(), x, mir_none());
}

void ex_mov_if(struct mir_builder *m, struct mir_operand flag, struct mir_operand rd, struct mir_operand x) {
  ex_if(m, flag, ISA_OP_MOV, rd, mir_none(), x, mir_none());
}

void ex_add(struct mir_builder *m, struct mir_operand rd, struct mir_operand carry, struct mir_operand a,
            struct mir_operand b) {
  mir_add(m, ISA_OP_IADD3, rd, a, b, mir_zero())->pd[0] = carry;
}

void ex_addx(struct mir_builder *m, struct mir_operand rd, struct mir_operand carry, struct mir_operand a,
             struct mir_operand b, struct mir_operand carry_in) {
  struct mir_insn *i = mir_add(m, ISA_OP_IADD3_X, rd, a, b, mir_zero());
  i->pd[0] = carry;
  i->ps[0] = carry_in;
  i->ps[1] = mir_not(mir_zero());
}

struct mir_operand ex_mufu(struct mir_builder *m, unsigned function, struct mir_operand x) {
  struct mir_operand r = ex_1(m, ISA_OP_MUFU, mir_none(), x, mir_none());
  mir_set(ex_last(m), ISA_F_MUFU, function);
  return r;
}

struct mir_operand ex_f32(struct mir_builder *m, enum heddle_isa_op op, unsigned rnd, struct mir_operand a,
                          struct mir_operand b, struct mir_operand c) {
  struct mir_operand r = ex_1(m, op, a, b, c);
  mir_set(ex_last(m), ISA_F_RND, rnd);
  return r;
}

struct mir_operand ex_f64(struct mir_builder *m, enum heddle_isa_op op, unsigned rnd, struct mir_operand a,
                          struct mir_operand b, struct mir_operand c) {
  struct mir_operand r = ex_2(m, op, a, b, c);
  mir_set(ex_last(m), ISA_F_RND, rnd);
  return r;
}

/* BSSY and BSYNC are for all lanes that are here, whatever the guard. */
struct ex_fork ex_fork_begin(struct mir_builder *m, struct mir_operand flag, bool cold) {
  struct ex_fork s = {.from = m->b, .guard = m->guard, .keeps_old = m->keeps_old};
  struct mir_block *arm = mir_block_new(m->f);
  s.join = mir_block_new(m->f);
  arm->loop_depth = s.join->loop_depth = m->b->loop_depth;
  arm->cold = cold || m->b->cold;
  s.join->cold = m->b->cold;
  struct mir_insn *i = without_guard(m, ISA_OP_BSSY, mir_none());
  i->target = s.join;
  i->breg = ex_barrier();
  s.skip = without_guard(m, ISA_OP_BRA, mir_none());
  s.skip->guard = mir_not(flag);
  s.skip->target = s.join;
  mir_block_place(m->b, arm);
  mir_edge(m->f, m->b, arm);
  m->b = arm;
  m->guard = mir_none();
  m->keeps_old = false;
  return s;
}

void ex_fork_else(struct mir_builder *m, struct ex_fork *s) {
  struct mir_block *other = mir_block_new(m->f);
  other->loop_depth = s->join->loop_depth;
  other->cold = s->join->cold;
  without_guard(m, ISA_OP_BRA, mir_none())->target = s->join;
  mir_edge(m->f, m->b, s->join);
  mir_block_place(m->b, other);
  s->skip->target = other;
  mir_edge(m->f, s->from, other);
  m->b = other;
  m->guard = s->guard;
  m->keeps_old = s->keeps_old;
}

void ex_fork_end(struct mir_builder *m, struct ex_fork *s) {
  mir_block_place(m->b, s->join);
  mir_edge(m->f, m->b, s->join);
  if (s->skip->target == s->join) mir_edge(m->f, s->from, s->join);
  m->b = s->join;
  without_guard(m, ISA_OP_BSYNC, mir_none())->breg = ex_barrier();
  m->guard = s->guard;
  m->keeps_old = s->keeps_old;
}

/* 1 / x to start from, also where the machine has no MUFU: 12 instructions instead of one, 17 with special numbers.
 *
 * The difference of a constant and the bits of |x| is within 13% of 1 / |x| (both exponent and fraction are roughly
 * logarithms). Each Newton step y + y (1 - x y) squares the error, the fourth leaves that of its own rounding:
 * |1 - x y| is at most 2^-24 rounded to nearest, 2^-23 upward. What the expansions count on beside (expand_f32.c):
 * y + y (1 - x y) is 1 / x correctly rounded, in the three directions after a last step to nearest, to nearest after a
 * last step upward; tried for all significands (tests/compiler). (To nearest after to nearest fails for 2 - 2^-23
 * alone.) */

static bool has_mufu(const struct mir_function *f) {
  struct mir_insn i = {.op = ISA_OP_MUFU, .rd = mir_zero(), .src = {mir_none(), mir_zero(), mir_none()}};
  mir_set(&i, ISA_F_MUFU, ISA_MUFU_RCP);
  return mir_usable(f, &i);
}

static struct mir_operand logic(struct mir_builder *m, struct mir_operand a, struct mir_operand b, struct mir_operand c,
                                unsigned lut) {
  struct mir_operand r = ex_1(m, ISA_OP_LOP3_LUT, a, b, c);
  mir_set(ex_last(m), ISA_F_LUT, lut);
  return r;
}

static void patch_special(struct mir_builder *m, struct mir_operand y, struct mir_operand size, uint32_t x,
                          struct mir_operand result) {
  struct mir_operand p = ex_flag(m);
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_EQ, p, size, x ? mir_imm(x) : mir_zero()), ISA_F_SIGN, ISA_SIGN_U32);
  ex_mov_if(m, p, y, result);
}

struct mir_operand ex_reciprocal(struct mir_builder *m, struct mir_operand x, unsigned rnd, bool all) {
  enum { AND = 0xc0, AND_OR = 0xea, STEPS = 4, MAGIC = 0x7ef311c7, INFINITE = 0x7f800000 };
  if (has_mufu(m->f)) return ex_mufu(m, ISA_MUFU_RCP, x);
  const unsigned last = rnd == ISA_RND_RN ? ISA_RND_RP : ISA_RND_RN;
  struct mir_operand size = logic(m, x, mir_imm(0x7fffffff), mir_zero(), AND);
  struct mir_operand y = ex_1(m, ISA_OP_IADD3, ex_neg(size), mir_imm(MAGIC), mir_zero());
  for (unsigned k = 0; k < STEPS; k++) {
    struct mir_operand e = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(size), y, mir_imm(0x3f800000));
    y = ex_f32(m, ISA_OP_FFMA, k + 1 == STEPS ? last : ISA_RND_RN, y, e, y);
  }
  if (all) {
    patch_special(m, y, size, 0, mir_imm(INFINITE));
    patch_special(m, y, size, INFINITE, mir_zero());
  }
  struct mir_operand sign = mir_new(m->f, MIR_R, 1);
  ex_mov(m, sign, mir_imm(0x80000000));
  y = logic(m, x, sign, y, AND_OR);
  return all ? ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, y, mir_imm(0x3f800000), mir_none()) : y; /* a NaN has no sign */
}

/* y + y/2 (1 - x y y); the first value from the bits again. */
struct mir_operand ex_reciprocal_root(struct mir_builder *m, struct mir_operand x) {
  enum { STEPS = 4, MAGIC = 0x5f3759df, HALF = 0x3f000000 };
  if (has_mufu(m->f)) return ex_mufu(m, ISA_MUFU_RSQ, x);
  struct mir_operand half = ex_1(m, ISA_OP_SHF, mir_zero(), mir_imm(1), x);
  mir_set(ex_last(m), ISA_F_SHDIR, ISA_SHDIR_R);
  mir_set(ex_last(m), ISA_F_SHTYPE, ISA_SHTYPE_U32);
  mir_set(ex_last(m), ISA_F_SHHI, ISA_HI_HI);
  struct mir_operand y = ex_1(m, ISA_OP_IADD3, ex_neg(half), mir_imm(MAGIC), mir_zero());
  for (unsigned k = 0; k < STEPS; k++) {
    struct mir_operand g = ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, x, y, mir_none());
    struct mir_operand e = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(g), y, mir_imm(0x3f800000));
    struct mir_operand h = ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, y, mir_imm(HALF), mir_none());
    y = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, h, e, y);
  }
  return y;
}

/* Not the root of a positive number: zeros, infinity, NaN stay, negative numbers have none. */
void ex_root_special(struct mir_builder *m, struct mir_operand root, struct mir_operand x) {
  enum { NAN_BITS = 0x7fffffff, INFINITE = 0x7f800000 };
  struct mir_operand p = ex_flag(m), t;
  if (has_mufu(m->f)) {
    ex_test(m, ISA_OP_FSETP, ISA_FCMP_NAN, p, root, root);
    mir_set(ex_if(m, p, ISA_OP_MUFU, root, mir_none(), x, mir_none()), ISA_F_MUFU, ISA_MUFU_SQRT);
    return;
  }
  t = ex_1(m, ISA_OP_IADD3, x, mir_imm(0xffffffff), mir_zero());
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, p, t, mir_imm(INFINITE - 1)), ISA_F_SIGN, ISA_SIGN_U32);
  ex_if(m, p, ISA_OP_FMUL, root, x, mir_imm(0x3f800000), mir_none());
  p = ex_flag(m);
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_LT, p, x, mir_zero());
  ex_mov_if(m, p, root, mir_imm(NAN_BITS));
}
