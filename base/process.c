/* SPDX-License-Identifier: Apache-2.0
 * Children by posix_spawn: no copy of the host's memory, none of its handlers of fork(). */
#define _GNU_SOURCE /* memfd_create, posix_spawn_file_actions_addchdir_np */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_BEFORE = 5 };

/* ---- descriptors */

int descriptor_apart(int fd) {
  if (fd < 0) return -1;
  if (fd > STDERR_FILENO) return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1;
  const int apart = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), why = errno;
  (void)close(fd);
  errno = why;
  return apart;
}

FILE *file_create(const char *path) {
  const int fd = descriptor_apart(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (f == NULL && fd >= 0) (void)close(fd);
  return f;
}

int file_in_memory(const void *data, size_t bytes) {
  const int fd = descriptor_apart(memfd_create("heddle", MFD_CLOEXEC));
  for (size_t done = 0; fd >= 0 && done < bytes;) {
    const ssize_t n = write(fd, (const char *)data + done, bytes - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return (void)close(fd), -1;
    done += (size_t)n;
  }
  if (fd >= 0) (void)lseek(fd, 0, SEEK_SET);
  return fd;
}

void temporary_name(char path[TEMPORARY_PATH], const char *name) {
  const char *top = getenv("TMPDIR");
  if (top != NULL && access(top, W_OK | X_OK) == 0 &&
      snprintf(path, TEMPORARY_PATH, "%s/heddle-%s-XXXXXX", top, name) < TEMPORARY_PATH)
    return;
  (void)snprintf(path, TEMPORARY_PATH, "/tmp/heddle-%s-XXXXXX", name);
}

/* ---- children */

static bool place_files(posix_spawn_file_actions_t *to, const struct process *p, int extra) {
  const int stream[3] = {p->in, p->out, p->err};
  bool well = true;
  for (int i = 0; i < 3; i++)
    well = well && (fcntl(stream[i], F_GETFD) < 0
                        ? posix_spawn_file_actions_addopen(to, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0)
                        : posix_spawn_file_actions_adddup2(to, stream[i], i)) == 0;
  /* onto itself: it is not closed */
  for (size_t i = 0; i < p->kept; i++) well = well && posix_spawn_file_actions_adddup2(to, p->keep[i], p->keep[i]) == 0;
  if (extra >= 0) well = well && posix_spawn_file_actions_adddup2(to, extra, extra) == 0;
  return well && (p->folder == NULL || posix_spawn_file_actions_addchdir_np(to, p->folder) == 0);
}

/* A compiler that waits for its parts, or writes to one that has ended, relies on these two. */
static bool set_signals(posix_spawnattr_t *a) {
  sigset_t none, usual;
  (void)sigemptyset(&none);
  (void)sigemptyset(&usual);
  (void)sigaddset(&usual, SIGCHLD);
  (void)sigaddset(&usual, SIGPIPE);
  return posix_spawnattr_setsigmask(a, &none) == 0 && posix_spawnattr_setsigdefault(a, &usual) == 0 &&
         posix_spawnattr_setflags(a, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0;
}

static bool start(const struct process *p, const char *const *words, int extra, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t a;
  int wrong = posix_spawn_file_actions_init(&actions);
  if (wrong == 0 && (wrong = posix_spawnattr_init(&a)) != 0) (void)posix_spawn_file_actions_destroy(&actions);
  if (wrong != 0) return errno = wrong, false;
  wrong = !place_files(&actions, p, extra) || !set_signals(&a)
              ? ENOMEM
              : posix_spawnp(pid, words[0], &actions, &a, (char *const *)(uintptr_t)words, environ);
  (void)posix_spawnattr_destroy(&a);
  (void)posix_spawn_file_actions_destroy(&actions);
  return errno = wrong, wrong == 0;
}

bool process_start(const struct process *p, pid_t *pid) {
  return start(p, p->words, -1, pid);
}

int process_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) != pid)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A shell writes down how it ended: the host may have that thrown away, or take it in another thread. */
int process_run(const struct process *p) {
  static const char script[] = "umask 077; f=/proc/self/fd/$0; \"$@\"; echo $? >$f";
  char number[16], told[16] = "";
  size_t n = 0;
  pid_t pid;
  while (p->words[n] != NULL) n++;
  const char **words = calloc(n + WORDS_BEFORE, sizeof *words);
  const int status = words != NULL ? file_in_memory(NULL, 0) : -1;
  bool well = status >= 0;
  if (well) {
    (void)snprintf(number, sizeof number, "%d", status);
    const char *const before[] = {"/bin/sh", "-c", script, number};
    memcpy(words, before, sizeof before);
    memcpy(words + sizeof before / sizeof *before, p->words, n * sizeof *words);
    well = start(p, words, status, &pid);
  }
  free(words);
  if (well) (void)process_wait(pid);
  well = well && pread(status, told, sizeof told - 1, 0) > 0;
  if (status >= 0) (void)close(status);
  return well ? (int)strtol(told, NULL, 10) : -1;
}

/* ---- threads */

bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument) {
  sigset_t all, host;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &host);
  const int wrong = pthread_create(thread, NULL, work, argument);
  (void)pthread_sigmask(SIG_SETMASK, &host, NULL);
  return wrong == 0;
}
