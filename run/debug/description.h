/* SPDX-License-Identifier: Apache-2.0
 *
 * What gdb is told of the target: its registers and threads, in XML, and the program as a file that gdb can read. */
#ifndef HEDDLE_DEBUG_DESCRIPTION_H
#define HEDDLE_DEBUG_DESCRIPTION_H

#include "run/debug/target.h"

/* malloc'ed text of *size bytes; NULL: no memory. */
char *description_registers(const struct target *t, size_t *size);
char *description_threads(const struct target *t, size_t *size);

/* The program as ELF for an architecture that gdb knows: code, names, lines, and how to find no caller of a kernel. */
uint8_t *description_program(const struct job *j, size_t *size);

#endif
