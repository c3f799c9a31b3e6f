/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders beside the running program.
 */
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool copy(const char *from, char *path, size_t bytes) {
  return snprintf(path, bytes, "%s", from) < (int)bytes;
}

static bool readable_below(const char *folder, const char *name, char *path, size_t bytes) {
  const int len = snprintf(path, bytes, "%s/%s", folder, name);
  return len > 0 && len < (int)bytes && access(path, R_OK) == 0;
}

/* Beside the program (as a build has it), then beside its folder (bin/ of an installation). */
static bool beside_program(const struct folder_places *p, char *path, size_t bytes) {
  char exe[3072];
  const ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (n <= 0) return false;
  exe[n] = '\0';
  for (unsigned up = 0; up < 2; up++) {
    char *slash = strrchr(exe, '/');
    if (slash == NULL) return false;
    *slash = '\0';
    for (unsigned i = 0; i < 2 && p->beside[i] != NULL; i++)
      if (readable_below(exe, p->beside[i], path, bytes)) return true;
  }
  return false;
}

bool folder_find(const struct folder_places *p, char *path, size_t bytes) {
  const char *chosen = getenv(p->variable);
  if (chosen != NULL) return copy(chosen, path, bytes);
  if (beside_program(p, path, bytes)) return true;
  return access(p->installed, R_OK) == 0 && copy(p->installed, path, bytes);
}
