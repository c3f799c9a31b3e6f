/* SPDX-License-Identifier: Apache-2.0
 *
 * Building graphs by hand, what they print as, and what the checker finds wrong with broken ones.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "compiler/ir/ir.h"

static const struct ptx_pos here = {7, 3};

static struct ir_function *function_new(void) {
  struct ptx_arena *a = ptx_arena_new((size_t)16 << 20);
  struct ir_function *f = ptx_alloc(a, sizeof *f);
  f->arena = a;
  f->name = "k";
  f->entry = true;
  f->first = ir_block_new(f);
  return f;
}

static void function_free(struct ir_function *f) {
  ptx_arena_free(f->arena);
}

static struct ir_insn *add(struct ir_function *f, struct ir_block *b, enum ir_op op, enum ptx_type t,
                           struct ir_value *dst, unsigned n, const struct ir_operand *src) {
  struct ir_insn *i = ir_insn_new(f, op, t, here);
  if (dst) {
    i->dst[i->dsts++] = dst;
    dst->def = i;
  }
  for (unsigned k = 0; k < n; k++) i->src[i->sources++] = src[k];
  ir_append(b, i);
  return i;
}
#define SRC(...)                                                                                                       \
  (sizeof((struct ir_operand[]){__VA_ARGS__}) / sizeof(struct ir_operand)), (const struct ir_operand[]) {              \
    __VA_ARGS__                                                                                                        \
  }
#define NO_SRC 0, NULL

/* b0: p = setp; cbr -> b1 b2; b1: x = 1; br -> b2; b2: y = phi x, 2; z = add y, y; exit */
struct diamond {
  struct ir_function *f;
  struct ir_block *b[3];
  struct ir_value *p, *x, *y, *z;
  struct ir_insn *setp, *cbr, *copy, *br, *phi, *sum, *exit;
};

static struct diamond diamond_new(void) {
  struct diamond d = {.f = function_new()};
  d.b[0] = d.f->first;
  for (unsigned k = 1; k < 3; k++) {
    d.b[k] = ir_block_new(d.f);
    ir_block_place(d.b[k - 1], d.b[k]);
  }
  d.p = ir_value_new(d.f, IR_PRED);
  d.x = ir_value_new(d.f, IR_32);
  d.y = ir_value_new(d.f, IR_32);
  d.z = ir_value_new(d.f, IR_32);
  d.x->name = "%r1";
  d.setp = add(d.f, d.b[0], IR_SETP, PTX_S32, d.p, SRC(ir_bits(1), ir_bits(2)));
  d.cbr = add(d.f, d.b[0], IR_CBR, PTX_NO_TYPE, NULL, SRC(ir_use(d.p)));
  d.copy = add(d.f, d.b[1], IR_COPY, PTX_B32, d.x, SRC(ir_bits(1)));
  d.br = add(d.f, d.b[1], IR_BR, PTX_NO_TYPE, NULL, NO_SRC);
  ir_edge(d.f, d.b[0], d.b[1]);
  ir_edge(d.f, d.b[0], d.b[2]);
  ir_edge(d.f, d.b[1], d.b[2]);
  d.phi = add(d.f, d.b[2], IR_PHI, PTX_B32, d.y, NO_SRC);
  d.phi->many = ptx_alloc(d.f->arena, 2 * sizeof *d.phi->many);
  d.phi->sources = 2;
  d.phi->many[0] = ir_bits(2);
  d.phi->many[1] = ir_use(d.x);
  d.sum = add(d.f, d.b[2], IR_ADD, PTX_U32, d.z, SRC(ir_use(d.y), ir_use(d.y)));
  d.exit = add(d.f, d.b[2], IR_EXIT, PTX_NO_TYPE, NULL, NO_SRC);
  return d;
}

static void expect(const struct ir_function *f, bool ssa, const char *part) {
  const char *wrong = ir_check(f, ssa);
  if (!part && wrong) fail_msg("%s", wrong);
  if (part && !(wrong && strstr(wrong, part))) fail_msg("is %s, wanted %s", wrong ? wrong : "fine", part);
}

