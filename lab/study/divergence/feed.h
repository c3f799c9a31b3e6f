/* SPDX-License-Identifier: Apache-2.0
 *
 * Where records come from: a trace, or the model itself.
 */
#ifndef DIVERGENCE_FEED_H
#define DIVERGENCE_FEED_H

#include <heddle/model.h>
#include "lab/study/divergence/streams.h"

/* Called with each launch; s is gone afterwards. `its`: the unit that ran it. False: stop; why is filled. */
typedef bool feed_launch_fn(void *ctx, const struct streams *s, bool its, char *why, size_t why_bytes);

/* Every launch of a trace. The trace is judged as a file, its records as streams are; why begins with its path. */
bool feed_trace(const char *path, feed_launch_fn *launch, void *ctx, char *why, size_t why_bytes);

/* The model runs the launch that it has been given (heddle_model_launch), warps in turn, an instruction each; accesses
 * are performed at once. At most `most` issues. Memory is left as the launch leaves it. */
struct feed_machine {
  unsigned warp_slots, block_slots; /* up to 64 */
  bool its;
  uint64_t most;
};
bool feed_model(struct heddle_model *m, const struct heddle_launch *l, const struct feed_machine *machine,
                feed_launch_fn *launch, void *ctx, char *why, size_t why_bytes);

#endif
