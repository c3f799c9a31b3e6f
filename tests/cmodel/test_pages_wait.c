/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults that wait for the host (isa/doc/18-virtual-memory.md): who waits and who goes on, the list, replay, fail; of
 * accesses, words and constants; and that nothing is done twice.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/debug.h>
#include "tests/test.h"
#include "tests/cmodel/machine.h"

enum { P = 1, L = 2, W = 4, G = 8, A = 16, D = 32 };

/* R0 = thread; R4:R5 = V + n thread. Four instructions. */
#define TEXT_SPREAD(n) TEXT_V "S2R R0, SR_TID.X ;\nIMAD.WIDE.U32 R4, R0, " #n ", R2 ;\n"

static void begin(struct space *s, const char *text, unsigned threads) {
  space_init(s);
  space_text(s, text);
  s->x.launch.fault_trap = false;
  s->x.launch.block[0] = threads;
}

static void expect_words(struct space *s, const char *words) {
  if (strstr(heddle_model_diag(s->x.model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(s->x.model), words);
}

/* Page by page, as they are asked for; a store of all lanes happens once, when the last page is there. */
static void page_by_page(void **state) {
  struct space s;
  (void)state;
  begin(&s,
        TEXT_SPREAD(0x200) "LDG.E R6, [R4] ;\nIADD3 R6, R6, 0x1, RZ ;\nSTG.E [R4], R6 ;\n"
                           "MOV R7, 0x1 ;\nATOMG.E.ADD R8, [R4], R7 ;\nEXIT ;\n",
        32);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  assert_int_equal(s.x.retired, 4);
  for (unsigned i = 0; i < 4; i++) { /* 8 lanes in each page */
    expect_fault(&s, V + 4096 * i, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD, 1);
    expect_words(&s, "no warp can go on without a page");
    expect_words(&s, "block (0,0,0) warp 0 seq 4 pc 0x00000040 LDG");
    for (unsigned k = 0; k < 8; k++) set_mem32(&s.x, (9 - i) * 4096 + 0x200 * k, 50 * i + k);
    space_map(&s, V + 4096 * i, FRAME(9 - i), 0);
    EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_go_on(&s));
  }
  assert_int_equal(s.x.retired, 2);
  for (unsigned i = 0; i < 4; i++) {
    expect_fault(&s, V + 4096 * i, HEDDLE_PAGE_PROTECTED, HEDDLE_PAGE_STORE, 1);
    for (unsigned k = 0; k < 32; k++)
      assert_int_equal(mem32(&s.x, (9 - k / 8) * 4096 + 0x200 * (k % 8)), 50 * (k / 8) + k % 8);
    const uint64_t at = space_entry(&s, V + 4096 * i, 0);
    assert_int_equal(get64(&s, at), FRAME(9 - i) | P | L | A); /* not dirty */
    put64(&s, at, get64(&s, at) | W);
    EXPECT(&s.x, i < 3 ? HEDDLE_ERROR_FAULTS : HEDDLE_SUCCESS, space_go_on(&s));
  }
  for (unsigned k = 0; k < 32; k++)
    assert_int_equal(mem32(&s.x, (9 - k / 8) * 4096 + 0x200 * (k % 8)), 50 * (k / 8) + k % 8 + 2);
  assert_int_equal(heddle_model_faults(s.x.model, NULL, 0), 0);
  EXPECT(&s.x, HEDDLE_ERROR_STATE, space_go_on(&s)); /* it has ended */
  space_free(&s);
}

/* A replay without a change finds the same again, and nothing has happened. */
static void replay_in_vain(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "STG.E [R4], R0 ;\nEXIT ;\n", 32);
  space_map(&s, V, FRAME(9), 0);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  for (unsigned i = 0; i < 3; i++) {
    expect_fault(&s, V, HEDDLE_PAGE_PROTECTED, HEDDLE_PAGE_STORE, 1);
    EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_go_on(&s));
    assert_int_equal(s.x.retired, 0);
  }
  assert_int_equal(get64(&s, space_entry(&s, V, 0)), FRAME(9) | P | L);
  for (unsigned k = 0; k < 1024; k++) assert_int_equal(mem32(&s.x, 9 * 4096 + 4 * k), 0);
  space_free(&s);
}

