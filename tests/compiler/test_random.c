/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs: into SSA form, through the passes that keep it, and through the whole back end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include "tests/compiler/graph/ir_random.h"
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* Into SSA form and through the passes that keep it: random graphs give the same before and after. */

typedef void (*pass)(struct ir_function *f);

static struct random_ir shape_of(uint64_t seed) {
  struct random_ir s = {
      .seed = seed, .depth = 4, .length = 4, .work = 6, .memory = true, .narrow = true, .exits = seed % 3 == 0};
  s.guards = seed % 2;
  s.floats = seed % 5 == 0;
  if (seed % 4 == 3) s.blocks = 3 + (unsigned)(seed % 20);
  return s;
}

/* Every thread by itself: divergence is no matter here. */
static void compare(const struct ir_function *f, const uint8_t *expected, uint64_t seed, const char *what) {
  const char *wrong = ir_random_check(f, true, expected);
  if (wrong) ir_print(f, stderr);
  if (wrong) fail_msg("seed %llu, after %s: %s", (unsigned long long)seed, what, wrong);
}

static unsigned one_in = 1;

static void passes(uint64_t first, uint64_t most, const pass *p, const char *const *names) {
  const uint64_t count = most / one_in;
  uint64_t ran = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    const struct random_ir shape = shape_of(seed);
    uint8_t expected[WARP_GLOBAL];
    struct random_made m = ir_random(&shape);
    assert_null(ir_check(m.f, false));
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      compare(m.f, expected, seed, "ssa");
      for (unsigned k = 0; p && p[k]; k++) {
        p[k](m.f);
        compare(m.f, expected, seed, names[k]);
      }
    }
    ir_random_free(&m);
  }
  assert_true(ran > count / 2);
}

static void into_ssa(void **state) {
  (void)state;
  passes(1, 400, NULL, NULL);
}

static void keeps_its_meaning(void **state) {
  (void)state;
  static const pass p[] = {ir_dead, ir_fold, ir_cse, ir_dead, ir_fold, ir_dead, NULL};
  static const char *const names[] = {"dead", "fold", "cse", "dead", "fold", "dead"};
  passes(1000, 600, p, names);
}

/* ---- by hand ---- */

static struct ir_insn *add(struct hand *h, struct ir_block *b, enum ir_op op, enum ptx_type t, struct ir_value *dst,
                           unsigned n, struct ir_operand x, struct ir_operand y) {
  struct ir_insn *i = ir_insn_new(h->f, op, t, (struct ptx_pos){1, 1});
  if (dst) i->dst[i->dsts++] = dst;
  i->sources = n;
  i->src[0] = x;
  i->src[1] = y;
  ir_append(b, i);
  return i;
}

static unsigned count(const struct ir_function *f, enum ir_op op) {
  unsigned n = 0;
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) n += i->op == op;
  return n;
}

/* x = 1; if (p) x = 2; use x: one phi; y, not read behind the join: none. */
static void phis_where_they_are_read(void **state) {
  (void)state;
  struct ir_block *b[3];
  struct hand h = hand_new(3, b);
  struct ir_value *x = ir_value_new(h.f, IR_32), *y = ir_value_new(h.f, IR_32), *p = ir_value_new(h.f, IR_PRED),
                  *t = ir_value_new(h.f, IR_32);
  add(&h, b[0], IR_SREG, PTX_U32, t, 0, none, none);
  add(&h, b[0], IR_COPY, PTX_U32, x, 1, ir_bits(1), none);
  add(&h, b[0], IR_COPY, PTX_U32, y, 1, ir_bits(1), none);
  add(&h, b[0], IR_SETP, PTX_U32, p, 2, ir_use(t), ir_bits(3));
  add(&h, b[0], IR_CBR, PTX_PRED, NULL, 1, ir_use(p), none);
  ir_edge(h.f, b[0], b[1]);
  ir_edge(h.f, b[0], b[2]);
  add(&h, b[1], IR_COPY, PTX_U32, x, 1, ir_bits(2), none);
  add(&h, b[1], IR_COPY, PTX_U32, y, 1, ir_bits(2), none);
  add(&h, b[1], IR_BR, PTX_NO_TYPE, NULL, 0, none, none);
  ir_edge(h.f, b[1], b[2]);
  add(&h, b[2], IR_ST, PTX_U32, NULL, 2, ir_bits(64), ir_use(x))->memory.space = PTX_GLOBAL;
  add(&h, b[2], IR_EXIT, PTX_NO_TYPE, NULL, 0, none, none);
  ir_to_ssa(h.f);
  assert_null(ir_check(h.f, true));
  assert_int_equal(count(h.f, IR_PHI), 1);
  assert_int_equal(count(h.f, IR_UNDEF), 0);
  ptx_arena_free(h.arena);
}

