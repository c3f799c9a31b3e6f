/* SPDX-License-Identifier: Apache-2.0
 *
 * FP32 expansions.
 */
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "tests/compiler/select/expand_run.h"
#include "tests/test.h"
#include "tests/silicon/form_file.h"

/* FP32 division, reciprocal and root: silicon's results, every significand of what has one operand, hard quotients. */

static const char *const operations[] = {"div", "rcp", "sqrt"};
static const char *const directions[] = {"rn", "rm", "rp", "rz"};

static struct expand_float operation(unsigned op, unsigned direction, bool ftz, char name[32]) {
  snprintf(name, 32, "%s.%s%s.f32", operations[op], directions[direction], ftz ? ".ftz" : "");
  return expand_float_named(name);
}

static void as_silicon(void **state) {
  (void)state;
  char name[32];
  for (unsigned op = 0; op < 3; op++)
    for (unsigned k = 0; k < 8; k++) {
      operation(op, k % 4, k / 4, name);
      expand_float_silicon(SILICON_DIR, name);
    }
}

/* Every significand with an exponent in the middle (with .ftz the first eighth: there it changes nothing), and parts of
 * those at the ends of the range. */
static void every_significand_of(bool rtl) {
  static const uint8_t ends[] = {0, 1, 2, 26, 27, 28, 128, 252, 253, 254, 255};
  static uint32_t a[EXPAND_MOST];
  char name[32];
  uint64_t random = 7;
  for (unsigned k = 0; k < 16; k++) {
    struct expand_float o = operation(1 + k / 8, k % 4, k / 4 % 2, name);
    o.rtl = rtl;
    struct expand_machine *x = expand_float_new(&o, false);
    /* the roots of [1, 2) and of [2, 4) */
    const uint32_t whole = o.i.op == IR_SQRT ? 2u << 23 : 1u << 23, part = o.i.arithmetic.ftz ? whole / 8 : whole;
    for (uint32_t first = 127u << 23; first < (127u << 23) + part; first += EXPAND_MOST) {
      for (uint32_t n = 0; n < EXPAND_MOST; n++) a[n] = first + n;
      expand_judge32(&o, x, a, NULL, EXPAND_MOST);
    }
    for (unsigned e = 0; e < sizeof ends; e++) {
      for (uint32_t n = 0; n < EXPAND_MOST; n++) {
        uint32_t f = (uint32_t)splitmix64(&random);
        f = n % 4 == 0 ? n / 4 : n % 4 == 1 ? 0x7fffff - n / 4 : f & 0x7fffff; /* from the first, from the last */
        a[n] = (uint32_t)(splitmix64(&random) << 31) | (uint32_t)ends[e] << 23 | f;
      }
      expand_judge32(&o, x, a, NULL, EXPAND_MOST);
    }
    expand_free(x);
  }
  print_message("rcp: every significand, sqrt: all of [1, 4), in 4 forms each; 11 * 65536 at the ends in 8 each\n");
}

static void every_significand(void **state) {
  (void)state;
  every_significand_of(false);
}

static void every_significand_rtl(void **state) {
  (void)state;
  every_significand_of(true);
}

/* x b = 1 modulo 2^32 */
static uint32_t inverse(uint32_t b) {
  uint32_t x = b;
  for (unsigned k = 0; k < 5; k++) x *= 2 - b * x;
  return x;
}

/* a / b = (v - n / b) / 2^24 for small n: next to a number (v even) or to a middle (v odd). */
static void near_boundary(uint64_t *random, uint32_t *a, uint32_t *b) {
  const uint32_t divisor = (uint32_t)(splitmix64(random) & 0x7fffff) | 0x800001;
  const uint64_t bits = splitmix64(random);
  const int32_t n = (int32_t)(bits % 32) - 16;
  const unsigned width = 24 + (bits >> 8) % 2;
  const uint32_t v = (uint32_t)n * inverse(divisor) & (uint32_t)((1u << width) - 1);
  const uint64_t product = (uint64_t)v * divisor - (uint64_t)(int64_t)n;
  const uint32_t dividend = (uint32_t)(product >> width);
  *b = 127u << 23 | (divisor & 0x7fffff);
  if (dividend >> 23 == 1) *a = 127u << 23 | (dividend & 0x7fffff);
}

static const uint32_t edges[] = {0,          1,          2,          0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
                                 0x3f800000, 0x3f7fffff, 0x3f800001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001,
                                 0x7e800000, 0x7e800001, 0x7effffff, 0x7f000000, 0x0c800000, 0x4b000000};
enum { EDGES = sizeof edges / sizeof *edges };

static void operands(uint64_t *random, uint32_t *a, uint32_t *b) {
  const uint64_t bits = splitmix64(random);
  const uint32_t sign = (uint32_t)bits & 0x80000000, exponent = (uint32_t)(bits >> 8) % 200;
  *a = (uint32_t)splitmix64(random);
  *b = (uint32_t)splitmix64(random);
  switch (bits % 8) {
  case 0:
  case 1:
  case 2:
    near_boundary(random, a, b);
    if (bits & 64) { /* anywhere in the range, results among the subnormal numbers too */
      *a = sign | exponent << 23 | (*a & 0x7fffff);
      *b = (exponent + 110 + (uint32_t)(bits >> 40) % 40) % 255 << 23 | (*b & 0x7fffff);
    }
    break;
  case 3:
    *a &= 0x807fffff; /* subnormal */
    break;
  case 4:
    *b &= 0x807fffff;
    break;
  case 5:
    *a = sign | edges[bits >> 16 & 15];
    *b = edges[(bits >> 20) % EDGES];
    break;
  default:
    break;
  }
}

