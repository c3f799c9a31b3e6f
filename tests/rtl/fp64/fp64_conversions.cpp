// SPDX-License-Identifier: Apache-2.0
// Conversions with a 64-bit operand or result: every pair of types, values where they turn.
#include "tests/rtl/fp64/fp64_cases.h"

namespace {

// Where conversions turn: limits of integers, of FP32 and FP16, halves.
const std::vector<uint64_t> turns = {
    0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x405fc00000000000, 0x405fdfffffffffff,
    0x405fe00000000000, 0x4060000000000000, 0x4060100000000000, 0x406fefffffffffff, 0x406ff00000000000,
    0x40dfffc000000000, 0x40dfffe000000000, 0x40e0000000000000, 0x40effff000000000, 0x41dfffffffc00000,
    0x41dfffffffe00000, 0x41e0000000000000, 0x41e0000000100000, 0x41efffffffe00000, 0x41efffffffefffff,
    0x41f0000000000000, 0x432fffffffffffff, 0x4330000000000001, 0x433fffffffffffff, 0x43dfffffffffffff,
    0x43e0000000000000, 0x43e0000000000001, 0x43efffffffffffff, 0x43f0000000000000, 0x47efffffefffffff,
    0x47effffff0000000, 0x47f0000000000000, 0x380fffffffffffff, 0x380ffffff0000000, 0x380fffffe0000000,
    0x3810000000000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x40effdffffffffff,
    0x40effe0000000000, 0x40efffffffffffff, 0x3f10000000000000, 0x3f0fffffffffffff, 0x3e70000000000000,
    0x3e60000000000000, 0x3e60000000000001, 0x3ff0000010000000, 0x3ff0020000000000, 0x3ff0020000000001};

struct IntegerType {
  unsigned value;
  Integer type;
};
const IntegerType integers[] = {{ISA_ITYPE_S32, {32, false}}, {ISA_ITYPE_U32, {32, true}}, {ISA_ITYPE_S64, {64, false}},
                                {ISA_ITYPE_U64, {64, true}},  {ISA_ITYPE_S8, {8, false}},  {ISA_ITYPE_U8, {8, true}},
                                {ISA_ITYPE_S16, {16, false}}, {ISA_ITYPE_U16, {16, true}}};
struct FormatType {
  unsigned value;
  Format type;
};
const FormatType formats[] = {{ISA_FTYPE_F32, Format::F32}, {ISA_FTYPE_F64, Format::F64}, {ISA_FTYPE_F16, Format::F16}};

Expected result(Format f, uint64_t v) {
  return f == Format::F64 ? Expected::pair(v) : Expected::word(v);
}
Expected result(Integer i, uint64_t v) {
  return i.bits == 64 ? Expected::pair(v) : Expected::word(v);
}

// A number of the format: special ones, near the limits of the targets, or any.
uint64_t random_of(Random &r, Format f) {
  if (f == Format::F64) {
    const uint64_t sign = r.next() & 1ull << 63;
    if (r.one_in(3)) return (sign | turns[r.below(static_cast<uint32_t>(turns.size()))]) + r.below(3) - 1;
    if (r.one_in(2)) return sign | (895 + static_cast<uint64_t>(r.below(260))) << 52 | (r.next() & 0xfffffffffffffull);
    if (r.one_in(2))
      return sign | (1020 + static_cast<uint64_t>(r.below(70))) << 52 | (~0ull << r.below(52) & 0xfffffffffffffull);
    return random_f64(r);
  }
  const uint32_t x = r.u32();
  if (f == Format::F16) return x; // the upper half does not matter
  switch (r.below(4)) {
  case 0:
    return x & 0x807fffff;
  case 1:
    return (x & 0x80000000) | (r.one_in(2) ? 0x7f800000 : 0) | (r.one_in(2) ? x & 0x7fffff : 0);
  case 2:
    return (x & 0x80000000) | (120 + r.below(75)) << 23 | (x & 0x7fffff);
  default:
    return x;
  }
}

uint64_t random_integer(Random &r) {
  const uint64_t x = r.next();
  switch (r.below(5)) {
  case 0:
    return x >> r.below(64);
  case 1:
    return ~(x >> r.below(64));
  case 2:
    return (1ull << r.below(64)) + r.below(5) - 2;
  case 3: // a tie, or close to one, in 53, 24 or 11 bits
    return ((x | 1ull << 63) >> r.below(30) & ~0ull << (r.one_in(2) ? 10 : 39)) + r.below(3) - 1;
  default:
    return x;
  }
}

struct Signs {
  bool neg, abs;
  void put(Operation &o) const {
    o.neg = neg ? 2 : 0;
    o.abs = abs ? 2 : 0;
  }
};

void from_integers(Bench &bench, Reference &ref, uint64_t count, Random &r) {
  for (const IntegerType &i : integers)
    for (const FormatType &f : formats)
      for (unsigned rnd = 0; rnd < 4; rnd++) {
        if (i.type.bits != 64 && f.type != Format::F64) continue;
        Operation o(ISA_OP_I2F);
        o.set(ISA_F_ISRC, i.value).set(ISA_F_FLT, f.value).set(ISA_F_RND, rnd);
        for (uint64_t k = 0; k < count; k++) {
          const Vector v{0, k == 0 ? 0 : random_integer(r)};
          bench.check(o, v, result(f.type, ref.from_int(i.type, f.type, rnd, v.b)));
        }
      }
}

void to_integers(Bench &bench, Reference &ref, uint64_t count, Random &r) {
  for (const IntegerType &i : integers)
    for (const FormatType &f : formats)
      for (unsigned irnd = 0; irnd < 4; irnd++) {
        if (i.type.bits != 64 && f.type != Format::F64) continue;
        for (uint64_t k = 0; k < count;) {
          const Signs s{r.one_in(4), r.one_in(4)};
          const bool ftz = r.one_in(3);
          Operation o(ISA_OP_F2I);
          o.set(ISA_F_DINT, i.value).set(ISA_F_FLT, f.value).set(ISA_F_IRND, irnd).set(ISA_F_FTZ, ftz);
          s.put(o);
          for (unsigned n = 0; n < 64 && k < count; n++, k++) {
            const Vector v{0, random_of(r, f.type)};
            bench.check(o, v, result(i.type, ref.to_int(f.type, i.type, irnd, ftz, s.neg, s.abs, v.b)));
          }
        }
      }
}

void between_formats(Bench &bench, Reference &ref, uint64_t count, Random &r) {
  for (const FormatType &from : formats)
    for (const FormatType &to : formats)
      for (unsigned rnd = 0; rnd < 4; rnd++) {
        if (from.type != Format::F64 && to.type != Format::F64) continue;
        for (uint64_t k = 0; k < count;) {
          const Signs s{r.one_in(4), r.one_in(4)};
          const bool ftz = r.one_in(3), sat = r.one_in(5), upper = from.type == Format::F16 && r.one_in(2);
          Operation o(ISA_OP_F2F);
          o.set(ISA_F_FSRC, from.value).set(ISA_F_FDST, to.value).set(ISA_F_RND, rnd);
          o.set(ISA_F_FTZ, ftz).set(ISA_F_SAT, sat).set(ISA_F_H1, upper);
          s.put(o);
          for (unsigned n = 0; n < 64 && k < count; n++, k++) {
            const Vector v{0, random_of(r, from.type)};
            const uint64_t b = from.type == Format::F16 ? (upper ? v.b >> 16 : v.b) & 0xffff : v.b;
            bench.check(o, v, result(to.type, ref.convert(from.type, to.type, rnd, ftz, sat, s.neg, s.abs, b)));
          }
        }
      }
}

void integral(Bench &bench, Reference &ref, uint64_t count, Random &r) {
  for (unsigned irnd = 0; irnd < 4; irnd++)
    for (uint64_t k = 0; k < count;) {
      const Signs s{r.one_in(4), r.one_in(4)};
      Operation o(ISA_OP_FRND);
      o.set(ISA_F_RINT, ISA_RINT_F64).set(ISA_F_IRND, irnd);
      s.put(o);
      for (unsigned n = 0; n < 64 && k < count; n++, k++) {
        const Vector v{0, random_of(r, Format::F64)};
        bench.check(o, v, Expected::pair(ref.integral(irnd, s.neg, s.abs, v.b)));
      }
    }
}

// Every value of `turns` and `edges`, both signs, and every FP16 number, through every conversion.
void conversion_edges(Bench &bench, Reference &ref) {
  std::vector<uint64_t> all = turns;
  all.insert(all.end(), edges.begin(), edges.end());
  for (unsigned rnd = 0; rnd < 4; rnd++) {
    for (const IntegerType &i : integers) {
      Operation o(ISA_OP_F2I);
      o.set(ISA_F_DINT, i.value).set(ISA_F_FLT, ISA_FTYPE_F64).set(ISA_F_IRND, rnd);
      for (uint64_t sign : {0ull, 1ull << 63})
        for (uint64_t b : all)
          bench.check(o, {0, b | sign},
                      result(i.type, ref.to_int(Format::F64, i.type, rnd, false, false, false, b | sign)));
    }
    for (const FormatType &f : formats)
      for (unsigned mode = 0; mode < 4; mode++) {
        Operation o(ISA_OP_F2F);
        o.set(ISA_F_FSRC, ISA_FTO_F64)
            .set(ISA_F_FDST, f.value)
            .set(ISA_F_RND, rnd)
            .set(ISA_F_FTZ, mode & 1)
            .set(ISA_F_SAT, mode >> 1);
        for (uint64_t sign : {0ull, 1ull << 63})
          for (uint64_t b : all)
            bench.check(
                o, {0, b | sign},
                result(f.type, ref.convert(Format::F64, f.type, rnd, mode & 1, mode >> 1, false, false, b | sign)));
      }
    Operation o(ISA_OP_FRND);
    o.set(ISA_F_RINT, ISA_RINT_F64).set(ISA_F_IRND, rnd);
    for (uint64_t sign : {0ull, 1ull << 63})
      for (uint64_t b : all) bench.check(o, {0, b | sign}, Expected::pair(ref.integral(rnd, false, false, b | sign)));
  }
  Operation widen(ISA_OP_F2F);
  widen.set(ISA_F_FSRC, ISA_FTO_F16).set(ISA_F_FDST, ISA_FTO_F64);
  Operation integer(ISA_OP_F2I);
  integer.set(ISA_F_DINT, ISA_ITYPE_S64).set(ISA_F_FLT, ISA_FTYPE_F16);
  for (uint64_t b = 0; b < 65536; b += 7)
    bench.check(widen, {0, b}, Expected::pair(ref.convert(Format::F16, Format::F64, 0, false, false, false, false, b)));
  for (uint64_t b = 0; b < 65536; b += 7)
    bench.check(integer, {0, b}, Expected::pair(ref.to_int(Format::F16, {64, false}, 0, false, false, false, b)));
}

} // namespace

void conversions(Bench &bench, Reference &ref, const Options &options) {
  Random r{options.seed + 2};
  const uint64_t all = random_vectors(options);
  const auto part = [&](unsigned n) { return options.full ? all : options.count / n; };
  conversion_edges(bench, ref);
  from_integers(bench, ref, part(8), r); // of the modes of an instruction there are many
  to_integers(bench, ref, part(8), r);
  between_formats(bench, ref, part(4), r);
  integral(bench, ref, all, r);
}
