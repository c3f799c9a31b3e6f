/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch on the model with warps in turns: each warp that lives issues one instruction, then the next one does, and
 * accesses take effect at once. What each warp slot executes is written down, one warp of a slot after the other.
 */
#ifndef HEDDLE_TURNS_H
#define HEDDLE_TURNS_H

#include "run/job/job.h"

#define TURNS_WARPS_MAX 64u
#define TURNS_MOST (UINT64_C(1) << 27) /* instructions of a launch */

struct turns_slot {
  uint32_t *insn; /* place of each instruction: pc / ISA_STEP */
  size_t n, room;
};

struct turns {
  unsigned warps;
  struct turns_slot slot[TURNS_WARPS_MAX];
  uint64_t issued;
};

/* `warps` slots, as many blocks as fit; `image` (job->mem_bytes bytes) receives memory as it was left. False: `why`. */
bool turns_run(struct turns *t, const struct job *job, unsigned warps, uint8_t *image, char *why, size_t why_bytes);
void turns_clear(struct turns *t);

#endif
