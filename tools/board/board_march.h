/* SPDX-License-Identifier: Apache-2.0
 *
 * The march test of a board whose bit file has one (lab/fpga/board/ladder/march_test.sv). */
#ifndef HEDDLE_BOARD_MARCH_H
#define HEDDLE_BOARD_MARCH_H

#include "firmware/board/open.h"

/* `words` words of 64 bits with each of its patterns; `seen` gets what it found. False: something differs, or there is
 * no such test. */
bool board_march(struct board *b, uint64_t words, char *seen, size_t size);

#endif
