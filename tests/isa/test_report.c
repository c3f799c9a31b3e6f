/* SPDX-License-Identifier: Apache-2.0
 *
 * The report and the picture of the word: what a small instruction set has, and what a variant of it changed.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "isa/gen/map.h"
#include "isa/gen/report.h"
#include "tests/isa/isa_text.h"
#include "tests/test.h"

/* Behind the prelude: a format of the model alone, an instruction with 33 number bits, a starred value. */
static const char more[] = "set mode .A=0 .B=1*\n"
                           "field mode 84 set mode\n"
                           "field n1 85 u1\n"
                           "format RI form=4 pg rd a=ra b=imm only=model\n"
                           "insn SUB op=3 RR RI mode \"{rd}, {a}, {b}\" unit=alu sem=sub imm=i32\n"
                           "insn MUL op=4 RI n1 \"{rd}, {a}, {b}, {n1}\" unit=alu sem=mul imm=i32 only=model\n";

static struct spec *load_more(const char *variant) {
  struct diag d;
  struct spec *s = load_isa(isa_prelude, more, &d);
  if (s == NULL) fail_msg("%s", d.text);
  if (variant == NULL) return s;
  spec_free(s);
  FILE *f = fopen("v.isa", "w");
  assert_non_null(f);
  fprintf(f, "import t.isa\n%s\n", variant);
  assert_int_equal(fclose(f), 0);
  s = spec_load("v.isa", &d);
  if (s == NULL) fail_msg("%s", d.text);
  assert_int_equal(unlink("v.isa"), 0);
  return s;
}

static void test_counts(void **state) {
  (void)state;
  struct spec *s = load_more(NULL);
  struct report r;
  report_make(s, &r);
  assert_int_equal(r.instructions, 3);
  assert_int_equal(r.model_instructions, 1);
  assert_int_equal(r.encodings, 4);
  assert_int_equal(r.model_encodings, 2);
  assert_int_equal(r.model_values, 1);
  assert_int_equal(r.opcode_bits, 12);
  assert_int_equal(r.opcodes_used, 4);
  assert_int_equal(r.opcodes_free, 4092);
  assert_int_equal(r.registers, 255);
  assert_int_equal(r.uniform_registers, 0);
  /* ADD RR: op 9, form 3, pg 4, rd, ra, rb 8 each, nb 1, stall 4 */
  const struct format_report *rr = &r.format[spec_format(s, "RR")], *ri = &r.format[spec_format(s, "RI")];
  assert_int_equal(rr->encodings, 2);
  assert_int_equal(rr->only_model, 0);
  assert_int_equal(rr->reserved_least, 128 - 45); /* ADD with nb, SUB with mode instead: equally many */
  assert_int_equal(rr->reserved_most, 128 - 45);
  assert_int_equal(rr->free_bits, 128 - 44); /* nb is up to the instruction */
  assert_int_equal(rr->immediate_bits, 0);
  assert_int_equal(ri->only_model, 2);
  assert_int_equal(ri->immediate_bits, 33);
  assert_int_equal(r.reserved_most, 128 - 45);
  assert_true((r.never_used >> 127 & 1) && (r.never_used >> 86 & 1));
  assert_false((r.never_used >> 85 & 1) || (r.never_used >> 63 & 1) || (r.never_used >> 105 & 1));
  spec_free(s);
}

static void test_changes(void **state) {
  (void)state;
  struct spec *base = load_more(NULL), *s = load_more("move rd 22:16\nmove rb 103:97\nmove mode 90\nfield z 3:0 u4");
  struct changes c;
  assert_null(report_base(base));
  assert_string_equal(report_base(s), "t.isa");
  report_compare(base, s, &c);
  assert_int_equal(c.n, 4);
  assert_int_equal(c.narrowed, 2); /* rd, rb */
  assert_int_equal(c.moved, 1);
  assert_int_equal(c.added, 1);
  assert_int_equal(c.registers_lost, 128);
  assert_int_equal(c.uniform_registers_lost, 0);
  assert_int_equal(c.instructions_added, 0);
  report_compare(base, base, &c);
  assert_int_equal(c.n + c.registers_lost + c.encodings_added, 0);
  spec_free(base);
  spec_free(s);
}

