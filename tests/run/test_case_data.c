/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of a folder of data: loose ones, those of its archive, archives that lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "tests/test.h"
#include "run/job/case_data.h"

struct folder {
  char dir[32], loose[64], archive[64];
};

static void put(const char *path, const void *data, size_t bytes) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, bytes, f), bytes);
  assert_int_equal(fclose(f), 0);
}

static void add(zip_t *z, const char *name, const char *data, zip_int32_t method) {
  zip_source_t *s = zip_source_buffer(z, data, strlen(data), 0);
  const zip_int64_t at = zip_file_add(z, name, s, 0);
  assert_true(at >= 0);
  assert_int_equal(zip_set_file_compression(z, (zip_uint64_t)at, method, 0), 0);
}

/* `x` of the archive, "abcd", lies loose as well, as "loose"; `long` is compressed. */
static int setup(void **state) {
  static char same[10001];
  struct folder *f = calloc(1, sizeof *f);
  strcpy(f->dir, "/tmp/case-data-XXXXXX");
  assert_non_null(mkdtemp(f->dir));
  (void)snprintf(f->loose, sizeof f->loose, "%s/x", f->dir);
  (void)snprintf(f->archive, sizeof f->archive, "%s/data.zip", f->dir);
  put(f->loose, "loose", 5);
  memset(same, 's', sizeof same - 1);
  int error;
  zip_t *z = zip_open(f->archive, ZIP_CREATE, &error);
  assert_non_null(z);
  add(z, "x", "abcd", ZIP_CM_STORE);
  add(z, "y", "efghi", ZIP_CM_STORE);
  add(z, "sub/z", "inside", ZIP_CM_STORE);
  add(z, "../out", "outside", ZIP_CM_STORE);
  add(z, "long", same, ZIP_CM_DEFLATE);
  add(z, "empty", "", ZIP_CM_STORE);
  assert_int_equal(zip_close(z), 0);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  struct folder *f = *state;
  (void)unlink(f->loose);
  (void)unlink(f->archive);
  (void)rmdir(f->dir);
  free(f);
  return 0;
}

static void is(const struct folder *f, const char *name, size_t most, const char *want) {
  char why[256] = "";
  size_t bytes = 0;
  uint8_t *data = case_data_read(f->dir, name, most, &bytes, why, sizeof why);
  if (!data) fail_msg("%s: %s", name, why);
  assert_int_equal(bytes, strlen(want));
  assert_string_equal((char *)data, want);
  free(data);
}

static void is_refused(const struct folder *f, const char *name, size_t most, const char *words) {
  char why[256] = "";
  size_t bytes = 0;
  assert_null(case_data_read(f->dir, name, most, &bytes, why, sizeof why));
  if (!strstr(why, words)) fail_msg("%s: '%s' says nothing of '%s'", name ? name : "NULL", why, words);
}

static void loose_files_go_first(void **state) {
  const struct folder *f = *state;
  is(f, "x", 5, "loose");
  is(f, "y", 5, "efghi");
  is(f, "sub/z", 100, "inside");
  is(f, "empty", 0, "");
  assert_int_equal(unlink(f->loose), 0);
  is(f, "x", CASE_DATA_MOST + 1, "abcd");
  char path[96], why[256];
  size_t bytes;
  (void)snprintf(path, sizeof path, "%s/y", f->dir);
  uint8_t *data = case_data_read_path(path, 5, &bytes, why, sizeof why);
  assert_non_null(data);
  free(data);
}

