/* SPDX-License-Identifier: Apache-2.0
 *
 * gdb's agent expressions: conditions of breakpoints, as a small stack machine's code that gdb makes of them, asked of
 * each lane that comes to the breakpoint. The code is not to be trusted. */
#ifndef HEDDLE_DEBUG_AGENT_H
#define HEDDLE_DEBUG_AGENT_H

#include "run/debug/target.h"

/* As the thread sees it. False: it cannot be computed. */
bool agent_evaluate(const struct target *t, unsigned slot, unsigned lane, const uint8_t *code, size_t bytes,
                    uint64_t *value);

#endif
