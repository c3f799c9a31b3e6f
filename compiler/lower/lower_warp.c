/* SPDX-License-Identifier: Apache-2.0
 *
 * What lanes of a warp and warps of a block say to each other. Instructions without .sync mean whoever is there.
 */
#include <heddle/isa_tables.h>
#include "compiler/lower/lower.h"

enum { WARP = 32, THREADS_MOST = 1024 };

/* d|p: the predicate, or NULL; *d the first half, or the operand itself. */
static const struct ptx_operand *second_of(const struct ptx_operand *o, const struct ptx_operand **d) {
  *d = o;
  if (o->kind != PTX_OP_PAIR) return NULL;
  *d = &o->element[0];
  return o->element[1].kind == PTX_OP_SINK ? NULL : &o->element[1];
}

static bool operands_right(struct lower *l, const struct insn *in, unsigned n) {
  if (in->operands == n + (given(in, K_SYNC) ? 1 : 0)) return true;
  lower_refuse(l, in, "%u operands are wanted", n + (given(in, K_SYNC) ? 1 : 0));
  return false;
}

static struct ir_operand members(struct lower *l, const struct insn *in) {
  return given(in, K_SYNC) ? lower_read(l, &in->o[in->operands - 1], PTX_U32) : ir_bits(UINT32_MAX);
}

void lower_shfl(struct lower *l, const struct insn *in) {
  const struct ptx_operand *d, *p = second_of(&in->o[0], &d);
  struct ir_operand src[4];
  if (!operands_right(l, in, 4)) return;
  for (unsigned k = 0; k < 3; k++) src[k] = lower_read(l, &in->o[k + 1], PTX_B32);
  src[3] = members(l, in);
  struct ir_value *dst = lower_write(l, d, PTX_B32), *flag = p ? lower_write(l, p, PTX_PRED) : NULL;
  struct ir_insn *i = lower_into(l, dst, IR_SHFL, PTX_B32, 4, src);
  if (flag) lower_dst(i, flag);
  i->lanes.mode = in->w.value[K_SHFL];
}

void lower_vote(struct lower *l, const struct insn *in) {
  bool ballot = in->w.value[K_VOTE] == IR_VOTE_BALLOT;
  if (!operands_right(l, in, 2)) return;
  if (ballot != (in->type == PTX_B32)) {
    lower_refuse(l, in, "this type is not supported here");
    return;
  }
  struct ir_operand src[2] = {lower_read(l, &in->o[1], PTX_PRED), members(l, in)};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_VOTE, in->type, 2, src)->lanes.mode = in->w.value[K_VOTE];
}

void lower_match(struct lower *l, const struct insn *in) {
  const struct ptx_operand *d, *p = second_of(&in->o[0], &d);
  bool all = in->w.value[K_MATCH] != 0;
  if (in->o[0].kind == PTX_OP_PAIR && !all) {
    lower_refuse(l, in, "match.any gives no predicate");
    return;
  }
  struct ir_operand src[2] = {lower_read(l, &in->o[1], in->type), members(l, in)};
  struct ir_value *dst = lower_write(l, d, PTX_B32), *flag = p ? lower_write(l, p, PTX_PRED) : NULL;
  struct ir_insn *i = lower_into(l, dst, IR_MATCH, in->type, 2, src);
  if (flag) lower_dst(i, flag);
  i->lanes.all = all;
}

void lower_redux(struct lower *l, const struct insn *in) {
  bool bits = in->w.value[K_REDUX] >= IR_REDUX_AND;
  if (bits != (in->type == PTX_B32)) {
    lower_refuse(l, in, "this type is not supported here");
    return;
  }
  struct ir_operand src[2] = {lower_read(l, &in->o[1], in->type), members(l, in)};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_REDUX, in->type, 2, src)->lanes.mode = in->w.value[K_REDUX];
}

void lower_activemask(struct lower *l, const struct insn *in) {
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_ACTIVEMASK, PTX_B32, 0, NULL);
}

/* ---- barriers ---- */

/* Named barriers of a block. */
static uint32_t barriers(void) {
  return (uint32_t)heddle_isa_field_most(ISA_F_BARID) + 1;
}

static void count_barrier(struct lower *l, struct ir_operand id) {
  uint32_t most = id.kind == IR_CONST ? (uint32_t)id.bits + 1 : barriers();
  if (most > l->f->barriers) l->f->barriers = most;
}

static bool barrier_right(struct lower *l, const struct insn *in, struct ir_operand id, struct ir_operand count,
                          bool counted) {
  bool right = id.kind != IR_CONST || id.bits < barriers();
  if (!right) lower_refuse(l, in, "there are %u barriers", barriers());
  if (right && counted && count.kind == IR_CONST &&
      (count.bits == 0 || count.bits % WARP || count.bits > THREADS_MOST)) {
    lower_refuse(l, in, "the number of threads must be a multiple of %d, at most %d", WARP, THREADS_MOST);
    return false;
  }
  return right;
}

/* Operands: [result,] id [, count] [, predicate]. False: told. */
static bool read_barrier(struct lower *l, const struct insn *in, bool red, struct ir_operand *src) {
  unsigned first = red ? 1 : 0, last = in->operands - (red ? 1 : 0);
  bool counted = last - first == 2;
  src[0] = lower_read(l, &in->o[first], PTX_U32);
  src[1] = counted ? lower_read(l, &in->o[first + 1], PTX_U32) : ir_bits(0);
  if (!barrier_right(l, in, src[0], src[1], counted)) return false;
  count_barrier(l, src[0]);
  if (red) src[2] = lower_read(l, &in->o[last], PTX_PRED);
  return true;
}

void lower_bar(struct lower *l, const struct insn *in) {
  uint8_t op = in->w.value[K_BAR], red = in->w.value[K_BARRED];
  bool is_red = op == BAR_RED, warp = given(in, K_WARP);
  struct ir_operand src[3];
  bool right = is_red == given(in, K_BARRED) && !(given(in, K_SCOPE) && in->w.value[K_SCOPE] != IR_CTA);
  right = right && !(warp && (op != IR_BAR_SYNC || in->operands != 1)) && !(op == IR_BAR_ARRIVE && in->operands != 2);
  right = right && (!is_red || (red == IR_BAR_RED_POPC) == (in->type == PTX_U32));
  if (!right) {
    lower_refuse(l, in, "this combination is not supported");
    return;
  }
  if (warp) {
    src[0] = lower_read(l, &in->o[0], PTX_U32);
    lower_src(lower_emit(l, IR_WARPSYNC, PTX_B32), src[0]);
    return;
  }
  if (!read_barrier(l, in, is_red, src)) return;
  /* what is in registers becomes one instruction for each value, under predicates of their own */
  bool fixed = src[0].kind == IR_CONST && src[1].kind == IR_CONST;
  struct ir_block *after = fixed ? NULL : lower_split(l);
  struct ir_value *dst = is_red ? lower_write(l, &in->o[0], in->type) : NULL;
  struct ir_insn *i = lower_emit(l, IR_BAR, is_red ? in->type : PTX_NO_TYPE);
  if (dst) lower_dst(i, dst);
  for (unsigned k = 0; k < (is_red ? 3u : 2u); k++) lower_src(i, src[k]);
  i->lanes.mode = is_red ? red : op;
  lower_rejoin(l, after);
}
