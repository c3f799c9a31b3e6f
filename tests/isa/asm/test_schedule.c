/* SPDX-License-Identifier: Apache-2.0
 * Control codes that the assembler makes, and its check of those that were written. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/asm/asm_text.h"

static void fixed_latency_results_get_stalls(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n FADD R1, R2, R3 ;\n MOV R4, R5 ;\n IADD3 R6, R1, R4, RZ ;\n"
                                      " ISETP.LT.AND P0, PT, R6, R1, PT ;\n@P0 EXIT ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_int_equal(warnings, 0);
  unsigned s0 = decode_at(p, 0).ctl.stall, s1 = decode_at(p, 1).ctl.stall;
  assert_true(s0 + s1 >= 8); /* FADD to IADD3 */
  assert_true(s1 >= 5);      /* MOV to IADD3 */
  assert_int_equal(decode_at(p, 2).ctl.stall, 5);
  assert_int_equal(decode_at(p, 3).ctl.stall, 6); /* predicate to guard */
  heddle_program_free(p);
}

static void memory_results_get_counters(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n LDG.E R4, [R2] ;\n LDS.64 R6, [R8] ;\n FADD R9, R4, R4 ;\n"
                                      " MOV R7, R9 ;\n STG.E [R2], R9 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  struct heddle_isa_dec ldg = decode_at(p, 0), lds = decode_at(p, 1), fadd = decode_at(p, 2), mov = decode_at(p, 3);
  assert_true(ldg.ctl.wbar < 6);
  assert_true(lds.ctl.wbar < 6);
  assert_int_not_equal(ldg.ctl.wbar, lds.ctl.wbar);
  assert_int_equal(fadd.ctl.wait, 1u << ldg.ctl.wbar);
  assert_int_equal(mov.ctl.wait, 1u << lds.ctl.wbar); /* R7 is the second word of the pair */
  assert_int_equal(decode_at(p, 4).ctl.wbar, 7);
  heddle_program_free(p);
}

