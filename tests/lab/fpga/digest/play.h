/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch of a stand-in for a core (cosim/kit/conform/fake.h), sent as digests, and judged.
 */
#ifndef HEDDLE_DIGEST_PLAY_H
#define HEDDLE_DIGEST_PLAY_H

#include "tests/lab/fpga/digest/encode.h"
#include "cosim/kit/conform/fake.h"

struct play {
  struct fake_program p;
  struct stream s;               /* its records: to be spoiled */
  struct heddle_digest_entry *e; /* of these records: to be spoiled; owned */
  size_t n;
  struct encode_config cfg;
  uint8_t before[FAKE_BYTES], after[FAKE_BYTES];
};

struct played {
  enum heddle_digest_outcome outcome;
  struct heddle_digest_stats stats;
  struct heddle_digest_wrong wrong[64];
  size_t wrongs;
  char message[400];
  bool waits; /* it says which warp waits for what */
};

/* Runs `text` by the seed: lanes of a beat, slots, schedule, late results, needless cuts. */
void play_run(struct play *q, const char *text, unsigned blocks, unsigned threads, uint64_t seed);
/* Entries again, of records that were spoiled or of another configuration. */
void play_tell(struct play *q);
void play_judge(const struct play *q, bool whole, struct played *out);
void play_free(struct play *q);

/* Warps of several blocks that take numbers from one counter in global and one in shared memory, hand values on behind
 * barriers, and run through several windows. Its registers hold the values that it read. */
extern const char play_order[];

#endif
