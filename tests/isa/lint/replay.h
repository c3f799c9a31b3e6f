/* SPDX-License-Identifier: Apache-2.0
 *
 * A second opinion on control codes, by trying. Every state that a warp's paths can lead to is visited, and nothing is
 * merged: program counter, and results on their way with their cycles to go. Exact, slow, and shares nothing with
 * isa/lint but the decoder. It has DEPBAR with k = 0 only.
 */
#ifndef HEDDLE_TEST_LINT_REPLAY_H
#define HEDDLE_TEST_LINT_REPLAY_H

#include <heddle/isa_tables.h>
#include <heddle/program.h>

/* hazard[i]: instruction i touches something too early on some path, or leads away with something on its way. Fails the
 * running test when there are too many states. Returns how many there were. */
size_t replay(const struct heddle_program *p, bool *hazard);

/* Control codes made weaker, one part at a time. Findings of lint on the result must equal those of trying every path
 * (replay.h), instruction by instruction. A part that is not found wrong must be shown spare in the program as it was,
 * with a reason. */

struct weaken_tally {
  unsigned weaker, wrong, spare;
};

/* Proven (true) or not; fails the running test where lint and replay disagree. */
bool weaken_agree(const struct heddle_program *p, const char *name);
/* Every part of every code; adds to *t. The program is as it was afterwards. $LINT_VERBOSE prints the reasons. */
void weaken_all(struct heddle_program *p, const char *name, struct weaken_tally *t);

/* Reads and writes of an instruction, worked out from its decoded fields alone, apart from the library's own list. */

/* R0-R254: 0-254; UR0-UR62: 1000-1062; P0-P6: 2000-2006; UP0-UP6: 3000-3006 */
struct places {
  uint16_t at[40];
  unsigned count;
};

struct places reads_of(const struct heddle_isa_dec *d);

#endif
