/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout files: what is made of a small one, each way to get one wrong, and what the built header says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/bank0.h>
#include <heddle/host_regs.h>
#include "tests/test.h"
#include "isa/abi/gen/layout.h"

#define HEAD "layout some WORD 0x40 \"A table.\"\n"

static bool load(const char *text, struct layout *l, struct diag *d) {
  FILE *f = fopen("x.layout", "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
  memset(d, 0, sizeof *d);
  return layout_load("x.layout", l, d);
}

static const char small[] = HEAD "const MANY 2 \"so many\"\n"
                                 "part \"First.\"   # a comment\n"
                                 "at 0x00 STATE 32 r \"how it goes\"\n"
                                 "field BUSY 0 \"it runs\"\n"
                                 "field WHY 11:8 \"why not\"\n"
                                 "at 0x04 SIZE 9 rw \"so large\" saturates\n"
                                 "at 0x10 BASE 40 rw \"where\" count=MANY every=8\n"
                                 "values WHY \"Why not.\"\n"
                                 "value NEVER 3 \"it never will\"\n"
                                 "values HOW \"How.\"\n"
                                 "value AS_IS 0 \"as it is\"\n"
                                 "value NEW 1 \"anew\"\n"
                                 "value LAST_OF_ALL 2 \"last\"\n";

static void test_reads(void **state) {
  (void)state;
  static struct layout l;
  struct diag d;
  if (!load(small, &l, &d)) fail_msg("%s", d.text);
  assert_string_equal(l.name, "some");
  assert_string_equal(l.word, "WORD");
  assert_int_equal(l.bytes, 0x40);
  assert_int_equal(l.items, 13);
  assert_string_equal(l.item[4].name, "STATE_WHY");
  assert_int_equal(l.item[4].high, 11);
  assert_int_equal(l.item[4].low, 8);
  assert_true(l.item[5].saturates && l.item[5].readable && l.item[5].writable);
  assert_true(l.item[2].readable && !l.item[2].writable);
  assert_int_equal(l.item[6].count, 2);
  assert_int_equal(l.item[6].every, 8);
  assert_int_equal(layout_mask(&l.item[6], 0), 0xffffffff);
  assert_int_equal(layout_mask(&l.item[6], 1), 0xff);
  assert_true(layout_keeps(&l));
  assert_string_equal(l.item[8].name, "WHY_NEVER");
  assert_int_equal(l.item[8].value, 3);
}

static void check_emitted(void (*emit)(const struct layout *, FILE *), const char *const *lines) {
  static struct layout l;
  struct diag d;
  char *text = NULL;
  size_t bytes = 0;
  assert_true(load(small, &l, &d));
  FILE *f = open_memstream(&text, &bytes);
  assert_non_null(f);
  emit(&l, f);
  assert_int_equal(fclose(f), 0);
  for (; *lines != NULL; lines++)
    if (strstr(text, *lines) == NULL) fail_msg("no '%s' in:\n%s", *lines, text);
  free(text);
}

static void test_emits(void **state) {
  (void)state;
  static const char *const in_c[] = {
      "#define HEDDLE_MANY 0x2u ",
      "#define HEDDLE_WORD_STATE 0x000u ",
      "#define HEDDLE_STATE_BUSY 0x1u ",
      "#define HEDDLE_STATE_WHY_SHIFT 8 ",
      "#define HEDDLE_STATE_WHY_MASK 0xf00u",
      "#define HEDDLE_WORD_BASE(i) (0x010u + 8u * (uint32_t)(i))",
      "#define HEDDLE_WORD_BASE_HI(i) (0x014u + 8u * (uint32_t)(i))",
      "enum heddle_why {",
      "  HEDDLE_WHY_NEVER = 3,",
      "#define HEDDLE_HOW_NAMES \"asis\", \"new\", \"lastofall\"\n",
      "#define HEDDLE_HOW_CHOICES \"new\" \" lastofall\"\n",
      "#define HEDDLE_HOW_WORDS \"asis\" \" new\" \" lastofall\"\n",
      "#define HEDDLE_HOW_MEANINGS \"asis (as it is)\" \", new (anew)\" \", lastofall (last)\"\n",
      "static inline bool heddle_some_kept(",
      NULL};
  static const char *const in_sv[] = {"package some_pkg;",
                                      "localparam logic [3:0] W_SIZE = 4'h001;",
                                      "localparam logic [3:0] W_BASE_HI = 4'h005;",
                                      "localparam logic [3:0] EVERY_BASE = 4'd2;",
                                      "localparam int unsigned STATE_WHY = 8;",
                                      "localparam int unsigned STATE_WHY_W = 4;",
                                      "localparam int unsigned HOW_COUNT = 3;",
                                      "4'h001: kept = data[31:9] != '0 ? 32'h000001ff : data;",
                                      "4'h004, 4'h006: kept = data;",
                                      "4'h005, 4'h007: kept = data & 32'h000000ff;",
                                      NULL};
  static const char *const in_markdown[] = {
      "| 0x000 | STATE | 32 | r | how it goes; bit 0 BUSY: it runs; bits 11:8 WHY: why not |",
      "| 0x004 | SIZE | 9 | rw | so large; what does not fit reads back as the largest value |",
      "| 0x010 + 8 i, i = 0 to 1 | BASE | 40 | rw | where |",
      "| MANY | 0x2 | so many |",
      "| 3 | WHY_NEVER | it never will |",
      NULL};
  check_emitted(layout_emit_c, in_c);
  check_emitted(layout_emit_sv, in_sv);
  check_emitted(layout_emit_markdown, in_markdown);
}

/* Each is one line behind HEAD, unless it begins with "layout". */
static const struct {
  const char *text, *message;
} wrong[] = {
    {"at 0 A 32 r", "x.layout:2: error: expected 'at OFFSET NAME BITS ACCESS \"MEANING\"'"},
    {"at 2 A 32 r \"a\"", "x.layout:2: error: A: words are at multiples of 4"},
    {"at -4 A 32 r \"a\"", "x.layout:2: error: the offset is '-4'; use 0x0 to 0xfffc"},
    {"at 0x40 A 32 r \"a\"", "x.layout:2: error: A ends behind the table, which has 0x40 bytes"},
    {"at 0x3c A 33 r \"a\"", "x.layout:2: error: A ends behind the table, which has 0x40 bytes"},
    {"at 0 A 0 r \"a\"", "x.layout:2: error: the number of bits is '0'; use 0x1 to 0x40"},
    {"at 0 A 65 r \"a\"", "x.layout:2: error: the number of bits is '65'; use 0x1 to 0x40"},
    {"at 0 A 32 x \"a\"", "x.layout:2: error: access is 'x'; use r, w or rw"},
    {"at 0 A 32 r a", "x.layout:2: error: 'a': a meaning is in double quotes"},
    {"at 0 A 32 r \"a|b\"", "x.layout:2: error: a meaning is plain ASCII without |, * and \\"},
    {"at 0 a 32 r \"a\"",
     "x.layout:2: error: 'a' is not a name: capitals, digits and '_', at most 31 with that of its word"},
    {"at 0 A 32 r \"a\" twice", "x.layout:2: error: 'twice' is unknown; use count=N every=BYTES, saturates"},
    {"at 0 A 32 r \"a\" count=2", "x.layout:2: error: count and every go together"},
    {"at 0 A 32 r \"a\" every=4", "x.layout:2: error: count and every go together"},
    {"at 0 A 32 r \"a\" count=1 every=4", "x.layout:2: error: count is '1'; use 0x2 to 0x4000"},
    {"at 0 A 32 r \"a\" count=NONE every=4", "x.layout:2: error: count is 'NONE'; use 0x2 to 0x4000"},
    {"at 0 A 33 r \"a\" count=2 every=4", "x.layout:2: error: A has 8 bytes, but there is one every 4"},
    {"at 0 A 32 r \"a\" count=2 every=6", "x.layout:2: error: A: words are at multiples of 4"},
    {"at 0 A 32 r \"a\" count=17 every=4", "x.layout:2: error: A ends behind the table, which has 0x40 bytes"},
    {"const C 0xffffffff \"c\"\nat 0 A 32 r \"a\" count=C every=4",
     "x.layout:3: error: A ends behind the table, which has 0x40 bytes"},
    {"at 0 A 32 rw \"a\" saturates", "x.layout:2: error: A: only fewer than 32 bits saturate"},
    {"at 0 A 32 r \"a\"\nat 0 B 32 r \"b\"", "x.layout:3: error: B and A (line 2) both have offset 0x000"},
    {"at 0 A 40 r \"a\"\nat 4 B 32 r \"b\"", "x.layout:3: error: B and A (line 2) both have offset 0x004"},
    {"at 0 A 32 r \"a\" count=2 every=8\nat 4 B 32 r \"b\"\nat 8 C 32 r \"c\"",
     "x.layout:4: error: C and A (line 2) both have offset 0x008"},
    {"at 0 A 32 r \"a\"\nat 4 A 32 r \"b\"", "x.layout:3: error: WORD_A is given twice (first at line 2); rename one"},
    {"const A_B 1 \"a\"\nat 0 A 32 r \"a\"\nfield B 0 \"b\"",
     "x.layout:4: error: A_B is given twice (first at line 2); rename one"},
    {"field B 0 \"b\"", "x.layout:2: error: a field comes after the word that it belongs to"},
    {"at 0 A 8 r \"a\"\nfield B 8 \"b\"", "x.layout:3: error: the highest bit is '8'; use 0x0 to 0x7"},
    {"at 0 A 8 r \"a\"\nfield B 3:4 \"b\"", "x.layout:3: error: the lowest bit is '4'; use 0x0 to 0x3"},
    {"at 0 A 8 r \"a\"\nfield B 3:1 \"b\"\nfield C 5:3 \"c\"", "x.layout:4: error: A_C and A_B (line 3) share a bit"},
    {"at 0 A 8 r \"a\"\npart \"p\"\nfield B 3 \"b\"",
     "x.layout:4: error: a field comes after the word that it belongs to"},
    {"value V 1 \"v\"", "x.layout:2: error: a value comes after the set that it belongs to"},
    {"values V \"v\"\nvalue A 0x80000000 \"a\"", "x.layout:3: error: the value is '0x80000000'; use 0x0 to 0x7fffffff"},
    {"const C 0x100000000 \"c\"", "x.layout:2: error: the value is '0x100000000'; use 0x0 to 0xffffffff"},
    {"part", "x.layout:2: error: expected 'part \"TEXT\"'"},
    {"words A", "x.layout:2: error: 'words' is unknown; use part, const, at, field, values, value"},
    {HEAD, "x.layout:2: error: 'layout' is given twice; remove one"},
};

static void test_errors(void **state) {
  (void)state;
  static struct layout l;
  struct diag d;
  char text[512];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    snprintf(text, sizeof text, HEAD "%s\n", wrong[i].text);
    if (load(text, &l, &d)) fail_msg("'%s' is taken", wrong[i].text);
    assert_string_equal(d.text, wrong[i].message);
  }
}

