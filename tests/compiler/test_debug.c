/* SPDX-License-Identifier: Apache-2.0
 *
 * Debug data of a module: lines of its source, and the data that clang writes for a debugger.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "tests/test.h"

/* Lines of compiled code: of lines/scale.ptx, which clang -gline-tables-only made of lines/scale.cl, and of PTX that
 * says nothing of lines; the words are the same with and without. And what they say of the source's orders. */

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
  struct heddle_program *p;
  assert_int_equal(heddle_ptx_compile(text, strlen(text), "t.ptx", &o, &p, NULL, NULL), HEDDLE_SUCCESS);
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

/* Debug data of a module: which bytes the program has, and what became of each name in them. */

/* 8 bytes each behind the first two: see `places`. 3: DW_OP_addr. */
static const char module[] = ".version 6.3\n"
                             ".target sm_70, debug\n"
                             ".address_size 64\n"
                             ".file 1 \"a.cu\"\n"
                             ".file 2 \"b.h\"\n"
                             ".global .align 4 .b8 first[4];\n"
                             ".global .align 4 .b8 table[16];\n"
                             ".visible .func (.param .b32 r) twice(.param .b32 a)\n"
                             "{\n"
                             ".local .align 8 .b8 __local_depot0[16];\n"
                             ".reg .b64 %SP;\n"
                             ".reg .b32 %v<3>;\n"
                             ".loc 1 7 0\n"
                             "$L__func_begin0:\n"
                             "mov.u64 %SP, __local_depot0;\n"
                             "ld.param.u32 %v1, [a];\n"
                             "$L__tmp0:\n"
                             ".loc 1 7 5\n"
                             "st.local.u32 [%SP+4], %v1;\n"
                             "ld.local.u32 %v2, [%SP+4];\n"
                             "st.param.b32 [r+0], %v2;\n"
                             "ret;\n"
                             "$L__func_end0:\n"
                             "}\n"
                             ".visible .entry kern(.param .u64 out)\n"
                             "{\n"
                             ".local .align 8 .b8 __local_depot1[16];\n"
                             ".shared .align 4 .b8 other[32];\n"
                             ".shared .align 4 .b8 tile[64];\n"
                             ".reg .b64 %SP, %p;\n"
                             ".reg .b32 %r<4>;\n"
                             ".loc 1 9 0\n"
                             "$L__func_begin1:\n"
                             "mov.u64 %SP, __local_depot1;\n"
                             "ld.param.u64 %p, [out];\n"
                             "ld.global.u32 %r1, [table];\n"
                             "st.local.u32 [%SP+8], %r1;\n"
                             "st.shared.u32 [other], %r1;\n"
                             "st.shared.u32 [tile], %r1;\n"
                             "{ .param .b32 p0;\n"
                             "st.param.b32 [p0+0], %r1;\n"
                             ".param .b32 r0;\n"
                             "call.uni (r0), twice, (p0);\n"
                             "ld.param.b32 %r2, [r0+0]; }\n"
                             "$L__tmp1:\n"
                             ".loc 2 11 3\n"
                             "st.global.u32 [%p], %r2;\n"
                             "ret;\n"
                             "$L__func_end1:\n"
                             "}\n"
                             ".section .debug_abbrev { .b8 1, 17 }\n"
                             ".section .debug_info {\n"
                             ".b32 .debug_abbrev\n"
                             ".b8 -1, 3\n"
                             ".b64 $L__func_begin0\n"
                             ".b64 $L__func_end1\n"
                             ".b64 $L__func_begin1\n"
                             ".b64 $L__func_end1\n"
                             ".b64 $L__tmp1\n"
                             ".b64 tile\n"
                             ".b64 table\n"
                             ".b8 3\n"
                             ".b64 __local_depot0+4\n"
                             ".b64 __local_depot1\n"
                             ".b32 $L__string1\n"
                             ".b64 nobody+5\n"
                             "}\n"
                             ".section .debug_str { .b8 65, 0\n"
                             "$L__string1: .b8 66, 0 }\n"
                             ".section .debug_macinfo { .b8 0 }\n";

enum { AT_UNIT = 6, AT_KERNEL = 22, AT_TMP = 38, AT_TILE = 46, AT_TABLE = 54, AT_FUNCTION = 63, AT_DEPOT = 71 };
enum { AT_STRING = 79, AT_NOBODY = 83, INFO_BYTES = 91 };

static struct heddle_program *compiled(const char *text) {
  const struct heddle_ptx_options o = {.size = sizeof o, .target = HEDDLE_PTX_TARGET_MODEL, .no_inline = true};
  struct heddle_program *p;
  assert_int_equal(heddle_ptx_compile(text, strlen(text), "m.ptx", &o, &p, NULL, NULL), HEDDLE_SUCCESS);
  return p;
}

