/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions over edge and random values, as PTX on the model, against a function in C. */
#ifndef FORM_CHECK_H
#define FORM_CHECK_H

#include <stddef.h>
#include <stdint.h>

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

#endif
