/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices that show less: a correct stream of each profile passes whatever its hidden fields hold, and of what is
 * spoiled everything is found that still shows, but for what a list names with its reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"

#define HIDDEN_KINDS 32 /* bits of heddle_record_hidden.kinds: a kind with a higher number is never hidden */

static const char *const source[PROGRAM_COUNT] = {program_mix,    program_illegal,   program_address,
                                                  program_target, program_undefined, program_uniform};
static uint8_t image[FAKE_BYTES];

static struct heddle_checker_difference check(const struct fake_program *p, const struct fake_config *f,
                                              const struct stream *s, struct heddle_record_hidden h,
                                              struct heddle_checker_stats *stats) {
  struct bench b = {.p = *p, .f = *f, .s = *s};
  const unsigned banks = heddle_record_shows_field(h, HEDDLE_RECORD_OPTION_WRITE_BANK) ? FAKE_BANKS : 0;
  bench_renew(&b, (struct heddle_checker_config){.partitions = FAKE_PARTITIONS, .banks = banks, .hidden = h},
              HEDDLE_CHECKER_NONE);
  (void)bench_whole(&b, image); /* what it says is the first difference */
  const struct heddle_checker_difference d = *heddle_checker_first(b.c);
  *stats = *heddle_checker_statistics(b.c);
  bench_let_go(&b);
  return d;
}

static void accept(const char *text, unsigned lanes, uint64_t seed, struct heddle_record_hidden h) {
  struct fake_program p;
  const struct fake_config f = {lanes, 16, 3, seed, 0};
  struct stream clean;
  uint64_t noise = seed, compared = 0;
  fake_assemble(&p, text, 4, 70);
  fake_run(&p, &f, &clean, image);
  for (unsigned k = 0; k < 3; k++) { /* other noise each time */
    struct stream s;
    struct heddle_checker_stats stats;
    stream_copy(&s, &clean);
    conform_hide(&s, h, &noise);
    const struct heddle_checker_difference d = check(&p, &f, &s, h, &stats);
    if (d.kind != HEDDLE_CHECKER_NONE) fail_msg("%s: %s", heddle_checker_kind_name(d.kind), d.note);
    assert_int_equal(stats.issued, stats.retired);
    assert_true(stats.lanes_compared > 0 && (k == 0 || stats.lanes_compared == compared));
    compared = stats.lanes_compared;
    stream_free(&s);
  }
  stream_free(&clean);
  fake_program_free(&p);
}

static void test_accepts(void **state) {
  (void)state;
  for (unsigned k = 0; k < 2; k++)
    for (unsigned lanes = 4; lanes <= 32; lanes *= 2)
      for (uint64_t seed = 1; seed <= 5; seed++) {
        accept(program_mix, lanes, seed, conform_profile[k]);
        accept(program_uniform, lanes, seed, conform_profile[k]);
      }
}

/* One kind or field less than everything, each by itself. */
static void test_accepts_between(void **state) {
  (void)state;
  const struct heddle_record_hidden may = HEDDLE_RECORD_HIDDEN_P0;
  for (unsigned i = 0; i < HIDDEN_KINDS; i++)
    if ((may.kinds >> i & 1u) != 0 && i != HEDDLE_RECORD_OPERANDS) {
      const struct heddle_record_hidden h = {1u << i | 1u << HEDDLE_RECORD_OPERANDS_MEMORY, 0};
      accept(program_mix, 8, i + 1, h);
    }
  for (unsigned i = 0; i < HEDDLE_RECORD_OPTIONS; i++) {
    const struct heddle_record_hidden h = {1u << HEDDLE_RECORD_OPERANDS_MEMORY, 1u << i};
    accept(program_mix, 8, i + 1, h);
  }
}

/* Less than P0 cannot be judged. */
static void test_refuses(void **state) {
  (void)state;
  struct fake_program p;
  fake_assemble(&p, program_mix, 1, 32);
  const struct heddle_model_config mc = {
      .size = sizeof mc, .base = FAKE_BASE, .bytes = FAKE_BYTES, .warp_slots = 4, .block_slots = 2};
  struct heddle_model *m = heddle_model_new(&mc);
  assert_non_null(m);
  assert_int_equal(heddle_model_launch(m, &p.launch), HEDDLE_SUCCESS);
  const struct heddle_record_hidden may = HEDDLE_RECORD_HIDDEN_P0;
  for (unsigned i = 0; i < HIDDEN_KINDS; i++) {
    const struct heddle_checker_config cfg = {
        .size = sizeof cfg, .lanes = 8, .warp_slots = 4, .block_slots = 2, .hidden = {1u << i, 0}};
    struct heddle_checker *c = heddle_checker_new(m, &p.launch, &cfg);
    assert_int_equal(c != NULL, may.kinds >> i & 1u);
    heddle_checker_free(c);
  }
  heddle_model_free(m);
  fake_program_free(&p);
}

