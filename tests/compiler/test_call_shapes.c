/* SPDX-License-Identifier: Apache-2.0
 * Calls that clang does not write: parameters and results of every kind, threads that end, wait or meet at barriers in
 * a function, tables of functions in constant memory, a stack that is too small. Compiled in every way, run on the
 * model, against C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/ptx_run.h"
#include "tests/test.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define REGISTERS ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<40>; .reg .b64 %d<16>; .reg .f32 %f<8>;\n"
/* %r1 the thread, %d3 where its word goes. */
#define ENTRY                                                                                                          \
  ".entry k(.param .u64 out, .param .u32 n) { " REGISTERS "ld.param.u64 %d1, [out]; ld.param.u32 %r2, [n];\n"          \
  "mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;\n"
#define DONE "st.global.u32 [%d3], %r0; ret; }\n"
enum { THREADS = 64 };

typedef uint32_t truth(uint32_t t);

static void expect(const char *text, truth *f) {
  uint32_t want[THREADS];
  for (uint32_t t = 0; t < THREADS; t++) want[t] = f(t);
  calls_expect(text, "k", THREADS, want, THREADS);
}

/* ---- parameters */

static uint32_t registers_truth(uint32_t t) {
  uint32_t sum = t < 20 ? t * 3 : t * 3 + 1, low = t ^ 7;
  return sum + (uint32_t)((uint64_t)low * 0x100000001u >> 31) + (t & 1 ? 5 : 9);
}

/* Registers as parameters and results, predicates among them, several results. */
static void registers(void **state) {
  (void)state;
  expect(HEAD ".func (.reg .u32 a, .reg .b64 b, .reg .pred c) f(.reg .pred p, .reg .u32 x, .reg .u64 y) {\n"
              ".reg .u64 t; mul.lo.u32 a, x, 3; @!p add.u32 a, a, 1; mul.lo.u64 t, y, 4294967297; shr.u64 b, t, 31;\n"
              ".reg .u32 o; and.b32 o, x, 1; setp.ne.u32 c, o, 0; ret; }\n" ENTRY
              "setp.lt.u32 %p1, %r1, 20; xor.b32 %r3, %r1, 7; cvt.u64.u32 %d4, %r3;\n"
              "call (%r4, %d5, %p2), f, (%p1, %r1, %d4); cvt.u32.u64 %r5, %d5; add.u32 %r4, %r4, %r5;\n"
              "selp.u32 %r6, 5, 9, %p2; add.u32 %r0, %r4, %r6;\n" DONE,
         registers_truth);
}

static uint32_t crowd_truth(uint32_t t) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < 24; k++) sum = sum * 3 + (k % 3 == 2 ? (uint64_t)(t + k) << 20 : t + k);
  return (uint32_t)(sum ^ sum >> 32);
}

enum { CROWD = 24 };

static bool crowd_wide(unsigned k) {
  return k % 3 == 2;
}

static void crowd_callee(FILE *to) {
  fputs(HEAD ".func (.param .b64 r) f(", to);
  for (unsigned k = 0; k < CROWD; k++) fprintf(to, "%s.param .b%u p%u", k ? ", " : "", crowd_wide(k) ? 64u : 32u, k);
  fputs(") { " REGISTERS "mov.u64 %d1, 0;\n", to);
  for (unsigned k = 0; k < CROWD; k++)
    fprintf(to,
            crowd_wide(k) ? "ld.param.b64 %%d2, [p%u]; mad.lo.u64 %%d1, %%d1, 3, %%d2;\n"
                          : "ld.param.b32 %%r1, [p%u]; cvt.u64.u32 %%d2, %%r1; mad.lo.u64 %%d1, %%d1, 3, %%d2;\n",
            k);
  fputs("st.param.b64 [r], %d1; ret; }\n", to);
}

static void crowd_caller(FILE *to) {
  fputs(ENTRY ".param .b64 r;\n", to);
  for (unsigned k = 0; k < CROWD; k++) {
    fprintf(to, ".param .b%u a%u; add.u32 %%r3, %%r1, %u; ", crowd_wide(k) ? 64u : 32u, k, k);
    fprintf(to,
            crowd_wide(k) ? "cvt.u64.u32 %%d4, %%r3; shl.b64 %%d4, %%d4, 20; st.param.b64 [a%u], %%d4;\n"
                          : "st.param.b32 [a%u], %%r3;\n",
            k);
  }
  fputs("call (r), f, (", to);
  for (unsigned k = 0; k < CROWD; k++) fprintf(to, "%sa%u", k ? ", " : "", k);
  fputs("); ld.param.b64 %d5, [r]; shr.u64 %d6, %d5, 32; xor.b64 %d5, %d5, %d6; cvt.u32.u64 %r0, %d5;\n" DONE, to);
}

