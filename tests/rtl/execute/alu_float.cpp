// SPDX-License-Identifier: Apache-2.0
// Numbers in the ALU pipe: selection, comparison, minimum, the check before a division; in the host's arithmetic.
#include <cmath>
#include <cstring>

#include "tests/rtl/execute/alu_cases.h"

namespace {

float as_float(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

Vector random_floats(Random &r) {
  Vector v = random_vector(r);
  v.a = random_f32(r);
  v.b = r.one_in(3) ? v.a + r.below(3) - 1 : r.one_in(4) ? v.a ^ 0x80000000 : random_f32(r);
  return v;
}

uint32_t prepared(uint32_t bits, bool neg, bool abs, bool ftz) {
  if (abs) bits &= 0x7fffffff;
  if (neg) bits ^= 0x80000000;
  if (ftz && (bits & 0x7f800000) == 0) bits &= 0x80000000;
  return bits;
}

void check_fmnmx(Bench &bench, const Vector &v, unsigned neg, unsigned abs, bool ftz, bool keep_nan) {
  const uint32_t a = prepared(v.a, neg & 1, abs & 1, ftz), b = prepared(v.b, neg >> 1 & 1, abs >> 1 & 1, ftz);
  const float fa = as_float(a), fb = as_float(b);
  uint32_t d;
  if (keep_nan && (std::isnan(fa) || std::isnan(fb)))
    d = 0x7fffffff;
  else if (std::isnan(fa))
    d = std::isnan(fb) ? 0x7fffffff : b;
  else if (std::isnan(fb))
    d = a;
  else if (fa == fb)
    d = v.ps0 ? (a | b) : (a & b); // the sign of zeros; otherwise a and b are the same
  else
    d = (fa < fb) == v.ps0 ? a : b;
  Operation o(ISA_OP_FMNMX);
  o.set(ISA_F_FTZ, ftz).set(ISA_F_KEEPN, keep_nan);
  o.neg = neg;
  o.abs = abs;
  bench.check(o, v, Expected::value(d));
}

void check_fsetp(Bench &bench, const Vector &v, unsigned neg, unsigned abs, bool ftz, unsigned cmp, unsigned boolean) {
  const float a = as_float(prepared(v.a, neg & 1, abs & 1, ftz));
  const float b = as_float(prepared(v.b, neg >> 1 & 1, abs >> 1 & 1, ftz));
  const bool nan = std::isnan(a) || std::isnan(b);
  bool holds = false;
  switch (cmp) {
  case ISA_FCMP_LT:
    holds = a < b;
    break;
  case ISA_FCMP_EQ:
    holds = a == b;
    break;
  case ISA_FCMP_LE:
    holds = a <= b;
    break;
  case ISA_FCMP_GT:
    holds = a > b;
    break;
  case ISA_FCMP_NE:
    holds = !nan && a != b;
    break;
  case ISA_FCMP_GE:
    holds = a >= b;
    break;
  case ISA_FCMP_NUM:
    holds = !nan;
    break;
  case ISA_FCMP_NAN:
    holds = nan;
    break;
  case ISA_FCMP_LTU:
    holds = nan || a < b;
    break;
  case ISA_FCMP_EQU:
    holds = nan || a == b;
    break;
  case ISA_FCMP_LEU:
    holds = nan || a <= b;
    break;
  case ISA_FCMP_GTU:
    holds = nan || a > b;
    break;
  case ISA_FCMP_NEU:
    holds = nan || a != b;
    break;
  case ISA_FCMP_GEU:
    holds = nan || a >= b;
    break;
  case ISA_FCMP_T:
    holds = true;
    break;
  default:
    break;
  }
  const Expected verdict = compared(holds, boolean, v.ps0);
  for (heddle_isa_op op : {ISA_OP_FSETP, ISA_OP_FSET}) {
    Operation o(op);
    o.set(ISA_F_FCMP, cmp).set(ISA_F_FTZ, ftz).set(ISA_F_BOOL, boolean);
    o.neg = neg;
    o.abs = abs;
    if (op == ISA_OP_FSET) o.set(ISA_F_BF, boolean == ISA_BOOL_OR);
    bench.check(o, v,
                op == ISA_OP_FSETP ? verdict
                                   : Expected::value(!verdict.pd0             ? 0
                                                     : boolean == ISA_BOOL_OR ? 0x3f800000
                                                                              : 0xffffffff));
  }
}

} // namespace

void fsel(Bench &bench, Random &m, Random &r, const Vector &) {
  const unsigned neg = m.below(4), abs = m.below(4);
  const bool ftz = m.one_in(2);
  Vector v = random_floats(r);
  if (r.one_in(4)) v.a &= 0x807fffff; // subnormal
  Operation o(ISA_OP_FSEL);
  o.set(ISA_F_FTZ, ftz);
  o.neg = neg;
  o.abs = abs;
  const uint32_t d = v.ps0 ? prepared(v.a, neg & 1, abs & 1, ftz) : prepared(v.b, neg >> 1 & 1, abs >> 1 & 1, ftz);
  bench.check(o, v, Expected::value(d));
}

void fchk(Bench &bench, Random &m, Random &r, const Vector &) {
  Vector v = random_floats(r);
  if (r.one_in(2)) v.a = (v.a & 0x807fffff) | (r.one_in(2) ? 20 + r.below(10) : 250 + r.below(6)) << 23;
  if (r.one_in(2)) v.b = (v.b & 0x807fffff) | (r.one_in(2) ? r.below(5) : 250 + r.below(6)) << 23;
  if (r.one_in(3))
    v.b = (v.b & 0x807fffff) | ((v.a >> 23) + (r.one_in(2) ? 98 + r.below(5) : 128 + r.below(5)) & 0xff) << 23;
  const int ea = v.a >> 23 & 0xff, eb = v.b >> 23 & 0xff;
  Operation o(ISA_OP_FCHK_DIVIDE);
  o.neg = m.below(4);
  o.abs = m.below(4);
  Expected e;
  e.has_pd0 = true;
  e.pd0 = !(ea > 24 && ea < 255 && eb >= 2 && eb <= 252 && ea - eb >= -100 && ea - eb <= 125);
  bench.check(o, v, e);
}

void float_edges(Bench &bench) {
  for (uint32_t a : edges_f32)
    for (uint32_t b : edges_f32)
      for (unsigned mode = 0; mode < 4; mode++) {
        Vector v{a, b};
        v.ps0 = mode & 1;
        for (bool keep_nan : {false, true}) check_fmnmx(bench, v, 0, 0, mode & 2, keep_nan);
        for (unsigned cmp = 0; cmp < 16; cmp++) check_fsetp(bench, v, 0, 0, mode & 2, cmp, ISA_BOOL_AND);
      }
}

void fmnmx(Bench &bench, Random &m, Random &r, const Vector &) {
  const unsigned neg = m.below(4), abs = m.below(4);
  const bool ftz = m.one_in(2), keep_nan = m.one_in(2);
  check_fmnmx(bench, random_floats(r), neg, abs, ftz, keep_nan);
}

void fsetp(Bench &bench, Random &m, Random &r, const Vector &) {
  const unsigned neg = m.below(4), abs = m.below(4), cmp = m.below(16), boolean = m.below(3);
  check_fsetp(bench, random_floats(r), neg, abs, m.one_in(2), cmp, boolean);
}
