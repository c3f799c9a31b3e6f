/* SPDX-License-Identifier: Apache-2.0
 *
 * What no single record shows: how deep the checker's tables are, warps that do not go on and whom they wait for, and
 * what the host reads at the end. Each comparison is also switched off: then nothing is reported under its name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "programs.h"
#include "stream_find.h"

void checker_switch_off(struct checker *c, enum checker_kind k);

/* A checker over a stream that is judged from its beginning up to, not including, a place. */
struct bench {
  struct fake_program p;
  struct fake_config f;
  struct stream s;
  struct heddle_model *m;
  struct checker *c;
  uint64_t last; /* the cycle of the latest record */
};

static void make(struct bench *b, const char *text, unsigned threads, unsigned deferred) {
  *b = (struct bench){.f = {8, 4, 2, 5, deferred}};
  fake_assemble(&b->p, text, 1, threads);
  fake_run(&b->p, &b->f, &b->s, NULL);
}

static void renew(struct bench *b, struct checker_config cfg, enum checker_kind off) {
  checker_free(b->c);
  heddle_model_free(b->m);
  const struct heddle_model_config mc = {.base = FAKE_BASE, .bytes = FAKE_BYTES, .warp_slots = 4, .block_slots = 2};
  b->m = heddle_model_new(&mc);
  assert_non_null(b->m);
  fake_fill(heddle_model_memory(b->m));
  assert_int_equal(heddle_model_launch(b->m, &b->p.launch), HEDDLE_OK);
  cfg.lanes = b->f.lanes;
  cfg.warp_slots = 4;
  cfg.block_slots = 2;
  cfg.shared_bytes = 8192;
  b->c = checker_new(b->m, &b->p.launch, &cfg);
  assert_non_null(b->c);
  if (off != CHECKER_NONE) checker_switch_off(b->c, off);
}

static bool feed(struct bench *b, size_t end) {
  for (size_t i = 0; i < end; i++) {
    if (!checker_record(b->c, &b->s.r[i])) return false;
    b->last = b->s.r[i].cycle;
  }
  return true;
}

static void finish(struct bench *b) {
  checker_free(b->c);
  heddle_model_free(b->m);
  stream_free(&b->s);
  fake_program_free(&b->p);
}

static void expect_kind(const struct bench *b, enum checker_kind want) {
  const struct checker_difference *d = checker_first(b->c);
  if (d->kind != want)
    fail_msg("expected %s, got %s (%s)", checker_kind_name(want), checker_kind_name(d->kind), d->note);
}

static char *report(const struct bench *b) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  checker_report_text(b->c, f);
  checker_waiting_text(b->c, f);
  fclose(f);
  return text;
}

/* The report for people says all of this. */
static void expect_words(const struct bench *b, const char *const *words) {
  char *text = report(b);
  for (; *words != NULL; words++)
    if (strstr(text, *words) == NULL) fail_msg("the report lacks '%s':\n%s", *words, text);
  free(text);
}

/* ... and nothing of this. */
static void expect_no_words(const struct bench *b, const char *const *words) {
  char *text = report(b);
  for (; *words != NULL; words++)
    if (strstr(text, *words) != NULL) fail_msg("the report says '%s':\n%s", *words, text);
  free(text);
}

/* ---- depth ---- */

#define LOADS 100u

/* So many loads whose results nobody asks for: all are under way at once. */
static char *many_loads(void) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  fprintf(f, ".kernel deep\n.param u64 in\n.param u64 out\n"
             "        MOV R4, c[0x0][in] ;\n        MOV R5, c[0x0][in+4] ;\n");
  for (unsigned i = 0; i < LOADS; i++) fprintf(f, "        LDG.E R%u, [R4+0x%x] ;\n", 10 + i, 32 * i);
  fprintf(f, "        EXIT ;\n.end\n");
  fclose(f);
  return text;
}

