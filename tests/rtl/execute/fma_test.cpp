// SPDX-License-Identifier: Apache-2.0
// Multiply-add pipe against MPFR (24 bits, exponent range of binary32, subnormals) and 64-bit integer arithmetic.
#include <mpfr.h>

#include <cstdio>
#include <cstring>

#include "tests/rtl/execute/bench.h"

namespace {

mpfr_rnd_t direction(unsigned rnd) {
  switch (rnd) {
  case ISA_RND_RM:
    return MPFR_RNDD;
  case ISA_RND_RP:
    return MPFR_RNDU;
  case ISA_RND_RZ:
    return MPFR_RNDZ;
  default:
    return MPFR_RNDN;
  }
}

struct Modes {
  heddle_isa_op op;
  unsigned rnd = 0, neg = 0, abs = 0;
  bool ftz = false, sat = false;
  Operation operation() const {
    Operation o(op);
    o.set(ISA_F_RND, rnd).set(ISA_F_FTZ, ftz).set(ISA_F_SAT, sat);
    o.neg = neg;
    o.abs = abs;
    return o;
  }
};

class Reference {
public:
  Reference() {
    mpfr_set_default_prec(24);
    mpfr_set_emax(128);
    mpfr_inits2(24, a_, b_, c_, r_, smallest_, nullptr);
    mpfr_set_ui_2exp(smallest_, 1, -126, MPFR_RNDN);
  }
  ~Reference() { mpfr_clears(a_, b_, c_, r_, smallest_, nullptr); }

