/* SPDX-License-Identifier: Apache-2.0
 * rsqrt.approx.f64: the PTX manual gives no figure for it; CUDA's rsqrt(double), which it carries out, has one unit in
 * the last place. (What an H200 returned is within 2^-53 on all inputs of tests/silicon.) The two gross approximations
 * of FP64 give the upper word of a result alone, 20 bits of fraction, and no figure either: one unit of those. */
#include "form_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/job/elements.h"

struct form_bound {
  const char *form;
  int log2; /* of the largest relative error */
  long double (*error)(double a, double got);
};

/* got / (1/sqrt(a)) - 1, from got^2 a - 1 = 2 e + e^2; good to about 2^-62. */
static long double root_error(double a, double got) {
  const long double y = got;
  return fabsl((y * a * y - 1.0L) / 2.0L);
}

static long double reciprocal_error(double a, double got) {
  return fabsl((long double)a * got - 1.0L);
}

const struct form_bound *form_bound_of(const char *form) {
  static const struct form_bound table[] = {{"rsqrt.approx.f64", -52, root_error},
                                            {"rsqrt.approx.ftz.f64", -20, root_error},
                                            {"rcp.approx.ftz.f64", -20, reciprocal_error}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].form, form) == 0) return &table[i];
  return NULL;
}

static double double_at(const uint8_t *column, size_t i) {
  const uint64_t bits = element_at(column, 8, i);
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

size_t form_bound_check(const struct form_bound *b, const uint8_t *a, const uint8_t *got, const uint8_t *gold,
                        size_t count, char *note, size_t size) {
  size_t bad = count, differ = 0;
  long double worst = 0;
  for (size_t i = 0; i < count; i++) {
    const double want = double_at(gold, i), have = double_at(got, i);
    const bool same = element_at(got, 8, i) == element_at(gold, 8, i), plain = isfinite(want) && want != 0;
    const bool comparable = plain && isfinite(have) && have != 0 && signbit(have) == signbit(want);
    const long double e = comparable ? b->error(double_at(a, i), have) : 0;
    const bool within = comparable && e <= ldexpl(1.0L, b->log2);
    differ += !same;
    if (e > worst) worst = e;
    if (!same && !within && bad == count) bad = i;
  }
  char error[40] = "0";
  if (worst > 0) snprintf(error, sizeof error, "2^%.2Lf", log2l(worst));
  snprintf(note, size, "largest relative error %s, bound 2^%d; %zu of %zu elements differ from silicon's", error,
           b->log2, differ, count);
  return bad;
}
