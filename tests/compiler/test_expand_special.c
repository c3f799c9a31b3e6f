/* SPDX-License-Identifier: Apache-2.0
 * The approximate functions: silicon's results on its 2,048 inputs, and its checksums (tests/silicon/mufu) over 2^24
 * inputs of the whole range and over all subnormal numbers. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"
#include "tests/compiler/expand_float.h"

static void as_silicon(void **state) {
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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest quick[] = {cmocka_unit_test(as_silicon), cmocka_unit_test(checksums)};
  const struct CMUnitTest all[] = {cmocka_unit_test(all_checksums)};
  if (argc > 1 && strcmp(argv[1], "all") == 0) return cmocka_run_group_tests(all, NULL, NULL);
  return cmocka_run_group_tests(quick, NULL, NULL);
}