static void names_are_listed(void **state) {
  const struct folder *f = *state;
  static const char *const want[] = {"empty", "long", "x", "y", "sub/z"}; /* x once; not what lies outside */
  enum { ALL = sizeof want / sizeof *want, MORE = ALL + 3 };
  char *name[MORE], why[256];
  assert_int_equal(case_data_list(f->dir, "", name, MORE, why, sizeof why), MORE); /* ".", "..", the archive */
  for (size_t i = 0; i < ALL; i++) assert_string_equal(name[i + 3], want[i]);
  for (size_t i = 0; i < MORE; i++) free(name[i]);
  assert_int_equal(case_data_list(f->dir, "z", name, MORE, why, sizeof why), 1);
  assert_string_equal(name[0], "sub/z");
  free(name[0]);
  assert_int_equal(case_data_list(f->dir, "", name, 0, why, sizeof why), 0);
  assert_int_equal(case_data_list(f->dir, ".ptx", name, MORE, why, sizeof why), 0);
  assert_non_null(strstr(why, "no such file in it"));
  assert_int_equal(case_data_list("/nowhere", "", name, MORE, why, sizeof why), 0);
  assert_non_null(strstr(why, "No such file or directory"));
}

static void names_stay_inside(void **state) {
  is_refused(*state, "../out", 100, "no name of a file in");
  is_refused(*state, "/etc/passwd", 1 << 20, "no name of a file in");
  is_refused(*state, "", 100, "no name of a file in");
  is_refused(*state, NULL, 100, "no name of a file in");
  is_refused(*state, "none", 100, "none: No such file");
  is_refused(*state, "x/y", 100, "x/y: Not a directory");
}

static void sizes_are_bounded(void **state) {
  is_refused(*state, "x", 4, "x: more than the 4 bytes");
  is_refused(*state, "y", 4, "y: more than the 4 bytes");
  is_refused(*state, "long", 9999, "long: more than the 9999 bytes");
}

/* Each byte of the archive otherwise, and each beginning of it: what is read is what was put in, or it is refused. */
static void damage_is_seen(void **state) {
  const struct folder *f = *state;
  static uint8_t whole[4096], other[4096];
  FILE *in = fopen(f->archive, "rb");
  assert_non_null(in);
  const size_t bytes = fread(whole, 1, sizeof whole, in);
  (void)fclose(in);
  assert_true(bytes > 200 && bytes < sizeof whole);
  unsigned refused = 0;
  for (size_t at = 0; at < 2 * bytes; at++) {
    char why[256] = "";
    size_t got = 0;
    memcpy(other, whole, bytes);
    if (at < bytes) other[at] ^= 0x11;
    put(f->archive, other, at < bytes ? bytes : at - bytes);
    uint8_t *data = case_data_read(f->dir, "y", 100, &got, why, sizeof why);
    if (data && (got != 5 || memcmp(data, "efghi", 5) != 0)) fail_msg("byte %zu of %zu: other contents", at, bytes);
    if (!data && !why[0]) fail_msg("byte %zu of %zu: refused without words", at, bytes);
    refused += !data;
    free(data);
  }
  print_message("%u of %zu refused\n", refused, 2 * bytes);
  assert_true(refused > bytes); /* all that are cut, and more */
}

/* A size that the index claims is no reason to take the memory: the bound comes first, the data must be as long. */
static void sizes_that_lie(void **state) {
  const struct folder *f = *state;
  static uint8_t whole[4096];
  FILE *in = fopen(f->archive, "rb");
  const size_t bytes = fread(whole, 1, sizeof whole, in);
  (void)fclose(in);
  const uint8_t mark[4] = {'P', 'K', 1, 2};
  for (size_t at = 0; at + 46 < bytes; at++)
    if (memcmp(whole + at, mark, 4) == 0) memset(whole + at + 24, 0x3f, 4); /* uncompressed size, of all entries */
  put(f->archive, whole, bytes);
  is_refused(f, "y", 100, "more than the 100 bytes");
  is_refused(f, "long", CASE_DATA_MOST, "");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(loose_files_go_first, setup, teardown),
      cmocka_unit_test_setup_teardown(names_are_listed, setup, teardown),
      cmocka_unit_test_setup_teardown(names_stay_inside, setup, teardown),
      cmocka_unit_test_setup_teardown(sizes_are_bounded, setup, teardown),
      cmocka_unit_test_setup_teardown(damage_is_seen, setup, teardown),
      cmocka_unit_test_setup_teardown(sizes_that_lie, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
