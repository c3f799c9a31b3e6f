/* SPDX-License-Identifier: Apache-2.0
 *
 * Random streams of a machine with a cache (play.h): right ones hold, as traces and as lists; of those of a machine
 * that breaks a rule most are found. usage: tests_verify order.play [SEEDS]; prints the rates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/lab/verify/order/play.h"
#include "cosim/kit/conform/set.h"
#include "base/splitmix64.h"

static char path[] = "/tmp/heddle_order_XXXXXX", list[] = "/tmp/heddle_list_XXXXXX";
static unsigned seeds = 2000;

static enum order_outcome judge(uint64_t seed, enum play_fault f, bool lazy, const char *to, struct order_result *r,
                                unsigned *wrong) {
  struct stage st;
  if (!play(&st, seed, f, lazy, wrong)) fail_msg("seed %u, fault %u: it came to a stop", (unsigned)seed, f);
  st.hidden = conform_profile[to != NULL ? 2 : seed % CONFORM_PROFILES];
  const enum order_outcome out = stage_judge(&st, path, to, r);
  stage_close(&st);
  return out;
}

static void test_right(void **state) {
  (void)state;
  uint64_t asked[ORDER_AXIOMS] = {0}, most = 0;
  for (unsigned k = 0; k < seeds; k++) {
    struct order_result r;
    unsigned wrong;
    if (judge(k, PLAY_RIGHT, (k & 1) != 0, NULL, &r, &wrong) != ORDER_HOLDS || wrong != 0)
      fail_msg("seed %u: %s in cycle %u: %s", k, order_axiom_name(r.axiom), (unsigned)r.cycle, r.what);
    for (unsigned a = 0; a < ORDER_AXIOMS; a++) asked[a] += r.judged[a];
    if (r.copies > most) most = r.copies;
  }
  for (unsigned a = ORDER_VISIBILITY; a < ORDER_AXIOMS; a++) assert_true(asked[a] > seeds);
  assert_in_range(most, 4, 32); /* copies at once: of a cache of at most 9 sectors, and of 20 loads */
}

static void test_lists(void **state) {
  (void)state;
  for (unsigned k = 0; k < seeds / 4; k++) {
    struct order_result r;
    unsigned wrong;
    const struct order_options o = {.accesses = 0};
    assert_int_equal(judge(k, PLAY_RIGHT, false, list, &r, &wrong), ORDER_HOLDS);
    if (order_check(list, &o, &r) != ORDER_HOLDS) fail_msg("seed %u: %s: %s", k, order_axiom_name(r.axiom), r.what);
  }
}

/* Of 100 streams at least so many are found. All: each in which the fault has done something, and no other. */
enum { ALL = 101 };
struct expected {
  const char *name;
  enum play_fault fault;
  bool lazy;
  unsigned least;
};
static const struct expected expected[] = {
    {"a store keeps the sector", PLAY_STORE_KEEPS, false, ALL},
    {"a store lets others join", PLAY_STORE_JOINS, false, ALL},
    {"a strong load or atomic keeps it", PLAY_STRONG_KEEPS, false, ALL},
    {"a fence does not empty", PLAY_FENCE_KEEPS, false, ALL},
    {"CCTL.IVALL does not empty", PLAY_EMPTY_KEEPS, false, ALL},
    {"a fence before stores", PLAY_FENCE_STORES, false, ALL},
    {"a fence before acknowledgements", PLAY_FENCE_ACKS, false, ALL},
    {"a fence before loads", PLAY_FENCE_LOADS, false, ALL},
    {"a CTA fence waits until all has passed", PLAY_CTA_PASSES, false, ALL},
    {"a barrier waits until all has passed", PLAY_BAR_PASSES, false, ALL},
    {"a line in another order", PLAY_OVERTAKES, false, 60},
    {"old bytes", PLAY_OLD_BYTES, false, 95},
    {"new bytes", PLAY_NEW_BYTES, false, 70},
    {"another lane's word", PLAY_OTHER_LANE, false, 95},
    {"another fill's number", PLAY_SECTOR, false, 90},
    {"acknowledged as it passes", PLAY_ACK_EARLY, false, ALL},
    {"an acknowledgement is lost", PLAY_ACK_LOST, false, ALL},
    {"replaced without a record", PLAY_EVICT_SILENT, false, 40},
    {"a store passes without a record", PLAY_DROP_SILENT, false, ALL},
    {"a number is left out", PLAY_NUMBER, false, 80},
    {"no promise: a store keeps it for its warp", PLAY_STORE_KEEPS, true, 40},
    {"no promise: what is under way is joined", PLAY_STORE_JOINS, true, 6},
    {"no promise: a strong load keeps it", PLAY_STRONG_KEEPS, true, 35},
    {"no promise: a barrier keeps it", PLAY_BARRIER_KEEPS, true, 0},
    {"no promise: a line in another order", PLAY_OVERTAKES, true, 40},
};

