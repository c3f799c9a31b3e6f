/* SPDX-License-Identifier: Apache-2.0
 *
 * Against bank conflicts: what an instruction reads from the banks, numbers of registers, order of instructions.
 */
#include "banks.h"
#include "compiler/backend/live.h"
#include "compiler/backend/sched.h"

/* What an instruction reads from the banks of registers. */

enum { RESULT = 3 };

static void note_bank_slot(const struct mir_function *f, const struct mir_insn *i, const struct mir_operand *x,
                           unsigned slot, struct bank_use *u) {
  if (x->kind != MIR_REG || x->class != MIR_R) return;
  u->reg[slot] = (uint8_t)(f->vreg[x->reg].phys + x->sub);
  u->words[slot] = (uint8_t)mir_words(i, slot);
}

struct bank_use bank_use_of(const struct mir_function *f, const struct mir_insn *i) {
  struct bank_use u = {.words = {0}};
  for (unsigned slot = 0; slot < RESULT; slot++) note_bank_slot(f, i, &i->src[slot], slot, &u);
  note_bank_slot(f, i, &i->rd, RESULT, &u);
  return u;
}

/* Does p leave the register in the reuse cache for others that name it in the same place? */
static bool leaves_cached(const struct bank_use *p, unsigned slot, unsigned reg) {
  if (!p || p->words[slot] != 1 || p->reg[slot] != reg) return false;
  return reg < p->reg[RESULT] || reg >= (unsigned)p->reg[RESULT] + p->words[RESULT];
}

unsigned bank_reads(struct bank_before before, bool at_once, const struct bank_use *i,
                    unsigned number[BANK_READS_MAX]) {
  unsigned n = 0;
  for (unsigned slot = 0; slot < RESULT; slot++)
    for (unsigned w = 0; w < i->words[slot] && n < BANK_READS_MAX; w++) {
      const unsigned r = (unsigned)i->reg[slot] + w;
      bool seen = i->words[slot] == 1 && leaves_cached(before.last, slot, r) &&
                  (!at_once || leaves_cached(before.earlier, slot, r));
      for (unsigned j = 0; j < n; j++) seen = seen || number[j] == r;
      if (!seen) number[n++] = r;
    }
  return n;
}

static unsigned conflicts(struct bank_before before, bool at_once, const struct bank_use *i) {
  unsigned number[BANK_READS_MAX], in[BANKS] = {0}, most = 1;
  const unsigned n = bank_reads(before, at_once, i, number);
  for (unsigned k = 0; k < n; k++)
    if (++in[number[k] % BANKS] > most) most = in[number[k] % BANKS];
  return most - 1;
}

unsigned bank_conflicts(struct bank_before before, const struct bank_use *i) {
  return conflicts(before, false, i) + conflicts(before, true, i);
}

/* Which bank a register lies in: warp register r lies in bank r mod 4, and a bank gives one word a cycle. After
 * allocation registers are renumbered so that the words that one instruction reads lie in different banks where that
 * can be: units (a single register, or the aligned block of a wide one) of the same size change places as long as that
 * takes away conflicts, those of inner loops first. As many registers as before, and nothing else changes. */

enum { REGISTERS = 256, SWEEPS = 8 };

static const int64_t weight_max = (int64_t)1 << 40;

struct banks {
  struct mir_function *f;
  unsigned registers;
  int64_t *weight;                /* by two registers: conflicts that they would have, as often as they run */
  int64_t cost[REGISTERS][BANKS]; /* of a register, if it lay there */
  uint8_t size[REGISTERS];        /* words of the unit that a register belongs to */
  uint8_t place[REGISTERS];       /* where it lies now */
  bool frozen[REGISTERS];
};

static int64_t *weight(const struct banks *k, unsigned a, unsigned b) {
  return &k->weight[a * k->registers + b];
}

/* Values that live across calls have registers that a callee keeps, and with a frame it is settled how many registers
 * there are: there nothing may move. */
