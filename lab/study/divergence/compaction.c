/* SPDX-License-Identifier: Apache-2.0
 *
 * Thread-block compaction: W. Fung, T. Aamodt, "Thread Block Compaction for Efficient SIMT Control Flow" (HPCA 2011).
 * Every branch is waited for by all threads of the entry; that costs time in hardware, and no issue slots.
 */
#include <stdio.h>

#include "base/array.h"
#include "lab/study/divergence/streams.h"

/* Threads of a block that stand at `word`, and go together until they come to `meet`. */
struct entry {
  uint32_t word, meet;
  uint32_t *mask; /* lanes by warp of the block */
};

struct block_run {
  const struct streams *s;
  const struct block_stream *b;
  struct entry *entry;
  size_t entries, room;
  uint32_t *live;          /* lanes by warp */
  uint32_t *packed, packs; /* of the top: threads that live in each of its packed warps */
  uint16_t (*in)[LANES];   /* of each thread: its packed warp */
  size_t (*next)[LANES];   /* of each thread: its place in its stream */
  uint32_t *at[2];         /* room for sets of threads */
};

static bool push_entry(struct block_run *r, uint32_t word, uint32_t meet, const uint32_t *mask) {
  if (!array_room(&r->entry, &r->room, r->entries + 1, sizeof *r->entry)) return false;
  uint32_t *copy = malloc(r->b->warps * sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, mask, r->b->warps * sizeof *copy);
  r->entry[r->entries++] = (struct entry){word, meet, copy};
  return true;
}

static void pop(struct block_run *r) {
  free(r->entry[--r->entries].mask);
}

/* Packs the threads of the top: the k-th one of each lane comes into warp k. */
static void pack(struct block_run *r) {
  struct entry *top = &r->entry[r->entries - 1];
  unsigned of_lane[LANES] = {0};
  r->packs = 0;
  for (unsigned w = 0; w < r->b->warps; w++) {
    top->mask[w] &= r->live[w];
    for (uint32_t m = top->mask[w]; m != 0; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctz(m), k = of_lane[l]++;
      if (k == r->packs) r->packed[r->packs++] = 0;
      r->packed[k]++;
      r->in[w][l] = (uint16_t)k;
    }
  }
}

/* One instruction of the top: each thread moves, those that end are gone. Returns where the first one stands then. */
static uint32_t step_top(struct block_run *r, struct slots *out) {
  struct entry *top = &r->entry[r->entries - 1];
  uint32_t to = CODE_NONE;
  for (uint32_t k = 0; k < r->packs; k++) {
    out->issues += r->packed[k] != 0;
    out->lanes += r->packed[k];
  }
  for (unsigned w = 0; w < r->b->warps; w++)
    for (uint32_t m = top->mask[w]; m != 0; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctz(m);
      const struct thread_stream *t = &r->b->warp[w].t[l];
      if (++r->next[w][l] == t->n) {
        top->mask[w] &= ~(1u << l);
        r->live[w] &= ~(1u << l);
        r->packed[r->in[w][l]]--;
      } else if (to == CODE_NONE) {
        to = stream_word(t->at[r->next[w][l]]);
      }
    }
  return to;
}

/* Into `some`: threads of `from` that stand at `word`; they leave it. False: there were none. */
static bool split_threads(struct block_run *r, uint32_t *from, uint32_t word, uint32_t *some) {
  bool any = false;
  for (unsigned w = 0; w < r->b->warps; w++) {
    some[w] = 0;
    for (uint32_t m = from[w]; m != 0; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctz(m);
      if (stream_word(r->b->warp[w].t[l].at[r->next[w][l]]) == word) some[w] |= 1u << l;
    }
    from[w] &= ~some[w];
    any = any || some[w] != 0;
  }
  return any;
}

/* The word of the first thread of a set; CODE_NONE: it is empty. */
static uint32_t first_word(const struct block_run *r, const uint32_t *mask) {
  for (unsigned w = 0; w < r->b->warps; w++) {
    if (mask[w] == 0) continue;
    const unsigned l = (unsigned)__builtin_ctz(mask[w]);
    return stream_word(r->b->warp[w].t[l].at[r->next[w][l]]);
  }
  return CODE_NONE;
}

