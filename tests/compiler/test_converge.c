/* SPDX-License-Identifier: Apache-2.0
 *
 * What is uniform, and reconvergence.
 */
#include <stdlib.h>
#include <string.h>
#include "tests/compiler/graph/ir_random.h"
#include "tests/compiler/graph/ir_warp.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/test.h"

/* Which values are the same in every thread of a warp: each rule by hand. (Random graphs, where what is marked is
 * compared with what threads compute: below.) */

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

#define TID_CTA "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r1, 3; setp.eq.u32 %p2, %r2, 3; "

static void ways(void **state) {
  (void)state;
  /* a choice by branches: by the thread, by the block */
  marked(TID_CTA "mov.u32 %r3, 1; @%p1 bra A; mov.u32 %r3, 2; A: add.u32 %r4, %r3, 1; st.global.b32 [0], %r4;", "r4-");
  marked(TID_CTA "mov.u32 %r3, 1; @%p2 bra A; mov.u32 %r3, 2; A: add.u32 %r4, %r3, 1; st.global.b32 [0], %r4;",
         "r3+ r4+");
  /* what is computed in an arm alone is the same for all who are there */
  marked(TID_CTA "@%p1 bra A; add.u32 %r3, %r2, 2; st.global.b32 [0], %r3; A: st.global.b32 [4], %r2;", "r3+");
  /* a loop in one arm counts for itself */
  marked(TID_CTA
         "@%p1 bra A; mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L; st.global.b32 "
         "[0], %r3; A: "
         "st.global.b32 [4], %r2;",
         "r3+ p3+");
  /* the same loop where two groups come by different ways, and are together only behind it */
  marked(
      TID_CTA
      "@%p1 bra B; @%p2 bra C; setp.lt.u32 %p3, %r1, 20; @%p3 bra B; st.global.b32 [8], %r1; bra C; B: mov.u32 %r3, 0; "
      "L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L; st.global.b32 [0], %r3; C: st.global.b32 [4], %r2;",
      "r3~");
}

static void turns(void **state) {
  (void)state;
  /* everybody leaves at once: the counter is uniform behind the loop too */
  marked(TID_CTA "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 5; @%p3 bra L; add.u32 %r4, %r3, 1; "
                 "st.global.b32 [0], %r4;",
         "r3+ r4+");
  /* threads leave in different turns: uniform inside, if nobody reads it outside */
  marked(TID_CTA
         "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L; st.global.b32 [0], %r1;",
         "r3+ p3-");
  marked(TID_CTA "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L; add.u32 %r4, %r3, 1; "
                 "st.global.b32 [0], %r4;",
         "r4-");
  /* one more loop behind: all are together again */
  marked(TID_CTA "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L; mov.u32 %r5, 0; M: "
                 "add.u32 %r5, %r5, 1; "
                 "setp.lt.u32 %p3, %r5, 9; @%p3 bra M; st.global.b32 [0], %r5;",
         "r5+");
}

/* Reconvergence: a warp of 32 threads on either unit gives every thread what it gives alone, nobody traps or waits for
 * ever, barriers between warps see all threads, and what is marked uniform could live in a register of the warp. */

static void middle(struct ir_function *f, uint64_t seed) {
  ir_to_ssa(f);
  if (seed % 4 != 1) ir_fold(f);
  if (seed % 4 != 2) ir_cse(f);
  ir_dead(f);
  ir_uniform(f);
  if (seed % 3) ir_if_convert(f);
  ir_converge(f);
}

static void compare(const struct ir_function *f, const uint8_t *expected, uint64_t seed, unsigned uniform,
                    const char *form) {
  for (unsigned n = 0; n < 4; n++) {
    enum warp_unit unit = n % 2 ? WARP_ITS : WARP_STACK;
    const char *wrong = ir_random_compare(f, unit, seed * 10 + n, uniform, expected);
    if (wrong)
      fail_msg("seed %llu, %s, %s unit, run %u: %s", (unsigned long long)seed, form, n % 2 ? "its" : "stack", n, wrong);
  }
}

