/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers: rounds of colouring and spilling until everything has a physical number.
 */
#include "allocate.h"

#include <stdlib.h>
#include <string.h>
#include "compiler/calls/call.h"

static bool allocation_is_short(const struct allocation *a, uint32_t vreg) {
  return vreg < a->marks && a->short_lived[vreg];
}

/* Which registers go to memory: those that cost least for the positions that they relieve.
 *
 * A spilled register still takes a register where it is read or written. That is counted, so the pressure that is left
 * is the one that the next round will find. */

/* An instruction that names a register. */
struct touch {
  uint32_t number;
  uint8_t words;
  bool write;
};

struct candidate {
  uint32_t vreg;
  double price; /* executions of spill code for each relieved position */
};

struct chooser {
  struct allocation *a;
  enum mir_class class;
  uint32_t *first; /* by register: its touches in `touch` */
  struct touch *touch;
  double *cost;
  const struct mir_insn **remat; /* by word */
  uint32_t *over;                /* positions above the limit, summed up from the start */
};

/* How often a block is executed, roughly. */
static double frequency(const struct mir_block *b) {
  double x = b->cold ? 0.01 : 1;
  for (unsigned k = 0; k < b->loop_depth && k < 6; k++) x *= 10;
  return x;
}

static bool comes_back_cheaply(const struct chooser *c, const struct mir_operand *x) {
  for (unsigned p = 0; p < x->words; p++)
    if (!c->remat[live_word_of(c->a->l, x, p)]) return false;
  return true;
}

/* Twice over the function: `count` first, then the touches themselves. */
static void note_touch(struct chooser *c, struct mir_insn *i, struct mir_operand *x, bool write, double often,
                       bool count) {
  if (x->class != c->class) return;
  if (count) {
    c->first[x->reg + 1]++;
    bool cheap = comes_back_cheaply(c, x);
    c->cost[x->reg] += often * (write ? (cheap ? -1 : 2) : (cheap ? 1 : 4));
    return;
  }
  c->touch[c->first[x->reg]++] = (struct touch){.number = i->mark, .words = x->words, .write = write};
}

static void visit_all(struct chooser *c, bool count) {
  struct mir_operand *x[LIVE_USES_MAX];
  for (struct mir_block *b = c->a->f->first; b; b = b->next) {
    const double often = frequency(b);
    for (struct mir_insn *i = b->first; i; i = i->next) {
      unsigned n = live_uses(i, x);
      for (unsigned k = 0; k < n; k++) note_touch(c, i, x[k], false, often, count);
      n = live_defs(i, x);
      for (unsigned k = 0; k < n; k++) note_touch(c, i, x[k], true, often, count);
    }
  }
}

static void collect_touches(struct chooser *c) {
  const struct mir_function *f = c->a->f;
  c->first = live_alloc(f, (f->vregs + 2) * sizeof *c->first);
  c->cost = live_alloc(f, (f->vregs + 1) * sizeof *c->cost);
  visit_all(c, true);
  for (uint32_t v = 0; v < f->vregs; v++) c->first[v + 1] += c->first[v];
  c->touch = live_alloc(f, (c->first[f->vregs] + 1) * sizeof *c->touch);
  visit_all(c, false);
  for (uint32_t v = f->vregs; v > 0; v--) c->first[v] = c->first[v - 1]; /* each has moved to its end */
  c->first[0] = 0;
}

static void count_over(struct chooser *c) {
  const uint32_t positions = 2 * c->a->l->numbers, limit = c->a->limit[c->class];
  c->over = live_alloc(c->a->f, (positions + 1) * sizeof *c->over);
  for (uint32_t p = 0; p < positions; p++) c->over[p + 1] = c->over[p] + (pressure_max(c->a->pressure, p, p) > limit);
}

static bool may_go(const struct allocation *a, uint32_t v, enum mir_class class) {
  return a->f->vreg[v].class == class && a->f->vreg[v].fixed < 0 && !allocation_is_short(a, v) && !a->chosen[v];
}

/* Positions above the limit that it would relieve, by words. */
static int64_t relief(const struct chooser *c, uint32_t v) {
  const struct liveness *l = c->a->l;
  int64_t n = 0;
  for (uint32_t w = l->base[v]; w < l->base[v + 1]; w++)
    for (const struct live_range *r = l->word[w].ranges; r; r = r->next) n += c->over[r->end + 1] - c->over[r->start];
  for (uint32_t t = c->first[v]; t < c->first[v + 1]; t++) {
    uint32_t at = 2 * c->touch[t].number + c->touch[t].write;
    n -= (int64_t)(c->over[at + 1] - c->over[at]) * c->touch[t].words;
  }
  return n;
}

