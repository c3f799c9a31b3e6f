/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults of pages: traps, lists, and what waits until its page has come.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/paged.h"

#define RW (HEDDLE_ENTRY_WRITE)
#define ALL 0xffffffffu

/* A load of the first page, a store to the second. */
#define LOAD TEXT_V_N
#define STORE (LOAD + 1)
static const char copies[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                             "        STG.E [R6+0x1000], R6 ;\n"
                             "        EXIT ;\n.end\n";

/* What is mapped: of each page 0 nothing, 1 for reading, 2 for writing. */
static void begin(struct paged *x, unsigned first, unsigned second, bool fault_trap) {
  paged_init(x, copies);
  paged_map(x, V + 8192, 9, RW); /* so that there are tables */
  if (first != 0) paged_map(x, V, 3, first == 2 ? RW : 0);
  if (second != 0) paged_map(x, V + 4096, 5, second == 2 ? RW : 0);
  paged_begin(x, fault_trap);
  paged_issue_to(x, STORE);
}

static void test_fault_traps(void **state) {
  (void)state;
  struct paged x;
  begin(&x, 0, 2, true);
  const struct heddle_walk a = paged_walk(&x, V, false);
  assert_int_equal(a.state, HEDDLE_WALK_FAULT);
  assert_int_equal(a.kind, HEDDLE_PAGE_ABSENT);
  paged_trap(&x, LOAD, HEDDLE_TRAP_PAGE, V, ALL);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
  begin(&x, 2, 1, true);
  const struct heddle_walk b = paged_walk(&x, V, false), c = paged_walk(&x, V + 4096, true);
  assert_int_equal(c.kind, HEDDLE_PAGE_PROTECTED);
  paged_perform(&x, LOAD, V, &b);
  paged_trap(&x, STORE, HEDDLE_TRAP_WRITE_PROTECTED, V + 4096, ALL);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
}

static void test_wrong_traps(void **state) {
  (void)state;
  static const struct {
    bool walked;
    unsigned cause;
    uint64_t addr;
    uint32_t lanes;
    enum heddle_checker_kind want;
    const char *words;
  } wrong[] = {{false, HEDDLE_TRAP_PAGE, V, ALL, HEDDLE_CHECKER_TRAP_UNEXPECTED, "no walk for its page"},
               {true, HEDDLE_TRAP_WRITE_PROTECTED, V, ALL, HEDDLE_CHECKER_TRAP_UNEXPECTED, "no walk for its page"},
               {true, HEDDLE_TRAP_BUS, V, ALL, HEDDLE_CHECKER_TRAP_UNEXPECTED, "no walk for its page"},
               {true, HEDDLE_TRAP_PAGE, V, 0x7fffffff, HEDDLE_CHECKER_TRAP_MISMATCH, "lanes"},
               {true, HEDDLE_TRAP_PAGE, V + 32, ALL, HEDDLE_CHECKER_TRAP_MISMATCH, "address"},
               {true, HEDDLE_TRAP_PAGE, V + 128, ALL, HEDDLE_CHECKER_TRAP_MISMATCH, "no access to"}};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct paged x;
    begin(&x, 0, 2, true);
    if (wrong[i].walked) (void)paged_walk(&x, V, false);
    paged_trap(&x, LOAD, wrong[i].cause, wrong[i].addr, wrong[i].lanes);
    paged_expect(&x, wrong[i].want, wrong[i].words);
    paged_free(&x);
  }
}

/* A load and a store of one page. */
static const char both[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                           "        STG.E [R6], R6 ;\n"
                           "        EXIT ;\n.end\n";

/* A load is not protected, whatever a store's walk says; and a line of which something has been performed does not
 * trap. */
static void test_traps_of_others(void **state) {
  (void)state;
  struct paged x;
  paged_init(&x, both);
  paged_map(&x, V, 3, 0);
  paged_begin(&x, true);
  paged_issue_to(&x, STORE);
  (void)paged_walk(&x, V, true);
  paged_trap(&x, LOAD, HEDDLE_TRAP_WRITE_PROTECTED, V, ALL);
  paged_expect(&x, HEDDLE_CHECKER_TRAP_UNEXPECTED, NULL);
  paged_free(&x);
  begin(&x, 2, 0, true);
  const struct heddle_walk a = paged_walk(&x, V, false);
  (void)paged_walk(&x, V + 4096, true);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
  r.u.global = (struct heddle_record_global){
      .id = {.gen = 1, .seq = LOAD}, .sector = PAGED_FRAME(3) / 32, .lanes = 0xff, .access = HEDDLE_RECORD_LOAD};
  memcpy(r.u.global.rdata, x.image + 3 * 4096, 32);
  assert_int_equal(a.state, HEDDLE_WALK_FOUND);
  paged_show(&x, &r);
  assert_true(x.ok);
  paged_trap(&x, LOAD, HEDDLE_TRAP_PAGE, V, ALL);
  paged_expect(&x, HEDDLE_CHECKER_TRAP_MISMATCH, "have been performed");
  paged_free(&x);
}

/* What has been translated is performed, though another one has trapped. */
static void test_owed(void **state) {
  (void)state;
  struct paged x;
  begin(&x, 2, 0, true);
  (void)paged_walk(&x, V, false);
  (void)paged_walk(&x, V + 4096, true);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
  r.u.global = (struct heddle_record_global){
      .id = {.gen = 1, .seq = LOAD}, .sector = PAGED_FRAME(3) / 32, .lanes = 0xff, .access = HEDDLE_RECORD_LOAD};
  memcpy(r.u.global.rdata, x.image + 3 * 4096, 32);
  paged_show(&x, &r);
  paged_trap(&x, STORE, HEDDLE_TRAP_PAGE, V + 4096, ALL);
  assert_true(x.ok);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_PERFORM_MISSING, NULL);
  paged_free(&x);
}

