// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <cmath>
#include <cstring>

namespace {

constexpr uint64_t SIGN = 1ull << 63, QUIET = 1ull << 51;

struct Shape {
  unsigned fraction, exponent; // bits
  int smallest, largest;       // exponents as MPFR counts them (significand in [1/2, 1)), subnormals included
};

const Shape &shape(Format f) {
  static const Shape f32{23, 8, -148, 128}, f64{52, 11, -1073, 1024}, f16{10, 5, -23, 16};
  return f == Format::F32 ? f32 : f == Format::F64 ? f64 : f16;
}

double as_double(uint64_t bits) {
  double d;
  std::memcpy(&d, &bits, 8);
  return d;
}

uint64_t as_bits(double d) {
  uint64_t bits;
  std::memcpy(&bits, &d, 8);
  return bits;
}

mpfr_rnd_t direction(unsigned rnd) {
  return rnd == ISA_RND_RM ? MPFR_RNDD : rnd == ISA_RND_RP ? MPFR_RNDU : rnd == ISA_RND_RZ ? MPFR_RNDZ : MPFR_RNDN;
}

mpfr_rnd_t integer_direction(unsigned irnd) {
  return irnd == ISA_IRND_FLOOR   ? MPFR_RNDD
         : irnd == ISA_IRND_CEIL  ? MPFR_RNDU
         : irnd == ISA_IRND_TRUNC ? MPFR_RNDZ
                                  : MPFR_RNDN;
}

uint64_t with_sign(uint64_t bits, unsigned neg, unsigned abs, unsigned operand) {
  if (abs >> operand & 1) bits &= ~SIGN;
  return neg >> operand & 1 ? bits ^ SIGN : bits;
}

// A double that the format can hold, or infinity, in the format's bits.
uint64_t encode(Format f, double d) {
  const Shape &s = shape(f);
  const uint64_t sign = std::signbit(d) ? 1ull << (s.fraction + s.exponent) : 0;
  const int bias = (1 << (s.exponent - 1)) - 1;
  const double size = std::fabs(d);
  if (std::isinf(size)) return sign | ((1ull << s.exponent) - 1) << s.fraction;
  if (size == 0) return sign;
  int e;
  std::frexp(size, &e); // size in [2^(e-1), 2^e)
  const int field = e - 1 + bias;
  if (field < 1) return sign | static_cast<uint64_t>(std::ldexp(size, bias - 1 + static_cast<int>(s.fraction)));
  const uint64_t fraction =
      static_cast<uint64_t>(std::ldexp(size, static_cast<int>(s.fraction) + 1 - e)) - (1ull << s.fraction);
  return sign | static_cast<uint64_t>(field) << s.fraction | fraction;
}

} // namespace

bool is_nan(Format f, uint64_t bits) {
  const Shape &s = shape(f);
  const uint64_t top = (1ull << s.exponent) - 1;
  return (bits >> s.fraction & top) == top && (bits & ((1ull << s.fraction) - 1)) != 0;
}

double value_of(Format f, uint64_t bits) {
  if (f == Format::F64) return as_double(bits);
  const Shape &s = shape(f);
  const int bias = (1 << (s.exponent - 1)) - 1, top = (1 << s.exponent) - 1;
  const int field = static_cast<int>(bits >> s.fraction) & top;
  const double fraction = static_cast<double>(bits & ((1ull << s.fraction) - 1));
  const double size = field == top ? HUGE_VAL
                      : field == 0 ? std::ldexp(fraction, 1 - bias - static_cast<int>(s.fraction))
                                   : std::ldexp(fraction + std::ldexp(1.0, static_cast<int>(s.fraction)),
                                                field - bias - static_cast<int>(s.fraction));
  return bits >> (s.fraction + s.exponent) & 1 ? -size : size;
}

Reference::Reference() {
  mpfr_inits2(53, a_, b_, c_, r53_, nullptr);
  mpfr_init2(x_, 64);
  mpfr_init2(r24_, 24);
  mpfr_init2(r11_, 11);
}

Reference::~Reference() {
  mpfr_clears(a_, b_, c_, r53_, x_, r24_, r11_, nullptr);
}

