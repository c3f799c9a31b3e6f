/* SPDX-License-Identifier: Apache-2.0
 * Issued instructions of a program, and the form of each: mnemonic with its modifiers, and the format of its
 * operands ("FADD.FTZ/RRR"); and results of silicon for these forms. */
#ifndef HEDDLE_RUN_RUNNER_FIDELITY_H
#define HEDDLE_RUN_RUNNER_FIDELITY_H

#include <stdio.h>

#include "run/runner/runner.h"

#define FORM_NAME 96u

/* Adds the issued instructions of the model's last launch to out->issued, if the options request it. */
void issued_add(const struct run_options *o, const struct job *job, const struct heddle_model *m,
                struct run_result *out);

/* Adds a line to the file for each form that the inputs of a case passed through. They are values loaded from memory
 * and values computed from them: silicon's results for `inputs` of them have been compared. `how`: "equal", "bound"
 * (it is held to a bound) or "differs". Lines of one case are one write, safe beside other writers. False: message. */
bool issued_compared(const char *file, const struct heddle_program *p, const struct run_result *r, const char *how,
                     uint64_t inputs, const char *name);

/* heddle run --fidelity: for the executed forms of a run, which were compared with silicon (tests/silicon), on how
 * many inputs, which differ, and which were never compared. The build makes its file by `heddle ops` and `heddle
 * cases` --compared: the first line names the device, the others are those of issued_compared. */

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
