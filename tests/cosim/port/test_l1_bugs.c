/* SPDX-License-Identifier: Apache-2.0
 * * Each bug of the L1 in C is found within so many seeds, by values and the rules of rig and channel alone.
 *   tests_cosim l1_bugs [SEEDS [BUG]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/cosim/port/l1_rig.h"

int TEST_MAIN(int argc, char **argv) {
  const unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 40;
  const unsigned only = argc > 2 ? heddle_l1_bug_find(argv[2]) : 0;
  unsigned found = 0, all = 0;
  for (unsigned b = 1; heddle_l1_bug_name(b) != NULL; b++) {
    unsigned seed = 1;
    if (only != 0 && b != only) continue;
    all++;
    for (; seed <= seeds; seed++) {
      struct rig *g = rig_new(seed, b);
      rig_run(g, 2, 1500);
      const bool wrong = g->wrong[0] != 0;
      if (wrong) printf("%-20s seed %3u  %s\n", heddle_l1_bug_name(b), seed, g->wrong);
      rig_free(g);
      if (wrong) break;
    }
    if (seed <= seeds)
      found++;
    else
      printf("%-20s not found in %u seeds: %s\n", heddle_l1_bug_name(b), seeds, heddle_l1_bug_meaning(b));
  }
  printf("%u of %u found\n", found, all);
  return found == all ? 0 : 1;
}
