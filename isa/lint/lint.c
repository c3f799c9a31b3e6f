/* SPDX-License-Identifier: Apache-2.0
 *
 * Control codes proven sufficient, and which parts of them nothing depends on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/options.h"
#include "isa/lint/internal.h"

static void lint_close(struct lint *l);

static enum heddle_lint_verdict lint_prove(struct lint *l, struct heddle_lint_totals *t); /* may be called again */

static bool lint_open(struct lint *l, const struct heddle_program *p, const struct heddle_lint_options *o);

/* Parts of control codes that nothing depends on. Whether it is so says a proof without the part; why it is so says the
 * state in front of the instruction. */

static struct heddle_isa_ctl weaker(struct heddle_isa_ctl c, struct heddle_lint_weaker w, bool *there) {
  *there = true;
  switch (w.part) {
  case HEDDLE_LINT_STALL:
    *there = c.stall > 1;
    c.stall--;
    break;
  case HEDDLE_LINT_STALL_LEAST:
    *there = c.stall > 1;
    c.stall = 1;
    break;
  case HEDDLE_LINT_WAIT:
    *there = w.counter < HEDDLE_HAZARD_COUNTERS && (c.wait >> w.counter & 1);
    c.wait &= (uint8_t) ~(1u << w.counter);
    break;
  case HEDDLE_LINT_WBAR:
    *there = c.wbar < HEDDLE_HAZARD_COUNTERS;
    c.wbar = 7;
    break;
  case HEDDLE_LINT_RBAR:
    *there = c.rbar < HEDDLE_HAZARD_COUNTERS;
    c.rbar = 7;
    break;
  }
  return c;
}

static bool passes(struct lint *l, uint32_t at, struct heddle_isa_ctl c) {
  const struct heddle_isa_ctl before = l->insn[at].d.ctl;
  l->insn[at].d.ctl = c;
  const bool ok = lint_prove(l, NULL) == HEDDLE_LINT_PROVEN;
  l->insn[at].d.ctl = before;
  return ok;
}

/* The last thing that is on its way in `slot` for longer than `cycles`; false: nothing is. */
static bool on_its_way(const struct lint *l, const struct state *s, unsigned slot, int32_t cycles, char name[8],
                       uint32_t *pc) {
  bool any = false;
  for (int p = state_next(s, slot, -1); p >= 0; p = state_next(s, slot, p)) {
    const struct pending *r = &s->of[slot][p];
    if (r->ready == NEVER ? slot == 0 : r->ready - s->now <= cycles) continue;
    any = true;
    place_name((unsigned)p, name);
    *pc = pc_of(l, r->producer);
  }
  return any;
}

/* `l->s` serves as the state behind the instruction; `left` cycles of the stall count remain. */
static void why_stall(struct lint *l, uint32_t at, int32_t left, char *reason, size_t size) {
  char name[8];
  uint32_t pc = 0;
  const struct heddle_isa_dec *d = &l->insn[at].d;
  const int32_t cycles = d->ctl.stall;
  *l->s = *l->probed;
  l->report = false;
  step(l, at);
  l->s->now -= cycles;
  for (unsigned slot = 0; slot < SLOTS; slot++)
    for (int p = state_next(l->s, slot, -1); p >= 0; p = state_next(l->s, slot, p))
      if (l->s->of[slot][p].ready == NEVER) l->s->live[slot][p / 64] &= ~(UINT64_C(1) << (p % 64));
  for (unsigned slot = 0; slot < SLOTS; slot++) {
    if (!on_its_way(l, l->s, slot, left, name, &pc)) continue;
    snprintf(reason, size, "%s of 0x%04x is not touched so early", name, pc);
    return;
  }
  snprintf(reason, size, "no result takes that long");
}

static void why_wait(const struct lint *l, unsigned c, char *reason, size_t size) {
  char name[8];
  uint32_t pc = 0;
  if (on_its_way(l, l->probed, 1 + c, 0, name, &pc))
    snprintf(reason, size, "%s of 0x%04x, and all else on SB%u, is not touched before it is awaited again", name, pc,
             c);
  else
    snprintf(reason, size, "no result is on its way on SB%u here", c);
}

static void note_any(void *ctx, unsigned place) {
  bool *any = ctx;
  (void)place;
  *any = true;
}

static void why_counter(const struct heddle_isa_dec *d, char *reason, size_t size) {
  bool any = false;
  heddle_hazard_each_reg_result(d, note_any, &any);
  heddle_hazard_each_pred_result(d, note_any, &any);
  if (!any)
    snprintf(reason, size, "it has no result that could be awaited");
  else if (!heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit))
    snprintf(reason, size, "stall counts cover its result");
  else
    snprintf(reason, size, "nothing touches its result, unless behind a BAR or MEMBAR that awaits it");
}

bool heddle_lint_spare(const struct heddle_program *p, const struct heddle_lint_options *o, struct heddle_lint_weaker w,
                       char *reason, size_t size) {
  struct heddle_lint_options own = {0};
  if (o && !options_take(&own, sizeof own, o)) return false;
  const struct heddle_lint_options quiet = {.size = sizeof quiet, .stall = own.stall};
  uint32_t at = NOWHERE;
  struct lint l;
  bool there = false, spare = false;
  int32_t left = 1;
  const bool open = lint_open(&l, p, &quiet);
  if (open) at = flow_insn(&l, w.pc);
  if (open && at != NOWHERE && l.insn[at].legal) {
    const struct heddle_isa_ctl c = weaker(l.insn[at].d.ctl, w, &there);
    l.probe = at;
    left = c.stall;
    spare = there && passes(&l, at, l.insn[at].d.ctl) && passes(&l, at, c);
  }
  if (spare && !l.probed)
    snprintf(reason, size, "no path leads here");
  else if (spare && (w.part == HEDDLE_LINT_STALL || w.part == HEDDLE_LINT_STALL_LEAST))
    why_stall(&l, at, left, reason, size);
  else if (spare && w.part == HEDDLE_LINT_WAIT)
    why_wait(&l, w.counter, reason, size);
  else if (spare && w.part == HEDDLE_LINT_WBAR)
    why_counter(&l.insn[at].d, reason, size);
  else if (spare)
    snprintf(reason, size, "operands are read before the next instruction issues");
  lint_close(&l);
  return spare;
}

/* The fixed point: blocks are looked at again as long as the ways that lead to them bring something worse. One run for
 * each table of latencies that kernels assume; code that no kernel leads to (but perhaps a branch through a register)
 * goes by the table of the kernel or function it lies in. */

static void take_larger(uint8_t table[8], const uint8_t more[8]) {
  for (unsigned i = 0; i < 8; i++)
    if (more[i] > table[i]) table[i] = more[i];
}

/* Functions may be called by any kernel. */
static void find_functions_table(struct lint *l) {
  for (uint32_t i = 0; i < l->p->kernels; i++) take_larger(l->functions, l->p->kernel[i].stall);
}

/* ---- everything (lint.c) */
static bool lint_open(struct lint *l, const struct heddle_program *p, const struct heddle_lint_options *o) {
  *l = (struct lint){.p = p, .o = o, .probe = NOWHERE};
  if (!flow_build(l)) return false;
  find_functions_table(l);
  l->at = calloc((size_t)l->blocks + 1, sizeof *l->at);
  l->seen = calloc((size_t)l->blocks + 1, sizeof *l->seen);
  l->ran = calloc((size_t)p->kernels + 1, sizeof *l->ran);
  l->queue = calloc((size_t)l->blocks + 1, sizeof *l->queue);
  l->scratch = calloc((size_t)2 * SLOTS * HEDDLE_HAZARD_PLACES, sizeof *l->scratch);
  l->s = calloc(1, sizeof *l->s);
  return l->at && l->seen && l->ran && l->queue && l->scratch && l->s;
}

static void forget_run(struct lint *l) {
  for (uint32_t b = 0; l->at && b < l->blocks; b++) {
    free(l->at[b].entry);
    l->at[b] = (struct meeting){0};
  }
}

