/* SPDX-License-Identifier: Apache-2.0
 * Jobs of a board: a case of a kernel, a march test of its memory, its registers. */
#ifndef HEDDLE_TOOLS_BOARD_BOARD_TESTS_H
#define HEDDLE_TOOLS_BOARD_BOARD_TESTS_H

#include <heddle/program.h>
#include "base/file.h"
#include "firmware/board/open.h"
#include "firmware/kernels/kernels.h"
#include "run/board/board_judge.h"

/* A case of a kernel on a device of the driver's: its launches, then the comparison with what the host computed. */

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

/* The march test of a board with a bit file of one (lab/fpga/board/ladder/march_test.sv). */

/* `words` words of 64 bits with each of its patterns; `seen` gets what it found. False: something differs, or there is
 * no such test. */
bool board_march(struct board *b, uint64_t words, char *seen, size_t size);

/* The registers of a core at the other end of a line (isa/abi/host_regs.layout). */

/* Writes and reads what a launch is described by, then starts a grid of no blocks: a core refuses it, registers alone
 * (lab/fpga/board/ladder/registers_only.sv) end it. *core: which of both; `seen` gets what was found. False: something
 * differs. */
bool board_registers(struct board *b, bool *core, char *seen, size_t size);

#endif
