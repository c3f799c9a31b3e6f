/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM with an L1 at random: right ones are accepted, thousands of them; each way of being wrong is found.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/cached_sm.h"

enum { TRIES = 200 };
static unsigned seeds = 3000;

static void right(void **state) {
  (void)state;
  struct sm_outcome o, all = {.kind = HEDDLE_CHECKER_NONE};
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    sm_run(seed, SM_RIGHT, seed % 4 != 0 ? HEDDLE_CHECKER_CACHE_CLOSES : 0, &o);
    if (o.kind != HEDDLE_CHECKER_NONE)
      fail_msg("seed %llu, after %llu records: %s (%s)", (unsigned long long)seed, (unsigned long long)o.records,
               heddle_checker_kind_name(o.kind), o.note);
    all.records += o.records;
    all.hits += o.hits;
    all.joins += o.joins;
    all.overtaken += o.overtaken;
    all.replaced += o.replaced;
    all.fences += o.fences;
    all.barriers += o.barriers;
  }
  print_message(
      "%u runs: %llu records, %llu hits, %llu joined, %llu overtaken, %llu replaced, %llu fences, %llu barriers\n",
      seeds, (unsigned long long)all.records, (unsigned long long)all.hits, (unsigned long long)all.joins,
      (unsigned long long)all.overtaken, (unsigned long long)all.replaced, (unsigned long long)all.fences,
      (unsigned long long)all.barriers);
  assert_true(all.hits > seeds && all.joins > seeds && all.overtaken > seeds && all.replaced > seeds &&
              all.fences > seeds && all.barriers > seeds / 2);
}

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Each is found within some seeds; the median of those that it takes from each start is told. */
static void planted(void **state) {
  (void)state;
  for (unsigned f = SM_RIGHT + 1; f < SM_FAULTS; f++) {
    unsigned found = 0, done = 0, kinds[HEDDLE_CHECKER_KIND_COUNT] = {0};
    uint64_t records[TRIES];
    for (uint64_t seed = 1; seed <= TRIES; seed++) {
      struct sm_outcome o;
      sm_run(seed, (enum sm_fault)f, HEDDLE_CHECKER_CACHE_CLOSES, &o);
      done += o.planted;
      if (o.kind == HEDDLE_CHECKER_NONE) continue;
      kinds[o.kind]++;
      records[found++] = o.records;
    }
    if (found == 0) fail_msg("%s: never found in %u of %u seeds", sm_fault_name((enum sm_fault)f), done, TRIES);
    qsort(records, found, sizeof *records, ascending);
    unsigned most = 0;
    for (unsigned k = 0; k < HEDDLE_CHECKER_KIND_COUNT; k++)
      if (kinds[k] > kinds[most]) most = k;
    print_message("%-16s done in %3u of %u seeds, found in %3u, after %4llu records (median); mostly %s\n",
                  sm_fault_name((enum sm_fault)f), done, TRIES, found, (unsigned long long)records[found / 2],
                  heddle_checker_kind_name((enum heddle_checker_kind)most));
  }
}

/* tests_checker cosim.visibility_random [SEEDS]: right ones alone, so many. */
int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest right_ones[] = {cmocka_unit_test(right)};
  const struct CMUnitTest tests[] = {cmocka_unit_test(right), cmocka_unit_test(planted)};
  if (argc > 1) {
    seeds = (unsigned)strtoul(argv[1], NULL, 0);
    return cmocka_run_group_tests(right_ones, NULL, NULL);
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
