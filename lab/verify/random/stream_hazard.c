/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: codes by hand. Straight code that depends on itself, its control codes made here by the rules of
 * isa/doc/01, not by the assembler: most results are used at the smallest distance that is legal, some of fixed units
 * are awaited by counters, read counters and yields come at random. DEPBAR waits for some of a counter's results, and
 * what units give in the order of issue is then used. */
#include "lab/verify/random/streams.h"

#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>

enum { RUN_MOST = 40, NOT_COUNTED = 7 };

/* What is on its way to a place. */
struct pending {
  int ready;       /* cycle at which it may be used; of variable units never by time */
  uint8_t counter; /* that falls when it is there; NOT_COUNTED: none */
  uint8_t unit;
  unsigned number; /* of those of its unit that have raised the counter since it was zero */
  bool live, timed;
};

/* Since it was zero for certain. */
struct counter {
  unsigned raised[ISA_UNIT_COUNT], read; /* for results, by unit; for operands */
};

struct scheduler {
  struct random_program *p;
  struct pending place[HEDDLE_HAZARD_PLACES];
  struct heddle_isa_dec insn[RUN_MOST];
  unsigned n;
  int now; /* of the instruction at hand, the earliest */
  struct heddle_isa_ctl ctl[RUN_MOST];
  struct counter counter[HEDDLE_HAZARD_COUNTERS];
  unsigned counters; /* results have so many */
  unsigned reads;    /* one that is for operands alone; NOT_COUNTED: none is */
  unsigned series;   /* one that is for what comes in the order of issue alone; likewise */
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

static void note_pending(void *ctx, unsigned place) {
  struct scheduler *s = ctx;
  s->place[place] = s->result;
}

/* Who was waited for is there. */
static void settle_waited(struct scheduler *s) {
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
    if (s->wait >> c & 1) memset(&s->counter[c], 0, sizeof s->counter[c]);
  for (unsigned i = 0; i < HEDDLE_HAZARD_PLACES; i++) {
    struct pending *q = &s->place[i];
    if (q->live && ((q->counter != NOT_COUNTED && s->wait >> q->counter & 1) || (q->timed && q->ready <= s->now)))
      q->live = false;
  }
}

/* Groups of copies have a counter for themselves, as the assembler has it: some of them may be waited for. Often
 * most results share a counter or two, operands have one, and what comes in the order of issue has one. */
static void draw_counters(struct scheduler *s) {
  const unsigned all = random_has_async(s->p) ? HEDDLE_HAZARD_GROUPS : HEDDLE_HAZARD_COUNTERS;
  const bool few = random_chance(s->p, 60);
  s->counters = few ? 1 + random_below(s->p, 2) : all;
  s->reads = few ? s->counters : NOT_COUNTED;
  s->series = few ? s->counters + 1 : NOT_COUNTED;
}

/* Units that give results in the order of issue: of some results only they say which. */
static bool in_order(unsigned unit) {
  return unit == ISA_UNIT_FP64 || unit == ISA_UNIT_SFU || !heddle_isa_unit_is_variable((enum heddle_isa_unit)unit);
}

static void draw_raised(struct scheduler *s, const struct heddle_isa_dec *d, struct heddle_isa_ctl *c) {
  struct random_program *p = s->p;
  const bool variable = heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit), has = heddle_hazard_has_result(d);
  if (has && (variable || random_chance(p, 15))) c->wbar = (uint8_t)random_below(p, s->counters);
  if (has && variable && in_order(d->unit) && s->series != NOT_COUNTED) c->wbar = (uint8_t)s->series;
  if (!has && random_chance(p, 10)) c->wbar = (uint8_t)random_below(p, s->counters);
  if (s->reads != NOT_COUNTED && random_chance(p, 60))
    c->rbar = (uint8_t)s->reads;
  else if (random_chance(p, 15))
    c->rbar = (uint8_t)random_below(p, s->counters);
  if (d->op == ISA_OP_LDGDEPBAR) c->wbar = HEDDLE_HAZARD_GROUPS;
}

static void raise(struct scheduler *s, const struct heddle_isa_dec *d, struct heddle_isa_ctl *c) {
  struct random_program *p = s->p;
  const bool variable = heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit);
  draw_raised(s, d, c);
  s->result = (struct pending){.counter = c->wbar, .unit = d->unit, .live = true, .timed = !variable};
  if (c->rbar != NOT_COUNTED) s->counter[c->rbar].read++;
  if (c->wbar != NOT_COUNTED) s->result.number = s->counter[c->wbar].raised[d->unit]++;
  s->result.ready = s->now + heddle_hazard_latency(p->limits.stall, d, false);
  heddle_hazard_each_reg_result(d, note_pending, s);
  s->result.ready = s->now + heddle_hazard_latency(p->limits.stall, d, true);
  heddle_hazard_each_pred_result(d, note_pending, s);
}

static unsigned count_raised(const struct counter *c) {
  unsigned n = c->read;
  for (unsigned u = 0; u < ISA_UNIT_COUNT; u++) n += c->raised[u];
  return n;
}

/* How far a counter may be from zero, so that something is known of each result: often some of what has raised it. */
static unsigned draw_limit(struct scheduler *s, const struct counter *c) {
  for (unsigned u = 0; u < ISA_UNIT_COUNT; u++)
    if (c->raised[u] > 0 && !in_order(u)) return 0;
  return random_chance(s->p, 90) ? random_below(s->p, count_raised(c) + 1) : random_below(s->p, 64);
}

