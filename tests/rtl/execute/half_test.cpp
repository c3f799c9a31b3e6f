// SPDX-License-Identifier: Apache-2.0
// FP16 pipe against MPFR (11 bits, exponent range of binary16, subnormals): every number as one operand, special values
// as the others, and random numbers in every mode.
#include <mpfr.h>

#include <cmath>
#include <cstdio>

#include "tests/rtl/execute/bench.h"
#include "tests/rtl/execute/half.h"
extern "C" {
#include <heddle/isa_tables.h>
}

namespace {

const std::vector<uint16_t> edges = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x0200, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x07ff, 0x0800, 0x1000,
    0x9001, 0x1400, 0x2000, 0x37ff, 0x3800, 0x3bff, 0xbbff, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0x4000, 0xc000, 0x4200,
    0x6400, 0x67ff, 0x6bff, 0x7000, 0x77ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe00, 0xffff, 0x7fff};

struct Modes {
  heddle_isa_op op;
  heddle_isa_enc enc;
  unsigned neg = 0, abs = 0;
  bool ftz = false, sat = false, relu = false, keep_nan = false, one = false;
  unsigned part[3] = {0, 0, 0};
  unsigned relation = 0, boolean = 0;
  Operation operation() const {
    const bool math = op == ISA_OP_HADD2 || op == ISA_OP_HMUL2 || op == ISA_OP_HFMA2;
    Operation o(op);
    o.word = heddle_isa_encoding_info(enc)->match;
    o.set(ISA_F_FTZ, ftz).set(ISA_F_HA, part[0]).set(ISA_F_HB, part[1]);
    if (math) o.set(ISA_F_SAT, sat);
    if (op == ISA_OP_HFMA2) o.set(ISA_F_RELU, relu).set(ISA_F_HC, part[2]);
    if (op == ISA_OP_HMNMX2) o.set(ISA_F_KEEPN, keep_nan);
    if (op == ISA_OP_HSET2) o.set(ISA_F_BF, one);
    if (op == ISA_OP_HSET2 || op == ISA_OP_HSETP2) o.set(ISA_F_FCMP, relation).set(ISA_F_BOOL, boolean);
    o.neg = neg;
    o.abs = abs;
    return o;
  }
};

const Modes plain[] = {{ISA_OP_HADD2, ISA_ENC_HADD2_RR},  {ISA_OP_HMUL2, ISA_ENC_HMUL2_RR},
                       {ISA_OP_HFMA2, ISA_ENC_HFMA2_RRR}, {ISA_OP_HMNMX2, ISA_ENC_HMNMX2_RR},
                       {ISA_OP_HSET2, ISA_ENC_HSET2_RR},  {ISA_OP_HSETP2, ISA_ENC_HSETP2_PRR}};

class Reference {
public:
  Reference() { mpfr_inits2(11, a_, b_, c_, r_, nullptr); }
  ~Reference() { mpfr_clears(a_, b_, c_, r_, nullptr); }

  Expected operator()(const Modes &m, const Vector &v) {
    Expected e;
    for (unsigned h = 0; h < 2; h++) {
      const uint16_t a = operand(m, v.a, 0, h), b = operand(m, v.b, 1, h), c = operand(m, v.c, 2, h);
      bool verdict = false;
      const uint16_t r = m.op == ISA_OP_HMNMX2                           ? extreme(m, a, b, v.ps0)
                         : m.op == ISA_OP_HSET2 || m.op == ISA_OP_HSETP2 ? compared(m, a, b, v.ps0, verdict)
                                                                         : math(m, a, b, c);
      e.lo |= static_cast<uint32_t>(r) << 16 * h;
      (h ? e.pd1 : e.pd0) = verdict;
    }
    e.has_lo = m.op != ISA_OP_HSETP2;
    e.has_pd0 = e.has_pd1 = m.op == ISA_OP_HSETP2;
    return e;
  }

private:
  // The half that half h of the result sees, with its sign changed, and flushed.
  static uint16_t operand(const Modes &m, uint32_t word, unsigned which, unsigned h) {
    const unsigned own[3] = {h, 0, 1}; // .H1_H0, .H0_H0, .H1_H1
    uint16_t x = static_cast<uint16_t>(word >> 16 * own[m.part[which]]);
    if (m.abs >> which & 1) x &= 0x7fff;
    if (m.neg >> which & 1) x ^= 0x8000;
    if (m.ftz && (x & 0x7c00) == 0) x &= 0x8000;
    return x;
  }

