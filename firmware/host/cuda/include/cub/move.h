/* SPDX-License-Identifier: Apache-2.0
 * Loads and stores of a block's items, and changes of their order. */
#ifndef HEDDLE_CUB_MOVE_H
#define HEDDLE_CUB_MOVE_H

#include "warp.h"

namespace cub {

/* Blocked: items of a thread are contiguous. Striped: item k of all threads together. */
template <class T, int Items, class It> __HEDDLE_CUB void LoadDirectBlocked(int thread, It from, T (&items)[Items]) {
  for (int k = 0; k < Items; k++) items[k] = from[thread * Items + k];
}
template <class T, int Items, class It>
__HEDDLE_CUB void LoadDirectBlocked(int thread, It from, T (&items)[Items], int valid) {
  for (int k = 0; k < Items; k++)
    if (thread * Items + k < valid) items[k] = from[thread * Items + k];
}
template <class T, int Items, class It, class Default>
__HEDDLE_CUB void LoadDirectBlocked(int thread, It from, T (&items)[Items], int valid, Default other) {
  for (int k = 0; k < Items; k++) items[k] = thread * Items + k < valid ? from[thread * Items + k] : (T)other;
}
template <int Threads, class T, int Items, class It>
__HEDDLE_CUB void LoadDirectStriped(int thread, It from, T (&items)[Items]) {
  for (int k = 0; k < Items; k++) items[k] = from[k * Threads + thread];
}
template <int Threads, class T, int Items, class It>
__HEDDLE_CUB void LoadDirectStriped(int thread, It from, T (&items)[Items], int valid) {
  for (int k = 0; k < Items; k++)
    if (k * Threads + thread < valid) items[k] = from[k * Threads + thread];
}
template <class T, int Items, class It> __HEDDLE_CUB void StoreDirectBlocked(int thread, It to, T (&items)[Items]) {
  for (int k = 0; k < Items; k++) to[thread * Items + k] = items[k];
}
template <class T, int Items, class It>
__HEDDLE_CUB void StoreDirectBlocked(int thread, It to, T (&items)[Items], int valid) {
  for (int k = 0; k < Items; k++)
    if (thread * Items + k < valid) to[thread * Items + k] = items[k];
}
template <int Threads, class T, int Items, class It>
__HEDDLE_CUB void StoreDirectStriped(int thread, It to, T (&items)[Items]) {
  for (int k = 0; k < Items; k++) to[k * Threads + thread] = items[k];
}
template <int Threads, class T, int Items, class It>
__HEDDLE_CUB void StoreDirectStriped(int thread, It to, T (&items)[Items], int valid) {
  for (int k = 0; k < Items; k++)
    if (k * Threads + thread < valid) to[k * Threads + thread] = items[k];
}

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

/* Algorithms differ in speed, and in the place of items: direct, whatever the name. */
template <class T, int X, int Items, BlockLoadAlgorithm How = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
public:
  struct TempStorage {};
  __HEDDLE_CUB BlockLoad() {}
  __HEDDLE_CUB BlockLoad(TempStorage &) {}
  template <class It, class... More> __HEDDLE_CUB void Load(It from, T (&items)[Items], More... more) {
    if constexpr (How == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<X * Y * Z>(heddle_thread(), from, items, more...);
    else
      LoadDirectBlocked(heddle_thread(), from, items, more...);
  }
};
template <class T, int X, int Items, BlockStoreAlgorithm How = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
public:
  struct TempStorage {};
  __HEDDLE_CUB BlockStore() {}
  __HEDDLE_CUB BlockStore(TempStorage &) {}
  template <class It, class... More> __HEDDLE_CUB void Store(It to, T (&items)[Items], More... more) {
    if constexpr (How == BLOCK_STORE_STRIPED)
      StoreDirectStriped<X * Y * Z>(heddle_thread(), to, items, more...);
    else
      StoreDirectBlocked(heddle_thread(), to, items, more...);
  }
};

