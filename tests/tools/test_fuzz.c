/* SPDX-License-Identifier: Apache-2.0
 * Parts of heddle fuzz: the numbers of a run, lines of a program, what makes it smaller. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "lab/fuzz/fuzz_shrink.h"

/* Every number that a run needs is there, is another one for each purpose and program, and stays when asked again. */
static void each_program_has_its_seeds(void **state) {
  (void)state;
  uint64_t seen[3 * 40];
  unsigned n = 0;
  for (uint64_t k = 0; k < 40; k++) {
    struct run_options o, again;
    run_options_init(&o);
    o.seed = 5;
    fuzz_case_options(&o, k);
    again = o;
    fuzz_case_options(&again, k + 1);
    assert_int_equal(again.memory_seed, o.memory_seed);
    assert_int_equal(again.init_seed, o.init_seed);
    assert_int_equal(again.ready_seed, o.ready_seed);
    const uint64_t made[3] = {o.memory_seed, o.init_seed, o.ready_seed};
    for (unsigned i = 0; i < 3; i++) {
      assert_true(made[i] != 0);
      for (unsigned s = 0; s < n; s++) assert_true(seen[s] != made[i]);
      seen[n++] = made[i];
    }
  }
}

static void given_seeds_are_kept(void **state) {
  (void)state;
  struct run_options o;
  run_options_init(&o);
  o.memory_seed = 7;
  fuzz_case_options(&o, 3);
  assert_int_equal(o.memory_seed, 7);
  assert_true(o.init_seed != 0 && o.init_seed != 7);
}

static void the_line_names_everything(void **state) {
  (void)state;
  char text[400], small[24];
  struct run_options o;
  run_options_init(&o);
  assert_string_equal(run_repeat_text(&o, text, sizeof text), "--on lockstep --config fpga --dep control --seed 1");
  o = (struct run_options){.on = ON_RTL,
                           .config_name = "duo",
                           .scoreboard = true,
                           .its = true,
                           .seed = 2,
                           .memory_seed = 3,
                           .init_seed = 4,
                           .ready_seed = 5,
                           .calm = true,
                           .withhold_ready = true,
                           .latency = 6,
                           .fault = 7,
                           .max_cycles = 8};
  assert_string_equal(run_repeat_text(&o, text, sizeof text),
                      "--on rtl --config duo --dep scoreboard --div its --seed 2 --memory-seed 3 --init-seed 4 "
                      "--ready-seed 5 --calm --hold --latency 6 --fault 7 --max-cycles 8");
  assert_true(strlen(run_repeat_text(&o, small, sizeof small)) < sizeof small);
}

static void lines_come_and_go(void **state) {
  (void)state;
  struct fuzz_lines l;
  assert_true(fuzz_lines_init(&l, ".kernel k\n// words\n\n   \nMOV R1, RZ ;\nend:\n# more\nEXIT ;\n.end"));
  assert_int_equal(l.lines, 5);
  assert_int_equal(fuzz_lines_instructions(&l), 2);
  l.gone[1] = true;
  char *text = fuzz_lines_text(&l);
  assert_string_equal(text, ".kernel k\nend:\nEXIT ;\n.end\n");
  assert_int_equal(fuzz_lines_instructions(&l), 1);
  free(text);
  fuzz_lines_clear(&l);
}

static void renamed(const char *line, const char *from, int which, const char *want) {
  char *text = fuzz_line_renamed(line, from, "RZ", which);
  if (want == NULL) {
    assert_null(text);
    return;
  }
  assert_non_null(text);
  assert_string_equal(text, want);
  free(text);
}

static void whole_words_are_renamed(void **state) {
  (void)state;
  renamed("IMAD R1, R12, R1, UR1 ;", "R1", -1, "IMAD RZ, R12, RZ, UR1 ;");
  renamed("IMAD R1, R12, R1, UR1 ;", "R1", 0, "IMAD RZ, R12, R1, UR1 ;");
  renamed("IMAD R1, R12, R1, UR1 ;", "R1", 1, "IMAD R1, R12, RZ, UR1 ;");
  renamed("IMAD R1, R12, R1, UR1 ;", "R1", 2, NULL);
  renamed("IMAD R1, R12, R1, UR1 ;", "R2", -1, NULL);
  renamed("LDG.E R3, [R4+0x10] ;", "R4", -1, "LDG.E R3, [RZ+0x10] ;");
  renamed("R4", "R4", -1, "RZ");
}

