/* SPDX-License-Identifier: Apache-2.0
 *
 * Order against bank conflicts. What an instruction reads from the banks depends on the one before it, whose operands
 * the reuse cache may hold. So behind the renumbering (banks.c) single instructions of fixed latency go a few places up
 * or down their block, past others that have nothing to do with them, as long as that takes away conflicts; no further
 * than there are conflicts to win if that brings them near to what makes their operands or needs their results, so that
 * they wait no longer than before. Nothing else changes.
 */
#include "compiler/backend/bank_reads.h"
#include "compiler/backend/live.h"
#include "compiler/backend/sched.h"

enum { REACH = 8, APART = 8, SWEEPS = 4 }; /* places to go; that stay between an instruction and what it depends on */
enum { BEHIND = 2 };                       /* instructions that care who stands before them */

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

static bool movable(const struct mir_insn *i) {
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
static int gain(struct order *o, int64_t from, int64_t to) {
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

static bool improve(struct order *o, int64_t from) {
  int best = 0;
  int64_t place = from;
  for (int far = 1; far <= REACH; far++)
    for (int step = -1; step <= 1; step += 2) {
      const int64_t to = from + step * far;
      const int won = is_in(o, to) ? gain(o, from, to) : 0;
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
  for (unsigned sweep = 0; sweep < SWEEPS && again; sweep++) {
    again = false;
    for (int64_t k = 0; k < o->entries; k++)
      if (movable(o->entry[k].insn) && improve(o, k)) again = true;
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
