/* SPDX-License-Identifier: Apache-2.0
 * The kernels' inputs and what they must leave behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels.h"

static float as_float(const uint8_t *p) {
  float f;
  memcpy(&f, p, sizeof f);
  return f;
}

static uint32_t as_word(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static bool same_case(const struct kernel_case *a, const struct kernel_case *b) {
  if (memcmp(a->grid, b->grid, sizeof a->grid) != 0 || a->args != b->args) return false;
  for (unsigned i = 0; i < a->args; i++) {
    const struct kernel_arg *x = &a->arg[i], *y = &b->arg[i];
    if (x->is_buffer != y->is_buffer || x->bytes != y->bytes || x->scalar != y->scalar) return false;
    if (x->is_buffer && (memcmp(x->init, y->init, x->bytes) != 0 || memcmp(x->expect, y->expect, x->bytes) != 0))
      return false;
  }
  return true;
}

/* The same seed gives the same case, another one another; a launch has more blocks than one. */
static void seeds(void **state) {
  (void)state;
  for (const struct kernel_info *k = kernel_table; k->name != NULL; k++) {
    struct kernel_case a = {0}, b = {0}, c = {0};
    assert_true(kernel_prepare(k, 5, 0, &a) && kernel_prepare(k, 5, 0, &b) && kernel_prepare(k, 6, 0, &c));
    if (!same_case(&a, &b)) fail_msg("%s: the same seed gives two cases", k->name);
    if (same_case(&a, &c)) fail_msg("%s: two seeds give the same case", k->name);
    if (a.grid[0] * a.grid[1] * a.grid[2] < 2) fail_msg("%s: a grid of one block", k->name);
    kernel_case_clear(&a);
    kernel_case_clear(&b);
    kernel_case_clear(&c);
  }
}

/* What a kernel has to change differs before and after: a kernel that does nothing fails. */
static void doing_nothing_fails(void **state) {
  (void)state;
  for (const struct kernel_info *k = kernel_table; k->name != NULL; k++) {
    struct kernel_case c = {0};
    bool any = false;
    assert_true(kernel_prepare(k, 1, 0, &c));
    for (unsigned i = 0; i < c.args; i++) {
      size_t at = 0;
      if (c.arg[i].is_buffer && !kernel_matches(&c.arg[i], c.arg[i].init, &at)) any = true;
    }
    if (!any) fail_msg("%s: memory as it was before is accepted", k->name);
    kernel_case_clear(&c);
  }
}

static void matching_finds_the_byte(void **state) {
  (void)state;
  uint8_t expect[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, got[16];
  struct kernel_arg a = {.is_buffer = true, .expect = expect, .bytes = sizeof expect, .compare = KERNEL_EXACT};
  size_t at = 99;
  memcpy(got, expect, sizeof got);
  assert_true(kernel_matches(&a, got, &at));
  got[9] ^= 0x40;
  assert_false(kernel_matches(&a, got, &at));
  assert_int_equal(at, 9);
}

static void permutations_match_in_any_order(void **state) {
  (void)state;
  uint8_t expect[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0};
  uint8_t turned[16] = {3, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0};
  uint8_t other[16] = {3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0};
  struct kernel_arg a = {.is_buffer = true, .expect = expect, .bytes = sizeof expect, .compare = KERNEL_PERMUTATION};
  size_t at = 0;
  assert_true(kernel_matches(&a, turned, &at));
  assert_false(kernel_matches(&a, other, &at));
}

/* Sampled against the definition, written once more here. */
static void vector_addition(void **state) {
  (void)state;
  struct kernel_case c = {0};
  assert_true(kernel_prepare(kernel_find("vecadd"), 3, 0, &c));
  const size_t n = c.arg[3].scalar;
  assert_int_equal(c.arg[0].bytes, 4 * n);
  assert_true(n % c.block[0] != 0); /* the last block is not full */
  for (size_t i = 0; i < n; i += 7) {
    const float want = as_float(c.arg[0].init + 4 * i) + as_float(c.arg[1].init + 4 * i);
    assert_memory_equal(&want, c.arg[2].expect + 4 * i, 4);
  }
  kernel_case_clear(&c);
}

static void permutation_by_index(void **state) {
  (void)state;
  struct kernel_case c = {0};
  assert_true(kernel_prepare(kernel_find("permute"), 3, 0, &c));
  unsigned checked = 0;
  for (unsigned to = 0; to < c.args; to++) { /* whichever buffer is written: a[i] = b[c[i]] */
    if (!c.arg[to].is_buffer || memcmp(c.arg[to].init, c.arg[to].expect, c.arg[to].bytes) == 0) continue;
    for (unsigned b = 0; b < c.args; b++)
      for (unsigned x = 0; x < c.args; x++) {
        if (b == to || x == to || b == x || !c.arg[b].is_buffer || !c.arg[x].is_buffer) continue;
        const size_t n = c.arg[to].bytes / 4;
        bool fits = true;
        for (size_t i = 0; i < n && fits; i++) {
          const uint32_t at = as_word(c.arg[x].init + 4 * i);
          fits =
              at < c.arg[b].bytes / 4 && as_word(c.arg[to].expect + 4 * i) == as_word(c.arg[b].init + 4 * (size_t)at);
        }
        checked += fits;
      }
  }
  assert_int_equal(checked, 1);
  kernel_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(seeds),
                                     cmocka_unit_test(doing_nothing_fails),
                                     cmocka_unit_test(matching_finds_the_byte),
                                     cmocka_unit_test(permutations_match_in_any_order),
                                     cmocka_unit_test(vector_addition),
                                     cmocka_unit_test(permutation_by_index)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
