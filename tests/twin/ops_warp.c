/* SPDX-License-Identifier: Apache-2.0
 * What the twin's threads say to each other: over all threads of a block at once, warp by warp. */
#include "tests/twin/ops.h"

enum { LANES = 32 };

static uint32_t active(const struct twin_lanes *x, unsigned first) {
  uint32_t mask = 0;
  for (unsigned k = 0; k < LANES && first + k < x->n; k++) mask |= (uint32_t)x->act[first + k] << k;
  return mask;
}

/* The lane that `lane` reads, and whether that is in range. */
static unsigned source(enum twin_shfl mode, unsigned lane, uint32_t b, uint32_t c, bool *in_range) {
  int clamp = c & 31, segment = c >> 8 & 31, l = (int)lane, by = b & 31;
  int least = l & segment, most = least | (clamp & ~segment), j;
  switch (mode) {
  case S_up:
    j = l - by;
    *in_range = j >= most;
    break;
  case S_down:
    j = l + by;
    *in_range = j <= most;
    break;
  case S_bfly:
    j = l ^ by;
    *in_range = j <= most;
    break;
  default:
    j = least | (by & ~segment);
    *in_range = j <= most;
  }
  return *in_range ? (unsigned)j : lane;
}

void warp_shfl(struct twin_lanes *x, enum twin_shfl mode) {
  for (unsigned t = 0; t < x->n; t++) {
    if (!x->act[t]) continue;
    unsigned first = t / LANES * LANES;
    unsigned j = first + source(mode, t % LANES, (uint32_t)x->b[t], (uint32_t)x->c[t], &x->p[t]);
    bool there = j < x->n && x->act[j];
    if (!there) ops_open |= OPEN_SHUFFLE;
    x->d[t] = x->a[there ? j : t];
    x->p[t] = x->p[t] && there;
  }
}

void warp_vote(struct twin_lanes *x, enum twin_vote mode) {
  for (unsigned t = 0; t < x->n; t++) {
    if (!x->act[t]) continue;
    unsigned first = t / LANES * LANES;
    uint32_t all = active(x, first), yes = 0;
    for (unsigned k = 0; k < LANES; k++)
      if (all >> k & 1 && x->a[first + k]) yes |= UINT32_C(1) << k;
    x->d[t] = mode == V_ballot ? yes : mode == V_all ? yes == all : mode == V_any ? yes != 0 : yes == 0 || yes == all;
  }
}

void warp_match(struct twin_lanes *x, bool all) {
  for (unsigned t = 0; t < x->n; t++) {
    if (!x->act[t]) continue;
    unsigned first = t / LANES * LANES;
    uint32_t mask = active(x, first), same = 0;
    for (unsigned k = 0; k < LANES; k++)
      if (mask >> k & 1 && x->a[first + k] == x->a[t]) same |= UINT32_C(1) << k;
    x->p[t] = same == mask;
    x->d[t] = all && same != mask ? 0 : same;
  }
}

static uint32_t two(enum twin_redux op, bool is_signed, uint32_t a, uint32_t b) {
  switch (op) {
  case R_add:
    return a + b;
  case R_min:
    return is_signed ? min_s32(a, b) : min_u32(a, b);
  case R_max:
    return is_signed ? max_s32(a, b) : max_u32(a, b);
  case R_and:
    return a & b;
  case R_or:
    return a | b;
  default:
    return a ^ b;
  }
}

void warp_redux(struct twin_lanes *x, enum twin_redux op, bool is_signed) {
  for (unsigned first = 0; first < x->n; first += LANES) {
    uint32_t mask = active(x, first), v = 0;
    bool begun = false;
    for (unsigned k = 0; k < LANES; k++) {
      if (!(mask >> k & 1)) continue;
      v = begun ? two(op, is_signed, v, (uint32_t)x->a[first + k]) : (uint32_t)x->a[first + k];
      begun = true;
    }
    for (unsigned k = 0; k < LANES; k++)
      if (mask >> k & 1) x->d[first + k] = v;
  }
}

void block_red(struct twin_lanes *x, enum twin_vote how) {
  unsigned threads = 0, yes = 0;
  for (unsigned t = 0; t < x->n; t++)
    if (x->act[t]) {
      threads++;
      yes += x->a[t] != 0;
    }
  for (unsigned t = 0; t < x->n; t++) x->d[t] = how == V_ballot ? yes : how == V_all ? yes == threads : yes != 0;
}
