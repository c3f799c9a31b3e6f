/* SPDX-License-Identifier: Apache-2.0
 * Machine IR: instructions with allocated registers against the assembler's words; printing; what the check refuses. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "compiler/ir/mir.h"

struct test {
  struct mir_function f;
  struct mir_builder m;
};

static int open_function(void **state) {
  struct test *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->f = (struct mir_function){.name = "f", .arena = ptx_arena_new((size_t)16 << 20)};
  t->m.f = &t->f;
  t->m.b = t->f.first = mir_block_new(&t->f);
  *state = t;
  return 0;
}

static int close_function(void **state) {
  struct test *t = *state;
  ptx_arena_free(t->f.arena);
  free(t);
  return 0;
}

static struct mir_operand physical(struct test *t, enum mir_class class, unsigned words, int number) {
  struct mir_operand x = mir_new(&t->f, class, words);
  t->f.vreg[x.reg].phys = (int16_t)number;
  return x;
}
static struct mir_operand r(struct test *t, int number) {
  return physical(t, MIR_R, 1, number);
}
static struct mir_operand p(struct test *t, int number) {
  return physical(t, MIR_P, 1, number);
}
static struct mir_operand minus(struct mir_operand x) {
  x.neg = true;
  return x;
}
static struct mir_operand bars(struct mir_operand x) {
  x.abs = true;
  return x;
}

/* The first word that the assembler makes of one line; branch targets are code addresses. */
static struct heddle_isa_word assembled(const char *line) {
  char text[256];
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {15, 15, 15, 15, 15, 15, 15, 15}};
  snprintf(text, sizeof text, ".kernel k\n.regs 255\n[B------:R-:W-:-:S00] %s ;\nEXIT ;\n.end\n", line);
  struct heddle_program *program;
  if (heddle_assemble(text, strlen(text), "line", &o, &program) != HEDDLE_SUCCESS)
    fail_msg("does not assemble: %s", line);
  const struct heddle_isa_word w = heddle_program_word(program, 0);
  heddle_program_free(program);
  return w;
}

/* The instruction added last is this line. */
static void expect(struct test *t, const char *line) {
  const struct mir_insn *i = t->m.b->last;
  struct heddle_isa_word w = {0, 0};
  const struct heddle_isa_word want = assembled(line);
  if (!mir_encode(&t->f, i, 0, 0x40, &w)) fail_msg("does not encode: %s", line);
  if (w.lo != want.lo || w.hi != want.hi) {
    char text[256];
    heddle_disassemble(w, 0, text, sizeof text);
    fail_msg("'%s' became '%s' (%016llx%016llx, want %016llx%016llx)", line, text, (unsigned long long)w.hi,
             (unsigned long long)w.lo, (unsigned long long)want.hi, (unsigned long long)want.lo);
  }
}

