/* SPDX-License-Identifier: Apache-2.0
 *
 * A host without memory, at each place where the compiler asks for some: heddle_ptx_compile returns NULL with a
 * message, and nothing that it took stays taken. A stage that gives up jumps to that one entry (compiler/ir/diag.h), so
 * this holds that no jump passes it, and that none passes over memory that nobody frees then. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include <heddle/ptx.h>

enum { HELD_MAX = 1 << 16 };

static struct {
  bool counts;
  unsigned long asked, fails; /* allocations so far; which of them fails, and all behind it; 0: none */
  void *held[HELD_MAX];
  unsigned holds, messages;
} h;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void __wrap_free(void *p);

static bool refused(void) {
  return h.counts && h.fails != 0 && ++h.asked >= h.fails;
}

static void *hold(void *p) {
  if (h.counts && p != NULL && h.holds < HELD_MAX) h.held[h.holds++] = p;
  return p;
}

static void let_go(const void *p) {
  for (unsigned i = h.holds; h.counts && p != NULL && i-- > 0;)
    if (h.held[i] == p) {
      h.held[i] = h.held[--h.holds];
      return;
    }
}

void *__wrap_malloc(size_t bytes) {
  return refused() ? NULL : hold(__real_malloc(bytes));
}
void *__wrap_calloc(size_t n, size_t bytes) {
  return refused() ? NULL : hold(__real_calloc(n, bytes));
}
void *__wrap_realloc(void *p, size_t bytes) {
  if (refused()) return NULL;
  let_go(p);
  return hold(__real_realloc(p, bytes));
}
void __wrap_free(void *p) {
  let_go(p);
  __real_free(p);
}

static void hear(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  h.messages += !m->warning;
}

/* A module variable with an address, a constant, a loop, a call, lines: each stage has something to do. */
static const char text[] =
    ".version 6.3\n.target sm_70\n.address_size 64\n.file 1 \"x.cu\"\n"
    ".global .align 8 .u64 place[2] = {generic(place), 7};\n"
    ".const .align 4 .u32 c[2] = {3, 4};\n"
    ".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<3>;\n"
    "ld.param.u32 %r1, [a];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n"
    ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n"
    ".reg .b64 %rd<4>;\n.shared .align 4 .b8 s[64];\n.loc 1 3 1\n"
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nld.const.u32 %r6, [c+4];\n"
    "again:\nadd.s32 %r2, %r2, 1;\n{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r2;\n"
    "call.uni (r), twice, (a);\nld.param.b32 %r3, [r];\n}\nadd.s32 %r6, %r6, %r3;\n"
    "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra again;\nst.global.u32 [%rd1], %r6;\nret;\n}\n";

/* The first that fails; 0: none. */
static struct heddle_program *compile(unsigned long fails, bool gaps) {
  const struct heddle_ptx_options o = {
      .size = sizeof o, .level = 1, .message = hear, .no_inline = true, .check = true, .shared_gap = gaps ? 16 : 0};
  struct heddle_ptx_figures *figures;
  size_t kernels;
  h.asked = h.holds = h.messages = 0;
  h.fails = fails;
  h.counts = true;
  struct heddle_program *p = heddle_ptx_compile(text, strlen(text), "x.ptx", &o, &figures, &kernels);
  h.fails = 0;
  free(p != NULL ? figures : NULL);
  return p;
}

static void each_allocation_fails_once(void **state) {
  (void)state;
  for (unsigned gaps = 0; gaps < 2; gaps++) {
    unsigned long n = 1;
    struct heddle_program *p;
    for (; (p = compile(n, gaps == 1)) == NULL; n++) {
      h.counts = false;
      if (h.holds != 0) fail_msg("allocation %lu: %u stay", n, h.holds);
      if (h.messages == 0) fail_msg("allocation %lu: no word", n);
      assert_in_range(n, 1, 100000);
    }
    assert_true(h.asked < n); /* all that it asked for was there */
    heddle_program_free(p);
    h.counts = false;
    assert_int_equal(h.holds, 0);
    assert_true(n > 20);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
