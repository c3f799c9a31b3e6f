/* SPDX-License-Identifier: Apache-2.0
 *
 * A seed for every row of the compiler's table of instructions: a kernel with a few statements of it that the front end
 * takes, which text_make makes up.
 * usage: fuzz_make_ptx_seeds DIR
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/lower/lower.h"
#include "tests/fuzz/ptx_text.h"

enum { TRIES = 400, STATEMENTS = 6, TEXT_BYTES = 16 << 10, PIECE_BYTES = 1024 };

static const char begin[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".global .align 16 .b8 g[64];\n.shared .align 16 .b8 s[256];\n.const .b32 c[4] = {1, 2, 3, 4};\n"
    ".entry k(.param .u64 p, .param .u64 q)\n{\n"
    ".reg .pred %p<4>;\n.reg .b16 %rs<8>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n"
    ".reg .f32 %f<8>;\n.reg .f64 %fd<8>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nld.global.u32 %r1, [%rd1];\n"
    "ld.global.f32 %f1, [%rd1+4];\nld.global.f64 %fd1, [%rd1+8];\ncvt.u16.u32 %rs1, %r1;\n"
    "setp.lt.u32 %p1, %r1, 7;\nL:\n";
static const char end[] = "st.global.u32 [%rd2], %r1;\nst.global.f64 [%rd2+8], %fd1;\nret;\n}\n";

static void append(char *text, size_t *size, const char *more, size_t n) {
  if (*size + n > TEXT_BYTES) abort();
  memcpy(text + *size, more, n);
  *size += n;
}

/* What `text` would be with the statement: does it lower? Then it stays. */
static bool add_statement(struct text *t, unsigned row, uint64_t *state, uint8_t *data, size_t *size) {
  char piece[PIECE_BYTES];
  text_read(t, data, *size, TEXT_BYTES);
  const size_t at = *size - strlen(end);
  const struct text_span last = t->statement[t->statements - 1];
  const size_t n = text_make_row(t, last.first, row, state, piece, sizeof piece);
  if (!text_replace(t, at, 0, piece, n)) return false;
  const bool lowers = text_lowers(data, t->size);
  if (!lowers) (void)text_replace(t, at, n, "", 0);
  *size = t->size;
  return lowers;
}

static void seed_of(const char *dir, struct text *t, unsigned row) {
  static uint8_t data[TEXT_BYTES];
  char path[1024];
  size_t size = 0;
  unsigned made = 0;
  uint64_t state = row;
  append((char *)data, &size, begin, strlen(begin));
  append((char *)data, &size, end, strlen(end));
  for (unsigned k = 0; k < TRIES && made < STATEMENTS; k++) made += add_statement(t, row, &state, data, &size);
  if (made == 0) return;
  snprintf(path, sizeof path, "%s/row%03u-%s.ptx", dir, row, lower_row(row)->name);
  FILE *f = fopen(path, "wb");
  if (f != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0) return;
  perror(path);
  exit(1);
}

int main(int argc, char **argv) {
  struct text *t = malloc(sizeof *t);
  if (argc != 2 || t == NULL) return 2;
  for (unsigned row = 0; lower_row(row) != NULL; row++) seed_of(argv[1], t, row);
  free(t);
  return 0;
}
