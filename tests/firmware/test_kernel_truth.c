/* SPDX-License-Identifier: Apache-2.0
 * What the host expects of the larger kernels, against something else that knows: published digests, definitions in
 * double precision, what the programs of the byte code are for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "firmware/kernels/fft_table.h"
#include "firmware/kernels/host/vm_host.h"
#include "firmware/kernels/kernels.h"

static struct kernel_case *prepared(const char *name) {
  struct kernel_case *c = malloc(sizeof *c);
  assert_non_null(c);
  assert_true(kernel_prepare(kernel_find(name), KERNEL_PTX, 11, 0, c));
  return c;
}

static void done(struct kernel_case *c) {
  kernel_case_clear(c);
  free(c);
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
  struct kernel_case *c = prepared("sha256");
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
  struct kernel_case *c = prepared("sgemm8x8");
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
  struct kernel_case *c = prepared("nbody");
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
  struct kernel_case *c = prepared("blackscholes");
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
  struct kernel_case *c = prepared("fft");
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(digests),       cmocka_unit_test(products),
                                     cmocka_unit_test(accelerations), cmocka_unit_test(prices),
                                     cmocka_unit_test(fourier),       cmocka_unit_test(programs),
                                     cmocka_unit_test(failures),      cmocka_unit_test(opcodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