static void writes(const char *line, const char *want) {
  char name[8] = "";
  const bool found = fuzz_line_writes(line, name);
  assert_int_equal(found, want != NULL);
  if (want != NULL) assert_string_equal(name, want);
}

static void results_are_found(void **state) {
  (void)state;
  writes("@!P0 IADD3 R12, P1, PT, R0, 0x1, RZ ;", "R12");
  writes("[B------:R3:W-:-:S01] MOV R7, R3 ;", "R7");
  writes("S2R R254, SR_LANEID ;", "R254");
  writes("ISETP.LT.AND P0, PT, R1, R2, PT ;", NULL);
  writes("MOV RZ, R1 ;", NULL);
  writes("STG.E [R2], R3 ;", NULL);
  writes("R2UR UR3, R1 ;", NULL);
  writes("EXIT ;", NULL);
  writes("R12:", NULL);
}

static void predicates_are_found(void **state) {
  (void)state;
  static const struct {
    const char *line, *name;
  } want[] = {{"ISETP.LT.AND P0, P1, R1, R2, PT ;", "P0"},
              {"[B------:R3:W-:-:S01] @!P2 FCHK.DIVIDE P6, R2, R5 ;", "P6"},
              {"ISETP.LT.AND PT, P1, R1, R2, PT ;", NULL},
              {"R2P PR, R1, 0x7f ;", NULL},
              {"@P3 BRA P3, x ;", "P3"},
              {"IADD3 R0, P1, PT, R1, R2, RZ ;", NULL},
              {"P4 ;", NULL},
              {";", NULL},
              {"P1,", NULL}};
  struct fuzz_lines l;
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    char name[8] = "";
    assert_int_equal(fuzz_line_writes_predicate(want[i].line, name), want[i].name != NULL);
    if (want[i].name != NULL) assert_string_equal(name, want[i].name);
  }
  assert_true(fuzz_lines_init(&l, "R7:\n@!P1 MOV R12, UR3 ;\nMOV R5, RZ ;\n"));
  assert_true(fuzz_lines_name(&l, "P1") && fuzz_lines_name(&l, "R12") && fuzz_lines_name(&l, "R5"));
  assert_false(fuzz_lines_name(&l, "R7") || fuzz_lines_name(&l, "R3") || fuzz_lines_name(&l, "R1"));
  l.gone[2] = true;
  assert_false(fuzz_lines_name(&l, "R5"));
  assert_true(fuzz_line_names("CALL.ABS function0 ;", "function0"));
  assert_false(fuzz_line_names("MOV R1, function01 ;", "function0"));
  fuzz_lines_clear(&l);
}

static void registers_are_listed(void **state) {
  (void)state;
  const char *line = "IMAD R1, R12.reuse, UR3, |R254| ;", *at = line;
  static const char *const want[] = {"R1", "R12", "R254"};
  char name[8];
  for (unsigned i = 0; i < 3; i++) {
    at = fuzz_line_register(at, line, name);
    assert_non_null(at);
    assert_string_equal(name, want[i]);
  }
  assert_null(fuzz_line_register(at, line, name));
}

/* All simpler texts of a line, in order, each on a line of its own. */
static void simpler(const char *line, const char *want) {
  struct fuzz_texts t;
  char all[2000] = "";
  fuzz_line_simpler(line, &t);
  for (unsigned i = 0; i < t.n; i++) {
    assert_true(strlen(all) + strlen(t.text[i]) + 2 < sizeof all);
    strcat(strcat(all, t.text[i]), "\n");
  }
  assert_string_equal(all, want);
  fuzz_texts_clear(&t);
}

