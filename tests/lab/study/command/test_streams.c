/* SPDX-License-Identifier: Apache-2.0
 *
 * Records to streams and back: of a right core the replay is what was recorded; of a record with a wrong mask it is
 * said which one. The core is the conformance set's stand-in, which shows everything.
 */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "cosim/kit/conform/fake.h"
#include "lab/study/divergence/streams.h"

/* Nested arms, a loop that lanes leave one by one, a guard, lanes that end early. */
static const char program[] = ".kernel k\n"
                              "        S2R R0, SR_TID.X ;\n"
                              "        LOP3.LUT R1, R0, 0x3, RZ, 0xc0 ;\n"
                              "        ISETP.LT.U32.AND P0, PT, R0, 0xc, PT ;\n"
                              "        ISETP.NE.AND P1, PT, R1, 0x2, PT ;\n"
                              "        BSSY B0, join ;\n"
                              "@P0     BRA low ;\n"
                              "        IADD3 R1, R1, 0x1, RZ ;\n"
                              "        BRA join ;\n"
                              "low:    BSSY B1, inner ;\n"
                              "@P1     BRA inner ;\n"
                              "@P0     IADD3 R2, R1, 0x1, RZ ;\n"
                              "inner:  BSYNC B1 ;\n"
                              "join:   BSYNC B0 ;\n"
                              "@!P1    EXIT ;\n"
                              "        BSSY B0, out ;\n"
                              "loop:   IADD3 R1, R1, -0x1, RZ ;\n"
                              "        ISETP.GT.AND P0, PT, R1, RZ, PT ;\n"
                              "@P0     BRA loop ;\n"
                              "out:    BSYNC B0 ;\n"
                              "        EXIT ;\n"
                              ".end\n";

struct made {
  struct fake_program p;
  struct stream records;
};

static void make(struct made *m, unsigned blocks, unsigned threads) {
  const struct fake_config cfg = {8, 4, 2, 5, 0};
  fake_assemble_long(&m->p, program, blocks, threads);
  fake_run(&m->p, &cfg, &m->records, NULL);
}

static void unmake(struct made *m) {
  stream_free(&m->records);
  fake_program_free(&m->p);
}

/* Everything that stands between a trace and its figures. Empty: nothing is wrong. */
static struct replay_why judge(const struct made *m, struct slots *t) {
  struct replay_why why = {{0}};
  struct streams s;
  struct streams_reader *r = streams_reader_new();
  assert_non_null(r);
  bool ok = streams_begin(r, &m->p.launch, 8, &s);
  for (size_t i = 0; i < m->records.n && ok; i++) ok = streams_take(r, &m->records.r[i]);
  ok = ok && streams_end(r);
  if (!ok) snprintf(why.text, sizeof why.text, "%s", streams_why(r));
  if (ok) (void)replay_unit(&s, false, true, t, NULL, &why);
  streams_reader_free(r);
  streams_free(&s);
  return why;
}

static uint64_t issues(const struct made *m) {
  uint64_t n = 0;
  for (size_t i = 0; i < m->records.n; i++) n += m->records.r[i].kind == HEDDLE_RECORD_ISSUE;
  return n;
}

static void a_right_core(void **state) {
  (void)state;
  struct made m;
  struct slots t;
  make(&m, 3, 40);
  const struct replay_why why = judge(&m, &t);
  assert_string_equal(why.text, "");
  assert_int_equal(t.issues, issues(&m));
  unmake(&m);
}

/* One warp of 12 lanes. By hand: 5 words to the BSSY, then the branch: all go to `low`; BSSY, branch: lanes 2, 6, 10
 * (R1 = 2) stay, of the others the BSYNC comes first; the IADD3 and their own BSYNC; BSYNC B0; EXIT of those three.
 * BSSY; the loop: R1 is 0, 1 or 3: three lanes of each 0, 1, 3. Rounds of 9, 3, 3 lanes, 3 words each, the BSYNC after
 * the branch for the 6 that leave and for the 3; EXIT.
 * Slots 6 + 2 + 1 + 2 + 1 + 1 + 1 + 9 + 2 + 1 = 26. Lanes 6*12 + 2*12 + 9 + 2*3 + 12 + 12 + 9 + 3*(9+3+3) + 6+3 + 9. */
static void by_hand(void **state) {
  (void)state;
  struct made m;
  struct slots t;
  make(&m, 1, 12);
  const struct replay_why why = judge(&m, &t);
  assert_string_equal(why.text, "");
  assert_int_equal(t.issues, 26);
  assert_int_equal(t.lanes, 72 + 24 + 9 + 6 + 12 + 12 + 9 + 45 + 9 + 9);
  unmake(&m);
}

/* Every bit of every active mask: turned over, the record or one behind it is refused. */
static void every_lane_of_active(void **state) {
  (void)state;
  struct made m;
  struct slots t;
  unsigned tried = 0;
  make(&m, 1, 40);
  for (size_t i = 0; i < m.records.n; i++) {
    struct heddle_retire_record *r = &m.records.r[i];
    for (unsigned l = 0; l < 32 && r->kind == HEDDLE_RECORD_ISSUE; l++, tried++) {
      r->u.issue.active ^= 1u << l;
      const struct replay_why why = judge(&m, &t);
      if (why.text[0] == '\0') fail_msg("record %zu, lane %u: nobody notices", i, l);
      if (strstr(why.text, "pc 0x") == NULL) fail_msg("it does not say where: %s", why.text);
      r->u.issue.active ^= 1u << l;
    }
  }
  assert_int_equal(tried, 32 * issues(&m));
  unmake(&m);
}

/* Every bit of every executing mask, where something depends on it: lanes go elsewhere, or operands are shown. */
static void every_lane_of_exec(void **state) {
  (void)state;
  struct made m;
  struct slots t;
  make(&m, 1, 40);
  for (size_t i = 0; i < m.records.n; i++) {
    struct heddle_retire_record *r = &m.records.r[i];
    for (unsigned l = 0; l < 32 && r->kind == HEDDLE_RECORD_ISSUE; l++) {
      r->u.issue.exec ^= 1u << l;
      const struct replay_why why = judge(&m, &t);
      if (why.text[0] == '\0') fail_msg("record %zu, lane %u: nobody notices", i, l);
      r->u.issue.exec ^= 1u << l;
    }
  }
  unmake(&m);
}

static void says_where(void **state) {
  (void)state;
  struct made m;
  struct slots t;
  make(&m, 1, 32);
  for (size_t i = 0; i < m.records.n; i++) {
    struct heddle_retire_record *r = &m.records.r[i];
    if (r->kind != HEDDLE_RECORD_ISSUE || r->u.issue.id.seq != 6) continue;
    assert_int_equal(r->u.issue.pc, 0x80); /* low: by lanes 0 to 11 */
    assert_int_equal(r->u.issue.active, 0x00000fff);
    r->u.issue.active |= 1u << 20; /* which did not branch */
    r->u.issue.exec |= 1u << 20;
    r->cycle = 7;
    char want[256];
    snprintf(
        want, sizeof want,
        "launch 0, record %zu, cycle 7: warp slot 0, seq 6, pc 0x0080: lane 20 of active mask 0x00100fff cannot be "
        "here: by its record before it is at 0x0060",
        i);
    assert_string_equal(judge(&m, &t).text, want);
  }
  unmake(&m);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_right_core), cmocka_unit_test(by_hand),
                                     cmocka_unit_test(every_lane_of_active), cmocka_unit_test(every_lane_of_exec),
                                     cmocka_unit_test(says_where)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
