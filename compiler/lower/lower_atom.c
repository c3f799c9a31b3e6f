/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics and fences. Without words an atomic is relaxed in the scope of the GPU. What the machine does not have is
 * done by compare-and-swap of the word around it, until no other thread comes in between.
 */
#include "compiler/lower/lower.h"

#define ANY_32 (T(B32) | T(U32) | T(S32))
#define ANY_64 (T(B64) | T(U64) | T(S64))

/* What the machine and PTX have both. */
static uint32_t types_of(enum ir_atom op) {
  switch (op) {
  case IR_A_ADD:
    return T(U32) | T(S32) | T(U64) | T(S64) | T(F32) | T(F64) | T(F16X2);
  case IR_A_MIN:
  case IR_A_MAX:
    return T(U32) | T(S32) | T(U64) | T(S64);
  case IR_A_INC:
  case IR_A_DEC:
    return T(U32);
  default:
    return ANY_32 | ANY_64;
  }
}

/* NULL, or what is wrong with space and order. */
static const char *wrong_order(const struct insn *in, enum sem sem) {
  uint8_t space = in->w.value[K_SPACE];
  if (given(in, K_SPACE) && space != PTX_GLOBAL && space != PTX_SHARED) return "not in this space";
  if (sem == SEM_WEAK || sem == SEM_SC || sem == SEM_VOLATILE ||
      (in->row->op == IR_RED && (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL)))
    return "this order is not supported";
  return NULL;
}

static bool atom_right(struct lower *l, const struct insn *in, enum ir_atom op, enum sem sem) {
  bool red = in->row->op == IR_RED, half = in->type == PTX_F16X2;
  unsigned operands = (red ? 2u : 3u) + (op == IR_A_CAS ? 1u : 0u);
  const char *wrong = NULL;
  if (!(types_of(op) >> in->type & 1) || half != given(in, K_NOFTZ))
    wrong = "this operation is not supported for this type";
  else if (red && (op == IR_A_CAS || op == IR_A_EXCH))
    wrong = "there is no such reduction";
  else if (in->operands != operands)
    wrong = "the number of operands is wrong";
  else
    wrong = wrong_order(in, sem);
  if (wrong) lower_refuse(l, in, "%s", wrong);
  return wrong == NULL;
}

void lower_atom(struct lower *l, const struct insn *in) {
  enum ir_atom op = (enum ir_atom)in->w.value[K_ATOM];
  enum sem sem = given(in, K_SEM) ? (enum sem)in->w.value[K_SEM] : SEM_RELAXED;
  enum ir_strength scope = given(in, K_SCOPE) ? (enum ir_strength)in->w.value[K_SCOPE] : IR_GPU;
  enum ptx_space space = given(in, K_SPACE) ? (enum ptx_space)in->w.value[K_SPACE] : PTX_GENERIC;
  unsigned first = in->row->op == IR_RED ? 0 : 1;
  struct address a;
  if (!atom_right(l, in, op, sem) || !lower_address(l, in, &in->o[first], space, &a)) return;
  bool keep = first && in->o[0].kind != PTX_OP_SINK, exchange = op == IR_A_CAS || op == IR_A_EXCH;
  struct ir_operand src[3] = {a.base};
  unsigned n = 1;
  for (unsigned k = first + 1; k < in->operands; k++) src[n++] = lower_read(l, &in->o[k], in->type);
  if (sem == SEM_RELEASE || sem == SEM_ACQ_REL) lower_fence(l, scope);
  struct ir_insn *i = lower_emit(l, keep || exchange ? IR_ATOM : IR_RED, in->type);
  if (keep || exchange) lower_dst(i, lower_write(l, &in->o[0], in->type));
  for (unsigned k = 0; k < n; k++) lower_src(i, src[k]);
  i->memory.offset = a.offset;
  i->memory.space = (uint8_t)space;
  i->memory.strength = (uint8_t)scope;
  i->memory.atom = (uint8_t)op;
  if (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL) lower_acquired(l, scope);
}

/* ---- by compare-and-swap */

struct word { /* around what is changed */
  struct address at;
  struct ir_operand shift; /* of the half in it */
};

static struct word word_around(struct lower *l, struct address a, bool half) {
  struct word w = {.at = a, .shift = ir_bits(0)};
  const bool wide = a.space == PTX_GLOBAL || a.space == PTX_GENERIC;
  const enum ptx_type t = wide ? PTX_U64 : PTX_U32;
  const uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
  struct ir_operand byte = lower_two(l, IR_ADD, t, a.base, ir_bits((uint64_t)a.offset & mask));
  w.at.offset = 0;
  w.at.base = lower_two(l, IR_AND, wide ? PTX_B64 : PTX_B32, byte, ir_bits(mask & ~UINT64_C(3)));
  if (!half) return w;
  if (wide) byte = lower_cvt(l, PTX_U32, PTX_U64, byte);
  w.shift = lower_two(l, IR_SHL, PTX_B32, lower_two(l, IR_AND, PTX_B32, byte, ir_bits(2)), ir_bits(3));
  return w;
}

