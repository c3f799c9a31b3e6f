/* SPDX-License-Identifier: Apache-2.0
 *
 * A test as a model sees it: its events, and all candidate executions.
 */
#include <string.h>
#include "lab/verify/litmus/src/litmus_candidate.h"
#include "lab/verify/litmus/src/litmus_test.h"

/* From PTX's orders to MEMBARs. */

static enum mapping_word membar_word(const struct test_insn *i) {
  if (i->kind == TEST_FENCE) return i->sem == SEM_SC ? MAPPING_FENCE_SC : MAPPING_FENCE_ACQ_REL;
  if (i->sem == SEM_ACQ_REL) return MAPPING_ATOM_ACQ_REL;
  return i->kind == TEST_LOAD ? MAPPING_LD_ACQUIRE : MAPPING_ATOM_ACQUIRE;
}

enum mapping_word mapping_word(const char *name) {
  static const char *const word[MAPPING_WORDS] = {"ld.acquire", "atom.acquire", "atom.acq_rel", "fence.acq_rel",
                                                  "fence.sc"};
  unsigned k = 0;
  while (k < MAPPING_WORDS && strcmp(name, word[k]) != 0) k++;
  return (enum mapping_word)k;
}

uint8_t mapping_before(const struct test_insn *i) {
  return test_accesses(i) && (i->sem == SEM_RELEASE || i->sem == SEM_ACQ_REL) ? i->scope : MAPPING_NONE;
}

uint8_t mapping_behind(const struct test_insn *i, unsigned narrow) {
  const bool acquires = test_accesses(i) && (i->sem == SEM_ACQUIRE || i->sem == SEM_ACQ_REL);
  if (!acquires && i->kind != TEST_FENCE) return MAPPING_NONE;
  if (i->scope != SCOPE_CTA || (narrow >> membar_word(i) & 1u) != 0) return i->scope;
  return SCOPE_GPU;
}

/* The events of a test. */

struct maker {
  const struct test *t;
  struct view *v;
  uint8_t barrier[EVENTS_MAX], instance[EVENTS_MAX];
  unsigned narrow;
  bool full;
};

static void in(struct maker *m, enum cat_set s, unsigned event) {
  m->v->x.set[s] |= UINT32_C(1) << event;
}

static unsigned event_new(struct maker *m, unsigned thread, unsigned insn) {
  struct cat_execution *x = &m->v->x;
  if (x->events == EVENTS_MAX) {
    m->full = true;
    return 0;
  }
  const unsigned e = x->events++;
  m->v->thread[e] = (uint8_t)thread;
  m->v->insn[e] = (uint8_t)insn;
  in(m, CAT_ALL, e);
  return e;
}

static void scope(struct maker *m, unsigned e, uint8_t s) {
  in(m, s == SCOPE_CTA ? CAT_CTA : CAT_GPU, e);
}

static void add_fence(struct maker *m, unsigned thread, unsigned insn, uint8_t s, bool sc) {
  const unsigned e = event_new(m, thread, insn);
  in(m, CAT_F, e);
  in(m, CAT_ACQ_REL, e);
  scope(m, e, s);
  if (!sc || m->full) return;
  in(m, CAT_SC, e);
  m->v->fences |= UINT32_C(1) << e;
}

static void add_access(struct maker *m, unsigned thread, unsigned insn, bool writes, bool plain) {
  const struct test_insn *i = &m->t->thread[thread].insn[insn];
  const unsigned e = event_new(m, thread, insn);
  if (m->full) return;
  m->v->event[thread][insn] = (uint8_t)e;
  in(m, CAT_M, e);
  if (i->kind != TEST_STORE) in(m, CAT_R, e);
  if (writes) in(m, CAT_W, e);
  if (writes && i->kind == TEST_ATOM) in(m, CAT_RMW, e);
  in(m, i->sem == SEM_WEAK ? CAT_WEAK : CAT_RLX, e);
  if (i->sem != SEM_WEAK) scope(m, e, i->scope);
  if (plain) return;
  if ((i->sem == SEM_ACQUIRE || i->sem == SEM_ACQ_REL) && i->kind != TEST_STORE) in(m, CAT_ACQ, e);
  if ((i->sem == SEM_RELEASE || i->sem == SEM_ACQ_REL) && writes) in(m, CAT_REL, e);
}

