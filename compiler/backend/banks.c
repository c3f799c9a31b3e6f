/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bank a register lies in: warp register r lies in bank r mod 4, and a bank gives one word a cycle. After
 * allocation registers are renumbered so that the words that one instruction reads lie in different banks where that
 * can be: units (a single register, or the aligned block of a wide one) of the same size change places as long as that
 * takes away conflicts, those of inner loops first. As many registers as before, and nothing else changes.
 */
#include "compiler/backend/bank_reads.h"
#include "compiler/backend/live.h"

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
static bool movable(const struct banks *k, unsigned r) {
  const unsigned size = k->size[r];
  if (size >= BANKS || r % size != 0) return false;
  for (unsigned w = 0; w < size; w++)
    if (k->size[r + w] != size || k->frozen[r + w]) return false;
  return true;
}

/* What it saves to put units a and b, of the same size, in each other's place. */
static int64_t gain(const struct banks *k, unsigned a, unsigned b) {
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

static bool improve(struct banks *k, unsigned a) {
  const unsigned size = k->size[a];
  int64_t best = 0;
  unsigned with = a;
  for (unsigned b = 0; b + size <= k->registers; b += size) {
    if (k->size[b] != size || !movable(k, b) || k->place[a] % BANKS == k->place[b] % BANKS) continue;
    const int64_t g = gain(k, a, b);
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
      if (movable(k, a) && improve(k, a)) again = true;
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