/* A register read before it is written; a guarded write keeps what was before. */
static void undefined_and_guarded(void **state) {
  (void)state;
  struct ir_block *b[1];
  struct hand h = hand_new(1, b);
  struct ir_value *x = ir_value_new(h.f, IR_32), *p = ir_value_new(h.f, IR_PRED), *t = ir_value_new(h.f, IR_32);
  add(&h, b[0], IR_SREG, PTX_U32, t, 0, none, none)->sreg = IR_TID_X;
  struct ir_insn *c = add(&h, b[0], IR_SETP, PTX_U32, p, 2, ir_use(t), ir_bits(3));
  c->comparison.cmp = IR_LT;
  add(&h, b[0], IR_COPY, PTX_U32, x, 1, ir_bits(7), none)->guard = p;
  struct ir_insn *g = add(&h, b[0], IR_COPY, PTX_U32, x, 1, ir_bits(9), none);
  g->guard = p;
  g->guard_invert = true;
  struct ir_value *at = ir_value_new(h.f, IR_64);
  add(&h, b[0], IR_MULWIDE, PTX_U32, at, 2, ir_use(t), ir_bits(4));
  add(&h, b[0], IR_ST, PTX_U32, NULL, 2, ir_use(at), ir_use(x))->memory.space = PTX_GLOBAL;
  add(&h, b[0], IR_EXIT, PTX_NO_TYPE, NULL, 0, none, none);
  ir_to_ssa(h.f);
  assert_null(ir_check(h.f, true));
  assert_int_equal(count(h.f, IR_UNDEF), 1);
  struct ir_warp *r = calloc(1, sizeof *r);
  r->f = h.f;
  r->lanes = UINT32_MAX;
  r->steps_most = 100;
  assert_null(ir_warp_run(r));
  for (unsigned k = 0; k < 32; k++) assert_int_equal(r->global[4 * k], k < 3 ? 7 : 9);
  ir_fold(h.f);
  assert_null(ir_check(h.f, true));
  assert_int_equal(count(h.f, IR_UNDEF), 0); /* the first write need not be guarded */
  free(r);
  ptx_arena_free(h.arena);
}

/* Random graphs through SSA form, with and without folding, through selection and the back end, run on the model:
 * memory afterwards must be what the interpreter of graphs says of the graph as it was made. */

static void optimise(struct ir_function *f, unsigned level) {
  ir_tidy(f);
  ir_dominators(f);
  ir_to_ssa(f);
  if (level > 0) {
    ir_fold(f);
    ir_cse(f);
    ir_fold(f);
    ir_dead(f);
  }
  ir_dominators(f);
  ir_uniform(f);
  if (level > 1) {
    ir_if_convert(f);
    ir_tidy(f);
    ir_dead(f);
    ir_dominators(f);
    ir_uniform(f);
  }
  ir_converge(f);
  ir_dominators(f);
  ir_from_ssa(f);
}

/* The interpreter's block has the number 5: a parameter says so. */
static void number_from_parameter(struct ir_function *f) {
  for (struct ir_insn *i = f->first->first; i; i = i->next)
    if (i->op == IR_SREG && i->sreg == IR_CTAID_X) ir_change(i, IR_PARAM, (enum ptx_type)i->type);
  f->param_bytes = 4;
}

static const char *difference(const uint8_t *got, const uint8_t *want) {
  static char text[100];
  unsigned at = 0;
  while (at < WARP_GLOBAL && got[at] == want[at]) at++;
  if (at == WARP_GLOBAL) return NULL;
  (void)snprintf(text, sizeof text, "byte 0x%x is 0x%02x, not 0x%02x (thread %u, byte %u)", at, got[at], want[at],
                 (at - 0x1000) / RANDOM_SLOT, (at - 0x1000) % RANDOM_SLOT);
  return text;
}

static void prove(const struct heddle_program *p, const struct random_ir *shape, unsigned level) {
  struct heddle_lint_options all = {.size = sizeof all};
  struct heddle_lint_totals totals = {.size = sizeof totals};
  if (heddle_lint(p, &all, &totals) != HEDDLE_LINT_PROVEN)
    fail_msg("seed %llu, level %u: %u findings", (unsigned long long)shape->seed, level, totals.findings);
}

