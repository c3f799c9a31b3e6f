// SPDX-License-Identifier: Apache-2.0
// The FP64 unit against MPFR: edge values crossed, random values near each other, what silicon returned; latency and
// rate.
#include <cstdio>
#include <cstring>

#include "fp64_bench.h"
#include "reference.h"

namespace {

const std::vector<uint64_t> edges = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000002, 0x0000000000000003, 0x0008000000000000,
    0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001, 0x001fffffffffffff, 0x0020000000000000,
    0x0340000000000000, 0x1ff0000000000000, 0x3ca0000000000000, 0x3cb0000000000000, 0x3fdfffffffffffff,
    0x3fe0000000000000, 0x3fe0000000000001, 0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001,
    0x3ff8000000000000, 0x4000000000000000, 0x4330000000000000, 0x4340000000000000, 0x7fd0000000000000,
    0x7fdfffffffffffff, 0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001,
    0x7ff7ffffffffffff, 0x7ff8000000000000, 0x7ff8000000001234, 0x7fffffffffffffff};
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

uint64_t random_f64(Random &r) {
  const uint64_t x = r.next(), sign = x & 1ull << 63, fraction = x & 0xfffffffffffffull;
  const auto exponent = [&](uint64_t low, uint32_t n) { return (low + r.below(n)) << 52; };
  switch (r.below(8)) {
  case 0:
    return x;
  case 1:
    return sign | edges[r.below(static_cast<uint32_t>(edges.size()))];
  case 2:
    return sign | fraction >> r.below(52); // subnormal
  case 3:
    return sign | exponent(0, 4) | fraction;
  case 4:
    return sign | exponent(2043, 4) | fraction;
  case 5:
    return sign | exponent(1015, 16) | (0xfffffffffffffull << r.below(53) & 0xfffffffffffffull);
  default:
    return sign | exponent(960, 128) | fraction;
  }
}

// b near -a, or shifted against it by about the width of a significand.
uint64_t near_value(Random &r, uint64_t a) {
  const uint64_t exponent = (a >> 52 & 0x7ff) + r.below(120) - 60;
  switch (r.below(3)) {
  case 0:
    return (a ^ 1ull << 63) + r.below(9) - 4;
  case 1:
    return (a ^ (r.next() & 1ull << 63)) + (static_cast<uint64_t>(r.below(5)) << 52) - (2ull << 52);
  default:
    return (r.next() & 0x800fffffffffffffull) | (exponent > 2046 ? 1023 : exponent) << 52;
  }
}

// c near -(a*b): the sum cancels, in the leading bits or almost entirely.
uint64_t near_product(Random &r, uint64_t a, uint64_t b) {
  double x, y;
  std::memcpy(&x, &a, 8);
  std::memcpy(&y, &b, 8);
  const double p = -(x * y);
  uint64_t bits;
  std::memcpy(&bits, &p, 8);
  bits += r.below(5) - 2;
  if (r.one_in(4)) bits ^= 1ull << r.below(63);
  return bits;
}

// ---- Arithmetic, comparisons -----------------------------------------------------------------------
struct Arithmetic {
  isa_op op;
  unsigned rnd = 0, neg = 0, abs = 0;
  Operation operation() const {
    Operation o(op);
    o.set(ISA_F_RND, rnd);
    o.neg = neg;
    o.abs = abs;
    return o;
  }
};

void arithmetic(Bench &bench, Reference &ref, const Options &options) {
  Random r{options.seed};
  const auto check = [&](const Arithmetic &m, const Vector &v) {
    bench.check(m.operation(), v, Expected::pair(ref.arithmetic(m.op, m.rnd, m.neg, m.abs, v)));
  };
  for (isa_op op : {ISA_OP_DADD, ISA_OP_DMUL, ISA_OP_DFMA})
    for (unsigned rnd = 0; rnd < 4; rnd++) {
      // Signs come by negation, of each operand in turn.
      for (unsigned neg = 0; neg < (op == ISA_OP_DFMA ? 8u : 4u); neg++) {
        const Arithmetic m{op, rnd, neg};
        for (uint64_t a : edges)
          for (uint64_t b : edges) {
            if (op != ISA_OP_DFMA) {
              check(m, {a, b});
            } else if (rnd == neg % 4 || options.count >= 1000000) { // each pair of both once in any case
              for (uint64_t c : edges) check(m, {a, b, c});
            }
          }
      }
      Arithmetic m{op, rnd};
      for (uint64_t k = 0; k < options.count; k++) {
        if (k % 64 == 0) {
          m.neg = r.one_in(2) ? r.below(op == ISA_OP_DFMA ? 8 : 4) : 0;
          m.abs = op != ISA_OP_DFMA && r.one_in(4) ? r.below(4) : 0;
        }
        Vector v;
        v.a = random_f64(r);
        v.b = op != ISA_OP_DFMA && r.one_in(2) ? near_value(r, v.a) : random_f64(r);
        v.c = r.one_in(2) ? near_product(r, v.a, v.b) : random_f64(r);
        check(m, v);
      }
    }
}

