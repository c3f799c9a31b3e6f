/* SPDX-License-Identifier: Apache-2.0
 *
 * Physical numbers for registers; calls take some of them away.
 */
#include <stdlib.h>
#include <string.h>
#include "compiler/backend/allocate.h"
#include "compiler/calls/call.h"

/* Registers that do not outlast a call, as the allocator sees them: what lives across one may not lie there. A value
 * lives across when it is alive at the position of the results; results themselves have fixed registers. */

bool mir_survives_call(enum mir_class class, unsigned phys) {
  switch (class) {
  case MIR_R:
    return phys == CALL_STACK || (phys >= CALL_SURVIVORS && phys < CALL_SURVIVORS_END && phys / 2 != CALL_RETURN / 2);
  case MIR_P:
  case MIR_UP:
    return phys >= CALL_PREDICATES;
  default:
    return phys >= CALL_UNIFORMS;
  }
}

static unsigned lost_registers(const struct allocation *a, enum mir_class class) {
  unsigned n = 0;
  for (unsigned r = 0; r < a->limit[class]; r++) n += !mir_survives_call(class, r);
  return n;
}

static unsigned results(const struct mir_insn *i, enum mir_class class) {
  return class == MIR_R ? i->call->defs : 0;
}

void pressure_of_calls(struct allocation *a, enum mir_class class) {
  if (!a->f->frame || a->f->frame->calls == 0) return;
  const unsigned lost = lost_registers(a, class);
  for (const struct mir_block *b = a->f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (mir_is_call(i) && lost > results(i, class))
        pressure_add(a->pressure, 2 * i->mark + 1, 2 * i->mark + 1, (int32_t)(lost - results(i, class)));
}

uint64_t *call_positions(const struct allocation *a, size_t row) {
  if (!a->f->frame || a->f->frame->calls == 0) return NULL;
  uint64_t *at = live_alloc(a->f, (row + 1) * sizeof *at);
  for (const struct mir_block *b = a->f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (mir_is_call(i)) at[(2 * i->mark + 1) / 64] |= UINT64_C(1) << ((2 * i->mark + 1) % 64);
  return at;
}

static bool crosses_call(const uint64_t *calls, const struct live_range *r) {
  for (; r; r = r->next)
    for (uint32_t w = r->start / 64; w <= r->end / 64; w++) {
      uint64_t m = calls[w];
      if (w == r->start / 64) m &= ~UINT64_C(0) << (r->start % 64);
      if (w == r->end / 64) m &= ~UINT64_C(0) >> (63 - r->end % 64);
      if (m) return true;
    }
  return false;
}

bool call_forbids(const struct allocation *a, uint32_t vreg, unsigned phys, const uint64_t *calls) {
  const struct mir_vreg *v = &a->f->vreg[vreg];
  if (v->fixed >= 0) return false;
  for (unsigned k = 0; k < v->words; k++)
    if (!mir_survives_call((enum mir_class)v->class, phys + k) &&
        crosses_call(calls, a->l->word[a->l->base[vreg] + k].ranges))
      return true;
  return false;
}

/* Physical numbers for the registers of a class, as few as possible.
 *
 * Each physical register has a bitmap of the positions at which it is taken. Registers are placed one after the other,
 * each in the lowest numbers that are free wherever it lives. How many that takes depends on the order: several are
 * tried. Then it goes on with one register less than the best so far, those that found no place moved to the front of
 * the order, until that does not help any more, or the result is as small as the number of words alive at one time. */

enum { ORDERS = 3, TRIES_MAX = 48, WORK_MAX = 40000 };

struct unit {
  uint32_t vreg, start, length;
  uint8_t words;
};

struct painter {
  struct allocation *a;
  unsigned limit;
  size_t row; /* 64-bit words of a bitmap */
  uint64_t *taken[256], *calls;
  enum mir_class class;
  bool saves;
  int16_t *hint; /* by register: where a copy from or to a fixed one would be none; -1: nowhere. NULL: no hints */
  struct unit *unit;
  uint32_t units;
  int16_t *best; /* by unit's register: the best result so far */
  unsigned best_used;
  bool found;
};

static uint32_t length_of(const struct live_word *w) {
  uint32_t n = 0;
  for (const struct live_range *r = w->ranges; r; r = r->next) n += r->end - r->start + 1;
  return n;
}

static void collect_units(struct painter *p, enum mir_class class) {
  const struct mir_function *f = p->a->f;
  const struct liveness *l = p->a->l;
  p->unit = live_alloc(f, (f->vregs + 1) * sizeof *p->unit);
  for (uint32_t v = 0; v < f->vregs; v++) {
    struct unit u = {.vreg = v, .start = UINT32_MAX, .words = f->vreg[v].words};
    if (f->vreg[v].class != class) continue;
    p->a->f->vreg[v].phys = -1;
    for (uint32_t w = l->base[v]; w < l->base[v + 1]; w++) {
      if (!l->word[w].ranges) continue;
      u.length += length_of(&l->word[w]);
      if (l->word[w].ranges->start < u.start) u.start = l->word[w].ranges->start;
    }
    if (u.length > 0) p->unit[p->units++] = u;
  }
}

/* The bits from..to of a 64-bit word of a bitmap that the range covers. */
static uint64_t mask_at(const struct live_range *r, uint32_t word) {
  uint64_t m = ~UINT64_C(0);
  if (word == r->start / 64) m &= ~UINT64_C(0) << (r->start % 64);
  if (word == r->end / 64) m &= ~UINT64_C(0) >> (63 - r->end % 64);
  return m;
}

static bool is_free(const uint64_t *taken, const struct live_range *r) {
  for (; r; r = r->next)
    for (uint32_t w = r->start / 64; w <= r->end / 64; w++)
      if (taken[w] & mask_at(r, w)) return false;
  return true;
}

static void take_positions(uint64_t *taken, const struct live_range *r) {
  for (; r; r = r->next)
    for (uint32_t w = r->start / 64; w <= r->end / 64; w++) taken[w] |= mask_at(r, w);
}

static bool unit_fits(const struct painter *p, const struct unit *u, unsigned at) {
  const struct liveness *l = p->a->l;
  if (p->calls && call_forbids(p->a, u->vreg, at, p->calls)) return false;
  for (unsigned k = 0; k < u->words; k++)
    if (p->taken[at + k] && !is_free(p->taken[at + k], l->word[l->base[u->vreg] + k].ranges)) return false;
  return true;
}

static int find_place(const struct painter *p, const struct unit *u) {
  int fixed = p->a->f->vreg[u->vreg].fixed;
  if (fixed >= 0) return unit_fits(p, u, (unsigned)fixed) ? fixed : -1;
  const int hint = p->hint ? p->hint[u->vreg] : -1;
  if (hint >= 0 && (unsigned)hint + u->words <= p->limit && unit_fits(p, u, (unsigned)hint)) return hint;
  if (p->saves) /* a function: what callers do not count on comes first */
    for (unsigned at = 0; at + u->words <= p->limit; at += u->words)
      if (!mir_survives_call(p->class, at) && unit_fits(p, u, at)) return (int)at;
  for (unsigned at = 0; at + u->words <= p->limit; at += u->words)
    if (unit_fits(p, u, at)) return (int)at;
  return -1;
}

static void hint_at(struct painter *p, const struct mir_operand *of, const struct mir_operand *like) {
  const struct mir_vreg *v = &p->a->f->vreg[of->reg];
  int at = p->a->f->vreg[like->reg].fixed + like->sub - of->sub;
  if (v->fixed >= 0 || p->a->f->vreg[like->reg].fixed < 0 || at < 0 || at % v->words || p->hint[of->reg] >= 0) return;
  p->hint[of->reg] = (int16_t)at;
}

/* Arguments and results of calls. */
static void find_hints(struct painter *p) {
  struct mir_function *f = p->a->f;
  if (!f->frame || p->class != MIR_R) return;
  p->hint = live_alloc(f, (f->vregs + 1) * sizeof *p->hint);
  for (uint32_t v = 0; v < f->vregs; v++) p->hint[v] = -1;
  for (struct mir_block *b = f->first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next) {
      const struct mir_operand *from = live_copied(i);
      if (!from || from->class != MIR_R) continue;
      hint_at(p, from, &i->rd);
      hint_at(p, &i->rd, from);
    }
}

static void place_unit(struct painter *p, const struct unit *u, unsigned at) {
  const struct liveness *l = p->a->l;
  for (unsigned k = 0; k < u->words; k++) {
    if (!p->taken[at + k]) p->taken[at + k] = live_alloc(p->a->f, p->row * sizeof(uint64_t));
    take_positions(p->taken[at + k], l->word[l->base[u->vreg] + k].ranges);
  }
  p->a->f->vreg[u->vreg].phys = (int16_t)at;
}

/* Places the units in their order; how many registers that takes. Those that find no place are noted. */
static unsigned paint(struct painter *p) {
  unsigned used = 0;
  for (unsigned r = 0; r < 256; r++)
    if (p->taken[r]) memset(p->taken[r], 0, p->row * sizeof(uint64_t));
  p->a->failures = 0;
  for (uint32_t k = 0; k < p->units; k++) {
    const struct unit *u = &p->unit[k];
    int at = find_place(p, u);
    if (at < 0) {
      p->a->f->vreg[u->vreg].phys = -1;
      p->a->failed[p->a->failures++] = u->vreg;
      continue;
    }
    place_unit(p, u, (unsigned)at);
    if ((unsigned)at + u->words > used) used = (unsigned)at + u->words;
  }
  return used;
}

static int ascending(uint32_t a, uint32_t b) {
  return a < b ? -1 : a > b;
}

static int wide_then_early(const void *x, const void *y) {
  const struct unit *a = x, *b = y;
  if (a->words != b->words) return a->words > b->words ? -1 : 1;
  if (a->start != b->start) return ascending(a->start, b->start);
  return ascending(a->vreg, b->vreg);
}

static int early(const void *x, const void *y) {
  const struct unit *a = x, *b = y;
  if (a->start != b->start) return ascending(a->start, b->start);
  if (a->words != b->words) return a->words > b->words ? -1 : 1;
  return ascending(a->vreg, b->vreg);
}

static int wide_then_long(const void *x, const void *y) {
  const struct unit *a = x, *b = y;
  if (a->words != b->words) return a->words > b->words ? -1 : 1;
  if (a->length != b->length) return ascending(b->length, a->length);
  return ascending(a->vreg, b->vreg);
}

/* Those that must have a certain number go first. */
static void fixed_first(struct painter *p) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < p->units; k++) {
    struct unit u = p->unit[k];
    if (p->a->f->vreg[u.vreg].fixed < 0) continue;
    memmove(&p->unit[n + 1], &p->unit[n], (k - n) * sizeof u);
    p->unit[n++] = u;
  }
}

