/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicates that live in general registers, or are compared again.
 */
#include "compiler/backend/allocate.h"

/* Predicates that need no general register to wait in: comparisons that can be made again wherever they are read. */

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

/* By register: the comparison that gives the chosen predicate wherever it is made; NULL: there is none. */
static struct mir_insn **spill_comparisons(const struct allocation *a) {
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

/* Predicates that live in general registers: 1 or 0 behind each write, a comparison before each read. Comparisons that
 * can be made again live nowhere. */

struct mir_insn *spill_insn(const struct mir_builder *m, enum heddle_isa_op op, struct mir_operand rd,
                            struct mir_operand a, struct mir_operand b) {
  struct mir_insn *i = ptx_alloc(m->f->arena, sizeof *i);
  *i = (struct mir_insn){.op = (uint16_t)op, .guard = m->guard, .rd = rd, .src = {a, b}, .pos = m->pos};
  return i;
}

bool spill_loses_guard(const struct mir_insn *i) {
  if (i->guard.kind != MIR_REG) return false;
  for (unsigned k = 0; k < 2; k++)
    if (i->pd[k].kind == MIR_REG && i->pd[k].reg == i->guard.reg) return true;
  return false;
}

static struct mir_insn *plop3(struct mir_function *f, struct mir_operand pd, struct mir_operand ps, unsigned lut,
                              struct ptx_pos pos) {
  struct mir_builder none = {.f = f, .pos = pos};
  struct mir_insn *i = spill_insn(&none, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none());
  i->pd[0] = pd;
  i->ps[0] = ps;
  mir_set(i, ISA_F_PLUT0, lut);
  return i;
}

struct mir_operand spill_copy_guard(struct mir_function *f, struct mir_block *b, struct mir_insn *before,
                                    const struct mir_insn *i) {
  struct mir_operand to = mir_new(f, MIR_P, 1), from = i->guard;
  from.neg = false;
  mir_insert_before(b, before, plop3(f, to, from, 0xf0, i->pos));
  to.neg = i->guard.neg;
  return to;
}

struct spiller {
  struct allocation *a;
  struct mir_function *f;
  struct mir_block *b;
  struct mir_insn *before;
  struct mir_operand *home; /* by register */
  struct mir_insn **again;  /* spill_comparisons */
  uint32_t vregs;
};

static bool is_chosen(const struct spiller *s, const struct mir_operand *x) {
  return x->kind == MIR_REG && x->reg < s->vregs && s->a->chosen[x->reg];
}

static struct mir_operand home_of(struct spiller *s, uint32_t v) {
  if (s->home[v].kind == MIR_NONE) {
    s->home[v] = mir_new(s->f, MIR_R, 1);
    s->a->figures->spilled_values++;
  }
  return s->home[v];
}

static struct mir_operand new_temp(struct spiller *s) {
  struct mir_operand t = mir_new(s->f, MIR_P, 1);
  allocation_mark_short(s->a, t.reg);
  return t;
}

static struct mir_insn *comparison(struct spiller *s, const struct mir_builder *m, uint32_t v) {
  struct mir_insn *i = spill_insn(m, ISA_OP_ISETP, mir_none(), mir_none(), mir_none());
  if (s->again[v]) {
    *i = *s->again[v];
    i->guard = m->guard;
    i->pos = m->pos;
    return i;
  }
  i->src[0] = home_of(s, v);
  i->src[1] = mir_zero();
  mir_set(i, ISA_F_ICMP, ISA_ICMP_NE);
  return i;
}

/* "ISETP t = home != 0" before the reader. The lanes that a guard leaves out may have no value. */
static struct mir_operand bring_back(struct spiller *s, const struct mir_operand *x, const struct mir_insn *user,
                                     struct mir_operand guard) {
  struct mir_builder m = {.f = s->f, .pos = user->pos, .guard = guard};
  struct mir_operand t = new_temp(s);
  struct mir_insn *i = comparison(s, &m, x->reg);
  i->pd[0] = t;
  mir_insert_before(s->b, s->before, i);
  t.neg = x->neg;
  return t;
}

static void rewrite_reads(struct spiller *s, struct mir_insn *i) {
  if (is_chosen(s, &i->guard)) i->guard = bring_back(s, &i->guard, i, mir_none());
  for (unsigned k = 0; k < 3; k++) {
    if (!is_chosen(s, &i->ps[k])) continue;
    struct mir_operand old = i->ps[k], now = bring_back(s, &old, i, i->guard);
    for (unsigned m = k; m < 3; m++)
      if (i->ps[m].kind == MIR_REG && i->ps[m].reg == old.reg) i->ps[m].reg = now.reg;
  }
}

static void rewrite_write(struct spiller *s, struct mir_insn *i, unsigned k, bool keeps, struct mir_operand guard) {
  struct mir_builder m = {.f = s->f, .pos = i->pos, .guard = guard};
  struct mir_operand home = home_of(s, i->pd[k].reg), t = new_temp(s);
  i->pd[k] = t;
  struct mir_insn *sel = spill_insn(&m, ISA_OP_SEL, home, mir_zero(), mir_imm(1));
  sel->ps[0] = mir_not(t);
  sel->keeps_old = keeps;
  mir_insert_before(s->b, i->next, sel);
  if (i->keeps_old) mir_insert_before(s->b, s->before, plop3(s->f, t, mir_zero(), 0, i->pos)); /* any value */
}

static void rewrite_insn(struct spiller *s, struct mir_insn *i) {
  if (i->pd[0].kind == MIR_REG && is_chosen(s, &i->pd[0]) && s->again[i->pd[0].reg]) {
    mir_remove(s->b, i);
    return;
  }
  rewrite_reads(s, i);
  bool chosen[2] = {is_chosen(s, &i->pd[0]), is_chosen(s, &i->pd[1])};
  if (!chosen[0] && !chosen[1]) return;
  const bool keeps = i->keeps_old;
  struct mir_operand guard = i->guard;
  if (spill_loses_guard(i)) guard = spill_copy_guard(s->f, s->b, s->before, i);
  bool others = i->rd.kind == MIR_REG;
  for (unsigned k = 0; k < 2; k++) others = others || (i->pd[k].kind == MIR_REG && !chosen[k]);
  i->keeps_old = keeps && others;
  /* Behind the instruction the write of pd[1] comes last, as in the instruction. */
  if (chosen[1]) rewrite_write(s, i, 1, keeps, guard);
  if (chosen[0]) rewrite_write(s, i, 0, keeps, guard);
}

void spill_predicates(struct allocation *a) {
  struct spiller s = {.a = a, .f = a->f, .vregs = a->f->vregs};
  s.home = live_alloc(a->f, (s.vregs + 1) * sizeof *s.home);
  s.again = spill_comparisons(a);
  for (s.b = a->f->first; s.b; s.b = s.b->next) {
    struct mir_insn *fence = NULL;
    for (struct mir_insn *i = s.b->first, *next; i; i = next) {
      next = i->next;
      if (!fence && live_is_branch(i)) fence = i;
      s.before = fence ? fence : i;
      rewrite_insn(&s, i);
    }
  }
}
