/* SPDX-License-Identifier: Apache-2.0
 *
 * How a launch may end, for the judge without RTL: traps, values that nobody has written, memory, what is cut off; what
 * is refused, and limits.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/lab/fpga/digest/play.h"
#include "cosim/kit/conform/programs.h"

enum { SEEDS = 24 };

static size_t find(const struct play *q, enum heddle_digest_code code) {
  size_t i = 0;
  while (i < q->n && q->e[i].code != code) i++;
  return i;
}

static const char *const trapping[] = {program_illegal, program_address, program_target};

static void traps(void **state) {
  struct played r;
  (void)state;
  for (unsigned p = 0; p < 3; p++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      struct play q;
      play_run(&q, trapping[p], 2, 64, seed);
      const size_t at = find(&q, HEDDLE_DIGEST_TRAP);
      assert_true(at < q.n);
      play_judge(&q, true, &r);
      if (r.outcome != HEDDLE_DIGEST_TRAPPED)
        fail_msg("program %u, seed %llu: %s: %s", p, (unsigned long long)seed, heddle_digest_outcome_name(r.outcome),
                 r.message);
      const struct heddle_digest_entry is = q.e[at];
      struct heddle_digest_entry *e = &q.e[at];
      for (unsigned way = 0; way < 5; way++) {
        *e = is;
        if (way == 0) e->cause = e->cause == 1 ? 2 : 1;
        if (way == 1) e->pc ^= 16;
        if (way == 2) e->lanes ^= 1;
        if (way == 3) e->value ^= 4;
        if (way == 4) e->seq++;
        play_judge(&q, true, &r);
        if (r.outcome != HEDDLE_DIGEST_DIFFERENCE)
          fail_msg("program %u, another trap in way %u: %s", p, way, r.message);
      }
      q.n--; /* never told: no end of the grid, no trap */
      play_judge(&q, true, &r);
      assert_int_equal(r.outcome, HEDDLE_DIGEST_DIFFERENCE);
      play_judge(&q, false, &r);
      assert_int_equal(r.outcome, HEDDLE_DIGEST_LOST);
      play_free(&q);
    }
}

/* A trap of a program that does not trap. */
static void invented(void **state) {
  struct played r;
  struct play q;
  (void)state;
  play_run(&q, program_mix, 1, 64, 2);
  size_t at = find(&q, HEDDLE_DIGEST_WARP_END);
  q.e[at] = (struct heddle_digest_entry){
      .code = HEDDLE_DIGEST_TRAP, .slot = q.e[at].slot, .seq = 9, .pc = 0x90, .lanes = 1, .cause = 4};
  q.n = at + 1;
  play_judge(&q, true, &r);
  assert_int_equal(r.outcome, HEDDLE_DIGEST_DIFFERENCE);
  play_free(&q);
}

/* A core that goes on with what nobody has written: the program is at fault. */
static void undefined(void **state) {
  struct played r;
  struct play q;
  (void)state;
  play_run(&q, program_undefined, 1, 32, 2);
  const size_t at = find(&q, HEDDLE_DIGEST_BLOCK_START);
  struct heddle_digest_entry e[3] = {q.e[at]};
  e[1] = (struct heddle_digest_entry){
      .code = HEDDLE_DIGEST_WARP_END, .slot = (uint8_t)__builtin_ctz(e[0].warps), .count = 20, .sum = {0, 5}};
  e[2] = (struct heddle_digest_entry){.code = HEDDLE_DIGEST_BLOCK_END, .slot = e[0].slot};
  free(q.e);
  q.e = e;
  q.n = 3;
  play_judge(&q, true, &r);
  assert_int_equal(r.outcome, HEDDLE_DIGEST_UNDEFINED);
  assert_true(r.message[0] != '\0');
  q.e = NULL;
  play_free(&q);
}

static const char carries[] = ".kernel carries\n"
                              ".param u64 in\n"
                              ".param u64 out\n"
                              "        MOV R4, R9 ;\n"
                              "        MOV R5, 0x1 ;\n"
                              "        EXIT ;\n"
                              ".end\n";

