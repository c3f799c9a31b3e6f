/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed stream: codes by hand, with tuples that are written twice, and the reuse cache.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "lab/verify/random/streams.h"

/* For the stream of codes by hand: what is written twice before it is read. Registers of a tuple by instructions that
 * write one, two or four of them, a slow one before a fast one and the other way round; predicates alike; an operand
 * that is kept for reuse while a slow one writes it. What must be there in the end follows from program order. */

enum { TRIES = 40, TEXT_BYTES = 400, WRITERS_MOST = 3, TUPLE = 4 };

/* What was written last; no words: nothing yet, and the word at which something shall be. */
struct span {
  bool uniform;
  unsigned at, words;
};

/* How long the next one should take. */
enum pace { ANY_PACE, SLOW, FAST };

static bool has_pace(const struct heddle_isa_dec *d, enum pace pace) {
  return pace == ANY_PACE || heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit) == (pace == SLOW);
}

/* Another destination, that has some word of `s`, but is not just `s`: some of its words, or more of the tuple that
 * begins at `base`. One to RZ is left alone: what it does not return may depend on an order. */
static bool write_part(struct random_program *p, struct heddle_isa_dec *d, unsigned base, const struct span *s) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  struct heddle_isa_dec made;
  if (!d->has_rd || d->rd_uniform != s->uniform || d->rd_words == s->words || d->rd == ISA_RZ) return false;
  const unsigned in = s->at + (d->rd_words < s->words ? random_below(p, s->words / d->rd_words) * d->rd_words : 0);
  const unsigned at = base + (in - base) / d->rd_words * d->rd_words;
  if (!heddle_isa_decode(heddle_isa_put(d->word, (enum heddle_isa_field)e->rd.field, at), &made)) return false;
  *d = made;
  return true;
}

/* Lines of which the last writes a part. How many words; 0: nothing of that pace does. */
static unsigned writer(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned base,
                       const struct span *s, enum pace pace) {
  char text[TEXT_BYTES];
  for (unsigned i = 0; i < TRIES; i++) {
    hazard_writer(p, text, sizeof text);
    const unsigned n = hazard_take(text, insn, room);
    if (n > 0 && has_pace(&insn[n - 1], pace) && write_part(p, &insn[n - 1], base, s)) return n;
  }
  return 0;
}

static enum pace draw_pace(struct random_program *p) {
  return random_chance(p, 20) ? ANY_PACE : random_chance(p, 60) ? SLOW : FAST;
}

/* Who reads that place alone. */
static unsigned read_place(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned place) {
  char text[TEXT_BYTES];
  struct hazard_results one = {.n = 1};
  one.at[place] = true;
  for (unsigned i = 0; i < TRIES && room > 0; i++) {
    hazard_reader(p, text, sizeof text);
    if (hazard_take(text, insn, 1) == 1 && hazard_point_at(p, insn, &one)) return 1;
  }
  return 0;
}

/* All places from `first` on, in either direction, beginning anywhere. */
static unsigned read_all_places(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned first,
                                unsigned count) {
  const unsigned from = random_below(p, count), step = random_chance(p, 50) ? 1 : count - 1;
  unsigned n = 0;
  for (unsigned i = 0; i < count; i++) n += read_place(p, insn + n, room - n, first + (from + i * step) % count);
  return n;
}

static unsigned fill_between(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned first,
                             unsigned count) {
  struct hazard_results r = {.n = count};
  unsigned n = 0;
  for (unsigned i = 0; i < count; i++) r.at[first + i] = true;
  for (unsigned k = random_chance(p, 60) ? 0 : 1 + random_below(p, 2); k > 0 && n < room; k--)
    n += hazard_fill(p, &insn[n], &r);
  return n;
}

/* No two neighbours of the writers write the same words. */
static unsigned rewrite_tuple(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const bool uniform = random_has_uniform(p) && random_chance(p, 25);
  const unsigned count = uniform ? 2 : TUPLE, tuples = uniform ? UREG_DATA_COUNT / 2 : REG_DATA_COUNT / TUPLE;
  const unsigned base = (uniform ? 0 : REG_DATA) + count * random_below(p, tuples);
  const unsigned first = (uniform ? HEDDLE_HAZARD_UR : HEDDLE_HAZARD_R) + base,
                 writers = 2 + random_below(p, WRITERS_MOST - 1);
  struct span s = {.uniform = uniform, .at = base + random_below(p, count)};
  enum pace pace = draw_pace(p);
  unsigned n = 0;
  for (unsigned i = 0; i < writers; i++) {
    const unsigned more = writer(p, insn + n, room - n, base, &s, uniform ? ANY_PACE : pace);
    if (more == 0) return n;
    n += more;
    s.at = insn[n - 1].rd;
    s.words = insn[n - 1].rd_words;
    pace = pace == ANY_PACE ? ANY_PACE : pace == SLOW ? FAST : SLOW;
    n += fill_between(p, insn + n, room - n, first, count);
  }
  return n + read_all_places(p, insn + n, room - n, first, count);
}