static struct heddle_page_fault fault(uint64_t page, enum heddle_page_kind kind, bool write) {
  return (struct heddle_page_fault){
      .page = page, .kind = kind, .use = write ? HEDDLE_PAGE_STORE : HEDDLE_PAGE_LOAD, .space = PAGED_SPACE};
}

/* The page comes, and all goes on. */
static void test_waits(void **state) {
  (void)state;
  struct paged x;
  begin(&x, 0, 2, false);
  (void)paged_walk(&x, V, false);
  const struct heddle_page_fault f = fault(V, HEDDLE_PAGE_ABSENT, false);
  assert_true(heddle_checker_host_fault(x.c, &f));
  paged_exchange(&x, paged_entry(&x, V, 0), PAGED_FRAME(3) | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_PRESENT);
  heddle_checker_host_replay(x.c, false);
  paged_tell(&x, 4, 0, 0, 0);
  const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
  paged_perform(&x, LOAD, V, &a);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_issue_to(&x, STORE + 1);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
}

/* A fault waits: it traps behind FAIL alone. */
static void test_fail(void **state) {
  (void)state;
  for (unsigned said = 0; said < 3; said++) {
    struct paged x;
    begin(&x, 0, 2, false);
    (void)paged_walk(&x, V, false);
    if (said != 0) heddle_checker_host_replay(x.c, said == 2);
    if (said != 0) paged_tell(&x, said == 2 ? 5 : 4, 0, 0, 0);
    if (said != 0) (void)paged_walk(&x, V, false);
    paged_trap(&x, LOAD, HEDDLE_TRAP_PAGE, V, ALL);
    if (said == 2) paged_end(&x);
    paged_expect(&x, said == 2 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_TRAP_UNEXPECTED,
                 said == 2 ? NULL : "has not said FAIL");
    paged_free(&x);
  }
}

static void test_list(void **state) {
  (void)state;
  const struct heddle_page_fault wrong[] = {fault(V + 4096, HEDDLE_PAGE_ABSENT, true),
                                            fault(V, HEDDLE_PAGE_ABSENT, true), fault(V, HEDDLE_PAGE_MALFORMED, false),
                                            fault(V, HEDDLE_PAGE_PROTECTED, true)};
  struct paged x;
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    begin(&x, 0, 2, false);
    (void)paged_walk(&x, V, false);
    assert_false(heddle_checker_host_fault(x.c, &wrong[i]));
    paged_expect(&x, HEDDLE_CHECKER_FAULT_LIST, NULL);
    paged_free(&x);
  }
  begin(&x, 0, 2, false); /* of long ago */
  (void)paged_walk(&x, V, false);
  for (unsigned i = 0; i < 2; i++) {
    heddle_checker_host_replay(x.c, false);
    paged_tell(&x, 4, 0, 0, 0);
  }
  const struct heddle_page_fault f = fault(V, HEDDLE_PAGE_ABSENT, false);
  assert_false(heddle_checker_host_fault(x.c, &f));
  paged_expect(&x, HEDDLE_CHECKER_FAULT_LIST, NULL);
  paged_free(&x);
}

/* Code whose page is absent: the word is tried by the model, and traps where a walk has found it so. */
static void test_code(void **state) {
  (void)state;
  for (unsigned right = 0; right < 2; right++) {
    struct paged x;
    paged_init(&x, copies);
    (void)paged_unmap(&x, CODE_AT);
    paged_begin(&x, true);
    if (right) (void)paged_walk(&x, CODE_AT, false);
    paged_trap(&x, 0, HEDDLE_TRAP_PAGE, CODE_AT, ALL);
    if (right) paged_end(&x);
    paged_expect(&x, right ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_TRAP_UNEXPECTED, NULL);
    paged_free(&x);
  }
}

