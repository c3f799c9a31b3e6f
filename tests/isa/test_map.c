/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture shows each bit for what it is.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/isa/isa_text.h"
#include "isa/gen/map.h"

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

static void test_text(void **state) {
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_encoding), cmocka_unit_test(test_format),
                                     cmocka_unit_test(test_text), cmocka_unit_test(test_svg)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
