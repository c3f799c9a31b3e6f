/* SPDX-License-Identifier: Apache-2.0
 * Control codes for what was written without them, and a check of what was written with them.
 *
 * One walk over the code in order, a basic block at a time. Time runs in stall counts: T of an instruction is the
 * sum of the stalls before it in its block, a lower bound of what hardware takes. A result of a fixed-latency unit may
 * be used from `ready` on; one of a variable unit after its counter has been waited for. A block ends
 * at every instruction that may go elsewhere and before every label; at its end everything is made ready,
 * so no knowledge crosses blocks. Operands are read before a warp's next instruction issues (isa/doc/01), hence there
 * are no write-after-read hazards. */
#include <string.h>

#include "internal.h"

#define REGS 256u
#define PREDS 8u
#define COUNTERS 6u

struct tracker {
  struct assembler *a;
  int now;              /* T of the current instruction */
  int reg_ready[REGS];
  int pred_ready[PREDS];
  uint8_t reg_counter[REGS]; /* 1 + counter that guards the register; 0 = none */
  unsigned used;        /* mask of counters in use */
  unsigned next;        /* counter to hand out next */
  struct item *previous; /* of the same block, or NULL */
};

static int stall_of(const struct tracker *t, enum heddle_stall which) {
  return t->a->options->stall[which] > 0 ? t->a->options->stall[which] : 15;
}

static int later(int x, int y) { return x > y ? x : y; }

static void reset(struct tracker *t) {
  t->now = 0;
  memset(t->reg_ready, 0, sizeof t->reg_ready);
  memset(t->pred_ready, 0, sizeof t->pred_ready);
  memset(t->reg_counter, 0, sizeof t->reg_counter);
  t->used = 0;
}

/* Registers [first, first + words) are about to be read or overwritten. */
static void touch_regs(struct tracker *t, unsigned first, unsigned words, int *need, unsigned *wait) {
  if (first == ISA_RZ) return;
  for (unsigned r = first; r < first + words && r < REGS; r++) {
    *need = later(*need, t->reg_ready[r]);
    if (t->reg_counter[r]) *wait |= 1u << (t->reg_counter[r] - 1);
  }
}

static void touch_pred(struct tracker *t, unsigned p, int *need) {
  if (p < ISA_PT) *need = later(*need, t->pred_ready[p]);
}

static void needs(struct tracker *t, const struct isa_dec *d, int *need, unsigned *wait) {
  for (unsigned o = 0; o < 3; o++)
    if (d->src[o].kind == ISA_REG) touch_regs(t, d->src[o].reg, d->src[o].words, need, wait);
  if (d->has_rd) touch_regs(t, d->rd, d->rd_words, need, wait);
  touch_pred(t, d->guard.index, need);
  for (unsigned i = 0; i < 3; i++) touch_pred(t, d->ps[i].index, need);
  touch_pred(t, d->pd0, need);
  touch_pred(t, d->pd1, need);
}

/* Everything that is still on its way. */
static void needs_all(const struct tracker *t, int *need, unsigned *wait) {
  for (unsigned r = 0; r < REGS; r++) *need = later(*need, t->reg_ready[r]);
  for (unsigned p = 0; p < PREDS; p++) *need = later(*need, t->pred_ready[p]);
  *wait |= t->used;
}

/* Make sure that `item` (T = now) does not issue before `need`: lengthen the stall in front of it. */
static void delay(struct tracker *t, const struct item *item, int need) {
  int missing = need - t->now;
  if (missing <= 0) return;
  struct item *p = t->previous;
  if (!p) return;
  int stall = (int)isa_get(p->word, ISA_F_STALL) + missing;
  if (p->explicit || p->raw || stall > 15) {
    asm_warn_item(t->a, item, "a result that this instruction uses may not be written yet: %d more cycles needed",
                  missing);
    return;
  }
  p->word = isa_put(p->word, ISA_F_STALL, (uint64_t)stall);
  t->now = need;
}

static void wait_for(struct tracker *t, struct item *item, unsigned wait) {
  unsigned have = (unsigned)isa_get(item->word, ISA_F_WAIT);
  if (item->explicit && (wait & ~have))
    asm_warn_item(t->a, item, "this instruction must wait for counter mask 0x%x and waits for 0x%x", wait, have);
  if (!item->explicit) item->word = isa_put(item->word, ISA_F_WAIT, have | wait);
  unsigned done = have | wait;
  for (unsigned r = 0; r < REGS; r++)
    if (t->reg_counter[r] && (done >> (t->reg_counter[r] - 1) & 1)) t->reg_counter[r] = 0;
  t->used &= ~done;
}

