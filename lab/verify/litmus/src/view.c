/* SPDX-License-Identifier: Apache-2.0
 * The events of a test. */
#include "lab/verify/litmus/src/litmus_view.h"

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