uint64_t Reference::arithmetic(heddle_isa_op op, unsigned rnd, unsigned neg, unsigned abs, const Vector &v) {
  // The first NaN of b, c, a.
  if (is_nan(Format::F64, v.b)) return v.b | QUIET;
  if (op == ISA_OP_DFMA && is_nan(Format::F64, v.c)) return v.c | QUIET;
  if (is_nan(Format::F64, v.a)) return v.a | QUIET;
  mpfr_set_emin(shape(Format::F64).smallest);
  mpfr_set_emax(shape(Format::F64).largest);
  mpfr_set_d(a_, as_double(with_sign(v.a, neg, abs, 0)), MPFR_RNDN);
  mpfr_set_d(b_, as_double(with_sign(v.b, neg, abs, 1)), MPFR_RNDN);
  const mpfr_rnd_t r = direction(rnd);
  int t;
  if (op == ISA_OP_DADD) {
    t = mpfr_add(r53_, a_, b_, r);
  } else if (op == ISA_OP_DMUL) {
    t = mpfr_mul(r53_, a_, b_, r);
  } else {
    mpfr_set_d(c_, as_double(with_sign(v.c, neg, 0, 2)), MPFR_RNDN);
    t = mpfr_fma(r53_, a_, b_, c_, r);
  }
  mpfr_subnormalize(r53_, t, r);
  return mpfr_nan_p(r53_) ? SIGN | 0x7ffull << 52 | QUIET : as_bits(mpfr_get_d(r53_, MPFR_RNDN));
}

uint64_t Reference::round_to(Format to, unsigned rnd, bool ftz) {
  const Shape &s = shape(to);
  const bool flush = ftz && to == Format::F32;
  mpfr_ptr r = to == Format::F32 ? r24_ : to == Format::F64 ? r53_ : r11_;
  mpfr_set_emin(flush ? -2000 : s.smallest);
  mpfr_set_emax(s.largest);
  int t = mpfr_set(r, x_, direction(rnd));
  t = mpfr_check_range(r, t, direction(rnd));
  if (!flush) mpfr_subnormalize(r, t, direction(rnd));
  mpfr_set_emin(-2000);
  mpfr_set_emax(2000);
  double d = mpfr_get_d(r, MPFR_RNDN);
  if (flush && std::fabs(d) < 0x1p-126) d = std::copysign(0.0, d);
  return encode(to, d);
}

uint64_t Reference::from_int(Integer from, Format to, unsigned rnd, uint64_t b) {
  mpfr_set_emin(-2000);
  mpfr_set_emax(2000);
  const unsigned rest = 64 - from.bits;
  if (from.uns)
    mpfr_set_uj(x_, b << rest >> rest, MPFR_RNDN);
  else
    mpfr_set_sj(x_, static_cast<int64_t>(b << rest) >> rest, MPFR_RNDN);
  return round_to(to, rnd, false);
}

uint64_t Reference::to_int(Format from, Integer to, unsigned irnd, bool ftz, bool neg, bool abs, uint64_t b) {
  if (is_nan(from, b)) {
    if (to.bits != 64 && from != Format::F64) return 0;
    const uint64_t highest = 1ull << (to.bits - 1); // alone; extended to 32 bits by its sign, if it has one
    return to.bits >= 32 || to.uns ? highest : 0x100000000ull - highest;
  }
  double d = value_of(from, b);
  if (ftz && from == Format::F32 && std::fabs(d) < 0x1p-126) d = 0;
  if (abs) d = std::fabs(d);
  if (neg) d = -d;
  if (std::fabs(d) < 0x1p60) { // else it is integral, or infinite
    mpfr_set_emin(-2000);
    mpfr_set_emax(2000);
    mpfr_set_d(x_, d, MPFR_RNDN);
    mpfr_rint(x_, x_, integer_direction(irnd));
    d = mpfr_get_d(x_, MPFR_RNDN); // at most 53 bits, or a power of two: exact
  }
  const double most = std::ldexp(1.0, static_cast<int>(to.bits) - (to.uns ? 0 : 1)); // the first one too large
  const uint64_t all = to.bits == 64 ? ~0ull : (1ull << to.bits) - 1;
  uint64_t r;
  if (to.uns)
    r = d <= 0 ? 0 : d >= most ? all : static_cast<uint64_t>(d);
  else
    r = d >= most ? all >> 1 : d <= -most ? ~(all >> 1) : static_cast<uint64_t>(static_cast<int64_t>(d));
  return to.bits == 64 ? r : r & 0xffffffffu;
}

