/* SPDX-License-Identifier: Apache-2.0
 * Parts shared by the subcommands of `heddle`. Logs go to stderr, results to stdout. */
#ifndef HEDDLE_TOOL_H
#define HEDDLE_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/machine.h>
#include <heddle/program.h>

/* Exit statuses: scripts depend on them. */
enum tool_exit {
  TOOL_OK = 0,
  TOOL_DIFFERENCE = 1, /* a difference, or a failed case */
  TOOL_USAGE = 2,      /* usage, or bad input */
  TOOL_TRAPPED = 3,    /* the program is at fault (and --expect-trap did not name it) */
  TOOL_LIMIT = 4,      /* cycle, instruction or time limit */
  TOOL_MISSING = 5     /* a missing tool, or a configuration that is not built */
};
const char *tool_exit_name(enum tool_exit status); /* in JSON: "ok" "difference" "usage" "fault" "limit" "missing" */
const char *tool_exit_text(enum tool_exit status); /* what it means */

struct tool_group; /* of options: command/option.h */

struct tool_command {
  const char *name, *summary;
  int (*run)(int argc, char **argv); /* argv[0] = name of the subcommand */
  const char *const *usage;          /* what may follow "heddle NAME", a way each; ends with NULL */
  const char *about;               /* what it does: paragraphs, each one line; a line from a space on stays as it is */
  const struct tool_group *groups; /* its options; NULL: none */
  const char *const *examples;     /* whole lines; ends with NULL */
  const char *words;               /* what its first argument can be, with spaces between; NULL: a file */
};
extern const struct tool_command *const tool_commands[];
extern const char tool_summary[]; /* of the program, in a line */
const struct tool_command *tool_find(const char *name);
const char *tool_chapter(const struct tool_command *first); /* of the overview, which begins with it; NULL: none does */
const char *
tool_left_out(const char *name); /* a command that this build has not: what builds it; NULL: there is none */

extern const char *tool_program; /* as it was invoked: what a line to type begins with */

/* "heddle: error: ..." on stderr, one sentence; also kept for JSON (json_out.h). */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tool_log(const char *format, ...) __attribute__((format(printf, 1, 2))); /* a line on stderr */
int tool_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3))); /* TOOL_USAGE */
void tool_message(void *ctx, const struct heddle_message *m); /* FILE:LINE:COLUMN: error: TEXT */
bool tool_color(void);                                        /* stderr is a terminal and NO_COLOR is not set */

/* A whole file, with a 0 behind it; NULL and a message on failure. Caller frees. */
uint8_t *tool_read_file(const char *path, size_t most, size_t *size);
bool tool_write_file(const char *path, const void *data, size_t size);
bool tool_can_write(const char *path); /* whether it could be written; a message if not. It is not left there */

/* "123", "0x7b"; whole text; false when malformed or above `most`. */
bool tool_number(const char *text, uint64_t most, uint64_t *value);

/* A configuration's, or, for NULL, the slowest in each latency (heddle_machine_slowest). False: there is none. */
bool tool_machine(const char *config, struct heddle_machine *m);

/* Largest stall counts of all configurations, or of one. False: no such configuration. */
bool tool_stalls(const char *config, uint8_t stall[8]);

/* The same of unit fp64: cycles, 0 where none of them has it. */
unsigned tool_fp64_latency(const char *config);

/* Files that `heddle` finds by itself. They are in one folder, with the same parts in a build and in an installation
 * (share/heddle):
 *   kernels          firmware/kernels
 *   silicon/kernels  tests/silicon/kernels
 *   silicon/compared.txt  made by the build: instruction forms that equal silicon (fidelity.h)
 *   isa, configs     for users, and for `heddle isa`
 *   debug            for gdb, which `heddle debug` starts
 *   rtl              in a build alone: sources of its devices */

/* The path of `name` in $HEDDLE_DATA, else in share/heddle beside the program or beside its folder, else in the
 * prefix that was configured. False, with an error printed: there is no such folder, or nothing of that name. */
bool data_path(const char *name, char *path, size_t bytes);
bool data_has(const char *name, char *path, size_t bytes); /* the same, and nothing is printed */

/* Pictures by gnuplot, which reads a script with the points in it. */

/* Runs gnuplot on a script in a file of its own (tmpfile); NULL: does it run at all? */
bool picture_gnuplot(FILE *script);
/* gnuplot runs, else TOOL_MISSING with what installs it, in the words of option `what`. */
int picture_ready(const char *what);
/* The path as gnuplot takes it: a quote is doubled, and nothing at its beginning has a meaning. No line breaks. */
void picture_path(FILE *script, const char *path);

#endif
