/* SPDX-License-Identifier: Apache-2.0
 * Random machine functions. */
#include "random_mir.h"
#include "base/splitmix64.h"

enum { WORDS_MAX = RANDOM_BYTES / 4, PREDICATES_MAX = 32, LUT_COPY = 0xf0 };

struct maker {
  struct mir_builder m;
  uint64_t state;
  struct mir_operand var[WORDS_MAX], pred[PREDICATES_MAX], thread, slot;
  unsigned vars, preds, left, loops;
};

static uint32_t draw(struct maker *k, uint32_t below) {
  return (uint32_t)((splitmix64(&k->state) >> 33) % below);
}

static struct mir_operand any_word(struct maker *k) {
  struct mir_operand v = k->var[draw(k, k->vars)];
  return mir_word(v, draw(k, v.words));
}

static struct mir_operand any_pair(struct maker *k) {
  for (unsigned tries = 0; tries < 50; tries++) {
    struct mir_operand v = k->var[draw(k, k->vars)];
    if (v.words >= 2) return mir_part(v, 2 * draw(k, v.words / 2), 2);
  }
  return mir_zero();
}

static struct mir_operand any_pred(struct maker *k) {
  struct mir_operand p = k->pred[draw(k, k->preds)];
  p.neg = draw(k, 2);
  return p;
}

static struct mir_operand plain(struct mir_operand p) {
  p.neg = false;
  return p;
}

/* A source that op takes in the place of b. */
static struct mir_operand any_b(struct maker *k) {
  uint32_t number;
  switch (draw(k, 6)) {
  case 0:
    number = draw(k, 1u << 31);
    return mir_imm(number - draw(k, 1u << 30));
  case 1:
    return mir_const(0, HEDDLE_BANK0_PARAMS + 8 + 4 * draw(k, RANDOM_PARAMS - 2), 1);
  case 2:
    return mir_zero();
  default:
    return any_word(k);
  }
}

static struct mir_operand maybe_minus(struct maker *k, struct mir_operand x) {
  if (x.kind == MIR_REG) x.neg = draw(k, 3) == 0;
  return x;
}

static struct mir_insn *add(struct maker *k, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                            struct mir_operand b, struct mir_operand c) {
  return mir_add(&k->m, op, rd, a, b, c);
}

static void mov(struct maker *k, struct mir_operand rd, struct mir_operand b) {
  add(k, ISA_OP_MOV, rd, mir_none(), b, mir_none());
}

static void compare(struct maker *k, struct mir_operand pd0, struct mir_operand pd1) {
  const struct mir_operand a = any_word(k), b = any_b(k);
  struct mir_insn *i = add(k, ISA_OP_ISETP, mir_none(), a, b, mir_none());
  i->pd[0] = plain(pd0);
  i->pd[1] = plain(pd1);
  i->ps[0] = draw(k, 2) ? any_pred(k) : mir_zero();
  mir_set(i, ISA_F_ICMP, draw(k, 8));
  mir_set(i, ISA_F_SIGN, draw(k, 2));
  mir_set(i, ISA_F_BOOL, draw(k, 3));
}

static void logic(struct maker *k) {
  struct mir_insn *i = add(k, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none(), mir_none());
  i->pd[0] = plain(any_pred(k));
  i->ps[0] = any_pred(k);
  if (draw(k, 3) == 0) { /* a copy */
    i->ps[0] = plain(i->ps[0]);
    mir_set(i, ISA_F_PLUT0, LUT_COPY);
    return;
  }
  i->pd[1] = plain(any_pred(k));
  i->ps[1] = any_pred(k);
  i->ps[2] = any_pred(k);
  mir_set(i, ISA_F_PLUT0, draw(k, 256));
  mir_set(i, ISA_F_PLUT1, draw(k, 256));
}

static void sum(struct maker *k, struct mir_operand rd) {
  const struct mir_operand a = maybe_minus(k, any_word(k)), b = maybe_minus(k, any_b(k));
  struct mir_insn *i = add(k, ISA_OP_IADD3, rd, a, b, maybe_minus(k, any_word(k)));
  if (draw(k, 4) == 0) i->pd[0] = plain(any_pred(k));
  if (draw(k, 8) == 0) i->pd[1] = plain(any_pred(k));
}