/* Warps that lack nothing go on to their end; each page is listed once, in the order of its first fault. */
static void others_go_on(void **state) {
  struct space s;
  struct heddle_page_fault f[8];
  (void)state;
  /* Warp w goes to page w / 2: 0 is there, 1, 2 and 3 are not. */
  begin(&s,
        TEXT_SPREAD(0x4) "IMAD.WIDE.U32 R6, R0, 0x4000000, RZ ;\nIMAD.WIDE.U32 R4, R7, 0x1000, R4 ;\n"
                         "STG.E [R4], R0 ;\nEXIT ;\n",
        256);
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  for (unsigned k = 0; k < 64; k++) assert_int_equal(mem32(&s.x, 9 * 4096 + 4 * k), k);
  assert_int_equal(heddle_model_faults(s.x.model, f, 2), 3);
  assert_int_equal(heddle_model_faults(s.x.model, f, 8), 3);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(f[i].page, V + 4096 * (i + 1));
    assert_int_equal(f[i].warps, 2);
    assert_int_equal(f[i].use, HEDDLE_PAGE_STORE);
    assert_int_equal(f[i].kind, HEDDLE_PAGE_ABSENT);
    space_map(&s, f[i].page, FRAME(10 + i), W);
  }
  EXPECT(&s.x, HEDDLE_SUCCESS, space_go_on(&s));
  for (unsigned k = 64; k < 256; k++) assert_int_equal(mem32(&s.x, (9 + k / 64) * 4096 + 4 * k), k);
  space_free(&s);
}

/* Some pages come, others not: those warps alone go on. */
static void one_of_two(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x80) "STG.E [R4], R0 ;\nEXIT ;\n", 64);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  space_map(&s, V + 4096, FRAME(8), W);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_go_on(&s));
  expect_fault(&s, V, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_STORE, 1);
  for (unsigned k = 32; k < 64; k++) assert_int_equal(mem32(&s.x, 8 * 4096 + 0x80 * (k - 32)), k);
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_go_on(&s));
  for (unsigned k = 0; k < 32; k++) assert_int_equal(mem32(&s.x, 9 * 4096 + 0x80 * k), k);
  space_free(&s);
}

/* ---- fail */

/* What still lacks its page traps; the trap is as if faults trapped at once. */
static void failed(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "LDG.E R6, [R4+0x80] ;\nEXIT ;\n", 32);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  heddle_model_fail(s.x.model);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_go_on(&s));
  expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x40, ~0u, V + 0x80);
  space_free(&s);
}

/* What has its page by then goes on, and waits again for another one. */
static void fail_in_time(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "LDG.E R6, [R4] ;\nLDG.E R7, [R4+0x1000] ;\nEXIT ;\n", 32);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  space_map(&s, V, FRAME(9), 0);
  heddle_model_fail(s.x.model);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_go_on(&s));
  expect_fault(&s, V + 4096, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD, 1);
  heddle_model_fail(s.x.model);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_go_on(&s));
  expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x50, ~0u, V + 4096);
  space_free(&s);
}

/* Another warp's trap ends what waits. */
static void another_trap(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n@P0 STG.E [R4], R0 ;\nBPT.TRAP ;\n", 64);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_BREAKPOINT, 0x60, ~0u, 0);
  EXPECT(&s.x, HEDDLE_ERROR_STATE, space_go_on(&s));
  space_free(&s);
}

/* ---- words */

/* Half a warp jumps to a page that is not there: it waits there with its mask, the other half's turn comes behind it.
 * The address of the trap is the sector. */
