/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: the approximate functions of PTX, out of the model's own MUFU, FMUL and FADD.
 */
#ifndef HEDDLE_TEST_MUFU_FORMS_H
#define HEDDLE_TEST_MUFU_FORMS_H

#include "tests/cmodel/row_op.h"

/* One form of tests/silicon/mufu/SPEC.md. Forms without .ftz scale some arguments and results by powers of two. */
struct mufu_form {
  const char *name;  /* as in checksums.txt */
  uint64_t function; /* of MUFU */
  /* Around MUFU: the argument times 1/2pi rounded toward zero first; x*in before, result*out or result + plus after,
   * where the argument is one that `when` means; result*result there. */
  bool turns;
  enum { ALWAYS_PLAIN, TINY, TINY_OR_HUGE, BELOW_126 } when;
  float in, out, plus;
};

#define MUFU_FORMS 13u
extern const struct mufu_form mufu_forms[MUFU_FORMS];

/* The operations of a form, in one build. */
struct mufu_ops {
  struct row_op mufu, fmul, fmul_rz, fadd;
};

/* False when there is no such build here. */
bool mufu_ops_get(struct mufu_ops *ops, uint64_t function, unsigned build);

/* 32 results of a form. */
void mufu_form_run(const struct mufu_form *f, const struct mufu_ops *ops, uint32_t result[32], const uint32_t x[32]);

#endif
