/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point numbers in a library inside a host with a locale, a rounding mode, flushing of subnormal numbers,
 * or traps (docs/hosts.md). Text is that of the C locale, arithmetic the default of IEEE 754. Each call restores the
 * host's settings and exception flags. */
#ifndef HEDDLE_NUMBER_H
#define HEDDLE_NUMBER_H

#include <fenv.h>
#include <stddef.h>

/* strtod, strtof and snprintf, with a point, to nearest; errno as theirs. */
double number_read(const char *text, char **end);
float number_read_f32(const char *text);
int number_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Around arithmetic: to nearest, subnormal numbers kept, no traps. The arithmetic is in functions that are called
 * between the two, so that no compiler moves it out. */
#if defined(__x86_64__)
typedef unsigned
    number_unit; /* MXCSR: of few cycles, where fegetenv takes hundreds for a unit that nothing here uses */

static inline number_unit number_unit_begin(void) {
  const number_unit host = __builtin_ia32_stmxcsr();
  if (host != 0x1f80u) __builtin_ia32_ldmxcsr(0x1f80u);
  __asm__ volatile("" ::: "memory");
  return host;
}

static inline void number_unit_end(number_unit host) {
  __asm__ volatile("" ::: "memory");
  __builtin_ia32_ldmxcsr(host);
}
#else
typedef fenv_t number_unit;

static inline number_unit number_unit_begin(void) {
  number_unit host;
  (void)fegetenv(&host);
  (void)fesetenv(FE_DFL_ENV);
  return host;
}

static inline void number_unit_end(number_unit host) {
  (void)fesetenv(&host);
}
#endif

#endif
