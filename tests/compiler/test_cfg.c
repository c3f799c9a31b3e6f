/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph itself: tidying, dominators against their definition, loops, the limits.
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

#include "tests/compiler/ir_random.h"
#include "compiler/graph/pass.h"

static void tidied(const char *body, const char *wanted) {
  char text[2000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s", OPEN, body, CLOSE);
  assert_non_null(lowered(&l, text, false));
  ir_tidy(l.f);
  assert_null(ir_check(l.f, false));
  char *got = normalised(l.f, true);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
  lowered_free(&l);
}

static void tidying(void **state) {
  (void)state;
  tidied("bra A; mov.u32 %r1, 1; A: bra B; B: st.global.b32 [0], 7;", "b0:; st.global.b32 [0x0], 0x7; exit");
  tidied("@%p1 bra A; A: st.global.b32 [0], 7;", "b0:; st.global.b32 [0x0], 0x7; exit");
  /* an empty block between, and both ways of one branch into it */
  tidied("@%p1 bra A; bra B; A: bra B; B: st.global.b32 [0], 7;", "b0:; st.global.b32 [0x0], 0x7; exit");
  tidied("@%p1 bra A; st.global.b32 [0], 6; A: bra B; B: st.global.b32 [0], 7;",
         "b0:; cbr p1 -> b2 b3; b3: <- b0; st.global.b32 [0x0], 0x6; br -> b2; b2: <- b3 b0; "
         "st.global.b32 [0x0], 0x7; exit");
}

/* A loop around nothing stays; the entry has no predecessors even when the program begins with a loop. */
static void circles(void **state) {
  (void)state;
  struct lowered l;
  assert_non_null(lowered(&l, BODY("A: bra A;"), false));
  ir_tidy(l.f);
  assert_null(ir_check(l.f, false));
  assert_int_equal(l.f->first->preds, 0);
  assert_int_equal(l.f->first->succs, 1);
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_uniform(l.f);
  ir_if_convert(l.f);
  ir_converge(l.f);
  assert_null(ir_check(l.f, true));
  ir_from_ssa(l.f);
  assert_null(ir_check(l.f, false));
  lowered_free(&l);
}

/* ---- dominators ---- */

/* Can `to` be reached from `from` when `without` is closed? */
static bool reaches(const struct ir_function *f, const struct ir_block *from, const struct ir_block *to,
                    const struct ir_block *without) {
  const struct ir_block **stack = calloc(f->blocks + 1, sizeof *stack);
  bool *seen = calloc(f->blocks, 1), found = false;
  unsigned depth = 0;
  if (from != without) stack[depth++] = from, seen[from->id] = true;
  while (depth && !found) {
    const struct ir_block *b = stack[--depth];
    found = b == to;
    for (unsigned k = 0; k < b->succs; k++)
      if (b->succ[k] != without && !seen[b->succ[k]->id]) {
        seen[b->succ[k]->id] = true;
        stack[depth++] = b->succ[k];
      }
  }
  free(stack);
  free(seen);
  return found;
}

static bool ends(const struct ir_function *f, const struct ir_block *from, const struct ir_block *without) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    if (b->succs == 0 && b != without && reaches(f, from, b, without)) return true;
  return false;
}

/* The immediate one is a dominator, and every other dominator of the block dominates it too. */
static void judge(const struct ir_function *f) {
  bool all_end = true; /* loops without end have postdominators by decree */
  for (const struct ir_block *b = f->first; b; b = b->next) all_end = all_end && ends(f, b, NULL);
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_block *a = f->first; a; a = a->next) {
      if (a == b) continue;
      bool dominates = b != f->first && !reaches(f, f->first, b, a), above = false, behind = false;
      for (const struct ir_block *up = b->idom; up; up = up->idom) above = above || up == a;
      assert_int_equal(dominates, above);
      if (!all_end) continue;
      for (const struct ir_block *up = b->ipdom; up; up = up->ipdom) behind = behind || up == a;
      assert_int_equal(!ends(f, b, a), behind);
    }
}