static void wide_product(struct maker *k, struct mir_operand rd, struct mir_operand c) {
  const struct mir_operand a = any_word(k), b = any_b(k);
  struct mir_insn *i = add(k, ISA_OP_IMAD_WIDE, rd, a, b, c);
  mir_set(i, ISA_F_SIGN, draw(k, 2));
}

/* A pair of its own: put together from words, used as a whole, taken apart. */
static void pack_and_unpack(struct maker *k) {
  struct mir_operand p = mir_new(k->m.f, MIR_R, 2), q = mir_new(k->m.f, MIR_R, 2), t = mir_new(k->m.f, MIR_R, 1);
  struct mir_operand guard = k->m.guard;
  k->m.guard = mir_none(); /* what is new must be written by all */
  sum(k, t);
  mov(k, mir_part(p, 0, 1), any_word(k));
  mov(k, mir_part(p, 1, 1), t);
  wide_product(k, q, p);
  k->m.guard = guard;
  mov(k, any_word(k), mir_part(q, 0, 1));
  mov(k, any_word(k), mir_part(q, 1, 1));
}

static void select_word(struct maker *k, struct mir_operand rd) {
  const struct mir_operand a = any_word(k), b = any_b(k);
  struct mir_insn *i = add(k, ISA_OP_SEL, rd, a, b, mir_none());
  i->ps[0] = any_pred(k);
}

static uint64_t size_of(unsigned words) {
  return words == 4 ? ISA_SIZE_128 : words == 2 ? ISA_SIZE_64 : ISA_SIZE_32;
}

static void shared(struct maker *k, struct mir_operand x, bool load) {
  struct mir_insn *i = load ? add(k, ISA_OP_LDS, x, k->slot, mir_none(), mir_none())
                            : add(k, ISA_OP_STS, mir_none(), k->slot, x, mir_none());
  mir_set(i, ISA_F_SIZE, size_of(x.words));
  mir_set(i, ISA_F_OFF24, 4 * x.words * draw(k, (unsigned)RANDOM_SLOT / (4u * x.words)));
}

/* A variable or a part of it. */
static struct mir_operand any_part(struct maker *k) {
  struct mir_operand v = k->var[draw(k, k->vars)];
  return draw(k, 2) ? v : mir_word(v, draw(k, v.words));
}

static void load_constant(struct maker *k) {
  struct mir_insn *i = add(k, ISA_OP_LDC, any_word(k), mir_zero(), mir_none(), mir_none());
  mir_set(i, ISA_F_SIZE, ISA_SIZE_32);
  mir_set(i, ISA_F_COFF16, HEDDLE_BANK0_PARAMS + 8 + 4 * draw(k, RANDOM_PARAMS - 2));
}

static void operation(struct maker *k) {
  struct mir_operand pair = any_pair(k), a, b, c;
  struct mir_insn *i;
  switch (draw(k, 16)) {
  case 0:
  case 1:
  case 2:
    a = any_b(k);
    mov(k, any_word(k), a);
    break;
  case 3:
  case 4:
    sum(k, any_word(k));
    break;
  case 5:
    a = any_word(k), b = any_b(k), c = maybe_minus(k, any_word(k));
    add(k, ISA_OP_IMAD, any_word(k), a, b, c);
    break;
  case 6:
    wide_product(k, any_pair(k), pair);
    break;
  case 7:
    a = any_word(k), b = any_b(k), c = any_word(k);
    i = add(k, ISA_OP_LOP3_LUT, any_word(k), a, b, c);
    mir_set(i, ISA_F_LUT, draw(k, 256));
    break;
  case 8:
    select_word(k, any_word(k));
    break;
  case 9:
    a = any_pred(k);
    compare(k, a, draw(k, 2) ? any_pred(k) : mir_none());
    break;
  case 10:
    logic(k);
    break;
  case 11:
    shared(k, any_part(k), false);
    break;
  case 12:
  case 13:
    shared(k, any_part(k), true);
    break;
  case 14:
    load_constant(k);
    break;
  default:
    pack_and_unpack(k);
    break;
  }
}