static void a_line_becomes_simpler(void **state) {
  (void)state;
  simpler("[B--2---:R:W-:-:S01] @!P1 STG.E.64 [R4+0x10], R6.reuse ;",
          "@!P1 STG.E.64 [R4+0x10], R6.reuse ;\n"
          "[B--2---:R:W-:-:S01] STG.E.64 [R4+0x10], R6.reuse ;\n"
          "[B--2---:R:W-:-:S01] @!P1 STG.E.64 [R4+0x10], R6 ;\n"
          "[B--2---:R:W-:-:S01] @!P1 STG.64 [R4+0x10], R6.reuse ;\n"
          "[B--2---:R:W-:-:S01] @!P1 STG.E [R4+0x10], R6.reuse ;\n"
          "[B--2---:R:W-:-:S01] @!P1 STG.E.64 [R4], R6.reuse ;\n"
          "[B--2---:R:W-:-:S01] @!P1 STG.E.64 [RZ+0x10], R6.reuse ;\n"
          "[B--2---:R:W-:-:S01] @!P1 STG.E.64 [R4+0x10], RZ.reuse ;\n"
          "[B--2---:R:W-:-:S01] @!PT STG.E.64 [R4+0x10], R6.reuse ;\n");
  simpler("@!PT STG.E.64 [R4], R6 ;", "@!PT STG.64 [R4], R6 ;\n@!PT STG.E [R4], R6 ;\n@!PT STG.E.64 [RZ], R6 ;\n"
                                      "@!PT STG.E.64 [R4], RZ ;\n");
  simpler("MOV R3, 0x4 ;", "MOV RZ, 0x4 ;\nMOV R3, 0x0 ;\nMOV R3, 0x1 ;\n@!PT MOV R3, 0x4 ;\n");
  simpler("S2R R3, SR_CTAID.X ;", "S2R RZ, SR_CTAID.X ;\n@!PT S2R R3, SR_CTAID.X ;\n");
  simpler("R2P PR, R9, 0x60 ;", "R2P PR, RZ, 0x60 ;\nR2P PR, R9, 0x0 ;\nR2P PR, R9, 0x1 ;\nR2P PR, R9, 0x4 ;\n"
                                "ISETP.NE.AND P0, PT, R9, RZ, PT ;\nISETP.EQ.AND P0, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P0, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P0, PT, R9, 0x10, PT ;\n"
                                "ISETP.NE.AND P1, PT, R9, RZ, PT ;\nISETP.EQ.AND P1, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P1, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P1, PT, R9, 0x10, PT ;\n"
                                "ISETP.NE.AND P2, PT, R9, RZ, PT ;\nISETP.EQ.AND P2, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P2, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P2, PT, R9, 0x10, PT ;\n"
                                "ISETP.NE.AND P3, PT, R9, RZ, PT ;\nISETP.EQ.AND P3, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P3, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P3, PT, R9, 0x10, PT ;\n"
                                "ISETP.NE.AND P4, PT, R9, RZ, PT ;\nISETP.EQ.AND P4, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P4, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P4, PT, R9, 0x10, PT ;\n"
                                "ISETP.NE.AND P5, PT, R9, RZ, PT ;\nISETP.EQ.AND P5, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P5, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P5, PT, R9, 0x10, PT ;\n"
                                "ISETP.NE.AND P6, PT, R9, RZ, PT ;\nISETP.EQ.AND P6, PT, R9, RZ, PT ;\n"
                                "ISETP.LT.U32.AND P6, PT, R9, 0x10, PT ;\nISETP.GE.U32.AND P6, PT, R9, 0x10, PT ;\n"
                                "@!PT R2P PR, R9, 0x60 ;\n");
  simpler("FCHK.DIVIDE P3, R2, R5 ;",
          "FCHK P3, R2, R5 ;\nFCHK.DIVIDE P3, RZ, R5 ;\nFCHK.DIVIDE P3, R2, RZ ;\n"
          "ISETP.NE.AND P3, PT, R2, RZ, PT ;\nISETP.EQ.AND P3, PT, R2, RZ, PT ;\n"
          "ISETP.LT.U32.AND P3, PT, R2, 0x10, PT ;\nISETP.GE.U32.AND P3, PT, R2, 0x10, PT ;\n"
          "ISETP.NE.AND P3, PT, R5, RZ, PT ;\nISETP.EQ.AND P3, PT, R5, RZ, PT ;\n"
          "ISETP.LT.U32.AND P3, PT, R5, 0x10, PT ;\nISETP.GE.U32.AND P3, PT, R5, 0x10, PT ;\n"
          "@!PT FCHK.DIVIDE P3, R2, R5 ;\n");
  simpler("ISETP P3, PT, R2, RZ, PT ;", "ISETP P3, PT, RZ, RZ, PT ;\n@!PT ISETP P3, PT, R2, RZ, PT ;\n");
  simpler("BRA join_4 ;", "@!PT BRA join_4 ;\n");
  simpler("@!PT BRA join_4 ;", "");
  simpler("join_4:", "");
  simpler(
      "LDC.64 R2, c[0x0][R5+0x8] ;",
      "LDC R2, c[0x0][R5+0x8] ;\nLDC.64 R2, c[0x0][R5] ;\nLDC.64 RZ, c[0x0][R5+0x8] ;\nLDC.64 R2, c[0x0][RZ+0x8] ;\n"
      "S2R R2, SR_LANEID ;\nMOV R2, 0x0 ;\nMOV R2, 0x1 ;\nS2R R2, SR_CTAID.X ;\nS2R R2, SR_TID.X ;\n"
      "MOV R2, 0xffffffff ;\nMOV R2, 0x3f800000 ;\nMOV R2, 0x80000000 ;\nMOV R2, 0x401 ;\n"
      "S2R R3, SR_LANEID ;\nMOV R3, 0x0 ;\nMOV R3, 0x1 ;\n@!PT LDC.64 R2, c[0x0][R5+0x8] ;\n");
  /* What no line should be does no harm. */
  static const char *const odd[] = {"[ ;", "@ ;", "[B", "[] @P1 ;", "X [R ;", "X [R+ ;", ", 0x ;", "X., ;", ";", ""};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    struct fuzz_texts t;
    fuzz_line_simpler(odd[i], &t);
    for (unsigned k = 0; k < t.n; k++) assert_string_not_equal(t.text[k], odd[i]);
    fuzz_texts_clear(&t);
  }
}

