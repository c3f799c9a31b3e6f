/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that `heddle` reads without being told where they are: kernels. They lie in one folder,
 * which has the same parts in a build and in an installation (share/heddle):
 *   kernels          firmware/kernels
 *   silicon/kernels  tests/silicon/kernels
 *   silicon/compared.txt  made by the build: which instruction forms equal silicon (fidelity.h)
 *   isa, configs     for people, and for `heddle isa`
 *   debug            for gdb, which `heddle debug` starts
 *   rtl              in a build alone: what its devices are made of
 */
#ifndef HEDDLE_TOOL_DATA_H
#define HEDDLE_TOOL_DATA_H

#include <stdbool.h>
#include <stddef.h>

/* The path of `name` in $HEDDLE_DATA, else in share/heddle beside the program or beside its folder, else in the
 * prefix that was configured. False, with an error printed: there is no such folder, or nothing of that name. */
bool data_path(const char *name, char *path, size_t bytes);
bool data_has(const char *name, char *path, size_t bytes); /* the same, and nothing is printed */

#endif
