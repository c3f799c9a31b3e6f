/* SPDX-License-Identifier: Apache-2.0
 * Numbers: columns of them, NumPy's files, and how near a form's result must be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "run/job/elements.h"
#include "run/cases/form.h"

/* Columns of numbers, and the bound of what need not be right to the bit. */

static void types_have_widths(void **state) {
  (void)state;
  static const struct {
    const char *type;
    unsigned width;
    bool is_float;
  } table[] = {{"f32", 4, true},     {"f64", 8, true},    {"b32", 4, false},   {"s64", 8, false},
               {"u8", 1, false},     {"int32", 4, false}, {"uint8", 1, false}, {"float64", 8, true},
               {"float32", 4, true}, {"f16", 2, false},   {"f33", 0, false},   {"", 0, false}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    assert_int_equal(element_width(table[i].type), table[i].width);
    assert_int_equal(element_is_float(table[i].type), table[i].is_float);
  }
  assert_int_equal(element_width(NULL), 0);
}

static void numbers_as_text(void **state) {
  (void)state;
  static const struct {
    const char *type;
    uint64_t bits;
    const char *text;
  } table[] = {{"f32", 0x3fc00000, "0x3fc00000 (1.5)"},
               {"f64", UINT64_C(0x3ff8000000000000), "0x3ff8000000000000 (1.5)"},
               {"s32", 0xffffffff, "0xffffffff (-1)"},
               {"int8", 0x80, "0x80 (-128)"},
               {"u16", 0xffff, "0xffff (65535)"},
               {"s64", UINT64_MAX, "0xffffffffffffffff (-1)"},
               {"b32", 16, "0x00000010"}};
  char buf[64];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    assert_string_equal(element_text(table[i].type, table[i].bits, buf, sizeof buf), table[i].text);
}

/* Every half is its own value's; between two the nearer, of a tie the even one. */
static void halves(void **state) {
  (void)state;
  for (unsigned h = 0; h < 0x10000; h++)
    if ((h & 0x7fff) <= 0x7c00) assert_int_equal(element_half(element_half_value((uint16_t)h)), h);
  for (unsigned h = 0; h < 0x7bff; h++) {
    const double a = element_half_value((uint16_t)h), b = element_half_value((uint16_t)(h + 1)), middle = (a + b) / 2;
    assert_int_equal(element_half(middle), h + (h & 1));
    assert_int_equal(element_half(nextafter(middle, 0)), h);
    assert_int_equal(element_half(-nextafter(middle, 1e9)), (h + 1) | 0x8000);
  }
  assert_int_equal(element_half(65519.99), 0x7bff);
  assert_int_equal(element_half(65520), 0x7c00);
  assert_int_equal(element_half((double)NAN), 0x7fff);
  assert_true(isnan(element_half_value(0x7e00)));
}

static void columns_are_compared(void **state) {
  (void)state;
  const uint8_t a[12] = {1, 0, 0, 0, 2, 0, 0, 0x80, 3}, b[12] = {1, 0, 0, 0, 2, 0, 0, 0x81, 4};
  assert_int_equal(element_at(a, 4, 1), 0x80000002u);
  assert_int_equal(element_difference(a, b, 4, 3), 1);
  assert_int_equal(element_difference(a, b, 4, 1), 1);
  assert_int_equal(element_difference(a, a, 4, 3), 3);
}

static void files_have_their_size(void **state) {
  (void)state;
  char dir[] = "/tmp/elements-XXXXXX", path[64], why[256];
  assert_non_null(mkdtemp(dir));
  (void)snprintf(path, sizeof path, "%s/x.bin", dir);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite("abcd", 1, 4, f), 4);
  (void)fclose(f);
  uint8_t *data = element_file(dir, "x.bin", 4, why, sizeof why);
  assert_memory_equal(data, "abcd", 4);
  free(data);
  assert_null(element_file(dir, "x.bin", 3, why, sizeof why));
  assert_non_null(strstr(why, "more than the 3"));
  assert_null(element_file(dir, "x.bin", 5, why, sizeof why));
  assert_null(element_file(dir, "y.bin", 4, why, sizeof why));
  assert_null(element_file(dir, "/etc/passwd", 4, why, sizeof why));
  assert_null(element_file(dir, "../x.bin", 4, why, sizeof why));
  assert_null(element_file(dir, NULL, 4, why, sizeof why));
  (void)unlink(path);
  (void)rmdir(dir);
}