static void keep_if_better(struct painter *p, unsigned used) {
  if (p->a->failures > 0 || (p->found && used >= p->best_used)) return;
  p->found = true;
  p->best_used = used;
  for (uint32_t k = 0; k < p->units; k++) p->best[p->unit[k].vreg] = p->a->f->vreg[p->unit[k].vreg].phys;
}

/* Those that found no place come first, the others as they were. */
static void failed_first(struct painter *p, struct unit *scratch) {
  uint32_t n = 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t k = 0; k < p->units; k++)
      if ((p->a->f->vreg[p->unit[k].vreg].phys < 0) == (pass == 0)) scratch[n++] = p->unit[k];
  memcpy(p->unit, scratch, p->units * sizeof *scratch);
}

/* Towards fewer registers, or to a result at all. */
static void squeeze(struct painter *p, unsigned least) {
  struct unit *scratch = live_alloc(p->a->f, (p->units + 1) * sizeof *scratch);
  const unsigned hard_limit = p->limit;
  for (unsigned tries = 0; tries < TRIES_MAX && tries * p->units < WORK_MAX; tries++) {
    if (p->found && (p->best_used <= least || p->saves)) break;
    p->limit = p->found ? p->best_used - 1 : hard_limit;
    unsigned used = paint(p);
    keep_if_better(p, used);
    if (p->a->failures > 0) failed_first(p, scratch);
    fixed_first(p);
  }
  p->limit = hard_limit;
}

