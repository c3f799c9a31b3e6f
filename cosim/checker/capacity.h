/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: how much the checker keeps at once.
 *
 * Everything in the checker that has a depth is listed here, with the formula that sizes it from the machine. What does
 * not fit is the difference "checker.capacity": nothing is dropped, nothing is written over, no comparison is skipped.
 * What has no depth of its own: the open instructions of one warp (a list through the pool), the blocks of the grid (a
 * bit each), what is known of the last instructions of a warp for reports (a window: it limits no check).
 */
#ifndef HEDDLE_CHECKER_CAPACITY_H
#define HEDDLE_CHECKER_CAPACITY_H

#include <heddle/checker.h>

#define CAPACITY_MOST 8192u /* instructions: what 16-bit counters of their operand words can count */

struct capacity {
  unsigned entries;    /* instructions under way, of all warps: one warp may have all of them */
  unsigned writes;     /* register writes that a read may not have seen yet */
  unsigned copies;     /* of sectors: what a cache has room for, and what somebody waits for; 0 without a cache */
  unsigned waits;      /* loads that wait for a sector, a sector each; as many stores by line under way, and the like */
  unsigned predicates; /* predicate and uniform writes that an issue of the same warp may not have seen yet */
};

struct capacity capacity_of(const struct heddle_checker_config *cfg);

#endif
