/* SPDX-License-Identifier: Apache-2.0
 * All runs of a test on the abstract machine: states that have been seen are known by a hash of 128 bits. */
#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "lab/verify/litmus/src/litmus_judge.h"

#define FLIGHTS 16u
#define FILLS_OF_LINE 2u

enum flight_kind { FLIGHT_FILL, FLIGHT_ACCESS };

struct flight { /* under way to the point of order; sorted by SM and location, older ones first */
  uint8_t kind, sm, loc;
  uint8_t thread, insn;         /* of an access */
  bool joinable;                /* a fill: what comes will lie in the cache */
  uint8_t awaited;              /* by fences of these threads */
  uint8_t none;                 /* 0: states are compared as bytes, so that nothing may lie between members */
  uint16_t waits[TEST_THREADS]; /* a fill: loads, by instruction */
};

enum { AT_START, BEFORE, ARRIVED, FENCING, BEHIND }; /* of the instruction at pc: which part is next */

struct state {
  uint16_t memory[TEST_LOCS];
  uint16_t reg[TEST_THREADS][TEST_REGS];
  uint16_t open[TEST_THREADS]; /* accesses under way, by instruction */
  uint8_t pc[TEST_THREADS], part[TEST_THREADS];
  bool here[TEST_THREADS][TEST_LOCS]; /* of an SM: it has a copy */
  uint16_t copy[TEST_THREADS][TEST_LOCS];
  uint8_t flights, none;
  struct flight flight[FLIGHTS];
};

_Static_assert(sizeof(struct flight) == 8 + sizeof(uint16_t) * TEST_THREADS, "nothing between members");
_Static_assert(sizeof(struct state) == sizeof(uint16_t) * (TEST_LOCS + TEST_THREADS * (TEST_REGS + 1 + TEST_LOCS)) +
                                           TEST_THREADS * (2 + TEST_LOCS) + 2 + FLIGHTS * sizeof(struct flight),
               "nor here");

struct explore {
  const struct test *t;
  const struct machine_options *o;
  const struct outcomes *allowed;
  struct machine_result *r;
  struct state *stack;
  size_t depth, room;
  struct map seen; /* two hashes of each state */
  uint32_t (*reached)[OUTCOME_MAX];
  bool bad;
};

static unsigned sm_of(const struct explore *x, unsigned thread) {
  return x->o->one_sm ? 0 : x->t->thread[thread].cta;
}

/* ---- states ---- */

