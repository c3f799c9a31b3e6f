/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside digest/ only.
 */
#ifndef HEDDLE_DIGEST_INTERNAL_H
#define HEDDLE_DIGEST_INTERNAL_H

#include <stdlib.h>

#include "base/array.h"
#include <heddle/digest.h>

enum space { SPACE_GLOBAL, SPACE_SHARED, SPACES };

/* ---- read.c: reports, by block and warp ---- */

struct told_warp {
  uint32_t block; /* among `told.block` */
  uint8_t slot, index;
  bool ended;
  uint32_t insns; /* when it has ended */
  uint32_t *sum;  /* digests of its windows */
  size_t sums, sum_room;
  uint64_t *clock; /* in the order in which it reads them */
  size_t clocks, clock_room;
  uint32_t hold; /* the judge does not let it issue this one; UINT32_MAX: none */
};

struct told_block {
  uint32_t ctaid[3];
  uint16_t slots;
  uint8_t bslot, warps;
  bool ended;
  size_t first; /* of its warps, among `told.warp` */
};

struct told_mark {
  uint32_t n;
  uint8_t slot;
  bool more;
};

struct told_marks {
  struct told_mark *at;
  size_t n, room;
};

struct told {
  struct told_block *block;
  size_t blocks, block_room;
  struct told_warp *warp;
  size_t warps, warp_room;
  struct told_marks mark[SPACES];
  size_t in_slot[HEDDLE_DIGEST_SLOTS], in_bslot[HEDDLE_DIGEST_SLOTS]; /* present warps: number + 1 */
  bool trapped;
  struct heddle_digest_entry trap;
  size_t trap_warp;
  uint64_t corrections;
  size_t kept, most;   /* bytes */
  unsigned warps_each; /* of a block */
  bool too_much, no_memory;
  char wrong[160]; /* what cannot be; "": nothing */
};

/* False: see wrong, too_much, no_memory. */
bool told_entry(struct told *t, const struct heddle_digest_entry *e);
void told_clear(struct told *t);

/* ---- run.c: the cuts of a space ---- */

struct order {
  const struct told_marks *marks;
  size_t at;    /* the first mark behind the present cut */
  uint64_t cut; /* which one it is, from 1; 0: there is none any more */
  uint64_t cuts;
  uint32_t left[HEDDLE_DIGEST_SLOTS]; /* accesses that it still names */
  uint64_t left_all;
  const char *wrong; /* a cut that cannot be */
};

/* ---- made.c: what the model makes ---- */

struct made_window {
  uint32_t sum, low, high; /* PCs */
  bool unknown;            /* it has unwritten values */
};

struct made {
  struct made_window *window;
  size_t windows, room;
  unsigned lanes; /* of a beat */
  bool no_memory;
};

void made_issue(struct made *m, const struct heddle_effect *fx);
/* Register rd, or uniform register, in these lanes. */
void made_row(struct made *m, uint32_t seq, unsigned rd, uint32_t lanes, const uint32_t *value, uint32_t unknown);
void made_predicate(struct made *m, uint32_t seq, unsigned p, uint32_t lanes, uint32_t value);
void made_clear(struct made *m);

/* ---- run.c ---- */

#define ACCESSES 1024u /* of a warp slot that may wait in a space, at most; no core has so many under way */

struct access {
  uint32_t seq, lanes;
  uint8_t rd;
};

struct queue {
  struct access at[ACCESSES];
  unsigned head, n;
};

/* Why a warp issues nothing. */
enum standstill { STAND_GOES, STAND_ENDED, STAND_BARRIER, STAND_RESULT, STAND_DRAIN, STAND_FULL, STAND_TOLD };

struct live {
  bool used, ended, stopped; /* stopped: the model lets it issue no more */
  size_t warp;               /* among `told.warp` */
  uint32_t issued;
  size_t clocks;
  enum standstill stands;
  struct made made;
  struct queue queue[SPACES];
  bool reduces; /* it waits at a barrier for the result of a reduction: */
  uint32_t red_seq, red_lanes;
  uint8_t red_rd, red_pd;
  bool red_register;
};

/* How far a launch without a good end is taken: first what certainly issued, then accesses that no cut names, then
 * what may have issued. */
#define STAGE_UNNAMED 1u
#define STAGE_LAST (STAGE_UNNAMED + 2 * HEDDLE_DIGEST_WINDOW)

struct heddle_digest_judge {
  struct heddle_digest_machine machine;
  struct heddle_launch taken; /* the caller's, as this library has it */
  const struct heddle_launch *launch;
  uint64_t base, bytes;
  const uint8_t *memory;
  uint64_t limit;
  struct told told;
  bool whole;
  struct heddle_model *model;
  struct order order[SPACES];
  struct live *live; /* HEDDLE_DIGEST_SLOTS */
  bool block_live[HEDDLE_DIGEST_SLOTS];
  size_t next_block, blocks_ended; /* of the reported ones */
  unsigned stage;
  bool over, again, stuck, refused; /* nothing more to do; begin again; the order is impossible; message has the
                                     * cause */
  bool trap_due;                    /* the instruction that traps may issue */
  bool trap_seen;
  struct heddle_effect fx;
  enum heddle_digest_outcome outcome;
  struct heddle_digest_stats stats;
  struct heddle_digest_wrong *wrong;
  size_t wrongs, wrong_room;
  char message[400];
  char *waiting;
};

void run_launch_told(struct heddle_digest_judge *j);

static inline bool run_over(const struct heddle_digest_judge *j) {
  return j->over || j->again;
}

/* All has come, and the grid went to its end. */
static inline bool run_good(const struct heddle_digest_judge *j) {
  return j->whole && !j->told.trapped;
}

static inline struct told_warp *warp_of(struct heddle_digest_judge *j, const struct live *v) {
  return &j->told.warp[v->warp];
}

static inline struct told_block *block_of(struct heddle_digest_judge *j, const struct live *v) {
  return &j->told.block[warp_of(j, v)->block];
}

/* ---- run.c ---- */

/* ---- judge.c, judge.c ---- */

/* For a warp with final windows as far as it has come. */
void judge_warp(struct heddle_digest_judge *j, const struct live *v);
void judge_wrong(struct heddle_digest_judge *j, enum heddle_digest_reason why, size_t warp, uint32_t window,
                 uint32_t instructions, const struct made *made, uint32_t told, uint32_t got);
void judge_say(struct heddle_digest_judge *j, enum heddle_digest_outcome o, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Room for one more of an array; false: no memory. */
#define ROOM(array, n, room) array_room(&(array), &(room), (n) + 1, sizeof *(array))

#endif
