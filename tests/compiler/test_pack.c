/* SPDX-License-Identifier: Apache-2.0
 * Compiled code with and without short words: the same instructions, whose targets, return addresses, tables and lines
 * moved along. In an encoding without short words nothing may differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/asm/same_program.h"
#include <heddle/isa_tables.h>
#include <heddle/ptx.h>

static struct heddle_program *compiled(const char *text, bool long_words) {
  const struct heddle_ptx_options o = {
      .size = sizeof o, .level = 1, .check = true, .no_inline = true, .long_words = long_words};
  struct heddle_program *p = heddle_ptx_compile(text, strlen(text), "t.ptx", &o, NULL, NULL);
  if (!p) fail_msg("does not compile:\n%s", text);
  return p;
}

/* Branches that BRX enters by index, of this program; each is a place of 16 bytes. */
static unsigned expect_tables(const struct heddle_program *p) {
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    if (d.op != ISA_OP_BRX || heddle_isa_get(d.word, ISA_F_OFF32) == 0) continue;
    uint32_t at = (uint32_t)heddle_isa_get(d.word, ISA_F_OFF32);
    assert_int_equal(at % ISA_WORD_BYTES, 0);
    for (; at < p->code_bytes && heddle_isa_decode(heddle_program_word(p, at), &d) && d.op == ISA_OP_BRA;
         at += ISA_WORD_BYTES) {
      assert_int_equal(heddle_program_next(p, at), at + ISA_WORD_BYTES);
      n++;
    }
  }
  return n;
}

static struct packed_counts both(const char *name, const char *text) {
  struct heddle_program *l = compiled(text, true), *k = compiled(text, false);
  const struct packed_counts c = expect_same_program(name, l, k);
  assert_int_equal(expect_tables(l), expect_tables(k));
  heddle_program_free(l);
  heddle_program_free(k);
  return c;
}

static bool may_pack(void) {
  return ISA_STEP != ISA_WORD_BYTES;
}

static char *read_text(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s is missing", path);
  char *text = calloc(1, 1 << 20);
  assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

/* Calls, whose return addresses are immediates, and addresses of functions in code and data. */
static void calls(void **state) {
  (void)state;
  static const char *const names[] = {"calls_O0.ptx", "calls_O2.ptx", "leaf.ptx"};
  unsigned moved = 0;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    char *text = read_text(CALLS_DIR, names[i]);
    const struct packed_counts c = both(names[i], text);
    moved += c.moved;
    assert_int_equal(c.paired > 0, may_pack());
    free(text);
  }
  assert_int_equal(moved > 0, may_pack());
}

static void lines(void **state) {
  (void)state;
  char *text = read_text(LINES_DIR, "scale.ptx");
  assert_int_equal(both("scale.ptx", text).paired > 0, may_pack());
  free(text);
}

#define CASE(n) "L" #n ":\n  add.u32 %r2, %r2, " #n "1;\n  bra Lend;\n"

static void jump_table(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 i)\n{\n"
      "  .reg .b32 %r<4>;\n  .reg .b64 %rd<2>;\n  .reg .pred %p<2>;\n  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, "
      "[i];\n"
      "  mov.u32 %r2, 7;\n  setp.gt.u32 %p1, %r1, 7;\n  @%p1 bra Lend;\n"
      "T: .branchtargets L0, L1, L2, L3, L4, L5, L6, L7;\n  brx.idx %r1, T;\n" CASE(0) CASE(1) CASE(2) CASE(3) CASE(4)
          CASE(5) CASE(6) CASE(7) "Lend:\n  st.global.u32 [%rd1], %r2;\n  ret;\n}\n";
  struct heddle_program *p = compiled(text, false);
  assert_true(expect_tables(p) >= 7);
  heddle_program_free(p);
  assert_int_equal(both("jump table", text).paired > 0, may_pack());
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls),
      cmocka_unit_test(lines),
      cmocka_unit_test(jump_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
