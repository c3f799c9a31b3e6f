/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values are the same in every thread of a warp: each rule by hand. (Random graphs, where what is marked is
 * compared with what threads compute: test_converge.c.)
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

/* marks: "r1+ r2- r3~": every value of %r1 is uniform, none of %r2 is, not all of %r3 are. */
static void marked(const char *body, const char *marks) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s", OPEN, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_uniform(l.f);
  assert_null(ir_check(l.f, true));
  for (const char *m = marks; *m; m += strspn(m, " ")) {
    size_t n = strcspn(m, "+-~");
    unsigned found = 0, differ = 0;
    for (const struct ir_block *b = l.f->first; b; b = b->next)
      for (const struct ir_insn *i = b->first; i; i = i->next)
        for (unsigned k = 0; k < i->dsts; k++) {
          const char *name = i->dst[k]->name;
          if (!name || strlen(name) != n + 1 || strncmp(name + 1, m, n) != 0 || i->op == IR_UNDEF) continue;
          found++;
          differ += !i->dst[k]->uniform;
        }
    bool right = m[n] == '+' ? differ == 0 : m[n] == '-' ? differ == found : differ > 0;
    if (!found || !right) fail_msg("%s\n  %.*s is not as said", body, (int)n, m);
    m += n + 1;
  }
  lowered_free(&l);
}

static void sources(void **state) {
  (void)state;
  marked("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %laneid; mov.u32 %r5, %tid.y; "
         "mov.u32 %r6, %warpid; mov.u32 %r7, %lanemask_lt;",
         "r1- r2+ r3+ r4- r5- r6+ r7-");
  marked("ld.param.u64 %d1, [pa]; ld.global.u32 %r1, [%d1]; ld.param.u32 %r2, [pb]; add.u32 %r3, %r2, 5; add.u32 %r4, "
         "%r1, %r2;",
         "d1+ r1- r2+ r3+ r4-");
  marked("atom.global.add.u32 %r1, [16], 1; shfl.sync.idx.b32 %r2, 7, 0, 31, -1; activemask.b32 %r3;", "r1- r2- r3+");
  /* a vote on anything gives everybody the same; not when the members differ */
  marked("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; vote.sync.any.pred %p2, %p1, -1; vote.sync.ballot.b32 %r2, "
         "%p1, -1; "
         "vote.sync.ballot.b32 %r3, %p1, %r1; redux.sync.add.u32 %r4, %r1, -1;",
         "r1- p1- p2+ r2+ r3- r4+");
  /* guarded by what differs */
  marked("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; mov.u32 %r2, 1; @%p1 mov.u32 %r2, 2; mov.u32 %r3, %r2;", "r3-");
  marked("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 3; mov.u32 %r2, 1; @%p1 mov.u32 %r2, 2; mov.u32 %r3, %r2;",
         "r2+ r3+");
}

static void rows(void **state) {
  (void)state;
  for (unsigned x = 16; x <= 64; x *= 2) {
    char text[400];
    struct lowered l;
    snprintf(text, sizeof text,
             HEAD ".entry k() .reqntid %u, 4, 1 { .reg .b32 %%r<3>; mov.u32 %%r1, %%tid.y; st.global.b32 [0], %%r1; }",
             x);
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    ir_uniform(l.f);
    for (const struct ir_insn *i = l.f->first->first; i; i = i->next)
      if (i->op == IR_SREG) assert_int_equal(i->dst[0]->uniform, x % 32 == 0);
    lowered_free(&l);
  }
}

#define TID "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r1, 3; setp.eq.u32 %p2, %r2, 3; "

static void ways(void **state) {
  (void)state;
  /* a choice by branches: by the thread, by the block */
  marked(TID "mov.u32 %r3, 1; @%p1 bra A; mov.u32 %r3, 2; A: add.u32 %r4, %r3, 1; st.global.b32 [0], %r4;", "r4-");
  marked(TID "mov.u32 %r3, 1; @%p2 bra A; mov.u32 %r3, 2; A: add.u32 %r4, %r3, 1; st.global.b32 [0], %r4;", "r3+ r4+");
  /* what is computed in an arm alone is the same for all who are there */
  marked(TID "@%p1 bra A; add.u32 %r3, %r2, 2; st.global.b32 [0], %r3; A: st.global.b32 [4], %r2;", "r3+");
  /* a loop in one arm counts for itself */
  marked(TID "@%p1 bra A; mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L; st.global.b32 "
             "[0], %r3; A: "
             "st.global.b32 [4], %r2;",
         "r3+ p3+");
  /* the same loop where two groups come by different ways, and are together only behind it */
  marked(
      TID
      "@%p1 bra B; @%p2 bra C; setp.lt.u32 %p3, %r1, 20; @%p3 bra B; st.global.b32 [8], %r1; bra C; B: mov.u32 %r3, 0; "
      "L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L; st.global.b32 [0], %r3; C: st.global.b32 [4], %r2;",
      "r3~");
}

static void turns(void **state) {
  (void)state;
  /* everybody leaves at once: the counter is uniform behind the loop too */
  marked(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L; add.u32 %r4, %r3, 1; "
             "st.global.b32 [0], %r4;",
         "r3+ r4+");
  /* threads leave in different turns: uniform inside, if nobody reads it outside */
  marked(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L; st.global.b32 [0], %r1;",
         "r3+ p3-");
  marked(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L; add.u32 %r4, %r3, 1; "
             "st.global.b32 [0], %r4;",
         "r4-");
  /* one more loop behind: all are together again */
  marked(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L; mov.u32 %r5, 0; M: "
             "add.u32 %r5, %r5, 1; "
             "setp.lt.u32 %p3, %r5, 9; @%p3 bra M; st.global.b32 [0], %r5;",
         "r5+");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sources), cmocka_unit_test(rows), cmocka_unit_test(ways),
                                     cmocka_unit_test(turns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