/* More than the registers hold: every third has 64 bits. */
static void crowd(void **state) {
  (void)state;
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  crowd_callee(to);
  crowd_caller(to);
  fclose(to);
  expect(text, crowd_truth);
  free(text);
}

static uint32_t arrays_truth(uint32_t t) {
  return (t + 3) * 7 + (t ^ 21) * 5 + 11 * (t & 255);
}

/* Vectors and arrays, there and back, and through a second function; bytes; an address taken. */
static void arrays(void **state) {
  (void)state;
  expect(HEAD ".func (.param .align 8 .b8 r[16]) g(.param .align 8 .b8 s[16]) { " REGISTERS
              "mov.b64 %d1, s; ld.param.u32 %r1, [s]; ld.local.u32 %r2, [%d1+4]; ld.param.u64 %d2, [s+8];\n"
              "add.u32 %r1, %r1, 3; xor.b32 %r2, %r2, 21; st.param.u32 [r+4], %r1; st.param.u32 [r], %r2;\n"
              "st.param.u64 [r+8], %d2; ret; }\n"
              ".func (.param .align 16 .v4 .b32 r) f(.param .align 8 .b8 s[16]) { " REGISTERS
              "{ .param .align 8 .b8 a[16]; .param .align 8 .b8 b[16]; ld.param.v2.u64 {%d1, %d2}, [s];\n"
              "st.param.v2.u64 [a], {%d1, %d2}; call (b), g, (a); ld.param.v4.u32 {%r1, %r2, %r3, %r4}, [b]; }\n"
              "st.param.v4.u32 [r], {%r2, %r1, %r3, %r4}; ret; }\n" ENTRY
              ".param .align 8 .b8 a[16]; .param .align 16 .v4 .b32 b; cvt.u64.u32 %d4, %r1;\n"
              "st.param.u32 [a], %r1; st.param.u32 [a+4], %r1; st.param.u64 [a+8], %d4; call (b), f, (a);\n"
              "ld.param.v4.u32 {%r3, %r4, %r5, %r6}, [b]; and.b32 %r5, %r5, 255; mul.lo.u32 %r3, %r3, 7;\n"
              "mad.lo.u32 %r4, %r4, 5, %r3; mad.lo.u32 %r0, %r5, 11, %r4;\n" DONE,
         arrays_truth);
}

/* ---- threads that do not come back together */

static uint32_t ends_truth(uint32_t t) {
  return t % 3 == 1 ? 77 : t % 3 == 2 ? t * 2 + 1 : t * 2;
}

/* Some end inside the function; what they wrote stays. */
static void ends(void **state) {
  (void)state;
  expect(HEAD ".func (.param .b32 r) f(.param .b32 a, .param .b64 at) { " REGISTERS
              "ld.param.u32 %r1, [a]; ld.param.u64 %d1, [at]; rem.u32 %r2, %r1, 3; setp.ne.u32 %p1, %r2, 1;\n"
              "@%p1 bra ON; st.global.u32 [%d1], 77; exit;\n"
              "ON: shl.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r2, 2; @%p2 bra MORE; st.param.b32 [r], %r3; ret;\n"
              "MORE: add.u32 %r3, %r3, 1; st.param.b32 [r], %r3; ret; }\n" ENTRY
              ".param .b32 a; .param .b64 b; .param .b32 r; st.param.b32 [a], %r1; st.param.b64 [b], %d3;\n"
              "call (r), f, (a, b); ld.param.b32 %r0, [r]; bar.sync 0;\n" DONE,
         ends_truth);
}

static uint32_t barrier_truth(uint32_t t) {
  return (t ^ 33) * 3 + t;
}

