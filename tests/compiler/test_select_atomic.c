/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics of every operation and type, in every space, with and without a result, from PTX, against plain C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select_text.h"
#include "tests/test.h"

/* ---- atomics: old value and operand from the record, each thread its own place ---- */

struct atomic {
  const char *op, *type;
  uint64_t (*of)(uint64_t v, uint64_t b, uint64_t c);
};
static uint64_t add(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v + b;
}
static uint64_t min_u(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v < b ? v : b;
}
static uint64_t max_u(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v > b ? v : b;
}
static uint64_t min_s32(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, (int32_t)v < (int32_t)b ? v : b;
}
static uint64_t max_s32(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, (int32_t)v > (int32_t)b ? v : b;
}
static uint64_t min_s64(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, (int64_t)v < (int64_t)b ? v : b;
}
static uint64_t max_s64(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, (int64_t)v > (int64_t)b ? v : b;
}
static uint64_t inc(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v >= b ? 0 : v + 1;
}
static uint64_t dec(uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v == 0 || v > b ? b : v - 1;
}
static uint64_t and (uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v & b;
}
static uint64_t or (uint64_t v, uint64_t b, uint64_t c) {
  return (void)c, v | b;
}
static uint64_t xor (uint64_t v, uint64_t b, uint64_t c) { return (void)c, v ^ b; } static uint64_t
    exch(uint64_t v, uint64_t b, uint64_t c) {
  return (void)v, (void)c, b;
}
static uint64_t cas(uint64_t v, uint64_t b, uint64_t c) {
  return v == b ? c : v;
}
static uint64_t add_f32(uint64_t v, uint64_t b, uint64_t c) {
  float x, y;
  uint32_t p = (uint32_t)v, q = (uint32_t)b;
  memcpy(&x, &p, 4);
  memcpy(&y, &q, 4);
  x += y;
  memcpy(&p, &x, 4);
  return (void)c, p;
}
static uint64_t add_f64(uint64_t v, uint64_t b, uint64_t c) {
  double x, y;
  memcpy(&x, &v, 8);
  memcpy(&y, &b, 8);
  x += y;
  memcpy(&v, &x, 8);
  return (void)c, v;
}

static const struct atomic atomics[] = {
    {"add", "u32", add},     {"add", "s32", add},   {"add", "u64", add},     {"add", "f32", add_f32},
    {"add", "f64", add_f64}, {"min", "u32", min_u}, {"min", "s32", min_s32}, {"min", "u64", min_u},
    {"min", "s64", min_s64}, {"max", "u32", max_u}, {"max", "s32", max_s32}, {"max", "u64", max_u},
    {"max", "s64", max_s64}, {"inc", "u32", inc},   {"dec", "u32", dec},     {"and", "b32", and},
    {"and", "b64", and},     {"or", "b32", or },    {"or", "b64", or },      {"xor", "b32", xor},
    {"xor", "b64", xor},     {"exch", "b32", exch}, {"exch", "b64", exch},   {"cas", "b32", cas},
    {"cas", "b64", cas}};

/* Record: 0 the place, 8 and 16 the operands; 64 what came back, 72 the place afterwards (of memory that is not here).
 */
static void try_atomic(const struct atomic *a, unsigned s, bool red, unsigned level) {
  const bool wide = strcmp(a->type + 1, "64") == 0, real = a->type[0] == 'f', swap = strcmp(a->op, "cas") == 0;
  const char *r = wide ? "%d" : "%r", *bits = wide ? "b64" : "b32";
  struct text t = {HEAD};
  uint8_t memory[THREADS * RECORD], before[THREADS * RECORD];
  for (unsigned k = 0; k < sizeof memory; k++) memory[k] = (uint8_t)(some_byte(k) * (k / RECORD));
  for (unsigned n = 0; n < THREADS; n++)
    if (n & 1) memcpy(memory + n * RECORD + 8, memory + n * RECORD, 8); /* equal: for cas, inc, dec */
  for (unsigned n = 0; real && n < THREADS; n++)
    for (unsigned k = 0; k < 2; k++) {
      double d = n * 1.25 - 20 * k;
      float f = (float)d;
      memcpy(memory + n * RECORD + 8 * k, wide ? (void *)&d : (void *)&f, wide ? 8 : 4);
    }
  memcpy(before, memory, sizeof memory);
  say(&t, "%s\nld.global.%s %s4, [%%d0]; ld.global.%s %s5, [%%d0+8]; ld.global.%s %s6, [%%d0+16]; mov.%s %s7, 0;\n",
      text_spaces[s].setup, bits, r, bits, r, bits, r, bits, r);
  say(&t, "st%s.%s [%%d1+32], %s4;\n", text_spaces[s].word, bits, r);
  if (red)
    say(&t, "red%s.%s.%s [%%d1+32], %s5;\n", text_spaces[s].word, a->op, a->type, r);
  else
    say(&t, "atom%s.%s.%s %s7, [%%d1+32], %s5%s%s;\n", text_spaces[s].word, a->op, a->type, r, r, swap ? ", " : "",
        swap ? wide ? "%d6" : "%r6" : "");
  say(&t, "ld%s.%s %s8, [%%d1+32]; st.global.%s [%%d0+64], %s7; st.global.%s [%%d0+72], %s8; ret; }\n",
      text_spaces[s].word, bits, r, bits, r, bits, r);
  text_run(&t, level, memory);
  for (unsigned n = 0; n < THREADS; n++) {
    const unsigned bytes = wide ? 8 : 4;
    const uint8_t *was = before + n * RECORD, *is = memory + n * RECORD;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX, old = get_le(was, bytes);
    uint64_t want = a->of(old, get_le(was + 8, bytes), get_le(was + 16, bytes)) & mask;
    if (get_le(is + 72, bytes) != want || get_le(is + 64, bytes) != (red ? 0 : old))
      fail_msg("thread %u of\n%s", n, t.s);
  }
}

static void atomics_alone(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof atomics / sizeof *atomics; k++)
    for (unsigned s = 0; s < 4; s++) {
      try_atomic(&atomics[k], s, false, k & 1);
      if (strcmp(atomics[k].op, "exch") != 0 && strcmp(atomics[k].op, "cas") != 0)
        try_atomic(&atomics[k], s, true, ~k & 1);
    }
}

/* All threads at one place: the sum, and every value on the way once. */
static void atomics_together(void **state) {
  static const char *const places[] = {"ld.param.u64 %d1, [base];", "mov.u64 %d1, there;"};
  (void)state;
  for (unsigned s = 0; s < 2; s++) {
    struct text t = {HEAD};
    uint8_t memory[THREADS * RECORD] = {0};
    const char *word = s ? ".shared" : ".global";
    bool seen[THREADS] = {false};
    say(&t, "%s mov.u32 %%r1, 0; st%s.u32 [%%d1], %%r1; bar.sync 0; atom%s.add.u32 %%r2, [%%d1], 3; bar.sync 0;\n",
        places[s], word, word);
    say(&t, "ld%s.u32 %%r3, [%%d1]; st.global.u32 [%%d0+64], %%r2; st.global.u32 [%%d0+68], %%r3; ret; }\n", word);
    text_run(&t, 1, memory);
    for (unsigned n = 0; n < THREADS; n++) {
      uint64_t old = get_le(memory + n * RECORD + 64, 4);
      assert_int_equal(get_le(memory + n * RECORD + 68, 4), 3 * THREADS);
      assert_true(old % 3 == 0 && old / 3 < THREADS && !seen[old / 3]);
      seen[old / 3] = true;
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(atomics_alone), cmocka_unit_test(atomics_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
