/* SPDX-License-Identifier: Apache-2.0
 *
 * The variants that ship: what they move, and what they leave alone. Each field of the base by itself, narrower by one
 * bit and by four. And every way to write a shuffle or a `least` wrong.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "isa/gen/emit.h"
#include "tests/isa/isa_text.h"

static struct spec *load_file(const char *path) {
  struct diag d = {0};
  struct spec *s = spec_load(path, &d);
  if (s == NULL) fail_msg("%s", d.text);
  return s;
}

/* Same names, kinds, formats and instructions; the hash tells them apart. */
static void assert_same_language(const struct spec *a, const struct spec *b) {
  assert_int_equal(a->n_fields, b->n_fields);
  assert_int_equal(a->n_encs, b->n_encs);
  assert_int_equal(a->n_insns, b->n_insns);
  assert_true(a->hash != b->hash);
  for (unsigned i = 0; i < a->n_fields; i++) {
    assert_string_equal(a->field[i].name, b->field[i].name);
    assert_int_equal(a->field[i].kind, b->field[i].kind);
  }
  for (unsigned i = 0; i < a->n_encs; i++) {
    assert_int_equal(a->enc[i].key, b->enc[i].key);
    assert_int_equal(a->enc[i].n_fields, b->enc[i].n_fields);
  }
}

static void test_scatter(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/scatter.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) {
    const struct field *f = &a->field[i], *g = &b->field[i];
    if (g->lo == f->lo) fail_msg("'%s' stayed at %u:%u", f->name, f->hi, f->lo);
    assert_int_equal(field_width(g), field_width(f));
  }
  spec_free(a);
  spec_free(b);
}

static void test_r62(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/r62.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) {
    const struct field *f = &a->field[i], *g = &b->field[i];
    bool general = f->kind == K_GPR_READ || f->kind == K_GPR_WRITE;
    if (field_width(g) != (general ? 6 : field_width(f)))
      fail_msg("'%s' has %u bits; add a move to variants/r62.isa", f->name, field_width(g));
    assert_int_equal(g->lo, f->lo);
  }
  spec_free(a);
  spec_free(b);
}

/* Rows of short words are all that is new: full tables, no row twice, each of some instruction. */
static void test_pairs(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/pairs.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) assert_true(field_mask(&a->field[i]) == field_mask(&b->field[i]));
  assert_int_equal(a->n_short_rows, 0);
  assert_int_equal(b->n_short_rows, SPEC_SHORT_ROWS);
  assert_int_equal(b->n_short_codes, SPEC_SHORT_CODES);
  for (unsigned i = 0; i < b->n_short_rows; i++) {
    const struct short_row *r = &b->short_row[i];
    unsigned e = 0;
    while (e < b->n_encs && ((r->bits ^ b->enc[e].match) & b->enc[e].fixed) != 0) e++;
    if (e == b->n_encs) fail_msg("row %u is of no instruction", i);
    for (unsigned k = 0; k < i; k++)
      if (r->bits == b->short_row[k].bits && r->kind == b->short_row[k].kind) fail_msg("rows %u and %u are one", i, k);
  }
  spec_free(a);
  spec_free(b);
}

#define ROWS "import " ISA_DIR "/heddle.isa\nshort pattern 0x802 int\nshort code 0x7e1\n"

static void test_wrong_rows(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"short", "t.isa:4: error: expected 'short pattern ...' or 'short code ...'"},
      {"short pattern 0x802", "t.isa:4: error: expected 'short pattern 0xBITS none|int|high|offset|const'"},
      {"short pattern 802 int", "t.isa:4: error: expected up to 128 bits as 0x..., found '802'"},
      {"short pattern 0x802 wide",
       "t.isa:4: error: kind of number 'wide' is unknown; use none, int, high, offset or const"},
      {"short pattern 0x80000000000000000000000000000802 int",
       "t.isa:4: error: a pattern has no bit of guard or control code, nor bit 127"},
      {"short pattern 0x7802 int", "t.isa:4: error: a pattern has no bit of guard or control code, nor bit 127"},
      {"short code 0x100000", "t.isa:4: error: a control code has 20 bits"},
      {"short code", "t.isa:4: error: expected 'short code 0xBITS'"},
      {"move rd 21:16", "t.isa:2: error: short words need a field 'rd' of 8 bits"},
  };
  CHECK(ROWS, cases);
}

/* Fields that are narrower somewhere lie in the variant `narrow`, too: nothing else keeps a width by heart from
 * passing. */
static void expect_verdict(const struct field *f, unsigned by, bool in_narrow) {
  char lines[200];
  struct diag d;
  snprintf(lines, sizeof lines, "import " ISA_DIR "/heddle.isa\nmove %s %u:%u", f->name, f->hi - by, f->lo);
  struct spec *s = load_isa("", lines, &d);
  const bool fixed = f->kind == K_OPCODE || f->kind == K_FIXED;
  if (s == NULL && strncmp(d.text, "t.isa:2: error: ", 16) != 0) fail_msg("%s by %u: %s", f->name, by, d.text);
  if (s == NULL && !fixed && !strstr(d.text, f->name)) fail_msg("%s by %u: %s", f->name, by, d.text);
  if (s != NULL && !in_narrow) fail_msg("'%s' less %u bits is taken; add a move to variants/narrow.isa", f->name, by);
  if (s != NULL && f->least > field_width(f) - by) fail_msg("'%s' less %u bits is taken", f->name, by);
  spec_free(s);
}

