/* SPDX-License-Identifier: Apache-2.0
 *
 * Places of accesses: invalidations, two names of one place, a cache, which has physical lines.
 */
#include <string.h>

#include <heddle/host_regs.h>
#include "tests/test.h"
#include "tests/cosim/paged.h"

#define RW (HEDDLE_ENTRY_WRITE)
#define SEEN (HEDDLE_ENTRY_ACCESSED | HEDDLE_ENTRY_DIRTY)

/* A load of the first page, a store to the second. */
#define LOAD TEXT_V_N
#define STORE (LOAD + 1)
static const char copies[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                             "        STG.E [R6+0x1000], R6 ;\n"
                             "        EXIT ;\n.end\n";

static void begin(struct paged *x) {
  paged_init(x, copies);
  paged_map(x, V, 3, RW);
  paged_map(x, V + 4096, 5, RW);
  paged_begin(x, true);
  paged_issue_to(x, STORE);
}

/* The page moves: before the invalidation has ended either frame serves, behind it the new one alone. */
static void remap(struct paged *x, struct heddle_walk *old, struct heddle_walk *fresh) {
  begin(x);
  *old = paged_walk(x, V, false);
  paged_exchange(x, paged_entry(x, V, 0), PAGED_FRAME(7) | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_PRESENT | RW);
  paged_invalidate(x, true, 0, V);
  *fresh = paged_walk(x, V, false);
}

static void test_moved(void **state) {
  (void)state;
  for (unsigned before = 0; before < 2; before++) {
    struct paged x;
    struct heddle_walk old, fresh;
    remap(&x, &old, &fresh);
    if (before) paged_perform(&x, LOAD, V, &old);
    paged_invalidate(&x, false, 0, V);
    if (!before) paged_perform(&x, LOAD, V, &fresh);
    const struct heddle_walk b = paged_walk(&x, V + 4096, true);
    paged_perform(&x, STORE, V + 4096, &b);
    paged_issue_to(&x, STORE + 1);
    paged_end(&x);
    paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
    paged_free(&x);
  }
}

/* ---- translations of before */

static void test_stale(void **state) {
  (void)state;
  struct paged x;
  struct heddle_walk old, fresh;
  remap(&x, &old, &fresh);
  paged_invalidate(&x, false, 0, V);
  paged_perform(&x, LOAD, V, &old);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, "0x7300007000");
  paged_free(&x);
}

/* It began before the invalidation, and ends behind it. */
static void test_walk_before(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  struct heddle_walk a = paged_walk_begins(&x, V, false);
  for (unsigned i = 0; i < 3; i++) paged_walk_step(&x, &a, 0);
  paged_invalidate(&x, true, HEDDLE_TLB_WHAT_ALL_PAGES, 0);
  paged_invalidate(&x, false, HEDDLE_TLB_WHAT_ALL_PAGES, 0);
  for (unsigned i = 0; i < 2; i++) paged_walk_step(&x, &a, 0);
  assert_true(x.ok);
  paged_perform(&x, LOAD, V, &a);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, "nowhere");
  paged_free(&x);
}

/* An invalidation of another page, of another space, forgets nothing here; of all spaces it does. */
static void test_other_invalidations(void **state) {
  (void)state;
  static const struct {
    unsigned what;
    uint64_t virt;
    bool forgets;
  } all[] = {{0, V + 4096, false},
             {0, V + 0xfff, true},
             {HEDDLE_TLB_WHAT_ALL_SPACES, V, true},
             {HEDDLE_TLB_WHAT_ALL_SPACES, V + 4096, false},
             {HEDDLE_TLB_WHAT_ALL_PAGES, V + 4096, true}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    struct paged x;
    begin(&x);
    const struct heddle_walk a = paged_walk(&x, V, false);
    paged_invalidate(&x, true, all[i].what, all[i].virt);
    paged_invalidate(&x, false, all[i].what, all[i].virt);
    paged_perform(&x, LOAD, V, &a);
    paged_expect(&x, all[i].forgets ? HEDDLE_CHECKER_TRANSLATION : HEDDLE_CHECKER_NONE, NULL);
    paged_free(&x);
  }
}

/* A page that is the same in all spaces is forgotten by its address, and not by its space. */
static void test_global_page(void **state) {
  (void)state;
  for (unsigned what = 0; what < 4; what++) {
    struct paged x;
    paged_init(&x, copies);
    paged_map(&x, V, 3, RW | HEDDLE_ENTRY_GLOBAL);
    paged_begin(&x, true);
    paged_issue_to(&x, STORE);
    const struct heddle_walk a = paged_walk(&x, V, false);
    paged_invalidate(&x, true, what, V);
    paged_invalidate(&x, false, what, V);
    paged_perform(&x, LOAD, V, &a);
    paged_expect(&x, what == HEDDLE_TLB_WHAT_ALL_PAGES ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_TRANSLATION, NULL);
    paged_free(&x);
  }
}