static void test_depth(void **state) {
  (void)state;
  struct bench b;
  char *text = many_loads();
  make(&b, text, 64, LOADS);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, b.s.n) && checker_finish(b.c, b.last));
  assert_int_equal(checker_statistics(b.c)->retired, 2 * (LOADS + 3));
  renew(&b, (struct checker_config){.in_flight = LOADS - 1}, CHECKER_NONE);
  assert_false(feed(&b, b.s.n));
  expect_kind(&b, CHECKER_CAPACITY);
  /* the oldest of all those under way is compared like any other */
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E), write = of_insn(&b.s, load, RECORD_WRITE);
  size_t between = 0;
  for (size_t i = load; i < write; i++)
    between += b.s.r[i].kind == RECORD_ISSUE && b.s.r[i].u.issue.id.slot == b.s.r[load].u.issue.id.slot;
  assert_true(between > LOADS - 2);
  b.s.r[write].u.write.data[3] ^= 0x10;
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_false(feed(&b, b.s.n));
  expect_kind(&b, CHECKER_WRITEBACK_VALUE);
  assert_int_equal(checker_first(b.c)->seq, b.s.r[load].u.issue.id.seq);
  finish(&b);
  free(text);
}

/* Sizes that no counter of the checker could hold are refused. */
static void test_depth_refused(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_undefined, 32, 0);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  const struct checker_config cfg = {.lanes = 8, .warp_slots = 4, .block_slots = 2, .in_flight = 1u << 20};
  assert_null(checker_new(b.m, &b.p.launch, &cfg));
  finish(&b);
}

/* ---- watchdogs ---- */

/* Judged up to `end`, then nothing more: what the watchdogs say just before and just after their time. */
static void expect_watchdog(struct bench *b, size_t end, const struct checker_config *cfg, uint64_t patience,
                            enum checker_kind want) {
  for (unsigned off = 0; off < 2; off++) {
    renew(b, *cfg, off != 0 ? want : CHECKER_NONE);
    assert_true(feed(b, end));
    assert_true(checker_look(b->c, b->last + patience));
    const bool quiet = checker_look(b->c, b->last + 2 * patience + 1);
    expect_kind(b, off != 0 ? CHECKER_NONE : want);
    assert_true(quiet == (off != 0));
  }
  renew(b, *cfg, CHECKER_NONE);
  assert_true(feed(b, end));
  assert_false(checker_look(b->c, b->last + 2 * patience + 1));
  assert_int_equal(checker_first(b->c)->cycle, b->last + 2 * patience + 1);
}

/* One warp, everything paid, and its next instruction does not come. */
static void test_could_issue(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 32, 0);
  const size_t wide = find_issue(&b.s, 0, ISA_OP_IMAD_WIDE);
  const struct checker_config by_default = {0}, quick = {.patience_issue = 100};
  expect_watchdog(&b, wide, &by_default, CHECKER_PATIENCE_ISSUE, CHECKER_WATCHDOG_ISSUE);
  expect_watchdog(&b, wide, &quick, 100, CHECKER_WATCHDOG_ISSUE);
  assert_int_equal(checker_first(b.c)->pc, b.s.r[wide].u.issue.pc);
  assert_int_equal(checker_first(b.c)->word.lo, b.s.r[wide].u.issue.word[0]);
  static const char *const words[] = {"watchdog.issue", "could issue, and nobody issues", "next seq 5 pc 0x50",
                                      "it could issue", NULL};
  expect_words(&b, words);
  finish(&b);
}

/* Others issue all the time: this one is never chosen. */
static void test_never_chosen(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 64, 0);
  const uint8_t slot = b.s.r[1].u.issue.id.slot; /* keep one warp's records, up to its barrier; the other starts only */
  size_t n = 0;
  for (size_t i = 0; i < b.s.n && b.s.r[i].kind != RECORD_BARRIER; i++) {
    const struct record_id *id = record_id_of(&b.s.r[i]);
    if (id == NULL || id->slot == slot) b.s.r[n++] = b.s.r[i];
    if (is_op(&b.s.r[n - 1], ISA_OP_STS)) break;
  }
  for (size_t i = 1; i < n; i++) {
    b.s.r[i].cycle = 50 * i;
    if (b.s.r[i].kind == RECORD_ISSUE) b.s.r[i].u.issue.clock = b.s.r[i].cycle + 1000; /* as the fake device counts */
  }
  for (unsigned off = 0; off < 2; off++) {
    renew(&b, (struct checker_config){.patience_warp = 1000, .patience_issue = 100000},
          off != 0 ? CHECKER_WATCHDOG_WARP : CHECKER_NONE);
    const bool ok = feed(&b, n);
    expect_kind(&b, off != 0 ? CHECKER_NONE : CHECKER_WATCHDOG_WARP);
    assert_true(ok == (off != 0));
  }
  finish(&b);
}

