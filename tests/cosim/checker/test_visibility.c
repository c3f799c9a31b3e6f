/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md, sentence by sentence: what a right cache shows, and what a wrong one is called. Fills, reads,
 * what is given up, and what a read must not miss; fences and acknowledgements are in test_visibility_fence.c.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/checker/visibility_programs.h"

static struct cached x;

/* ---- fills */

static void reads(void **state) {
  (void)state;
  begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0") LOAD("6", "0x80")), 1, &promising);
  (void)cached_issue_to(&x, 0, 3);
  bring(&x, 0, HEAD, LINE, 1);
  cached_hit(&x, 0, HEAD + 1, LINE, 15, 1);
  bring(&x, 0, HEAD + 2, LINE + 1, 2);
  well(&x);
}

/* A load into no register owes nothing more when it has read. */
static void reads_into_nothing(void **state) {
  (void)state;
  begin(&x, PROGRAM(LOAD("Z", "0x0") LOAD("Z", "0x0")), 1, &promising);
  (void)cached_issue_to(&x, 0, 2);
  bring(&x, 0, HEAD, LINE, 1);
  cached_hit(&x, 0, HEAD + 1, LINE, 15, 1);
  assert_int_equal(heddle_checker_statistics(x.c)->retired, HEAD + 2);
  well(&x);
}

/* Sector by sector, in any order; one waits for what another has asked for. */
static void joins(void **state) {
  (void)state;
  begin(&x, PROGRAM(LOAD("4", "0x0")), 2, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  cached_merge(&x, 0, HEAD, LINE, 3, 1);
  cached_fill(&x, 1, FIRST + 1, false);
  cached_merge(&x, 1, HEAD, LINE, 2, 1);
  cached_merges(&x, 1, HEAD, LINE, 13, (const uint32_t[4]){1, 0, 2, 2}, false);
  cached_merge(&x, 0, HEAD, LINE, 12, 2);
  cached_hit(&x, 1, HEAD, LINE, 2, 1);
  cached_fill(&x, 2, FIRST + 3, false);
  cached_fill(&x, 1, FIRST, false);
  cached_hit(&x, 0, HEAD, LINE, 3, 1);
  cached_fill(&x, 2, FIRST + 2, false);
  cached_hit(&x, 0, HEAD, LINE, 12, 2);
  cached_hits(&x, 1, HEAD, LINE, 13, (const uint32_t[4]){1, 0, 2, 2}, false);
  well(&x);
}

static void one_load(unsigned sectors) {
  begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0")), 1, &promising);
  (void)cached_issue_to(&x, 0, 2);
  if (sectors != 0) cached_merge(&x, 0, HEAD, LINE, sectors, 1);
}

static void fills_are_wrong(void **state) {
  (void)state;
  one_load(0);
  cached_merge(&x, 0, HEAD, LINE, 15, 2);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "the next one is 1");
  one_load(0);
  cached_fill(&x, 1, FIRST, false);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "was not requested");
  one_load(3);
  cached_fill(&x, 1, FIRST + 2, false);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "was not requested");
  one_load(15);
  cached_fill(&x, 1, FIRST + 4, false);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "was not requested");
  one_load(15);
  cached_fill(&x, 1, FIRST + 1, false);
  cached_fill(&x, 1, FIRST + 1, false);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "it has brought already");
  one_load(15);
  cached_merge(&x, 0, HEAD, LINE, 1, 1);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "waits for fill 1");
  one_load(3);
  cached_merge(&x, 0, HEAD, LINE, 12, 1);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "the next one is 2");
}

/* A line's time never falls, and its bank stays: of global and of local memory, whatever other lines show. */
static void times_and_banks(void **state) {
  (void)state;
  struct heddle_checker_config shows = promising;
  shows.memory_banks = 2;
  shows.hidden = HEDDLE_RECORD_HIDDEN_P0;
  shows.hidden.options &= ~(1u << HEDDLE_RECORD_OPTION_GLOBAL_STAMP | 1u << HEDDLE_RECORD_OPTION_GLOBAL_BANK);
  static const struct {
    uint64_t stamp;
    bool other; /* bank */
    const char *words;
  } second[] = {{5, false, NULL}, {6, false, NULL}, {4, false, "in cycle 5 before"}, {5, true, "belongs to bank"}};
  for (unsigned way = 0; way < 8; way++) {
    const bool local = way >= 4;
    const uint64_t line = local ? 1 : LINE;
    const uint8_t bank = line % 2;
    begin(&x,
          local ? PROGRAM("        LDL R4, [RZ+0x4] ;\n        LDL R5, [RZ+0x8] ;\n")
                : PROGRAM(LOAD("4", "0x0") LOAD("5", "0x80")),
          1, &shows);
    (void)cached_issue_to(&x, 0, 2);
    for (uint32_t n = 1; n <= 2; n++)
      cached_merges(&x, 0, HEAD + n - 1, line + n - 1, 3, (const uint32_t[4]){n, n, n, n}, local);
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_FILL};
    r.u.fill =
        (struct heddle_record_fill){.sector = 4 * line, .number = 1, .stamp = 5, .bank = bank, .is_local = local};
    cached_show(&x, &r);
    r.u.fill =
        (struct heddle_record_fill){.sector = 4 * line + 4, .number = 2, .stamp = 3, .bank = !bank, .is_local = local};
    cached_show(&x, &r);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
    r.u.fill = (struct heddle_record_fill){.sector = 4 * line + 1,
                                           .number = 1,
                                           .stamp = second[way % 4].stamp,
                                           .bank = bank ^ second[way % 4].other,
                                           .is_local = local};
    cached_show(&x, &r);
    done(&x, second[way % 4].words != NULL ? HEDDLE_CHECKER_PERFORM_STAMP : HEDDLE_CHECKER_NONE, second[way % 4].words);
  }
}

