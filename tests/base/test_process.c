/* SPDX-License-Identifier: Apache-2.0
 *
 * Children: their words, files, environment, how they end and when; copies of the process; what a signal leaves behind.
 * How a library's children fare in odd hosts: tests/firmware/test_odd_host.c. */
#define _GNU_SOURCE /* prctl */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/file.h"
#include "base/process.h"

/* What `script` prints; its status. */
static int shell(const char *script, struct process p, char *said, size_t room) {
  const char *const words[] = {"a shell", "-c", script, NULL};
  size_t size;
  enum file_end end;
  pid_t pid;
  p.words = words;
  p.program = "/bin/sh";
  p.in = p.err = -1;
  p.out = file_in_memory(NULL, 0);
  assert_true(process_start(&p, &pid));
  const int status = process_wait(pid);
  char *text = file_read_open(p.out, room - 1, &size, &end);
  assert_non_null(text);
  memcpy(said, text, size + 1);
  free(text);
  (void)close(p.out);
  return status;
}

static void test_ends(void **state) {
  char said[64];
  pid_t pid;
  (void)state;
  assert_int_equal(shell("echo $0; exit 7", (struct process){0}, said, sizeof said), 7);
  assert_string_equal(said, "a shell\n");
  assert_int_equal(shell("kill -KILL $$", (struct process){0}, said, sizeof said), 128 + SIGKILL);
  const char *const none[] = {"/nowhere/at/all", NULL};
  assert_false(process_start(&(struct process){.words = none, .in = -1, .out = -1, .err = -1}, &pid));
  assert_int_equal(errno, ENOENT);
}

static void test_settings(void **state) {
  static const char *const settings[] = {"TEST_A=new", "TEST_B=", NULL};
  char said[256];
  (void)state;
  assert_int_equal(setenv("TEST_A", "old", 1) | setenv("TEST_AB", "kept", 1), 0);
  const struct process p = {.settings = settings, .folder = "/"};
  assert_int_equal(shell("env | grep ^TEST_ | sort; pwd", p, said, sizeof said), 0);
  assert_string_equal(said, "TEST_A=new\nTEST_AB=kept\nTEST_B=\n/\n");
  assert_string_equal(getenv("TEST_A"), "old");
}

/* A descriptor of ours that nobody has asked for is not the child's. */
static void test_descriptors(void **state) {
  char said[64], script[64];
  (void)state;
  const int own = file_in_memory("x", 1), given = file_in_memory("y", 1);
  snprintf(script, sizeof script, "cat <&%d; (cat <&%d) 2>/dev/null || echo no", given, own);
  assert_int_equal(shell(script, (struct process){.keep = &given, .kept = 1}, said, sizeof said), 0);
  assert_string_equal(said, "yno\n");
  (void)close(own);
  (void)close(given);
}

static void test_late(void **state) {
  static const char *const words[] = {"/bin/sh", "-c", "sleep 100 & sleep 100", NULL};
  static const char *const soon[] = {"/bin/sh", "-c", "sleep 100 & exit 3", NULL};
  struct process p = {.words = words, .in = -1, .out = -1, .err = -1, .group = true};
  bool late;
  pid_t pid;
  (void)state;
  assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* children of children come here when they are orphans */
  assert_true(process_start(&p, &pid));
  assert_int_equal(process_wait_for(pid, 0.2, &late), 128 + SIGKILL);
  assert_true(late);
  p.words = soon;
  assert_true(process_start(&p, &pid));
  assert_int_equal(process_wait_for(pid, 60, &late), 3);
  assert_false(late);
  int status;
  unsigned orphans = 0;
  for (; process_wait_any(&status) > 0; orphans++) assert_int_equal(status, 128 + SIGKILL); /* all of both groups */
  assert_true(orphans >= 2);
}

static void test_first_line(void **state) {
  static const char *const two[] = {"printf", "one\\ntwo\\n", NULL}, *const bad[] = {"sh", "-c", "echo x; exit 1",
                                                                                     NULL};
  char line[8];
  (void)state;
  process_first_line(two, line, sizeof line);
  assert_string_equal(line, "one");
  process_first_line(bad, line, sizeof line);
  assert_string_equal(line, "");
}

static int say(void *ctx, int to) {
  return descriptor_write(to, ctx, 5) ? 4 : 1;
}

static void test_copy(void **state) {
  char said[5];
  int from;
  pid_t pid;
  (void)state;
  assert_true(process_fork(say, "words", &pid, &from));
  assert_true(descriptor_read(from, said, sizeof said));
  assert_memory_equal(said, "words", sizeof said);
  assert_false(descriptor_read(from, said, 1));
  assert_int_equal(process_wait(pid), 4);
  (void)close(from);
}

/* What a signal must not leave. */
struct left {
  char folder[TEMPORARY_PATH], file[TEMPORARY_PATH];
  pid_t child;
};

static int busy(void *ctx, int to) {
  static const char *const words[] = {"sleep", "100", NULL};
  struct left l;
  char inner[TEMPORARY_PATH + 8];
  (void)ctx;
  process_cleans_up();
  if (!temporary_folder(l.folder, "test-left") || !temporary_file(l.file, "test-left")) return 1;
  snprintf(inner, sizeof inner, "%s/inner", l.folder);
  FILE *f = file_create(inner);
  if (f == NULL || fclose(f) != 0) return 2;
  if (!process_start(&(struct process){.words = words, .in = -1, .out = -1, .err = -1}, &l.child)) return 3;
  if (!descriptor_write(to, &l, sizeof l)) return 4;
  for (;;) (void)pause();
}

static void test_signal(void **state) {
  static const int signals[] = {SIGINT, SIGTERM};
  (void)state;
  assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  for (unsigned i = 0; i < 2; i++) {
    struct left l;
    int from;
    pid_t pid;
    assert_true(process_fork(busy, NULL, &pid, &from));
    assert_true(descriptor_read(from, &l, sizeof l));
    assert_int_equal(access(l.folder, F_OK) | access(l.file, F_OK), 0);
    assert_int_equal(kill(pid, signals[i]), 0);
    assert_int_equal(process_wait(pid), 128 + signals[i]); /* it ends as without the cleaning */
    assert_int_equal(process_wait(l.child), 128 + SIGTERM);
    assert_int_equal(access(l.folder, F_OK), -1);
    assert_int_equal(access(l.file, F_OK), -1);
    (void)close(from);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends),        cmocka_unit_test(test_settings),
                                     cmocka_unit_test(test_descriptors), cmocka_unit_test(test_late),
                                     cmocka_unit_test(test_first_line),  cmocka_unit_test(test_copy),
                                     cmocka_unit_test(test_signal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