/* A load has issued and read its address; memory never answers. Its consumer waits for a counter. */
static void test_owes(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E);
  const size_t end = of_insn(&b.s, load, RECORD_GLOBAL);
  const struct checker_config cfg = {.patience_warp = 5000};
  expect_watchdog(&b, end, &cfg, 5000, CHECKER_WATCHDOG_WARP);
  static const char *const words[] = {"watchdog.warp", "waits for what it owes", "under way: seq 6 pc 0x60",
                                      "access 0xffffffff result 0xffffffff", NULL};
  expect_words(&b, words);
  finish(&b);
}

static const char program_counter[] = ".kernel counter\n"
                                      ".param u64 in\n"
                                      "[B------:R-:W-:-:S08] MOV R4, c[0x0][in] ;\n"
                                      "[B------:R-:W-:-:S08] MOV R5, c[0x0][in+4] ;\n"
                                      "[B------:R-:W3:-:S08] LDG.E R8, [R4] ;\n"
                                      "[B---3--:R-:W-:-:S08] IADD3 R9, R8, 0x1, RZ ;\n"
                                      "[B------:R-:W-:-:S08] EXIT ;\n"
                                      ".end\n";

static void test_counter(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_counter, 32, 0);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E);
  assert_true(feed(&b, of_insn(&b.s, load, RECORD_GLOBAL)));
  static const char *const words[] = {"next seq 3 pc 0x30", "awaits SB3, owed by seq 2 pc 0x20", NULL};
  static const char *const others[] = {"SB0", "SB1", "SB2", "SB4", "SB5", "nothing under way", "it could issue", NULL};
  expect_words(&b, words);
  expect_no_words(&b, others);
  finish(&b);
}

static const char program_counters[] = ".kernel counters\n"
                                       ".param u64 in\n"
                                       "[B------:R-:W-:-:S08] MOV R4, c[0x0][in] ;\n"
                                       "[B------:R-:W-:-:S08] MOV R5, c[0x0][in+4] ;\n"
                                       "[B------:R-:W3:-:S08] LDG.E R8, [R4] ;\n"
                                       "[B------:R1:W4:-:S08] LDG.E R10, [R4+0x80] ;\n"
                                       "[B---3--:R-:W-:-:S08] IADD3 R9, R8, 0x1, RZ ;\n"
                                       "[B----4-:R-:W-:-:S08] EXIT ;\n"
                                       ".end\n";

/* Of two loads under way the one that owes the counter is named. */
static void test_two_counters(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_counters, 32, 0);
  const size_t second = find_issue(&b.s, find_issue(&b.s, 0, ISA_OP_LDG_E) + 1, ISA_OP_LDG_E);
  size_t n = 0; /* no load is answered */
  for (size_t i = 0; i < b.s.n && !is_op(&b.s.r[i], ISA_OP_IADD3); i++)
    if (b.s.r[i].kind != RECORD_GLOBAL && !(b.s.r[i].kind == RECORD_WRITE && b.s.r[i].u.write.rd >= 8))
      b.s.r[n++] = b.s.r[i];
  assert_true(second < n);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, n));
  static const char *const words[] = {"next seq 4 pc 0x40", "awaits SB3, owed by seq 2 pc 0x20", NULL};
  static const char *const others[] = {"SB3, owed by seq 3", "SB1", "SB4", NULL};
  expect_words(&b, words);
  expect_no_words(&b, others);
  finish(&b);
}

static const char program_fence[] = ".kernel fence\n"
                                    ".param u64 out\n"
                                    "        MOV R4, c[0x0][out] ;\n"
                                    "        MOV R5, c[0x0][out+4] ;\n"
                                    "        STG.E [R4], R4 ;\n"
                                    "        MEMBAR.GPU ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

/* A fence waits for what is not performed yet; of nothing it does not. */
static void test_fence(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_fence, 32, 0);
  static const char *const words[] = {"its earlier accesses, before it may take effect", NULL};
  const size_t store = find_issue(&b.s, 0, ISA_OP_STG_E), performed = of_insn(&b.s, store, RECORD_GLOBAL);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, performed));
  expect_words(&b, words);
  assert_true(find_issue(&b.s, 0, ISA_OP_MEMBAR) > performed);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, find_issue(&b.s, 0, ISA_OP_MEMBAR)));
  expect_no_words(&b, words);
  finish(&b);
}

