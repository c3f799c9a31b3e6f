/* SPDX-License-Identifier: Apache-2.0
 *
 * How far the special functions are from the truth (docs/special-functions.md): the greatest error in each span of
 * arguments and where it is. The argument of the program is the step between the bit patterns tried: 1 for all.
 *
 * The host's double functions find the place, whose error MPFR then measures. (They are good to 2^-50; the errors
 * here are above 2^-26 of the result, so they could mistake only places that are equal in eight digits.)
 */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/mufu_forms.h"
#include "tests/cmodel/rows.h"

enum unit { ULP, RELATIVE, ABSOLUTE };

/* Spans of bit patterns, ends included. `most`: ulps, or the logarithm to base 2; as SPEC.md of tests/silicon/mufu
 * rounds it. `at`: where it is. */
static const struct span {
  const char *form, *where;
  uint32_t first, last;
  enum unit unit;
  double most;
  uint32_t at;
} spans[] = {
    {"rcp", "[1, 2)", 0x3f800000u, 0x3fffffffu, ULP, 0.975, 0x3f81cfffu},
    {"rsqrt", "[1, 4)", 0x3f800000u, 0x407fffffu, ULP, 1.515, 0x3f820399u},
    {"rsqrt", "[1, 4)", 0x3f800000u, 0x407fffffu, RELATIVE, -22.94, 0x40020000u},
    {"sqrt", "[1, 4)", 0x3f800000u, 0x407fffffu, ULP, 0.944, 0x403a9d02u},
    {"ex2", "[2^-23, 128)", 0x34000000u, 0x42ffffffu, ULP, 1.398, 0x3f6bfdffu},
    {"ex2", "[-126, -2^-23]", 0xb4000000u, 0xc2fc0000u, ULP, 2.055, 0xbda01000u},
    {"ex2", "[2^-23, 128)", 0x34000000u, 0x42ffffffu, RELATIVE, -22.71, 0x3d8005d0u},
    {"ex2", "[-126, -2^-23]", 0xb4000000u, 0xc2fc0000u, RELATIVE, -22.73, 0xbf7b000cu},
    {"lg2", "[0.5, 2]", 0x3f000000u, 0x40000000u, ABSOLUTE, -22.15, 0x3f075fffu},
    {"lg2", "[0.25, 0.5)", 0x3e800000u, 0x3effffffu, ULP, 2.300, 0x3e856fefu},
    {"lg2", "[2^-8, 0.25)", 0x3b800000u, 0x3e7fffffu, ULP, 1.64, 0x3d8777beu},
    {"lg2", "[2, 2^8)", 0x40000000u, 0x437fffffu, ULP, 1.38, 0x4009fd00u},
    {"sin", "[2^-10, pi]", 0x3a800000u, 0x40490fdbu, ABSOLUTE, -21.46, 0x3f274c12u},
    {"sin", "[2^-10, 2pi]", 0x3a800000u, 0x40c90fdbu, ABSOLUTE, -20.55, 0x40527e14u},
    {"sin", "[2^-10, 100pi]", 0x3a800000u, 0x439d1463u, ABSOLUTE, -14.74, 0x439b846eu},
    {"sin", "[pi/4, pi/2]", 0x3f490fdbu, 0x3fc90fdbu, ULP, 4.67, 0x3f6d31b3u},
    {"cos", "[2^-10, pi]", 0x3a800000u, 0x40490fdbu, ABSOLUTE, -21.24, 0x3fe11dcau},
    {"cos", "[2^-10, 2pi]", 0x3a800000u, 0x40c90fdbu, ABSOLUTE, -20.43, 0x409ccdb6u},
    {"cos", "[2^-10, 100pi]", 0x3a800000u, 0x439d1463u, ABSOLUTE, -14.74, 0x439c53b9u},
    {"tanh", "[2^-8, 8)", 0x3b800000u, 0x40ffffffu, ULP, 133.95, 0x3f9bfff8u},
    {"tanh", "[2^-8, 8)", 0x3b800000u, 0x40ffffffu, ABSOLUTE, -16.93, 0x3f9bfff8u},
    {"tanh", "[2^-8, 8)", 0x3b800000u, 0x40ffffffu, RELATIVE, -16.46, 0x3f17040fu},
};

#define SPANS (sizeof spans / sizeof spans[0])

/* The true functions. */
static double recip(double x) {
  return 1 / x;
}

static double recip_sqrt(double x) {
  return 1 / sqrt(x);
}

static int mpfr_recip(mpfr_t y, const mpfr_t x, mpfr_rnd_t r) {
  return mpfr_ui_div(y, 1, x, r);
}

static const struct truth {
  const char *form;
  double (*fast)(double);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
} truths[] = {{"rcp", recip, mpfr_recip}, {"rsqrt", recip_sqrt, mpfr_rec_sqrt},
              {"sqrt", sqrt, mpfr_sqrt},  {"ex2", exp2, mpfr_exp2},
              {"lg2", log2, mpfr_log2},   {"sin", sin, mpfr_sin},
              {"cos", cos, mpfr_cos},     {"tanh", tanh, mpfr_tanh}};

