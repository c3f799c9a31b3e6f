/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder of cases that a JSON file in it lists: options, loading, running. What one case does is the command's. */
#ifndef HEDDLE_SUITE_LIST_H
#define HEDDLE_SUITE_LIST_H

#include "run/runner/result_json.h"
#include "run/cases/suite.h"

struct suite_list {
  struct run_options run;
  const char *dir, *only, *compared; /* compared: NULL, or the file that gets lines of issued.h */
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
  /* Reads what else stands in the file: NULL, or what is expected there. May be NULL itself. */
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
