/* SPDX-License-Identifier: Apache-2.0
 * To each thread of a group what all before it bring, itself among them or not. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_SCAN_H
#define HEDDLE_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op> __HEDDLE_CG T inclusive_scan(const Group &group, T v, Op op) {
  for (unsigned k = 1; k < group.num_threads(); k *= 2) {
    const T other = group.shfl_up(v, k);
    if (group.thread_rank() >= k) v = op(other, v);
  }
  return v;
}
template <class Group, class T> __HEDDLE_CG T inclusive_scan(const Group &group, T v) {
  return inclusive_scan(group, v, plus<T>());
}
/* The first has what a sum begins with. */
template <class Group, class T, class Op> __HEDDLE_CG T exclusive_scan(const Group &group, T v, Op op) {
  const T before = group.shfl_up(inclusive_scan(group, v, op), 1);
  return group.thread_rank() ? before : T();
}
template <class Group, class T> __HEDDLE_CG T exclusive_scan(const Group &group, T v) {
  return exclusive_scan(group, v, plus<T>());
}

} // namespace cooperative_groups

#endif