static void arithmetic(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  const struct mir_operand none = mir_none();
  mir_add(m, ISA_OP_IADD3, r(t, 1), minus(r(t, 2)), mir_imm(0x10), mir_zero())->pd[0] = p(t, 3);
  expect(t, "IADD3 R1, P3, PT, -R2, 0x10, RZ");
  struct mir_insn *i = mir_add(m, ISA_OP_IADD3_X, r(t, 1), r(t, 2), minus(r(t, 3)), mir_zero());
  i->ps[0] = p(t, 0);
  i->ps[1] = mir_not(mir_zero());
  expect(t, "IADD3.X R1, R2, ~R3, RZ, P0, !PT");
  mir_add(m, ISA_OP_IMAD, r(t, 9), r(t, 4), r(t, 5), mir_imm(7));
  expect(t, "IMAD R9, R4, R5, 0x7");
  mir_add(m, ISA_OP_IMAD, r(t, 9), r(t, 4), mir_const(0, 0x164, 1), r(t, 5));
  expect(t, "IMAD R9, R4, c[0x0][0x164], R5");
  i = mir_add(m, ISA_OP_FFMA, r(t, 9), minus(r(t, 4)), r(t, 5), r(t, 6));
  mir_set(i, ISA_F_RND, ISA_RND_RP);
  mir_set(i, ISA_F_FTZ, 1);
  assert_int_equal(mir_get(i, ISA_F_RND), ISA_RND_RP);
  assert_int_equal(mir_get(i, ISA_F_SAT), ISA_SAT_NONE); /* defaults of what was not set */
  assert_int_equal(mir_get(i, ISA_F_WBAR), 7);
  i->guard = mir_not(p(t, 2));
  expect(t, "@!P2 FFMA.RP.FTZ R9, -R4, R5, R6");
  mir_add(m, ISA_OP_FADD, r(t, 9), minus(bars(r(t, 4))), mir_const(3, 8, 1), none);
  expect(t, "FADD R9, -|R4|, c[0x3][0x8]");
  i = mir_add(m, ISA_OP_HADD2, r(t, 9), r(t, 4), r(t, 5), none);
  i->src[1].part = 1;
  expect(t, "HADD2 R9, R4, R5.H0_H0");
  i = mir_add(m, ISA_OP_LOP3_LUT, r(t, 9), r(t, 4), mir_imm(0xff), mir_zero());
  mir_set(i, ISA_F_LUT, 0xc0);
  expect(t, "LOP3.LUT R9, R4, 0xff, RZ, 0xc0");
  mir_add(m, ISA_OP_MOV, r(t, 9), none, physical(t, MIR_UR, 1, 5), none);
  expect(t, "MOV R9, UR5");
  mir_add(m, ISA_OP_UMOV, physical(t, MIR_UR, 1, 5), none, mir_zero(), none);
  expect(t, "UMOV UR5, URZ");
}

static void wide_and_memory(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  const struct mir_operand none = mir_none();
  mir_add(m, ISA_OP_DFMA, physical(t, MIR_R, 2, 8), minus(physical(t, MIR_R, 2, 4)), physical(t, MIR_R, 2, 6),
          mir_imm_f64(0x3ff00000));
  expect(t, "DFMA R8, -R4, R6, 1.0");
  struct mir_insn *i = mir_add(m, ISA_OP_LDG_E, physical(t, MIR_R, 4, 12), physical(t, MIR_R, 2, 4), none, none);
  mir_set(i, ISA_F_SIZE, ISA_SIZE_128);
  mir_set(i, ISA_F_OFF24, (uint64_t)-16);
  expect(t, "LDG.E.128 R12, [R4-0x10]");
  assert_int_equal(mir_words(i, 3), 4);
  assert_int_equal(mir_words(i, 0), 2);
  i = mir_add(m, ISA_OP_STS, none, mir_zero(), mir_word(physical(t, MIR_R, 2, 6), 1), none);
  mir_set(i, ISA_F_SIZE, ISA_SIZE_32);
  mir_set(i, ISA_F_OFF24, 0x20);
  expect(t, "STS [RZ+0x20], R7");
  i = mir_add(m, ISA_OP_SHFL, r(t, 3), r(t, 4), mir_imm(1), mir_imm(0x1f));
  mir_set(i, ISA_F_SHFL, ISA_SHFL_BFLY);
  i->pd[0] = p(t, 1);
  expect(t, "SHFL.BFLY P1, R3, R4, 0x1, 0x1f");
}

static void control(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  const struct mir_operand none = mir_none();
  struct mir_block *target = mir_block_new(&t->f);
  mir_branch(m, ISA_OP_BRA, target)->guard = p(t, 6);
  expect(t, "@P6 BRA 0x40");
  mir_branch(m, ISA_OP_BSSY, target)->breg = 15;
  expect(t, "BSSY B15, 0x40");
  mir_add(m, ISA_OP_BSYNC, none, none, none, none)->breg = 3;
  expect(t, "BSYNC B3");
  struct mir_insn *i = mir_add(m, ISA_OP_ISETP, none, r(t, 1), mir_imm(0x80000000), none);
  mir_set(i, ISA_F_ICMP, ISA_ICMP_GE);
  mir_set(i, ISA_F_SIGN, ISA_SIGN_U32);
  mir_set(i, ISA_F_BOOL, ISA_BOOL_OR);
  i->pd[0] = p(t, 1);
  i->ps[0] = mir_not(p(t, 2));
  expect(t, "ISETP.GE.U32.OR P1, PT, R1, 0x80000000, !P2");
  i = mir_add(m, ISA_OP_BAR_SYNC, none, none, none, none);
  mir_set(i, ISA_F_BARID, 2);
  expect(t, "BAR.SYNC 0x2");
  mir_add(m, ISA_OP_EXIT, none, none, none, none);
  expect(t, "EXIT");
}

