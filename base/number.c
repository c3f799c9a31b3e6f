/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text. A locale is chosen for the calling thread alone, so that other threads of the host see nothing. */
#include "number.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct host {
  fenv_t unit; /* all of it: the C library asks either of two units for the rounding mode */
  locale_t locale, c;
};

static struct host leave_host(void) {
  struct host h = {.c =
                       newlocale(LC_ALL_MASK, "C", (locale_t)0)}; /* a constant of the C library, never out of memory */
  h.locale = uselocale(h.c);
  (void)fegetenv(&h.unit);
  (void)fesetenv(FE_DFL_ENV);
  return h;
}

static void return_to(const struct host *h) {
  (void)fesetenv(&h->unit);
  (void)uselocale(h->locale);
  freelocale(h->c);
}

double number_read(const char *text, char **end) {
  const struct host h = leave_host();
  const double v = strtod(text, end);
  return_to(&h);
  return v;
}

float number_read_f32(const char *text) {
  const struct host h = leave_host();
  const float v = strtof(text, NULL);
  return_to(&h);
  return v;
}

int number_print(char *text, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const struct host h = leave_host();
  const int n = vsnprintf(text, size, format, list);
  return_to(&h);
  va_end(list);
  return n;
}
