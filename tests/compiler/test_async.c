/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async: bytes of every size and source size, the rest zeros; nothing behind them is read: the last thread's lie at
 * the end of memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { OUT = 64 };

/* How the number of bytes is given. */
enum how { CONSTANT, REGISTER, PREDICATE /* that holds for 0 */ };

struct form {
  const char *word;
  unsigned size;
  int given; /* bytes to read; -1: all, not said */
  enum how how;
  bool guarded; /* even threads alone */
};

static void run(const struct form *f, unsigned level) {
  static uint8_t memory[THREADS * RECORD], before[THREADS * RECORD];
  const unsigned bytes = f->given < 0 ? f->size : (unsigned)f->given;
  struct text t = {{0}};
  for (unsigned k = 0; k < sizeof memory; k++) memory[k] = some_byte(k);
  memcpy(before, memory, sizeof before);
  say(&t, "%s",
      HEAD "mov.u32 %r1, there; mad.lo.u32 %r1, %r0, 16, %r1; and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0;\n"
           "mov.b32 %r3, 0x5a5a5a5a; st.shared.v4.b32 [%r1], {%r3, %r3, %r3, %r3};\n");
  /* what is read ends where the record ends */
  say(&t,
      "mov.u32 %%r4, %u; setp.eq.u32 %%p2, %%r4, 0; add.u64 %%d1, %%d0, %u;\n%scp.async.%s.shared.global%s [%%r1], "
      "[%%d1], %u",
      bytes, RECORD - (bytes + 3) / 4 * 4, f->guarded ? "@%p1 " : "", f->word, f->how == REGISTER ? ".L2::128B" : "",
      f->size);
  if (f->given >= 0) say(&t, f->how == CONSTANT ? ", %u" : f->how == REGISTER ? ", %%r4" : ", %%p2", bytes);
  say(&t,
      ";\ncp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;\n"
      "ld.shared.v4.b32 {%%r5, %%r6, %%r7, %%r8}, [%%r1]; st.global.v4.b32 [%%d0+%u], {%%r5, %%r6, %%r7, %%r8};\n"
      "ret; }\n",
      OUT);
  text_run(&t, level, memory);
  for (unsigned i = 0; i < THREADS; i++)
    for (unsigned k = 0; k < 16; k++) {
      const uint8_t from = k < bytes ? before[i * RECORD + RECORD - (bytes + 3) / 4 * 4 + k] : 0;
      const uint8_t want = k >= f->size || (f->guarded && i % 2) ? 0x5a : from;
      if (memory[i * RECORD + OUT + k] != want)
        fail_msg("thread %u, byte %u: %x, not %x\n%s", i, k, memory[i * RECORD + OUT + k], want, t.s);
    }
}

static void copies(void **state) {
  static const unsigned sizes[] = {4, 8, 16};
  (void)state;
  for (unsigned k = 0; k < 3; k++)
    for (unsigned level = 0; level <= 1; level++)
      for (unsigned guarded = 0; guarded <= 1; guarded++) {
        run(&(struct form){sizes[k] == 16 && level ? "cg" : "ca", sizes[k], -1, CONSTANT, guarded}, level);
        for (int n = 0; n <= (int)sizes[k]; n++)
          for (enum how how = CONSTANT; how <= REGISTER; how++)
            run(&(struct form){"ca", sizes[k], n, how, guarded}, level);
        run(&(struct form){"ca", sizes[k], 0, PREDICATE, guarded}, level);
        run(&(struct form){"ca", sizes[k], (int)sizes[k], PREDICATE, guarded}, level);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
