// SPDX-License-Identifier: Apache-2.0
#include "matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// ---- Shapes --------------------------------------------------------------------------------------
const std::vector<Instruction> &instructions() {
  using E = Element;
  using S = Sum;
  static const std::vector<Instruction> all = {
      {"f16k16_f32", ISA_OP_HMMA_16816_F32, 16, 8, 16, E::F16, E::F16, S::F32},
      {"f16k8_f32", ISA_OP_HMMA_1688_F32, 16, 8, 8, E::F16, E::F16, S::F32},
      {"f16k16_f16", ISA_OP_HMMA_16816_F16, 16, 8, 16, E::F16, E::F16, S::F16},
      {"f16k8_f16", ISA_OP_HMMA_1688_F16, 16, 8, 8, E::F16, E::F16, S::F16},
      {"bf16k16_f32", ISA_OP_HMMA_16816_F32, 16, 8, 16, E::BF16, E::BF16, S::F32},
      {"bf16k8_f32", ISA_OP_HMMA_1688_F32, 16, 8, 8, E::BF16, E::BF16, S::F32},
      {"tf32k8_f32", ISA_OP_HMMA_1688_F32_TF32, 16, 8, 8, E::TF32, E::TF32, S::F32},
      {"tf32k4_f32", ISA_OP_HMMA_1684_F32_TF32, 16, 8, 4, E::TF32, E::TF32, S::F32},
      {"i16_s8s8", ISA_OP_IMMA_16816, 16, 8, 16, E::S8, E::S8, S::INT32},
      {"i16_s8s8_sat", ISA_OP_IMMA_16816, 16, 8, 16, E::S8, E::S8, S::INT32, true},
      {"i16_s8u8", ISA_OP_IMMA_16816, 16, 8, 16, E::S8, E::U8, S::INT32},
      {"i16_s8u8_sat", ISA_OP_IMMA_16816, 16, 8, 16, E::S8, E::U8, S::INT32, true},
      {"i16_u8s8", ISA_OP_IMMA_16816, 16, 8, 16, E::U8, E::S8, S::INT32},
      {"i16_u8s8_sat", ISA_OP_IMMA_16816, 16, 8, 16, E::U8, E::S8, S::INT32, true},
      {"i16_u8u8", ISA_OP_IMMA_16816, 16, 8, 16, E::U8, E::U8, S::INT32},
      {"i16_u8u8_sat", ISA_OP_IMMA_16816, 16, 8, 16, E::U8, E::U8, S::INT32, true},
      {"i32_s8s8", ISA_OP_IMMA_16832, 16, 8, 32, E::S8, E::S8, S::INT32},
      {"i32_s8s8_sat", ISA_OP_IMMA_16832, 16, 8, 32, E::S8, E::S8, S::INT32, true},
      {"i32_s8u8", ISA_OP_IMMA_16832, 16, 8, 32, E::S8, E::U8, S::INT32},
      {"i32_s8u8_sat", ISA_OP_IMMA_16832, 16, 8, 32, E::S8, E::U8, S::INT32, true},
      {"i32_u8s8", ISA_OP_IMMA_16832, 16, 8, 32, E::U8, E::S8, S::INT32},
      {"i32_u8s8_sat", ISA_OP_IMMA_16832, 16, 8, 32, E::U8, E::S8, S::INT32, true},
      {"i32_u8u8", ISA_OP_IMMA_16832, 16, 8, 32, E::U8, E::U8, S::INT32},
      {"i32_u8u8_sat", ISA_OP_IMMA_16832, 16, 8, 32, E::U8, E::U8, S::INT32, true},
      {"e4m3_f32", ISA_OP_QMMA_16832_F32, 16, 8, 32, E::E4M3, E::E4M3, S::FP8},
      {"e5m2_f32", ISA_OP_QMMA_16832_F32, 16, 8, 32, E::E5M2, E::E5M2, S::FP8},
      {"e4m3_e5m2", ISA_OP_QMMA_16832_F32, 16, 8, 32, E::E4M3, E::E5M2, S::FP8},
      {"e5m2_e4m3", ISA_OP_QMMA_16832_F32, 16, 8, 32, E::E5M2, E::E4M3, S::FP8},
      {"f64", ISA_OP_DMMA_884, 8, 8, 4, E::F64, E::F64, S::FP64},
  };
  return all;
}