/* The top has come apart at `word`: what is left of it waits where all meet, and each place gets an entry. */
static bool part_top(struct block_run *r, uint32_t word) {
  struct entry *top = &r->entry[r->entries - 1];
  uint32_t *rest = r->at[0], *some = r->at[1];
  const uint32_t own = r->s->code.at[word].meet, outer = top->meet, meet = own == CODE_NONE ? outer : own;
  memcpy(rest, top->mask, r->b->warps * sizeof *rest);
  if (meet == outer)
    pop(r);
  else
    top->word = meet;
  for (uint32_t to; (to = first_word(r, rest)) != CODE_NONE;)
    if (split_threads(r, rest, to, some) && to != meet && !push_entry(r, to, meet, some)) return false;
  return true;
}

/* Goes down to an entry with threads that do not wait to meet others; false: the block has ended. */
static bool settle_top(struct block_run *r) {
  while (r->entries != 0) {
    pack(r);
    if (r->packs != 0 && r->entry[r->entries - 1].word != r->entry[r->entries - 1].meet) return true;
    pop(r);
  }
  return false;
}

/* At a barrier, and others of the block are not here. */
static bool barrier_apart(const struct block_run *r, const struct entry *top) {
  if (r->s->code.at[top->word].kind != CODE_BARRIER) return false;
  for (unsigned w = 0; w < r->b->warps; w++)
    if ((r->live[w] & ~top->mask[w]) != 0) return true;
  return false;
}

static bool all_at_word(struct block_run *r, const uint32_t *mask, uint32_t word) {
  for (unsigned w = 0; w < r->b->warps; w++)
    for (uint32_t m = mask[w]; m != 0; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctz(m);
      if (stream_word(r->b->warp[w].t[l].at[r->next[w][l]]) != word) return false;
    }
  return true;
}

static bool run_compacted_block(struct block_run *r, struct slots *out, uint64_t *apart) {
  bool fresh = true;
  while (!fresh || settle_top(r)) {
    struct entry *top = &r->entry[r->entries - 1];
    const uint32_t word = top->word;
    *apart += barrier_apart(r, top);
    const uint32_t to = step_top(r, out);
    fresh = to == CODE_NONE || !all_at_word(r, top->mask, to);
    if (to != CODE_NONE && fresh && !part_top(r, word)) return false;
    if (fresh) continue;
    top->word = to;
    fresh = to == top->meet;
  }
  return true;
}

static bool whole_block(struct block_run *r, struct slots *out, uint64_t *apart) {
  const unsigned n = r->b->warps;
  uint32_t *room = calloc((size_t)n * 4, sizeof *room);
  r->in = calloc(n, sizeof *r->in);
  r->next = calloc(n, sizeof *r->next);
  bool ok = room != NULL && r->in != NULL && r->next != NULL;
  if (ok) {
    r->live = room;
    r->packed = room + n;
    r->at[0] = room + 2 * n;
    r->at[1] = room + 3 * n;
    for (unsigned w = 0; w < n; w++) r->live[w] = r->b->warp[w].lanes;
    ok = push_entry(r, r->s->entry, CODE_NONE, r->live) && run_compacted_block(r, out, apart);
  }
  while (r->entries != 0) pop(r);
  free(r->entry);
  free(room);
  free(r->in);
  free(r->next);
  return ok;
}

bool replay_compaction(const struct streams *s, struct slots *out, uint64_t *apart, struct replay_why *why) {
  *out = (struct slots){0};
  *apart = 0;
  for (size_t b = 0; b < s->blocks; b++) {
    struct block_run r = {.s = s, .b = &s->block[b]};
    if (whole_block(&r, out, apart)) continue;
    (void)snprintf(why->text, sizeof why->text, "compaction: no memory");
    return false;
  }
  return true;
}
