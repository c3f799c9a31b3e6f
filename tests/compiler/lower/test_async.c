/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async: bytes of every size and source size, the rest zeros; nothing behind them is read: the last thread's lie at
 * the end of memory. At once, and as asynchronous copies of the whole machine, whose waits must be enough; a kernel
 * with two buffers, against a twin in C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select/select_run.h"
#include "tests/compiler/select/select_text.h"
#include "tests/test.h"

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

/* A copy of whole size is an asynchronous one: of each warp. */
static unsigned expected_copies(const struct form *f) {
  return f->given < 0 || f->given == (int)f->size ? THREADS / 32 : 0;
}

static void run(const struct form *f, unsigned level, bool whole) {
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
  if (whole)
    assert_int_equal(text_run_late(&t, level, memory), expected_copies(f));
  else
    text_run(&t, level, memory);
  for (unsigned i = 0; i < THREADS; i++)
    for (unsigned k = 0; k < 16; k++) {
      const uint8_t from = k < bytes ? before[i * RECORD + RECORD - (bytes + 3) / 4 * 4 + k] : 0;
      const uint8_t want = k >= f->size || (f->guarded && i % 2) ? 0x5a : from;
      if (memory[i * RECORD + OUT + k] != want)
        fail_msg("thread %u, byte %u: %x, not %x\n%s", i, k, memory[i * RECORD + OUT + k], want, t.s);
    }
}

static void sizes_of(unsigned size, unsigned level, unsigned guarded, bool whole) {
  run(&(struct form){size == 16 && level ? "cg" : "ca", size, -1, CONSTANT, guarded}, level, whole);
  for (int n = 0; n <= (int)size; n++)
    for (enum how how = CONSTANT; how <= REGISTER; how++)
      run(&(struct form){"ca", size, n, how, guarded}, level, whole);
  run(&(struct form){"ca", size, 0, PREDICATE, guarded}, level, whole);
  run(&(struct form){"ca", size, (int)size, PREDICATE, guarded}, level, whole);
}

static void copies(void **state) {
  (void)state;
  for (unsigned size = 4; size <= 16; size *= 2)
    for (unsigned n = 0; n < 8; n++) sizes_of(size, n & 1, n >> 1 & 1, n >> 2 != 0);
}

/* Threads that want all, a part and nothing in one statement. */
static void mixed(void **state) {
  (void)state;
  static uint8_t memory[THREADS * RECORD], before[THREADS * RECORD];
  for (unsigned way = 0; way < 4; way++) {
    struct text t = {{0}};
    for (unsigned k = 0; k < sizeof memory; k++) memory[k] = some_byte(k);
    memcpy(before, memory, sizeof before);
    say(&t, "%s",
        HEAD "mov.u32 %r1, there; mad.lo.u32 %r1, %r0, 16, %r1; rem.u32 %r2, %r0, 17;\n"
             "cp.async.ca.shared.global [%r1], [%d0], 16, %r2; cp.async.wait_all;\n"
             "ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%r1]; st.global.v4.b32 [%d0+64], {%r5, %r6, %r7, %r8};\n"
             "ret; }\n");
    if (way & 1)
      assert_int_equal(text_run_late(&t, way >> 1, memory), 2); /* threads 16, 33, 50 */
    else
      text_run(&t, way >> 1, memory);
    for (unsigned i = 0; i < THREADS; i++)
      for (unsigned k = 0; k < 16; k++)
        assert_int_equal(memory[i * RECORD + OUT + k], k < i % 17 ? before[i * RECORD + k] : 0);
  }
}

/* ---- two buffers ---- */

/* Each step: the next tile comes while neighbours' elements of this one are summed. `wait`: how this one is awaited. */
#define STEPS 9u
#define PIPELINE(wait)                                                                                                 \
  HEAD "mov.u32 %r1, there; mad.lo.u32 %r1, %r0, 4, %r1; ld.param.u64 %d1, [base];\n"                                  \
       "mad.wide.u32 %d1, %r0, 4, %d1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group;\n"            \
       "mov.u32 %r2, 0; mov.u32 %r3, 0;\n"                                                                             \
       "step: add.u32 %r4, %r2, 1; setp.lt.u32 %p0, %r4, 9; and.b32 %r5, %r4, 1; shl.b32 %r5, %r5, 8;\n"               \
       "add.u32 %r5, %r1, %r5; mad.wide.u32 %d2, %r4, 256, %d1;\n"                                                     \
       "@%p0 cp.async.ca.shared.global [%r5], [%d2], 4; cp.async.commit_group;\n" wait "bar.sync 0;\n"                 \
       "and.b32 %r6, %r2, 1; shl.b32 %r6, %r6, 8; xor.b32 %r7, %r0, 33; mov.u32 %r8, there;\n"                         \
       "mad.lo.u32 %r7, %r7, 4, %r8; add.u32 %r7, %r7, %r6; ld.shared.u32 %r9, [%r7];\n"                               \
       "mad.lo.u32 %r3, %r3, 3, %r9; bar.sync 0; mov.u32 %r2, %r4; @%p0 bra step;\n"                                   \
       "bar.sync 0; st.global.u32 [%d1+4096], %r3; ret; }\n"

static void pipeline_twin(const uint8_t *in, uint32_t out[THREADS]) {
  for (unsigned i = 0; i < THREADS; i++) {
    out[i] = 0;
    for (unsigned n = 0; n < STEPS; n++)
      out[i] = out[i] * 3 + (uint32_t)get_le(in + ((size_t)n * THREADS + (i ^ 33)) * 4, 4);
  }
}

static void pipeline(void **state) {
  (void)state;
  static uint8_t memory[THREADS * RECORD];
  uint32_t want[THREADS];
  for (unsigned way = 0; way < 4; way++) {
    struct text t = {{0}};
    for (unsigned k = 0; k < sizeof memory; k++) memory[k] = some_byte(k);
    pipeline_twin(memory, want);
    say(&t, "%s", PIPELINE("cp.async.wait_group 1;\n"));
    if (way & 1)
      assert_int_equal(text_run_late(&t, way >> 1, memory), STEPS * THREADS / 32);
    else
      text_run(&t, way >> 1, memory);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(get_le(memory + 4096 + 4 * (size_t)i, 4), want[i]);
  }
}

/* Without its wait the same kernel reads what has not come: the late machine shows it. */
static void pipeline_without_wait(void **state) {
  (void)state;
  static uint8_t memory[THREADS * RECORD];
  unsigned copies = 0;
  for (unsigned n = 0; n < 2; n++) {
    const char *text = n == 0 ? PIPELINE("") : PIPELINE("cp.async.wait_group 2;\n");
    uint8_t param[80] = {0};
    for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
    struct heddle_program *p = select_compile_whole(text, 1, text);
    const struct select_job job = {.base = BASE,
                                   .global = memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = THREADS,
                                   .param = param,
                                   .param_bytes = sizeof param,
                                   .late = &copies};
    const char *wrong = select_launch(p, &job);
    if (wrong == NULL || strstr(wrong, "undefined_read") == NULL)
      fail_msg("%s", wrong != NULL ? wrong : "no word of it");
    heddle_program_free(p);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(mixed), cmocka_unit_test(pipeline),
                                     cmocka_unit_test(pipeline_without_wait)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