static size_t check_form(const char *form, double a, double got, double gold) {
  uint8_t x[8], g[8], w[8];
  char note[128];
  memcpy(x, &a, 8);
  memcpy(g, &got, 8);
  memcpy(w, &gold, 8);
  return form_bound_check(form_bound_of(form), x, g, w, 1, note, sizeof note);
}

static size_t check_root(double a, double got, double gold) {
  return check_form("rsqrt.approx.f64", a, got, gold);
}

static void roots_are_bounded(void **state) {
  (void)state;
  assert_null(form_bound_of("rsqrt.approx.f32"));
  assert_non_null(form_bound_of("rsqrt.approx.f64"));
  const double ulp = 0x1p-53; /* of 0.5: relative 2^-52 */
  assert_int_equal(check_root(4.0, 0.5, 0.5), 1);
  assert_int_equal(check_root(4.0, 0.5 + ulp, 0.5), 1);
  assert_int_equal(check_root(4.0, 0.5 - ulp, 0.5), 1);
  assert_int_equal(check_root(4.0, 0.5 + 2 * ulp, 0.5), 0);
  assert_int_equal(check_root(4.0, 0.5 - 2 * ulp, 0.5), 0);
  assert_int_equal(check_root(4.0, -0.5, 0.5), 0);
  const double inf = 1.0 / 0.0;
  assert_int_equal(check_root(0.0, inf, inf), 1);
  assert_int_equal(check_root(0.0, -inf, inf), 0);
  assert_int_equal(check_root(0.0, 1.0, inf), 0);
  assert_int_equal(check_root(inf, 0.0, 0.0), 1);
  assert_int_equal(check_root(inf, -0.0, 0.0), 0);
  assert_int_equal(check_root(4.0, inf, 0.5), 0);
}

/* One unit of the 20 bits of fraction that the upper word of a result has. */
static void gross_forms_are_bounded(void **state) {
  (void)state;
  const double unit = 0x1p-21; /* of 0.5 */
  assert_int_equal(check_form("rcp.approx.ftz.f64", 2.0, 0.5 + unit, 0.5), 1);
  assert_int_equal(check_form("rcp.approx.ftz.f64", 2.0, 0.5 + 2 * unit, 0.5), 0);
  assert_int_equal(check_form("rcp.approx.ftz.f64", -2.0, 0.5, -0.5), 0);
  assert_int_equal(check_form("rsqrt.approx.ftz.f64", 4.0, 0.5 - unit, 0.5), 1);
  assert_int_equal(check_form("rsqrt.approx.ftz.f64", 4.0, 0.5 + 2 * unit, 0.5), 0);
}

/* .npy files: as NumPy writes them, as we do, and as nobody should. */

/* A file of that header and that many bytes behind it. */
static size_t file_of(uint8_t *file, const char *header, unsigned version, size_t data) {
  const size_t n = strlen(header), first = version == 1 ? 10 : 12;
  memcpy(file, "\x93NUMPY", 6);
  memset(file + 6, 0, 6);
  file[6] = (uint8_t)version;
  file[8] = (uint8_t)n;
  memcpy(file + first, header, n);
  memset(file + first + n, 7, data);
  return first + n + data;
}

