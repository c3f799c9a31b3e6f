/* SPDX-License-Identifier: Apache-2.0
 * Control codes for what was written without them, and a check of what was written with them.
 *
 * One walk over the code in order, a basic block at a time. Time runs in stall counts: T of an instruction is the
 * sum of the stalls before it in its block, a lower bound of what hardware takes. A result of a fixed-latency unit may
 * be used from `ready` on (of the control unit too: it is written when the warp goes on); one of a variable unit,
 * register or predicate, after its counter has been waited for. A block ends
 * at every instruction that may go elsewhere and before every label; at its end everything is made ready,
 * so no knowledge crosses blocks. Operands are read before a warp's next instruction issues (isa/doc/01), hence there
 * are no write-after-read hazards. (Compiled code has control codes of control.c, which knows where branches go.) */
#include <string.h>

#include "heddle/hazard.h"
#include "internal.h"

#define COUNTERS HAZARD_COUNTERS
#define PLACES HAZARD_PLACES

struct tracker {
  struct assembler *a;
  int now; /* T of the current instruction */
  int ready[PLACES];
  uint8_t counter[PLACES]; /* 1 + counter that guards the place; 0 = none */
  unsigned used;           /* mask of counters in use */
  unsigned next;           /* counter to hand out next */
  struct item *previous;   /* of the same block, or NULL */
};

static const struct isa_encoding *encoding(const struct item *i) {
  return isa_encoding_info((enum isa_enc)i->enc);
}

static int get_stall(const struct item *i) {
  return (int)isa_get(i->word, (enum isa_field)encoding(i)->stall);
}

static void put_stall(struct item *i, int stall) {
  i->word = isa_put(i->word, (enum isa_field)encoding(i)->stall, (uint64_t)stall);
}

static int later(int x, int y) {
  return x > y ? x : y;
}

static void reset(struct tracker *t) {
  t->now = 0;
  memset(t->ready, 0, sizeof t->ready);
  memset(t->counter, 0, sizeof t->counter);
  t->used = 0;
}

/* What an instruction must wait for before it issues. */
struct needs {
  const struct tracker *t;
  int need;
  unsigned wait;
};

static void touch(void *ctx, unsigned place) {
  struct needs *n = ctx;
  n->need = later(n->need, n->t->ready[place]);
  if (n->t->counter[place]) n->wait |= 1u << (n->t->counter[place] - 1);
}

/* Results too: they are written in order. */
static void touch_all_of(const struct isa_dec *d, struct needs *n) {
  hazard_each_source(d, touch, n);
  hazard_each_reg_result(d, touch, n);
  hazard_each_pred_result(d, touch, n);
}

/* Everything that is still on its way. */
static void touch_everything(struct needs *n) {
  for (unsigned p = 0; p < PLACES; p++) n->need = later(n->need, n->t->ready[p]);
  n->wait |= n->t->used;
}

/* Make sure that `item` (T = now) does not issue before `need`: lengthen the stall in front of it. */
static void delay(struct tracker *t, const struct item *item, int need) {
  int missing = need - t->now;
  if (missing <= 0) return;
  struct item *p = t->previous;
  if (!p) return;
  int stall = get_stall(p) + missing;
  if (p->explicit || p->raw || stall > 15) {
    asm_warn_item(t->a, item, "a result that this instruction uses may not be written yet: %d more cycles needed",
                  missing);
    return;
  }
  put_stall(p, stall);
  t->now = need;
}

static void wait_for(struct tracker *t, struct item *item, unsigned wait) {
  enum isa_field f = (enum isa_field)encoding(item)->wait;
  unsigned have = (unsigned)isa_get(item->word, f), done = have | wait;
  if (item->explicit && (wait & ~have))
    asm_warn_item(t->a, item, "this instruction must wait for counter mask 0x%x and waits for 0x%x", wait, have);
  if (!item->explicit) item->word = isa_put(item->word, f, done);
  for (unsigned p = 0; p < PLACES; p++)
    if (t->counter[p] && (done >> (t->counter[p] - 1) & 1)) t->counter[p] = 0;
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

/* Where a result of this instruction becomes known. */
struct results {
  struct tracker *t;
  bool any;
  int ready;       /* fixed latency */
  uint8_t counter; /* variable latency: 1 + counter */
};

static void note_any(void *ctx, unsigned place) {
  struct results *r = ctx;
  (void)place;
  r->any = true;
}

static void note_ready(void *ctx, unsigned place) {
  struct results *r = ctx;
  r->t->ready[place] = r->ready;
}

static void note_counter(void *ctx, unsigned place) {
  struct results *r = ctx;
  r->t->counter[place] = r->counter;
}

static void record_variable(struct tracker *t, struct item *item, const struct isa_dec *d) {
  struct results r = {.t = t};
  unsigned c = d->ctl.wbar;
  hazard_each_reg_result(d, note_any, &r);
  hazard_each_pred_result(d, note_any, &r);
  if (!r.any) return;
  if (!item->explicit) {
    c = take_counter(t);
    item->word = isa_put(item->word, (enum isa_field)encoding(item)->wbar, c);
  }
  if (c >= COUNTERS) {
    asm_warn_item(t->a, item, "no write counter: nothing can wait for this result");
    return;
  }
  t->used |= 1u << c;
  r.counter = (uint8_t)(c + 1);
  hazard_each_reg_result(d, note_counter, &r);
  hazard_each_pred_result(d, note_counter, &r);
}

static void record_results(struct tracker *t, struct item *item, const struct isa_dec *d) {
  if (isa_unit_is_variable((enum isa_unit)d->unit)) {
    record_variable(t, item, d);
    return;
  }
  struct results r = {.t = t, .ready = t->now + hazard_latency(t->a->stall, d, false)};
  hazard_each_reg_result(d, note_ready, &r);
  r.ready = t->now + hazard_latency(t->a->stall, d, true);
  hazard_each_pred_result(d, note_ready, &r);
}

static void end_block(struct tracker *t, struct item *item) {
  struct needs n = {.t = t};
  touch_everything(&n);
  wait_for(t, item, n.wait);
  int stall = n.need - t->now;
  if (stall <= get_stall(item)) return;
  if (stall > 15) delay(t, item, n.need - 15);
  if (stall > 15) stall = 15;
  if (item->explicit)
    asm_warn_item(t->a, item, "results may not be written where this leads: a stall of %d is needed", stall);
  else
    put_stall(item, stall);
}

static void schedule_item(struct tracker *t, struct item *item) {
  struct isa_dec d;
  struct needs n = {.t = t};
  if (item->label && t->previous) touch_everything(&n); /* fall into a label: a block ends here too */
  if (item->raw || !isa_decode(item->word, &d)) {
    reset(t);
    t->previous = NULL;
    return;
  }
  touch_all_of(&d, &n);
  delay(t, item, n.need);
  if (n.wait) wait_for(t, item, n.wait);
  record_results(t, item, &d);
  t->previous = item;
  const enum isa_flow flow = isa_flow_of(&d);
  const bool leaves = (flow == ISA_FLOW_EXIT || flow == ISA_FLOW_TRAP) && !isa_flow_passes(&d);
  if (flow != ISA_FLOW_NEXT) {
    if (!leaves) end_block(t, item);
    reset(t);
    t->previous = NULL;
    return;
  }
  int stall = get_stall(item);
  t->now += stall > 0 ? stall : 1;
}

void asm_schedule(struct assembler *a) {
  struct tracker t = {.a = a};
  reset(&t);
  for (size_t i = 0; i < a->items; i++) schedule_item(&t, &a->item[i]);
}
