/* SPDX-License-Identifier: Apache-2.0
 * The kernels' inputs and what they must leave behind; of the larger ones against something else that knows: published
 * digests, definitions in double precision, what the programs of the byte code are for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "firmware/kernels/case.h"
#include "firmware/kernels/fft_table.h"
#include "firmware/kernels/host/vm_host.h"
#include "firmware/kernels/kernels.h"
#include "tests/test.h"

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

/* ---- the larger ones */

static struct kernel_case *prepared_by_name(const char *name) {
  return prepared(kernel_find(name), KERNEL_PTX, 11, 0);
}

static const float *before(const struct kernel_case *c, unsigned buffer) {
  return (const float *)(const void *)c->buffer[buffer].init;
}

static const float *after(const struct kernel_case *c, unsigned buffer) {
  return (const float *)(const void *)c->buffer[buffer].expect;
}

static float float_argument(const struct kernel_launch *l, unsigned k) {
  const uint32_t bits = (uint32_t)l->arg[k].scalar;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static void near(double got, double want, double error, const char *what) {
  if (!(fabs(got - want) <= error)) fail_msg("%s: %.9g instead of %.9g", what, got, want);
}

/* FIPS 180-4's "abc", and nothing at all. */
static void digests(void **state) {
  (void)state;
  static const char *const want[2] = {"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                                      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"};
  struct kernel_case *c = prepared_by_name("sha256");
  for (unsigned i = 0; i < 64; i++) {
    char digits[3] = {want[i / 32][2 * (i % 32)], want[i / 32][2 * (i % 32) + 1], 0};
    assert_int_equal(c->buffer[2].expect[i], strtoul(digits, NULL, 16));
  }
  done(c);
}

static void product(const struct kernel_case *c, const struct kernel_launch *l) {
  const unsigned to = l->arg[2].buffer;
  const uint32_t m = (uint32_t)l->arg[3].scalar, n = (uint32_t)l->arg[4].scalar, k = (uint32_t)l->arg[5].scalar;
  const double alpha = float_argument(l, 6), beta = float_argument(l, 7);
  for (uint32_t y = 0; y < m; y++)
    for (uint32_t x = 0; x < n; x++) {
      double sum = 0.0;
      for (uint32_t i = 0; i < k; i++) sum += (double)before(c, 0)[y * k + i] * before(c, 1)[i * n + x];
      const double old = beta != 0.0 ? beta * before(c, to)[y * n + x] : 0.0;
      near(after(c, to)[y * n + x], alpha * sum + old, 1e-5, "sgemm8x8");
    }
}

/* Both ways through the kernel: sizes that nothing divides; a whole tile with edges beside it, with and without C. */
static void products(void **state) {
  (void)state;
  struct kernel_case *c = prepared_by_name("sgemm8x8");
  assert_int_equal(c->launches, 3);
  for (unsigned i = 0; i < c->launches; i++) {
    const struct kernel_launch *l = &c->launch[i];
    const uint32_t m = (uint32_t)l->arg[3].scalar, n = (uint32_t)l->arg[4].scalar, k = (uint32_t)l->arg[5].scalar;
    if (i == 0) assert_true(m % 64 != 0 && n % 4 != 0 && k % 8 != 0);
    if (i > 0) assert_true(m > 64 && n > 64 && m % 64 != 0 && n % 64 != 0 && n % 4 == 0 && k % 8 == 0);
    assert_true((float_argument(l, 7) == 0.0f) == (i == 2));
    product(c, l);
  }
  done(c);
}

static void accelerations(void **state) {
  (void)state;
  struct kernel_case *c = prepared_by_name("nbody");
  const uint32_t n = (uint32_t)c->launch[0].arg[3].scalar;
  const double dt = float_argument(&c->launch[0], 4), softening = float_argument(&c->launch[0], 5);
  const float *at = before(c, 0), *speed = before(c, 1), *next = after(c, 3);
  for (uint32_t i = 0; i < n; i++)
    for (unsigned axis = 0; axis < 3; axis++) {
      double pull = 0.0;
      for (uint32_t j = 0; j < n; j++) {
        double square = softening;
        for (unsigned k = 0; k < 3; k++) square += pow((double)at[4 * j + k] - at[4 * i + k], 2);
        pull += ((double)at[4 * j + axis] - at[4 * i + axis]) * at[4 * j + 3] * pow(square, -1.5);
      }
      near(next[4 * i + axis], at[4 * i + axis] + (speed[4 * i + axis] + pull * dt) * dt, 2e-6, "nbody");
    }
  done(c);
}

static double normal(double d) {
  return 0.5 * erfc(-d / sqrt(2.0));
}

static void prices(void **state) {
  (void)state;
  struct kernel_case *c = prepared_by_name("blackscholes");
  const uint32_t n = (uint32_t)c->launch[0].arg[5].scalar;
  const double r = float_argument(&c->launch[0], 6), v = float_argument(&c->launch[0], 7);
  for (uint32_t i = 0; i < n; i++) {
    const double s = before(c, 0)[i], x = before(c, 1)[i], t = before(c, 2)[i];
    const double d1 = (log(s / x) + (r + v * v / 2) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
    const double call = s * normal(d1) - x * exp(-r * t) * normal(d2);
    near(after(c, 3)[i], call, 1e-4, "call"); /* the distribution's polynomial is good to 7.5e-8 of 100 */
    near(after(c, 4)[i], call - s + x * exp(-r * t), 1e-4, "put");
  }
  done(c);
}

static void fourier(void **state) {
  (void)state;
  static const float cosine[FFT_POINTS] = {FFT_COSINES};
  const double turn = 2 * acos(-1.0) / FFT_POINTS;
  for (unsigned k = 0; k < FFT_POINTS; k++)
    if (cosine[k] != (float)cos(turn * k)) near(cosine[k], cos(turn * k), 1e-15, "cosine"); /* zeros */
  struct kernel_case *c = prepared_by_name("fft");
  const float *in = before(c, 0), *there = after(c, 1), *back = after(c, 2);
  for (unsigned k = 0; k < FFT_POINTS; k++) {
    double re = 0.0, im = 0.0;
    for (unsigned i = 0; i < FFT_POINTS; i++) {
      const double w = -turn * (i * k % FFT_POINTS);
      re += in[2 * i] * cos(w) - in[2 * i + 1] * sin(w);
      im += in[2 * i] * sin(w) + in[2 * i + 1] * cos(w);
    }
    near(there[2 * k], re, 2e-5, "forwards, real");
    near(there[2 * k + 1], im, 2e-5, "forwards, imaginary");
  }
  for (unsigned k = 0; k < 2 * FFT_POINTS; k++) near(back[k], in[k], 1e-6, "there and back");
  done(c);
}

/* ---- byte code: by what it is for ---- */

static uint32_t run(unsigned program, const uint32_t input[VM_INPUTS], uint32_t out[3]) {
  uint8_t code[VM_PROGRAM_BYTES] = {0};
  assert_true(vm_assemble(vm_programs[program], code) < VM_PROGRAM_BYTES);
  vm_run(code, input, out);
  return out[1] & 0xff;
}

static uint32_t answer(unsigned program, const uint32_t input[VM_INPUTS]) {
  uint32_t out[3];
  assert_int_equal(run(program, input, out), VM_DONE);
  return out[0];
}

static uint32_t crc32(uint32_t word) {
  uint32_t crc = UINT32_MAX;
  for (unsigned byte = 0; byte < 4; byte++) {
    crc ^= word >> 8 * byte & 0xff;
    for (unsigned bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

static void programs(void **state) {
  (void)state;
  const uint32_t in[VM_INPUTS] = {84, 36, 700, 9, 0xfffffff0u, 1000, 3, 40};
  assert_int_equal(answer(0, in), 84 / 12);
  assert_int_equal(answer(1, (const uint32_t[VM_INPUTS]){6}), 8);
  assert_int_equal(answer(2, (const uint32_t[VM_INPUTS]){6}), 16); /* 7 22 11 34 17 52 26 13 40 20 10 5 16 8 4 2 1 */
  assert_int_equal(answer(3, (const uint32_t[VM_INPUTS]){0x34333231}), 0x9be3e0a3); /* of "1234" */
  assert_int_equal(crc32(0x34333231), 0x9be3e0a3);
  assert_int_equal(answer(3, in), crc32(84));
  assert_int_equal(answer(4, in), 0xfffffff0u - 3);
  assert_int_equal(answer(7, (const uint32_t[VM_INPUTS]){35}), 5);
  assert_int_equal(answer(7, (const uint32_t[VM_INPUTS]){37}), 1);
  double x = (84 & 0xffff) / 65536.0, y = 0.0;
  for (unsigned i = 0; i < VM_INPUTS; i++) y = y * x + ((int32_t)in[i] >> 16);
  near((int32_t)answer(5, in), fabs(y), 1.0, "polynomial");
}

static void failures(void **state) {
  (void)state;
  static const enum vm_end want[] = {VM_OVERFLOW,   VM_UNDERFLOW,  VM_CALL_DEPTH,
                                     VM_CALL_DEPTH, VM_BAD_OPCODE, VM_NO_FUEL};
  const uint32_t in[VM_INPUTS] = {0};
  uint32_t out[3];
  for (unsigned k = 0; k < 6; k++) assert_int_equal(run(8 + k, in, out), want[k]);
  assert_int_equal(out[1] >> 8, VM_FUEL);
}

/* Every opcode stands in some program. */
static void opcodes(void **state) {
  (void)state;
#define BYTES(name, bytes) bytes,
  static const unsigned operand[VM_OPCODES] = {VM_OPS(BYTES)};
  bool used[VM_OPCODES] = {false};
  for (unsigned p = 0; p < VM_PROGRAMS; p++) {
    uint8_t code[VM_PROGRAM_BYTES];
    const size_t n = vm_assemble(vm_programs[p], code);
    for (size_t at = 0; at < n; at += 1 + (code[at] < VM_OPCODES ? operand[code[at]] : 0))
      if (code[at] < VM_OPCODES) used[code[at]] = true;
  }
  for (unsigned k = 0; k < VM_OPCODES; k++)
    if (!used[k]) fail_msg("no program has opcode %u", k);
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
                                     cmocka_unit_test(building_blocks),
                                     cmocka_unit_test(digests),
                                     cmocka_unit_test(products),
                                     cmocka_unit_test(accelerations),
                                     cmocka_unit_test(prices),
                                     cmocka_unit_test(fourier),
                                     cmocka_unit_test(programs),
                                     cmocka_unit_test(failures),
                                     cmocka_unit_test(opcodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