static const struct truth *truth_of(const char *form) {
  for (unsigned i = 0; i < sizeof truths / sizeof truths[0]; i++)
    if (strcmp(truths[i].form, form) == 0) return &truths[i];
  fail_msg("no function %s", form);
  return NULL;
}

/* The first form that begins like this: those with .ftz, and tanh. */
static const struct mufu_form *form_of(const char *form) {
  for (unsigned i = 0; i < MUFU_FORMS; i++)
    if (strncmp(mufu_forms[i].name, form, strlen(form)) == 0) return &mufu_forms[i];
  fail_msg("no form %s", form);
  return NULL;
}

static float as_float(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

/* |got - want| in the unit; all positive, logarithms are taken later. */
static double error_fast(double got, double want, enum unit unit) {
  const double e = fabs(got - want);
  if (unit == ABSOLUTE) return e;
  if (unit == RELATIVE) return e / fabs(want);
  int exponent; /* |want| in [1/2, 1) * 2^exponent */
  (void)frexp(want, &exponent);
  return ldexp(e, 24 - exponent);
}

static double error_exact(const struct truth *t, uint32_t x, uint32_t result, enum unit unit) {
  mpfr_t want, error;
  mpfr_inits2(200, want, error, (mpfr_ptr)0);
  mpfr_set_flt(error, as_float(x), MPFR_RNDN);
  (void)t->exact(want, error, MPFR_RNDN);
  mpfr_set_flt(error, as_float(result), MPFR_RNDN);
  mpfr_sub(error, error, want, MPFR_RNDN);
  mpfr_abs(error, error, MPFR_RNDN);
  if (unit == RELATIVE) {
    mpfr_div(error, error, want, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
  }
  if (unit == ULP) mpfr_mul_2si(error, error, 24 - mpfr_get_exp(want), MPFR_RNDN);
  const double e = mpfr_get_d(error, MPFR_RNDN);
  mpfr_clears(want, error, (mpfr_ptr)0);
  return e;
}

/* The argument with the greatest error among those tried. */
static uint32_t worst_argument(const struct span *s, const struct mufu_form *f, const struct mufu_ops *ops,
                               const struct truth *t, uint32_t step) {
  uint32_t at = s->first;
  double most = -1;
  for (uint64_t n = s->first; n <= s->last; n += 32 * (uint64_t)step) {
    _Alignas(64) uint32_t x[32], y[32];
    for (uint32_t i = 0; i < 32; i++) x[i] = n + i * (uint64_t)step > s->last ? s->last : (uint32_t)n + i * step;
    mufu_form_run(f, ops, y, x);
    for (unsigned i = 0; i < 32; i++) {
      const double e = error_fast(as_float(y[i]), t->fast(as_float(x[i])), s->unit);
      if (e <= most) continue;
      most = e;
      at = x[i];
    }
  }
  return at;
}

static double error_at(const struct span *s, const struct mufu_form *f, const struct mufu_ops *ops, uint32_t at) {
  uint32_t x[32], y[32];
  for (unsigned i = 0; i < 32; i++) x[i] = at;
  mufu_form_run(f, ops, y, x);
  const double e = error_exact(truth_of(s->form), at, y[0], s->unit);
  return s->unit == ULP ? e : log2(e);
}

static uint32_t step;

/* SPEC.md gives two or three digits behind the point; the last may be one off. */
static bool agrees(double value, double digits) {
  const double last = fabs(digits * 100 - nearbyint(digits * 100)) < 1e-6 ? 0.01 : 0.001;
  return fabs(value - digits) <= last;
}

static bool span_check(const struct span *s) {
  static const char *const unit[] = {"ulp", "relative, log2", "absolute, log2"};
  const struct mufu_form *f = form_of(s->form);
  struct mufu_ops ops;
  assert_true(mufu_ops_get(&ops, f->function, row_op_best()));
  const uint32_t at = worst_argument(s, f, &ops, truth_of(s->form), step);
  const double most = error_at(s, f, &ops, at), recorded = error_at(s, f, &ops, s->at);
  print_message("%-5s %-16s %9.4f at %08x; %9.4f at %08x (%s)\n", s->form, s->where, most, at, recorded, s->at,
                unit[s->unit]);
  return agrees(recorded, s->most) && most <= recorded + 1e-9 && (step != 1 || most >= recorded - 1e-9);
}

/* The greatest error tried, and that at the recorded place. */
static void errors_are_as_recorded(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (unsigned n = 0; n < SPANS; n++)
    if (!span_check(&spans[n])) {
      print_error("%s, %s: not the recorded error\n", spans[n].form, spans[n].where);
      wrong++;
    }
  assert_int_equal(wrong, 0);
}

int TEST_MAIN(int argc, char **argv) {
  step = (uint32_t)case_count(argc, argv, 101);
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_as_recorded)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
