/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: codes by hand. Straight code that depends on itself, its control codes made here by the rules of
 * isa/doc/01, not by the assembler: most results are used at the smallest distance that is legal, some of fixed units
 * are awaited by counters, read counters and yields come at random. */
#include "verify/random/streams.h"

#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>

enum { RUN_MOST = 40, NOT_COUNTED = 7 };

/* What is on its way to a place. */
struct pending {
  int ready;       /* cycle at which it may be used; of variable units never by time */
  uint8_t counter; /* that falls when it is there; NOT_COUNTED: none */
  bool live, timed;
};

struct scheduler {
  struct random_program *p;
  struct pending place[HAZARD_PLACES];
  struct isa_dec insn[RUN_MOST];
  unsigned n;
  int now; /* of the instruction at hand, the earliest */
  struct isa_ctl ctl[RUN_MOST];
  /* of the instruction at hand */
  int need;
  uint8_t wait;
  struct pending result;
};

bool hazard_fits(const struct random_program *p) {
  return p->limits.stall[HEDDLE_STALL_ALU_REG] > 0;
}

/* Before a place is read or written again what is on its way there must have come: by its counter or by time. */
static void await(void *ctx, unsigned place) {
  struct scheduler *s = ctx;
  struct pending *q = &s->place[place];
  if (!q->live) return;
  const bool counted = q->counter != NOT_COUNTED && !(s->wait >> q->counter & 1);
  if (!q->timed || (counted && random_chance(s->p, 50))) {
    s->wait = (uint8_t)(s->wait | 1u << q->counter);
  } else if (!(q->counter != NOT_COUNTED && s->wait >> q->counter & 1) && q->ready > s->need) {
    s->need = q->ready;
  }
}

static void note(void *ctx, unsigned place) {
  struct scheduler *s = ctx;
  s->place[place] = s->result;
}

/* Who was waited for is there. */
static void settle(struct scheduler *s) {
  for (unsigned i = 0; i < HAZARD_PLACES; i++) {
    struct pending *q = &s->place[i];
    if (q->live && ((q->counter != NOT_COUNTED && s->wait >> q->counter & 1) || (q->timed && q->ready <= s->now)))
      q->live = false;
  }
}

/* Groups of copies have a counter for themselves, as the assembler has it: some of them may be waited for. */
static void raise(struct scheduler *s, const struct isa_dec *d, struct isa_ctl *c) {
  struct random_program *p = s->p;
  const unsigned counters = random_has_async(p) ? HAZARD_GROUPS : HAZARD_COUNTERS;
  const bool variable = isa_unit_is_variable((enum isa_unit)d->unit), has = hazard_has_result(d);
  if (has && (variable || random_chance(p, 15))) c->wbar = (uint8_t)random_below(p, counters);
  if (!has && random_chance(p, 10)) c->wbar = (uint8_t)random_below(p, counters);
  if (random_chance(p, 15)) c->rbar = (uint8_t)random_below(p, counters);
  if (d->op == ISA_OP_LDGDEPBAR) c->wbar = HAZARD_GROUPS;
  s->result = (struct pending){.counter = c->wbar, .live = true, .timed = !variable};
  s->result.ready = s->now + hazard_latency(p->limits.stall, d, false);
  hazard_each_reg_result(d, note, s);
  s->result.ready = s->now + hazard_latency(p->limits.stall, d, true);
  hazard_each_pred_result(d, note, s);
}

/* Cycles more than are needed. */
static int spare(struct random_program *p) {
  if (random_chance(p, 8)) return (int)random_below(p, 4);
  return random_chance(p, 4) ? (int)random_below(p, 15) : 0;
}

static void schedule(struct scheduler *s) {
  struct random_program *p = s->p;
  for (unsigned i = 0; i < s->n; i++) {
    const struct isa_dec *d = &s->insn[i];
    s->now += i > 0;
    s->need = s->now;
    s->wait = 0;
    hazard_each_source(d, await, s);
    hazard_each_reg_result(d, await, s);
    hazard_each_pred_result(d, await, s);
    const int stall = 1 + s->need - s->now + spare(p);
    if (i > 0) s->ctl[i - 1].stall = (uint8_t)(stall > 15 ? 15 : stall);
    if (i > 0) s->now += s->ctl[i - 1].stall - 1;
    if (i > 0 && stall == 1 && random_chance(p, 10)) s->ctl[i - 1].stall = 0; /* says the same */
    settle(s);
    s->ctl[i] = (struct isa_ctl){
        .stall = 1, .wbar = NOT_COUNTED, .rbar = NOT_COUNTED, .wait = s->wait, .yield = random_chance(p, 15)};
    raise(s, d, &s->ctl[i]);
  }
}

static void print(const struct scheduler *s) {
  for (unsigned i = 0; i < s->n; i++) {
    char code[40], text[200];
    heddle_control_text(&s->ctl[i], code, sizeof code);
    heddle_disassemble(s->insn[i].word, 0, text, sizeof text);
    random_emit(s->p, "%s %s ;\n", code, text);
  }
  random_emit(s->p, "[B012345:R-:W-:-:S15] NOP ;\n");
}

/* Lines that need no labels. */
static void add_lines(struct scheduler *s) {
  char text[320];
  if (random_chance(s->p, 25))
    random_memory(s->p, text, sizeof text);
  else
    random_insn(s->p, text, sizeof text);
  s->n += hazard_take(text, s->insn + s->n, RUN_MOST - s->n);
}

/* Straight code that depends on itself, or writers and readers at distances that were drawn. A label in front of an
 * instruction without a code: what came before is there. */
void stream_hazard(struct random_program *p, const struct node *n) {
  struct scheduler s = {.p = p};
  const bool aims = random_chance(p, 65);
  const unsigned length = aims ? 16 + random_below(p, 10) : 5 + random_below(p, 10);
  p->dense = !aims;
  for (unsigned i = 0; i < length && s.n < length; i++) {
    if (aims)
      s.n += hazard_aim(p, s.insn + s.n, RUN_MOST - s.n);
    else
      add_lines(&s);
  }
  p->dense = false;
  schedule(&s);
  random_emit(p, "exact_%u:\nNOP ;\n", n->id);
  print(&s);
}
