/* SPDX-License-Identifier: Apache-2.0
 * Reductions and scans of a block's threads: each warp by shuffles, then the warps' results in shared memory. */
#ifndef HEDDLE_CUB_BLOCK_H
#define HEDDLE_CUB_BLOCK_H

#include "warp.h"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

/* Thread 0 has the result. */
template <class T, int X, BlockReduceAlgorithm How = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;

public:
  struct TempStorage {
    heddle_room<T, warps> room;
  };
  __HEDDLE_CUB BlockReduce() : BlockReduce(own()) {}
  __HEDDLE_CUB BlockReduce(TempStorage &storage) : at(storage.room), thread(heddle_thread()) {}
  template <class Op> __HEDDLE_CUB T Reduce(T v, Op op, int valid = threads) {
    const int first = thread & ~31, left = valid - first;
    typename WarpReduce<T>::TempStorage none;
    v = WarpReduce<T>(none).Reduce(v, op, left < 32 ? left : 32);
    if (thread % 32 == 0) at[thread / 32] = v;
    __syncthreads();
    if (thread == 0)
      for (int k = 1; k * 32 < valid; k++) v = op(v, at[k]);
    return v;
  }
  template <int Items, class Op> __HEDDLE_CUB T Reduce(T (&items)[Items], Op op) {
    T v = items[0];
    for (int k = 1; k < Items; k++) v = op(v, items[k]);
    return Reduce(v, op);
  }
  __HEDDLE_CUB T Sum(T v) { return Reduce(v, cub::Sum()); }
  __HEDDLE_CUB T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <int Items> __HEDDLE_CUB T Sum(T (&items)[Items]) { return Reduce(items, cub::Sum()); }

private:
  heddle_room<T, warps> &at;
  int thread;
  __HEDDLE_CUB static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm How = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;

