/* SPDX-License-Identifier: Apache-2.0
 *
 * What every trip computes again, in front of the loop: by hand, and random graphs before and after.
 */
#include "tests/compiler/lowered.h"

#include "compiler/graph/pass.h"
#include "tests/compiler/ir_random.h"

static unsigned in_loops(struct ir_function *f, enum ir_op op) {
  struct pass_loop **loop = pass_loops(f, pass_order(f));
  unsigned n = 0;
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) n += i->op == op && loop[b->id];
  return n;
}

#define HEADER "ld.param.u64 %d1, [pa]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, 0; "
#define NEXT "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; "

struct example {
  const char *loop;
  enum ir_op op;
  unsigned after; /* one is in the loop before */
  uint32_t registers;
};

static void check_examples(const struct example *e, size_t n) {
  for (size_t k = 0; k < n; k++) {
    char text[3000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s%s st.global.b32 [%%d1+64], %%r3; st.global.f32 [%%d1+68], %%f1;%s", OPEN, HEADER,
             e[k].loop, CLOSE);
    if (!lowered(&l, text, false)) fail_msg("%s: %s", e[k].loop, l.p.messages ? l.p.message[0].text : "no message");
    l.f->registers = e[k].registers;
    ir_to_ssa(l.f);
    assert_int_equal(in_loops(l.f, e[k].op), 1);
    ir_hoist(l.f);
    assert_null(ir_check(l.f, true));
    if (in_loops(l.f, e[k].op) != e[k].after) fail_msg("%s: not %u", e[k].loop, e[k].after);
    lowered_free(&l);
  }
}
#define CHECK_EXAMPLES(table) check_examples(table, sizeof(table) / sizeof(table)[0])

static void moves(void **state) {
  (void)state;
  static const struct example table[] = {
      {"L: mad.lo.u32 %r3, %r1, %r1, %r2; mul.lo.u32 %r4, %r1, 7; xor.b32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_MUL, 0,
       0},
      {"L: cvt.rn.f32.u32 %f2, %r1; add.f32 %f1, %f1, %f2;" NEXT "@%p1 bra L;", IR_CVT, 0, 0},
      /* what reads it moves, and takes it along */
      {"L: neg.s32 %r4, %r1; mul.lo.u32 %r4, %r4, %r1; xor.b32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_NEG, 0, 0},
      /* out of both */
      {"L: mov.u32 %r5, 0; M: mul.lo.u32 %r4, %r1, 7; add.u32 %r3, %r3, %r4; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, "
       "%r5, %r2; @%p2 bra M;" NEXT "@%p1 bra L;",
       IR_MUL, 0, 0},
      /* behind the way out, but nobody notices */
      {"L: " NEXT "@!%p1 bra E; mul.lo.u32 %r4, %r1, 7; add.u32 %r3, %r3, %r4; bra L; E:", IR_MUL, 0, 0},
      /* nothing changes memory */
      {"L: ld.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_LD, 0, 0}};
  CHECK_EXAMPLES(table);
}

static void stays(void **state) {
  (void)state;
  static const struct example table[] = {
      {"L: mul.lo.u32 %r4, %r2, 7; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_MUL, 1, 0},
      /* part of the sum that reads it, which stays */
      {"L: neg.s32 %r4, %r1; xor.b32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_NEG, 1, 0},
      /* not in every trip */
      {"L: setp.gt.u32 %p2, %r2, 5; @%p2 bra S; mul.lo.u32 %r4, %r1, 7; add.u32 %r3, %r3, %r4; S:" NEXT "@%p1 bra L;",
       IR_MUL, 1, 0},
      /* no room */
      {"L: mul.lo.u32 %r4, %r1, 7; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_MUL, 1, 4},
      /* times and lanes differ from trip to trip */
      {"L: mov.u32 %r4, %clock; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_SREG, 1, 0},
      {"L: activemask.b32 %r4; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_ACTIVEMASK, 1, 0},
      {"L: shfl.sync.idx.b32 %r4, %r1, 0, 31, -1; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_SHFL, 1, 0},
      /* memory changes, or another thread's write becomes visible */
      {"L: ld.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4; st.global.u32 [%d1+4], %r3;" NEXT "@%p1 bra L;", IR_LD, 1,
       0},
      {"L: ld.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4; bar.sync 0;" NEXT "@%p1 bra L;", IR_LD, 1, 0},
      {"L: ld.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4; membar.gl;" NEXT "@%p1 bra L;", IR_LD, 1, 0},
      {"L: ld.volatile.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4;" NEXT "@%p1 bra L;", IR_LD, 1, 0},
      /* it may be that no trip loads */
      {"L: " NEXT "@!%p1 bra E; ld.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4; bra L; E:", IR_LD, 1, 0}};
  CHECK_EXAMPLES(table);
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct random_ir shape = {.seed = seed,
                              .depth = 4,
                              .length = 3,
                              .work = 4,
                              .memory = seed % 2,
                              .guards = seed % 3 == 0,
                              .exits = seed % 5 == 0};
    uint8_t expected[WARP_GLOBAL], got[WARP_GLOBAL];
    if (seed % 4 == 3) shape.blocks = 3 + (unsigned)(seed % 30);
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_hoist(m.f);
      const char *wrong = ir_check(m.f, true);
      if (!wrong && !ir_random_expect(m.f, got)) wrong = "does not end";
      if (!wrong && memcmp(got, expected, WARP_GLOBAL) != 0) wrong = "another result";
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 250);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves), cmocka_unit_test(stays), cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
