/* SPDX-License-Identifier: Apache-2.0
 * FP64 division, reciprocal and root: silicon's results, NaN rows, and operands whose results lie as near to a rounding
 * boundary as any. */
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"
#include "tests/compiler/select/expand_run.h"
#include "base/splitmix64.h"

#define FRACTION ((UINT64_C(1) << 52) - 1)
#define HIDDEN (UINT64_C(1) << 52)
#define SIGN (UINT64_C(1) << 63)
enum { ROUNDS = 8 };

__extension__ typedef unsigned __int128 wide;

static const char *const directions[] = {"rn", "rm", "rp", "rz"};

static struct expand_float operation(const char *op, unsigned direction, char name[32]) {
  snprintf(name, 32, "%s.%s.f64", op, directions[direction]);
  return expand_float_named(name);
}

static void as_silicon(void **state) {
  (void)state;
  static const char *const forms[] = {"div.rn.f64",  "div.rm.f64",  "div.rp.f64",  "div.rz.f64",  "rcp.rn.f64",
                                      "sqrt.rn.f64", "sqrt.rm.f64", "sqrt.rp.f64", "sqrt.rz.f64", "rsqrt.approx.f64"};
  for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) expand_float_silicon(SILICON_DIR, forms[k]);
}

/* One row: "div.rn.f64 a b -> d" or with one operand. */
static bool row(char *line) {
  char form[32] = "", word[3][32] = {"", "", ""};
  unsigned long long v[3] = {0};
  if (sscanf(line, "%31s %31s %31s %31s", form, word[0], word[1], word[2]) != 4) return false;
  const bool two = strcmp(word[1], "->") != 0;
  if (strncmp(form, "div.", 4) != 0 && strncmp(form, "rcp.", 4) != 0 && strncmp(form, "sqrt.", 5) != 0) return false;
  if ((two ? sscanf(line, "%*s %llx %llx -> %llx", &v[0], &v[1], &v[2]) == 3
           : sscanf(line, "%*s %llx -> %llx", &v[0], &v[2]) == 2) == false)
    return false;
  const struct expand_float o = expand_float_named(form);
  struct expand_machine *x = expand_float_new(&o, false);
  uint64_t a = v[0], b = v[1], got = 0;
  expand_apply(x, &a, &b, &got, 1);
  expand_free(x);
  if (got != v[2]) fail_msg("%s: got %llx", line, (unsigned long long)got);
  return true;
}

static void nan_rows(void **state) {
  (void)state;
  char line[256];
  unsigned rows = 0;
  FILE *f = form_file_open(SILICON_DIR "/nan.txt");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) rows += row(line);
  fclose(f);
  print_message("nan.txt: %u rows equal\n", rows);
  assert_int_equal(rows, 286);
}

static wide extended(int64_t v) {
  return v < 0 ? 0 - (wide)(uint64_t)-v : (wide)v;
}

static uint64_t inverse(uint64_t b) {
  uint64_t x = b;
  for (unsigned k = 0; k < 6; k++) x *= 2 - b * x;
  return x;
}

/* a / b = (v - n / b) / 2^53 for small n: next to a number or to the middle of two. Often b is near 2. */
static void near_boundary(uint64_t *random, uint64_t *a, uint64_t *b) {
  const uint64_t bits = splitmix64(random);
  uint64_t divisor = HIDDEN | (splitmix64(random) & FRACTION) | 1;
  if (bits % 4 == 0) divisor = (2 * HIDDEN - 1) - 2 * (splitmix64(random) >> (16 + (bits >> 8) % 48));
  const int64_t n = (int64_t)(bits >> 16 & 63) - 32;
  const unsigned width = 53 + (bits >> 24 & 1);
  const uint64_t v = (uint64_t)n * inverse(divisor) & ((UINT64_C(1) << width) - 1);
  const uint64_t dividend = (uint64_t)(((wide)v * divisor - extended(n)) >> width);
  *b = UINT64_C(1023) << 52 | (divisor & FRACTION);
  if (dividend >> 52 == 1) *a = UINT64_C(1023) << 52 | (dividend & FRACTION);
}

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 FRACTION,
                                 HIDDEN,
                                 HIDDEN + 1,
                                 2 * HIDDEN - 1,
                                 0x3ff0000000000000,
                                 0x3fefffffffffffff,
                                 0x3ff0000000000001,
                                 0x7fefffffffffffff,
                                 0x7ff0000000000000,
                                 0x7fd0000000000000,
                                 0x7fdfffffffffffff,
                                 0x7fe0000000000000,
                                 0x7fe0000000000001,
                                 0x0350000000000000,
                                 0x034fffffffffffff,
                                 0x4340000000000000,
                                 0x7ff8000000000000};
enum { EDGES = sizeof edges / sizeof *edges };

static void operands(uint64_t *random, uint64_t *a, uint64_t *b) {
  const uint64_t bits = splitmix64(random), exponent = (bits >> 8) % 1100;
  *a = splitmix64(random);
  *b = splitmix64(random);
  switch (bits % 8) {
  case 0:
  case 1:
  case 2:
    near_boundary(random, a, b);
    if (bits & 64) { /* anywhere, results among the subnormal numbers too */
      *a = (bits & SIGN) | exponent << 52 | (*a & FRACTION);
      *b = (exponent + 1000 + (bits >> 40) % 80) % 2047 << 52 | (*b & FRACTION);
    }
    break;
  case 3:
    *a &= SIGN | FRACTION;
    break;
  case 4:
    *b &= SIGN | FRACTION;
    break;
  case 5:
    *a = (bits & SIGN) | edges[(bits >> 16) % EDGES];
    *b = edges[(bits >> 24) % EDGES];
    break;
  case 6: /* both next to 2 */
    *a = (UINT64_C(1024) << 52) - 1 - (splitmix64(random) >> (12 + (bits >> 8) % 52));
    *b = (UINT64_C(1024) << 52) - 1 - (splitmix64(random) >> (12 + (bits >> 16) % 52));
    break;
  default:
    break;
  }
}