static bool try_graph(const struct random_ir *shape, unsigned level, unsigned *uniform) {
  struct random_made r = ir_random(shape);
  uint8_t *want = calloc(1, WARP_GLOBAL), *got = calloc(1, WARP_GLOBAL);
  bool known = ir_random_expect(r.f, want);
  if (known) {
    const uint8_t five[4] = {5};
    number_from_parameter(r.f);
    optimise(r.f, level);
    struct select_made made = shape->common ? select_make_uniform(r.f) : select_make(r.f);
    if (!made.p) fail_msg("seed %llu, level %u: %s", (unsigned long long)shape->seed, level, made.message);
    *uniform += made.uniform > 0;
    prove(made.p, shape, level);
    for (unsigned unit = 0; unit < 2; unit++) {
      memset(got, 0, WARP_GLOBAL);
      const struct select_job job = {.global = got,
                                     .bytes = WARP_GLOBAL,
                                     .blocks = 1,
                                     .threads = 32,
                                     .param = five,
                                     .param_bytes = sizeof five,
                                     .unit = unit ? HEDDLE_ITS : HEDDLE_STACK};
      const char *wrong = select_launch(made.p, &job);
      if (!wrong) wrong = difference(got, want);
      if (wrong) fail_msg("seed %llu, level %u, unit %u: %s", (unsigned long long)shape->seed, level, unit, wrong);
    }
    heddle_program_free(made.p);
  }
  free(want);
  free(got);
  ir_random_free(&r);
  return known;
}

static void several(const struct random_ir *like, unsigned most) {
  const unsigned count = most / one_in;
  unsigned known = 0, uniform = 0;
  for (unsigned k = 0; k < count; k++)
    for (unsigned level = 0; level < 3; level++) {
      struct random_ir shape = *like;
      shape.seed = k + 1;
      known += try_graph(&shape, level, &uniform);
    }
  assert_true(known > count);
  if (like->common) assert_true(uniform > known - known / 4);
}

static void straight(void **state) {
  (void)state;
  several(&(struct random_ir){.depth = 0, .length = 1, .work = 40, .memory = true}, 300);
}

static void guarded(void **state) {
  (void)state;
  several(&(struct random_ir){.depth = 0, .length = 2, .work = 30, .guards = true, .memory = true, .floats = true},
          300);
}

static void structured(void **state) {
  (void)state;
  several(
      &(struct random_ir){
          .depth = 3, .length = 3, .work = 8, .guards = true, .memory = true, .floats = true, .exits = true},
      200);
}

static void wild(void **state) {
  (void)state;
  several(&(struct random_ir){.blocks = 14, .work = 6, .guards = true, .memory = true, .floats = true, .exits = true},
          200);
}

/* The same with much that all threads have in common, all of it on the uniform datapath where the compiler dares. */
static void uniform_straight(void **state) {
  (void)state;
  several(
      &(struct random_ir){
          .depth = 0, .length = 2, .work = 30, .guards = true, .memory = true, .floats = true, .common = true},
      200);
}

static void uniform_structured(void **state) {
  (void)state;
  several(&(struct random_ir){.depth = 3,
                              .length = 3,
                              .work = 8,
                              .guards = true,
                              .memory = true,
                              .floats = true,
                              .exits = true,
                              .common = true},
          300);
}

static void uniform_barriers(void **state) {
  (void)state;
  several(&(struct random_ir){.depth = 3, .length = 3, .work = 6, .barriers = true, .polls = true, .common = true},
          200);
}

static void uniform_wild(void **state) {
  (void)state;
  several(
      &(struct random_ir){
          .blocks = 14, .work = 6, .guards = true, .memory = true, .floats = true, .exits = true, .common = true},
      300);
}

/* tests_ptx random [N]: one random graph in N. */
int TEST_MAIN(int argc, char **argv) {
  if (argc > 1) one_in = (unsigned)strtoul(argv[1], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(into_ssa),
                                     cmocka_unit_test(keeps_its_meaning),
                                     cmocka_unit_test(phis_where_they_are_read),
                                     cmocka_unit_test(undefined_and_guarded),
                                     cmocka_unit_test(straight),
                                     cmocka_unit_test(guarded),
                                     cmocka_unit_test(structured),
                                     cmocka_unit_test(wild),
                                     cmocka_unit_test(uniform_straight),
                                     cmocka_unit_test(uniform_structured),
                                     cmocka_unit_test(uniform_barriers),
                                     cmocka_unit_test(uniform_wild)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
