/* SPDX-License-Identifier: Apache-2.0
 * The process that is copied, and the copy. */
#include "process_copy.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/process.h"

static bool make(void *self, int *pid, int *line) {
  int pair[2];
  (void)self;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  *pid = fork();
  const int mine = *pid == 0 ? 1 : 0;
  *line = pair[mine];
  (void)close(pair[1 - mine]);
  if (*pid == 0) (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (*pid < 0) (void)close(*line);
  return *pid >= 0;
}

static bool quiet(void *self, int line) {
  const int nowhere = open("/dev/null", O_WRONLY);
  DIR *files = opendir("/proc/self/fd");
  (void)self;
  if (nowhere < 0 || files == NULL) return false;
  for (const struct dirent *e; (e = readdir(files)) != NULL;) {
    const int fd = atoi(e->d_name), how = e->d_name[0] != '.' ? fcntl(fd, F_GETFL) : -1;
    if (how < 0 || (how & O_ACCMODE) == O_RDONLY || fd == line || fd == nowhere) continue;
    if (dup2(nowhere, fd) < 0) return false;
  }
  return closedir(files) == 0 && close(nowhere) == 0;
}

static void end(void *self, bool well) {
  (void)self;
  _exit(well ? 0 : 1);
}

static void await_copy(void *self, int pid) {
  (void)self;
  (void)process_wait(pid);
}

const struct heddle_session_copies process_copies = {
    .size = sizeof process_copies, .make = make, .quiet = quiet, .end = end, .await = await_copy};
