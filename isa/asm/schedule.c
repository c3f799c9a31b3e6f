/* SPDX-License-Identifier: Apache-2.0
 *
 * Control codes for what somebody wrote without them, and a check of what was written with them; hazards, and results
 * on their way.
 */
#include "schedule.h"

#include <string.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <heddle/program.h>
#include "base/minmax.h"
#include "isa/asm/internal.h"

/* Reads, writes and latencies of instructions, as control codes see them. */

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

/* Results on their way. Operands are read before a warp's next instruction issues (isa/doc/01), hence there are no
 * write-after-read hazards, and no read counters. */

struct look {
  const struct pending *p;
  struct pending_needs needs;
};

static void touch(void *ctx, unsigned place) {
  struct look *l = ctx;
  if (l->p->ready[place] > l->needs.ready) l->needs.ready = l->p->ready[place];
  l->needs.wait |= l->p->counter[place];
}

struct pending_needs pending_before(const struct pending *p, const struct heddle_isa_dec *d) {
  struct look l = {.p = p};
  heddle_hazard_each_source(d, touch, &l);
  heddle_hazard_each_reg_result(d, touch, &l);
  heddle_hazard_each_pred_result(d, touch, &l);
  return l.needs;
}

/* Before nothing is on its way any more. */
static struct pending_needs pending_all(const struct pending *p) {
  struct look l = {.p = p};
  for (unsigned place = 0; place < HEDDLE_HAZARD_PLACES; place++) touch(&l, place);
  return l.needs;
}

struct result {
  struct pending *p;
  int ready;
  uint8_t counter;
};

static void note_ready(void *ctx, unsigned place) {
  const struct result *r = ctx;
  r->p->ready[place] = r->ready;
  r->p->early[place] = r->counter;
}

static void note_counter(void *ctx, unsigned place) {
  const struct result *r = ctx;
  r->p->counter[place] = r->counter;
}

void pending_fixed(struct pending *p, const struct heddle_isa_dec *d, int now, const uint8_t stall[8],
                   unsigned counter) {
  struct result r = {.p = p, .counter = (uint8_t)(counter < HEDDLE_HAZARD_COUNTERS ? 1u << counter : 0)};
  r.ready = now + heddle_hazard_latency(stall, d, false);
  heddle_hazard_each_reg_result(d, note_ready, &r);
  r.ready = now + heddle_hazard_latency(stall, d, true);
  heddle_hazard_each_pred_result(d, note_ready, &r);
}

void pending_variable(struct pending *p, const struct heddle_isa_dec *d, unsigned counter) {
  struct result r = {.p = p, .counter = (uint8_t)(1u << counter)};
  heddle_hazard_each_reg_result(d, note_counter, &r);
  heddle_hazard_each_pred_result(d, note_counter, &r);
}

void pending_done(struct pending *p, unsigned counters) {
  for (unsigned place = 0; place < HEDDLE_HAZARD_PLACES; place++) {
    p->counter[place] &= (uint8_t)~counters;
    if (p->early[place] & counters) p->ready[place] = 0;
  }
}

/* Control codes. This and control.c make codes from the same knowledge of what is on its way (schedule.h), for
 * different texts. Here codes that the author gave are kept and judged: they may be as long, or as short, as a test of
 * the hazards needs. And any label may be entered from where nobody sees, so no knowledge crosses blocks: a block ends
 * at every instruction that may go elsewhere and before every label, and at its end everything is made ready. control.c
 * has compiled code before it, without codes and without hidden ways in, and follows its branches.
 *
 * One walk over the code in order. Time runs in stall counts: T of an instruction is the sum of the stalls before it in
 * its block, a lower bound of what hardware takes. */

struct tracker {
  struct assembler *a;
  int now; /* T of the current instruction */
  struct pending pending;
  unsigned used;         /* mask of counters in use */
  unsigned next;         /* counter to hand out next */
  unsigned counters;     /* those below it are handed out */
  struct item *previous; /* of the same block, or NULL */
};

static const struct heddle_isa_encoding *encoding(const struct item *i) {
  return heddle_isa_encoding_info((enum heddle_isa_enc)i->enc);
}

static int get_stall(const struct item *i) {
  return (int)heddle_isa_get(i->word, (enum heddle_isa_field)encoding(i)->stall);
}

static void put_stall(struct item *i, int stall) {
  i->word = heddle_isa_put(i->word, (enum heddle_isa_field)encoding(i)->stall, (uint64_t)stall);
}

static void reset(struct tracker *t) {
  t->now = 0;
  memset(&t->pending, 0, sizeof t->pending);
  t->used = 0;
}

/* Until everything is there that is still on its way. */
static struct pending_needs everything(const struct tracker *t) {
  struct pending_needs n = pending_all(&t->pending);
  n.wait |= t->used;
  return n;
}

/* Make sure that `item` (T = now) does not issue before `need`: lengthen the stall in front of it. */
static void delay(struct tracker *t, const struct item *item, int need) {
  int missing = need - t->now;
  if (missing <= 0) return;
  struct item *p = t->previous;
  if (!p) return;
  int stall = get_stall(p) + missing;
  if (p->explicit || p->raw || stall > PENDING_STALL_MAX) {
    asm_warn_item(t->a, item, "a result that this instruction uses may not be written yet: %d more cycles needed",
                  missing);
    return;
  }
  put_stall(p, stall);
  t->now = need;
}

