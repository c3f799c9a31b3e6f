/* SPDX-License-Identifier: Apache-2.0
 *
 * Several SMs with an L1 each (cached_sm.h) before one memory of one or several banks, played at random. They share the
 * blocks of a grid, and threads of different SMs read and write the same few lines with fences between. Their records
 * are merged as without a common clock (cached_several.h), and judged. One thing may be done wrong:
 * by one of the SMs, by memory, or in what is shown.
 */
#ifndef TESTS_COSIM_CACHED_SEVERAL_H
#define TESTS_COSIM_CACHED_SEVERAL_H

#include "cosim/kit/conform/fake.h"
#include "tests/cosim/cached_sm.h"

enum several_fault {
  SEVERAL_RIGHT,
  SEVERAL_SM,         /* SM 1 does what `fault` says */
  SEVERAL_SILENT,     /* ... and no record shows it: only what is read later can */
  SEVERAL_LOST,       /* memory loses a store once its SM has been acknowledged: others read what was there before */
  SEVERAL_LATE,       /* ... or gives a fill of another SM what was there before the store */
  SEVERAL_SWAPPED,    /* a bank shows two accesses of one sector in the other order */
  SEVERAL_STAMP,      /* ... with the cycles in which it has performed them */
  SEVERAL_OTHER_SM,   /* a record names another SM */
  SEVERAL_BEGUN_TWICE /* a block begins on two SMs */
};

struct several_config {
  unsigned sms, banks, window, skew; /* the last two: as of merge_streams */
  unsigned reorder;                  /* not 0: merged loosely; so many may wait */
  enum several_fault what;
  enum sm_fault fault; /* of SM 1 */
  uint32_t promises;
};

struct several_outcome {
  struct sm_outcome of; /* of all SMs */
  uint64_t blocks;
};

void several_run(uint64_t seed, const struct several_config *cfg, struct several_outcome *out);
/* The same, and kept as a trace instead of being judged. */
void several_trace(uint64_t seed, const struct several_config *cfg, const char *path);

/* Records of several SMs and banks, each a stream of its own, merged as without a common clock. Any order will do that
 * keeps each stream, what led to an access of memory before it, and what follows from it behind it. */

/* `in`: in the order in which things happened. `window`: how many records a stream may be ahead of another; 0: as they
 * happened. Each stream's cycles are shifted by an amount of its own, below `skew`. */
void merge_streams(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                   struct stream *out);
/* The same with each stream's own order alone: an access may be shown before its request. */
void merge_loosely(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                   struct stream *out);

#endif