/* Groups have a counter that no result is given; what was written is kept. */
static void groups_get_a_counter_of_their_own(void **state) {
  (void)state;
  struct heddle_program *p = assemble(
      ".kernel k\n LDGSTS.E [R8], [R2] ;\n LDGDEPBAR ;\n LDS R4, [R9] ;\n LDS R5, [R9] ;\n LDS R6, [R9] ;\n"
      " LDS R7, [R9] ;\n LDS R10, [R9] ;\n LDS R11, [R9] ;\n LDGDEPBAR ;\n DEPBAR.LE SB5, 0x1 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_int_equal(warnings, 0);
  assert_int_equal(decode_at(p, 0).ctl.wbar, 7);
  assert_int_equal(decode_at(p, 1).ctl.wbar, 5);
  assert_int_equal(decode_at(p, 8).ctl.wbar, 5);
  for (unsigned k = 2; k < 8; k++) assert_in_range(decode_at(p, k).ctl.wbar, 0, 4);
  heddle_program_free(p);

  p = assemble(".kernel k\n [B------:R-:W1:-:S01] LDGDEPBAR ;\n LDS R4, [R9] ;\n LDS R5, [R9] ;\n LDS R6, [R9] ;\n"
               " LDS R7, [R9] ;\n LDS R10, [R9] ;\n LDS R11, [R9] ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_int_equal(warnings, 0);
  assert_int_equal(decode_at(p, 0).ctl.wbar, 1);
  unsigned used = 0;
  for (unsigned k = 1; k < 7; k++) used |= 1u << decode_at(p, k).ctl.wbar;
  assert_int_equal(used, 0x3f);
  heddle_program_free(p);

  p = assemble(".kernel k\n [B------:R-:W-:-:S01] LDGDEPBAR ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_int_equal(warnings, 1);
  assert_non_null(strstr(last.text, "nothing can wait for this group"));
  heddle_program_free(p);
}

static void blocks_end_with_everything_ready(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n LDG.E R4, [R2] ;\n FADD R1, R2, R3 ;\n BRA next ;\nnext:\n"
                                      " FADD R5, R4, R1 ;\n MOV R6, R5 ;\nlabel:\n MOV R7, R6 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  struct heddle_isa_dec ldg = decode_at(p, 0), fadd = decode_at(p, 1), bra = decode_at(p, 2);
  assert_int_equal(bra.ctl.wait, 1u << ldg.ctl.wbar);
  assert_true(fadd.ctl.stall + bra.ctl.stall >= 8);
  assert_int_equal(decode_at(p, 3).ctl.wait, 0);
  assert_true(decode_at(p, 4).ctl.stall >= 5);
  heddle_program_free(p);
}

static void written_codes_are_kept_and_checked(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n [B--2---:R1:W0:Y:S09] LDG.E R4, [R2] ;\n"
                                      " [B------:R-:W-:-:S01] FADD R5, R4, R4 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  struct heddle_isa_ctl c = decode_at(p, 0).ctl;
  assert_int_equal(c.wait, 4);
  assert_int_equal(c.rbar, 1);
  assert_int_equal(c.wbar, 0);
  assert_true(c.yield);
  assert_int_equal(c.stall, 9);
  assert_true(warnings > 0);
  heddle_program_free(p);
}

/* A result of a fixed latency may be awaited by a counter instead of by time; another counter says nothing of it. */
static void counters_of_fixed_results_are_known(void **state) {
  (void)state;
  const char *form =
      ".kernel k\n [B------:R-:W3:-:S02] FADD R1, R2, R3 ;\n [B%s:R-:W-:-:S01] MOV R4, R1 ;\n EXIT ;\n.end\n";
  char text[256];
  const char *const wait[] = {"---3--", "--2---", "------"};
  for (size_t i = 0; i < 3; i++) {
    snprintf(text, sizeof text, form, wait[i]);
    struct heddle_program *p = assemble(text);
    assert_non_null(p);
    assert_int_equal(warnings, i > 0);
    heddle_program_free(p);
  }
}

/* A result of the first instruction that the last one uses. */
struct pair {
  const char *body;
  unsigned cycles; /* stalls from the first to the last, at least; 0: by a counter */
};

static void check_pairs(const struct pair *table, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct heddle_program *p = assemble_body(table[i].body);
    if (!p) fail_msg("%s: %s", table[i].body, last.text);
    assert_int_equal(warnings, 0);
    unsigned end = p->code_bytes / ISA_WORD_BYTES - 1, sum = 0;
    struct heddle_isa_dec first = decode_at(p, 0), user = decode_at(p, end);
    for (unsigned k = 0; k < end; k++) sum += decode_at(p, k).ctl.stall;
    if (table[i].cycles > 0 ? sum != table[i].cycles : first.ctl.wbar > 5 || !(user.ctl.wait >> first.ctl.wbar & 1))
      fail_msg("%s: stall %u, counter %u, wait 0x%x", table[i].body, sum, first.ctl.wbar, user.ctl.wait);
    heddle_program_free(p);
  }
}
#define CHECK(table) check_pairs(table, sizeof table / sizeof *table)

static void each_fixed_unit_has_its_stall(void **state) {
  (void)state;
  static const struct pair table[] = {
      {"MOV R4, R5 ;\n MOV R6, R4 ;", 5},
      {"MOV R4, R5 ;\n STG.E [R2], R4 ;", 5},
      {"ISETP.LT.AND P0, PT, R4, R5, PT ;\n@P0 EXIT ;", 6},
      {"ISETP.LT.AND PT, P1, R4, R5, PT ;\n SEL R4, R5, R6, !P1 ;", 6},
      {"FADD R4, R5, R6 ;\n MOV R6, R4 ;", 8},
      {"F2I R4, R5 ;\n MOV R6, R4 ;", 6},
      {"HADD2 R4, R5, R6 ;\n MOV R6, R4 ;", 6},
      {"HSETP2.LT.AND P0, PT, R4, R5, PT ;\n@P0 EXIT ;", 6},
      {"FCHK.DIVIDE P0, R4, R5 ;\n@P0 EXIT ;", 6},
      {"UMOV UR4, UR5 ;\n UMOV UR6, UR4 ;", 12},
      {"UMOV UR4, 0x5 ;\n IADD3 R4, R5, UR4, RZ ;", 12},
      {"UMOV UR4, 0x5 ;\n NOP ;\n UIADD3 UR4, UR6, UR7, UR8 ;", 12}, /* written in order */
      {"UIMAD.WIDE UR4, UR6, UR7, UR8 ;\n UMOV UR6, UR5 ;", 12},     /* the second register of a pair */
      {"UISETP.LT.AND UP0, UPT, UR4, UR5, UPT ;\n@UP0 UMOV UR6, UR7 ;", 12},
      {"UISETP.LT.AND UP0, UPT, UR4, UR5, UPT ;\n UP2P P0, UP0 ;", 12},
      {"UP2P P0, UP0 ;\n@!P0 EXIT ;", 6},
      {"MOV R4, R5 ;\n UMOV UR5, UR6 ;\n FADD R6, R5, R5 ;\n MOV R7, R4 ;", 5}, /* UR5 is not R5 */
      {"BAR.RED.POPC R4, 0x0, 0x0, P0 ;\n MOV R6, R4 ;", 5},
      {"BAR.RED.OR P1, 0x0, 0x0, P0 ;\n@P1 EXIT ;", 6},
      {"BMOV.GET R4, B0 ;\n MOV R6, R4 ;", 5},
  };
  CHECK(table);
}

static void variable_results_get_counters(void **state) {
  (void)state;
  static const struct pair table[] = {
      {"DADD R4, R6, R8 ;\n MOV R10, R5 ;", 0},
      {"DSETP.LT.AND P0, PT, R4, R6, PT ;\n@P0 EXIT ;", 0},
      {"DSETP.LT.AND PT, P3, R4, R6, PT ;\n SEL R4, R5, R6, P3 ;", 0},
      {"MUFU.RCP R4, R5 ;\n FADD R6, R4, R4 ;", 0},
      {"SHFL.BFLY R4, R5, 0x1, 0x1f ;\n MOV R6, R4 ;", 0},
      {"SHFL.BFLY P0, RZ, R5, 0x1, 0x1f ;\n@P0 EXIT ;", 0},
      {"VOTE.ANY R4, PT, P0 ;\n MOV R6, R4 ;", 0},
      {"VOTE.ANY P1, P0 ;\n@!P1 EXIT ;", 0},
      {"VOTEU.ANY UR4, UP0, P0 ;\n UMOV UR5, UR4 ;", 0},
      {"VOTEU.ANY UP0, P0 ;\n@UP0 UMOV UR5, UR4 ;", 0},
      {"MATCH.ALL P2, R4, R5 ;\n PLOP3.LUT P0, PT, P0, P1, P2, 0x80, 0x0 ;", 0},
      {"MATCH.ANY.U64 R4, R6 ;\n MOV R5, R4 ;", 0},
      {"R2UR UR4, R5 ;\n UIADD3 UR6, UR7, UR4, URZ ;", 0},
      {"REDUX.SUM UR4, R5 ;\n MOV R6, UR4 ;", 0},
      {"HMMA.16816.F32 R4, R8, R12, R16 ;\n MOV R20, R7 ;", 0},
      {"LDSM.16.4 R4, [R8] ;\n MOV R20, R7 ;", 0},
      {"LDG.E.128 R4, [R2] ;\n DADD R8, R6, R10 ;", 0},
      {"ATOMG.E.CAS R4, [R2], R5, R6 ;\n ISETP.EQ.AND P0, PT, R4, R5, PT ;", 0},
      {"LDS R4, [R2] ;\n MOV R4, R5 ;", 0}, /* written in order */
  };
  CHECK(table);
}

static void wide_sources_are_awaited(void **state) {
  (void)state;
  static const struct pair table[] = {
      {"MOV R11, R5 ;\n HMMA.16816.F32 R4, R8, R12, R16 ;", 5}, /* a is R8-R11 */
      {"MOV R13, R5 ;\n HMMA.16816.F32 R4, R8, R12, R16 ;", 5},
      {"MOV R19, R5 ;\n HMMA.16816.F32 R4, R8, R12, R16 ;", 5},
      {"MOV R14, R5 ;\n NOP ;\n HMMA.16816.F32 R4, R8, R12, R16 ;", 2}, /* b is R12, R13 */
      {"LDG.E R9, [R2] ;\n DFMA R4, R6, R8, R10 ;", 0},
      {"LDG.E R7, [R2] ;\n DSETP.GT.AND P0, PT, R6, R8, PT ;", 0},
      {"LDG.E R3, [R8] ;\n STG.E [R2], R4 ;", 0},
      {"LDS R7, [R8] ;\n STS.128 [R9], R4 ;", 0},
      {"UMOV UR5, UR6 ;\n DADD R4, R6, UR4 ;", 12},
  };
  CHECK(table);
}

/* P2R reads all predicates, R2P writes all; likewise the uniform ones. */
static void whole_predicate_files(void **state) {
  (void)state;
  static const struct pair table[] = {
      {"ISETP.LT.AND P6, PT, R4, R5, PT ;\n P2R R6, PR, RZ, 0x7f ;", 6},
      {"R2P PR, R4, 0x7f ;\n@P5 EXIT ;", 6},
      {"R2P PR, R4, R5 ;\n P2R R6, PR, RZ, 0x7f ;", 6},
      {"ISETP.LT.AND P6, PT, R4, R5, PT ;\n R2P PR, R4, 0x7f ;", 6},
      {"DSETP.LT.AND P2, PT, R4, R6, PT ;\n R2P PR, R8, 0x1 ;", 0},
      {"DSETP.LT.AND P2, PT, R4, R6, PT ;\n P2R R8, PR, RZ, 0x1 ;", 0},
      {"UISETP.LT.AND UP6, UPT, UR4, UR5, UPT ;\n UP2UR UR6, UPR, URZ, 0x7f ;", 12},
      {"UR2UP UPR, UR4, 0x7f ;\n@UP5 UMOV UR5, UR6 ;", 12},
      {"UR2UP UPR, UR4, 0x7f ;\n NOP ;\n P2R R8, PR, RZ, 0x1 ;", 2}, /* another file */
  };
  CHECK(table);
}

static void what_has_no_result_needs_no_counter(void **state) {
  (void)state;
  static const char *const bodies[] = {"RED.E.ADD [R2], R4 ;",
                                       "CCTL.E.IV [R2] ;",
                                       "SHFL.BFLY RZ, R5, 0x1, 0x1f ;",
                                       "STL [R2], R4 ;",
                                       "VOTE.ANY PT, P0 ;",
                                       "R2UR URZ, R4 ;",
                                       "DADD RZ, R4, R6 ;",
                                       "DSETP.LT.AND PT, PT, R4, R6, PT ;"};
  for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct heddle_program *p = assemble_body(bodies[i]);
    if (!p) fail_msg("%s: %s", bodies[i], last.text);
    assert_int_equal(decode_at(p, 0).ctl.wbar, 7);
    heddle_program_free(p);
  }
}

static void new_results_are_ready_where_a_block_ends(void **state) {
  (void)state;
  struct heddle_program *p = assemble_body("VOTE.ANY P1, P0 ;\n R2UR UR4, R5 ;\n UMOV UR5, UR6 ;\n BRA away ;\naway:\n"
                                           " DSETP.LT.AND P0, PT, R4, R6, PT ;\n HADD2 R8, R9, R10 ;\nlabel:\n EXIT ;");
  assert_non_null(p);
  struct heddle_isa_dec vote = decode_at(p, 0), r2ur = decode_at(p, 1), umov = decode_at(p, 2), bra = decode_at(p, 3);
  assert_int_equal(bra.ctl.wait, 1u << vote.ctl.wbar | 1u << r2ur.ctl.wbar);
  assert_true(umov.ctl.stall + bra.ctl.stall >= 12);
  assert_int_equal(decode_at(p, 6).ctl.wait, 1u << decode_at(p, 4).ctl.wbar);
  assert_true(decode_at(p, 5).ctl.stall >= 6);
  heddle_program_free(p);
}

static void seven_results_share_six_counters(void **state) {
  (void)state;
  struct heddle_program *p =
      assemble_body("MUFU.RCP R4, R20 ;\n DADD R6, R20, R22 ;\n SHFL.BFLY P0, R8, R20, 0x1, 0x1f ;\n R2UR UR4, R20 ;\n"
                    " VOTE.ANY P1, P5 ;\n LDG.E R9, [R20] ;\n LDS R10, [R20] ;\n MOV R11, R10 ;\n MOV R12, R4 ;");
  assert_non_null(p);
  unsigned seen = 0;
  for (unsigned i = 0; i < 6; i++) seen |= 1u << decode_at(p, i).ctl.wbar;
  assert_int_equal(seen, 63);
  unsigned shared = decode_at(p, 6).ctl.wbar;
  assert_true(decode_at(p, 7).ctl.wait >> shared & 1);
  unsigned first = decode_at(p, 0).ctl.wbar;
  assert_true(((decode_at(p, 7).ctl.wait | decode_at(p, 8).ctl.wait) >> first & 1) != 0);
  heddle_program_free(p);
}

static void new_hazards_in_written_codes_warn(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "[B------:R-:W-:-:S11] UMOV UR4, UR5 ;\n [B------:R-:W-:-:S01] MOV R4, UR4 ;",
      "[B------:R-:W-:-:S05] HADD2 R4, R5, R6 ;\n [B------:R-:W-:-:S01] MOV R4, R4 ;",
      "[B------:R-:W-:-:S15] DSETP.LT.AND P0, PT, R4, R6, PT ;\n EXIT ;", /* no counter */
      "[B------:R-:W1:-:S15] DSETP.LT.AND P0, PT, R4, R6, PT ;\n[B0-----:R-:W-:-:S01] @P0 EXIT ;",
      "[B------:R-:W-:-:S05] R2P PR, R4, 0x7f ;\n[B------:R-:W-:-:S01] @P6 EXIT ;",
  };
  for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct heddle_program *p = assemble_body(bodies[i]);
    if (!p || warnings != 1) fail_msg("%s: %u warnings; %s", bodies[i], warnings, last.text);
    heddle_program_free(p);
  }
}

