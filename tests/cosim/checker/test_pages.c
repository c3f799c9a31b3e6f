/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks and translations: what a right machine shows is silent, and each thing that a wrong one shows has its name.
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

/* ---- right ones */

static void test_right(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
  assert_int_equal(a.state, HEDDLE_WALK_FOUND);
  assert_false(a.leaf.writes);
  assert_true(b.leaf.writes);
  paged_perform(&x, LOAD, V, &a);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_issue_to(&x, STORE + 1);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
}

/* A walk that finds its entry changed begins anew with what it has found: here a table's page went away. */
static void test_swap_that_fails(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  struct heddle_walk a = paged_walk_begins(&x, V, false);
  for (unsigned i = 0; i < 4; i++) paged_walk_step(&x, &a, 0);
  assert_int_equal(a.state, HEDDLE_WALK_SWAPS);
  paged_exchange(&x, paged_entry(&x, V, 0), PAGED_FRAME(7) | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_PRESENT);
  paged_walk_step(&x, &a, 0);
  assert_int_equal(a.state, HEDDLE_WALK_SWAPS); /* of the new one, whose A is 0 as well */
  paged_walk_step(&x, &a, 0);
  assert_int_equal(a.leaf.at, PAGED_FRAME(7));
  const struct heddle_walk b = paged_walk(&x, V + 4096, true);
  paged_perform(&x, LOAD, V, &a);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_issue_to(&x, STORE + 1);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
}

/* ---- walks that are wrong */

static void other_level(struct heddle_retire_record *r) {
  r->u.global.id.slot--;
}
static void other_sector(struct heddle_retire_record *r) {
  r->u.global.sector++;
}
static void other_entry(struct heddle_retire_record *r) {
  for (unsigned i = 0; i < 32; i++) r->u.global.rdata[i] ^= 0x40;
}
static void other_walk(struct heddle_retire_record *r) {
  r->u.global.id.seq += 3;
}
static void a_swap(struct heddle_retire_record *r) {
  r->u.global.access = HEDDLE_RECORD_ATOMIC;
}
static void more_bits(struct heddle_retire_record *r) {
  for (unsigned i = 0; i < 32; i++) r->u.global.wdata[i] |= HEDDLE_ENTRY_DIRTY;
}
static void other_bytes(struct heddle_retire_record *r) {
  r->u.global.wstrb <<= 1;
}
static void number_again(struct heddle_retire_record *r) {
  r->u.pages.number--;
}
static void other_space(struct heddle_retire_record *r) {
  r->u.pages.space++;
}

static void test_wrong_walks(void **state) {
  (void)state;
  static const struct {
    unsigned step; /* whose record is changed: 0 the begin of a second walk, then its accesses; the last is the swap */
    void (*change)(struct heddle_retire_record *);
    enum heddle_checker_kind want;
  } wrong[] = {{0, number_again, HEDDLE_CHECKER_WALK_ACCESS}, {0, other_space, HEDDLE_CHECKER_WALK_ACCESS},
               {1, other_level, HEDDLE_CHECKER_WALK_ACCESS},  {2, other_walk, HEDDLE_CHECKER_WALK_ACCESS},
               {3, a_swap, HEDDLE_CHECKER_WALK_ACCESS},       {2, other_sector, HEDDLE_CHECKER_WALK_ENTRY},
               {1, other_entry, HEDDLE_CHECKER_WALK_ENTRY},   {4, other_entry, HEDDLE_CHECKER_WALK_ENTRY},
               {5, other_entry, HEDDLE_CHECKER_WALK_ENTRY},   {5, more_bits, HEDDLE_CHECKER_WALK_ENTRY},
               {5, other_bytes, HEDDLE_CHECKER_WALK_ENTRY},   {5, other_level, HEDDLE_CHECKER_WALK_ACCESS}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct paged x;
    begin(&x);
    (void)paged_walk(&x, V + 4096, true);
    if (wrong[i].step == 0) x.change = wrong[i].change;
    struct heddle_walk w = paged_walk_begins(&x, V, false);
    for (unsigned k = 1; k <= 5; k++) {
      if (wrong[i].step == k) x.change = wrong[i].change;
      paged_walk_step(&x, &w, 1);
      if (k < wrong[i].step && !x.ok) fail_msg("case %u step %u", i, k);
    }
    paged_expect(&x, wrong[i].want, NULL);
    paged_free(&x);
  }
}

