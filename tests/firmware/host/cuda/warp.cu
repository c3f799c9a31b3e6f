/* SPDX-License-Identifier: Apache-2.0
 * Idioms of CUDA's guide for threads of a warp that tell each other a value, each against plain loops of the host. The
 * other threads' variables are left without a value on purpose: a compiler that takes every argument for defined drops
 * the branch around the leader's part, and all threads do it.
 * usage: warp [FILE.ptx ...]: kernels of the program itself, then those of each file. */
#pragma clang diagnostic ignored "-Wuninitialized"
#pragma clang diagnostic ignored "-Wreturn-type"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "check.h"

namespace cg = cooperative_groups;

/* Of two warps: what each thread heard, in all how many places each warp took, how often, and room. */
enum { THREADS = 64, PLACES = 64, TIMES = 66, ROOM = 68, WORDS = 256, FIRST = 7 };
#define ALL 0xffffffffu
#define T ((int)threadIdx.x)
#define LANE (T & 31)
#define K extern "C" __global__ void

__device__ int take(int *o, int n) {
  atomicAdd(&o[TIMES + T / 32], 1);
  return FIRST + 100 * (T / 32) + atomicAdd(&o[PLACES + T / 32], n);
}
static int took(int *o, int t, int n) {
  o[TIMES + t / 32]++;
  return FIRST + 100 * (t / 32) + (o[PLACES + t / 32] += n) - n;
}
/* Each warp's leader takes 32, once; all its threads hear where that begins. */
static void by_32(int *o) {
  for (int t = 0; t < THREADS; t++) o[t] = t % 32 ? o[t - 1] : took(o, t, 32);
}
__host__ __device__ static int key_of(int t) { return t * 5 % 7; }

/* ---- a value of each type */

template <class V> __device__ int told(int *o) {
  V v;
  if (LANE == 0) v = (V)take(o, 4);
  v = __shfl_sync(ALL, v, 0);
  return (int)v;
}
K types(int *o) {
  o[T] = told<int>(o) + told<unsigned>(o) + told<float>(o) + told<long>(o) + told<unsigned long>(o) +
         told<long long>(o) + told<unsigned long long>(o) + told<short>(o);
}
K types_of_units(int *o) { /* these take units of their own */
  for (int k = 0; k < 4; k++) o[T] += told<double>(o) + told<__half>(o);
  o[T] += __reduce_add_sync(ALL, LANE) - 31 * 16 + __reduce_max_sync(ALL, LANE) - 31;
}
static void types_host(int *o) {
  for (int t = 0; t < THREADS; t += 32) {
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += took(o, t, 4);
    for (int i = t; i < t + 32; i++) o[i] = sum;
  }
}
K pack(int *o) {
  struct { int x; bool well; float y; } b;
  if (LANE == 0) b.x = take(o, 32), b.well = true, b.y = 0.5f;
  b.x = __shfl_sync(ALL, b.x, 0);
  b.y = __shfl_sync(ALL, b.y, 0);
  o[T] = __any_sync(ALL, b.well) ? b.x + (int)(b.y * 2) - 1 : 0;
}

/* ---- by functions of the program's own, PTX, clang's builtins, each form of the shuffle */

__device__ __attribute__((noinline)) int outline(int v) {
  return __shfl_sync(ALL, v, 0);
}
template <class V> __device__ V by_value(V v, int from) {
  return __shfl_sync(ALL, v, from);
}
__device__ void by_place(int &v) {
  v = __shfl_sync(ALL, v, 0);
}
__device__ int leader_only(int *o) {
  if (LANE == 0) return take(o, 32);
}
#define TOLD_BY(NAME, HOW)                                                                                             \
  K NAME(int *o) {                                                                                                     \
    int v;                                                                                                             \
    if (LANE == 0) v = take(o, 32);                                                                                    \
    HOW;                                                                                                               \
    o[T] = v;                                                                                                          \
  }
