/* SPDX-License-Identifier: Apache-2.0
 * What a profile sums up: intervals of time, instructions, lines, SMs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/result.h"
#include "run/profile/internal.h"

/* What warps do over time: in intervals that become twice as long whenever there would be too many. */

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

/* Sums of what was charged: of an instruction, a line, an SM; and that they are what the device has counted. */

_Static_assert(sizeof(struct charge) % sizeof(uint64_t) == 0, "a charge is numbers of 64 bits");

static void charge_add(struct charge *to, const struct charge *from) {
  uint64_t a[sizeof *to / sizeof(uint64_t)], b[sizeof *to / sizeof(uint64_t)];
  memcpy(a, to, sizeof a);
  memcpy(b, from, sizeof b);
  for (size_t i = 0; i < sizeof a / sizeof a[0]; i++) a[i] += b[i];
  memcpy(to, a, sizeof a);
}

void charge_of_pc(const struct profiler *p, uint32_t pc, struct charge *out) {
  *out = (struct charge){.lanes = 0};
  for (unsigned sm = 0; sm < p->sms; sm++) charge_add(out, &p->charge[(size_t)sm * p->places + pc / ISA_STEP]);
}

void charge_of_sm(const struct profiler *p, unsigned sm, struct charge *out) {
  *out = (struct charge){.lanes = 0};
  for (uint32_t i = 0; i < p->places; i++) charge_add(out, &p->charge[(size_t)sm * p->places + i]);
}

void charge_of_all(const struct profiler *p, struct charge *out) {
  struct charge one;
  *out = (struct charge){.lanes = 0};
  for (unsigned sm = 0; sm < p->sms; sm++) {
    charge_of_sm(p, sm, &one);
    charge_add(out, &one);
  }
}

uint64_t charge_cycles(const struct charge *c) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) sum += c->cycles[i];
  return sum;
}

bool charge_is_counted(const struct profiler *p, char *why, size_t n) {
  struct charge c;
  for (unsigned sm = 0; sm < p->sms; sm++) {
    charge_of_sm(p, sm, &c);
    for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) {
      if (c.cycles[i] == p->counted[sm].cycles[i]) continue;
      snprintf(why, n,
               "profile: SM %u has counted %" PRIu64 " warp cycles of class %s, but %" PRIu64
               " were charged to instructions",
               sm, p->counted[sm].cycles[i], profile_name(i), c.cycles[i]);
      return false;
    }
  }
  return true;
}

static int hotter(const void *a, const void *b) {
  const struct hot *x = a, *y = b;
  if (x->cycles != y->cycles) return x->cycles < y->cycles ? 1 : -1;
  return x->pc < y->pc ? -1 : x->pc > y->pc;
}

struct hot *charge_instructions(const struct profiler *p, bool by_pc, size_t *n) {
  struct hot *h = calloc((size_t)p->places + 1, sizeof *h);
  *n = 0;
  for (uint32_t i = 0; i < p->places && h != NULL; i++) {
    struct hot *to = &h[*n];
    charge_of_pc(p, i * ISA_STEP, &to->charge);
    to->cycles = charge_cycles(&to->charge);
    if (to->cycles == 0) continue;
    to->pc = i * ISA_STEP;
    if (!heddle_program_line(p->job->program, to->pc, &to->file, &to->line)) to->line = 0;
    (*n)++;
  }
  if (h != NULL && !by_pc) qsort(h, *n, sizeof *h, hotter);
  return h;
}

static bool same_line(const struct hot *a, const struct hot *b) {
  if (a->line != b->line) return false;
  return a->line == 0 || a->file == b->file || strcmp(a->file, b->file) == 0;
}

struct hot *charge_lines(const struct profiler *p, size_t *n) {
  size_t all;
  struct hot *h = charge_instructions(p, true, &all);
  *n = 0;
  for (size_t i = 0; i < all && h != NULL; i++) {
    size_t k = 0;
    while (k < *n && !same_line(&h[k], &h[i])) k++;
    if (k < *n) {
      charge_add(&h[k].charge, &h[i].charge);
      h[k].cycles += h[i].cycles;
    } else {
      h[(*n)++] = h[i];
    }
  }
  if (h != NULL) qsort(h, *n, sizeof *h, hotter);
  return h;
}
