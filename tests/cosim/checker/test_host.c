/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host reads at the end, what memory refuses, words of reports. Each comparison is also switched off: then
 * nothing is reported under its name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include <heddle/host_regs.h>
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/stream_find.h"

/* ---- what the host reads ---- */

typedef bool (*ask_fn)(struct bench *b);

/* The whole stream, then a question to which the answer is a difference of this kind, or nothing if switched off. */
static void expect_answer(struct bench *b, ask_fn ask, enum heddle_checker_kind want) {
  for (unsigned off = 0; off < 2; off++) {
    bench_renew(b, (struct heddle_checker_config){0}, off != 0 ? want : HEDDLE_CHECKER_NONE);
    assert_true(bench_feed(b, b->s.n) && heddle_checker_finish(b->c, b->last));
    const bool ok = ask(b);
    expect_kind(b, off != 0 ? HEDDLE_CHECKER_NONE : want);
    assert_true(ok == (off != 0));
    assert_false(heddle_checker_first(b->c)->has_warp); /* no warp's, though the last record had one */
  }
}

static struct heddle_trap wrong;
static uint32_t wrong_slot;

static bool ask_trap(struct bench *b) {
  return heddle_checker_trap_registers(b->c, &wrong, wrong_slot);
}

/* Where the warp was, as TRAP_SLOT says it. */
static uint32_t trap_slot(const struct bench *b) {
  for (size_t i = 0; i < b->s.n; i++)
    if (b->s.r[i].kind == HEDDLE_RECORD_TRAP) return b->s.r[i].u.trap.id.slot | (uint32_t)b->s.r[i].u.trap.id.gen << 8;
  fail_msg("no trap record");
  return 0;
}

static void test_trap_registers(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_address, 32, 0);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last));
  const struct heddle_trap right = *heddle_model_trap(b.m);
  assert_int_equal(right.cause, HEDDLE_TRAP_MISALIGNED);
  const uint32_t slot = trap_slot(&b);
  assert_true(heddle_checker_trap_registers(b.c, &right, slot));
#define WRONG(field, how)                                                                                              \
  wrong = right;                                                                                                       \
  wrong_slot = slot;                                                                                                   \
  wrong.field = how;                                                                                                   \
  expect_answer(&b, ask_trap, HEDDLE_CHECKER_TRAP_REGISTERS);
  WRONG(cause, HEDDLE_TRAP_OUT_OF_RANGE)
  WRONG(ctaid[0], 1)
  WRONG(ctaid[1], 1)
  WRONG(ctaid[2], 1)
  WRONG(warp_in_block, 1)
  WRONG(seq, right.seq + 1)
  WRONG(pc, right.pc + 16)
  WRONG(lanes, right.lanes ^ 1u)
  WRONG(addr, right.addr ^ 1u << 20)
#undef WRONG
  wrong = right;
  wrong_slot = slot ^ 1;
  expect_answer(&b, ask_trap, HEDDLE_CHECKER_TRAP_REGISTERS);
  wrong_slot = slot ^ 0x100; /* the slot's next warp */
  expect_answer(&b, ask_trap, HEDDLE_CHECKER_TRAP_REGISTERS);
  bench_finish(&b);
}

static uint64_t issues(const struct bench *b) {
  uint64_t n = 0;
  for (size_t i = 0; i < b->s.n; i++) n += b->s.r[i].kind == HEDDLE_RECORD_ISSUE;
  return n;
}

/* Cycles from the start of the block to its end, of all its warps. */
static uint64_t lived(const struct bench *b) {
  return 2 * (b->s.r[b->s.n - 1].cycle - b->s.r[0].cycle + 1);
}

static uint32_t counter[HEDDLE_COUNTERS];

/* What a machine could have counted: warps wait for a barrier from their arrival to its release, behind their last
 * instruction until the block ends, and all else is fetched for. */
static void count(const struct bench *b) {
  uint64_t arrived[HEDDLE_RECORD_WARPS] = {0}, last[HEDDLE_RECORD_WARPS] = {0}, sync = 0;
  for (size_t i = 0; i < b->s.n; i++) {
    const struct heddle_retire_record *r = &b->s.r[i];
    if (r->kind == HEDDLE_RECORD_ISSUE) last[r->u.issue.id.slot % HEDDLE_RECORD_WARPS] = r->cycle;
    if (is_op(r, ISA_OP_BAR_SYNC)) arrived[r->u.issue.id.slot % HEDDLE_RECORD_WARPS] = r->cycle;
    for (unsigned w = 0; w < HEDDLE_RECORD_WARPS && r->kind == HEDDLE_RECORD_BARRIER; w++) {
      if (arrived[w] != 0) sync += r->cycle - arrived[w] - 1;
      arrived[w] = 0;
    }
  }
  for (unsigned w = 0; w < HEDDLE_RECORD_WARPS; w++)
    if (last[w] != 0) sync += b->s.r[b->s.n - 1].cycle - last[w] + 1;
  memset(counter, 0, sizeof counter);
  counter[HEDDLE_COUNTER_ISSUED] = (uint32_t)issues(b);
  counter[HEDDLE_COUNTER_SYNC] = (uint32_t)sync;
  counter[HEDDLE_COUNTER_FETCH] = (uint32_t)(lived(b) - sync - issues(b));
}

