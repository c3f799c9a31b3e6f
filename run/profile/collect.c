/* SPDX-License-Identifier: Apache-2.0
 * From what a device tells of each warp in each cycle, and from its records, to what is charged where.
 *
 * A warp's cycles up to an issue belong to what issues: it is what the warp waited for. So they are kept until the warp
 * is in class `issued`, whose cycles are, in order, the issue records of its slot. Behind the last instruction of a
 * warp they are that one's. */
#include <string.h>

#include "base/array.h"
#include "run/profile/internal.h"

/* The part of a stretch that lies in the window is kept. */
static void keep_stretch(struct profiler *p, struct warp_slot *w, struct stretch s) {
  const uint64_t from = p->options->profile_from, to = from + p->options->profile_cycles;
  if (s.from < from) s.from = from;
  if (s.to > to) s.to = to;
  if (s.from >= s.to) return;
  if (!array_room(&w->open, &w->open_room, w->opens + 1, sizeof *w->open)) {
    p->no_memory = true;
    return;
  }
  w->open[w->opens++] = s;
}

static void charge_pending(struct profiler *p, struct warp_slot *w, unsigned sm, uint32_t pc) {
  struct charge *c = profile_charge(p, sm, pc);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) c->cycles[i] += w->pending[i];
  memset(w->pending, 0, sizeof w->pending);
  if (!array_room(&p->stretch, &p->stretch_room, p->stretches + w->opens + 1, sizeof *p->stretch)) {
    p->no_memory = true;
    return;
  }
  for (size_t i = 0; i < w->opens; i++) {
    p->stretch[p->stretches] = w->open[i];
    p->stretch[p->stretches++].pc = pc;
  }
  w->opens = 0;
}

static void trace_issue(struct profiler *p, struct warp_slot *w, const struct heddle_dut_class *at,
                        const struct issue *i, uint64_t time, size_t first) {
  const uint64_t from = p->options->profile_from, to = from + p->options->profile_cycles;
  struct flight *f = &w->flight[i->seq % PROFILE_FLIGHT];
  if (time < from || time >= to) return;
  if (!array_room(&p->traced, &p->traced_room, p->traceds + 1, sizeof *p->traced)) {
    p->no_memory = true;
    return;
  }
  if (f->seq == i->seq && f->pc == i->pc) f->traced = (uint32_t)p->traceds;
  p->traced[p->traceds++] = (struct traced){.waits_from = w->waits_from,
                                            .issued = time,
                                            .first = first,
                                            .stretches = p->stretches - first,
                                            .end = f->seq == i->seq ? profile_time(p, f->last) : time,
                                            .pc = i->pc,
                                            .seq = i->seq,
                                            .sm = at->sm,
                                            .slot = at->slot};
}

/* One cycle in which the warp issues. */
static void issues(struct profiler *p, struct warp_slot *w, const struct heddle_dut_class *at, uint64_t cycle) {
  if (w->first == w->issues) { /* no record of it: the sums will not be those of the counters */
    p->lost++;
    return;
  }
  const struct issue i = w->issue[w->first++];
  const uint64_t time = profile_time(p, cycle);
  keep_stretch(p, w, (struct stretch){time, time + 1, i.pc, at->sm, at->slot, HEDDLE_COUNTER_ISSUED});
  w->pending[HEDDLE_COUNTER_ISSUED]++;
  const size_t first = p->stretches;
  charge_pending(p, w, at->sm, i.pc);
  trace_issue(p, w, at, &i, time, first);
  w->last_pc = i.pc;
  w->waits_from = time + 1;
  if (w->first == w->issues) w->first = w->issues = 0;
}

/* The slot was in `state` up to this cycle. */
static void was(struct profiler *p, struct warp_slot *w, const struct heddle_dut_class *at) {
  if (w->state >= HEDDLE_COUNTERS || at->cycle <= w->since) return;
  const uint64_t from = profile_time(p, w->since), to = profile_time(p, at->cycle);
  time_add(p, w->state, from, to);
  if (w->state == HEDDLE_COUNTER_ISSUED) {
    for (uint64_t c = w->since; c < at->cycle; c++) issues(p, w, at, c);
    return;
  }
  w->pending[w->state] += to - from;
  keep_stretch(p, w, (struct stretch){from, to, 0, at->sm, at->slot, w->state});
}

