/* SPDX-License-Identifier: Apache-2.0
 * The twin's conversions: one rounding each, by integers alone. */
#include "tests/twin/ops_float.h"

/* ---- between integers ---- */

static uint64_t low(uint64_t a, unsigned bits) {
  return bits == 64 ? a : a & ((UINT64_C(1) << bits) - 1);
}
static uint64_t extended(uint64_t a, unsigned bits, bool is_signed) {
  a = low(a, bits);
  return is_signed && a >> (bits - 1) & 1 ? a | ~low(UINT64_MAX, bits) : a;
}

/* (-1)^sign * m as an integer; what does not fit becomes the limit on its side. */
static uint64_t saturated(bool sign, uint64_t m, unsigned to, bool to_signed) {
  uint64_t most = low(UINT64_MAX, to) >> to_signed;
  if (!sign) return m > most ? most : m;
  uint64_t least = to_signed ? most + 1 : 0;
  return 0 - (m > least ? least : m);
}

uint64_t cvt_int(uint64_t a, unsigned bits, bool is_signed, unsigned to, bool to_signed, uint64_t m) {
  uint64_t v = extended(a, bits, is_signed);
  if (!(m & M_sat)) return extended(v, to, to_signed);
  bool sign = is_signed && v >> 63;
  return saturated(sign, sign ? 0 - v : v, to, to_signed);
}

/* ---- from integers ---- */

static uint64_t from_int(const struct format *f, uint64_t a, unsigned bits, bool is_signed, uint64_t m) {
  uint64_t v = extended(a, bits, is_signed);
  bool sign = is_signed && v >> 63;
  return v == 0 ? 0 : round_to(f, sign, sign ? 0 - v : v, 0, m);
}
uint16_t cvt_f16_int(uint64_t a, unsigned bits, bool is_signed, uint64_t m) {
  uint16_t h = (uint16_t)from_int(&half_format, a, bits, is_signed, m);
  if (!(m & M_sat)) return h;
  return h >> 15 ? 0 : h > 0x3c00 ? 0x3c00 : h;
}
uint32_t cvt_f32_int(uint64_t a, unsigned bits, bool is_signed, uint64_t m) {
  uint32_t v = (uint32_t)from_int(&single_format, a, bits, is_signed, m);
  return m & M_sat ? sat32(v) : v;
}
static uint64_t sat64(uint64_t a) {
  const uint64_t one = UINT64_C(0x3ff) << 52;
  return nan64(a) || a >> 63 ? 0 : a > one ? one : a;
}
uint64_t cvt_f64_int(uint64_t a, unsigned bits, bool is_signed, uint64_t m) {
  uint64_t v = from_int(&double_format, a, bits, is_signed, m);
  return m & M_sat ? sat64(v) : v;
}

/* ---- to integers ---- */

/* m * 2^e as an integer in the direction of .rni .rzi .rmi .rpi; UINT64_MAX for whatever is larger. */
static uint64_t integral(bool sign, uint64_t m, int e, uint64_t mode) {
  if (e > 0) return (int)clz_b64(m) < e ? UINT64_MAX : m << e;
  if (e < -63) m = 1, e = -63; /* less than a half all the same */
  uint64_t kept = m >> -e, rest = e ? m << (64 + e) : 0, half = UINT64_C(1) << 63;
  bool up = mode & M_rzi   ? false
            : mode & M_rmi ? sign && rest
            : mode & M_rpi ? !sign && rest
                           : rest > half || (rest == half && (kept & 1));
  return kept + up;
}

static uint64_t to_int(const struct format *f, uint64_t a, unsigned to, bool to_signed, uint64_t mode) {
  bool sign = a >> (f->bits - 1) & 1;
  uint64_t m, magnitude = low(a, f->bits - 1);
  int e;
  if (magnitude > format_infinity(f)) { /* not a number */
    if (to < 64 && f->bits < 64) return 0;
    return to_signed ? saturated(true, UINT64_MAX, to, true) : UINT64_C(1) << (to - 1);
  }
  if (magnitude == format_infinity(f)) return saturated(sign, UINT64_MAX, to, to_signed);
  if (!take_apart(f, a, &sign, &m, &e)) return 0;
  return saturated(sign, integral(sign, m, e, mode), to, to_signed);
}
uint64_t cvt_int_f16(uint16_t a, unsigned to, bool to_signed, uint64_t m) {
  return to_int(&half_format, a, to, to_signed, m);
}
uint64_t cvt_int_f32(uint32_t a, unsigned to, bool to_signed, uint64_t m) {
  return to_int(&single_format, flush32(a, m), to, to_signed, m);
}
uint64_t cvt_int_f64(uint64_t a, unsigned to, bool to_signed, uint64_t m) {
  return to_int(&double_format, a, to, to_signed, m);
}

