/* SPDX-License-Identifier: Apache-2.0
 * Kernels of operations on a whole array. A reduction, a scan and a selection are one block that goes along the
 * array: a simulated machine pays for each instruction, and parallel blocks save nothing. */
#ifndef HEDDLE_CUB_ENGINE_H
#define HEDDLE_CUB_ENGINE_H

#include <utility>

#include "block.h"

namespace heddle_engine {

constexpr int threads = 128; /* the smallest machine holds such a block */
/* Dynamic shared memory of the launch, under one name: that of a variable inside of a template would hold the
 * template's. */
extern __shared__ __align__(16) unsigned char heddle_shared[];
template <class Room> __HEDDLE_CUB Room &shared() {
  return *reinterpret_cast<Room *>(heddle_shared);
}

template <class F> __global__ void each_kernel(size_t n, F f) {
  const size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}
/* f(i) for each i below n. */
template <class F> inline cudaError_t each(cudaStream_t stream, size_t n, F f) {
  const size_t blocks = (n + threads - 1) / threads;
  if (n) each_kernel<<<(unsigned)(blocks < 64 ? blocks : 64), threads, 0, stream>>>(n, f);
  return cudaPeekAtLastError();
}

template <class T, class In, class Out, class Op>
__global__ void reduce_kernel(size_t n, In in, Out out, T first, bool has_first, Op op) {
  typedef cub::BlockReduce<T, threads> Reduce;
  auto &room = shared<typename Reduce::TempStorage>();
  const size_t t = threadIdx.x;
  const int valid = n < threads ? (int)n : threads;
  T v = first;
  if (t < n) v = in[t];
  for (size_t i = t + threads; i < n; i += threads) v = op(v, (T)in[i]);
  v = Reduce(room).Reduce(v, op, valid);
  if (t == 0) *out = !n ? first : has_first ? op(first, v) : v;
}
template <class T, class In, class Out, class Op>
inline cudaError_t reduce(cudaStream_t stream, size_t n, In in, Out out, T first, bool has_first, Op op) {
  reduce_kernel<T><<<1, threads, sizeof(typename cub::BlockReduce<T, threads>::TempStorage), stream>>>(
      n, in, out, first, has_first, op);
  return cudaPeekAtLastError();
}

/* A scan that is not inclusive has a first value. */
template <class T, class In, class Out, class Op>
__global__ void scan_kernel(size_t n, In in, Out out, T first, bool has_first, bool inclusive, Op op) {
  typedef cub::BlockScan<T, threads> Scan;
  auto &room = shared<typename Scan::TempStorage>();
  T before = first, all = first, scanned = first;
  bool has = has_first;
  for (size_t from = 0; from < n; from += threads) {
    const size_t i = from + threadIdx.x;
    T v = first; /* values behind the last are ignored */
    if (i < n) v = in[i];
    if (inclusive) {
      Scan(room).InclusiveScan(v, scanned, op, all);
      if (has) scanned = op(before, scanned);
    } else {
      Scan(room).ExclusiveScan(v, scanned, before, op, all);
    }
    if (i < n) out[i] = scanned;
    before = has ? op(before, all) : all;
    has = true;
    __syncthreads();
  }
}
template <class T, class In, class Out, class Op>
inline cudaError_t scan(cudaStream_t stream, size_t n, In in, Out out, T first, bool has_first, bool inclusive, Op op) {
  scan_kernel<T><<<1, threads, sizeof(typename cub::BlockScan<T, threads>::TempStorage), stream>>>(
      n, in, out, first, has_first, inclusive, op);
  return cudaPeekAtLastError();
}

/* Items with true take(i), in their order, by move(from, to); their number. */
template <class Take, class Move, class Count>
__global__ void select_kernel(size_t n, Take take, Move move, Count count) {
  typedef cub::BlockScan<unsigned, threads> Scan;
  auto &room = shared<typename Scan::TempStorage>();
  size_t done = 0;
  for (size_t from = 0; from < n; from += threads) {
    const size_t i = from + threadIdx.x;
    const unsigned mine = i < n && take(i);
    unsigned before, all;
    Scan(room).ExclusiveSum(mine, before, all);
    if (mine) move(i, done + before);
    done += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) *count = done;
}
template <class Take, class Move, class Count>
inline cudaError_t select(cudaStream_t stream, size_t n, Take take, Move move, Count count) {
  select_kernel<<<1, threads, sizeof(typename cub::BlockScan<unsigned, threads>::TempStorage), stream>>>(n, take, move,
                                                                                                         count);
  return cudaPeekAtLastError();
}

/* One level of a stable merge sort: where an item goes is its place in its run and its rank in the other. */
template <class Key, class Value, class Less> struct merge_level {
  const Key *keys;
  size_t n, width;
  Less less;
  Key *to;
  const Value *values; /* or none */
  Value *values_to;
  __HEDDLE_CUB void operator()(size_t i) const {
    const size_t start = i / (2 * width) * (2 * width), middle = start + width < n ? start + width : n;
    const size_t end = middle + width < n ? middle + width : n;
    const bool left = i < middle;
    const Key key = keys[i];
    size_t low = left ? middle : start, high = left ? end : middle;
    const size_t other = low;
    while (low < high) {
      const size_t at = low + (high - low) / 2;
      if (left ? less(keys[at], key) : !less(key, keys[at]))
        low = at + 1;
      else
        high = at;
    }
    const size_t place = start + (i - (left ? start : middle)) + (low - other);
    to[place] = key;
    if (values) values_to[place] = values[i];
  }
};
/* Sorts keys, and values with them; more_keys and more_values are as large. *in_more: the result is in these. */
template <class Key, class Value, class Less>
inline cudaError_t sort(cudaStream_t stream, size_t n, Key *keys, Key *more_keys, Value *values, Value *more_values,
                        Less less, bool *in_more) {
  *in_more = false;
  for (size_t width = 1; width < n; width *= 2) {
    const merge_level<Key, Value, Less> level = {keys, n, width, less, more_keys, values, more_values};
    if (const cudaError_t error = each(stream, n, level)) return error;
    std::swap(keys, more_keys);
    std::swap(values, more_values);
    *in_more = !*in_more;
  }
  return cudaSuccess;
}

} // namespace heddle_engine

#endif
