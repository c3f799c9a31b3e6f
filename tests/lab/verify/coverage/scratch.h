/* SPDX-License-Identifier: Apache-2.0
 * Files of a test, in a folder of their own. */
#ifndef TESTS_COVERAGE_SCRATCH_H
#define TESTS_COVERAGE_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_dir[64];

static inline int scratch_make(void **state) {
  (void)state;
  strcpy(scratch_dir, "/tmp/coverage-test-XXXXXX");
  return mkdtemp(scratch_dir) == NULL;
}

static inline int scratch_drop(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", scratch_dir);
  return system(command);
}

static inline const char *scratch(const char *name) {
  static char path[4][128];
  static unsigned next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", scratch_dir, name);
  return path[next];
}

static inline void scratch_write(const char *name, const char *text, size_t bytes) {
  FILE *f = fopen(scratch(name), "w");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, bytes, f), bytes);
  assert_int_equal(fclose(f), 0);
}

/* A whole file, with a zero after it. */
static inline char *scratch_read(const char *name, size_t *bytes) {
  FILE *f = fopen(scratch(name), "r");
  assert_non_null(f);
  char *text = malloc(1 << 22);
  assert_non_null(text);
  *bytes = fread(text, 1, (1 << 22) - 1, f);
  text[*bytes] = '\0';
  fclose(f);
  return text;
}

#endif
