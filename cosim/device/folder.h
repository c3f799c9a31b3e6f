/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders beside libraries and programs: data files, devices. Looked for when the program runs, so that a build or an
 * installation can be moved as a whole.
 */
#ifndef HEDDLE_FOLDER_H
#define HEDDLE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct folder_places {
  const char *variable;  /* an environment variable; where it is set, nothing else is tried */
  const char *beside[2]; /* paths beside the calling library or program, or above it; NULL: none */
  const char *installed; /* the path in the prefix that was configured */
};

/* The first of the places that can be read, in that order. False: none, or `bytes` are too few. */
bool folder_find(const struct folder_places *places, char *path, size_t bytes);

#endif
