/* SPDX-License-Identifier: Apache-2.0
 *
 * Field access and the table accessors.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/test.h"
#include "gen/isa_sem.h"

static uint64_t ones(enum heddle_isa_field f) {
  unsigned w = heddle_isa_field_width(f);
  return w >= 64 ? UINT64_MAX : (UINT64_C(1) << w) - 1;
}

static void test_put_get(void **state) {
  (void)state;
  const struct heddle_isa_word backgrounds[] = {
      {0, 0}, {UINT64_MAX, UINT64_MAX}, {0x0123456789abcdef, 0xfedcba9876543210}};
  for (unsigned b = 0; b < 3; b++)
    for (unsigned i = 0; i < ISA_F_COUNT; i++) {
      enum heddle_isa_field f = (enum heddle_isa_field)i;
      const uint64_t values[] = {0, 1, ones(f), ones(f) >> 1, 0xa5a5a5a5a5a5a5a5 & ones(f)};
      for (unsigned v = 0; v < 5; v++) {
        struct heddle_isa_word w = heddle_isa_put(backgrounds[b], f, values[v]);
        assert_int_equal(heddle_isa_get(w, f), values[v]);
        /* Nothing else moved: putting the old value back restores the word. */
        struct heddle_isa_word back = heddle_isa_put(w, f, heddle_isa_get(backgrounds[b], f));
        assert_memory_equal(&back, &backgrounds[b], sizeof back);
      }
    }
}

static void test_put_ignores_excess_bits(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_F_COUNT; i++) {
    enum heddle_isa_field f = (enum heddle_isa_field)i;
    struct heddle_isa_word w = heddle_isa_put((struct heddle_isa_word){0, 0}, f, UINT64_MAX), all = {0, 0};
    const struct heddle_isa_field_info *fi = heddle_isa_field_info(f);
    for (unsigned bit = fi->lo; bit <= fi->hi; bit++) *(bit < 64 ? &all.lo : &all.hi) |= UINT64_C(1) << bit % 64;
    assert_memory_equal(&w, &all, sizeof w);
  }
}

static void test_get_signed(void **state) {
  (void)state;
  struct heddle_isa_word w = {0, 0};
  int64_t half = INT64_C(1) << (heddle_isa_field_width(ISA_F_OFF24) - 1);
  assert_int_equal(heddle_isa_get_signed(heddle_isa_put(w, ISA_F_OFF24, (uint64_t)half), ISA_F_OFF24), -half);
  assert_int_equal(heddle_isa_get_signed(heddle_isa_put(w, ISA_F_OFF24, (uint64_t)half - 1), ISA_F_OFF24), half - 1);
  assert_int_equal(heddle_isa_get_signed(heddle_isa_put(w, ISA_F_REL, (uint64_t)-16), ISA_F_REL), -16);
  assert_int_equal(heddle_isa_get_signed(heddle_isa_put(w, ISA_F_COFF16, 0xfffc), ISA_F_COFF16), -4);
}

static void test_names(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_OP_COUNT; i++)
    assert_int_equal(heddle_isa_op_find(heddle_isa_op_name((enum heddle_isa_op)i)), i);
  assert_int_equal(heddle_isa_op_find("FROB"), ISA_OP_COUNT);
  assert_string_equal(heddle_isa_op_name(ISA_OP_IADD3_X), "IADD3.X");
  assert_string_equal(heddle_isa_unit_name(ISA_UNIT_MEM), "mem");
  assert_true(heddle_isa_unit_is_variable(ISA_UNIT_MEM));
  assert_false(heddle_isa_unit_is_variable(ISA_UNIT_ALU));
  assert_false(heddle_isa_unit_is_variable(ISA_UNIT_BR));
  assert_string_equal(heddle_isa_mem_name(ISA_MEM_GLOBAL_LOAD), "global.load");
}

