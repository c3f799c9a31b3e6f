/* SPDX-License-Identifier: Apache-2.0
 * Candidate executions, one after the other. */
#include "lab/verify/litmus/src/litmus_candidate.h"

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
