/* SPDX-License-Identifier: Apache-2.0
 *
 * The ceiling of the model's speed: decoded operations as function pointers over rows of 32 lanes, and nothing else: no
 * masks, predicates, NaN rules, program counters. Operations and numbers are those of the kernels. */
#ifndef HEDDLE_TOOL_BENCH_BARE_H
#define HEDDLE_TOOL_BENCH_BARE_H

#include <stdint.h>

enum bare_kind { BARE_FFMA, BARE_INTEGER, BARE_MIXED, BARE_KINDS };

/* Executes at least `operations` row operations of a kind; how many, exactly. */
uint64_t bare_run(enum bare_kind kind, uint64_t operations);

#endif
