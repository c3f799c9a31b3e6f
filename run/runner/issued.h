/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions of a program have issued, and by which form each goes: mnemonic with its modifiers, and the format
 * that says what its operands are ("FADD.FTZ/RRR"). For what is known of forms (fidelity.h). */
#ifndef HEDDLE_TOOL_ISSUED_H
#define HEDDLE_TOOL_ISSUED_H

#include "run/runner/runner.h"

#define FORM_NAME 96u

/* Adds what has issued in the model's last launch to out->issued, if the options ask for it. */
void issued_add(const struct run_options *o, const struct job *job, const struct heddle_model *m,
                struct run_result *out);

/* The form of a word; false: it is no instruction. */
bool issued_form(struct heddle_isa_word word, char name[FORM_NAME]);

/* Adds a line for each form through which the inputs of a case passed, values loaded from memory and what was made of
 * them, to the file: what silicon returned for `inputs` of them has been compared. `how`: "equal", "bound" (it is held
 * to a bound) or "differs". Lines of one case come in one piece, whoever else writes. False: message. */
bool issued_compared(const char *file, const struct heddle_program *p, const struct run_result *r, const char *how,
                     uint64_t inputs, const char *name);

#endif