static void test_heads(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "x.layout: error: there is no line 'layout NAME WORD BYTES \"TITLE\"'"},
      {"at 0 A 32 r \"a\"\n", "x.layout:1: error: the first line is 'layout NAME WORD BYTES \"TITLE\"'"},
      {"layout a.b WORD 4 \"t\"\n", "x.layout:1: error: 'a.b' is not a name; use letters, digits and '_'"},
      {"layout a word 4 \"t\"\n", "x.layout:1: error: 'word' is not a name; use capitals, digits and '_'"},
      {"layout a WORD 6 \"t\"\n", "x.layout:1: error: the size is not a multiple of 4"},
      {"layout a WORD 0x20000 \"t\"\n", "x.layout:1: error: the size is '0x20000'; use 0x4 to 0x10000"},
  };
  static struct layout l;
  struct diag d = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(load(cases[i].text, &l, &d));
    assert_string_equal(d.text, cases[i].message);
  }
  d = (struct diag){0};
  assert_false(layout_load("absent.layout", &l, &d));
  assert_non_null(strstr(d.text, "cannot open 'absent.layout'"));
}

static void test_limit(void **state) {
  (void)state;
  static struct layout l;
  static char text[64 * (LAYOUT_ITEMS_MAX + 2)];
  struct diag d;
  size_t n = (size_t)snprintf(text, sizeof text, HEAD);
  for (unsigned i = 0; i < LAYOUT_ITEMS_MAX; i++) n += (size_t)snprintf(text + n, sizeof text - n, "part \"p\"\n");
  assert_true(load(text, &l, &d));
  snprintf(text + n, sizeof text - n, "part \"p\"\n");
  assert_false(load(text, &l, &d));
  assert_string_equal(d.text, "x.layout:514: error: more than 512 items");
}