static void add_insn_events(struct maker *m, unsigned thread, unsigned k, enum view_kind kind, bool failed) {
  const struct test_insn *i = &m->t->thread[thread].insn[k];
  const bool heddle = kind == VIEW_HEDDLE;
  if (test_accesses(i)) {
    const uint8_t before = mapping_before(i), behind = mapping_behind(i, m->narrow);
    if (heddle && before != MAPPING_NONE) add_fence(m, thread, k, before, false);
    add_access(m, thread, k, i->kind != TEST_LOAD && !failed, heddle);
    if (heddle && behind != MAPPING_NONE) add_fence(m, thread, k, behind, false);
  } else if (i->kind == TEST_FENCE) {
    add_fence(m, thread, k, heddle ? mapping_behind(i, m->narrow) : i->scope, !heddle && i->sem == SEM_SC);
  } else if (i->kind == TEST_BAR) {
    const unsigned e = event_new(m, thread, k);
    in(m, CAT_B, e);
    if (i->arrives) in(m, CAT_ARV, e);
    m->barrier[e] = i->barrier;
    for (unsigned j = 0; j < k; j++) {
      const struct test_insn *older = &m->t->thread[thread].insn[j];
      if (older->kind == TEST_BAR && older->barrier == i->barrier) m->instance[e]++;
    }
  }
}

static uint8_t loc_of(const struct maker *m, unsigned e) {
  return e < m->t->locs ? (uint8_t)e : m->t->thread[m->v->thread[e]].insn[m->v->insn[e]].loc;
}

static bool hangs(const struct maker *m, unsigned a, unsigned b) {
  const struct test_thread *t = &m->t->thread[m->v->thread[a]];
  const struct test_insn *x = &t->insn[m->v->insn[a]], *y = &t->insn[m->v->insn[b]];
  const int8_t reg = y->from != NO_REG ? y->from : y->hangs;
  if ((m->v->x.set[CAT_R] >> a & 1u) == 0 || (m->v->x.set[CAT_W] >> b & 1u) == 0) return false;
  if (x->reg == NO_REG || reg != x->reg) return false;
  for (unsigned k = m->v->insn[a] + 1u; k < m->v->insn[b]; k++) /* not where it is read anew */
    if (t->insn[k].kind != TEST_FENCE && t->insn[k].reg == x->reg) return false;
  return true;
}

static bool in_next_launch(const struct maker *m, unsigned e) {
  return m->v->insn[e] > test_first_launch(&m->t->thread[m->v->thread[e]]);
}

static void relate_pair(struct maker *m, unsigned a, unsigned b) {
  struct cat_execution *x = &m->v->x;
  const bool starts = a < m->t->locs || b < m->t->locs;
  const uint32_t both = UINT32_C(1) << a | UINT32_C(1) << b;
  if ((x->set[CAT_M] & both) == both && loc_of(m, a) == loc_of(m, b)) relation_add(&x->relation[CAT_LOC], a, b);
  if (a == b) relation_add(&x->relation[CAT_ID], a, b);
  if (starts) return;
  const uint8_t s = m->v->thread[a], u = m->v->thread[b];
  if (!in_next_launch(m, a) && in_next_launch(m, b)) relation_add(&x->relation[CAT_LAUNCH], a, b);
  if (m->t->thread[s].cta != m->t->thread[u].cta) return;
  relation_add(&x->relation[CAT_SAME_CTA], a, b);
  if ((x->set[CAT_B] & both) == both && m->barrier[a] == m->barrier[b] && m->instance[a] == m->instance[b])
    relation_add(&x->relation[CAT_SYNCBAR], a, b);
  if (s != u || a >= b) return;
  relation_add(&x->relation[CAT_PO], a, b);
  if (hangs(m, a, b)) relation_add(&x->relation[CAT_DEP], a, b);
}