static bool ask(struct bench *b) {
  return heddle_checker_counters(b->c, counter, false, b->last);
}
static bool ask_held(struct bench *b) {
  return heddle_checker_counters(b->c, counter, true, b->last);
}
static uint64_t cycles, seen;

static bool ask_cycles(struct bench *b) {
  return heddle_checker_cycles(b->c, cycles, seen);
}

/* CYCLES counts on until the grid has ended, and not much longer than the host waits. */
static void test_cycles(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 64, 0);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last));
  uint64_t ended = 0, ahead = 0;
  for (size_t i = b.s.n; i-- > 0;) {
    if (b.s.r[i].kind == HEDDLE_RECORD_ISSUE) ahead = b.s.r[i].u.issue.clock - b.s.r[i].cycle;
    if (b.s.r[i].kind == HEDDLE_RECORD_BLOCK_END && ended == 0) ended = b.s.r[i].cycle;
  }
  for (uint64_t late = 0; late <= HEDDLE_CHECKER_END_LATE; late += HEDDLE_CHECKER_END_LATE)
    assert_true(heddle_checker_cycles(b.c, ended + ahead + late, ended + HEDDLE_CHECKER_END_LATE));
  seen = ended + 100;
  cycles = ended + ahead - 1;
  expect_answer(&b, ask_cycles, HEDDLE_CHECKER_COUNTER_BOUNDS);
  cycles = ended + ahead + HEDDLE_CHECKER_END_LATE + 1;
  expect_answer(&b, ask_cycles, HEDDLE_CHECKER_COUNTER_BOUNDS);
  seen = ended + 5;
  cycles = seen + ahead + 1;
  expect_answer(&b, ask_cycles, HEDDLE_CHECKER_COUNTER_BOUNDS);
  bench_finish(&b);
}

static bool ask_running(struct bench *b) {
  return heddle_checker_idle(b->c, true, false);
}
static bool ask_draining(struct bench *b) {
  return heddle_checker_idle(b->c, false, true);
}

static uint8_t copy[0x10000];

static bool ask_code(struct bench *b) {
  memcpy(copy, b->p.launch.code, b->p.launch.code_bytes);
  copy[b->p.launch.code_bytes - 1] ^= 1;
  return heddle_checker_code(b->c, copy);
}
static bool ask_constants(struct bench *b) {
  memcpy(copy, b->p.launch.cbank[0], b->p.launch.cbank_bytes[0]);
  copy[0x163] ^= 0x80;
  return heddle_checker_constants(b->c, 0, copy);
}

static void test_host(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 64, 0);
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last));
  count(&b);
  assert_true(ask(&b));
  assert_true(heddle_checker_idle(b.c, false, false));
  assert_true(heddle_checker_code(b.c, b.p.launch.code));
  assert_true(heddle_checker_constants(b.c, 0, b.p.launch.cbank[0]));
  assert_true(heddle_checker_constants(b.c, 1, NULL)); /* there is none */
  counter[HEDDLE_COUNTER_ISSUED]++;
  counter[HEDDLE_COUNTER_FETCH]--;
  expect_answer(&b, ask, HEDDLE_CHECKER_COUNTER_ISSUED);
  count(&b);
  counter[HEDDLE_COUNTER_FETCH]++; /* more than they can have lived */
  expect_answer(&b, ask, HEDDLE_CHECKER_COUNTER_CLASSES);
  count(&b);
  counter[HEDDLE_COUNTER_FETCH] = 0; /* fewer than from first to last issue */
  expect_answer(&b, ask, HEDDLE_CHECKER_COUNTER_CLASSES);
  expect_answer(&b, ask_running, HEDDLE_CHECKER_END_IDLE);
  expect_answer(&b, ask_draining, HEDDLE_CHECKER_END_IDLE);
  expect_answer(&b, ask_code, HEDDLE_CHECKER_MEMORY_CODE);
  expect_answer(&b, ask_constants, HEDDLE_CHECKER_MEMORY_CONSTANT);
  bench_finish(&b);
}

/* A warp of one instruction lives for a cycle at least. */
static void test_host_one(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, ".kernel one\n        EXIT ;\n.end\n", 32, 0);
  assert_int_equal(issues(&b), 1);
  memset(counter, 0, sizeof counter);
  counter[HEDDLE_COUNTER_ISSUED] = 1;
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last) && ask(&b));
  bench_finish(&b);
}

