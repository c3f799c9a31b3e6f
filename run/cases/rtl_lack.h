/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions of a program the RTL does not know yet, or a machine with other units does not have: computed from
 * the words, never from a list of names. */
#ifndef HEDDLE_RTL_LACK_H
#define HEDDLE_RTL_LACK_H

#include <stddef.h>

#include <heddle/program.h>

/* Their names with modifiers, each once, by the alphabet, with ", " between; what does not fit ends in "...".
 * `units`: bit per enum heddle_isa_unit. How many there are; 0: the machine can run the program. */
unsigned rtl_lack(const struct heddle_program *p, uint32_t units, char *text, size_t size);

#endif
