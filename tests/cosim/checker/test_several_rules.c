/* SPDX-License-Identifier: Apache-2.0
 *
 * Several SMs, step by step: what one has released another must see, by the order of banks alone; traps of two SMs;
 * slots, local memory and names of each.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/host_regs.h>
#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/checker/visibility_programs.h"

enum { OTHER = CACHED_WARPS, THIRD = 2 * CACHED_WARPS }; /* warp 0 of SM 1, of SM 2 */

static struct cached x;
static const struct heddle_checker_config two = {.cache_sectors = 64, .shown = 2, .memory_banks = 2};
static const struct heddle_checker_config three = {.cache_sectors = 64, .shown = 3, .memory_banks = 2};

/* Block k on SM k, a warp each, which know their block: P0 is that of block 0. */
#define KNOWN 6u /* instructions until then */
#define APART(body)                                                                                                    \
  PROGRAM("        S2R R1, SR_CTAID.X ;\n"                                                                             \
          "        ISETP.EQ.U32.AND P0, PT, R1, RZ, PT ;\n" body)

static void apart(const char *text, const struct heddle_checker_config *cfg) {
  x.sms = cfg->shown;
  x.banks = cfg->memory_banks;
  cached_begin(&x, text, cfg->shown, 32, cfg);
  for (unsigned k = 1; k < cfg->shown; k++) cached_block_on(&x, k, 0, k * CACHED_WARPS);
  for (unsigned k = 0; k < cfg->shown; k++) (void)cached_issue_to(&x, k * CACHED_WARPS, KNOWN);
}

static void all_end(unsigned sms) {
  for (unsigned k = 0; k < sms; k++) {
    while (!x.ended[k * CACHED_WARPS]) (void)cached_issue(&x, k * CACHED_WARPS);
    cached_block_end_on(&x, k, 0);
  }
  cached_end(&x);
  done(&x, HEDDLE_CHECKER_NONE, NULL);
}

static void fence(unsigned warp) {
  cached_fence(&x, warp, cached_issue_to(&x, warp, 1), HEDDLE_RECORD_SCOPE_GPU);
}

/* A copy that SM 1 has is brought. */
static void bring_other(uint32_t seq, uint64_t line, uint32_t number) {
  x.on = 1;
  bring(&x, OTHER, seq, line, number);
}

/* ---- what one SM releases, another must see */

#define PASSING                                                                                                        \
  APART("@!P0    LDG.E R4, [R2] ;\n"                                                                                   \
        "@P0     STG.E [R2], R0 ;\n"                                                                                   \
        "@P0     MEMBAR.GPU ;\n"                                                                                       \
        "@P0     STG.E.STRONG.GPU [R2+0x80], R2 ;\n"                                                                   \
        "@!P0    LDG.E.STRONG.GPU R5, [R2+0x80] ;\n"                                                                   \
        "@!P0    MEMBAR.GPU ;\n"                                                                                       \
        "@!P0    LDG.E R6, [R2] ;\n")

/* Data and flag lie in different banks. SM 1 reads the flag, acquires, and reads data that it has copied before. Way 0:
 * data that it copies anew. 2: it has read the flag before that was written. */
static void passes_a_message(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    apart(PASSING, &two);
    bring_other(cached_issue_to(&x, OTHER, 1), LINE, 1);
    (void)cached_issue_to(&x, OTHER, 3);
    if (way == 2) {
      const uint32_t flag = cached_issue_to(&x, OTHER, 1);
      cached_drop(&x, OTHER, flag, LINE + 1, 15);
      cached_globals(&x, OTHER, flag, LINE + 1);
    }
    (void)cached_issue(&x, 0);
    write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE);
    fence(0);
    write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE + 1);
    if (way != 2) {
      const uint32_t flag = cached_issue_to(&x, OTHER, 1);
      cached_drop(&x, OTHER, flag, LINE + 1, 15);
      cached_globals(&x, OTHER, flag, LINE + 1);
    }
    fence(OTHER);
    const uint32_t read = cached_issue_to(&x, OTHER, 1);
    if (way == 0) {
      x.on = 1;
      cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 15, false);
      bring_other(read, LINE, 2);
    } else {
      cached_hit(&x, OTHER, read, LINE, 15, 1);
    }
    if (way == 1)
      done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "acquired all up to position");
    else
      all_end(2);
  }
}