/* It goes on when it has ended; another one has not begun; one ends with an error that no memory gives. */
static void test_walk_without_end(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  const struct heddle_walk a = paged_walk(&x, V, false);
  struct heddle_walk again = a;
  again.state = HEDDLE_WALK_READS;
  paged_walk_step(&x, &again, 0);
  paged_expect(&x, HEDDLE_CHECKER_WALK_ACCESS, "has found its page");
  paged_free(&x);
  begin(&x);
  struct heddle_walk b = paged_walk_begins(&x, V, false);
  paged_walk_step(&x, &b, 1);
  paged_expect(&x, HEDDLE_CHECKER_WALK_ACCESS, "has not begun");
  paged_free(&x);
  begin(&x);
  b = paged_walk_begins(&x, V, false);
  paged_walk_step(&x, &b, 0);
  paged_tell(&x, 6, V, 0, 0);
  paged_expect(&x, HEDDLE_CHECKER_WALK_ACCESS, "is in memory");
  paged_free(&x);
}

/* ---- translations that are wrong */

static void other_frame(struct heddle_retire_record *r) {
  r->u.global.sector += 4096 / 32;
}

static void test_wrong_frame(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  const struct heddle_walk a = paged_walk(&x, V, false);
  x.change = other_frame;
  paged_perform(&x, LOAD, V, &a);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION,
               "line 0x40000000 is shown at 0x7300004000; for a read it may be at 0x7300003000");
  paged_free(&x);
}

static void test_no_walk(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  struct heddle_walk a = {.leaf = {.page = V, .at = PAGED_FRAME(3), .bytes = 4096}};
  paged_perform(&x, LOAD, V, &a);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, "nowhere: no walk has found its page");
  paged_free(&x);
}

/* A walk for a read does not serve a store. */
static void test_without_dirty(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  const struct heddle_walk a = paged_walk(&x, V, false);
  struct heddle_walk b = paged_walk(&x, V + 4096, false);
  paged_perform(&x, LOAD, V, &a);
  b.leaf.writes = true;
  paged_perform(&x, STORE, V + 4096, &b);
  paged_expect(&x, HEDDLE_CHECKER_TRANSLATION, "for a write");
  paged_free(&x);
}

/* Each of these comparisons matters: switched off, it says nothing. */
static void wrong_level(struct paged *x) {
  struct heddle_walk w = paged_walk_begins(x, V, false);
  x->change = other_level;
  paged_walk_step(x, &w, 0);
}
static void wrong_entry(struct paged *x) {
  struct heddle_walk w = paged_walk_begins(x, V, false);
  x->change = other_entry;
  paged_walk_step(x, &w, 0);
}
static void wrong_frame(struct paged *x) {
  const struct heddle_walk a = paged_walk(x, V, false);
  x->change = other_frame;
  paged_perform(x, LOAD, V, &a);
}
static void wrong_host(struct paged *x) {
  paged_tell(x, 4, 0, 0, 0);
}
static void wrong_list(struct paged *x) {
  const struct heddle_page_fault f = {.page = V, .kind = HEDDLE_PAGE_ABSENT, .space = PAGED_SPACE};
  (void)heddle_checker_host_fault(x->c, &f);
}

void checker_switch_off(struct heddle_checker *c, enum heddle_checker_kind k);

