/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of isa/doc/10-matrices.md one by one, in dot products with a few elements that are not zero, worked out by
 * hand. Each stands in every row and column; where the order of k does not matter, in every place along k too.
 */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/words.h"

#define TERMS 6u

struct dot {
  const char *why;
  uint64_t c, d;
  struct {
    uint64_t a, b;
    unsigned k;
  } term[TERMS]; /* the rest of A and B is zero */
};

/* Of the instruction with that name, or else one that begins alike (integers and FP8 of any kind have one shape). */
static const struct shape *shape_of(const char *kind) {
  const struct shape *alike = NULL;
  for (unsigned n = 0; n < matrix_kinds_count; n++) {
    if (strcmp(kind, matrix_kinds[n].name) == 0) return &matrix_kinds[n].shape;
    if (strncmp(kind, matrix_kinds[n].name, 4) == 0) alike = &matrix_kinds[n].shape;
  }
  if (alike == NULL) fail_msg("no shape for %s", kind);
  return alike;
}

/* `by`: how far along k the terms move. */
static void dot_check(const char *kind, const struct dot *t, unsigned by) {
  static struct rows r;
  struct matrices m = {.shape = *shape_of(kind)};
  char what[160];
  if (!matrix_word(kind, &r.word)) fail_msg("no instruction for %s", kind);
  for (unsigned n = 0; n < TERMS; n++) {
    const unsigned k = (t->term[n].k + by) % m.shape.k;
    for (unsigned i = 0; i < m.shape.m; i++) m.a[i][k] |= t->term[n].a;
    for (unsigned j = 0; j < m.shape.n; j++) m.b[k][j] |= t->term[n].b;
  }
  for (unsigned i = 0; i < m.shape.m; i++)
    for (unsigned j = 0; j < m.shape.n; j++) {
      m.c[i][j] = t->c;
      m.d[i][j] = t->d;
    }
  fragments_put(&r, &m);
  r.d_words = m.shape.bits_cd == 16 ? 2 : 4;
  (void)snprintf(what, sizeof what, "%s: %s (k moved by %u)", kind, t->why, by);
  rows_check(&r, what);
}

/* Terms take the places k = 0, 1, ...; all rotations of them. */
static void dots(const char *kind, const struct dot *t, unsigned count) {
  for (unsigned n = 0; n < count; n++) {
    struct dot x = t[n];
    for (unsigned i = 0; i < TERMS; i++) x.term[i].k = i;
    for (unsigned by = 0; by < shape_of(kind)->k; by++) dot_check(kind, &x, by);
  }
}

static void dots_in_place(const char *kind, const struct dot *t, unsigned count) {
  for (unsigned n = 0; n < count; n++) dot_check(kind, &t[n], 0);
}

#define COUNT(array) ((unsigned)(sizeof(array) / sizeof(array)[0]))
#define NAN32 0x7fffffffu
#define INF32 0x7f800000u

