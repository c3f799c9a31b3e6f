/* SPDX-License-Identifier: Apache-2.0
 * What one instruction asks of the state, and what it adds to it. */
#include "isa/lint/internal.h"

struct visit {
  struct lint *l;
  uint32_t at;
  enum heddle_lint_kind kind;
  /* results */
  unsigned slot;
  struct pending result;
};

static void touch(void *ctx, unsigned place) {
  const struct visit *v = ctx;
  for (unsigned slot = 0; slot < SLOTS; slot++)
    if (state_live(v->l->s, slot, place)) found_touch(v->l, v->kind, v->at, slot, place);
}

static void note_result(void *ctx, unsigned place) {
  struct visit *v = ctx;
  state_drop(v->l->s, place);
  state_add(v->l->s, v->slot, place, v->result);
}

static void check_places(struct lint *l, uint32_t at, const struct heddle_isa_dec *d) {
  struct visit v = {.l = l, .at = at, .kind = HEDDLE_LINT_READ};
  heddle_hazard_each_source(d, touch, &v);
  v.kind = HEDDLE_LINT_WRITE;
  heddle_hazard_each_reg_result(d, touch, &v);
  heddle_hazard_each_pred_result(d, touch, &v);
}

/* An instruction without results raises a counter too. A full one makes the warp wait, which is no hazard. Groups of
 * copies come in order, and stand for no result. */
static void raise(struct lint *l, const struct heddle_isa_dec *d) {
  struct state *s = l->s;
  const unsigned c = d->ctl.wbar;
  if (c >= HEDDLE_HAZARD_COUNTERS || d->unit >= ISA_UNIT_COUNT || d->op == ISA_OP_LDGDEPBAR) return;
  if (d->op == ISA_OP_LDGSTS_E) {
    s->units[c] |= (uint16_t)(1u << COPIES);
    return;
  }
  s->numbers[c][d->unit]++;
  s->units[c] |= (uint16_t)(1u << d->unit);
}

static void record_insn(struct lint *l, uint32_t at, const struct heddle_isa_dec *d) {
  const bool variable = heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit);
  const unsigned c = d->ctl.wbar;
  struct visit v = {.l = l, .at = at, .slot = c < HEDDLE_HAZARD_COUNTERS ? 1 + c : 0};
  v.result = (struct pending){.producer = at, .unit = d->unit};
  if (v.slot > 0) v.result.number = l->s->numbers[c][d->unit];
  v.result.ready = variable ? NEVER : l->s->now + heddle_hazard_latency(l->stall, d, false);
  heddle_hazard_each_reg_result(d, note_result, &v);
  v.result.ready = variable ? NEVER : l->s->now + heddle_hazard_latency(l->stall, d, true);
  heddle_hazard_each_pred_result(d, note_result, &v);
  raise(l, d);
}

static bool is_guarded(const struct heddle_isa_dec *d) {
  return d->guard.index != ISA_PT || d->guard.neg;
}

static void depbar(struct lint *l, uint32_t at, const struct heddle_isa_dec *d) {
  const unsigned c = (unsigned)heddle_isa_get(d->word, ISA_F_SBN), k = (unsigned)heddle_isa_get(d->word, ISA_F_SBK);
  if (c >= HEDDLE_HAZARD_COUNTERS) return;
  for (unsigned u = 0; k > 0 && u < ISA_UNIT_COUNT; u++)
    if ((l->s->units[c] >> u & 1) && heddle_isa_unit_is_variable((enum heddle_isa_unit)u) && !state_in_order(u))
      found_depbar(l, at, c, u);
  if (k > 0 && (l->s->units[c] >> COPIES & 1)) found_depbar(l, at, c, ISA_UNIT_MEM);
  state_fallen(l->s, c, k);
}

void step(struct lint *l, uint32_t at) {
  const struct heddle_isa_dec *d = &l->insn[at].d;
  l->work++;
  if (!l->insn[at].legal) return;
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
    if (d->ctl.wait >> c & 1) state_zero(l->s, c);
  /* What drains awaits the warp's accesses, loads written back (isa/doc/04). */
  if (heddle_isa_instr_info((enum heddle_isa_op)d->op)->drains && !is_guarded(d)) state_drop_unit(l->s, ISA_UNIT_MEM);
  if (d->op == ISA_OP_DEPBAR_LE && !is_guarded(d)) depbar(l, at, d);
  check_places(l, at, d);
  record_insn(l, at, d);
  l->s->now += d->ctl.stall > 1 ? d->ctl.stall : 1;
}
