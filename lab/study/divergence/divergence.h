/* SPDX-License-Identifier: Apache-2.0
 *
 * Where records come from: a trace, or the model itself.
 */
#ifndef HEDDLE_LAB_STUDY_DIVERGENCE_DIVERGENCE_H
#define HEDDLE_LAB_STUDY_DIVERGENCE_DIVERGENCE_H

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

/* The study of one program: what its launches take under each rule, summed. */

enum rule { RULE_STACK, RULE_ITS, RULE_FORMED, RULE_FORMED_LANES, RULE_COMPACTED, RULES };
const char *rule_name(enum rule r); /* "stack", "its", "dwf", "dwf_lanes", "tbc": of JSON and of options */

struct divergence_run {
  uint64_t launches, issues; /* as they were recorded */
  uint64_t hash;             /* of all that threads did */
};

struct divergence {
  struct divergence_run run[2]; /* under stack, under its */
  struct slots slots[RULES];    /* its: of the run under stack, unless there was none */
  uint64_t its_alone;           /* issues of the run under its, by the study's own replay */
  struct thread_work work;
  uint64_t apart; /* barriers that compaction met with a part of a block */
  struct branch *branch;
  uint32_t words;
};

struct divergence_options {
  struct formation formation; /* but for `lanes`: both ways are studied */
};

/* A launch, run by one of the units: it is replayed and compared issue by issue with what was recorded. `full`: all
 * other rules as well, and branches; the other way (a second run, by the other unit) only that. All launches of a
 * study must be of one program. False: `why`. */
bool divergence_add(struct divergence *d, const struct streams *s, bool its, bool full,
                    const struct divergence_options *o, char *why, size_t why_bytes);
/* After a run of each unit: where threads did the same in both, the replay of one must say what the other took. */
bool divergence_agree(const struct divergence *d, char *why, size_t why_bytes);
bool divergence_same_threads(const struct divergence *d);
void divergence_clear(struct divergence *d);

#endif