static unsigned one(const struct random_ir *shape) {
  uint8_t expected[WARP_GLOBAL];
  struct random_made m = ir_random(shape);
  unsigned ran = ir_random_expect(m.f, expected);
  if (ran) {
    middle(m.f, shape->seed);
    const char *wrong = ir_check(m.f, true);
    if (wrong) fail_msg("seed %llu: %s", (unsigned long long)shape->seed, wrong);
    compare(m.f, expected, shape->seed, 2, "ssa");
    ir_from_ssa(m.f);
    wrong = ir_check(m.f, false);
    if (wrong) fail_msg("seed %llu, out of ssa: %s", (unsigned long long)shape->seed, wrong);
    compare(m.f, expected, shape->seed, 1, "out of ssa");
  }
  ir_random_free(&m);
  return ran;
}

static void statements(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    struct random_ir shape = {
        .seed = seed, .depth = 3, .length = 3, .work = 3, .memory = seed % 3 == 0, .guards = seed % 5 == 0};
    ran += one(&shape);
  }
  assert_true(ran > 300);
}

/* Early ends, and barriers that everybody who has not ended comes to. */
static void barriers(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    struct random_ir shape = {.seed = seed + 5000,
                              .depth = 3,
                              .length = 3,
                              .work = 3,
                              .exits = seed % 2,
                              .barriers = true,
                              .polls = seed % 3 == 0};
    ran += one(&shape);
  }
  assert_true(ran > 300);
}

/* Edges at random: loops with several entries, ends anywhere. */
static void wild(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 800; seed++) {
    struct random_ir shape = {.seed = seed + 10000, .blocks = 3 + (unsigned)(seed % 30), .work = 2, .exits = seed % 2};
    ran += one(&shape);
  }
  assert_true(ran > 500);
}

/* Reconvergence by hand: where BSSY, BSYNC, YIELD stand, and that threads are together where they should be. */

struct counts {
  unsigned bssy, bsync, yield, deepest; /* deepest: loop depth of a BSSY */
};

/* Without conversion of arms, so that branches stay. */
static void converge(struct lowered *l, const char *body, struct counts *c) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  fprintf(to, "%s%s%s", OPEN, body, CLOSE);
  fclose(to);
  if (!lowered(l, text, false)) fail_msg("%s: %s", body, l->p.messages ? l->p.message[0].text : "no message");
  free(text);
  ir_to_ssa(l->f);
  ir_fold(l->f);
  ir_dead(l->f);
  ir_converge(l->f);
  const char *wrong = ir_check(l->f, true);
  if (wrong) fail_msg("%s: %s", body, wrong);
  ir_dominators(l->f);
  *c = (struct counts){0};
  for (const struct ir_block *b = l->f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) {
      c->bssy += i->op == IR_BSSY;
      c->bsync += i->op == IR_BSYNC;
      c->yield += i->op == IR_YIELD;
      if (i->op == IR_BSSY && b->loop_depth > c->deepest) c->deepest = b->loop_depth;
      if (i->op == IR_BSSY)
        assert_true(i->converging.target && i->converging.barrier >= 0 &&
                    i->converging.barrier < 15); /* B15 is that of expansions */
    }
}

/* Both units, some ways to go on: everybody ends, ACTIVEMASKs see all threads but those in `missing`, memory is the
 * same. */
