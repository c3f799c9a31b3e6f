/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels written as PTX, run on the model: forms over edge values, one buffer and one number.
 */
#ifndef HEDDLE_TESTS_COMPILER_PTX_RUN_H
#define HEDDLE_TESTS_COMPILER_PTX_RUN_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/model.h>
#include <heddle/ptx.h>

/* Instructions over edge and random values, as PTX on the model, against a function in C. */

struct form {
  const char *text; /* of %r2 from %r3 %r4 %r5; %r6 %r7 %h1 .. %h7 %f5 free, %f3 %f4 are %r3 %r4 */
  uint32_t (*is)(uint32_t a, uint32_t b, uint32_t c);
};

/* At both levels, for all units that the RTL has and for the least machine; a difference fails the test. */
void form_check(const struct form *f);
/* For a machine with these units (heddle/ptx.h): no word needs another one. */
void form_check_for(const struct form *f, uint32_t units);

#define FORM_CHECK(list)                                                                                               \
  for (size_t k = 0; k < sizeof(list) / sizeof *(list); k++) form_check(&(list)[k])

/* PTX text compiled, proven and run on the model: a kernel of one buffer and one number. */

struct calls_way {
  unsigned level, max_regs;
  bool no_inline;
  enum heddle_divergence divergence;
  uint32_t stack_bytes;
};

struct calls_message {
  unsigned count;
  struct heddle_message first;
};

/* Every way there is: levels, inlining, divergence, few registers. */
extern const struct calls_way calls_ways[];
extern const unsigned calls_ways_count;

/* NULL: *m says why. Figures may be NULL. */
struct heddle_program *calls_compile(const char *text, size_t size, const struct calls_way *w, struct calls_message *m,
                                     struct heddle_ptx_figures **figures, size_t *count);
/* Compiles (which must succeed, and be proven by lint), runs `kernel` in one block of `threads` on a zeroed buffer of
 * `bytes`, with n as the second argument. Returns the status; the trap in *cause. */
enum heddle_error calls_run(const char *text, size_t size, const struct calls_way *w, const char *kernel,
                            unsigned threads, void *buffer, size_t bytes, uint32_t n, enum heddle_cause *cause);
/* The same, in all ways; every word must be as expected. */
void calls_expect(const char *text, const char *kernel, unsigned threads, const uint32_t *want, size_t words);

#endif
