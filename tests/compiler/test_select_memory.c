/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores of every type, vector and space, from PTX, against plain C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select_text.h"
#include "tests/test.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_and_stores), cmocka_unit_test(banks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
