/* SPDX-License-Identifier: Apache-2.0
 *
 * isa-mufu-header OUT.h NAME.csv ...: the tables of the special functions as C arrays `mufu_NAME`, a word of 64 bits
 * a row, so that one load fetches a whole row: C0 in bits 30:0, C1 (signed) in 48:31, C2 (signed) in 63:49.
 *
 * A file holds comments (#) and rows of three decimal numbers with commas between them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 256u
#define COLUMNS 3u

struct table {
  char name[32];
  unsigned rows;
  long cell[ROWS_MAX][COLUMNS];
};

static const long least[COLUMNS] = {0, -(1L << 17), -(1L << 14)};
static const long most[COLUMNS] = {0x7fffffff, (1L << 17) - 1, (1L << 14) - 1};

static const char accessors[] = "static inline int32_t mufu_c0(uint64_t row) {\n"
                                "  return (int32_t)(row & 0x7fffffffu);\n"
                                "}\n\n"
                                "static inline int32_t mufu_c1(uint64_t row) {\n"
                                "  return (int32_t)(uint32_t)(row >> 17) >> 14;\n"
                                "}\n\n"
                                "static inline int32_t mufu_c2(uint64_t row) {\n"
                                "  return (int32_t)(uint32_t)(row >> 32) >> 17;\n"
                                "}\n";

/* The file's name without folder and ending. */
static int table_name(const char *path, struct table *t) {
  const char *slash = strrchr(path, '/');
  const char *stem = slash != NULL ? slash + 1 : path;
  const size_t length = strcspn(stem, ".");
  if (length == 0 || length >= sizeof t->name) return -1;
  memcpy(t->name, stem, length);
  t->name[length] = '\0';
  return 0;
}

static int row_parse(const char *line, long cell[COLUMNS]) {
  for (unsigned k = 0; k < COLUMNS; k++) {
    char *end = NULL;
    const long v = strtol(line, &end, 10);
    const char want = k + 1 < COLUMNS ? ',' : '\n';
    if (end == line || *end != want || v < least[k] || v > most[k]) return -1;
    cell[k] = v;
    line = end + 1;
  }
  return 0;
}

static int table_read(const char *path, struct table *t) {
  char line[256];
  FILE *f = fopen(path, "r");
  if (f == NULL || table_name(path, t) != 0) {
    fprintf(stderr, "isa-mufu-header: cannot read %s\n", path);
    if (f != NULL) (void)fclose(f);
    return -1;
  }
  int status = 0;
  t->rows = 0;
  for (unsigned n = 1; status == 0 && fgets(line, sizeof line, f) != NULL; n++) {
    if (line[0] == '#') continue;
    if (t->rows == ROWS_MAX || row_parse(line, t->cell[t->rows]) != 0) {
      fprintf(stderr, "%s:%u: not a row of three numbers in range, or one too many\n", path, n);
      status = -1;
    } else {
      t->rows++;
    }
  }
  (void)fclose(f);
  return status;
}

static uint64_t packed(const long cell[COLUMNS]) {
  return (uint64_t)cell[0] | ((uint64_t)cell[1] & 0x3ffffu) << 31 | (uint64_t)cell[2] << 49;
}

static void table_write(FILE *out, const struct table *t) {
  fprintf(out, "\nstatic const uint64_t mufu_%s[%u] = {", t->name, t->rows);
  for (unsigned i = 0; i < t->rows; i++)
    fprintf(out, "%s0x%016llxu,", i % 5 == 0 ? "\n    " : " ", (unsigned long long)packed(t->cell[i]));
  fprintf(out, "\n};\n");
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: isa-mufu-header OUT.h NAME.csv ...\n");
    return 2;
  }
  FILE *out = fopen(argv[1], "w");
  if (out == NULL) {
    perror(argv[1]);
    return 1;
  }
  fprintf(out, "/* Generated from isa/tables/mufu by isa-mufu-header. */\n"
               "#ifndef HEDDLE_MUFU_TABLES_H\n#define HEDDLE_MUFU_TABLES_H\n\n#include <stdint.h>\n\n");
  fputs(accessors, out);
  int status = 0;
  for (int i = 2; status == 0 && i < argc; i++) {
    static struct table t;
    status = table_read(argv[i], &t);
    if (status == 0) table_write(out, &t);
  }
  fprintf(out, "\n#endif\n");
  if (fclose(out) != 0) status = -1;
  if (status != 0) (void)remove(argv[1]);
  return status == 0 ? 0 : 1;
}
