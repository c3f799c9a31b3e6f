/* SPDX-License-Identifier: Apache-2.0
 * One value of all that a group's threads bring, given to each of them. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_REDUCE_H
#define HEDDLE_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups {

#define __HEDDLE_CG_OPERATOR(NAME, EXPRESSION)                                                                         \
  template <class T = void> struct NAME {                                                                              \
    __HEDDLE_CGM T operator()(T a, T b) const { return EXPRESSION; }                                                   \
  };                                                                                                                   \
  template <> struct NAME<void> {                                                                                      \
    template <class T> __HEDDLE_CGM T operator()(T a, T b) const { return EXPRESSION; }                                \
  };
__HEDDLE_CG_OPERATOR(plus, a + b)
__HEDDLE_CG_OPERATOR(less, b < a ? b : a)
__HEDDLE_CG_OPERATOR(greater, a < b ? b : a)
__HEDDLE_CG_OPERATOR(bit_and, a &b)
__HEDDLE_CG_OPERATOR(bit_or, a | b)
__HEDDLE_CG_OPERATOR(bit_xor, a ^ b)

/* In a tile each with the one of the rank with one bit inverted; else rank 0 collects, and broadcasts. */
template <unsigned N, class Parent, class T, class Op>
__HEDDLE_CG T reduce(const thread_block_tile<N, Parent> &group, T v, Op op) {
#pragma unroll
  for (unsigned k = N / 2; k > 0; k /= 2) v = op(v, group.shfl_xor(v, k));
  return v;
}
template <class T, class Op> __HEDDLE_CG T reduce(const coalesced_group &group, T v, Op op) {
  const unsigned n = group.num_threads(), rank = group.thread_rank();
  for (unsigned k = 1; k < n; k *= 2) {
    const T other = group.shfl_down(v, k);
    if (rank + k < n) v = op(v, other);
  }
  return group.shfl(v, 0);
}

} // namespace cooperative_groups

#endif
