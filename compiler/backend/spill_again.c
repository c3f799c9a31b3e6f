/* SPDX-License-Identifier: Apache-2.0
 * Predicates that need no general register to wait in: comparisons that can be made again wherever they are read. */
#include "compiler/backend/spill.h"

/* By word of a register: how often it is written, and where last. */
struct writes {
  const struct liveness *l;
  uint32_t *count;
  struct mir_insn **by;
  bool *early; /* by the block that is executed once, before all others */
};

static void note_write(struct writes *w, const struct mir_operand *x, struct mir_insn *i, bool early) {
  for (unsigned p = 0; p < x->words; p++) {
    const uint32_t word = live_word_of(w->l, x, p);
    w->count[word]++;
    w->by[word] = i;
    w->early[word] = early;
  }
}

static struct writes find_writes(const struct allocation *a) {
  const struct mir_function *f = a->f;
  const uint32_t n = a->l->words + 1;
  struct mir_operand *x[LIVE_USES_MAX];
  struct writes w = {a->l, live_alloc(f, n * sizeof *w.count), live_alloc(f, n * sizeof *w.by),
                     live_alloc(f, n * sizeof *w.early)};
  for (struct mir_block *b = f->first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next) {
      const unsigned defs = live_defs(i, x);
      for (unsigned k = 0; k < defs; k++) note_write(&w, x[k], i, b == f->first && b->preds == 0);
    }
  return w;
}

/* Written once, in the first block: whoever reads it later, finds the same; before the comparison nothing counted. */
static bool stays(const struct writes *w, const struct mir_operand *x) {
  if (x->kind != MIR_REG) return true;
  for (unsigned p = 0; p < x->words; p++) {
    const uint32_t word = live_word_of(w->l, x, p);
    if (w->count[word] != 1 || !w->early[word]) return false;
  }
  return true;
}

static bool is_again(const struct writes *w, const struct mir_insn *i, uint32_t v) {
  if ((i->op != ISA_OP_ISETP && i->op != ISA_OP_FSETP) || i->guard.kind == MIR_REG || i->keeps_old) return false;
  if (i->pd[0].kind != MIR_REG || i->pd[0].reg != v || i->pd[1].kind == MIR_REG) return false;
  for (unsigned k = 0; k < 3; k++)
    if (i->ps[k].kind == MIR_REG || !stays(w, &i->src[k])) return false;
  return true;
}

struct mir_insn **spill_comparisons(const struct allocation *a) {
  const struct mir_function *f = a->f;
  struct mir_insn **again = live_alloc(f, (f->vregs + 1) * sizeof *again);
  const struct writes w = find_writes(a);
  for (uint32_t v = 0; v < f->vregs; v++) {
    if (!a->chosen[v] || f->vreg[v].class != MIR_P) continue;
    const uint32_t word = a->l->base[v];
    if (w.count[word] == 1 && is_again(&w, w.by[word], v)) again[v] = w.by[word];
  }
  return again;
}