/* Barriers in functions, and shared memory of the module; a barrier behind a call that parts threads. */
static void barriers(void **state) {
  (void)state;
  expect(
      HEAD
      ".shared .align 4 .b32 other[5]; .shared .align 4 .b8 table[256];\n"
      ".func (.param .b32 r) swap(.param .b32 a, .param .b32 with) { " REGISTERS
      "ld.param.u32 %r1, [a]; mov.u32 %r2, %tid.x; ld.param.u32 %r6, [with]; mov.u32 %r3, table;\n"
      "shl.b32 %r4, %r2, 2; add.u32 %r5, %r3, %r4; bar.sync 0; st.shared.u32 [%r5], %r1; bar.sync 0;\n"
      "xor.b32 %r7, %r2, %r6; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r3; ld.shared.u32 %r8, [%r7];\n"
      "st.param.b32 [r], %r8; ret; }\n"
      ".func (.param .b32 r) part(.param .b32 a) { " REGISTERS
      "ld.param.u32 %r1, [a]; mov.u32 %r2, 0; L: setp.ge.u32 %p1, %r2, %r1; @%p1 bra D; add.u32 %r2, %r2, 1; bra L;\n"
      "D: st.param.b32 [r], %r2; ret; }\n" ENTRY
      ".param .b32 a; .param .b32 b; .param .b32 r; st.param.b32 [a], %r1; call (r), part, (a);\n"
      "ld.param.b32 %r3, [r]; mul.lo.u32 %r3, %r3, 3; st.shared.u32 [other], %r1; st.param.b32 [a], %r3;\n"
      "st.param.b32 [b], 33; call (r), swap, (a, b); ld.param.b32 %r4, [r];\n"
      "st.param.b32 [b], 0; st.param.b32 [a], %r1; call (r), swap, (a, b); ld.param.b32 %r5, [r];\n"
      "add.u32 %r0, %r4, %r5;\n" DONE,
      barrier_truth);
}

static uint32_t votes_truth(uint32_t t) {
  uint32_t r = 0, lane = t & 31, warp = t - lane;
  for (uint32_t k = 0; k < 32; k++) r += (warp + k) % 3 == 0;
  return t % 2 ? warp + (lane ^ 2) + 1000 * r : 5;
}

/* Warp-wide operations of those that called, while others are elsewhere. */
static void votes(void **state) {
  (void)state;
  expect(HEAD
         ".func (.param .b32 r) count(.param .b32 a) { " REGISTERS
         "ld.param.u32 %r1, [a]; rem.u32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 0;\n"
         "vote.sync.ballot.b32 %r3, %p1, 0xffffffff; popc.b32 %r4, %r3; st.param.b32 [r], %r4; ret; }\n"
         ".func (.param .b32 r) turn(.param .b32 a) { " REGISTERS
         "ld.param.u32 %r1, [a]; shfl.sync.bfly.b32 %r2, %r1, 2, 31, 0xaaaaaaaa; st.param.b32 [r], %r2; ret; }\n" ENTRY
         ".param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call (r), count, (a); ld.param.b32 %r3, [r];\n"
         "mov.u32 %r0, 5; and.b32 %r4, %r1, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra D;\n"
         "st.param.b32 [a], %r1; call (r), turn, (a); ld.param.b32 %r5, [r]; mad.lo.u32 %r0, %r3, 1000, %r5;\nD:" DONE,
         votes_truth);
}

#define LOCKS(behind)                                                                                                  \
  HEAD ".func lock(.param .b64 at) { " REGISTERS "ld.param.u64 %d1, [at];\n"                                           \
       "L: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L; fence.acq_rel.gpu; ret; }\n"     \
       ".func unlock(.param .b64 at) { " REGISTERS "ld.param.u64 %d1, [at]; fence.acq_rel.gpu;\n"                      \
       "atom.global.exch.b32 %r1, [%d1], 0; ret; }\n" ENTRY                                                            \
       ".param .b64 a; st.param.b64 [a], %d1; call lock, (a); ld.volatile.global.u32 %r3, [%d1+4];\n"                  \
       "mad.lo.u32 %r4, %r3, 5, 1; st.volatile.global.u32 [%d1+4], %r4; call unlock, (a);\n" behind "ret; }\n"

/* A lock taken and given back by functions: who has it must not wait for those that spin. (Not on a stack of paths.) */
static void locks(void **state) {
  (void)state;
  static const char *const text[] = {LOCKS(""), LOCKS("bar.sync 0;\n")};
  uint32_t want = 0;
  for (unsigned t = 0; t < THREADS; t++) want = want * 5 + 1;
  for (unsigned k = 0; k < 2 * calls_ways_count; k++) {
    const struct calls_way *w = &calls_ways[k / 2];
    uint32_t got[2];
    enum heddle_cause cause;
    if (w->divergence != HEDDLE_ITS) continue;
    assert_int_equal(calls_run(text[k % 2], strlen(text[k % 2]), w, "k", THREADS, got, sizeof got, 0, &cause),
                     HEDDLE_SUCCESS);
    assert_int_equal(got[0], 0);
    assert_int_equal(got[1], want);
  }
}