const Instruction &find(const char *name) {
  for (const Instruction &i : instructions())
    if (std::strcmp(i.name, name) == 0) return i;
  std::fprintf(stderr, "no instruction for the vectors '%s'\n", name);
  std::exit(2);
}

heddle_isa_word Instruction::word() const {
  heddle_isa_word w{0, 0};
  const auto set = [&](heddle_isa_field f, bool v) { w = heddle_isa_put(w, f, v); };
  if (op == ISA_OP_HMMA_16816_F32 || op == ISA_OP_HMMA_1688_F32) set(ISA_F_HMMA, a == Element::BF16);
  if (sum == Sum::INT32) {
    set(ISA_F_I8A, a == Element::S8);
    set(ISA_F_I8B, b == Element::S8);
    set(ISA_F_SAT, sat);
  }
  if (sum == Sum::FP8) {
    set(ISA_F_FP8A, a == Element::E5M2);
    set(ISA_F_FP8B, b == Element::E5M2);
  }
  return w;
}

unsigned bits_of(Element e) {
  switch (e) {
  case Element::F16:
  case Element::BF16:
    return 16;
  case Element::TF32:
    return 32;
  case Element::F64:
    return 64;
  default:
    return 8;
  }
}

unsigned bits_of(Sum s) {
  return s == Sum::F16 ? 16 : s == Sum::FP64 ? 64 : 32;
}

// ---- Where elements lie ----------------------------------------------------------------------------
unsigned result_words(const Instruction &i) {
  return i.sum == Sum::F16 ? 2 : 4;
}

// C and D: the word of a register.
static uint32_t sum_word(const Instruction &i, const std::vector<uint64_t> &c, unsigned lane, unsigned s) {
  const unsigned g = lane / 4, t = lane % 4;
  const auto at = [&](unsigned row, unsigned column) { return c[row * i.n + column]; };
  if (i.sum == Sum::F16)
    return static_cast<uint32_t>(at(g + 8 * s, 2 * t)) | static_cast<uint32_t>(at(g + 8 * s, 2 * t + 1)) << 16;
  if (i.sum == Sum::FP64) return static_cast<uint32_t>(at(g, 2 * t + s / 2) >> 32 * (s % 2));
  return static_cast<uint32_t>(at(g + 8 * (s / 2), 2 * t + s % 2));
}

uint32_t result_word(const Instruction &i, const std::vector<uint64_t> &d, unsigned lane, unsigned reg) {
  return sum_word(i, d, lane, reg);
}

void place(const Instruction &i, const Tile &tile, Operands *out) {
  const unsigned bits = bits_of(i.a), w = bits < 32 ? 32 / bits : 1;
  for (unsigned lane = 0; lane < 32; lane++) {
    const unsigned g = lane / 4, t = lane % 4;
    if (i.sum == Sum::FP64) {
      for (unsigned h = 0; h < 2; h++) {
        out->a[h][lane] = static_cast<uint32_t>(tile.a[g * 4 + t] >> 32 * h);
        out->b[h][lane] = static_cast<uint32_t>(tile.b[t * 8 + g] >> 32 * h);
      }
    } else {
      for (unsigned r = 0; r < 16 * i.k * bits / 1024; r++) {
        uint32_t word = 0;
        for (unsigned e = 0; e < w; e++) {
          const uint64_t x = tile.a[(g + 8 * (r % 2)) * i.k + w * t + 4 * w * (r / 2) + e];
          word |= static_cast<uint32_t>(x) << (bits * e % 32);
        }
        out->a[r][lane] = word;
      }
      for (unsigned r = 0; r < 8 * i.k * bits / 1024; r++) {
        uint32_t word = 0;
        for (unsigned e = 0; e < w; e++)
          word |= static_cast<uint32_t>(tile.b[(w * t + 4 * w * r + e) * 8 + g]) << (bits * e % 32);
        out->b[r][lane] = word;
      }
    }
    for (unsigned s = 0; s < result_words(i); s++) out->c[s][lane] = sum_word(i, tile.c, lane, s);
  }
}

