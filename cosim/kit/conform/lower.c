/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoiled streams that still show where less is shown, and are called otherwise there, or pass: each with its reason.
 */
#include <string.h>

#include "cosim/kit/conform/set.h"

#define P0 1u
#define P1 2u

static const struct conform_lower lower[] = {
    {"writes_at_once", P0 | P1, HEDDLE_CHECKER_NONE, "who does not show banks may have any number of write ports"},
    {"write_before_read", P0, HEDDLE_CHECKER_NONE, "it is early only beside its operands, which are not shown"},
    {"poison_raw", P0, HEDDLE_CHECKER_NONE, "a read that is too early shows where operands do, if its result is right"},
    {"poison_raw_cycle", P0, HEDDLE_CHECKER_NONE, "a read that is too early shows where operands do"},
    {"poison_raw_raced", P0, HEDDLE_CHECKER_NONE, "a read that is too early shows where operands do"},
    {"form_cycle", P0, HEDDLE_CHECKER_NONE, "its cycle falls behind that of a record which is not shown"},
    {"uniform_write_early", P0, HEDDLE_CHECKER_NONE, "it is early only beside its operands, which are not shown"},
};

const struct conform_lower *conform_lower_of(const char *name, unsigned profile) {
  for (size_t i = 0; i < sizeof lower / sizeof *lower; i++)
    if (strcmp(lower[i].name, name) == 0 && (lower[i].profiles >> profile & 1u) != 0) return &lower[i];
  return NULL;
}
