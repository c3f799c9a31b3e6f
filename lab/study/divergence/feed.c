/* SPDX-License-Identifier: Apache-2.0
 *
 * Where records come from: a trace, or the model itself.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "lab/study/divergence/divergence.h"

/* Records from a trace. */

/* The records of the launch that has just been read, up to its end. */
static bool one_launch(const char *path, struct heddle_trace_reader *t, struct streams_reader *r,
                       feed_launch_fn *launch, void *ctx, char *why, size_t n) {
  const struct heddle_trace_header *h = heddle_trace_read_header(t);
  struct heddle_retire_record record;
  struct streams s;
  enum heddle_trace_item item = HEDDLE_TRACE_RECORD;
  bool ok = streams_begin(r, heddle_trace_launched(t), h->lanes, &s), told = false;
  while (ok && (item = heddle_trace_next(t, &record)) == HEDDLE_TRACE_RECORD) ok = streams_take(r, &record);
  if (ok && item != HEDDLE_TRACE_END) {
    snprintf(why, n, "%s", heddle_trace_error(t));
    told = true;
    ok = false;
  }
  ok = ok && streams_end(r);
  if (!ok && !told) snprintf(why, n, "%s: %s", path, streams_why(r));
  char wrong[1024];
  if (ok && !launch(ctx, &s, h->its, wrong, sizeof wrong)) {
    snprintf(why, n, "%s: %s", path, wrong);
    ok = false;
  }
  streams_free(&s);
  return ok;
}

bool feed_trace(const char *path, feed_launch_fn *launch, void *ctx, char *why, size_t n) {
  struct heddle_retire_record record;
  struct heddle_trace_reader *t;
  struct heddle_message msg;
  if (heddle_trace_open(path, &t, &msg) != HEDDLE_SUCCESS) {
    snprintf(why, n, "%s", msg.text);
    return false;
  }
  struct streams_reader *r = streams_reader_new();
  bool ok = r != NULL, any = false;
  if (r == NULL) snprintf(why, n, "no memory");
  while (ok) {
    const enum heddle_trace_item item = heddle_trace_next(t, &record);
    if (item == HEDDLE_TRACE_DONE) break;
    if (item == HEDDLE_TRACE_LAUNCH) {
      any = true;
      ok = one_launch(path, t, r, launch, ctx, why, n);
    } else {
      snprintf(why, n, "%s", heddle_trace_error(t));
      ok = false;
    }
  }
  if (ok && !any) {
    snprintf(why, n, "%s: it holds no launch", path);
    ok = false;
  }
  streams_reader_free(r);
  heddle_trace_free(t);
  return ok;
}

/* Records from the model: it says of each instruction what a core would show. Warps go in turn, so that blocks and
 * warps are under way side by side, as on a machine. */

struct model_block {
  bool live;
  uint64_t warps;
};

struct model_feed {
  struct heddle_model *m;
  const struct heddle_launch *l;
  const struct feed_machine *machine;
  struct streams_reader *r;
  struct heddle_effect fx;
  struct heddle_performed done;
  struct model_block block[HEDDLE_RECORD_WARPS];
  uint8_t gen[HEDDLE_RECORD_WARPS], of_block[HEDDLE_RECORD_WARPS];
  bool live[HEDDLE_RECORD_WARPS], ended[HEDDLE_RECORD_WARPS];
  uint64_t next_block, blocks, issues;
  unsigned block_warps;
  char *why;
  size_t n;
};

static bool stop_feed(struct model_feed *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool stop_feed(struct model_feed *f, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(f->why, f->n, format, ap);
  va_end(ap);
  return false;
}

static bool feed_record(struct model_feed *f, struct heddle_retire_record *r) {
  r->cycle = f->issues;
  return streams_take(f->r, r) || stop_feed(f, "%s", streams_why(f->r));
}

static bool feed_block_start(struct model_feed *f, unsigned bslot, const uint8_t *slots) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_START};
  const uint32_t *grid = f->l->grid;
  const uint64_t k = f->next_block++;
  struct heddle_record_block_start *b = &r.u.block_start;
  b->ctaid[0] = (uint32_t)(k % grid[0]);
  b->ctaid[1] = (uint32_t)(k / grid[0] % grid[1]);
  b->ctaid[2] = (uint32_t)(k / grid[0] / grid[1]);
  b->bslot = (uint8_t)bslot;
  for (unsigned i = 0; i < f->block_warps; i++) {
    b->warps |= UINT64_C(1) << slots[i];
    f->gen[slots[i]]++;
    f->live[slots[i]] = true;
    f->ended[slots[i]] = false;
    f->of_block[slots[i]] = (uint8_t)bslot;
  }
  f->block[bslot] = (struct model_block){true, b->warps};
  if (heddle_block_start(f->m, bslot, b->ctaid, slots, f->block_warps) != HEDDLE_SUCCESS)
    return stop_feed(f, "the model: %s", heddle_model_diag(f->m));
  return feed_record(f, &r);
}

