/* SPDX-License-Identifier: Apache-2.0
 * A copy by all threads of a group: done when it returns to each of them, seen by all after wait. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HEDDLE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group, class T> __HEDDLE_CG void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  for (size_t k = group.thread_rank(); k < bytes / sizeof(T); k += group.num_threads()) to[k] = from[k];
}
template <class Group> __HEDDLE_CG void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
  memcpy_async(group, (char *)to, (const char *)from, bytes);
}
template <class Group> __HEDDLE_CG void wait(const Group &group) {
  group.sync();
}
template <unsigned Stages, class Group> __HEDDLE_CG void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif
