/* SPDX-License-Identifier: Apache-2.0
 * The kernels' inputs and what they must leave behind. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "firmware/kernels/case.h"

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

static bool same_launch(const struct kernel_launch *x, const struct kernel_launch *y) {
  if (strcmp(x->entry, y->entry) != 0 || x->args != y->args) return false;
  if (memcmp(x->grid, y->grid, sizeof x->grid) != 0 || memcmp(x->block, y->block, sizeof x->block) != 0) return false;
  for (unsigned i = 0; i < x->args; i++) {
    const struct kernel_arg *a = &x->arg[i], *b = &y->arg[i];
    if (a->kind != b->kind || a->buffer != b->buffer || a->scalar != b->scalar || a->bytes != b->bytes) return false;
  }
  return true;
}

static bool same_case(const struct kernel_case *a, const struct kernel_case *b) {
  if (a->launches != b->launches || a->buffers != b->buffers) return false;
  for (unsigned i = 0; i < a->launches; i++)
    if (!same_launch(&a->launch[i], &b->launch[i])) return false;
  for (unsigned i = 0; i < a->buffers; i++) {
    const struct kernel_buffer *x = &a->buffer[i], *y = &b->buffer[i];
    if (x->bytes != y->bytes || x->compare != y->compare || memcmp(x->init, y->init, x->bytes) != 0 ||
        memcmp(x->expect, y->expect, x->bytes) != 0)
      return false;
  }
  return true;
}

static void each_case(void (*look)(const struct kernel_info *k, enum kernel_form form)) {
  for (const struct kernel_info *k = kernel_table; k->name != NULL; k++)
    for (unsigned f = 0; f < KERNEL_FORMS; f++)
      if (kernel_has(k, (enum kernel_form)f)) look(k, (enum kernel_form)f);
}

static struct kernel_case *prepared(const struct kernel_info *k, enum kernel_form form, uint64_t seed, unsigned scale) {
  struct kernel_case *c = malloc(sizeof *c);
  assert_non_null(c);
  assert_true(kernel_prepare(k, form, seed, scale, c));
  return c;
}

static void done(struct kernel_case *c) {
  kernel_case_clear(c);
  free(c);
}

static void look_at_seeds(const struct kernel_info *k, enum kernel_form form) {
  struct kernel_case *a = prepared(k, form, 5, 0), *b = prepared(k, form, 5, 0), *c = prepared(k, form, 6, 0);
  if (!same_case(a, b)) fail_msg("%s: the same seed gives two cases", k->name);
  if (same_case(a, c)) fail_msg("%s: two seeds give the same case", k->name);
  uint32_t blocks = 0;
  for (unsigned i = 0; i < a->launches; i++) {
    const uint32_t *g = a->launch[i].grid;
    if (g[0] * g[1] * g[2] > blocks) blocks = g[0] * g[1] * g[2];
  }
  if (blocks < 2) fail_msg("%s: never more than one block", k->name);
  done(a);
  done(b);
  done(c);
}

/* The same seed gives the same case, another one another; some launch has more blocks than one. */
static void seeds(void **state) {
  (void)state;
  each_case(look_at_seeds);
}

/* Launches take buffers that exist, at both sizes. */
static void look_at_launches(const struct kernel_info *k, enum kernel_form form) {
  for (unsigned scale = 0; scale <= 1; scale++) {
    struct kernel_case *c = prepared(k, form, 7, scale);
    if (c->launches == 0) fail_msg("%s: no launch", k->name);
    for (unsigned i = 0; i < c->launches; i++)
      for (unsigned n = 0; n < c->launch[i].args; n++) {
        const struct kernel_arg *a = &c->launch[i].arg[n];
        if (a->kind == KERNEL_ARG_BUFFER && a->buffer >= c->buffers) fail_msg("%s: argument %u", k->name, n);
      }
    done(c);
  }
}

static void launches(void **state) {
  (void)state;
  each_case(look_at_launches);
}

/* What is read only stays as it is; something else differs before and after: a kernel that does nothing fails. */
static void look_at_changes(const struct kernel_info *k, enum kernel_form form) {
  struct kernel_case *c = prepared(k, form, 1, 0);
  bool any = false;
  for (unsigned i = 0; i < c->buffers; i++) {
    size_t at = 0;
    const bool same = kernel_matches(&c->buffer[i], c->buffer[i].init, &at);
    if (c->buffer[i].read_only && !same) fail_msg("%s: read-only buffer %u is to change", k->name, i);
    any = any || !same;
  }
  if (!any) fail_msg("%s: memory as it was before is accepted", k->name);
  done(c);
}

static void doing_nothing_fails(void **state) {
  (void)state;
  each_case(look_at_changes);
}

