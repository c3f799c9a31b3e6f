/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker accepts what a correct machine shows, and names precisely what a wrong one does. Every comparison
 * matters: with it switched off, its mutation is no longer reported under its name.
 */
#include <stdlib.h>
#include <string.h>
#include <jansson.h>

#include "tests/test.h"
#include "cosim/checker/report.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/flips.h"
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/checker/state.h"
#include "base/splitmix64.h"

static const char *const source[PROGRAM_COUNT] = {program_mix,    program_illegal,   program_address,
                                                  program_target, program_undefined, program_uniform};
static uint8_t image[FAKE_BYTES];

struct outcome {
  struct heddle_checker_difference d;
  struct heddle_checker_stats s;
};

/* The report for programs says what the checker does. */
static void expect_json(const struct heddle_checker *c, const struct outcome *o) {
  json_t *j = checker_report_json(c), *difference = json_object_get(j, "difference");
  json_int_t issued = -1, differences = -1;
  assert_int_equal(json_unpack(j, "{s:{s:I, s:I}}", "statistics", "issued", &issued, "differences", &differences), 0);
  assert_int_equal(issued, o->s.issued);
  assert_int_equal(differences, o->s.differences);
  if (o->d.kind == HEDDLE_CHECKER_NONE) {
    assert_true(json_is_null(difference));
  } else {
    assert_string_equal(json_string_value(json_object_get(difference, "kind")), heddle_checker_kind_name(o->d.kind));
    assert_string_equal(json_string_value(json_object_get(difference, "note")), o->d.note);
    assert_int_equal(json_object_size(json_object_get(difference, "got")), __builtin_popcount(o->d.lanes));
    assert_true(json_is_object(json_object_get(difference, "got")) == (o->d.lanes != 0));
    assert_true(json_is_string(json_object_get(difference, "record")) == o->d.has_record);
  }
  json_decref(j);
}

static void check_stream(const struct fake_program *p, const struct fake_config *f, const struct stream *s,
                         enum heddle_checker_kind off, const uint8_t *memory, struct outcome *out) {
  struct bench b = {.p = *p, .f = *f, .s = *s};
  const struct heddle_checker_config cfg = {.partitions = FAKE_PARTITIONS, .banks = FAKE_BANKS, .regs = FAKE_REGS};
  bench_renew(&b, cfg, off);
  (void)bench_whole(&b, memory); /* what it says is the first difference */
  out->d = *heddle_checker_first(b.c);
  out->s = *heddle_checker_statistics(b.c);
  FILE *sink = fopen("/dev/null", "w");
  assert_non_null(sink);
  heddle_checker_report_text(b.c, sink);
  expect_json(b.c, out);
  heddle_checker_waiting_text(b.c, sink);
  fclose(sink);
  bench_let_go(&b);
}

static void expect_outcome(const char *name, enum heddle_checker_kind want, const struct outcome *o) {
  if (o->d.kind != want)
    fail_msg("%s: expected %s, got %s (%s)", name, heddle_checker_kind_name(want), heddle_checker_kind_name(o->d.kind),
             o->d.note);
}

static void test_accepts(void **state) {
  (void)state;
  static const unsigned lanes[] = {4, 8, 16, 32};
  struct fake_program p;
  fake_assemble(&p, program_mix, 5, 70);
  for (unsigned i = 0; i < 4; i++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      const struct fake_config f = {lanes[i], 16, 3, seed, 0};
      struct stream s;
      struct outcome o;
      fake_run(&p, &f, &s, image);
      check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
      expect_outcome("correct stream", HEDDLE_CHECKER_NONE, &o);
      assert_int_equal(o.s.blocks, 5);
      assert_int_equal(o.s.issued, o.s.retired);
      assert_int_equal(o.s.barrier_waits, 15);
      assert_true(o.s.divergent_branches > 0 && o.s.performs > 100 && o.s.lanes_compared > 10000);
      stream_free(&s);
    }
  fake_program_free(&p);
}