static bool still_helps(const struct chooser *c, uint32_t v) {
  const struct liveness *l = c->a->l;
  for (uint32_t w = l->base[v]; w < l->base[v + 1]; w++)
    for (const struct live_range *r = l->word[w].ranges; r; r = r->next)
      if (pressure_max(c->a->pressure, r->start, r->end) > c->a->limit[c->class]) return true;
  return false;
}

static void spill_register(struct chooser *c, uint32_t v) {
  const struct liveness *l = c->a->l;
  c->a->chosen[v] = 1;
  c->a->chosens++;
  for (uint32_t w = l->base[v]; w < l->base[v + 1]; w++)
    for (const struct live_range *r = l->word[w].ranges; r; r = r->next)
      pressure_add(c->a->pressure, r->start, r->end, -1);
  for (uint32_t t = c->first[v]; t < c->first[v + 1]; t++) {
    uint32_t at = 2 * c->touch[t].number + c->touch[t].write;
    pressure_add(c->a->pressure, at, at, c->touch[t].words);
  }
}

static int cheap_first(const void *x, const void *y) {
  const struct candidate *a = x, *b = y;
  if (a->price != b->price) return a->price < b->price ? -1 : 1;
  return a->vreg < b->vreg ? -1 : a->vreg > b->vreg;
}

static void relieve(struct chooser *c) {
  struct allocation *a = c->a;
  struct candidate *list = live_alloc(a->f, (a->f->vregs + 1) * sizeof *list);
  uint32_t n = 0;
  count_over(c);
  for (uint32_t v = 0; v < a->f->vregs; v++) {
    int64_t r = may_go(a, v, c->class) ? relief(c, v) : 0;
    if (r > 0) list[n++] = (struct candidate){.vreg = v, .price = c->cost[v] / (double)r};
  }
  qsort(list, n, sizeof *list, cheap_first);
  for (uint32_t k = 0; k < n; k++) {
    if (pressure_max(a->pressure, 0, 2 * a->l->numbers) <= a->limit[c->class]) return;
    if (still_helps(c, list[k].vreg)) spill_register(c, list[k].vreg);
  }
}

static bool ranges_meet(const struct live_range *a, const struct live_range *b) {
  while (a && b) {
    if (a->end < b->start)
      a = a->next;
    else if (b->end < a->start)
      b = b->next;
    else
      return true;
  }
  return false;
}

static bool registers_meet(const struct liveness *l, uint32_t v, uint32_t u) {
  for (uint32_t w = l->base[v]; w < l->base[v + 1]; w++)
    for (uint32_t x = l->base[u]; x < l->base[u + 1]; x++)
      if (ranges_meet(l->word[w].ranges, l->word[x].ranges)) return true;
  return false;
}

static bool stands_at(const struct mir_vreg *r, unsigned at, unsigned words) {
  return (unsigned)r->phys < at + words && (unsigned)r->phys + r->words > at;
}

/* What must go for register v to have the physical registers from `at` on: the prices of all places. A negative price:
 * it cannot be done. */
static void price_places(struct chooser *c, uint32_t v, double price[256]) {
  struct allocation *a = c->a;
  const unsigned words = a->f->vreg[v].words;
  for (uint32_t u = 0; u < a->f->vregs; u++) {
    const struct mir_vreg *r = &a->f->vreg[u];
    if (r->class != c->class || r->phys < 0 || a->chosen[u] || !registers_meet(a->l, v, u)) continue;
    for (unsigned at = (unsigned)r->phys / words * words; at < (unsigned)r->phys + r->words; at += words) {
      if (!may_go(a, u, c->class)) price[at] = -1;
      if (price[at] >= 0) price[at] += c->cost[u];
    }
  }
}

static void clear_place(struct chooser *c, uint32_t v, unsigned at) {
  struct allocation *a = c->a;
  for (uint32_t u = 0; u < a->f->vregs; u++) {
    const struct mir_vreg *r = &a->f->vreg[u];
    if (r->class == c->class && r->phys >= 0 && !a->chosen[u] && stands_at(r, at, a->f->vreg[v].words) &&
        registers_meet(a->l, v, u))
      spill_register(c, u);
  }
}

/* No place although there are enough registers (wide ones need neighbours): the cheapest place is cleared, or the
 * register goes itself. */
