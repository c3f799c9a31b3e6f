/* SPDX-License-Identifier: Apache-2.0
 * What warps do over time: in intervals that become twice as long whenever there would be too many. */
#include <string.h>

#include "run/profile/internal.h"

static void double_width(struct profiler *p) {
  for (unsigned i = 0; i < PROFILE_BUCKETS; i++) {
    struct bucket sum = {.blocks = 0};
    for (unsigned k = 2 * i; k < 2 * i + 2 && k < PROFILE_BUCKETS; k++) {
      for (unsigned c = 0; c < HEDDLE_COUNTERS; c++) sum.cycles[c] += p->bucket[k].cycles[c];
      sum.blocks += p->bucket[k].blocks;
    }
    p->bucket[i] = sum;
  }
  p->width *= 2;
}

void time_add(struct profiler *p, unsigned state, uint64_t from, uint64_t to) {
  if (to <= from) return;
  if (to > p->end) p->end = to;
  while (to > p->width * PROFILE_BUCKETS) double_width(p);
  while (from < to) {
    struct bucket *b = &p->bucket[from / p->width];
    const uint64_t next = (from / p->width + 1) * p->width, until = next < to ? next : to;
    *(state < HEDDLE_COUNTERS ? &b->cycles[state] : &b->blocks) += until - from;
    from = until;
  }
}

size_t time_buckets(const struct profiler *p) {
  return (size_t)((p->end + p->width - 1) / p->width);
}
