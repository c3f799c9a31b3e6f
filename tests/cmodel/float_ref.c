/* SPDX-License-Identifier: Apache-2.0 */
#include "float_ref.h"

#include <heddle/isa.h>

const struct ref_info ref_info[3] = {
    [REF_F16] = {16, 11, -14, 0x8000, 0x7c00, 0x7fff},
    [REF_F32] = {32, 24, -126, 0x80000000u, 0x7f800000u, 0x7fffffffu},
    [REF_F64] = {64, 53, -1022, UINT64_C(1) << 63, UINT64_C(0x7ff0000000000000), UINT64_C(0xfff8000000000000)}};

const mpfr_rnd_t ref_rounding[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

bool ref_is_nan(enum ref_format f, uint64_t u) {
  return (u & ~ref_info[f].sign) > ref_info[f].inf;
}

bool ref_is_subnormal(enum ref_format f, uint64_t u) {
  return (u & ref_info[f].inf) == 0 && (u & ~ref_info[f].sign) != 0;
}

uint64_t ref_flush(enum ref_format f, uint64_t u, bool ftz) {
  return ftz && ref_is_subnormal(f, u) ? u & ref_info[f].sign : u;
}

void ref_init(mpfr_t v, enum ref_format f) {
  mpfr_init2(v, ref_info[f].digits);
}

void ref_set(mpfr_t v, enum ref_format f, uint64_t u) {
  const struct ref_info *r = &ref_info[f];
  const unsigned places = r->digits - 1;
  const uint64_t fraction = u & ((UINT64_C(1) << places) - 1), field = (u & r->inf) >> places;
  if (ref_is_nan(f, u))
    mpfr_set_nan(v);
  else if ((u & r->inf) == r->inf)
    mpfr_set_inf(v, 1);
  else if (field == 0)
    (void)mpfr_set_ui_2exp(v, fraction, r->least - (int)places, MPFR_RNDN);
  else
    (void)mpfr_set_ui_2exp(v, fraction | UINT64_C(1) << places, (int)field - 1 + r->least - (int)places, MPFR_RNDN);
  if ((u & r->sign) != 0) mpfr_neg(v, v, MPFR_RNDN);
}

/* The bits of |v|, which the format holds exactly. */
static uint64_t magnitude_bits(mpfr_t v, const struct ref_info *r) {
  const int places = (int)r->digits - 1;
  if (mpfr_inf_p(v)) return r->inf;
  if (mpfr_zero_p(v)) return 0;
  const int top = (int)mpfr_get_exp(v) - 1, e = top < r->least ? r->least : top;
  mpz_t z;
  mpz_init(z);
  mpfr_mul_2si(v, v, places - e, MPFR_RNDN);
  (void)mpfr_get_z(z, v, MPFR_RNDN);
  const uint64_t n = mpz_get_ui(z); /* |z| */
  mpz_clear(z);
  return ((uint64_t)(e - r->least) << places) + n;
}

uint64_t ref_bits(mpfr_t v, int ternary, enum ref_format f, mpfr_rnd_t rnd, bool ftz) {
  const struct ref_info *r = &ref_info[f];
  if (mpfr_nan_p(v)) return r->nan;
  const uint64_t sign = mpfr_signbit(v) ? r->sign : 0;
  if (ftz && !mpfr_zero_p(v) && !mpfr_inf_p(v) && mpfr_get_exp(v) - 1 < r->least) return sign;
  const mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
  mpfr_set_emin(r->least - (int)r->digits + 2); /* MPFR's numbers lie in [0.5, 1) */
  mpfr_set_emax(2 - r->least);
  ternary = mpfr_check_range(v, ternary, rnd);
  (void)mpfr_subnormalize(v, ternary, rnd);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  return sign | magnitude_bits(v, r);
}

uint64_t ref_saturate(enum ref_format f, uint64_t u) {
  const struct ref_info *r = &ref_info[f];
  const uint64_t one = (r->inf >> 1) & ~((UINT64_C(1) << (r->digits - 1)) - 1) & r->inf;
  if (ref_is_nan(f, u) || (u & r->sign) != 0) return 0;
  return u > one ? one : u;
}

/* ---- comparisons ---- */

/* The names of the comparisons, as words: <, =, >, and whether NaN counts. */
static const struct {
  uint64_t code;
  bool lt, eq, gt, nan;
} comparison[REF_RELATIONS] = {
    {ISA_FCMP_F, 0, 0, 0, 0},   {ISA_FCMP_LT, 1, 0, 0, 0},  {ISA_FCMP_EQ, 0, 1, 0, 0},  {ISA_FCMP_LE, 1, 1, 0, 0},
    {ISA_FCMP_GT, 0, 0, 1, 0},  {ISA_FCMP_NE, 1, 0, 1, 0},  {ISA_FCMP_GE, 0, 1, 1, 0},  {ISA_FCMP_NUM, 1, 1, 1, 0},
    {ISA_FCMP_NAN, 0, 0, 0, 1}, {ISA_FCMP_LTU, 1, 0, 0, 1}, {ISA_FCMP_EQU, 0, 1, 0, 1}, {ISA_FCMP_LEU, 1, 1, 0, 1},
    {ISA_FCMP_GTU, 0, 0, 1, 1}, {ISA_FCMP_NEU, 1, 0, 1, 1}, {ISA_FCMP_GEU, 0, 1, 1, 1}, {ISA_FCMP_T, 1, 1, 1, 1}};

uint64_t ref_relation_code(unsigned n) {
  return comparison[n].code;
}

static int order(enum ref_format f, uint64_t u, uint64_t v) {
  mpfr_t x, y;
  ref_init(x, f);
  ref_init(y, f);
  ref_set(x, f, u);
  ref_set(y, f, v);
  const int c = mpfr_cmp(x, y);
  mpfr_clear(x);
  mpfr_clear(y);
  return c;
}

bool ref_relation(unsigned n, enum ref_format f, uint64_t u, uint64_t v) {
  if (ref_is_nan(f, u) || ref_is_nan(f, v)) return comparison[n].nan;
  const int c = order(f, u, v);
  return c < 0 ? comparison[n].lt : (c == 0 ? comparison[n].eq : comparison[n].gt);
}

bool ref_bool(enum ref_combine how, bool x, bool y) {
  return how == REF_AND ? x && y : (how == REF_OR ? x || y : x != y);
}

uint64_t ref_bool_code(enum ref_combine how) {
  static const uint64_t code[REF_COMBINES] = {ISA_BOOL_AND, ISA_BOOL_OR, ISA_BOOL_XOR};
  return code[how];
}

uint64_t ref_minmax(enum ref_format f, uint64_t u, uint64_t v, bool minimum) {
  const int c = order(f, u, v);
  const bool u_first = c < 0 || (c == 0 && (u & ref_info[f].sign) != 0);
  return u_first == minimum ? u : v;
}
