/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions of mma.sync's kind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "tests/compiler/lower/mma_case.h"
#include "tests/compiler/select/select_text.h"
#include "tests/silicon/form_file.h"
#include "tests/test.h"

/* mma.sync against what an NVIDIA H200 returned: every dot product of tests/silicon/mma/vectors.bin (its format:
 * SPEC.md there). And where elements lie: matrices of small integers against a plain multiplication, whole, in loops,
 * behind branches that part a warp, on both divergence units. */

/* ---- vectors ---- */

struct section {
  char name[25];
  struct mma_case c;
  uint32_t count;
  size_t bytes; /* of a record: a[k], b[k], c, d */
  uint8_t *record;
};

static void read_section(FILE *f, struct section *s) {
  uint8_t head[40];
  assert_int_equal(fread(head, sizeof head, 1, f), 1);
  memcpy(s->name, head, 24);
  s->name[24] = '\0';
  if (!mma_case_of(s->name, &s->c)) fail_msg("no instruction for the vectors %s", s->name);
  assert_int_equal(get_le(head + 24, 4), s->c.k);
  assert_int_equal(get_le(head + 28, 4), s->c.bits / 8);
  assert_int_equal(get_le(head + 32, 4), s->c.sum / 8);
  s->count = (uint32_t)get_le(head + 36, 4);
  s->bytes = 2u * s->c.k * (s->c.bits / 8u) + 2u * (s->c.sum / 8u);
  s->record = malloc(s->count * s->bytes);
  assert_non_null(s->record);
  assert_int_equal(fread(s->record, s->bytes, s->count, f), s->count);
}

/* Eight dot products that share no row and no column; from warp to warp elsewhere. */
static unsigned row_of(const struct section *s, uint32_t n) {
  return (n % 8 * (n / 8 % 4 * 2 + 1) + n / 8) % s->c.m;
}
static unsigned column_of(uint32_t n) {
  return (n % 8 * (n / 32 % 4 * 2 + 1) + n / 24) % 8;
}

static void place(const struct section *s, uint32_t n, struct mma_matrices *m) {
  const uint8_t *p = s->record + n * s->bytes;
  const unsigned e = s->c.bits / 8u, i = row_of(s, n), j = column_of(n);
  for (unsigned k = 0; k < s->c.k; k++) {
    m->a[i][k] = get_le(p + k * e, e);
    m->b[k][j] = get_le(p + (s->c.k + k) * e, e);
  }
  m->c[i][j] = get_le(p + 2u * s->c.k * e, s->c.sum / 8u);
}

static unsigned differing(const struct section *s, const uint8_t *records) {
  unsigned wrong = 0;
  for (uint32_t n = 0; n < s->count; n++) {
    const uint64_t got = mma_get(&s->c, records + (size_t)(n / 8) * 32 * MMA_RECORD, row_of(s, n), column_of(n));
    const uint64_t want = get_le(s->record + (n + 1) * s->bytes - s->c.sum / 8u, s->c.sum / 8u);
    if (got != want && wrong++ == 0)
      print_error("%s, record %u: %llx, silicon %llx\n", s->name, n, (unsigned long long)got, (unsigned long long)want);
  }
  return wrong;
}

static unsigned run_section(const struct section *s, unsigned level) {
  const unsigned warps = (s->count + 7) / 8, blocks = (warps + 1) / 2;
  uint8_t *records = calloc(blocks, THREADS * MMA_RECORD);
  assert_non_null(records);
  for (unsigned w = 0; w < warps; w++) {
    static struct mma_matrices m;
    memset(&m, 0, sizeof m);
    for (uint32_t n = 8 * w; n < 8 * w + 8 && n < s->count; n++) place(s, n, &m);
    mma_put(&s->c, &m, records + (size_t)w * 32 * MMA_RECORD);
  }
  mma_run(&s->c, &(struct mma_run){.level = level, .blocks = blocks, .times = 1}, records);
  const unsigned wrong = differing(s, records);
  free(records);
  return wrong;
}

static void vectors(void **state) {
  uint8_t head[12];
  unsigned total = 0, wrong = 0;
  (void)state;
  FILE *f = form_file_open(SILICON_DIR "/mma/vectors.bin");
  assert_int_equal(fread(head, sizeof head, 1, f), 1);
  assert_memory_equal(head, "MMAV1\0\0", 8);
  const unsigned sections = (unsigned)get_le(head + 8, 4);
  for (unsigned n = 0; n < sections; n++) {
    struct section s;
    read_section(f, &s);
    for (unsigned level = 0; level <= 1; level++) wrong += run_section(&s, level);
    total += s.count;
    free(s.record);
  }
  (void)fclose(f);
  print_message("%u sections, %u dot products\n", sections, total);
  assert_int_equal(sections, 27);
  assert_int_equal(wrong, 0);
}

