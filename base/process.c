/* SPDX-License-Identifier: Apache-2.0
 * Children by posix_spawn: no copy of the host's memory, none of its handlers of fork(). */
#define _GNU_SOURCE /* pipe2, execvpe, posix_spawn_file_actions_addchdir_np */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

enum { WORDS_BEFORE = 5, NOT_STARTED = 127, BY_SIGNAL = 128 };

/* ---- those that run, so that a handler of signals finds them */

enum { CHILDREN = 256 };

/* A process; a group, less than 0; 0: none. What has no place here is only not ended then. */
static _Atomic int child[CHILDREN];

static void note(pid_t pid, bool group) {
  for (unsigned i = 0; i < CHILDREN; i++) {
    int none = 0;
    if (atomic_compare_exchange_strong(&child[i], &none, group ? -(int)pid : (int)pid)) return;
  }
}

static void unnote(pid_t pid) {
  for (unsigned i = 0; i < CHILDREN; i++) {
    int one = (int)pid, group = -(int)pid;
    if (atomic_compare_exchange_strong(&child[i], &one, 0) || atomic_compare_exchange_strong(&child[i], &group, 0))
      return;
  }
}

/* ---- how one starts */

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
static bool set_signals(posix_spawnattr_t *a, bool group) {
  const int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (group ? POSIX_SPAWN_SETPGROUP : 0);
  sigset_t none, usual;
  (void)sigemptyset(&none);
  (void)sigemptyset(&usual);
  (void)sigaddset(&usual, SIGCHLD);
  (void)sigaddset(&usual, SIGPIPE);
  return posix_spawnattr_setsigmask(a, &none) == 0 && posix_spawnattr_setsigdefault(a, &usual) == 0 &&
         posix_spawnattr_setflags(a, (short)flags) == 0;
}

/* Of the same name, up to "=". */
static bool is_set(const char *const *settings, const char *variable) {
  const size_t name = strcspn(variable, "=");
  for (; *settings != NULL; settings++)
    if (strncmp(*settings, variable, name) == 0 && (*settings)[name] == '=') return true;
  return false;
}

/* The environment with the settings: the caller frees the list, no more; NULL: no memory. */
static char **environment(const char *const *settings) {
  size_t n = 1, k = 0;
  for (size_t i = 0; environ[i] != NULL; i++) n++;
  for (size_t i = 0; settings[i] != NULL; i++) n++;
  char **all = calloc(n, sizeof *all);
  for (size_t i = 0; all != NULL && environ[i] != NULL; i++)
    if (!is_set(settings, environ[i])) all[k++] = environ[i];
  for (size_t i = 0; all != NULL && settings[i] != NULL; i++) all[k++] = (char *)(uintptr_t)settings[i]; /* only read */
  return all;
}

static int spawn(const struct process *p, const char *const *words, int extra, char *const *env, pid_t *pid) {
  const char *file = p->program != NULL ? p->program : words[0];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t a;
  int wrong = posix_spawn_file_actions_init(&actions);
  if (wrong == 0 && (wrong = posix_spawnattr_init(&a)) != 0) (void)posix_spawn_file_actions_destroy(&actions);
  if (wrong != 0) return wrong;
  wrong = !place_files(&actions, p, extra) || !set_signals(&a, p->group)
              ? ENOMEM
              : posix_spawnp(pid, file, &actions, &a, (char *const *)(uintptr_t)words, env);
  (void)posix_spawnattr_destroy(&a);
  (void)posix_spawn_file_actions_destroy(&actions);
  return wrong;
}

static bool start(const struct process *p, const char *const *words, int extra, pid_t *pid) {
  char **own = p->settings != NULL ? environment(p->settings) : NULL;
  const int wrong = p->settings != NULL && own == NULL ? ENOMEM : spawn(p, words, extra, own ? own : environ, pid);
  free(own);
  if (wrong == 0) note(*pid, p->group);
  return errno = wrong, wrong == 0;
}

bool process_start(const struct process *p, pid_t *pid) {
  return start(p, p->words, -1, pid);
}

/* ---- how it ends */

static int status_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