/* However one goes on from text to text, there is an end, and no text comes twice. */
static void simpler_lines_come_to_an_end(void **state) {
  (void)state;
  static const char *const start[] = {"[B------:R3:W-:-:S01] @!P0 IMAD.WIDE.U32 R12, R4.reuse, 0x730, R14.reuse ;",
                                      "@P2 ISETP.GE.U32.OR P6, P1, R7.reuse, 0x1, P4 ;", "@P1 R2P PR, R25, 0x7f ;"};
  for (unsigned walk = 1; walk <= 900; walk++) {
    char *seen[100] = {strdup(start[walk % 3])};
    unsigned n = 1, draw = walk;
    for (bool on = true; on;) {
      struct fuzz_texts t;
      fuzz_line_simpler(seen[n - 1], &t);
      on = t.n != 0;
      draw = draw * 1103515245u + 12345u;
      if (on) {
        assert_true(n < 100);
        seen[n++] = strdup(t.text[(draw >> 16) % t.n]);
        for (unsigned i = 0; i + 1 < n; i++) assert_string_not_equal(seen[i], seen[n - 1]);
      }
      fuzz_texts_clear(&t);
    }
    while (n > 0) free(seen[--n]);
  }
}

static void lines_are_copied_set_and_compacted(void **state) {
  (void)state;
  struct fuzz_lines a, b;
  assert_true(fuzz_lines_init(&a, "one ;\ntwo ;\nthree ;\nfour ;\n"));
  a.gone[1] = true;
  assert_true(fuzz_lines_copy(&b, &a));
  assert_true(fuzz_lines_set(&b, 2, "3 ;"));
  b.gone[3] = true;
  fuzz_lines_compact(&b);
  char *text = fuzz_lines_text(&a), *other = fuzz_lines_text(&b);
  assert_string_equal(text, "one ;\nthree ;\nfour ;\n");
  assert_string_equal(other, "one ;\n3 ;\n");
  assert_int_equal(b.lines, 2);
  free(text);
  free(other);
  fuzz_lines_clear(&a);
  fuzz_lines_clear(&b);
}

