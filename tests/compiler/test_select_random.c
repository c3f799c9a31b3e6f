/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs through SSA form, with and without folding, through selection and the back end, run on the model:
 * memory afterwards must be what the interpreter of graphs says of the graph as it was made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include "tests/compiler/ir_random.h"
#include "tests/compiler/select_run.h"
#include "tests/test.h"

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

static unsigned one_in = 1;

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

/* tests_ptx select_random [N]: one graph in N. */
int TEST_MAIN(int argc, char **argv) {
  if (argc > 1) one_in = (unsigned)strtoul(argv[1], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(straight),         cmocka_unit_test(guarded),
                                     cmocka_unit_test(structured),       cmocka_unit_test(wild),
                                     cmocka_unit_test(uniform_straight), cmocka_unit_test(uniform_structured),
                                     cmocka_unit_test(uniform_barriers), cmocka_unit_test(uniform_wild)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
