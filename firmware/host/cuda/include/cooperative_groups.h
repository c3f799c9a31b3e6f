/* SPDX-License-Identifier: Apache-2.0
 * Groups of threads that work together: the block, tiles of a warp, the threads that are here at once, the grid.
 * Collective operations: cooperative_groups/reduce.h and scan.h. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_H
#define HEDDLE_COOPERATIVE_GROUPS_H

#include <cooperative_groups/warp.h>

#define __HEDDLE_CG static __device__ inline __attribute__((always_inline, unused, nodebug))
#define __HEDDLE_CGM __device__ inline __attribute__((always_inline, nodebug))

/* A word of each module: how many blocks have arrived; its top bit turns when all have. */
inline __device__ unsigned heddle_grid_barrier;

namespace cooperative_groups {

class thread_block {
public:
  __HEDDLE_CGM static void sync() { __syncthreads(); }
  /* A waiting thread has arrived before, so all have arrived where all wait. */
  struct arrival_token {};
  __HEDDLE_CGM static arrival_token barrier_arrive() {
    __threadfence_block();
    return {};
  }
  __HEDDLE_CGM static void barrier_wait(arrival_token &&) { __syncthreads(); }
  __HEDDLE_CGM static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __HEDDLE_CGM static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __HEDDLE_CGM static unsigned size() { return num_threads(); }
  __HEDDLE_CGM static dim3 group_index() { return blockIdx; }
  __HEDDLE_CGM static dim3 thread_index() { return threadIdx; }
  __HEDDLE_CGM static dim3 group_dim() { return blockDim; }
  __HEDDLE_CGM static dim3 dim_threads() { return blockDim; }
};
__HEDDLE_CG thread_block this_thread_block() {
  return {};
}

/* All blocks at once: the launch must be one that the device holds whole (cudaLaunchCooperativeKernel sees to it). */
class grid_group {
public:
  __HEDDLE_CGM static bool is_valid() { return true; }
  __HEDDLE_CGM static void sync() {
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      const unsigned arrived = block_rank() == 0 ? 0x80000000u - (unsigned)(num_blocks() - 1) : 1u;
      __threadfence();
      const unsigned was = atomicAdd(&heddle_grid_barrier, arrived);
      while (((was ^ *(volatile unsigned *)&heddle_grid_barrier) & 0x80000000u) == 0) __nanosleep(100);
      __threadfence();
    }
    __syncthreads();
  }
  __HEDDLE_CGM static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __HEDDLE_CGM static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __HEDDLE_CGM static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  __HEDDLE_CGM static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  __HEDDLE_CGM static unsigned long long size() { return num_threads(); }
  __HEDDLE_CGM static dim3 group_dim() { return gridDim; }
  __HEDDLE_CGM static dim3 dim_blocks() { return gridDim; }
  __HEDDLE_CGM static dim3 block_index() { return blockIdx; }
};
__HEDDLE_CG grid_group this_grid() {
  return {};
}

/* ---- groups of a warp: threads by a mask of lanes ---- */

/* Argument type of groups of any kind: a block, or lanes. */
class thread_group {
protected:
  unsigned lanes; /* 0: the block */

public:
  __HEDDLE_CGM explicit thread_group(unsigned mask) : lanes(mask) {}
  __HEDDLE_CGM thread_group(thread_block) : lanes(0) {}
  __HEDDLE_CGM void sync() const {
    if (lanes)
      __syncwarp(lanes);
    else
      __syncthreads();
  }
  __HEDDLE_CGM unsigned num_threads() const { return lanes ? __popc(lanes) : thread_block::num_threads(); }
  __HEDDLE_CGM unsigned size() const { return num_threads(); }
  __HEDDLE_CGM unsigned thread_rank() const {
    return lanes ? __popc(lanes & __heddle_lanes_below()) : thread_block::thread_rank();
  }
  __HEDDLE_CGM unsigned heddle_mask() const { return lanes; }
};

