/* SPDX-License-Identifier: Apache-2.0
 * What it is worth to have a value on the uniform datapath.
 *
 * It gives a general register where the value lives, one of as many as are alive at most: that is taken for as small a
 * part of an instruction for each instruction executed meanwhile, and for nothing in a function of few registers: an SM
 * then holds all its warps anyway. What an instruction there takes longer, it takes less of the operand bus. It costs
 * instructions: a MOV where a reader cannot take it (or takes another one already), or one where it is written, which
 * counts three times, since it wants a general register and waits for the value too; an UP2P behind a predicate that a
 * branch or another ordinary instruction reads, which counts twice, since the branch waits for both; an ULDC for an
 * operand of the constant bank, which ordinary instructions have for nothing. A value that is dropped takes with it
 * what is computed from it, and what is there for the sake of those alone (a counter, with the predicate of its loop),
 * so it is judged together with them. */
#include "compiler/backend/unipath.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, RELIEFS = 64, REGISTERS = 32, PREDICATES = 5 }; /* room is left for loaded constants, reductions */
enum { FEW_WORDS = 48 };
static const double load_cost = 1, move_cost = 3, predicate_cost = 2;

struct prices {
  struct unipath *u;
  uint8_t *goes; /* by number */
  double *local; /* by virtual register: what it gives by itself */
  double word_gain;
};

static void find_goers(struct prices *p) {
  struct unipath *u = p->u;
  for (uint32_t n = 0; n < u->l->numbers; n++) p->goes[n] = u->site[n].insn && unipath_goes(u, u->site[n].insn);
}

static double life(const struct unipath *u, uint32_t v) {
  double sum = 0;
  for (uint32_t w = u->l->base[v]; w < u->l->base[v + 1]; w++)
    for (const struct live_range *r = u->l->word[w].ranges; r; r = r->next)
      sum += u->often[r->end / 2 + 1] - u->often[r->start / 2];
  return sum;
}

static unsigned constants_of(const struct unipath *u, const struct mir_insn *i) {
  struct mir_insn made;
  unsigned n = 0;
  if (!unipath_form(u->f, i, &made)) return 0;
  for (unsigned k = 0; k < 3; k++) n += unipath_constant(i, &made, k);
  return n;
}

static bool takes(const struct mir_insn *i, uint32_t v) {
  bool found = i->guard.kind == MIR_REG && i->guard.reg == v;
  for (unsigned k = 0; k < 3; k++) found = found || (i->ps[k].kind == MIR_REG && i->ps[k].reg == v);
  return found;
}

/* Does this reader of a predicate want it as an ordinary one? What goes may need it for the copy back of its result. */
static bool wants_predicate(const struct prices *p, uint32_t number, uint32_t v) {
  const struct mir_insn *i = p->u->site[number].insn;
  const bool guards = i->guard.kind == MIR_REG && i->guard.reg == v && !i->keeps_old;
  return takes(i, v) && (!p->goes[number] || i->op == ISA_OP_VOTE || guards);
}

static double price_predicate(struct prices *p, uint32_t v) {
  struct unipath *u = p->u;
  double copies = 0;
  u->handed[v] = false;
  for (uint32_t k = u->readers[v]; k < u->readers[v + 1]; k++)
    u->handed[v] = u->handed[v] || wants_predicate(p, u->reader_list[k], v);
  for (uint32_t k = u->writers[v]; k < u->writers[v + 1]; k++) copies += unipath_often(u, u->writer_list[k]);
  return u->handed[v] ? -predicate_cost * copies : 0;
}

/* Words of v that come back for this reader. */
static unsigned moved_words(const struct unipath *u, const struct mir_insn *i, uint32_t v) {
  struct mir_insn made;
  unsigned moved, n = 0;
  if (!unipath_fit(u, i, &made, &moved)) return 0;
  for (unsigned k = 0; k < 3; k++)
    if ((moved >> k & 1) && made.src[k].reg == v) n += made.src[k].words;
  return n;
}

/* What comes back for readers, and whether that is more than what is read where it is. */
static bool is_brought_back(const struct prices *p, uint32_t v, double *cost) {
  const struct unipath *u = p->u;
  double there = 0, back = 0;
  *cost = 0;
  for (uint32_t k = u->readers[v]; k < u->readers[v + 1]; k++) {
    const uint32_t n = u->reader_list[k];
    const unsigned words = p->goes[n] ? 0 : moved_words(u, u->site[n].insn, v);
    *(words ? &back : &there) += unipath_often(u, n);
    *cost += unipath_often(u, n) * move_cost * words;
  }
  return back > there;
}