/* The invalidation is over, and an access that has been translated before it is not performed: the younger store, which
 * was, says that the load has been translated. */
static void test_not_performed(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  (void)paged_walk(&x, V, false);
  const struct heddle_walk b = paged_walk(&x, V + 4096, true);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_invalidate(&x, true, 0, V);
  assert_true(x.ok);
  paged_invalidate(&x, false, 0, V);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, "the invalidation is over");
  paged_free(&x);
}

/* Lines of a warp are translated in their order. */
static void test_before_an_older_one(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  const struct heddle_walk b = paged_walk(&x, V + 4096, true);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, "before the older seq 4");
  paged_free(&x);
}

/* ---- two names of one place */

/* Both pages are frame 3: the load is older than the store to the same bytes. */
static void test_alias(void **state) {
  (void)state;
  for (unsigned right = 0; right < 2; right++) {
    struct paged x;
    paged_init(&x, copies);
    paged_map(&x, V, 3, RW);
    paged_map(&x, V + 4096, 3, RW);
    paged_begin(&x, true);
    paged_issue_to(&x, STORE);
    const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
    if (right) paged_perform(&x, LOAD, V, &a);
    if (!right) {
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
      r.u.global = (struct heddle_record_global){.id = {.gen = 1, .seq = STORE},
                                                 .sector = PAGED_FRAME(3) / 32,
                                                 .lanes = 0xff,
                                                 .wstrb = ~0u,
                                                 .access = HEDDLE_RECORD_STORE};
      paged_show(&x, &r);
      paged_expect(&x, HEDDLE_CHECKER_PERFORM_ORDER, "the older seq 4");
    } else {
      paged_perform(&x, STORE, V + 4096, &b);
      paged_issue_to(&x, STORE + 1);
      paged_end(&x);
      paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
    }
    paged_free(&x);
  }
}

/* One store, whose even lanes are in one page and whose odd ones in another, of one frame: line after line, either
 * first, for one of them may have waited for its page. */
static const char twice[] = ".kernel k\n" TEXT_V "        LOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT ;\n"
                            "        IMAD.WIDE R6, R9, 0x1000, R4 ;\n"
                            "        STG.E [R6], R0 ;\n"
                            "        EXIT ;\n.end\n";

static void test_alias_in_one(void **state) {
  (void)state;
  for (unsigned odd = 0; odd < 2; odd++) {
    struct paged x;
    paged_init(&x, twice);
    paged_map(&x, V, 3, RW);
    paged_map(&x, V + 4096, 3, RW);
    paged_begin(&x, true);
    paged_issue_to(&x, 6);
    const struct heddle_walk a = paged_walk(&x, V, true), b = paged_walk(&x, V + 4096, true);
    paged_perform(&x, 6, odd ? V + 4096 : V, odd ? &b : &a);
    paged_perform(&x, 6, odd ? V : V + 4096, odd ? &a : &b);
    paged_issue_to(&x, 7);
    paged_end(&x);
    paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
    paged_free(&x);
  }
}

/* ---- with a cache, which has physical lines */

static void test_cache(void **state) {
  (void)state;
  struct paged x;
  paged_init(&x, copies);
  x.cached = true;
  paged_map(&x, V, 3, RW);
  paged_map(&x, V + 4096, 5, RW);
  paged_begin(&x, true);
  paged_issue_to(&x, STORE);
  const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
  paged_read(&x, LOAD, V, &a, 1);
  paged_pass(&x, STORE, V + 4096, &b);
  paged_issue_to(&x, STORE + 1);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
}

static const char stores[] = ".kernel k\n" TEXT_V "        STG.E [R6], R6 ;\n"
                             "        LDG.E R8, [R6+0x1000] ;\n"
                             "        EXIT ;\n.end\n";

/* A load must not read a line that an older store of its warp, by another name, has not reached. */
static void test_cache_alias(void **state) {
  (void)state;
  for (unsigned right = 0; right < 2; right++) {
    struct paged x;
    paged_init(&x, stores);
    x.cached = true;
    paged_map(&x, V, 3, RW);
    paged_map(&x, V + 4096, 3, RW);
    paged_begin(&x, true);
    paged_issue_to(&x, LOAD + 1);
    const struct heddle_walk a = paged_walk(&x, V, true), b = paged_walk(&x, V + 4096, false);
    if (right) paged_pass(&x, LOAD, V, &a);
    paged_read(&x, LOAD + 1, V + 4096, &b, 1);
    if (right) paged_issue_to(&x, LOAD + 2);
    if (right) paged_end(&x);
    paged_expect(&x, right ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
                 right ? NULL : "is older in its warp");
    paged_free(&x);
  }
}

static void to_all(struct heddle_retire_record *r) {
  r->u.ack.lanes = ~0u;
}

/* Two virtual lines of one store in one place: each passes, and each has an end of its own. Wrong: the second is
 * acknowledged too early, the first for both, the second is performed first. */