/* The same, and SM 0's store of data is shown to be performed when it has released: no copy may be older. Its fence is
 * told of by its own records alone, so where nothing was acknowledged nothing is released. */
static void fence_waits_for_stores(void **state) {
  (void)state;
  apart(PASSING, &two);
  (void)cached_issue_to(&x, 0, 1);
  const uint32_t data = cached_issue_to(&x, 0, 1);
  cached_drop(&x, 0, data, LINE, 15);
  cached_globals(&x, 0, data, LINE);
  cached_fence(&x, 0, cached_issue_to(&x, 0, 1), HEDDLE_RECORD_SCOPE_GPU);
  done(&x, HEDDLE_CHECKER_VISIBILITY_FENCE, "SM 0 warp slot 0 seq 7 (pc 0x70) has not been acknowledged");
}

/* What SM 2 stores meanwhile is not released by SM 0, wherever its records stand: SM 0's may be late. */
#define MEANWHILE                                                                                                      \
  APART("        ISETP.EQ.U32.AND P1, PT, R1, 0x2, PT ;\n"                                                             \
        "        ISETP.EQ.U32.AND P2, PT, R1, 0x1, PT ;\n"                                                             \
        "@P2     LDG.E R4, [R2] ;\n"                                                                                   \
        "@P1     STG.E [R2], R0 ;\n"                                                                                   \
        "@P0     MEMBAR.GPU ;\n"                                                                                       \
        "@P0     STG.E.STRONG.GPU [R2+0x80], R2 ;\n"                                                                   \
        "@P2     LDG.E.STRONG.GPU R5, [R2+0x80] ;\n"                                                                   \
        "@P2     MEMBAR.GPU ;\n"                                                                                       \
        "@P2     LDG.E R6, [R2] ;\n")

static void what_others_do_meanwhile(void **state) {
  (void)state;
  apart(MEANWHILE, &three);
  bring_other(cached_issue_to(&x, OTHER, 3), LINE, 1);
  (void)cached_issue_to(&x, THIRD, 3);
  write_line(&x, THIRD, cached_issue_to(&x, THIRD, 1), LINE);
  (void)cached_issue_to(&x, 0, 4);
  fence(0); /* it may have been done before SM 2 stored */
  write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE + 1);
  (void)cached_issue_to(&x, OTHER, 3);
  const uint32_t flag = cached_issue_to(&x, OTHER, 1);
  cached_drop(&x, OTHER, flag, LINE + 1, 15);
  cached_globals(&x, OTHER, flag, LINE + 1);
  fence(OTHER);
  cached_hit(&x, OTHER, cached_issue_to(&x, OTHER, 1), LINE, 15, 1);
  all_end(3);
}

/* SM 0 releases to SM 2, which releases to SM 1: SM 1 must see what SM 0 has stored. */
#define HANDED_ON                                                                                                      \
  APART("        ISETP.EQ.U32.AND P1, PT, R1, 0x2, PT ;\n"                                                             \
        "        ISETP.EQ.U32.AND P2, PT, R1, 0x1, PT ;\n"                                                             \
        "@P2     LDG.E R4, [R2] ;\n"                                                                                   \
        "@P0     STG.E [R2], R0 ;\n"                                                                                   \
        "@P0     MEMBAR.GPU ;\n"                                                                                       \
        "@P0     STG.E.STRONG.GPU [R2+0x80], R2 ;\n"                                                                   \
        "@P1     LDG.E.STRONG.GPU R5, [R2+0x80] ;\n"                                                                   \
        "@P1     MEMBAR.GPU ;\n"                                                                                       \
        "@P1     STG.E.STRONG.GPU [R2+0x100], R2 ;\n"                                                                  \
        "@P2     LDG.E.STRONG.GPU R5, [R2+0x100] ;\n"                                                                  \
        "@P2     MEMBAR.GPU ;\n"                                                                                       \
        "@P2     LDG.E R6, [R2] ;\n")