static void hits_are_wrong(void **state) {
  (void)state;
  one_load(15);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "has not come");
  one_load(0);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "was not requested");
  one_load(15); /* the wrong one of two */
  cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 15, false);
  cached_merge(&x, 0, HEAD + 1, LINE, 15, 2);
  fill_line(&x, 1, LINE);
  fill_line(&x, 2, LINE);
  cached_hit(&x, 0, HEAD, LINE, 15, 2);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "waits for fill 1");
  one_load(15);
  fill_line(&x, 1, LINE);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  cached_merge(&x, 0, HEAD + 1, LINE, 15, 2);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "is requested again");
  one_load(15);
  fill_line(&x, 1, LINE);
  cached_end(&x);
  done(&x, HEDDLE_CHECKER_PERFORM_MISSING, NULL); /* what is under way has somebody who waits */
}

/* More than there is room for, unless what was replaced is shown. */
static void room(void **state) {
  (void)state;
  static const struct heddle_checker_config small = {.cache_sectors = 4, .cache_promises = HEDDLE_CHECKER_CACHE_CLOSES};
  for (unsigned told = 0; told < 2; told++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x80")), 1, &small);
    (void)cached_issue_to(&x, 0, 2);
    bring(&x, 0, HEAD, LINE, 1);
    cached_merge(&x, 0, HEAD + 1, LINE + 1, 15, 2);
    fill_line(&x, 2, LINE + 1);
    if (told != 0) cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 15, false);
    cached_hit(&x, 0, HEAD + 1, LINE + 1, 15, 2);
    if (told != 0)
      well(&x);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "has room for 4");
  }
}

static void lanes(void **state) {
  (void)state;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_MERGE};
  static const struct {
    uint32_t lanes;
    unsigned used, access;
    uint64_t line;
    enum heddle_checker_kind want;
  } wrong[] = {
      {0, 15, 0, LINE, HEDDLE_CHECKER_RECORD_FORM},       {~0u, 0, 0, LINE, HEDDLE_CHECKER_RECORD_FORM},
      {~0u, 16, 0, LINE, HEDDLE_CHECKER_RECORD_FORM},     {~0u, 15, 1, LINE, HEDDLE_CHECKER_RECORD_FORM},
      {~0u, 15, 3, LINE, HEDDLE_CHECKER_PERFORM_ACCESS},  {~0u, 7, 0, LINE, HEDDLE_CHECKER_PERFORM_ADDRESS},
      {0xff, 3, 0, LINE, HEDDLE_CHECKER_PERFORM_ADDRESS}, {~0u, 15, 0, LINE + 1, HEDDLE_CHECKER_PERFORM_ADDRESS},
      {0x7f, 1, 0, LINE, HEDDLE_CHECKER_PERFORM_LANES}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    one_load(0);
    r.u.merge = (struct heddle_record_merge){.id = cached_id(&x, 0, HEAD),
                                             .line = wrong[i].line,
                                             .lanes = wrong[i].lanes,
                                             .used = (uint8_t)wrong[i].used,
                                             .access = (uint8_t)wrong[i].access,
                                             .number = {1, 1, 1, 1}};
    cached_show(&x, &r);
    done(&x, wrong[i].want, NULL);
  }
}

/* ---- through the cache, or by it */

/* A weak load that passes the cache by says so; then it reads nothing through it, as a strong one never does. */
static void weak_by_the_cache(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 4; wrong++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") STRONG("5", "0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    if (wrong != 1 && wrong != 3) cached_drop(&x, 0, HEAD, LINE, 15);
    if (wrong == 2) cached_merge(&x, 0, HEAD, LINE, 15, 1);
    if (wrong == 3) cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    cached_globals(&x, 0, HEAD, LINE);
    cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_globals(&x, 0, HEAD + 1, LINE);
    if (wrong == 0)
      well(&x);
    else
      done(&x, wrong == 1 ? HEDDLE_CHECKER_VISIBILITY_DROPPED : HEDDLE_CHECKER_PERFORM_ACCESS,
           wrong == 1 ? "no drop was shown" : NULL);
  }
}

