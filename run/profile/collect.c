/* SPDX-License-Identifier: Apache-2.0
 * What a device tells of each warp in each cycle, and what its records show of memory. */
#include <string.h>

#include "base/array.h"
#include "run/profile/internal.h"

/* What instructions do in memory, from the records that memory shows. */

/* Bytes of a lane's access (the numbers of a size are those of the ISA file). */
static uint8_t access_bytes(const struct heddle_isa_dec *d, unsigned access) {
  static const uint8_t bytes[] = {[ISA_SIZE_U8] = 1, [ISA_SIZE_S8] = 1, [ISA_SIZE_U16] = 2, [ISA_SIZE_S16] = 2,
                                  [ISA_SIZE_32] = 4, [ISA_SIZE_64] = 8, [ISA_SIZE_128] = 16};
  if (access == ISA_ACCESS_ATOM || access == ISA_ACCESS_RED) return (uint8_t)(4 * d->src[1].words);
  const enum heddle_isa_field f = access == ISA_ACCESS_COPY ? ISA_F_CSIZE : ISA_F_SIZE;
  if (!heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, f)) return (uint8_t)(4 * (d->rd_words != 0 ? d->rd_words : 1));
  const uint64_t size = heddle_isa_get(d->word, f);
  return size < sizeof bytes ? bytes[size] : 4;
}

/* Floating-point operations; a product with its sum is two. */
static void count_flops(struct place *p, unsigned op) {
  switch (op) {
  case ISA_OP_FADD:
  case ISA_OP_FMUL:
  case ISA_OP_DADD:
  case ISA_OP_DMUL:
  case ISA_OP_MUFU:
    p->flops = 1;
    break;
  case ISA_OP_FFMA:
  case ISA_OP_DFMA:
  case ISA_OP_HADD2:
  case ISA_OP_HMUL2:
    p->flops = 2;
    break;
  case ISA_OP_HFMA2:
    p->flops = 4;
    break;
  case ISA_OP_HMMA_16816_F32:
  case ISA_OP_HMMA_16816_F16:
    p->warp_flops = 2 * 16 * 8 * 16;
    break;
  case ISA_OP_HMMA_1688_F32:
  case ISA_OP_HMMA_1688_F16:
  case ISA_OP_HMMA_1688_F32_TF32:
    p->warp_flops = 2 * 16 * 8 * 8;
    break;
  case ISA_OP_HMMA_1684_F32_TF32:
    p->warp_flops = 2 * 16 * 8 * 4;
    break;
  case ISA_OP_DMMA_884:
    p->warp_flops = 2 * 8 * 8 * 4;
    break;
  default:
    break;
  }
}

void profile_places(struct profiler *p) {
  const struct heddle_program *g = p->job->program;
  for (uint32_t i = 0; i < p->places; i++) {
    struct heddle_isa_dec d;
    struct place *to = &p->place[i];
    *to = (struct place){.legal = false};
    if (!heddle_program_begins(g, i * ISA_STEP) || !heddle_isa_decode(heddle_program_word(g, i * ISA_STEP), &d))
      continue;
    const struct heddle_isa_instr *is = heddle_isa_instr_info((enum heddle_isa_op)d.op);
    to->legal = true;
    to->unit = d.unit;
    if (is->space != ISA_SPACE_NONE && is->access != ISA_ACCESS_NONE) to->bytes = access_bytes(&d, is->access);
    count_flops(to, d.op);
  }
}

/* Passes of shared memory if no two lanes wanted different rows of a bank: those of each row of the load/store unit in
 * which some lane executes, as many as its words need banks; where a pass serves one lane, a word each. */
static unsigned passes_would(const struct profiler *p, uint32_t exec, unsigned bytes) {
  const unsigned lanes = p->machine->lsu_lanes, words = (bytes + 3) / 4, banks = p->machine->shared_banks;
  const uint32_t row = lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
  unsigned n = 0;
  if (p->machine->shared_lanes == 1) return (unsigned)__builtin_popcount(exec) * words;
  for (unsigned at = 0; at < 32; at += lanes)
    n += ((unsigned)__builtin_popcount(exec >> at & row) * words + banks - 1) / banks;
  return n;
}

static void access_issued(struct profiler *p, const struct heddle_record_issue *i, uint64_t cycle) {
  struct flight *f = &profile_slot(p, i->id.sm, i->id.slot)->flight[i->id.seq % PROFILE_FLIGHT];
  struct charge *c = profile_charge(p, i->id.sm, i->pc);
  *f = (struct flight){
      .seq = i->id.seq, .pc = i->pc, .exec = i->exec, .issued = cycle, .last = cycle, .traced = PROFILE_NOWHERE};
  c->lanes += (unsigned)__builtin_popcount(i->exec);
}

