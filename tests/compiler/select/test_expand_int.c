/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer division, and operands of expansions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "tests/compiler/select/expand_run.h"
#include "tests/silicon/form_file.h"
#include "tests/test.h"

/* Integer division: silicon's results, then random, structured and hard operands against C. A divisor of 0 gives all
 * ones. */

struct division {
  enum ptx_type type;
  bool remainder;
  bool constant;
  uint32_t by;
  bool rtl; /* without what the RTL lacks, where it can be */
};

static const char *const names[] = {"div.u32", "div.s32", "div.u64", "div.s64",
                                    "rem.u32", "rem.s32", "rem.u64", "rem.s64"};
static const enum ptx_type types[] = {PTX_U32, PTX_S32, PTX_U64, PTX_S64};

static struct mir_operand build(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b) {
  const struct division *d = ctx;
  return expand_div_int(m, d->type, d->remainder, a, d->constant ? mir_imm(d->by) : b);
}

static struct expand_machine *machine(const struct division *d, bool guarded) {
  const unsigned w = d->type == PTX_U64 || d->type == PTX_S64 ? 8 : 4;
  const struct expand_job job = {
      .build = build, .ctx = d, .width = {w, d->constant ? 0 : w, w}, .rtl = d->rtl, .guarded = guarded};
  return expand_new(&job);
}

