/* SPDX-License-Identifier: Apache-2.0
 *
 * ldmatrix, stmatrix, movmatrix: which halves each lane must get, from plain C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select_text.h"
#include "tests/test.h"

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

static void check(const uint8_t *before, const uint8_t *after, unsigned matrices, bool transposed, unsigned offset) {
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
    check(before, after, 1u << n, transposed, offset);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads), cmocka_unit_test(stores),
                                     cmocka_unit_test(transpositions), cmocka_unit_test(nobody)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