static void test_sets(void **state) {
  (void)state;
  unsigned v = 99;
  assert_true(heddle_isa_set_value(ISA_SET_RND, "", &v));
  assert_int_equal(v, 0);
  assert_true(heddle_isa_set_value(ISA_SET_RND, ".RN", &v));
  assert_int_equal(v, ISA_RND_RN);
  assert_true(heddle_isa_set_value(ISA_SET_SREG, "SR_TID.X", &v));
  assert_int_equal(v, ISA_SREG_SR_TID_X);
  assert_false(heddle_isa_set_value(ISA_SET_SREG, "SR_NONE", &v));
  assert_string_equal(heddle_isa_set_text(ISA_SET_RND, 0), "");
  assert_string_equal(heddle_isa_set_text(ISA_SET_SIZE, ISA_SIZE_64), ".64");
  assert_null(heddle_isa_set_text(ISA_SET_SIZE, 7));
  for (unsigned s = 0; s < ISA_SET_COUNT; s++) {
    const struct heddle_isa_set *set = heddle_isa_set_info((enum heddle_isa_set_id)s);
    for (unsigned i = 0; i < set->n_tokens; i++) {
      assert_true(heddle_isa_set_value((enum heddle_isa_set_id)s, set->tokens[i].text, &v));
      assert_int_equal(v, set->tokens[i].value);
      assert_non_null(heddle_isa_set_text((enum heddle_isa_set_id)s, v));
    }
  }
}

/* What the RTL knows is assigned; a value that prints nothing is among it. */
static void test_what_the_rtl_knows(void **state) {
  (void)state;
  for (unsigned s = 0; s < ISA_SET_COUNT; s++) {
    const struct heddle_isa_set *set = heddle_isa_set_info((enum heddle_isa_set_id)s);
    unsigned none;
    for (unsigned w = 0; w < 4; w++) assert_int_equal(set->rtl[w] & ~set->legal[w], 0);
    if (heddle_isa_set_value((enum heddle_isa_set_id)s, "", &none)) assert_true(set->rtl[none / 64] >> none % 64 & 1);
  }
}

static void test_registers_and_defaults(void **state) {
  (void)state;
  assert_string_equal(heddle_isa_kind_prefix(ISA_K_GPR_WRITE), "R");
  assert_string_equal(heddle_isa_kind_prefix(ISA_K_UGPR_READ), "UR");
  assert_string_equal(heddle_isa_kind_prefix(ISA_K_PRED_READ), "P");
  assert_string_equal(heddle_isa_kind_prefix(ISA_K_UPRED_WRITE), "UP");
  assert_string_equal(heddle_isa_kind_prefix(ISA_K_UGUARD), "UP");
  assert_string_equal(heddle_isa_kind_prefix(ISA_K_BREG), "B");
  assert_null(heddle_isa_kind_prefix(ISA_K_UINT));
  assert_int_equal(heddle_isa_field_default(ISA_F_RD), (1u << heddle_isa_field_width(ISA_F_RD)) - 1);
  assert_int_equal(heddle_isa_field_default(ISA_F_PG), ISA_PT);
  assert_int_equal(heddle_isa_field_default(ISA_F_PD0), ISA_PT);
  assert_int_equal(heddle_isa_field_default(ISA_F_WBAR), 7);
  assert_int_equal(heddle_isa_field_default(ISA_F_OFF24), 0);
  for (unsigned f = 0; f < ISA_F_COUNT; f++) /* a default fits its field */
    assert_true(heddle_isa_field_default((enum heddle_isa_field)f) <= ones((enum heddle_isa_field)f));
}

static void test_syntax_of_iadd3(void **state) {
  (void)state;
  /* "{rd}[, {pd0}, {pd1}], {a:-}, {b:-}, {c:-}" */
  static const uint8_t kinds[] = {ISA_E_FIELD,   ISA_E_OPT_BEGIN, ISA_E_TEXT,   ISA_E_FIELD,   ISA_E_TEXT,
                                  ISA_E_FIELD,   ISA_E_OPT_END,   ISA_E_TEXT,   ISA_E_OPERAND, ISA_E_TEXT,
                                  ISA_E_OPERAND, ISA_E_TEXT,      ISA_E_OPERAND};
  const struct heddle_isa_instr *in = heddle_isa_instr_info(ISA_OP_IADD3);
  assert_int_equal(in->n_elems, sizeof kinds);
  for (unsigned i = 0; i < sizeof kinds; i++) assert_int_equal(in->elems[i].kind, kinds[i]);
  assert_int_equal(in->elems[0].field, ISA_F_RD);
  assert_string_equal(in->elems[2].text, ", ");
  assert_true(in->elems[8].may_neg && !in->elems[8].may_abs && !in->elems[8].may_not);
  assert_true(heddle_isa_instr_info(ISA_OP_IADD3_X)->elems[8].may_not);
}