bool view_build(const struct test *t, enum view_kind kind, unsigned narrow, const bool failed[TEST_THREADS][TEST_INSNS],
                struct view *v) {
  struct maker m = {.t = t, .v = v, .narrow = narrow};
  memset(v, 0, sizeof *v);
  for (unsigned k = 0; k < t->locs; k++) {
    const unsigned e = event_new(&m, 0, 0);
    in(&m, CAT_W, e);
    in(&m, CAT_M, e);
    in(&m, CAT_IW, e);
  }
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned n = 0; n < t->thread[k].insns; n++) add_insn_events(&m, k, n, kind, failed != NULL && failed[k][n]);
  if (m.full) return false;
  for (unsigned a = 0; a < v->x.events; a++)
    for (unsigned b = 0; b < v->x.events; b++) relate_pair(&m, a, b);
  return true;
}

/* Candidate executions, one after the other. */

struct walk {
  const struct test *t;
  struct candidate c;
  candidate_fn *f;
  void *ctx;
  bool fresh;
};

/* ---- values ---- */

/* The register as access k finds it: from the latest access of its thread that fills it. False: not known yet. */
static bool register_at(const struct candidate *c, const struct test *t, unsigned k, int8_t reg, const bool *known,
                        uint32_t *value) {
  const struct candidate_access *a = &c->access[k];
  *value = 0;
  for (unsigned j = k; j-- > 0;) {
    const struct candidate_access *older = &c->access[j];
    if (older->thread != a->thread) break;
    if (older->reads && t->thread[older->thread].insn[older->insn].reg == reg) {
      *value = c->read[j];
      return known[j];
    }
  }
  return true;
}

/* What access k reads and writes, if what that hangs on is known. */
static bool work_out(struct candidate *c, const struct test *t, unsigned k, bool *known) {
  const struct candidate_access *a = &c->access[k];
  const struct test_insn *i = &t->thread[a->thread].insn[a->insn];
  uint32_t operand = i->value;
  if (a->reads && c->from[k] >= 0 && !known[c->from[k]]) return false;
  if (a->reads) c->read[k] = c->from[k] < 0 ? t->first[a->loc] : c->written[c->from[k]];
  if (i->from != NO_REG && !register_at(c, t, k, i->from, known, &operand)) return false;
  c->written[k] = i->kind == TEST_ATOM && i->atom == ATOM_ADD ? c->read[k] + operand : operand;
  return true;
}

/* A value that justifies itself is no execution's: it comes from nowhere. */
static bool values(struct candidate *c, const struct test *t) {
  bool known[TEST_ACCESSES] = {false};
  for (bool more = true; more;) {
    more = false;
    for (unsigned k = 0; k < c->accesses; k++)
      if (!known[k] && work_out(c, t, k, known)) known[k] = more = true;
  }
  for (unsigned k = 0; k < c->accesses; k++) {
    const struct candidate_access *a = &c->access[k];
    const struct test_insn *i = &t->thread[a->thread].insn[a->insn];
    if (!known[k]) return false;
    if (i->kind == TEST_ATOM && i->atom == ATOM_CAS && (c->read[k] == i->compare) != a->writes) return false;
  }
  return true;
}

/* ---- who reads from whom ---- */

static bool reads_from(struct walk *w, unsigned k) {
  struct candidate *c = &w->c;
  while (k < c->accesses && !c->access[k].reads) k++;
  if (k == c->accesses) {
    if (!values(c, w->t)) return true;
    const bool more = w->f(w->ctx, c, w->fresh);
    w->fresh = false;
    return more;
  }
  c->from[k] = FROM_START;
  if (!reads_from(w, k + 1)) return false;
  for (unsigned j = 0; j < c->accesses; j++) {
    if (j == k || !c->access[j].writes || c->access[j].loc != c->access[k].loc) continue;
    c->from[k] = (int8_t)j;
    if (!reads_from(w, k + 1)) return false;
  }
  return true;
}

/* ---- in which order writes come ---- */

static bool orders(struct walk *w, unsigned loc, unsigned placed) {
  struct candidate *c = &w->c;
  if (loc == w->t->locs) return reads_from(w, 0);
  if (placed == c->writes[loc]) return orders(w, loc + 1, 0);
  uint8_t *o = c->order[loc];
  for (unsigned k = placed; k < c->writes[loc]; k++) {
    const uint8_t chosen = o[k];
    o[k] = o[placed];
    o[placed] = chosen;
    if (!orders(w, loc, placed + 1)) return false;
    o[placed] = o[k];
    o[k] = chosen;
  }
  return true;
}

