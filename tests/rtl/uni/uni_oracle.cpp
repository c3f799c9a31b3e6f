// SPDX-License-Identifier: Apache-2.0
#include "uni_oracle.h"

#include <algorithm>

namespace {

uint64_t field(const heddle_isa_dec &d, heddle_isa_field f) {
  return heddle_isa_get(d.word, f);
}
bool is_unsigned(const heddle_isa_dec &d) {
  return field(d, ISA_F_SIGN) == ISA_SIGN_U32;
}

// The number that stands for a negated operand, 2^32 - x without wrapping; under .X the complement.
uint64_t term(uint32_t x, bool neg, bool extended) {
  if (!neg) return x;
  return extended ? uint32_t(~x) : (UINT64_C(1) << 32) - x;
}

Result sum(const heddle_isa_dec &d, const Operands &o, bool extended) {
  uint64_t t = term(o.a, d.src[0].neg, extended) + term(o.b, d.src[1].neg, extended) +
               term(uint32_t(o.c), d.src[2].neg, extended);
  if (extended) t += uint64_t(o.ps[0]) + uint64_t(o.ps[1]);
  return {uint32_t(t), {t >> 32 >= 1, t >> 33 >= 1}};
}

uint64_t product(const heddle_isa_dec &d, const Operands &o) {
  if (is_unsigned(d)) return uint64_t(o.a) * o.b;
  return uint64_t(int64_t(int32_t(o.a)) * int32_t(o.b));
}

Result logic(const heddle_isa_dec &d, const Operands &o) {
  const unsigned lut = unsigned(field(d, ISA_F_LUT));
  uint32_t r = 0;
  for (unsigned i = 0; i < 32; i++) {
    const unsigned index = (o.a >> i & 1) << 2 | (o.b >> i & 1) << 1 | (uint32_t(o.c) >> i & 1);
    r |= (lut >> index & 1) << i;
  }
  return {r, {r != 0, false}};
}

Result shift(const heddle_isa_dec &d, const Operands &o) {
  const uint64_t type = field(d, ISA_F_SHTYPE), v = o.c << 32 | o.a;
  const bool wide = type == ISA_SHTYPE_S64 || type == ISA_SHTYPE_U64;
  const bool arithmetic = type == ISA_SHTYPE_S64 || type == ISA_SHTYPE_S32;
  const unsigned most = wide ? 64 : 32;
  const unsigned s = field(d, ISA_F_WRAP) == ISA_WRAP_W ? o.b % most : std::min<uint32_t>(o.b, most);
  uint64_t w;
  if (field(d, ISA_F_SHDIR) == ISA_SHDIR_L)
    w = s == 64 ? 0 : v << s;
  else if (s == 64)
    w = arithmetic && v >> 63 ? ~UINT64_C(0) : 0;
  else
    w = arithmetic ? uint64_t(int64_t(v) >> s) : v >> s;
  return {uint32_t(field(d, ISA_F_SHHI) == ISA_HI_HI ? w >> 32 : w)};
}

Result address(const heddle_isa_dec &d, const Operands &o) {
  const unsigned s = unsigned(field(d, ISA_F_SH5));
  uint64_t c = o.c & 0xffffffffu;
  uint32_t first = o.a << s;
  if (d.op != ISA_OP_ULEA) {
    if (field(d, ISA_F_SX32) == ISA_SX32_SX32) c = o.a >> 31 ? 0xffffffffu : 0;
    first = uint32_t((c << 32 | o.a) << s >> 32);
  }
  const uint64_t t = uint64_t(first) + o.b + (d.op == ISA_OP_ULEA_HI_X && o.ps[0] ? 1 : 0);
  return {uint32_t(t), {t >> 32 != 0, false}};
}

bool relation(uint64_t cmp, bool below, bool equal) {
  switch (cmp) {
  case ISA_ICMP_LT:
    return below;
  case ISA_ICMP_EQ:
    return equal;
  case ISA_ICMP_LE:
    return below || equal;
  case ISA_ICMP_GT:
    return !below && !equal;
  case ISA_ICMP_NE:
    return !equal;
  case ISA_ICMP_GE:
    return !below;
  default:
    return cmp == ISA_ICMP_T;
  }
}

bool joined(uint64_t how, bool x, bool y) {
  return how == ISA_BOOL_AND ? x && y : how == ISA_BOOL_OR ? x || y : x != y;
}

bool below(const heddle_isa_dec &d, uint32_t a, uint32_t b) {
  return is_unsigned(d) ? a < b : int32_t(a) < int32_t(b);
}

Result compare(const heddle_isa_dec &d, const Operands &o) {
  const uint64_t cmp = field(d, ISA_F_ICMP), how = field(d, ISA_F_BOOL);
  bool r = relation(cmp, below(d, o.a, o.b), o.a == o.b);
  if (d.op == ISA_OP_UISETP_EX && o.a == o.b && cmp != ISA_ICMP_F && cmp != ISA_ICMP_T) r = o.ps[2];
  return {0, {joined(how, r, o.ps[0]), joined(how, !r, o.ps[0])}};
}

uint32_t permuted(const heddle_isa_dec &d, const Operands &o) {
  const uint64_t mode = field(d, ISA_F_PRMT), v = o.c << 32 | o.a;
  const unsigned n = o.b & 3;
  uint32_t r = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned take = 0;
    bool sign = false;
    switch (mode) {
    case ISA_PRMT_F4E:
      take = n + i;
      break;
    case ISA_PRMT_B4E:
      take = (n + 8 - i) % 8;
      break;
    case ISA_PRMT_RC8:
      take = n;
      break;
    case ISA_PRMT_ECL:
      take = std::max(n, i);
      break;
    case ISA_PRMT_ECR:
      take = std::min(n, i);
      break;
    case ISA_PRMT_RC16:
      take = 2 * (o.b & 1) + i % 2;
      break;
    default:
      take = o.b >> 4 * i & 7;
      sign = (o.b >> (4 * i + 3) & 1) != 0;
    }
    const uint32_t byte = uint32_t(v >> 8 * take) & 0xff;
    r |= (sign ? (byte >> 7 ? 0xffu : 0u) : byte) << 8 * i;
  }
  return r;
}

