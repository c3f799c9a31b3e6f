/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run says at its end, and the files that it leaves. */
#ifndef HEDDLE_CONCLUDE_H
#define HEDDLE_CONCLUDE_H

#include "run/runner/runner.h"
#include "run/job/waivers.h"

/* The exit status. `image`: global memory as it was left; expect_trap: the cause that is right, or NULL; waived: why
 * the failure is known, or NULL. */
int run_conclude(const struct run_options *o, const struct job *j, const char *expect_trap, const struct run_result *r,
                 const uint8_t *image, const struct waiver *waived);

#endif