static void test_suffixes_and_address(void **state) {
  (void)state;
  const struct heddle_isa_instr *in = heddle_isa_instr_info(ISA_OP_LDG_E);
  assert_int_equal(in->n_suffixes, 2);
  assert_int_equal(in->suffixes[0], ISA_F_SIZE);
  assert_int_equal(in->suffixes[1], ISA_F_STRONG);
  assert_int_equal(in->elems[2].kind, ISA_E_ADDR_BEGIN);
  assert_int_equal(heddle_isa_instr_info(ISA_OP_S2R)->n_suffixes, 0); /* sreg stands in the template */
}

/* Negate, absolute and part fields are owned only where the template allows them, never beside an immediate. */
static void test_modifier_ownership(void **state) {
  (void)state;
  assert_true(heddle_isa_enc_owns(ISA_ENC_FADD_RR, ISA_F_AB));
  assert_false(heddle_isa_enc_owns(ISA_ENC_FFMA_RRR, ISA_F_AB));
  assert_false(heddle_isa_enc_owns(ISA_ENC_FADD_RI, ISA_F_NB));
  assert_false(heddle_isa_enc_owns(ISA_ENC_MOV_R, ISA_F_NB));
  assert_int_equal(heddle_isa_encoding_info(ISA_ENC_FFMA_RRI)->src[1].neg, ISA_F_NC);
  assert_true(heddle_isa_enc_owns(ISA_ENC_HADD2_RR, ISA_F_HB));
  assert_int_equal(heddle_isa_encoding_info(ISA_ENC_HADD2_RC)->src[1].part, ISA_F_HB);
  assert_false(heddle_isa_enc_owns(ISA_ENC_HADD2_RI, ISA_F_HB));
  assert_false(heddle_isa_enc_owns(ISA_ENC_FADD_RR, ISA_F_HB));
  assert_true(heddle_isa_instr_info(ISA_OP_HADD2)->elems[2].may_part);
}

static void test_memory_parts(void **state) {
  (void)state;
  static const struct {
    enum heddle_isa_op op;
    enum heddle_isa_space space;
    enum heddle_isa_access access;
  } t[] = {{ISA_OP_LDG_E, ISA_SPACE_GLOBAL, ISA_ACCESS_LOAD},       {ISA_OP_STS, ISA_SPACE_SHARED, ISA_ACCESS_STORE},
           {ISA_OP_ULDC, ISA_SPACE_CONST, ISA_ACCESS_LOAD},         {ISA_OP_STL, ISA_SPACE_LOCAL, ISA_ACCESS_STORE},
           {ISA_OP_ATOM_E_CAS, ISA_SPACE_GENERIC, ISA_ACCESS_ATOM}, {ISA_OP_RED_E, ISA_SPACE_GLOBAL, ISA_ACCESS_RED},
           {ISA_OP_LDGSTS_E, ISA_SPACE_GLOBAL, ISA_ACCESS_COPY},    {ISA_OP_LDGDEPBAR, ISA_SPACE_NONE, ISA_ACCESS_NONE},
           {ISA_OP_CCTL_E, ISA_SPACE_NONE, ISA_ACCESS_NONE},        {ISA_OP_MOV, ISA_SPACE_NONE, ISA_ACCESS_NONE}};
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    assert_int_equal(heddle_isa_instr_info(t[i].op)->space, t[i].space);
    assert_int_equal(heddle_isa_instr_info(t[i].op)->access, t[i].access);
  }
}

/* A word of the instruction, guarded by @PT, or by what `guard` says; its named fields are 0. */
static struct heddle_isa_dec control_word(enum heddle_isa_enc enc, uint64_t guard) {
  struct heddle_isa_dec d;
  struct heddle_isa_word w = heddle_isa_encoding_info(enc)->match;
  w = heddle_isa_put(w, ISA_F_PG, guard);
  w = heddle_isa_put(heddle_isa_put(w, ISA_F_WBAR, 7), ISA_F_RBAR, 7);
  assert_true(heddle_isa_decode(w, &d));
  return d;
}

