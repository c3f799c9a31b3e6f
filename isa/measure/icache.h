/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction cache, driven by the program counters that warps have executed.
 *
 * Its organisation is that of rtl/memory/ro_cache.sv as icache.sv instantiates it: direct-mapped, lines of 64 bytes.
 * Each lookup requests up to `ahead` lines behind its own, within the code and while places for lines under way are
 * free. A requested line takes its place in the cache at once.
 *
 * Two ways to use it: icache_fetch follows a trace, in the cycles of its instructions; icache_time lets warps wait for
 * their lines alone.
 *
 * Three effects are left out. Words are fetched behind a jump and never executed. A line that was replaced before its
 * word was taken is requested again. The target of a followed jump is requested early. So where warps thrash it reads a
 * few lines more or fewer than the RTL.
 */
#ifndef HEDDLE_MEASURE_ICACHE_H
#define HEDDLE_MEASURE_ICACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ICACHE_LINE 64u /* bytes */

struct icache_config {
  uint32_t bytes;   /* a power of two, at least ICACHE_LINE */
  unsigned ahead;   /* lines; as many may be on their way at a time, one if 0 */
  uint32_t last;    /* address of the code's last byte: no line behind its own is prefetched */
  unsigned beats;   /* icache_time: cycles that an instruction takes to issue */
  unsigned latency; /* cycles from the request of a line until it is there */
};

struct icache_counts {
  uint64_t lookups;        /* instructions looked up, once for each line of one */
  uint64_t misses;         /* with a line neither there nor under way */
  uint64_t late;           /* with a line under way (icache_time) */
  uint64_t refills;        /* requested lines, ahead or not */
  uint64_t cycles, stalls; /* icache_time: from first to last; those in which every warp that is left awaits a line */
};

struct icache;
struct icache *icache_new(const struct icache_config *c); /* empty; NULL: no memory, or a size that is none */
void icache_free(struct icache *c);
/* An instruction at `address` is looked up in cycle `now`, which does not fall. */
void icache_fetch(struct icache *c, uint32_t address, uint64_t now, struct icache_counts *n);

/* Instruction i of a program is bytes[i] bytes from at[i] on. One of more than `word` bytes is two instructions. */
struct icache_code {
  const uint32_t *at;
  const uint8_t *bytes;
  unsigned word;
};

/* Instructions of one place for warps: indices, one warp after the other. */
struct icache_stream {
  const uint32_t *insn;
  size_t n;
};

/* One launch, from an empty cache on: `warps` streams share an issue slot, in turns (loose round robin); counts are
 * added to *n. False: no memory, or a size that is none. */
bool icache_time(const struct icache_config *c, const struct icache_code *code, const struct icache_stream *stream,
                 unsigned warps, struct icache_counts *n);

#endif