// ---- Numbers ---------------------------------------------------------------------------------------
namespace {

// sig * 2^(exp - fraction bits of the format); a subnormal keeps the smallest exponent.
struct Number {
  bool nan = false, inf = false, negative = false;
  int exp = 0, unit = 0; // unit: weight of the significand's last bit
  uint64_t sig = 0;
  bool zero() const { return !nan && !inf && sig == 0; }
};

Number ieee(uint64_t raw, int exponent_bits, int fraction_bits) {
  const int top = (1 << exponent_bits) - 1, bias = top / 2;
  const int e = static_cast<int>(raw >> fraction_bits) & top;
  const uint64_t fraction = raw & ((1ull << fraction_bits) - 1);
  Number n;
  n.negative = raw >> (exponent_bits + fraction_bits) & 1;
  n.nan = e == top && fraction != 0;
  n.inf = e == top && fraction == 0;
  n.exp = (e == 0 ? 1 : e) - bias;
  n.sig = fraction | (e != 0 ? 1ull << fraction_bits : 0);
  n.unit = n.exp - fraction_bits;
  return n;
}

Number number(Element e, uint64_t raw) {
  switch (e) {
  case Element::F16:
    return ieee(raw, 5, 10);
  case Element::BF16:
    return ieee(raw, 8, 7);
  case Element::TF32:
    return ieee(raw >> 13, 8, 10);
  case Element::E5M2:
    return ieee(raw, 5, 2);
  default:
    break;
  }
  // E4M3: no infinities, one NaN a sign; every number is a normal one of FP16.
  Number n;
  const unsigned exponent = raw >> 3 & 15, fraction = raw & 7;
  n.negative = raw >> 7 & 1;
  n.nan = exponent == 15 && fraction == 7;
  n.sig = exponent == 0 ? fraction : 8 + fraction;
  n.unit = (exponent == 0 ? -6 : static_cast<int>(exponent) - 7) - 3;
  while (n.sig != 0 && n.sig < 8) n.sig <<= 1, n.unit--;
  n.exp = n.unit + 3;
  return n;
}

// magnitude * 2^unit in a format of `digits` significant bits and smallest exponent `least`: cut,
// or to nearest even. Result: raw bits without sign; infinity where it is too large.
uint32_t format(uint64_t magnitude, int unit, int digits, int least, int bias, bool nearest) {
  if (magnitude == 0) return 0;
  const int length = 64 - __builtin_clzll(magnitude);
  const int last = std::max(unit + length - digits, least - digits + 1); // weight of the last bit that is kept
  uint64_t kept = magnitude;
  if (last > unit) {
    const int drop = std::min(last - unit, 63);
    kept = magnitude >> drop;
    const uint64_t rest = magnitude - (kept << drop), half = 1ull << (drop - 1);
    if (nearest && (rest > half || (rest == half && (kept & 1) != 0))) kept++;
  } else {
    kept <<= unit - last;
  }
  // The leading bit adds one to the exponent of a normal number, and a carry too.
  const int field = last - (least - digits + 1);
  const uint64_t out = (static_cast<uint64_t>(field) << (digits - 1)) + kept;
  const uint64_t infinity = static_cast<uint64_t>(2 * bias + 1) << (digits - 1);
  return static_cast<uint32_t>(std::min(out, infinity));
}

uint64_t fused(Element ea, Element eb, const std::vector<uint64_t> &a, const std::vector<uint64_t> &b, Sum sum,
               uint64_t c_raw) {
  struct Term {
    bool negative;
    int exp, unit;
    uint64_t size;
  };
  const bool half = sum == Sum::F16;
  std::vector<Term> terms;
  bool nan = false, infinity[2] = {false, false};
  for (size_t k = 0; k < a.size(); k++) {
    const Number x = number(ea, a[k]), y = number(eb, b[k]);
    const bool negative = x.negative != y.negative;
    if (x.nan || y.nan || (x.inf && y.zero()) || (x.zero() && y.inf))
      nan = true;
    else if (x.inf || y.inf)
      infinity[negative] = true;
    else if (!x.zero() && !y.zero())
      terms.push_back({negative, x.exp + y.exp, x.unit + y.unit, x.sig * y.sig});
  }
  const Number c = half ? ieee(c_raw, 5, 10) : ieee(c_raw, 8, 23);
  if (c.nan)
    nan = true;
  else if (c.inf)
    infinity[c.negative] = true;
  else if (!c.zero())
    terms.push_back({c.negative, c.exp, c.unit, c.sig});
  if (nan || (infinity[0] && infinity[1])) return half ? 0x7fff : 0x7fffffff;
  if (infinity[0] || infinity[1])
    return (half ? 0x7c00u : 0x7f800000u) | (infinity[1] ? half ? 0x8000u : 1u << 31 : 0u);
  int emax = -133;
  for (const Term &t : terms) emax = std::max(emax, t.exp);
  int64_t total = 0;
  for (const Term &t : terms) {
    const int up = t.unit - (emax - 25);
    const uint64_t cut = up >= 0 ? t.size << up : up > -64 ? t.size >> -up : 0;
    total += t.negative ? -static_cast<int64_t>(cut) : static_cast<int64_t>(cut);
  }
  const uint64_t size = static_cast<uint64_t>(total < 0 ? -total : total);
  const uint32_t out =
      half ? format(size, emax - 25, 11, -14, 15, true) : format(size, emax - 25, 24, -126, 127, false);
  return out == 0 ? 0 : out | (total < 0 ? half ? 0x8000u : 1u << 31 : 0u);
}

float as_float(uint64_t raw) {
  const uint32_t word = static_cast<uint32_t>(raw);
  float f;
  std::memcpy(&f, &word, 4);
  return f;
}

uint64_t two_halves(const Instruction &i, const uint64_t *a, const uint64_t *b, uint64_t c) {
  uint64_t sum = 0;
  for (unsigned half = 0; half < 2; half++) {
    std::vector<uint64_t> x, y;
    for (unsigned k = 0; k < i.k; k++)
      if (k % 4 / 2 == half) x.push_back(a[k]), y.push_back(b[k]);
    sum = fused(i.a, i.b, x, y, Sum::F32, sum);
  }
  const float d = as_float(c) + as_float(sum);
  if (std::isnan(d)) return 0x7fffffff;
  uint32_t out;
  std::memcpy(&out, &d, 4);
  return out;
}

uint64_t integers(const Instruction &i, const uint64_t *a, const uint64_t *b, uint64_t c) {
  const auto value = [](Element e, uint64_t raw) {
    return e == Element::S8 ? static_cast<int64_t>(static_cast<int8_t>(raw)) : static_cast<int64_t>(raw & 255);
  };
  int64_t sum = static_cast<int32_t>(c);
  for (unsigned k = 0; k < i.k; k++) sum += value(i.a, a[k]) * value(i.b, b[k]);
  if (i.sat) sum = std::max<int64_t>(INT32_MIN, std::min<int64_t>(INT32_MAX, sum));
  return static_cast<uint32_t>(sum);
}

uint64_t fp64(const Instruction &i, const uint64_t *a, const uint64_t *b, uint64_t c) {
  const auto value = [](uint64_t raw) {
    double d;
    std::memcpy(&d, &raw, 8);
    return d;
  };
  for (unsigned k = 0; k < i.k; k++) {
    const uint64_t in[3] = {b[k], c, a[k]};
    const uint64_t *nan = std::find_if(in, in + 3, [&](uint64_t x) { return std::isnan(value(x)); });
    if (nan != in + 3) {
      c = *nan | 1ull << 51;
      continue;
    }
    const double d = std::fma(value(a[k]), value(b[k]), value(c));
    std::memcpy(&c, &d, 8);
    if (std::isnan(d)) c = 0xfff8000000000000;
  }
  return c;
}

} // namespace

uint64_t dot(const Instruction &i, const uint64_t *a, const uint64_t *b, uint64_t c) {
  switch (i.sum) {
  case Sum::FP64:
    return fp64(i, a, b, c);
  case Sum::INT32:
    return integers(i, a, b, c);
  case Sum::FP8:
    return two_halves(i, a, b, c);
  default:
    return fused(i.a, i.b, {a, a + i.k}, {b, b + i.k}, i.sum, c);
  }
}

std::vector<uint64_t> product(const Instruction &i, const Tile &t) {
  std::vector<uint64_t> d(i.m * i.n), column(i.k);
  for (unsigned n = 0; n < i.n; n++) {
    for (unsigned k = 0; k < i.k; k++) column[k] = t.b[k * i.n + n];
    for (unsigned m = 0; m < i.m; m++) d[m * i.n + n] = dot(i, &t.a[m * i.k], column.data(), t.c[m * i.n + n]);
  }
  return d;
}
