/* SPDX-License-Identifier: Apache-2.0
 * What the twin's float formats have in common. */
#include "ops_float.h"

#include <fenv.h>
#include <string.h>

float number32(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
uint32_t bits32(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
double number64(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
uint64_t bits64(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

uint64_t format_infinity(const struct format *f) {
  return ((UINT64_C(1) << (f->bits - f->precision)) - 1) << (f->precision - 1);
}

/* m / 2^shift, rounded. */
static uint64_t cut(bool sign, uint64_t m, int shift, uint64_t mode) {
  if (shift <= 0) return m << -shift;
  uint64_t kept = shift < 64 ? m >> shift : 0, rest = shift < 64 ? m << (64 - shift) : 1;
  if (rest == 0) return kept;
  bool up = mode & M_rz   ? false
            : mode & M_rm ? sign
            : mode & M_rp ? !sign
                          : rest > UINT64_C(1) << 63 || (rest == UINT64_C(1) << 63 && (kept & 1));
  return kept + up;
}

static int top(uint64_t m) {
  return 63 - (int)clz_b64(m);
}

uint64_t round_to(const struct format *f, bool sign, uint64_t m, int e, uint64_t mode) {
  uint64_t minus = sign ? UINT64_C(1) << (f->bits - 1) : 0, infinity = format_infinity(f);
  int exponent = e + top(m), last = (int)f->precision - 1;
  if (mode & M_ftz) {
    uint64_t free = cut(sign, m, exponent - last - e, mode);
    if (exponent + (int)(free >> f->precision) < f->least) return minus;
  }
  int scale = exponent > f->least ? exponent : f->least;
  uint64_t kept = cut(sign, m, scale - last - e, mode);
  /* A carry out of the significand goes into the exponent, where it belongs. */
  uint64_t field = (uint64_t)(scale - f->least), bits = (field << last) + kept;
  if (field <= UINT64_C(0x7ff) && bits < infinity) return minus | bits;
  bool to_largest = mode & M_rz || (mode & M_rm && !sign) || (mode & M_rp && sign);
  return minus | (to_largest ? infinity - 1 : infinity);
}

bool take_apart(const struct format *f, uint64_t bits, bool *sign, uint64_t *m, int *e) {
  uint64_t field = (bits & (format_infinity(f))) >> (f->precision - 1);
  *sign = bits >> (f->bits - 1) & 1;
  *m = bits & ((UINT64_C(1) << (f->precision - 1)) - 1);
  if (field) *m |= UINT64_C(1) << (f->precision - 1);
  *e = f->least - (int)f->precision + 1 + (field ? (int)field - 1 : 0);
  return *m != 0;
}

void direction_set(uint64_t mode) {
  (void)fesetround(mode & M_rz ? FE_TOWARDZERO : mode & M_rm ? FE_DOWNWARD : mode & M_rp ? FE_UPWARD : FE_TONEAREST);
}
void direction_back(void) {
  (void)fesetround(FE_TONEAREST);
}

double odd_sum(double product, double c) {
  volatile double p = product, d = c, sum;
  feclearexcept(FE_INEXACT);
  (void)fesetround(FE_TOWARDZERO);
  sum = p + d;
  bool cut_off = fetestexcept(FE_INEXACT) != 0;
  direction_back();
  return cut_off ? number64(bits64(sum) | 1) : sum;
}

bool relation_float(bool less, bool equal, bool unordered, uint64_t m) {
  if (m & M_num) return !unordered;
  if (m & M_nan) return unordered;
  if (unordered) return (m & (M_equ | M_neu | M_ltu | M_leu | M_gtu | M_geu)) != 0;
  if (m & (M_eq | M_equ)) return equal;
  if (m & (M_ne | M_neu)) return !equal;
  if (m & (M_lt | M_ltu)) return less;
  if (m & (M_le | M_leu)) return less || equal;
  if (m & (M_gt | M_gtu)) return !less && !equal;
  return !less;
}

bool testp(const struct format *f, uint64_t bits, uint64_t m) {
  uint64_t magnitude = bits & ((UINT64_C(1) << (f->bits - 1)) - 1), infinity = format_infinity(f);
  uint64_t normal = UINT64_C(1) << (f->precision - 1);
  if (m & M_finite) return magnitude < infinity;
  if (m & M_infinite) return magnitude == infinity;
  if (m & M_number) return magnitude <= infinity;
  if (m & M_notanumber) return magnitude > infinity;
  if (m & M_normal) return (magnitude >= normal && magnitude < infinity) || magnitude == 0; /* as silicon has it */
  return magnitude < normal && magnitude != 0;
}