bool colour(struct allocation *a, enum mir_class class) {
  static int (*const order[ORDERS])(const void *, const void *) = {wide_then_early, early, wide_then_long};
  struct painter p = {.a = a,
                      .limit = a->limit[class],
                      .row = (2 * (size_t)a->l->numbers + 63) / 64,
                      .class = class,
                      .saves = class == MIR_R && a->f->frame && a->f->frame->is_function};
  unsigned least = pressure_max(pressure_new(a->l, class), 0, 2 * a->l->numbers);
  collect_units(&p, class);
  p.calls = call_positions(a, p.row);
  find_hints(&p);
  p.best = live_alloc(a->f, (a->f->vregs + 1) * sizeof *p.best);
  a->failed = live_alloc(a->f, (p.units + 1) * sizeof *a->failed);
  for (unsigned k = 0; k < ORDERS && !(p.found && p.best_used <= least); k++) {
    qsort(p.unit, p.units, sizeof *p.unit, order[k]);
    fixed_first(&p);
    keep_if_better(&p, paint(&p));
  }
  squeeze(&p, least);
  a->used[class] = p.best_used;
  if (!p.found) return false;
  for (uint32_t k = 0; k < p.units; k++) a->f->vreg[p.unit[k].vreg].phys = p.best[p.unit[k].vreg];
  return true;
}
