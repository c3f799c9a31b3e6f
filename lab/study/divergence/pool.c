/* SPDX-License-Identifier: Apache-2.0
 * Warps that wait, by word. */
#include "pool.h"

#include "base/array.h"

bool pool_new(struct pool *p, uint32_t words, const struct formation *f) {
  *p = (struct pool){.unused = POOL_NONE, .by_lane = f->lanes, .any = f->any};
  p->place = calloc((size_t)words + 1, sizeof *p->place);
  p->busy = calloc((size_t)words + 1, sizeof *p->busy);
  for (uint32_t w = 0; p->place != NULL && w < words; w++) p->place[w].first = p->place[w].last = POOL_NONE;
  return p->place != NULL && p->busy != NULL;
}

void pool_free(struct pool *p) {
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

bool pool_join(struct pool *p, uint32_t word, const struct thread *t, const uint32_t *thread, unsigned n) {
  uint32_t left[LANES];
  memcpy(left, thread, n * sizeof *left);
  for (uint32_t k = p->any ? p->place[word].first : p->place[word].last; k != POOL_NONE; k = p->warp[k].behind)
    n = fill_warp(p, k, t, left, n);
  return pool_add(p, word, t, left, n);
}

struct formed pool_draw(struct pool *p, uint32_t word) {
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

uint32_t pool_most(const struct pool *p) {
  uint32_t best = POOL_NONE, threads = 0;
  for (uint32_t k = 0; k < p->busies; k++) {
    const uint32_t word = p->busy[k], n = p->place[word].threads;
    if (n > threads || (n == threads && word < best)) best = word, threads = n;
  }
  return best;
}

uint32_t pool_lowest(const struct pool *p) {
  uint32_t best = POOL_NONE;
  for (uint32_t k = 0; k < p->busies; k++)
    if (p->busy[k] < best) best = p->busy[k];
  return best;
}