unsigned span(const heddle_isa_dec &d, uint32_t x) {
  return field(d, ISA_F_WRAP) == ISA_WRAP_W ? x & 31 : std::min<uint32_t>(x, 32);
}
uint64_t ones(unsigned n) {
  return (UINT64_C(1) << n) - 1;
}

uint32_t extended(const heddle_isa_dec &d, const Operands &o) {
  const unsigned n = span(d, o.b);
  if (n == 0) return 0;
  const uint32_t low = uint32_t(o.a & ones(n));
  return !is_unsigned(d) && (o.a >> (n - 1) & 1) ? low | uint32_t(~ones(n)) : low;
}

uint32_t leading(const heddle_isa_dec &d, uint32_t b) {
  if (!is_unsigned(d) && b >> 31) b = ~b;
  if (b == 0) return ~0u;
  const unsigned at = 31 - unsigned(__builtin_clz(b));
  return field(d, ISA_F_SH) == ISA_SH_SH ? 31 - at : at;
}

uint32_t reversed(uint32_t b) {
  uint32_t r = 0;
  for (unsigned i = 0; i < 32; i++) r |= (b >> i & 1) << (31 - i);
  return r;
}

Result table(const heddle_isa_dec &d, const Operands &o) {
  const unsigned index = unsigned(o.ps[0]) << 2 | unsigned(o.ps[1]) << 1 | unsigned(o.ps[2]);
  return {0, {(field(d, ISA_F_PLUT0) >> index & 1) != 0, (field(d, ISA_F_PLUT1) >> index & 1) != 0}};
}

} // namespace

Result uniform_result(const heddle_isa_dec &d, const Operands &o) {
  const uint32_t b = d.src[1].neg ? ~o.b : o.b; // of POPC, FLO, BREV
  switch (d.op) {
  case ISA_OP_UMOV:
  case ISA_OP_S2UR:
    return {o.b};
  case ISA_OP_USEL:
    return {o.ps[0] ? o.a : o.b};
  case ISA_OP_UIADD3:
    return sum(d, o, false);
  case ISA_OP_UIADD3_X:
    return sum(d, o, true);
  case ISA_OP_UIMAD:
    return {uint32_t(product(d, o) + (d.src[2].neg ? -o.c : o.c))};
  case ISA_OP_UIMAD_WIDE:
    return {product(d, o) + o.c};
  case ISA_OP_UIMAD_HI:
    return {(product(d, o) + o.c) >> 32};
  case ISA_OP_ULOP3_LUT:
    return logic(d, o);
  case ISA_OP_USHF:
    return shift(d, o);
  case ISA_OP_ULEA:
  case ISA_OP_ULEA_HI:
  case ISA_OP_ULEA_HI_X:
    return address(d, o);
  case ISA_OP_UIMNMX:
    return {below(d, o.a, o.b) == o.ps[0] ? o.a : o.b};
  case ISA_OP_UIABS:
    return {o.b >> 31 ? 0u - o.b : o.b};
  case ISA_OP_UPRMT:
    return {permuted(d, o)};
  case ISA_OP_USGXT:
    return {extended(d, o)};
  case ISA_OP_UBMSK:
    return {uint32_t(ones(span(d, o.b)) << span(d, o.a))};
  case ISA_OP_UPOPC:
    return {unsigned(__builtin_popcount(b))};
  case ISA_OP_UFLO:
    return {leading(d, b)};
  case ISA_OP_UBREV:
    return {reversed(b)};
  case ISA_OP_UISETP:
  case ISA_OP_UISETP_EX:
    return compare(d, o);
  case ISA_OP_UPLOP3_LUT:
    return table(d, o);
  case ISA_OP_UP2UR:
    return {(o.a & ~o.b) | (o.up & o.b & 0x7f)};
  default: { // UR2UP
    Result r;
    r.named = o.b & 0x7f;
    r.value = o.a & r.named;
    return r;
  }
  }
}