static unsigned take_counter(struct tracker *t) {
  for (unsigned i = 0; i < COUNTERS; i++) {
    unsigned c = (t->next + i) % COUNTERS;
    if (!(t->used >> c & 1)) {
      t->next = c + 1;
      return c;
    }
  }
  return t->next++ % COUNTERS; /* all in use: two results share one */
}

static void record_results(struct tracker *t, struct item *item, const struct isa_dec *d) {
  bool has_result = d->has_rd && d->rd != ISA_RZ;
  if (isa_unit_is_variable((enum isa_unit)d->unit)) {
    unsigned c = item->explicit ? d->ctl.wbar : 7;
    if (!item->explicit && has_result) {
      c = take_counter(t);
      item->word = isa_put(item->word, ISA_F_WBAR, c);
    }
    if (!has_result) return;
    if (c == 7) {
      asm_warn_item(t->a, item, "no write counter: nothing can wait for this result");
      return;
    }
    t->used |= 1u << c;
    for (unsigned r = d->rd; r < (unsigned)d->rd + d->rd_words; r++) t->reg_counter[r] = (uint8_t)(c + 1);
    return;
  }
  int ready = t->now + stall_of(t, d->unit == ISA_UNIT_FMA   ? HEDDLE_STALL_FMA_REG
                                   : d->unit == ISA_UNIT_CVT ? HEDDLE_STALL_CVT_REG
                                                             : HEDDLE_STALL_ALU_REG);
  if (has_result)
    for (unsigned r = d->rd; r < (unsigned)d->rd + d->rd_words && r < REGS; r++) t->reg_ready[r] = ready;
  if (d->pd0 < ISA_PT) t->pred_ready[d->pd0] = t->now + stall_of(t, HEDDLE_STALL_ALU_PRED);
  if (d->pd1 < ISA_PT) t->pred_ready[d->pd1] = t->now + stall_of(t, HEDDLE_STALL_ALU_PRED);
}

/* May the warp go on anywhere else than at the next word, or with other lanes? */
static bool ends_block(const struct isa_dec *d) {
  return d->unit == ISA_UNIT_BR && d->op != ISA_OP_NOP && d->op != ISA_OP_MEMBAR && d->op != ISA_OP_BAR_SYNC &&
         d->op != ISA_OP_BSSY;
}

static bool always_exits(const struct isa_dec *d) {
  return d->op == ISA_OP_EXIT && d->guard.index == ISA_PT && !d->guard.neg;
}

static void end_block(struct tracker *t, struct item *item) {
  int need = 0;
  unsigned wait = 0;
  needs_all(t, &need, &wait);
  wait_for(t, item, wait);
  int stall = need - t->now;
  if (stall > (int)isa_get(item->word, ISA_F_STALL)) {
    if (stall > 15) delay(t, item, need - 15);
    if (stall > 15) stall = 15;
    if (item->explicit)
      asm_warn_item(t->a, item, "results may not be written where this leads: a stall of %d is needed", stall);
    else
      item->word = isa_put(item->word, ISA_F_STALL, (uint64_t)stall);
  }
}

static void schedule_item(struct tracker *t, struct item *item) {
  struct isa_dec d;
  int need = 0;
  unsigned wait = 0;
  if (item->label && t->previous) needs_all(t, &need, &wait); /* fall into a label: a block ends here too */
  if (item->raw || !isa_decode(item->word, &d)) {
    reset(t);
    t->previous = NULL;
    return;
  }
  needs(t, &d, &need, &wait);
  delay(t, item, need);
  if (wait) wait_for(t, item, wait);
  record_results(t, item, &d);
  t->previous = item;
  if (ends_block(&d)) {
    if (!always_exits(&d)) end_block(t, item);
    reset(t);
    t->previous = NULL;
    return;
  }
  int stall = (int)isa_get(item->word, ISA_F_STALL);
  t->now += stall > 0 ? stall : 1;
}

void asm_schedule(struct assembler *a) {
  struct tracker t = {.a = a};
  reset(&t);
  for (size_t i = 0; i < a->items; i++) schedule_item(&t, &a->item[i]);
}
