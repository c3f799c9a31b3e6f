/* SPDX-License-Identifier: Apache-2.0
 * Shared parts of cub: operators, storage without construction, the thread's place in the block. */
#ifndef HEDDLE_CUB_THREAD_H
#define HEDDLE_CUB_THREAD_H

#include <cassert>
#include <chrono>

#include <cuda_runtime.h>

#include <cooperative_groups/warp.h>

#define __HEDDLE_CUB __device__ inline __attribute__((always_inline))

namespace cub {

#define __HEDDLE_CUB_OPERATOR(NAME, EXPRESSION)                                                                        \
  struct NAME {                                                                                                        \
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return EXPRESSION; }           \
  };
__HEDDLE_CUB_OPERATOR(Sum, a + b)
__HEDDLE_CUB_OPERATOR(Min, b < a ? b : a)
__HEDDLE_CUB_OPERATOR(Max, a < b ? b : a)
struct Difference {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
struct Equality {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return !(a == b); }
};

template <class Key, class Value> struct KeyValuePair {
  typedef Key KeyT;
  typedef Value ValueT;
  Key key;
  Value value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const Key &k, const Value &v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair &o) const { return value != o.value || key != o.key; }
};
/* The first of equal values. */
struct ArgMax {
  template <class K, class V>
  __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

/* Room for N values in shared memory, where nothing may have a constructor. */
template <class T, int N> struct heddle_room {
  alignas(T) unsigned char bytes[sizeof(T) * (N ? N : 1)];
  __HEDDLE_CUB T &operator[](int k) { return reinterpret_cast<T *>(bytes)[k]; }
};
__HEDDLE_CUB int heddle_thread() {
  return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
/* The neighbour among N in a warp that is BY further, or oneself. */
template <int N, class T> __HEDDLE_CUB T heddle_from_above(T v, int by) {
  const int lane = (int)__heddle_lane_id(), rank = lane % N;
  return __heddle_shuffle(0xffffffffu, v, (unsigned)(rank + by < N ? lane + by : lane));
}
template <int N, class T> __HEDDLE_CUB T heddle_from_below(T v, int by) {
  const int lane = (int)__heddle_lane_id(), rank = lane % N;
  return __heddle_shuffle(0xffffffffu, v, (unsigned)(rank >= by ? lane - by : lane));
}

} // namespace cub

#endif
