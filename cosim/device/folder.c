/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders beside the running library or program.
 */
#define _GNU_SOURCE /* dladdr */
#include "folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool copy_path(const char *from, char *path, size_t bytes) {
  return snprintf(path, bytes, "%s", from) < (int)bytes;
}

static bool readable_below(const char *folder, const char *name, char *path, size_t bytes) {
  const int len = snprintf(path, bytes, "%s/%s", folder, name);
  return len > 0 && len < (int)bytes && access(path, R_OK) == 0;
}

/* In the folder of `file` and in `up` folders above it. */
static bool above(const struct folder_places *p, char *file, unsigned up, char *path, size_t bytes) {
  for (unsigned n = 0; n <= up; n++) {
    char *slash = strrchr(file, '/');
    if (slash == NULL) return false;
    *slash = '\0';
    for (unsigned i = 0; i < 2 && p->beside[i] != NULL; i++)
      if (readable_below(file, p->beside[i], path, bytes)) return true;
  }
  return false;
}

/* Above the shared library (or program) that this code is part of: lib/ or lib/TRIPLE/ of an installation. */
static bool beside_library(const struct folder_places *p, char *path, size_t bytes) {
  Dl_info info;
  char file[PATH_MAX];
  static const char here;
  if (dladdr(&here, &info) == 0 || info.dli_fname == NULL || realpath(info.dli_fname, file) == NULL) return false;
  return above(p, file, 2, path, bytes);
}

/* Beside the program (as a build has it), then beside its folder (bin/ of an installation). */
static bool beside_program(const struct folder_places *p, char *path, size_t bytes) {
  char exe[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (n <= 0) return false;
  exe[n] = '\0';
  return above(p, exe, 1, path, bytes);
}

bool folder_find(const struct folder_places *p, char *path, size_t bytes) {
  const char *chosen = getenv(p->variable);
  if (chosen != NULL) return copy_path(chosen, path, bytes);
  if (beside_library(p, path, bytes)) return true;
  if (beside_program(p, path, bytes)) return true;
  return access(p->installed, R_OK) == 0 && copy_path(p->installed, path, bytes);
}
