/* SPDX-License-Identifier: Apache-2.0
 *
 * Several SMs with caches at random, before one bank and before several, their streams merged as they came and ahead of
 * each other: right ones are accepted, thousands of them; each way of being wrong is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/cached_several.h"
#include <heddle/session.h>
#include "lab/verify/oracle/order/order.h"

enum { TRIES = 200 };
static unsigned seeds = 4000;

/* Every second seed with one bank, every third with streams that are not ahead of each other. */
static struct several_config config_of(uint64_t seed) {
  return (struct several_config){.sms = 2 + (unsigned)(seed % 3),
                                 .banks = seed % 2 == 0 ? 1 : 2 + (unsigned)(seed / 2 % 2),
                                 .window = seed % 3 == 0 ? 0 : 1 + (unsigned)(seed % 97),
                                 .skew = seed % 3 == 0 ? 0 : 500,
                                 .promises = seed % 4 != 0 ? HEDDLE_CHECKER_CACHE_CLOSES : 0};
}

static void right(void **state) {
  (void)state;
  struct several_outcome o;
  struct sm_outcome all = {.kind = HEDDLE_CHECKER_NONE};
  uint64_t blocks = 0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const struct several_config cfg = config_of(seed);
    several_run(seed, &cfg, &o);
    if (o.of.kind != HEDDLE_CHECKER_NONE)
      fail_msg("seed %llu (%u SMs, %u banks, window %u), after %llu records: %s (%s)", (unsigned long long)seed,
               cfg.sms, cfg.banks, cfg.window, (unsigned long long)o.of.records, heddle_checker_kind_name(o.of.kind),
               o.of.note);
    all.records += o.of.records;
    all.hits += o.of.hits;
    all.joins += o.of.joins;
    all.overtaken += o.of.overtaken;
    all.fences += o.of.fences;
    blocks += o.blocks;
  }
  print_message("%u runs: %llu records, %llu blocks, %llu hits, %llu joined, %llu overtaken, %llu fences\n", seeds,
                (unsigned long long)all.records, (unsigned long long)blocks, (unsigned long long)all.hits,
                (unsigned long long)all.joins, (unsigned long long)all.overtaken, (unsigned long long)all.fences);
  assert_true(all.hits > seeds && all.joins > seeds && all.overtaken > seeds && all.fences > seeds && blocks > seeds);
}

struct plant {
  const char *name;
  enum several_fault what;
  enum sm_fault fault;
  uint32_t promises;
  unsigned window; /* of merging */
  unsigned least;  /* of a hundred in which it was done, at least so many are found */
};

static const struct plant plants[] = {
    {"a cache is not emptied by a fence", SEVERAL_SM, SM_FENCE_KEEPS, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"... which nobody promises, nor tells", SEVERAL_SILENT, SM_RIGHT, 0, 60, 1},
    {"a fill from before the fence is joined after it", SEVERAL_SM, SM_FENCE_JOINS, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"a fence does not wait for stores", SEVERAL_SM, SM_FENCE_EARLY, HEDDLE_CHECKER_CACHE_CLOSES, 0, 1},
    {"a fence does not wait for acknowledgements", SEVERAL_SM, SM_FENCE_UNACKED, HEDDLE_CHECKER_CACHE_CLOSES, 0, 1},
    {"a fence of the block waits until all has passed", SEVERAL_SM, SM_CTA_EARLY, HEDDLE_CHECKER_CACHE_CLOSES, 60, 95},
    {"... and so does a barrier", SEVERAL_SM, SM_BAR_EARLY, HEDDLE_CHECKER_CACHE_CLOSES, 60, 95},
    {"a store leaves the sector in the cache", SEVERAL_SM, SM_STORE_KEEPS, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"who waits reads another fill", SEVERAL_SM, SM_WRONG_COPY, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"a store is lost for all others", SEVERAL_LOST, SM_RIGHT, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"a bank shows two accesses in the other order", SEVERAL_SWAPPED, SM_RIGHT, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"... and their cycles", SEVERAL_STAMP, SM_RIGHT, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"a record names another SM", SEVERAL_OTHER_SM, SM_RIGHT, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1},
    {"a block begins on two SMs", SEVERAL_BEGUN_TWICE, SM_RIGHT, HEDDLE_CHECKER_CACHE_CLOSES, 60, 1}};

