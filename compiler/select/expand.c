/* SPDX-License-Identifier: Apache-2.0
 * Building blocks of the expansions. */
#include "expand.h"

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
