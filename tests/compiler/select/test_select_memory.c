/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores, vectors of them under guards, atomics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/compiler/select/select_run.h"
#include "tests/compiler/select/select_text.h"
#include "tests/test.h"

/* Vector loads under a guard: elements keep what they were where it is false, also when they are the address, share
 * registers with a later one, or are wider than what is read of them; and a load that brings them into place needs no
 * moves behind it. */

enum { OUT = 64, OLD = 1000 };

/* Threads divisible by three load. Element k of a thread was OLD + k before. */
static void values(void **state) {
  (void)state;
  for (unsigned c = 0; c < 16; c++) {
    const unsigned n = c & 1 ? 4 : 2, bytes = c & 2 && n == 2 ? 8 : 4, level = c >> 2 & 1, onto_address = c >> 3;
    static uint8_t memory[THREADS * RECORD], before[THREADS * RECORD];
    struct text t = {{0}};
    const char *r = bytes == 8 ? "%d" : "%r";
    if (onto_address && bytes == 4) continue;
    for (unsigned k = 0; k < sizeof memory; k++) memory[k] = some_byte(k);
    memcpy(before, memory, sizeof before);
    say(&t, "%s", HEAD "rem.u32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0; mov.u64 %d8, %d0;\n");
    for (unsigned k = 0; k < n; k++) say(&t, "mov.b%u %s%u, %u;\n", 8 * bytes, r, 2 + k, OLD + k);
    if (onto_address) say(&t, "mov.u64 %%d2, %%d0;\n");
    say(&t, "@%%p1 ld.global.v%u.b%u {", n, 8 * bytes);
    for (unsigned k = 0; k < n; k++) say(&t, "%s%s%u", k ? ", " : "", r, 2 + k);
    say(&t, "}, [%s];\n", onto_address ? "%d2" : "%d0");
    for (unsigned k = 0; k < n; k++) say(&t, "st.global.b%u [%%d8+%u], %s%u;\n", 8 * bytes, OUT + k * bytes, r, 2 + k);
    say(&t, "ret; }\n");
    text_run(&t, level, memory);
    for (unsigned i = 0; i < THREADS; i++)
      for (unsigned k = 0; k < n; k++) {
        uint64_t want = i % 3 == 0 ? get_le(before + i * RECORD + k * bytes, bytes) : OLD + k;
        if (onto_address && k == 0 && i % 3 != 0) want = BASE + i * RECORD;
        const uint64_t got = get_le(memory + i * RECORD + OUT + k * bytes, bytes);
        if (got != want)
          fail_msg("thread %u, element %u: %llx, not %llx\n%s", i, k, (unsigned long long)got, (unsigned long long)want,
                   t.s);
      }
  }
}

/* One register for several elements: the last one stays. */
static void twice(void **state) {
  (void)state;
  for (unsigned level = 0; level <= 1; level++) {
    static uint8_t memory[THREADS * RECORD];
    struct text t = {{0}};
    for (unsigned k = 0; k < sizeof memory; k++) memory[k] = some_byte(k);
    say(&t, "%s",
        HEAD "rem.u32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 1000; mov.u32 %r3, 1001;\n"
             "@%p1 ld.global.v4.b32 {%r2, %r3, %r2, %r3}, [%d0];\n"
             "st.global.v2.b32 [%d0+64], {%r2, %r3};\nret; }\n");
    text_run(&t, level, memory);
    for (unsigned i = 0; i < THREADS; i++)
      for (unsigned k = 0; k < 2; k++) {
        const uint64_t want = i % 3 ? OLD + k : get_le(memory + i * RECORD + 8 + 4 * k, 4);
        assert_int_equal(get_le(memory + i * RECORD + OUT + 4 * k, 4), want);
      }
  }
}

/* Zeros, a guarded load of four, a store of four: of moves only the zeros are left. */
static void no_moves(void **state) {
  static const char text[] =
      HEAD "setp.lt.u32 %p1, %r0, 7; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0; mov.b32 %r5, 0;\n"
           "@%p1 ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%d0];\n"
           "st.global.v4.b32 [%d0+64], {%r2, %r3, %r4, %r5};\nret; }\n";
  unsigned moves = 0;
  (void)state;
  struct heddle_program *p = select_compile(text, 1, "no_moves");
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    moves += heddle_isa_decode(heddle_program_word(p, pc), &d) && d.op == ISA_OP_MOV;
  }
  heddle_program_free(p);
  assert_int_equal(moves, 4);
}