static void waited(struct tracker *t, unsigned counters) {
  pending_done(&t->pending, counters);
  t->used &= ~counters;
}

static void require_wait(struct tracker *t, struct item *item, unsigned wait) {
  enum heddle_isa_field f = (enum heddle_isa_field)encoding(item)->wait;
  unsigned have = (unsigned)heddle_isa_get(item->word, f), done = have | wait;
  if (item->explicit && (wait & ~have))
    asm_warn_item(t->a, item, "this instruction must wait for counter mask 0x%x and waits for 0x%x", wait, have);
  if (!item->explicit) item->word = heddle_isa_put(item->word, f, done);
  waited(t, done);
}

static unsigned take_counter(struct tracker *t) {
  for (unsigned i = 0; i < t->counters; i++) {
    unsigned c = (t->next + i) % t->counters;
    if (!(t->used >> c & 1)) {
      t->next = c + 1;
      return c;
    }
  }
  return t->next++ % t->counters; /* all in use: two results share one */
}

/* A group of copies has a counter that nobody else is given. */
static void close_group(struct tracker *t, struct item *item, const struct heddle_isa_dec *d) {
  if (!item->explicit)
    item->word = heddle_isa_put(item->word, (enum heddle_isa_field)encoding(item)->wbar, HEDDLE_HAZARD_GROUPS);
  else if (d->ctl.wbar >= HEDDLE_HAZARD_COUNTERS)
    asm_warn_item(t->a, item, "no write counter: nothing can wait for this group of copies");
}

static void record_variable(struct tracker *t, struct item *item, const struct heddle_isa_dec *d) {
  unsigned c = d->ctl.wbar;
  if (d->op == ISA_OP_LDGDEPBAR) close_group(t, item, d);
  if (!heddle_hazard_has_result(d)) return;
  if (!item->explicit) {
    c = take_counter(t);
    item->word = heddle_isa_put(item->word, (enum heddle_isa_field)encoding(item)->wbar, c);
  }
  if (c >= HEDDLE_HAZARD_COUNTERS) {
    asm_warn_item(t->a, item, "no write counter: nothing can wait for this result");
    return;
  }
  t->used |= 1u << c;
  pending_variable(&t->pending, d, c);
}

static void record_results(struct tracker *t, struct item *item, const struct heddle_isa_dec *d) {
  if (heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit))
    record_variable(t, item, d);
  else
    pending_fixed(&t->pending, d, t->now, t->a->stall, item->explicit ? d->ctl.wbar : HEDDLE_HAZARD_COUNTERS);
}

static void await_block_end(struct tracker *t, struct item *item) {
  const struct pending_needs n = everything(t);
  require_wait(t, item, n.wait);
  int stall = n.ready - t->now;
  if (stall <= get_stall(item)) return;
  if (stall > PENDING_STALL_MAX) delay(t, item, n.ready - PENDING_STALL_MAX);
  if (stall > PENDING_STALL_MAX) stall = PENDING_STALL_MAX;
  if (item->explicit)
    asm_warn_item(t->a, item, "results may not be written where this leads: a stall of %d is needed", stall);
  else
    put_stall(item, stall);
}

static void schedule_item(struct tracker *t, struct item *item) {
  struct heddle_isa_dec d;
  struct pending_needs n = {0};
  const bool falls_in = item->label && t->previous; /* a block ends here too */
  if (item->raw || !heddle_isa_decode(item->word, &d)) {
    reset(t);
    t->previous = NULL;
    return;
  }
  if (item->explicit) waited(t, d.ctl.wait);
  n = falls_in ? everything(t) : pending_before(&t->pending, &d);
  delay(t, item, n.ready);
  if (n.wait) require_wait(t, item, n.wait);
  record_results(t, item, &d);
  t->previous = item;
  const enum heddle_isa_flow flow = heddle_isa_flow_of(&d);
  const bool leaves = (flow == ISA_FLOW_EXIT || flow == ISA_FLOW_TRAP) && !heddle_isa_flow_passes(&d);
  if (flow != ISA_FLOW_NEXT) {
    if (!leaves) await_block_end(t, item);
    reset(t);
    t->previous = NULL;
    return;
  }
  int stall = get_stall(item);
  t->now += stall > 0 ? stall : 1;
}

/* Is there a group whose counter is to be chosen? */
static bool chooses_groups(const struct item *i) {
  struct heddle_isa_dec d;
  return !i->raw && !i->explicit && heddle_isa_decode(i->word, &d) && d.op == ISA_OP_LDGDEPBAR;
}

void asm_schedule(struct assembler *a) {
  struct tracker t = {.a = a, .counters = HEDDLE_HAZARD_COUNTERS};
  for (size_t i = 0; i < a->items; i++)
    if (chooses_groups(&a->item[i])) t.counters = HEDDLE_HAZARD_GROUPS;
  reset(&t);
  for (size_t i = 0; i < a->items; i++) schedule_item(&t, &a->item[i]);
}