/* F16: 1 = 3c00, 1.5 = 3e00, 65504 = 7bff, 2^-24 = 0001. */
static void f16_sum_is_cut(void **state) {
  (void)state;
  static const struct dot t[] = {
      {"2^-25 beside 1 counts", 0x33000000u, 0x33000000u, {{0x3c00, 0x3c00, 0}, {0xbc00, 0x3c00, 0}}},
      {"2^-26 beside 1 does not", 0x32800000u, 0, {{0x3c00, 0x3c00, 0}, {0xbc00, 0x3c00, 0}}},
      {"C is cut, not rounded", 0x33400000u, 0x33000000u, {{0x3c00, 0x3c00, 0}, {0xbc00, 0x3c00, 0}}},
      {"toward zero, not down", 0xb3400000u, 0xb3000000u, {{0x3c00, 0x3c00, 0}, {0xbc00, 0x3c00, 0}}},
      {"a product is cut too", 0, 0x33000000u, {{0x3c00, 0x3c00, 0}, {0xbc00, 0x3c00, 0}, {0x0c00, 0x0a00, 0}}},
      {"2.25 has exponent 0", 0x33000000u, 0x33000000u, {{0x3e00, 0x3e00, 0}, {0xbe00, 0x3e00, 0}}},
      {"subnormals keep exponent -14", 0x2c000000u, 0x2c000000u, {{0x0001, 0x3c00, 0}, {0x8001, 0x3c00, 0}}},
      {"so 2^-40 beside them does not count", 0x2b800000u, 0, {{0x0001, 0x3c00, 0}, {0x8001, 0x3c00, 0}}},
      {"zero products do not count", 0x00800000u, 0x00800000u, {{0x0000, 0x7bff, 0}, {0x7bff, 0x8000, 0}}},
      {"2^-24 squared", 0, 0x27800000u, {{0x0001, 0x0001, 0}}},
      {"result cut to 24 bits", 0x4b800000u, 0x4b800000u, {{0x3c00, 0x3c00, 0}}},
      {"so cut when negative", 0xcb800000u, 0xcb800000u, {{0xbc00, 0x3c00, 0}}},
      {"25 bits in the middle", 0x4b800000u, 0x4b800001u, {{0x3c00, 0x3c00, 0}, {0x3c00, 0x3c00, 0}}},
      {"subnormal C stays", 0x80000001u, 0x80000001u, {{0, 0, 0}}},
      {"only negative zeros", 0x80000000u, 0, {{0x8000, 0x3c00, 0}, {0x0000, 0xbc00, 0}}},
      {"exact cancellation", 0x3f800000u, 0, {{0xbc00, 0x3c00, 0}}},
  };
  dots("f16k16_f32", t, COUNT(t));
  dots("f16k8_f32", t, COUNT(t));
}

static void f16_specials(void **state) {
  (void)state;
  static const struct dot t[] = {
      {"NaN in A", 0, NAN32, {{0x7e00, 0x3c00, 0}}},
      {"signalling NaN in B, times zero", 0, NAN32, {{0x0000, 0xfc01, 0}}},
      {"NaN in C", 0xffc12345u, NAN32, {{0, 0, 0}}},
      {"NaN beside infinity", INF32, NAN32, {{0x7e00, 0x3c00, 0}}},
      {"0 times infinity", 0, NAN32, {{0x0000, 0x7c00, 0}}},
      {"infinity times -0", 0, NAN32, {{0xfc00, 0x8000, 0}}},
      {"infinities of both signs", 0, NAN32, {{0x7c00, 0x3c00, 0}, {0x7c00, 0xbc00, 0}}},
      {"C against a product", 0xff800000u, NAN32, {{0xfc00, 0xbc00, 0}}},
      {"infinity", 0, INF32, {{0x7c00, 0x3c00, 0}, {0xfbff, 0x7bff, 0}}},
      {"negative infinity", 0x3f800000u, 0xff800000u, {{0x3c00, 0xfc00, 0}}},
      {"infinity times subnormal", 0, INF32, {{0x7c00, 0x0001, 0}}},
      {"infinity times infinity, twice", 0xff800000u, 0xff800000u, {{0x7c00, 0xfc00, 0}, {0xfc00, 0x7c00, 0}}},
      {"C infinite", 0xff800000u, 0xff800000u, {{0x7bff, 0x7bff, 0}}},
  };
  dots("f16k16_f32", t, COUNT(t));
  dots("f16k8_f32", t, COUNT(t));
}

/* BF16: the upper half of F32. 2^n = (127 + n) << 7. */
#define BF(n) ((uint64_t)(127 + (n)) << 7)

