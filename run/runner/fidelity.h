/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle run --fidelity: of the forms that a run has executed, which were compared with silicon (tests/silicon), on how
 * many inputs, which are known to differ, and which nobody compared. What is known lies in a file that the build makes
 * by `heddle ops` and `heddle cases` --compared: its first line names the device, the others are those of issued.h. */
#ifndef HEDDLE_TOOL_FIDELITY_H
#define HEDDLE_TOOL_FIDELITY_H

#include <stdio.h>

#include "run/runner/runner.h"

struct fidelity;

/* Is the list there (target silicon_compared)? False: message, which names the target. */
bool fidelity_there(void);

/* NULL: message. The file is found among the data files (HEDDLE_DATA). */
struct fidelity *fidelity_new(const struct heddle_program *p, const struct run_result *r);
void fidelity_free(struct fidelity *f);
/* The line of summary, then a line a form. */
void fidelity_print(const struct fidelity *f, FILE *to);
json_t *fidelity_json(const struct fidelity *f);

#endif
