/* SPDX-License-Identifier: Apache-2.0
 * Communication between threads of a warp: shuffles, votes, matches, reductions. */
#ifndef HEDDLE_CUDA_WARP_H
#define HEDDLE_CUDA_WARP_H

__heddle_fn unsigned __activemask() {
  unsigned r;
  __asm__ volatile("activemask.b32 %0;" : "=r"(r)::"memory");
  return r;
}

/* The instructions take one mask for all lanes that execute them. Without a constant, threads may have come with
 * several. Each kind has its turn, and those that had it stay until the last has, so that the turns are not undone. */
__heddle_fn unsigned __heddle_turn(unsigned mask, unsigned here, unsigned left) {
  unsigned r;
  __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(r) : "r"(mask), "r"(__builtin_ctz(left)), "r"(here));
  return r;
}
__heddle_fn unsigned __heddle_turn_over(bool mine, unsigned here, unsigned left) {
  unsigned r;
  __asm__ volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; vote.sync.ballot.b32 %0, q, %2; }"
                   : "=r"(r)
                   : "r"((int)mine), "r"(here)
                   : "memory");
  return left & ~r;
}
#define __HEDDLE_EACH_MASK(...)                                                                                        \
  if (__builtin_constant_p(mask)) {                                                                                    \
    __VA_ARGS__;                                                                                                       \
  } else {                                                                                                             \
    const unsigned here = __activemask();                                                                              \
    unsigned left = here;                                                                                              \
    do {                                                                                                               \
      const bool mine = mask == __heddle_turn(mask, here, left);                                                       \
      if (mine) __VA_ARGS__;                                                                                           \
      left = __heddle_turn_over(mine, here, left);                                                                     \
    } while (left);                                                                                                    \
  }

