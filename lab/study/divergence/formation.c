/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic warp formation: W. Fung, I. Sham, G. Yuan, T. Aamodt, "Dynamic Warp Formation and Scheduling for Efficient
 * GPU Control Flow" (MICRO 2007). No latency: what issues can issue again at once.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lab/study/divergence/pool.h"

struct gang { /* a block while it lives */
  uint32_t first, live, waiting;
  uint32_t barrier; /* the number that those who wait named */
  bool over;
};

struct run {
  const struct streams *s;
  const struct formation *f;
  struct pool pool;
  struct thread *thread; /* of all blocks, in order */
  struct gang *gang;
  size_t next_block;
  unsigned resident; /* warps of blocks that live */
  struct replay_why *why;
};

static bool say_no_memory(struct run *r) {
  (void)snprintf(r->why->text, sizeof r->why->text, "formation: no memory");
  return false;
}

static uint32_t word_of_thread(const struct thread *t) {
  return stream_word(t->stream->at[t->next]);
}

static bool start_gang(struct run *r) {
  const struct block_stream *b = &r->s->block[r->next_block];
  struct gang *g = &r->gang[r->next_block++];
  r->resident += b->warps;
  for (unsigned w = 0; w < b->warps; w++) {
    uint32_t who[LANES];
    unsigned n = 0;
    for (unsigned l = 0; l < LANES; l++)
      if ((b->warp[w].lanes >> l & 1) != 0) who[n++] = g->first + w * LANES + l;
    g->live += n;
    if (!pool_add(&r->pool, r->s->entry, r->thread, who, n)) return say_no_memory(r);
  }
  return true;
}

/* Blocks start in order as long as there is room. */
static bool start_gangs(struct run *r) {
  while (r->next_block < r->s->blocks) {
    const unsigned warps = r->s->block[r->next_block].warps;
    if (r->resident != 0 && r->resident + warps > r->f->warps) return true;
    if (!start_gang(r)) return false;
  }
  return true;
}

/* All threads of a block that live wait: they go on, as the warps that they are by number. */
static bool release_block(struct run *r, uint32_t block) {
  struct gang *g = &r->gang[block];
  g->waiting = 0;
  for (unsigned w = 0; w < r->s->block[block].warps; w++) {
    uint32_t who[LANES], word = POOL_NONE;
    unsigned n = 0;
    for (unsigned l = 0; l < LANES; l++) {
      struct thread *t = &r->thread[g->first + w * LANES + l];
      if (!t->waits) continue;
      t->waits = false;
      if (n != 0 && word_of_thread(t) != word) { /* barriers at several words: each group by itself */
        if (!pool_join(&r->pool, word, r->thread, who, n)) return say_no_memory(r);
        n = 0;
      }
      word = word_of_thread(t);
      who[n++] = g->first + w * LANES + l;
    }
    if (n != 0 && !pool_join(&r->pool, word, r->thread, who, n)) return say_no_memory(r);
  }
  return true;
}

/* A thread has come or gone; the others of its block may be all at the barrier. */
static bool look_at_block(struct run *r, uint32_t block) {
  struct gang *g = &r->gang[block];
  if (g->live != 0) return g->waiting != g->live || release_block(r, block);
  if (g->over) return true;
  g->over = true;
  r->resident -= r->s->block[block].warps;
  return start_gangs(r);
}

/* One thread executes; true in *goes if it goes on at once. */
static bool advance_thread(struct run *r, uint32_t number, bool *goes) {
  struct thread *t = &r->thread[number];
  const uint32_t entry = t->stream->at[t->next++];
  const struct code_word *w = &r->s->code.at[stream_word(entry)];
  struct gang *g = &r->gang[t->block];
  const bool ends = t->next == t->stream->n;
  *goes = !ends && !(w->kind == CODE_BARRIER && stream_executes(entry));
  if (*goes) return true;
  if (ends) {
    g->live--;
    return true;
  }
  if (g->waiting != 0 && g->barrier != w->x) {
    (void)snprintf(r->why->text, sizeof r->why->text,
                   "formation: block %u waits at barriers %u and %u at once, which is not modelled", t->block,
                   g->barrier, w->x);
    return false;
  }
  g->barrier = w->x;
  g->waiting++;
  t->waits = true;
  return true;
}

