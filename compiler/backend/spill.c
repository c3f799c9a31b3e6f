/* SPDX-License-Identifier: Apache-2.0
 * General registers that live in local memory: a store behind each write, a load before each read.
 *
 * A value that one instruction can make anywhere (a constant, a special register) is made again instead. Within a block
 * a loaded or just written value stays in its register until the next read when the pressure allows it. Loads and
 * stores carry the guard of the instruction that they serve: lanes that it leaves alone may have no value at all. */
#include "compiler/backend/allocate.h"

/* A spilled register's words that are in a register at the moment. */
struct held {
  uint32_t block;       /* 1 + the block in which this holds */
  uint32_t since, last; /* numbers: when it was made, last used */
  struct mir_operand temp, guard;
  uint8_t first, mask; /* word of the spilled register at which temp begins; words that have their value */
};

struct spiller {
  struct allocation *a;
  struct mir_function *f;
  struct mir_block *b;
  struct mir_insn *before;       /* where code that comes before goes */
  const struct mir_insn **remat; /* by word */
  int64_t *slot;                 /* by register: byte offset in local memory; -1: none yet */
  struct held *held;             /* by register */
  uint32_t *written;             /* by register: 1 + the number of the last write seen */
  uint32_t vregs;                /* that there were before */
};

static bool is_clock(const struct mir_insn *i) {
  const uint64_t what = mir_get(i, ISA_F_SREG);
  return what == ISA_SREG_SR_CLOCKLO || what == ISA_SREG_SR_CLOCKHI;
}

/* Could this instruction be repeated where its result is read? */
static bool repeats(const struct mir_insn *i) {
  if (i->rd.kind != MIR_REG || i->rd.words != 1 || i->keeps_old || i->ordered) return false;
  const struct mir_operand *s = &i->src[1];
  if (i->op == ISA_OP_MOV) return s->kind == MIR_IMM || s->kind == MIR_CONST || s->kind == MIR_ZERO;
  if (i->op == ISA_OP_LDC) return i->src[0].kind == MIR_ZERO;
  return i->op == ISA_OP_S2R && !is_clock(i);
}

const struct mir_insn **spill_remats(const struct liveness *l) {
  const struct mir_insn **remat = live_alloc(l->f, (l->words + 1) * sizeof *remat);
  for (uint32_t k = 0; k < l->blocks; k++)
    for (const struct mir_insn *i = l->order[k]->first; i; i = i->next) {
      if (!repeats(i)) continue;
      uint32_t word = live_word_of(l, &i->rd, 0);
      const struct live_def *d = l->word[word].defs;
      if (d && !d->next) remat[word] = i;
    }
  return remat;
}

static uint32_t word_index(const struct spiller *s, uint32_t v, unsigned word) {
  return s->a->l->base[v] + word;
}

static bool is_chosen(const struct spiller *s, const struct mir_operand *x) {
  return x->kind == MIR_REG && x->reg < s->vregs && s->a->chosen[x->reg];
}

static uint32_t spill_slot(struct spiller *s, uint32_t v, struct ptx_pos pos) {
  if (s->slot[v] < 0) {
    uint32_t bytes = 4u * s->f->vreg[v].words;
    uint32_t at = (s->f->local_bytes + bytes - 1) / bytes * bytes;
    const uint32_t reach = (uint32_t)heddle_isa_field_most(ISA_F_OFF24),
                   most = reach < HEDDLE_LOCAL_MAX ? reach : HEDDLE_LOCAL_MAX;
    if (at + bytes > most)
      ptx_fatal(s->f->diag, pos, "spilled registers and local variables need more than %u bytes", most);
    s->f->local_bytes = at + bytes;
    s->slot[v] = at;
    s->a->figures->spilled_values++;
  }
  return (uint32_t)s->slot[v];
}

static uint64_t size_field(unsigned words) {
  return words == 4 ? ISA_SIZE_128 : words == 2 ? ISA_SIZE_64 : ISA_SIZE_32;
}