/* ---- whole matrices of small integers: no sum is rounded ---- */

struct kind {
  struct mma_case c;
  int least, most;         /* elements of A and B, and of C */
  unsigned fraction, bias; /* of their format; 0, 0: integers */
  unsigned sum_fraction, sum_bias;
};
#define F32_SUM 23, 127
#define F16_SUM 10, 15
static const struct kind kinds[] = {
    {{"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 16, 32}, -300, 300, 10, 15, F32_SUM},
    {{"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 16, 32}, -300, 300, 10, 15, F32_SUM},
    {{"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 16, 16}, -6, 6, 10, 15, F16_SUM},
    {{"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 16, 16}, -9, 9, 10, 15, F16_SUM},
    {{"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 16, 32}, -255, 255, 7, 127, F32_SUM},
    {{"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 16, 32}, -255, 255, 7, 127, F32_SUM},
    {{"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, 32}, -300, 300, 23, 127, F32_SUM},
    {{"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, 32}, -300, 300, 23, 127, F32_SUM},
    {{"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 8, 32}, -15, 15, 3, 7, F32_SUM},
    {{"m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 32, 8, 32}, -7, 7, 2, 15, F32_SUM},
    {{"m16n8k32.row.col.f32.e4m3.e5m2.f32", 16, 32, 8, 32}, -7, 7, 3, 7, F32_SUM},
    {{"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, 64, 64}, -999, 999, 52, 1023, 52, 1023},
    {{"m16n8k32.row.col.s32.s8.s8.s32", 16, 32, 8, 32}, -128, 127, 0, 0, 0, 0},
    {{"m16n8k16.row.col.s32.u8.u8.s32", 16, 16, 8, 32}, 0, 255, 0, 0, 0, 0},
    {{"m8n8k16.row.col.s32.s8.s8.s32", 8, 16, 8, 32}, -128, 127, 0, 0, 0, 0},
    {{"m8n8k16.row.col.satfinite.s32.u8.u8.s32", 8, 16, 8, 32}, 0, 255, 0, 0, 0, 0},
};

/* An integer in a format that holds it exactly. */
static uint64_t encoded(int64_t v, unsigned fraction, unsigned bias, unsigned bits) {
  const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  if (bias == 0) return (uint64_t)v & mask;
  if (v == 0) return 0;
  uint64_t n = (uint64_t)(v < 0 ? -v : v);
  unsigned top = 0;
  while (n >> (top + 1)) top++;
  n ^= UINT64_C(1) << top;
  n = top <= fraction ? n << (fraction - top) : n >> (top - fraction);
  return (uint64_t)(v < 0) << (bits - 1) | (uint64_t)(bias + top) << fraction | n;
}

static int pick(uint64_t *state, const struct kind *q) {
  return q->least + (int)((splitmix64(state) >> 33) % (uint64_t)(q->most - q->least + 1));
}

static void make(const struct kind *q, uint64_t *state, struct mma_matrices *m, int64_t d[16][8], unsigned times) {
  const bool mixed = strstr(q->c.opcode, ".e4m3.e5m2.") != NULL;
  const unsigned fraction = mixed ? 2 : q->fraction, bias = mixed ? 15 : q->bias; /* of B */
  int a[16][32], b[32][8];
  for (unsigned k = 0; k < q->c.k; k++) {
    for (unsigned i = 0; i < q->c.m; i++) {
      a[i][k] = pick(state, q);
      m->a[i][k] = encoded(a[i][k], q->fraction, q->bias, q->c.bits);
    }
    for (unsigned j = 0; j < 8; j++) {
      b[k][j] = pick(state, q);
      m->b[k][j] = encoded(b[k][j], fraction, bias, q->c.bits);
    }
  }
  for (unsigned i = 0; i < q->c.m; i++)
    for (unsigned j = 0; j < 8; j++) {
      d[i][j] = pick(state, q);
      m->c[i][j] = encoded(d[i][j], q->sum_fraction, q->sum_bias, q->c.sum);
      for (unsigned k = 0; k < q->c.k; k++) d[i][j] += (int64_t)a[i][k] * b[k][j] * times;
    }
}

static void check(const struct kind *q, const struct mma_run *r, uint64_t seed) {
  static uint8_t records[2 * THREADS * MMA_RECORD];
  static struct mma_matrices m[4];
  static int64_t d[4][16][8];
  memset(records, 0, sizeof records);
  for (unsigned w = 0; w < 4; w++) {
    make(q, &seed, &m[w], d[w], r->times);
    mma_put(&q->c, &m[w], records + w * 32 * MMA_RECORD);
  }
  mma_run(&q->c, r, records);
  for (unsigned w = 0; w < 4; w++)
    for (unsigned i = 0; i < q->c.m; i++)
      for (unsigned j = 0; j < 8; j++) {
        const uint64_t want = encoded(d[w][i][j], q->sum_fraction, q->sum_bias, q->c.sum);
        const uint64_t got = mma_get(&q->c, records + w * 32 * MMA_RECORD, i, j);
        if (got != want)
          fail_msg("%s, warp %u, row %u, column %u: %llx, not %llx", q->c.opcode, w, i, j, (unsigned long long)got,
                   (unsigned long long)want);
      }
}

static void whole(void **state) {
  (void)state;
  for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
    for (unsigned k = 0; k < 8; k++)
      check(&kinds[n], &(struct mma_run){.level = k & 1, .blocks = 2, .times = 1 + (k >> 1 & 1), .parted = k >> 2 & 1},
            n * 100 + k);
}

static void threads_apart(void **state) {
  (void)state;
  for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
    check(&kinds[n], &(struct mma_run){.level = 1, .blocks = 2, .times = 2, .parted = true, .unit = HEDDLE_ITS},
          7000 + n);
}

/* ldmatrix, stmatrix, movmatrix: which halves each lane must get, from plain C. */

/* Each thread puts the first 64 bytes of its record into shared memory, and gives an address of its own. */
#define FILL                                                                                                           \
  "mov.u32 %r1, there; mad.lo.u32 %r2, %r0, 64, %r1; mov.u32 %r3, 0;\n"                                                \
  "COPY: ld.global.v4.u32 {%r4,%r5,%r6,%r7}, [%d0]; st.shared.v4.u32 [%r2], {%r4,%r5,%r6,%r7};\n"                      \
  "add.u64 %d0, %d0, 16; add.u32 %r2, %r2, 16; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 4; @%p1 bra COPY;\n"         \
  "bar.sync 0;\nmad.lo.u32 %r2, %r0, 13, 5; and.b32 %r2, %r2, 127; mad.lo.u32 %r2, %r2, 16, %r1;\n"                    \
  "mov.b32 %r8, 0; mov.b32 %r9, 0; mov.b32 %r10, 0; mov.b32 %r11, 0;\n"

static unsigned row_address(unsigned thread) {
  return ((thread * 13 + 5) & 127) * 16;
}

static void fill(uint8_t *memory) {
  for (unsigned k = 0; k < THREADS * RECORD; k++) memory[k] = some_byte(k);
}

/* Element (r, c) of matrix m that warp w loads; `offset` bytes behind each address. */
static unsigned element(const uint8_t *memory, unsigned w, unsigned m, unsigned r, unsigned c, unsigned offset) {
  const unsigned at = row_address(32 * w + 8 * m + r) + offset + 2 * c;
  return (unsigned)get_le(memory + at / 64 * RECORD + at % 64, 2);
}

static void check_halves(const uint8_t *before, const uint8_t *after, unsigned matrices, bool transposed,
                         unsigned offset) {
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned m = 0; m < matrices; m++)
      for (unsigned h = 0; h < 2; h++) {
        const unsigned r = t % 32 / 4, c = 2 * (t % 4) + h;
        const unsigned want = element(before, t / 32, m, transposed ? c : r, transposed ? r : c, offset);
        const unsigned got = (unsigned)get_le(after + t * RECORD + 64 + 4 * m + 2 * h, 2);
        if (got != want) fail_msg("thread %u, matrix %u, half %u: %x, not %x", t, m, h, got, want);
      }
}

static void loads(void **state) {
  static const char *const lists[] = {"%r8", "{%r8, %r9}", "{%r8, %r9, %r10, %r11}"};
  (void)state;
  for (unsigned k = 0; k < 24; k++) {
    static uint8_t before[THREADS * RECORD], after[THREADS * RECORD];
    const unsigned n = k % 3, transposed = k / 3 % 2, generic = k / 6 % 2, level = k / 12;
    const unsigned offset = generic ? 0 : 2032;
    struct text t = {{0}};
    fill(before);
    memcpy(after, before, sizeof after);
    say(&t, "%s", HEAD FILL);
    if (generic) say(&t, "cvt.u64.u32 %%d1, %%r2; cvta.shared.u64 %%d1, %%d1;\n");
    say(&t, "ldmatrix.sync.aligned.m8n8.x%u%s%s.b16 %s, [%s+%u];\n", 1u << n, transposed ? ".trans" : "",
        generic ? "" : ".shared", lists[n], generic ? "%d1" : "%r2", offset);
    say(&t, "st.global.v4.u32 [%%d0], {%%r8,%%r9,%%r10,%%r11};\nret; }\n");
    text_run(&t, level, after);
    check_halves(before, after, 1u << n, transposed, offset);
  }
}

/* What a warp stores, its other warp reads back by bytes: matrix m's row r lies where thread 8 m + r said. */
static void stores(void **state) {
  static const char *const lists[] = {"%r8", "{%r8, %r9}", "{%r8, %r9, %r10, %r11}"};
  (void)state;
  for (unsigned k = 0; k < 24; k++) {
    static uint8_t before[THREADS * RECORD], after[THREADS * RECORD];
    const unsigned n = k % 3, transposed = k / 3 % 2, generic = k / 6 % 2, level = k / 12;
    struct text t = {{0}};
    fill(before);
    memcpy(after, before, sizeof after);
    say(&t, "%s",
        HEAD FILL "ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%d0]; bar.sync 0;\n"
                  "cvt.u64.u32 %d1, %r2; cvta.shared.u64 %d1, %d1;\n");
    say(&t, "stmatrix.sync.aligned.m8n8.x%u%s%s.b16 [%s], %s;\nbar.sync 0;\n", 1u << n, transposed ? ".trans" : "",
        generic ? "" : ".shared", generic ? "%d1" : "%r2", lists[n]);
    say(&t,
        "ld.shared.v4.u32 {%%r4,%%r5,%%r6,%%r7}, [%%r2]; st.global.v4.u32 [%%d0], {%%r4,%%r5,%%r6,%%r7};\nret; }\n");
    text_run(&t, level, after);
    for (unsigned thread = 0; thread < THREADS; thread++)
      for (unsigned c = 0; c < 8; c++) {
        const unsigned r = thread % 8, lane = transposed ? 4 * c + r / 2 : 4 * r + c / 2, m = thread % 32 / 8;
        const unsigned half = transposed ? r % 2 : c % 2, at = row_address(thread) + 2 * c;
        const unsigned from = (thread / 32 * 32 + lane) * RECORD + 64 + 4 * m + 2 * half;
        const bool written = m < 1u << n;
        const uint64_t want = get_le(before + (written ? from : at / 64 * RECORD + at % 64), 2);
        assert_int_equal(get_le(after + thread * RECORD + 64 + 2 * c, 2), want);
      }
  }
}

/* Every lane's own word, and in the other half of the warps' records what it becomes. */
static void transpositions(void **state) {
  (void)state;
  for (unsigned level = 0; level <= 1; level++) {
    static uint8_t memory[THREADS * RECORD];
    struct text t = {{0}};
    fill(memory);
    say(&t, "%s",
        HEAD "ld.global.u32 %r1, [%d0]; movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;\n"
             "st.global.u32 [%d0+64], %r1;\nret; }\n");
    text_run(&t, level, memory);
    for (unsigned k = 0; k < THREADS; k++)
      for (unsigned h = 0; h < 2; h++) {
        const unsigned r = k % 32 / 4, c = 2 * (k % 4) + h, from = k / 32 * 32 + 4 * c + r / 2;
        assert_int_equal(get_le(memory + k * RECORD + 64 + 2 * h, 2), get_le(memory + from * RECORD + 2 * (r % 2), 2));
      }
  }
}

/* Half a warp, and nobody of it executes them: nothing to wait for. */
static void nobody(void **state) {
  static const char *const bodies[] = {
      "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, [%r2];",
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r3}, %r1, %r2, {%r1, %r3};",
      "wmma.load.a.sync.aligned.row.m16n16k16.u8 {%r1, %r3}, [%d0];"};
  (void)state;
  for (unsigned k = 0; k < 2 * sizeof bodies / sizeof *bodies; k++) {
    static uint8_t memory[THREADS * RECORD];
    struct text t = {{0}};
    fill(memory);
    say(&t, "%s",
        HEAD "ld.global.u32 %r1, [%d0]; and.b32 %r2, %r0, 31; setp.lt.u32 %p1, %r2, 16; mov.u32 %r3, 0;\n"
             "mov.u32 %r2, there; setp.eq.u32 %p2, %r0, 999; @!%p1 bra OVER;\n@%p2 ");
    say(&t, "%s\nst.global.u32 [%%d0+64], %%r1;\nOVER: st.global.u32 [%%d0+68], %%r0; ret; }\n", bodies[k / 2]);
    text_run(&t, k & 1, memory);
    for (unsigned n = 0; n < THREADS; n++)
      if (n % 32 < 16) assert_int_equal(get_le(memory + n * RECORD + 64, 4), get_le(memory + n * RECORD, 4));
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(vectors),       cmocka_unit_test(whole),
                                     cmocka_unit_test(threads_apart), cmocka_unit_test(loads),
                                     cmocka_unit_test(stores),        cmocka_unit_test(transpositions),
                                     cmocka_unit_test(nobody)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
