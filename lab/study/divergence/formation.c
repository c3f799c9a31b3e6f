/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic warp formation, and the warps that wait for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include "base/array.h"
#include "lab/study/divergence/streams.h"

/* Warps that wait, by word. */

/* A thread while its block lives. */
struct thread {
  const struct thread_stream *stream;
  size_t next;
  uint32_t block; /* of the launch */
  uint8_t lane;
  bool waits; /* at a barrier */
};

/* A warp that has been formed; `thread` says which ones by their numbers in the pool. */
struct formed {
  uint32_t word, count, lanes, behind; /* behind: the next one at this word */
  uint32_t thread[LANES];
};

/* Warps at one word: a list, in the order in which they were begun. */
struct place {
  uint32_t first, last, threads, index; /* index: where the word stands in `busy` */
};

struct pool {
  struct formed *warp;
  size_t warps, room;
  uint32_t unused; /* a list of warps that nobody has */
  struct place *place;
  uint32_t *busy, busies; /* words at which threads wait */
  bool by_lane, any;
};

#define POOL_NONE UINT32_MAX

bool pool_new(struct pool *p, uint32_t words, const struct formation *f);
/* A warp as it is, at the end of the list of its word. False: no memory. */
bool pool_add(struct pool *p, uint32_t word, const struct thread *t, const uint32_t *thread, unsigned n);

bool pool_new(struct pool *p, uint32_t words, const struct formation *f) {
  *p = (struct pool){.unused = POOL_NONE, .by_lane = f->lanes, .any = f->any};
  p->place = calloc((size_t)words + 1, sizeof *p->place);
  p->busy = calloc((size_t)words + 1, sizeof *p->busy);
  for (uint32_t w = 0; p->place != NULL && w < words; w++) p->place[w].first = p->place[w].last = POOL_NONE;
  return p->place != NULL && p->busy != NULL;
}

static void pool_free(struct pool *p) {
  free(p->warp);
  free(p->place);
  free(p->busy);
}

/* An empty warp at the end of a word's list. */
static bool begin_warp(struct pool *p, uint32_t word) {
  uint32_t k = p->unused;
  if (k != POOL_NONE) {
    p->unused = p->warp[k].behind;
  } else {
    if (!array_room(&p->warp, &p->room, p->warps + 1, sizeof *p->warp)) return false;
    k = (uint32_t)p->warps++;
  }
  struct place *at = &p->place[word];
  p->warp[k].word = word;
  p->warp[k].count = p->warp[k].lanes = 0;
  p->warp[k].behind = POOL_NONE;
  if (at->first == POOL_NONE) {
    at->first = k;
    at->index = p->busies;
    p->busy[p->busies++] = word;
  } else {
    p->warp[at->last].behind = k;
  }
  at->last = k;
  return true;
}

static bool has_room(const struct pool *p, const struct formed *w, unsigned lane) {
  return p->by_lane ? (w->lanes >> lane & 1) == 0 : w->count < LANES;
}

static void put_thread(struct pool *p, uint32_t warp, const struct thread *t, uint32_t thread) {
  struct formed *w = &p->warp[warp];
  w->lanes |= 1u << t[thread].lane;
  w->thread[w->count++] = thread;
  p->place[w->word].threads++;
}

bool pool_add(struct pool *p, uint32_t word, const struct thread *t, const uint32_t *thread, unsigned n) {
  if (n == 0) return true;
  if (!begin_warp(p, word)) return false;
  for (unsigned i = 0; i < n; i++) put_thread(p, p->place[word].last, t, thread[i]);
  return true;
}

/* As many of them as there is room for join one warp; the others are left. Returns how many these are. */
static unsigned fill_warp(struct pool *p, uint32_t warp, const struct thread *t, uint32_t *thread, unsigned n) {
  unsigned left = 0;
  for (unsigned i = 0; i < n; i++)
    if (has_room(p, &p->warp[warp], t[thread[i]].lane))
      put_thread(p, warp, t, thread[i]);
    else
      thread[left++] = thread[i];
  return left;
}

/* Threads of one warp that go on at one word: as many as there is room for join the last warp there (`any`: each in
 * turn, from the first), the others are a new one. False: no memory. */
static bool pool_join(struct pool *p, uint32_t word, const struct thread *t, const uint32_t *thread, unsigned n) {
  uint32_t left[LANES];
  memcpy(left, thread, n * sizeof *left);
  for (uint32_t k = p->any ? p->place[word].first : p->place[word].last; k != POOL_NONE; k = p->warp[k].behind)
    n = fill_warp(p, k, t, left, n);
  return pool_add(p, word, t, left, n);
}

/* The first warp at a word leaves the pool. */
static struct formed pool_draw(struct pool *p, uint32_t word) {
  struct place *at = &p->place[word];
  const uint32_t k = at->first;
  const struct formed w = p->warp[k];
  at->threads -= w.count;
  at->first = w.behind;
  p->warp[k].behind = p->unused;
  p->unused = k;
  if (at->first != POOL_NONE) return w;
  at->last = POOL_NONE;
  const uint32_t moved = p->busy[--p->busies];
  p->busy[at->index] = moved;
  p->place[moved].index = at->index;
  return w;
}

static uint32_t pool_most(const struct pool *p) {
  uint32_t best = POOL_NONE, threads = 0;
  for (uint32_t k = 0; k < p->busies; k++) {
    const uint32_t word = p->busy[k], n = p->place[word].threads;
    if (n > threads || (n == threads && word < best)) best = word, threads = n;
  }
  return best;
}

/* The word at which most threads wait, of several the lowest; or the lowest at all. POOL_NONE: the pool is empty. */
static uint32_t pool_lowest(const struct pool *p) {
  uint32_t best = POOL_NONE;
  for (uint32_t k = 0; k < p->busies; k++)
    if (p->busy[k] < best) best = p->busy[k];
  return best;
}

/* Dynamic warp formation: W. Fung, I. Sham, G. Yuan, T. Aamodt, "Dynamic Warp Formation and Scheduling for Efficient
 * GPU Control Flow" (MICRO 2007). No latency: what issues can issue again at once. */

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
