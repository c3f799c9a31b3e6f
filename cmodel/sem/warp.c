/* SPDX-License-Identifier: Apache-2.0
 *
 * What looks across the lanes of a warp.
 */
#include "cmodel/sem/lane.h"

/* SHFL: each lane takes a word of another one. */

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

/* VOTE, ACTIVEMASK, MATCH, REDUX, R2UR: one word from all executing lanes. */

/* The same word into every lane that `on` names. */
static inline void put_all(SEM_ARGS, uint32_t v) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), v, d[i]);
}

/* ---- VOTE, ACTIVEMASK ---- */

SEM_FN(vote) {
  const uint32_t exec = io->exec, v = exec & io->ps[0];
  const uint32_t all = v == exec, any = v != 0;
  put_all(SEM_PASS, v);
  if (p->mode == ISA_VOTE_ALL)
    io->pd[0] = mask_if(all);
  else if (p->mode == ISA_VOTE_ANY)
    io->pd[0] = mask_if(any);
  else
    io->pd[0] = mask_if(all | (any ^ 1));
}

static sem_fn *vote_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->mode = (uint8_t)heddle_isa_get(dec->word, ISA_F_VOTE);
  return vote;
}

SEM_FN(activemask) {
  put_all(SEM_PASS, io->exec);
}

static sem_fn *activemask_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return activemask;
}

/* ---- MATCH ---- */

/* equal[i]: the executing lanes whose word is that of lane i. */
static inline void match_word(uint32_t equal[SEM_LANES], const uint32_t *a, uint32_t exec) {
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    const uint32_t v = a[k], bit = 1u << k;
    SEM_EACH_LANE(i) {
      const uint32_t same = a[i] == v;
      equal[i] |= mask_if(same) & bit;
    }
  }
}

/* A row of its own: d may be a. */
static inline void match_rows(uint32_t equal[SEM_LANES], const uint32_t *a, uint32_t exec, bool wide) {
  memset(equal, 0, SEM_LANES * sizeof *equal);
  match_word(equal, a, exec);
  if (!wide) return;
  uint32_t upper[SEM_LANES] = {0};
  match_word(upper, a + SEM_LANES, exec);
  SEM_EACH_LANE(i) equal[i] &= upper[i];
}

SEM_FN(match_any) {
  uint32_t equal[SEM_LANES];
  match_rows(equal, a, io->exec, p->mode == ISA_M64_U64);
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), equal[i], d[i]);
  io->pd[0] = ~0u;
}

SEM_FN(match_all) {
  uint32_t equal[SEM_LANES];
  match_rows(equal, a, io->exec, p->mode == ISA_M64_U64);
  const uint32_t all = equal[__builtin_ctz(io->exec)] == io->exec;
  put_all(SEM_PASS, mask_if(all) & io->exec);
  io->pd[0] = mask_if(all);
}

static sem_fn *match_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->mode = (uint8_t)heddle_isa_get(dec->word, ISA_F_M64);
  return heddle_isa_get(dec->word, ISA_F_MATCH) == ISA_MATCH_ALL ? match_all : match_any;
}

/* ---- REDUX, R2UR ---- */

static inline uint32_t smaller(uint32_t x, uint32_t y, uint32_t flip) {
  return (x ^ flip) < (y ^ flip) ? x : y;
}

static inline uint32_t redux_step(uint8_t mode, uint32_t x, uint32_t y, uint32_t flip) {
  switch (mode) {
  case ISA_REDUX_MIN:
    return smaller(x, y, flip);
  case ISA_REDUX_MAX:
    return smaller(x, y, ~flip); /* all bits flipped: the order is reversed */
  case ISA_REDUX_AND:
    return x & y;
  case ISA_REDUX_OR:
    return x | y;
  case ISA_REDUX_XOR:
    return x ^ y;
  default:
    return x + y;
  }
}

SEM_FN(redux) {
  const uint32_t flip = p->is_unsigned ? 0 : 0x80000000u; /* signed order as unsigned order */
  uint32_t r = a[__builtin_ctz(io->exec)];
  for (uint32_t rest = io->exec & (io->exec - 1); rest != 0; rest &= rest - 1)
    r = redux_step(p->mode, r, a[__builtin_ctz(rest)], flip);
  put_all(SEM_PASS, r);
}

static sem_fn *redux_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->mode = (uint8_t)heddle_isa_get(dec->word, ISA_F_REDUX);
  p->is_unsigned = heddle_isa_get(dec->word, ISA_F_SIGN) == ISA_SIGN_U32;
  return redux;
}

SEM_FN(r2ur) {
  put_all(SEM_PASS, a[__builtin_ctz(io->exec)]);
}

static sem_fn *r2ur_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return r2ur;
}

const struct sem_def SEM_DEF(vote) = {.kind = SEM_ROW, .marks = SEM_MARKS_VOTE, .pick = vote_pick};
const struct sem_def SEM_DEF(activemask) = {.kind = SEM_ROW, .pick = activemask_pick};
const struct sem_def SEM_DEF(match) = {.kind = SEM_ROW, .pick = match_pick};
const struct sem_def SEM_DEF(redux) = {.kind = SEM_ROW, .pick = redux_pick};
const struct sem_def SEM_DEF(r2ur) = {.kind = SEM_ROW, .marks = SEM_MARKS_COPY, .pick = r2ur_pick};