static void test_each_matters(void **state) {
  (void)state;
  static const struct {
    void (*wrong)(struct paged *x);
    enum heddle_checker_kind kind;
  } all[] = {{wrong_level, HEDDLE_CHECKER_WALK_ACCESS},
             {wrong_entry, HEDDLE_CHECKER_WALK_ENTRY},
             {wrong_frame, HEDDLE_CHECKER_TRANSLATION},
             {wrong_host, HEDDLE_CHECKER_PAGES_HOST},
             {wrong_list, HEDDLE_CHECKER_FAULT_LIST}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    for (unsigned off = 0; off < 2; off++) {
      struct paged x;
      begin(&x);
      if (off != 0) checker_switch_off(x.c, all[i].kind);
      all[i].wrong(&x);
      const enum heddle_checker_kind got = heddle_checker_first(x.c)->kind;
      if ((got == all[i].kind) != (off == 0)) fail_msg("case %u: %s", i, heddle_checker_kind_name(got));
      paged_free(&x);
    }
}

/* What walks for a write or is under way at the end: nobody has asked for it. */
static void test_wanted(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  (void)paged_walk_begins(&x, V, true);
  paged_expect(&x, HEDDLE_CHECKER_WALK_ACCESS, "no store or atomic");
  paged_free(&x);
  begin(&x);
  const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
  paged_perform(&x, LOAD, V, &a);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_issue_to(&x, STORE + 1);
  (void)paged_walk_begins(&x, V, false);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_WALK_ACCESS, "as the launch ends");
  paged_free(&x);
}

/* ---- the launch */

static void other_root(struct heddle_retire_record *r) {
  r->u.pages.page += 2;
}

static void test_launch(void **state) {
  (void)state;
  static void (*const change[])(struct heddle_retire_record * r) = {other_root, other_space};
  static const char *const words[] = {"PAGE_ROOT", "SPACE"};
  struct paged x;
  for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
    paged_init(&x, copies);
    x.change = change[i];
    paged_begin(&x, false);
    paged_expect(&x, HEDDLE_CHECKER_PAGES_HOST, NULL);
    assert_string_equal(heddle_checker_first(x.c)->subject, words[i]);
    paged_free(&x);
  }
  begin(&x);
  paged_launch(&x);
  paged_expect(&x, HEDDLE_CHECKER_PAGES_HOST, "a launch that the host has not requested");
  paged_free(&x);
}

/* ---- the host */

static void test_host(void **state) {
  (void)state;
  struct paged x;
  begin(&x);
  paged_tell(&x, 2, V, 0, 0);
  paged_expect(&x, HEDDLE_CHECKER_PAGES_HOST, "an invalidation that the host has not requested");
  paged_free(&x);
  begin(&x);
  heddle_checker_host_invalidate(x.c, 0, PAGED_SPACE, V);
  paged_tell(&x, 2, V + 4096, 0, 0);
  paged_expect(&x, HEDDLE_CHECKER_PAGES_HOST, NULL);
  paged_free(&x);
  begin(&x);
  paged_tell(&x, 4, 0, 0, 0);
  paged_expect(&x, HEDDLE_CHECKER_PAGES_HOST, "a REPLAY");
  paged_free(&x);
  begin(&x);
  x.change = more_bits;
  paged_exchange(&x, paged_entry(&x, V, 0), 0);
  paged_expect(&x, HEDDLE_CHECKER_WALK_ENTRY, "entry written");
  paged_free(&x);
  begin(&x);
  heddle_checker_host_exchange(x.c, paged_entry(&x, V, 0), 0);
  assert_false(heddle_checker_host_exchanged(x.c, false, 0));
  paged_expect(&x, HEDDLE_CHECKER_PAGES_HOST, "was not shown");
  paged_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_right),         cmocka_unit_test(test_swap_that_fails),
                                     cmocka_unit_test(test_wrong_walks),   cmocka_unit_test(test_walk_without_end),
                                     cmocka_unit_test(test_wrong_frame),   cmocka_unit_test(test_no_walk),
                                     cmocka_unit_test(test_without_dirty), cmocka_unit_test(test_each_matters),
                                     cmocka_unit_test(test_launch),        cmocka_unit_test(test_wanted),
                                     cmocka_unit_test(test_host)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