/* Both arms of a choice as guarded instructions; the first need not keep what was there. */
static void choice(struct maker *k) {
  struct mir_operand p = any_pred(k), rd = any_word(k);
  k->m.guard = p;
  k->m.keeps_old = false;
  mov(k, rd, any_b(k));
  k->m.guard = mir_not(p);
  k->m.keeps_old = true;
  struct mir_operand other = any_b(k); /* not rd itself, which has no value here */
  mov(k, rd, other.kind == MIR_REG && other.reg == rd.reg && other.sub == rd.sub ? mir_zero() : other);
  k->m.guard = mir_none();
}

static void straight(struct maker *k) {
  unsigned n = 1 + draw(k, 6);
  for (unsigned j = 0; j < n && k->left > 0; j++, k->left--) {
    if (draw(k, 5) == 0) {
      k->m.guard = any_pred(k);
      k->m.keeps_old = true;
    }
    operation(k);
    k->m.guard = mir_none();
    if (draw(k, 8) == 0) choice(k);
  }
}

/* A new block behind the current one; the builder goes there. */
static struct mir_block *begin_block(struct maker *k) {
  struct mir_block *b = mir_block_new(k->m.f);
  mir_block_place(k->m.b, b);
  b->loop_depth = k->loops;
  k->m.b = b;
  return b;
}

static void branch(struct maker *k, struct mir_block *from, struct mir_operand guard, struct mir_block *to) {
  struct mir_builder m = k->m;
  m.b = from;
  m.guard = guard;
  mir_branch(&m, ISA_OP_BRA, to);
  mir_edge(k->m.f, from, to);
}

static void statements(struct maker *k, unsigned depth);

static void arms(struct maker *k, unsigned depth) {
  struct mir_block *from = k->m.b, *first = begin_block(k), *first_end, *second, *second_end, *join;
  statements(k, depth);
  first_end = k->m.b;
  second = begin_block(k);
  if (draw(k, 2)) statements(k, depth);
  second_end = k->m.b;
  join = begin_block(k);
  branch(k, from, any_pred(k), second);
  mir_edge(k->m.f, from, first);
  branch(k, first_end, mir_none(), join);
  mir_edge(k->m.f, second_end, join);
}

static void loop(struct maker *k, unsigned depth) {
  struct mir_operand count = mir_new(k->m.f, MIR_R, 1), more = mir_new(k->m.f, MIR_P, 1);
  mov(k, count, mir_imm(1 + draw(k, 3)));
  struct mir_block *from = k->m.b;
  k->loops++;
  struct mir_block *head = begin_block(k);
  mir_edge(k->m.f, from, head);
  statements(k, depth);
  add(k, ISA_OP_IADD3, count, count, mir_imm(UINT32_MAX), mir_zero());
  struct mir_insn *i = add(k, ISA_OP_ISETP, mir_none(), count, mir_zero(), mir_none());
  i->pd[0] = more;
  mir_set(i, ISA_F_ICMP, ISA_ICMP_NE);
  struct mir_block *end = k->m.b;
  k->loops--;
  struct mir_block *behind = begin_block(k);
  branch(k, end, more, head);
  mir_edge(k->m.f, end, behind);
}

static void statements(struct maker *k, unsigned depth) {
  unsigned n = 1 + draw(k, 4);
  for (unsigned j = 0; j < n && k->left > 0; j++) {
    straight(k);
    if (depth == 0 || k->left == 0) continue;
    if (draw(k, 3) == 0)
      loop(k, depth - 1);
    else if (draw(k, 2) == 0)
      arms(k, depth - 1);
  }
}