static void run(struct lowered *l, uint32_t missing, bool its_only) {
  uint8_t *first = calloc(1, WARP_GLOBAL);
  for (unsigned n = 0; n < 12; n++) {
    struct ir_warp *r = calloc(1, sizeof *r);
    r->f = l->f;
    r->lanes = UINT32_MAX;
    r->unit = its_only || n % 2 ? WARP_ITS : WARP_STACK;
    r->seed = n;
    r->steps_most = 200000;
    r->check_uniform = 2;
    const char *wrong = ir_warp_run(r);
    if (wrong) ir_print(l->f, stderr);
    if (wrong) fail_msg("run %u: %s", n, wrong);
    if ((r->least_mask | missing) != UINT32_MAX) fail_msg("run %u: only %x were there", n, r->least_mask);
    if (n == 0) memcpy(first, r->global, WARP_GLOBAL);
    assert_memory_equal(r->global, first, WARP_GLOBAL);
    free(r);
  }
  free(first);
}

static void shape(const char *body, unsigned regions, unsigned deepest) {
  struct lowered l;
  struct counts c;
  converge(&l, body, &c);
  if (c.bssy != regions || c.bsync != regions || c.deepest != deepest) {
    ir_print(l.f, stderr);
    fail_msg("%s\n  %u BSSY, %u BSYNC, not %u; the deepest in %u loops, not %u", body, c.bssy, c.bsync, regions,
             c.deepest, deepest);
  }
  run(&l, 0, false);
  lowered_free(&l);
}

#define TID                                                                                                            \
  "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.lt.u32 %p1, %r1, 13; setp.eq.u32 %p2, %r2, 3; and.b32 %r5, %r1, "  \
  "3; "                                                                                                                \
  "mul.wide.u32 %d1, %r1, 4; "
/* Everybody must be here. */
#define ALL " activemask.b32 %r7; st.global.b32 [%d1+1024], %r7; "
#define STORE(n) "st.global.b32 [%d1+" #n "], %r1; "

static void branches(void **state) {
  (void)state;
  shape(TID "@%p1 bra A; " STORE(0) "A: " ALL, 1, 0);
  shape(TID "@%p1 bra A; " STORE(0) "bra B; A: " STORE(128) "B: " ALL, 1, 0);
  shape(TID "@%p2 bra A; " STORE(0) "A: " ALL, 0, 0); /* all of a block go one way */
  shape(TID "@%p1 bra A; " STORE(0) "A: ret;", 0, 0); /* nothing follows but the end */
  /* one inside the other, ending together: one region */
  shape(TID "@%p1 bra A; " STORE(0) "setp.lt.u32 %p3, %r1, 20; @%p3 bra A; " STORE(128) "A: " ALL, 1, 0);
  shape(TID "@%p1 bra A; " STORE(0) "setp.lt.u32 %p3, %r1, 20; @%p3 bra C; " STORE(128) "C: " STORE(256) "A: " ALL, 2,
        0);
  /* a || b */
  shape(TID "@%p1 bra A; setp.gt.u32 %p3, %r1, 20; @%p3 bra A; " STORE(0) "bra B; A: " STORE(128) "B: " ALL, 1, 0);
  /* a switch that falls through */
  shape(TID "T: .branchtargets A, B, C, B; brx.idx %r5, T; A: " STORE(0) "B: " STORE(128) "C: " ALL, 1, 0);
}

static void loops(void **state) {
  (void)state;
  /* left in different turns: armed once, in front */
  shape(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra L;" ALL, 1, 0);
  /* a branch that leaves from the middle */
  shape(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.gt.u32 %p3, %r3, %r1; @%p3 bra E; " STORE(
            0) "setp.lt.u32 %p3, %r3, 40; @%p3 bra L; E: " ALL,
        1, 0);
  /* continue: together again in every turn, if the turns are counted alike */
  shape(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 9; @!%p3 bra E; xor.b32 %r4, %r3, %r1; "
            "and.b32 %r4, %r4, 1; "
            "setp.eq.u32 %p1, %r4, 0; @%p1 bra L; " STORE(0) "bra L; E: " ALL,
        1, 1);
  /* a loop directly behind a choice: the meeting point lies in front of it */
  shape(TID "mov.u32 %r3, 0; @%p1 bra L; " STORE(0) "L: " ALL
                                                    "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 9; @%p3 bra L; " ALL,
        1, 0);
  /* two inside each other, both left in different turns: the inner one's barrier is armed in the outer loop */
  shape(TID "mov.u32 %r3, 0; O: mov.u32 %r4, 0; I: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r5; @%p3 bra I; " STORE(
            0) "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, %r1; @%p3 bra O; " ALL,
        2, 1);
}

