/* SPDX-License-Identifier: Apache-2.0
 *
 * The unit tests of an area: tests_AREA NAME [ARGUMENT...] runs one, tests_AREA all of them, each in a process of its
 * own, so that none sees what another left and one that crashes is one that failed.
 * Exit status 0: passed, 1: a test failed, 2: there is no such test.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

static int run_apart(const struct test_unit *u, char *program) {
  char *argv[] = {program, NULL};
  int status = 1;
  (void)fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    status = u->run(1, argv) != 0;
    (void)fflush(NULL);
    _exit(status);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return perror(u->name), 1;
  if (status != 0) printf("FAILED %s\n", u->name);
  return status != 0;
}

static int run_all(char *program) {
  unsigned passed = 0, failed = 0;
  for (const struct test_unit *u = test_units; u->name; u++) *(run_apart(u, program) == 0 ? &passed : &failed) += 1;
  printf("%u passed, %u failed\n", passed, failed);
  return failed > 0 || passed == 0;
}

int main(int argc, char **argv) {
  if (argc == 1) return run_all(argv[0]);
  const bool list = strcmp(argv[1], "--list") == 0;
  for (const struct test_unit *u = test_units; u->name; u++) {
    if (list) puts(u->name);
    if (strcmp(argv[1], u->name) == 0) return u->run(argc - 1, argv + 1) != 0;
  }
  if (list) return 0;
  (void)fprintf(stderr, "%s: no test '%s' (--list shows them)\n", argv[0], argv[1]);
  return 2;
}