/* The half or word that takes the place of `old`. */
static struct ir_operand changed(struct lower *l, const struct insn *in, struct ir_operand old,
                                 const struct ir_operand *src) {
  if (given(in, K_BF16)) {
    struct ir_operand low = lower_bf16_sum(l, old, src[0], 0);
    if (in->w.value[K_BF16] != BF16_PAIR) return low;
    return lower_two(l, IR_PACK, PTX_B32, low, lower_bf16_sum(l, old, src[0], 1));
  }
  if (in->type == PTX_F16) return lower_two(l, IR_ADD, PTX_F16, old, src[0]);
  struct ir_operand differ = lower_two(l, IR_XOR, PTX_B32, old, src[0]); /* a 16-bit comparison and exchange */
  struct ir_insn *same = lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 2,
                                    (struct ir_operand[]){lower_extend(l, differ, PTX_U16, 4), ir_bits(0)});
  same->comparison.cmp = IR_EQ;
  return lower_three(l, IR_SELP, PTX_B32, src[1], old, lower_result(same));
}

static struct ir_insn *swap(struct lower *l, struct address a, struct ir_operand old, struct ir_operand fresh) {
  struct ir_insn *i = lower_temp(l, IR_ATOM, PTX_B32, IR_32, 3, (struct ir_operand[]){a.base, old, fresh});
  i->memory.space = (uint8_t)a.space;
  i->memory.strength = (uint8_t)a.strength;
  i->memory.atom = IR_A_CAS;
  return i;
}

/* Returns what was there before. */
static struct ir_operand loop(struct lower *l, const struct insn *in, const struct word *w, bool half,
                              const struct ir_operand *src) {
  struct ir_block *again = ir_block_new(l->f), *done = ir_block_new(l->f);
  struct ir_value *seen = ir_value_new(l->f, IR_32);
  lower_copy(l, seen, lower_load(l, w->at, PTX_B32));
  lower_goto(l, again);
  lower_start(l, again);
  struct ir_operand old = lower_one(l, IR_COPY, PTX_B32, ir_use(seen)), part = old, fresh;
  if (half) part = lower_two(l, IR_SHR, PTX_U32, old, w->shift);
  fresh = changed(l, in, part, src);
  if (half)
    fresh = lower_result(
        lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, (struct ir_operand[]){fresh, old, w->shift, ir_bits(16)}));
  struct ir_insn *is = swap(l, w->at, old, fresh);
  struct ir_insn *other = lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 2, (struct ir_operand[]){lower_result(is), old});
  other->comparison.cmp = IR_NE;
  lower_copy(l, seen, ir_use(is->dst[0]));
  l->guard = other->dst[0];
  l->guard_invert = false;
  lower_branch_if(l, again, done);
  lower_start(l, done);
  return part;
}

void lower_atom_loop(struct lower *l, const struct insn *in) {
  const enum ir_atom op = (enum ir_atom)in->w.value[K_ATOM];
  const enum sem sem = given(in, K_SEM) ? (enum sem)in->w.value[K_SEM] : SEM_RELAXED;
  const bool cas = in->type == PTX_B16, half = in->w.value[K_BF16] != BF16_PAIR;
  const unsigned first = in->row->op == IR_RED ? 0 : 1;
  const enum ptx_type t = half ? PTX_B16 : PTX_B32;
  const char *wrong = wrong_order(in, sem);
  struct address a;
  if (op != (cas ? IR_A_CAS : IR_A_ADD) || in->w.value[K_BF16] == BF16_TF32)
    wrong = "this operation is not supported for this type";
  else if (in->operands != first + (cas ? 3u : 2u))
    wrong = "the number of operands is wrong";
  if (wrong) lower_refuse(l, in, "%s", wrong);
  if (wrong ||
      !lower_address(l, in, &in->o[first], given(in, K_SPACE) ? (enum ptx_space)in->w.value[K_SPACE] : PTX_GENERIC, &a))
    return;
  struct ir_operand src[2];
  a.strength = given(in, K_SCOPE) ? (enum ir_strength)in->w.value[K_SCOPE] : IR_GPU;
  struct ir_block *after = lower_split(l);
  for (unsigned k = 0; k < (cas ? 2u : 1u); k++) src[k] = lower_read(l, &in->o[first + 1 + k], t);
  if (sem == SEM_RELEASE || sem == SEM_ACQ_REL) lower_fence(l, a.strength);
  const struct word w = word_around(l, a, half);
  struct ir_operand old = loop(l, in, &w, half, src);
  if (first && in->o[0].kind != PTX_OP_SINK) lower_copy(l, lower_write(l, &in->o[0], t), old);
  if (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL) lower_acquired(l, a.strength);
  lower_rejoin(l, after);
}

void lower_membar(struct lower *l, const struct insn *in) {
  enum sem sem = given(in, K_SEM) ? (enum sem)in->w.value[K_SEM] : SEM_ACQ_REL;
  if (sem != SEM_ACQ_REL && sem != SEM_SC)
    lower_refuse(l, in, "this order is not supported");
  else
    lower_acquired(l, (enum ir_strength)in->w.value[K_SCOPE]);
}

/* fence.mbarrier_init.release.cluster */
void lower_init_fence(struct lower *l, const struct insn *in) {
  if (in->w.value[K_PROXY] != 1 || in->w.value[K_SEM] != SEM_RELEASE)
    lower_refuse(l, in, "this order is not supported");
  else
    lower_fence(l, IR_CTA);
}
