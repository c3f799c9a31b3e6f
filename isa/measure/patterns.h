/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns of bits, ranked by how often they occur: what a table of the most frequent ones would hold.
 */
#ifndef HEDDLE_MEASURE_PATTERNS_H
#define HEDDLE_MEASURE_PATTERNS_H

#include "isa/gen/spec.h"

#define PATTERNS_NEVER UINT32_MAX /* rank of what does not occur where it counts */

struct patterns {
  struct pattern *item; /* by number, then by pattern */
  size_t n;
  uint32_t *rank; /* of item i: 0 the most frequent; as frequent: the smaller number */
};

bool patterns_init(struct patterns *p, size_t n); /* false: no memory */
void patterns_clear(struct patterns *p);
void patterns_set(struct patterns *p, size_t i, u128 bits, bool counts);
/* Fills `rank`; *different: patterns that count. Once. False: no memory. */
bool patterns_rank(struct patterns *p, unsigned *different);

#endif
