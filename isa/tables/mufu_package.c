/* SPDX-License-Identifier: Apache-2.0
 *
 * isa-mufu-package OUT.sv NAME.csv ...: the tables of the special functions for hardware, package mufu_pkg: one ROM of
 * 1,024 rows of BITS bits for all of them, where each begins, and how its sums are completed.
 *
 * A row holds {base, c1, c2}, scaled so that one datapath serves all functions (isa/doc/09-special-functions.md):
 *   S * 2^up = {base, LOW of the function, 12 bits} + c1*X + c2*sq(X)
 * where base is (C0*2^a + K)*2^up >> 12, c1 is C1 and c2 is C2*2^(b+up), c1 and c2 signed, and X has 17 bits. RCP alone
 * has 16: its X is doubled, and so is its sum (up = 1). Rows between the tables are zero, but for ROW_ONE, whose base
 * makes 2^40, one for RSQ. A row of TANH is repeated so that an octave has 16, whichever its number of segments.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "isa/tables/mufu_read.h"

enum { ROM_ROWS = 1024, LOW_BITS = 12, BASE_BITS = 29, C1_BITS = 18, C2_BITS = 16, ROW_ONE = 640, OCTAVE_ROWS = 16 };

/* Columns a, b, K of the prose; `segments` is 0 for octaves. */
struct function {
  const char *name;
  unsigned first, segments, a, b, up;
  long k;
};
static const struct function functions[] = {
    {"rcp", 0, 128, 13, 0, 1, 2023},  {"rsq", 128, 128, 14, 2, 0, 16383}, {"sqrt", 256, 128, 15, 1, 0, -1},
    {"ex2", 384, 64, 13, 0, 0, 6114}, {"lg2", 448, 64, 12, 1, 0, 837},    {"sin", 512, 64, 12, 0, 0, 0},
    {"tanh", 768, 0, 15, 1, 0, 0},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Segments of the octaves of TANH from 2^-8 on. */
static const unsigned octaves[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 16, 8};
enum { OCTAVES = sizeof octaves / sizeof octaves[0] };

struct row {
  uint32_t base;
  long c1, c2;
};

static int fits_bits(long v, unsigned bits) {
  return v >= -(1L << (bits - 1)) && v < 1L << (bits - 1);
}

static long whole_base(const struct function *f, const long cell[MUFU_COLUMNS]) {
  return ((cell[0] << f->a) + f->k) * (1L << f->up);
}

static int row_make(const struct function *f, const long cell[MUFU_COLUMNS], struct row *r) {
  const long base = whole_base(f, cell);
  r->base = (uint32_t)(base >> LOW_BITS);
  r->c1 = cell[1];
  r->c2 = cell[2] * (1L << (f->b + f->up));
  if (base >= 0 && base >> LOW_BITS < 1L << BASE_BITS && fits_bits(r->c1, C1_BITS) && fits_bits(r->c2, C2_BITS))
    return 0;
  fprintf(stderr, "isa-mufu-package: %s: a row (%ld, %ld, %ld) does not fit into the ROM\n", f->name, cell[0], cell[1],
          cell[2]);
  return -1;
}

static unsigned segments_of(const struct function *f) {
  unsigned n = f->segments;
  if (n == 0)
    for (unsigned k = 0; k < OCTAVES; k++) n += octaves[k];
  return n;
}

static int table_place(const struct function *f, const struct mufu_table *t, struct row rom[ROM_ROWS]) {
  int status = 0;
  if (f->segments != 0) {
    for (unsigned i = 0; i < t->rows; i++) status |= row_make(f, t->cell[i], &rom[f->first + i]);
    return status;
  }
  for (unsigned k = 0, from = 0; k < OCTAVES; from += octaves[k], k++)
    for (unsigned i = 0; i < OCTAVE_ROWS; i++)
      status |= row_make(f, t->cell[from + i * octaves[k] / OCTAVE_ROWS], &rom[f->first + k * OCTAVE_ROWS + i]);
  return status;
}

static const struct function *function_find(const char *name) {
  for (unsigned i = 0; i < FUNCTIONS; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

/* Reads one file into the ROM; `seen` gets the function's bit. */
static int file_place(const char *path, struct row rom[ROM_ROWS], unsigned *seen) {
  static struct mufu_table t;
  if (mufu_read(path, &t) != 0) return -1;
  const struct function *f = function_find(t.name);
  if (f == NULL) {
    fprintf(stderr, "isa-mufu-package: %s: the package has no function of this name\n", path);
    return -1;
  }
  if (t.rows != segments_of(f)) {
    fprintf(stderr, "isa-mufu-package: %s: %u rows, not %u\n", path, t.rows, segments_of(f));
    return -1;
  }
  *seen |= 1u << (f - functions);
  return table_place(f, &t, rom);
}

static void package_write(FILE *out, const struct row rom[ROM_ROWS]) {
  fprintf(out,
          "// Generated from isa/tables/mufu by isa-mufu-package, which says what a row is.\n"
          "package mufu_pkg;\n\n"
          "  localparam int unsigned ADDR_W = 10, BASE_W = %d, C1_W = %d, C2_W = %d, LOW_W = %d;\n"
          "  localparam int unsigned BITS = BASE_W + C1_W + C2_W;\n\n"
          "  // Where a function's rows begin, and the lower bits of its sums.\n",
          BASE_BITS, C1_BITS, C2_BITS, LOW_BITS);
  for (unsigned i = 0; i < FUNCTIONS; i++) {
    const struct function *f = &functions[i];
    static const long none[MUFU_COLUMNS];
    char name[32];
    (void)snprintf(name, sizeof name, "%s", f->name);
    for (char *c = name; *c != '\0'; c++) *c = (char)toupper((unsigned char)*c);
    fprintf(out, "  localparam logic [ADDR_W-1:0] ROW_%s = 10'd%u;\n", name, f->first);
    fprintf(out, "  localparam logic [LOW_W-1:0]  LOW_%s = 12'd%ld;\n", name,
            whole_base(f, none) & ((1 << LOW_BITS) - 1));
  }
  fprintf(out, "  localparam logic [ADDR_W-1:0] ROW_ONE = 10'd%d;\n\n", ROW_ONE);
  fprintf(out, "  localparam logic [BITS-1:0] ROM [1 << ADDR_W] = '{");
  for (unsigned i = 0; i < ROM_ROWS; i++)
    fprintf(out, "%s{29'd%lu, 18'h%05lx, 16'h%04lx}%s", i % 4 == 0 ? "\n    " : " ", (unsigned long)rom[i].base,
            (unsigned long)rom[i].c1 & 0x3ffffu, (unsigned long)rom[i].c2 & 0xffffu, i + 1 < ROM_ROWS ? "," : "");
  fprintf(out, "};\n\nendpackage\n");
}

int main(int argc, char **argv) {
  static struct row rom[ROM_ROWS];
  unsigned seen = 0;
  if (argc < 3) {
    fprintf(stderr, "usage: isa-mufu-package OUT.sv NAME.csv ...\n");
    return 2;
  }
  for (int i = 2; i < argc; i++)
    if (file_place(argv[i], rom, &seen) != 0) return 1;
  if (seen != (1u << FUNCTIONS) - 1) {
    fprintf(stderr, "isa-mufu-package: not all of the %d functions have a file\n", FUNCTIONS);
    return 1;
  }
  rom[ROW_ONE].base = 1u << (40 - LOW_BITS);
  FILE *out = fopen(argv[1], "w");
  if (out == NULL) {
    perror(argv[1]);
    return 1;
  }
  package_write(out, rom);
  if (fclose(out) == 0) return 0;
  (void)remove(argv[1]);
  return 1;
}