/* On the model nothing can be planted, but a limit can. */
static void shrinks_to(uint64_t limit, double seconds, unsigned most, bool *out_of_time) {
  struct fuzz_case c = {.index = 2};
  run_options_init(&c.run);
  c.run.on = ON_MODEL;
  c.run.config_name = "tiny";
  assert_int_equal(run_options_finish(&c.run, "test"), TOOL_OK);
  fuzz_case_options(&c.run, c.index);
  c.run.max_cycles = limit;
  struct random_program *tree = fuzz_case_program(&c);
  assert_non_null(tree);
  const struct signature diagnosis = {.kind = "limit"};
  struct fuzz_small s;
  assert_true(fuzz_shrink(&c, tree, &diagnosis, seconds, &s));
  assert_true(s.before > 100);
  assert_true(s.instructions <= most);
  *out_of_time = s.out_of_time;
  struct fuzz_verdict v;
  fuzz_judge(&s.c, &s.p, false, &v);
  assert_int_equal(v.status, RUN_LIMIT);
  fuzz_verdict_clear(&v);
  fuzz_small_clear(&s);
  random_program_free(tree);
}

/* The program that is left is the smallest that reaches the limit: a warp has to issue a fourth instruction, and each
 * of more could go. */
static void what_fails_alike_is_kept(void **state) {
  (void)state;
  bool out_of_time;
  shrinks_to(3, 100, 4, &out_of_time);
  assert_false(out_of_time);
}

/* No way leads to fewer than these: all are tried, as long as there is time, and what is left fails as before. */
static void what_cannot_be_smaller_stays_right(void **state) {
  (void)state;
  bool out_of_time;
  shrinks_to(14, 2, 15, &out_of_time);
}

/* A loop of two jumps, which the limit ends in any case: who goes to `again` goes where the jump there goes. */
static void a_jump_to_a_jump_goes_to_its_end(void **state) {
  (void)state;
  struct reduction *r = calloc(1, sizeof *r);
  assert_non_null(r);
  r->c.index = 2;
  run_options_init(&r->c.run);
  r->c.run.on = ON_MODEL;
  r->c.run.config_name = "tiny";
  assert_int_equal(run_options_finish(&r->c.run, "test"), TOOL_OK);
  fuzz_case_options(&r->c.run, r->c.index);
  r->c.run.max_cycles = 100;
  r->until = 1e18;
  r->want = (struct signature){.kind = "limit"};
  struct random_program *tree = fuzz_case_program(&r->c);
  assert_non_null(tree);
  assert_true(fuzz_program_init(&r->p, tree));
  assert_true(fuzz_lines_init(&r->lines, ".kernel fuzz\nagain:\nBRA spin ;\nEXIT ;\nspin:\nBRA again ;\n.end\n"));
  assert_true(reduce_jumps(r));
  char *text = fuzz_lines_text(&r->lines);
  assert_string_equal(text, ".kernel fuzz\nagain:\nBRA spin ;\nEXIT ;\nspin:\nBRA spin ;\n.end\n");
  assert_false(reduce_jumps(r)); /* nobody goes to `again` any more, and `spin` is its own end */
  free(text);
  fuzz_lines_clear(&r->lines);
  fuzz_program_clear(&r->p);
  random_program_free(tree);
  free(r);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_program_has_its_seeds),
                                     cmocka_unit_test(given_seeds_are_kept),
                                     cmocka_unit_test(the_line_names_everything),
                                     cmocka_unit_test(lines_come_and_go),
                                     cmocka_unit_test(whole_words_are_renamed),
                                     cmocka_unit_test(results_are_found),
                                     cmocka_unit_test(predicates_are_found),
                                     cmocka_unit_test(registers_are_listed),
                                     cmocka_unit_test(a_line_becomes_simpler),
                                     cmocka_unit_test(simpler_lines_come_to_an_end),
                                     cmocka_unit_test(a_jump_to_a_jump_goes_to_its_end),
                                     cmocka_unit_test(lines_are_copied_set_and_compacted),
                                     cmocka_unit_test(what_fails_alike_is_kept),
                                     cmocka_unit_test(what_cannot_be_smaller_stays_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
