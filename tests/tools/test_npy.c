/* SPDX-License-Identifier: Apache-2.0
 * .npy files: as NumPy writes them, as we do, and as nobody should. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "run/job/elements.h"

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(good_files), cmocka_unit_test(bad_files),
                                     cmocka_unit_test(what_is_written_reads_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