/* Threads that came here together. */
class coalesced_group : public thread_group {
  unsigned groups, group; /* into how many the parent was divided, and which this is */

public:
  __HEDDLE_CGM explicit coalesced_group(unsigned mask, unsigned count = 1, unsigned rank = 0)
      : thread_group(mask), groups(count), group(rank) {}
  __HEDDLE_CGM unsigned meta_group_size() const { return groups; }
  __HEDDLE_CGM unsigned meta_group_rank() const { return group; }
  __HEDDLE_CGM unsigned heddle_lane(unsigned rank) const { return (unsigned)__fns(lanes, 0, (int)rank + 1); }
  template <class T> __HEDDLE_CGM T shfl(T v, unsigned rank) const {
    return __heddle_shuffle(lanes, v, heddle_lane(rank % num_threads()));
  }
  template <class T> __HEDDLE_CGM T shfl_down(T v, unsigned by) const {
    const unsigned from = thread_rank() + by;
    return __heddle_shuffle(lanes, v, heddle_lane(from < num_threads() ? from : thread_rank()));
  }
  template <class T> __HEDDLE_CGM T shfl_up(T v, unsigned by) const {
    const unsigned rank = thread_rank();
    return __heddle_shuffle(lanes, v, heddle_lane(rank < by ? rank : rank - by));
  }
  __HEDDLE_CGM int any(int p) const { return __any_sync(lanes, p); }
  __HEDDLE_CGM int all(int p) const { return __all_sync(lanes, p); }
  __HEDDLE_CGM unsigned ballot(int p) const { return __heddle_pack(__ballot_sync(lanes, p), lanes); }
  template <class T> __HEDDLE_CGM unsigned match_any(T v) const {
    return __heddle_pack(__match_any_sync(lanes, v), lanes);
  }
  template <class T> __HEDDLE_CGM unsigned match_all(T v, int &same) const {
    return __heddle_pack(__match_all_sync(lanes, v, &same), lanes);
  }
};
__HEDDLE_CG coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/* N neighbours, N a power of two. */
template <unsigned N, class Parent = void> class thread_block_tile : public thread_group {
  static_assert(N <= 32 && (N & (N - 1)) == 0, "tiles of 1, 2, 4, 8, 16 or 32 threads");
  unsigned groups, group;

public:
  __HEDDLE_CGM thread_block_tile(unsigned count, unsigned rank)
      : thread_group((0xffffffffu >> (32 - N)) << (__heddle_lane_id() & ~(N - 1) & 31)), groups(count), group(rank) {}
  /* A tile of whatever parent. */
  template <class Other>
  __HEDDLE_CGM thread_block_tile(const thread_block_tile<N, Other> &o)
      : thread_group(o.heddle_mask()), groups(o.meta_group_size()), group(o.meta_group_rank()) {}
  __HEDDLE_CGM static constexpr unsigned num_threads() { return N; }
  __HEDDLE_CGM static constexpr unsigned size() { return N; }
  __HEDDLE_CGM static unsigned thread_rank() { return __heddle_lane_id() & (N - 1); }
  __HEDDLE_CGM void sync() const { __syncwarp(lanes); }
  __HEDDLE_CGM unsigned meta_group_size() const { return groups; }
  __HEDDLE_CGM unsigned meta_group_rank() const { return group; }
  template <class T> __HEDDLE_CGM T shfl(T v, unsigned rank) const {
    return __heddle_shuffle(lanes, v, (__heddle_lane_id() & ~(N - 1)) + (rank & (N - 1)));
  }
  template <class T> __HEDDLE_CGM T shfl_down(T v, unsigned by) const {
    const unsigned from = thread_rank() + by;
    return shfl(v, from < N ? from : thread_rank());
  }
  template <class T> __HEDDLE_CGM T shfl_up(T v, unsigned by) const {
    return shfl(v, thread_rank() < by ? thread_rank() : thread_rank() - by);
  }
  template <class T> __HEDDLE_CGM T shfl_xor(T v, unsigned with) const { return shfl(v, thread_rank() ^ with); }
  __HEDDLE_CGM int any(int p) const { return __any_sync(lanes, p); }
  __HEDDLE_CGM int all(int p) const { return __all_sync(lanes, p); }
  __HEDDLE_CGM unsigned ballot(int p) const { return tile(__ballot_sync(lanes, p)); }
  template <class T> __HEDDLE_CGM unsigned match_any(T v) const { return tile(__match_any_sync(lanes, v)); }
  template <class T> __HEDDLE_CGM unsigned match_all(T v, int &same) const {
    return tile(__match_all_sync(lanes, v, &same));
  }
  __HEDDLE_CGM operator coalesced_group() const { return coalesced_group(lanes, groups, group); }

private:
  __HEDDLE_CGM unsigned tile(unsigned mask) const { return (mask & lanes) >> (__heddle_lane_id() & ~(N - 1)); }
};

template <unsigned N, class Parent> __HEDDLE_CG thread_block_tile<N, Parent> tiled_partition(const Parent &parent) {
  return {(unsigned)((parent.num_threads() + N - 1) / N), (unsigned)(parent.thread_rank() / N)};
}
template <class Parent> __HEDDLE_CG thread_group tiled_partition(const Parent &parent, unsigned n) {
  const unsigned first = parent.thread_rank() / n * n, whole = parent.num_threads();
  const unsigned here = whole - first < n ? whole - first : n;
  return thread_group((0xffffffffu >> (32 - here)) << (__heddle_lane_id() - (parent.thread_rank() - first)));
}
__HEDDLE_CG coalesced_group tiled_partition(const coalesced_group &parent, unsigned n) {
  const unsigned rank = parent.thread_rank(), count = parent.num_threads(), first = rank / n * n;
  unsigned mask = 0;
  for (unsigned k = first; k < first + n && k < count; k++) mask |= 1u << parent.heddle_lane(k);
  return coalesced_group(mask, (count + n - 1) / n, rank / n);
}
template <class Group> __HEDDLE_CG coalesced_group labeled_partition(const Group &parent, int label) {
  const unsigned mask = __match_any_sync(parent.heddle_mask(), label);
  return coalesced_group(mask);
}
template <class Group> __HEDDLE_CG coalesced_group binary_partition(const Group &parent, bool label) {
  const unsigned yes = __ballot_sync(parent.heddle_mask(), label);
  return coalesced_group(label ? yes : parent.heddle_mask() & ~yes, 2, label);
}

template <class Group, class F, class... Arguments>
__HEDDLE_CG void invoke_one(const Group &group, F &&f, Arguments &&...arguments) {
  if (group.thread_rank() == 0) f(static_cast<Arguments &&>(arguments)...);
}
template <class Group> __HEDDLE_CG void sync(const Group &group) {
  group.sync();
}
template <class Group> __HEDDLE_CG auto thread_rank(const Group &group) {
  return group.thread_rank();
}
template <class Group> __HEDDLE_CG auto group_size(const Group &group) {
  return group.num_threads();
}

} // namespace cooperative_groups

#endif