static void lint_close(struct lint *l) {
  forget_run(l);
  free(l->insn);
  free(l->block);
  free(l->at);
  free(l->seen);
  free(l->ran);
  free(l->queue);
  free(l->scratch);
  free(l->s);
  free(l->found);
  free(l->probed);
}

/* ---- the work list */

/* `s` (NULL: nothing is on its way) flows into block b. */
static void flow_into(struct lint *l, uint32_t b, const struct state *s) {
  if (b == NOWHERE) return;
  struct meeting *m = &l->at[b];
  const int changed = state_meet(m, s, l->scratch);
  if (changed < 0) l->failed = true;
  if (changed == 0 || m->queued || l->report) return;
  m->queued = true;
  l->queue[(l->head + l->queued++) % l->blocks] = b;
}

/* Where a branch through a register leads nothing may be on its way. */
static void check_leaving(struct lint *l, uint32_t at) {
  for (unsigned slot = 0; slot < SLOTS; slot++)
    for (int p = state_next(l->s, slot, -1); p >= 0; p = state_next(l->s, slot, p))
      if (state_live(l->s, slot, (unsigned)p)) found_touch(l, HEDDLE_LINT_LEAVE, at, slot, (unsigned)p);
}

static void probe(struct lint *l, uint32_t at) {
  if (l->probe != at || !l->report || l->probed) return;
  l->probed = malloc(sizeof *l->probed);
  if (l->probed) *l->probed = *l->s;
}

static void visit_block(struct lint *l, uint32_t b) {
  const struct block *k = &l->block[b];
  state_begin(l->s, &l->at[b]);
  for (uint32_t i = k->first; i < k->end; i++) {
    probe(l, i);
    step(l, i);
  }
  for (unsigned e = 0; e < 2; e++) flow_into(l, k->succ[e], l->s);
  flow_into(l, k->returns, NULL);
  if (k->open) check_leaving(l, k->end - 1);
}

static bool visit_queued(struct lint *l) {
  while (l->queued > 0 && !l->failed && l->work < WORK_MAX) {
    const uint32_t b = l->queue[l->head];
    l->head = (l->head + 1) % l->blocks;
    l->queued--;
    l->at[b].queued = false;
    visit_block(l, b);
  }
  return l->queued == 0;
}

/* ---- tables */

static const uint8_t none[8];

/* What the code at `pc` assumes; false: it was not scheduled. */
static bool table_at(const struct lint *l, uint32_t pc, uint8_t table[8]) {
  const struct heddle_kernel *k = owner_of(l, pc);
  const uint8_t *own = k && !k->is_function ? k->stall : l->functions;
  memcpy(table, l->o && l->o->stall ? l->o->stall : own, 8);
  return memcmp(table, none, sizeof none) != 0;
}

static bool table_fits(const struct lint *l, uint32_t pc, const uint8_t table[8]) {
  uint8_t mine[8];
  return table_at(l, pc, mine) && memcmp(mine, table, sizeof mine) == 0;
}

/* ---- runs */

static void begin_run(struct lint *l, const uint8_t table[8]) {
  heddle_hazard_fill_stalls(table, l->stall);
  forget_run(l);
  l->head = l->queued = 0;
  l->work += l->blocks;
  l->report = false;
}

/* The states are final now: go over them once more and say what is wrong. */
static void end_run(struct lint *l) {
  l->report = true;
  for (uint32_t b = 0; b < l->blocks; b++) {
    if (!l->at[b].reached) continue;
    visit_block(l, b);
    l->seen[b] = true;
  }
}

/* All kernels that assume `table`, from kernel `first` on. */
static bool run_kernels(struct lint *l, uint32_t first, const uint8_t table[8]) {
  begin_run(l, table);
  for (uint32_t k = first; k < l->p->kernels; k++) {
    const struct heddle_kernel *e = &l->p->kernel[k];
    if (e->is_function || e->entry_pc >= l->p->code_bytes || !table_fits(l, e->entry_pc, table)) continue;
    flow_into(l, flow_block(l, flow_insn(l, e->entry_pc)), NULL);
    l->ran[k] = true;
  }
  if (!visit_queued(l)) return false;
  end_run(l);
  return !l->failed;
}

