/* SPDX-License-Identifier: Apache-2.0 */
#include "form_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/cmodel/check.h"

static char *read_all(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) fail_msg("cannot read %s", path);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  const long end = ftell(f);
  assert_true(end >= 0);
  rewind(f);
  *size = (size_t)end;
  char *bytes = malloc(*size + 1);
  assert_non_null(bytes);
  if (fread(bytes, 1, *size, f) != *size) fail_msg("cannot read %s", path);
  bytes[*size] = '\0';
  (void)fclose(f);
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
