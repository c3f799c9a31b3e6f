/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside dynamic warp formation only: warps that wait, by the word at which they do.
 */
#ifndef DIVERGENCE_POOL_H
#define DIVERGENCE_POOL_H

#include "lab/study/divergence/replay.h"

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
void pool_free(struct pool *p);
/* A warp as it is, at the end of the list of its word. False: no memory. */
bool pool_add(struct pool *p, uint32_t word, const struct thread *t, const uint32_t *thread, unsigned n);
/* Threads of one warp that go on at one word: as many as there is room for join the last warp there (`any`: each in
 * turn, from the first), the others are a new one. False: no memory. */
bool pool_join(struct pool *p, uint32_t word, const struct thread *t, const uint32_t *thread, unsigned n);
/* The first warp at a word leaves the pool. */
struct formed pool_draw(struct pool *p, uint32_t word);
/* The word at which most threads wait, of several the lowest; or the lowest at all. POOL_NONE: the pool is empty. */
uint32_t pool_most(const struct pool *p);
uint32_t pool_lowest(const struct pool *p);

#endif