template <class T, int X, int Items, bool TimeSlicing = false, int Y = 1, int Z = 1, int Arch = 0> class BlockExchange {
  static constexpr int threads = X * Y * Z;

public:
  struct TempStorage {
    heddle_room<T, threads * Items> room;
  };
  __HEDDLE_CUB BlockExchange() : BlockExchange(own()) {}
  __HEDDLE_CUB BlockExchange(TempStorage &storage) : at(storage.room), thread(heddle_thread()) {}
  template <class Out> __HEDDLE_CUB void StripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    put([this](int k) { return k * threads + thread; }, in);
    for (int k = 0; k < Items; k++) out[k] = at[thread * Items + k];
  }
  template <class Out> __HEDDLE_CUB void BlockedToStriped(const T (&in)[Items], Out (&out)[Items]) {
    put([this](int k) { return thread * Items + k; }, in);
    for (int k = 0; k < Items; k++) out[k] = at[k * threads + thread];
  }
  template <class Out> __HEDDLE_CUB void WarpStripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    put([this](int k) { return thread / 32 * 32 * Items + k * 32 + thread % 32; }, in);
    for (int k = 0; k < Items; k++) out[k] = at[thread * Items + k];
  }
  template <class Out> __HEDDLE_CUB void BlockedToWarpStriped(const T (&in)[Items], Out (&out)[Items]) {
    put([this](int k) { return thread * Items + k; }, in);
    for (int k = 0; k < Items; k++) out[k] = at[thread / 32 * 32 * Items + k * 32 + thread % 32];
  }
  template <class Out, class Offset>
  __HEDDLE_CUB void ScatterToBlocked(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items]) {
    put([&ranks](int k) { return (int)ranks[k]; }, in);
    for (int k = 0; k < Items; k++) out[k] = at[thread * Items + k];
  }
  template <class Out, class Offset>
  __HEDDLE_CUB void ScatterToStriped(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items]) {
    put([&ranks](int k) { return (int)ranks[k]; }, in);
    for (int k = 0; k < Items; k++) out[k] = at[k * threads + thread];
  }
  __HEDDLE_CUB void StripedToBlocked(T (&items)[Items]) { StripedToBlocked(items, items); }
  __HEDDLE_CUB void BlockedToStriped(T (&items)[Items]) { BlockedToStriped(items, items); }

private:
  heddle_room<T, threads * Items> &at;
  int thread;
  __HEDDLE_CUB static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <class Where> __HEDDLE_CUB void put(Where where, const T (&in)[Items]) {
    for (int k = 0; k < Items; k++) at[where(k)] = in[k];
    __syncthreads();
  }
};

/* An item beside its neighbour of the thread before or behind. */
template <class T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockAdjacentDifference {
  static constexpr int threads = X * Y * Z;

public:
  struct TempStorage {
    heddle_room<T, threads> room;
  };
  __HEDDLE_CUB BlockAdjacentDifference(TempStorage &storage) : at(storage.room), thread(heddle_thread()) {}
  template <int Items, class Out, class Op> __HEDDLE_CUB void SubtractLeft(T (&in)[Items], Out (&out)[Items], Op op) {
    at[thread] = in[Items - 1];
    __syncthreads();
    T before = thread ? at[thread - 1] : in[0];
    for (int k = Items - 1; k > 0; k--) out[k] = op(in[k], in[k - 1]);
    out[0] = thread ? (Out)op(in[0], before) : (Out)in[0];
  }
  template <int Items, class Out, class Op> __HEDDLE_CUB void SubtractRight(T (&in)[Items], Out (&out)[Items], Op op) {
    at[thread] = in[0];
    __syncthreads();
    T behind = thread < threads - 1 ? at[thread + 1] : in[Items - 1], last = in[Items - 1];
    for (int k = 0; k < Items - 1; k++) out[k] = op(in[k], in[k + 1]);
    out[Items - 1] = thread < threads - 1 ? (Out)op(last, behind) : (Out)last;
  }

private:
  heddle_room<T, threads> &at;
  int thread;
};

} // namespace cub

#endif