static void matching_finds_the_byte(void **state) {
  (void)state;
  uint8_t expect[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, got[16];
  struct kernel_buffer a = {.expect = expect, .bytes = sizeof expect, .compare = KERNEL_EXACT};
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
  struct kernel_buffer a = {.expect = expect, .bytes = sizeof expect, .compare = KERNEL_PERMUTATION};
  size_t at = 0;
  assert_true(kernel_matches(&a, turned, &at));
  assert_false(kernel_matches(&a, other, &at));
}

/* Sampled against the definition, written once more here. */
static void vector_addition(void **state) {
  (void)state;
  struct kernel_case *c = prepared(kernel_find("vecadd"), KERNEL_ASM, 3, 0);
  const struct kernel_launch *l = &c->launch[0];
  const size_t n = l->arg[3].scalar;
  assert_int_equal(c->buffer[0].bytes, 4 * n);
  assert_true(n % l->block[0] != 0); /* the last block is not full */
  for (size_t i = 0; i < n; i += 7) {
    const float want = as_float(c->buffer[0].init + 4 * i) + as_float(c->buffer[1].init + 4 * i);
    assert_memory_equal(&want, c->buffer[2].expect + 4 * i, 4);
  }
  done(c);
}

/* a[i] = b[c[i]] */
static void permutation_by_index(void **state) {
  (void)state;
  struct kernel_case *c = prepared(kernel_find("permute"), KERNEL_ASM, 3, 0);
  const size_t n = c->buffer[0].bytes / 4;
  assert_true(n > 100);
  for (size_t i = 0; i < n; i++) {
    const uint32_t at = as_word(c->buffer[2].init + 4 * i);
    assert_true(at < n);
    assert_int_equal(as_word(c->buffer[0].expect + 4 * i), as_word(c->buffer[1].init + 4 * (size_t)at));
  }
  done(c);
}

/* Every word appears as often afterwards as before, and none is before a smaller one. */
static void sorted_words(void **state) {
  (void)state;
  struct kernel_case *c = prepared(kernel_find("bitonic"), KERNEL_PTX, 3, 0);
  struct kernel_buffer b = c->buffer[0];
  size_t at;
  for (size_t i = 4; i < b.bytes; i += 4) assert_true(as_word(b.expect + i - 4) <= as_word(b.expect + i));
  b.compare = KERNEL_PERMUTATION;
  assert_true(kernel_matches(&b, b.init, &at));
  done(c);
}

/* Each level but the first is one more than some neighbour's, none more than one more than any neighbour's. */
static void search_levels(void **state) {
  (void)state;
  struct kernel_case *c = prepared(kernel_find("bfs"), KERNEL_PTX, 3, 0);
  const uint32_t *first = (const uint32_t *)c->buffer[0].init, *edge = (const uint32_t *)c->buffer[1].init,
                 *level = (const uint32_t *)c->buffer[2].expect;
  const uint32_t n = (uint32_t)(c->buffer[2].bytes / 4);
  bool *reached = calloc(n, sizeof *reached);
  assert_non_null(reached);
  uint32_t deepest = 0;
  for (uint32_t v = 0; v < n; v++) {
    if (level[v] == UINT32_MAX) continue;
    if (level[v] > deepest) deepest = level[v];
    for (uint32_t e = first[v]; e < first[v + 1]; e++) {
      assert_true(level[edge[e]] <= level[v] + 1);
      if (level[edge[e]] == level[v] + 1) reached[edge[e]] = true;
    }
  }
  for (uint32_t v = 1; v < n; v++) assert_true(reached[v] == (level[v] != UINT32_MAX));
  assert_true(deepest >= 4);
  assert_int_equal(c->launches, deepest + 1);
  free(reached);
  done(c);
}

static void prefix_sums(void **state) {
  (void)state;
  struct kernel_case *c = prepared(kernel_find("scan"), KERNEL_PTX, 3, 0);
  uint32_t sum = 0;
  for (size_t i = 0; i < c->buffer[1].bytes; i += 4) {
    assert_int_equal(as_word(c->buffer[1].expect + i), sum);
    sum += as_word(c->buffer[0].init + i);
  }
  assert_int_equal(as_word(c->buffer[4].expect), sum);
  done(c);
}

/* Room for a block's `__local` arguments; shapes that cover what they are asked for. */
static void building_blocks(void **state) {
  (void)state;
  struct kernel_launch l = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  launch_plane(&l, 33, 16, 16, 8);
  assert_int_equal(l.grid[0], 3);
  assert_int_equal(l.grid[1], 2);
  assert_int_equal(l.block[1], 8);
  launch_float(&l, -0.0f);
  launch_local(&l, 12);
  launch_u64(&l, UINT64_MAX);
  assert_int_equal(l.args, 3);
  assert_int_equal(l.arg[0].scalar, 0x80000000);
  assert_int_equal(l.arg[0].bytes, 4);
  assert_int_equal(l.arg[1].kind, KERNEL_ARG_LOCAL);
  assert_int_equal(l.arg[1].bytes, 12);
  assert_int_equal(l.arg[2].bytes, 8);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(seeds),
                                     cmocka_unit_test(launches),
                                     cmocka_unit_test(doing_nothing_fails),
                                     cmocka_unit_test(matching_finds_the_byte),
                                     cmocka_unit_test(permutations_match_in_any_order),
                                     cmocka_unit_test(vector_addition),
                                     cmocka_unit_test(permutation_by_index),
                                     cmocka_unit_test(sorted_words),
                                     cmocka_unit_test(search_levels),
                                     cmocka_unit_test(prefix_sums),
                                     cmocka_unit_test(building_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