TOLD_BY(called, v = outline(v))
TOLD_BY(inlined, v = by_value(v, 0))
TOLD_BY(referred, by_place(v))
TOLD_BY(assembler, asm volatile("shfl.sync.idx.b32 %0, %0, 0, 31, -1;" : "+r"(v)))
K returned(int *o) {
  o[T] = by_value(leader_only(o), 0);
}
K reckoned(int *o) { /* numbers of nothing, in functions, before it is told */
  float v;
  if (LANE == 0) v = (float)take(o, 32);
  v = fmaxf(fmaf(v, 2, 1), 0.5f);
  o[T] = ((int)__shfl_sync(ALL, v, 0) - 1) / 2;
}
K builtin(int *o [[maybe_unused]]) {
#ifdef __CUDA_ARCH__
  int v, p;
  if (LANE == 0) v = take(o, 16);
  if (LANE == 0) p = take(o, 16) > 0;
  v = __nvvm_shfl_sync_idx_i32(-1, v, 0, 31);
  o[T] = __nvvm_vote_any_sync(-1, p) ? v : 0;
#endif
}
static void builtin_host(int *o) {
  for (int t = 0; t < THREADS; t++) {
    o[t] = t % 32 ? o[t - 1] : took(o, t, 16);
    if (t % 32 == 0) took(o, t, 16);
  }
}
K neighbours(int *o) {
  int a, b, c;
  if (LANE == 7) a = take(o, 8);
  if (LANE == 7) b = take(o, 8);
  if (LANE == 7) c = take(o, 8);
  a = __shfl_down_sync(ALL, a, 2);
  b = __shfl_up_sync(ALL, b, 3);
  c = __shfl_xor_sync(ALL, c, 4);
  o[T] = LANE == 5 ? a : LANE == 10 ? b : LANE == 3 ? c : 0;
}
static void neighbours_host(int *o) {
  for (int t = 0; t < THREADS; t += 32)
    o[t + 5] = took(o, t, 8), o[t + 10] = took(o, t, 8), o[t + 3] = took(o, t, 8);
}

/* ---- some threads of a warp */

K active(int *o) {
  if (LANE % 3 != 1) return;
  const unsigned here = __activemask();
  const int leader = __ffs((int)here) - 1;
  int v;
  if (LANE == leader) v = take(o, __popc(here));
  o[T] = __shfl_sync(here, v, leader) + __popc(here & ((1u << LANE) - 1));
}
static void active_host(int *o) {
  for (int t = 0; t < THREADS; t += 32) {
    const int at = took(o, t, 11);
    for (int k = 0; k < 11; k++) o[t + 3 * k + 1] = at + k;
  }
}
K branches(int *o) { /* each half has places of its own: either may be the first */
  int v;
  if (LANE < 16) {
    if (LANE == 3) v = atomicAdd(&o[ROOM + T / 16], 16) + 1;
    v = __shfl_sync(0xffff, v, 3);
  } else {
    if (LANE == 20) v = atomicAdd(&o[ROOM + T / 16], 16) + 2;
    v = __shfl_sync(0xffff0000, v, 20);
  }
  o[T] = v;
}
static void branches_host(int *o) {
  for (int t = 0; t < THREADS; t++) o[t] = t % 32 < 16 ? 1 : 2;
  for (int h = 0; h < THREADS / 16; h++) o[ROOM + h] = 16;
}
K matched(int *o) { /* one atomic for all that have the same key */
  const unsigned same = __match_any_sync(ALL, key_of(T)), leader = __ffs((int)same) - 1;
  int v;
  if (LANE == leader) v = atomicAdd(&o[ROOM + 7 * (T / 32) + key_of(T)], __popc(same));
  o[T] = __shfl_sync(same, v, leader) + __popc(same & ((1u << LANE) - 1));
}
K waterfall(int *o) { /* the same by votes: each round is one key's */
  unsigned left = ALL;
  const int key = key_of(T);
  bool mine = false;
  while (!mine) {
    const int leader = __ffs((int)left) - 1;
    mine = __shfl_sync(left, key, leader) == key;
    const unsigned same = __ballot_sync(left, mine);
    if (mine) {
      int v;
      if (LANE == leader) v = atomicAdd(&o[ROOM + 7 * (T / 32) + key], __popc(same));
      o[T] = __shfl_sync(same, v, leader) + __popc(same & ((1u << LANE) - 1));
    }
    left &= ~same;
  }
}
static void keys_host(int *o) {
  for (int t = 0; t < THREADS; t++) o[t] = o[ROOM + 7 * (t / 32) + key_of(t)]++;
}
K tail(int *o) { /* a sum of all before, of the first 21 threads of a warp */
  const unsigned some = __ballot_sync(ALL, LANE < 21);
  if (LANE >= 21) return;
  int x = key_of(T);
  for (int d = 1; d < 32; d *= 2) {
    const int before = __shfl_up_sync(some, x, d);
    if (LANE >= d) x += before;
  }
  o[T] = x;
}
static void tail_host(int *o) {
  for (int t = 0; t < THREADS; t++)
    if (t % 32 < 21) o[t] = key_of(t) + (t % 32 ? o[t - 1] : 0);
}
K guide(int *o) { /* the guide's own: a scan in eights, a sum by xor, one by down that the first has */
  int x = key_of(T), sum = x, down = x;
  for (int d = 1; d <= 4; d *= 2) {
    const int before = __shfl_up_sync(ALL, x, d, 8);
    if ((LANE & 7) >= d) x += before;
  }
  for (int d = 16; d >= 1; d /= 2) sum += __shfl_xor_sync(ALL, sum, d, 32);
  for (int d = 16; d >= 1; d /= 2) down += __shfl_down_sync(ALL, down, d);
  int first;
  if (LANE == 0) first = down;
  o[T] = x + 100 * sum + 10000 * __shfl_sync(ALL, first, 0);
}
static void guide_host(int *o) {
  for (int w = 0; w < THREADS; w += 32) {
    int sum = 0;
    for (int t = w; t < w + 32; t++) sum += key_of(t);
    for (int t = w, x = 0; t < w + 32; t++) {
      x = (t % 8 ? x : 0) + key_of(t);
      o[t] = x + 100 * sum + 10000 * sum;
    }
  }
}

