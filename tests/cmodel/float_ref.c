/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounding by MPFR to any format; values worth trying.
 */
#include "float_ref.h"

#include <heddle/isa.h>
#include "tests/cmodel/rows.h"

const struct ref_info ref_info[3] = {
    [REF_F16] = {16, 11, -14, 0x8000, 0x7c00, 0x7fff},
    [REF_F32] = {32, 24, -126, 0x80000000u, 0x7f800000u, 0x7fffffffu},
    [REF_F64] = {64, 53, -1022, UINT64_C(1) << 63, UINT64_C(0x7ff0000000000000), UINT64_C(0xfff8000000000000)}};

const mpfr_rnd_t ref_rounding[4] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

bool ref_is_nan(enum ref_format f, uint64_t u) {
  return (u & ~ref_info[f].sign) > ref_info[f].inf;
}

static bool ref_is_subnormal(enum ref_format f, uint64_t u) {
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

/* The values worth trying of float_ref.h. */

#define BOTH16(u) (u), (u) | 0x8000u
#define BOTH32(u) (u), (u) | 0x80000000u
#define BOTH64(u) UINT64_C(u), UINT64_C(u) | UINT64_C(1) << 63

static const uint64_t edges16[] = {BOTH16(0x0000u), BOTH16(0x0001u), BOTH16(0x0002u), BOTH16(0x0200u), BOTH16(0x03feu),
                                   BOTH16(0x03ffu), BOTH16(0x0400u), BOTH16(0x0401u), BOTH16(0x07ffu), BOTH16(0x0800u),
                                   BOTH16(0x1400u), BOTH16(0x1bffu), BOTH16(0x1fe0u), BOTH16(0x2010u), BOTH16(0x37ffu),
                                   BOTH16(0x3800u), BOTH16(0x3801u), BOTH16(0x3bffu), BOTH16(0x3c00u), BOTH16(0x3c01u),
                                   BOTH16(0x3e00u), BOTH16(0x4100u), BOTH16(0x57f0u), BOTH16(0x5bffu), BOTH16(0x63ffu),
                                   BOTH16(0x6800u), BOTH16(0x77ffu), BOTH16(0x7800u), BOTH16(0x7bfeu), BOTH16(0x7bffu),
                                   BOTH16(0x7c00u), BOTH16(0x7c01u), BOTH16(0x7d23u), BOTH16(0x7e00u), BOTH16(0x7fffu)};

static const uint64_t edges32[] = {
    BOTH32(0x00000000u), BOTH32(0x00000001u), BOTH32(0x00400000u), BOTH32(0x007fffffu), BOTH32(0x00800000u),
    BOTH32(0x00800001u), BOTH32(0x33000000u), BOTH32(0x33000001u), BOTH32(0x33800000u), BOTH32(0x33c00000u),
    BOTH32(0x387fc000u), BOTH32(0x387fdfffu), BOTH32(0x387fe000u), BOTH32(0x387fefffu), BOTH32(0x387ff000u),
    BOTH32(0x387fffffu), BOTH32(0x38800000u), BOTH32(0x3effffffu), BOTH32(0x3f000000u), BOTH32(0x3f000001u),
    BOTH32(0x3f7fffffu), BOTH32(0x3f800000u), BOTH32(0x3f800001u), BOTH32(0x3f801000u), BOTH32(0x3f801001u),
    BOTH32(0x3f803000u), BOTH32(0x3fc00000u), BOTH32(0x40200000u), BOTH32(0x42fe0000u), BOTH32(0x42feffffu),
    BOTH32(0x42ff0000u), BOTH32(0x43000000u), BOTH32(0x437f7fffu), BOTH32(0x437f8000u), BOTH32(0x43800000u),
    BOTH32(0x46fffe00u), BOTH32(0x46ffff00u), BOTH32(0x477fe000u), BOTH32(0x477fefffu), BOTH32(0x477ff000u),
    BOTH32(0x477fff00u), BOTH32(0x47800000u), BOTH32(0x4affffffu), BOTH32(0x4b000001u), BOTH32(0x4effffffu),
    BOTH32(0x4f000000u), BOTH32(0x4f7fffffu), BOTH32(0x4f800000u), BOTH32(0x5effffffu), BOTH32(0x5f000000u),
    BOTH32(0x5f7fffffu), BOTH32(0x5f800000u), BOTH32(0x7f7fffffu), BOTH32(0x7f800000u), BOTH32(0x7f800001u),
    BOTH32(0x7fa12345u), BOTH32(0x7fc00000u), BOTH32(0x7fffffffu)};

static const uint64_t edges64[] = {
    BOTH64(0x0000000000000000), BOTH64(0x0000000000000001), BOTH64(0x0000000000000002), BOTH64(0x0008000000000000),
    BOTH64(0x000fffffffffffff), BOTH64(0x0010000000000000), BOTH64(0x0010000000000001), BOTH64(0x001fffffffffffff),
    BOTH64(0x0350000000000000), BOTH64(0x0360000000000001), BOTH64(0x1ff0000000000000), BOTH64(0x1fffffffffffffff),
    BOTH64(0x3690000000000000), BOTH64(0x3690000000000001), BOTH64(0x36a0000000000000), BOTH64(0x380fffffc0000000),
    BOTH64(0x380fffffe0000000), BOTH64(0x380fffffe0000001), BOTH64(0x380fffffefffffff), BOTH64(0x380ffffff0000000),
    BOTH64(0x3810000000000000), BOTH64(0x3ca0000000000000), BOTH64(0x3ca0000000000001), BOTH64(0x3e60000000000000),
    BOTH64(0x3e60000000000001), BOTH64(0x3f0ff7ffffffffff), BOTH64(0x3f0ffe0000000000), BOTH64(0x3f10000000000000),
    BOTH64(0x3fdfffffffffffff), BOTH64(0x3fe0000000000000), BOTH64(0x3fe0000000000001), BOTH64(0x3fefffffffffffff),
    BOTH64(0x3ff0000000000000), BOTH64(0x3ff0000000000001), BOTH64(0x3ff8000000000000), BOTH64(0x4004000000000000),
    BOTH64(0x405fc00000000000), BOTH64(0x405fe00000000000), BOTH64(0x4060000000000000), BOTH64(0x406ff00000000000),
    BOTH64(0x40dfffe000000000), BOTH64(0x40effc0000000000), BOTH64(0x40effdffffffffff), BOTH64(0x40effe0000000000),
    BOTH64(0x40effff000000000), BOTH64(0x41dfffffffc00000), BOTH64(0x41dfffffffe00000), BOTH64(0x41e0000000000000),
    BOTH64(0x41e0000000100000), BOTH64(0x41efffffffe00000), BOTH64(0x41effffffff00000), BOTH64(0x41f0000000000000),
    BOTH64(0x432fffffffffffff), BOTH64(0x4330000000000001), BOTH64(0x433fffffffffffff), BOTH64(0x43dfffffffffffff),
    BOTH64(0x43e0000000000000), BOTH64(0x43e0000000000001), BOTH64(0x43efffffffffffff), BOTH64(0x43f0000000000000),
    BOTH64(0x47efffffe0000000), BOTH64(0x47efffffefffffff), BOTH64(0x47effffff0000000), BOTH64(0x47f0000000000000),
    BOTH64(0x5ff0000000000000), BOTH64(0x6000000000000001), BOTH64(0x7fe0000000000000), BOTH64(0x7feffffffffffffe),
    BOTH64(0x7fefffffffffffff), BOTH64(0x7ff0000000000000), BOTH64(0x7ff0000000000001), BOTH64(0x7ff4000012345678),
    BOTH64(0x7ff8000000000000), BOTH64(0x7ffabcdef1234567), BOTH64(0x7fffffffffffffff)};

const uint64_t *ref_edges(enum ref_format f, unsigned *n) {
  static const struct {
    const uint64_t *edge;
    size_t n;
  } all[3] = {{edges16, sizeof edges16 / 8}, {edges32, sizeof edges32 / 8}, {edges64, sizeof edges64 / 8}};
  *n = (unsigned)all[f].n;
  return all[f].edge;
}

/* Fractions with long runs of ones or zeros, where rounding goes far. */
static uint64_t fraction(enum ref_format f, uint64_t *s) {
  const unsigned places = ref_info[f].digits - 1, k = rnd32(s) % places;
  const uint64_t ones = (UINT64_C(1) << places) - 1;
  switch (rnd32(s) % 4) {
  case 0:
    return splitmix64(s) >> 3 & ones;
  case 1:
    return (ones << k) & ones;
  case 2:
    return ones >> k;
  default:
    return (UINT64_C(1) << k) ^ (rnd32(s) >> 9 & 1u);
  }
}

/* The exponent field e, pulled into the range of finite numbers. */
static uint64_t number(enum ref_format f, uint64_t *s, int e) {
  const struct ref_info *r = &ref_info[f];
  const int top = (int)(r->inf >> (r->digits - 1)) - 1;
  const uint64_t field = (uint64_t)(e < 0 ? 0 : (e > top ? top : e));
  const uint64_t sign = (rnd32(s) >> 7 & 1u) != 0 ? r->sign : 0;
  return sign | field << (r->digits - 1) | fraction(f, s);
}

static uint64_t any_bits(enum ref_format f, uint64_t *s) {
  return splitmix64(s) >> (64 - ref_info[f].bits);
}

static int exponent(enum ref_format f, uint64_t *s) {
  return (int)(rnd32(s) % (uint32_t)(ref_info[f].inf >> (ref_info[f].digits - 1)));
}

/* One number: anything, often with runs of ones or zeros. */
static uint64_t ref_random(enum ref_format f, uint64_t *s) {
  const int middle = 1 - ref_info[f].least; /* exponent field of 1.0 */
  switch (rnd32(s) % 4) {
  case 0:
    return any_bits(f, s);
  case 1:
    return number(f, s, exponent(f, s));
  default:
    return number(f, s, middle + (int)(rnd32(s) % 100) - 30); /* about the integers, and the smaller formats */
  }
}

/* The product of two numbers in a format, or near it. */
static uint64_t product_near(enum ref_format f, uint64_t u, uint64_t v, uint64_t *s) {
  mpfr_t x, y;
  ref_init(x, f);
  ref_init(y, f);
  ref_set(x, f, u);
  ref_set(y, f, v);
  const int t = mpfr_mul(x, x, y, MPFR_RNDN);
  const uint64_t p = ref_bits(x, t, f, MPFR_RNDN, false);
  mpfr_clear(x);
  mpfr_clear(y);
  return (p ^ ref_info[f].sign) + rnd32(s) % 3 - 1;
}

void ref_random3(enum ref_format f, uint64_t *s, uint64_t v[3]) {
  const int middle = 1 - ref_info[f].least, digits = (int)ref_info[f].digits, near = 3 * digits;
  const int ea = exponent(f, s), eb = exponent(f, s);
  const uint64_t mask = ~UINT64_C(0) >> (64 - ref_info[f].bits);
  const unsigned kind = rnd32(s) % 9;
  v[0] = number(f, s, ea);
  v[1] = number(f, s, ea + (int)(rnd32(s) % (unsigned)near) - near / 2);
  v[2] = number(f, s, ea + (int)(rnd32(s) % (unsigned)near) - near / 2);
  if (kind < 4) { /* c near the product */
    v[1] = number(f, s, eb);
    v[2] = number(f, s, ea + eb - middle + (int)(rnd32(s) % (unsigned)(2 * near)) - near);
  } else if (kind == 4) { /* a + b cancels but for the last places */
    v[1] = ((v[0] ^ ref_info[f].sign) + rnd32(s) % 9 - 4) & mask;
  } else if (kind == 5) { /* c is the product, nearly: what is left is its rounding error */
    v[1] = number(f, s, middle + (int)(rnd32(s) % 5) - 2);
    v[2] = product_near(f, v[0], v[1], s) & mask;
  } else if (kind == 6) {
    for (unsigned k = 0; k < 3; k++) v[k] = any_bits(f, s);
  } else if (kind == 7) { /* the product about the least numbers */
    v[1] = number(f, s, middle - ea + (int)(rnd32(s) % (unsigned)(3 * digits)) - 2 * digits);
    v[2] = number(f, s, (int)(rnd32(s) % (unsigned)digits));
  } else {
    unsigned n;
    const uint64_t *edge = ref_edges(f, &n);
    const uint64_t number_at = edge[rnd32(s) % n];
    v[rnd32(s) % 3] = number_at;
  }
}

bool ref_case(enum ref_format f, unsigned operands, unsigned long n, unsigned long random, uint64_t *seed,
              uint64_t v[3]) {
  unsigned k, edges;
  const uint64_t *edge = ref_edges(f, &edges);
  unsigned long all = 1;
  for (k = 0; k < operands; k++) all *= edges;
  if (n >= all) {
    ref_random3(f, seed, v);
    if (operands == 1) v[0] = ref_random(f, seed);
    return n < all + random;
  }
  for (k = 0; k < operands; k++, n /= edges) v[k] = edge[n % edges];
  return true;
}

const uint64_t rnd_code[4] = {ISA_RND_RN, ISA_RND_RM, ISA_RND_RP, ISA_RND_RZ};
const uint64_t irnd_code[4] = {ISA_IRND_ROUND, ISA_IRND_FLOOR, ISA_IRND_CEIL, ISA_IRND_TRUNC};
const char *const format_name[3] = {"F16", "F32", "F64"};
const uint64_t ftype_code[3] = {ISA_FTYPE_F16, ISA_FTYPE_F32, ISA_FTYPE_F64};
const uint64_t fto_code[3] = {ISA_FTO_F16, ISA_FTO_F32, ISA_FTO_F64};
const uint64_t rint_code[3] = {ISA_RINT_F16, ISA_RINT_F32, ISA_RINT_F64};

struct mods random_mods(uint64_t *seed) {
  const uint32_t r = rnd32(seed) >> 4;
  return (struct mods){(r & 1) != 0, (r & 2) != 0, (r & 4) != 0, (r & 8) != 0, (r & 16) != 0, (r & 32) != 0};
}

struct heddle_isa_word with_signs(struct heddle_isa_word w, const struct mods *m) {
  return heddle_isa_put(heddle_isa_put(w, ISA_F_NB, m->neg), ISA_F_AB, m->abs);
}

uint64_t with_signs_applied(enum ref_format f, uint64_t u, const struct mods *m) {
  if (m->abs) u &= ~ref_info[f].sign;
  return m->neg ? u ^ ref_info[f].sign : u;
}

void put_source(struct rows *rows, unsigned k, unsigned bits, uint64_t v, bool high, uint64_t *seed) {
  rows->b[k] = (uint32_t)v;
  rows->b_up[0][k] = (uint32_t)(v >> 32);
  if (bits == 16) rows->b[k] = high ? (uint32_t)v << 16 | rnd32(seed) >> 16 : (uint32_t)v | rnd32(seed) << 16;
  if (bits == 8) rows->b[k] = (uint32_t)v | rnd32(seed) << 8;
}

void put_result(struct rows *rows, unsigned k, uint64_t v) {
  rows->d[0][k] = (uint32_t)v;
  rows->d[1][k] = (uint32_t)(v >> 32);
}

bool float_case(enum ref_format f, enum ref_format to, unsigned long n, unsigned long random, uint64_t *seed,
                uint64_t *u) {
  uint64_t v[3] = {0};
  if (f == REF_F16) {
    *u = n & 0xffffu;
    return n < 0x10000u;
  }
  const bool more = ref_case(f, 1, n, random, seed, v);
  *u = v[0];
  if (f <= to || rnd32(seed) % 4 != 0) return more;
  mpfr_t x;
  ref_init(x, f);
  ref_set(x, to, ref_random(to, seed));
  *u = ref_bits(x, 0, f, MPFR_RNDN, false) + rnd32(seed) % 3 - 1; /* at, or beside, a number of the destination */
  if (rnd32(seed) % 2 != 0) *u += UINT64_C(1) << (ref_info[f].digits - ref_info[to].digits - 1); /* a tie */
  *u &= ~UINT64_C(0) >> (64 - ref_info[f].bits);
  mpfr_clear(x);
  return more;
}

unsigned float_turns(enum ref_format f, unsigned long random) {
  return f == REF_F16 ? 1 + (unsigned)(random / 25000) : 1;
}
