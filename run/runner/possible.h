/* SPDX-License-Identifier: Apache-2.0
 *
 * Can the machine that the options name run a job? Checked before a launch; the message names options that can. */
#ifndef HEDDLE_POSSIBLE_H
#define HEDDLE_POSSIBLE_H

#include <jansson.h>

#include "run/job/job.h"
#include "run/options/options.h"

/* A command as it was typed, argv[0] the program; what is shown is it with another machine. */
struct command_line {
  int argc;
  char *const *argv;
  const char *file; /* of the program */
};

/* If it cannot, text has what lacks (the unit, the first instruction, its line; or the limit), which configurations can
 * run it, and what to type. `typed` may be NULL: then only the option is shown. */
bool run_possible(const struct run_options *o, const struct job *j, const struct command_line *typed, char *text,
                  size_t size);

/* The same as data; NULL: it can run, or no memory.
 *   kernel, machine
 *   units           {unit, instructions: how many need it, first: {pc, instruction, file, line}} each
 *   limits          {limit: "warps" "regs" "shared_bytes", wants, has, warps: of the block} each
 *   configurations  names of all that can run it; built: of those, the ones that --on can use now */
json_t *run_refused_json(const struct run_options *o, const struct job *j);

#endif
