/* SPDX-License-Identifier: Apache-2.0
 * Levels of all vertices from vertex 0. A launch a level, as a host would: it reads the tail of the queue after each,
 * which here is known beforehand. Within a level the order of the queue is left to the race. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { FIRST, NEIGHBOUR, LEVEL, QUEUE, TAIL };
#define UNSEEN 0xffffffffu

/* Most vertices have few edges, some many; nearly all lead to the neighbourhood, so that there are several levels. */
static uint32_t degree(uint64_t *seed) {
  const uint32_t r = case_word(seed);
  return r % 17 == 0 ? 20 + r / 17 % 30 : r / 17 % 4;
}

static uint32_t target(uint64_t *seed, uint32_t v, uint32_t n) {
  if (case_word(seed) % 32 == 0) return case_word(seed) % n;
  return (v + n - 20 + case_word(seed) % 60) % n;
}

static void launch_level(struct kernel_case *c, uint32_t begin, uint32_t end, uint32_t now) {
  struct kernel_launch *l = case_launch(c, "bfs_level");
  launch_line(l, end - begin, 64);
  for (unsigned k = FIRST; k <= TAIL; k++) launch_buffer(l, k);
  launch_u32(l, begin);
  launch_u32(l, end);
  launch_u32(l, now);
}

/* The last launch finds nothing. */
static void search(struct kernel_case *c, const uint32_t *first, const uint32_t *neighbour) {
  uint32_t *level = case_expect(c, LEVEL), *queue = case_expect(c, QUEUE), *tail = case_expect(c, TAIL);
  uint32_t begin = 0, now = 0;
  while (begin < *tail && c->launches < KERNEL_LAUNCHES) {
    const uint32_t end = *tail;
    launch_level(c, begin, end, now++);
    for (; begin < end; begin++)
      for (uint32_t v = queue[begin], e = first[v]; e < first[v + 1]; e++) {
        if (level[neighbour[e]] != UNSEEN) continue;
        level[neighbour[e]] = now;
        queue[(*tail)++] = neighbour[e];
      }
  }
}

bool bfs_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 2903 * scale : 307;
  uint32_t *first = case_buffer(c, CASE_IN, (n + 1) * 4);
  if (!first) return false;
  for (uint32_t v = 0; v < n; v++) first[v + 1] = first[v] + (v == 0 ? 90 : degree(&seed));
  uint32_t *neighbour = case_buffer(c, CASE_IN, first[n] * 4), *level = case_buffer(c, CASE_INOUT, n * 4),
           *queue = case_buffer(c, CASE_INOUT, n * 4), *tail = case_buffer(c, CASE_INOUT, 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t v = 0; v < n; v++) {
    for (uint32_t e = first[v]; e < first[v + 1]; e++) neighbour[e] = target(&seed, v, n);
    level[v] = v == 0 ? 0 : UNSEEN;
    queue[v] = v == 0 ? 0 : case_word(&seed);
  }
  *tail = 1;
  case_seal(c, &seed);
  search(c, first, neighbour);
  c->buffer[QUEUE].compare = KERNEL_PERMUTATION;
  return true;
}
