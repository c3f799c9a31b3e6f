/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside run/hosts: programs with a host part, run as they are (heddle hosts). */
#ifndef HEDDLE_TOOLS_HOSTS_H
#define HEDDLE_TOOLS_HOSTS_H

#include <regex.h>

#include "run/cases/suite.h"

struct host_program {
  char *name, *command, *folder; /* what a shell runs, and where */
};

/* For messages of a host; without a text there is none. */
struct host_pattern {
  const char *text;
  regex_t compiled;
};

struct hosts {
  struct run_options run;
  const char *dir;  /* a folder, or a list */
  const char *only; /* NULL: all */
  const char *keep; /* where output, figures and capsules stay; NULL: nowhere */
  uint64_t limit;   /* seconds */
  struct host_pattern pass, fail;
  char kept[8192];  /* its name in full */
  char again[1200]; /* the command that repeats it, but for one host */
  struct host_program *program;
  size_t programs;
};

/* Those of q->dir, by name; q->only alone, if it says one. False: message on stderr. */
bool hosts_find(struct hosts *q);
void hosts_clear(struct hosts *q);
/* One host of the suite, in another process. */
void hosts_run_one(void *hosts, size_t item, struct runner *runner, struct suite_verdict *v);
/* Two hosts' files of HEDDLE_STATS=json:FILE: reports the first launch that differs. The exit status. */
int hosts_compare(const char *a, const char *b);

#endif
