/* SPDX-License-Identifier: Apache-2.0
 * Lines of compiled code: of lines/scale.ptx, which clang -gline-tables-only made of lines/scale.cl, and of PTX that
 * says nothing of lines; the words are the same with and without. And what they say of the source's orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>

#include "tests/test.h"

static char *read_text(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", LINES_DIR, name);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s is missing", path);
  char *text = calloc(1, 1 << 16);
  assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
  fclose(f);
  return text;
}

static struct heddle_program *compile(const char *text, unsigned level) {
  const struct heddle_ptx_options o = {.size = sizeof o, .level = level, .check = true};
  struct heddle_program *p = heddle_ptx_compile(text, strlen(text), "t.ptx", &o, NULL, NULL);
  assert_non_null(p);
  return p;
}

/* Without what -g adds: its directives, and labels of its own. */
static char *stripped(const char *text) {
  char *out = calloc(1, strlen(text) + 1);
  for (const char *end; *text; text = end) {
    end = text + strcspn(text, "\n") + 1;
    const bool drop = strncmp(text, "\t.loc", 5) == 0 || strncmp(text, "\t.file", 6) == 0 ||
                      strncmp(text, "\t.section", 9) == 0 || strncmp(text, "Ltmp", 4) == 0 ||
                      strncmp(text, "Lfunc_", 6) == 0;
    if (!drop) strncat(out, text, (size_t)(end - text));
  }
  return out;
}

static void words_are_the_same_with_lines(void **state) {
  (void)state;
  char *with = read_text("scale.ptx"), *without = stripped(with);
  assert_non_null(strstr(with, ".loc"));
  assert_null(strstr(without, ".loc"));
  for (unsigned level = 0; level < 2; level++) {
    struct heddle_program *p = compile(with, level), *q = compile(without, level);
    assert_int_equal(p->code_bytes, q->code_bytes);
    assert_memory_equal(p->code, q->code, p->code_bytes);
    heddle_program_free(p);
    heddle_program_free(q);
  }
  free(with);
  free(without);
}

/* The line of the last instruction of this name. */
static unsigned line_of(const struct heddle_program *p, enum heddle_isa_op op, const char **file) {
  unsigned line = 0, n = 0;
  *file = "";
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d) || d.op != op) continue;
    n++;
    assert_true(heddle_program_line(p, pc, file, &line));
  }
  assert_true(n > 0);
  return line;
}

static void expect_op(const struct heddle_program *p, enum heddle_isa_op op, const char *file, unsigned line) {
  const char *got;
  const unsigned at = line_of(p, op, &got);
  if (at != line || strcmp(file, got) != 0)
    fail_msg("%s: %s:%u, expected %s:%u", heddle_isa_op_name(op), got, at, file, line);
}

static void loc_names_lines_of_the_source(void **state) {
  (void)state;
  char *text = read_text("scale.ptx");
  struct heddle_program *p = compile(text, 1);
  expect_op(p, ISA_OP_ISETP, "/src/scale.cl", 5);
  expect_op(p, ISA_OP_LDG_E, "/src/scale.cl", 6);
  expect_op(p, ISA_OP_STG_E, "/src/scale.cl", 6);
  heddle_program_free(p);
  free(text);
}

static const char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