static void reads_flag(unsigned warp, uint64_t line) {
  const uint32_t flag = cached_issue_to(&x, warp, 1);
  cached_drop(&x, warp, flag, line, 15);
  cached_globals(&x, warp, flag, line);
}

static void handed_on(void **state) {
  (void)state;
  apart(HANDED_ON, &three);
  bring_other(cached_issue_to(&x, OTHER, 3), LINE, 1);
  (void)cached_issue_to(&x, 0, 3);
  write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE);
  fence(0);
  write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE + 1);
  (void)cached_issue_to(&x, THIRD, 6);
  reads_flag(THIRD, LINE + 1);
  fence(THIRD);
  write_line(&x, THIRD, cached_issue_to(&x, THIRD, 1), LINE + 2);
  (void)cached_issue_to(&x, OTHER, 6);
  reads_flag(OTHER, LINE + 2);
  fence(OTHER);
  cached_hit(&x, OTHER, cached_issue_to(&x, OTHER, 1), LINE, 15, 1);
  done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "SM 0 warp slot 0");
}

/* ---- an SM's cache is its own */

/* A store of SM 0 closes nothing in SM 1; SM 1's numbers are its own; what SM 0 has asked for it cannot read. */
static void caches_apart(void **state) {
  (void)state;
  static const struct heddle_checker_config promised = {
      .cache_sectors = 64, .cache_promises = HEDDLE_CHECKER_CACHE_PROMISES, .shown = 2, .memory_banks = 2};
  for (unsigned way = 0; way < 3; way++) {
    apart(APART("@!P0    LDG.E R4, [R2] ;\n"
                "@P0     STG.E [R2], R0 ;\n"
                "@P0     LDG.E R5, [R2] ;\n"
                "@!P0    LDG.E R6, [R2] ;\n"),
          &promised);
    bring_other(cached_issue_to(&x, OTHER, 1), LINE, 1);
    (void)cached_issue_to(&x, 0, 1);
    write_line(&x, 0, cached_issue_to(&x, 0, 1), LINE);
    const uint32_t own = cached_issue_to(&x, 0, 1);
    x.on = 0;
    if (way == 2) {
      cached_hit(&x, 0, own, LINE, 15, 1);
      done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "was not requested");
      continue;
    }
    if (way == 1) {
      cached_merge(&x, 0, own, LINE, 15, 2);
      done(&x, HEDDLE_CHECKER_VISIBILITY_FILL, "the next one is 1");
      continue;
    }
    bring(&x, 0, own, LINE, 1);
    (void)cached_issue_to(&x, OTHER, 2);
    cached_hit(&x, OTHER, cached_issue_to(&x, OTHER, 1), LINE, 15, 1);
    all_end(2);
  }
}

/* ---- slots, names, memory of each */

#define SPECIAL                                                                                                        \
  APART("        S2R R4, SR_SMID ;\n"                                                                                  \
        "        S2R R5, SR_NSMID ;\n"                                                                                 \
        "        S2R R6, SR_WARPID ;\n"                                                                                \
        "        STL [RZ], R4 ;\n"                                                                                     \
        "        LDL R7, [RZ] ;\n")

