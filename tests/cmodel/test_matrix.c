/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions against what an NVIDIA H200 returned: every dot product of tests/silicon/mma/vectors.bin (its
 * format: SPEC.md there), in every build. And where elements lie: products of matrices of small integers against a
 * plain multiplication. The rules one by one: test_matrix_rules.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/words.h"
#include "tests/cmodel/rows.h"
#include "base/splitmix64.h"

#include "tests/silicon/form_file.h"

/* ---- vectors ---- */

/* Records lie in the file, packed: a[k], b[k], c, d, little-endian. */
struct section {
  char name[25];
  struct heddle_isa_word word;
  struct shape shape;
  uint32_t count;
  uint8_t *record;
  size_t record_bytes;
};

static uint64_t little_endian(const uint8_t *p, size_t bytes) {
  uint64_t v = 0;
  for (size_t i = bytes; i-- > 0;) v = v << 8 | p[i];
  return v;
}

static void section_read(FILE *f, struct section *s) {
  uint8_t head[40];
  assert_int_equal(fread(head, sizeof head, 1, f), 1);
  memcpy(s->name, head, 24);
  s->name[24] = '\0';
  const uint32_t k = (uint32_t)little_endian(head + 24, 4), ab = (uint32_t)little_endian(head + 28, 4);
  const uint32_t cd = (uint32_t)little_endian(head + 32, 4);
  s->count = (uint32_t)little_endian(head + 36, 4);
  s->shape = (struct shape){.m = ab == 8 ? 8 : 16, .n = 8, .k = k, .bits_ab = 8 * ab, .bits_cd = 8 * cd};
  s->record_bytes = 2 * (size_t)k * ab + 2 * (size_t)cd;
  s->record = malloc(s->count * s->record_bytes);
  assert_non_null(s->record);
  assert_int_equal(fread(s->record, s->record_bytes, s->count, f), s->count);
  if (!matrix_word(s->name, &s->word)) fail_msg("no instruction for the vectors %s", s->name);
}

/* Record n as row i of A and column j of B, at (i, j) of C and D. */
static void record_place(const struct section *s, uint32_t n, struct matrices *m, unsigned i, unsigned j) {
  const uint8_t *p = s->record + n * s->record_bytes;
  const size_t ab = s->shape.bits_ab / 8, cd = s->shape.bits_cd / 8, k = s->shape.k;
  for (unsigned q = 0; q < k; q++) {
    m->a[i][q] = little_endian(p + q * ab, ab);
    m->b[q][j] = little_endian(p + (k + q) * ab, ab);
  }
  m->c[i][j] = little_endian(p + 2 * k * ab, cd);
  m->d[i][j] = little_endian(p + 2 * k * ab + cd, cd);
}

/* The same dot product in all places. */
static void everywhere(const struct section *s) {
  static struct matrices m;
  static struct rows r;
  m.shape = s->shape;
  r.word = s->word;
  r.d_words = s->shape.bits_cd == 16 ? 2 : 4;
  for (uint32_t n = 0; n < s->count; n++) {
    for (unsigned i = 0; i < s->shape.m; i++)
      for (unsigned j = 0; j < s->shape.n; j++) record_place(s, n, &m, i, j);
    fragments_put(&r, &m);
    rows_check(&r, s->name);
  }
}

/* Places of eight dot products that share no row and no column; odd multipliers make them differ from run to run. */
static unsigned row_of(unsigned run, unsigned q, unsigned rows) {
  return (q * (2 * run + 1) + run) % rows;
}

static unsigned column_of(unsigned run, unsigned q) {
  return (q * (2 * (run / 5) + 1) + run / 3) % 8;
}

static void run_all(const struct rows *r, const struct row_op *op, uint32_t d[4][32]) {
  uint32_t a[4][32], b[4][32];
  memcpy(a[0], r->a, sizeof a[0]);
  memcpy(a[1], r->a_up, 3 * sizeof a[0]);
  memcpy(b[0], r->b, sizeof b[0]);
  memcpy(b[1], r->b_up, 3 * sizeof b[0]);
  row_op_run(op, d[0], a[0], b[0], r->c[0]);
}

/* Different ones beside each other: what is special about one does not touch the others. */
static void side_by_side(const struct section *s) {
  static struct matrices m;
  static struct rows r;
  struct row_op op;
  m = (struct matrices){.shape = s->shape};
  for (uint32_t first = 0; first + 8 <= s->count; first += 8) {
    const unsigned run = first / 8;
    for (unsigned q = 0; q < 8; q++) record_place(s, first + q, &m, row_of(run, q, s->shape.m), column_of(run, q));
    fragments_put(&r, &m);
    for (unsigned build = 0; row_op_get(&op, s->word, build); build++) {
      uint32_t d[4][32];
      run_all(&r, &op, d);
      for (unsigned q = 0; q < 8; q++) {
        const unsigned i = row_of(run, q, s->shape.m), j = column_of(run, q);
        const uint64_t got = fragments_get((const uint32_t(*)[32])d, s->shape, i, j);
        if (got != m.d[i][j])
          fail_msg("%s, record %u, build %u, row %u, column %u: %llx, silicon %llx", s->name, first + q, build, i, j,
                   (unsigned long long)got, (unsigned long long)m.d[i][j]);
      }
    }
  }
}

