/* SPDX-License-Identifier: Apache-2.0
 * Results on their way. Operands are read before a warp's next instruction issues (isa/doc/01), hence there are no
 * write-after-read hazards, and no read counters. */
#include "pending.h"

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

struct pending_needs pending_all(const struct pending *p) {
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
