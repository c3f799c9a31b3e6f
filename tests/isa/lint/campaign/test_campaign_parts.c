/* SPDX-License-Identifier: Apache-2.0
 * The parts of the campaign that need no machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/lint/campaign/campaign.h"
#include "tests/isa/lint/sources.h"
#include "run/command/tool.h"
#include "tests/isa/lint/campaign/trial.h"

static const char text[] = ".kernel k\n[B------:R0:W1:-:S03] LDG.E R4, [R2] ;\n[B-1----:R-:W-:-:S05] MOV R6, R4 ;\n"
                           "[B------:R-:W-:-:S05] ISETP.LT.AND P0, PT, R6, R7, PT ;\n[B------:R-:W-:-:S01] NOP ;\n"
                           "[B------:R-:W-:-:S01] @P0 STG.E [R2], R6 ;\n[B------:R-:W-:-:S01] EXIT ;\n.end\n";

struct listed {
  struct heddle_lint_weaker w[16];
  unsigned n;
};

static void list(void *ctx, struct heddle_lint_weaker w) {
  struct listed *l = ctx;
  assert_true(l->n < 16);
  l->w[l->n++] = w;
}

static void every_part_once(void **state) {
  (void)state;
  static const struct heddle_lint_weaker want[] = {
      {0, HEDDLE_LINT_STALL, 0}, {0, HEDDLE_LINT_STALL_LEAST, 0}, {0, HEDDLE_LINT_WBAR, 1},
      {0, HEDDLE_LINT_RBAR, 0},  {16, HEDDLE_LINT_STALL, 0},      {16, HEDDLE_LINT_STALL_LEAST, 0},
      {16, HEDDLE_LINT_WAIT, 1}, {32, HEDDLE_LINT_STALL, 0},      {32, HEDDLE_LINT_STALL_LEAST, 0}};
  struct heddle_program *p = assembled(text, "k", NULL);
  struct listed l = {.n = 0};
  weakening_each(p, list, &l);
  assert_int_equal(l.n, sizeof want / sizeof *want);
  for (unsigned i = 0; i < l.n; i++) {
    assert_int_equal(l.w[i].pc, want[i].pc);
    assert_int_equal(l.w[i].part, want[i].part);
    assert_int_equal(l.w[i].counter, want[i].counter);
  }
  heddle_program_free(p);
}

static struct heddle_isa_ctl weak(const struct heddle_program *p, struct heddle_lint_weaker what) {
  struct heddle_isa_dec d;
  assert_true(heddle_isa_decode(weakening_word(heddle_program_word(p, what.pc), what), &d));
  return d.ctl;
}

static void words_lose_that_part_alone(void **state) {
  (void)state;
  struct heddle_program *p = assembled(text, "k", NULL);
  struct heddle_isa_ctl c = weak(p, (struct heddle_lint_weaker){0, HEDDLE_LINT_STALL, 0});
  assert_true(c.stall == 2 && c.wbar == 1 && c.rbar == 0 && c.wait == 0);
  c = weak(p, (struct heddle_lint_weaker){16, HEDDLE_LINT_STALL_LEAST, 0});
  assert_true(c.stall == 1 && c.wait == 2);
  c = weak(p, (struct heddle_lint_weaker){16, HEDDLE_LINT_WAIT, 1});
  assert_true(c.stall == 5 && c.wait == 0);
  c = weak(p, (struct heddle_lint_weaker){0, HEDDLE_LINT_WBAR, 1});
  assert_true(c.stall == 3 && c.wbar == 7 && c.rbar == 0);
  c = weak(p, (struct heddle_lint_weaker){0, HEDDLE_LINT_RBAR, 0});
  assert_true(c.wbar == 1 && c.rbar == 7);
  heddle_program_free(p);
}

static void hints_change_nothing_else(void **state) {
  (void)state;
  for (unsigned h = 0; h < HINTS_COUNT; h++) {
    struct heddle_program *a = assembled(text, "k", NULL), *b = assembled(text, "k", NULL);
    hints_set(b, (enum hints)h, 5);
    for (uint32_t pc = 0; pc < a->code_bytes; pc = heddle_program_next(a, pc)) {
      struct heddle_isa_dec x, y;
      assert_true(heddle_isa_decode(heddle_program_word(a, pc), &x) &&
                  heddle_isa_decode(heddle_program_word(b, pc), &y));
      assert_int_equal(x.enc, y.enc);
      assert_true(x.ctl.stall == y.ctl.stall && x.ctl.wait == y.ctl.wait && x.ctl.wbar == y.ctl.wbar);
      if (h != HINTS_RANDOM) assert_true(y.ctl.yield == (h == HINTS_ON));
    }
    heddle_program_free(a);
    heddle_program_free(b);
  }
}

/* What makes the weaker program fail, by class, and the poison that each foretells. */
static void classes(void **state) {
  (void)state;
  static const struct {
    struct heddle_lint_weaker w;
    const char *class;
    struct heddle_checker_difference poison;
  } table[] = {{{0, HEDDLE_LINT_WBAR, 1},
                "mem register: operand",
                {.kind = HEDDLE_CHECKER_POISON_RAW, .pc = 16, .subject = "R4"}},
               {{16, HEDDLE_LINT_WAIT, 1},
                "mem register: operand",
                {.kind = HEDDLE_CHECKER_POISON_RAW, .pc = 16, .subject = "R4"}},
               {{16, HEDDLE_LINT_STALL, 0},
                "alu register: operand",
                {.kind = HEDDLE_CHECKER_POISON_RAW, .pc = 32, .subject = "R6"}},
               {{32, HEDDLE_LINT_STALL, 0},
                "alu predicate: guard",
                {.kind = HEDDLE_CHECKER_POISON_PRED_RAW, .pc = 64, .subject = "P0"}}};
  struct heddle_program *p = assembled(text, "k", NULL);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char name[64];
    struct verdict v;
    const struct heddle_isa_word was = heddle_program_word(p, table[i].w.pc);
    heddle_isa_word_store(p->code + table[i].w.pc, weakening_word(was, table[i].w));
    verdict_of(p, &v);
    assert_int_equal(v.lint, HEDDLE_LINT_FOUND);
    assert_true(v.replays);
    bool any = false;
    for (unsigned k = 0; k < v.findings; k++) {
      class_name(class_of(p, &v.finding[k]), name, sizeof name);
      any = any || (strcmp(name, table[i].class) == 0 && poison_foretold(&v.finding[k], &table[i].poison, true));
      struct heddle_checker_difference other = table[i].poison;
      other.subject[0] = 'Q';
      assert_false(poison_foretold(&v.finding[k], &other, false));
    }
    if (!any) fail_msg("%zu: no finding of class %s", i, table[i].class);
    heddle_isa_word_store(p->code + table[i].w.pc, was);
  }
  heddle_program_free(p);
}

