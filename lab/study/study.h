/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle study: a file or two for each study; cmd_study.c lists them. */
#ifndef HEDDLE_STUDY_H
#define HEDDLE_STUDY_H

#include <stdint.h>
#include <stdio.h>

#include "run/command/option.h"

extern const struct tool_option study_divergence_options[], study_bounds_options[];
int study_divergence(int argc, char **argv); /* argv[0] = "divergence" */
int study_bounds(int argc, char **argv);

/* cmd_study.c: what studies of the kernels of firmware/kernels share. Each returns an exit status. */
int study_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *to);
/* The arguments from optind on name kernels. */
int study_named(int argc, char **argv);
/* -o DIR: gnuplot runs, and the folder is there. NULL: not requested. */
int study_folder(const char *dir);
/* Each named kernel, all without names; `one` studies it, `dir` is the folder of kernels. */
struct kernel_info;
int study_kernels(int argc, char **argv, int (*one)(void *ctx, const struct kernel_info *k, const char *dir),
                  void *ctx);
/* DIR/NAME.md by `print`. */
int study_page(const char *dir, const char *name, void (*print)(const void *ctx, FILE *f), const void *ctx);

#endif