static void test_cache_alias_in_one(void **state) {
  (void)state;
  static const enum heddle_checker_kind want[] = {HEDDLE_CHECKER_NONE, HEDDLE_CHECKER_VISIBILITY_ACK,
                                                  HEDDLE_CHECKER_VISIBILITY_ACK, HEDDLE_CHECKER_PERFORM_ORDER};
  static const char *const words[] = {NULL, "before they are performed", NULL, "by another virtual line"};
  for (unsigned k = 0; k < 4; k++) {
    struct paged x;
    paged_init(&x, twice);
    x.cached = true;
    paged_map(&x, V, 3, RW);
    paged_map(&x, V + 4096, 3, RW);
    paged_begin(&x, true);
    paged_issue_to(&x, 6);
    const struct heddle_walk a = paged_walk(&x, V, true), b = paged_walk(&x, V + 4096, true);
    const uint32_t even = paged_drop(&x, 6, V, &a), odd = paged_drop(&x, 6, V + 4096, &b);
    if (k != 3) paged_perform_lanes(&x, 6, even);
    if (k == 2) x.change = to_all;
    if (k != 3) paged_ack(&x, 6, even);
    if (k == 0 || k == 3) paged_perform_lanes(&x, 6, odd);
    if (k != 3) paged_ack(&x, 6, odd);
    if (k == 0) paged_issue_to(&x, 7);
    if (k == 0) paged_end(&x);
    paged_expect(&x, want[k], words[k]);
    paged_free(&x);
  }
}

static const char loads_twice[] = ".kernel k\n" TEXT_V "        LOP3.LUT R9, R0, 0x1, RZ, 0xc0, !PT ;\n"
                                  "        IMAD.WIDE R6, R9, 0x1000, R4 ;\n"
                                  "        LDG.E R8, [R6] ;\n"
                                  "        EXIT ;\n.end\n";

static void of_all(struct heddle_retire_record *r) {
  r->u.drop.lanes = ~0u;
}
static void of_others(struct heddle_retire_record *r) {
  r->u.drop.lanes = ~r->u.drop.lanes;
}

/* Of a load one waits in the cache, the other one passes it by: who does, the record says. */
static void test_cache_passed_by_one(void **state) {
  (void)state;
  static void (*const change[])(struct heddle_retire_record *) = {NULL, of_all, of_others};
  for (unsigned k = 0; k < 3; k++) {
    struct paged x;
    paged_init(&x, loads_twice);
    x.cached = true;
    paged_map(&x, V, 3, RW);
    paged_map(&x, V + 4096, 3, RW);
    paged_begin(&x, true);
    paged_issue_to(&x, 6);
    const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, false);
    const uint32_t even = paged_ask(&x, 6, V, &a, 1);
    x.change = change[k];
    const uint32_t odd = paged_drop(&x, 6, V + 4096, &b);
    paged_perform_lanes(&x, 6, odd);
    if (k == 0) paged_read_lanes(&x, 6, even, 1);
    if (k == 0) paged_issue_to(&x, 7);
    if (k == 0) paged_end(&x);
    paged_expect(&x,
                 k == 0   ? HEDDLE_CHECKER_NONE
                 : k == 1 ? HEDDLE_CHECKER_PERFORM_LANES
                          : HEDDLE_CHECKER_VISIBILITY_DROPPED,
                 NULL);
    paged_free(&x);
  }
}

/* A line that no walk has found for the page passes, or is asked for. */
static void other_line(struct heddle_retire_record *r) {
  if (r->kind == HEDDLE_RECORD_DROP)
    r->u.drop.line += 32;
  else
    r->u.merge.line += 32;
}

static void test_cache_other_line(void **state) {
  (void)state;
  for (unsigned store = 0; store < 2; store++) {
    struct paged x;
    paged_init(&x, copies);
    x.cached = true;
    paged_map(&x, V, 3, RW);
    paged_map(&x, V + 4096, 5, RW);
    paged_begin(&x, true);
    paged_issue_to(&x, STORE);
    const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
    if (!store) x.change = other_line;
    paged_read(&x, LOAD, V, &a, 1);
    if (store) x.change = other_line;
    if (store) paged_pass(&x, STORE, V + 4096, &b);
    paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, NULL);
    paged_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_moved),
                                     cmocka_unit_test(test_stale),
                                     cmocka_unit_test(test_walk_before),
                                     cmocka_unit_test(test_other_invalidations),
                                     cmocka_unit_test(test_global_page),
                                     cmocka_unit_test(test_not_performed),
                                     cmocka_unit_test(test_before_an_older_one),
                                     cmocka_unit_test(test_alias),
                                     cmocka_unit_test(test_alias_in_one),
                                     cmocka_unit_test(test_cache),
                                     cmocka_unit_test(test_cache_alias),
                                     cmocka_unit_test(test_cache_alias_in_one),
                                     cmocka_unit_test(test_cache_passed_by_one),
                                     cmocka_unit_test(test_cache_other_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