static void word_of_a_path(void **state) {
  static const char text[] = "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n" TEXT_V
                             "@P0 BRA 0x70 ;\nSTG.E [R2+0x4], R0 ;\nEXIT ;\nSTG.E [R2], R0 ;\nEXIT ;\n";
  (void)state;
  for (unsigned how = 0; how < 3; how++) {
    struct space s;
    begin(&s, text, 32);
    s.x.launch.fault_trap = how == 0;
    space_map(&s, V, FRAME(9), W);
    const uint64_t code = space_entry(&s, CODE_PAGE + 4096, 0), entry = get64(&s, code);
    put64(&s, code, 0); /* from pc 0x40 on */
    const enum heddle_error got = space_run(&s);
    if (how == 0) {
      EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, got);
      expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x40, ~0u, CODE_PAGE + 4096);
    } else {
      EXPECT(&s.x, HEDDLE_ERROR_FAULTS, got);
      assert_int_equal(s.x.retired, 4);
      expect_fault(&s, CODE_PAGE + 4096, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_CODE, 1);
      assert_int_equal(mem32(&s.x, 9 * 4096), 0);
      if (how == 2) heddle_model_fail(s.x.model);
      if (how == 1) put64(&s, code, entry);
      EXPECT(&s.x, how == 1 ? HEDDLE_SUCCESS : HEDDLE_ERROR_TRAPPED, space_go_on(&s));
      if (how == 2) expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x40, ~0u, CODE_PAGE + 4096);
    }
    if (how == 1) assert_int_equal(mem32(&s.x, 9 * 4096), 7);
    if (how == 1) assert_int_equal(mem32(&s.x, 9 * 4096 + 4), 31);
    space_free(&s);
  }
}

/* Diverged: lanes 0 to 7 are at the page that is missing, alone; the active mask is theirs. */
static void word_of_some_lanes(void **state) {
  char text[3000] = "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n@P0 BRA 0x1040 ;\nEXIT ;\n";
  struct space s;
  (void)state;
  for (unsigned i = 4; i < 0x104; i++) strcat(text, "NOP ;\n");
  strcat(text, "EXIT ;\n");
  begin(&s, text, 32);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  expect_fault(&s, CODE_PAGE + 0x2000, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_CODE, 1);
  struct heddle_standing at;
  assert_true(heddle_warp_standing(s.x.model, 0, &at));
  assert_int_equal(at.pc, 0x1040);
  assert_int_equal(at.active, 0xff);
  heddle_model_fail(s.x.model);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_go_on(&s));
  expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x1040, 0xff, CODE_PAGE + 0x2000);
  space_free(&s);
}

/* What is read ahead and does not issue raises nothing; bad_pc comes before it. */
static void words_not_reached(void **state) {
  struct space s;
  (void)state;
  begin(&s, "NOP ;\nEXIT ;\nNOP ;\nNOP ;\nNOP ;\n", 32);
  space_unmap(&s, CODE_PAGE + 4096);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  space_text(&s, "NOP ;\nNOP ;\nNOP ;\nNOP ;\n");
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_BAD_PC, 0x40, ~0u, 0x40);
  space_free(&s);
}

/* ---- constants */

/* An operand (whatever its guard says; the address is the offset), LDC (a sector of 32 bytes, all that execute), ULDC
 * (the active mask). 0x80 begins the bank's second page. */
