/* SPDX-License-Identifier: Apache-2.0
 * What a back end knows of a fault: the same of all of them. */
#include <inttypes.h>
#include <string.h>

#include "run/runner/runner_internal.h"

static struct heddle_fault *begin_fault(struct run_result *out, enum heddle_fault_kind kind, const char *cause) {
  out->fault.known = true;
  out->fault.fault = (struct heddle_fault){.size = sizeof out->fault.fault, .kind = kind};
  snprintf(out->fault.cause, sizeof out->fault.cause, "%s", cause);
  return &out->fault.fault;
}

static void put_place(struct heddle_fault *f, const struct heddle_trap *t) {
  f->has_place = true;
  f->pc = t->pc;
  memcpy(f->ctaid, t->ctaid, sizeof f->ctaid);
  f->warp = t->warp_in_block;
  f->lanes = t->lanes;
  f->sequence = t->seq;
}

void run_fault_trap(struct run_result *out, const struct job *job) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_TRAP, heddle_cause_name(out->trap.cause));
  put_place(f, &out->trap);
  f->units = job->launch.units;
  f->has_address = heddle_cause_has_address(out->trap.cause);
  f->address = out->trap.addr + out->trap.offset;
  f->within = out->trap.exact ? 0 : heddle_cause_within(out->trap.cause, out->trap.addr, true);
}

void run_fault_undefined(struct run_result *out, const struct heddle_undefined *u) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_UNDEFINED, u->what);
  struct heddle_trap t = {.warp_in_block = u->warp_in_block, .seq = u->seq, .pc = u->pc, .lanes = u->lanes};
  memcpy(t.ctaid, u->ctaid, sizeof t.ctaid);
  if (u->pc != UINT32_MAX) put_place(f, &t);
  f->has_address = u->has_addr;
  f->address = u->addr;
  f->at_end = u->at_end;
  snprintf(out->fault.origin, sizeof out->fault.origin, "%s", u->origin);
  f->loaded = u->loaded;
  f->first_pc = u->first_pc;
}

void run_fault_difference(struct run_result *out, const struct heddle_checker_difference *d) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_DIFFERENCE, heddle_checker_kind_name(d->kind));
  if (!d->has_warp) return;
  struct heddle_trap t = {.warp_in_block = d->warp_in_block, .seq = d->seq, .pc = d->pc, .lanes = d->lanes};
  memcpy(t.ctaid, d->ctaid, sizeof t.ctaid);
  put_place(f, &t);
}

/* ---- who does not go on */

static void say_why(const struct heddle_standing *s, struct heddle_fault_wait *w) {
  if (s->waiting) {
    snprintf(w->why, sizeof w->why, "barrier %u, where %d of %u warps are", s->bar_id, __builtin_popcount(s->bar_here),
             s->bar_needs);
    return;
  }
  snprintf(w->why, sizeof w->why, "repeats itself");
  for (unsigned x = 0; x < sizeof s->parked / sizeof *s->parked; x++) {
    char name[16] = "WARPSYNC";
    if (s->parked[x] == 0) continue;
    if (x < 16) snprintf(name, sizeof name, "B%u", x);
    snprintf(w->why, sizeof w->why, "lanes 0x%08x wait at %s, pc 0x%04x, for lanes 0x%08x", s->parked[x], name,
             s->park_pc[x], s->missing[x]);
    return;
  }
}

void run_fault_deadlock(struct run_result *out, const struct heddle_model *m, unsigned slots) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_DEADLOCK, "");
  for (unsigned i = 0; m && i < slots && f->waits < RUN_WAITS; i++) {
    struct heddle_standing s;
    if (!heddle_warp_standing(m, i, &s) || s.ended || s.bar_reached) continue;
    struct heddle_fault_wait *w = &out->fault.wait[f->waits++];
    /* A warp that waits at a barrier stands behind it. */
    *w = (struct heddle_fault_wait){.warp = s.index, .pc = s.waiting ? s.bar_pc : s.pc, .lanes = s.active};
    memcpy(w->ctaid, s.ctaid, sizeof w->ctaid);
    say_why(&s, w);
  }
  if (f->waits == 0) return;
  const struct heddle_fault_wait *w = &out->fault.wait[0];
  struct heddle_trap t = {.warp_in_block = w->warp, .pc = w->pc, .lanes = w->lanes};
  memcpy(t.ctaid, w->ctaid, sizeof t.ctaid);
  put_place(f, &t);
}