  uint32_t operator()(const Modes &m, const Vector &v) {
    // Smallest number: 2^-149, or with FTZ no bound.
    mpfr_set_emin(m.ftz ? -1000 : -148);
    load(a_, v.a, m, 0);
    load(b_, v.b, m, 1);
    load(c_, v.c, m, 2);
    const mpfr_rnd_t rnd = direction(m.rnd);
    int t = m.op == ISA_OP_FADD   ? mpfr_add(r_, a_, b_, rnd)
            : m.op == ISA_OP_FMUL ? mpfr_mul(r_, a_, b_, rnd)
                                  : mpfr_fma(r_, a_, b_, c_, rnd);
    if (!m.ftz) mpfr_subnormalize(r_, t, rnd);
    uint32_t bits = 0x7fffffff;
    if (m.ftz && mpfr_number_p(r_) && mpfr_cmpabs(r_, smallest_) < 0) {
      bits = mpfr_signbit(r_) ? 0x80000000 : 0;
    } else if (!mpfr_nan_p(r_)) {
      const float f = mpfr_get_flt(r_, MPFR_RNDN);
      std::memcpy(&bits, &f, 4);
    }
    if (m.sat) bits = bits == 0x7fffffff || bits >> 31 ? 0 : bits > 0x3f800000 ? 0x3f800000 : bits;
    return bits;
  }

private:
  static void load(mpfr_t x, uint32_t bits, const Modes &m, unsigned operand) {
    if (m.abs >> operand & 1) bits &= 0x7fffffff;
    if (m.neg >> operand & 1) bits ^= 0x80000000;
    if (m.ftz && (bits & 0x7f800000) == 0) bits &= 0x80000000;
    float f;
    std::memcpy(&f, &bits, 4);
    mpfr_set_flt(x, f, MPFR_RNDN);
  }
  mpfr_t a_, b_, c_, r_, smallest_;
};

// c near -(a*b): the sum cancels, in the leading bits or almost entirely.
uint32_t near_product(Random &r, uint32_t a, uint32_t b) {
  float fa, fb;
  std::memcpy(&fa, &a, 4);
  std::memcpy(&fb, &b, 4);
  const float p = -(fa * fb);
  uint32_t bits;
  std::memcpy(&bits, &p, 4);
  bits += r.below(5) - 2;
  if (r.one_in(4)) bits ^= 1u << r.below(31);
  return bits;
}

// b near -a, or shifted against it by about the width of a significand.
uint32_t near_value(Random &r, uint32_t a) {
  const uint32_t exponent = (a >> 23 & 0xff) + r.below(60) - 30;
  switch (r.below(3)) {
  case 0:
    return (a ^ 0x80000000) + r.below(9) - 4;
  case 1:
    return (a ^ (r.u32() & 0x80000000)) + (r.below(5) << 23) - (2u << 23);
  default:
    return (r.u32() & 0x807fffff) | ((exponent > 254 ? 127 : exponent) << 23);
  }
}

Vector random_vector(Random &r, heddle_isa_op op) {
  Vector v;
  v.a = random_f32(r);
  v.b = op != ISA_OP_FFMA && r.one_in(2) ? near_value(r, v.a) : random_f32(r);
  v.c = r.one_in(2) ? near_product(r, v.a, v.b) : random_f32(r);
  return v;
}

void edges(Bench &bench, Reference &ref, const Modes &m) {
  const Operation o = m.operation();
  for (uint32_t a : edges_f32)
    for (uint32_t b : edges_f32) {
      if (m.op != ISA_OP_FFMA) {
        const Vector v{a, b};
        bench.check(o, v, Expected::value(ref(m, v)));
        continue;
      }
      for (uint32_t c : edges_f32) {
        const Vector v{a, b, c};
        bench.check(o, v, Expected::value(ref(m, v)));
      }
    }
}

void float_operations(Bench &bench, const Options &options) {
  Reference ref;
  Random r{options.seed};
  const heddle_isa_op ops[] = {ISA_OP_FADD, ISA_OP_FMUL, ISA_OP_FFMA};
  for (heddle_isa_op op : ops)
    for (unsigned rnd = 0; rnd < 4; rnd++) {
      for (unsigned mode = 0; mode < 4; mode++) {
        Modes m{op, rnd};
        m.ftz = mode & 1;
        m.sat = mode & 2;
        edges(bench, ref, m);
      }
      Modes m{op, rnd};
      for (uint64_t k = 0; k < options.count; k++) {
        if (k % 16 == 0) {
          m.ftz = r.one_in(4);
          m.sat = r.one_in(8);
          m.neg = r.one_in(2) ? r.below(op == ISA_OP_FFMA ? 8 : 4) : 0;
          m.abs = op != ISA_OP_FFMA && r.one_in(4) ? r.below(4) : 0;
        }
        const Vector v = random_vector(r, op);
        bench.check(m.operation(), v, Expected::value(ref(m, v)));
      }
    }
}

void integer(Bench &bench, const Vector &v, unsigned kind) {
  const bool wide = kind & 1, uns = kind & 2, neg = kind & 4, high = wide && neg;
  Operation o(high ? ISA_OP_IMAD_HI : wide ? ISA_OP_IMAD_WIDE : ISA_OP_IMAD);
  o.set(ISA_F_SIGN, uns);
  Expected e;
  e.has_lo = true;
  if (wide) {
    const uint64_t p =
        uns ? static_cast<uint64_t>(v.a) * v.b
            : static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(v.a)) * static_cast<int32_t>(v.b));
    const uint64_t s = p + (static_cast<uint64_t>(v.c_hi) << 32 | v.c);
    e.has_hi = !high;
    e.lo = static_cast<uint32_t>(high ? s >> 32 : s);
    e.hi = static_cast<uint32_t>(s >> 32);
  } else {
    o.neg = neg ? 4 : 0;
    e.lo = v.a * v.b + (neg ? 0u - v.c : v.c);
  }
  bench.check(o, v, e);
}

// c + the sum of four products of bytes, each signed or not.
void bytes(Bench &bench, const Vector &v, unsigned kind) {
  const bool sign_a = kind & 1, sign_b = kind & 2;
  const auto byte = [](uint32_t word, unsigned i, bool sign) {
    const uint8_t b = static_cast<uint8_t>(word >> 8 * i);
    return sign ? static_cast<int32_t>(static_cast<int8_t>(b)) : static_cast<int32_t>(b);
  };
  uint32_t sum = v.c;
  for (unsigned i = 0; i < 4; i++) sum += static_cast<uint32_t>(byte(v.a, i, sign_a) * byte(v.b, i, sign_b));
  bench.check(Operation(ISA_OP_IDP4A).set(ISA_F_BYTEA, sign_a).set(ISA_F_BYTEB, sign_b), v, Expected::value(sum));
}

