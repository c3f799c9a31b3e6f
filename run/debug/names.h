/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a thread is, by the names that its language has for it. */
#ifndef HEDDLE_DEBUG_NAMES_H
#define HEDDLE_DEBUG_NAMES_H

#include <heddle/program.h>
#include "base/array.h"

/* To a program's .debug_info, .debug_abbrev and .debug_macinfo; nothing where there is no .debug_info. OpenCL C is
 * called C in it. */
void names_add(const struct heddle_program *p, struct bytes *info, struct bytes *abbrev, struct bytes *macros);

#endif