static void quotients(void **state) {
  (void)state;
  static uint64_t a[EXPAND_MOST], b[EXPAND_MOST];
  char name[32];
  uint64_t random = 13;
  for (unsigned k = 0; k < 4; k++) {
    const struct expand_float o = operation("div", k, name);
    struct expand_machine *x = expand_float_new(&o, false);
    for (unsigned round = 0; round < ROUNDS; round++) {
      for (unsigned n = 0; n < EXPAND_MOST; n++) operands(&random, &a[n], &b[n]);
      for (unsigned n = 0; round == 0 && n < EDGES * EDGES; n++) {
        a[n] = edges[n / EDGES];
        b[n] = edges[n % EDGES] | (n % 2 ? SIGN : 0);
      }
      expand_judge64(&o, x, a, b, EXPAND_MOST);
    }
    expand_free(x);
  }
  print_message("div: %u quotients in 4 forms each\n", ROUNDS * EXPAND_MOST);
}

/* Reciprocals: next to 1 and 2 the distances to a boundary are least. */
static void one_operand(uint64_t *random, uint64_t *a) {
  const uint64_t bits = splitmix64(random), tail = splitmix64(random) >> (12 + (bits >> 8) % 52);
  const uint64_t exponent = bits & 64 ? (bits >> 16) % 2047 : 1000 + (bits >> 16) % 40;
  static const uint64_t ends[] = {0, 1, 2, 2043, 2044, 2045, 2046};
  switch (bits % 8) {
  case 0:
  case 1:
    *a = exponent << 52 | (FRACTION - tail);
    break;
  case 2:
    *a = exponent << 52 | tail;
    break;
  case 3:
    *a = ends[(bits >> 16) % 7] << 52 | (splitmix64(random) & FRACTION);
    break;
  case 4:
    *a = edges[(bits >> 16) % EDGES];
    break;
  default:
    *a = exponent << 52 | (splitmix64(random) & FRACTION);
    break;
  }
  if (bits % 16 >= 8) *a |= bits & SIGN;
}

static void single(const char *op) {
  static uint64_t a[EXPAND_MOST];
  char name[32];
  uint64_t random = 17;
  for (unsigned k = 0; k < 4; k++) {
    const struct expand_float o = operation(op, k, name);
    struct expand_machine *x = expand_float_new(&o, false);
    for (unsigned round = 0; round < ROUNDS; round++) {
      for (unsigned n = 0; n < EXPAND_MOST; n++) one_operand(&random, &a[n]);
      expand_judge64(&o, x, a, NULL, EXPAND_MOST);
    }
    expand_free(x);
  }
  print_message("%s: %u operands in 4 forms each\n", op, ROUNDS * EXPAND_MOST);
}

static void reciprocals(void **state) {
  (void)state;
  single("rcp");
}

static void roots(void **state) {
  (void)state;
  single("sqrt");
}

/* An odd x with x^2 = c modulo 2^n; c = 1 modulo 8. */
static wide root_modulo(int64_t c, unsigned n) {
  wide x = 1;
  for (unsigned k = 3; k < n; k++)
    if ((x * x - extended(c)) >> k & 1) x += (wide)1 << (k - 1);
  return x & (((wide)1 << n) - 1);
}

/* x = 2 g + 1 is twice a middle, in units of 2^-52; (x^2 - c) / 4 an operand whose root is next to it. 0: out of range.
 */
static uint64_t operand_of(wide x, int64_t c) {
  if (x < (wide)1 << 53 || x >= (wide)1 << 54) return 0;
  const wide square = (x * x - extended(c)) / 4; /* the operand, times 2^104 */
  const unsigned shift = square >> 105 ? 53 : 52;
  if (square >> (shift + 53) || (square & (((wide)1 << shift) - 1)) != 0) return 0;
  return (uint64_t)(1023 + shift - 52) << 52 | ((uint64_t)(square >> shift) & FRACTION);
}

/* Every operand whose root is nearer to a middle than 2^-42 units. */
static void hardest_roots(void **state) {
  (void)state;
  static uint64_t a[EXPAND_MOST];
  unsigned n = 0;
  char name[32];
  for (int64_t c = -8191; c < 8192; c += 8)
    for (unsigned k = 0; k < 16; k++) {
      const unsigned bits = 54 + k % 2;
      wide x = root_modulo(c, bits);
      if (k & 2) x = ((wide)1 << bits) - x;
      if (k & 4) x ^= (wide)1 << (bits - 1);
      if (k & 8) x += (wide)1 << bits;
      const uint64_t found = operand_of(x, c);
      if (found) a[n++] = found;
    }
  assert_true(n > 2000);
  for (unsigned k = 0; k < 4; k++) {
    const struct expand_float o = operation("sqrt", k, name);
    struct expand_machine *x = expand_float_new(&o, false);
    expand_judge64(&o, x, a, NULL, n);
    expand_free(x);
  }
  print_message("sqrt: the %u operands with roots nearest to a middle\n", n);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_silicon),  cmocka_unit_test(nan_rows), cmocka_unit_test(quotients),
      cmocka_unit_test(reciprocals), cmocka_unit_test(roots),    cmocka_unit_test(hardest_roots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
