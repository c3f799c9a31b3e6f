/* SPDX-License-Identifier: Apache-2.0
 *
 * Records to streams: launches, blocks, issues, and what is kept.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include "base/array.h"
#include "base/splitmix64.h"
#include "lab/study/divergence/streams.h"

#define AT_ANY (UINT32_MAX - 1) /* where a lane stands behind an indirect jump: the next record says */
#define AT_END (UINT32_MAX - 2) /* it has exited */
#define KEPT 64u                /* issues of a warp of which operands may still be shown */

struct slot {
  bool live;
  uint8_t gen;
  bool issued;
  uint32_t seq;
  size_t block;
  unsigned warp;
  uint32_t at[LANES];               /* word at which each lane stands, or AT_ANY, AT_END */
  uint32_t exec[KEPT], shown[KEPT]; /* of the last issues: who executes; of whom operands were shown */
};

struct streams_reader {
  struct streams *s;
  unsigned beat; /* lanes of one */
  uint32_t block_threads, block_warps;
  struct slot slot[HEDDLE_RECORD_WARPS];
  uint64_t launches, records;
  const struct heddle_retire_record *now;
  char why[STREAMS_WHY];
};

static bool reader_operands_whole(struct streams_reader *r, unsigned slot, uint32_t seq);

static bool reader_refuse(struct streams_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One issue record: may these lanes be there, and where does each go? */

/* The instruction that the records are about, as messages name it. */
static bool refuse_at(struct streams_reader *r, const struct heddle_record_issue *i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse_at(struct streams_reader *r, const struct heddle_record_issue *i, const char *format, ...) {
  char text[256];
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  return reader_refuse(r, "warp slot %u, seq %u, pc 0x%04x: %s", i->id.slot, i->id.seq, i->pc, text);
}

/* Who it is, and that nothing was left out. */
static bool check_identity(struct streams_reader *r, const struct heddle_record_issue *i) {
  const struct code *c = &r->s->code;
  if (i->id.slot >= HEDDLE_RECORD_WARPS || !r->slot[i->id.slot].live)
    return refuse_at(r, i, "no block has started in this warp slot");
  struct slot *k = &r->slot[i->id.slot];
  if (k->issued && k->gen != i->id.gen) return refuse_at(r, i, "another generation than before, within a block");
  if (i->id.seq != k->seq) return refuse_at(r, i, "the next instruction of this warp is number %u", k->seq);
  if (i->pc % ISA_STEP != 0 || i->pc / ISA_STEP >= c->words) return refuse_at(r, i, "no code is there");
  struct heddle_isa_word w;
  uint32_t bytes;
  (void)heddle_isa_fetch(r->s->bytes, i->pc, &w, &bytes); /* in the middle of a word: no instruction, refused below */
  if (w.lo != i->word[0] || w.hi != i->word[1]) return refuse_at(r, i, "the word is not the one of the code");
  k->issued = true;
  k->gen = i->id.gen;
  return true;
}

static bool masks_fit(struct streams_reader *r, const struct heddle_record_issue *i, const struct code_word *w) {
  const struct slot *k = &r->slot[i->id.slot];
  const uint32_t word = i->pc / ISA_STEP;
  if (i->active == 0) return refuse_at(r, i, "it has no active lane");
  for (uint32_t rest = i->active; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (k->at[l] == AT_END)
      return refuse_at(r, i, "lane %u of active mask 0x%08x has exited, or no thread is in it", l, i->active);
    if (k->at[l] != AT_ANY && k->at[l] != word)
      return refuse_at(r, i, "lane %u of active mask 0x%08x cannot be here: by its record before it is at 0x%04x", l,
                       i->active, k->at[l] * ISA_STEP);
  }
  if (w->uniform) return true; /* exec says nothing of single lanes */
  if ((i->exec & ~i->active) != 0)
    return refuse_at(r, i, "executing lanes 0x%08x are not among the active ones, 0x%08x", i->exec, i->active);
  if (!w->guarded && i->exec != (w->never ? 0 : i->active))
    return refuse_at(r, i, "executing lanes 0x%08x: no guard leaves out any of 0x%08x", i->exec, i->active);
  return true;
}

/* Where a lane goes from word `at`. */
static uint32_t goes(const struct code_word *w, uint32_t at, bool executes) {
  if (!executes) return at + w->step;
  switch ((enum code_kind)w->kind) {
  case CODE_BRANCH:
    return w->target;
  case CODE_INDIRECT:
    return AT_ANY;
  case CODE_EXIT:
    return AT_END;
  default:
    return at + w->step;
  }
}

/* A lane comes by `word`. */
static bool put_word(struct streams_reader *r, struct thread_stream *t, uint32_t word, bool executes, bool after_jump) {
  struct code *c = &r->s->code;
  if (after_jump && t->n > 0) {
    const uint32_t from = stream_word(t->at[t->n - 1]);
    if (from == word)
      t->n--; /* others went first: it comes to the same jump again */
    else if (!code_saw(c, from, word))
      return false;
  }
  if (!array_room(&t->at, &t->room, t->n + 1, sizeof *t->at)) return false;
  t->at[t->n++] = word << 1 | executes;
  return true;
}

/* Keeps why, behind where the reader is; returns false. */
static bool reader_issue(struct streams_reader *r, const struct heddle_record_issue *i) {
  struct streams *s = r->s;
  if (!check_identity(r, i)) return false;
  const uint32_t word = i->pc / ISA_STEP;
  const struct code_word *w = &s->code.at[word];
  if (w->kind == CODE_ILLEGAL) return refuse_at(r, i, "the word is no instruction");
  if (w->kind == CODE_STRANGE) return refuse_at(r, i, "not studied: %s", code_refusal(&s->code, word, s->bytes));
  if (!masks_fit(r, i, w)) return false;
  struct slot *k = &r->slot[i->id.slot];
  struct warp_stream *warp = &s->block[k->block].warp[k->warp];
  for (uint32_t rest = i->active; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const bool executes = (i->exec >> l & 1) != 0;
    if (!put_word(r, &warp->t[l], word, executes, k->at[l] == AT_ANY)) return refuse_at(r, i, "no memory");
    k->at[l] = goes(w, word, executes);
  }
  if (!array_room(&warp->issue, &warp->room, warp->issues + 1, sizeof *warp->issue))
    return refuse_at(r, i, "no memory");
  warp->issue[warp->issues++] = (struct issue){word, i->active};
  if (k->seq >= KEPT && !reader_operands_whole(r, i->id.slot, k->seq - KEPT)) return false;
  k->exec[k->seq % KEPT] = i->exec;
  k->shown[k->seq % KEPT] = 0;
  k->seq++;
  s->issues++;
  return true;
}

static bool reader_operands_whole(struct streams_reader *r, unsigned slot, uint32_t seq) {
  const struct slot *k = &r->slot[slot];
  const uint32_t exec = k->exec[seq % KEPT], shown = k->shown[seq % KEPT];
  if (shown == 0 || shown == exec) return true;
  return reader_refuse(r, "warp slot %u, seq %u: lanes 0x%08x executed at its issue, operands were shown of 0x%08x",
                       slot, seq, exec, shown);
}

/* A beat may be shown in parts, lanes by lanes. */
static bool reader_operands(struct streams_reader *r, const struct heddle_record_operands *o) {
  struct slot *k = o->id.slot < HEDDLE_RECORD_WARPS ? &r->slot[o->id.slot] : NULL;
  const uint32_t seq = o->id.seq;
  if (k == NULL || !k->live || !k->issued || k->gen != o->id.gen || seq >= k->seq || k->seq - seq > KEPT) return true;
  if (o->beat >= LANES / r->beat)
    return reader_refuse(r, "beat %u of operands: a warp has %u", o->beat, LANES / r->beat);
  const uint32_t of_beat = r->beat == LANES ? UINT32_MAX : (1u << r->beat) - 1;
  const uint32_t exec = k->exec[seq % KEPT] >> (o->beat * r->beat) & of_beat;
  k->shown[seq % KEPT] |= (o->mask & of_beat) << (o->beat * r->beat);
  if ((o->mask & ~exec) == 0) return true;
  return reader_refuse(r, "warp slot %u, seq %u: beat %u shows operands of lanes 0x%x, at its issue 0x%x executed",
                       o->id.slot, seq, o->beat, o->mask, exec);
}

/* Records to streams: launches, blocks, and what is kept. */

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

static bool reader_refuse(struct streams_reader *r, const char *format, ...) {
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
      return reader_refuse(r, "at the end lane %u of warp slot %u has not exited: it is at pc 0x%04x", lane, k,
                           r->slot[k].at[lane] == AT_ANY ? 0 : r->slot[k].at[lane] * ISA_STEP);
  if (!free_slots(r)) return false;
  if (r->s->blocks == 0) return reader_refuse(r, "no block has started: the trace holds no records");
  return code_find_meets(&r->s->code) || reader_refuse(r, "no memory");
}