/* Offsets that hosts and programs have been built with stay (isa/doc/06-abi.md, rtl/gpu/README.md). */
static void test_built(void **state) {
  (void)state;
  uint32_t kept = 7;
  static const char *const policies[] = {HEDDLE_POLICY_NAMES};
  assert_string_equal(policies[HEDDLE_POLICY_DEFAULT], "default");
  assert_string_equal(policies[HEDDLE_POLICY_TWO_LEVEL], "twolevel");
  assert_int_equal(HEDDLE_REG_STATUS, 0x44);
  assert_int_equal(HEDDLE_REG_GRID_X, 0x100);
  assert_int_equal(HEDDLE_REG_CBANK_BYTES(3), 0x178);
  assert_int_equal(HEDDLE_REG_REGION_LIMIT_HI(15), 0x2fc);
  assert_int_equal(HEDDLE_BANK0_NCTAID_Z, 0x14);
  assert_int_equal(HEDDLE_BANK0_GLOBALS, 0x30);
  assert_int_equal(HEDDLE_BANK0_PARAMS, 0x160);
  assert_false(heddle_host_regs_kept(HEDDLE_REG_STATUS, 1, &kept));
  assert_false(heddle_host_regs_kept(HEDDLE_REG_CONTROL, 1, &kept));
  assert_false(heddle_host_regs_kept(0x138, 1, &kept));
  assert_false(heddle_host_regs_kept(HEDDLE_REG_CBANK_BYTES(3) + 4, 1, &kept));
  assert_false(heddle_host_regs_kept(HEDDLE_REG_REGION_BASE(16), 1, &kept));
  assert_int_equal(kept, 7);
  assert_true(heddle_host_regs_kept(HEDDLE_REG_BLOCK_Y, 2048, &kept));
  assert_int_equal(kept, 2047);
  assert_true(heddle_host_regs_kept(HEDDLE_REG_REGION_LIMIT_HI(15), 0xfff, &kept));
  assert_int_equal(kept, 0x1ff);
  assert_true(heddle_host_regs_kept(HEDDLE_REG_CBANK_BYTES(2), 0x30000, &kept));
  assert_int_equal(kept, 0x10000);
}

static int enter_scratch(void **state) {
  static char dir[] = "/tmp/heddle-layout-XXXXXX";
  *state = mkdtemp(dir);
  return *state == NULL ? -1 : chdir(dir);
}

static int leave_scratch(void **state) {
  (void)unlink("x.layout");
  if (chdir("/") != 0) return -1;
  return rmdir(*state);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads),  cmocka_unit_test(test_emits),
                                     cmocka_unit_test(test_errors), cmocka_unit_test(test_heads),
                                     cmocka_unit_test(test_limit),  cmocka_unit_test(test_built)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