/* The model has read the code before its page went: it is lost where a walk has found it so. */
static void test_code_that_goes(void **state) {
  (void)state;
  struct paged x;
  begin(&x, 2, 2, true);
  const struct heddle_walk a = paged_walk(&x, V, false), b = paged_walk(&x, V + 4096, true);
  paged_perform(&x, LOAD, V, &a);
  paged_perform(&x, STORE, V + 4096, &b);
  paged_exchange(&x, paged_entry(&x, CODE_AT, 0), 0);
  (void)paged_walk(&x, CODE_AT, false);
  paged_trap(&x, STORE + 1, HEDDLE_TRAP_PAGE, CODE_AT + 16 * (STORE + 1) / 32 * 32, ALL);
  paged_end(&x);
  paged_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  paged_free(&x);
}

/* Constants whose page comes while they are waited for. */
static const char words[] = ".kernel k\n        S2R R0, SR_LANEID ;\n        IMAD R1, R0, 0x4, RZ ;\n"
                            "        LDC R8, c[0x0][R1] ;\n        EXIT ;\n.end\n";

static void test_constants(void **state) {
  (void)state;
  for (unsigned walked = 0; walked < 2; walked++) {
    struct paged x;
    paged_init(&x, words);
    const uint64_t entry = paged_unmap(&x, BANK_AT);
    paged_begin(&x, false);
    paged_issue_to(&x, 2);
    assert_int_equal(x.left[2], ALL);
    (void)paged_walk(&x, BANK_AT, false);
    paged_exchange(&x, paged_entry(&x, BANK_AT, 0), entry);
    heddle_checker_host_replay(x.c, false);
    paged_tell(&x, 4, 0, 0, 0);
    if (walked) (void)paged_walk(&x, BANK_AT, false);
    if (!walked) (void)heddle_warp_issue(x.m, 0, &x.fx); /* only so that its own model looks at the page */
    paged_constant(&x, 2);
    if (walked) paged_issue_to(&x, 3);
    if (walked) paged_end(&x);
    paged_expect(&x, walked ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_TRANSLATION, walked ? NULL : "the constant at");
    paged_free(&x);
  }
}

/* Lanes of two pages, of which one comes later: those of the other are written before. */
static void test_constants_of_two_pages(void **state) {
  (void)state;
  static const char far[] = ".kernel k\n        S2R R0, SR_LANEID ;\n        IMAD R1, R0, 0x10, RZ ;\n"
                            "        LDC R8, c[0x0][R1] ;\n        EXIT ;\n.end\n";
  for (unsigned early = 0; early < 2; early++) {
    struct paged x;
    paged_init(&x, far);
    x.p.launch.cbank_at[0] = BANK_AT + 4096 - 0x100; /* lanes 16 and above lie in the next page */
    paged_map(&x, BANK_AT + 4096, 18, 0);
    const uint64_t entry = paged_unmap(&x, BANK_AT + 4096);
    paged_begin(&x, false);
    paged_issue_to(&x, 2);
    (void)paged_walk(&x, BANK_AT, false);
    paged_constant_lanes(&x, 2, 0xffff);
    assert_true(x.ok);
    (void)paged_walk(&x, BANK_AT + 4096, false);
    paged_exchange(&x, paged_entry(&x, BANK_AT + 4096, 0), entry);
    heddle_checker_host_replay(x.c, false);
    paged_tell(&x, 4, 0, 0, 0);
    if (!early) (void)paged_walk(&x, BANK_AT + 4096, false);
    paged_constant_lanes(&x, 2, 0xffff0000);
    paged_expect(&x, early ? HEDDLE_CHECKER_TRANSLATION : HEDDLE_CHECKER_NONE, NULL);
    paged_free(&x);
  }
}

static void test_constants_trap(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < 2; lane++) {
    struct paged x;
    paged_init(&x, words);
    (void)paged_unmap(&x, BANK_AT);
    paged_begin(&x, true);
    paged_issue_to(&x, 2);
    (void)paged_walk(&x, BANK_AT, false);
    paged_trap(&x, 2, HEDDLE_TRAP_PAGE, BANK_AT + 32 * lane, lane == 0 ? ALL : 1);
    if (lane == 0) paged_end(&x);
    paged_expect(&x, lane == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_TRAP_MISMATCH, NULL);
    paged_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fault_traps),
                                     cmocka_unit_test(test_wrong_traps),
                                     cmocka_unit_test(test_traps_of_others),
                                     cmocka_unit_test(test_owed),
                                     cmocka_unit_test(test_waits),
                                     cmocka_unit_test(test_fail),
                                     cmocka_unit_test(test_list),
                                     cmocka_unit_test(test_code),
                                     cmocka_unit_test(test_code_that_goes),
                                     cmocka_unit_test(test_constants),
                                     cmocka_unit_test(test_constants_of_two_pages),
                                     cmocka_unit_test(test_constants_trap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