static bool calls(const struct mir_function *f) {
  if (f->frame) return true;
  for (const struct mir_block *b = f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (mir_is_call(i) || mir_flow(i) == ISA_FLOW_RETURN) return true;
  return false;
}

static void find_units(struct banks *k) {
  for (unsigned r = 0; r < REGISTERS; r++) k->size[r] = 1, k->place[r] = (uint8_t)r;
  for (uint32_t v = 0; v < k->f->vregs; v++) {
    const struct mir_vreg *x = &k->f->vreg[v];
    if (x->class != MIR_R || x->phys < 0) continue;
    const unsigned first = (unsigned)x->phys;
    if (first + x->words > k->registers) k->registers = first + x->words;
    for (unsigned r = first; r < first + x->words; r++) {
      if (x->words > k->size[r]) k->size[r] = x->words;
      if (x->fixed >= 0) k->frozen[r] = true;
    }
  }
}

/* As often as it runs, and for machines of each kind. */
static void weigh_insn(struct banks *k, struct bank_before before, const struct bank_use *i, int64_t often) {
  for (unsigned at_once = 0; at_once < 2; at_once++) {
    unsigned r[BANK_READS_MAX];
    const unsigned n = bank_reads(before, at_once, i, r);
    for (unsigned x = 0; x < n; x++)
      for (unsigned y = 0; y < n; y++)
        if (x != y && *weight(k, r[x], r[y]) < weight_max) *weight(k, r[x], r[y]) += often;
  }
}

static void weigh_block(struct banks *k, const struct mir_block *b) {
  const int64_t often = b->cold ? 1 : (int64_t)8 << 3 * (b->loop_depth < 6 ? b->loop_depth : 6);
  struct bank_use use[3]; /* by turns */
  struct bank_before before = {NULL, NULL};
  unsigned n = 0;
  for (const struct mir_insn *i = b->first; i; i = i->next, n++) {
    struct bank_use *u = &use[n % 3];
    *u = bank_use_of(k->f, i);
    weigh_insn(k, before, u, often);
    before = (struct bank_before){u, before.last};
  }
}

static void weigh(struct banks *k) {
  for (const struct mir_block *b = k->f->first; b; b = b->next) weigh_block(k, b);
  for (unsigned r = 0; r < k->registers; r++)
    for (unsigned s = 0; s < k->registers; s++) k->cost[r][k->place[s] % BANKS] += *weight(k, r, s);
}

/* The first register of a unit that may move? */
static bool unit_may_move(const struct banks *k, unsigned r) {
  const unsigned size = k->size[r];
  if (size >= BANKS || r % size != 0) return false;
  for (unsigned w = 0; w < size; w++)
    if (k->size[r + w] != size || k->frozen[r + w]) return false;
  return true;
}

/* What it saves to put units a and b, of the same size, in each other's place. */
static int64_t exchange_gain(const struct banks *k, unsigned a, unsigned b) {
  int64_t saved = 0;
  for (unsigned w = 0; w < k->size[a]; w++) {
    const unsigned of_a = k->place[a + w] % BANKS, of_b = k->place[b + w] % BANKS;
    saved += k->cost[a + w][of_a] - k->cost[a + w][of_b];
    saved += k->cost[b + w][of_b] - k->cost[b + w][of_a];
    saved += 2 * *weight(k, a + w, b + w); /* they would meet only if one of them stayed */
  }
  return saved;
}

static void move_register(struct banks *k, unsigned r, unsigned to) {
  for (unsigned s = 0; s < k->registers; s++) {
    k->cost[s][k->place[r] % BANKS] -= *weight(k, s, r);
    k->cost[s][to % BANKS] += *weight(k, s, r);
  }
  k->place[r] = (uint8_t)to;
}

static bool exchange_with_best(struct banks *k, unsigned a) {
  const unsigned size = k->size[a];
  int64_t best = 0;
  unsigned with = a;
  for (unsigned b = 0; b + size <= k->registers; b += size) {
    if (k->size[b] != size || !unit_may_move(k, b) || k->place[a] % BANKS == k->place[b] % BANKS) continue;
    const int64_t g = exchange_gain(k, a, b);
    if (g > best) best = g, with = b;
  }
  for (unsigned w = 0; w < size && with != a; w++) {
    const unsigned there = k->place[with + w];
    move_register(k, with + w, k->place[a + w]);
    move_register(k, a + w, there);
  }
  return with != a;
}

static void search(struct banks *k) {
  bool again = true;
  for (unsigned sweep = 0; sweep < SWEEPS && again; sweep++) {
    again = false;
    for (unsigned a = 0; a < k->registers; a++)
      if (unit_may_move(k, a) && exchange_with_best(k, a)) again = true;
  }
}

void mir_banks(struct mir_function *f) {
  if (calls(f)) return;
  live_open_scratch(f);
  struct banks *k = ptx_alloc(f->scratch, sizeof *k);
  k->f = f;
  find_units(k);
  k->weight = ptx_alloc(f->scratch, ((size_t)k->registers * k->registers + 1) * sizeof *k->weight);
  weigh(k);
  search(k);
  for (uint32_t v = 0; v < f->vregs; v++)
    if (f->vreg[v].class == MIR_R && f->vreg[v].phys >= 0) f->vreg[v].phys = k->place[f->vreg[v].phys];
  live_close_scratch(f);
}

/* Order against bank conflicts. What an instruction reads from the banks depends on the one before it, whose operands
 * the reuse cache may hold. So behind the renumbering single instructions of fixed latency go a few places up
 * or down their block, past others that have nothing to do with them, as long as that takes away conflicts; no further
 * than there are conflicts to win if that brings them near to what makes their operands or needs their results, so that
 * they wait no longer than before. Nothing else changes. */

enum {
  REACH = 8,
  APART = 8,
  ORDER_SWEEPS = 4
};                   /* places to go; that stay between an instruction and what it depends on */
enum { BEHIND = 2 }; /* instructions that care who stands before them */

struct entry {
  struct mir_insn *insn;
  struct bank_use use;
};

struct order {
  struct mir_function *f;
  struct entry *entry; /* of a block */
  uint32_t entries;
};

static bool overlap(const struct mir_function *f, const struct mir_operand *a, const struct mir_operand *b) {
  if (a->class != b->class) return false;
  const int first_a = f->vreg[a->reg].phys + a->sub, first_b = f->vreg[b->reg].phys + b->sub;
  return first_a < first_b + b->words && first_b < first_a + a->words;
}

static bool operands_overlap(const struct mir_function *f, struct mir_operand *const *a, unsigned as,
                             struct mir_operand *const *b, unsigned bs) {
  for (unsigned x = 0; x < as; x++)
    for (unsigned y = 0; y < bs; y++)
      if (overlap(f, a[x], b[y])) return true;
  return false;
}

static bool depend(const struct mir_function *f, struct mir_insn *a, struct mir_insn *b) {
  struct mir_operand *reads_a[LIVE_USES_MAX], *reads_b[LIVE_USES_MAX], *makes_a[LIVE_DEFS_MAX], *makes_b[LIVE_DEFS_MAX];
  const unsigned ra = live_uses(a, reads_a), rb = live_uses(b, reads_b);
  const unsigned ma = live_defs(a, makes_a), mb = live_defs(b, makes_b);
  return operands_overlap(f, makes_a, ma, reads_b, rb) || operands_overlap(f, makes_b, mb, reads_a, ra) ||
         operands_overlap(f, makes_a, ma, makes_b, mb);
}

/* Others may pass it, in registers alone: not branches, not what keeps its place for another reason. */
static bool passable(const struct mir_insn *i) {
  return !sched_is_wall(i) && !i->call && !i->address_behind && mir_flow(i) == ISA_FLOW_NEXT;
}

static bool insn_may_move(const struct mir_insn *i) {
  return passable(i) && !i->ordered && !i->code && !heddle_isa_unit_is_variable(mir_unit(i));
}

static bool is_in(const struct order *o, int64_t k) {
  return k >= 0 && k < o->entries;
}

static const struct bank_use *use_at(const struct order *o, int64_t k) {
  return is_in(o, k) ? &o->entry[k].use : NULL;
}

/* Conflicts of some instructions as they stand. */
static int costs(const struct order *o, int64_t from, int64_t to) {
  int all = 0;
  for (int64_t k = from; k <= to && is_in(o, k); k++)
    all += (int)bank_conflicts((struct bank_before){use_at(o, k - 1), use_at(o, k - 2)}, &o->entry[k].use);
  return all;
}

static void move_entry(struct order *o, int64_t from, int64_t to) {
  const struct entry x = o->entry[from];
  for (int64_t k = from; k < to; k++) o->entry[k] = o->entry[k + 1];
  for (int64_t k = from; k > to; k--) o->entry[k] = o->entry[k - 1];
  o->entry[to] = x;
}

/* Conflicts that go when instruction `from` goes up or down to the place of `to`; the two behind it see another one
 * before them. */
static int move_gain(struct order *o, int64_t from, int64_t to) {
  const int64_t first = from < to ? from : to, last = (from < to ? to : from) + BEHIND;
  const int now = costs(o, first, last);
  if (now == 0) return 0;
  move_entry(o, from, to);
  const int then = costs(o, first, last);
  move_entry(o, to, from);
  return now - then;
}

/* May `from` pass all on its way to `to`, with nothing that it depends on among the next `apart` ones there? */
static bool free_way(const struct order *o, int64_t from, int64_t to, int step, int apart) {
  for (int64_t k = from + step; k != to + step * (apart + 1); k += step) {
    const bool passed = step > 0 ? k <= to : k >= to;
    if (!is_in(o, k)) return !passed;
    if (passed && !passable(o->entry[k].insn)) return false;
    if (depend(o->f, o->entry[k].insn, o->entry[from].insn)) return false;
  }
  return true;
}

static bool move_to_best(struct order *o, int64_t from) {
  int best = 0;
  int64_t place = from;
  for (int far = 1; far <= REACH; far++)
    for (int step = -1; step <= 1; step += 2) {
      const int64_t to = from + step * far;
      const int won = is_in(o, to) ? move_gain(o, from, to) : 0;
      if (won <= best || !free_way(o, from, to, step, far <= won ? 0 : APART)) continue;
      best = won;
      place = to;
    }
  if (place != from) move_entry(o, from, place);
  return place != from;
}

static void do_block(struct order *o, struct mir_block *b) {
  o->entries = 0;
  for (const struct mir_insn *i = b->first; i; i = i->next) o->entries++;
  o->entry = live_alloc(o->f, (o->entries + 1) * sizeof *o->entry);
  o->entries = 0;
  for (struct mir_insn *i = b->first; i; i = i->next) o->entry[o->entries++] = (struct entry){i, bank_use_of(o->f, i)};
  bool again = true;
  for (unsigned sweep = 0; sweep < ORDER_SWEEPS && again; sweep++) {
    again = false;
    for (int64_t k = 0; k < o->entries; k++)
      if (insn_may_move(o->entry[k].insn) && move_to_best(o, k)) again = true;
  }
  b->first = b->last = NULL;
  for (uint32_t k = 0; k < o->entries; k++) mir_append(b, o->entry[k].insn);
}

void mir_bank_order(struct mir_function *f) {
  live_open_scratch(f);
  struct order o = {.f = f};
  for (struct mir_block *b = f->first; b; b = b->next) do_block(&o, b);
  live_close_scratch(f);
}