/* What was printed into out.txt. */
static char *printed(void) {
  struct diag d = {0};
  char *text = text_read("out.txt", (struct pos){"out.txt", 0}, &d);
  assert_non_null(text);
  assert_int_equal(unlink("out.txt"), 0);
  return text;
}

static void assert_has(const char *text, const char *words) {
  if (strstr(text, words) == NULL) fail_msg("'%s' not in:\n%s", words, text);
}

static void test_text(void **state) {
  (void)state;
  struct diag d = {0};
  struct spec *base = load_more(NULL), *s = load_more("move rd 22:16\nmove mode 90");
  FILE *f = text_create(".", "out.txt", &d);
  report_text(s, base, f);
  assert_true(text_close(f, "out.txt", &d));
  char *text = printed();
  assert_has(text, "instructions      3, of which 1 are not in the RTL yet");
  assert_has(text, "opcodes           4 used, 4092 free (12 bits)");
  assert_has(text, "1 of 14 fields moved, 1 narrowed, 0 new;\n128 registers and 0 uniform registers lost");
  assert_has(text, "rd       23:16 narrowed to 22:16, 1 bits less");
  assert_has(text, "mode     84 moved to 90");
  free(text);
  spec_free(base);
  spec_free(s);
}

static void expect_format(const json_t *formats, size_t at) {
  const char *name;
  int encodings, model_only;
  assert_int_equal(json_unpack(json_array_get(formats, at), "{s:s, s:i, s:i}", "name", &name, "encodings", &encodings,
                               "model_only", &model_only),
                   0);
  assert_string_equal(name, "RI");
  assert_int_equal(encodings, 2);
  assert_int_equal(model_only, 2);
}

/* One of the changes is just this (as json_pack makes it). */
static void expect_change(const json_t *changes, const char *format, ...) {
  va_list args;
  va_start(args, format);
  json_t *want = json_vpack_ex(NULL, 0, format, args);
  va_end(args);
  assert_non_null(want);
  size_t at = 0;
  while (at < json_array_size(changes) && !json_equal(json_array_get(changes, at), want)) at++;
  assert_true(at < json_array_size(changes));
  json_decref(want);
}

static void test_json(void **state) {
  (void)state;
  struct spec *base = load_more(NULL), *s = load_more("move rd 22:16\nfield z 3:0 u4");
  json_t *j = report_json(s, base);
  int used, left;
  const char *file, *name, *hash;
  assert_int_equal(json_unpack(j, "{s:s, s:s, s:s, s:i, s:i}", "file", &file, "name", &name, "hash", &hash,
                               "opcodes_used", &used, "opcodes_free", &left),
                   0);
  assert_string_equal(file, "v.isa");
  assert_string_equal(name, "t");
  assert_int_equal(strlen(hash), 16);
  assert_int_equal(used, 4);
  assert_int_equal(left, 4092);
  expect_format(json_object_get(j, "formats"), spec_format(s, "RI"));
  json_t *changes = json_object_get(json_object_get(j, "base"), "changes");
  expect_change(changes, "{s:s, s:[i, i], s:[i, i]}", "field", "rd", "was", 23, 16, "is", 22, 16);
  expect_change(changes, "{s:s, s:n, s:[i, i]}", "field", "z", "was", "is", 3, 0);
  json_decref(j);
  spec_free(base);
  spec_free(s);
}

/* The picture shows each bit for what it is. */

static struct spec *load_prelude(void) {
  struct diag d;
  struct spec *s = load_isa(isa_prelude,
                            "field pd0 83:81 pred.write\nfield n 90:88 u3\n"
                            "insn SUB op=3 x=1 RR rnd \"{rd}, {pd0}, {a}, {b}, {n}\" unit=alu sem=sub",
                            &d);
  if (s == NULL) fail_msg("%s", d.text);
  return s;
}