/* Shared memory in every size, the uniform datapath. */
static void test_accepts_others(void **state) {
  (void)state;
  static const char *const other[] = {program_sizes, program_uniform};
  for (unsigned k = 0; k < 2; k++)
    for (unsigned lanes = 4; lanes <= 32; lanes *= 2)
      for (uint64_t seed = 1; seed <= 3; seed++) {
        struct fake_program p;
        struct stream s;
        struct outcome o;
        const struct fake_config f = {lanes, 16, 2, seed, 0};
        fake_assemble(&p, other[k], 4, 70);
        fake_run(&p, &f, &s, image);
        check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
        expect_outcome("correct stream", HEDDLE_CHECKER_NONE, &o);
        assert_int_equal(o.s.issued, o.s.retired);
        stream_free(&s);
        fake_program_free(&p);
      }
}

/* A last warp of one thread alone, and blocks of one warp. */
static void test_accepts_few(void **state) {
  (void)state;
  static const unsigned threads[] = {1, 32, 33};
  for (unsigned i = 0; i < 3; i++) {
    struct fake_program p;
    struct stream s;
    struct outcome o;
    const struct fake_config f = {8, 16, 3, 5, 0};
    fake_assemble(&p, program_few, 2, threads[i]);
    fake_run(&p, &f, &s, image);
    check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
    expect_outcome("few threads", HEDDLE_CHECKER_NONE, &o);
    assert_int_equal(o.s.blocks, 2);
    stream_free(&s);
    fake_program_free(&p);
  }
}

static void test_accepts_traps(void **state) {
  (void)state;
  for (unsigned k = PROGRAM_ILLEGAL; k <= PROGRAM_TARGET; k++) {
    struct fake_program p;
    fake_assemble(&p, source[k], 2, 64);
    const struct fake_config f = {8, 16, 3, 7, 0};
    struct stream s;
    struct outcome o;
    fake_run(&p, &f, &s, image);
    assert_int_equal(s.r[s.n - 1].kind, HEDDLE_RECORD_TRAP);
    check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
    expect_outcome("correct trap", HEDDLE_CHECKER_NONE, &o);
    stream_free(&s);
    fake_program_free(&p);
  }
}

/* Streams in which the spoiler finds its place, for several seeds. */
static unsigned each_seed(const struct mutation *m, enum heddle_checker_kind off) {
  struct fake_program p;
  fake_assemble(&p, source[m->program], 4, 64);
  unsigned found = 0;
  for (uint64_t seed = 1; seed <= 60 && found < 5; seed++) {
    const struct fake_config f = {8, 16, 3, seed, 0};
    struct stream clean, s;
    struct outcome o;
    fake_run(&p, &f, &clean, image);
    stream_copy(&s, &clean);
    if (m->spoil(&s)) {
      found++;
      check_stream(&p, &f, &s, off, image, &o);
      if (off == HEDDLE_CHECKER_NONE)
        expect_outcome(m->name, m->expect, &o);
      else if (o.d.kind == m->expect)
        fail_msg("%s: %s is reported although switched off", m->name, heddle_checker_kind_name(off));
    }
    stream_free(&s);
    stream_free(&clean);
  }
  fake_program_free(&p);
  return found;
}

static void test_mutations(void **state) {
  (void)state;
  for (unsigned i = 0; i < mutation_count; i++)
    if (each_seed(&mutations[i], HEDDLE_CHECKER_NONE) == 0) fail_msg("%s: no place found", mutations[i].name);
}

/* The form of a record is what keeps the checker safe, and a refusal of the model is the backstop: not comparisons. */
static bool has_switch(enum heddle_checker_kind k) {
  return k != HEDDLE_CHECKER_RECORD_FORM && k != HEDDLE_CHECKER_MODEL_STATE;
}