static struct mir_insn *local_access(struct spiller *s, enum heddle_isa_op op, struct mir_operand data, uint32_t v,
                                     unsigned word, const struct mir_insn *of, struct mir_operand guard) {
  bool load = op == ISA_OP_LDL;
  struct mir_builder none = {.f = s->f, .pos = of->pos};
  struct mir_operand base = s->f->frame ? s->f->frame->stack : mir_zero();
  struct mir_insn *i = spill_insn(&none, op, load ? data : mir_none(), base, load ? mir_none() : data);
  i->guard = guard;
  mir_set(i, ISA_F_SIZE, size_field(data.words));
  mir_set(i, ISA_F_OFF24, spill_slot(s, v, of->pos) + 4 * word);
  if (load)
    s->a->figures->spill_loads++;
  else
    s->a->figures->spill_stores++;
  return i;
}

/* Words `mask` of register v into `temp`, which begins at word `first`. */
static void bring_back(struct spiller *s, uint32_t v, struct mir_operand temp, unsigned first, unsigned mask,
                       const struct mir_insn *user) {
  bool whole = true;
  for (unsigned k = 0; k < temp.words; k++)
    whole = whole && (mask >> (first + k) & 1) && !s->remat[word_index(s, v, first + k)];
  if (whole) {
    mir_insert_before(s->b, s->before, local_access(s, ISA_OP_LDL, temp, v, first, user, user->guard));
    return;
  }
  for (unsigned k = 0; k < temp.words; k++) {
    if (!(mask >> (first + k) & 1)) continue;
    const struct mir_insn *again = s->remat[word_index(s, v, first + k)];
    struct mir_operand to = mir_part(temp, k, 1);
    struct mir_insn *i;
    if (again) {
      i = ptx_alloc(s->f->arena, sizeof *i);
      *i = *again;
      i->rd = to;
      i->guard = user->guard;
    } else {
      i = local_access(s, ISA_OP_LDL, to, v, first + k, user, user->guard);
    }
    mir_insert_before(s->b, s->before, i);
  }
}

/* The smallest aligned part of a register that has all words of the mask. */
static unsigned part_of(unsigned mask, unsigned *words) {
  unsigned low = 0;
  while (!(mask >> low & 1)) low++;
  if (mask >> low == 1) {
    *words = 1;
    return low;
  }
  *words = mask & ~(3u << (low & ~1u)) ? 4 : 2;
  return *words == 4 ? 0 : low & ~1u;
}

static bool same_guard(const struct mir_operand *a, const struct mir_operand *b) {
  return a->kind == b->kind && (a->kind != MIR_REG || (a->reg == b->reg && a->neg == b->neg));
}

/* May what is held serve this reader? Then its register is occupied up to here. (Not for what was held that way before
 * and had to go after all.) */
static bool extend_held(struct spiller *s, uint32_t v, unsigned mask, const struct mir_insn *user) {
  struct held *h = &s->held[v];
  if (v >= s->a->vregs || h->block != s->b->id + 1 || (mask & ~h->mask)) return false;
  if (h->guard.kind == MIR_REG && (!same_guard(&h->guard, &user->guard) || s->written[h->guard.reg] > h->since + 1))
    return false;
  uint32_t from = 2 * h->last + 1, to = 2 * user->mark - 1;
  if (from <= to) {
    if (pressure_max(s->a->pressure, from, to) + h->temp.words > s->a->limit[MIR_R]) return false;
    pressure_add(s->a->pressure, from, to, h->temp.words);
    s->a->short_lived[h->temp.reg] = 0;
  }
  h->last = user->mark;
  return true;
}

static void hold(struct spiller *s, uint32_t v, struct mir_operand temp, unsigned first, unsigned mask,
                 struct mir_operand guard, uint32_t number) {
  s->held[v] = (struct held){.block = s->b->id + 1,
                             .since = number,
                             .last = number,
                             .temp = temp,
                             .guard = guard,
                             .first = (uint8_t)first,
                             .mask = (uint8_t)mask};
}

static struct mir_operand new_temp(struct spiller *s, unsigned words) {
  struct mir_operand t = mir_new(s->f, MIR_R, words);
  allocation_mark_short(s->a, t.reg);
  return t;
}