/* Cycles that are counted under another name: of `from` taken, of `to` said. */
static void misnamed(const struct bench *b, unsigned from, unsigned to, uint32_t cycles) {
  count(b);
  assert_true(counter[from] >= cycles);
  counter[from] -= cycles;
  counter[to] += cycles;
}

static const char program_plain[] = ".kernel plain\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        IADD3 R1, R0, R0, RZ ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

/* A reason counts no more cycles than there are in front of instructions that it can hold up. */
static void test_host_bounds(void **state) {
  (void)state;
  static const unsigned never[] = {HEDDLE_COUNTER_CONST, HEDDLE_COUNTER_OTHER};
  const enum heddle_checker_kind bounds = HEDDLE_CHECKER_COUNTER_BOUNDS;
  struct bench b;
  bench_make(&b, program_plain, 64, 0);
  for (unsigned i = 0; i < 2; i++) { /* no constants are read, nothing traps and the port is not held */
    misnamed(&b, HEDDLE_COUNTER_FETCH, never[i], 1);
    expect_answer(&b, ask, bounds);
  }
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n) && heddle_checker_finish(b.c, b.last) && ask_held(&b));
  count(&b);
  misnamed(&b, HEDDLE_COUNTER_SYNC, HEDDLE_COUNTER_FETCH, counter[HEDDLE_COUNTER_SYNC]); /* behind the last one */
  expect_answer(&b, ask, bounds);
  for (unsigned i = 0; i < 3; i++) { /* some instructions read no memory, and await nothing */
    static const unsigned some[] = {HEDDLE_COUNTER_MEMORY, HEDDLE_COUNTER_WAIT, HEDDLE_COUNTER_SYNC};
    count(&b);
    misnamed(&b, HEDDLE_COUNTER_FETCH, some[i], counter[HEDDLE_COUNTER_FETCH]);
    expect_answer(&b, ask, bounds);
  }
  bench_finish(&b);

  bench_make(&b, program_mix, 64, 0);
  count(&b);
  misnamed(&b, HEDDLE_COUNTER_SYNC, HEDDLE_COUNTER_STALL, counter[HEDDLE_COUNTER_SYNC]); /* a barrier was waited at */
  expect_answer(&b, ask, bounds);
  bench_finish(&b);
}

/* ---- words ---- */

static void test_kinds(void **state) {
  (void)state;
  assert_string_equal(heddle_checker_kind_name(HEDDLE_CHECKER_OPERAND_VALUE), "operand.value");
  assert_string_equal(heddle_checker_kind_what(HEDDLE_CHECKER_OPERAND_VALUE), "operand words");
  assert_string_equal(heddle_checker_kind_name(HEDDLE_CHECKER_NONE), "none");
  assert_string_equal(heddle_checker_kind_what(HEDDLE_CHECKER_NONE), "no difference");
}

/* A block beside the grid: where it should be, and how large the grid is. */
static void test_block_words(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_undefined, 32, 0);
  b.p.launch.grid[1] = 3;
  b.p.launch.grid[2] = 2;
  b.s.r[0].u.block_start.ctaid[1] = 3;
  bench_renew(&b, (struct heddle_checker_config){0}, HEDDLE_CHECKER_NONE);
  assert_false(bench_feed(&b, 1));
  expect_kind(&b, HEDDLE_CHECKER_BLOCK_GRID);
  assert_string_equal(heddle_checker_first(b.c)->note, "block (0,3,0) of a grid of (1,3,2)");
  bench_finish(&b);
}

/* ---- errors where code and constants are read: the launch says where ---- */

#define CODE_AT UINT64_C(0x8000000000)
#define BANK_AT UINT64_C(0x800001003c)
#define BANK_LINE UINT64_C(0x8000010040) /* offset 4 begins it */

static void place(struct bench *b, uint64_t base, uint64_t limit) {
  b->p.launch.code_at = CODE_AT;
  b->p.launch.cbank_at[0] = BANK_AT;
  b->p.launch.errors = (struct heddle_errors){base, limit};
}

/* What the warp still shows behind `end` of instructions that have issued by then, but for the one at `at`. */
static bool feed_rest(struct bench *b, size_t end, size_t at) {
  uint32_t issued = 0;
  for (size_t i = 0; i < b->s.n; i++) {
    const struct heddle_record_id *id = heddle_record_id_of(&b->s.r[i]);
    if (i < end && b->s.r[i].kind == HEDDLE_RECORD_ISSUE) issued = id->seq + 1;
    if (i < end || id == NULL || id->seq >= issued || same_insn(id, &b->s.r[at].u.issue.id)) continue;
    if (!heddle_checker_record(b->c, &b->s.r[i])) return false;
    b->last = b->s.r[i].cycle;
  }
  return true;
}

