/* SPDX-License-Identifier: Apache-2.0
 * Many independent cases, in several processes: a case that crashes or kills its process fails, and the others go on.
 * Progress on a terminal; the closing line, JSON and JUnit as all commands have them. */
#ifndef HEDDLE_SUITE_H
#define HEDDLE_SUITE_H

#include "run/runner/conclude.h"
#include "run/runner/runner.h"

struct suite_verdict {
  size_t item;
  bool passed;
  enum run_status status;
  struct signature diagnosis; /* of a run that failed; may be empty */
  uint64_t max_cycles;        /* the limit that it ran under; 0: as the options say */
  uint64_t retired, cycles;
  uint64_t counter[RUN_COUNTERS];
  double seconds;
  unsigned left;   /* of one that failed and was made small: instructions; 0: it was not */
  char small[512]; /* the file that shows it, or empty */
  char note[128];  /* of a case that passed: what was measured; may be empty */
  char why[1024];  /* of one that failed */
  json_t *refused; /* of one that the machine cannot run: it failed, too (possible.h); owned by the suite */
};

struct suite {
  const char *command, *what; /* "ops", "forms" */
  const char *dir;            /* of the cases; NULL: they are made, and `again` is there */
  const char *again;          /* the command that repeats a case; NULL: tool_program COMMAND DIR */
  const struct run_options *run;
  size_t items;
  bool alone; /* a process for each item, so that nothing is left of the one before */
  /* Makes `o`, a copy of *run, what this item runs with, for the command that repeats it; NULL: it is just that. */
  void (*options)(void *ctx, size_t item, struct run_options *o);
  const char *(*name)(void *ctx, size_t item);
  /* Runs in another process. `runner` serves several items, or is NULL where each runs alone. */
  void (*one)(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v);
  void *ctx;
};

/* A verdict's failure, for `one`. */
void suite_fail(struct suite_verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Can the machine of `run` run it? If not, it has failed: the verdict names what lacks, and machines that have it
 * (possible.h). */
bool suite_can_run(struct suite_verdict *v, const struct run_options *run, const struct job *j);
/* Message of a run that did not end well; false: it did. */
bool suite_take_result(struct suite_verdict *v, const struct run_result *r, const struct heddle_program *p);

/* The exit status. */
int suite_run(const struct suite *s);

/* A folder of cases, listed in a JSON file: options, loading, running. The command executes one case. */

struct suite_list {
  struct run_options run;
  const char *dir, *only, *compared; /* compared: NULL, or the file that gets lines of fidelity.h */
  json_t *root;                      /* the file; borrowed by the items */
  json_t **item;                     /* to run */
  size_t items;
  const struct suite_list_kind *kind;
  void *ctx; /* the command's */
};

struct suite_list_kind {
  const char *command, *what; /* "ops", "forms" */
  const char *file;           /* "ops.json" */
  const char *list, *name;    /* keys: of the list in the file, of a case's name */
  /* Reads further members of the file: NULL, or an expectation. May be NULL itself. */
  const char *(*head)(struct suite_list *l);
  void (*one)(void *list, size_t item, struct runner *runner, struct suite_verdict *v); /* struct suite_list */
};

extern const struct tool_option suite_list_options[]; /* --only, --compared */

/* A member's text; NULL: none. */
const char *suite_list_text(const json_t *j, const char *key);
/* "?" without one. `list` is a struct suite_list. */
const char *suite_list_name(void *list, size_t item);

/* For --compared: what a case has come to, of so many inputs. */
void suite_list_compared(const struct suite_list *l, size_t item, const struct heddle_program *p,
                         const struct run_result *r, struct suite_verdict *v, uint64_t inputs);

/* All of the command: its exit status. */
int suite_list_main(const struct suite_list_kind *kind, void *ctx, int argc, char **argv);

#endif
