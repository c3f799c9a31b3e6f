/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions of a program the RTL does not know yet: computed from the words, never from a list of names. */
#ifndef HEDDLE_RTL_LACK_H
#define HEDDLE_RTL_LACK_H

#include <stddef.h>

#include "heddle/program.h"

/* Their names with modifiers, each once, by the alphabet, with ", " between; what does not fit ends in "...".
 * How many there are; 0: the RTL can run the program. */
unsigned rtl_lack(const struct heddle_program *p, char *text, size_t size);

#endif
