/* SPDX-License-Identifier: Apache-2.0
 * Parts of control codes that nothing depends on. Whether it is so says a proof without the part; why it is so says the
 * state in front of the instruction. */
#include <stdio.h>
#include <string.h>

#include "isa/lint/internal.h"
#include "base/options.h"

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