static void bf16_range(void **state) {
  (void)state;
  static const struct dot t[] = {
      {"2^128 is infinity", 0, INF32, {{BF(64), BF(64), 0}}},
      {"and negative", 0, 0xff800000u, {{BF(64), 0x8000 | BF(64), 0}}},
      {"1.5 * 2^128 too", 0, INF32, {{BF(64) | 0x40, BF(64), 0}}},
      {"2^127 is not", 0, 0x7f000000u, {{BF(64), BF(63), 0}}},
      {"just below 2^128", 0x7f7fffffu, 0x7f7fffffu, {{BF(52), BF(51), 0}}},
      {"the sum reaches it", 0x7f7fffffu, INF32, {{BF(52), BF(52), 0}}},
      {"products beyond the range cancel", 0x3f800000u, 0, {{BF(100), BF(100), 0}, {0x8000 | BF(100), BF(100), 0}}},
      {"0 of huge ones is +0", 0x80000000u, 0, {{BF(120), BF(120), 0}, {0x8000 | BF(120), BF(120), 0}}},
      {"subnormal result", 0, 0x00000200u, {{BF(-70), BF(-70), 0}}},
      {"subnormal factor", 0, 0x00010000u, {{0x0001, BF(0), 0}}},
      {"below 2^-149 is +0", 0, 0, {{BF(-75), 0x8000 | BF(-75), 0}}},
      {"cut to a multiple of 2^-149", 0x80000001u, 0x80000001u, {{BF(-75), 0x8000 | BF(-75), 0}}},
      /* (2^-149 - 2^-157) + 4 * 2^-159: four terms below the last place of exponent -133 */
      {"exponents below -133 do not count",
       0,
       0,
       {{BF(-75) | 0x7f, BF(-75), 0},
        {BF(-79), BF(-80), 0},
        {BF(-79), BF(-80), 0},
        {BF(-80), BF(-79), 0},
        {BF(-80), BF(-79), 0}}},
      {"the last place of -133 does",
       0,
       1,
       {{BF(-75) | 0x7f, BF(-75), 0}, {BF(-79), BF(-79), 0}, {BF(-79), BF(-79), 0}}},
  };
  dots("bf16k16_f32", t, COUNT(t));
  dots("bf16k8_f32", t, COUNT(t));
}

static void tf32_low_bits_do_not_count(void **state) {
  (void)state;
  static const struct dot t[] = {
      {"1", 0, 0x3f800000u, {{0x3f801fffu, 0x3f801fffu, 0}}},
      {"infinity with low bits", 0, INF32, {{0x7f800001u, 0x3f800000u, 0}}},
      {"NaN", 0, NAN32, {{0x7f802000u, 0x3f800000u, 0}}},
      {"zero with low bits, times infinity", 0, NAN32, {{0x00001fffu, 0x7f800000u, 0}}},
      {"least subnormal", 0, 0x00002000u, {{0x00002000u, 0x3f800000u, 0}}},
  };
  dots("tf32k8_f32", t, COUNT(t));
  dots("tf32k4_f32", t, COUNT(t));
}

static void f16_accumulator(void **state) {
  (void)state;
  static const struct dot t[] = {
      {"65520 is infinity", 0x7bff, 0x7c00, {{0x4400, 0x4400, 0}}},
      {"just below is 65504", 0xfbff, 0xfbff, {{0xc400, 0x43ff, 0}}},
      {"tie to even, down", 0x6800, 0x6800, {{0x3c00, 0x3c00, 0}}},
      {"tie to even, up", 0x6800, 0x6802, {{0x3c00, 0x3c00, 0}, {0x3c00, 0x3c00, 0}, {0x3c00, 0x3c00, 0}}},
      {"rounded once: 2049 + 2^-14", 0x6800, 0x6801, {{0x3c00, 0x3c00, 0}, {0x2000, 0x2000, 0}}},
      {"2^-15 beside 2048 is cut first", 0x6800, 0x6800, {{0x3c00, 0x3c00, 0}, {0x1c00, 0x2000, 0}}},
      {"2^-25 is a tie: +0", 0, 0, {{0x0001, 0x3800, 0}}},
      {"-2^-25 too", 0x8000, 0, {{0x8001, 0x3800, 0}}},
      {"0.75 * 2^-24", 0, 0x0001, {{0x0001, 0x3a00, 0}}},
      {"1.5 * 2^-24 is a tie: up", 0, 0x0002, {{0x0001, 0x3e00, 0}}},
      {"-2^-24 + 2^-26", 0x8001, 0x8001, {{0x0001, 0x3400, 0}}},
      {"2^-48", 0, 0, {{0x0001, 0x0001, 0}}},
      {"up to the least normal number", 0, 0x0400, {{0x03ff, 0x3c00, 0}, {0x0001, 0x3a00, 0}}},
      {"NaN", 0xfe00, 0x7fff, {{0, 0, 0}}},
      {"infinity", 0, 0xfc00, {{0x7c00, 0xbc00, 0}}},
      {"infinities of both signs", 0xfc00, 0x7fff, {{0x7c00, 0x3c00, 0}}},
  };
  dots("f16k16_f16", t, COUNT(t));
  dots("f16k8_f16", t, COUNT(t));
}