static void planted(void **state) {
  (void)state;
  for (size_t p = 0; p < sizeof plants / sizeof *plants; p++) {
    unsigned found = 0, done = 0, kinds[HEDDLE_CHECKER_KIND_COUNT] = {0}, most = 0;
    for (uint64_t seed = 1; seed <= TRIES; seed++) {
      struct several_outcome o;
      const struct several_config cfg = {.sms = 2 + (unsigned)(seed % 3),
                                         .banks = 1 + (unsigned)(seed % 2),
                                         .window = plants[p].window,
                                         .skew = plants[p].window != 0 ? 500 : 0,
                                         .what = plants[p].what,
                                         .fault = plants[p].fault,
                                         .promises = plants[p].promises};
      several_run(seed, &cfg, &o);
      done += o.of.planted;
      if (o.of.kind == HEDDLE_CHECKER_NONE) continue;
      found++;
      kinds[o.of.kind]++;
    }
    for (unsigned k = 0; k < HEDDLE_CHECKER_KIND_COUNT; k++)
      if (kinds[k] > kinds[most]) most = k;
    print_message("%-48s done in %3u of %u seeds, found in %3u; mostly %s\n", plants[p].name, done, TRIES, found,
                  heddle_checker_kind_name((enum heddle_checker_kind)most));
    if (found * 100 < plants[p].least * done || found == 0) fail_msg("%s: found too seldom", plants[p].name);
  }
}

/* Streams in no common order at all: what comes too early waits. Where fewer may wait than must, that is a difference;
 * misbehaviour is found as before. */
static void waits(void **state) {
  (void)state;
  unsigned full = 0, found = 0, kept = 0;
  struct several_outcome o;
  for (uint64_t seed = 1; seed <= 1200; seed++) {
    struct several_config cfg = config_of(seed);
    cfg.window = 5 + (unsigned)(seed % 200);
    cfg.skew = 3000;
    cfg.reorder = 4000;
    if (seed % 5 == 0) cfg.sms = 1; /* whose banks have clocks of their own */
    several_run(seed, &cfg, &o);
    if (o.of.kind != HEDDLE_CHECKER_NONE)
      fail_msg("seed %llu (%u SMs, %u banks, window %u), after %llu records: %s (%s)", (unsigned long long)seed,
               cfg.sms, cfg.banks, cfg.window, (unsigned long long)o.of.records, heddle_checker_kind_name(o.of.kind),
               o.of.note);
    if (seed % 4 != 0 || cfg.sms == 1) continue;
    cfg.reorder = 3;
    several_run(seed, &cfg, &o);
    full += o.of.kind != HEDDLE_CHECKER_NONE;
    cfg.reorder = 4000;
    cfg.what = SEVERAL_SM;
    cfg.fault = SM_FENCE_KEEPS;
    cfg.promises = HEDDLE_CHECKER_CACHE_CLOSES;
    several_run(seed, &cfg, &o);
    found += o.of.kind == HEDDLE_CHECKER_VISIBILITY_DROPPED;
    cfg.what = SEVERAL_OTHER_SM;
    several_run(seed, &cfg, &o);
    kept += o.of.kind != HEDDLE_CHECKER_NONE;
  }
  print_message("of 240: too many wait in %u; a cache that is not emptied found in %u, another SM's number in %u\n",
                full, found, kept);
  assert_true(full > 200 && found > 160 && kept == 240);
}