static void each_function_begins_anew(void **state) {
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, "%s%s", head,
           ".file 7 \"one.cu\", 1, 2\n.file 8 \"in\" \"two.h\"\n.visible .entry a(.param .u64 p) {\n .reg .b64 %r<3>;\n"
           " ld.param.u64 %r1, [p];\n .loc 8 30 1\n membar.gl;\n .loc 7 0 1\n st.global.u64 [%r1], %r1;\n"
           " .loc 9 5 1\n atom.global.add.u64 %r2, [%r1], 1; .loc 7 12 3, inlined_at 8 3 1\n ret;\n}\n"
           ".visible .entry b() {\n .loc 7 77 1\n bar.sync 0;\n ret;\n}\n.visible .entry c(.param .u64 p) {\n"
           " .reg .b64 %r<2>;\n ld.param.u64 %r1, [p];\n ld.global.u64 %r1, [%r1];\n"
           " red.global.add.u64 [%r1], 1;\n ret;\n}\n");
  struct heddle_program *p = compile(text, 1);
  expect_op(p, ISA_OP_MEMBAR, "in/two.h", 30);
  expect_op(p, ISA_OP_STG_E, "in/two.h", 30); /* line 0: as before */
  expect_op(p, ISA_OP_BAR_SYNC, "one.cu", 77);
  expect_op(p, ISA_OP_LDG_E, "t.ptx", 25); /* no .loc in this function */
  expect_op(p, ISA_OP_RED_E, "t.ptx", 26);
  const char *file;
  unsigned line = 0;
  for (uint32_t pc = 0; pc < p->kernel[1].entry_pc; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d) || d.op != ISA_OP_EXIT) continue;
    assert_true(heddle_program_line(p, pc, &file, &line));
    assert_string_equal(file, "one.cu");
    assert_int_equal(line, 12);
  }
  assert_true(line == 12);
  heddle_program_free(p);
}

/* What the words do not say: a strong access of shared memory, a fence of its block, operations of an mbarrier. */
static void orders_of_the_source_are_told(void **state) {
  (void)state;
  static const char text[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a) {\n"
      ".reg .b64 %d<3>; .reg .b32 %r<6>; .reg .pred %p; .shared .align 8 .b64 b; .shared .align 4 .b32 s;\n"
      "ld.param.u64 %d0, [a];\n"
      "ld.shared.u32 %r0, [s];\nld.volatile.shared.u32 %r1, [s];\nld.acquire.cta.global.u32 %r2, [%d0];\n"
      "membar.gl;\nst.relaxed.cta.shared.u32 [s], %r2;\nmembar.cta;\n"
      "mbarrier.arrive.shared.b64 %d1, [b];\nmbarrier.test_wait.shared.b64 %p, [b], %d1;\n"
      "add.u32 %r0, %r0, %r1;\nst.global.u32 [%d0], %r0;\n@%p st.global.u32 [%d0], %r1;\nret;\n}\n";
  static const struct {
    uint16_t op;
    uint8_t order;
  } want[] = {{ISA_OP_LDS, HEDDLE_ORDER_WORD},         {ISA_OP_LDS, HEDDLE_ORDER_STRONG},
              {ISA_OP_LDG_E, HEDDLE_ORDER_WORD},       {ISA_OP_MEMBAR, HEDDLE_ORDER_FENCE_CTA},
              {ISA_OP_MEMBAR, HEDDLE_ORDER_WORD},      {ISA_OP_STS, HEDDLE_ORDER_STRONG},
              {ISA_OP_MEMBAR, HEDDLE_ORDER_FENCE_CTA}, {ISA_OP_MEMBAR, HEDDLE_ORDER_WORD},
              {ISA_OP_ATOMS, HEDDLE_ORDER_ARRIVE},     {ISA_OP_ATOMS, HEDDLE_ORDER_PHASE},
              {ISA_OP_LDS, HEDDLE_ORDER_WAIT},         {ISA_OP_MEMBAR, HEDDLE_ORDER_FENCE_CTA}};
  for (unsigned level = 0; level < 2; level++) {
    struct heddle_program *p = compile(text, level);
    unsigned n = 0;
    assert_true(p->ordered);
    for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
      struct heddle_isa_dec d;
      assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
      const bool tells = d.op == ISA_OP_LDS || d.op == ISA_OP_STS || d.op == ISA_OP_ATOMS || d.op == ISA_OP_LDG_E;
      if (!tells && d.op != ISA_OP_MEMBAR) continue;
      assert_in_range(n, 0, sizeof want / sizeof *want - 1);
      assert_int_equal(d.op, want[n].op);
      assert_int_equal(heddle_program_order(p, pc), want[n].order);
      n++;
    }
    assert_int_equal(n, sizeof want / sizeof *want);
    heddle_program_free(p);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_the_same_with_lines),
      cmocka_unit_test(loc_names_lines_of_the_source),
      cmocka_unit_test(each_function_begins_anew),
      cmocka_unit_test(orders_of_the_source_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
