/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph itself, and out of SSA form.
 */
#include <stdlib.h>
#include <string.h>
#include "compiler/graph/pass.h"
#include "tests/compiler/graph/ir_random.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/test.h"

/* The graph itself: tidying, dominators against their definition, loops, the limits. */

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

/* Out of SSA form: the classic traps by hand, and random graphs there and back. */

static struct ir_value *add(struct hand *h, struct ir_block *b, enum ir_op op, enum ptx_type t, enum ir_class c,
                            struct ir_operand x, struct ir_operand y) {
  struct ir_insn *i = ir_insn_new(h->f, op, t, (struct ptx_pos){1, 1});
  for (unsigned k = 0; k < 2 && (k ? y : x).kind != IR_NONE; k++) i->src[i->sources++] = k ? y : x;
  ir_append(b, i);
  if (op == IR_ST) i->memory.space = PTX_GLOBAL;
  if (op >= IR_BR || op == IR_ST) return NULL;
  i->dst[i->dsts++] = ir_value_new(h->f, c);
  i->dst[0]->def = i;
  return i->dst[0];
}

static struct ir_insn *phi(struct hand *h, struct ir_block *b, struct ir_operand x, struct ir_operand y) {
  struct ir_insn *i = ir_insn_new(h->f, IR_PHI, PTX_B32, (struct ptx_pos){1, 1});
  i->many = ptx_alloc(h->arena, 2 * sizeof *i->many);
  i->many[0] = x;
  i->many[1] = y;
  i->sources = 2;
  i->dsts = 1;
  i->dst[0] = ir_value_new(h->f, IR_32);
  i->dst[0]->def = i;
  ir_append(b, i);
  return i;
}

static unsigned count(const struct ir_function *f, enum ir_op op) {
  unsigned n = 0;
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) n += i->op == op;
  return n;
}

static void run(const struct ir_function *f, uint32_t *word, unsigned words) {
  struct ir_warp *r = calloc(1, sizeof *r);
  r->f = f;
  r->lanes = 1;
  r->steps_most = 10000;
  assert_null(ir_warp_run(r));
  memcpy(word, r->global, words * sizeof *word);
  free(r);
}

/* b0 -> b1 (loop: n = phi(0, n + 1), then whatever, back while n < 5) -> b2 */
struct loop {
  struct hand h;
  struct ir_block *b[3];
  struct ir_insn *n;
};

static struct loop loop_new(void) {
  struct loop l;
  l.h = hand_new(3, l.b);
  add(&l.h, l.b[0], IR_BR, PTX_NO_TYPE, IR_32, none, none);
  ir_edge(l.h.f, l.b[0], l.b[1]);
  l.n = phi(&l.h, l.b[1], ir_bits(0), none);
  return l;
}

static void loop_close(struct loop *l) {
  struct ir_value *next = add(&l->h, l->b[1], IR_ADD, PTX_U32, IR_32, ir_use(l->n->dst[0]), ir_bits(1));
  l->n->many[1] = ir_use(next);
  struct ir_value *p = add(&l->h, l->b[1], IR_SETP, PTX_U32, IR_PRED, ir_use(next), ir_bits(5));
  p->def->comparison.cmp = IR_LT;
  add(&l->h, l->b[1], IR_CBR, PTX_PRED, IR_32, ir_use(p), none);
  ir_edge(l->h.f, l->b[1], l->b[1]);
  ir_edge(l->h.f, l->b[1], l->b[2]);
}

static void loop_end(struct loop *l) {
  add(&l->h, l->b[2], IR_EXIT, PTX_NO_TYPE, IR_32, none, none);
  assert_null(ir_check(l->h.f, true));
  ir_from_ssa(l->h.f);
  assert_null(ir_check(l->h.f, false));
  assert_int_equal(count(l->h.f, IR_PHI), 0);
}