static void prints(void **state) {
  (void)state;
  struct diamond d = diamond_new();
  d.sum->guard = d.p;
  d.sum->guard_invert = true;
  d.sum->old[0] = ir_use(d.y);
  char *text;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  ir_print(d.f, to);
  fclose(to);
  assert_string_equal(text, "kernel k: local 0, shared 0\n"
                            "b0:\n  %0 = setp.eq.s32 0x1, 0x2\n  cbr %0 -> b1 b2\n"
                            "b1: <- b0\n  %r1.1 = copy.b32 0x1\n  br -> b2\n"
                            "b2: <- b0 b1\n  %2 = phi.b32 0x2, %r1.1\n  @!%0 %3 else %2 = add.u32 %2, %2\n  exit\n");
  free(text);
  function_free(d.f);
}

static void lists(void **state) {
  (void)state;
  struct diamond d = diamond_new();
  struct ir_insn *i = ir_insn_new(d.f, IR_COPY, PTX_B32, here);
  i->dst[0] = ir_value_new(d.f, IR_32);
  i->dst[0]->def = i;
  i->dsts = i->sources = 1;
  i->src[0] = ir_bits(9);
  ir_insert_before(d.copy, i);
  assert_ptr_equal(d.b[1]->first, i);
  expect(d.f, true, NULL);
  ir_remove(i);
  assert_ptr_equal(d.b[1]->first, d.copy);
  ir_insert_before(d.br, i);
  assert_ptr_equal(d.copy->next, i);
  expect(d.f, true, NULL);
  ir_remove(d.br);
  assert_ptr_equal(d.b[1]->last, i);
  expect(d.f, true, "b1: does not end in a branch or an exit");
  ir_append(d.b[1], d.br);
  expect(d.f, true, NULL);
  for (unsigned k = 0; k < 100; k++) ir_edge(d.f, d.b[0], d.b[1]); /* lists grow */
  assert_int_equal(d.b[0]->succs, 102);
  assert_int_equal(d.b[1]->preds, 101);
  assert_ptr_equal(d.b[0]->succ[1], d.b[2]);
  function_free(d.f);
}

static void control(void **state) {
  (void)state;
  struct diamond d = diamond_new();
  expect(d.f, true, NULL);
  expect(d.f, false, "not in SSA form");
  d.b[2]->preds--;
  expect(d.f, true, "successors and predecessors differ");
  d.b[2]->preds++;
  d.b[0]->succs--;
  d.b[2]->pred[0] = d.b[1];
  expect(d.f, true, "successors and predecessors differ");
  d.b[0]->succs++;
  d.b[2]->pred[0] = d.b[0];
  d.cbr->guard = d.p;
  expect(d.f, true, "cbr: the end of a block has a guard");
  d.cbr->guard = NULL;
  d.copy->op = IR_TRAP;
  expect(d.f, true, "trap: in the middle of a block");
  d.copy->op = IR_COPY;
  d.exit->op = IR_BR;
  expect(d.f, true, "br: 0 successors");
  d.exit->op = IR_EXIT;
  d.b[1]->next = NULL;
  expect(d.f, true, "leads to a block that is not placed");
  d.b[1]->next = d.b[2];
  d.b[2]->id = 1;
  expect(d.f, true, "its number is taken");
  d.b[2]->id = 2;
  ir_edge(d.f, d.b[2], d.b[0]);
  expect(d.f, true, "the entry block has predecessors");
  function_free(d.f);
}

static void operands(void **state) {
  (void)state;
  struct diamond d = diamond_new();
  d.sum->src[1] = ir_use(d.p);
  expect(d.f, true, "line 7: add: source 1 has the wrong class");
  d.sum->src[1] = ir_bits(UINT64_C(1) << 32);
  expect(d.f, true, "add: source 1 has the wrong class");
  d.sum->src[1].kind = IR_NONE;
  expect(d.f, true, "add: source 1 is missing");
  d.sum->src[1] = ir_bits(1);
  d.sum->sources = 3;
  expect(d.f, true, "add: has 3 sources, not 2");
  d.sum->sources = 1;
  expect(d.f, true, "add: source 1 is missing");
  d.sum->sources = 2;
  d.sum->type = PTX_U64;
  expect(d.f, true, "add: destination 0 has the wrong class");
  d.sum->type = PTX_U32;
  d.sum->op = IR_LD;
  d.sum->sources = 1;
  d.sum->memory.space = PTX_GLOBAL;
  expect(d.f, true, "ld: source 0 has the wrong class");
  d.sum->memory.space = PTX_SHARED;
  expect(d.f, true, NULL);
  d.sum->memory.vector = 2;
  expect(d.f, true, "ld: vector of 2, 1 destinations");
  ir_change(d.sum, IR_ADDRESS, PTX_U32);
  d.sum->sources = 0;
  expect(d.f, true, "address: no variable");
  ir_change(d.sum, IR_ADD, PTX_U32);
  d.sum->sources = 2;
  d.sum->arithmetic.high = true;
  expect(d.f, true, NULL);
  d.sum->op = IR_SETP;
  expect(d.f, true, "setp: has a member of another kind of operation");
  d.sum->op = IR_SHF;
  expect(d.f, true, "shf: has a member of another kind of operation");
  ir_change(d.sum, IR_AND, PTX_U32);
  expect(d.f, true, NULL);
  d.sum->lut = 1;
  expect(d.f, true, "and: has a member of another kind of operation");
  d.sum->op = IR_OPS;
  expect(d.f, true, "operation");
  function_free(d.f);
}