/* Loads and stores of every type, vector and space, from PTX, against plain C. */

struct type {
  const char *name;
  unsigned bytes;
  bool is_signed;
};
static const struct type types[] = {{"u8", 1, false},  {"s8", 1, true},   {"b8", 1, false},  {"u16", 2, false},
                                    {"s16", 2, true},  {"u32", 4, false}, {"s32", 4, true},  {"f32", 4, false},
                                    {"u64", 8, false}, {"s64", 8, true},  {"f64", 8, false}, {"b64", 8, false}};

/* The register of a loaded element, and what stores it as 64 bits at [%d0+64+8k]. */
static const char *register_of(const struct type *t) {
  return t->bytes == 8 ? "%d" : t->bytes == 4 ? "%r" : "%h";
}

static void keep_element(struct text *t, const struct type *type, unsigned k) {
  const char sign = type->is_signed ? 's' : 'u';
  if (type->bytes == 8)
    say(t, "st.global.u64 [%%d0+%u], %%d%u;\n", 64 + 8 * k, 4 + k);
  else if (type->bytes == 4)
    say(t, "cvt.%c64.%c32 %%d%u, %%r%u; st.global.u64 [%%d0+%u], %%d%u;\n", sign, sign, 4 + k, 4 + k, 64 + 8 * k,
        4 + k);
  else
    say(t, "cvt.%c64.%c16 %%d%u, %%h%u; st.global.u64 [%%d0+%u], %%d%u;\n", sign, sign, 4 + k, 4 + k, 64 + 8 * k,
        4 + k);
}

static void say_vector(struct text *t, const struct type *type, unsigned vector) {
  say(t, vector > 1 ? "{" : "");
  for (unsigned k = 0; k < vector; k++) say(t, "%s%s%u", k ? ", " : "", register_of(type), 4 + k);
  say(t, vector > 1 ? "}" : "");
}

static uint64_t element(const uint8_t *bytes, const struct type *type) {
  uint64_t v = get_le(bytes, type->bytes);
  unsigned shift = 64 - 8 * type->bytes;
  return type->is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v;
}

/* The record's first 64 bytes go to the space by words; then a load of the element type at `at`. */
static void load_from(const struct space *s, const struct type *type, unsigned vector, unsigned at, unsigned level) {
  struct text t = {HEAD};
  uint8_t memory[THREADS * RECORD];
  for (unsigned k = 0; k < sizeof memory; k++) memory[k] = some_byte(k);
  say(&t, "%s\n", s->setup);
  for (unsigned k = 0; k < 64; k += 4)
    say(&t, "ld.global.b32 %%r1, [%%d0+%u]; st%s.b32 [%%d1+%u], %%r1;\n", k, s->word, k);
  const char *v = vector == 1 ? "" : vector == 2 ? ".v2" : ".v4";
  say(&t, "ld%s%s.%s ", s->word, v, type->name);
  say_vector(&t, type, vector);
  say(&t, ", [%%d1+%u];\n", at);
  for (unsigned k = 0; k < vector; k++) keep_element(&t, type, k);
  say(&t, "ret; }\n");
  text_run(&t, level, memory);
  for (unsigned n = 0; n < THREADS; n++)
    for (unsigned k = 0; k < vector; k++) {
      uint64_t want = element(memory + n * RECORD + at + k * type->bytes, type);
      if (get_le(memory + n * RECORD + 64 + 8 * k, 8) != want) fail_msg("thread %u, element %u of\n%s", n, k, t.s);
    }
}

