/* SPDX-License-Identifier: Apache-2.0
 *
 * mufu/half_unary.bin and fp8/: special functions of all halves, conversions of eight-bit floats, a case a form. A
 * thread has four operands, whose results it stores together.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/silicon/case_folder.h"
#include "tests/test.h"
#include "tests/silicon/form_file.h"
#include "tests/silicon/make_cases.h"

enum { EACH = 4, HALVES = 65536, PAIRS = HALVES / 2, BYTES = 256, RECORD = 8, RECORDS = 262288 / RECORD };

/* Operands of 32 or 16 bits; `form` makes %r1 or %h1 of %r2 (and of %r3) or %h2. */
struct table {
  const char *name, *form;
  unsigned operands, in_bits, out_bits;
  const void *in[2], *gold;
  size_t count; /* whole blocks */
};

static size_t whole_blocks(size_t count) {
  const size_t block = (size_t)CASE_BLOCK * EACH;
  return (count + block - 1) / block * block;
}

/* Loads EACH operands of `bits` bits from parameter `from` into %NAME0 and so on. */
static void write_load(FILE *f, char from, char name, unsigned bits) {
  fprintf(f, "ld.param.u64 %%at, [p%c]; mad.wide.u32 %%at, %%i, %u, %%at;\nld.global.v4.b%u {", from, EACH * bits / 8,
          bits);
  for (unsigned k = 0; k < EACH; k++) fprintf(f, "%s%%%c%c%u", k ? ", " : "", name, bits == 16 ? 'h' : 'r', k);
  fputs("}, [%at];\n", f);
}

static void write_forms(FILE *f, const struct table *t) {
  const char in = t->in_bits == 16 ? 'h' : 'r', out = t->out_bits == 16 ? 'h' : 'r';
  for (unsigned k = 0; k < EACH; k++) {
    fprintf(f, "mov.b%u %%%c2, %%a%c%u; ", t->in_bits, in, in, k);
    if (t->operands == 2) fprintf(f, "mov.b32 %%r3, %%br%u; ", k);
    fprintf(f, "%s mov.b%u %%d%c%u, %%%c1;\n", t->form, t->out_bits, out, k, out);
  }
}

static char *source(const struct table *t) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  const char out = t->out_bits == 16 ? 'h' : 'r';
  fputs(".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pd) {\n"
        ".reg .b32 %i, %j, %r<4>, %ar<4>, %br<4>, %dr<4>; .reg .b16 %h<4>, %ah<4>, %dh<4>; .reg .b64 %at;\n"
        "mov.u32 %i, %tid.x; mov.u32 %j, %ctaid.x; mad.lo.u32 %i, %j, 128, %i;\n",
        f);
  write_load(f, 'a', 'a', t->in_bits);
  if (t->operands == 2) write_load(f, 'b', 'b', t->in_bits);
  write_forms(f, t);
  fprintf(f, "ld.param.u64 %%at, [pd]; mad.wide.u32 %%at, %%i, %u, %%at;\nst.global.v4.b%u [%%at], {",
          EACH * t->out_bits / 8, t->out_bits);
  for (unsigned k = 0; k < EACH; k++) fprintf(f, "%s%%d%c%u", k ? ", " : "", out, k);
  fputs("};\nret; }\n", f);
  assert_int_equal(fclose(f), 0);
  return text;
}

static void make(struct case_folder *f, const struct table *t) {
  char file[64];
  char *text = source(t);
  case_source(f, t->name, "ptx", text);
  free(text);
  assert_int_equal(t->count, whole_blocks(t->count));
  (void)snprintf(file, sizeof file, "%s.ptx", t->name);
  json_t *c = case_new(f, t->name, file, "k", t->count / (CASE_BLOCK * EACH), CASE_BLOCK);
  const char *in = t->in_bits == 16 ? "u16" : "u32";
  case_input(f, c, 'a', in, t->in[0], t->count);
  if (t->operands == 2)
    case_input(f, c, 'b', in, t->in[1], t->count);
  else
    case_no_operand(c);
  case_output(f, c, 'd', t->out_bits == 16 ? "u16" : "u32", t->gold, t->count);
}

static void *file_of(const char *silicon, const char *name, size_t bytes) {
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s", silicon, name);
  return form_file_bytes(path, bytes);
}

/* Pairs in which each half stands once. */
static void pairs_fill(uint32_t pair[PAIRS]) {
  for (uint32_t n = 0; n < PAIRS; n++) pair[n] = (HALVES - 1 - n) << 16 | n;
}

static void make_halves(struct case_folder *f, const char *silicon) {
  static const char *const form[4][2] = {{"ex2.approx.f16x2", "ex2.approx.f16x2 %r1, %r2;"},
                                         {"tanh.approx.f16x2", "tanh.approx.f16x2 %r1, %r2;"},
                                         {"ex2.approx.ftz.bf16x2", "ex2.approx.ftz.bf16x2 %r1, %r2;"},
                                         {"tanh.approx.bf16x2", "tanh.approx.bf16x2 %r1, %r2;"}};
  static uint32_t pair[PAIRS], gold[PAIRS];
  uint16_t(*want)[HALVES] = file_of(silicon, "mufu/half_unary.bin", 4 * HALVES * sizeof(uint16_t));
  pairs_fill(pair);
  for (unsigned k = 0; k < 4; k++) {
    for (uint32_t n = 0; n < PAIRS; n++) gold[n] = (uint32_t)want[k][pair[n] >> 16] << 16 | want[k][pair[n] & 0xffff];
    make(f, &(struct table){form[k][0], form[k][1], 1, 32, 32, {pair}, gold, PAIRS});
  }
  free(want);
}

