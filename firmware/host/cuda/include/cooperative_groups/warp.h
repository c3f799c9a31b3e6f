/* SPDX-License-Identifier: Apache-2.0
 * Parts of a warp's groups: lanes, and a shuffle of values of any size. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_WARP_H
#define HEDDLE_COOPERATIVE_GROUPS_WARP_H

__heddle_fn unsigned __heddle_lane_id() {
  unsigned r;
  __asm__("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__heddle_fn unsigned __heddle_lanes_below() {
  unsigned r;
  __asm__("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}
/* The bits of VALUE at the ones of MASK, side by side. */
__heddle_fn unsigned __heddle_pack(unsigned value, unsigned mask) {
  unsigned r = 0;
  for (unsigned k = 0; mask; mask &= mask - 1, k++) r |= (value & mask & (0 - mask) ? 1u : 0u) << k;
  return r;
}
/* Word by word; bytes that no word fills are taken with zeros. */
template <class T> __heddle_fn T __heddle_shuffle(unsigned mask, T v, unsigned lane) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  __builtin_memcpy(word, &v, sizeof v);
#pragma unroll
  for (unsigned k = 0; k < words; k++) word[k] = __shfl_sync(mask, word[k], (int)lane);
  __builtin_memcpy(&v, word, sizeof v);
  return v;
}

#endif