/* Threads of an issued warp that go on, those of one word together. */
static bool scatter(struct run *r, uint32_t who[], unsigned n) {
  while (n != 0) {
    uint32_t same[LANES];
    unsigned sames = 0, left = 0;
    const uint32_t word = word_of_thread(&r->thread[who[0]]);
    for (unsigned i = 0; i < n; i++)
      if (word_of_thread(&r->thread[who[i]]) == word)
        same[sames++] = who[i];
      else
        who[left++] = who[i];
    if (!pool_join(&r->pool, word, r->thread, same, sames)) return say_no_memory(r);
    n = left;
  }
  return true;
}

static bool issue_warp_at(struct run *r, uint32_t word, struct slots *out) {
  const struct formed w = pool_draw(&r->pool, word);
  uint32_t who[LANES];
  unsigned n = 0;
  out->issues++;
  out->lanes += w.count;
  for (unsigned i = 0; i < w.count; i++) {
    bool goes;
    if (!advance_thread(r, w.thread[i], &goes)) return false;
    if (goes) who[n++] = w.thread[i];
  }
  const bool all = n == w.count;
  if (!scatter(r, who, n)) return false;
  uint32_t before = UINT32_MAX;
  for (unsigned i = 0; i < w.count && !all; i++) {
    const uint32_t block = r->thread[w.thread[i]].block;
    if (block != before && !look_at_block(r, block)) return false;
    before = block;
  }
  return true;
}

static bool all_issued(struct run *r) {
  for (size_t b = 0; b < r->s->blocks; b++) {
    if (r->gang[b].live == 0) continue;
    (void)snprintf(r->why->text, sizeof r->why->text, "formation: block %zu waits at a barrier that cannot fill", b);
    return false;
  }
  return true;
}

static bool schedule_warps(struct run *r, struct slots *out) {
  uint32_t word = POOL_NONE;
  if (!start_gangs(r)) return false;
  while (r->pool.busies != 0) {
    if (r->f->policy == POLICY_PC)
      word = pool_lowest(&r->pool);
    else if (word == POOL_NONE || r->pool.place[word].first == POOL_NONE)
      word = pool_most(&r->pool);
    if (!issue_warp_at(r, word, out)) return false;
  }
  return all_issued(r);
}

static bool number_threads(struct run *r) {
  const struct streams *s = r->s;
  size_t n = 0, k = 0;
  for (size_t b = 0; b < s->blocks; b++) n += s->block[b].warps * LANES;
  r->thread = calloc(n + 1, sizeof *r->thread);
  r->gang = calloc(s->blocks + 1, sizeof *r->gang);
  if (r->thread == NULL || r->gang == NULL || n >= POOL_NONE) return false;
  for (size_t b = 0; b < s->blocks; b++) {
    r->gang[b].first = (uint32_t)k;
    for (unsigned w = 0; w < s->block[b].warps; w++)
      for (unsigned l = 0; l < LANES; l++)
        r->thread[k++] = (struct thread){&s->block[b].warp[w].t[l], 0, (uint32_t)b, (uint8_t)l, false};
  }
  return true;
}

bool replay_formation(const struct streams *s, const struct formation *f, struct slots *out, struct replay_why *why) {
  struct run r = {.s = s, .f = f, .why = why};
  *out = (struct slots){0};
  const bool ready = number_threads(&r) && pool_new(&r.pool, s->code.words, f);
  const bool ok = ready ? schedule_warps(&r, out) : say_no_memory(&r);
  pool_free(&r.pool);
  free(r.thread);
  free(r.gang);
  return ok;
}
