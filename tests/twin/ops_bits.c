/* SPDX-License-Identifier: Apache-2.0
 * The twin's bits, one at a time where that says best what happens. */
#include "tests/twin/ops.h"

static uint32_t amount(uint32_t n, uint64_t m) {
  return m & M_wrap ? n & 31 : n < 32 ? n : 32;
}
/* a the low word, b the high one */
uint32_t shf_l(uint32_t a, uint32_t b, uint32_t n, uint64_t m) {
  uint64_t v = (uint64_t)b << 32 | a;
  return (uint32_t)(v << amount(n, m) >> 32);
}
uint32_t shf_r(uint32_t a, uint32_t b, uint32_t n, uint64_t m) {
  uint64_t v = (uint64_t)b << 32 | a;
  return (uint32_t)(v >> amount(n, m));
}

uint32_t popc_b64(uint64_t a) {
  uint32_t n = 0;
  for (; a; a &= a - 1) n++;
  return n;
}
uint32_t popc_b32(uint32_t a) {
  return popc_b64(a);
}
uint32_t clz_b64(uint64_t a) {
  uint32_t n = 0;
  while (n < 64 && !(a >> (63 - n) & 1)) n++;
  return n;
}
uint32_t clz_b32(uint32_t a) {
  return a ? clz_b64(a) - 32 : 32;
}

static uint32_t highest(uint64_t a, uint32_t bits, uint64_t m) {
  if (a == 0) return UINT32_MAX;
  uint32_t at = 63 - clz_b64(a);
  return m & M_shiftamt ? bits - 1 - at : at;
}
uint32_t bfind_u32(uint32_t a, uint64_t m) {
  return highest(a, 32, m);
}
uint32_t bfind_s32(uint32_t a, uint64_t m) {
  return highest((int32_t)a < 0 ? ~a : a, 32, m);
}
uint32_t bfind_u64(uint64_t a, uint64_t m) {
  return highest(a, 64, m);
}
uint32_t bfind_s64(uint64_t a, uint64_t m) {
  return highest((int64_t)a < 0 ? ~a : a, 64, m);
}

uint64_t brev_b64(uint64_t a) {
  uint64_t d = 0;
  for (unsigned k = 0; k < 64; k++) d |= (a >> k & 1) << (63 - k);
  return d;
}
uint32_t brev_b32(uint32_t a) {
  return (uint32_t)(brev_b64(a) >> 32);
}

/* Of a position and a length eight bits count; in the 64-bit forms silicon takes all (tests/silicon/ops). */
static uint32_t counted(uint32_t n, unsigned bits) {
  if (bits == 32) n &= 0xff;
  return n < bits ? n : bits;
}

/* Beyond the top: zeros, or the sign. */
static uint64_t extract(uint64_t a, uint32_t pos, uint32_t len, unsigned bits, bool is_signed) {
  uint64_t d = 0;
  pos = counted(pos, bits);
  len = counted(len, bits);
  unsigned last = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
  uint64_t sign = is_signed && len != 0 ? a >> last & 1 : 0;
  for (unsigned k = 0; k < bits; k++) d |= (k < len && pos + k < bits ? a >> (pos + k) & 1 : sign) << k;
  return d;
}
uint32_t bfe_u32(uint32_t a, uint32_t pos, uint32_t len) {
  return (uint32_t)extract(a, pos, len, 32, false);
}
uint32_t bfe_s32(uint32_t a, uint32_t pos, uint32_t len) {
  return (uint32_t)extract(a, pos, len, 32, true);
}
uint64_t bfe_u64(uint64_t a, uint32_t pos, uint32_t len) {
  return extract(a, pos, len, 64, false);
}
uint64_t bfe_s64(uint64_t a, uint32_t pos, uint32_t len) {
  return extract(a, pos, len, 64, true);
}

static uint64_t insert(uint64_t f, uint64_t a, uint32_t pos, uint32_t len, unsigned bits) {
  pos = counted(pos, bits);
  len = counted(len, bits);
  for (unsigned k = 0; k < len && pos + k < bits; k++)
    a = (a & ~(UINT64_C(1) << (pos + k))) | (f >> k & 1) << (pos + k);
  return a;
}
uint32_t bfi_b32(uint32_t f, uint32_t a, uint32_t pos, uint32_t len) {
  return (uint32_t)insert(f, a, pos, len, 32);
}
uint64_t bfi_b64(uint64_t f, uint64_t a, uint32_t pos, uint32_t len) {
  return insert(f, a, pos, len, 64);
}

static unsigned selected(unsigned n, unsigned k, uint64_t m) { /* the byte of {b,a} that byte k of the result is */
  if (m & M_f4e) return n + k;
  if (m & M_b4e) return (n - k) & 7;
  if (m & M_rc8) return n;
  if (m & M_ecl) return k > n ? k : n;
  if (m & M_ecr) return k < n ? k : n;
  return 2 * (n & 1) + (k & 1);
}
uint32_t prmt(uint32_t a, uint32_t b, uint32_t c, uint64_t m) {
  uint64_t v = (uint64_t)b << 32 | a;
  uint32_t d = 0;
  for (unsigned k = 0; k < 4; k++) {
    unsigned s = m == 0 ? c >> (4 * k) & 15 : selected(c & 3, k, m);
    uint32_t byte = (uint32_t)(v >> (8 * (s & 7))) & 0xff;
    if (s & 8) byte = byte & 0x80 ? 0xff : 0;
    d |= byte << (8 * k);
  }
  return d;
}

uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t lut) {
  uint32_t d = 0;
  for (unsigned k = 0; k < 32; k++) d |= (lut >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1) << k;
  return d;
}

static uint32_t part(uint32_t a, unsigned at, unsigned bits, bool is_signed) {
  return is_signed ? bfe_s32(a, at, bits) : bfe_u32(a, at, bits);
}
uint32_t dp4a(bool sa, bool sb, uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned k = 0; k < 32; k += 8) c += part(a, k, 8, sa) * part(b, k, 8, sb);
  return c;
}
uint32_t dp2a(bool sa, bool sb, bool high, uint32_t a, uint32_t b, uint32_t c) {
  unsigned first = high ? 16 : 0;
  return c + part(a, 0, 16, sa) * part(b, first, 8, sb) + part(a, 16, 16, sa) * part(b, first + 8, 8, sb);
}

bool combine(bool verdict, bool c, uint64_t m) {
  return m & M_and ? verdict && c : m & M_or ? verdict || c : m & M_xor ? verdict != c : verdict;
}
unsigned both(bool verdict, bool c, uint64_t m) {
  return (unsigned)combine(verdict, c, m) | (unsigned)combine(!verdict, c, m) << 1;
}