static uint64_t number(const struct heddle_program *p, unsigned at, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p->debug[HEDDLE_DEBUG_INFO][at + i] << (8 * i);
  return v;
}

static const struct heddle_kernel *entry(const struct heddle_program *p, const char *name) {
  const struct heddle_kernel *k = NULL;
  for (uint32_t i = 0; i < p->kernels; i++)
    if (strcmp(p->kernel[i].name, name) == 0) k = &p->kernel[i];
  assert_non_null(k);
  return k;
}

static void sections(void **state) {
  (void)state;
  struct heddle_program *p = compiled(module);
  assert_int_equal(p->debug_bytes[HEDDLE_DEBUG_ABBREV], 2);
  assert_memory_equal(p->debug[HEDDLE_DEBUG_ABBREV], "\x01\x11", 2);
  assert_int_equal(p->debug_bytes[HEDDLE_DEBUG_INFO], INFO_BYTES);
  assert_int_equal(number(p, 0, 4), 0);
  assert_int_equal(number(p, 4, 2), 0x3ff);
  assert_int_equal(p->debug_bytes[HEDDLE_DEBUG_STR], 4);
  assert_int_equal(number(p, AT_STRING, 4), 2);
  assert_int_equal(number(p, AT_NOBODY, 8), 5); /* a name that means nothing */
  assert_null(p->debug[HEDDLE_DEBUG_LOC]);
  assert_string_equal(p->source[0], "a.cu"); /* as debug data count them */
  assert_string_equal(p->source[1], "b.h");
  heddle_program_free(p);
}

static void places_of_code(void **state) {
  (void)state;
  struct heddle_program *p = compiled(module);
  const struct heddle_kernel *kern = entry(p, "kern"), *twice = entry(p, "twice");
  const uint32_t end = kern < twice ? twice->entry_pc : p->code_bytes;
  assert_int_equal(number(p, AT_UNIT, 8), 0); /* a unit: from its first function to its last, wherever these are */
  assert_int_equal(number(p, AT_UNIT + 8, 8), p->code_bytes);
  assert_int_equal(number(p, AT_KERNEL, 8), kern->entry_pc);
  assert_int_equal(number(p, AT_KERNEL + 8, 8), end);
  const uint64_t tmp = number(p, AT_TMP, 8);
  const char *file;
  unsigned line;
  assert_true(tmp > kern->entry_pc && tmp < end);
  assert_true(heddle_program_line(p, (uint32_t)tmp, &file, &line));
  assert_string_equal(file, "b.h");
  assert_int_equal(line, 11);
  heddle_program_free(p);
}

