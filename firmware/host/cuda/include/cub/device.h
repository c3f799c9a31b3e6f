/* SPDX-License-Identifier: Apache-2.0
 * Operations of a host on a whole array, and iterators with computed values. Hardly any room is needed: the first of
 * the two calls returns one byte. */
#ifndef HEDDLE_CUB_DEVICE_H
#define HEDDLE_CUB_DEVICE_H

#include <cstdio>
#include <iterator>
#include <limits>
#include <type_traits>

#include "engine.h"

namespace cub {

template <class V, class F, class It, class Offset = ptrdiff_t> class TransformInputIterator {
  It at;
  F f;

public:
  typedef V value_type;
  typedef V reference;
  typedef V *pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  __host__ __device__ TransformInputIterator(It from, F function) : at(from), f(function) {}
  __host__ __device__ V operator*() const { return f(*at); }
  template <class I> __host__ __device__ V operator[](I k) const { return f(at[k]); }
  template <class I> __host__ __device__ TransformInputIterator operator+(I k) const { return {at + k, f}; }
};
template <class V, class Offset = ptrdiff_t> class CountingInputIterator {
  V first;

public:
  typedef V value_type;
  typedef V reference;
  typedef V *pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  __host__ __device__ CountingInputIterator(V v) : first(v) {}
  __host__ __device__ V operator*() const { return first; }
  template <class I> __host__ __device__ V operator[](I k) const { return first + (V)k; }
  template <class I> __host__ __device__ CountingInputIterator operator+(I k) const { return {first + (V)k}; }
};
template <class V, class Offset = ptrdiff_t> class ConstantInputIterator {
  V v;

public:
  typedef V value_type;
  typedef V reference;
  typedef V *pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  __host__ __device__ ConstantInputIterator(V value) : v(value) {}
  __host__ __device__ V operator*() const { return v; }
  template <class I> __host__ __device__ V operator[](I) const { return v; }
  template <class I> __host__ __device__ ConstantInputIterator operator+(I) const { return *this; }
};

template <class It> using heddle_value = typename std::iterator_traits<It>::value_type;
inline bool heddle_asked(void *room, size_t &bytes) {
  if (!room) bytes = 1;
  return !room;
}

struct DeviceReduce {
  template <class In, class Out, class Op, class T>
  static cudaError_t Reduce(void *room, size_t &bytes, In in, Out out, int n, Op op, T first, cudaStream_t stream = 0) {
    return heddle_asked(room, bytes) ? cudaSuccess : heddle_engine::reduce(stream, (size_t)n, in, out, first, true, op);
  }
  template <class In, class Out>
  static cudaError_t Sum(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0) {
    typedef std::remove_reference_t<decltype(*out)> T;
    return Reduce(room, bytes, in, out, n, cub::Sum(), T(), stream);
  }
  template <class In, class Out>
  static cudaError_t Min(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0) {
    return Reduce(room, bytes, in, out, n, cub::Min(), std::numeric_limits<heddle_value<In>>::max(), stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0) {
    return Reduce(room, bytes, in, out, n, cub::Max(), std::numeric_limits<heddle_value<In>>::lowest(), stream);
  }
};

struct DeviceScan {
  template <class In, class Out, class Op, class T>
  static cudaError_t ExclusiveScan(void *room, size_t &bytes, In in, Out out, Op op, T first, int n,
                                   cudaStream_t stream = 0) {
    if (heddle_asked(room, bytes)) return cudaSuccess;
    return heddle_engine::scan(stream, (size_t)n, in, out, first, true, false, op);
  }
  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(void *room, size_t &bytes, In in, Out out, Op op, int n, cudaStream_t stream = 0) {
    if (heddle_asked(room, bytes)) return cudaSuccess;
    return heddle_engine::scan(stream, (size_t)n, in, out, heddle_value<In>(), false, true, op);
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0) {
    return ExclusiveScan(room, bytes, in, out, cub::Sum(), heddle_value<In>(), n, stream);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0) {
    return InclusiveScan(room, bytes, in, out, cub::Sum(), n, stream);
  }
};

template <class Flags> struct heddle_flag {
  Flags flags;
  __HEDDLE_CUB bool operator()(size_t i) const { return (bool)flags[i]; }
};
template <class In, class Test> struct heddle_test {
  In in;
  Test test;
  __HEDDLE_CUB bool operator()(size_t i) const { return (bool)test(in[i]); }
};
template <class In, class Out> struct heddle_move {
  In in;
  Out out;
  __HEDDLE_CUB void operator()(size_t from, size_t to) const { out[to] = in[from]; }
};
struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void *room, size_t &bytes, In in, Flags flags, Out out, Count count, int n,
                             cudaStream_t stream = 0) {
    if (heddle_asked(room, bytes)) return cudaSuccess;
    return heddle_engine::select(stream, (size_t)n, heddle_flag<Flags>{flags}, heddle_move<In, Out>{in, out}, count);
  }
  template <class In, class Out, class Count, class Test>
  static cudaError_t If(void *room, size_t &bytes, In in, Out out, Count count, int n, Test test,
                        cudaStream_t stream = 0) {
    if (heddle_asked(room, bytes)) return cudaSuccess;
    return heddle_engine::select(stream, (size_t)n, heddle_test<In, Test>{in, test}, heddle_move<In, Out>{in, out},
                                 count);
  }
};

/* Each run's value and how long it is. The room has where each run ends. */
template <class In, class Out> struct heddle_run {
  In in;
  size_t n;
  Out out;
  size_t *ends;
  __HEDDLE_CUB bool operator()(size_t i) const { return i + 1 == n || !(in[i] == in[i + 1]); }
  __HEDDLE_CUB void operator()(size_t from, size_t to) const {
    out[to] = in[from];
    ends[to] = from + 1;
  }
};
template <class Lengths, class Count> struct heddle_run_lengths {
  const size_t *ends;
  Lengths lengths;
  Count count;
  __HEDDLE_CUB void operator()(size_t i) const {
    if (i < (size_t)*count) lengths[i] = (heddle_value<Lengths>)(ends[i] - (i ? ends[i - 1] : 0));
  }
};
struct DeviceRunLengthEncode {
  template <class In, class Out, class Lengths, class Count>
  static cudaError_t Encode(void *room, size_t &bytes, In in, Out out, Lengths lengths, Count count, int n,
                            cudaStream_t stream = 0) {
    if (heddle_asked(room, bytes)) {
      bytes = (size_t)n * sizeof(size_t) + 1;
      return cudaSuccess;
    }
    const heddle_run<In, Out> run = {in, (size_t)n, out, (size_t *)room};
    if (const cudaError_t error = heddle_engine::select(stream, (size_t)n, run, run, count)) return error;
    return heddle_engine::each(stream, (size_t)n, heddle_run_lengths<Lengths, Count>{(size_t *)room, lengths, count});
  }
};

/* Whether it failed; where and how goes to stderr. */
inline cudaError_t Debug(cudaError_t error, const char *file, int line) {
  if (error) fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  return error;
}
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                                                \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) exit(1)

/* By the names of cub's allocator, which keeps blocks for later: here each is given back. */
struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool = false, bool = false) {}
  template <class T> cudaError_t DeviceAllocate(T **at, size_t bytes, cudaStream_t = 0) {
    return cudaMalloc((void **)at, bytes);
  }
  cudaError_t DeviceFree(void *at) { return cudaFree(at); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

} // namespace cub

#endif