/* Bytes that nobody has written and that are only carried may be any: their window is not judged, and that is told. */
static void carried(void **state) {
  struct played r;
  struct play q;
  (void)state;
  play_run(&q, carries, 1, 32, 2);
  q.e[find(&q, HEDDLE_DIGEST_WARP_END)].sum[1] ^= 77;
  play_judge(&q, true, &r);
  assert_true(r.outcome == HEDDLE_DIGEST_PASS && r.stats.windows == 1 && r.stats.windows_unjudged == 1);
  play_free(&q);
}

static void memory(void **state) {
  struct played r;
  struct play q;
  (void)state;
  play_run(&q, program_mix, 3, 96, 2);
  q.after[0x4321] ^= 1;
  play_judge(&q, true, &r);
  assert_int_equal(r.outcome, HEDDLE_DIGEST_DIFFERENCE);
  assert_true(r.wrongs == 0 && strstr(r.message, "0x14321") != NULL);
  play_free(&q);
}

/* Cut off anywhere: never a pass, and nothing is held against the core. */
static void cut_off(void **state) {
  struct played r;
  uint64_t judged = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    struct play q;
    play_run(&q, play_order, 6, 64, seed);
    const size_t all = q.n;
    for (size_t n = 0; n < all; n += 1 + all / 40) {
      q.n = n;
      play_judge(&q, false, &r);
      if (r.outcome != HEDDLE_DIGEST_LOST)
        fail_msg("seed %llu, %zu of %zu: %s: %s", (unsigned long long)seed, n, all,
                 heddle_digest_outcome_name(r.outcome), r.message);
      judged += r.stats.windows_right;
    }
    play_free(&q);
  }
  print_message("%llu windows were right before\n", (unsigned long long)judged);
  assert_true(judged > 100);
}

/* ---- refusals and limits ---- */

static void refused(void **state) {
  struct play q;
  struct heddle_digest_judge *j;
  struct heddle_message msg;
  (void)state;
  play_run(&q, program_mix, 1, 64, 2);
  const struct heddle_digest_machine large = {sizeof large, 4, 17, 4}, right = {sizeof right, 4, 8, 4};
  assert_int_equal(heddle_digest_judge_new(&large, &q.p.launch, FAKE_BASE, q.before, FAKE_BYTES, NULL, &j, &msg),
                   HEDDLE_ERROR_NOT_SUPPORTED);
  assert_null(j);
  assert_non_null(strstr(msg.text, "16 warp slots"));
  q.p.launch.units |= UINT32_C(1) << ISA_PART_ASYNC;
  assert_int_equal(heddle_digest_judge_new(&right, &q.p.launch, FAKE_BASE, q.before, FAKE_BYTES, NULL, &j, &msg),
                   HEDDLE_ERROR_NOT_SUPPORTED);
  assert_null(j);
  assert_non_null(strstr(msg.text, "copies"));
  play_free(&q);
}

static void limits(void **state) {
  struct play q;
  (void)state;
  play_run(&q, play_order, 4, 64, 2);
  const struct heddle_digest_machine m = {sizeof m, q.cfg.lanes, q.cfg.warps, q.cfg.blocks};
  const struct heddle_digest_limits l[2] = {{.size = sizeof *l, .instructions = 100},
                                            {.size = sizeof *l, .bytes = 500}};
  for (unsigned i = 0; i < 2; i++) {
    struct heddle_digest_judge *j;
    assert_int_equal(heddle_digest_judge_new(&m, &q.p.launch, FAKE_BASE, q.before, FAKE_BYTES, &l[i], &j, NULL),
                     HEDDLE_SUCCESS);
    for (size_t k = 0; k < q.n; k++) (void)heddle_digest_judge_entry(j, &q.e[k]);
    assert_int_equal(heddle_digest_judge_finish(j, true, q.after), HEDDLE_DIGEST_LIMIT);
    heddle_digest_judge_free(j);
  }
  play_free(&q);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(traps),   cmocka_unit_test(invented), cmocka_unit_test(undefined),
                                     cmocka_unit_test(carried), cmocka_unit_test(memory),   cmocka_unit_test(cut_off),
                                     cmocka_unit_test(refused), cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