/* A constant can often stand in the instruction itself. */
static bool put_constant(struct spiller *s, struct mir_insn *i, struct mir_operand *x) {
  if (x->words != 1 || x->neg || x->abs || x->part) return false;
  const struct mir_insn *again = s->remat[word_index(s, x->reg, x->sub)];
  if (!again || again->op != ISA_OP_MOV) return false;
  struct mir_operand old = *x;
  *x = again->src[1];
  if (mir_encoding(i) >= 0) return true;
  *x = old;
  return false;
}

static void read_one(struct spiller *s, struct mir_insn *i, uint32_t v) {
  unsigned mask = 0, words;
  for (unsigned k = 0; k < 3; k++)
    if (i->src[k].kind == MIR_REG && i->src[k].reg == v) mask |= ((1u << i->src[k].words) - 1) << i->src[k].sub;
  struct held *h = &s->held[v];
  if (!extend_held(s, v, mask, i)) {
    unsigned first = part_of(mask, &words);
    struct mir_operand t = new_temp(s, words);
    bring_back(s, v, t, first, mask, i);
    hold(s, v, t, first, mask, i->guard, i->mark);
  }
  for (unsigned k = 0; k < 3; k++)
    if (i->src[k].kind == MIR_REG && i->src[k].reg == v) {
      i->src[k].reg = h->temp.reg;
      i->src[k].sub = (uint8_t)(i->src[k].sub - h->first);
    }
}

static void rewrite_reads(struct spiller *s, struct mir_insn *i) {
  for (unsigned k = 0; k < 3; k++)
    if (is_chosen(s, &i->src[k])) put_constant(s, i, &i->src[k]);
  for (unsigned k = 0; k < 3; k++)
    if (is_chosen(s, &i->src[k])) read_one(s, i, i->src[k].reg);
}

/* The result goes to a register of its own and from there to memory. */
static void rewrite_write(struct spiller *s, struct mir_insn *i) {
  const struct mir_operand rd = i->rd;
  struct mir_operand t = new_temp(s, rd.words), guard = i->guard;
  if (i->keeps_old && (i->pd[0].kind == MIR_REG || i->pd[1].kind == MIR_REG)) {
    for (unsigned k = 0; k < t.words; k++) { /* any value: memory keeps the old one */
      struct mir_builder none = {.f = s->f, .pos = i->pos};
      mir_insert_before(s->b, s->before, spill_insn(&none, ISA_OP_MOV, mir_part(t, k, 1), mir_none(), mir_zero()));
    }
  } else {
    i->keeps_old = false;
  }
  if (spill_loses_guard(i)) guard = spill_copy_guard(s->f, s->b, s->before, i);
  i->rd = t;
  mir_insert_before(s->b, i->next, local_access(s, ISA_OP_STL, t, rd.reg, rd.sub, i, guard));
  hold(s, rd.reg, t, rd.sub, ((1u << rd.words) - 1) << rd.sub, guard, i->mark);
}

static void note_writes(struct spiller *s, struct mir_insn *i) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  unsigned n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++)
    if (x[k]->reg < s->vregs) s->written[x[k]->reg] = i->mark + 1;
}

static void rewrite_block(struct spiller *s) {
  struct mir_insn *fence = NULL; /* the first branch: nothing may be written behind it */
  for (struct mir_insn *i = s->b->first, *next; i; i = next) {
    next = i->next;
    if (!fence && live_is_branch(i)) fence = i;
    s->before = fence ? fence : i;
    bool is_remat = is_chosen(s, &i->rd) && s->remat[word_index(s, i->rd.reg, i->rd.sub)] == i;
    if (is_remat) {
      mir_remove(s->b, i);
      continue;
    }
    rewrite_reads(s, i);
    note_writes(s, i);
    if (is_chosen(s, &i->rd)) rewrite_write(s, i);
  }
}

void spill_registers(struct allocation *a) {
  struct spiller s = {.a = a, .f = a->f, .remat = spill_remats(a->l), .vregs = a->f->vregs};
  s.slot = live_alloc(a->f, (s.vregs + 1) * sizeof *s.slot);
  s.held = live_alloc(a->f, (s.vregs + 1) * sizeof *s.held);
  s.written = live_alloc(a->f, (s.vregs + 1) * sizeof *s.written);
  for (uint32_t v = 0; v < s.vregs; v++) s.slot[v] = -1;
  for (s.b = a->f->first; s.b; s.b = s.b->next) rewrite_block(&s);
}