/* Special registers are the SM's, and so are the lines of local memory. */
static void numbers(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    apart(SPECIAL, &two);
    (void)cached_issue_to(&x, 0, 3);
    (void)cached_issue_to(&x, OTHER, 3);
    for (unsigned k = 0; k < 2; k++) {
      assert_int_equal(heddle_reg(x.m, k * CACHED_WARPS, 4, 3), k);
      assert_int_equal(heddle_reg(x.m, k * CACHED_WARPS, 5, 3), 2);
      assert_int_equal(heddle_reg(x.m, k * CACHED_WARPS, 6, 3), 0);
    }
    const uint32_t store = cached_issue_to(&x, OTHER, 1);
    if (way == 1) { /* a slot of all SMs */
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
      r.u.global = (struct heddle_record_global){.id = cached_id(&x, OTHER, store),
                                                 .sector = ((uint64_t)OTHER << 18) * 4,
                                                 .lanes = 0xff,
                                                 .wstrb = ~0u,
                                                 .access = HEDDLE_RECORD_LOCAL_STORE};
      cached_show(&x, &r);
      done(&x, HEDDLE_CHECKER_PERFORM_ADDRESS, "slice of local memory: expected 0x0, got 0x4");
      continue;
    }
    for (unsigned s = 0; s < 4; s++) cached_local_store(&x, OTHER, store, s);
    if (way == 2) { /* a warp of an SM that is not there */
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ACK};
      r.u.ack = (struct heddle_record_ack){.id = {.sm = 2, .gen = 1}, .line = LINE};
      cached_show(&x, &r);
      done(&x, HEDDLE_CHECKER_RECORD_FORM, "a record of SM 2 among those of SM 0 to 1");
      continue;
    }
    const uint32_t load = cached_issue_to(&x, OTHER, 1);
    const uint32_t none[4] = {0, 0, 0, 0};
    cached_hits(&x, OTHER, load, 0, 15, none, true);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
    cached_free(&x);
  }
}

/* Slots of two SMs are others; a block of the grid begins on one of them. */
static void begins_once(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    apart(APART(""), &two);
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_START};
    r.u.block_start = (struct heddle_record_block_start){.warps = 2, .sm = way == 1 ? 2 : 1, .bslot = way == 2 ? 0 : 1};
    cached_show(&x, &r);
    if (way == 0) done(&x, HEDDLE_CHECKER_BLOCK_DOUBLE, "starts a second time");
    if (way == 1) done(&x, HEDDLE_CHECKER_RECORD_FORM, "block slot 1 of SM 2 does not exist");
    if (way == 2) done(&x, HEDDLE_CHECKER_BLOCK_DOUBLE, NULL);
  }
}

static void reports_name_the_sm(void **state) {
  (void)state;
  apart(APART(""), &two);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE};
  r.u.issue = (struct heddle_record_issue){.id = cached_id(&x, OTHER, KNOWN), .pc = 0x10, .active = ~0u, .exec = ~0u};
  cached_show(&x, &r);
  cached_expect(&x, HEDDLE_CHECKER_ISSUE_PC, NULL);
  assert_int_equal(heddle_checker_first(x.c)->sm, 1);
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  heddle_checker_report_text(x.c, f);
  heddle_checker_waiting_text(x.c, f);
  fclose(f);
  assert_non_null(strstr(text, "  warp      SM 1 slot 0 generation 1, warp 0 of block (1,0,0) in block slot 0\n"));
  assert_non_null(strstr(text, "  record    SM 1 issue warp slot 0 gen 1"));
  assert_non_null(strstr(text, "  SM 0 warp slot 0 (warp 0 of block (0,0,0)): next seq 6"));
  assert_non_null(strstr(text, "  SM 1 warp slot 0 (warp 0 of block (1,0,0)): has ended"));
  free(text);
  cached_free(&x);
}

/* ---- clocks */

/* Records of one SM may be shown in a cycle before that of another's; its own never fall. */
static void clocks_apart(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    apart(APART(""), &two);
    x.cycle = 5000;
    (void)cached_issue(&x, 0);
    x.cycle = way == 0 ? 100 : 6; /* SM 1 has shown more than six records */
    (void)cached_issue(&x, OTHER);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_RECORD_FORM, "behind one of cycle");
      continue;
    }
    x.cycle = 6000;
    all_end(2);
  }
}

/* ---- traps */

static void show_trap(unsigned warp, const struct heddle_trap *t) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP};
  r.u.trap = (struct heddle_record_trap){
      .id = cached_id(&x, warp, t->seq), .addr = t->addr, .pc = t->pc, .lanes = t->lanes, .cause = (uint8_t)t->cause};
  cached_show(&x, &r);
}

#define WILD                                                                                                           \
  APART("        MOV R3, 0x7f ;\n"                                                                                     \
        "        LDG.E R4, [R2] ;\n"                                                                                   \
        "        IADD3 R5, R0, R0, RZ ;\n")