static void check_bits(const struct map_row *r, unsigned hi, unsigned lo, char what) {
  for (unsigned b = lo; b <= hi; b++)
    if (r->cell[b].what != what) fail_msg("%s: bit %u is '%c', not '%c'", r->label, b, r->cell[b].what, what);
}

static void test_encoding(void **state) {
  (void)state;
  struct spec *s = load_prelude();
  struct map_row r;
  assert_int_equal(map_count(s, MAP_ENCODINGS), 2);
  map_row(s, MAP_ENCODINGS, 1, &r);
  assert_string_equal(r.label, "SUB RR");
  check_bits(&r, 11, 0, 'o');
  check_bits(&r, 15, 12, 'g');
  check_bits(&r, 23, 16, 'd');
  check_bits(&r, 31, 24, 'a');
  check_bits(&r, 39, 32, 'b');
  check_bits(&r, 73, 40, '.'); /* nb is not of this one */
  check_bits(&r, 74, 74, 'o');
  check_bits(&r, 79, 78, 's');
  check_bits(&r, 83, 81, 'p');
  check_bits(&r, 90, 88, 'n');
  check_bits(&r, 108, 105, 'k');
  check_bits(&r, 127, 109, '.');
  spec_free(s);
}

static void test_format(void **state) {
  (void)state;
  struct spec *s = load_prelude();
  struct map_row r;
  assert_int_equal(map_count(s, MAP_FORMATS), 1);
  map_row(s, MAP_FORMATS, 0, &r);
  assert_string_equal(r.label, "RR");
  check_bits(&r, 63, 63, 'b'); /* nb */
  check_bits(&r, 104, 64, '.');
  spec_free(s);
}

/* What one of the two printers wrote. */
static char *drawn(const struct spec *s, void (*draw)(const struct spec *s, enum map_rows rows, FILE *f)) {
  struct diag d = {0};
  FILE *f = text_create(".", "out.txt", &d);
  assert_non_null(f);
  draw(s, MAP_ENCODINGS, f);
  assert_true(text_close(f, "out.txt", &d));
  char *text = text_read("out.txt", (struct pos){"out.txt", 0}, &d);
  assert_non_null(text);
  assert_int_equal(unlink("out.txt"), 0);
  return text;
}

static void test_map_text(void **state) {
  (void)state;
  struct spec *s = load_prelude();
  char *text = drawn(s, map_text);
  const char *row = strstr(text, "  SUB RR\n");
  assert_non_null(row);
  row -= 128;
  assert_int_equal(row[-1], '\n');
  assert_memory_equal(row + 127 - 108, "Kkkk", 4);
  assert_memory_equal(row + 127 - 31, "AaaaaaaaDdddddddGgggOooOoooooooo", 32);
  assert_memory_equal(text, "127     119     ", 16);
  free(text);
  spec_free(s);
}

static unsigned count(const char *text, const char *words) {
  unsigned n = 0;
  for (const char *p = text; (p = strstr(p, words)) != NULL; p++) n++;
  return n;
}

static void test_svg(void **state) {
  (void)state;
  struct spec *s = load_prelude();
  char *text = drawn(s, map_svg);
  assert_int_equal(count(text, "<svg "), 1);
  assert_int_equal(count(text, "</svg>"), 1);
  assert_int_equal(count(text, "<text "), count(text, "</text>"));
  assert_int_equal(count(text, ">SUB RR<"), 1);
  assert_int_equal(count(text, ">stall<"), 2);
  assert_int_equal(count(text, ">nb<"), 1); /* of ADD alone */
  free(text);
  spec_free(s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),   cmocka_unit_test(test_changes),
                                     cmocka_unit_test(test_text),     cmocka_unit_test(test_json),
                                     cmocka_unit_test(test_encoding), cmocka_unit_test(test_format),
                                     cmocka_unit_test(test_map_text), cmocka_unit_test(test_svg)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
