/* SPDX-License-Identifier: Apache-2.0
 *
 * SHFL: each lane takes a word of another one.
 */
#include "cmodel/sem/lane.h"

/* The lane that lane i names: its number, and whether it is in range. `b` and `c` are the lane's own. */
struct partner {
  uint32_t lane, in_range;
};

static inline struct partner partner_of(uint8_t mode, uint32_t i, uint32_t b, uint32_t c) {
  const uint32_t distance = b & 31u, clamp = c & 31u, segment = c >> 8 & 31u;
  const uint32_t lo = i & segment, hi = lo | (clamp & ~segment);
  uint32_t j, in_range;
  switch (mode) {
  case ISA_SHFL_UP: /* hi plays the lowest lane of the segment */
    j = i - distance;
    in_range = (int32_t)j >= (int32_t)hi;
    break;
  case ISA_SHFL_DOWN:
    j = i + distance;
    in_range = j <= hi;
    break;
  case ISA_SHFL_BFLY:
    j = i ^ distance;
    in_range = j <= hi;
    break;
  default:
    j = lo | (distance & ~segment);
    in_range = j <= hi;
    break;
  }
  return (struct partner){blend(mask_if(in_range), j, i), in_range};
}

static inline void shuffle(SEM_ARGS, uint8_t mode) {
  const uint32_t exec = io->exec;
  uint32_t word[SEM_LANES], heard = 0;
  memcpy(word, a, sizeof word); /* d may be a */
  SEM_EACH_LANE(i) {
    const struct partner of = partner_of(mode, i, b[i], c[i]);
    const uint32_t there = lane_bit(exec, of.lane);
    heard |= (of.in_range & there) << i;
    d[i] = blend(SEM_ON(i), word[blend(mask_if(there), of.lane, i)], d[i]);
  }
  io->pd[0] = heard;
}

SEM_FN(shfl_idx) {
  shuffle(SEM_PASS, ISA_SHFL_IDX);
}

SEM_FN(shfl_up) {
  shuffle(SEM_PASS, ISA_SHFL_UP);
}

SEM_FN(shfl_down) {
  shuffle(SEM_PASS, ISA_SHFL_DOWN);
}

SEM_FN(shfl_bfly) {
  shuffle(SEM_PASS, ISA_SHFL_BFLY);
}

static sem_fn *shfl_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  switch (heddle_isa_get(dec->word, ISA_F_SHFL)) {
  case ISA_SHFL_UP:
    return shfl_up;
  case ISA_SHFL_DOWN:
    return shfl_down;
  case ISA_SHFL_BFLY:
    return shfl_bfly;
  default:
    return shfl_idx;
  }
}

const struct sem_def SEM_DEF(shfl) = {.kind = SEM_ROW, .marks = SEM_MARKS_SHUFFLE, .pick = shfl_pick};