static void constants(void **state) {
  static const struct {
    const char *text;
    uint32_t pc, lanes;
    uint64_t addr;
  } c[] = {
      {"IADD3 R4, RZ, c[0x0][0x84], RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n", 0x20, ~0u, 0x84},
      {"@!PT IADD3 R4, RZ, c[0x0][0x7c], RZ ;\nIADD3 R4, RZ, c[0x0][0x84], RZ ;\nSTG.E [R2], R4 ;\nEXIT ;\n", 0x30, ~0u,
       0x84},
      {"@!PT IADD3 R4, RZ, c[0x0][0x80], RZ ;\nLDC R4, c[0x0][RZ+0x84] ;\nSTG.E [R2], R4 ;\nEXIT ;\n", 0x20, ~0u, 0x80},
      {"MOV R1, 0x24 ;\nLDC R4, c[0x0][R1+0x60] ;\nSTG.E [R2], R4 ;\nEXIT ;\n", 0x30, ~0u, BANK_PAGE + 0x1000},
      {"ULDC UR4, c[0x0][URZ+0x84] ;\nMOV R4, UR4 ;\nSTG.E [R2], R4 ;\nEXIT ;\n", 0x20, ~0u, BANK_PAGE + 0x1000},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
    for (unsigned traps = 0; traps < 2; traps++) {
      struct space s;
      char text[500];
      snprintf(text, sizeof text, TEXT_V "%s", c[i].text);
      begin(&s, text, 32);
      s.x.launch.fault_trap = traps;
      space_map(&s, V, FRAME(9), W);
      s.x.bank[0x84] = 0x6b;
      const uint64_t at = space_entry(&s, BANK_PAGE + 4096, 0), entry = get64(&s, at);
      put64(&s, at, 0);
      EXPECT(&s.x, traps ? HEDDLE_ERROR_TRAPPED : HEDDLE_ERROR_FAULTS, space_run(&s));
      if (traps) {
        expect_trap(&s.x, HEDDLE_TRAP_PAGE, c[i].pc, c[i].lanes, c[i].addr);
      } else {
        expect_fault(&s, BANK_PAGE + 4096, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_CONSTANT, 1);
        put64(&s, at, entry);
        EXPECT(&s.x, HEDDLE_SUCCESS, space_go_on(&s));
        assert_int_equal(mem32(&s.x, 9 * 4096), 0x6b);
      }
      space_free(&s);
    }
}

/* const_range comes before; a page that no constant needs is never asked for. */
static void constants_not_needed(void **state) {
  struct space s;
  (void)state;
  begin(&s, "LDC R4, c[0x0][RZ+0x7c] ;\nIADD3 R4, R4, c[0x0][0x78], RZ ;\nIADD3 R4, R4, c[0x0][0x200], RZ ;\n", 32);
  space_unmap(&s, BANK_PAGE + 4096);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_CONST_RANGE, 0x20, ~0u, 0x200);
  space_free(&s);
}

/* Code and constants go and come back in other frames while the launch waits for data. */
static void moved(void **state) {
  struct space s;
  (void)state;
  begin(&s,
        TEXT_V "IADD3 R4, RZ, c[0x0][0x10], RZ ;\nNOP ;\nSTG.E [R2], R4 ;\nIADD3 R4, R4, c[0x0][0x84], RZ ;\n"
               "STG.E [R2+0x4], R4 ;\nEXIT ;\n",
        32);
  s.x.bank[0x10] = 3;
  s.x.bank[0x84] = 4;
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  uint8_t *memory = heddle_model_memory(s.x.model);
  for (unsigned i = 0; i < 2; i++) {
    space_unmap(&s, CODE_PAGE + 4096 * i);
    space_unmap(&s, BANK_PAGE + 4096 * i);
    memcpy(memory + (30 + i) * 4096, memory + (CODE_FRAME - i) * 4096, 4096);
    memcpy(memory + (40 + i) * 4096, memory + (BANK_FRAME - i) * 4096, 4096);
    memset(memory + (CODE_FRAME - i) * 4096, 0xff, 4096);
    memset(memory + (BANK_FRAME - i) * 4096, 0xff, 4096);
    space_map(&s, CODE_PAGE + 4096 * i, FRAME(30 + i), 0);
    space_map(&s, BANK_PAGE + 4096 * i, FRAME(40 + i), 0);
  }
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_go_on(&s));
  assert_int_equal(mem32(&s.x, 9 * 4096), 3);
  assert_int_equal(mem32(&s.x, 9 * 4096 + 4), 7);
  assert_true(heddle_model_issued(s.x.model, 0));
  assert_true(heddle_model_issued(s.x.model, 0x70));
  space_free(&s);
}