/* What a program says that it was scheduled for. */
static void assumed_stalls_are_recorded(void **state) {
  (void)state;
  static const uint8_t filled[8] = {5, 6, 8, 6, 6, 12}, four[8] = {1, 2, 3, 4}, six[8] = {1, 2, 3, 4, 5, 6};
  struct heddle_program *p = assemble(".kernel k\n EXIT ;\n.end\n.kernel l\n.stalls 1 2 3 4\n EXIT ;\n.end\n"
                                      ".kernel m\n.stalls 1 2 3 4 5 6\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_memory_equal(p->kernel[0].stall, filled, 8);
  assert_memory_equal(p->kernel[1].stall, four, 8);
  assert_memory_equal(p->kernel[2].stall, six, 8);
  heddle_program_free(p);
  expect_error(".kernel k\n.stalls 1 2 3\n EXIT ;\n.end\n", 2, 14, "a stall count, at most 15");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_latency_results_get_stalls),
      cmocka_unit_test(memory_results_get_counters),
      cmocka_unit_test(groups_get_a_counter_of_their_own),
      cmocka_unit_test(blocks_end_with_everything_ready),
      cmocka_unit_test(written_codes_are_kept_and_checked),
      cmocka_unit_test(counters_of_fixed_results_are_known),
      cmocka_unit_test(each_fixed_unit_has_its_stall),
      cmocka_unit_test(variable_results_get_counters),
      cmocka_unit_test(wide_sources_are_awaited),
      cmocka_unit_test(whole_predicate_files),
      cmocka_unit_test(what_has_no_result_needs_no_counter),
      cmocka_unit_test(new_results_are_ready_where_a_block_ends),
      cmocka_unit_test(seven_results_share_six_counters),
      cmocka_unit_test(new_hazards_in_written_codes_warn),
      cmocka_unit_test(assumed_stalls_are_recorded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