public:
  struct TempStorage {
    heddle_room<T, warps> room;
    heddle_room<T, 1> prefix;
  };
  __HEDDLE_CUB BlockScan() : BlockScan(own()) {}
  __HEDDLE_CUB BlockScan(TempStorage &storage) : at(storage), thread(heddle_thread()) {}

  template <class Op> __HEDDLE_CUB void InclusiveScan(T in, T &out, Op op, T &all) {
    T before;
    const bool has = scan(in, op, before, all);
    out = has ? op(before, in) : in;
  }
  template <class Op> __HEDDLE_CUB void ExclusiveScan(T in, T &out, T first, Op op, T &all) {
    T before;
    const bool has = scan(in, op, before, all);
    out = has ? op(first, before) : first;
  }
  /* The first warp calls PREFIX with the sum of all; it returns the sum before. */
  template <class Op, class Prefix> __HEDDLE_CUB void heddle_scan(T in, T &out, Op op, Prefix &prefix, bool own) {
    T before, all;
    const bool has = scan(in, op, before, all);
    if (thread < 32) {
      const T first = prefix(all);
      if (thread == 0) at.prefix[0] = first;
    }
    __syncthreads();
    const T first = at.prefix[0];
    out = has ? op(first, before) : first;
    if (own) out = op(out, in);
  }
  template <class Op> __HEDDLE_CUB void InclusiveScan(T in, T &out, Op op) {
    T all;
    InclusiveScan(in, out, op, all);
  }
  template <class Op> __HEDDLE_CUB void ExclusiveScan(T in, T &out, T first, Op op) {
    T all;
    ExclusiveScan(in, out, first, op, all);
  }
  __HEDDLE_CUB void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
  __HEDDLE_CUB void InclusiveSum(T in, T &out, T &all) { InclusiveScan(in, out, cub::Sum(), all); }
  template <class Prefix> __HEDDLE_CUB void InclusiveSum(T in, T &out, Prefix &prefix) {
    heddle_scan(in, out, cub::Sum(), prefix, true);
  }
  __HEDDLE_CUB void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __HEDDLE_CUB void ExclusiveSum(T in, T &out, T &all) { ExclusiveScan(in, out, T(), cub::Sum(), all); }
  template <class Prefix> __HEDDLE_CUB void ExclusiveSum(T in, T &out, Prefix &prefix) {
    heddle_scan(in, out, cub::Sum(), prefix, false);
  }

  /* Several items a thread: their sum among the threads, then along the thread. */
  template <int Items, class Op> __HEDDLE_CUB void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op, T &all) {
    T before;
    const bool has = scan(reduce(in, op), op, before, all);
    out[0] = has ? op(before, in[0]) : in[0];
    for (int k = 1; k < Items; k++) out[k] = op(out[k - 1], in[k]);
  }
  template <int Items, class Op>
  __HEDDLE_CUB void ExclusiveScan(T (&in)[Items], T (&out)[Items], T first, Op op, T &all) {
    T v;
    ExclusiveScan(reduce(in, op), v, first, op, all);
    along(in, out, v, op, false);
  }
  template <int Items, class Op, class Prefix>
  __HEDDLE_CUB void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op, Prefix &prefix) {
    T v;
    heddle_scan(reduce(in, op), v, op, prefix, false);
    along(in, out, v, op, true);
  }
  template <int Items, class Op, class Prefix>
  __HEDDLE_CUB void ExclusiveScan(T (&in)[Items], T (&out)[Items], Op op, Prefix &prefix) {
    T v;
    heddle_scan(reduce(in, op), v, op, prefix, false);
    along(in, out, v, op, false);
  }
  template <int Items, class Op> __HEDDLE_CUB void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op) {
    T all;
    InclusiveScan(in, out, op, all);
  }
  template <int Items, class Op> __HEDDLE_CUB void ExclusiveScan(T (&in)[Items], T (&out)[Items], T first, Op op) {
    T all;
    ExclusiveScan(in, out, first, op, all);
  }
  template <int Items> __HEDDLE_CUB void InclusiveSum(T (&in)[Items], T (&out)[Items]) {
    InclusiveScan(in, out, cub::Sum());
  }
  template <int Items> __HEDDLE_CUB void InclusiveSum(T (&in)[Items], T (&out)[Items], T &all) {
    InclusiveScan(in, out, cub::Sum(), all);
  }
  template <int Items> __HEDDLE_CUB void ExclusiveSum(T (&in)[Items], T (&out)[Items]) {
    ExclusiveScan(in, out, T(), cub::Sum());
  }
  template <int Items> __HEDDLE_CUB void ExclusiveSum(T (&in)[Items], T (&out)[Items], T &all) {
    ExclusiveScan(in, out, T(), cub::Sum(), all);
  }
  template <int Items, class Prefix> __HEDDLE_CUB void InclusiveSum(T (&in)[Items], T (&out)[Items], Prefix &prefix) {
    InclusiveScan(in, out, cub::Sum(), prefix);
  }
  template <int Items, class Prefix> __HEDDLE_CUB void ExclusiveSum(T (&in)[Items], T (&out)[Items], Prefix &prefix) {
    ExclusiveScan(in, out, cub::Sum(), prefix);
  }

private:
  TempStorage &at;
  int thread;
  __HEDDLE_CUB static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <int Items, class Op> __HEDDLE_CUB static T reduce(T (&in)[Items], Op op) {
    T v = in[0];
    for (int k = 1; k < Items; k++) v = op(v, in[k]);
    return v;
  }
  template <int Items, class Op> __HEDDLE_CUB static void along(T (&in)[Items], T (&out)[Items], T v, Op op, bool own) {
    for (int k = 0; k < Items; k++) {
      const T next = op(v, in[k]);
      out[k] = own ? next : v;
      v = next;
    }
  }
  /* Sum of all threads before this one, and of all; false: there is none before. */
  template <class Op> __HEDDLE_CUB bool scan(T in, Op op, T &before, T &all) {
    const int warp = thread / 32, lane = thread % 32;
    typename WarpScan<T>::TempStorage none;
    T v;
    WarpScan<T>(none).InclusiveScan(in, v, op);
    if (lane == 31 || thread == threads - 1) at.room[warp] = v;
    __syncthreads();
    before = heddle_from_below<32>(v, 1);
    bool has = lane > 0;
    T sum = at.room[0];
    for (int k = 1; k < warps; k++) {
      if (k == warp) {
        before = has ? op(sum, before) : sum;
        has = true;
      }
      sum = op(sum, at.room[k]);
    }
    all = sum;
    return has;
  }
};

} // namespace cub

#endif
