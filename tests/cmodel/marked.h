/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: programs with undefined bits, each run alone and in lockstep, which must say the same.
 */
#ifndef HEDDLE_TEST_MARKED_H
#define HEDDLE_TEST_MARKED_H

#include "tests/cmodel/assembly.h"

#define MARKED_ALL 0xffffffffu

/* R2:R3 = the thread's 16 bytes of global memory, R1 = of shared memory, R0 = its lane. Five instructions. */
#define MARKED_PLACES                                                                                                  \
  "S2R R0, SR_LANEID ;\nMOV R2, 0x0 ;\nMOV R3, 0x2 ;\nIMAD.WIDE.U32 R2, R0, 0x10, R2 ;\nIMAD R1, R0, 0x10, RZ ;\n"

/* With 0x200 bytes of shared and 0x40 of local memory. */
void marked_begin(struct machine *x, const char *text);
/* way 0: alone; 1: one warp in lockstep, each access performed at once. */
enum heddle_status marked_run(struct machine *x, unsigned way);
/* It ends well. */
void marked_good(const char *text);

/* What is told: where, of what, and what it goes back to (NULL: not looked at). */
struct marked_use {
  uint32_t pc, lanes;
  const char *what, *origin;
  uint32_t first_pc;
};
void marked_bad(const char *text, const struct marked_use *want);

#endif