static void what_does_not_encode(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  const struct mir_operand none = mir_none(), a = r(t, 1), imm = mir_imm(5);
  struct heddle_isa_word w;
  assert_false(mir_fits(ISA_OP_FFMA, imm, imm, a));       /* two immediates */
  assert_false(mir_fits(ISA_OP_FADD, a, a, a));           /* one operand too many */
  assert_false(mir_fits(ISA_OP_IMAD, minus(a), a, a));    /* no minus there */
  assert_false(mir_fits(ISA_OP_SHFL, a, mir_imm(32), a)); /* five bits */
  assert_true(mir_fits(ISA_OP_SHFL, a, mir_imm(31), a));
  assert_false(mir_fits(ISA_OP_DADD, a, minus(mir_imm_f64(1)), none)); /* an immediate has its own sign */
  assert_false(mir_encode(&t->f, mir_add(m, ISA_OP_FADD, a, imm, a, none), 0, 0, &w));
  assert_false(
      mir_encode(&t->f, mir_add(m, ISA_OP_DADD, physical(t, MIR_R, 2, 3), mir_zero(), mir_zero(), none), 0, 0, &w));
  assert_false(mir_encode(&t->f, mir_add(m, ISA_OP_MOV, r(t, 255), none, imm, none), 0, 0, &w));
  assert_false(mir_encode(&t->f, mir_add(m, ISA_OP_MOV, mir_new(&t->f, MIR_R, 1), none, imm, none), 0, 0, &w));
  struct mir_insn *i = mir_add(m, ISA_OP_LDS, r(t, 2), a, none, none);
  mir_set(i, ISA_F_OFF24, 1u << 23); /* signed: one too many */
  assert_false(mir_encode(&t->f, i, 0, 0, &w));
}

/* mir_check's answer to one wrong instruction. */
static void refuse(struct test *t, struct mir_insn *i, const char *what) {
  const char *answer = mir_check(&t->f, false);
  if (!answer || !strstr(answer, what)) fail_msg("check says '%s', not '%s'", answer ? answer : "nothing", what);
  mir_remove(t->m.b, i);
  assert_null(mir_check(&t->f, false));
}

static void check(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  const struct mir_operand none = mir_none(), a = mir_new(&t->f, MIR_R, 1), d = mir_new(&t->f, MIR_R, 2);
  struct mir_insn *i;
  assert_null(mir_check(&t->f, true));
  refuse(t, mir_add(m, ISA_OP_DADD, a, d, d, none), "words");
  refuse(t, mir_add(m, ISA_OP_FADD, a, d, a, none), "words");
  refuse(t, mir_add(m, ISA_OP_FADD, a, mir_new(&t->f, MIR_P, 1), a, none), "no encoding");
  refuse(t, mir_add(m, ISA_OP_EXIT, a, none, none, none), "rd");
  i = mir_add(m, ISA_OP_FADD, a, a, a, none);
  mir_set(i, ISA_F_LUT, 1);
  refuse(t, i, "field");
  i = mir_add(m, ISA_OP_FADD, a, a, a, none);
  i->pd[0] = mir_new(&t->f, MIR_P, 1);
  refuse(t, i, "pd");
  i = mir_add(m, ISA_OP_FADD, a, a, a, none);
  i->guard = a;
  refuse(t, i, "class");
  refuse(t, mir_add(m, ISA_OP_BSSY, none, none, none, none), "target");
  refuse(t, mir_branch(m, ISA_OP_BRA, mir_block_new(&t->f)), "edge");
  mir_add(m, ISA_OP_MOV, a, none, mir_imm(1), none);
  assert_null(mir_check(&t->f, false));
  assert_non_null(strstr(mir_check(&t->f, true), "physical"));
}