static void change_state(struct profiler *p, const struct heddle_dut_class *c) {
  if (c->sm >= p->sms || c->slot >= p->warps) return;
  struct warp_slot *w = profile_slot(p, c->sm, c->slot);
  was(p, w, c);
  if (w->state == HEDDLE_DUT_NO_WARP) {
    w->last_pc = p->job->launch.entry_pc;
    w->waits_from = profile_time(p, c->cycle);
  }
  if (c->state == HEDDLE_DUT_NO_WARP) charge_pending(p, w, c->sm, w->last_pc);
  w->state = c->state;
  w->since = c->cycle;
}

void profile_classes(void *ctx, const struct heddle_dut_class *c, size_t n) {
  struct profiler *p = ctx;
  for (size_t i = 0; i < n && !p->no_memory; i++) change_state(p, &c[i]);
}

static void begin_launch(struct profiler *p) {
  bounds_counts_begin(p->bounds);
  p->started = false;
  p->base = p->end;
  memset(p->block_from, 0, sizeof p->block_from);
  for (size_t i = 0; i < (size_t)p->sms * p->warps; i++) {
    struct warp_slot *w = &p->slot[i];
    w->state = HEDDLE_DUT_NO_WARP;
    w->first = w->issues = w->opens = 0;
    memset(w->pending, 0, sizeof w->pending);
    memset(w->flight, 0, PROFILE_FLIGHT * sizeof *w->flight);
  }
}

static void note_issue(struct profiler *p, const struct heddle_record_issue *i, uint64_t cycle) {
  struct warp_slot *w = profile_slot(p, i->id.sm, i->id.slot);
  if (!array_room(&w->issue, &w->room, w->issues + 1, sizeof *w->issue)) {
    p->no_memory = true;
    return;
  }
  w->issue[w->issues++] = (struct issue){.pc = i->pc, .seq = i->id.seq};
  access_issued(p, i, cycle);
}

static void block_starts(struct profiler *p, const struct heddle_record_block_start *b, uint64_t cycle) {
  if (!p->started) p->start = cycle;
  p->started = true;
  p->block_from[b->sm][b->bslot] = cycle + 1;
}

static void block_ends(struct profiler *p, unsigned sm, unsigned bslot, uint64_t cycle) {
  uint64_t *from = &p->block_from[sm][bslot];
  if (*from != 0) time_add(p, HEDDLE_COUNTERS, profile_time(p, *from - 1), profile_time(p, cycle));
  *from = 0;
}

void profile_observe(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                     const struct heddle_retire_record *r) {
  struct profiler *p = ctx;
  (void)m;
  (void)l;
  if (p->no_memory) return;
  if (r != NULL) bounds_look(p->bounds, r);
  if (r == NULL) {
    begin_launch(p);
  } else if (r->kind == HEDDLE_RECORD_ISSUE) {
    note_issue(p, &r->u.issue, r->cycle);
  } else if (r->kind == HEDDLE_RECORD_BLOCK_START) {
    block_starts(p, &r->u.block_start, r->cycle);
  } else if (r->kind == HEDDLE_RECORD_BLOCK_END) {
    block_ends(p, r->u.block_end.sm, r->u.block_end.bslot, r->cycle);
  } else {
    access_record(p, r);
  }
}

/* Of a grid that has ended no warp is there, and each record of an issue was met by a cycle. */
void profile_settle(struct profiler *p) {
  if (p->no_memory) return;
  for (unsigned sm = 0; sm < p->sms; sm++) {
    for (unsigned k = 0; k < p->warps; k++) {
      struct warp_slot *w = profile_slot(p, sm, k);
      p->lost += w->issues - w->first;
      charge_pending(p, w, sm, w->last_pc);
    }
  }
}
