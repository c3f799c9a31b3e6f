/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of the table as the assembly text of a whole program.
 *
 * Placeholders, all lower case: a b c d are the operands and the result, t u v w are free. Each is a register pair;
 * `a1` is the upper word of the pair that begins with `a`. p q are predicates, e a uniform register.
 */
#ifndef HEDDLE_SILICON_FORM_TEXT_H
#define HEDDLE_SILICON_FORM_TEXT_H

#include "tests/silicon/form_table.h"

#define FORM_TEXT_MAX 8192u

/* width: bytes of a, b, c, d; 0: not there. Parameters of the program: the addresses pa, pb, pc, pd.
 * A placeholder that does not exist fails the running test. */
void form_text(const struct form_line *form, const unsigned width[4], char text[FORM_TEXT_MAX]);

/* The mnemonic at the start of an instruction, behind a guard; its length. */
unsigned form_mnemonic(const char *insn, const char **start);

#endif
