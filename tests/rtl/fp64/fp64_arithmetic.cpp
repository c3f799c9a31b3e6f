// SPDX-License-Identifier: Apache-2.0
// Sums, products, multiply-adds, comparisons: edge values crossed, random values near each other.
#include <cstring>

#include "tests/rtl/fp64/fp64_cases.h"

const std::vector<uint64_t> edges = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000002, 0x0000000000000003, 0x0008000000000000,
    0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001, 0x001fffffffffffff, 0x0020000000000000,
    0x0340000000000000, 0x1ff0000000000000, 0x3ca0000000000000, 0x3cb0000000000000, 0x3fdfffffffffffff,
    0x3fe0000000000000, 0x3fe0000000000001, 0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001,
    0x3ff8000000000000, 0x4000000000000000, 0x4330000000000000, 0x4340000000000000, 0x7fd0000000000000,
    0x7fdfffffffffffff, 0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001,
    0x7ff7ffffffffffff, 0x7ff8000000000000, 0x7ff8000000001234, 0x7fffffffffffffff};
// One instruction of 32 has no destination, and its results are not seen.
uint64_t random_vectors(const Options &options) {
  return options.full ? options.count + options.count / 16 : options.count;
}

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

namespace {

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

struct Arithmetic {
  heddle_isa_op op;
  unsigned rnd = 0, neg = 0, abs = 0;
  Operation operation() const {
    Operation o(op);
    o.set(ISA_F_RND, rnd);
    o.neg = neg;
    o.abs = abs;
    return o;
  }
};

} // namespace

void arithmetic(Bench &bench, Reference &ref, const Options &options) {
  Random r{options.seed};
  const auto check = [&](const Arithmetic &m, const Vector &v) {
    bench.check(m.operation(), v, Expected::pair(ref.arithmetic(m.op, m.rnd, m.neg, m.abs, v)));
  };
  for (heddle_isa_op op : {ISA_OP_DADD, ISA_OP_DMUL, ISA_OP_DFMA})
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
      for (uint64_t k = 0; k < random_vectors(options); k++) {
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
  for (uint64_t k = 0; k < 2 * random_vectors(options); k += 16) {
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
