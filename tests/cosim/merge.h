/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of several SMs and banks, each a stream of its own, as somebody may show them who has no common clock: in any
 * order that keeps each stream, what led to an access of memory before it, and what follows from it behind it.
 */
#ifndef TESTS_COSIM_MERGE_H
#define TESTS_COSIM_MERGE_H

#include "cosim/kit/conform/fake.h"

/* `in`: in the order in which things happened. `window`: how many records a stream may be ahead of another; 0: as they
 * happened. Each stream's cycles are shifted by an amount of its own, below `skew`. */
void merge_streams(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                   struct stream *out);
/* The same with each stream's own order alone: an access may be shown before it was asked for. */
void merge_loosely(const struct stream *in, unsigned sms, unsigned banks, uint64_t seed, unsigned window, unsigned skew,
                   struct stream *out);

#endif
