/* SPDX-License-Identifier: Apache-2.0
 * Records to streams: launches, blocks, and what is kept. */
#include "reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "base/splitmix64.h"

void streams_free(struct streams *s) {
  for (size_t b = 0; b < s->blocks; b++) {
    struct block_stream *k = &s->block[b];
    for (unsigned w = 0; w < k->warps; w++) {
      for (unsigned l = 0; l < LANES; l++) free(k->warp[w].t[l].at);
      free(k->warp[w].issue);
    }
    free(k->warp);
  }
  free(s->block);
  free(s->bytes);
  code_free(&s->code);
  *s = (struct streams){0};
}

uint64_t streams_hash(const struct streams *s) {
  uint64_t sum = 0;
  for (size_t b = 0; b < s->blocks; b++)
    for (unsigned w = 0; w < s->block[b].warps; w++)
      for (unsigned l = 0; l < LANES; l++) {
        const struct thread_stream *t = &s->block[b].warp[w].t[l];
        sum = splitmix64_mix(sum + 1);
        for (size_t i = 0; i < t->n; i++) sum = splitmix64_mix(sum ^ t->at[i]);
      }
  return sum;
}

struct streams_reader *streams_reader_new(void) {
  return calloc(1, sizeof(struct streams_reader));
}

void streams_reader_free(struct streams_reader *r) {
  free(r);
}

const char *streams_why(const struct streams_reader *r) {
  return r->why;
}

bool reader_refuse(struct streams_reader *r, const char *format, ...) {
  va_list ap;
  int n = snprintf(r->why, sizeof r->why, "launch %" PRIu64, r->launches - 1);
  if (r->now != NULL)
    n += snprintf(r->why + n, sizeof r->why - (size_t)n, ", record %" PRIu64 ", cycle %" PRIu64, r->records - 1,
                  r->now->cycle);
  n += snprintf(r->why + n, sizeof r->why - (size_t)n, ": ");
  va_start(ap, format);
  (void)vsnprintf(r->why + n, sizeof r->why - (size_t)n, format, ap);
  va_end(ap);
  return false;
}

bool streams_begin(struct streams_reader *r, const struct heddle_launch *l, unsigned lanes, struct streams *s) {
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  *s = (struct streams){.entry = l->entry_pc / ISA_STEP};
  r->s = s;
  r->beat = lanes;
  r->now = NULL;
  r->records = 0;
  r->launches++;
  if (threads == 0 || threads > 32u * HEDDLE_RECORD_WARPS)
    return reader_refuse(r, "blocks of %" PRIu64 " threads", threads);
  if (lanes == 0 || LANES % lanes != 0) return reader_refuse(r, "a beat of %u lanes", lanes);
  r->block_threads = (uint32_t)threads;
  r->block_warps = (r->block_threads + LANES - 1) / LANES;
  for (unsigned k = 0; k < HEDDLE_RECORD_WARPS; k++) r->slot[k] = (struct slot){0};
  s->bytes = malloc((size_t)l->code_bytes + 1);
  if (s->bytes == NULL || !code_read(&s->code, l->code, l->code_bytes)) return reader_refuse(r, "no memory");
  memcpy(s->bytes, l->code, l->code_bytes);
  if (s->entry >= s->code.words) return reader_refuse(r, "it starts at pc 0x%04x, where no code is", l->entry_pc);
  return true;
}

/* Warp `warp` of the newest block takes a slot. */
static void warp_start(struct streams_reader *r, unsigned slot, unsigned warp) {
  struct streams *s = r->s;
  struct slot *k = &r->slot[slot];
  const uint32_t left = r->block_threads - warp * LANES, lanes = left < LANES ? (1u << left) - 1 : UINT32_MAX;
  *k = (struct slot){.live = true, .gen = k->gen, .block = s->blocks - 1, .warp = warp};
  for (unsigned l = 0; l < LANES; l++) k->at[l] = (lanes >> l & 1) != 0 ? s->entry : AT_END;
  s->block[s->blocks - 1].warp[warp].lanes = lanes;
}

static bool block_start(struct streams_reader *r, const struct heddle_record_block_start *b) {
  struct streams *s = r->s;
  if ((unsigned)__builtin_popcountll(b->warps) != r->block_warps)
    return reader_refuse(r, "a block starts in %d warp slots and has %u warps", __builtin_popcountll(b->warps),
                         r->block_warps);
  for (uint64_t rest = b->warps; rest != 0; rest &= rest - 1)
    if (r->slot[__builtin_ctzll(rest)].live)
      return reader_refuse(r, "a block starts in warp slot %d, which another one has", __builtin_ctzll(rest));
  if (!array_room(&s->block, &s->room, s->blocks + 1, sizeof *s->block)) return reader_refuse(r, "no memory");
  struct warp_stream *warp = calloc(r->block_warps, sizeof *warp);
  if (warp == NULL) return reader_refuse(r, "no memory");
  s->block[s->blocks++] = (struct block_stream){.warps = r->block_warps, .warp = warp};
  unsigned i = 0;
  for (uint64_t rest = b->warps; rest != 0; rest &= rest - 1) warp_start(r, (unsigned)__builtin_ctzll(rest), i++);
  return true;
}

/* Slots whose lanes have all exited are free; whoever comes next may take them. */
static bool has_ended(const struct slot *k, unsigned *lane) {
  for (unsigned l = 0; l < LANES; l++) {
    *lane = l;
    if (k->at[l] != AT_END) return false;
  }
  return true;
}

/* A block that starts may take slots of one whose end has not been said, but not before all its lanes have exited. */
static bool free_slots(struct streams_reader *r) {
  unsigned lane;
  for (unsigned k = 0; k < HEDDLE_RECORD_WARPS; k++) {
    struct slot *s = &r->slot[k];
    if (!s->live || !has_ended(s, &lane)) continue;
    s->live = false;
    for (uint32_t seq = s->seq > KEPT ? s->seq - KEPT : 0; seq < s->seq; seq++)
      if (!reader_operands_whole(r, k, seq)) return false;
  }
  return true;
}

bool streams_take(struct streams_reader *r, const struct heddle_retire_record *record) {
  r->now = record;
  r->records++;
  switch (record->kind) {
  case HEDDLE_RECORD_BLOCK_START:
    return free_slots(r) && block_start(r, &record->u.block_start);
  case HEDDLE_RECORD_ISSUE:
    return reader_issue(r, &record->u.issue);
  case HEDDLE_RECORD_OPERANDS:
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    return reader_operands(r, &record->u.operands);
  case HEDDLE_RECORD_TRAP:
    return reader_refuse(r, "the launch traps: its threads end in the middle");
  default:
    return true;
  }
}

bool streams_end(struct streams_reader *r) {
  unsigned lane;
  r->now = NULL;
  for (unsigned k = 0; k < HEDDLE_RECORD_WARPS; k++)
    if (r->slot[k].live && !has_ended(&r->slot[k], &lane))
      return reader_refuse(r, "at the end lane %u of warp slot %u has not exited: it stands at pc 0x%04x", lane, k,
                           r->slot[k].at[lane] == AT_ANY ? 0 : r->slot[k].at[lane] * ISA_STEP);
  if (!free_slots(r)) return false;
  if (r->s->blocks == 0) return reader_refuse(r, "no block has started: the trace holds no records");
  return code_find_meets(&r->s->code) || reader_refuse(r, "no memory");
}