static void unproven_programs_fail(void **state) {
  (void)state;
  unsigned warned = 0;
  static const char early[] =
      ".kernel k\n[B------:R-:W-:-:S01] ISETP.LT.AND P0, PT, R6, R7, PT ;\n@P0 EXIT ;\n EXIT ;\n"
      ".end\n";
  struct subject s = {.name = "k", .kind = "directed", .program = assembled(early, "k", &warned)};
  struct tally *t = calloc(1, sizeof *t);
  assert_non_null(t);
  const struct campaign_options o = {.config = "none", .seed = 1, .seeds = 1, .hit_seeds = 1};
  campaign_subject(&o, &s, t);
  assert_int_equal(t->failures, 1);
  assert_non_null(strstr(t->failure, "not proven"));
  assert_int_equal(t->runs, 0);
  heddle_program_free(s.program);
  free(t);
}

/* Directed programs need one block; all of their instructions are executed. */
static void cases_shrink(void **state) {
  (void)state;
  struct subjects s = {.stall = {1, 3, 4, 2}};
  subjects_directed(&s);
  assert_true(s.count >= 8 && !s.failed);
  for (size_t i = 0; i < s.count; i++) {
    char why[256] = "";
    unsigned idle = 0;
    bool reached[256];
    assert_true(s.at[i].program->code_bytes / ISA_WORD_BYTES <= 256);
    if (!shrink_case(&s.at[i], reached, &idle, why, sizeof why)) fail_msg("%s: %s", s.at[i].name, why);
    assert_int_equal(s.at[i].c.launch[0].grid[0], 1);
    assert_true(idle <= 8); /* branches that are always taken hide what stands behind them */
  }
  subjects_free(&s);
}