/* Whether each compare-and-swap writes: those from access k on. */
static bool swaps(struct walk *w, unsigned k) {
  struct candidate *c = &w->c;
  for (; k < c->accesses; k++) {
    struct candidate_access *a = &c->access[k];
    const struct test_insn *i = &w->t->thread[a->thread].insn[a->insn];
    if (i->kind != TEST_ATOM || i->atom != ATOM_CAS) continue;
    c->failed[a->thread][a->insn] = true;
    a->writes = false;
    if (!swaps(w, k + 1)) return false;
    c->failed[a->thread][a->insn] = false;
    a->writes = true;
  }
  memset(c->writes, 0, sizeof c->writes);
  for (unsigned n = 0; n < c->accesses; n++)
    if (c->access[n].writes) c->order[c->access[n].loc][c->writes[c->access[n].loc]++] = (uint8_t)n;
  w->fresh = true;
  return orders(w, 0, 0);
}

void candidate_each(const struct test *t, candidate_fn *f, void *ctx) {
  struct walk w = {.t = t, .f = f, .ctx = ctx};
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned n = 0; n < t->thread[k].insns; n++) {
      const struct test_insn *i = &t->thread[k].insn[n];
      if (!test_accesses(i) || w.c.accesses == TEST_ACCESSES) continue;
      w.c.access[w.c.accesses++] =
          (struct candidate_access){(uint8_t)k, (uint8_t)n, i->loc, i->kind != TEST_STORE, i->kind != TEST_LOAD};
    }
  (void)swaps(&w, 0);
}

void candidate_apply(const struct candidate *c, const struct test *t, struct view *v) {
  struct relation *rf = &v->x.relation[CAT_RF], *co = &v->x.relation[CAT_CO];
  relation_clear(rf, v->x.events);
  relation_clear(co, v->x.events);
  for (unsigned k = 0; k < c->accesses; k++) {
    const struct candidate_access *a = &c->access[k];
    if (!a->reads) continue;
    const struct candidate_access *from = c->from[k] < 0 ? NULL : &c->access[c->from[k]];
    relation_add(rf, from == NULL ? a->loc : v->event[from->thread][from->insn], v->event[a->thread][a->insn]);
  }
  for (unsigned l = 0; l < t->locs; l++) {
    uint32_t older = UINT32_C(1) << l;
    for (unsigned k = 0; k < c->writes[l]; k++) {
      const struct candidate_access *a = &c->access[c->order[l][k]];
      const unsigned e = v->event[a->thread][a->insn];
      for (uint32_t left = older; left != 0; left &= left - 1) relation_add(co, (unsigned)__builtin_ctz(left), e);
      older |= UINT32_C(1) << e;
    }
  }
}

unsigned candidate_outcome(const struct candidate *c, const struct test *t, uint32_t value[OUTCOME_MAX]) {
  unsigned at[TEST_THREADS], n = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    at[k] = n;
    for (unsigned r = 0; r < t->thread[k].regs; r++) value[n++] = 0;
  }
  for (unsigned k = 0; k < c->accesses; k++) {
    const struct candidate_access *a = &c->access[k];
    const int8_t reg = t->thread[a->thread].insn[a->insn].reg;
    if (a->reads && reg != NO_REG) value[at[a->thread] + (unsigned)reg] = c->read[k];
  }
  for (unsigned l = 0; l < t->locs; l++)
    value[n++] = c->writes[l] == 0 ? t->first[l] : c->written[c->order[l][c->writes[l] - 1]];
  return n;
}

void candidate_value_name(const struct test *t, unsigned k, char *buf, size_t bytes) {
  for (unsigned n = 0; n < t->threads; n++) {
    if (k < t->thread[n].regs) {
      (void)snprintf(buf, bytes, "P%u:%s", n, t->thread[n].reg_name[k]);
      return;
    }
    k -= t->thread[n].regs;
  }
  (void)snprintf(buf, bytes, "%s", t->loc_name[k]);
}
