/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files: of every size around the limit and the rooms that are asked for, of a pipe, of none; temporary ones. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/file.h"

static char path[TEMPORARY_PATH];

static int make_file(void **state) {
  (void)state;
  return temporary_file(path, "test-file") ? 0 : -1;
}

static int remove_file(void **state) {
  (void)state;
  temporary_remove(path);
  return access(path, F_OK) == 0;
}

/* Bytes of which no two pieces are the same. */
static uint8_t byte_at(size_t i) {
  return (uint8_t)(i * 7 + i / 251);
}

static void write_bytes(size_t n) {
  FILE *f = file_create(path);
  assert_non_null(f);
  for (size_t i = 0; i < n; i++) assert_int_not_equal(fputc(byte_at(i), f), EOF);
  assert_int_equal(fclose(f), 0);
}

static void test_sizes(void **state) {
  static const size_t sizes[] = {0, 1, 14, 15, 16, 4095, 4096, 65535, 65536, 65537, 200000};
  (void)state;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t n = sizes[k];
    size_t size = 99;
    enum file_end end;
    write_bytes(n);
    uint8_t *data = file_read(path, n, &size, &end);
    assert_non_null(data);
    assert_int_equal(end, FILE_WHOLE);
    assert_int_equal(size, n);
    assert_int_equal(data[n], 0);
    for (size_t i = 0; i < n; i++) assert_int_equal(data[i], byte_at(i));
    free(data);
    if (n == 0) continue;
    assert_null(file_read(path, n - 1, &size, &end));
    assert_int_equal(end, FILE_TOO_LARGE);
    assert_int_equal(size, 0);
    data = file_read_first(path, n - 1, &size);
    assert_non_null(data);
    assert_int_equal(size, n - 1);
    assert_int_equal(data[n - 1], 0);
    free(data);
  }
}

static void test_refused(void **state) {
  size_t size = 99;
  enum file_end end;
  (void)state;
  assert_null(file_read("/nowhere/at/all", 10, &size, &end));
  assert_int_equal(end, FILE_NOT_OPENED);
  assert_int_equal(errno, ENOENT);
  assert_int_equal(size, 0);
  assert_null(file_read("/", 10, &size, &end));
  assert_int_equal(end, FILE_NOT_READ);
  assert_int_equal(errno, EISDIR);
  assert_null(file_read("/dev/zero", 100000, &size, &end)); /* has no size, and no end */
  assert_int_equal(end, FILE_TOO_LARGE);
}

/* As many bytes as no pipe holds at once. */
static void test_pipe(void **state) {
  enum { MANY = 300000 };
  int ends[2];
  size_t size;
  enum file_end end;
  (void)state;
  assert_int_equal(pipe(ends), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    static uint8_t data[MANY];
    for (size_t i = 0; i < MANY; i++) data[i] = byte_at(i);
    _exit(!descriptor_write(ends[1], data, MANY));
  }
  (void)close(ends[1]);
  char name[32];
  snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
  uint8_t *data = file_read(name, SIZE_MAX, &size, &end);
  (void)close(ends[0]);
  assert_int_equal(waitpid(writer, NULL, 0), writer);
  assert_non_null(data);
  assert_int_equal(size, MANY);
  for (size_t i = 0; i < MANY; i++) assert_int_equal(data[i], byte_at(i));
  free(data);
}

static void test_open_file(void **state) {
  size_t size;
  enum file_end end;
  (void)state;
  const int fd = file_in_memory("some words", 10);
  char part[4];
  assert_true(descriptor_read(fd, part, sizeof part));
  assert_memory_equal(part, "some", 4);
  for (unsigned twice = 0; twice < 2; twice++) { /* wherever it is read or written */
    char *text = file_read_open(fd, 10, &size, &end);
    assert_string_equal(text, "some words");
    free(text);
  }
  assert_false(descriptor_read(fd, part, 1)); /* it is at its end */
  (void)close(fd);
  assert_null(file_read_open(fd, 10, &size, &end));
  assert_int_equal(end, FILE_NOT_READ);
}

static void test_temporary_folder(void **state) {
  char folder[TEMPORARY_PATH], top[TEMPORARY_PATH], inner[TEMPORARY_PATH + 8];
  struct stat s;
  (void)state;
  assert_true(temporary_folder(top, "test-top"));
  assert_int_equal(setenv("TMPDIR", top, 1), 0);
  assert_true(temporary_folder(folder, "test"));
  assert_int_equal(strncmp(folder, top, strlen(top)), 0); /* where the user wants them */
  assert_int_equal(stat(folder, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  snprintf(inner, sizeof inner, "%s/x", folder);
  assert_int_equal(mkdir(inner, 0700), 0);
  assert_int_equal(setenv("TMPDIR", "/nowhere", 1), 0);
  char other[TEMPORARY_PATH];
  assert_true(temporary_file(other, "test"));
  assert_int_equal(strncmp(other, "/tmp/", 5), 0);
  temporary_remove(other);
  assert_int_equal(unsetenv("TMPDIR"), 0);
  temporary_remove(top);
  assert_int_equal(access(top, F_OK), -1);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_pipe), cmocka_unit_test(test_open_file),
                                     cmocka_unit_test(test_temporary_folder)};
  return cmocka_run_group_tests(tests, make_file, remove_file);
}
