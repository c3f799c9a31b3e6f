/* SPDX-License-Identifier: Apache-2.0
 * Registers that are joined: copies, and the sums of a loop with what they are added to. Only where lives do not meet.
 * (That joined programs compute what they should: test_allocate, test_banks.) */
#include <stdlib.h>

#include "tests/test.h"
#include "compiler/ir/diag.h"
#include "compiler/ir/mir.h"

/* A block that runs again while P holds, and one behind it. */
struct loop {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function f;
  struct mir_block *body, *behind;
  struct mir_builder m;
  struct mir_operand address, a, b, sum;
};

static struct loop *begin(void) {
  struct loop *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->arena = ptx_arena_new((size_t)64 << 20);
  ptx_diag_init(&t->diag, "loop", NULL, NULL);
  t->f = (struct mir_function){.name = "k", .arena = t->arena, .diag = &t->diag};
  t->f.first = mir_block_new(&t->f);
  t->body = mir_block_new(&t->f);
  t->behind = mir_block_new(&t->f);
  mir_block_place(t->f.first, t->body);
  mir_block_place(t->body, t->behind);
  mir_edge(&t->f, t->f.first, t->body);
  mir_edge(&t->f, t->body, t->body);
  mir_edge(&t->f, t->body, t->behind);
  t->body->loop_depth = 1;
  t->address = mir_new(&t->f, MIR_R, 2);
  t->a = mir_new(&t->f, MIR_R, 1);
  t->b = mir_new(&t->f, MIR_R, 1);
  t->sum = mir_new(&t->f, MIR_R, 1);
  t->m = (struct mir_builder){.f = &t->f, .b = t->f.first};
  const struct mir_operand first[] = {mir_word(t->address, 0), mir_word(t->address, 1), t->a, t->b, t->sum};
  for (unsigned k = 0; k < 5; k++)
    mir_add(&t->m, ISA_OP_MOV, first[k], mir_none(), mir_const(0, 0x160 + 4 * k, 1), mir_none());
  t->m.b = t->body;
  return t;
}

static struct mir_insn *add_to(struct loop *t, struct mir_operand to) {
  return mir_add(&t->m, ISA_OP_FFMA, mir_new(&t->f, MIR_R, 1), t->a, t->b, to);
}

static void store(struct loop *t, struct mir_operand what) {
  mir_add(&t->m, ISA_OP_STG_E, mir_none(), t->address, what, mir_none());
}

/* Ends the loop with `last` as its sum, stores it behind, joins. */
static void end(struct loop *t, struct mir_operand last) {
  const struct mir_operand p = mir_new(&t->f, MIR_P, 1);
  mir_add(&t->m, ISA_OP_MOV, t->sum, mir_none(), last, mir_none());
  struct mir_insn *test = mir_add(&t->m, ISA_OP_FSETP, mir_none(), t->sum, t->a, mir_none());
  test->pd[0] = p;
  t->m.guard = p;
  mir_branch(&t->m, ISA_OP_BRA, t->body);
  t->m.guard = mir_none();
  t->m.b = t->behind;
  store(t, t->sum);
  mir_add(&t->m, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
  mir_coalesce(&t->f);
}

static void finish(struct loop *t) {
  ptx_arena_free(t->arena);
  free(t);
}

/* Several steps a trip, the last one copied to where the loop begins: one register, and no copy. */
static void sums_stay_in_their_register(void **state) {
  (void)state;
  struct loop *t = begin();
  struct mir_insn *i[3];
  struct mir_operand sum = t->sum;
  for (unsigned k = 0; k < 3; k++) sum = (i[k] = add_to(t, sum))->rd;
  end(t, sum);
  for (unsigned k = 0; k < 3; k++) assert_int_equal(i[k]->rd.reg, i[k]->src[2].reg);
  assert_int_equal(i[0]->rd.reg, i[2]->rd.reg);
  assert_int_not_equal(i[2]->next->op, ISA_OP_MOV);
  finish(t);
}

/* What is read once more later keeps a register of its own. */
static void but_not_over_what_lives(void **state) {
  (void)state;
  struct loop *t = begin();
  struct mir_insn *first = add_to(t, t->sum), *second = add_to(t, first->rd);
  store(t, first->rd);
  end(t, second->rd);
  assert_int_not_equal(second->rd.reg, second->src[2].reg);
  finish(t);
}

/* Nothing comes round here: what is added to is made anew in each trip. */
static void no_sum_of_the_loop(void **state) {
  (void)state;
  struct loop *t = begin();
  const struct mir_operand fresh = mir_new(&t->f, MIR_R, 1);
  mir_add(&t->m, ISA_OP_LDG_E, fresh, t->address, mir_none(), mir_none());
  struct mir_insn *i = add_to(t, fresh);
  store(t, i->rd);
  struct mir_insn *last = add_to(t, t->sum);
  end(t, last->rd);
  assert_int_not_equal(i->rd.reg, i->src[2].reg);
  assert_int_equal(last->rd.reg, last->src[2].reg);
  finish(t);
}

/* Outside of loops a result may lie anywhere. */
static void only_in_loops(void **state) {
  (void)state;
  struct loop *t = begin();
  t->body->loop_depth = 0;
  struct mir_insn *first = add_to(t, t->sum), *second = add_to(t, first->rd);
  end(t, second->rd);
  assert_int_not_equal(first->rd.reg, first->src[2].reg);
  finish(t);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_stay_in_their_register),
                                     cmocka_unit_test(but_not_over_what_lives), cmocka_unit_test(no_sum_of_the_loop),
                                     cmocka_unit_test(only_in_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