int process_wait(pid_t pid) {
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR) continue;
  unnote(pid);
  return ended == pid ? status_of(status) : -1;
}

bool process_has_ended(pid_t pid) {
  if (waitpid(pid, NULL, WNOHANG) != pid) return false;
  unnote(pid);
  return true;
}

double seconds_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int process_wait_for(pid_t pid, double seconds, bool *late) {
  const double until = seconds_now() + seconds;
  const struct timespec nap = {.tv_nsec = 2000000};
  int status = 0;
  pid_t ended;
  *late = false;
  while (((ended = waitpid(pid, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) && !*late) {
    *late = seconds_now() > until;
    if (!*late) (void)nanosleep(&nap, NULL);
  }
  (void)kill(-pid, SIGKILL);
  if (*late) return process_wait(pid);
  unnote(pid);
  return ended == pid ? status_of(status) : -1;
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

void process_first_line(const char *const words[], char *line, size_t size) {
  const int out = file_in_memory(NULL, 0);
  const struct process p = {.words = words, .in = -1, .out = out, .err = -1};
  const ssize_t n = out >= 0 && process_run(&p) == 0 ? pread(out, line, size - 1, 0) : 0;
  line[n > 0 ? n : 0] = '\0';
  if (out >= 0) (void)close(out);
  line[strcspn(line, "\n")] = '\0';
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

/* ---- programs of our own */

/* In the copy: never returns. */
_Noreturn static void go_on(int (*work)(void *ctx, int to), void *ctx, const int ends[2], pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(NOT_STARTED);
  for (unsigned i = 0; i < CHILDREN; i++) atomic_store(&child[i], 0);
  temporary_forget_all();
  if (ends[0] >= 0) (void)close(ends[0]);
  _exit(work(ctx, ends[1]));
}

bool process_fork(int (*work)(void *ctx, int to), void *ctx, pid_t *pid, int *from) {
  const pid_t parent = getpid();
  int ends[2] = {-1, -1};
  (void)fflush(NULL);
  if (from != NULL && pipe2(ends, O_CLOEXEC) != 0) return false;
  *pid = fork();
  if (*pid == 0) go_on(work, ctx, ends, parent);
  if (*pid > 0) note(*pid, false);
  if (from != NULL) (void)close(ends[1]);
  if (from != NULL && *pid < 0) (void)close(ends[0]);
  if (from != NULL) *from = *pid > 0 ? ends[0] : -1;
  return *pid > 0;
}

void process_become(const struct process *p) {
  const int stream[3] = {p->in, p->out, p->err};
  for (int i = 0; i < 3; i++)
    if (stream[i] != i && dup2(stream[i], i) < 0) return;
  char **own = p->settings != NULL ? environment(p->settings) : NULL;
  if ((p->settings == NULL || own != NULL) && (p->folder == NULL || chdir(p->folder) == 0))
    (void)execvpe(p->program ? p->program : p->words[0], (char *const *)(uintptr_t)p->words, own ? own : environ);
  free(own);
}

pid_t process_wait_any(int *status) {
  int s = 0;
  pid_t pid;
  while ((pid = waitpid(-1, &s, 0)) < 0 && errno == EINTR) continue;
  if (pid > 0) unnote(pid);
  *status = status_of(s);
  return pid;
}

/* Everything here may be called in a handler. */
static void clean_up(int signal_number) {
  for (unsigned i = 0; i < CHILDREN; i++) {
    const int pid = atomic_load(&child[i]);
    if (pid != 0) (void)kill(pid, pid < 0 ? SIGKILL : SIGTERM);
  }
  temporary_remove_all();
  const struct sigaction usual = {.sa_handler = SIG_DFL};
  (void)sigaction(signal_number, &usual, NULL);
  (void)raise(signal_number);
}

void process_cleans_up(void) {
  static const int of[] = {SIGINT, SIGTERM};
  struct sigaction a = {.sa_handler = clean_up}, before;
  (void)sigemptyset(&a.sa_mask);
  (void)sigaddset(&a.sa_mask, SIGINT);
  (void)sigaddset(&a.sa_mask, SIGTERM);
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
    if (sigaction(of[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) (void)sigaction(of[i], &a, NULL);
}
