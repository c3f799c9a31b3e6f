/* SPDX-License-Identifier: Apache-2.0 */
#include "mufu_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long least[MUFU_COLUMNS] = {0, -(1L << 17), -(1L << 14)};
static const long most[MUFU_COLUMNS] = {0x7fffffff, (1L << 17) - 1, (1L << 14) - 1};

/* The file's name without folder and ending. */
static int table_name(const char *path, struct mufu_table *t) {
  const char *slash = strrchr(path, '/');
  const char *stem = slash != NULL ? slash + 1 : path;
  const size_t length = strcspn(stem, ".");
  if (length == 0 || length >= sizeof t->name) return -1;
  memcpy(t->name, stem, length);
  t->name[length] = '\0';
  return 0;
}

static int row_parse(const char *line, long cell[MUFU_COLUMNS]) {
  for (unsigned k = 0; k < MUFU_COLUMNS; k++) {
    char *end = NULL;
    const long v = strtol(line, &end, 10);
    const char want = k + 1 < MUFU_COLUMNS ? ',' : '\n';
    if (end == line || *end != want || v < least[k] || v > most[k]) return -1;
    cell[k] = v;
    line = end + 1;
  }
  return 0;
}

int mufu_read(const char *path, struct mufu_table *t) {
  char line[256];
  FILE *f = fopen(path, "r");
  if (f == NULL || table_name(path, t) != 0) {
    fprintf(stderr, "isa tables: cannot read %s\n", path);
    if (f != NULL) (void)fclose(f);
    return -1;
  }
  int status = 0;
  t->rows = 0;
  for (unsigned n = 1; status == 0 && fgets(line, sizeof line, f) != NULL; n++) {
    if (line[0] == '#') continue;
    if (t->rows == MUFU_ROWS_MAX || row_parse(line, t->cell[t->rows]) != 0) {
      fprintf(stderr, "%s:%u: not a row of three numbers in range, or one too many\n", path, n);
      status = -1;
    } else {
      t->rows++;
    }
  }
  (void)fclose(f);
  return status;
}
