// SPDX-License-Identifier: Apache-2.0
// The matrix unit against what silicon returned and against the rules in plain C++ (which the same
// measurements check first): edge values, cancellation, random ones; instructions that do nothing;
// latency and rate.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/rtl/mma/mma_bench.h"

#include "tests/rtl/silicon_data.h"

namespace {

// ---- Files -----------------------------------------------------------------------------------------
std::vector<uint8_t> contents(const std::string &path) {
  std::vector<uint8_t> all = read_bytes(path);
  if (!all.empty()) return all;
  std::fprintf(stderr, "cannot read '%s'\n", path.c_str());
  std::exit(2);
}

struct Cursor {
  const std::vector<uint8_t> &data;
  size_t at;
  void need(size_t n) const {
    if (data.size() - at >= n) return;
    std::fprintf(stderr, "measured results end too early, at byte %zu of %zu\n", at, data.size());
    std::exit(2);
  }
  uint64_t number(unsigned bytes) {
    need(bytes);
    uint64_t x = 0;
    std::memcpy(&x, &data[at], bytes);
    at += bytes;
    return x;
  }
  std::vector<uint64_t> numbers(size_t count, unsigned bytes) {
    std::vector<uint64_t> all(count);
    for (uint64_t &x : all) x = number(bytes);
    return all;
  }
};

struct Dot {
  std::vector<uint64_t> a, b;
  uint64_t c = 0, d = 0;
};

uint64_t wrong; // of the rules themselves, against silicon

void measured(const Instruction &i, const uint64_t *a, const uint64_t *b, uint64_t c, uint64_t d) {
  const uint64_t got = dot(i, a, b, c);
  if (got == d) return;
  if (wrong++ < 10)
    std::printf("%s: the rules give %llx, silicon gave %llx\n", i.name, static_cast<unsigned long long>(got),
                static_cast<unsigned long long>(d));
}

// ---- Dot products: those of up to eight lie on places of one D, the rest of which follows the rules ---
// Vector v is column v of B and, with its elements, rows v and turn + v (mod 8) + 8 of A.
void send_dots(Bench &bench, const Instruction &i, const std::vector<Dot> &dots, unsigned turn) {
  Tile t{std::vector<uint64_t>(i.m * i.k), std::vector<uint64_t>(i.k * i.n), std::vector<uint64_t>(i.m * i.n)};
  for (unsigned row = 0; row < i.m; row++) {
    const Dot &of = dots[row < 8 ? row : (row + turn) % 8];
    std::copy(of.a.begin(), of.a.end(), t.a.begin() + row * i.k);
  }
  for (unsigned n = 0; n < 8; n++) {
    for (unsigned k = 0; k < i.k; k++) t.b[k * i.n + n] = dots[n].b[k];
    for (unsigned m = 0; m < i.m; m++) t.c[m * i.n + n] = dots[(m + n) % 8].c;
  }
  for (unsigned v = 0; v < 8; v++) {
    t.c[v * i.n + v] = dots[v].c;
    if (i.m == 16) t.c[(8 + (v + 8 - turn) % 8) * i.n + v] = dots[v].c;
  }
  std::vector<uint64_t> d = product(i, t);
  for (unsigned v = 0; v < 8; v++) {
    d[v * i.n + v] = dots[v].d;
    if (i.m == 16) d[(8 + (v + 8 - turn) % 8) * i.n + v] = dots[v].d;
  }
  bench.check(i, t, d);
}

uint64_t vectors(Bench &bench, const Options &options) {
  const std::vector<uint8_t> data = contents(options.silicon + "/mma/vectors.bin");
  Cursor in{data, 0};
  const uint64_t magic = in.number(8);
  if (magic != 0x3156414d4dull) {
    std::fprintf(stderr, "mma/vectors.bin: not a file of measured dot products\n");
    std::exit(2);
  }
  uint64_t all = 0;
  const uint64_t sections = in.number(4);
  for (uint64_t s = 0; s < sections; s++) {
    in.need(24);
    const std::string name(reinterpret_cast<const char *>(&data[in.at]),
                           strnlen(reinterpret_cast<const char *>(&data[in.at]), 24));
    in.at += 24;
    const Instruction &i = find(name.c_str());
    const uint64_t k = in.number(4), bytes = in.number(4), sum_bytes = in.number(4), count = in.number(4);
    if (k != i.k || bytes != bits_of(i.a) / 8 || sum_bytes != bits_of(i.sum) / 8) {
      std::fprintf(stderr, "mma/vectors.bin: '%s' has another shape than the instruction\n", name.c_str());
      std::exit(2);
    }
    std::vector<Dot> dots;
    for (uint64_t n = 0; n < count; n++) {
      Dot v;
      v.a = in.numbers(k, static_cast<unsigned>(bytes));
      v.b = in.numbers(k, static_cast<unsigned>(bytes));
      v.c = in.number(static_cast<unsigned>(sum_bytes));
      v.d = in.number(static_cast<unsigned>(sum_bytes));
      measured(i, v.a.data(), v.b.data(), v.c, v.d);
      dots.push_back(v);
      if (dots.size() < 8 && n + 1 < count) continue;
      while (dots.size() < 8) dots.push_back(dots.front());
      send_dots(bench, i, dots, static_cast<unsigned>(n / 8 % 8));
      all += 8;
      dots.clear();
    }
  }
  return all;
}

// ---- Whole tiles ---------------------------------------------------------------------------------
uint64_t fp8_tiles(Bench &bench, const Options &options, const char *name) {
  const std::vector<uint8_t> data = contents(options.silicon + "/mma/" + name + ".bin");
  const Instruction &i = find(name);
  Cursor in{data, 0};
  for (unsigned n = 0; n < 64; n++) {
    Tile t;
    t.a = in.numbers(16 * 32, 1);
    t.b = in.numbers(32 * 8, 1);
    t.c = in.numbers(16 * 8, 4);
    const std::vector<uint64_t> d = in.numbers(16 * 8, 4);
    const std::vector<uint64_t> rules = product(i, t);
    for (size_t e = 0; e < d.size(); e++) wrong += rules[e] != d[e];
    bench.check(i, t, d);
  }
  return 64 * 128;
}

uint16_t to_f16(float f) {
  const _Float16 h = static_cast<_Float16>(f);
  uint16_t raw;
  std::memcpy(&raw, &h, 2);
  return (raw & 0x7fff) > 0x7c00 ? 0x7fff : raw;
}

// 16 x 16: two instructions beside each other. A C of halves is widened; a D of halves is the F32
// result, rounded.
uint64_t wide_tiles(Bench &bench, const Options &options, const char *name, bool half_c, bool half_d) {
  const std::vector<uint8_t> data = contents(options.silicon + "/mma/" + name + ".bin");
  const Instruction &i = find("f16k16_f32");
  Cursor in{data, 0};
  for (unsigned n = 0; n < 64; n++) {
    const std::vector<uint64_t> a = in.numbers(256, 2), b = in.numbers(256, 2), c = in.numbers(256, half_c ? 2 : 4),
                                d = in.numbers(256, half_d ? 2 : 4);
    for (unsigned side = 0; side < 2; side++) {
      Tile t{a, std::vector<uint64_t>(16 * 8), std::vector<uint64_t>(16 * 8)};
      for (unsigned k = 0; k < 16; k++)
        for (unsigned column = 0; column < 8; column++) t.b[k * 8 + column] = b[(8 * side + column) * 16 + k];
      for (unsigned e = 0; e < 128; e++) {
        const uint16_t raw = static_cast<uint16_t>(c[e / 8 * 16 + 8 * side + e % 8]);
        _Float16 h;
        std::memcpy(&h, &raw, 2);
        const float f = static_cast<float>(h);
        uint32_t word;
        std::memcpy(&word, &f, 4);
        t.c[e] = half_c ? word : c[e / 8 * 16 + 8 * side + e % 8];
      }
      std::vector<uint64_t> want = product(i, t);
      for (unsigned e = 0; e < 128; e++) {
        const uint64_t silicon = d[e / 8 * 16 + 8 * side + e % 8];
        const uint32_t word = static_cast<uint32_t>(want[e]);
        float f;
        std::memcpy(&f, &word, 4);
        wrong += half_d ? to_f16(f) != silicon : word != silicon;
        if (!half_d) want[e] = silicon;
      }
      bench.check(i, t, want);
    }
  }
  return 64 * 256;
}

// ---- By the rules --------------------------------------------------------------------------------
struct Layout {
  int exponent_bits, fraction_bits;
};

Layout layout(Element e) {
  switch (e) {
  case Element::F16:
    return {5, 10};
  case Element::BF16:
    return {8, 7};
  case Element::TF32:
    return {8, 23};
  case Element::E4M3:
    return {4, 3};
  case Element::E5M2:
    return {5, 2};
  case Element::F64:
    return {11, 52};
  default:
    return {0, 8};
  }
}

// Edges of a format: zeros, subnormals, limits, one, infinities, NaNs; of integers limits and
// their neighbours.
std::vector<uint64_t> edges(Layout l) {
  if (l.exponent_bits == 0) return {0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  const uint64_t one = 1ull << l.fraction_bits, top = ((1ull << l.exponent_bits) - 1) << l.fraction_bits;
  const uint64_t bias = ((1ull << (l.exponent_bits - 1)) - 1) << l.fraction_bits;
  std::vector<uint64_t> all;
  for (uint64_t x : {uint64_t{0}, uint64_t{1}, one / 2, one - 1, one, one + 1, bias, bias + 1, bias + one - 1,
                     bias - one, top - one, top - 1, top, top + 1, top + one - 1})
    for (uint64_t sign : {uint64_t{0}, top + one}) all.push_back(x | sign);
  return all;
}

// Few special values, or most sums would be NaN; exponents near each other, or anywhere.
uint64_t draw(Random &r, Layout l, const std::vector<uint64_t> &special, unsigned style) {
  const uint64_t any =
      r.next() &
      ((l.exponent_bits + l.fraction_bits == 63) ? ~0ull : (2ull << (l.exponent_bits + l.fraction_bits)) - 1);
  if (l.exponent_bits == 0) return r.one_in(4) ? special[r.below(static_cast<uint32_t>(special.size()))] : any & 0xff;
  const uint64_t one = 1ull << l.fraction_bits, range = 1ull << l.exponent_bits;
  const auto with = [&](uint64_t e) { return (any & ~((range - 1) << l.fraction_bits)) | e << l.fraction_bits; };
  switch (style) {
  case 0:
    return any;
  case 1: // finite edges
    for (;;) {
      const uint64_t x = special[r.below(static_cast<uint32_t>(special.size()))];
      if ((x >> l.fraction_bits & (range - 1)) != range - 1) return x;
    }
  case 2: // all edges, rarely the special ones
    return r.one_in(6) ? special[r.below(static_cast<uint32_t>(special.size()))] : with(range / 2 - 1);
  case 3: // near one
    return with(range / 2 - 2 + r.below(3));
  case 4: // the smallest
    return with(r.below(3));
  case 5: // the largest
    return with(range - 2 - r.below(2));
  default: // sparse, or powers of two
    return r.one_in(2) ? (any & (range * one)) : with(r.below(static_cast<uint32_t>(range - 1))) & ~(one - 1);
  }
}

uint64_t by_rules(Bench &bench, const Options &options) {
  Random r{options.seed * 77};
  uint64_t all = 0;
  const unsigned count = options.full ? 2500 : 60; // tiles of each instruction
  for (unsigned n = 0; n < count; n++)
    for (const Instruction &i : instructions()) {
      const Layout la = layout(i.a), lb = layout(i.b);
      const Layout lc = i.sum == Sum::F16 ? Layout{5, 10} : i.sum == Sum::FP64 ? Layout{11, 52} : Layout{8, 23};
      const std::vector<uint64_t> ea = edges(la), eb = edges(lb), ec = edges(lc);
      const unsigned style = n % 7;
      Tile t;
      for (unsigned e = 0; e < i.m * i.k; e++) t.a.push_back(draw(r, la, ea, style));
      for (unsigned e = 0; e < i.k * i.n; e++) t.b.push_back(draw(r, lb, eb, style));
      // Every other row of A undoes, or nearly undoes, itself in pairs: sums cancel.
      if (la.exponent_bits != 0 && n % 2 == 1)
        for (unsigned m = 0; m < i.m; m += 2)
          for (unsigned k = 0; k + 1 < i.k; k += 2) {
            t.a[m * i.k + k + 1] = t.a[m * i.k + k] ^ 1ull << (la.exponent_bits + la.fraction_bits) ^ r.below(2);
            if (m % 4 == 0)
              for (unsigned c = 0; c < i.n; c++) t.b[(k + 1) * i.n + c] = t.b[k * i.n + c];
          }
      for (unsigned e = 0; e < i.m * i.n; e++) {
        const uint64_t c =
            i.sum == Sum::INT32 ? r.one_in(2) ? 0x7ffffff0u + r.below(32) : r.u32() : draw(r, lc, ec, style);
        t.c.push_back(c);
      }
      // C that takes away what the products gave, but for some quanta.
      std::vector<uint64_t> d = product(i, t);
      if (i.sum != Sum::INT32 && n % 3 == 2) {
        const Tile without{t.a, t.b, std::vector<uint64_t>(i.m * i.n)};
        const std::vector<uint64_t> sums = product(i, without);
        const uint64_t mask = ~0ull >> (64 - bits_of(i.sum)); // an increment may leave the format
        for (size_t e = 0; e < sums.size(); e++)
          t.c[e] = ((sums[e] ^ 1ull << (bits_of(i.sum) - 1)) + (r.one_in(2) ? r.below(3) : 0)) & mask;
        d = product(i, t);
      }
      bench.check(i, t, d);
      all += d.size();
      if (r.one_in(16)) bench.check_nothing(i, r.one_in(2));
    }
  return all;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv);
  Bench bench(options);
  uint64_t silicon = vectors(bench, options);
  silicon += fp8_tiles(bench, options, "e4m3_e5m2") + fp8_tiles(bench, options, "e5m2_e4m3");
  silicon += wide_tiles(bench, options, "wmma_f16_f32", false, true);
  silicon += wide_tiles(bench, options, "wmma_f32_f16", true, false);
  const uint64_t rules = by_rules(bench, options);
  bench.drain();
  bench.rates();
  std::printf("%llu measured elements, %llu by the rules; the rules differ from silicon in %llu\n",
              static_cast<unsigned long long>(silicon), static_cast<unsigned long long>(rules),
              static_cast<unsigned long long>(wrong));
  const int status = bench.finish("mma");
  return wrong != 0 ? 1 : status;
}