uint64_t Reference::convert(Format from, Format to, unsigned rnd, bool ftz, bool sat, bool neg, bool abs, uint64_t b) {
  const Shape &f = shape(from), &t = shape(to);
  if (is_nan(from, b)) {
    if (sat) return 0;
    // Sign, quiet bit, and the upper bits of the payload.
    const uint64_t sign = b >> (f.fraction + f.exponent) & 1, payload = (b & ((1ull << f.fraction) - 1))
                                                                        << (52 - f.fraction);
    return sign << (t.fraction + t.exponent) | ((1ull << t.exponent) - 1) << t.fraction |
           (payload | QUIET) >> (52 - t.fraction);
  }
  double d = value_of(from, b);
  if (ftz && from == Format::F32 && std::fabs(d) < 0x1p-126) d = std::copysign(0.0, d);
  if (abs) d = std::fabs(d);
  if (neg) d = -d;
  mpfr_set_emin(-2000);
  mpfr_set_emax(2000);
  mpfr_set_d(x_, d, MPFR_RNDN);
  const uint64_t bits = round_to(to, rnd, ftz);
  if (!sat) return bits;
  const double r = value_of(to, bits);
  return std::signbit(r) ? 0 : r > 1 ? encode(to, 1.0) : bits;
}

uint64_t Reference::integral(unsigned irnd, bool neg, bool abs, uint64_t b) {
  if (is_nan(Format::F64, b)) return b | QUIET;
  const double d = as_double(with_sign(b, neg, abs, 0));
  mpfr_set_emin(-2000);
  mpfr_set_emax(2000);
  mpfr_set_d(r53_, d, MPFR_RNDN);
  mpfr_rint(r53_, r53_, integer_direction(irnd));
  return as_bits(std::copysign(mpfr_get_d(r53_, MPFR_RNDN), d));
}

uint64_t minimum(bool max, unsigned neg, unsigned abs, const Vector &v) {
  const uint64_t a = with_sign(v.a, neg, abs, 0), b = with_sign(v.b, neg, abs, 1);
  const bool a_nan = is_nan(Format::F64, v.a), b_nan = is_nan(Format::F64, v.b);
  if (a_nan && b_nan) return v.b | QUIET;
  if (a_nan || b_nan) return a_nan ? b : a;
  const double x = as_double(a), y = as_double(b);
  const bool a_first = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  return a_first != max ? a : b;
}

unsigned compare(unsigned fcmp, unsigned join, unsigned neg, unsigned abs, const Vector &v) {
  const double x = as_double(with_sign(v.a, neg, abs, 0)), y = as_double(with_sign(v.b, neg, abs, 1));
  const bool unordered = is_nan(Format::F64, v.a) || is_nan(Format::F64, v.b);
  bool r = false;
  switch (fcmp) {
  case ISA_FCMP_F:
    r = false;
    break;
  case ISA_FCMP_T:
    r = true;
    break;
  case ISA_FCMP_NUM:
    r = !unordered;
    break;
  case ISA_FCMP_NAN:
    r = unordered;
    break;
  case ISA_FCMP_LT:
    r = !unordered && x < y;
    break;
  case ISA_FCMP_EQ:
    r = !unordered && x == y;
    break;
  case ISA_FCMP_LE:
    r = !unordered && x <= y;
    break;
  case ISA_FCMP_GT:
    r = !unordered && x > y;
    break;
  case ISA_FCMP_NE:
    r = !unordered && x != y;
    break;
  case ISA_FCMP_GE:
    r = !unordered && x >= y;
    break;
  case ISA_FCMP_LTU:
    r = unordered || x < y;
    break;
  case ISA_FCMP_EQU:
    r = unordered || x == y;
    break;
  case ISA_FCMP_LEU:
    r = unordered || x <= y;
    break;
  case ISA_FCMP_GTU:
    r = unordered || x > y;
    break;
  case ISA_FCMP_NEU:
    r = unordered || x != y;
    break;
  case ISA_FCMP_GEU:
    r = unordered || x >= y;
    break;
  }
  const auto joined = [&](bool p) {
    return join == ISA_BOOL_OR ? p || v.ps0 : join == ISA_BOOL_XOR ? p != v.ps0 : p && v.ps0;
  };
  return static_cast<unsigned>(joined(r)) | static_cast<unsigned>(joined(!r)) << 1;
}
