/* SPDX-License-Identifier: Apache-2.0 */
#include "form_file.h"

#include <stdlib.h>

#include "tests/test.h"

#include "run/job/case_data.h"

static char *read_all(const char *path, size_t *size) {
  char why[512];
  char *bytes = (char *)case_data_read_path(path, CASE_DATA_MOST, size, why, sizeof why);
  if (bytes == NULL) fail_msg("cannot read %s: %s", path, why);
  return bytes;
}

char *form_file_text(const char *path) {
  size_t size;
  return read_all(path, &size);
}

uint8_t *form_file_bytes(const char *path, size_t size) {
  size_t have;
  char *bytes = read_all(path, &have);
  if (have != size) fail_msg("%s has %zu bytes, not %zu", path, have, size);
  return (uint8_t *)bytes;
}

/* The stream owns its bytes. */
FILE *form_file_open(const char *path) {
  size_t size;
  char *bytes = read_all(path, &size);
  FILE *f = fmemopen(NULL, size + 1, "w+");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, size, f), size);
  free(bytes);
  rewind(f);
  return f;
}
