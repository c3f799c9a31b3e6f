/* SPDX-License-Identifier: Apache-2.0
 * Which virtual registers could live on the uniform datapath: the largest set in which everything is written by
 * instructions that it can do, from constants and members of the set, where all of the warp is together. */
#include "compiler/backend/unipath.h"

static bool is_candidate(const struct unipath *u, const struct mir_operand *x) {
  return x->kind != MIR_REG || (x->class != MIR_R && x->class != MIR_P) || u->in[x->reg];
}

bool unipath_goes(const struct unipath *u, const struct mir_insn *i) {
  struct mir_insn made;
  if (!u->site[i->mark].together || !unipath_form(u->f, i, &made)) return false;
  if (i->rd.kind != MIR_REG && i->pd[0].kind != MIR_REG && i->pd[1].kind != MIR_REG) return false;
  bool all = is_candidate(u, &i->guard) && is_candidate(u, &i->rd);
  for (unsigned k = 0; k < 3; k++) {
    all = all && is_candidate(u, &i->src[k]);
    if (i->op != ISA_OP_VOTE) all = all && is_candidate(u, &i->ps[k]);
  }
  for (unsigned k = 0; k < 2; k++) all = all && is_candidate(u, &i->pd[k]);
  return all;
}

/* ---- who writes and reads what ---- */

static void note_register(uint32_t *first, uint32_t *list, uint32_t reg, uint32_t number, bool count) {
  if (count)
    first[reg + 2]++;
  else
    list[first[reg + 1]++] = number;
}

static void note_insn(struct unipath *u, struct mir_insn *i, bool count) {
  struct mir_operand *x[LIVE_USES_MAX];
  unsigned n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++) note_register(u->writers, u->writer_list, x[k]->reg, i->mark, count);
  n = live_uses(i, x);
  for (unsigned k = 0; k < n; k++) note_register(u->readers, u->reader_list, x[k]->reg, i->mark, count);
}

static void visit_all(struct unipath *u, bool count) {
  for (uint32_t n = 0; n < u->l->numbers; n++)
    if (u->site[n].insn) note_insn(u, u->site[n].insn, count);
}

static void make_lists(struct unipath *u) {
  const uint32_t n = u->f->vregs;
  u->writers = live_alloc(u->f, ((size_t)n + 3) * sizeof *u->writers);
  u->readers = live_alloc(u->f, ((size_t)n + 3) * sizeof *u->readers);
  visit_all(u, true);
  for (uint32_t v = 0; v < n; v++) {
    u->writers[v + 2] += u->writers[v + 1];
    u->readers[v + 2] += u->readers[v + 1];
  }
  u->writer_list = live_alloc(u->f, ((size_t)u->writers[n + 1] + 1) * sizeof *u->writer_list);
  u->reader_list = live_alloc(u->f, ((size_t)u->readers[n + 1] + 1) * sizeof *u->reader_list);
  visit_all(u, false);
}

/* ---- what cannot go, and what then cannot either ---- */

static void push_register(struct unipath *u, uint32_t v, uint32_t *depth) {
  if (!u->in[v] || u->seen[v] == u->stamp) return;
  u->seen[v] = u->stamp;
  u->stack[(*depth)++] = v;
}

static void push_results(struct unipath *u, struct mir_insn *i, uint32_t *depth) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  const unsigned n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++) push_register(u, x[k]->reg, depth);
}

/* Votes take each thread's own predicate, wherever it is. */
static bool needs(const struct mir_insn *i, uint32_t v) {
  if (i->op != ISA_OP_VOTE || i->guard.kind == MIR_REG) return true;
  for (unsigned k = 0; k < 3; k++)
    if (i->ps[k].kind == MIR_REG && i->ps[k].reg == v) return false;
  return true;
}

uint32_t unipath_closure(struct unipath *u, uint32_t v) {
  uint32_t depth = 0;
  u->stamp++;
  push_register(u, v, &depth);
  for (uint32_t k = 0; k < depth && u->budget > 0; k++) {
    v = u->stack[k];
    for (uint32_t n = u->writers[v]; n < u->writers[v + 1]; n++)
      push_results(u, u->site[u->writer_list[n]].insn, &depth);
    for (uint32_t n = u->readers[v]; n < u->readers[v + 1]; n++) {
      struct mir_insn *i = u->site[u->reader_list[n]].insn;
      if (needs(i, v)) push_results(u, i, &depth);
      u->budget -= u->budget > 0;
    }
  }
  return depth;
}

void unipath_drop(struct unipath *u, uint32_t v) {
  const uint32_t n = unipath_closure(u, v);
  for (uint32_t k = 0; k < n; k++) u->in[u->stack[k]] = 0;
}

static void mark_candidates(struct unipath *u) {
  for (uint32_t v = 0; v < u->f->vregs; v++) {
    const struct mir_vreg *r = &u->f->vreg[v];
    const bool written = u->writers[v] < u->writers[v + 1];
    u->in[v] = written && r->fixed < 0 && ((r->class == MIR_R && r->words <= 2) || r->class == MIR_P);
  }
}

void unipath_find(struct unipath *u) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  make_lists(u);
  mark_candidates(u);
  for (uint32_t n = 0; n < u->l->numbers && u->budget > 0; n++) {
    struct mir_insn *i = u->site[n].insn;
    if (!i || unipath_goes(u, i)) continue;
    const unsigned defs = live_defs(i, x);
    for (unsigned k = 0; k < defs; k++)
      if (u->in[x[k]->reg]) unipath_drop(u, x[k]->reg);
  }
}