static void integers(void **state) {
  (void)state;
  static const struct dot wrapped[] = {{"2^31", 0x7fffffffu, 0x80000000u, {{1, 1, 0}}},
                                       {"-2^31 - 1", 0x80000000u, 0x7fffffffu, {{0xff, 1, 0}}},
                                       {"both negative", 0, 1, {{0xff, 0xff, 0}}},
                                       {"-128 squared", 0, 0x4000, {{0x80, 0x80, 0}}}};
  static const struct dot clamped[] = {
      {"2^31", 0x7fffffffu, 0x7fffffffu, {{1, 1, 0}}},
      {"-2^31 - 1", 0x80000000u, 0x80000000u, {{0xff, 1, 0}}},
      {"clamped once, at the end", 0x7fffffffu, 0x7fffff80u, {{0x7f, 0x7f, 0}, {0x80, 0x7f, 0}}},
      {"the same at the other end", 0x80000000u, 0x8000007fu, {{0x80, 0x7f, 0}, {0x7f, 0x7f, 0}, {2, 127, 0}}}};
  static const struct dot uu[] = {{"255 squared", 0, 0xfe01, {{0xff, 0xff, 0}}}};
  static const struct dot mixed[] = {{"-1 * 255", 0, 0xffffff01u, {{0xff, 0xff, 0}}}};
  static const char *const width[2] = {"i16_", "i32_"};
  for (unsigned n = 0; n < 2; n++) {
    char name[24];
    (void)snprintf(name, sizeof name, "%ss8s8", width[n]);
    dots(name, wrapped, COUNT(wrapped));
    (void)snprintf(name, sizeof name, "%ss8s8_sat", width[n]);
    dots(name, clamped, COUNT(clamped));
    (void)snprintf(name, sizeof name, "%su8u8", width[n]);
    dots(name, uu, COUNT(uu));
    (void)snprintf(name, sizeof name, "%ss8u8", width[n]);
    dots(name, mixed, COUNT(mixed));
    (void)snprintf(name, sizeof name, "%su8s8", width[n]);
    dots(name, mixed, COUNT(mixed));
  }
}