void comparisons(Bench &bench, const Options &options) {
  Random r{options.seed + 1};
  const auto mnmx = [&](unsigned neg, unsigned abs, const Vector &v) {
    Operation o(ISA_OP_DMNMX);
    o.neg = neg;
    o.abs = abs;
    bench.check(o, v, Expected::pair(minimum(!v.ps0, neg, abs, v)));
  };
  const auto setp = [&](unsigned fcmp, unsigned join, unsigned neg, unsigned abs, const Vector &v) {
    Operation o(ISA_OP_DSETP);
    o.set(ISA_F_FCMP, fcmp).set(ISA_F_BOOL, join);
    o.neg = neg;
    o.abs = abs;
    const unsigned p = compare(fcmp, join, neg, abs, v);
    bench.check(o, v, Expected::predicates(p & 1, p >> 1));
  };
  for (unsigned neg = 0; neg < 4; neg++)
    for (uint64_t a : edges)
      for (uint64_t b : edges)
        for (bool ps0 : {false, true}) mnmx(neg, 0, {a, b, 0, ps0});
  for (unsigned fcmp = 0; fcmp < 16; fcmp++)
    for (unsigned join = 0; join < 3; join++)
      for (uint64_t a : edges)
        for (uint64_t b : edges) setp(fcmp, join, (fcmp + join) % 4, 0, {a, b, 0, r.one_in(2)});
  for (uint64_t k = 0; k < 2 * options.count; k += 16) {
    const unsigned neg = r.below(4), abs = r.one_in(2) ? r.below(4) : 0, fcmp = r.below(16), join = r.below(3);
    for (unsigned i = 0; i < 16; i++) {
      Vector v{random_f64(r), 0, 0, r.one_in(2)};
      v.b = r.one_in(4) ? v.a : r.one_in(2) ? near_value(r, v.a) : random_f64(r);
      if (k / 16 % 2)
        mnmx(neg, abs, v);
      else
        setp(fcmp, join, neg, abs, v);
    }
  }
}

// ---- Conversions: those with a 64-bit operand or result --------------------------------------------
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

void conversions(Bench &bench, Reference &ref, const Options &options) {
  Random r{options.seed + 2};
  conversion_edges(bench, ref);
  from_integers(bench, ref, options.count / 8, r); // of the modes of an instruction there are many
  to_integers(bench, ref, options.count / 8, r);
  between_formats(bench, ref, options.count / 4, r);
  integral(bench, ref, options.count, r);
}

// ---- What silicon returned -------------------------------------------------------------------------
std::vector<uint64_t> read_elements(const std::string &path, size_t bytes) {
  std::vector<uint64_t> all;
  FILE *f = std::fopen(path.c_str(), "rb");
  if (!f) return all;
  uint64_t w = 0;
  while (std::fread(&w, bytes, 1, f) == 1) all.push_back(w);
  std::fclose(f);
  return all;
}

struct Form {
  std::string name, inputs; // one word an operand: f64, i64, f32
  Operation op;
  unsigned words; // of the result; 0: a predicate
  bool ps0;
};