void integer_operations(Bench &bench, const Options &options) {
  Random r{options.seed + 1};
  for (unsigned kind = 0; kind < 4; kind++) {
    for (uint32_t a : edges_i32)
      for (uint32_t b : edges_i32) bytes(bench, Vector{a, b, random_i32(r)}, kind);
    for (uint64_t k = 0; k < options.count; k++)
      bytes(bench, Vector{random_i32(r), random_i32(r), random_i32(r)}, kind);
  }
  for (unsigned kind = 0; kind < 8; kind++) {
    for (uint32_t a : edges_i32)
      for (uint32_t b : edges_i32) integer(bench, Vector{a, b, random_i32(r), random_i32(r)}, kind);
    for (uint64_t k = 0; k < options.count; k++)
      integer(bench, Vector{random_i32(r), random_i32(r), random_i32(r), random_i32(r)}, kind);
  }
}

uint64_t silicon(Bench &bench, const std::string &dir) {
  const uint64_t before = bench.vectors();
  const char *rnds[] = {"rn", "rm", "rp", "rz"};
  const struct {
    heddle_isa_op op;
    const char *name, *classes;
  } ops[] = {{ISA_OP_FADD, "add.", "ff"}, {ISA_OP_FMUL, "mul.", "ff"}, {ISA_OP_FFMA, "fma.", "fff"}};
  const auto all = [&](const Modes &m, const std::vector<Measured> &data) {
    for (const Measured &d : data) bench.check(m.operation(), d.in, Expected::value(d.result));
  };
  for (const auto &op : ops) {
    for (unsigned rnd = 0; rnd < 4; rnd++) {
      const std::string name = std::string(op.name) + rnds[rnd];
      all(Modes{op.op, rnd}, read_measured(dir, name + ".f32", op.classes));
      Modes ftz{op.op, rnd};
      ftz.ftz = true;
      all(ftz, read_measured(dir, name + ".ftz.f32", op.classes));
    }
    Modes sat{op.op};
    sat.sat = true;
    all(sat, read_measured(dir, std::string(op.name) + "sat.f32", op.classes));
    all(Modes{op.op}, read_nans(dir, std::string(op.name) + "rn.f32"));
  }
  Modes sub{ISA_OP_FADD};
  sub.neg = 2;
  all(sub, read_nans(dir, "sub.rn.f32"));
  for (const Measured &d : read_measured(dir, "mad.lo.s32", "iii"))
    bench.check(Operation(ISA_OP_IMAD), d.in, Expected::value(d.result));
  for (const Measured &d : read_measured(dir, "mad.lo.u32", "iii"))
    bench.check(Operation(ISA_OP_IMAD).set(ISA_F_SIGN, 1), d.in, Expected::value(d.result));
  for (unsigned sign = 0; sign < 2; sign++)
    for (const Measured &d : read_measured(dir, sign ? "dp4a.s32.s32" : "dp4a.u32.u32", "iii"))
      bench.check(Operation(ISA_OP_IDP4A).set(ISA_F_BYTEA, sign).set(ISA_F_BYTEB, sign), d.in,
                  Expected::value(d.result));
  return bench.vectors() - before;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv, VECTORS);
  Bench bench(options);
  float_operations(bench, options);
  integer_operations(bench, options);
  if (!options.silicon.empty()) {
    const uint64_t n = silicon(bench, options.silicon);
    std::printf("fma: %llu vectors measured on silicon\n", static_cast<unsigned long long>(n));
    if (n == 0) return 1;
  }
  return bench.finish_long("fma", options);
}