/* Code that nothing led to, from block `first` on, as far as it assumes `table`. */
static bool run_rest(struct lint *l, uint32_t first, const uint8_t table[8]) {
  begin_run(l, table);
  for (uint32_t b = first; b < l->blocks; b++) {
    const uint32_t at = l->block[b].first;
    if (l->seen[b] || l->at[b].reached || !l->insn[at].legal || !table_fits(l, pc_of(l, at), table)) continue;
    flow_into(l, b, NULL);
    if (!visit_queued(l)) return false;
  }
  end_run(l);
  return !l->failed;
}

static bool run_all(struct lint *l) {
  uint8_t table[8];
  for (uint32_t k = 0; k < l->p->kernels; k++) {
    const struct heddle_kernel *e = &l->p->kernel[k];
    if (e->is_function || e->entry_pc >= l->p->code_bytes || l->ran[k]) continue;
    if (!table_at(l, e->entry_pc, table))
      found_unscheduled(l, e);
    else if (!run_kernels(l, k, table))
      return false;
  }
  for (uint32_t b = 0; b < l->blocks; b++) {
    const uint32_t at = l->block[b].first;
    if (l->seen[b] || !l->insn[at].legal || !table_at(l, pc_of(l, at), table)) continue;
    if (!run_rest(l, b, table)) return false;
  }
  return true;
}

static bool has_results(const struct insn *i) {
  bool any = false;
  if (!i->legal) return false;
  heddle_hazard_each_reg_result(&i->d, note_any, &any);
  heddle_hazard_each_pred_result(&i->d, note_any, &any);
  return any;
}

static void count_totals(const struct lint *l, struct heddle_lint_totals *t) {
  *t = (struct heddle_lint_totals){.size = sizeof *t, .findings = l->n_found + l->dropped};
  for (uint32_t k = 0; k < l->p->kernels; k++) t->kernels += !l->p->kernel[k].is_function;
  for (uint32_t b = 0; b < l->blocks; b++) {
    if (!l->seen[b]) continue;
    t->instructions += l->block[b].end - l->block[b].first;
    for (uint32_t i = l->block[b].first; i < l->block[b].end; i++) t->results += has_results(&l->insn[i]);
  }
}

/* may be called again */
static enum heddle_lint_verdict lint_prove(struct lint *l, struct heddle_lint_totals *t) {
  l->n_found = l->dropped = 0;
  l->work = 0;
  memset(l->seen, 0, l->blocks * sizeof *l->seen);
  memset(l->ran, 0, l->p->kernels * sizeof *l->ran);
  const bool done = run_all(l);
  if (l->failed) return HEDDLE_LINT_NO_MEMORY;
  if (!done) return HEDDLE_LINT_TOO_LARGE;
  if (l->o && l->o->undefined) undefined_find(l);
  if (l->failed) return HEDDLE_LINT_NO_MEMORY;
  found_emit(l);
  if (t) count_totals(l, t);
  return l->n_found > 0 ? HEDDLE_LINT_FOUND : HEDDLE_LINT_PROVEN;
}

enum heddle_lint_verdict heddle_lint(const struct heddle_program *p, const struct heddle_lint_options *o,
                                     struct heddle_lint_totals *t) {
  struct heddle_lint_options own;
  struct heddle_lint_totals totals = {.size = sizeof totals};
  struct lint l;
  enum heddle_lint_verdict v = HEDDLE_LINT_NO_MEMORY;
  if ((o && !options_take(&own, sizeof own, o)) || (t && !options_sized(t))) return HEDDLE_LINT_BAD_OPTIONS;
  if (lint_open(&l, p, o ? &own : NULL)) v = lint_prove(&l, t ? &totals : NULL);
  if (t && (v == HEDDLE_LINT_PROVEN || v == HEDDLE_LINT_FOUND)) options_give(t, sizeof totals, &totals);
  lint_close(&l);
  return v;
}
