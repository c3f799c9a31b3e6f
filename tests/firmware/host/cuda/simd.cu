/* SPDX-License-Identifier: Apache-2.0
 * Halfwords and bytes in a word: what each intrinsic gives, against a loop over lanes that takes them apart. */
#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.h"

/* NAME, which lanes are signed, a lane of the result by lanes x and y. Each has a form of two and one of four lanes. */
#define ONE(F)                                                                                                         \
  F(__vabs, true, x < 0 ? -x : x)                                                                                      \
  F(__vabsss, true, std::min<int64_t>(x < 0 ? -x : x, most))                                                           \
  F(__vneg, true, -x)                                                                                                  \
  F(__vnegss, true, std::min<int64_t>(-x, most))
#define COMPARE(F, NAME, SIGNED, ORDER)                                                                                \
  F(__vcmp##NAME, SIGNED, x ORDER y ? -1 : 0)                                                                          \
  F(__vset##NAME, SIGNED, x ORDER y)
#define TWO(F)                                                                                                         \
  F(__vadd, true, x + y)                                                                                               \
  F(__vaddss, true, std::max(least, std::min(most, x + y)))                                                            \
  F(__vaddus, false, std::min(most, x + y))                                                                            \
  F(__vsub, true, x - y)                                                                                               \
  F(__vsubss, true, std::max(least, std::min(most, x - y)))                                                            \
  F(__vsubus, false, std::max<int64_t>(0, x - y))                                                                      \
  F(__vabsdiffs, true, x > y ? x - y : y - x)                                                                          \
  F(__vabsdiffu, false, x > y ? x - y : y - x)                                                                         \
  F(__vhaddu, false, (x + y) / 2)                                                                                      \
  F(__vavgu, false, (x + y + 1) / 2)                                                                                   \
  F(__vavgs, true, x + y < 0 ? (x + y - 1) / 2 : (x + y + 1) / 2)                                                      \
  F(__vmaxs, true, std::max(x, y))                                                                                     \
  F(__vmaxu, false, std::max(x, y))                                                                                    \
  F(__vmins, true, std::min(x, y))                                                                                     \
  F(__vminu, false, std::min(x, y))                                                                                    \
  COMPARE(F, eq, false, ==)                                                                                            \
  COMPARE(F, ne, false, !=)                                                                                            \
  COMPARE(F, lts, true, <)                                                                                             \
  COMPARE(F, ltu, false, <)                                                                                            \
  COMPARE(F, gts, true, >)                                                                                             \
  COMPARE(F, gtu, false, >)                                                                                            \
  COMPARE(F, les, true, <=)                                                                                            \
  COMPARE(F, leu, false, <=)                                                                                           \
  COMPARE(F, ges, true, >=)                                                                                            \
  COMPARE(F, geu, false, >=)
#define SUMS(F)                                                                                                        \
  F(__vsads, true, x > y ? x - y : y - x)                                                                              \
  F(__vsadu, false, x > y ? x - y : y - x)
/* Of dynamic programming: NAME, type, bits of a lane, and a lane by x, y, z; a sum loses what is beyond the lane. */
#define BEST(F, KIND, TYPE, BITS)                                                                                      \
  F(__vimax3_##KIND, TYPE, BITS, std::max(std::max(x, y), z))                                                          \
  F(__vimin3_##KIND, TYPE, BITS, std::min(std::min(x, y), z))                                                          \
  F(__viaddmax_##KIND, TYPE, BITS, std::max(lane(x + y), z))                                                           \
  F(__viaddmin_##KIND, TYPE, BITS, std::min(lane(x + y), z))
#define BEST_ABOVE(F, KIND, TYPE, BITS)                                                                                \
  F(__vimax3_##KIND##_relu, TYPE, BITS, std::max<int64_t>(0, std::max(std::max(x, y), z)))                             \
  F(__vimin3_##KIND##_relu, TYPE, BITS, std::max<int64_t>(0, std::min(std::min(x, y), z)))                             \
  F(__viaddmax_##KIND##_relu, TYPE, BITS, std::max<int64_t>(0, std::max(lane(x + y), z)))                              \
  F(__viaddmin_##KIND##_relu, TYPE, BITS, std::max<int64_t>(0, std::min(lane(x + y), z)))
#define THREE(F)                                                                                                       \
  BEST(F, s32, int32_t, 32)                                                                                            \
  BEST(F, u32, uint32_t, 32)                                                                                           \
  BEST(F, s16x2, int16_t, 16)                                                                                          \
  BEST(F, u16x2, uint16_t, 16)                                                                                         \
  BEST_ABOVE(F, s32, int32_t, 32)                                                                                      \
  BEST_ABOVE(F, s16x2, int16_t, 16)
#define PAIRS(F)                                                                                                       \
  F(__vimax_s32_relu, int32_t, 32, std::max<int64_t>(0, std::max(x, y)))                                               \
  F(__vimin_s32_relu, int32_t, 32, std::max<int64_t>(0, std::min(x, y)))                                               \
  F(__vimax_s16x2_relu, int16_t, 16, std::max<int64_t>(0, std::max(x, y)))                                             \
  F(__vimin_s16x2_relu, int16_t, 16, std::max<int64_t>(0, std::min(x, y)))
/* With a flag for each lane: x is the one. */
#define FLAGS(F)                                                                                                       \
  F(__vibmax_s32, int32_t, 32, x >= y, (a, b, &high))                                                                  \
  F(__vibmin_s32, int32_t, 32, x <= y, (a, b, &high))                                                                  \
  F(__vibmax_u32, uint32_t, 32, x >= y, (a, b, &high))                                                                 \
  F(__vibmin_u32, uint32_t, 32, x <= y, (a, b, &high))                                                                 \
  F(__vibmax_s16x2, int16_t, 16, x >= y, (a, b, &high, &low))                                                          \
  F(__vibmin_s16x2, int16_t, 16, x <= y, (a, b, &high, &low))                                                          \
  F(__vibmax_u16x2, uint16_t, 16, x >= y, (a, b, &high, &low))                                                         \
  F(__vibmin_u16x2, uint16_t, 16, x <= y, (a, b, &high, &low))

constexpr int results = 192;

__global__ void intrinsics(const unsigned *in, unsigned *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  unsigned *r = out + results * i;
  bool high = false, low = false;
#define F(NAME, ...)                                                                                                   \
  *r++ = NAME##2(a);                                                                                                   \
  *r++ = NAME##4(a);
  ONE(F)
#undef F
#define F(NAME, ...)                                                                                                   \
  *r++ = NAME##2(a, b);                                                                                                \
  *r++ = NAME##4(a, b);
  TWO(F)
  SUMS(F)
#undef F
#define F(NAME, ...) *r++ = (unsigned)NAME(a, b, c);
  THREE(F)
#undef F
#define F(NAME, ...) *r++ = (unsigned)NAME(a, b);
  PAIRS(F)
#undef F
#define F(NAME, TYPE, BITS, FIRST, ARGUMENTS)                                                                          \
  *r++ = (unsigned)NAME ARGUMENTS;                                                                                     \
  *r++ = (unsigned)high << 1 | low;
  FLAGS(F)
#undef F
  while (r < out + results * (i + 1)) *r++ = 0;
}

struct wanted {
  const char *name;
  unsigned value;
};
static int64_t lane_of(unsigned word, int bits, int k, bool is_signed) {
  const int64_t v = (int64_t)(word >> (bits * k)) & ((1LL << bits) - 1);
  return is_signed && v >> (bits - 1) ? v - (1LL << bits) : v;
}
static unsigned into(int64_t v, int bits, int k) {
  return (unsigned)((uint64_t)v & ((1ULL << bits) - 1)) << (bits * k);
}
static std::vector<wanted> loops(unsigned a, unsigned b, unsigned c) {
  std::vector<wanted> all;
  auto lanes = [&](const char *name, bool is_signed, bool add, auto f) {
    for (int bits : {16, 8}) {
      unsigned r = 0;
      const int64_t least = is_signed ? -(1LL << (bits - 1)) : 0, most = (1LL << (bits - is_signed)) - 1;
      for (int k = 0; k < 32 / bits; k++) {
        const int64_t v = f(lane_of(a, bits, k, is_signed), lane_of(b, bits, k, is_signed), least, most);
        r = add ? r + (unsigned)v : r | into(v, bits, k);
      }
      all.push_back({name, r});
    }
  };
  auto best = [&](const char *name, int bits, bool is_signed, auto f) {
    unsigned r = 0;
    for (int k = 0; k < 32 / bits; k++)
      r |= into(f(lane_of(a, bits, k, is_signed), lane_of(b, bits, k, is_signed), lane_of(c, bits, k, is_signed)), bits,
                k);
    all.push_back({name, r});
  };
#define LANES(NAME, SIGNED, ADD, VALUE)                                                                                \
  lanes(#NAME, SIGNED, ADD, [](int64_t x, int64_t y, int64_t least, int64_t most) -> int64_t {                         \
    (void)y, (void)least, (void)most;                                                                                  \
    return VALUE;                                                                                                      \
  });
#define F(NAME, SIGNED, VALUE) LANES(NAME, SIGNED, false, VALUE)
  ONE(F)
  TWO(F)
#undef F
#define F(NAME, SIGNED, VALUE) LANES(NAME, SIGNED, true, VALUE)
  SUMS(F)
#undef F
#define F(NAME, TYPE, BITS, VALUE)                                                                                     \
  best(#NAME, BITS, TYPE(-1) < 0, [](int64_t x, int64_t y, int64_t z) -> int64_t {                                     \
    auto lane = [](int64_t v) { return (int64_t)(TYPE)v; };                                                            \
    (void)lane, (void)z;                                                                                               \
    return VALUE;                                                                                                      \
  });
  THREE(F)
  PAIRS(F)
#undef F
  unsigned flags = 0;
#define F(NAME, TYPE, BITS, FIRST, ARGUMENTS)                                                                          \
  best(#NAME, BITS, TYPE(-1) < 0, [](int64_t x, int64_t y, int64_t) -> int64_t { return FIRST ? x : y; });             \
  for (int k = 0; k < 32 / BITS; k++) {                                                                                \
    const int64_t x = lane_of(a, BITS, k, TYPE(-1) < 0), y = lane_of(b, BITS, k, TYPE(-1) < 0);                        \
    const int at = BITS == 32 || k == 1 ? 1 : 0;                                                                       \
    flags = (flags & ~(1u << at)) | (unsigned)(FIRST) << at;                                                           \
  }                                                                                                                    \
  all.push_back({#NAME " (flags)", flags});
  FLAGS(F)
#undef F
  return all;
}

/* Edges of lanes, and any bits; b is often close to a. */
static std::vector<unsigned> operands(int rows) {
  static const unsigned edges[] = {0x00000000, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f,
                                   0x00010001, 0x01010101, 0xfffefffe, 0x00ff00ff, 0x80017fff, 0xff7f8001};
  constexpr unsigned n = sizeof edges / sizeof *edges;
  std::vector<unsigned> in;
  uint64_t state = 3;
  auto any = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 32);
  };
  for (unsigned i = 0; (int)in.size() < 3 * rows; i++) {
    if (i < n * n) {
      in.insert(in.end(), {edges[i % n], edges[i / n], edges[(i % n + i / n) % n]});
      continue;
    }
    const unsigned a = any(), how = any(), b = any(), c = any();
    in.insert(in.end(), {a, how & 1 ? b : a ^ (1u << (b & 31)), how & 2 ? c : a ^ (3u << (c & 31))});
  }
  return in;
}

int main(int count, char **) {
  const int rows = count > 1 ? 32 : 2048; /* few where hardware is simulated */
  const std::vector<unsigned> in = operands(rows);
  std::vector<unsigned> got((size_t)rows * results);
  unsigned *from, *to;
  OK(cudaMalloc(&from, in.size() * sizeof *from));
  OK(cudaMalloc(&to, got.size() * sizeof *to));
  OK(cudaMemcpy(from, in.data(), in.size() * sizeof *from, cudaMemcpyHostToDevice));
  intrinsics<<<rows / 32, 32>>>(from, to);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got.data(), to, got.size() * sizeof *to, cudaMemcpyDeviceToHost));
  OK(cudaFree(from));
  OK(cudaFree(to));
  for (int i = 0; i < rows; i++) {
    const unsigned *row = &in[3 * (size_t)i];
    const std::vector<wanted> all = loops(row[0], row[1], row[2]);
    SAY(all.size() <= results);
    for (size_t k = 0; k < all.size(); k++) {
      if (got[(size_t)(results * i) + k] == all[k].value) continue;
      fprintf(stderr, "%s, %zu of all, of %08x %08x %08x: %08x here, %08x there\n", all[k].name, k, row[0], row[1],
              row[2], all[k].value, got[(size_t)(results * i) + k]);
      exit(3);
    }
  }
  SAY(__viaddmax_s32(-5, 3, -7) == -2 && __vimin3_u16x2(0x00050007, 0x00060003, 0xffffffff) == 0x00050003);
  puts("all lanes");
}
