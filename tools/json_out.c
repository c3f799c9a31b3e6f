/* SPDX-License-Identifier: Apache-2.0
 * Where --json goes. */
#include "json_out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static int kept = -1; /* standard output as it was, once it is JSON's */

const char *json_out_take(const char *path) {
  if (strcmp(path, "-") != 0 || kept >= 0) return path;
  (void)fflush(stdout);
  kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept >= 0) (void)dup2(STDERR_FILENO, STDOUT_FILENO);
  return path;
}

FILE *json_out_open(const char *path) {
  if (strcmp(path, "-") != 0) return fopen(path, "w");
  const int fd = kept < 0 ? -1 : fcntl(kept, F_DUPFD_CLOEXEC, 3);
  return fd < 0 ? NULL : fdopen(fd, "w");
}

bool json_out_dump(const char *path, json_t *root) {
  FILE *f = root ? json_out_open(path) : NULL;
  bool ok = f && json_dumpf(root, f, JSON_INDENT(1)) == 0 && fputc('\n', f) != EOF;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) tool_error("%s: cannot write JSON: %s", path, strerror(errno));
  json_decref(root);
  return ok;
}