static uint64_t hash_state(const struct state *s, uint64_t h) {
  const uint8_t *p = (const uint8_t *)s;
  for (size_t k = 0; k < sizeof *s; k++) h = (h ^ p[k]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
  return h;
}

static void push_state(struct explore *x, const struct state *s) {
  const uint64_t a = hash_state(s, UINT64_C(0x243f6a8885a308d3)), b = hash_state(s, UINT64_C(0x13198a2e03707344));
  const size_t before = x->seen.used;
  if (x->bad) return;
  x->bad = map_at(&x->seen, a, b, 0) == NULL;
  if (x->bad || x->seen.used == before) return;
  x->bad = ++x->r->states > MACHINE_STATES / 2 || !array_room(&x->stack, &x->room, x->depth + 1, sizeof *x->stack);
  if (!x->bad) x->stack[x->depth++] = *s;
}

/* ---- the way to memory ---- */

/* NULL: it is full. */
static struct flight *send(struct state *s, const struct explore *x, uint8_t kind, unsigned sm, unsigned loc) {
  unsigned at = s->flights;
  if (at == FLIGHTS) return NULL;
  while (at > 0 && (s->flight[at - 1].sm > sm ||
                    (!x->o->in_order && s->flight[at - 1].sm == sm && s->flight[at - 1].loc > loc))) {
    s->flight[at] = s->flight[at - 1];
    at--;
  }
  s->flights++;
  memset(&s->flight[at], 0, sizeof s->flight[at]);
  s->flight[at].kind = kind;
  s->flight[at].sm = (uint8_t)sm;
  s->flight[at].loc = (uint8_t)loc;
  return &s->flight[at];
}

static void give_up_copy(struct state *s, unsigned sm, unsigned loc) {
  s->here[sm][loc] = false;
  s->copy[sm][loc] = 0;
  for (unsigned k = 0; k < s->flights; k++)
    if (s->flight[k].sm == sm && s->flight[k].loc == loc) s->flight[k].joinable = false;
}

static uint16_t stored_value(const struct state *s, unsigned thread, const struct test_insn *i) {
  return i->from != NO_REG ? s->reg[thread][i->from] : (uint16_t)i->value;
}

static void access_effect(struct state *s, const struct explore *x, const struct flight *f) {
  const struct test_insn *i = &x->t->thread[f->thread].insn[f->insn];
  const uint16_t old = s->memory[f->loc], value = stored_value(s, f->thread, i);
  if (i->kind == TEST_STORE)
    s->memory[f->loc] = value;
  else if (i->kind == TEST_ATOM && (i->atom != ATOM_CAS || old == i->compare))
    s->memory[f->loc] = (uint16_t)(i->atom == ATOM_ADD ? old + value : value);
  if (i->reg != NO_REG) s->reg[f->thread][i->reg] = old;
  s->open[f->thread] &= (uint16_t) ~(1u << f->insn);
}

static void fill_effect(struct state *s, const struct explore *x, const struct flight *f) {
  const uint16_t value = s->memory[f->loc];
  for (unsigned t = 0; t < x->t->threads; t++)
    for (unsigned n = 0; n < x->t->thread[t].insns; n++) {
      if ((f->waits[t] >> n & 1u) == 0) continue;
      s->reg[t][x->t->thread[t].insn[n].reg] = value;
      s->open[t] &= (uint16_t) ~(1u << n);
    }
  if (!f->joinable) return;
  s->here[f->sm][f->loc] = true;
  s->copy[f->sm][f->loc] = value;
}

/* The oldest of each SM and location, or of each SM, may take effect. */
static void effects(struct explore *x, const struct state *s) {
  for (unsigned k = 0; k < s->flights; k++) {
    if (k > 0 && s->flight[k - 1].sm == s->flight[k].sm && (x->o->in_order || s->flight[k - 1].loc == s->flight[k].loc))
      continue;
    struct state next = *s;
    const struct flight f = s->flight[k];
    next.flights--;
    for (unsigned j = k; j < next.flights; j++) next.flight[j] = next.flight[j + 1];
    memset(&next.flight[next.flights], 0, sizeof next.flight[0]);
    if (f.kind == FLIGHT_FILL)
      fill_effect(&next, x, &f);
    else
      access_effect(&next, x, &f);
    push_state(x, &next);
  }
}

/* ---- copies that others bring, and that go ---- */

static void copies(struct explore *x, const struct state *s) {
  for (unsigned t = 0; t < x->t->threads; t++) {
    const unsigned sm = sm_of(x, t);
    for (unsigned loc = 0; loc < x->t->locs; loc++) {
      struct state next = *s;
      unsigned fills = 0;
      bool comes = false;
      for (unsigned k = 0; k < s->flights; k++) {
        if (s->flight[k].sm != sm || s->flight[k].loc != loc || s->flight[k].kind != FLIGHT_FILL) continue;
        fills++;
        comes |= s->flight[k].joinable;
      }
      if (s->here[sm][loc]) {
        give_up_copy(&next, sm, loc);
      } else {
        struct flight *f = comes || fills >= FILLS_OF_LINE ? NULL : send(&next, x, FLIGHT_FILL, sm, loc);
        if (f == NULL) continue;
        f->joinable = true;
      }
      push_state(x, &next);
    }
  }
}

/* ---- threads ---- */

static void go_on(struct state *s, unsigned t) {
  s->pc[t]++;
  s->part[t] = AT_START;
}

static bool value_there(const struct state *s, const struct explore *x, unsigned t, const struct test_insn *i) {
  const int reg = i->from != NO_REG ? i->from : i->hangs;
  for (unsigned n = 0; reg != NO_REG && n < s->pc[t]; n++)
    if ((s->open[t] >> n & 1u) != 0 && x->t->thread[t].insn[n].reg == reg) return false;
  return true;
}

/* The access passes the L1. */
static bool pass_l1(struct state *s, const struct explore *x, unsigned t, const struct test_insn *i) {
  const unsigned sm = sm_of(x, t), n = s->pc[t];
  const bool reads_copy = i->kind == TEST_LOAD && (i->sem == SEM_WEAK || i->scope == SCOPE_CTA);
  if (!value_there(s, x, t, i)) return false;
  struct flight *f = NULL;
  if (!reads_copy) {
    give_up_copy(s, sm, i->loc);
    f = send(s, x, FLIGHT_ACCESS, sm, i->loc);
    if (f == NULL) return false;
    f->thread = (uint8_t)t;
    f->insn = (uint8_t)n;
  } else if (s->here[sm][i->loc]) {
    s->reg[t][i->reg] = s->copy[sm][i->loc];
    return true;
  } else {
    for (unsigned k = 0; k < s->flights && f == NULL; k++)
      if (s->flight[k].sm == sm && s->flight[k].loc == i->loc && s->flight[k].joinable) f = &s->flight[k];
    if (f == NULL) f = send(s, x, FLIGHT_FILL, sm, i->loc);
    if (f == NULL) return false;
    f->joinable = true;
    f->waits[t] |= (uint16_t)(1u << n);
  }
  s->open[t] |= (uint16_t)(1u << n);
  return true;
}

/* A fence's end; false: it waits. In state FENCING what it waits for has been noted. */
static bool fence_done(struct state *s, const struct explore *x, unsigned t, uint8_t scope) {
  const unsigned sm = sm_of(x, t);
  if ((x->o->rule == MACHINE_PERFORMED || scope != SCOPE_CTA) && s->open[t] != 0) return false;
  if (scope == SCOPE_CTA) return true;
  for (unsigned k = 0; k < s->flights; k++)
    if ((s->flight[k].awaited >> t & 1u) != 0) return false;
  for (unsigned loc = 0; loc < x->t->locs; loc++) give_up_copy(s, sm, loc);
  return true;
}

static void fence_begins(struct state *s, const struct explore *x, unsigned t, uint8_t scope) {
  for (unsigned k = 0; x->o->rule == MACHINE_PASSED && scope != SCOPE_CTA && k < s->flights; k++) {
    struct flight *f = &s->flight[k];
    if (f->kind == FLIGHT_ACCESS && f->sm == sm_of(x, t) && x->t->thread[f->thread].insn[f->insn].kind != TEST_LOAD)
      f->awaited |= (uint8_t)(1u << t);
  }
}

static unsigned count_arrivals(const struct state *s, const struct explore *x, unsigned t, uint8_t barrier) {
  unsigned n = 0;
  for (unsigned k = 0; k < x->t->thread[t].insns; k++) {
    const struct test_insn *i = &x->t->thread[t].insn[k];
    if (i->kind != TEST_BAR || i->barrier != barrier) continue;
    n += k < s->pc[t] || (k == s->pc[t] && s->part[t] == ARRIVED);
  }
  return n;
}

static bool uses(const struct explore *x, unsigned t, uint8_t barrier) {
  for (unsigned k = 0; k < x->t->thread[t].insns; k++)
    if (x->t->thread[t].insn[k].kind == TEST_BAR && x->t->thread[t].insn[k].barrier == barrier) return true;
  return false;
}

static bool meet_at_barrier(struct state *s, const struct explore *x, unsigned t, const struct test_insn *i) {
  if (s->part[t] != ARRIVED) {
    if (x->o->rule == MACHINE_PERFORMED && s->open[t] != 0) return false;
    s->part[t] = ARRIVED;
    if (i->arrives) go_on(s, t);
    return true;
  }
  const unsigned own = count_arrivals(s, x, t, i->barrier);
  for (unsigned j = 0; j < x->t->threads; j++)
    if (x->t->thread[j].cta == x->t->thread[t].cta && uses(x, j, i->barrier) &&
        count_arrivals(s, x, j, i->barrier) < own)
      return false;
  go_on(s, t);
  return true;
}

/* One part of the instruction: fence before, access, fence behind; a fence begins, then ends. False: it waits. */
static bool step_thread(struct state *s, const struct explore *x, unsigned t) {
  const struct test_insn *i = &x->t->thread[t].insn[s->pc[t]];
  const uint8_t behind = mapping_behind(i, 0), before = i->kind == TEST_FENCE ? behind : mapping_before(i);
  if (i->kind == TEST_BAR) return meet_at_barrier(s, x, t, i);
  switch (s->part[t]) {
  case AT_START:
    if (before != MAPPING_NONE) {
      fence_begins(s, x, t, before);
      s->part[t] = BEFORE;
      return true;
    }
    break;
  case BEFORE:
    if (!fence_done(s, x, t, before)) return false;
    s->part[t] = ARRIVED;
    if (i->kind == TEST_FENCE) go_on(s, t);
    return true;
  case BEHIND:
    if (!fence_done(s, x, t, behind)) return false;
    go_on(s, t);
    return true;
  case FENCING:
    fence_begins(s, x, t, behind);
    s->part[t] = BEHIND;
    return true;
  default:
    break;
  }
  if (!pass_l1(s, x, t, i)) return false;
  if (behind != MAPPING_NONE)
    s->part[t] = FENCING;
  else
    go_on(s, t);
  return true;
}

/* ---- outcomes ---- */

static bool all_ended(const struct state *s, const struct test *t) {
  for (unsigned k = 0; k < t->threads; k++)
    if (s->pc[k] != t->thread[k].insns || s->open[k] != 0) return false;
  return true;
}

static void outcome(struct explore *x, const struct state *s) {
  uint32_t value[OUTCOME_MAX] = {0};
  unsigned n = 0;
  for (unsigned k = 0; k < x->t->threads; k++)
    for (unsigned r = 0; r < x->t->thread[k].regs; r++) value[n++] = s->reg[k][r];
  for (unsigned l = 0; l < x->t->locs; l++) value[n++] = s->memory[l];
  for (unsigned k = 0; k < x->r->outcomes; k++)
    if (memcmp(x->reached[k], value, sizeof value) == 0) return;
  if (x->r->outcomes == OUTCOMES_MAX) {
    x->bad = true;
    return;
  }
  memcpy(x->reached[x->r->outcomes++], value, sizeof value);
  if (x->o->sc != NULL && !outcomes_has(x->o->sc, value)) x->r->weak++;
  if (outcomes_has(x->allowed, value)) return;
  if (x->r->forbidden++ == 0) memcpy(x->r->first, value, sizeof value);
}

static void push_first_state(struct explore *x) {
  struct state s;
  memset(&s, 0, sizeof s);
  for (unsigned l = 0; l < x->t->locs; l++) s.memory[l] = (uint16_t)x->t->first[l];
  push_state(x, &s);
}

bool machine_run(const struct test *t, const struct machine_options *o, const struct outcomes *allowed,
                 struct machine_result *r) {
  struct explore x = {.t = t, .o = o, .allowed = allowed, .r = r};
  memset(r, 0, sizeof *r);
  if (test_has(t, TEST_LAUNCH)) return false; /* it runs one */
  for (unsigned l = 0; l < t->locs; l++)
    if (t->shared[l]) return false; /* it knows global memory alone */
  x.reached = malloc(OUTCOMES_MAX * sizeof *x.reached);
  x.bad = x.reached == NULL;
  push_first_state(&x);
  while (x.depth > 0 && !x.bad) {
    const struct state s = x.stack[--x.depth];
    if (all_ended(&s, t)) outcome(&x, &s);
    effects(&x, &s);
    copies(&x, &s);
    for (unsigned k = 0; k < t->threads; k++) {
      struct state next = s;
      if (s.pc[k] < t->thread[k].insns && step_thread(&next, &x, k)) push_state(&x, &next);
    }
  }
  free(x.stack);
  free(x.seen.slot);
  free(x.reached);
  return !x.bad;
}
