/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX text compiled, proven and run on the model: a kernel of one buffer and one number. */
#ifndef HEDDLE_TEST_CALLS_RUN_H
#define HEDDLE_TEST_CALLS_RUN_H

#include <heddle/model.h>
#include <heddle/ptx.h>

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
enum heddle_status calls_run(const char *text, size_t size, const struct calls_way *w, const char *kernel,
                             unsigned threads, void *buffer, size_t bytes, uint32_t n, enum heddle_cause *cause);
/* The same, in all ways; every word must be as expected. */
void calls_expect(const char *text, const char *kernel, unsigned threads, const uint32_t *want, size_t words);

#endif
