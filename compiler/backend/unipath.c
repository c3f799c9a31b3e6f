/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that a warp has once go to the uniform datapath (isa/doc/11-warp-uniform.md).
 *
 * A virtual register goes when every one of its writes is an instruction that the datapath can do, reads only
 * constants, special registers of the warp and registers that go too, and stands where all threads of the warp that
 * have not ended are together (unipath_find.c; converge.c says where that is, uniform.c which branches part
 * nobody). Then the threads would all have written the same number each time, at the same time: one register for the
 * warp holds what each of them would have held.
 *
 * Why no path sees what another path wrote (the registers belong to the warp): nothing is ever written while threads
 * are apart, on either divergence unit, however it takes turns. In divergent code uniform registers are only read. And
 * at a write all threads stand at that very instruction, so what any of them will still read is alive there in the
 * sense of live.h, also what only one side of a later branch reads: it cannot have been given the register that is
 * written. The same holds for the reductions of select_warp.c: they are done by all threads that have not ended, or by
 * none. Threads that ended read nothing; those that go to their end by a branch do nothing else there, while the others
 * go on together; lanes that a partial warp lacks never were.
 *
 * Readers that are ordinary instructions take one uniform operand each where they have a form for it, else a MOV brings
 * it back; predicates, and what is mostly read otherwise, are copied back where they are written. Constants that the
 * datapath must load are loaded once, where the kernel begins. Nothing is done where the machine does not have the
 * instructions (mir_usable), nor in functions that call or are called.
 */
#include "unipath.h"

enum { LOADS = 12 }; /* constants loaded at the beginning; others are loaded where they are needed */
static const uint64_t steps_most = UINT64_C(1) << 22;

struct rewrite {
  struct unipath *u;
  struct mir_operand *twin; /* by virtual register: the uniform one of a predicate, and of what is copied back */
  struct loaded {
    struct mir_operand what, reg;
  } load[LOADS];
  unsigned loads;
  struct mir_block *b;
  struct mir_insn *before; /* where code goes that comes before the instruction at hand */
};

static struct mir_insn *insn_new(const struct rewrite *r, enum heddle_isa_op op, struct mir_operand rd,
                                 const struct mir_insn *like) {
  struct mir_insn *i = ptx_alloc(r->u->f->arena, sizeof *i);
  *i = (struct mir_insn){.op = (uint16_t)op, .rd = rd, .pos = like->pos};
  return i;
}

/* In its place: neighbours may have come in between. */
static void replace(struct mir_insn *i, struct mir_insn *made) {
  made->prev = i->prev;
  made->next = i->next;
  *i = *made;
}

/* ---- constants ---- */

static struct mir_insn *load_constant(const struct rewrite *r, struct mir_operand to, const struct mir_operand *what,
                                      const struct mir_insn *like) {
  struct mir_insn *i = insn_new(r, ISA_OP_ULDC, to, like);
  i->src[0] = mir_zero();
  mir_set(i, ISA_F_CBANK, what->bank);
  mir_set(i, ISA_F_COFF16, what->offset);
  mir_set(i, ISA_F_USIZE, to.words == 2 ? ISA_USIZE_64 : ISA_USIZE_32);
  return i;
}

static struct mir_operand loaded_constant(struct rewrite *r, const struct mir_operand *what,
                                          const struct mir_insn *user) {
  struct mir_function *f = r->u->f;
  for (unsigned k = 0; k < r->loads; k++)
    if (r->load[k].what.bank == what->bank && r->load[k].what.offset == what->offset &&
        r->load[k].what.words == what->words)
      return r->load[k].reg;
  struct mir_operand to = mir_new(f, MIR_UR, what->words);
  if (r->loads == LOADS) {
    mir_insert_before(r->b, r->before, load_constant(r, to, what, user));
    return to;
  }
  mir_insert_before(f->first, f->first->first, load_constant(r, to, what, user));
  r->load[r->loads++] = (struct loaded){.what = *what, .reg = to};
  return to;
}

/* ---- instructions that go ---- */

/* x, which was a general register or a predicate. */
static struct mir_operand uniform_of(struct rewrite *r, struct mir_operand x) {
  if (x.kind != MIR_REG || (x.class != MIR_P && x.class != MIR_R)) return x;
  const bool predicate = x.class == MIR_P;
  x.class = predicate ? MIR_UP : MIR_UR;
  if (!predicate && !r->u->handed[x.reg]) return x;
  struct mir_operand *twin = &r->twin[x.reg];
  if (twin->kind == MIR_NONE) *twin = mir_new(r->u->f, (enum mir_class)x.class, r->u->f->vreg[x.reg].words);
  x.reg = twin->reg;
  return x;
}

/* Where a guard is false there may be no value at all. */
static void hand_back(struct rewrite *r, struct mir_insn *i, struct mir_operand old, struct mir_operand guard) {
  if (old.kind != MIR_REG || !r->u->handed[old.reg]) return;
  const struct mir_operand from = uniform_of(r, old);
  if (old.class == MIR_P) {
    struct mir_insn *copy = insn_new(r, ISA_OP_UP2P, mir_none(), i);
    copy->pd[0] = old;
    copy->ps[0] = from;
    copy->guard = guard;
    mir_insert_before(r->b, i->next, copy);
    return;
  }
  for (unsigned w = 0; w < old.words; w++) {
    struct mir_insn *copy = insn_new(r, ISA_OP_MOV, mir_word(old, w), i);
    copy->src[1] = mir_word(from, w);
    copy->guard = guard;
    mir_insert_before(r->b, i->next, copy);
  }
}