/* What is compared without a record: test_watch.c and test_memory switch each of these off. What a cache shows:
 * test_visibility.c. What an MMU shows: test_pages*.c. Waits for asynchronous copies: test_async.c, as not every core
 * has these. */
static bool has_records(enum heddle_checker_kind k) {
  return k < HEDDLE_CHECKER_TRAP_REGISTERS &&
         !(k >= HEDDLE_CHECKER_VISIBILITY_STALE && k <= HEDDLE_CHECKER_FAULT_LIST) && k != HEDDLE_CHECKER_ORDER_GROUP;
}

static void test_each_check_matters(void **state) {
  (void)state;
  for (unsigned k = 0; k < HEDDLE_CHECKER_KIND_COUNT; k++) {
    if (!has_switch(k) || !has_records(k)) continue;
    unsigned found = 0;
    for (unsigned i = 0; i < mutation_count; i++)
      if (mutations[i].expect == k) found += each_seed(&mutations[i], k);
    if (found == 0) fail_msg("no mutation is stopped by %s alone", heddle_checker_kind_name(k));
  }
}

static void test_memory(void **state) {
  (void)state;
  struct fake_program p;
  fake_assemble(&p, program_mix, 2, 64);
  const struct fake_config f = {16, 16, 3, 3, 0};
  struct stream s;
  struct outcome o;
  fake_run(&p, &f, &s, image);
  image[0x8123] ^= 0x10;
  check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
  expect_outcome("memory", HEDDLE_CHECKER_MEMORY_FINAL, &o);
  assert_string_equal(o.d.subject, "byte 0x18123");
  check_stream(&p, &f, &s, HEDDLE_CHECKER_MEMORY_FINAL, image, &o);
  expect_outcome("memory, switched off", HEDDLE_CHECKER_NONE, &o);
  stream_free(&s);
  fake_program_free(&p);
}

/* What a report says about a wrong lane. */
static void test_report(void **state) {
  (void)state;
  struct fake_program p;
  fake_assemble_long(&p, program_mix, 1, 32);
  const struct fake_config f = {32, 4, 1, 1, 0};
  struct stream s;
  struct outcome o;
  fake_run(&p, &f, &s, image);
  for (size_t i = 0; i < s.n; i++)
    if (s.r[i].kind == HEDDLE_RECORD_WRITE && s.r[i].u.write.rd == 2) s.r[i].u.write.data[9] ^= 0xff;
  check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, NULL, &o);
  expect_outcome("report", HEDDLE_CHECKER_WRITEBACK_VALUE, &o);
  assert_int_equal(o.d.lanes, 1u << 9);
  assert_int_equal(o.d.expected[9], 9);
  assert_int_equal(o.d.got[9], 9 ^ 0xff);
  assert_string_equal(o.d.subject, "R2");
  assert_true(o.d.has_warp && o.d.has_record && o.d.seq == 2 && o.d.pc == 0x20);
  stream_free(&s);
  fake_program_free(&p);
}

