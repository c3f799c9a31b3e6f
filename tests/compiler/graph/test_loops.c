/* SPDX-License-Identifier: Apache-2.0
 *
 * What every trip computes again, in front of the loop; several trips in a row: by hand, and random graphs before and
 * after.
 */
#include "tests/test.h"
#include "tests/compiler/lower/lowered.h"

#include "compiler/graph/pass.h"
#include "tests/compiler/graph/ir_random.h"

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

#define POINTERS "ld.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4; add.u64 %d1, %d1, 4; add.u32 %r2, %r2, 1; "
#define LEAVE "setp.ne.u32 %p1, %r2, 9; @%p1 bra L; "

/* How often the operation is in the loop behind the pass, and its folding. */
static void trips(void **state) {
  (void)state;
  static const struct example table[] = {
      /* as many loads; the pointer, the counter and the sum step once, the sum four times */
      {"L: " POINTERS LEAVE, IR_LD, 4, 0},
      {"L: " POINTERS LEAVE, IR_CBR, 4, 0},
      /* the kernel may not grow so much */
      {"L: " POINTERS "xor.b32 %r3, %r3, 5; mul.lo.u32 %r3, %r3, %r4; xor.b32 %r3, %r3, 6; mul.lo.u32 %r3, %r3, %r4; "
       "xor.b32 %r3, %r3, 6; mul.lo.u32 %r3, %r3, %r4; xor.b32 %r3, %r3, 9; mul.lo.u32 %r3, %r3, %r4; xor.b32 %r3, "
       "%r3, 8; mul.lo.u32 %r3, %r3, %r4; xor.b32 %r3, %r3, 7; mul.lo.u32 %r3, %r3, %r4; " LEAVE,
       IR_LD, 2, 0},
      /* nothing steps */
      {"L: ld.global.u32 %r4, [%d1]; mad.lo.u32 %r2, %r2, %r4, 1; " LEAVE, IR_LD, 1, 0},
      /* what threads do together, what orders memory, times, what is long */
      {"L: " POINTERS "shfl.sync.idx.b32 %r3, %r3, 0, 31, -1; " LEAVE, IR_LD, 1, 0},
      {"L: " POINTERS "atom.global.add.u32 %r3, [%d1], %r3; " LEAVE, IR_LD, 1, 0},
      {"L: " POINTERS "membar.gl; " LEAVE, IR_LD, 1, 0},
      {"L: " POINTERS "mov.u32 %r5, %clock; add.u32 %r3, %r3, %r5; " LEAVE, IR_LD, 1, 0},
      {"L: " POINTERS "div.u32 %r3, %r3, %r4; " LEAVE, IR_LD, 1, 0},
      {"L: ld.volatile.global.u32 %r4, [%d1]; add.u32 %r3, %r3, %r4; add.u64 %d1, %d1, 4; add.u32 %r2, %r2, 1; " LEAVE,
       IR_LD, 1, 0}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    char text[3000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s%s st.global.b32 [%%d1+64], %%r3;%s", OPEN, HEADER, table[k].loop, CLOSE);
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    pass_loops_tidy(l.f);
    assert_int_equal(in_loops(l.f, table[k].op), 1);
    assert_int_equal(ir_unroll(l.f), table[k].after > 1);
    assert_null(ir_check(l.f, true));
    ir_fold(l.f);
    ir_dead(l.f);
    assert_null(ir_check(l.f, true));
    if (in_loops(l.f, table[k].op) != table[k].after) fail_msg("%s: not %u", table[k].loop, table[k].after);
    lowered_free(&l);
  }
}

/* Pointer and counter step once for four trips. */
static void steps_are_saved(void **state) {
  (void)state;
  struct lowered l;
  assert_non_null(lowered(&l, OPEN HEADER "L: " POINTERS LEAVE "st.global.b32 [%d1+64], %r3;" CLOSE, false));
  ir_to_ssa(l.f);
  pass_loops_tidy(l.f);
  assert_true(ir_unroll(l.f));
  ir_fold(l.f);
  ir_cse(l.f);
  ir_dead(l.f);
  unsigned sums = 0;
  for (const struct ir_block *b = l.f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      sums += i->op == IR_ADD && i->src[1].kind == IR_CONST && i->src[1].bits == (i->type == PTX_U64 ? 16u : 4u);
  assert_int_equal(sums, 2);
  lowered_free(&l);
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0, unrolled = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct random_ir shape = {.seed = seed,
                              .depth = 4,
                              .length = 3,
                              .work = 4,
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
      ir_hoist(m.f);
      unrolled += ir_unroll(m.f);
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 250 && unrolled > 20);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves), cmocka_unit_test(stays), cmocka_unit_test(trips),
                                     cmocka_unit_test(steps_are_saved), cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
