/* SPDX-License-Identifier: Apache-2.0
 *
 * A second opinion on control codes, by trying: every state that a warp's paths can lead to (program counter, and what
 * is on its way with how many cycles to go) is visited, nothing is merged. Exact, slow, and shares nothing with
 * isa/lint but the decoder. Knows DEPBAR with k = 0 only. */
#ifndef HEDDLE_TEST_LINT_REPLAY_H
#define HEDDLE_TEST_LINT_REPLAY_H

#include <heddle/program.h>

/* hazard[i]: instruction i touches something too early on some path, or leads away with something on its way. Fails the
 * running test when there are too many states. Returns how many there were. */
size_t replay(const struct heddle_program *p, bool *hazard);

#endif