static void vectors_of_silicon(void **state) {
  (void)state;
  uint8_t head[12];
  FILE *f = form_file_open(SILICON_DIR "/mma/vectors.bin");
  assert_int_equal(fread(head, sizeof head, 1, f), 1);
  assert_memory_equal(head, "MMAV1\0\0", 8);
  const uint32_t sections = (uint32_t)little_endian(head + 8, 4);
  unsigned long total = 0;
  for (uint32_t n = 0; n < sections; n++) {
    struct section s;
    section_read(f, &s);
    everywhere(&s);
    side_by_side(&s);
    total += s.count;
    free(s.record);
  }
  assert_int_equal(fgetc(f), EOF);
  (void)fclose(f);
  print_message("%u sections, %lu dot products\n", sections, total);
  assert_int_equal(sections, 27);
}

/* ---- whole tiles of silicon: FP8 of two formats ---- */

/* Records: A (16 x 32), B (32 x 8), u8; C and D (16 x 8), u32; all by rows. */
static void tiles(const char *name, const char *file) {
  enum { TILES = 64, K = 32, BYTES = 16 * K + K * 8 + 2 * 16 * 8 * 4 };
  static struct matrices m = {.shape = {16, 8, K, 8, 32}};
  static uint8_t t[BYTES];
  struct rows r = {.d_words = 4};
  char path[512];
  (void)snprintf(path, sizeof path, SILICON_DIR "/mma/%s", file);
  FILE *f = form_file_open(path);
  if (!matrix_word(name, &r.word)) fail_msg("no instruction for %s", name);
  for (unsigned n = 0; n < TILES; n++) {
    assert_int_equal(fread(t, sizeof t, 1, f), 1);
    const uint8_t *a = t, *b = a + 16 * K, *c = b + K * 8, *d = c + 16 * 8 * 4;
    for (unsigned i = 0; i < 16; i++) {
      for (unsigned k = 0; k < K; k++) m.a[i][k] = a[i * K + k];
      for (unsigned j = 0; j < 8; j++) {
        m.c[i][j] = little_endian(c + 4 * (i * 8 + j), 4);
        m.d[i][j] = little_endian(d + 4 * (i * 8 + j), 4);
      }
    }
    for (unsigned k = 0; k < K; k++)
      for (unsigned j = 0; j < 8; j++) m.b[k][j] = b[k * 8 + j];
    fragments_put(&r, &m);
    rows_check(&r, file);
  }
  assert_int_equal(fgetc(f), EOF);
  (void)fclose(f);
}

static void mixed_fp8(void **state) {
  (void)state;
  tiles("e4m3e5m2_f32", "e4m3_e5m2.bin");
  tiles("e5m2e4m3_f32", "e5m2_e4m3.bin");
}

/* ---- where elements lie ---- */

/* Fills m with small integers (as many different ones as the format can tell apart, up to `most`) and their product. */
static void integer_matrices(struct matrices *m, unsigned most, unsigned seed, int64_t d[16][8]) {
  const struct shape s = m->shape;
  uint64_t state = seed;
  for (unsigned k = 0; k < s.k; k++) {
    for (unsigned i = 0; i < s.m; i++)
      m->a[i][k] = most > s.m * s.k ? i * s.k + k + 1 : splitmix64(&state) % (most + 1);
    for (unsigned j = 0; j < s.n; j++)
      m->b[k][j] = most > s.m * s.k ? j * s.k + k + 1 : splitmix64(&state) % (most + 1);
  }
  for (unsigned i = 0; i < s.m; i++)
    for (unsigned j = 0; j < s.n; j++) {
      m->c[i][j] = splitmix64(&state) % (most + 1);
      d[i][j] = (int64_t)m->c[i][j];
      for (unsigned k = 0; k < s.k; k++) d[i][j] += (int64_t)(m->a[i][k] * m->b[k][j]);
    }
}

static void layout_check(const struct matrix_kind *kind) {
  static struct matrices m;
  static struct rows r;
  int64_t d[16][8];
  m.shape = kind->shape;
  r.d_words = kind->shape.bits_cd == 16 ? 2 : 4;
  if (!matrix_word(kind->name, &r.word)) fail_msg("no instruction for %s", kind->name);
  for (unsigned seed = 1; seed <= 200; seed++) {
    integer_matrices(&m, kind->most, seed, d);
    for (unsigned i = 0; i < m.shape.m; i++) {
      for (unsigned k = 0; k < m.shape.k; k++) m.a[i][k] = kind->element(m.a[i][k]);
      for (unsigned j = 0; j < m.shape.n; j++) {
        m.c[i][j] = kind->accumulator(m.c[i][j]);
        m.d[i][j] = kind->accumulator((uint64_t)d[i][j]);
      }
    }
    for (unsigned k = 0; k < m.shape.k; k++)
      for (unsigned j = 0; j < m.shape.n; j++) m.b[k][j] = kind->element(m.b[k][j]);
    fragments_put(&r, &m);
    rows_check(&r, kind->name);
  }
}

static void elements_lie_where_the_text_says(void **state) {
  (void)state;
  for (unsigned n = 0; n < matrix_kinds_count; n++) layout_check(&matrix_kinds[n]);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_of_silicon),
      cmocka_unit_test(mixed_fp8),
      cmocka_unit_test(elements_lie_where_the_text_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