static void by_the_cache(void **state) {
  (void)state;
  for (unsigned wrong = 0; wrong < 3; wrong++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") STRONG("5", "0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    bring(&x, 0, HEAD, LINE, 1);
    if (wrong != 1) cached_drop(&x, 0, HEAD + 1, LINE, 15);
    if (wrong == 2) cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_globals(&x, 0, HEAD + 1, LINE);
    if (wrong == 0)
      well(&x);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_DROPPED, wrong == 1 ? "no drop was shown" : "a second time");
  }
}

static void of_no_cache(void **state) {
  (void)state;
  static const struct heddle_checker_config none = {.cache_sectors = 0};
  begin(&x, PROGRAM(LOAD("4", "0x0")), 1, &none);
  (void)cached_issue(&x, 0);
  cached_merge(&x, 0, HEAD, LINE, 15, 1);
  done(&x, HEDDLE_CHECKER_RECORD_FORM, "has no cache");
}

/* ---- what is closed */

/* A line has been read; then `close` happens, and a younger load reads it once more. */
static void closed_by(const char *body, unsigned way, const struct heddle_checker_config *cfg, const char *words) {
  begin(&x, body, 2, cfg);
  const uint32_t first = HEAD, second = HEAD + 1;
  (void)cached_issue_to(&x, 0, 2);
  bring(&x, 0, first, LINE, 1);
  const uint32_t other = cached_issue_to(&x, 1, 3); /* two loads, and what closes */
  if (way <= 2) cached_drop(&x, 1, other, LINE, 4);
  if (way == 3) cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 4, false);
  if (way == 4) cached_give_up(&x, HEDDLE_RECORD_DROP_LAUNCH, 0, 0, false);
  if (way == 5 || way == 6) {
    bring(&x, 1, first, LINE + 1, 2);
    bring(&x, 1, second, LINE + 2, 3);
    cached_fence(&x, 1, other, way == 5 ? HEDDLE_RECORD_SCOPE_GPU : HEDDLE_RECORD_SCOPE_EMPTYING);
  }
  cached_hit(&x, 0, second, LINE, 15, 1);
  done(&x, words != NULL ? HEDDLE_CHECKER_VISIBILITY_DROPPED : HEDDLE_CHECKER_NONE, words);
}

#define TWO LOAD("4", "0x0") LOAD("5", "0x0")
static void closed(void **state) {
  (void)state;
  closed_by(PROGRAM(TWO STORE("0x0")), 0, &promising, "a store that passed (warp slot 1 seq 6)");
  closed_by(PROGRAM(TWO ADD("6", "0x0")), 1, &promising, "an atomic that passed");
  closed_by(PROGRAM(TWO STRONG("6", "0x0")), 2, &promising, "a strong load that passed");
  closed_by(PROGRAM(TWO STORE("0x0")), 3, &promising, "another sector in its place");
  closed_by(PROGRAM(TWO STORE("0x0")), 4, &promising, "a launch");
  closed_by(PROGRAM(TWO STORE("0x0")), 2, &plain, "a store that passed"); /* a drop closes without a promise */
}

/* A fence and an emptying close what there is, where the device promises it. */
static void fences_close(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    const struct heddle_checker_config *cfg = way % 2 == 0 ? &promising : &plain;
    begin(&x,
          way < 2 ? PROGRAM(LOAD("4", "0x0") FENCE LOAD("5", "0x0"))
                  : PROGRAM(LOAD("4", "0x0") "        CCTL.E.IVALL [R2] ;\n" LOAD("5", "0x0")),
          2, cfg);
    (void)cached_issue(&x, 0);
    bring(&x, 0, HEAD, LINE, 1);
    (void)cached_issue(&x, 1);
    cached_hit(&x, 1, HEAD, LINE, 15, 1);
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 1, way < 2 ? HEDDLE_RECORD_SCOPE_GPU : HEDDLE_RECORD_SCOPE_EMPTYING);
    (void)cached_issue(&x, 0);
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    done(&x, way % 2 == 0 ? HEDDLE_CHECKER_VISIBILITY_DROPPED : HEDDLE_CHECKER_NONE,
         way % 2 == 0 ? "the fence of warp" : NULL);
  }
}