/* ---- tables of functions */

static uint32_t table_truth(uint32_t t) {
  switch (t % 4) {
  case 0:
    return t + 100;
  case 1:
    return t * 7;
  case 2:
    return t * 7 + 100; /* calls both */
  default:
    return t + 107;
  }
}

static void table(void **state) {
  (void)state;
#define UNARY(name) ".func (.param .b32 r) " #name "(.param .b32 a)"
  expect(HEAD UNARY(add) ";\n" UNARY(mul) ";\n" UNARY(
             both) ";\n"
                   ".const .align 8 .u64 list[4] = {add, mul, both, add};\n" UNARY(
                       add) " { " REGISTERS
                            "ld.param.u32 %r1, [a]; add.u32 %r1, %r1, 100; st.param.b32 [r], %r1; ret; }\n" UNARY(
                                mul) " { " REGISTERS
                                     "ld.param.u32 %r1, [a]; mul.lo.u32 %r1, %r1, 7; st.param.b32 [r], %r1; ret; "
                                     "}\n" UNARY(both) " { " REGISTERS
                                                       ".param .b32 x; .param .b32 y; ld.param.u32 %r1, [a]; "
                                                       "st.param.b32 [x], %r1; ld.const.u64 %d1, [list+8];\n"
                                                       "T: .calltargets mul, add; call (y), %d1, (x), T; ld.param.b32 "
                                                       "%r2, [y]; st.param.b32 [x], %r2;\n"
                                                       "mov.u64 %d2, add; call (y), %d2, (x), T; ld.param.b32 %r2, "
                                                       "[y]; st.param.b32 [r], %r2; ret; }\n" ENTRY
                                                       ".param .b32 x; .param .b32 y; P: .callprototype (.param .b32 "
                                                       "_) _ (.param .b32 _);\n"
                                                       "and.b32 %r3, %r1, 3; mul.wide.u32 %d4, %r3, 8; mov.u64 %d5, "
                                                       "list; add.u64 %d5, %d5, %d4;\n"
                                                       "ld.const.u64 %d6, [%d5]; st.param.b32 [x], %r1; call (y), %d6, "
                                                       "(x), P; ld.param.b32 %r0, [y];\n"
                                                       "setp.ne.u32 %p1, %r3, 3; @!%p1 add.u32 %r0, %r0, 7;\n" DONE,
         table_truth);
}

/* ---- the stack */

#define DEEP                                                                                                           \
  HEAD ".func (.param .b32 r) down(.param .b32 n) { " REGISTERS ".local .align 16 .b8 room[48]; .param .b32 a;\n"      \
       ".param .b32 b; ld.param.u32 %r1, [n]; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra D;\n"                  \
       "st.local.u32 [room+4], %r1; sub.u32 %r3, %r1, 1; st.param.b32 [a], %r3; call (b), down, (a);\n"                \
       "ld.param.b32 %r2, [b]; ld.local.u32 %r4, [room+4]; add.u32 %r2, %r2, %r4;\nD: st.param.b32 [r], %r2; ret; "    \
       "}\n" ENTRY                                                                                                     \
       ".param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), down, (a); ld.param.b32 %r0, [b];\n" DONE

/* As deep as the stack allows works; deeper is a trap, not a wrong result. */
static void overflow(void **state) {
  (void)state;
  for (unsigned k = 0; k < calls_ways_count; k++) {
    struct calls_way w = calls_ways[k];
    uint32_t got[THREADS], works = 0, traps = 0;
    enum heddle_cause cause;
    w.stack_bytes = 1024;
    for (uint32_t n = 1; n < 40; n++) {
      if (calls_run(DEEP, sizeof DEEP - 1, &w, "k", THREADS, got, sizeof got, n, &cause) == HEDDLE_SUCCESS) {
        for (unsigned t = 0; t < THREADS; t++) assert_int_equal(got[t], n * (n + 1) / 2);
        assert_int_equal(traps, 0); /* what is deeper does not work again */
        works++;
      } else {
        assert_string_equal(heddle_cause_name(cause), "out_of_range");
        traps++;
      }
    }
    assert_true(works >= 1024 / 128 && traps > 0); /* frames of at most 128 bytes */
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers), cmocka_unit_test(crowd),    cmocka_unit_test(arrays),
      cmocka_unit_test(ends),      cmocka_unit_test(barriers), cmocka_unit_test(votes),
      cmocka_unit_test(locks),     cmocka_unit_test(table),    cmocka_unit_test(overflow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