/* ---- between floats ---- */

/* Of a number; NaNs are judged by the caller. With .rni and friends: to an integral value of the same format. */
static uint64_t change(const struct format *from, const struct format *to, uint64_t a, uint64_t mode) {
  bool sign = a >> (from->bits - 1) & 1;
  uint64_t m, minus = sign ? UINT64_C(1) << (to->bits - 1) : 0;
  int e;
  if (low(a, from->bits - 1) == format_infinity(from)) return minus | format_infinity(to);
  if (!take_apart(from, a, &sign, &m, &e)) return minus;
  if (mode & (M_rni | M_rzi | M_rmi | M_rpi) && e < 0) {
    m = integral(sign, m, e, mode);
    e = 0;
    if (m == 0) return minus;
  }
  return round_to(to, sign, m, e, mode);
}

static uint16_t clamp16(uint16_t h, uint64_t m) {
  if (m & M_sat) return nan16(h) || h >> 15 ? 0 : h > 0x3c00 ? 0x3c00 : h;
  return m & M_relu && h >> 15 && !nan16(h) ? 0 : h;
}
static uint32_t clamp32(uint32_t a, uint64_t m) {
  return m & M_sat ? sat32(a) : a;
}

uint16_t cvt_f16_f16(uint16_t a, uint64_t m) {
  return clamp16(nan16(a) ? NAN16 : (uint16_t)change(&half_format, &half_format, a, m), m);
}
/* .ftz is for single floats: operands here. */
/* .ftz says nothing here, as on silicon. */
uint16_t cvt_f16_f32(uint32_t a, uint64_t m) {
  return clamp16(nan32(a) ? NAN16 : (uint16_t)change(&single_format, &half_format, a, m & ~M_ftz), m);
}
/* Sign and the upper payload bits are kept. */
uint16_t cvt_f16_f64(uint64_t a, uint64_t m) {
  uint16_t nan = (uint16_t)((a >> 63 << 15) | 0x7e00 | (a >> 42 & 0x3ff));
  return clamp16(nan64(a) ? nan : (uint16_t)change(&double_format, &half_format, a, m), m);
}
uint32_t cvt_f32_f16(uint16_t a, uint64_t m) {
  return clamp32(nan16(a) ? NAN32 : (uint32_t)change(&half_format, &single_format, a, m), m);
}
uint32_t cvt_f32_f32(uint32_t a, uint64_t m) {
  uint32_t x = flush32(a, m);
  return clamp32(nan32(a) ? NAN32 : (uint32_t)change(&single_format, &single_format, x, m), m);
}
uint32_t cvt_f32_f64(uint64_t a, uint64_t m) {
  uint32_t nan = (uint32_t)((a >> 63 << 31) | 0x7fc00000 | (a >> 29 & 0x7fffff));
  return clamp32(nan64(a) ? nan : (uint32_t)change(&double_format, &single_format, a, m), m);
}
uint64_t cvt_f64_f16(uint16_t a, uint64_t m) {
  uint64_t nan = (uint64_t)(a >> 15) << 63 | UINT64_C(0xfff) << 51 | (uint64_t)(a & 0x3ff) << 42;
  nan = (nan & INT64_MAX) | (uint64_t)(a >> 15) << 63;
  uint64_t d = nan16(a) ? nan : change(&half_format, &double_format, a, m);
  return m & M_sat ? sat64(d) : d;
}
/* With .ftz a NaN comes out as that of an addition. */
uint64_t cvt_f64_f32(uint32_t a, uint64_t m) {
  if (nan32(a) && m & M_ftz) a = NAN32;
  uint64_t nan = (uint64_t)(a >> 31) << 63 | (UINT64_C(0xfff) << 51 & INT64_MAX) | (uint64_t)(a & 0x7fffff) << 29;
  uint64_t d = nan32(a) ? nan : change(&single_format, &double_format, flush32(a, m), m & ~M_ftz);
  return m & M_sat ? sat64(d) : d;
}
uint64_t cvt_f64_f64(uint64_t a, uint64_t m) {
  uint64_t d = nan64(a) ? quiet64(a) : change(&double_format, &double_format, a, m);
  return m & M_sat ? sat64(d) : d;
}
uint32_t cvt_f16x2_f32(uint32_t a, uint32_t b, uint64_t m) {
  return (uint32_t)cvt_f16_f32(a, m) << 16 | cvt_f16_f32(b, m);
}
