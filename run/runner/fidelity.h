/* SPDX-License-Identifier: Apache-2.0
 * Which instructions of a program have issued, and by which form each goes: mnemonic with its modifiers, and the format
 * that says what its operands are ("FADD.FTZ/RRR"); and what silicon said of these forms. */
#ifndef HEDDLE_RUN_RUNNER_FIDELITY_H
#define HEDDLE_RUN_RUNNER_FIDELITY_H

#include <stdio.h>

#include "run/runner/runner.h"

#define FORM_NAME 96u

/* Adds what has issued in the model's last launch to out->issued, if the options ask for it. */
void issued_add(const struct run_options *o, const struct job *job, const struct heddle_model *m,
                struct run_result *out);

/* Adds a line for each form through which the inputs of a case passed, values loaded from memory and what was made of
 * them, to the file: what silicon returned for `inputs` of them has been compared. `how`: "equal", "bound" (it is held
 * to a bound) or "differs". Lines of one case come in one piece, whoever else writes. False: message. */
bool issued_compared(const char *file, const struct heddle_program *p, const struct run_result *r, const char *how,
                     uint64_t inputs, const char *name);

/* heddle run --fidelity: of the forms that a run has executed, which were compared with silicon (tests/silicon), on how
 * many inputs, which are known to differ, and which nobody compared. What is known lies in a file that the build makes
 * by `heddle ops` and `heddle cases` --compared: its first line names the device, the others are those of
 * issued_compared. */

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