/* ---- loops, votes, blocks */

K queue(int *o) { /* pieces of 32 from a queue until it is empty: each warp has its own */
  int sum = 0;
  for (;;) {
    int v;
    if (LANE == 0) v = take(o, 32);
    v = __shfl_sync(ALL, v, 0) - FIRST - 100 * (T / 32);
    if (v >= 100) break;
    if (v + LANE < 100) sum += v + LANE;
  }
  o[T] = sum;
}
static void queue_host(int *o) {
  for (int t = 0; t < THREADS; t += 32)
    for (int v = 0; v < 100;) {
      v = took(o, t, 32) - FIRST - 100 * (t / 32);
      for (int i = v; i < v + 32 && i < 100; i++) o[t + i - v] += i;
    }
}
K turns(int *o) { /* another leader each time, and plain words that it alone may touch */
  int sum = 0;
  for (int k = 0; k < 5; k++) {
    const int leader = k * 11 % 32;
    int v;
    if (LANE == leader) {
      v = o[ROOM + T / 32];
      o[ROOM + T / 32] = v + k + 1;
    }
    sum += __shfl_sync(ALL, v, leader);
    __syncwarp();
  }
  o[T] = sum;
}
static void turns_host(int *o) {
  for (int t = 0; t < THREADS; t++) o[t] = 0 + 1 + 3 + 6 + 10;
  o[ROOM] = o[ROOM + 1] = 15;
}
K votes(int *o) {
  int p;
  bool q;
  if (LANE == 9) p = take(o, 8) > 0;
  if (LANE == 4) q = take(o, 8) > 0;
  const unsigned said = __ballot_sync(ALL, p);
  o[T] = (int)(said >> 9 & 1) + (__any_sync(ALL, q) ? 2 : 0);
}
static void votes_host(int *o) {
  for (int t = 0; t < THREADS; t++) o[t] = 3;
  for (int k = 0; k < 4; k++) took(o, k / 2 * 32, 8);
}
K block(int *o) { /* all write what they have; all read what one has */
  __shared__ int said[THREADS];
  int v;
  if (T == 33) v = take(o, 8);
  said[T] = v;
  __syncthreads();
  o[T] = said[33];
}
static void block_host(int *o) {
  const int v = took(o, 33, 8);
  for (int t = 0; t < THREADS; t++) o[t] = v;
}

/* ---- groups */