/* x, y = y, x in every turn: five turns leave them exchanged. */
static void swap(void **state) {
  (void)state;
  uint32_t word[2];
  struct loop l = loop_new();
  struct ir_insn *x = phi(&l.h, l.b[1], ir_bits(111), none), *y = phi(&l.h, l.b[1], ir_bits(222), none);
  x->many[1] = ir_use(y->dst[0]);
  y->many[1] = ir_use(x->dst[0]);
  loop_close(&l);
  add(&l.h, l.b[2], IR_ST, PTX_U32, IR_32, ir_bits(0), ir_use(x->dst[0]));
  add(&l.h, l.b[2], IR_ST, PTX_U32, IR_32, ir_bits(4), ir_use(y->dst[0]));
  loop_end(&l);
  run(l.h.f, word, 2);
  /* The phis take their fifth values at the start of the fifth turn: four exchanges. */
  assert_int_equal(word[0], 111);
  assert_int_equal(word[1], 222);
  ptx_arena_free(l.h.arena);
}

/* Three in a ring. */
static void ring(void **state) {
  (void)state;
  uint32_t word[3];
  struct loop l = loop_new();
  struct ir_insn *v[3];
  for (unsigned k = 0; k < 3; k++) v[k] = phi(&l.h, l.b[1], ir_bits(10 + k), none);
  for (unsigned k = 0; k < 3; k++) v[k]->many[1] = ir_use(v[(k + 1) % 3]->dst[0]);
  loop_close(&l);
  for (unsigned k = 0; k < 3; k++) add(&l.h, l.b[2], IR_ST, PTX_U32, IR_32, ir_bits(4 * k), ir_use(v[k]->dst[0]));
  loop_end(&l);
  run(l.h.f, word, 3);
  for (unsigned k = 0; k < 3; k++) assert_int_equal(word[k], 10 + (k + 4) % 3);
  ptx_arena_free(l.h.arena);
}

/* The phi's value is wanted behind the loop, after the next one has been made: the copy must not be lost. */
static void lost_copy(void **state) {
  (void)state;
  uint32_t word[1];
  struct loop l = loop_new();
  loop_close(&l);
  add(&l.h, l.b[2], IR_ST, PTX_U32, IR_32, ir_bits(0), ir_use(l.n->dst[0]));
  loop_end(&l);
  run(l.h.f, word, 1);
  assert_int_equal(word[0], 4);
  ptx_arena_free(l.h.arena);
}

/* A counter and a sum: nothing is left to copy in the loop. */
static void no_copies(void **state) {
  (void)state;
  uint32_t word[1];
  struct loop l = loop_new();
  struct ir_insn *s = phi(&l.h, l.b[1], ir_bits(100), none);
  struct ir_value *sum = add(&l.h, l.b[1], IR_ADD, PTX_U32, IR_32, ir_use(s->dst[0]), ir_use(l.n->dst[0]));
  s->many[1] = ir_use(sum);
  loop_close(&l);
  add(&l.h, l.b[2], IR_ST, PTX_U32, IR_32, ir_bits(0), ir_use(sum));
  loop_end(&l);
  run(l.h.f, word, 1);
  assert_int_equal(word[0], 110);
  assert_int_equal(count(l.h.f, IR_COPY), 2); /* the two constants */
  ptx_arena_free(l.h.arena);
}

static void there_and_back(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    struct random_ir shape = {
        .seed = seed, .depth = 4, .length = 4, .work = 6, .memory = true, .guards = seed % 2, .exits = seed % 3 == 0};
    uint8_t expected[WARP_GLOBAL];
    if (seed % 3 == 2) shape.blocks = 3 + (unsigned)(seed % 23);
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 4) ir_fold(m.f);
      if (seed % 4 == 3) ir_cse(m.f);
      ir_from_ssa(m.f);
      const char *wrong = ir_random_check(m.f, false, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 400);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tidying),   cmocka_unit_test(circles),       cmocka_unit_test(dominators),
      cmocka_unit_test(loops),     cmocka_unit_test(loops_tidy),    cmocka_unit_test(large),
      cmocka_unit_test(swap),      cmocka_unit_test(ring),          cmocka_unit_test(lost_copy),
      cmocka_unit_test(no_copies), cmocka_unit_test(there_and_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