static void begin_variables(struct maker *k, const struct random_shape *shape) {
  for (unsigned words = 0; words < shape->words;) {
    unsigned n = 1u << draw(k, 3);
    if (words + n > shape->words) n = 1;
    k->var[k->vars++] = mir_new(k->m.f, MIR_R, n);
    for (unsigned w = 0; w < n; w++, words++) {
      struct mir_operand to = mir_part(k->var[k->vars - 1], w, 1);
      if (words == 0 || draw(k, 3))
        add(k, ISA_OP_IMAD, to, k->thread, mir_imm(draw(k, 1u << 30)), mir_zero());
      else
        mov(k, to, words % 2 ? mir_imm(draw(k, 1000)) : mir_const(0, HEDDLE_BANK0_PARAMS + 8, 1));
    }
  }
  for (unsigned p = 0; p < shape->predicates; p++) {
    struct mir_insn *i = add(k, ISA_OP_ISETP, mir_none(), k->thread, mir_imm(draw(k, RANDOM_THREADS)), mir_none());
    k->pred[k->preds++] = i->pd[0] = mir_new(k->m.f, MIR_P, 1);
    mir_set(i, ISA_F_ICMP, 1 + draw(k, 6));
  }
}

static void begin_slot(struct maker *k) {
  k->slot = mir_new(k->m.f, MIR_R, 1);
  add(k, ISA_OP_IMAD, k->slot, k->thread, mir_imm(RANDOM_SLOT), mir_zero());
  for (unsigned at = 0; at < RANDOM_SLOT; at += 4) {
    struct mir_insn *i = add(k, ISA_OP_STS, mir_none(), k->slot, k->thread, mir_none());
    mir_set(i, ISA_F_SIZE, ISA_SIZE_32);
    mir_set(i, ISA_F_OFF24, at);
  }
}

static void store(struct maker *k, struct mir_operand address, struct mir_operand x, unsigned offset) {
  struct mir_insn *i = add(k, ISA_OP_STG_E, mir_none(), address, x, mir_none());
  mir_set(i, ISA_F_SIZE, size_of(x.words));
  mir_set(i, ISA_F_OFF24, offset);
}

static void end_variables(struct maker *k, struct mir_operand address) {
  unsigned offset = 0;
  for (unsigned size = 4; size > 0; size /= 2)
    for (unsigned v = 0; v < k->vars; v++)
      if (k->var[v].words == size) {
        store(k, address, k->var[v], offset);
        offset += 4 * size;
      }
  for (unsigned p = 0; p < k->preds && offset < RANDOM_BYTES; p++, offset += 4) {
    struct mir_operand t = mir_new(k->m.f, MIR_R, 1);
    struct mir_insn *i = add(k, ISA_OP_SEL, t, k->thread, mir_imm(1000), mir_none());
    i->ps[0] = k->pred[p];
    store(k, address, t, offset);
  }
}

struct mir_function *random_mir(struct ptx_arena *arena, struct ptx_diag *diag, const struct random_shape *shape) {
  struct mir_function *f = ptx_alloc(arena, sizeof *f);
  static struct maker zero;
  struct maker *k = ptx_alloc(arena, sizeof *k);
  *k = zero;
  *f = (struct mir_function){.name = "random",
                             .arena = arena,
                             .diag = diag,
                             .param_bytes = 4 * RANDOM_PARAMS,
                             .shared_bytes = RANDOM_THREADS * RANDOM_SLOT};
  k->state = shape->seed;
  k->left = shape->statements;
  f->first = mir_block_new(f);
  k->m = (struct mir_builder){.f = f, .b = f->first};
  k->thread = mir_new(f, MIR_R, 1);
  mir_set(add(k, ISA_OP_S2R, k->thread, mir_none(), mir_none(), mir_none()), ISA_F_SREG, ISA_SREG_SR_TID_X);
  struct mir_operand base = mir_new(f, MIR_R, 2), address = mir_new(f, MIR_R, 2);
  mov(k, mir_part(base, 0, 1), mir_const(0, HEDDLE_BANK0_PARAMS, 1));
  mov(k, mir_part(base, 1, 1), mir_const(0, HEDDLE_BANK0_PARAMS + 4, 1));
  mir_set(add(k, ISA_OP_IMAD_WIDE, address, k->thread, mir_imm(RANDOM_BYTES), base), ISA_F_SIGN, ISA_SIGN_U32);
  begin_slot(k);
  begin_variables(k, shape);
  while (k->left > 0) statements(k, shape->depth);
  end_variables(k, address);
  add(k, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
  return f;
}