K tiles(int *o) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(warp);
  int v, p;
  struct { float a; int at; long c; } b;
  if (warp.thread_rank() == 0) v = take(o, 4);
  v = warp.shfl(v, 0);
  if (warp.thread_rank() == 9) b.a = 0.5f, b.at = take(o, 4);
  b = warp.shfl(b, 9);
  if (eight.thread_rank() == 2) p = atomicAdd(&o[ROOM + T / 8], 8) + 1;
  o[T] = v + b.at + (int)(b.a * 2) + (eight.any(p) ? eight.shfl(p, 2) : 0);
}
static void tiles_host(int *o) {
  for (int t = 0; t < THREADS; t++) o[t] = t % 32 ? o[t - 1] : took(o, t, 4) + took(o, t, 4) + 2;
  for (int k = 0; k < THREADS / 8; k++) o[ROOM + k] = 8;
}
/* The filter of a well-known article: what it keeps stands in places that one atomic of a warp takes. */
__device__ int grouped(int *n) {
  const auto some = cg::coalesced_threads();
  int at;
  if (some.thread_rank() == 0) at = atomicAdd(n, some.size());
  return some.shfl(at, 0) + some.thread_rank();
}
K filter(int *o) {
  if (key_of(T) % 2 == 0) o[ROOM + 4 + 64 * (T / 32) + grouped(&o[ROOM + T / 32])] = T;
}
static void filter_host(int *o) {
  for (int t = 0; t < THREADS; t++)
    if (key_of(t) % 2 == 0) o[ROOM + 4 + 64 * (t / 32) + o[ROOM + t / 32]++] = t;
}
K labelled(int *o) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto same = cg::labeled_partition(warp, key_of(T));
  int v;
  if (same.thread_rank() == 0) v = atomicAdd(&o[ROOM + 7 * (T / 32) + key_of(T)], same.size());
  v = same.shfl(v, 0);
  o[T] = v + cg::exclusive_scan(same, 1) + 100 * cg::reduce(same, T, cg::greater<int>());
}
static void labelled_host(int *o) {
  keys_host(o);
  for (int t = 0; t < THREADS; t++)
    for (int i = t / 32 * 32 + 31;; i--)
      if (key_of(i) == key_of(t)) {
        o[t] += 100 * i;
        break;
      }
}
/* ---- all of them */

#define IDIOM(NAME, HOST)                                                                                              \
  { #NAME, (const void *)NAME, HOST }
static const struct {
  const char *name;
  const void *kernel;
  void (*host)(int *);
} idioms[] = {
    IDIOM(types, types_host), IDIOM(types_of_units, types_host), IDIOM(pack, by_32), IDIOM(called, by_32),
    IDIOM(inlined, by_32), IDIOM(referred, by_32), IDIOM(returned, by_32), IDIOM(reckoned, by_32),
    IDIOM(assembler, by_32), IDIOM(builtin, builtin_host), IDIOM(neighbours, neighbours_host),
    IDIOM(active, active_host), IDIOM(branches, branches_host), IDIOM(matched, keys_host),
    IDIOM(waterfall, keys_host), IDIOM(tail, tail_host), IDIOM(guide, guide_host), IDIOM(queue, queue_host),
    IDIOM(turns, turns_host), IDIOM(votes, votes_host), IDIOM(block, block_host), IDIOM(tiles, tiles_host),
    IDIOM(filter, filter_host), IDIOM(labelled, labelled_host)
};

static int wrong, lacking;

/* Of the program itself, or of a module. */
static void try_all(const char *what, CUmodule module, int *device) {
  for (const auto &one : idioms) {
    int want[WORDS] = {}, got[WORDS];
    void *arguments[] = {&device};
    CUfunction f;
    one.host(want);
    OK(cudaMemset(device, 0, sizeof got));
    if (!module) {
      const cudaError_t e = cudaLaunchKernel(one.kernel, dim3(1), dim3(THREADS), arguments, 0, nullptr);
      if (e == cudaErrorNoKernelImageForDevice && ++lacking) continue;
      OK(e);
    } else {
      SAY(cuModuleGetFunction(&f, module, one.name) == CUDA_SUCCESS);
      SAY(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    }
    OK(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WORDS; i++)
      if (got[i] != want[i]) {
        printf("%s of %s: word %d is %d, not %d\n", one.name, what, i, got[i], want[i]);
        wrong++;
        break;
      }
  }
}

int main(int argc, char **argv) {
  int *device;
  OK(cudaMalloc(&device, WORDS * sizeof *device));
  try_all("the program", nullptr, device);
  for (int i = 1; i < argc; i++) {
    CUmodule module;
    SAY(cuModuleLoad(&module, argv[i]) == CUDA_SUCCESS);
    try_all(argv[i], module, device);
    SAY(cuModuleUnload(module) == CUDA_SUCCESS);
  }
  if (wrong) return 1;
  printf("%zu idioms, %d times, but for %d\n", sizeof idioms / sizeof *idioms, argc, lacking);
  return 0;
}
