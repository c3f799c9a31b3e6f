/* SPDX-License-Identifier: Apache-2.0
 * Which kernel is launched how, on the command line: sizes, options, --bus-errors. */
#ifndef HEDDLE_RUN_RUNNER_LAUNCH_OPTIONS_H
#define HEDDLE_RUN_RUNNER_LAUNCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/program.h>
#include "run/job/job.h"
#include "run/options/options.h"

/* Sizes of a launch as a person gives them: blocks and threads of a block, or all threads (OpenCL's global size). The
 * first step of `heddle run` (docs/how-a-launch-travels.md, A 1). */

struct launch_size { /* [0] is 0 where it was not given */
  uint32_t grid[3], block[3], global[3];
};

bool launch_size_take(const char *text, uint32_t size[3]); /* "4", "4,2", "4,2,1", each at least 1 */
/* Does the block depend on the kernel? */
bool launch_size_waits(const struct launch_size *s);
/* Makes grid and block complete. Without a block all threads are put into blocks that the kernel requires, or of at
 * most 64. `p` may be NULL. False: a message. */
bool launch_size_finish(struct launch_size *s, const struct heddle_promise *p, char *err, size_t err_bytes);

/* Which kernel is launched how, on the command line: what `run` and `debug` share. */

struct launch_options {
  const char *file, *kernel;
  struct launch_size size;
  struct cc_options cc;
  uint32_t printf_bytes, heap_bytes;
  uint8_t *bank[4]; /* owned */
  size_t bank_bytes[4];
  struct job job;
};

extern const struct tool_option launch_option_table[];
#define LAUNCH_ARGUMENTS                                                                                               \
  "FILE is a program (.elf), or what one is made of: assembly (.s), PTX (.ptx), OpenCL C (.cl), CUDA C (.cu). An "     \
  "argument A is one of\n  u32:5 s32:-1 f16:1 f32:2.5 f64:1e3 bits64:0x...  a number\n  struct:FILE        a "         \
  "structure, as the bytes of FILE\n  in:FILE            a buffer that the kernel reads\n  out:BYTES:FILE     a "      \
  "buffer that begins as zeros; FILE gets it afterwards\n  inout:FILE:FILE    a buffer that begins as the first "      \
  "file\n  local:BYTES        dynamic shared memory (a __local pointer of OpenCL C)\nA FILE that ends in .npy is "     \
  "NumPy's. TYPE: in front of the last file says what is in it (f32, u8, s64 ...), and - as the last file prints it: " \
  "out:128:f32:- prints 32 numbers."

void launch_options_init(struct launch_options *l);
/* One option of the table; *status: TOOL_OK, or the exit status after a message. False: it is of another table. */
bool launch_options_take(struct launch_options *l, const char *command, int option, int *status);
/* After all were taken: the file, and sizes that fit each other. */
int launch_options_finish(struct launch_options *l, const char *command, int argc, char **argv);
/* The program of the file, made as `with` says. NULL: message on stderr, *status says why. */
struct heddle_program *launch_options_load(const struct launch_options *l, struct source_options with, int *status);
bool launch_options_build(struct launch_options *l, const struct heddle_program *p); /* the job; or a message */
void launch_options_clear(struct launch_options *l);

/* --bus-errors: where memory answers with errors, as text. */

int bus_errors_take(struct job *j, const char *text); /* "0x102000:128", "code+0x40:16"; TOOL_OK, or a message was
                                                       * printed */
bool bus_errors_fit(const struct job *j);             /* after job_build: are they inside the launch's memory? False:
                                                       * printed */

#endif
