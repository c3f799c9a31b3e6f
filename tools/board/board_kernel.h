/* SPDX-License-Identifier: Apache-2.0
 *
 * A case of a kernel on a device of the driver's: its launches, then the comparison with what the host computed. */
#ifndef HEDDLE_BOARD_KERNEL_H
#define HEDDLE_BOARD_KERNEL_H

#include "run/board/board_wait.h"
#include <heddle/program.h>
#include "firmware/kernels/kernels.h"
#include "base/file.h"

struct board_totals {
  uint64_t launches, retired, cycles;
};

/* The driver takes files: a form of a kernel, or a program, as one of a name of its own, which is the caller's to
 * remove. False: it cannot be made. */
bool board_kernel_save(const struct kernel_info *k, enum kernel_form form, char path[TEMPORARY_PATH]);
bool board_program_save(const struct heddle_program *p, char path[TEMPORARY_PATH]);

/* `elf`: the kernel's program. False: why in `why`; *lacking: the device has no unit that it needs, or no room. */
bool board_kernel_run(struct heddle_context *c, const char *elf, const struct kernel_case *k, struct board_patience *p,
                      struct board_totals *t, bool *lacking, char *why, size_t bytes);

#endif
