/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the replay of the two units: a warp as isa/doc/03-divergence.md words it.
 */
#ifndef DIVERGENCE_UNIT_H
#define DIVERGENCE_UNIT_H

#include "lab/study/divergence/replay.h"

#define BARRIERS 16u
#define MEET_W BARRIERS /* the one of WARPSYNC */
#define TURN 64u        /* its: so many instructions that move lanes are a turn */

struct path {
  uint32_t mask, word;
  uint32_t cause;   /* the branch that parted it from others, or CODE_NONE */
  uint32_t release; /* its: number of the release that it comes from; 0: from none */
};

struct unit {
  const struct code *code;
  const struct warp_stream *warp;
  struct branch *branch;
  struct replay_why *why;
  bool its;
  struct path active, wait[LANES + 1]; /* the last one is the top; its: the first is whose turn it is next */
  unsigned waiting, turn;
  uint32_t releases;
  bool compare;
  size_t seq; /* of the next issue */
  uint32_t exited, member[BARRIERS + 1], parked[BARRIERS + 1];
  uint32_t parked_at[LANES];       /* the word at which a lane is parked */
  uint32_t cause_at[BARRIERS + 1]; /* the cause of the path that ran its BSSY */
  size_t next[LANES];              /* entry of a lane's stream */
};

bool unit_refuse(struct unit *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An instruction that some lane executes; lanes' streams stand behind it. */
bool unit_flow(struct unit *u, const struct code_word *w, uint32_t exec);

#endif