/* Most often one that is raised. */
static unsigned draw_counter(struct scheduler *s) {
  const unsigned all = random_has_async(s->p) ? HEDDLE_HAZARD_GROUPS : HEDDLE_HAZARD_COUNTERS;
  unsigned which = random_below(s->p, all), n = 0;
  if (random_chance(s->p, 10)) return which;
  for (unsigned c = 0; c < all; c++)
    if (count_raised(&s->counter[c]) > 0 && random_below(s->p, ++n) == 0) which = c;
  return which;
}

/* Not one that something else rests on: copies ask a counter of their own. */
static bool is_open_depbar(const struct heddle_isa_dec *d) {
  return d->op == ISA_OP_DEPBAR_LE && d->guard.index == ISA_PT && !d->guard.neg &&
         heddle_isa_get(d->word, ISA_F_SBN) == 0 && heddle_isa_get(d->word, ISA_F_SBK) == 0;
}

/* Which counter, and how far. What has come by then need not be waited for any more. */
static void fill_depbar(struct scheduler *s, struct heddle_isa_dec *d) {
  const unsigned c = draw_counter(s), k = draw_limit(s, &s->counter[c]);
  (void)heddle_isa_decode(heddle_isa_put(heddle_isa_put(d->word, ISA_F_SBN, c), ISA_F_SBK, k), d);
  for (unsigned i = 0; i < HEDDLE_HAZARD_PLACES; i++) {
    struct pending *q = &s->place[i];
    if (q->live && q->counter == c && (k == 0 || (!q->timed && s->counter[c].raised[q->unit] - q->number > k)))
      q->live = false;
  }
  if (k == 0) memset(&s->counter[c], 0, sizeof s->counter[c]);
}

/* Cycles more than are needed. */
static int spare(struct random_program *p) {
  if (random_chance(p, 8)) return (int)random_below(p, 4);
  return random_chance(p, 4) ? (int)random_below(p, 15) : 0;
}

static void schedule_insns(struct scheduler *s) {
  struct random_program *p = s->p;
  draw_counters(s);
  for (unsigned i = 0; i < s->n; i++) {
    struct heddle_isa_dec *d = &s->insn[i];
    s->now += i > 0;
    s->need = s->now;
    s->wait = 0;
    heddle_hazard_each_source(d, await, s);
    heddle_hazard_each_reg_result(d, await, s);
    heddle_hazard_each_pred_result(d, await, s);
    const int stall = 1 + s->need - s->now + spare(p);
    if (i > 0) s->ctl[i - 1].stall = (uint8_t)(stall > 15 ? 15 : stall);
    if (i > 0) s->now += s->ctl[i - 1].stall - 1;
    if (i > 0 && stall == 1 && random_chance(p, 10)) s->ctl[i - 1].stall = 0; /* says the same */
    settle_waited(s);
    if (is_open_depbar(d)) fill_depbar(s, d);
    s->ctl[i] = (struct heddle_isa_ctl){
        .stall = 1, .wbar = NOT_COUNTED, .rbar = NOT_COUNTED, .wait = s->wait, .yield = random_chance(p, 15)};
    raise(s, d, &s->ctl[i]);
  }
}

static void print_schedule(const struct scheduler *s) {
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
  if (random_chance(s->p, 10)) s->n += hazard_take(HAZARD_ANY_DEPBAR, s->insn + s->n, RUN_MOST - s->n);
}

static void add_aimed(struct scheduler *s) {
  const unsigned what = random_below(s->p, 100);
  if (what < 8)
    s->n += hazard_series(s->p, s->insn + s->n, RUN_MOST - s->n);
  else if (what < 55)
    s->n += hazard_aim(s->p, s->insn + s->n, RUN_MOST - s->n);
  else if (what < 85)
    s->n += hazard_tuple(s->p, s->insn + s->n, RUN_MOST - s->n);
  else
    s->n += hazard_kept(s->p, s->insn + s->n, RUN_MOST - s->n);
}

/* Again: what is fetched first is fetched late, and warp after warp begins. From then on all begin at once. */
static void print_again(const struct scheduler *s, unsigned id) {
  enum { LEFT = REG_STREAM + 7 };
  random_emit(s->p, "MOV R%u, 0x%x ;\nrows_%u:\nBAR.SYNC 0x0 ;\nNOP ;\n", LEFT, 1 + random_below(s->p, 3), id);
  print_schedule(s);
  random_emit(s->p, "IADD3 R%u, R%u, -0x1, RZ ;\nISETP.GE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA rows_%u ;\n", LEFT, LEFT,
              LEFT, id);
}

/* Straight code that depends on itself, or writers and readers at distances that were drawn, or rows for every pipe, by
 * all warps of the block at once. A label in front of an instruction without a code: what came before is there. */
void stream_hazard(struct random_program *p, const struct node *n) {
  struct scheduler s = {.p = p};
  const unsigned what = random_below(p, 100);
  const bool aims = what < 62, rows = what >= 90;
  const unsigned length = aims ? 16 + random_below(p, 10) : rows ? 12 + random_below(p, 12) : 5 + random_below(p, 10);
  p->dense = what >= 62 && what < 95;
  if (rows) s.n = hazard_rows(p, s.insn, length);
  for (unsigned i = 0; i < length && s.n < length; i++) {
    if (aims)
      add_aimed(&s);
    else
      add_lines(&s);
  }
  p->dense = false;
  schedule_insns(&s);
  if (rows) {
    print_again(&s, n->id);
    return;
  }
  random_emit(p, "exact_%u:\nNOP ;\n", n->id);
  print_schedule(&s);
}