/* Blocks in order, as long as slots are free. */
static bool feed_block_starts(struct model_feed *f) {
  while (f->next_block < f->blocks) {
    uint8_t slots[HEDDLE_RECORD_WARPS];
    unsigned got = 0, b = 0;
    for (unsigned w = 0; w < f->machine->warp_slots && got < f->block_warps; w++)
      if (!f->live[w]) slots[got++] = (uint8_t)w;
    while (b < f->machine->block_slots && f->block[b].live) b++;
    if (got < f->block_warps || b == f->machine->block_slots) return true;
    if (!feed_block_start(f, b, slots)) return false;
  }
  return true;
}

static bool feed_block_end(struct model_feed *f, unsigned bslot) {
  const uint64_t warps = f->block[bslot].warps;
  for (uint64_t rest = warps; rest != 0; rest &= rest - 1)
    if (!f->ended[__builtin_ctzll(rest)]) return true;
  if (heddle_block_end(f->m, bslot) != HEDDLE_SUCCESS) return stop_feed(f, "the model: %s", heddle_model_diag(f->m));
  for (uint64_t rest = warps; rest != 0; rest &= rest - 1) f->live[__builtin_ctzll(rest)] = false;
  f->block[bslot].live = false;
  return feed_block_starts(f);
}

static bool feed_instruction(struct model_feed *f, unsigned w) {
  struct heddle_effect *fx = &f->fx;
  if (f->issues == f->machine->most) return stop_feed(f, "more than %llu issues", (unsigned long long)f->issues);
  const enum heddle_error st = heddle_warp_issue(f->m, w, fx);
  if (st != HEDDLE_SUCCESS || fx->traps) return stop_feed(f, "the model: %s", heddle_model_diag(f->m));
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE};
  r.u.issue = (struct heddle_record_issue){.id = {.slot = (uint8_t)w, .gen = f->gen[w], .seq = fx->seq},
                                           .pc = fx->pc,
                                           .active = fx->active,
                                           .exec = fx->exec,
                                           .word = {fx->dec.word.lo, fx->dec.word.hi}};
  if (!feed_record(f, &r)) return false;
  f->issues++;
  if (heddle_perform_whole(f->m, w, fx, &f->done) != HEDDLE_SUCCESS)
    return stop_feed(f, "the model: %s", heddle_model_diag(f->m));
  f->ended[w] = fx->warp_ended;
  for (unsigned id = 0; id < 16 && (fx->bar_wait || fx->warp_ended); id++)
    (void)heddle_barrier_release(f->m, f->of_block[w], id); /* those that are complete; the others say so */
  return !fx->warp_ended || feed_block_end(f, f->of_block[w]);
}

static bool feed_warps(struct model_feed *f) {
  if (!feed_block_starts(f)) return false;
  for (bool any = true; any;) {
    any = false;
    for (unsigned w = 0; w < f->machine->warp_slots; w++) {
      if (!f->live[w] || f->ended[w] || heddle_warp_waiting(f->m, w)) continue;
      any = true;
      if (!feed_instruction(f, w)) return false;
    }
  }
  if (!heddle_grid_done(f->m))
    return stop_feed(f, "the model: warps wait at barriers that cannot fill, or no slot is free");
  return true;
}

static bool check_room(struct model_feed *f) {
  const uint32_t *g = f->l->grid, *b = f->l->block;
  const uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
  f->blocks = (uint64_t)g[0] * g[1] * g[2];
  f->block_warps = (unsigned)((threads + HEDDLE_LANES - 1) / HEDDLE_LANES);
  if (f->machine->warp_slots > HEDDLE_RECORD_WARPS || f->machine->block_slots > HEDDLE_RECORD_WARPS)
    return stop_feed(f, "more than %u slots", HEDDLE_RECORD_WARPS);
  if (threads > (uint64_t)f->machine->warp_slots * HEDDLE_LANES)
    return stop_feed(f, "a block has more warps than slots");
  return true;
}

bool feed_model(struct heddle_model *m, const struct heddle_launch *l, const struct feed_machine *machine,
                feed_launch_fn *launch, void *ctx, char *why, size_t n) {
  struct streams s = {0};
  struct model_feed *f = calloc(1, sizeof *f);
  struct streams_reader *r = streams_reader_new();
  bool ok = f != NULL && r != NULL;
  if (!ok) snprintf(why, n, "no memory");
  if (ok) {
    *f = (struct model_feed){.m = m, .l = l, .machine = machine, .r = r, .why = why, .n = n};
    ok = check_room(f);
    if (ok && !streams_begin(r, l, HEDDLE_LANES, &s)) ok = stop_feed(f, "%s", streams_why(r));
    ok = ok && feed_warps(f);
    if (ok && !streams_end(r)) ok = stop_feed(f, "%s", streams_why(r));
    ok = ok && launch(ctx, &s, machine->its, why, n);
  }
  streams_free(&s);
  streams_reader_free(r);
  free(f);
  return ok;
}