/* ---- eight-bit floats; .relu in forms 1 and 3 ---- */

static void make_from_halves(struct case_folder *f, const char *silicon) {
  static const char *const form[4][2] = {{"e4m3x2.f16x2", "cvt.rn.satfinite.e4m3x2.f16x2 %h1, %r2;"},
                                         {"relu.e4m3x2.f16x2", "cvt.rn.satfinite.relu.e4m3x2.f16x2 %h1, %r2;"},
                                         {"e5m2x2.f16x2", "cvt.rn.satfinite.e5m2x2.f16x2 %h1, %r2;"},
                                         {"relu.e5m2x2.f16x2", "cvt.rn.satfinite.relu.e5m2x2.f16x2 %h1, %r2;"}};
  static uint32_t pair[PAIRS];
  static uint16_t gold[PAIRS];
  uint8_t(*want)[HALVES] = file_of(silicon, "fp8/fp8_from_f16.bin", (size_t)4 * HALVES);
  pairs_fill(pair);
  for (unsigned k = 0; k < 4; k++) {
    for (uint32_t n = 0; n < PAIRS; n++) gold[n] = (uint16_t)(want[k][pair[n] >> 16] << 8 | want[k][pair[n] & 0xffff]);
    make(f, &(struct table){form[k][0], form[k][1], 1, 32, 16, {pair}, gold, PAIRS});
  }
  free(want);
}

static void make_to_halves(struct case_folder *f, const char *silicon) {
  enum { COUNT = 2 * BYTES };
  static const char *const form[4][2] = {{"f16x2.e4m3x2", "cvt.rn.f16x2.e4m3x2 %r1, %h2;"},
                                         {"relu.f16x2.e4m3x2", "cvt.rn.relu.f16x2.e4m3x2 %r1, %h2;"},
                                         {"f16x2.e5m2x2", "cvt.rn.f16x2.e5m2x2 %r1, %h2;"},
                                         {"relu.f16x2.e5m2x2", "cvt.rn.relu.f16x2.e5m2x2 %r1, %h2;"}};
  static uint16_t pair[COUNT];
  static uint32_t gold[COUNT];
  uint16_t(*want)[BYTES] = file_of(silicon, "fp8/fp8_to_f16.bin", 4 * BYTES * sizeof(uint16_t));
  for (unsigned k = 0; k < 4; k++) {
    for (uint32_t n = 0; n < COUNT; n++) {
      const uint32_t low = n % BYTES, high = (n * 77 + n / BYTES) % BYTES; /* 77 is odd: all bytes */
      pair[n] = (uint16_t)(high << 8 | low);
      gold[n] = (uint32_t)want[k][high] << 16 | want[k][low];
    }
    make(f, &(struct table){form[k][0], form[k][1], 1, 16, 32, {pair}, gold, COUNT});
  }
  free(want);
}

/* Records f32, then a byte a form: a record's number below, that of another one above. */
static void make_from_singles(struct case_folder *f, const char *silicon) {
  static const char *const form[4][2] = {{"e4m3x2.f32", "cvt.rn.satfinite.e4m3x2.f32 %h1, %r3, %r2;"},
                                         {"relu.e4m3x2.f32", "cvt.rn.satfinite.relu.e4m3x2.f32 %h1, %r3, %r2;"},
                                         {"e5m2x2.f32", "cvt.rn.satfinite.e5m2x2.f32 %h1, %r3, %r2;"},
                                         {"relu.e5m2x2.f32", "cvt.rn.satfinite.relu.e5m2x2.f32 %h1, %r3, %r2;"}};
  const size_t count = whole_blocks(RECORDS / 2);
  uint8_t(*record)[RECORD] = file_of(silicon, "fp8/fp8_from_f32.bin", (size_t)RECORDS * RECORD);
  uint8_t(*low)[4] = malloc(count * 4), (*high)[4] = malloc(count * 4), (*gold)[2] = malloc(count * 2);
  assert_true(low != NULL && high != NULL && gold != NULL && RECORDS % 2 == 0);
  for (unsigned k = 0; k < 4; k++) {
    for (size_t n = 0; n < count; n++) {
      const uint8_t *a = record[n % (RECORDS / 2)], *b = record[RECORDS - 1 - n % (RECORDS / 2)];
      for (unsigned i = 0; i < 4; i++) {
        low[n][i] = a[i];
        high[n][i] = b[i];
      }
      gold[n][0] = a[4 + k];
      gold[n][1] = b[4 + k];
    }
    make(f, &(struct table){form[k][0], form[k][1], 2, 32, 16, {low, high}, gold, count});
  }
  free(low);
  free(high);
  free(gold);
  free(record);
}

void make_table_cases(const char *silicon, const char *dir) {
  struct case_folder f;
  case_folder_open(&f, dir, "halves");
  make_halves(&f, silicon);
  case_folder_close(&f);
  case_folder_open(&f, dir, "fp8");
  make_from_halves(&f, silicon);
  make_to_halves(&f, silicon);
  make_from_singles(&f, silicon);
  case_folder_close(&f);
}
