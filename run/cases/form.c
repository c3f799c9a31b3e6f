/* SPDX-License-Identifier: Apache-2.0
 * PTX instruction forms, one by one: a form as a whole kernel, and how near its result must be. */
#include "form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"

/* PTX instruction forms as whole kernels. */

/* The address of this thread's element of an operand in x, and what is done there. */
static void at_element(FILE *f, char operand, const char *type) {
  fprintf(f, "ld.param.u64 x,[p%c]; mul.wide.u32 y,i,%u; add.u64 x,x,y; ", operand, element_width(type));
}

static void write_kernel(FILE *f, const char *const type[4], const char *statement) {
  fputs(".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 pa,.param .u64 pb,.param .u64 pc,.param .u64 pd){\n"
        ".reg .u64 x,y; .reg .u32 i,j,n;\n",
        f);
  for (unsigned k = 0; k < 4; k++)
    if (type[k]) fprintf(f, ".reg .%s %c;\n", type[k], "abcd"[k]);
  fputs("mov.u32 i,%tid.x; mov.u32 j,%ctaid.x; mov.u32 n,%ntid.x; mad.lo.u32 i,j,n,i;\n", f);
  for (unsigned k = 0; k < 3; k++)
    if (type[k]) {
      at_element(f, "abc"[k], type[k]);
      fprintf(f, "ld.global.%s %c,[x];\n", type[k], "abc"[k]);
    }
  fprintf(f, "%s\n", statement);
  at_element(f, 'd', type[3]);
  fprintf(f, "st.global.%s [x],d;\nret;}\n", type[3]);
}

char *form_source(const char *const type[4], const char *statement) {
  for (unsigned k = 0; k < 4; k++)
    if (type[k] ? element_width(type[k]) == 0 : k == 3) return NULL;
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  write_kernel(f, type, statement);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/* rsqrt.approx.f64: the PTX manual gives no figure for it; CUDA's rsqrt(double), which it carries out, has one unit in
 * the last place. (What an H200 returned is within 2^-53 on all inputs of tests/silicon.) The two gross approximations
 * of FP64 give the upper word of a result alone, 20 bits of fraction, and no figure either: one unit of those. */

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
