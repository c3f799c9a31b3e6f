/* SPDX-License-Identifier: Apache-2.0
 *
 * Can the machine that the options name run a job? Asked before a launch; who cannot is told what would. */
#ifndef HEDDLE_POSSIBLE_H
#define HEDDLE_POSSIBLE_H

#include "job.h"
#include "options.h"

/* A command as it was typed, argv[0] the program; what is shown is it with another machine. */
struct command_line {
  int argc;
  char *const *argv;
  const char *file; /* of the program */
};

enum run_can { RUN_CAN, RUN_LACKS_UNIT, RUN_LACKS_ROOM };

/* If it cannot, text has what lacks (the unit, the first instruction, its line; or the limit), which configurations can
 * run it, and what to type. `typed` may be NULL: then only the option is shown. */
enum run_can run_possible(const struct run_options *o, const struct job *j, const struct command_line *typed,
                          char *text, size_t size);

#endif