static void dominators(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 120; seed++) {
    struct random_ir shape = {.seed = seed, .blocks = 2 + (unsigned)(seed % 25), .work = 1, .exits = seed % 2};
    struct random_made m = ir_random(&shape);
    ir_tidy(m.f);
    ir_dominators(m.f);
    judge(m.f);
    ir_random_free(&m);
  }
}

/* ---- loops ---- */

static void loops(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct random_ir shape = {.seed = seed, .blocks = 2 + (unsigned)(seed % 25), .work = 1, .exits = seed % 2};
    struct random_made m = ir_random(&shape);
    ir_tidy(m.f);
    struct pass_order *o = pass_order(m.f);
    struct pass_loop **loop = pass_loops(m.f, o);
    struct pass_tree *dom = pass_dominators(m.f, o);
    for (uint32_t k = 0; k < o->count; k++) {
      const struct ir_block *b = o->block[k];
      bool in_circle = false;
      for (unsigned s = 0; s < b->succs; s++) in_circle = in_circle || reaches(m.f, b->succ[s], b, NULL);
      assert_int_equal(in_circle, loop[b->id] != NULL);
      /* The header of a loop with one entry dominates it, and is reached from all of it. */
      for (const struct pass_loop *l = loop[b->id]; l; l = l->outer) {
        assert_true(l->irreducible || pass_above(dom, l->header->id, b->id));
        assert_true(reaches(m.f, b, l->header, NULL));
      }
    }
    ir_random_free(&m);
  }
}

/* After pass_loops_tidy: one way in, which leads only there, and one way back. */
static void loops_tidy(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct random_ir shape = {.seed = seed, .depth = 3, .length = 3, .work = 2};
    uint8_t expected[WARP_GLOBAL], got[WARP_GLOBAL];
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ir_to_ssa(m.f);
      pass_loops_tidy(m.f);
      assert_null(ir_check(m.f, true));
      struct pass_order *o = pass_order(m.f);
      struct pass_loop **loop = pass_loops(m.f, o);
      for (uint32_t k = 0; k < o->count; k++) {
        const struct ir_block *h = o->block[k];
        if (!loop[h->id] || loop[h->id]->header != h || loop[h->id]->irreducible) continue;
        assert_int_equal(h->preds, 2);
        for (unsigned p = 0; p < 2; p++)
          if (!pass_loop_inside(loop[h->pred[p]->id], loop[h->id])) assert_int_equal(h->pred[p]->succs, 1);
      }
      assert_true(ir_random_expect(m.f, got));
      assert_memory_equal(got, expected, WARP_GLOBAL);
      ir_tidy(m.f);
      assert_null(ir_check(m.f, true));
      assert_true(ir_random_expect(m.f, got));
      assert_memory_equal(got, expected, WARP_GLOBAL);
    }
    ir_random_free(&m);
  }
}

/* Long and deep ones: nothing recurses, nothing takes for ever. A row of n conditional ends; n loops inside each other.
 */
static void large(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 2; kind++) {
    enum { N = 3000 };
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    fputs(OPEN "mov.u32 %r1, %tid.x;", to);
    for (unsigned k = 0; k < N; k++)
      fprintf(to, kind ? "L%u: add.u32 %%r1, %%r1, %u;\n" : "setp.eq.u32 %%p1, %%r1, %u; @%%p1 bra E;\n", k, k);
    for (unsigned k = N; kind && k-- > 0;) fprintf(to, "setp.lt.u32 %%p1, %%r1, %u; @%%p1 bra L%u;\n", k, k);
    fputs("E: st.global.b32 [0], %r1;" CLOSE, to);
    fclose(to);
    struct lowered l;
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    ir_fold(l.f);
    ir_cse(l.f);
    ir_dead(l.f);
    ir_uniform(l.f);
    ir_if_convert(l.f);
    ir_converge(l.f);
    assert_null(ir_check(l.f, true));
    ir_from_ssa(l.f);
    assert_null(ir_check(l.f, false));
    lowered_free(&l);
    free(text);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tidying),    cmocka_unit_test(circles),
                                     cmocka_unit_test(dominators), cmocka_unit_test(loops),
                                     cmocka_unit_test(loops_tidy), cmocka_unit_test(large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
