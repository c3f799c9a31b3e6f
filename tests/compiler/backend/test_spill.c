/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers that are joined, and what becomes of those that do not fit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "compiler/ir/diag.h"
#include "compiler/ir/mir.h"
#include "tests/test.h"

/* Registers that are joined: copies, and the sums of a loop with what they are added to. Only where lives do not meet.
 * (That joined programs compute what they should: test_allocate, test_banks.) */

/* A block that runs again while P holds, and one behind it. */
struct loop {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function f;
  struct mir_block *body, *behind;
  struct mir_builder m;
  struct mir_operand address, a, b, sum;
};

static struct loop *loop_begin(void) {
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

static void loop_store(struct loop *t, struct mir_operand what) {
  mir_add(&t->m, ISA_OP_STG_E, mir_none(), t->address, what, mir_none());
}

/* Ends the loop with `last` as its sum, stores it behind, joins. */
static void loop_end(struct loop *t, struct mir_operand last) {
  const struct mir_operand p = mir_new(&t->f, MIR_P, 1);
  mir_add(&t->m, ISA_OP_MOV, t->sum, mir_none(), last, mir_none());
  struct mir_insn *test = mir_add(&t->m, ISA_OP_FSETP, mir_none(), t->sum, t->a, mir_none());
  test->pd[0] = p;
  t->m.guard = p;
  mir_branch(&t->m, ISA_OP_BRA, t->body);
  t->m.guard = mir_none();
  t->m.b = t->behind;
  loop_store(t, t->sum);
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
  struct loop *t = loop_begin();
  struct mir_insn *i[3];
  struct mir_operand sum = t->sum;
  for (unsigned k = 0; k < 3; k++) sum = (i[k] = add_to(t, sum))->rd;
  loop_end(t, sum);
  for (unsigned k = 0; k < 3; k++) assert_int_equal(i[k]->rd.reg, i[k]->src[2].reg);
  assert_int_equal(i[0]->rd.reg, i[2]->rd.reg);
  assert_int_not_equal(i[2]->next->op, ISA_OP_MOV);
  finish(t);
}

/* What is read once more later keeps a register of its own. */
static void but_not_over_what_lives(void **state) {
  (void)state;
  struct loop *t = loop_begin();
  struct mir_insn *first = add_to(t, t->sum), *second = add_to(t, first->rd);
  loop_store(t, first->rd);
  loop_end(t, second->rd);
  assert_int_not_equal(second->rd.reg, second->src[2].reg);
  finish(t);
}

/* Nothing comes round here: what is added to is made anew in each trip. */
static void no_sum_of_the_loop(void **state) {
  (void)state;
  struct loop *t = loop_begin();
  const struct mir_operand fresh = mir_new(&t->f, MIR_R, 1);
  mir_add(&t->m, ISA_OP_LDG_E, fresh, t->address, mir_none(), mir_none());
  struct mir_insn *i = add_to(t, fresh);
  loop_store(t, i->rd);
  struct mir_insn *last = add_to(t, t->sum);
  loop_end(t, last->rd);
  assert_int_not_equal(i->rd.reg, i->src[2].reg);
  assert_int_equal(last->rd.reg, last->src[2].reg);
  finish(t);
}

/* Outside of loops a result may lie anywhere. */
static void only_in_loops(void **state) {
  (void)state;
  struct loop *t = loop_begin();
  t->body->loop_depth = 0;
  struct mir_insn *first = add_to(t, t->sum), *second = add_to(t, first->rd);
  loop_end(t, second->rd);
  assert_int_not_equal(first->rd.reg, first->src[2].reg);
  finish(t);
}

/* What becomes of registers that do not fit: which are chosen, what stands in the code for them. */

struct bench {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function *f;
  struct mir_builder m;
  struct heddle_ptx_figures figures;
  char message[256];
};

static void note(void *ctx, const struct heddle_message *m) {
  struct bench *b = ctx;
  snprintf(b->message, sizeof b->message, "%s", m->text);
}

static struct bench *begin(void) {
  struct bench *b = calloc(1, sizeof *b);
  b->arena = ptx_arena_new((size_t)64 << 20);
  ptx_diag_init(&b->diag, "spill", note, b);
  if (setjmp(b->diag.exit)) fail_msg("given up: %s", b->message);
  b->f = ptx_alloc(b->arena, sizeof *b->f);
  *b->f = (struct mir_function){.name = "k", .arena = b->arena, .diag = &b->diag};
  b->f->first = mir_block_new(b->f);
  b->m = (struct mir_builder){.f = b->f, .b = b->f->first};
  return b;
}

static void end(struct bench *b) {
  ptx_arena_free(b->arena);
  free(b);
}

static struct mir_insn *add(struct bench *b, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand x,
                            struct mir_operand y) {
  return mir_add(&b->m, op, rd, x, y, mir_none());
}

static struct mir_operand fresh(struct bench *b, unsigned words) {
  return mir_new(b->f, MIR_R, words);
}

static unsigned count(const struct bench *b, enum heddle_isa_op op) {
  unsigned n = 0;
  for (const struct mir_block *x = b->f->first; x; x = x->next)
    for (const struct mir_insn *i = x->first; i; i = i->next) n += i->op == op;
  return n;
}

static void store(struct bench *b, struct mir_operand at, struct mir_operand x, unsigned offset) {
  struct mir_insn *i = add(b, ISA_OP_STS, mir_none(), at, x);
  mir_set(i, ISA_F_SIZE, x.words == 2 ? ISA_SIZE_64 : ISA_SIZE_32);
  mir_set(i, ISA_F_OFF24, offset);
}

static struct mir_operand load(struct bench *b, struct mir_operand at, unsigned words, unsigned offset) {
  struct mir_operand x = fresh(b, words);
  struct mir_insn *i = add(b, ISA_OP_LDS, x, at, mir_none());
  mir_set(i, ISA_F_SIZE, words == 2 ? ISA_SIZE_64 : ISA_SIZE_32);
  mir_set(i, ISA_F_OFF24, offset);
  return x;
}

static struct mir_operand address(struct bench *b) {
  struct mir_operand at = fresh(b, 1);
  mir_set(add(b, ISA_OP_S2R, at, mir_none(), mir_none()), ISA_F_SREG, ISA_SREG_SR_LANEID);
  return at;
}

static bool allocate(struct bench *b, unsigned limit) {
  add(b, ISA_OP_EXIT, mir_none(), mir_none(), mir_none());
  assert_null(mir_check(b->f, false));
  bool ok = mir_allocate(b->f, limit, &b->figures);
  if (ok) assert_null(mir_check(b->f, true));
  return ok;
}

/* Constants and special registers are made again: no memory. */
static void what_can_be_repeated_is(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_operand at = address(b), x[30];
  for (unsigned k = 0; k < 30; k++) {
    x[k] = fresh(b, 1);
    if (k % 3 == 0)
      add(b, ISA_OP_MOV, x[k], mir_none(), mir_imm(1000 + k));
    else if (k % 3 == 1)
      add(b, ISA_OP_MOV, x[k], mir_none(), mir_const(0, 0x160 + 4 * k, 1));
    else
      mir_set(add(b, ISA_OP_S2R, x[k], mir_none(), mir_none()), ISA_F_SREG, ISA_SREG_SR_TID_X);
  }
  for (unsigned k = 0; k < 30; k++) store(b, at, x[k], 4 * k);
  assert_true(allocate(b, 16));
  assert_true(b->figures.registers <= 16);
  assert_int_equal(count(b, ISA_OP_STL) + count(b, ISA_OP_LDL), 0);
  assert_int_equal(b->f->local_bytes, 0);
  end(b);
}

/* A constant that is spilled stands in the instruction where it can. */
static void constants_become_operands(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_operand at = address(b), x[20];
  for (unsigned k = 0; k < 20; k++) {
    x[k] = fresh(b, 1);
    add(b, ISA_OP_MOV, x[k], mir_none(), mir_imm(1000 + k));
  }
  for (unsigned k = 0; k < 20; k++) {
    struct mir_operand sum = fresh(b, 1);
    mir_add(&b->m, ISA_OP_IADD3, sum, at, x[k], mir_zero());
    store(b, at, sum, 4 * k);
  }
  assert_true(allocate(b, 16));
  assert_true(count(b, ISA_OP_MOV) <= 14); /* the others are gone */
  assert_int_equal(count(b, ISA_OP_LDL), 0);
  end(b);
}

/* Pairs lie at multiples of eight and move as a whole; a clock is not read again. */
static void wide_values_move_whole(void **state) {
  (void)state;
  struct bench *b = begin();
  b->f->local_bytes = 4; /* a variable of the kernel's own */
  struct mir_operand at = address(b), x[12];
  for (unsigned k = 0; k < 12; k++) x[k] = load(b, at, 2, 8 * k);
  struct mir_operand clock = fresh(b, 1);
  mir_set(add(b, ISA_OP_S2R, clock, mir_none(), mir_none()), ISA_F_SREG, ISA_SREG_SR_CLOCKLO);
  for (unsigned k = 12; k-- > 0;) store(b, at, x[k], 8 * k);
  store(b, at, clock, 200);
  assert_true(allocate(b, 17));
  assert_int_equal(count(b, ISA_OP_S2R), 2);
  unsigned stores = 0;
  for (const struct mir_insn *i = b->f->first->first; i; i = i->next) {
    if (i->op != ISA_OP_STL && i->op != ISA_OP_LDL) continue;
    const struct mir_operand *x1 = i->op == ISA_OP_STL ? &i->src[1] : &i->rd;
    uint64_t off = 0;
    for (unsigned k = 0; k < i->fields; k++)
      if (i->field[k].field == ISA_F_OFF24) off = i->field[k].value;
    assert_int_equal(off % (4u * x1->words), 0);
    assert_true(off >= 4);
    stores += i->op == ISA_OP_STL;
  }
  assert_true(stores >= 5 && stores <= 9);
  assert_int_equal(b->figures.spill_stores, stores);
  assert_int_equal(b->f->local_bytes % 16, 0);
  assert_true(b->f->local_bytes >= 4 + 8 * 4);
  end(b);
}

/* What is used in the loop stays in registers, what lives across it goes. */
static void loops_are_spared(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_operand at = address(b), outside[12], inside[8], p = mir_new(b->f, MIR_P, 1);
  for (unsigned k = 0; k < 12; k++) outside[k] = load(b, at, 1, 4 * k);
  for (unsigned k = 0; k < 8; k++) inside[k] = load(b, at, 1, 400 + 4 * k);
  struct mir_block *before = b->m.b, *loop = mir_block_new(b->f), *behind = mir_block_new(b->f);
  mir_block_place(before, loop);
  mir_block_place(loop, behind);
  loop->loop_depth = 1;
  b->m.b = loop;
  for (unsigned k = 0; k < 8; k++) mir_add(&b->m, ISA_OP_IADD3, inside[k], inside[k], inside[(k + 1) % 8], at);
  struct mir_insn *test = add(b, ISA_OP_ISETP, mir_none(), inside[0], mir_zero());
  test->pd[0] = p;
  mir_set(test, ISA_F_ICMP, ISA_ICMP_NE);
  b->m.guard = p;
  mir_branch(&b->m, ISA_OP_BRA, loop);
  b->m.guard = mir_none();
  mir_edge(b->f, before, loop);
  mir_edge(b->f, loop, loop);
  mir_edge(b->f, loop, behind);
  b->m.b = behind;
  for (unsigned k = 0; k < 12; k++) store(b, at, outside[k], 4 * k);
  for (unsigned k = 0; k < 8; k++) store(b, at, inside[k], 400 + 4 * k);
  assert_true(allocate(b, 16));
  for (const struct mir_insn *i = loop->first; i; i = i->next) assert_true(i->op != ISA_OP_LDL && i->op != ISA_OP_STL);
  assert_true(b->figures.spill_stores > 0);
  end(b);
}

static void what_cannot_fit_is_refused(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_operand a = fresh(b, 4), c = fresh(b, 4), x = fresh(b, 2), d = fresh(b, 4), at = address(b);
  for (unsigned w = 0; w < 4; w++) {
    add(b, ISA_OP_MOV, mir_part(a, w, 1), mir_none(), at);
    add(b, ISA_OP_MOV, mir_part(c, w, 1), mir_none(), at);
  }
  for (unsigned w = 0; w < 2; w++) add(b, ISA_OP_MOV, mir_part(x, w, 1), mir_none(), at);
  mir_add(&b->m, ISA_OP_HMMA_16816_F32, d, a, x, c);
  for (unsigned w = 0; w < 4; w++) store(b, at, mir_part(d, w, 1), 4 * w);
  assert_false(allocate(b, 8)); /* one instruction reads ten words */
  assert_non_null(strstr(b->message, "'k' does not fit into 8 registers"));
  end(b);
}

/* Ten conditions of `x`, known before any is used. */
static void ten_conditions(struct bench *b, struct mir_operand x, struct mir_operand p[10]) {
  for (unsigned k = 0; k < 10; k++) {
    struct mir_insn *i = add(b, ISA_OP_ISETP, mir_none(), x, mir_imm(k));
    i->pd[0] = p[k] = mir_new(b->f, MIR_P, 1);
    mir_set(i, ISA_F_ICMP, ISA_ICMP_LT);
  }
}

static void use_conditions(struct bench *b, struct mir_operand at, const struct mir_operand p[10]) {
  for (unsigned k = 0; k < 10; k++) {
    b->m.guard = p[k];
    store(b, at, at, 4 * k);
    b->m.guard = mir_none();
  }
}

/* What was compared does not stay. */
static void predicates_wait_in_registers(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_operand at = address(b), x = fresh(b, 1), p[10];
  add(b, ISA_OP_MOV, x, mir_none(), at);
  ten_conditions(b, x, p);
  add(b, ISA_OP_MOV, x, mir_none(), mir_imm(5));
  use_conditions(b, at, p);
  store(b, at, x, 40);
  assert_true(allocate(b, 0));
  assert_true(count(b, ISA_OP_SEL) >= 3 && count(b, ISA_OP_SEL) <= 5);
  assert_int_equal(count(b, ISA_OP_ISETP), 10 + count(b, ISA_OP_SEL));
  assert_int_equal(count(b, ISA_OP_STL), 0);
  end(b);
}

/* What was compared stays: three comparisons are made again, right before their use, and wait nowhere. */
static void comparisons_are_made_again(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_operand at = address(b), p[10];
  ten_conditions(b, at, p);
  use_conditions(b, at, p);
  assert_true(allocate(b, 0));
  assert_int_equal(count(b, ISA_OP_SEL), 0);
  assert_int_equal(count(b, ISA_OP_ISETP), 10);
  assert_int_equal(count(b, ISA_OP_STL), 0);
  end(b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_stay_in_their_register),
                                     cmocka_unit_test(but_not_over_what_lives),
                                     cmocka_unit_test(no_sum_of_the_loop),
                                     cmocka_unit_test(only_in_loops),
                                     cmocka_unit_test(comparisons_are_made_again),
                                     cmocka_unit_test(what_can_be_repeated_is),
                                     cmocka_unit_test(constants_become_operands),
                                     cmocka_unit_test(wide_values_move_whole),
                                     cmocka_unit_test(loops_are_spared),
                                     cmocka_unit_test(what_cannot_fit_is_refused),
                                     cmocka_unit_test(predicates_wait_in_registers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