static void test_narrow(void **state) {
  (void)state;
  struct spec *a = load_file(ISA_DIR "/heddle.isa"), *b = load_file(ISA_DIR "/variants/narrow.isa");
  assert_same_language(a, b);
  for (unsigned i = 0; i < a->n_fields; i++) {
    const struct field *f = &a->field[i];
    assert_int_equal(b->field[i].declared, field_width(f));
    for (unsigned by = 1; by <= 4; by += 3)
      if (field_width(f) > by) expect_verdict(f, by, field_width(&b->field[i]) < field_width(f));
  }
  spec_free(a);
  spec_free(b);
}

/* The package's functions give what the base declares: by the sign of what is left, or by zeros. */
static void test_extended(void **state) {
  (void)state;
  struct diag d;
  struct spec *s = load_isa("", "import " ISA_DIR "/heddle.isa\nmove off24 59:44\nmove bx 18:16\nmove aop 91:87", &d);
  assert_non_null(s);
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  emit_sv(s, f);
  assert_int_equal(fclose(f), 0);
  assert_non_null(
      strstr(text, "logic [23:0] f_off24(logic [127:0] word);\n    f_off24 = {{8{word[59]}}, word[59:44]};"));
  assert_non_null(strstr(text, "logic [3:0] f_bx(logic [127:0] word);\n    f_bx = {1'd0, word[18:16]};"));
  assert_non_null(strstr(text, "logic [31:0] f_rel(logic [127:0] word);\n    f_rel = word[63:32];"));
  assert_non_null(strstr(text, "localparam logic [5:0] AOP_EXCH = 6'd26;"));
  free(text);
  spec_free(s);
}

static void test_least(void **state) {
  (void)state;
  static const struct bad cases[] = {
      {"least rd 6 \"calls\"\nmove rd 20:16",
       "t.isa:22: error: field 'rd' of 5 bits is too narrow: it needs 6, for calls"},
      {"move op 11:3", "t.isa:21: error: opcode fields 'op' and 'form' overlap"},
      {"least rd 6", "t.isa:21: error: expected 'least FIELD BITS \"REASON\"': how narrow a variant may make it"},
      {"least rd six \"calls\"",
       "t.isa:21: error: expected 'least FIELD BITS \"REASON\"': how narrow a variant may make it"},
      {"least nope 6 \"calls\"", "t.isa:21: error: field 'nope' is not declared"},
      {"least rd 9 \"calls\"", "t.isa:21: error: field 'rd' has 8 bits; it cannot need 9"},
      {"least rd 0 \"calls\"", "t.isa:21: error: field 'rd' has 8 bits; it cannot need 0"},
      {"least rd 6 \"calls\"\nleast rd 7 \"calls\"", "t.isa:22: error: second 'least' of field 'rd'; remove one"},
  };
  CHECK(isa_prelude, cases);
  struct diag d;
  struct spec *s = load_isa(isa_prelude, "least rd 6 \"calls\"\nsketch \"only measured\"\nmove rd 20:16", &d);
  assert_non_null(s);
  spec_free(s);
}

static void test_shuffle(void **state) {
  (void)state;
  struct diag d;
  struct spec *s = load_isa(isa_prelude, "shuffle 63:0 127:64", &d);
  assert_non_null(s);
  assert_int_equal(s->field[spec_field(s, "op")].lo, 64);
  assert_int_equal(s->field[spec_field(s, "stall")].hi, 44);
  assert_true(s->enc[0].match == (u128)0x202 << 64);
  spec_free(s);
  static const struct bad cases[] = {
      {"shuffle 63:0 127:65", "t.isa:21: error: bit 64 lies in no block; add it"},
      {"shuffle 63:0 127:64 3", "t.isa:21: error: bit 3 lies in blocks '63:0' and '3'; each bit lies in one"},
      {"shuffle 20:0 127:21", "t.isa:21: error: field 'rd' 23:16 lies in blocks '127:21' and '20:0'; join them"},
      {"shuffle 0:63 127:64", "t.isa:21: error: '0:63': the high bit comes first"},
      {"shuffle 128:64 63:0", "t.isa:21: error: '128:64': bits are 0 to 127"},
      {"shuffle", "t.isa:21: error: bit 127 lies in no block; add it"},
  };
  CHECK(isa_prelude, cases);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scatter),  cmocka_unit_test(test_r62),
                                     cmocka_unit_test(test_pairs),    cmocka_unit_test(test_wrong_rows),
                                     cmocka_unit_test(test_shuffle),  cmocka_unit_test(test_narrow),
                                     cmocka_unit_test(test_extended), cmocka_unit_test(test_least)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