static void relieve_failed(struct chooser *c, uint32_t v) {
  struct allocation *a = c->a;
  const unsigned words = a->f->vreg[v].words;
  double price[256] = {0};
  int best = -1;
  price_places(c, v, price);
  const uint64_t *calls = call_positions(a, (2 * (size_t)a->l->numbers + 63) / 64);
  for (unsigned at = 0; calls && at + words <= a->limit[c->class]; at += words)
    if (call_forbids(a, v, at, calls)) price[at] = -1;
  for (unsigned at = 0; at + words <= a->limit[c->class]; at += words)
    if (price[at] >= 0 && (best < 0 || price[at] < price[best])) best = (int)at;
  if (may_go(a, v, c->class) && (best < 0 || c->cost[v] < price[best]))
    spill_register(c, v);
  else if (best >= 0)
    clear_place(c, v, (unsigned)best);
}

/* Sets chosen; false when nothing helps. */
static bool spill_choose(struct allocation *a, enum mir_class class) {
  enum { ROOM_MAX = 64 };
  struct chooser c = {.a = a, .class = class, .remat = spill_remats(a->l)};
  a->chosen = live_alloc(a->f, a->f->vregs + 1);
  a->chosens = 0;
  collect_touches(&c);
  if (pressure_max(a->pressure, 0, 2 * a->l->numbers) > a->limit[class])
    relieve(&c);
  else
    for (uint32_t k = 0; k < a->failures && k < ROOM_MAX; k++) relieve_failed(&c, a->failed[k]);
  return a->chosens > 0;
}

/* ---- the rounds ---- */

enum { ROUNDS_MAX = 100 };

void allocation_mark_short(struct allocation *a, uint32_t vreg) {
  if (vreg >= a->marks) {
    uint32_t room = 2 * vreg + 64;
    uint8_t *bigger = ptx_alloc(a->f->arena, room);
    if (a->marks) memcpy(bigger, a->short_lived, a->marks);
    a->short_lived = bigger;
    a->marks = room;
  }
  a->short_lived[vreg] = 1;
}

static const char *const class_name[] = {"registers", "predicates", "uniform registers", "uniform predicates"};

static bool report_no_fit(const struct allocation *a, enum mir_class class) {
  ptx_error(a->f->diag, a->f->first->first ? a->f->first->first->pos : (struct ptx_pos){0, 0},
            "'%s' does not fit into %u %s", a->f->name, a->limit[class], class_name[class]);
  return false;
}

/* One class as far as it gets. *again: the function was rewritten, and nothing is known any more. */
static bool do_class(struct allocation *a, enum mir_class class, bool *again) {
  a->pressure = pressure_new(a->l, class);
  pressure_of_calls(a, class);
  bool fits = pressure_max(a->pressure, 0, 2 * a->l->numbers) <= a->limit[class];
  if (fits && colour(a, class)) return true;
  if (class == MIR_UR || class == MIR_UP || !spill_choose(a, class)) return report_no_fit(a, class);
  if (class == MIR_P)
    spill_predicates(a);
  else
    spill_registers(a);
  *again = true;
  return true;
}

static bool do_round(struct allocation *a, bool *again) {
  static const enum mir_class order[] = {MIR_UP, MIR_UR, MIR_P, MIR_R};
  for (unsigned k = 0; k < 4 && !*again; k++)
    if (!do_class(a, order[k], again)) return false;
  return true;
}

unsigned mir_registers(unsigned max_regs) {
  const unsigned most = heddle_isa_registers(false) - 1; /* one is left */
  return max_regs == 0 || max_regs > most ? most : max_regs;
}

bool mir_allocate(struct mir_function *f, unsigned max_regs, struct heddle_ptx_figures *figures) {
  struct heddle_ptx_figures ignored = {0};
  struct allocation a = {.f = f, .vregs = f->vregs, .figures = figures ? figures : &ignored};
  a.limit[MIR_R] = mir_registers(max_regs);
  a.limit[MIR_P] = a.limit[MIR_UP] = ISA_PT;
  a.limit[MIR_UR] = heddle_isa_registers(true);
  if (f->frame && f->frame->is_function) { /* callers count on the others, and they are not worth saving */
    a.limit[MIR_P] = a.limit[MIR_UP] = CALL_PREDICATES;
    if (a.limit[MIR_UR] > CALL_UNIFORMS) a.limit[MIR_UR] = CALL_UNIFORMS;
  }
  bool again = true;
  for (unsigned round = 0; again; round++) {
    if (round == ROUNDS_MAX) return report_no_fit(&a, MIR_R);
    again = false;
    live_open_scratch(f);
    a.l = live_ranges(f);
    bool ok = do_round(&a, &again);
    live_close_scratch(f);
    if (!ok) return false;
  }
  f->local_bytes = (f->local_bytes + 15) / 16 * 16;
  a.figures->registers = a.used[MIR_R] > 0 ? a.used[MIR_R] : 1;
  a.figures->uniform_registers = a.used[MIR_UR];
  a.figures->local_bytes = f->local_bytes;
  return true;
}
