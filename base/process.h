/* SPDX-License-Identifier: Apache-2.0
 *
 * Children, threads and descriptors of a library inside a host that may ignore SIGCHLD, wait for any child, block
 * signals, have handlers, or have closed its streams (docs/hosts.md). */
#ifndef HEDDLE_PROCESS_H
#define HEDDLE_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct process {
  const char *const *words; /* words[0] is a path, or is looked for in PATH; NULL ends them */
  const char *folder;       /* where it works; NULL: where the caller does */
  int in, out,
      err; /* its own number, or from descriptor_apart; closed, -1: nothing to read, and what is written is lost */
  const int *keep; /* descriptors that it has, too, by the same numbers */
  size_t kept;
};

/* Runs a child to its end, with usual signals and files of its own that the user alone may read. Its exit status, 128
 * and the signal that ended it, 127: there is no such program; -1: it cannot be started. The status comes through a
 * file, so that it is known whatever the host does with children that have ended. */
int process_run(const struct process *p);
/* Starts one that goes on; false: errno says why. */
bool process_start(const struct process *p, pid_t *pid);
/* Its exit status when it has ended, 128 and the signal that ended it; -1: the host has asked first. */
int process_wait(pid_t pid);

/* A thread on which no handler of the host runs. */
bool thread_start(pthread_t *thread, void *(*work)(void *), void *argument);

/* The same file under a number that is not 0, 1 or 2, closed on exec: where the host has closed its streams, what it
 * prints would go to that file. -1: none is left, or `fd` was; errno says why, and `fd` is closed. */
int descriptor_apart(int fd);
/* fopen(path, "wb") by such a number. */
FILE *file_create(const char *path);
/* "$TMPDIR/heddle-NAME-XXXXXX" for mkstemp and mkdtemp; in /tmp where TMPDIR is no folder to write in, or is long. */
enum { TEMPORARY_PATH = 512 };
void temporary_name(char path[TEMPORARY_PATH], const char *name);
/* A file without a name; -1: none. Read from its start. */
int file_in_memory(const void *data, size_t bytes);

#endif