struct comparing {
  struct heddle_program *p;
  const char *name;
};

static void compare(void *ctx, struct heddle_lint_weaker w) {
  const struct comparing *c = ctx;
  struct verdict v;
  const struct heddle_isa_word was = heddle_program_word(c->p, w.pc);
  heddle_isa_word_store(c->p->code + w.pc, weakening_word(was, w));
  verdict_of(c->p, &v);
  heddle_isa_word_store(c->p->code + w.pc, was);
  if (!v.replays) fail_msg("%s: part %d at 0x%04x: trying every path says something else", c->name, (int)w.part, w.pc);
}

/* Also where only branches through registers lead. */
static void every_path_agrees(void **state) {
  (void)state;
  struct subjects s = {.stall = {1, 3, 4, 2}};
  subjects_directed(&s);
  for (size_t i = 0; i < s.count; i++) {
    struct comparing c = {s.at[i].program, s.at[i].name};
    struct verdict v;
    verdict_of(c.p, &v);
    assert_int_equal(v.lint, HEDDLE_LINT_PROVEN);
    assert_true(v.replays);
    weakening_each(c.p, compare, &c);
  }
  subjects_free(&s);
}

/* Each ends on the model, launch after launch, and leaves there what it left before: memory can be compared. */
static void random_programs_can_be_compared(void **state) {
  (void)state;
  const struct heddle_config *fpga = heddle_config_find("fpga");
  struct subjects s = {.seed = 3};
  assert_true(fpga && tool_stalls("fpga", s.stall));
  s.units = heddle_config_units(fpga);
  subjects_random(&s, 30, fpga);
  assert_int_equal(s.count, 30);
  assert_false(s.failed);
  unsigned again = 0, banks = 0;
  for (size_t i = 0; i < s.count; i++) {
    struct subject *r = &s.at[i];
    struct trial t;
    assert_true(r->model_expects && r->c.buffers == 2 && r->c.buffer[1].read_only);
    trial_run(r, NULL, 0, 1000000, &r->c, &t);
    if (t.end != TRIAL_RIGHT) fail_msg("%s: %s", r->name, t.why);
    assert_memory_equal(r->c.buffer[1].expect, r->c.buffer[1].init, r->c.buffer[1].bytes);
    trial_run(r, NULL, 0, 1000000, NULL, &t);
    assert_int_equal(t.end, TRIAL_RIGHT);
    r->c.buffer[0].expect[r->c.buffer[0].bytes - 1] ^= 1;
    trial_run(r, NULL, 0, 1000000, NULL, &t);
    assert_int_equal(t.end, TRIAL_WRONG);
    again += r->c.launches > 1;
    banks += r->bank[1] != NULL && r->bank[2] != NULL;
  }
  assert_true(again > 0);
  assert_int_equal(banks, s.count);
  subjects_free(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_once),           cmocka_unit_test(words_lose_that_part_alone),
      cmocka_unit_test(hints_change_nothing_else), cmocka_unit_test(classes),
      cmocka_unit_test(unproven_programs_fail),    cmocka_unit_test(cases_shrink),
      cmocka_unit_test(every_path_agrees),         cmocka_unit_test(random_programs_can_be_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
