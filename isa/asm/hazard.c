/* SPDX-License-Identifier: Apache-2.0
 * Reads, writes and latencies of instructions, as control codes see them. */
#include <heddle/hazard.h>

#include <string.h>

#include <heddle/isa_tables.h>
#include <heddle/program.h>

#include "base/minmax.h"

void heddle_hazard_fill_stalls(const uint8_t given[8], uint8_t stall[8]) {
  static const uint8_t assumed[HEDDLE_STALL_COUNT] = {
      15, 15, 15, 15, [HEDDLE_STALL_HALF_REG] = 6, [HEDDLE_STALL_UNI_REG] = 12};
  static const uint8_t none[8] = {0};
  bool known = memcmp(given, none, sizeof none) != 0;
  memset(stall, 0, 8);
  for (unsigned i = 0; i < HEDDLE_STALL_COUNT; i++) stall[i] = given[i] > 0 ? given[i] : known ? assumed[i] : 15;
}

int heddle_hazard_latency(const uint8_t stall[8], const struct heddle_isa_dec *d, bool pred) {
  enum heddle_stall which;
  switch ((enum heddle_isa_unit)d->unit) {
  case ISA_UNIT_ALU:
  case ISA_UNIT_BR:
    which = HEDDLE_STALL_ALU_REG;
    break;
  case ISA_UNIT_FMA:
    which = HEDDLE_STALL_FMA_REG;
    break;
  case ISA_UNIT_CVT:
    which = HEDDLE_STALL_CVT_REG;
    break;
  case ISA_UNIT_HALF:
    which = HEDDLE_STALL_HALF_REG;
    break;
  case ISA_UNIT_UNI:
    which = HEDDLE_STALL_UNI_REG;
    break;
  default:
    return 15;
  }
  if (!pred) return stall[which];
  bool own = which == HEDDLE_STALL_ALU_REG; /* a predicate of another unit takes at least as long */
  return own ? stall[HEDDLE_STALL_ALU_PRED] : max_s32(stall[HEDDLE_STALL_ALU_PRED], stall[which]);
}

static void each_reg(bool uniform, unsigned first, unsigned words, heddle_hazard_fn fn, void *ctx) {
  if (first == ISA_RZ) return;
  for (unsigned r = first; r < first + words && r < ISA_RZ; r++)
    fn(ctx, (uniform ? HEDDLE_HAZARD_UR : HEDDLE_HAZARD_R) + r);
}

static void each_pred(bool uniform, unsigned p, heddle_hazard_fn fn, void *ctx) {
  if (p < ISA_PT) fn(ctx, (uniform ? HEDDLE_HAZARD_UP : HEDDLE_HAZARD_P) + p);
}

/* P2R and R2P, and their uniform kin, name all predicates at once. */
static void each_of_all_preds(const struct heddle_isa_dec *d, enum heddle_isa_op op, enum heddle_isa_op uniform,
                              heddle_hazard_fn fn, void *ctx) {
  if (d->op != op && d->op != uniform) return;
  for (unsigned p = 0; p < ISA_PT; p++) each_pred(d->uniform, p, fn, ctx);
}

void heddle_hazard_each_source(const struct heddle_isa_dec *d, heddle_hazard_fn fn, void *ctx) {
  for (unsigned o = 0; o < 3; o++) {
    const struct heddle_isa_src *s = &d->src[o];
    if (s->kind == ISA_REG || s->kind == ISA_UREG) each_reg(s->kind == ISA_UREG, s->reg, s->words, fn, ctx);
  }
  each_pred(d->uniform, d->guard.index, fn, ctx);
  for (unsigned i = 0; i < 3; i++) each_pred(d->ps_uniform, d->ps[i].index, fn, ctx);
  each_of_all_preds(d, ISA_OP_P2R, ISA_OP_UP2UR, fn, ctx);
}

void heddle_hazard_each_reg_result(const struct heddle_isa_dec *d, heddle_hazard_fn fn, void *ctx) {
  if (d->has_rd) each_reg(d->rd_uniform, d->rd, d->rd_words, fn, ctx);
}

void heddle_hazard_each_pred_result(const struct heddle_isa_dec *d, heddle_hazard_fn fn, void *ctx) {
  each_pred(d->pd_uniform, d->pd0, fn, ctx);
  each_pred(d->pd_uniform, d->pd1, fn, ctx);
  each_of_all_preds(d, ISA_OP_R2P, ISA_OP_UR2UP, fn, ctx);
}

static void found(void *ctx, unsigned place) {
  (void)place;
  *(bool *)ctx = true;
}

bool heddle_hazard_has_result(const struct heddle_isa_dec *d) {
  bool any = false;
  heddle_hazard_each_reg_result(d, found, &any);
  heddle_hazard_each_pred_result(d, found, &any);
  return any;
}
