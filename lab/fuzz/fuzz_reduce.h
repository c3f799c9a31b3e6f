/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the shrinker: the search, and what it tries. */
#ifndef HEDDLE_FUZZ_REDUCE_H
#define HEDDLE_FUZZ_REDUCE_H

#include "lab/fuzz/fuzz_lines.h"
#include "lab/fuzz/fuzz_shrink.h"

#define REDUCE_SEEN 8192u /* programs that were tried, by their hash; a power of two */

struct reduction {
  struct fuzz_case c;
  struct fuzz_program p;       /* its text is that of `tree` or of `lines` when it is judged */
  struct random_program *tree; /* first */
  struct fuzz_lines lines;     /* then */
  struct fuzz_lines other;     /* during reduce_room: what each line could be instead */
  struct signature want;
  double until;
  unsigned runs;
  bool out_of_time, no_memory;
  uint64_t held;              /* the hash of what held last */
  uint64_t seen[REDUCE_SEEN]; /* of what did not */
};

/* Does the program as it stands fail as is wanted? Never when the time is over. */
bool reduce_holds(struct reduction *r);

/* Is there nothing left to try with: time, memory? */
bool reduce_over(const struct reduction *r);
/* Of the lines as they stand, for changing several: then reduce_try takes them, and they stay if they hold. False: no
 * memory. */
bool reduce_copy(struct reduction *r, struct fuzz_lines *l);
bool reduce_try(struct reduction *r, struct fuzz_lines *l);

/* Parts of which any may be left out. `put` takes one out or back; `holds` is reduce_holds. */
struct reduce_parts {
  unsigned parts;
  bool (*there)(const struct reduction *r, unsigned part);
  void (*put)(struct reduction *r, unsigned part, bool gone);
};
/* Leaves out ranges of parts, halves first, single ones last and as long as one of them goes. True: some went. */
bool reduce_parts(struct reduction *r, const struct reduce_parts *parts);

/* Each keeps what holds. True: something changed. */
bool reduce_timing(struct reduction *r);   /* retire port free, memory calm */
bool reduce_geometry(struct reduction *r); /* grid, block */
bool reduce_data(struct reduction *r);     /* what it reads */
bool reduce_lines(struct reduction *r);    /* lines left out */
bool reduce_words(struct reduction *r);    /* simpler instructions, so that what made their operands can go */

bool reduce_functions(struct reduction *r); /* their lines where they are called, and nothing after them */

/* Where little of the program could go, as many lines as can become NOPs: it may be their room that counts. */
bool reduce_room(struct reduction *r);
/* Where that is all, and more than ten instructions are left: what changes two things at once, more threads among
 * them. True: it is worth trying the others again. */
bool reduce_stuck(struct reduction *r);
bool reduce_jumps(struct reduction *r);        /* a part of it: to where a jump goes on to */
bool reduce_lane_numbers(struct reduction *r); /* a part of it: instead of data that were loaded */
bool reduce_choices(struct reduction *r);      /* a part of it: of two moved values or places, by a guard */
bool reduce_loops(struct reduction *r);        /* a part of it: what waits counts instead */
bool reduce_early(struct reduction *r);        /* a part of it: constants are moved first */
bool reduce_pairs(struct reduction *r);        /* the last part of it: dear */

#endif