static void ends(void **state) {
  (void)state;
  /* others end: who goes on waits for that in front of the barrier */
  shape(TID "@!%p1 bra A; " STORE(0) "exit; A: bar.sync 0; " STORE(128), 1, 0);
  /* in a loop, with the barrier behind it */
  shape(TID "mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.eq.u32 %p3, %r3, %r1; @!%p3 bra N; " STORE(
            0) "exit; N: setp.lt.u32 %p3, %r3, 9; "
               "@%p3 bra L; bar.sync 0; " STORE(128),
        1, 1);
  /* those who leave the barrier's way meet among themselves, and do not wait for the others */
  shape(TID "@%p1 bra D; " STORE(0) "bar.sync 0; " STORE(128) "bra D; D: setp.lt.u32 %p3, %r1, 7; @%p3 bra F; " STORE(
            256) "F: " STORE(384),
        2, 0);
}

/* Sixteen choices inside each other: the innermost goes without a barrier of its own. */
static void deep(void **state) {
  (void)state;
  for (unsigned depth = 14; depth <= 20; depth++) {
    char *text = NULL;
    size_t size;
    struct lowered l;
    struct counts c;
    FILE *to = open_memstream(&text, &size);
    fputs(TID, to);
    for (unsigned k = 0; k < depth; k++)
      fprintf(to, "setp.lt.u32 %%p3, %%r1, %u; @%%p3 bra L%u; st.global.b32 [%%d1+%u], %%r1;\n", k + 1, k, 128 * k);
    for (unsigned k = depth; k-- > 0;) fprintf(to, "L%u: st.global.b32 [%%d1+%u], %%r1;\n", k, 4096 + 128 * k);
    fputs(ALL, to);
    fclose(to);
    converge(&l, text, &c);
    assert_int_equal(c.bssy, depth < 15 ? depth : 15);
    run(&l, 0, false);
    free(text);
    lowered_free(&l);
  }
}

/* ---- loops that wait ---- */

#define LOCK "L: atom.global.cas.b32 %r3, [0], 0, 1; setp.ne.u32 %p3, %r3, 0; @%p3 bra L; "
#define UNLOCK "atom.global.exch.b32 %r3, [0], 0; "
#define COUNT "ld.global.b32 %r4, [4]; add.u32 %r4, %r4, 1; st.global.b32 [4], %r4; "

/* Every thread takes the lock in its turn, on the unit that can do it. */
static void locks(void **state) {
  (void)state;
  struct lowered l;
  struct counts c;
  converge(&l, TID LOCK COUNT UNLOCK, &c);
  assert_true(c.yield > 0);
  run(&l, 0, true);
  lowered_free(&l);
  /* with a barrier behind: no YIELD; they meet right in front of the barrier */
  converge(&l, TID LOCK COUNT UNLOCK STORE(128) "bar.sync 0; " ALL, &c);
  assert_int_equal(c.yield, 0);
  run(&l, 0, true);
  lowered_free(&l);
}

/* The lock's answer reaches the branch by another way than a register: a stack slot, the choice of a constant, both.
 * And the lock is taken anew while others still wait for the last time. Who has it meets the others behind UNLOCK only.
 */