#define __HEDDLE_SHUFFLE(NAME, HOW, LANE, CLAMP)                                                                       \
  __heddle_fn unsigned NAME(unsigned mask, unsigned v, LANE lane, int width = 32) {                                    \
    unsigned r = 0;                                                                                                    \
    __HEDDLE_EACH_MASK(__asm__ volatile("shfl.sync." HOW ".b32 %0, %1, %2, %3, %4;"                                    \
                                        : "=r"(r)                                                                      \
                                        : "r"(v), "r"(lane), "r"((32 - width) << 8 | (CLAMP)), "r"(mask)))             \
    return r;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn int NAME(unsigned mask, int v, LANE lane, int width = 32) {                                              \
    return (int)NAME(mask, (unsigned)v, lane, width);                                                                  \
  }                                                                                                                    \
  __heddle_fn float NAME(unsigned mask, float v, LANE lane, int width = 32) {                                          \
    return __builtin_bit_cast(float, NAME(mask, __builtin_bit_cast(unsigned, v), lane, width));                        \
  }                                                                                                                    \
  __heddle_fn unsigned long long NAME(unsigned mask, unsigned long long v, LANE lane, int width = 32) {                \
    const unsigned low = NAME(mask, (unsigned)v, lane, width), high = NAME(mask, (unsigned)(v >> 32), lane, width);    \
    return (unsigned long long)high << 32 | low;                                                                       \
  }                                                                                                                    \
  __heddle_fn long long NAME(unsigned mask, long long v, LANE lane, int width = 32) {                                  \
    return (long long)NAME(mask, (unsigned long long)v, lane, width);                                                  \
  }                                                                                                                    \
  __heddle_fn unsigned long NAME(unsigned mask, unsigned long v, LANE lane, int width = 32) {                          \
    return (unsigned long)NAME(mask, (unsigned long long)v, lane, width);                                              \
  }                                                                                                                    \
  __heddle_fn long NAME(unsigned mask, long v, LANE lane, int width = 32) {                                            \
    return (long)NAME(mask, (unsigned long long)v, lane, width);                                                       \
  }                                                                                                                    \
  __heddle_fn double NAME(unsigned mask, double v, LANE lane, int width = 32) {                                        \
    return __builtin_bit_cast(double, NAME(mask, __builtin_bit_cast(unsigned long long, v), lane, width));             \
  }
__HEDDLE_SHUFFLE(__shfl_sync, "idx", int, 31)
__HEDDLE_SHUFFLE(__shfl_up_sync, "up", unsigned, 0)
__HEDDLE_SHUFFLE(__shfl_down_sync, "down", unsigned, 31)
__HEDDLE_SHUFFLE(__shfl_xor_sync, "bfly", int, 31)

__heddle_fn unsigned __ballot_sync(unsigned mask, int p) {
  unsigned r = 0;
  __HEDDLE_EACH_MASK(__asm__ volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; vote.sync.ballot.b32 %0, q, %2; }"
                                      : "=r"(r)
                                      : "r"(p), "r"(mask)
                                      : "memory"))
  return r;
}
#define __HEDDLE_VOTE(NAME, HOW)                                                                                       \
  __heddle_fn int NAME(unsigned mask, int p) {                                                                         \
    int r = 0;                                                                                                         \
    __HEDDLE_EACH_MASK(__asm__ volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; vote.sync." HOW                         \
                                        ".pred q, q, %2; selp.s32 %0, 1, 0, q; }"                                      \
                                        : "=r"(r)                                                                      \
                                        : "r"(p), "r"(mask)                                                            \
                                        : "memory"))                                                                   \
    return r;                                                                                                          \
  }
__HEDDLE_VOTE(__all_sync, "all")
__HEDDLE_VOTE(__any_sync, "any")
__HEDDLE_VOTE(__uni_sync, "uni")

#define __HEDDLE_MATCH(TYPE, BITS, REG)                                                                                \
  __heddle_fn unsigned __match_any_sync(unsigned mask, TYPE v) {                                                       \
    unsigned r = 0;                                                                                                    \
    __HEDDLE_EACH_MASK(__asm__ volatile("match.any.sync." BITS " %0, %1, %2;"                                          \
                                        : "=r"(r)                                                                      \
                                        : REG(v), "r"(mask)                                                            \
                                        : "memory"))                                                                   \
    return r;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn unsigned __match_all_sync(unsigned mask, TYPE v, int *same) {                                            \
    unsigned r = 0;                                                                                                    \
    __HEDDLE_EACH_MASK(__asm__ volatile("{ .reg .pred q; match.all.sync." BITS                                         \
                                        " %0|q, %2, %3; selp.s32 %1, 1, 0, q; }"                                       \
                                        : "=r"(r), "=r"(*same)                                                         \
                                        : REG(v), "r"(mask)                                                            \
                                        : "memory"))                                                                   \
    return r;                                                                                                          \
  }
__HEDDLE_MATCH(unsigned, "b32", "r")
__HEDDLE_MATCH(int, "b32", "r")
__HEDDLE_MATCH(unsigned long long, "b64", "l")
__HEDDLE_MATCH(long long, "b64", "l")

#define __HEDDLE_REDUCE(NAME, TYPE, HOW)                                                                               \
  __heddle_fn TYPE NAME(unsigned mask, TYPE v) {                                                                       \
    TYPE r = 0;                                                                                                        \
    __HEDDLE_EACH_MASK(__asm__ volatile("redux.sync." HOW " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask) : "memory"))    \
    return r;                                                                                                          \
  }
__HEDDLE_REDUCE(__reduce_add_sync, unsigned, "add.u32")
__HEDDLE_REDUCE(__reduce_add_sync, int, "add.s32")
__HEDDLE_REDUCE(__reduce_min_sync, unsigned, "min.u32")
__HEDDLE_REDUCE(__reduce_min_sync, int, "min.s32")
__HEDDLE_REDUCE(__reduce_max_sync, unsigned, "max.u32")
__HEDDLE_REDUCE(__reduce_max_sync, int, "max.s32")
__HEDDLE_REDUCE(__reduce_and_sync, unsigned, "and.b32")
__HEDDLE_REDUCE(__reduce_or_sync, unsigned, "or.b32")
__HEDDLE_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")

__heddle_fn void __syncwarp(unsigned mask = 0xffffffff){
    __HEDDLE_EACH_MASK(__asm__ volatile("bar.warp.sync %0;" ::"r"(mask)
                                        : "memory"))}

/* Without a mask they have meant nothing since threads of a warp go their own ways: refused, with what to write. */
#define __HEDDLE_OLD(NAME)                                                                                             \
  template <class... T>                                                                                                \
  __attribute__((unavailable("threads of a warp go their own ways: " #NAME "_sync, with a mask"))) __device__ int      \
  NAME(T...);
__HEDDLE_OLD(__shfl) __HEDDLE_OLD(__shfl_up) __HEDDLE_OLD(__shfl_down) __HEDDLE_OLD(__shfl_xor) __HEDDLE_OLD(__ballot)
    __HEDDLE_OLD(__all) __HEDDLE_OLD(__any)

#endif
