/* SPDX-License-Identifier: Apache-2.0
 *
 * Folding: single rewritings by hand; every PTX operation of tests/silicon on constants against what the GPU returned;
 * divisions by constants against C.
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

#include "tests/compiler/ir_warp.h"

/* ---- by hand: statements, and the graph after folding ---- */

static void folds_to(const char *body, const char *wanted) {
  char text[2000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s", OPEN, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_dead(l.f);
  assert_null(ir_check(l.f, true));
  char *got = normalised(l.f, false);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
  lowered_free(&l);
}

#define IN "ld.global.b32 %r1, [0]; ld.global.b32 %r2, [4]; ld.global.b32 %r3, [8]; "
#define LOADED "r1 = ld.global.b32 [0x0]; r2 = ld.global.b32 [0x4]; r3 = ld.global.b32 [0x8]; "
#define IN1 "ld.global.b32 %r1, [0]; "
#define LOADED1 "r1 = ld.global.b32 [0x0]; "
#define IN2 "ld.global.b32 %r1, [0]; ld.global.b32 %r2, [4]; "
#define LOADED2 "r1 = ld.global.b32 [0x0]; r2 = ld.global.b32 [0x4]; "
#define WIDE "ld.global.b64 %d1, [0]; "
#define WIDELOADED "d1 = ld.global.b64 [0x0]; "
#define OUT " st.global.b32 [16], %r0;"
#define OUTD " st.global.b64 [16], %d0;"

static void integers(void **state) {
  (void)state;
  folds_to("mov.u32 %r1, 5; add.u32 %r0, %r1, 7;" OUT, "st.global.b32 [0x10], 0xc; exit");
  folds_to(IN1 "add.u32 %r0, %r1, 0;" OUT, LOADED1 "st.global.b32 [0x10], r1; exit");
  folds_to(IN1 "sub.u32 %r2, %r1, 3; add.u32 %r0, %r2, 5;" OUT,
           LOADED1 "r0 = add.u32 r1, 0x2; st.global.b32 [0x10], r0; exit");
  folds_to(IN "mul.lo.u32 %r4, %r1, %r2; add.u32 %r0, %r4, %r3;" OUT,
           LOADED "r0 = mad.u32 r1, r2, r3; st.global.b32 [0x10], r0; exit");
  folds_to(IN "mul.lo.u32 %r4, %r1, %r2; add.u32 %r0, %r4, %r3; st.global.b32 [20], %r4;" OUT, /* wanted by itself */
           LOADED "r4 = mul.u32 r1, r2; r0 = add.u32 r3, r4; st.global.b32 [0x14], r4; st.global.b32 [0x10], r0; exit");
  folds_to(WIDE "mul.lo.u64 %d0, %d1, 8;" OUTD, WIDELOADED "d0 = shl.b64 d1, 0x3; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "shl.b32 %r2, %r1, 3; shl.b32 %r0, %r2, 4;" OUT,
           LOADED1 "r0 = shl.b32 r1, 0x7; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "shr.u32 %r0, %r1, 40;" OUT, "st.global.b32 [0x10], 0x0; exit");
  folds_to(IN1 "rem.u32 %r0, %r1, 16;" OUT, LOADED1 "r0 = and.b32 r1, 0xf; st.global.b32 [0x10], r0; exit");
}

static void wide(void **state) {
  (void)state;
  folds_to(IN2 "cvt.s64.s32 %d1, %r1; cvt.s64.s32 %d2, %r2; mul.lo.s64 %d0, %d1, %d2;" OUTD,
           LOADED2 "d0 = mulwide.s32 r1, r2; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.u64.u32 %d1, %r1; shl.b64 %d0, %d1, 2;" OUTD,
           LOADED1 "d0 = mulwide.u32 r1, 0x4; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE IN1 "mul.wide.s32 %d2, %r1, 4; add.s64 %d0, %d1, %d2;" OUTD,
           WIDELOADED LOADED1 "d0 = madwide.s32 r1, 0x4, d1; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; cvt.u32.u64 %r0, %d1;" OUT, LOADED1 "st.global.b32 [0x10], r1; exit");
  /* (x << 32) >> 30 of a sum: four times the low word of it */
  folds_to(WIDE "ld.global.b64 %d2, [8]; add.s64 %d3, %d1, %d2; shl.b64 %d4, %d3, 32; shr.s64 %d0, %d4, 30;" OUTD,
           WIDELOADED "d2 = ld.global.b64 [0x8]; d1 = cvt.u32.u64 d1; d2 = cvt.u32.u64 d2; d3 = add.u32 d1, d2; "
                      "d0 = mulwide.s32 d3, 0x4; st.global.b64 [0x10], d0; exit");
}

/* The low word of a number, written as a mask; a mask that keeps more is a mask. */
static void masked(void **state) {
  (void)state;
  folds_to(WIDE "and.b64 %d0, %d1, 0xffffffff;" OUTD,
           WIDELOADED "t0 = cvt.u32.u64 d1; d0 = cvt.u64.u32 t0; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "and.b64 %d0, %d1, 0x1ffffffff;" OUTD,
           WIDELOADED "d0 = and.b64 d1, 0x1ffffffff; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "shl.b64 %d2, %d1, 2; and.b64 %d0, %d2, 0x3fffffffc;" OUTD,
           WIDELOADED "t0 = cvt.u32.u64 d1; d0 = mulwide.u32 t0, 0x4; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "shl.b64 %d2, %d1, 2; and.b64 %d0, %d2, 0x7fffffffc;" OUTD,
           WIDELOADED "d2 = shl.b64 d1, 0x2; d0 = and.b64 d2, 0x7fffffffc; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "shl.b64 %d2, %d1, 4; and.b64 %d0, %d2, 0x10ffff0;" OUTD,
           WIDELOADED "d1 = cvt.u32.u64 d1; d2 = shl.b32 d1, 0x4; t0 = and.b32 d2, 0x10ffff0; d0 = cvt.u64.u32 t0; "
                      "st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.u64.u32 %d1, %r1; shr.s64 %d0, %d1, 5;" OUTD,
           LOADED1 "t0 = shr.u32 r1, 0x5; d0 = cvt.u64.u32 t0; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; shr.s64 %d0, %d1, 40;" OUTD,
           LOADED1 "t0 = shr.s32 r1, 0x1f; d0 = cvt.s64.s32 t0; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; shr.u64 %d0, %d1, 5;" OUTD,
           LOADED1 "d1 = cvt.s64.s32 r1; d0 = shr.u64 d1, 0x5; st.global.b64 [0x10], d0; exit");
}

static void logic(void **state) {
  (void)state;
  folds_to(IN "and.b32 %r4, %r1, %r2; or.b32 %r0, %r4, %r3;" OUT,
           LOADED "r0 = lop3.b32 r3, r1, r2, 0xf8; st.global.b32 [0x10], r0; exit");
  folds_to(IN "xor.b32 %r4, %r1, %r2; xor.b32 %r0, %r4, %r1;" OUT,
           "r2 = ld.global.b32 [0x4]; st.global.b32 [0x10], r2; exit");
  folds_to(IN2 "not.b32 %r4, %r2; and.b32 %r0, %r4, %r1;" OUT,
           LOADED2 "r0 = lop3.b32 r1, r2, 0x0, 0x30; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "and.b32 %r2, %r1, 0xff; and.b32 %r0, %r2, 0x3c;" OUT,
           LOADED1 "r0 = and.b32 r1, 0x3c; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "xor.b32 %r0, %r1, 0xffffffff;" OUT, LOADED1 "r0 = not.b32 r1; st.global.b32 [0x10], r0; exit");
}

static void choices(void **state) {
  (void)state;
  folds_to(IN2 "setp.lt.s32 %p1, %r1, %r2; selp.b32 %r0, %r1, %r2, %p1;" OUT,
           LOADED2 "r0 = min.s32 r1, r2; st.global.b32 [0x10], r0; exit");
  folds_to(IN2
           "setp.lt.s32 %p1, %r1, %r2; selp.u32 %r3, 1, 0, %p1; setp.ne.u32 %p2, %r3, 0; selp.b32 %r0, 7, 9, %p2;" OUT,
           LOADED2 "p1 = setp.lt.s32 r1, r2; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 [0x10], r0; exit");
  folds_to(IN2 "setp.lt.s32 %p1, %r1, %r2; not.pred %p2, %p1; selp.b32 %r0, 7, 9, %p2;" OUT,
           LOADED2 "p2 = setp.ge.s32 r1, r2; r0 = selp.b32 0x7, 0x9, p2; st.global.b32 [0x10], r0; exit");
  folds_to(IN
           "setp.lt.s32 %p1, %r1, %r2; setp.eq.u32 %p2, %r3, 4; and.pred %p3, %p1, %p2; selp.b32 %r0, 7, 9, %p3;" OUT,
           LOADED "p1 = setp.lt.s32 r1, r2; p3 = setp.eq.and.u32 r3, 0x4, p1; r0 = selp.b32 0x7, 0x9, p3; "
                  "st.global.b32 [0x10], r0; exit");
  /* for equality alone, where nobody else reads the sum */
  folds_to(IN1 "add.u32 %r2, %r1, -3; setp.eq.u32 %p1, %r2, 2; selp.b32 %r0, 7, 9, %p1;" OUT,
           LOADED1 "p1 = setp.eq.u32 r1, 0x5; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "add.u32 %r2, %r1, -3; setp.lt.u32 %p1, %r2, 2; selp.b32 %r0, 7, 9, %p1;" OUT,
           LOADED1 "r2 = add.u32 r1, 0xfffffffd; p1 = setp.lt.u32 r2, 0x2; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 "
                   "[0x10], r0; exit");
  folds_to(IN1 "add.u32 %r2, %r1, -3; setp.eq.u32 %p1, %r2, 2; selp.b32 %r0, %r2, 9, %p1;" OUT,
           LOADED1 "r2 = add.u32 r1, 0xfffffffd; p1 = setp.eq.u32 r2, 0x2; r0 = selp.b32 r2, 0x9, p1; st.global.b32 "
                   "[0x10], r0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; setp.lt.s64 %p1, %d1, 5; selp.b32 %r0, 7, 9, %p1;" OUT,
           LOADED1 "p1 = setp.lt.s32 r1, 0x5; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "mov.u32 %r2, 3; setp.gt.u32 %p1, %r2, 2; @%p1 bra A; add.u32 %r1, %r1, 1; A: mov.u32 %r0, %r1;" OUT,
           LOADED1 "st.global.b32 [0x10], r1; exit");
}

static void addresses(void **state) {
  (void)state;
  folds_to(WIDE "add.s64 %d2, %d1, 100; ld.global.b32 %r0, [%d2+20];" OUT,
           WIDELOADED "r0 = ld.global.b32 [d1+120]; st.global.b32 [0x10], r0; exit");
  folds_to(WIDE "add.s64 %d2, %d1, 0x7fffffff; ld.global.b32 %r0, [%d2];" OUT, /* more than an offset holds */
           WIDELOADED "d2 = add.s64 d1, 0x7fffffff; r0 = ld.global.b32 [d2]; st.global.b32 [0x10], r0; exit");
  folds_to(
      ".shared .b8 a[64]; .shared .b8 b[64]; ld.shared.b32 %r1, [a]; mov.u64 %d1, b; mul.wide.u32 %d2, %r1, 4; "
      "add.s64 %d3, %d1, %d2; ld.shared.b32 %r0, [%d3+8];" OUT,
      "r1 = ld.shared.b32 [0x0]; d2 = mul.u32 r1, 0x4; r0 = ld.shared.b32 [d2+72]; st.global.b32 [0x10], r0; exit");
  folds_to(".shared .b8 a[64]; cvta.shared.u64 %d1, a; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; ld.b32 %r0, "
           "[%d3+8];" OUT,
           "t0 = undef.b32; t1 = mul.u32 t0, 0x4; r0 = ld.shared.b32 [t1+8]; st.global.b32 [0x10], r0; exit");
  /* Of shared memory, whose addresses have 32 bits: the constant of an index is an offset; of global memory it is not.
   */
  folds_to(IN1 "add.u32 %r2, %r1, 16; mul.wide.u32 %d1, %r2, 4; ld.shared.b32 %r0, [%d1+8];" OUT,
           LOADED1 "t0 = mul.u32 r1, 0x4; r0 = ld.shared.b32 [t0+72]; st.global.b32 [0x10], r0; exit");
  folds_to(IN2 "add.u32 %r3, %r1, -3; mad.lo.u32 %r4, %r3, 12, %r2; ld.shared.b32 %r0, [%r4];" OUT,
           LOADED2 "t0 = mad.u32 r1, 0xc, r2; r0 = ld.shared.b32 [t0-36]; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "add.u32 %r2, %r1, 16; mul.wide.u32 %d1, %r2, 4; ld.global.b32 %r0, [%d1+8];" OUT,
           LOADED1 "r2 = add.u32 r1, 0x10; d1 = mulwide.u32 r2, 0x4; r0 = ld.global.b32 [d1+8]; "
                   "st.global.b32 [0x10], r0; exit");
  folds_to("ld.global.u8 %r0, [8]; and.b32 %r0, %r0, 255;" OUT,
           "r0 = ld.global.u8 [0x8]; st.global.b32 [0x10], r0; exit");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(integers), cmocka_unit_test(wide),
                                     cmocka_unit_test(masked),   cmocka_unit_test(logic),
                                     cmocka_unit_test(choices),  cmocka_unit_test(addresses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
