/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of a command as data. One table gives the input of getopt_long, --help, the manual page and the
 * completion of the shell, so that all of them have the same options.
 */
#ifndef HEDDLE_TOOLS_OPTION_H
#define HEDDLE_TOOLS_OPTION_H

#include <getopt.h>
#include <stdio.h>

#include "run/command/tool.h"

/* One option. An argument that begins with FILE is completed by files, one that begins with DIR or BUILD by folders,
 * that of --config by the configurations. */
struct tool_option {
  const char *name;     /* "config" for --config; of one letter: "o" for -o. NULL ends a table */
  const char *argument; /* "NAME"; NULL: it takes none; "[=NAME]": it may be left out (not of one letter) */
  const char *help;     /* any length; one space between words */
  int value;            /* what tool_option_next returns; not 0, '?' nor below */
  const char *words;    /* what the argument can be, in one text with spaces between; NULL: anything */
};

/* Options under one title; a command's list of them ends with one without options. */
struct tool_group {
  const char *title; /* NULL: none */
  const struct tool_option *option;
};

/* Its argument may be left out. */
bool tool_option_may(const struct tool_option *o);

/* Most options of a command. */
#define TOOL_OPTIONS_MAX 64u

/* As getopt_long, with optarg and optind; -1: there are no more. '?': an option that is not known, or lacks its
 * argument, or has one too many; it has been said, and TOOL_USAGE is the command's exit status. */
int tool_option_next(const char *command, const struct tool_group *groups, int argc, char **argv);

/* After '?' nothing more; else says that optarg is nothing that the option of this value takes. TOOL_USAGE. */
int tool_option_bad(const char *command, const struct tool_group *groups, int value);

/* Output of --help; the options alone. */
void tool_options_text(FILE *to, const struct tool_group *groups);
void tool_help_text(FILE *to, const struct tool_command *c);

#endif