/* Elements from the record, stored to the space (full of zeros), which goes back to the record by words. */
static void store_to(const struct space *s, const struct type *type, unsigned vector, unsigned at, unsigned level) {
  struct text t = {HEAD};
  uint8_t memory[THREADS * RECORD], before[THREADS * RECORD];
  for (unsigned k = 0; k < sizeof memory; k++) memory[k] = before[k] = some_byte(k);
  for (unsigned k = 0; k < vector; k++)
    say(&t, "ld.global.b%u %s%u, [%%d0+%u];\n", type->bytes == 1 ? 16 : 8 * type->bytes, register_of(type), 4 + k,
        8 * k);
  say(&t, "%s\nmov.u32 %%r1, 0;\n", s->setup);
  for (unsigned k = 0; k < 64; k += 4) say(&t, "st%s.b32 [%%d1+%u], %%r1;\n", s->word, k);
  say(&t, "st%s%s.%s [%%d1+%u], ", s->word, vector == 1 ? "" : vector == 2 ? ".v2" : ".v4", type->name, at);
  say_vector(&t, type, vector);
  say(&t, ";\n");
  for (unsigned k = 0; k < 64; k += 4)
    say(&t, "ld%s.b32 %%r1, [%%d1+%u]; st.global.b32 [%%d0+%u], %%r1;\n", s->word, k, 64 + k);
  say(&t, "ret; }\n");
  text_run(&t, level, memory);
  for (unsigned n = 0; n < THREADS; n++) {
    uint8_t want[64] = {0};
    for (unsigned k = 0; k < vector; k++) memcpy(want + at + k * type->bytes, before + n * RECORD + 8 * k, type->bytes);
    if (memcmp(memory + n * RECORD + 64, want, 64) != 0) fail_msg("thread %u of\n%s", n, t.s);
  }
}

static void loads_and_stores(void **state) {
  (void)state;
  for (unsigned s = 0; s < SPACES; s++)
    for (unsigned k = 0; k < sizeof types / sizeof *types; k++)
      for (unsigned vector = 1; vector <= 4 && vector * types[k].bytes <= 16; vector *= 2) {
        if (text_spaces[s].word[0] == '.' && text_spaces[s].word[1] == 'r' && vector > 1)
          continue; /* .relaxed: numbers alone */
        load_from(&text_spaces[s], &types[k], vector, 16, k & 1);
        store_to(&text_spaces[s], &types[k], vector, 16, ~k & 1);
      }
}

/* Constants and parameters, at places known and not. */
static void banks(void **state) {
  static const uint8_t table[32] = {1,  2,  3,  4,  5,  6,  7,  8,  129, 130, 131, 132, 133, 134, 135, 136,
                                    17, 18, 19, 20, 21, 22, 23, 24, 225, 226, 227, 228, 229, 230, 231, 232};
  (void)state;
  for (unsigned where = 0; where < 3; where++)
    for (unsigned k = 0; k < sizeof types / sizeof *types; k++) {
      const bool param = where == 1, known = where > 0;
      struct text t = {HEAD};
      uint8_t memory[THREADS * RECORD] = {0};
      if (known)
        say(&t, "ld.%s.%s %s4, [%s+8];\n", param ? "param" : "const", types[k].name, register_of(&types[k]),
            param ? "block" : "table");
      else
        say(&t,
            "and.b32 %%r1, %%r0, 1; mov.u64 %%d1, table; mad.wide.u32 %%d1, %%r1, 16, %%d1; ld.const.%s %s4, "
            "[%%d1+8];\n",
            types[k].name, register_of(&types[k]));
      keep_element(&t, &types[k], 0);
      say(&t, "ret; }\n");
      text_run(&t, k & 1, memory);
      for (unsigned n = 0; n < THREADS; n++) {
        uint8_t bytes[8];
        for (unsigned b = 0; b < 8; b++)
          bytes[b] = param ? text_param(8 + b) : table[(known ? 8 : 8 + 16 * (n & 1)) + b];
        if (get_le(memory + n * RECORD + 64, 8) != element(bytes, &types[k])) fail_msg("thread %u of\n%s", n, t.s);
      }
    }
}

/* Atomics of every operation and type, in every space, with and without a result, from PTX, against plain C. */

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(values),          cmocka_unit_test(twice),
                                     cmocka_unit_test(no_moves),        cmocka_unit_test(loads_and_stores),
                                     cmocka_unit_test(banks),           cmocka_unit_test(atomics_alone),
                                     cmocka_unit_test(atomics_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