// Operand a of a conversion is its b.
uint64_t measured(Bench &bench, const std::string &dir, const Form &form) {
  const std::vector<uint64_t> gold = read_elements(dir + "/ops/" + form.name + ".gold.bin", form.words == 2 ? 8 : 4);
  std::vector<uint64_t> in[3];
  const unsigned slots = static_cast<unsigned>((form.inputs.size() + 1) / 4);
  for (unsigned s = 0; s < slots; s++) {
    const std::string kind = form.inputs.substr(4 * s, 3);
    in[s] = read_elements(dir + "/ops/" + kind + "." + std::to_string(s) + ".bin", kind == "f32" ? 4 : 8);
    if (in[s].size() < gold.size()) return 0;
  }
  for (size_t k = 0; k < gold.size(); k++) {
    Vector v;
    v.ps0 = form.ps0;
    v.a = in[0][k];
    v.b = in[slots == 1 ? 0 : 1][k];
    if (slots == 3) v.c = in[2][k];
    bench.check(form.op, v,
                form.words == 0   ? Expected::predicates(gold[k] != 0, gold[k] == 0)
                : form.words == 1 ? Expected::word(gold[k])
                                  : Expected::pair(gold[k]));
  }
  return gold.size();
}

// Lines `form a b c -> d` of nan.txt.
uint64_t nans(Bench &bench, const std::string &dir, const Form &form) {
  FILE *f = std::fopen((dir + "/nan.txt").c_str(), "r");
  if (!f) return 0;
  char line[256];
  uint64_t n = 0;
  while (std::fgets(line, sizeof line, f)) {
    char name[64];
    int used = 0;
    if (std::sscanf(line, "%63s%n", name, &used) != 1 || form.name != name) continue;
    unsigned long long x[3] = {0, 0, 0}, want;
    const char *p = line + used;
    unsigned operands = 0;
    for (; operands < 3 && std::sscanf(p, " %llx%n", &x[operands], &used) == 1; operands++) p += used;
    if (std::sscanf(p, " -> %llx", &want) != 1) continue;
    bench.check(form.op, {x[0], x[operands == 1 ? 0 : 1], x[2], form.ps0},
                form.words == 1 ? Expected::word(want) : Expected::pair(want));
    n++;
  }
  std::fclose(f);
  return n;
}