/* A trace says how many SMs and banks there are, and is judged as what it is of. */
static void traced(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  char path[] = "/tmp/several.XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  (void)close(fd);
  for (uint64_t seed = 1; seed <= 24; seed++) {
    struct several_config cfg = config_of(seed);
    cfg.reorder = seed % 2 == 0 ? 4000 : 0;
    several_trace(seed, &cfg, path);
    if (heddle_session_check_trace(path, NULL, 0, NULL, NULL, &r, NULL) != HEDDLE_SESSION_OK)
      fail_msg("seed %llu: %s: %s", (unsigned long long)seed, r.message, r.difference.note);
    assert_true(r.checked.blocks >= cfg.sms && r.insns >= 40 * r.checked.blocks);
    cfg.what = SEVERAL_BEGUN_TWICE;
    several_trace(seed, &cfg, path);
    (void)heddle_session_check_trace(path, NULL, 0, NULL, NULL, &r, NULL);
    if (r.outcome != HEDDLE_SESSION_OK) assert_int_equal(r.difference.kind, HEDDLE_CHECKER_BLOCK_DOUBLE);
  }
  (void)unlink(path);
}

/* By axioms, too (heddle order): right ones hold; of wrong ones so many of a hundred are found, by these. */
static void by_axioms(void **state) {
  (void)state;
  enum { RIGHT_ONES = 300, WRONG_ONES = 100 };
  const struct {
    const char *name;
    struct several_config cfg;
    unsigned least;
    enum order_axiom by;
  } wrong[] = {
      {"a cache is not emptied", {.what = SEVERAL_SM, .fault = SM_FENCE_KEEPS, .promises = 1}, 60, ORDER_DROPPED},
      {"... which nobody promises", {.what = SEVERAL_SILENT}, 2, ORDER_VISIBILITY},
      {"a fence before acknowledgements",
       {.what = SEVERAL_SM, .fault = SM_FENCE_UNACKED, .promises = 1},
       20,
       ORDER_FENCE},
      {"a fence of the block has passed", {.what = SEVERAL_SM, .fault = SM_CTA_EARLY, .promises = 1}, 60, ORDER_FENCE},
      {"... and a barrier", {.what = SEVERAL_SM, .fault = SM_BAR_EARLY, .promises = 1}, 60, ORDER_FENCE},
      {"a store is lost", {.what = SEVERAL_LOST, .promises = 1}, 20, ORDER_READS_FROM},
      {"two accesses of a sector swapped", {.what = SEVERAL_SWAPPED, .promises = 1}, 20, ORDER_READS_FROM},
      {"... and their stamps", {.what = SEVERAL_STAMP, .promises = 1}, 60, ORDER_STAMP}};
  const struct order_options o = {.accesses = 0};
  struct order_result r;
  char path[] = "/tmp/several.XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  (void)close(fd);
  for (uint64_t seed = 1; seed <= RIGHT_ONES; seed++) {
    const struct several_config cfg = config_of(seed);
    several_trace(seed, &cfg, path);
    if (order_check(path, &o, &r) != ORDER_HOLDS)
      fail_msg("seed %llu: %s in cycle %llu: %s", (unsigned long long)seed, order_axiom_name(r.axiom),
               (unsigned long long)r.cycle, r.what);
  }
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    unsigned found = 0, by = 0;
    for (uint64_t seed = 1; seed <= WRONG_ONES; seed++) {
      struct several_config cfg = wrong[k].cfg;
      cfg.sms = 2 + (unsigned)(seed % 3);
      cfg.banks = 1 + (unsigned)(seed % 2);
      cfg.window = 40;
      several_trace(seed, &cfg, path);
      if (order_check(path, &o, &r) != ORDER_BROKEN) continue;
      found++;
      by += r.axiom == wrong[k].by;
    }
    print_message("%-34s found in %3u of %u traces, in %u by %s\n", wrong[k].name, found, WRONG_ONES, by,
                  order_axiom_name(wrong[k].by));
    assert_true(found >= wrong[k].least && by > 0);
  }
  (void)unlink(path);
}

/* tests_cosim several [SEEDS]: right ones alone, so many. */
int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest right_ones[] = {cmocka_unit_test(right)};
  const struct CMUnitTest tests[] = {cmocka_unit_test(right), cmocka_unit_test(planted), cmocka_unit_test(waits),
                                     cmocka_unit_test(traced), cmocka_unit_test(by_axioms)};
  if (argc > 1) {
    seeds = (unsigned)strtoul(argv[1], NULL, 0);
    return cmocka_run_group_tests(right_ones, NULL, NULL);
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
