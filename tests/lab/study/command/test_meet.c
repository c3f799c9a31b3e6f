/* SPDX-License-Identifier: Apache-2.0
 * Where ways meet again, on graphs written by hand. */

#include "tests/test.h"
#include "tests/lab/study/command/hand.h"

static void meets(const char *kinds, const char *want) {
  struct streams s = hand_code(kinds);
  for (uint32_t w = 0; w < s.code.words; w++) {
    const uint32_t m = want[w] == '-' ? CODE_NONE : (uint32_t)(want[w] - 'A');
    if (s.code.at[w].meet != m) fail_msg("%s: word %c meets at %u, not %u", kinds, 'A' + w, s.code.at[w].meet, m);
  }
  streams_free(&s);
}

/* Two arms; the inner ones within. Straight code meets at the next word. */
static void arms(void **state) {
  (void)state;
  meets("Cn.x", "DDD-");
  meets("FDo.q.x", "GEEEGG-");
}

/* A loop is left at one place, however it turns: at B; or by a branch in its middle (B to D) as well as at its end. */
static void loops(void **state) {
  (void)state;
  meets("Ax", "B-");
  meets(".DAx", "BDD-");
}

/* A to C or B, and B ends: A meets nothing before the end. Under a guard (here: a branch over the end) likewise. */
static void ends(void **state) {
  (void)state;
  meets("Cx.x", "--D-");
}

/* B goes round for ever and meets nothing; A, which may go there, meets D where it does not. C goes to A. */
static void no_end(void **state) {
  (void)state;
  meets("Dlkx", "D-A-");
}

/* A way that was seen: B and C both lead to D. Until one was seen, nobody knows. */
static void indirect(void **state) {
  (void)state;
  struct streams s = hand_code("inn.x");
  assert_int_equal(s.code.at[0].meet, CODE_NONE);
  assert_true(code_saw(&s.code, 0, 1));
  assert_true(code_saw(&s.code, 0, 2));
  assert_true(code_saw(&s.code, 0, 2));
  assert_int_equal(s.code.ways, 2);
  assert_true(code_find_meets(&s.code));
  assert_int_equal(s.code.at[0].meet, 3);
  streams_free(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arms), cmocka_unit_test(loops), cmocka_unit_test(ends),
                                     cmocka_unit_test(no_end), cmocka_unit_test(indirect)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