  static void load(mpfr_t x, uint16_t bits) {
    if (half_nan(bits))
      mpfr_set_nan(x);
    else
      mpfr_set_d(x, half_value(bits), MPFR_RNDN);
  }

  uint16_t math(const Modes &m, uint16_t a, uint16_t b, uint16_t c) {
    load(a_, a), load(b_, b), load(c_, c);
    const int t = m.op == ISA_OP_HADD2   ? mpfr_add(r_, a_, b_, MPFR_RNDN)
                  : m.op == ISA_OP_HMUL2 ? mpfr_mul(r_, a_, b_, MPFR_RNDN)
                                         : mpfr_fma(r_, a_, b_, c_, MPFR_RNDN);
    if (mpfr_nan_p(r_)) return m.sat ? 0 : 0x7fff;
    const bool minus = mpfr_signbit(r_);
    const bool tiny = mpfr_zero_p(r_) || (mpfr_number_p(r_) && mpfr_get_exp(r_) < -13); // below 2^-14
    const uint16_t r = m.ftz && tiny ? (minus ? 0x8000 : 0) : half_rounded(r_, t, MPFR_RNDN);
    if ((m.sat || m.relu) && minus) return 0;
    return m.sat && r > 0x3c00 ? 0x3c00 : r;
  }

  static uint16_t extreme(const Modes &m, uint16_t a, uint16_t b, bool least) {
    const bool nan_a = half_nan(a), nan_b = half_nan(b);
    if ((nan_a && nan_b) || (m.keep_nan && (nan_a || nan_b))) return 0x7fff;
    if (nan_a || nan_b) return nan_a ? b : a;
    const double x = half_value(a), y = half_value(b);
    const bool below = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return below == least ? a : b;
  }

  static uint16_t compared(const Modes &m, uint16_t a, uint16_t b, bool ps0, bool &verdict) {
    const bool unord = half_nan(a) || half_nan(b);
    const double x = unord ? 0 : half_value(a), y = unord ? 0 : half_value(b);
    bool r = false;
    switch (m.relation & 7) { // .F .LT .EQ .LE .GT .NE .GE .NUM, then the same true for NaNs: .NAN .LTU ... .T
    case ISA_FCMP_LT:
      r = x < y;
      break;
    case ISA_FCMP_EQ:
      r = x == y;
      break;
    case ISA_FCMP_LE:
      r = x <= y;
      break;
    case ISA_FCMP_GT:
      r = x > y;
      break;
    case ISA_FCMP_NE:
      r = x != y;
      break;
    case ISA_FCMP_GE:
      r = x >= y;
      break;
    case ISA_FCMP_NUM:
      r = true;
      break;
    default:
      break;
    }
    if (unord) r = m.relation & 8;
    verdict = m.boolean == ISA_BOOL_OR ? r || ps0 : m.boolean == ISA_BOOL_XOR ? r != ps0 : r && ps0;
    return verdict ? (m.one ? 0x3c00 : 0xffff) : 0;
  }
  mpfr_t a_, b_, c_, r_;
};

uint16_t random_half(Random &r) {
  const uint16_t x = static_cast<uint16_t>(r.u32());
  switch (r.below(6)) {
  case 0:
    return edges[r.below(static_cast<uint32_t>(edges.size()))];
  case 1:
    return x & 0x83ff; // subnormal
  case 2:
    return static_cast<uint16_t>((x & 0x83ff) | (11 + r.below(9)) << 10);
  case 3:
    return static_cast<uint16_t>((x & 0x83ff) | (26 + r.below(5)) << 10);
  default:
    return x;
  }
}

// c near -(a*b): the sum cancels, in the leading bits or almost entirely.
uint16_t near_product(Random &r, uint16_t a, uint16_t b) {
  if (half_nan(a) || half_nan(b)) return random_half(r);
  const double p = -half_value(a) * half_value(b);
  if (!(std::fabs(p) <= 65504) || std::fabs(p) < std::ldexp(1.0, -14)) return random_half(r);
  int exponent;
  const double m = std::frexp(p, &exponent);
  const uint16_t c = half_bits(std::ldexp(std::trunc(m * 2048), exponent - 11));
  return static_cast<uint16_t>(c + r.below(5) - 2) ^ (r.one_in(4) ? 1u << r.below(15) : 0);
}