static void quotients_of(bool rtl) {
  static uint32_t a[EXPAND_MOST], b[EXPAND_MOST];
  char name[32];
  uint64_t random = 11;
  for (unsigned k = 0; k < 8; k++) {
    struct expand_float o = operation(0, k % 4, k / 4, name);
    o.rtl = rtl;
    struct expand_machine *x = expand_float_new(&o, false);
    for (unsigned round = 0; round < 16; round++) {
      for (unsigned n = 0; n < EXPAND_MOST; n++) operands(&random, &a[n], &b[n]);
      for (unsigned n = 0; round == 0 && n < EDGES * EDGES; n++) {
        a[n] = edges[n / EDGES];
        b[n] = edges[n % EDGES] | (n % 2 ? 0x80000000 : 0);
      }
      expand_judge32(&o, x, a, b, EXPAND_MOST);
    }
    expand_free(x);
  }
  print_message("div: %u quotients in 8 forms each\n", 16 * EXPAND_MOST);
}

static void quotients(void **state) {
  (void)state;
  quotients_of(false);
}

static void quotients_rtl(void **state) {
  (void)state;
  quotients_of(true);
}

/* The approximate functions: silicon's results on its 2,048 inputs, and its checksums (tests/silicon/mufu) over 2^24
 * inputs of the whole range and over all subnormal numbers. */

static void approximate_as_silicon(void **state) {
  (void)state;
  static const char *const forms[] = {
      "div.approx.f32",  "div.full.f32",       "rcp.approx.f32",     "rcp.approx.ftz.f32",  "sqrt.approx.f32",
      "ex2.approx.f32",  "lg2.approx.f32",     "rsqrt.approx.f32",   "sin.approx.f32",      "cos.approx.f32",
      "tanh.approx.f32", "ex2.approx.ftz.f32", "lg2.approx.ftz.f32", "rsqrt.approx.ftz.f32"};
  for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) expand_float_silicon(SILICON_DIR, forms[k]);
}

/* `part`: two hexadecimal digits or "sparse". */
static uint64_t recorded(const char *form, const char *part) {
  char line[128], name[64], key[16], sum[32];
  FILE *f = form_file_open(SILICON_DIR "/mufu/checksums.txt");
  if (!f) fail_msg("cannot read the checksums");
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, "%63s %15s %31s", name, key, sum) != 3 || strcmp(name, form) != 0 || strcmp(key, part) != 0)
      continue;
    fclose(f);
    return strtoull(sum, NULL, 16);
  }
  fclose(f);
  fail_msg("no checksum of %s %s", form, part);
  return 0;
}

/* FNV-1a over 2^24 results, as tests/silicon/mufu/SPEC.md says. */
static void checksum(const char *form, const char *part) {
  static uint32_t x[EXPAND_MOST], y[EXPAND_MOST];
  const bool sparse = strcmp(part, "sparse") == 0;
  const uint32_t first = sparse ? 0 : (uint32_t)strtoul(part, NULL, 16) << 24;
  const struct expand_float o = expand_float_named(form);
  struct expand_machine *m = expand_float_new(&o, false);
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (uint32_t n = 0; n < 1u << 24; n += EXPAND_MOST) {
    for (uint32_t i = 0; i < EXPAND_MOST; i++) x[i] = sparse ? (n + i) << 8 | ((n + i) & 255) : first + n + i;
    expand_apply(m, x, NULL, y, EXPAND_MOST);
    for (unsigned i = 0; i < EXPAND_MOST; i++) h = (h ^ y[i]) * UINT64_C(0x100000001b3);
  }
  expand_free(m);
  if (h != recorded(form, part)) fail_msg("%s, %s: wrong results among 2^24", form, part);
}

/* Where the scaled forms differ from the unit: 00 and 80 hold the subnormal numbers, 7e the largest, c2 -126. */
static void checksums(void **state) {
  (void)state;
  static const char *const forms[] = {"rcp.approx.f32", "rsqrt.approx.f32", "sqrt.approx.f32", "ex2.approx.f32",
                                      "lg2.approx.f32"};
  for (unsigned f = 0; f < 5; f++) {
    checksum(forms[f], "sparse");
    if (f != 2) checksum(forms[f], f == 3 ? "c2" : "00");
  }
  checksum("rcp.approx.f32", "7e");
  checksum("lg2.approx.f32", "80");
}

static void all_checksums(void **state) {
  (void)state;
  static const char *const forms[] = {"rcp.approx.f32", "rsqrt.approx.f32", "sqrt.approx.f32",    "ex2.approx.f32",
                                      "lg2.approx.f32", "tanh.approx.f32",  "sin.approx.ftz.f32", "cos.approx.ftz.f32"};
  for (unsigned f = 0; f < 8; f++) {
    for (unsigned top = 0; top < 256; top++) {
      char part[8];
      snprintf(part, sizeof part, "%02x", top);
      checksum(forms[f], part);
    }
    print_message("%s: all 2^32 inputs\n", forms[f]);
  }
}

/* tests_ptx expand_f32 [all | special]: `special` takes hours. */
int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest all[] = {cmocka_unit_test(every_significand), cmocka_unit_test(every_significand_rtl)};
  const struct CMUnitTest special[] = {cmocka_unit_test(all_checksums)};
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_silicon), cmocka_unit_test(quotients),
                                     cmocka_unit_test(quotients_rtl), cmocka_unit_test(approximate_as_silicon),
                                     cmocka_unit_test(checksums)};
  if (argc > 1 && strcmp(argv[1], "all") == 0) return cmocka_run_group_tests(all, NULL, NULL);
  if (argc > 1 && strcmp(argv[1], "special") == 0) return cmocka_run_group_tests(special, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