static void hidden_locks(void **state) {
  (void)state;
  static const char *const ways[] = {
      "L: atom.global.cas.b32 %r3, [0], 0, 1; st.local.b32 [8], %r3; ld.local.b32 %r4, [8]; setp.ne.u32 %p3, %r4, 0; "
      "@%p3 bra L; " COUNT UNLOCK,
      "L: atom.global.cas.b32 %r3, [0], 0, 1; setp.ne.u32 %p3, %r3, 0; mov.u32 %r4, 1; @%p3 bra M; mov.u32 %r4, 0; M: "
      "setp.ne.u32 %p1, %r4, 0; @%p1 bra L; " COUNT UNLOCK,
      "mov.u32 %r4, 1; st.local.b32 [8], %r4; L: atom.global.cas.b32 %r3, [0], 0, 1; setp.ne.u32 %p3, %r3, 0; @%p3 bra "
      "M; mov.u32 %r4, 0; st.local.b32 [8], %r4; M: ld.local.b32 %r5, [8]; setp.ne.u32 %p1, %r5, 0; @%p1 bra L; " COUNT
          UNLOCK,
      "mov.u32 %r5, 0; O: " LOCK COUNT UNLOCK "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra O; " STORE(128),
  };
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    struct lowered l;
    struct counts c;
    char text[1000];
    snprintf(text, sizeof text, "%s%s", TID, ways[k]);
    converge(&l, text, &c);
    assert_true(c.yield > 0);
    run(&l, 0, true);
    lowered_free(&l);
  }
}

/* A value is exchanged when nobody has changed it meanwhile: all meet right behind the loop, whatever they store then.
 */
static void retries(void **state) {
  (void)state;
  shape(TID
        "ld.volatile.global.u32 %r3, [0]; L: mov.u32 %r5, %r3; add.u32 %r4, %r5, %r1; atom.global.cas.b32 %r3, [0], "
        "%r5, %r4; setp.ne.u32 %p3, %r3, %r5; @%p3 bra L; " STORE(1024) "activemask.b32 %r6; " STORE(2048),
        1, 0);
}

/* One thread waits for another block, the others for it; then all come to the barrier. */
static void one_waits(void **state) {
  (void)state;
  struct lowered l;
  struct counts c;
  converge(&l,
           TID "setp.ne.u32 %p1, %r1, 0; @%p1 bra A; L: ld.volatile.global.u32 %r3, [0]; setp.ne.u32 %p3, %r3, 0; @%p3 "
               "bra L; A: bar.sync 0; " ALL,
           &c);
  assert_int_equal(c.yield, 0);
  run(&l, 0, false);
  lowered_free(&l);
  converge(&l,
           TID "setp.ne.u32 %p1, %r1, 0; @%p1 bra A; L: ld.volatile.global.u32 %r3, [0]; setp.ne.u32 %p3, %r3, 0; @%p3 "
               "bra L; A: " STORE(128),
           &c);
  assert_int_equal(c.yield, 1);
  lowered_free(&l);
}

static void warns(void **state) {
  (void)state;
  struct lowered l;
  struct counts c;
  /* two barriers, one on each way: nowhere to meet in front of them */
  converge(&l, TID "@%p1 bra A; " STORE(0) "bar.sync 0; bra B; A: " STORE(128) "bar.sync 0; B: " STORE(256), &c);
  assert_int_equal(l.p.messages, 1);
  assert_true(l.p.message[0].warning);
  lowered_free(&l);
  converge(&l, TID "@%p1 bra A; " STORE(0) "A: bar.sync 0; " STORE(256), &c);
  assert_int_equal(l.p.messages, 0);
  lowered_free(&l);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources),   cmocka_unit_test(rows),         cmocka_unit_test(ways),
      cmocka_unit_test(turns),     cmocka_unit_test(statements),   cmocka_unit_test(barriers),
      cmocka_unit_test(wild),      cmocka_unit_test(branches),     cmocka_unit_test(loops),
      cmocka_unit_test(ends),      cmocka_unit_test(deep),         cmocka_unit_test(locks),
      cmocka_unit_test(one_waits), cmocka_unit_test(hidden_locks), cmocka_unit_test(retries),
      cmocka_unit_test(warns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