/* ---- what is no deadlock */

/* A warp waits for a page, the others at a barrier for it; or they spin until it stores. */
static void no_deadlock(void **state) {
  static const char *const text[] = {
      TEXT_SPREAD(0x4) "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n@P0 STG.E [R4+0x1000], R0 ;\nBAR.SYNC 0x0 ;\nEXIT ;\n",
      TEXT_SPREAD(0x4) "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\nMOV R6, 0x9 ;\n@P0 STG.E [R4+0x1000], R0 ;\n"
                       "@P0 STG.E [R2], R6 ;\nloop:\nLDG.E.STRONG.GPU R7, [R2] ;\n"
                       "ISETP.EQ.U32.AND P1, PT, R7, RZ, PT ;\n@P1 BRA loop ;\nEXIT ;\n"};
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct space s;
    begin(&s, text[i], 64);
    space_map(&s, V, FRAME(9), W);
    EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
    expect_fault(&s, V + 4096, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_STORE, 1);
    space_map(&s, V + 4096, FRAME(8), W);
    EXPECT(&s.x, HEDDLE_SUCCESS, space_go_on(&s));
    for (unsigned k = 0; k < 32; k++) assert_int_equal(mem32(&s.x, 8 * 4096 + 4 * k), k);
    space_free(&s);
  }
}

/* Without pages that wait a deadlock is one, in a space too. */
static void a_deadlock(void **state) {
  struct space s;
  (void)state;
  begin(&s,
        TEXT_V "loop:\nLDG.E.STRONG.GPU R7, [R2] ;\nISETP.EQ.U32.AND P1, PT, R7, RZ, PT ;\n@P1 BRA loop ;\nEXIT ;\n",
        32);
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_ERROR_LIMIT, space_run(&s));
  expect_words(&s, "deadlock: no warp can go on; each spins");
  space_free(&s);
}

/* ---- by steps, saved and restored */

static void by_steps(void **state) {
  struct space s;
  uint64_t done;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "STG.E [R4], R0 ;\nEXIT ;\n", 32);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_start(&s));
  EXPECT(&s.x, HEDDLE_SUCCESS, heddle_model_begin(s.x.model));
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, heddle_model_step(s.x.model, 0, 10, &done));
  assert_int_equal(done, 4);
  expect_fault(&s, V, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_STORE, 1);
  struct heddle_saved *saved = heddle_model_save(s.x.model, NULL);
  assert_non_null(saved);
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, heddle_model_step(s.x.model, 0, 1, &done));
  assert_int_equal(mem32(&s.x, 9 * 4096 + 4), 1);
  EXPECT(&s.x, HEDDLE_SUCCESS, heddle_model_restore(s.x.model, saved));
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, heddle_model_step(s.x.model, 0, 10, &done)); /* its tables, too, are as they were */
  assert_int_equal(mem32(&s.x, 9 * 4096 + 4), 0);
  heddle_saved_free(saved);
  space_free(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(page_by_page),
      cmocka_unit_test(replay_in_vain),
      cmocka_unit_test(others_go_on),
      cmocka_unit_test(one_of_two),
      cmocka_unit_test(failed),
      cmocka_unit_test(fail_in_time),
      cmocka_unit_test(another_trap),
      cmocka_unit_test(word_of_a_path),
      cmocka_unit_test(word_of_some_lanes),
      cmocka_unit_test(words_not_reached),
      cmocka_unit_test(constants),
      cmocka_unit_test(constants_not_needed),
      cmocka_unit_test(moved),
      cmocka_unit_test(no_deadlock),
      cmocka_unit_test(a_deadlock),
      cmocka_unit_test(by_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
