/* SPDX-License-Identifier: Apache-2.0
 * Calls as clang writes them (calls/calls.cl at -O0 and -O2), compiled in every way and run on the model, against the
 * same text compiled natively. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/ptx_run.h"
#include "tests/test.h"

/* ---- the source as C */
typedef unsigned char uchar;
typedef unsigned short ushort;
#define __kernel static
#define __global
static int local_id;
static int get_local_id(int dimension) {
  return dimension == 0 ? local_id : 0;
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#include "tests/compiler/calls/calls.cl"
#pragma GCC diagnostic pop

enum { THREADS = 64, EACH = 16, TEXT_MOST = 256 << 10 };

static char *read_file(const char *name, size_t *size) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", CALLS_DIR, name);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s is missing", path);
  char *text = calloc(1, TEXT_MOST + 1);
  *size = fread(text, 1, TEXT_MOST, f);
  fclose(f);
  return text;
}

static void check(const char *name) {
  static int want[THREADS * EACH];
  size_t size;
  char *text = read_file(name, &size);
  for (local_id = 0; local_id < THREADS; local_id++) calls(want, 7);
  calls_expect(text, "calls", THREADS, (const uint32_t *)want, THREADS * EACH);
  free(text);
}

static void without_optimisation(void **state) {
  (void)state;
  check("calls_O0.ptx");
}

static void optimised(void **state) {
  (void)state;
  check("calls_O2.ptx");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_optimisation), cmocka_unit_test(optimised)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