/* All have come, and nobody is released. */
static void test_barrier(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 64, 0);
  const struct checker_config cfg = {.patience_issue = 300};
  expect_watchdog(&b, find_kind(&b.s, 0, RECORD_BARRIER), &cfg, 300, CHECKER_WATCHDOG_BARRIER);
  assert_false(checker_deadlock(b.c));
  static const char *const words[] = {"watchdog.barrier", "barrier 0, where 2 of 2 warps are", "it is not released",
                                      NULL};
  expect_words(&b, words);
  finish(&b);
}

/* Warp 1 leaves; warp 0 waits for two warps. */
static const char program_stuck[] = ".kernel stuck\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;\n"
                                    "@P0     EXIT ;\n"
                                    "        BAR.SYNC 0x1, 0x40 ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static void test_deadlock(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_stuck, 64, 0);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, b.s.n - 1));
  assert_false(checker_deadlock(b.c)); /* somebody has something to show */
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, b.s.n));
  assert_true(checker_deadlock(b.c));
  assert_true(checker_look(b.c, b.last + 100 * CHECKER_PATIENCE_WARP)); /* the program's fault, not a difference */
  static const char *const words[] = {"barrier 1, where 1 of 2 warps are (warps 0x1 of the block)",
                                      "missing: warp 1, which has ended", NULL};
  expect_words(&b, words);
  json_t *j = checker_waiting_json(b.c);
  assert_int_equal(json_array_size(j), 2);
  unsigned found = 0;
  for (size_t i = 0; i < 2; i++) {
    json_t *w = json_array_get(j, i);
    if (json_integer_value(json_object_get(w, "warp")) != 0) continue;
    found++;
    assert_true(json_is_false(json_object_get(w, "ended")));
    assert_non_null(strstr(json_string_value(json_array_get(json_object_get(w, "awaits"), 0)), "barrier 1"));
  }
  assert_int_equal(found, 1);
  json_decref(j);
  finish(&b);
}

/* Lanes that wait at a convergence barrier are named, with those for whom they wait. */
static void test_parked(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 32, 0);
  size_t i = find_issue(&b.s, 0, ISA_OP_BSYNC);
  assert_true(i != NOT_FOUND);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, i + 1));
  static const char *const words[] = {"parked at B0 at pc 0x", " until 0x", NULL};
  expect_words(&b, words);
  finish(&b);
}

/* ---- what the host reads ---- */

typedef bool (*ask_fn)(struct bench *b);

/* The whole stream, then a question to which the answer is a difference of this kind, or nothing if switched off. */
static void expect_answer(struct bench *b, ask_fn ask, enum checker_kind want) {
  for (unsigned off = 0; off < 2; off++) {
    renew(b, (struct checker_config){0}, off != 0 ? want : CHECKER_NONE);
    assert_true(feed(b, b->s.n) && checker_finish(b->c, b->last));
    const bool ok = ask(b);
    expect_kind(b, off != 0 ? CHECKER_NONE : want);
    assert_true(ok == (off != 0));
    assert_false(checker_first(b->c)->has_warp); /* no warp's, though the last record had one */
  }
}

static struct heddle_trap wrong;

static bool ask_trap(struct bench *b) {
  return checker_trap_registers(b->c, &wrong);
}

static void test_trap_registers(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_address, 32, 0);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, b.s.n) && checker_finish(b.c, b.last));
  const struct heddle_trap right = *heddle_model_trap(b.m);
  assert_int_equal(right.cause, HEDDLE_TRAP_MISALIGNED);
  assert_true(checker_trap_registers(b.c, &right));
#define WRONG(field, how)                                                                                              \
  wrong = right;                                                                                                       \
  wrong.field = how;                                                                                                   \
  expect_answer(&b, ask_trap, CHECKER_TRAP_REGISTERS);
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
  finish(&b);
}

static uint64_t issues(const struct bench *b) {
  uint64_t n = 0;
  for (size_t i = 0; i < b->s.n; i++) n += b->s.r[i].kind == RECORD_ISSUE;
  return n;
}

/* Cycles from the start of the block to its end, of all its warps. */
static uint64_t lived(const struct bench *b) {
  return 2 * (b->s.r[b->s.n - 1].cycle - b->s.r[0].cycle + 1);
}

static bool ask_issued(struct bench *b) {
  return checker_counters(b->c, (uint32_t)issues(b) + 1, lived(b), b->last);
}
static bool ask_many(struct bench *b) {
  return checker_counters(b->c, (uint32_t)issues(b), lived(b) + 1, b->last);
}
static bool ask_few(struct bench *b) {
  return checker_counters(b->c, (uint32_t)issues(b), issues(b), b->last);
}
static bool ask_running(struct bench *b) {
  return checker_idle(b->c, true, false);
}
static bool ask_draining(struct bench *b) {
  return checker_idle(b->c, false, true);
}

