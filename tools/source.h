/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs from whatever a file holds: NAME.ptx is compiled, NAME.s assembled, anything else loaded as ELF. */
#ifndef HEDDLE_SOURCE_H
#define HEDDLE_SOURCE_H

#include "heddle/program.h"

/* For the slowest of all built configurations. NULL: *first is the first error; all others and all warnings are lost.
 */
struct heddle_program *source_load(const char *path, struct heddle_message *first);

#endif
