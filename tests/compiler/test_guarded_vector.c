/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector loads under a guard: elements keep what they were where it is false, also when they are the address, share
 * registers with a later one, or are wider than what is read of them; and a load that brings them into place needs no
 * moves behind it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/compiler/select_run.h"
#include "tests/compiler/select_text.h"
#include "tests/test.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(twice), cmocka_unit_test(no_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