static double price_register(struct prices *p, uint32_t v) {
  const struct unipath *u = p->u;
  double life_time = life(u, v) * p->word_gain, moves, sum = 0, copies = 0;
  u->handed[v] = false;
  for (uint32_t k = u->writers[v]; k < u->writers[v + 1]; k++) {
    const uint32_t n = u->writer_list[k];
    sum -= load_cost * constants_of(u, u->site[n].insn);
    copies += unipath_often(u, n) * move_cost * u->f->vreg[v].words;
  }
  u->handed[v] = is_brought_back(p, v, &moves);
  return u->handed[v] ? sum - copies : sum + life_time - moves;
}

/* A word of v that comes back for the reader, or where it is written, whichever is seldom. */
static double back_cost(const struct prices *p, uint32_t v, uint32_t reader) {
  const struct unipath *u = p->u;
  double written = 0;
  for (uint32_t k = u->writers[v]; k < u->writers[v + 1]; k++) written += unipath_often(u, u->writer_list[k]);
  const double read = unipath_often(u, reader);
  return move_cost * (read < written ? read : written);
}

/* Without the closure, what of others must come back for the instructions that write it. */
static double moves_for(const struct prices *p, uint32_t n) {
  const struct unipath *u = p->u;
  double sum = 0;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t w = u->writers[u->stack[k]]; w < u->writers[u->stack[k] + 1]; w++) {
      const uint32_t number = u->writer_list[w];
      struct mir_insn made;
      unsigned moved;
      if (!unipath_fit(u, u->site[number].insn, &made, &moved)) continue;
      for (unsigned s = 0; s < 3; s++)
        if (moved >> s & 1) sum += back_cost(p, made.src[s].reg, number) * made.src[s].words;
    }
  return sum;
}

static bool makes_stamped_alone(const struct unipath *u, struct mir_insn *i) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  const unsigned n = live_defs(i, x);
  bool all = true;
  for (unsigned k = 0; k < n; k++) all = all && u->seen[x[k]->reg] == u->stamp;
  return all;
}

/* Is v there for the sake of what the stack has, and nothing else? */
static bool only_feeds(const struct prices *p, uint32_t v) {
  struct unipath *u = p->u;
  const uint32_t seen = u->seen[v];
  bool all = true;
  u->seen[v] = u->stamp; /* a counter reads itself */
  for (uint32_t k = u->readers[v]; k < u->readers[v + 1] && all; k++)
    all = p->goes[u->reader_list[k]] && makes_stamped_alone(u, u->site[u->reader_list[k]].insn);
  if (!all) u->seen[v] = seen;
  return all;
}

/* A closure of n, and what is computed for its sake alone. */
static uint32_t with_feeders(const struct prices *p, uint32_t n) {
  struct unipath *u = p->u;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t w = u->writers[u->stack[k]]; w < u->writers[u->stack[k] + 1]; w++) {
      struct mir_operand *x[LIVE_USES_MAX];
      const unsigned uses = live_uses(u->site[u->writer_list[w]].insn, x);
      for (unsigned s = 0; s < uses; s++)
        if (u->in[x[s]->reg] && u->seen[x[s]->reg] != u->stamp && only_feeds(p, x[s]->reg)) u->stack[n++] = x[s]->reg;
    }
  return n;
}

static bool is_dear(struct prices *p, uint32_t v) {
  struct unipath *u = p->u;
  const uint32_t n = with_feeders(p, unipath_closure(u, v));
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) {
    sum += p->local[u->stack[k]];
    u->in[u->stack[k]] = 0;
  }
  sum += moves_for(p, n);
  for (uint32_t k = 0; k < n && sum >= 0; k++) u->in[u->stack[k]] = 1;
  return sum < 0;
}

static double price(struct prices *p, uint32_t v) {
  return p->u->f->vreg[v].class == MIR_P ? price_predicate(p, v) : price_register(p, v);
}

static bool drop_dear(struct prices *p) {
  struct unipath *u = p->u;
  bool dropped = false;
  find_goers(p);
  for (uint32_t v = 0; v < u->f->vregs; v++)
    if (u->in[v]) p->local[v] = price(p, v);
  for (uint32_t v = u->f->vregs; v-- > 0 && u->budget > 0;) {
    if (u->in[v] && is_dear(p, v)) dropped = true;
  }
  return dropped;
}