Vector random_vector(Random &r, heddle_isa_op op) {
  Vector v;
  for (unsigned h = 0; h < 2; h++) {
    const uint16_t a = random_half(r);
    const uint16_t near = static_cast<uint16_t>((r.one_in(2) ? a ^ 0x8000 : a) + r.below(9) - 4);
    const uint16_t b = op != ISA_OP_HFMA2 && r.one_in(2) ? near : random_half(r);
    const uint16_t c = r.one_in(2) ? near_product(r, a, b) : random_half(r);
    v.a |= static_cast<uint32_t>(a) << 16 * h;
    v.b |= static_cast<uint32_t>(b) << 16 * h;
    v.c |= static_cast<uint32_t>(c) << 16 * h;
  }
  v.ps0 = r.one_in(2);
  return v;
}

// All numbers as a, special ones as b (in the other half changed round), and as c.
void every(Bench &bench, Reference &ref, Random &r, const Modes &m) {
  const Operation o = m.operation();
  for (uint16_t edge : edges)
    for (uint32_t x = 0; x < 0x10000; x++) {
      const uint32_t last = edges[r.below(static_cast<uint32_t>(edges.size()))];
      Vector v;
      v.a = static_cast<uint32_t>(edge) << 16 | x;
      v.b = x << 16 | edge;
      v.c = last << 16 | near_product(r, static_cast<uint16_t>(x), edge);
      v.ps0 = x & 1;
      bench.check(o, v, ref(m, v));
    }
}

void modes(Random &r, Modes &m) {
  const bool three = m.op == ISA_OP_HFMA2;
  m.neg = r.one_in(2) ? r.below(three ? 8 : 4) : 0;
  m.abs = !three && r.one_in(4) ? r.below(4) : 0;
  m.ftz = r.one_in(3);
  const bool math = three || m.op == ISA_OP_HADD2 || m.op == ISA_OP_HMUL2;
  m.sat = math && r.one_in(4);
  m.relu = three && !m.sat && r.one_in(4);
  m.keep_nan = r.one_in(2);
  m.one = r.one_in(2);
  for (unsigned i = 0; i < 3; i++) m.part[i] = r.one_in(2) ? r.below(3) : 0;
  m.relation = r.below(16);
  m.boolean = r.below(3);
}

uint64_t silicon(Bench &bench, const std::string &dir) {
  const uint64_t before = bench.vectors();
  const auto all = [&](const char *name, Modes m, const char *classes) {
    for (const Measured &d : read_measured(dir, name, classes))
      bench.check(m.operation(), d.in, Expected::value(d.result));
  };
  const auto with = [](Modes m, bool ftz, bool sat = false, bool relu = false, unsigned neg = 0) {
    m.ftz = ftz, m.sat = sat, m.relu = relu, m.neg = neg;
    return m;
  };
  for (unsigned ftz = 0; ftz < 2; ftz++) {
    const std::string end = ftz ? ".rn.ftz.f16x2" : ".rn.f16x2";
    all(("add" + end).c_str(), with(plain[0], ftz), "ii");
    all(("sub" + end).c_str(), with(plain[0], ftz, false, false, 2), "ii");
    all(("mul" + end).c_str(), with(plain[1], ftz), "ii");
    all(("fma" + end).c_str(), with(plain[2], ftz), "iii");
  }
  all("fma.rn.sat.f16x2", with(plain[2], false, true), "iii");
  all("fma.rn.relu.f16x2", with(plain[2], false, false, true), "iii");
  return bench.vectors() - before;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv, VECTORS);
  Bench bench(options);
  Reference ref;
  Random r{options.seed};
  for (const Modes &base : plain) {
    Modes m = base;
    if (options.count >= 100000)
      for (unsigned ftz = 0; ftz < 2; ftz++) {
        m.ftz = ftz;
        m.relation = ftz ? ISA_FCMP_LEU : ISA_FCMP_LT;
        every(bench, ref, r, m);
      }
    for (uint64_t k = 0; k < options.count; k++) {
      if (k % 16 == 0) modes(r, m = base);
      const Vector v = random_vector(r, m.op);
      bench.check(m.operation(), v, ref(m, v));
    }
  }
  if (!options.silicon.empty()) {
    const uint64_t n = silicon(bench, options.silicon);
    std::printf("half: %llu vectors measured on silicon\n", static_cast<unsigned long long>(n));
    if (n == 0) return 1;
  }
  return bench.finish_long("half", options);
}