/* A fill that was overtaken serves those who waited, and nobody joins it. */
static void overtaken(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") STORE("0x0") LOAD("5", "0x0")), 2, &promising);
    (void)cached_issue(&x, 0);
    cached_merge(&x, 0, HEAD, LINE, 15, 1);
    (void)cached_issue_to(&x, 1, 2);
    cached_merge(&x, 1, HEAD, LINE, 15, 1);
    cached_drop(&x, 1, HEAD + 1, LINE, 15);
    (void)cached_issue(&x, 1);
    cached_merge(&x, 1, HEAD + 2, LINE, 15, way == 1 ? 1 : 2);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_VISIBILITY_DROPPED, "is joined");
      continue;
    }
    fill_line(&x, 1, LINE);
    if (way == 0) cached_hit(&x, 0, HEAD, LINE, 15, 1);
    cached_globals(&x, 1, HEAD + 1, LINE);
    cached_ack(&x, 1, HEAD + 1, LINE);
    fill_line(&x, 2, LINE);
    cached_hit(&x, 1, HEAD + 2, LINE, 15, 2);
    cached_hit(&x, 1, HEAD, LINE, 15, 1); /* older, and reads what was */
    if (way == 2) cached_hit(&x, 0, HEAD, LINE, 15, 1);
    write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE);
    bring(&x, 0, cached_issue_to(&x, 0, 1), LINE, 3);
    well(&x);
  }
}

/* What was taken before an access of the SM was performed is closed by that; what is under way is not. */
static void performed_closes(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0") STORE("0x0")), 2, way == 2 ? &plain : &promising);
    (void)cached_issue_to(&x, 0, 2);
    (void)cached_issue_to(&x, 1, 3);
    cached_merge(&x, 1, HEAD, LINE, 15, 1);
    cached_drop(&x, 1, HEAD + 2, LINE, 15);
    cached_merge(&x, 0, HEAD, LINE, 15, 2);
    fill_line(&x, 1, LINE);
    if (way != 1) fill_line(&x, 2, LINE);
    cached_hit(&x, 1, HEAD, LINE, 15, 1);
    if (way != 1) cached_hit(&x, 0, HEAD, LINE, 15, 2);
    cached_merge(&x, 1, HEAD + 1, LINE, 15, 2); /* passed after the store did: it is not older */
    if (way != 1) cached_hit(&x, 1, HEAD + 1, LINE, 15, 2);
    cached_globals(&x, 1, HEAD + 2, LINE);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_PERFORM_ORDER, NULL); /* its older load has read nothing yet */
      continue;
    }
    cached_hit(&x, 0, HEAD + 1, LINE, 15, 2);
    done(&x, way == 0 ? HEDDLE_CHECKER_VISIBILITY_DROPPED : HEDDLE_CHECKER_NONE,
         way == 0 ? "an access at position" : NULL);
  }
}

/* ... and neither is another sector of the line, nor what is asked for while the store is on its way and joined when it
 * has been performed. */
static void performed_leaves(void **state) {
  (void)state;
  begin(&x,
        PROGRAM("        ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n" LOAD("4", "0x0")
                    LOAD("5", "0x0") "@P0     STG.E [R2], R0 ;\n"),
        2, &promising);
  (void)cached_issue_to(&x, 1, 4);
  (void)cached_issue_to(&x, 0, 3);
  bring(&x, 1, HEAD + 1, LINE, 1);
  cached_hit(&x, 1, HEAD + 2, LINE, 15, 1);
  cached_drop(&x, 1, HEAD + 3, LINE, 1);
  cached_merge(&x, 0, HEAD + 1, LINE, 1, 2);
  cached_global(&x, 1, HEAD + 3, FIRST);
  cached_ack(&x, 1, HEAD + 3, LINE);
  cached_merge(&x, 0, HEAD + 2, LINE, 1, 2);
  cached_fill(&x, 2, FIRST, false);
  cached_hit(&x, 0, HEAD + 1, LINE, 1, 2);
  cached_hit(&x, 0, HEAD + 2, LINE, 1, 2);
  for (uint32_t seq = HEAD + 1; seq <= HEAD + 2; seq++) cached_hit(&x, 0, seq, LINE, 14, 1);
  write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE);
  well(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads),
                                     cmocka_unit_test(reads_into_nothing),
                                     cmocka_unit_test(joins),
                                     cmocka_unit_test(fills_are_wrong),
                                     cmocka_unit_test(times_and_banks),
                                     cmocka_unit_test(hits_are_wrong),
                                     cmocka_unit_test(room),
                                     cmocka_unit_test(lanes),
                                     cmocka_unit_test(weak_by_the_cache),
                                     cmocka_unit_test(by_the_cache),
                                     cmocka_unit_test(of_no_cache),
                                     cmocka_unit_test(closed),
                                     cmocka_unit_test(fences_close),
                                     cmocka_unit_test(overtaken),
                                     cmocka_unit_test(performed_closes),
                                     cmocka_unit_test(performed_leaves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
