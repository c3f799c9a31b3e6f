/* SPDX-License-Identifier: Apache-2.0
 *
 * Small instruction sets as text, for the tests of the generator. Works in a scratch folder.
 */
#ifndef ISA_TEXT_H
#define ISA_TEXT_H

#include "isa/gen/spec.h"

/* A small but complete instruction set; cases append lines from 21 on. */
extern const char isa_prelude[];

/* The spec of `start` and `more` as the file t.isa, or NULL with a complaint. */
struct spec *load_isa(const char *start, const char *more, struct diag *d);

/* Lines that make the file wrong, and the exact message. */
struct bad {
  const char *lines, *message;
};
void check_isa(const char *start, const struct bad *cases, size_t n);
#define CHECK(start, cases) check_isa(start, cases, sizeof cases / sizeof *cases)

/* Group fixtures: a scratch folder as the working directory. */
int enter_scratch(void **state);
int leave_scratch(void **state);

#endif
