/* SPDX-License-Identifier: Apache-2.0
 * Pictures by gnuplot. */
#include "picture.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/tool.h"

/* In the new process: gnuplot with `script` as its input, or just its version. Never returns. */
static void become(FILE *script) {
  const int nowhere = open("/dev/null", O_RDWR), in = script != NULL ? fileno(script) : nowhere;
  const bool ready = script != NULL || (dup2(nowhere, 1) == 1 && dup2(nowhere, 2) == 2);
  if (ready && dup2(in, 0) == 0) execlp("gnuplot", "gnuplot", script != NULL ? "-" : "--version", (char *)NULL);
  _exit(127);
}

bool picture_gnuplot(FILE *script) {
  int status = -1;
  if (script != NULL && (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0)) return false;
  const pid_t pid = fork();
  if (pid == 0) become(script);
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
