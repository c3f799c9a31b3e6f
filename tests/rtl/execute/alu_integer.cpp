// SPDX-License-Identifier: Apache-2.0
// Integers, logic, moves and predicates of the ALU pipe, in plain 64-bit arithmetic.
#include "tests/rtl/execute/alu_cases.h"

typedef unsigned __int128 u128;

static uint64_t pair(uint32_t hi, uint32_t lo) {
  return static_cast<uint64_t>(hi) << 32 | lo;
}

Vector random_vector(Random &r) {
  Vector v{random_i32(r), random_i32(r), random_i32(r), 0};
  v.ps0 = r.one_in(2);
  v.ps1 = r.one_in(2);
  v.ps2 = r.one_in(2);
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

static Vector near_integers(Random &r, const Vector &random) {
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
static unsigned byte_of(unsigned mode, uint32_t b, unsigned i) {
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

static uint32_t span(uint32_t by, bool wrap) {
  return wrap ? by % 32 : std::min(by, 32u);
}

void sgxt(Bench &bench, Random &m, Random &r, const Vector &random) {
  Vector v = random;
  v.c = 0; // as the bus has an operand that an instruction has not
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
  v.c = 0;
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
  Vector v = few_bits(r, random);
  const bool inv = m.one_in(2), reverse = m.one_in(2);
  if (reverse) v.c = 0; // as for SGXT
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
  if (!read) v.c = 0; // as for SGXT
  bench.check(Operation(read ? ISA_OP_P2R : ISA_OP_R2P), v, Expected::value(read ? word : pair));
}
