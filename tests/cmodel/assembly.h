/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: programs as assembly text.
 */
#ifndef HEDDLE_TEST_ASSEMBLY_H
#define HEDDLE_TEST_ASSEMBLY_H

#include "tests/cmodel/machine.h"

/* The machine's code becomes `text`, without its .kernel and .end lines. The first instruction lies at 0. */
void machine_text(struct machine *x, const char *text);

/* R2:R3 = MEM_BASE. Two instructions. */
#define TEXT_ADDRESS "MOV R2, 0x0 ;\nMOV R3, 0x2 ;\n"

/* R0 = lane, P0 = lane < n. Two instructions. */
#define TEXT_LANES_BELOW(n) "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, " #n ", PT ;\n"

#endif