/* Most write one predicate or two; R2P several. */
static unsigned predicate_writer(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned which) {
  char text[TEXT_BYTES];
  if (room == 0) return 0;
  if (random_chance(p, 30)) {
    const unsigned mask = (1u << which) | random_below(p, 1u << PRED_DATA_COUNT);
    (void)snprintf(text, sizeof text, "R2P PR, R%u, 0x%x ;\n", random_data(p), mask);
    return hazard_take(text, insn, 1);
  }
  for (unsigned i = 0; i < TRIES; i++) {
    hazard_writer(p, text, sizeof text);
    if (hazard_take(text, insn, 1) != 1 || insn->pd_uniform || (!insn->has_pd0 && !insn->has_pd1)) continue;
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)insn->enc);
    const unsigned k = insn->has_pd0 && insn->has_pd1 ? random_below(p, 2) : insn->has_pd0 ? 0 : 1;
    if (heddle_isa_decode(heddle_isa_put(insn->word, (enum heddle_isa_field)e->pd[k], which), insn)) return 1;
  }
  return 0;
}

static unsigned rewrite_predicate(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const unsigned which = random_below(p, PRED_DATA_COUNT);
  unsigned n = 0;
  for (unsigned i = 2 + random_below(p, WRITERS_MOST - 1); i > 0; i--) {
    n += predicate_writer(p, insn + n, room - n, which);
    n += fill_between(p, insn + n, room - n, HEDDLE_HAZARD_P + which, 1);
  }
  n += read_place(p, insn + n, room - n, HEDDLE_HAZARD_P + which);
  return n + read_place(p, insn + n, room - n, HEDDLE_HAZARD_P + (which + 1) % PRED_DATA_COUNT);
}

static unsigned hazard_tuple(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  return random_chance(p, 80) ? rewrite_tuple(p, insn, room) : rewrite_predicate(p, insn, room);
}

/* One that reads `reg` as operand `o` of so many words, kept for reuse or not. */
static unsigned read_kept_operand(struct random_program *p, struct heddle_isa_dec *insn, unsigned room, unsigned o,
                                  unsigned reg, unsigned words, bool kept) {
  char text[TEXT_BYTES];
  for (unsigned i = 0; i < TRIES && room > 0; i++) {
    hazard_reader(p, text, sizeof text);
    if (hazard_take(text, insn, 1) != 1 || insn->unit == ISA_UNIT_MEM) continue;
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)insn->enc);
    if (e->reuse == ISA_FIELD_NONE || e->src[o].kind != ISA_REG || insn->src[o].words != words) continue;
    const uint64_t others = heddle_isa_get(insn->word, (enum heddle_isa_field)e->reuse) & ~((uint64_t)1 << o);
    struct heddle_isa_word w = heddle_isa_put(insn->word, (enum heddle_isa_field)e->src[o].field, reg);
    w = heddle_isa_put(w, (enum heddle_isa_field)e->reuse, others | (uint64_t)kept << o);
    if (heddle_isa_decode(w, insn)) return 1;
  }
  return 0;
}

/* It is read and kept; one that is slow, most often, writes it, or a word of it, in all lanes or some; then it is read
 * in the same place again, as soon as it may be, and once more, out of what the second one has kept. */
static unsigned hazard_kept(struct random_program *p, struct heddle_isa_dec *insn, unsigned room) {
  const unsigned words = random_chance(p, 85) ? 1 : 2, o = random_below(p, 3);
  const unsigned reg = REG_DATA + words * random_below(p, REG_DATA_COUNT / words), base = reg / TUPLE * TUPLE;
  const struct span s = {.at = reg + (words == 2 ? random_below(p, 2) : 0)};
  unsigned n = 0;
  for (unsigned i = 1 + random_below(p, 2); i > 0; i--)
    n += read_kept_operand(p, insn + n, room - n, o, reg, words, true);
  if (n == 0) return 0;
  const unsigned more = writer(p, insn + n, room - n, base, &s, random_chance(p, 80) ? SLOW : FAST);
  n += more;
  n += read_kept_operand(p, insn + n, room - n, o, reg, words, random_chance(p, 70));
  return n + read_kept_operand(p, insn + n, room - n, o, reg, words, false);
}

/* Directed stream: the reuse cache beside the banks of the register file. Operands of few registers that lie in one
 * bank, or in two, most of them kept for reuse, results into the same ones, in pairs too: entries are found, missed and
 * dropped while other operands of the same instruction wait for the bank. */

void stream_reuse(struct random_program *p, const struct node *n) {
  char text[320];
  (void)n;
  p->crowd_banks = 1 + random_below(p, 2);
  p->crowd_at = random_below(p, 4);
  for (unsigned i = 15 + random_below(p, 15); i-- > 0;) {
    random_insn(p, text, sizeof text);
    random_emit(p, "%s", text);
  }
  p->crowd_banks = 0;
}

/* Directed stream: codes by hand. Straight code that depends on itself, its control codes made here by the rules of
 * isa/doc/01, not by the assembler: most results are used at the smallest distance that is legal, some of fixed units
 * are awaited by counters, read counters and yields come at random. DEPBAR waits for some of a counter's results, and
 * what units give in the order of issue is then used. */

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