static void good_files(void **state) {
  (void)state;
  static const struct {
    const char *header, *type;
    unsigned version, dims;
    size_t bytes;
  } good[] = {{"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }      \n", "f32", 1, 2, 24},
              {"{'descr':'<i8','fortran_order':False,'shape':(3,)}", "s64", 2, 1, 24},
              {"{'shape': (), 'descr': '|u1', 'fortran_order': False}", "u8", 3, 0, 1},
              {"{'descr': '|b1', 'fortran_order': False, 'shape': (4, 0, 9), }", "u8", 1, 3, 0},
              {"{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", "f16", 1, 1, 2}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    uint8_t file[256];
    struct npy_array a;
    size_t bytes;
    const char *why;
    const size_t size = file_of(file, good[i].header, good[i].version, good[i].bytes);
    const uint8_t *data = npy_read(file, size, &a, &bytes, &why);
    if (!data) fail_msg("%s: %s", good[i].header, why);
    assert_ptr_equal(data, file + size - good[i].bytes);
    assert_int_equal(bytes, good[i].bytes);
    assert_string_equal(a.type, good[i].type);
    assert_int_equal(a.dims, good[i].dims);
    for (size_t cut = 0; cut < size; cut++) /* any shorter one, and a longer one, is refused */
      assert_null(npy_read(file, cut, &a, &bytes, &why));
    file[size] = 0;
    assert_null(npy_read(file, size + 1, &a, &bytes, &why));
  }
}

static void bad_files(void **state) {
  (void)state;
  static const struct {
    const char *header, *why;
  } bad[] = {{"{'descr': '>f4', 'fortran_order': False, 'shape': (6,)}", "little-endian"},
             {"{'descr': '|O', 'fortran_order': False, 'shape': (6,)}", "little-endian"},
             {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", "little-endian"},
             {"{'descr': '<f4', 'fortran_order': True, 'shape': (6,)}", "Fortran"},
             {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", "as many numbers"},
             {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999,99999999999999)}", "as many numbers"},
             {"{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999,)}", "shape"},
             {"{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}", "shape"},
             {"{'descr': '<f4', 'fortran_order': False, 'shape': (6}", "shape"},
             {"{'descr': '<f4', 'shape': (6,)}", "lacks"},
             {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)", "header"},
             {"{'what': 1}", "header"},
             {"[]", "dictionary"},
             {"", "dictionary"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint8_t file[256];
    struct npy_array a;
    size_t bytes;
    const char *why;
    assert_null(npy_read(file, file_of(file, bad[i].header, 1, 24), &a, &bytes, &why));
    if (!strstr(why, bad[i].why)) fail_msg("%s: %s", bad[i].header, why);
  }
}

static void what_is_written_reads_back(void **state) {
  (void)state;
  static const char *const types[] = {"u8", "s16", "f32", "f64", "u64", "f16"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char head[NPY_HEAD];
    struct npy_array a = {.dims = 3, .shape = {1, 0, 70000}}, b;
    size_t bytes;
    const char *why;
    (void)snprintf(a.type, sizeof a.type, "%s", types[i]);
    const size_t n = npy_head(&a, head);
    assert_int_equal(n % 64, 0);
    assert_non_null(npy_read((const uint8_t *)head, n, &b, &bytes, &why));
    assert_string_equal(a.type, b.type);
    assert_int_equal(b.dims, 3);
    assert_int_equal(b.shape[2], 70000);
  }
  assert_true(npy_is_name("a.npy"));
  assert_false(npy_is_name(".npy"));
  assert_false(npy_is_name("a.npz"));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(types_have_widths),
                                     cmocka_unit_test(numbers_as_text),
                                     cmocka_unit_test(halves),
                                     cmocka_unit_test(columns_are_compared),
                                     cmocka_unit_test(files_have_their_size),
                                     cmocka_unit_test(roots_are_bounded),
                                     cmocka_unit_test(gross_forms_are_bounded),
                                     cmocka_unit_test(good_files),
                                     cmocka_unit_test(bad_files),
                                     cmocka_unit_test(what_is_written_reads_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
