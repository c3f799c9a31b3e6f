/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch has printed. */
#ifndef HEDDLE_PRINTED_H
#define HEDDLE_PRINTED_H

#include "run/runner/runner.h"

/* On stdout, from an image of global memory [mem_base, mem_base + mem_bytes), when the grid has ended or trapped; what
 * found no room is told on stderr. Both are counted in the result. */
void printed_show(const struct job *j, const uint8_t *image, struct run_result *r);

#endif