static uint8_t copy[0x10000];

static bool ask_code(struct bench *b) {
  memcpy(copy, b->p.launch.code, b->p.launch.code_bytes);
  copy[b->p.launch.code_bytes - 1] ^= 1;
  return checker_code(b->c, copy);
}
static bool ask_constants(struct bench *b) {
  memcpy(copy, b->p.launch.cbank[0], b->p.launch.cbank_bytes[0]);
  copy[0x163] ^= 0x80;
  return checker_constants(b->c, 0, copy);
}

static void test_host(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 64, 0);
  renew(&b, (struct checker_config){0}, CHECKER_NONE);
  assert_true(feed(&b, b.s.n) && checker_finish(b.c, b.last));
  assert_true(checker_counters(b.c, (uint32_t)issues(&b), lived(&b), b.last));
  assert_true(checker_idle(b.c, false, false));
  assert_true(checker_code(b.c, b.p.launch.code));
  assert_true(checker_constants(b.c, 0, b.p.launch.cbank[0]));
  assert_true(checker_constants(b.c, 1, NULL)); /* there is none */
  expect_answer(&b, ask_issued, CHECKER_COUNTER_ISSUED);
  expect_answer(&b, ask_many, CHECKER_COUNTER_CLASSES);
  expect_answer(&b, ask_few, CHECKER_COUNTER_CLASSES);
  expect_answer(&b, ask_running, CHECKER_END_IDLE);
  expect_answer(&b, ask_draining, CHECKER_END_IDLE);
  expect_answer(&b, ask_code, CHECKER_MEMORY_CODE);
  expect_answer(&b, ask_constants, CHECKER_MEMORY_CONSTANT);
  finish(&b);
}

/* ---- bus errors: the trap is the memory's doing, and names exactly what it refused ---- */

static bool bus_trap(struct bench *b, const struct checker_config *cfg, enum checker_kind off, uint64_t addr,
                     uint32_t lanes) {
  const size_t load = find_issue(&b->s, 0, ISA_OP_LDG_E), first = of_insn(&b->s, load, RECORD_GLOBAL);
  struct retire_record r = {.kind = RECORD_TRAP, .cycle = b->s.r[first].cycle};
  r.u.trap = (struct record_trap){.cause = HEDDLE_TRAP_BUS,
                                  .id = b->s.r[load].u.issue.id,
                                  .pc = b->s.r[load].u.issue.pc,
                                  .lanes = lanes,
                                  .addr = addr};
  renew(b, *cfg, off);
  assert_true(feed(b, first));
  return checker_record(b->c, &r) && checker_finish(b->c, b->last);
}

static void test_bus_error(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDG_E), first = of_insn(&b.s, load, RECORD_GLOBAL);
  const uint64_t at = b.s.r[first].u.global.sector * RECORD_SECTOR;
  const uint32_t lanes = b.s.r[first].u.global.lanes;
  const struct checker_config cfg = {.bus_errors = true};
  b.p.launch.errors = (struct heddle_errors){at, at + 8};
  assert_true(bus_trap(&b, &cfg, CHECKER_NONE, at, lanes));
  static const struct {
    uint32_t lanes;
    uint64_t off;
  } bad[] = {{1, 0}, {0, 4}, {0, 0x100000}};
  for (unsigned i = 0; i < 3; i++) {
    assert_false(bus_trap(&b, &cfg, CHECKER_NONE, at + bad[i].off, lanes ^ bad[i].lanes));
    expect_kind(&b, CHECKER_TRAP_MISMATCH);
    assert_true(bus_trap(&b, &cfg, CHECKER_TRAP_MISMATCH, at + bad[i].off, lanes ^ bad[i].lanes));
  }
  b.p.launch.errors = (struct heddle_errors){at + 32, at + 64};
  assert_false(bus_trap(&b, &cfg, CHECKER_NONE, at, lanes));
  expect_kind(&b, CHECKER_TRAP_MISMATCH);
  finish(&b);
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