static void places_of_variables(void **state) {
  (void)state;
  struct heddle_program *p = compiled(module);
  const uint64_t tile = number(p, AT_TILE, 8), depot = number(p, AT_DEPOT, 8);
  assert_int_equal(tile >> 56, 1);
  assert_int_equal(tile & 0xffffffff, 32); /* behind `other` */
  assert_int_equal(depot >> 56, 2);
  assert_true((depot & 0xffffffff) + 16 <= entry(p, "kern")->local_bytes);
  assert_int_equal(p->debug_addresses, 1); /* a module variable has no place yet */
  assert_int_equal(p->debug_address[0], AT_TABLE);
  const struct heddle_global *table = heddle_program_global(p, "table");
  assert_non_null(table);
  assert_int_equal(number(p, AT_TABLE, 8), table->offset);
  /* Of a function: DW_OP_breg2 and 4 bytes above the stack pointer, in as many bytes as the address had. */
  static const uint8_t counted[9] = {0x72, 0x84, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
  assert_memory_equal(p->debug[HEDDLE_DEBUG_INFO] + AT_FUNCTION - 1, counted, sizeof counted);
  heddle_program_free(p);
}

/* Of OpenCL C: the data have dots where the module has `_$_`. Constants are in global memory where nothing is
 * optimised, so that pointers to them are addresses; else in bank 3, which has a window. */
static void places_of_opencl(void **state) {
  (void)state;
  static const char text[] = ".version 6.3\n.target sm_70, debug\n.address_size 64\n"
                             ".const .align 4 .b8 other[4] = {1, 2, 3, 4};\n"
                             ".const .align 4 .b8 kern_$_table[4] = {1, 2, 3, 4};\n"
                             ".entry kern() {\n"
                             ".shared .align 4 .b8 before[16];\n"
                             ".shared .align 4 .b8 kern_$_tile[64];\n"
                             ".reg .b64 %p;\n.reg .b32 %r;\n"
                             "st.shared.u32 [before], 0;\n"
                             "mov.u64 %p, kern_$_tile;\n"
                             "ld.const.u32 %r, [kern_$_table];\n"
                             "st.shared.u32 [%p], %r;\nret;\n}\n"
                             ".section .debug_abbrev { .b8 1 }\n"
                             ".section .debug_info {\n.b64 kern.tile\n.b64 kern.table\n}\n";
  for (unsigned level = 0; level < 2; level++) {
    const struct heddle_ptx_options o = {.size = sizeof o, .target = HEDDLE_PTX_TARGET_MODEL, .level = level};
    struct heddle_program *p;
    assert_int_equal(heddle_ptx_compile(text, strlen(text), "m.ptx", &o, &p, NULL, NULL), HEDDLE_SUCCESS);
    const struct heddle_global *table = heddle_program_global(p, "kern_$_table");
    assert_true(number(p, 0, 8) == UINT64_C(0x0100000000000010));
    assert_int_equal(p->debug_addresses, level == 0);
    assert_int_equal(table != NULL, level == 0);
    assert_true(number(p, 8, 8) == (table ? table->offset : UINT64_C(0x0400000300000004)));
    heddle_program_free(p);
  }
}

/* Shared variables of the module: where all kernels that use one have it, or nowhere. */
static void places_of_module(void **state) {
  (void)state;
  static const char text[] = ".version 6.3\n.target sm_70, debug\n.address_size 64\n"
                             ".shared .align 4 .b8 both[16];\n.shared .align 4 .b8 moves[16];\n"
                             ".shared .align 4 .b8 once[16];\n.shared .align 4 .b8 never[16];\n"
                             ".entry k1() {\nst.shared.u32 [both], 1;\nst.shared.u32 [moves], 1;\nret;\n}\n"
                             ".entry k2() {\nst.shared.u32 [both], 1;\nst.shared.u32 [once], 1;\n"
                             "st.shared.u32 [moves], 1;\nret;\n}\n"
                             ".section .debug_abbrev { .b8 1 }\n"
                             ".section .debug_info {\n.b64 both\n.b64 moves\n.b64 once\n.b64 never\n}\n";
  struct heddle_program *p = compiled(text);
  assert_true(number(p, 0, 8) == UINT64_C(0x0100000000000000));
  assert_true(number(p, 8, 8) >> 56 == 0xff);
  assert_true(number(p, 16, 8) == UINT64_C(0x0100000000000010));
  assert_true(number(p, 24, 8) >> 56 == 0xff); /* no kernel uses it */
  heddle_program_free(p);
}

/* The sections survive a file, and one whose addresses lie outside of it is refused. */
static void file(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-debug-test-XXXXXX";
  struct heddle_message m;
  struct heddle_program *p = compiled(module), *again = NULL;
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_true(heddle_program_save(p, path, &m) == HEDDLE_SUCCESS &&
              heddle_program_load(path, &again, &m) == HEDDLE_SUCCESS);
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS; s++) {
    assert_int_equal(again->debug_bytes[s], p->debug_bytes[s]);
    if (p->debug_bytes[s] > 0) assert_memory_equal(again->debug[s], p->debug[s], p->debug_bytes[s]);
  }
  assert_int_equal(again->debug_addresses, 1);
  assert_int_equal(again->debug_address[0], AT_TABLE);
  heddle_program_free(again);
  p->debug_address[0] = INFO_BYTES - 7;
  assert_int_equal(heddle_program_save(p, path, &m), HEDDLE_SUCCESS);
  assert_int_equal(heddle_program_load(path, &again, &m), HEDDLE_ERROR_INVALID_IMAGE);
  assert_non_null(strstr(m.text, ".debug_info"));
  heddle_program_free(p);
  (void)remove(path);
}

/* What no debugger wrote stops nothing. */
static void odd_sections(void **state) {
  (void)state;
  static const char *const odd[] = {".section .debug_info { .b8 }\n", ".section .debug_info { .b64 x+, 5 , \"s\" }\n",
                                    ".section .debug_info { { .b8 1 } .b99 7 }\n", ".section .other { .b8 1 }\n",
                                    ".section .debug_loc { a: a: .b32 a-1 }\n"};
  for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
    char text[256];
    snprintf(text, sizeof text, ".version 6.3\n.target sm_70\n.address_size 64\n.entry k() { ret; }\n%s", odd[i]);
    struct heddle_program *p = compiled(text);
    assert_null(p->debug[HEDDLE_DEBUG_INFO]);
    heddle_program_free(p);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_the_same_with_lines),
                                     cmocka_unit_test(loc_names_lines_of_the_source),
                                     cmocka_unit_test(each_function_begins_anew),
                                     cmocka_unit_test(orders_of_the_source_are_told),
                                     cmocka_unit_test(sections),
                                     cmocka_unit_test(places_of_code),
                                     cmocka_unit_test(places_of_variables),
                                     cmocka_unit_test(places_of_opencl),
                                     cmocka_unit_test(places_of_module),
                                     cmocka_unit_test(file),
                                     cmocka_unit_test(odd_sections)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