static struct flight *access_flight(struct profiler *p, const struct heddle_record_id *id) {
  if (id->sm >= p->sms || id->slot >= p->warps) return NULL;
  struct flight *f = &profile_slot(p, id->sm, id->slot)->flight[id->seq % PROFILE_FLIGHT];
  return f->seq == id->seq && f->issued != 0 ? f : NULL;
}

/* Its last record so far. The first of memory counts the instruction. */
static struct flight *seen(struct profiler *p, const struct heddle_record_id *id, uint64_t cycle) {
  struct flight *f = access_flight(p, id);
  if (f == NULL) {
    p->lost++;
    return NULL;
  }
  f->last = cycle;
  if (f->traced != PROFILE_NOWHERE) p->traced[f->traced].end = profile_time(p, cycle);
  return f;
}

static struct flight *touches(struct profiler *p, const struct heddle_record_id *id, uint64_t cycle, uint64_t line) {
  const uint32_t tag = (uint32_t)line;
  struct flight *f = access_flight(p, id);
  if (f == NULL) return seen(p, id, cycle);
  struct charge *c = profile_charge(p, id->sm, f->pc);
  if (f->global) c->in_flight -= f->last - f->issued;
  if (!f->global) c->requests++;
  (void)seen(p, id, cycle);
  c->in_flight += f->last - f->issued;
  f->global = true;
  for (unsigned i = 0; i < f->lines; i++)
    if (f->line_tag[i] == tag) return f;
  if (f->lines < 32) f->line_tag[f->lines++] = tag;
  c->lines++;
  return f;
}

/* Sectors, and those that would do if the lanes lay side by side: at most the ones that are touched, since lanes may
 * share bytes. */
static void add_sectors(struct profiler *p, struct flight *f, unsigned sm, unsigned n) {
  struct charge *c = profile_charge(p, sm, f->pc);
  const unsigned would = ((unsigned)__builtin_popcount(f->exec) * p->place[f->pc / ISA_STEP].bytes + 31) / 32;
  const unsigned before = f->sectors < would ? f->sectors : would;
  f->sectors += n;
  c->sectors += n;
  c->ideal += (f->sectors < would ? f->sectors : would) - before;
}

static void add_pass(struct profiler *p, const struct heddle_record_id *id, uint64_t cycle) {
  struct flight *f = seen(p, id, cycle);
  if (f == NULL) return;
  struct charge *c = profile_charge(p, id->sm, f->pc);
  c->passes++;
  if (f->passes++ < passes_would(p, f->exec, p->place[f->pc / ISA_STEP].bytes)) c->passes_ideal++;
}

static void add_hit(struct profiler *p, const struct heddle_record_merge *h, uint64_t cycle) {
  const unsigned sectors = (unsigned)__builtin_popcount(h->used);
  struct flight *f = touches(p, &h->id, cycle, h->line);
  if (f == NULL) return;
  add_sectors(p, f, h->id.sm, sectors);
  profile_charge(p, h->id.sm, f->pc)->through += sectors;
}

void access_record(struct profiler *p, const struct heddle_retire_record *r) {
  struct flight *f;
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_GLOBAL:
    f = touches(p, &r->u.global.id, r->cycle, r->u.global.sector / 4);
    if (f != NULL) add_sectors(p, f, r->u.global.id.sm, 1);
    break;
  case HEDDLE_RECORD_HIT:
    add_hit(p, &r->u.merge, r->cycle); /* which it is like */
    ;
    break;
  case HEDDLE_RECORD_MERGE:
    f = access_flight(p, &r->u.merge.id);
    if (f != NULL) profile_charge(p, r->u.merge.id.sm, f->pc)->missed += (unsigned)__builtin_popcount(r->u.merge.used);
    break;
  case HEDDLE_RECORD_SHARED:
    add_pass(p, &r->u.shared.id, r->cycle);
    break;
  case HEDDLE_RECORD_WRITE:
    (void)seen(p, &r->u.write.id, r->cycle);
    break;
  case HEDDLE_RECORD_PREDICATE:
    (void)seen(p, &r->u.predicate.id, r->cycle);
    break;
  default:
    break;
  }
}

/* From what a device tells of each warp in each cycle, and from its records, to what is charged where.
 *
 * A warp's cycles up to an issue belong to what issues: it is what the warp waited for. So they are kept until the warp
 * is in class `issued`, whose cycles are, in order, the issue records of its slot. Behind the last instruction of a
 * warp they are that one's. */

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
