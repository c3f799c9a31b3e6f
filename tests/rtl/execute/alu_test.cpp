// SPDX-License-Identifier: Apache-2.0
// ALU pipe against formulas in plain 64-bit and host floating-point arithmetic, one function an operation.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include "bench.h"

namespace {

typedef unsigned __int128 u128;

float as_float(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

uint64_t pair(uint32_t hi, uint32_t lo) {
  return static_cast<uint64_t>(hi) << 32 | lo;
}

Vector random_vector(Random &r) {
  Vector v{random_i32(r), random_i32(r), random_i32(r), 0};
  v.ps0 = r.one_in(2);
  v.ps1 = r.one_in(2);
  v.ps2 = r.one_in(2);
  return v;
}

Vector random_floats(Random &r) {
  Vector v = random_vector(r);
  v.a = random_f32(r);
  v.b = r.one_in(3) ? v.a + r.below(3) - 1 : r.one_in(4) ? v.a ^ 0x80000000 : random_f32(r);
  return v;
}

void mov(Bench &bench, Random &m, Random &, const Vector &v) {
  bench.check(Operation(m.one_in(2) ? ISA_OP_MOV : ISA_OP_S2R), v, Expected::value(v.b));
}

void sel(Bench &bench, Random &, Random &, const Vector &v) {
  bench.check(Operation(ISA_OP_SEL), v, Expected::value(v.ps0 ? v.a : v.b));
}

void iadd3(Bench &bench, Random &m, Random &, const Vector &v) {
  const unsigned neg = m.below(8);
  const bool ext = m.one_in(2);
  const uint32_t in[3] = {v.a, v.b, v.c};
  uint64_t t = ext ? static_cast<uint64_t>(v.ps0) + v.ps1 : 0;
  for (unsigned i = 0; i < 3; i++) {
    uint64_t x = in[i];
    if (neg >> i & 1) x = ext ? static_cast<uint32_t>(~x) : (uint64_t{1} << 32) - x;
    t += x;
  }
  Operation o(ext ? ISA_OP_IADD3_X : ISA_OP_IADD3);
  o.neg = neg;
  Expected e = Expected::value(static_cast<uint32_t>(t));
  e.has_pd0 = e.has_pd1 = true;
  e.pd0 = t >= uint64_t{1} << 32;
  e.pd1 = t >= uint64_t{2} << 32;
  bench.check(o, v, e);
}

void lop3(Bench &bench, Random &m, Random &, const Vector &v) {
  const unsigned lut = m.below(256);
  uint32_t d = 0;
  for (unsigned k = 0; k < 8; k++)
    if (lut >> k & 1) d |= (k & 4 ? v.a : ~v.a) & (k & 2 ? v.b : ~v.b) & (k & 1 ? v.c : ~v.c);
  Expected e = Expected::value(d);
  e.has_pd0 = true;
  e.pd0 = d != 0;
  bench.check(Operation(ISA_OP_LOP3_LUT).set(ISA_F_LUT, lut), v, e);
}

void shf(Bench &bench, Random &m, Random &r, const Vector &random) {
  Vector v = random;
  if (r.one_in(2)) v.b = r.below(70);
  const unsigned type = m.below(4);
  const bool right = m.one_in(2), wrap = m.one_in(2), hi = m.one_in(2);
  const bool is64 = type == ISA_SHTYPE_S64 || type == ISA_SHTYPE_U64;
  const bool sign = type == ISA_SHTYPE_S64 || type == ISA_SHTYPE_S32;
  const uint32_t range = is64 ? 64 : 32;
  const uint32_t s = wrap ? v.b % range : v.b > range ? range : v.b;
  const uint64_t value = pair(v.c, v.a);
  uint64_t w;
  if (!right)
    w = static_cast<uint64_t>(static_cast<u128>(value) << s);
  else if (sign)
    w = static_cast<uint64_t>(static_cast<__int128>(static_cast<int64_t>(value)) >> s);
  else
    w = static_cast<uint64_t>(static_cast<u128>(value) >> s);
  Operation o(ISA_OP_SHF);
  o.set(ISA_F_SHDIR, right ? ISA_SHDIR_R : ISA_SHDIR_L)
      .set(ISA_F_WRAP, wrap)
      .set(ISA_F_SHTYPE, type)
      .set(ISA_F_SHHI, hi);
  bench.check(o, v, Expected::value(static_cast<uint32_t>(hi ? w >> 32 : w)));
}

void lea(Bench &bench, Random &m, Random &, const Vector &v) {
  const unsigned kind = m.below(3), shift = m.below(32);
  const bool sx = kind != 0 && m.one_in(2);
  Operation o(kind == 0 ? ISA_OP_LEA : kind == 1 ? ISA_OP_LEA_HI : ISA_OP_LEA_HI_X);
  o.set(ISA_F_SH5, shift);
  if (kind != 0) o.set(ISA_F_SX32, sx);
  const uint32_t high = sx ? (v.a >> 31 ? 0xffffffff : 0) : v.c;
  const uint32_t part = kind == 0 ? v.a << shift : static_cast<uint32_t>((pair(high, v.a) << shift) >> 32);
  const uint64_t t = static_cast<uint64_t>(part) + v.b + (kind == 2 ? v.ps0 : 0);
  Expected e = Expected::value(static_cast<uint32_t>(t));
  e.has_pd0 = true;
  e.pd0 = t >> 32 != 0;
  bench.check(o, v, e);
}

Vector near_integers(Random &r, const Vector &random) {
  Vector v = random;
  if (r.one_in(3)) v.b = v.a + r.below(3) - 1;
  if (r.one_in(8)) v.b = v.a ^ 0x80000000;
  return v;
}

void imnmx(Bench &bench, Random &m, Random &r, const Vector &random) {
  const Vector v = near_integers(r, random);
  const bool uns = m.one_in(2);
  const int64_t a = uns ? v.a : static_cast<int64_t>(static_cast<int32_t>(v.a));
  const int64_t b = uns ? v.b : static_cast<int64_t>(static_cast<int32_t>(v.b));
  const int64_t d = v.ps0 ? (a < b ? a : b) : (a > b ? a : b);
  bench.check(Operation(ISA_OP_IMNMX).set(ISA_F_SIGN, uns), v, Expected::value(static_cast<uint32_t>(d)));
}

Expected compared(bool holds, unsigned boolean, bool ps0) {
  const auto combine = [&](bool x) {
    return boolean == ISA_BOOL_AND ? x && ps0 : boolean == ISA_BOOL_OR ? x || ps0 : x != ps0;
  };
  Expected e;
  e.has_pd0 = e.has_pd1 = true;
  e.pd0 = combine(holds);
  e.pd1 = combine(!holds);
  return e;
}

void isetp(Bench &bench, Random &m, Random &r, const Vector &random) {
  const Vector v = near_integers(r, random);
  const unsigned cmp = m.below(8), boolean = m.below(3);
  const bool uns = m.one_in(2);
  const int64_t a = uns ? v.a : static_cast<int64_t>(static_cast<int32_t>(v.a));
  const int64_t b = uns ? v.b : static_cast<int64_t>(static_cast<int32_t>(v.b));
  bool holds = false;
  switch (cmp) {
  case ISA_ICMP_LT:
    holds = a < b;
    break;
  case ISA_ICMP_EQ:
    holds = a == b;
    break;
  case ISA_ICMP_LE:
    holds = a <= b;
    break;
  case ISA_ICMP_GT:
    holds = a > b;
    break;
  case ISA_ICMP_NE:
    holds = a != b;
    break;
  case ISA_ICMP_GE:
    holds = a >= b;
    break;
  case ISA_ICMP_T:
    holds = true;
    break;
  default:
    break;
  }
  bench.check(Operation(ISA_OP_ISETP).set(ISA_F_ICMP, cmp).set(ISA_F_SIGN, uns).set(ISA_F_BOOL, boolean), v,
              compared(holds, boolean, v.ps0));
}

uint32_t prepared(uint32_t bits, bool neg, bool abs, bool ftz) {
  if (abs) bits &= 0x7fffffff;
  if (neg) bits ^= 0x80000000;
  if (ftz && (bits & 0x7f800000) == 0) bits &= 0x80000000;
  return bits;
}

void isetp_ex(Bench &bench, Random &m, Random &r, const Vector &random) {
  const Vector v = near_integers(r, random);
  const unsigned cmp = m.below(8), boolean = m.below(3);
  const bool uns = m.one_in(2);
  const int64_t a = uns ? v.a : static_cast<int64_t>(static_cast<int32_t>(v.a));
  const int64_t b = uns ? v.b : static_cast<int64_t>(static_cast<int32_t>(v.b));
  bool holds = v.ps2;
  if (cmp == ISA_ICMP_F || cmp == ISA_ICMP_T)
    holds = cmp == ISA_ICMP_T;
  else if (a != b)
    holds = cmp == ISA_ICMP_NE || (a < b && (cmp == ISA_ICMP_LT || cmp == ISA_ICMP_LE)) ||
            (a > b && (cmp == ISA_ICMP_GT || cmp == ISA_ICMP_GE));
  bench.check(Operation(ISA_OP_ISETP_EX).set(ISA_F_ICMP, cmp).set(ISA_F_SIGN, uns).set(ISA_F_BOOL, boolean), v,
              compared(holds, boolean, v.ps0));
}

void iabs(Bench &bench, Random &, Random &, const Vector &random) {
  Vector v = random;
  v.a = 0; // it has no operand a
  const int64_t b = static_cast<int32_t>(v.b);
  bench.check(Operation(ISA_OP_IABS), v, Expected::value(static_cast<uint32_t>(b < 0 ? -b : b)));
}

void vabsdiff(Bench &bench, Random &m, Random &r, const Vector &random) {
  const Vector v = near_integers(r, random);
  const bool uns = m.one_in(2);
  const int64_t a = uns ? v.a : static_cast<int64_t>(static_cast<int32_t>(v.a));
  const int64_t b = uns ? v.b : static_cast<int64_t>(static_cast<int32_t>(v.b));
  bench.check(Operation(ISA_OP_VABSDIFF).set(ISA_F_SIGN, uns), v,
              Expected::value(static_cast<uint32_t>((a < b ? b - a : a - b) + v.c)));
}

// Which byte of {c, a} comes to byte i of the result.
unsigned byte_of(unsigned mode, uint32_t b, unsigned i) {
  const unsigned n = b & 3;
  switch (mode) {
  case ISA_PRMT_F4E:
    return n + i;
  case ISA_PRMT_B4E:
    return (n + 8 - i) % 8;
  case ISA_PRMT_RC8:
    return n;
  case ISA_PRMT_ECL:
    return std::max(n, i);
  case ISA_PRMT_ECR:
    return std::min(n, i);
  case ISA_PRMT_RC16:
    return 2 * (b & 1) + i % 2;
  default:
    return b >> 4 * i & 7;
  }
}

void prmt(Bench &bench, Random &m, Random &, const Vector &v) {
  const unsigned mode = m.below(7);
  const uint64_t bytes = pair(v.c, v.a);
  uint32_t d = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t x = bytes >> 8 * byte_of(mode, v.b, i) & 0xff;
    if (mode == ISA_PRMT_IDX && (v.b >> 4 * i & 8) != 0) x = x >= 0x80 ? 0xff : 0;
    d |= x << 8 * i;
  }
  bench.check(Operation(ISA_OP_PRMT).set(ISA_F_PRMT, mode), v, Expected::value(d));
}

uint32_t span(uint32_t by, bool wrap) {
  return wrap ? by % 32 : std::min(by, 32u);
}

void sgxt(Bench &bench, Random &m, Random &r, const Vector &random) {
  Vector v = random;
  if (r.one_in(2)) v.b = r.below(40);
  const bool wrap = m.one_in(2), uns = m.one_in(2);
  const uint32_t n = span(v.b, wrap);
  uint64_t d = n == 0 ? 0 : static_cast<uint64_t>(v.a) << (64 - n);
  d = n == 0 ? 0 : uns ? d >> (64 - n) : static_cast<uint64_t>(static_cast<int64_t>(d) >> (64 - n));
  bench.check(Operation(ISA_OP_SGXT).set(ISA_F_WRAP, wrap).set(ISA_F_SIGN, uns), v,
              Expected::value(static_cast<uint32_t>(d)));
}

void bmsk(Bench &bench, Random &m, Random &r, const Vector &random) {
  Vector v = random;
  if (r.one_in(2)) v.a = r.below(40);
  if (r.one_in(2)) v.b = r.below(40);
  const bool wrap = m.one_in(2);
  const uint64_t d = ((uint64_t{1} << span(v.b, wrap)) - 1) << span(v.a, wrap);
  bench.check(Operation(ISA_OP_BMSK).set(ISA_F_WRAP, wrap), v, Expected::value(static_cast<uint32_t>(d)));
}

Vector few_bits(Random &r, const Vector &random) {
  Vector v = random;
  if (r.one_in(2)) v.b = (r.one_in(2) ? 0 : ~0u) ^ (r.u32() >> r.below(32));
  return v;
}

void popc_brev(Bench &bench, Random &m, Random &r, const Vector &random) {
  const Vector v = few_bits(r, random);
  const bool inv = m.one_in(2), reverse = m.one_in(2);
  uint32_t ones = 0, turned = 0;
  for (unsigned i = 0; i < 32; i++)
    if ((v.b >> i & 1) != inv) {
      ones++;
      turned |= 0x80000000u >> i;
    }
  Operation o(reverse ? ISA_OP_BREV : ISA_OP_POPC);
  o.neg = inv ? 2 : 0;
  bench.check(o, v, Expected::value(reverse ? turned : ones));
}

void flo(Bench &bench, Random &m, Random &r, const Vector &random) {
  const Vector v = few_bits(r, random);
  const bool inv = m.one_in(2), uns = m.one_in(2), from_top = m.one_in(2);
  const uint32_t b = inv ? ~v.b : v.b;
  const bool ignored = !uns && b >> 31; // copies of the sign
  int32_t d = 31;
  while (d >= 0 && (b >> d & 1) == ignored) d--;
  if (d >= 0 && from_top) d = 31 - d;
  Operation o(ISA_OP_FLO);
  o.set(ISA_F_SIGN, uns).set(ISA_F_SH, from_top);
  o.neg = inv ? 2 : 0;
  bench.check(o, v, Expected::value(static_cast<uint32_t>(d)));
}

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

void plop3(Bench &bench, Random &m, Random &, const Vector &v) {
  const unsigned lut0 = m.below(256), lut1 = m.below(256);
  const unsigned index = (v.ps0 ? 4u : 0u) + (v.ps1 ? 2u : 0u) + (v.ps2 ? 1u : 0u);
  Expected e;
  e.has_pd0 = e.has_pd1 = true;
  e.pd0 = lut0 >> index & 1;
  e.pd1 = lut1 >> index & 1;
  bench.check(Operation(ISA_OP_PLOP3_LUT).set(ISA_F_PLUT0, lut0).set(ISA_F_PLUT1, lut1), v, e);
}

// P2R has the predicates as operand c; R2P leaves values and, a byte above, which of them count.
void p2r_r2p(Bench &bench, Random &m, Random &, const Vector &random) {
  Vector v = random;
  v.c &= 0x7f;
  uint32_t word = 0, pair = 0;
  for (unsigned i = 0; i < 32; i++) {
    const bool taken = v.b >> i & 1, predicate = i < 7 && (v.c >> i & 1);
    word |= static_cast<uint32_t>(taken ? predicate : v.a >> i & 1) << i;
    if (i < 7) pair |= (v.a >> i & 1) << i | (v.b >> i & 1) << (8 + i);
  }
  const bool read = m.one_in(2);
  bench.check(Operation(read ? ISA_OP_P2R : ISA_OP_R2P), v, Expected::value(read ? word : pair));
}

void fmnmx(Bench &bench, const Vector &v, unsigned neg, unsigned abs, bool ftz, bool keep_nan) {
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

void fsetp(Bench &bench, const Vector &v, unsigned neg, unsigned abs, bool ftz, unsigned cmp, unsigned boolean) {
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
  for (isa_op op : {ISA_OP_FSETP, ISA_OP_FSET}) {
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

void float_edges(Bench &bench) {
  for (uint32_t a : edges_f32)
    for (uint32_t b : edges_f32)
      for (unsigned mode = 0; mode < 4; mode++) {
        Vector v{a, b};
        v.ps0 = mode & 1;
        for (bool keep_nan : {false, true}) fmnmx(bench, v, 0, 0, mode & 2, keep_nan);
        for (unsigned cmp = 0; cmp < 16; cmp++) fsetp(bench, v, 0, 0, mode & 2, cmp, ISA_BOOL_AND);
      }
}

void random_fmnmx(Bench &bench, Random &m, Random &r, const Vector &) {
  const unsigned neg = m.below(4), abs = m.below(4);
  const bool ftz = m.one_in(2), keep_nan = m.one_in(2);
  fmnmx(bench, random_floats(r), neg, abs, ftz, keep_nan);
}

void random_fsetp(Bench &bench, Random &m, Random &r, const Vector &) {
  const unsigned neg = m.below(4), abs = m.below(4), cmp = m.below(16), boolean = m.below(3);
  fsetp(bench, random_floats(r), neg, abs, m.one_in(2), cmp, boolean);
}

uint64_t silicon(Bench &bench, const std::string &dir) {
  const uint64_t before = bench.vectors();
  for (bool ftz : {false, true})
    for (bool minimum : {true, false}) {
      const std::string name = minimum ? "min." : "max.";
      std::vector<Measured> data = read_measured(dir, name + (ftz ? "ftz.f32" : "f32"), "ff");
      if (!ftz)
        for (const Measured &d : read_nans(dir, name + "f32")) data.push_back(d);
      for (Measured &d : data) {
        d.in.ps0 = minimum;
        bench.check(Operation(ISA_OP_FMNMX).set(ISA_F_FTZ, ftz), d.in, Expected::value(d.result));
      }
    }
  for (unsigned uns = 0; uns < 2; uns++)
    for (bool minimum : {true, false})
      for (Measured d : read_measured(dir, std::string(minimum ? "min." : "max.") + (uns ? "u32" : "s32"), "ii")) {
        d.in.ps0 = minimum;
        bench.check(Operation(ISA_OP_IMNMX).set(ISA_F_SIGN, uns), d.in, Expected::value(d.result));
      }
  for (unsigned lut : {0x80u, 0xfeu, 0x96u, 0xe8u, 0xcau, 0x1bu}) {
    char name[32];
    std::snprintf(name, sizeof name, "lop3.b32.0x%02x", lut);
    for (const Measured &d : read_measured(dir, name, "iii"))
      bench.check(Operation(ISA_OP_LOP3_LUT).set(ISA_F_LUT, lut), d.in, Expected::value(d.result));
  }
  for (bool right : {false, true})
    for (bool wrap : {false, true})
      for (Measured d :
           read_measured(dir, std::string("shf.") + (right ? "r." : "l.") + (wrap ? "wrap.b32" : "clamp.b32"), "iii")) {
        std::swap(d.in.b, d.in.c); // PTX: low, high, amount
        Operation o(ISA_OP_SHF);
        o.set(ISA_F_SHDIR, right).set(ISA_F_WRAP, wrap).set(ISA_F_SHTYPE, ISA_SHTYPE_U32).set(ISA_F_SHHI, !right);
        bench.check(o, d.in, Expected::value(d.result));
      }
  for (const Measured &d : read_measured(dir, "sub.s32", "ii")) {
    Operation o(ISA_OP_IADD3);
    o.neg = 2;
    bench.check(o, Vector{d.in.a, d.in.b}, Expected::value(d.result));
  }
  return bench.vectors() - before;
}

} // namespace

int main(int argc, char **argv) {
  const Options options(argc, argv);
  Bench bench(options);
  Random r{options.seed};
  float_edges(bench);
  // The modifiers stay the same for a few vectors, so that the lanes of a beat fill.
  const auto tests = {mov,          sel,  iadd3,    lop3, shf,  lea,  imnmx,     isetp, isetp_ex, plop3, random_fmnmx,
                      random_fsetp, iabs, vabsdiff, prmt, sgxt, bmsk, popc_brev, flo,   fsel,     fchk,  p2r_r2p};
  for (const auto test : tests) {
    for (uint32_t a : edges_i32)
      for (uint32_t b : edges_i32)
        for (unsigned k = 0; k < 8; k++) {
          Vector v = random_vector(r);
          v.a = a;
          v.b = b;
          test(bench, r, r, v);
        }
    for (uint64_t k = 0; k < options.count; k++) {
      Random modes{options.seed + k / 16};
      test(bench, modes, r, random_vector(r));
    }
  }
  if (!options.silicon.empty()) {
    const uint64_t n = silicon(bench, options.silicon);
    std::printf("alu: %llu vectors measured on silicon\n", static_cast<unsigned long long>(n));
    if (n == 0) return 1;
  }
  return bench.finish("alu");
}
