/* SPDX-License-Identifier: Apache-2.0
 *
 * Children and threads of a library in a host that may ignore SIGCHLD, wait for any child, or block signals. It may
 * also have handlers, or closed streams (docs/hosts.md). Further functions are for programs alone. */
#ifndef HEDDLE_PROCESS_H
#define HEDDLE_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
  const char *const *words; /* words[0] is a path, or is looked for in PATH; NULL ends them */
  const char *program;      /* the file that is run, where words[0] is only its name; NULL: words[0]. Not process_run */
  const char *folder;       /* where it works; NULL: where the caller does */
  int in, out,
      err; /* its own number, or from descriptor_apart; closed, -1: nothing to read, and what is written is lost */
  const int *keep; /* descriptors that it has, too, by the same numbers */
  size_t kept;
  const char *const *settings; /* "NAME=value", in place of what the environment has; NULL ends them. NULL: none */
  bool group;                  /* it begins a group of processes, which ends with it (process_wait_for) */
};

/* Runs a child to its end, with usual signals and files of its own that the user alone may read. Its exit status, 128
 * and the signal that ended it, 127: there is no such program; -1: it cannot be started. The status comes through a
 * file, so that it is known whatever the host does with children that have ended. */
int process_run(const struct process *p);
/* Starts one that goes on; false: errno says why. */
bool process_start(const struct process *p, pid_t *pid);
/* Its exit status at its end, 128 and the signal that ended it; -1: the host has waited for it first. */
int process_wait(pid_t pid);
/* The same of the first of a group. All of the group is killed when it has ended, or when the time is over (*late). */
int process_wait_for(pid_t pid, double seconds, bool *late);
/* Has it ended? Without waiting; call it no more afterwards. */
bool process_has_ended(pid_t pid);
/* The first line that it prints, without its end; "": there is none, or its exit status is not 0. */
void process_first_line(const char *const words[], char *line, size_t size);

/* A monotonic clock. */
double seconds_now(void);
/* A thread on which no handler of the host runs. */
bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument);

/* ---- for programs of our own: a library does none of this to its host */

/* A copy of this process, which ends with `work` and its result, and does not outlive the caller's thread. It writes to
 * `to` what the caller reads from *from; *from NULL: nothing. False: errno says why. */
bool process_fork(int (*work)(void *ctx, int to), void *ctx, pid_t *pid, int *from);
/* This process becomes the program. Returns if it cannot; errno says why. */
void process_become(const struct process *p);
/* Waits for any child; -1: there is none. */
pid_t process_wait_any(int *status);
/* From now on SIGINT and SIGTERM, unless they are ignored, first end all children and remove all temporary files
 * (file.h). */
void process_cleans_up(void);

#endif