/* A record of a kind that is said not to be shown. */
static void test_undeclared(void **state) {
  (void)state;
  struct fake_program p;
  const struct fake_config f = {8, 16, 3, 7, 0};
  fake_assemble(&p, program_mix, 2, 64);
  for (unsigned kind = 0; kind < HIDDEN_KINDS; kind++) {
    const struct heddle_record_hidden may = HEDDLE_RECORD_HIDDEN_P0, one = {1u << kind, 0};
    struct stream s;
    struct heddle_checker_stats stats;
    if ((may.kinds & one.kinds) == 0 || kind == HEDDLE_RECORD_UNIFORM_READ) continue;
    fake_run(&p, &f, &s, image);
    const struct heddle_checker_difference d = check(&p, &f, &s, one, &stats);
    assert_int_equal(d.kind, HEDDLE_CHECKER_RECORD_FORM);
    assert_int_equal(d.record.kind, kind);
    stream_free(&s);
  }
  fake_program_free(&p);
}

/* ---- spoiled streams ---- */

/* What still shows and is not found, and why, is a list (cosim/kit/conform/mutations.c). */
static bool may_pass(const char *name, unsigned p) {
  const struct conform_lower *l = conform_lower_of(name, p);
  return l != NULL && l->kind == HEDDLE_CHECKER_NONE;
}

struct tally {
  unsigned shows, found, hidden;
};

/* `clean` and what the spoiler makes of it, both as the profile shows them. */
static void judge(const struct mutation *m, const struct fake_program *p, const struct fake_config *f, unsigned k,
                  struct tally *t) {
  struct stream clean, s;
  struct heddle_checker_stats stats;
  fake_run(p, f, &clean, image);
  stream_copy(&s, &clean);
  if (m->spoil(&s)) {
    conform_hide(&clean, conform_profile[k], NULL);
    conform_hide(&s, conform_profile[k], NULL);
    const bool shows = !conform_same(&clean, &s);
    const struct heddle_checker_difference d = check(p, f, &s, conform_profile[k], &stats);
    const bool found = d.kind != HEDDLE_CHECKER_NONE;
    t->shows += shows;
    t->hidden += !shows;
    t->found += found;
    if (!shows && found && m->program != PROGRAM_UNDEFINED)
      fail_msg("%s does not show in P%u, and is called %s", m->name, k, heddle_checker_kind_name(d.kind));
  }
  stream_free(&s);
  stream_free(&clean);
}

static void test_spoiled(void **state) {
  (void)state;
  struct tally all[2] = {{0}};
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < mutation_count; i++) {
      struct fake_program p;
      struct tally t = {0};
      fake_assemble(&p, source[mutations[i].program], 4, 64);
      for (uint64_t seed = 1; seed <= 60 && t.shows + t.hidden < 5; seed++) {
        const struct fake_config f = {8, 16, 3, seed, 0};
        judge(&mutations[i], &p, &f, k, &t);
      }
      fake_program_free(&p);
      assert_true(t.shows + t.hidden > 0);
      const bool found = t.found == t.shows;
      if (mutations[i].program != PROGRAM_UNDEFINED && found == may_pass(mutations[i].name, k))
        fail_msg("P%u %s: %u streams show it, %u are found", k, mutations[i].name, t.shows, t.found);
      all[k].shows += t.shows;
      all[k].hidden += t.hidden;
      all[k].found += t.found;
    }
  for (unsigned k = 0; k < 2; k++)
    print_message("P%u: of %u spoiled streams %u show, %u are found\n", k, all[k].shows + all[k].hidden, all[k].shows,
                  all[k].found);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepts), cmocka_unit_test(test_accepts_between),
                                     cmocka_unit_test(test_refuses), cmocka_unit_test(test_undeclared),
                                     cmocka_unit_test(test_spoiled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