/* Who goes where, as isa/doc/03-divergence.md says. */
static void test_flow(void **state) {
  (void)state;
  enum { ALWAYS = ISA_PT, NEVER = 8 | ISA_PT, P1 = 1 };
  static const struct {
    enum heddle_isa_enc enc;
    enum heddle_isa_flow flow;
    bool named, drains;
  } t[] = {{ISA_ENC_BRA_BR, ISA_FLOW_BRANCH, true, false},      {ISA_ENC_JMP_JM, ISA_FLOW_BRANCH, true, false},
           {ISA_ENC_BRX_BRR, ISA_FLOW_BRANCH, false, false},    {ISA_ENC_CALL_REL_BR, ISA_FLOW_CALL, true, false},
           {ISA_ENC_CALL_ABS_BRR, ISA_FLOW_CALL, false, false}, {ISA_ENC_RET_BRR, ISA_FLOW_RETURN, false, false},
           {ISA_ENC_EXIT_P, ISA_FLOW_EXIT, false, false},       {ISA_ENC_KILL_P, ISA_FLOW_EXIT, false, false},
           {ISA_ENC_BPT_TRAP_P, ISA_FLOW_TRAP, false, false},   {ISA_ENC_BSSY_BR, ISA_FLOW_NEXT, false, false},
           {ISA_ENC_BSYNC_P, ISA_FLOW_SYNC, false, false},      {ISA_ENC_YIELD_P, ISA_FLOW_SYNC, false, false},
           {ISA_ENC_BAR_ARV_P, ISA_FLOW_NEXT, false, true},     {ISA_ENC_MEMBAR_P, ISA_FLOW_NEXT, false, true},
           {ISA_ENC_NOP_P, ISA_FLOW_NEXT, false, false}};
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    struct heddle_isa_dec d = control_word(t[i].enc, ALWAYS);
    const bool stays = t[i].flow == ISA_FLOW_NEXT || t[i].flow == ISA_FLOW_SYNC;
    int64_t target = -1;
    assert_int_equal(heddle_isa_flow_of(&d), t[i].flow);
    assert_int_equal(heddle_isa_flow_passes(&d), stays);
    assert_int_equal(heddle_isa_flow_target(&d, 0, &target), t[i].named);
    assert_int_equal(heddle_isa_instr_info((enum heddle_isa_op)d.op)->drains, t[i].drains);
    d = control_word(t[i].enc, P1);
    assert_int_equal(heddle_isa_flow_of(&d), t[i].flow);
    assert_true(heddle_isa_flow_passes(&d));
    d = control_word(t[i].enc, NEVER);
    assert_int_equal(heddle_isa_flow_of(&d), ISA_FLOW_NEXT);
    assert_false(heddle_isa_flow_target(&d, 0, &target));
  }
}

static void test_flow_target(void **state) {
  (void)state;
  int64_t target = 0;
  struct heddle_isa_dec d = control_word(ISA_ENC_BRA_BR, ISA_PT);
  d.word = heddle_isa_put(d.word, ISA_F_REL, (uint64_t)-64);
  assert_true(heddle_isa_flow_target(&d, 0x30, &target));
  assert_true(target == 0x30 - 64); /* from the next word; before the code, which is not judged here */
  d = control_word(ISA_ENC_JMP_JM, ISA_PT);
  d.word = heddle_isa_put(d.word, ISA_F_ABS32, 0x340);
  assert_true(heddle_isa_flow_target(&d, 0x20, &target));
  assert_true(target == 0x340);
}

/* Every instruction appears in the list, in order. */
static void test_sem_list(void **state) {
  (void)state;
  static const struct {
    unsigned op;
    const char *sem;
  } list[] = {
#define ROW(op, sem) {ISA_OP_##op, #sem},
      ISA_SEM_LIST(ROW)
#undef ROW
  };
  assert_int_equal(sizeof list / sizeof *list, ISA_OP_COUNT);
  for (unsigned i = 0; i < ISA_OP_COUNT; i++) {
    assert_int_equal(list[i].op, i);
    assert_string_equal(list[i].sem, heddle_isa_instr_info((enum heddle_isa_op)i)->sem);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_put_get),
                                     cmocka_unit_test(test_put_ignores_excess_bits),
                                     cmocka_unit_test(test_get_signed),
                                     cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_sets),
                                     cmocka_unit_test(test_what_the_rtl_knows),
                                     cmocka_unit_test(test_registers_and_defaults),
                                     cmocka_unit_test(test_syntax_of_iadd3),
                                     cmocka_unit_test(test_suffixes_and_address),
                                     cmocka_unit_test(test_modifier_ownership),
                                     cmocka_unit_test(test_memory_parts),
                                     cmocka_unit_test(test_flow),
                                     cmocka_unit_test(test_flow_target),
                                     cmocka_unit_test(test_sem_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
