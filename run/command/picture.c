/* SPDX-License-Identifier: Apache-2.0
 * Pictures by gnuplot. */
#include "picture.h"

#include <unistd.h>

#include "base/process.h"
#include "run/command/tool.h"

/* With `script` as its input, or just its version. */
bool picture_gnuplot(FILE *script) {
  if (script != NULL && (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0)) return false;
  const char *const words[] = {"gnuplot", script != NULL ? "-" : "--version", NULL};
  const bool tells = script != NULL;
  const struct process p = {.words = words,
                            .in = tells ? fileno(script) : -1,
                            .out = tells ? STDOUT_FILENO : -1,
                            .err = tells ? STDERR_FILENO : -1};
  pid_t pid;
  return process_start(&p, &pid) && process_wait(pid) == 0;
}

int picture_ready(const char *what) {
  if (picture_gnuplot(NULL)) return TOOL_OK;
  tool_error("%s: gnuplot does not run; scripts/setup.sh installs it (Debian: gnuplot-nox)", what);
  return TOOL_MISSING;
}

void picture_path(FILE *f, const char *path) {
  fputs(path[0] == '/' ? "'" : "'./", f);
  for (; *path != '\0'; path++) {
    if (*path == '\'') fputc('\'', f);
    fputc(*path, f);
  }
  fputc('\'', f);
}
