/* SPDX-License-Identifier: Apache-2.0
 *
 * The registers of a core at the other end of a line (isa/abi/host_regs.layout). */
#ifndef HEDDLE_BOARD_REGISTERS_H
#define HEDDLE_BOARD_REGISTERS_H

#include "firmware/board/open.h"

/* Writes and reads what a launch is described by, then starts a grid of no blocks: a core refuses it, registers alone
 * (lab/fpga/board/ladder/registers_only.sv) end it. *core: which of both; `seen` gets what was found. False: something
 * differs. */
bool board_registers(struct board *b, bool *core, char *seen, size_t size);

#endif