std::vector<Form> forms() {
  std::vector<Form> all;
  const struct {
    const char *suffix;
    unsigned rnd, irnd;
  } rnds[] = {{"rn", ISA_RND_RN, ISA_IRND_ROUND},
              {"rm", ISA_RND_RM, ISA_IRND_FLOOR},
              {"rp", ISA_RND_RP, ISA_IRND_CEIL},
              {"rz", ISA_RND_RZ, ISA_IRND_TRUNC}};
  for (const auto &r : rnds) {
    const std::string s = r.suffix;
    all.push_back({"add." + s + ".f64", "f64 f64", Operation(ISA_OP_DADD).set(ISA_F_RND, r.rnd), 2, false});
    all.push_back({"mul." + s + ".f64", "f64 f64", Operation(ISA_OP_DMUL).set(ISA_F_RND, r.rnd), 2, false});
    all.push_back({"fma." + s + ".f64", "f64 f64 f64", Operation(ISA_OP_DFMA).set(ISA_F_RND, r.rnd), 2, false});
    const auto i2f = [&](const char *to, unsigned flt, const char *from, unsigned isrc) {
      all.push_back({"cvt." + s + "." + to + "." + from, "i64",
                     Operation(ISA_OP_I2F).set(ISA_F_FLT, flt).set(ISA_F_ISRC, isrc).set(ISA_F_RND, r.rnd),
                     flt == ISA_FTYPE_F64 ? 2u : 1u, false});
    };
    i2f("f32", ISA_FTYPE_F32, "s64", ISA_ITYPE_S64);
    i2f("f32", ISA_FTYPE_F32, "u64", ISA_ITYPE_U64);
    i2f("f64", ISA_FTYPE_F64, "s64", ISA_ITYPE_S64);
    i2f("f64", ISA_FTYPE_F64, "u64", ISA_ITYPE_U64);
    const auto f2f = [&](const char *to, unsigned fdst) {
      all.push_back({"cvt." + s + "." + to + ".f64", "f64",
                     Operation(ISA_OP_F2F).set(ISA_F_FDST, fdst).set(ISA_F_FSRC, ISA_FTO_F64).set(ISA_F_RND, r.rnd), 1,
                     false});
    };
    f2f("f32", ISA_FTO_F32);
    f2f("f16", ISA_FTO_F16);
    const auto f2i = [&](const char *to, unsigned dint, const char *from, unsigned flt) {
      all.push_back({"cvt." + s + "i." + to + "." + from, from,
                     Operation(ISA_OP_F2I).set(ISA_F_DINT, dint).set(ISA_F_FLT, flt).set(ISA_F_IRND, r.irnd),
                     to[1] == '6' ? 2u : 1u, false});
    };
    f2i("s32", ISA_ITYPE_S32, "f64", ISA_FTYPE_F64);
    f2i("u32", ISA_ITYPE_U32, "f64", ISA_FTYPE_F64);
    f2i("s64", ISA_ITYPE_S64, "f64", ISA_FTYPE_F64);
    f2i("u64", ISA_ITYPE_U64, "f64", ISA_FTYPE_F64);
    f2i("s64", ISA_ITYPE_S64, "f32", ISA_FTYPE_F32);
    f2i("u64", ISA_ITYPE_U64, "f32", ISA_FTYPE_F32);
    all.push_back({"cvt." + s + "i.f64.f64", "f64",
                   Operation(ISA_OP_FRND).set(ISA_F_RINT, ISA_RINT_F64).set(ISA_F_IRND, r.irnd), 2, false});
  }
  const auto widen = [](unsigned fsrc) {
    return Operation(ISA_OP_F2F).set(ISA_F_FDST, ISA_FTO_F64).set(ISA_F_FSRC, fsrc);
  };
  all.push_back({"cvt.f64.f32", "f32", widen(ISA_FTO_F32), 2, false});
  all.push_back({"cvt.f64.f16", "f16", widen(ISA_FTO_F16), 2, false});
  all.push_back({"min.f64", "f64 f64", Operation(ISA_OP_DMNMX), 2, true});
  all.push_back({"max.f64", "f64 f64", Operation(ISA_OP_DMNMX), 2, false});
  Operation sub(ISA_OP_DADD);
  sub.neg = 2;
  all.push_back({"sub.rn.f64", "f64 f64", sub, 2, false});
  const char *relations[] = {"lt",  "eq",  "le",  "gt",  "ne",  "ge",  "num",
                             "nan", "ltu", "equ", "leu", "gtu", "neu", "geu"};
  const unsigned values[] = {ISA_FCMP_LT,  ISA_FCMP_EQ,  ISA_FCMP_LE,  ISA_FCMP_GT,  ISA_FCMP_NE,
                             ISA_FCMP_GE,  ISA_FCMP_NUM, ISA_FCMP_NAN, ISA_FCMP_LTU, ISA_FCMP_EQU,
                             ISA_FCMP_LEU, ISA_FCMP_GTU, ISA_FCMP_NEU, ISA_FCMP_GEU};
  for (unsigned k = 0; k < 14; k++)
    all.push_back({std::string("setp.") + relations[k] + ".f64", "f64 f64",
                   Operation(ISA_OP_DSETP).set(ISA_F_FCMP, values[k]), 0, true});
  return all;
}

// Forms with neither elements nor rows of nan.txt are an error, but for those that silicon was not asked about.
int silicon(Bench &bench, const std::string &dir) {
  uint64_t elements = 0, rows = 0, missing = 0;
  for (const Form &form : forms()) {
    const uint64_t e = measured(bench, dir, form), n = nans(bench, dir, form);
    const bool unasked = form.name.find(".f16.f64") != std::string::npos && form.name != "cvt.rn.f16.f64";
    if (e + n == 0 && !unasked) {
      std::printf("fp64: nothing measured of %s in %s\n", form.name.c_str(), dir.c_str());
      missing++;
    }
    elements += e;
    rows += n;
  }
  std::printf("fp64: %llu elements and %llu rows of NaNs measured on silicon\n",
              static_cast<unsigned long long>(elements), static_cast<unsigned long long>(rows));
  return missing == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv);
  Bench bench(options);
  Reference ref;
  bench.rates();
  arithmetic(bench, ref, options);
  comparisons(bench, options);
  conversions(bench, ref, options);
  int status = 0;
  if (!options.silicon.empty()) status = silicon(bench, options.silicon);
  return bench.finish("fp64") | status;
}