static void ssa(void **state) {
  (void)state;
  struct diamond d = diamond_new();
  d.sum->src[0] = ir_use(d.x);
  expect(d.f, true, "%1 is used where its definition does not reach");
  d.sum->src[0] = ir_use(d.z);
  expect(d.f, true, "%3 is used where its definition does not reach");
  d.sum->src[0] = ir_use(ir_value_new(d.f, IR_32));
  expect(d.f, true, "%4 has no definition");
  d.sum->src[0] = ir_bits(0);
  d.sum->dst[0] = d.y;
  expect(d.f, true, "%2 is defined twice");
  d.sum->dst[0] = d.z;
  d.z->def = d.phi;
  expect(d.f, true, "%3 names another definition");
  d.z->def = d.sum;
  d.phi->many[0] = ir_use(d.x);
  expect(d.f, true, "phi: %1 is used where");
  d.phi->many[0] = ir_use(d.p);
  expect(d.f, true, "phi: source 0 has the wrong class");
  d.phi->many[0] = ir_bits(2);
  d.phi->sources = 1;
  expect(d.f, true, "phi: 1 sources, 2 predecessors");
  d.phi->sources = 2;
  d.sum->guard = d.p;
  expect(d.f, true, "add: guarded, and old value 0 is not named");
  d.sum->old[0] = ir_use(d.p);
  expect(d.f, true, "old value 0 has the wrong class");
  d.sum->old[0] = ir_use(d.y);
  expect(d.f, true, NULL);
  d.sum->src[1] = d.sum->old[0] = ir_bits(0);
  ir_remove(d.phi);
  ir_insert_before(d.exit, d.phi);
  expect(d.f, true, "phi: not first in its block");
  function_free(d.f);
}

static void facts(void **state) {
  (void)state;
  assert_int_equal(ir_class_of(PTX_PRED), IR_PRED);
  assert_int_equal(ir_class_of(PTX_U8), IR_32);
  assert_int_equal(ir_class_of(PTX_F16X2), IR_32);
  assert_int_equal(ir_class_of(PTX_F64), IR_64);
  for (unsigned op = 0; op < IR_OPS; op++)
    assert_true(ir_op_name((enum ir_op)op) && ir_op_name((enum ir_op)op)[0] != '?');
  struct ir_insn i = {.op = IR_LD};
  assert_false(ir_has_effect(&i));
  i.memory.strength = IR_GPU;
  assert_true(ir_has_effect(&i));
  static const enum ir_op effects[] = {IR_ST, IR_ATOM, IR_RED,  IR_FENCE, IR_WARPSYNC, IR_BAR,
                                       IR_BR, IR_EXIT, IR_BSSY, IR_BSYNC, IR_YIELD};
  for (size_t k = 0; k < sizeof effects / sizeof *effects; k++)
    assert_true(ir_has_effect(&(struct ir_insn){.op = (uint16_t)effects[k]}));
  static const enum ir_op none[] = {IR_PHI, IR_ADD, IR_SHFL, IR_VOTE, IR_SREG, IR_PARAM};
  for (size_t k = 0; k < sizeof none / sizeof *none; k++)
    assert_false(ir_has_effect(&(struct ir_insn){.op = (uint16_t)none[k]}));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(prints),   cmocka_unit_test(lists), cmocka_unit_test(control),
                                     cmocka_unit_test(operands), cmocka_unit_test(ssa),   cmocka_unit_test(facts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
