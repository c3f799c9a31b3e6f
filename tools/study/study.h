/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle study: a file or two for each study; cmd_study.c lists them. */
#ifndef HEDDLE_STUDY_H
#define HEDDLE_STUDY_H

#include "option.h"

extern const struct tool_option study_divergence_options[];
int study_divergence(int argc, char **argv); /* argv[0] = "divergence" */

#endif