/* Numbers of 32 bits in the low halves. */
static uint64_t expected(const struct division *d, uint64_t a, uint64_t b) {
  switch (d->type) {
  case PTX_U32:
    a = (uint32_t)a;
    b = (uint32_t)b;
    if (b == 0) return UINT32_MAX;
    return (uint32_t)(d->remainder ? a % b : a / b);
  case PTX_S32: {
    const int64_t x = (int32_t)a, y = (int32_t)b;
    return (uint32_t)(y == 0 ? -1 : d->remainder ? x % y : x / y);
  }
  case PTX_U64:
    return b == 0 ? UINT64_MAX : d->remainder ? a % b : a / b;
  default:
    if (b == 0) return UINT64_MAX;
    if (b == UINT64_MAX) return d->remainder ? 0 : 0 - a; /* C leaves -2^63 / -1 open */
    return (uint64_t)(d->remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
  }
}

static void *contents(const char *file, const char *suffix, size_t bytes) {
  char path[512];
  snprintf(path, sizeof path, "%s/ops/%s%s", SILICON_DIR, file, suffix);
  return form_file_bytes(path, bytes);
}

static unsigned straight(const struct division *d, uint64_t a, uint64_t b) {
  uint64_t x[31], y[31], z[31];
  uint32_t narrow[2][31];
  const bool wide = d->type == PTX_U64 || d->type == PTX_S64;
  for (unsigned k = 0; k < 31; k++) {
    x[k] = a;
    y[k] = b;
    narrow[0][k] = (uint32_t)a;
    narrow[1][k] = (uint32_t)b;
  }
  struct expand_machine *m = machine(d, false);
  uint64_t n = expand_apply(m, wide ? (void *)x : narrow[0], wide ? (void *)y : narrow[1], z, 31);
  expand_free(m);
  return (unsigned)n;
}

static void as_silicon(void **state) {
  (void)state;
  enum { N = 2048 };
  for (unsigned k = 0; k < 8; k++) {
    const struct division d = {.type = types[k % 4], .remainder = k >= 4};
    const unsigned w = k % 4 < 2 ? 4 : 8;
    uint8_t *a = contents(w == 4 ? "i32" : "i64", ".0.bin", N * w),
            *b = contents(w == 4 ? "i32" : "i64", ".1.bin", N * w);
    uint8_t *want = contents(names[k], ".gold.bin", N * w), got[N * 8];
    for (unsigned guarded = 0; guarded < 2; guarded++) {
      struct expand_machine *m = machine(&d, guarded);
      expand_apply(m, a, b, got, N);
      for (unsigned i = guarded; i < N; i += 1 + guarded)
        if (memcmp(got + i * w, want + i * w, w) != 0) fail_msg("%s: element %u", names[k], i);
      expand_free(m);
    }
    print_message("%s 2048 equal; %2u instructions, %2u with 64-bit operands\n", names[k], straight(&d, 1000, 7),
                  straight(&d, UINT64_C(1) << 60, 7));
    free(a);
    free(b);
    free(want);
  }
}

static uint64_t number(uint64_t *random) {
  const uint64_t bits = splitmix64(random), x = splitmix64(random);
  switch (bits % 8) {
  case 5:
    return (UINT64_C(1) << (x % 64)) + (x >> 8) % 3 - 1;
  case 6:
    return 0 - (x >> (bits >> 8) % 64);
  case 7:
    return x;
  default:
    return x >> (bits >> 8) % 64;
  }
}

/* Often a is next to a multiple of b. */
static void operands(uint64_t *random, uint64_t *a, uint64_t *b) {
  *a = number(random);
  *b = number(random);
  if (splitmix64(random) % 2) return;
  *b >>= splitmix64(random) % 64;
  *a = *b * *a + splitmix64(random) % 3 - 1;
}

static void check(const struct division *d, struct expand_machine *m, const uint64_t *a, const uint64_t *b,
                  unsigned n) {
  static uint64_t got[EXPAND_MOST];
  static uint32_t narrow[3][EXPAND_MOST];
  const bool wide = d->type == PTX_U64 || d->type == PTX_S64;
  for (unsigned k = 0; k < n; k++) {
    narrow[0][k] = (uint32_t)a[k];
    narrow[1][k] = b ? (uint32_t)b[k] : 0;
  }
  if (wide)
    expand_apply(m, a, b, got, n);
  else
    expand_apply(m, narrow[0], b ? narrow[1] : NULL, narrow[2], n);
  for (unsigned k = 0; k < n; k++) {
    const uint64_t by = b ? b[k] : d->by, g = wide ? got[k] : narrow[2][k], want = expected(d, a[k], by);
    if (g != want)
      fail_msg("type %d remainder %d: %llx by %llx: got %llx, want %llx", (int)d->type, d->remainder,
               (unsigned long long)a[k], (unsigned long long)by, (unsigned long long)g, (unsigned long long)want);
  }
}

static void random_operands_of(bool rtl) {
  static uint64_t a[EXPAND_MOST], b[EXPAND_MOST];
  uint64_t random = 23;
  for (unsigned k = 0; k < 8; k++) {
    const struct division d = {.type = types[k % 4], .remainder = k >= 4, .rtl = rtl};
    struct expand_machine *m = machine(&d, false);
    for (unsigned round = 0; round < 8; round++) {
      for (unsigned n = 0; n < EXPAND_MOST; n++) operands(&random, &a[n], &b[n]);
      if (round == 0) a[0] = d.type == PTX_S32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63, b[0] = UINT64_MAX;
      check(&d, m, a, b, EXPAND_MOST);
    }
    expand_free(m);
  }
  print_message("%u random pairs in 8 forms each\n", 8 * EXPAND_MOST);
}

/* The largest multiple of b, and one less: where a quotient that is one short shows. */
static void random_operands(void **state) {
  (void)state;
  random_operands_of(false);
  random_operands_of(true);
}

static void every_small_divisor_of(bool rtl) {
  static uint64_t a[EXPAND_MOST], b[EXPAND_MOST];
  const struct division d = {.type = PTX_U32, .rtl = rtl};
  struct expand_machine *m = machine(&d, false);
  for (uint64_t first = 0; first < 1u << 22; first += EXPAND_MOST)
    for (unsigned less = 0; less < 2; less++) {
      for (unsigned n = 0; n < EXPAND_MOST; n++) {
        b[n] = first + n;
        a[n] = b[n] ? UINT32_MAX / b[n] * b[n] - less : 0;
      }
      check(&d, m, a, b, EXPAND_MOST);
    }
  expand_free(m);
}

/* Multiples of the constant and their neighbours, the ends of the range, and random numbers. */
static void every_small_divisor(void **state) {
  (void)state;
  every_small_divisor_of(false);
  every_small_divisor_of(true);
}

static void divide_by(uint32_t by, uint64_t *random, unsigned *size) {
  enum { N = 1024 };
  uint64_t a[N];
  for (unsigned k = 0; k < 4; k++) {
    const struct division d = {.type = types[k % 2], .remainder = k >= 2, .constant = true, .by = by};
    struct expand_machine *m = machine(&d, false);
    for (unsigned n = 0; n < N; n++) {
      const uint64_t r = splitmix64(random);
      a[n] = n % 4 == 0 ? r : n % 4 == 1 ? r >> (r & 63) : (uint32_t)r / (by ? by : 1) * by + n % 3 - 1;
    }
    const uint64_t ends[] = {0,          1,          0x7fffffff, 0x80000000, 0x80000001,
                             0xfffffffe, 0xffffffff, by,         by - 1,     0 - (uint64_t)by};
    memcpy(a, ends, sizeof ends);
    check(&d, m, a, NULL, N);
    if (k < 2 && expand_size(m) > size[k]) size[k] = expand_size(m);
    expand_free(m);
  }
}

static void constants(void **state) {
  (void)state;
  uint64_t random = 29;
  unsigned size[2] = {0, 0}, n = 0;
  for (uint32_t by = 0; by <= 260; by++, n += 2) {
    divide_by(by, &random, size);
    divide_by(0 - by, &random, size);
  }
  for (unsigned shift = 8; shift < 32; shift++, n += 3)
    for (uint32_t near = 0; near < 3; near++) divide_by((UINT32_C(1) << shift) - 1 + near, &random, size);
  for (unsigned k = 0; k < 300; k++, n++) divide_by((uint32_t)(splitmix64(&random) >> (32 + k % 24)), &random, size);
  print_message("%u constants in 4 forms each; at most %u instructions unsigned, %u signed\n", n, size[0], size[1]);
}

/* Operands of expansions that are no plain registers: immediates, RZ, constants, minus and absolute value. */

enum { N = 64 };

static struct mir_operand changed(struct mir_operand x, bool neg, bool abs) {
  x.neg = neg;
  x.abs = abs;
  return x;
}

static const struct ir_insn nearest = {.op = IR_DIV, .arithmetic.round = IR_RN};

/* which: the operands in place of a, b */
static struct mir_operand divide32(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b) {
  const struct mir_operand first[] = {changed(a, true, false), changed(a, false, true), changed(a, true, true),
                                      mir_imm(0x40400000), mir_zero()};
  const unsigned *which = ctx;
  return expand_div_f32(m, &nearest, first[*which], changed(b, true, false));
}

static struct mir_operand divide64(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b) {
  const struct mir_operand first[] = {changed(a, true, false), changed(a, false, true), changed(a, true, true),
                                      mir_imm_f64(0x40080000), mir_zero()};
  const unsigned *which = ctx;
  return expand_div_f64(m, &nearest, first[*which], changed(b, true, false));
}

static double first_operand(unsigned which, double a) {
  const double v[] = {-a, fabs(a), -fabs(a), 3.0, 0.0};
  return v[which];
}

static void float_modifiers(void **state) {
  (void)state;
  float a[N], b[N], got[N];
  double wa[N], wb[N], wgot[N];
  for (unsigned k = 0; k < N; k++) {
    wa[k] = a[k] = (k % 2 ? -1.0f : 1.0f) * (float)(k + 1) * 1.37f;
    wb[k] = b[k] = (k % 3 ? -1.0f : 1.0f) * (float)(N - k) * 0.7f;
  }
  for (unsigned which = 0; which < 5; which++) {
    struct expand_job job = {.build = divide32, .ctx = &which, .width = {4, 4, 4}};
    struct expand_machine *x = expand_new(&job);
    expand_apply(x, a, b, got, N);
    expand_free(x);
    job = (struct expand_job){.build = divide64, .ctx = &which, .width = {8, 8, 8}};
    x = expand_new(&job);
    expand_apply(x, wa, wb, wgot, N);
    expand_free(x);
    for (unsigned k = 0; k < N; k++) {
      const float want = (float)first_operand(which, (double)a[k]) / -b[k];
      const double wide_want = first_operand(which, wa[k]) / -wb[k];
      assert_memory_equal(&got[k], &want, sizeof want);
      assert_memory_equal(&wgot[k], &wide_want, sizeof wide_want);
    }
  }
}

static struct mir_operand integer64(struct mir_builder *m, const void *ctx, struct mir_operand a,
                                    struct mir_operand b) {
  const unsigned *which = ctx;
  (void)b;
  switch (*which) {
  case 0:
    return expand_div_int(m, PTX_U64, false, a, mir_imm(1000)); /* one word: zero-extended */
  case 1:
    return expand_div_int(m, PTX_U64, true, mir_imm(0xffffffff), a);
  case 2:
    return expand_div_int(m, PTX_S64, false, a, mir_wide(m, 0 - UINT64_C(7)));
  default:
    return expand_div_int(m, PTX_U64, false, mir_zero(), a);
  }
}

static void integer_immediates(void **state) {
  (void)state;
  uint64_t a[N], got[N];
  for (unsigned k = 0; k < N; k++) a[k] = (UINT64_C(0x9e3779b97f4a7c15) >> k) + 1;
  for (unsigned which = 0; which < 4; which++) {
    const struct expand_job job = {.build = integer64, .ctx = &which, .width = {8, 0, 8}};
    struct expand_machine *x = expand_new(&job);
    expand_apply(x, a, NULL, got, N);
    expand_free(x);
    for (unsigned k = 0; k < N; k++) {
      const uint64_t want[] = {a[k] / 1000, 0xffffffff % a[k], (uint64_t)((int64_t)a[k] / -7), 0};
      assert_int_equal(got[k], want[which]);
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_silicon),          cmocka_unit_test(random_operands),
                                     cmocka_unit_test(every_small_divisor), cmocka_unit_test(constants),
                                     cmocka_unit_test(float_modifiers),     cmocka_unit_test(integer_immediates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
