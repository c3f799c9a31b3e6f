// SPDX-License-Identifier: Apache-2.0
// Conversion pipe against MPFR. FP16 operands are tried one and all.
#include <mpfr.h>

#include <cstdio>
#include <cstring>

#include "tests/rtl/execute/bench.h"
#include "tests/rtl/execute/half.h"

namespace {

// Directions in the order of `rnd` and `irnd`: nearest even, down, up, towards zero.
const mpfr_rnd_t directions[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

struct Integer {
  unsigned type, bits;
  bool uns;
};
const Integer integers[] = {{ISA_ITYPE_S32, 32, false}, {ISA_ITYPE_U32, 32, true}, {ISA_ITYPE_S16, 16, false},
                            {ISA_ITYPE_U16, 16, true},  {ISA_ITYPE_S8, 8, false},  {ISA_ITYPE_U8, 8, true}};

class Reference {
public:
  Reference() { mpfr_init2(narrow_, 24), mpfr_init2(wide_, 64), mpfr_init2(half_, 11); }
  ~Reference() { mpfr_clears(narrow_, wide_, half_, nullptr); }

  uint32_t i2f16(uint32_t b, const Integer &t, unsigned rnd) {
    const unsigned above = 32 - t.bits;
    const int ternary = t.uns ? mpfr_set_ui(half_, b << above >> above, directions[rnd])
                              : mpfr_set_si(half_, static_cast<int32_t>(b << above) >> above, directions[rnd]);
    return half_rounded(half_, ternary, directions[rnd]);
  }

  // A number to a number; formats by from16, to16. What is taken is `bits` with signs changed, and flushed.
  uint32_t f2f(uint32_t bits, bool from16, bool to16, unsigned rnd, unsigned mode, bool sat, bool relu) {
    if (from16)
      load16(static_cast<uint16_t>(bits), mode & 1, mode & 2);
    else
      load(bits, mode & 1, mode & 2, mode & 4);
    if (mpfr_nan_p(wide_)) return sat ? 0 : to16 ? 0x7fff : 0x7fffffff;
    if ((sat || relu) && mpfr_signbit(wide_)) return 0;
    if (sat && mpfr_cmp_ui(wide_, 1) > 0) mpfr_set_ui(wide_, 1, MPFR_RNDN);
    if (to16) {
      const int ternary = mpfr_set(half_, wide_, directions[rnd]);
      return half_rounded(half_, ternary, directions[rnd]);
    }
    return float_bits(mpfr_get_flt(wide_, MPFR_RNDN)); // exact
  }

  uint32_t f2i16(uint16_t bits, const Integer &t, unsigned rnd, bool neg, bool abs) {
    load16(bits, neg, abs);
    return integer(t, rnd);
  }

  uint32_t frnd16(uint16_t bits, unsigned rnd, bool neg, bool abs) {
    load16(bits, neg, abs);
    if (mpfr_nan_p(wide_)) return 0x7fff;
    mpfr_rint(wide_, wide_, directions[rnd]); // a zero keeps its sign
    return half_bits(mpfr_get_d(wide_, MPFR_RNDN));
  }

  uint32_t i2f(uint32_t b, const Integer &t, unsigned rnd) {
    const unsigned above = 32 - t.bits;
    if (t.uns)
      mpfr_set_ui(narrow_, b << above >> above, directions[rnd]);
    else
      mpfr_set_si(narrow_, static_cast<int32_t>(b << above) >> above, directions[rnd]);
    return float_bits(mpfr_get_flt(narrow_, MPFR_RNDN));
  }

  uint32_t f2i(uint32_t bits, const Integer &t, unsigned rnd, bool neg, bool abs, bool ftz) {
    load(bits, neg, abs, ftz);
    return integer(t, rnd);
  }

  uint32_t frnd(uint32_t bits, unsigned rnd, bool neg, bool abs, bool ftz) {
    load(bits, neg, abs, ftz);
    if (mpfr_nan_p(wide_)) return 0x7fffffff;
    mpfr_rint(wide_, wide_, directions[rnd]); // a zero keeps its sign
    return float_bits(mpfr_get_flt(wide_, MPFR_RNDN));
  }

private:
  // wide_ as an integer of type t.
  uint32_t integer(const Integer &t, unsigned rnd) {
    if (mpfr_nan_p(wide_)) return 0;
    mpfr_rint(wide_, wide_, directions[rnd]);
    const int64_t least = t.uns ? 0 : -(int64_t{1} << (t.bits - 1)), most = (int64_t{1} << (t.bits - !t.uns)) - 1;
    if (mpfr_cmp_si(wide_, least) <= 0) return static_cast<uint32_t>(least);
    if (mpfr_cmp_si(wide_, most) >= 0) return static_cast<uint32_t>(most);
    return static_cast<uint32_t>(mpfr_get_si(wide_, MPFR_RNDN));
  }

  void load(uint32_t bits, bool neg, bool abs, bool ftz) {
    if (abs) bits &= 0x7fffffff;
    if (neg) bits ^= 0x80000000;
    if (ftz && (bits & 0x7f800000) == 0) bits &= 0x80000000;
    float f;
    std::memcpy(&f, &bits, 4);
    mpfr_set_flt(wide_, f, MPFR_RNDN);
  }
  void load16(uint16_t bits, bool neg, bool abs) {
    if (abs) bits &= 0x7fff;
    if (neg) bits ^= 0x8000;
    if (half_nan(bits))
      mpfr_set_nan(wide_);
    else
      mpfr_set_d(wide_, half_value(bits), MPFR_RNDN);
  }
  static uint32_t float_bits(float f) {
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
  }
  mpfr_t narrow_, wide_, half_;
};

void i2f(Bench &bench, Reference &ref, uint32_t b, const Integer &t, unsigned rnd, bool to16) {
  Vector v;
  v.b = b;
  Operation o = Operation(ISA_OP_I2F).set(ISA_F_ISRC, t.type).set(ISA_F_RND, rnd);
  o.set(ISA_F_FLT, to16 ? ISA_FTYPE_F16 : ISA_FTYPE_F32);
  bench.check(o, v, Expected::value(to16 ? ref.i2f16(b, t, rnd) : ref.i2f(b, t, rnd)));
}

// To an integer, and to an integral FP32.
void f2i(Bench &bench, Reference &ref, uint32_t b, const Integer &t, unsigned rnd, unsigned mode) {
  Vector v;
  v.b = b;
  const bool neg = mode & 1, abs = mode & 2, ftz = mode & 4;
  Operation to_int(ISA_OP_F2I), in_place(ISA_OP_FRND);
  to_int.set(ISA_F_DINT, t.type);
  for (Operation *o : {&to_int, &in_place}) {
    o->set(ISA_F_IRND, rnd).set(ISA_F_FTZ, ftz);
    o->neg = neg ? 2 : 0;
    o->abs = abs ? 2 : 0;
  }
  bench.check(to_int, v, Expected::value(ref.f2i(b, t, rnd, neg, abs, ftz)));
  if (t.type == ISA_ITYPE_S32) bench.check(in_place, v, Expected::value(ref.frnd(b, rnd, neg, abs, ftz)));
}

// mode: bit 0 negated, 1 absolute, 2 FTZ.
Operation with_mode(Operation o, unsigned mode) {
  o.set(ISA_F_FTZ, mode >> 2 & 1);
  o.neg = mode & 1 ? 2 : 0;
  o.abs = mode & 2 ? 2 : 0;
  return o;
}

// Every FP16 number: to integers, to an integral number, to FP16 and FP32. The other half of the operand must not
// matter.
void all_halves(Bench &bench, Reference &ref, Random &r, unsigned rnd, unsigned mode) {
  const bool neg = mode & 1, abs = mode & 2;
  const auto all = [&](const Operation &o, bool upper, const auto &want) {
    for (uint32_t x = 0; x < 0x10000; x++) {
      const uint32_t other = r.u32() & 0xffff;
      Vector v;
      v.b = upper ? x << 16 | other : other << 16 | x;
      bench.check(o, v, Expected::value(want(static_cast<uint16_t>(x))));
    }
  };
  for (const Integer &t : integers)
    all(with_mode(Operation(ISA_OP_F2I).set(ISA_F_DINT, t.type).set(ISA_F_FLT, ISA_FTYPE_F16), mode)
            .set(ISA_F_IRND, rnd),
        false, [&](uint16_t h) { return ref.f2i16(h, t, rnd, neg, abs); });
  all(with_mode(Operation(ISA_OP_FRND).set(ISA_F_RINT, ISA_RINT_F16), mode).set(ISA_F_IRND, rnd), false,
      [&](uint16_t h) { return ref.frnd16(h, rnd, neg, abs); });
  for (unsigned kind = 0; kind < 8; kind++) {
    const bool to16 = kind & 1, sat = kind & 2, upper = kind & 4;
    all(with_mode(Operation(ISA_OP_F2F).set(ISA_F_FSRC, ISA_FTO_F16), mode)
            .set(ISA_F_FDST, to16 ? ISA_FTO_F16 : ISA_FTO_F32)
            .set(ISA_F_RND, rnd)
            .set(ISA_F_SAT, sat)
            .set(ISA_F_H1, upper),
        upper, [&](uint16_t h) { return ref.f2f(h, true, to16, rnd, mode, sat, false); });
  }
}

// FP32 to FP16, to itself, and two to a pair.
void narrow(Bench &bench, Reference &ref, const std::vector<Vector> &in, unsigned rnd, unsigned mode, unsigned mode_a) {
  for (unsigned kind = 0; kind < 4; kind++) {
    const bool to16 = kind & 1, sat = kind & 2;
    const Operation o = with_mode(Operation(ISA_OP_F2F).set(ISA_F_FSRC, ISA_FTO_F32), mode)
                            .set(ISA_F_FDST, to16 ? ISA_FTO_F16 : ISA_FTO_F32)
                            .set(ISA_F_RND, rnd)
                            .set(ISA_F_SAT, sat);
    for (const Vector &v : in) bench.check(o, v, Expected::value(ref.f2f(v.b, false, to16, rnd, mode, sat, false)));
  }
  for (unsigned relu = 0; relu < 2; relu++) {
    Operation o = with_mode(Operation(ISA_OP_F2FP_F16_F32_PACK_AB), mode).set(ISA_F_RND, rnd).set(ISA_F_RELU, relu);
    o.neg |= mode_a & 1;
    o.abs |= mode_a >> 1 & 1;
    for (const Vector &v : in) {
      const uint32_t upper = ref.f2f(v.a, false, true, rnd, (mode_a & 3) | (mode & 4), false, relu);
      const uint32_t lower = ref.f2f(v.b, false, true, rnd, mode, false, relu);
      bench.check(o, v, Expected::value(upper << 16 | lower));
    }
  }
}

// An FP32 number about where FP16 rounds, underflows and overflows.
uint32_t near_half(Random &r) {
  const uint32_t x = r.u32();
  switch (r.below(4)) {
  case 0:
    return random_f32(r);
  case 1: // up to two bits beyond FP16's, and a sticky one
    return (x & 0x80000000) | ((98 + r.below(48)) << 23) | (x & 0x7ff800) | (r.one_in(2) ? 1u << r.below(11) : 0);
  case 2: // the ends: a tie, and one to each side
    return (x & 0x80000000) | ((r.one_in(2) ? 0x477fefffu : 0x387fefffu) + r.below(3));
  default:
    return (x & 0x80000000) | ((98 + r.below(48)) << 23) | (0x7fffffu << r.below(24) & 0x7fffff);
  }
}

// Halves, quarters and ranges: exponents at which a conversion rounds or saturates.
uint32_t convertible(Random &r, unsigned bits) {
  const uint32_t x = r.u32();
  switch (r.below(4)) {
  case 0:
    return random_f32(r);
  case 1:
    return (x & 0x80000000) | ((124 + r.below(bits + 6)) << 23) | (x & 0x7fffff);
  case 2:
    return (x & 0x80000000) | ((124 + r.below(bits + 6)) << 23) | (0x7fffffu << r.below(24) & 0x7fffff);
  default: {
    const float f = static_cast<float>(static_cast<int32_t>(x) >> (r.below(bits) + 32 - bits)) +
                    0.5f * static_cast<float>(r.below(3));
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
  }
  }
}

uint64_t silicon(Bench &bench, const std::string &dir) {
  const uint64_t before = bench.vectors();
  const char *floats[] = {"rn", "rm", "rp", "rz"}, *ints[] = {"rni", "rmi", "rpi", "rzi"}, *types[] = {"s32", "u32"};
  for (unsigned rnd = 0; rnd < 4; rnd++)
    for (unsigned uns = 0; uns < 2; uns++) {
      const Operation from = Operation(ISA_OP_I2F).set(ISA_F_ISRC, uns).set(ISA_F_RND, rnd);
      const Operation to = Operation(ISA_OP_F2I).set(ISA_F_DINT, uns).set(ISA_F_IRND, rnd);
      const std::string from_name = std::string("cvt.") + floats[rnd] + ".f32." + types[uns];
      const std::string to_name = std::string("cvt.") + ints[rnd] + "." + types[uns] + ".f32";
      const auto all = [&](const Operation &o, const std::vector<Measured> &data) {
        for (const Measured &d : data) {
          Vector v;
          v.b = d.in.a;
          bench.check(o, v, Expected::value(d.result));
        }
      };
      all(from, read_measured(dir, from_name, "i"));
      all(to, read_measured(dir, to_name, "f"));
      all(to, read_nans(dir, to_name));
    }
  const Operation halves = Operation(ISA_OP_F2F).set(ISA_F_FDST, ISA_FTO_F16).set(ISA_F_FSRC, ISA_FTO_F32);
  const Operation floats_of = Operation(ISA_OP_F2F).set(ISA_F_FDST, ISA_FTO_F32).set(ISA_F_FSRC, ISA_FTO_F16);
  const auto both = [&](Operation o, unsigned rnd, const char *name) {
    for (const Measured &d : read_measured(dir, name, name[4] == 'f' ? "i" : "f")) {
      Vector v;
      v.b = d.in.a;
      bench.check(o.set(ISA_F_RND, rnd), v, Expected::value(d.result));
    }
  };
  both(halves, ISA_RND_RN, "cvt.rn.f16.f32");
  both(halves, ISA_RND_RZ, "cvt.rz.f16.f32");
  both(floats_of, ISA_RND_RN, "cvt.f32.f16");
  return bench.vectors() - before;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv, VECTORS);
  Bench bench(options);
  Reference ref;
  Random r{options.seed};
  for (unsigned rnd = 0; rnd < 4; rnd++)
    for (const Integer &t : integers) {
      for (unsigned to16 = 0; to16 < 2; to16++)
        for (uint32_t b : edges_i32) i2f(bench, ref, b, t, rnd, to16);
      for (uint32_t b : edges_f32)
        for (unsigned mode = 0; mode < 8; mode++) f2i(bench, ref, b, t, rnd, mode);
      for (uint64_t k = 0; k < (options.full ? 2 : 1) * options.count; k++) { // I2F: half of them to F16
        i2f(bench, ref, random_i32(r), t, rnd, k & 32);
        if (k % 32 != 31 || k >= options.count) continue;
        for (unsigned i = 0, mode = r.below(8); i < 32; i++) f2i(bench, ref, convertible(r, t.bits), t, rnd, mode);
      }
    }
  for (unsigned rnd = 0; rnd < 4; rnd++)
    for (unsigned mode = 0; mode < 8; mode++) {
      if (mode == rnd || mode == 7 - rnd) all_halves(bench, ref, r, rnd, mode);
      std::vector<Vector> in;
      for (uint32_t b : edges_f32) in.push_back(Vector{random_f32(r), b});
      narrow(bench, ref, in, rnd, mode, r.below(4));
      for (uint64_t k = 0; k < options.count / 128; k++) {
        for (Vector &v : in) v = Vector{near_half(r), near_half(r)};
        narrow(bench, ref, in, rnd, mode, r.below(4));
      }
    }
  if (!options.silicon.empty()) {
    const uint64_t n = silicon(bench, options.silicon);
    std::printf("cvt: %llu vectors measured on silicon\n", static_cast<unsigned long long>(n));
    if (n == 0) return 1;
  }
  return bench.finish_long("cvt", options);
}
