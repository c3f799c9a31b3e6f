/* SPDX-License-Identifier: Apache-2.0
 *
 * The streams of threads again, under other rules of who issues together. Each function fills how many issue slots it
 * takes, and how many lanes are in them; what is in no slot, a launch does not need.
 */
#ifndef DIVERGENCE_REPLAY_H
#define DIVERGENCE_REPLAY_H

#include "lab/study/divergence/streams.h"

struct slots {
  uint64_t issues, lanes;
};

/* A branch under `stack`, by its word. */
struct branch {
  uint64_t executed;      /* issues */
  uint64_t diverged;      /* ... after which lanes stand at several places */
  uint64_t taken, passed; /* lanes, summed over these: where the first executing lane goes; elsewhere */
  struct slots within;    /* issues of lanes that its divergence parted, until they meet (or another parts them) */
};

struct replay_why {
  char text[STREAMS_WHY];
};

/* The two units of isa/doc/03-divergence.md, warp by warp; `its` in the order of the RTL. `compare`: each issue must be
 * the one that was recorded, and of no warp one more or less. `branch` has an entry a word, added to; NULL: nobody
 * asks. False: what differs, or a lane that its stream does not lead to where the unit has it. */
bool replay_unit(const struct streams *s, bool its, bool compare, struct slots *out, struct branch *branch,
                 struct replay_why *why);

/* Dynamic warp formation. Threads of all blocks that live in the machine at once are the pool. After each issue its
 * threads join the youngest warp that waits at the word where they go on, as far as it has room for them; the others
 * begin a new one. */
enum policy {
  POLICY_MAJORITY, /* the word at which most threads wait, until none is left there */
  POLICY_PC        /* the lowest word, asked at each issue */
};
struct formation {
  enum policy policy;
  unsigned warps; /* of blocks that live at once; a larger block lives alone */
  bool lanes;     /* a thread keeps its lane: registers lie in the lane's bank */
  bool any;       /* threads join whichever warp there has room, not only the youngest: a search that no table does */
};
bool replay_formation(const struct streams *s, const struct formation *f, struct slots *out, struct replay_why *why);

/* Thread-block compaction: one stack of a block, an entry of which is a set of its threads that stand at one word. When
 * an entry comes to the top its threads are packed into as few warps as their lanes allow. `*apart` counts the
 * instructions BAR.SYNC that an entry met while another held threads of the block: hardware would wait for ever. */
bool replay_compaction(const struct streams *s, struct slots *out, uint64_t *apart, struct replay_why *why);

/* Threads' instructions in all: what a machine without warps would issue, 32 a slot. `across`: those of instructions
 * by which lanes see each other. */
struct thread_work {
  uint64_t all, across;
};
struct thread_work streams_work(const struct streams *s);

#endif