/* Any bytes at all in a record: a difference at worst, never harm (the sanitizers watch). */
static void test_hostile(void **state) {
  (void)state;
  struct fake_program p;
  fake_assemble(&p, program_mix, 3, 64);
  const struct fake_config f = {8, 16, 3, 11, 0};
  struct stream clean, s;
  fake_run(&p, &f, &clean, image);
  uint64_t rng = 12345;
  for (unsigned k = 0; k < 600; k++) {
    stream_copy(&s, &clean);
    for (unsigned n = 0; n <= k % 3; n++) {
      const uint64_t drawn = splitmix64(&rng);
      struct heddle_retire_record *r = &s.r[(drawn >> 33) % s.n];
      uint8_t *bytes = (uint8_t *)r;
      const size_t at = (size_t)(drawn >> 20) % 64;
      bytes[at] = (uint8_t)(k % 2 == 0 ? drawn >> 50 : bytes[at] ^ 1u << (drawn >> 60 & 7u));
    }
    struct outcome o;
    check_stream(&p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
    stream_free(&s);
  }
  stream_free(&clean);
  fake_program_free(&p);
}

/* Every record of a stream, wrong in one bit that counts: each time a difference. */
static void flip_each(const struct fake_program *p, unsigned lanes, uint64_t seed) {
  const struct fake_config f = {lanes, 16, 3, seed, 0};
  uint64_t rng = seed * 77 + lanes;
  struct stream s;
  struct outcome o;
  fake_run(p, &f, &s, image);
  unsigned flipped = 0;
  for (size_t i = 0; i < s.n; i++) {
    const struct heddle_retire_record was = s.r[i];
    if (!flip_somewhere(&s.r[i], &rng)) continue;
    flipped++;
    check_stream(p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
    if (o.d.kind == HEDDLE_CHECKER_NONE) {
      char text[3072];
      heddle_record_text(&was, lanes, HEDDLE_RECORD_HIDDEN_P2, text, sizeof text);
      fail_msg("%u lanes, record %zu: a wrong bit is not seen: %s", lanes, i, text);
    }
    s.r[i] = was;
  }
  assert_true(flipped > 100);
  check_stream(p, &f, &s, HEDDLE_CHECKER_NONE, image, &o);
  expect_outcome("the stream as it was", HEDDLE_CHECKER_NONE, &o);
  stream_free(&s);
}

static void every_record_counts(unsigned lanes) {
  static const char *const program[3] = {program_mix, program_sizes, program_uniform};
  for (unsigned k = 0; k < 3; k++) {
    struct fake_program p;
    fake_assemble(&p, program[k], 2, 70);
    for (uint64_t seed = 1; seed <= 3; seed++) flip_each(&p, lanes, seed);
    fake_program_free(&p);
  }
}

/* Apart, since together they take a minute. */
static void test_every_record_counts_4(void **state) {
  (void)state, every_record_counts(4);
}
static void test_every_record_counts_8(void **state) {
  (void)state, every_record_counts(8);
}
static void test_every_record_counts_16(void **state) {
  (void)state, every_record_counts(16);
}
static void test_every_record_counts_32(void **state) {
  (void)state, every_record_counts(32);
}

/* Rows are compared as vectors: each lane by itself, in rows that lie anywhere. */
static void test_rows(void **state) {
  (void)state;
  uint32_t a[40], b[40];
  for (unsigned i = 0; i < 40; i++) a[i] = b[i] = i * 0x01234567u;
  for (unsigned lanes = 4; lanes <= 32; lanes *= 2)
    for (unsigned at = 0; at < 8; at++) {
      assert_int_equal(row_differs(a + at, b + at, lanes), 0);
      for (unsigned i = 0; i < 40; i++)
        for (unsigned bit = 0; bit < 32; bit += 5) {
          b[i] ^= 1u << bit;
          const bool inside = i >= at && i < at + lanes;
          assert_int_equal(row_differs(a + at, b + at, lanes), inside ? 1u << (i - at) : 0);
          b[i] ^= 1u << bit;
        }
    }
}

/* tests_checker cosim.checker [[-]PATTERN]: only the tests whose name matches (* and ?), or all but those. */
int TEST_MAIN(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '-')
    cmocka_set_skip_filter(argv[1] + 1);
  else if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepts),
                                     cmocka_unit_test(test_accepts_others),
                                     cmocka_unit_test(test_accepts_few),
                                     cmocka_unit_test(test_accepts_traps),
                                     cmocka_unit_test(test_mutations),
                                     cmocka_unit_test(test_each_check_matters),
                                     cmocka_unit_test(test_memory),
                                     cmocka_unit_test(test_report),
                                     cmocka_unit_test(test_hostile),
                                     cmocka_unit_test(test_every_record_counts_4),
                                     cmocka_unit_test(test_every_record_counts_8),
                                     cmocka_unit_test(test_every_record_counts_16),
                                     cmocka_unit_test(test_every_record_counts_32),
                                     cmocka_unit_test(test_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
