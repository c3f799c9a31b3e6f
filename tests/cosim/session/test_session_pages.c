/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches in an address space through a session: pages come when they are waited for, or do not; a machine without an
 * MMU refuses them by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include <heddle/session.h>
#include "tests/cosim/paged.h"

/* A load of the first page, a store to the second. */
static const char copies[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                             "        STG.E [R6+0x1000], R8 ;\n"
                             "        EXIT ;\n.end\n";

struct host {
  struct paged *x;
  unsigned asked, gives; /* of so many lists pages are brought */
};

/* Page k of the program lies in frame 3 + k. */
static bool serve(void *ctx, struct heddle_session *s, const struct heddle_page_fault *f, unsigned n) {
  struct host *h = ctx;
  uint64_t old = 1;
  if (h->asked++ >= h->gives) return false;
  for (unsigned i = 0; i < n; i++) {
    assert_int_equal(f[i].kind, HEDDLE_PAGE_ABSENT);
    assert_int_equal(f[i].space, PAGED_SPACE);
    const unsigned k = (unsigned)((f[i].page - V) / 4096);
    assert_in_range(k, 0, 1);
    assert_true(heddle_session_exchange(
        s, paged_entry(h->x, f[i].page, 0),
        PAGED_FRAME(3 + k) | HEDDLE_ENTRY_PRESENT | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_WRITE, &old));
    assert_int_equal(old, 0);
    assert_true(heddle_session_invalidate(s, 0, PAGED_SPACE, f[i].page));
  }
  return true;
}

static void open_session(struct paged *x, struct host *h, struct heddle_session **s) {
  struct heddle_message msg;
  paged_init(x, copies);
  paged_map(x, V + 8192, 9, 0); /* so that there are tables */
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_MODEL,
                                          .memory_base = PAGED_BASE,
                                          .memory_bytes = PAGED_BYTES,
                                          .pages = serve,
                                          .pages_ctx = h};
  if (heddle_session_open(&c, s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  memcpy(heddle_session_memory(*s), x->image, PAGED_BYTES);
}

static void test_served(void **state) {
  (void)state;
  for (unsigned gives = 0; gives < 3; gives++) {
    struct paged x;
    struct host h = {&x, 0, gives};
    struct heddle_session *s;
    struct heddle_session_result r = {.size = sizeof r};
    open_session(&x, &h, &s);
    const enum heddle_session_outcome o = heddle_session_run(s, &x.p.launch, &r);
    const uint8_t *memory = heddle_session_memory(s);
    if (gives == 2) {
      assert_int_equal(o, HEDDLE_SESSION_OK);
      assert_int_equal(h.asked, 2);
      assert_memory_equal(memory + 4096 * 4, memory + 4096 * 3, 128);
    } else {
      assert_int_equal(o, HEDDLE_SESSION_TRAPPED);
      assert_int_equal(r.trap.cause, HEDDLE_TRAP_PAGE);
      assert_int_equal(r.trap.addr, V + 4096 * gives);
      assert_int_equal(h.asked, gives + 1);
    }
    assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
    paged_free(&x);
  }
}

static void test_refused(void **state) {
  (void)state;
  struct paged x;
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_message msg;
  paged_init(&x, copies);
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = "tiny",
                                          .scoreboard = true,
                                          .seed = 1,
                                          .memory_base = PAGED_BASE,
                                          .memory_bytes = PAGED_BYTES};
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  memcpy(heddle_session_memory(s), x.image, PAGED_BYTES);
  assert_int_equal(heddle_session_run(s, &x.p.launch, &r), HEDDLE_SESSION_REFUSED);
  assert_non_null(strstr(r.message, "no MMU"));
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  paged_free(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_served), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
