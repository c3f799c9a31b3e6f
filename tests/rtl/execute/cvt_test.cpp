// SPDX-License-Identifier: Apache-2.0
// Conversion pipe against MPFR.
#include <mpfr.h>

#include <cstdio>
#include <cstring>

#include "bench.h"

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
  Reference() { mpfr_inits2(24, narrow_, nullptr), mpfr_init2(wide_, 64); }
  ~Reference() { mpfr_clears(narrow_, wide_, nullptr); }

  uint32_t i2f(uint32_t b, const Integer &t, unsigned rnd) {
    const unsigned above = 32 - t.bits;
    if (t.uns)
      mpfr_set_ui(narrow_, b << above >> above, directions[rnd]);
    else
      mpfr_set_si(narrow_, static_cast<int32_t>(b << above) >> above, directions[rnd]);
    const float f = mpfr_get_flt(narrow_, MPFR_RNDN);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
  }

  uint32_t f2i(uint32_t bits, const Integer &t, unsigned rnd, bool neg, bool abs, bool ftz) {
    load(bits, neg, abs, ftz);
    if (mpfr_nan_p(wide_)) return 0;
    mpfr_rint(wide_, wide_, directions[rnd]);
    const int64_t least = t.uns ? 0 : -(int64_t{1} << (t.bits - 1)), most = (int64_t{1} << (t.bits - !t.uns)) - 1;
    if (mpfr_cmp_si(wide_, least) <= 0) return static_cast<uint32_t>(least);
    if (mpfr_cmp_si(wide_, most) >= 0) return static_cast<uint32_t>(most);
    return static_cast<uint32_t>(mpfr_get_si(wide_, MPFR_RNDN));
  }

  uint32_t frnd(uint32_t bits, unsigned rnd, bool neg, bool abs, bool ftz) {
    load(bits, neg, abs, ftz);
    if (mpfr_nan_p(wide_)) return 0x7fffffff;
    mpfr_rint(wide_, wide_, directions[rnd]); // a zero keeps its sign
    const float f = mpfr_get_flt(wide_, MPFR_RNDN);
    std::memcpy(&bits, &f, 4);
    return bits;
  }

private:
  void load(uint32_t bits, bool neg, bool abs, bool ftz) {
    if (abs) bits &= 0x7fffffff;
    if (neg) bits ^= 0x80000000;
    if (ftz && (bits & 0x7f800000) == 0) bits &= 0x80000000;
    float f;
    std::memcpy(&f, &bits, 4);
    mpfr_set_flt(wide_, f, MPFR_RNDN);
  }
  mpfr_t narrow_, wide_;
};

void i2f(Bench &bench, Reference &ref, uint32_t b, const Integer &t, unsigned rnd) {
  Vector v;
  v.b = b;
  bench.check(Operation(ISA_OP_I2F).set(ISA_F_ISRC, t.type).set(ISA_F_RND, rnd), v,
              Expected::value(ref.i2f(b, t, rnd)));
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
  return bench.vectors() - before;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv);
  Bench bench(options);
  Reference ref;
  Random r{options.seed};
  for (unsigned rnd = 0; rnd < 4; rnd++)
    for (const Integer &t : integers) {
      for (uint32_t b : edges_i32) i2f(bench, ref, b, t, rnd);
      for (uint32_t b : edges_f32)
        for (unsigned mode = 0; mode < 8; mode++) f2i(bench, ref, b, t, rnd, mode);
      for (uint64_t k = 0; k < options.count; k++) {
        i2f(bench, ref, random_i32(r), t, rnd);
        if (k % 32 != 31) continue;
        for (unsigned i = 0, mode = r.below(8); i < 32; i++) f2i(bench, ref, convertible(r, t.bits), t, rnd, mode);
      }
    }
  if (!options.silicon.empty()) {
    const uint64_t n = silicon(bench, options.silicon);
    std::printf("cvt: %llu vectors measured on silicon\n", static_cast<unsigned long long>(n));
    if (n == 0) return 1;
  }
  return bench.finish("cvt");
}