static void move_over(struct rewrite *r, struct mir_insn *i) {
  const struct mir_insn old = *i;
  struct mir_insn made;
  (void)unipath_form(r->u->f, &old, &made);
  for (unsigned k = 0; k < 3; k++) {
    if (unipath_constant(&old, &made, k)) {
      struct mir_operand c = loaded_constant(r, &old.src[k], &old);
      c.neg = made.src[k].neg;
      c.abs = made.src[k].abs;
      made.src[k] = c;
    } else if (made.src[k].kind == MIR_REG) {
      made.src[k] = uniform_of(r, old.src[k]);
    }
    if (old.op != ISA_OP_VOTE) made.ps[k] = uniform_of(r, old.ps[k]);
  }
  made.guard = uniform_of(r, old.guard);
  made.rd = uniform_of(r, old.rd);
  for (unsigned k = 0; k < 2; k++) made.pd[k] = uniform_of(r, old.pd[k]);
  replace(i, &made);
  const struct mir_operand guard = old.keeps_old ? mir_none() : old.guard;
  hand_back(r, i, old.rd, guard);
  for (unsigned k = 0; k < 2; k++) hand_back(r, i, old.pd[k], guard);
}

/* ---- instructions that stay ---- */

static struct mir_operand brought_back(struct rewrite *r, struct mir_operand x, const struct mir_insn *user) {
  struct mir_operand t = mir_new(r->u->f, MIR_R, x.words);
  x.class = MIR_UR;
  for (unsigned w = 0; w < x.words; w++) {
    struct mir_insn *i = insn_new(r, ISA_OP_MOV, mir_part(t, w, 1), user);
    i->src[1] = mir_word(x, w);
    i->src[1].neg = i->src[1].abs = false;
    i->guard = user->guard;
    mir_insert_before(r->b, r->before, i);
  }
  t.neg = x.neg;
  t.abs = x.abs;
  t.part = x.part;
  return t;
}

/* Is it a uniform register from now on, and nothing else? */
static bool goes_over(const struct unipath *u, uint32_t v) {
  return u->in[v] && !u->handed[v] && u->f->vreg[v].class == MIR_R;
}

static void read_uniform(struct rewrite *r, struct mir_insn *i) {
  struct mir_insn made;
  unsigned moved;
  if (!unipath_fit(r->u, i, &made, &moved)) return;
  for (unsigned k = 0; k < 3; k++)
    if (moved >> k & 1)
      made.src[k] = brought_back(r, made.src[k], i);
    else if (made.src[k].kind == MIR_REG && made.src[k].class == MIR_R && goes_over(r->u, made.src[k].reg))
      made.src[k].class = MIR_UR;
  replace(i, &made);
}

static void rewrite_block(struct rewrite *r, const uint8_t *goes) {
  struct mir_insn *fence = NULL; /* the first branch: nothing may be written behind it */
  for (struct mir_insn *i = r->b->first, *next; i; i = next) {
    next = i->next;
    if (!fence && live_is_branch(i)) fence = i;
    r->before = fence ? fence : i;
    if (goes[i->mark])
      move_over(r, i);
    else
      read_uniform(r, i);
  }
}

static void rewrite_function(struct unipath *u) {
  struct rewrite r = {.u = u};
  const uint32_t vregs = u->f->vregs;
  uint8_t *goes = live_alloc(u->f, u->l->numbers + 1);
  for (uint32_t n = 0; n < u->l->numbers; n++) goes[n] = u->site[n].insn && unipath_goes(u, u->site[n].insn);
  r.twin = live_alloc(u->f, (vregs + 1) * sizeof *r.twin);
  for (r.b = u->f->first; r.b; r.b = r.b->next) rewrite_block(&r, goes);
  for (uint32_t v = 0; v < vregs; v++)
    if (goes_over(u, v)) u->f->vreg[v].class = MIR_UR;
}

/* ---- the pass ---- */

static double frequency(const struct mir_block *b) {
  double x = b->cold ? 0.01 : 1;
  for (unsigned k = 0; k < b->loop_depth && k < 6; k++) x *= 10;
  return x;
}

static void unipath_new(struct unipath *u, struct mir_function *f) {
  *u = (struct unipath){.f = f, .l = live_ranges(f), .budget = steps_most};
  const uint32_t numbers = u->l->numbers, vregs = f->vregs;
  u->site = live_alloc(f, (numbers + 1) * sizeof *u->site);
  u->often = live_alloc(f, (numbers + 2) * sizeof *u->often);
  u->in = live_alloc(f, vregs + 1);
  u->handed = live_alloc(f, vregs + 1);
  u->stack = live_alloc(f, (vregs + 1) * sizeof *u->stack);
  u->seen = live_alloc(f, (vregs + 1) * sizeof *u->seen);
  for (struct mir_block *b = f->first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next) {
      u->site[i->mark] = (struct unipath_site){.insn = i, .block = b};
      u->often[i->mark + 1] = frequency(b);
    }
  for (uint32_t n = 0; n < numbers; n++) u->often[n + 1] += u->often[n];
}

static bool any(const struct unipath *u) {
  for (uint32_t v = 0; v < u->f->vregs; v++)
    if (u->in[v]) return true;
  return false;
}

void mir_uniform(struct mir_function *f, bool all) {
  struct unipath u;
  if (f->frame) return; /* whom it calls may write them on one path alone; who calls it need not be together */
  live_open_scratch(f);
  unipath_new(&u, f);
  unipath_together(&u);
  unipath_find(&u);
  if (any(&u) && u.budget > 0) unipath_choose(&u, all);
  const bool some = u.budget > 0 && any(&u); /* what was not thought through to the end is left */
  if (some) rewrite_function(&u);
  live_close_scratch(f);
  if (some) mir_coalesce(f);
}