static void lists(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  const struct mir_operand none = mir_none();
  struct mir_insn *one = mir_add(m, ISA_OP_NOP, none, none, none, none),
                  *two = mir_add(m, ISA_OP_EXIT, none, none, none, none);
  struct mir_block *b = mir_block_new(&t->f), *c = mir_block_new(&t->f);
  mir_remove(m->b, one);
  assert_ptr_equal(m->b->first, two);
  mir_insert_before(m->b, two, one);
  assert_ptr_equal(m->b->first, one);
  assert_ptr_equal(two->prev, one);
  mir_block_place(m->b, c);
  mir_block_place(m->b, b);
  assert_ptr_equal(m->b->next, b);
  assert_ptr_equal(b->next, c);
  for (unsigned k = 0; k < 20; k++) mir_edge(&t->f, m->b, k % 2 ? b : c);
  assert_int_equal(m->b->succs, 20);
  assert_int_equal(b->preds, 10);
  assert_ptr_equal(m->b->succ[19], b);
  assert_ptr_equal(b->pred[9], m->b);
  for (unsigned k = 0; k < 1000; k++) assert_int_equal(mir_new(&t->f, MIR_R, 1).reg, k);
}

static void words(void **state) {
  struct test *t = *state;
  struct mir_operand x = mir_word(mir_imm(7), 1);
  assert_int_equal(x.kind, MIR_ZERO);
  assert_int_equal(mir_word(mir_imm(7), 0).imm, 7);
  assert_int_equal(mir_word(mir_imm_f64(7), 0).kind, MIR_ZERO);
  assert_int_equal(mir_word(mir_imm_f64(7), 1).imm, 7);
  assert_int_equal(mir_word(mir_const(0, 0x160, 2), 1).offset, 0x164);
  x = mir_wide(&t->m, UINT64_C(0x1200000000));
  assert_int_equal(x.words, 2);
  assert_int_equal(t->m.b->first->src[1].kind, MIR_ZERO);
  assert_int_equal(t->m.b->last->src[1].imm, 0x12);
  assert_int_equal(t->m.b->last->rd.sub, 1);
  x = mir_reg(&t->m, mir_const(0, 0x160, 2));
  assert_int_equal(x.words, 2);
  assert_int_equal(t->m.b->last->src[1].offset, 0x164);
}

static void printing(void **state) {
  struct test *t = *state;
  struct mir_builder *m = &t->m;
  char text[512] = "";
  FILE *f = tmpfile();
  assert_non_null(f);
  struct mir_operand pair = mir_new(&t->f, MIR_R, 2), flag = mir_new(&t->f, MIR_P, 1);
  struct mir_insn *i =
      mir_add(m, ISA_OP_FADD, mir_word(pair, 1), mir_word(pair, 0), mir_const(0, 0x160, 1), mir_none());
  i->guard = mir_not(flag);
  i->keeps_old = true;
  mir_set(mir_add(m, ISA_OP_DADD, r(t, 4), mir_zero(), minus(pair), mir_none()), ISA_F_RND, ISA_RND_RZ);
  mir_branch(m, ISA_OP_BRA, m->b);
  mir_edge(&t->f, m->b, m->b);
  mir_print(&t->f, f);
  rewind(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  assert_string_equal(text, "function f\n"
                            "b0: -> b0\n"
                            "    @!p1+ FADD r0.1, r0.0, c[0x0][0x160]\n"
                            "    DADD.RZ R4, RZ, -r0\n"
                            "    BRA b0\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_function, close_function)

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {TEST(arithmetic), TEST(wide_and_memory), TEST(control), TEST(what_does_not_encode),
                                     TEST(check),      TEST(lists),           TEST(words),   TEST(printing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