/* The stream up to `end`, then the trap; `at`: the issue record whose place it names. */
static bool trap_after(struct bench *b, size_t end, size_t at, uint64_t addr, uint32_t lanes) {
  const struct heddle_record_issue *i = &b->s.r[at].u.issue;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP, .cycle = b->s.r[end].cycle};
  r.u.trap =
      (struct heddle_record_trap){.cause = HEDDLE_TRAP_BUS, .id = i->id, .pc = i->pc, .lanes = lanes, .addr = addr};
  bench_renew(b, (struct heddle_checker_config){.bus_errors = true}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(b, end) && feed_rest(b, end, at));
  if (r.cycle < b->last) r.cycle = b->last;
  return heddle_checker_record(b->c, &r) && heddle_checker_finish(b->c, r.cycle);
}

static void test_constant_error(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDC), first = of_insn(&b.s, load, HEDDLE_RECORD_WRITE);
  const uint32_t exec = b.s.r[load].u.issue.exec;
  place(&b, BANK_LINE + 0x30, BANK_LINE + 0x31); /* words from 4 on, of 0x20 bytes: the same line */
  assert_true(trap_after(&b, first, load, BANK_LINE, exec));
  static const struct {
    uint32_t lanes;
    uint64_t off;
  } bad[] = {{1, 0}, {0, 4}, {0, 0x20}, {0, 0x40}};
  for (unsigned i = 0; i < 4; i++) {
    assert_false(trap_after(&b, first, load, BANK_LINE + bad[i].off, exec ^ bad[i].lanes));
    expect_kind(&b, HEDDLE_CHECKER_TRAP_MISMATCH);
  }
  place(&b, BANK_LINE + 0x40, BANK_LINE + 0x41);
  assert_false(trap_after(&b, first, load, BANK_LINE, exec));
  expect_kind(&b, HEDDLE_CHECKER_TRAP_MISMATCH);
  place(&b, BANK_LINE + 0x30, BANK_LINE + 0x31); /* and never reported */
  bench_renew(&b, (struct heddle_checker_config){.bus_errors = true}, HEDDLE_CHECKER_NONE);
  assert_true(bench_feed(&b, b.s.n));
  assert_false(heddle_checker_finish(b.c, b.last));
  expect_kind(&b, HEDDLE_CHECKER_TRAP_MISSING);
  bench_finish(&b);
}

static void test_fetch_error(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDC);
  const struct heddle_record_issue i = b.s.r[load].u.issue;
  const uint64_t sector = CODE_AT + i.pc / 32 * 32;
  place(&b, CODE_AT + i.pc / 64 * 64, CODE_AT + i.pc / 64 * 64 + 1);
  size_t first = load; /* in that line */
  for (size_t k = 0; k < load; k++)
    if (b.s.r[k].kind == HEDDLE_RECORD_ISSUE && b.s.r[k].u.issue.pc / 64 == i.pc / 64 && first == load) first = k;
  const struct heddle_record_issue at = b.s.r[first].u.issue;
  const uint64_t there = CODE_AT + at.pc / 32 * 32;
  assert_true(there == sector || there + 32 == sector);
  assert_true(trap_after(&b, first, first, there, at.active));
  assert_false(trap_after(&b, first, first, there ^ 32, at.active));
  expect_kind(&b, HEDDLE_CHECKER_TRAP_MISMATCH);
  assert_false(trap_after(&b, first, first, there, at.active ^ 1));
  expect_kind(&b, HEDDLE_CHECKER_TRAP_MISMATCH);
  bench_renew(&b, (struct heddle_checker_config){.bus_errors = true}, HEDDLE_CHECKER_NONE); /* it must not issue */
  assert_false(bench_feed(&b, b.s.n));
  expect_kind(&b, HEDDLE_CHECKER_ISSUE_TRAP);
  const struct heddle_isa_word named = heddle_checker_first(b.c)->word; /* not the one before it */
  assert_true(first == 0 || (named.lo == at.word[0] && named.hi == at.word[1]));
  place(&b, CODE_AT + b.p.launch.code_bytes, CODE_AT + b.p.launch.code_bytes + 64); /* nothing to trap for */
  b.p.launch.errors.base = (b.p.launch.errors.base + 63) / 64 * 64;
  assert_false(trap_after(&b, first, first, there, at.active));
  expect_kind(&b, HEDDLE_CHECKER_TRAP_UNEXPECTED);
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trap_registers), cmocka_unit_test(test_cycles),         cmocka_unit_test(test_host),
      cmocka_unit_test(test_host_one),       cmocka_unit_test(test_host_bounds),    cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_block_words),    cmocka_unit_test(test_constant_error), cmocka_unit_test(test_fetch_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
