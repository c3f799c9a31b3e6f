/* SPDX-License-Identifier: Apache-2.0
 *
 * isa-mufu-header OUT.h NAME.csv ...: the tables of the special functions as C arrays `mufu_NAME`, a word of 64 bits
 * a row, so that one load fetches a whole row: C0 in bits 30:0, C1 (signed) in 48:31, C2 (signed) in 63:49.
 */
#include <stdint.h>
#include <stdio.h>

#include "isa/tables/mufu_read.h"

static const char accessors[] = "static inline int32_t mufu_c0(uint64_t row) {\n"
                                "  return (int32_t)(row & 0x7fffffffu);\n"
                                "}\n\n"
                                "static inline int32_t mufu_c1(uint64_t row) {\n"
                                "  return (int32_t)(uint32_t)(row >> 17) >> 14;\n"
                                "}\n\n"
                                "static inline int32_t mufu_c2(uint64_t row) {\n"
                                "  return (int32_t)(uint32_t)(row >> 32) >> 17;\n"
                                "}\n";

static uint64_t packed(const long cell[MUFU_COLUMNS]) {
  return (uint64_t)cell[0] | ((uint64_t)cell[1] & 0x3ffffu) << 31 | (uint64_t)cell[2] << 49;
}

static void table_write(FILE *out, const struct mufu_table *t) {
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
    static struct mufu_table t;
    status = mufu_read(argv[i], &t);
    if (status == 0) table_write(out, &t);
  }
  fprintf(out, "\n#endif\n");
  if (fclose(out) != 0) status = -1;
  if (status != 0) (void)remove(argv[1]);
  return status == 0 ? 0 : 1;
}