static void rate(const struct expected *e, unsigned n) {
  unsigned as[ORDER_AXIOMS] = {0}, found = 0, happened = 0;
  for (unsigned s = 0; s < n; s++) {
    struct order_result r;
    unsigned wrong;
    const enum order_outcome out = judge(1000000 + s, e->fault, e->lazy, NULL, &r, &wrong);
    assert_true(out == ORDER_HOLDS || out == ORDER_BROKEN);
    happened += wrong != 0;
    found += out == ORDER_BROKEN;
    as[r.axiom]++;
    if (e->least == ALL && (out == ORDER_BROKEN) != (wrong != 0))
      fail_msg("%s, seed %u: %u times, and %s: %s", e->name, 1000000 + s, wrong, order_axiom_name(r.axiom), r.what);
  }
  printf("%-44s", e->name);
  if (e->least == ALL)
    printf(" %u of %u in which it happened", found, happened);
  else
    printf(" %u of %u", found, n);
  for (unsigned a = 1; a < ORDER_AXIOMS; a++)
    if (as[a] != 0) printf("; %s %u", order_axiom_name((enum order_axiom)a), as[a]);
  printf("\n");
  if (e->least != ALL && 100 * found < e->least * n) fail_msg("%s: found %u of %u", e->name, found, n);
}

static void test_faults(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof expected / sizeof *expected; k++) rate(&expected[k], seeds / 20 + 1);
}

/* Bytes of records turned at random: told, or harmless. */
static void test_garbage(void **state) {
  (void)state;
  uint64_t seed = 7;
  unsigned told = 0;
  for (unsigned k = 0; k < seeds / 4; k++) {
    struct stage st;
    struct order_result r;
    unsigned wrong;
    assert_true(play(&st, k, PLAY_RIGHT, (k & 1) != 0, &wrong));
    for (unsigned n = 0; n < 3; n++) {
      struct heddle_retire_record *rec = &st.s.r[splitmix64(&seed) % st.s.n];
      const uint8_t bit = (uint8_t)(1u << splitmix64(&seed) % 8);
      ((uint8_t *)&rec->u)[splitmix64(&seed) % 48] ^= bit;
    }
    told += stage_judge(&st, path, st.promises != 0 && k % 4 == 0 ? list : NULL, &r) != ORDER_HOLDS;
    stage_close(&st);
  }
  assert_true(told > seeds / 40);
}

/* More than any machine has under way, or more than the limit. */
static void test_limits(void **state) {
  (void)state;
  struct stage st;
  struct order_result r;
  uint32_t addr[32], number = 1;
  unsigned wrong;
  stage_open(&st, 1, 1);
  for (unsigned k = 0; k < 2100; k++) {
    for (unsigned l = 0; l < 32; l++) addr[l] = (k * 32 + l) * 8;
    const uint32_t seq = stage_issue(&st, 0, STAGE_LOAD, ~0u, addr, NULL);
    for (unsigned line = 0; line < 8; line++, number++) {
      const struct stage_visit v = {.lanes = 0xfu << 4 * line, .number = {number, number, number, number}, .used = 0xf};
      stage_visit(&st, HEDDLE_RECORD_MERGE, 0, seq, STAGE_LINE0 + k * 8 + line, &v, false);
    }
  }
  assert_int_equal(stage_judge(&st, path, NULL, &r), ORDER_TOO_MUCH);
  assert_non_null(strstr(r.what, "65536 sectors"));
  stage_close(&st);
  assert_true(play(&st, 1, PLAY_RIGHT, false, &wrong));
  assert_int_equal(stage_judge(&st, path, NULL, &r), ORDER_HOLDS);
  assert_int_equal(order_check(path, &(struct order_options){.accesses = 20}, &r), ORDER_TOO_MUCH);
  assert_non_null(strstr(r.what, "--accesses"));
  stage_close(&st);
}

int TEST_MAIN(int argc, char **argv) {
  if (argc > 1) seeds = (unsigned)strtoul(argv[1], NULL, 10);
  const int fd = mkstemp(path), of = mkstemp(list);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_lists),
                                     cmocka_unit_test(test_faults), cmocka_unit_test(test_garbage),
                                     cmocka_unit_test(test_limits)};
  if (fd < 0 || of < 0) return 1;
  close(fd);
  close(of);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  unlink(list);
  return failed;
}