/* E4M3: 1 = 38, 1.5 = 3c, 448 = 7e, 2^-6 = 08. E5M2: 1 = 3c, 57344 = 7b. */
static void fp8_two_sums_then_c(void **state) {
  (void)state;
  static const struct dot e4m3[] = {
      {"the first sum does not hide a term of the second",
       0,
       0x39800000u,
       {{0x7e, 0x7e, 0}, {0xfe, 0x7e, 1}, {0x08, 0x08, 2}}},
      {"nor at the end of k", 0, 0x39800000u, {{0x7e, 0x7e, 29}, {0xfe, 0x7e, 4}, {0x08, 0x08, 31}}},
      {"the second hides the first", 0, 0, {{0x08, 0x08, 0}, {0x7e, 0x7e, 2}, {0xfe, 0x7e, 3}}},
      {"one sum over k = 0, 1, 4, 5 ...", 0, 0, {{0x7e, 0x7e, 0}, {0xfe, 0x7e, 1}, {0x08, 0x08, 4}}},
      {"C is added to nearest: up", 0x4b800000u, 0x4b800001u, {{0x3c, 0x38, 2}}},
      {"tie to even", 0x4b800000u, 0x4b800000u, {{0x38, 0x38, 0}}},
      {"-0 + 0", 0x80000000u, 0, {{0x80, 0x38, 0}}},
      {"7e is 448, 78 is 256", 0, 0x47e00000u, {{0x7e, 0x78, 7}}},
      {"7f is NaN", 0, NAN32, {{0x7f, 0x38, 5}}},
      {"NaN times zero", 0, NAN32, {{0x00, 0xff, 6}}},
      {"C is NaN", 0xff800001u, NAN32, {{0, 0, 0}}},
      {"C is infinite", 0xff800000u, 0xff800000u, {{0x7e, 0x7e, 0}}},
      {"subnormals", 0, 0x36800000u, {{0x01, 0x01, 9}}},
  };
  static const struct dot e5m2[] = {
      {"infinity", 0, INF32, {{0x7c, 0x3c, 3}}},
      {"infinity times subnormal", 0, 0xff800000u, {{0x7c, 0x81, 0}}},
      {"infinity times zero", 0, NAN32, {{0x7c, 0x80, 2}}},
      {"infinities in both sums", 0, NAN32, {{0x7c, 0x3c, 0}, {0xfc, 0x3c, 2}}},
      {"infinity against C", 0xff800000u, NAN32, {{0x7c, 0x3c, 1}}},
      {"NaN", 0, NAN32, {{0x7d, 0x3c, 0}}},
      {"subnormals", 0, 0x2f800000u, {{0x01, 0x01, 9}}},
  };
  static const struct dot ab[] = {{"448 * 57344", 0, 0x4bc40000u, {{0x7e, 0x7b, 1}}}};
  static const struct dot ba[] = {{"57344 * 448", 0, 0x4bc40000u, {{0x7b, 0x7e, 1}}}};
  dots_in_place("e4m3_f32", e4m3, COUNT(e4m3));
  dots_in_place("e5m2_f32", e5m2, COUNT(e5m2));
  dots_in_place("e4m3e5m2_f32", ab, COUNT(ab));
  dots_in_place("e5m2e4m3_f32", ba, COUNT(ba));
}

#define D64(hex) UINT64_C(0x##hex)
#define ONE64 D64(3ff0000000000000)

static void fp64_steps(void **state) {
  (void)state;
  static const struct dot t[] = {
      {"rounded after each step", D64(4340000000000000), D64(4340000000000000), {{ONE64, ONE64, 0}, {ONE64, ONE64, 1}}},
      {"products are not rounded",
       D64(bff0000000000000),
       D64(b970000000000000),
       {{D64(3ff0000000000001), D64(3feffffffffffffe), 2}}},
      {"k ascending",
       D64(4340000000000000),
       ONE64,
       {{ONE64, D64(c340000000000000), 2}, {ONE64, ONE64, 3}, {ONE64, ONE64, 0}}},
      {"new NaN", 0, D64(fff8000000000000), {{D64(7ff0000000000000), 0, 1}}},
      {"b before accumulator and a",
       D64(7ff0000000000002),
       D64(7ff8000000000001),
       {{D64(fff0000000000003), D64(7ff0000000000001), 0}}},
      {"accumulator before a", D64(7ff0000000000002), D64(7ff8000000000002), {{D64(fff0000000000003), ONE64, 3}}},
      {"a later b before an earlier NaN",
       D64(7ff0000000000002),
       D64(fff8000000000004),
       {{ONE64, D64(fff8000000000004), 3}}},
      {"a later a not",
       0,
       D64(7ff8000000000005),
       {{D64(7ff0000000000005), ONE64, 0}, {D64(7ff0000000000006), ONE64, 1}}},
      {"signs of zero", D64(8000000000000000), 0, {{0, ONE64, 0}}},
  };
  dots_in_place("f64", t, COUNT(t));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f16_sum_is_cut),      cmocka_unit_test(f16_specials),
      cmocka_unit_test(bf16_range),          cmocka_unit_test(tf32_low_bits_do_not_count),
      cmocka_unit_test(f16_accumulator),     cmocka_unit_test(integers),
      cmocka_unit_test(fp8_two_sums_then_c), cmocka_unit_test(fp64_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
