/* SPDX-License-Identifier: Apache-2.0
 * Reductions, scans and exchanges of N threads of a warp, N a power of two. All threads of the warp that there are take
 * part. */
#ifndef HEDDLE_CUB_WARP_H
#define HEDDLE_CUB_WARP_H

#include "thread.h"

namespace cub {

/* Rank 0 has the result. */
template <class T, int N = 32, int Arch = 0> class WarpReduce {
public:
  struct TempStorage {};
  __HEDDLE_CUB WarpReduce(TempStorage &) {}
  template <class Op> __HEDDLE_CUB T Reduce(T v, Op op, int valid = N) {
    const int rank = (int)__heddle_lane_id() % N;
#pragma unroll
    for (int k = 1; k < N; k *= 2) {
      const T other = heddle_from_above<N>(v, k);
      if (rank + k < valid) v = op(v, other);
    }
    return v;
  }
  __HEDDLE_CUB T Sum(T v, int valid = N) {
    return Reduce(v, cub::Sum(), valid);
  }
};

template <class T, int N = 32, int Arch = 0> class WarpScan {
public:
  struct TempStorage {};
  __HEDDLE_CUB WarpScan(TempStorage &) {}
  template <class Op> __HEDDLE_CUB void InclusiveScan(T in, T &out, Op op) {
    T v = in;
#pragma unroll
    for (int k = 1; k < N; k *= 2) {
      const T other = heddle_from_below<N>(v, k);
      if ((int)__heddle_lane_id() % N >= k) v = op(other, v);
    }
    out = v;
  }
  template <class Op> __HEDDLE_CUB void InclusiveScan(T in, T &out, Op op, T &all) {
    InclusiveScan(in, out, op);
    all = __heddle_shuffle(0xffffffffu, out, __heddle_lane_id() | (N - 1));
  }
  template <class Op> __HEDDLE_CUB void ExclusiveScan(T in, T &out, T first, Op op) {
    T v;
    InclusiveScan(in, v, op);
    v = heddle_from_below<N>(v, 1);
    out = (int)__heddle_lane_id() % N ? op(first, v) : first;
  }
  template <class Op> __HEDDLE_CUB void ExclusiveScan(T in, T &out, T first, Op op, T &all) {
    T v;
    InclusiveScan(in, v, op, all);
    v = heddle_from_below<N>(v, 1);
    out = (int)__heddle_lane_id() % N ? op(first, v) : first;
  }
  __HEDDLE_CUB void InclusiveSum(T in, T &out) {
    InclusiveScan(in, out, cub::Sum());
  }
  __HEDDLE_CUB void InclusiveSum(T in, T &out, T &all) {
    InclusiveScan(in, out, cub::Sum(), all);
  }
  __HEDDLE_CUB void ExclusiveSum(T in, T &out) {
    ExclusiveScan(in, out, T(), cub::Sum());
  }
  __HEDDLE_CUB void ExclusiveSum(T in, T &out, T &all) {
    ExclusiveScan(in, out, T(), cub::Sum(), all);
  }
  __HEDDLE_CUB T Broadcast(T v, unsigned from) {
    return __heddle_shuffle(0xffffffffu, v, (__heddle_lane_id() & ~(N - 1)) | from);
  }
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

/* From items that are contiguous in a thread to items that are contiguous in a row of threads, and back. */
template <class T, int Items, int N = 32, WarpExchangeAlgorithm How = WARP_EXCHANGE_SMEM> class WarpExchange {
public:
  struct TempStorage {
    heddle_room<T, Items * N> room;
  };
  __HEDDLE_CUB WarpExchange(TempStorage &storage) : at(storage.room), rank((int)__heddle_lane_id() % N) {}
  template <class Out> __HEDDLE_CUB void BlockedToStriped(const T (&in)[Items], Out (&out)[Items]) {
    T copy[Items];
    for (int k = 0; k < Items; k++) copy[k] = in[k];
    __syncwarp();
    for (int k = 0; k < Items; k++) at[rank * Items + k] = copy[k];
    __syncwarp();
    for (int k = 0; k < Items; k++) out[k] = at[k * N + rank];
  }
  template <class Out> __HEDDLE_CUB void StripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    T copy[Items];
    for (int k = 0; k < Items; k++) copy[k] = in[k];
    __syncwarp();
    for (int k = 0; k < Items; k++) at[k * N + rank] = copy[k];
    __syncwarp();
    for (int k = 0; k < Items; k++) out[k] = at[rank * Items + k];
  }
  template <class Offset> __HEDDLE_CUB void ScatterToStriped(T (&items)[Items], Offset (&ranks)[Items]) {
    __syncwarp();
    for (int k = 0; k < Items; k++) at[ranks[k]] = items[k];
    __syncwarp();
    for (int k = 0; k < Items; k++) items[k] = at[k * N + rank];
  }

private:
  heddle_room<T, Items * N> &at;
  int rank;
};

} // namespace cub

#endif
