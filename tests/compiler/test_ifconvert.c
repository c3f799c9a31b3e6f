/* SPDX-License-Identifier: Apache-2.0
 *
 * Short arms without branches: by hand, and random graphs before and after.
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

#include "tests/compiler/ir_random.h"

static void converted(const char *body, const char *wanted) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s", OPEN, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_uniform(l.f);
  ir_if_convert(l.f);
  ir_dead(l.f);
  assert_null(ir_check(l.f, true));
  ir_from_ssa(l.f);
  assert_null(ir_check(l.f, false));
  char *got = normalised(l.f, true);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
  lowered_free(&l);
}

#define TID "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; "
#define HAD "b0:; r1 = sreg.tid.x.u32; p1 = setp.lt.u32 r1, 0x7; "

static void arms(void **state) {
  (void)state;
  /* one arm: the sum is made where it is wanted, and the register keeps the other value */
  converted(TID
            "mov.u32 %r2, %r1; @%p1 bra A; add.u32 %r2, %r1, 5; A: st.global.b32 [%d1], %r2; st.global.b32 [4], %r1;",
            "b0:; t0 = undef.b64; r1 = sreg.tid.x.u32; p1 = setp.lt.u32 r1, 0x7; r2 = copy.b32 r1; "
            "@!p1 r2 else r2 = add.u32 r1, 0x5; st.global.b32 [t0], r2; st.global.b32 [0x4], r1; exit");
  /* two arms */
  converted(TID "@%p1 bra A; add.u32 %r2, %r1, 5; bra B; A: mul.lo.u32 %r2, %r1, 3; B: st.global.b32 [4], %r2;",
            HAD "r2 = add.u32 r1, 0x5; @p1 r2 else r2 = mul.u32 r1, 0x3; st.global.b32 [0x4], r2; exit");
  /* constants: a choice */
  converted(TID "mov.u32 %r2, 1; @%p1 bra A; mov.u32 %r2, 2; A: st.global.b32 [4], %r2;",
            HAD "r2 = selp.b32 0x1, 0x2, p1; st.global.b32 [0x4], r2; exit");
  /* memory under the branch's predicate */
  converted(TID "@%p1 bra A; ld.global.b32 %r2, [8]; st.global.b32 [4], %r2; A: st.global.b32 [16], %r1;",
            HAD "@!p1 r2 = ld.global.b32 [0x8]; @!p1 st.global.b32 [0x4], r2; st.global.b32 [0x10], r1; exit");
  /* one inside the other */
  converted(TID "setp.gt.u32 %p2, %r1, 3; mov.u32 %r2, 1; @%p1 bra A; mov.u32 %r2, 2; @%p2 bra A; mov.u32 %r2, 3; A: "
                "st.global.b32 [4], %r2;",
            HAD "p2 = setp.gt.u32 r1, 0x3; r2 = copy.b32 0x1; @!p1 r2 else r2 = selp.b32 0x2, 0x3, p2; st.global.b32 "
                "[0x4], r2; exit");
}

static void ends(void **state) {
  (void)state;
  converted(TID "@%p1 bra E; st.global.b32 [4], %r1; E: ret;",
            HAD "@p1 exit; b2: <- b0; st.global.b32 [0x4], r1; exit");
  converted(TID "@!%p1 bra A; ret; A: st.global.b32 [4], %r1;",
            HAD "@p1 exit; b1: <- b0; st.global.b32 [0x4], r1; exit");
}

/* Barriers, votes, fences, many instructions, dear ones, many stores stay in their arms. */
static void stays(void **state) {
  (void)state;
  static const char *const arms[] = {"bar.sync 0;",
                                     "vote.sync.ballot.b32 %r2, %p1, -1; st.global.b32 [8], %r2;",
                                     "membar.gl;",
                                     "div.u32 %r2, %r1, %r3; st.global.b32 [8], %r2;",
                                     "st.global.b32 [8], %r1; st.global.b32 [12], %r1; st.global.b32 [16], %r1;",
                                     "mov.u32 %r2, %clock; st.global.b32 [8], %r2;",
                                     "xor.b32 %r2, %r1, 77; mul.lo.u32 %r2, %r2, %r1; xor.b32 %r2, %r2, 77; mul.lo.u32 "
                                     "%r2, %r2, %r1; xor.b32 %r2, %r2, 77; "
                                     "mul.lo.u32 %r2, %r2, %r1; xor.b32 %r2, %r2, 77; mul.lo.u32 %r2, %r2, %r1; "
                                     "xor.b32 %r2, %r2, 77; mul.lo.u32 %r2, %r2, %r1; "
                                     "xor.b32 %r2, %r2, 77; st.global.b32 [8], %r2;"};
  for (size_t k = 0; k < sizeof arms / sizeof *arms; k++) {
    char text[3000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s@%%p1 bra A; %s A: st.global.b32 [4], %%r1;%s", OPEN, TID, arms[k], CLOSE);
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    ir_uniform(l.f);
    ir_if_convert(l.f);
    assert_null(ir_check(l.f, true));
    assert_int_equal(l.f->first->last->op, IR_CBR);
    lowered_free(&l);
  }
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct random_ir shape = {.seed = seed,
                              .depth = 4,
                              .length = 3,
                              .work = 2,
                              .memory = seed % 2,
                              .guards = seed % 3 == 0,
                              .exits = seed % 5 == 0};
    uint8_t expected[WARP_GLOBAL];
    if (seed % 4 == 3) shape.blocks = 3 + (unsigned)(seed % 30);
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_uniform(m.f);
      ir_if_convert(m.f);
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 250);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arms), cmocka_unit_test(ends), cmocka_unit_test(stays),
                                     cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