/* The stream up to `end`, then the trap; `at`: the issue record whose place it names. */
static bool trap_after(struct bench *b, size_t end, size_t at, uint64_t addr, uint32_t lanes) {
  const struct record_issue *i = &b->s.r[at].u.issue;
  struct retire_record r = {.kind = RECORD_TRAP, .cycle = b->s.r[end].cycle};
  r.u.trap = (struct record_trap){.cause = HEDDLE_TRAP_BUS, .id = i->id, .pc = i->pc, .lanes = lanes, .addr = addr};
  renew(b, (struct checker_config){.bus_errors = true}, CHECKER_NONE);
  assert_true(feed(b, end));
  return checker_record(b->c, &r) && checker_finish(b->c, b->last);
}

static void test_constant_error(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDC), first = of_insn(&b.s, load, RECORD_WRITE);
  const uint32_t exec = b.s.r[load].u.issue.exec;
  place(&b, BANK_LINE + 0x30, BANK_LINE + 0x31); /* words from 4 on, of 0x20 bytes: the same line */
  assert_true(trap_after(&b, first, load, BANK_LINE, exec));
  static const struct {
    uint32_t lanes;
    uint64_t off;
  } bad[] = {{1, 0}, {0, 4}, {0, 0x20}, {0, 0x40}};
  for (unsigned i = 0; i < 4; i++) {
    assert_false(trap_after(&b, first, load, BANK_LINE + bad[i].off, exec ^ bad[i].lanes));
    expect_kind(&b, CHECKER_TRAP_MISMATCH);
  }
  place(&b, BANK_LINE + 0x40, BANK_LINE + 0x41);
  assert_false(trap_after(&b, first, load, BANK_LINE, exec));
  expect_kind(&b, CHECKER_TRAP_MISMATCH);
  place(&b, BANK_LINE + 0x30, BANK_LINE + 0x31); /* and never reported */
  renew(&b, (struct checker_config){.bus_errors = true}, CHECKER_NONE);
  assert_true(feed(&b, b.s.n));
  assert_false(checker_finish(b.c, b.last));
  expect_kind(&b, CHECKER_TRAP_MISSING);
  finish(&b);
}

static void test_fetch_error(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_mix, 32, 0);
  const size_t load = find_issue(&b.s, 0, ISA_OP_LDC);
  const struct record_issue i = b.s.r[load].u.issue;
  const uint64_t sector = CODE_AT + i.pc / 32 * 32;
  place(&b, CODE_AT + i.pc / 64 * 64, CODE_AT + i.pc / 64 * 64 + 1);
  size_t first = load; /* in that line */
  for (size_t k = 0; k < load; k++)
    if (b.s.r[k].kind == RECORD_ISSUE && b.s.r[k].u.issue.pc / 64 == i.pc / 64 && first == load) first = k;
  const struct record_issue at = b.s.r[first].u.issue;
  const uint64_t there = CODE_AT + at.pc / 32 * 32;
  assert_true(there == sector || there + 32 == sector);
  assert_true(trap_after(&b, first, first, there, at.active));
  assert_false(trap_after(&b, first, first, there ^ 32, at.active));
  expect_kind(&b, CHECKER_TRAP_MISMATCH);
  assert_false(trap_after(&b, first, first, there, at.active ^ 1));
  expect_kind(&b, CHECKER_TRAP_MISMATCH);
  renew(&b, (struct checker_config){.bus_errors = true}, CHECKER_NONE); /* it must not issue */
  assert_false(feed(&b, b.s.n));
  expect_kind(&b, CHECKER_ISSUE_TRAP);
  place(&b, CODE_AT + b.p.launch.code_bytes, CODE_AT + b.p.launch.code_bytes + 64); /* nothing to trap for */
  b.p.launch.errors.base = (b.p.launch.errors.base + 63) / 64 * 64;
  assert_false(trap_after(&b, first, first, there, at.active));
  expect_kind(&b, CHECKER_TRAP_UNEXPECTED);
  finish(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_depth),          cmocka_unit_test(test_depth_refused),
                                     cmocka_unit_test(test_could_issue),    cmocka_unit_test(test_never_chosen),
                                     cmocka_unit_test(test_owes),           cmocka_unit_test(test_counter),
                                     cmocka_unit_test(test_barrier),        cmocka_unit_test(test_deadlock),
                                     cmocka_unit_test(test_parked),         cmocka_unit_test(test_trap_registers),
                                     cmocka_unit_test(test_host),           cmocka_unit_test(test_bus_error),
                                     cmocka_unit_test(test_two_counters),   cmocka_unit_test(test_fence),
                                     cmocka_unit_test(test_constant_error), cmocka_unit_test(test_fetch_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