/* Of a general register for one instruction: 0 where a function has few of them. */
static double gain_of_word(const struct unipath *u) {
  int32_t *count = live_alloc(u->f, (u->l->numbers + 1) * sizeof *count), most = 0, now = 0;
  for (uint32_t w = 0; w < u->l->words; w++)
    for (const struct live_range *r = u->l->word[w].ranges; r && u->f->vreg[u->l->reg[w]].class == MIR_R; r = r->next) {
      count[r->start / 2]++;
      count[r->end / 2 + 1]--;
    }
  for (uint32_t n = 0; n < u->l->numbers; n++) {
    now += count[n];
    if (now > most) most = now;
  }
  return most <= FEW_WORDS ? 0 : 1.0 / most;
}

/* ---- room ---- */

/* Words of the class on the uniform datapath at each number; the place with most. */
static int32_t most_crowded(const struct unipath *u, unsigned class, int32_t *count, uint32_t *where) {
  const unsigned uniform = class == MIR_R ? MIR_UR : MIR_UP;
  memset(count, 0, (u->l->numbers + 1) * sizeof *count);
  for (uint32_t w = 0; w < u->l->words; w++) {
    const uint32_t v = u->l->reg[w];
    const unsigned c = u->f->vreg[v].class;
    if (c != uniform && (c != class || !u->in[v])) continue;
    for (const struct live_range *r = u->l->word[w].ranges; r; r = r->next) {
      count[r->start / 2]++;
      count[r->end / 2 + 1]--;
    }
  }
  int32_t most = 0, now = 0;
  for (uint32_t n = 0; n < u->l->numbers; n++) {
    now += count[n];
    if (now > most) *where = n;
    if (now > most) most = now;
  }
  return most;
}

static bool lives_at(const struct unipath *u, uint32_t v, uint32_t number) {
  for (uint32_t w = u->l->base[v]; w < u->l->base[v + 1]; w++)
    for (const struct live_range *r = u->l->word[w].ranges; r; r = r->next)
      if (r->start / 2 <= number && number <= r->end / 2) return true;
  return false;
}

/* Those from which least is computed go first, as many as are too many at the place. */
static void relieve(struct prices *p, unsigned class, uint32_t where, int32_t excess) {
  struct unipath *u = p->u;
  while (excess > 0) {
    uint32_t least = UINT32_MAX, least_size = 0;
    for (uint32_t v = 0; v < u->f->vregs; v++) {
      if (!u->in[v] || u->f->vreg[v].class != class || !lives_at(u, v, where)) continue;
      const uint32_t size = unipath_closure(u, v);
      if (least != UINT32_MAX && (size > least_size || (size == least_size && p->local[v] >= p->local[least])))
        continue;
      least = v;
      least_size = size;
    }
    if (least == UINT32_MAX) return;
    excess -= u->f->vreg[least].words;
    unipath_drop(u, least);
    u->budget -= u->budget > u->f->vregs ? u->f->vregs : u->budget;
  }
}

static void relieve_pressure(struct prices *p, unsigned class, int32_t limit) {
  int32_t *count = live_alloc(p->u->f, (p->u->l->numbers + 1) * sizeof *count);
  for (unsigned round = 0;; round++) {
    uint32_t where = 0;
    const int32_t most = most_crowded(p->u, class, count, &where);
    if (most <= limit) return;
    if (round == RELIEFS) p->u->budget = 0;
    if (p->u->budget == 0) return;
    relieve(p, class, where, most - limit);
  }
}

void unipath_choose(struct unipath *u, bool all) {
  struct prices p = {.u = u, .word_gain = gain_of_word(u)};
  p.goes = live_alloc(u->f, u->l->numbers + 1);
  p.local = live_alloc(u->f, (u->f->vregs + 1) * sizeof *p.local);
  for (unsigned round = 0; !all && round < ROUNDS && drop_dear(&p); round++) {}
  relieve_pressure(&p, MIR_R, REGISTERS);
  relieve_pressure(&p, MIR_P, PREDICATES);
  find_goers(&p);
  for (uint32_t v = 0; v < u->f->vregs; v++) {
    if (!u->in[v]) continue;
    p.local[v] = price(&p, v); /* handed */
  }
}