/* Both SMs access what is not there; which of them stops the grid is an order. The other may show what it did before it
 * stopped; the one that is told of shows nothing more. */
static void two_traps(void **state) {
  (void)state;
  for (unsigned way = 0; way < 6; way++) {
    apart(WILD, &two);
    (void)cached_issue_to(&x, 0, 2);
    (void)cached_issue_to(&x, OTHER, 2);
    const unsigned first = way == 0 ? 0 : OTHER, second = OTHER - first;
    struct heddle_trap t = *heddle_model_trap_of(x.m, first / CACHED_WARPS);
    assert_int_equal(t.cause, HEDDLE_TRAP_OUT_OF_RANGE);
    assert_int_equal(t.sm, first / CACHED_WARPS);
    show_trap(first, &t);
    if (way == 4) x.cycle += HEDDLE_CHECKER_STOP_LATE - 1;
    if (way == 5) x.cycle += HEDDLE_CHECKER_STOP_LATE;
    (void)cached_issue(&x, way == 2 ? first : second);
    if (way >= 4) {
      done(&x, way == 4 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_ISSUE_ENDED,
           way == 4 ? NULL : "issues after the trap record");
      continue;
    }
    if (way == 2) {
      done(&x, HEDDLE_CHECKER_ISSUE_ENDED, "issues after the trap record");
      continue;
    }
    if (way == 3) {
      show_trap(second, heddle_model_trap_of(x.m, 0));
      done(&x, HEDDLE_CHECKER_RECORD_FORM, "a second trap of one grid");
      continue;
    }
    x.ok = x.ok && heddle_checker_finish(x.c, x.cycle);
    t.sm ^= 1;
    x.ok = x.ok && heddle_checker_trap_registers(x.c, &t, 0);
    done(&x, HEDDLE_CHECKER_TRAP_REGISTERS, "TRAP_SM");
  }
}

/* SM 0 stops before an instruction that there is not; SM 1, which has not heard of it, goes on to its end. */
static void trap_at_issue(void **state) {
  (void)state;
  apart(APART("@P0     BPT.TRAP ;\n"
              "        IADD3 R5, R0, R0, RZ ;\n"),
        &two);
  (void)cached_issue(&x, OTHER);
  struct heddle_effect fx;
  assert_int_equal(heddle_warp_issue(x.m, 0, &fx), HEDDLE_ERROR_TRAPPED);
  show_trap(0, heddle_model_trap_of(x.m, 0));
  cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  (void)cached_issue_to(&x, OTHER, 2);
  cached_block_end_on(&x, 1, 0);
  x.ok = x.ok && heddle_checker_finish(x.c, x.cycle);
  done(&x, HEDDLE_CHECKER_NONE, NULL);
}

/* ---- counters */

static void counters_apart(void **state) {
  (void)state;
  uint32_t counter[HEDDLE_COUNTERS] = {0};
  apart(APART(""), &two);
  (void)cached_issue(&x, 0);
  cached_block_end_on(&x, 0, 0);
  (void)cached_issue(&x, OTHER);
  cached_block_end_on(&x, 1, 0);
  x.ok = x.ok && heddle_checker_finish(x.c, x.cycle);
  assert_true(x.ok);
  counter[HEDDLE_COUNTER_ISSUED] = KNOWN; /* EXIT is one more */
  assert_false(heddle_checker_counters_of(x.c, 1, counter, false, x.cycle));
  done(&x, HEDDLE_CHECKER_COUNTER_ISSUED, "SM 1 issued: expected 0x7, got 0x6");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(passes_a_message),
                                     cmocka_unit_test(fence_waits_for_stores),
                                     cmocka_unit_test(what_others_do_meanwhile),
                                     cmocka_unit_test(handed_on),
                                     cmocka_unit_test(caches_apart),
                                     cmocka_unit_test(numbers),
                                     cmocka_unit_test(begins_once),
                                     cmocka_unit_test(reports_name_the_sm),
                                     cmocka_unit_test(clocks_apart),
                                     cmocka_unit_test(two_traps),
                                     cmocka_unit_test(trap_at_issue),
                                     cmocka_unit_test(counters_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
