/* SPDX-License-Identifier: Apache-2.0
 *
 * What people and programs read: each kind of record as a line, the report of a difference, who waits for what.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>

#include "tests/test.h"
#include "cosim/checker/report.h"
#include "cosim/kit/conform/fake.h"
#include "cosim/checker/internal.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/stream_find.h"

/* ---- records ---- */

static const struct {
  struct heddle_retire_record r;
  const char *text;
} line[] = {
    {{.kind = HEDDLE_RECORD_BLOCK_START,
      .u.block_start = {.bslot = 2, .ctaid = {3, 4, 5}, .warps = 0x60, .shared_base = 0x400}},
     "block start slot 2 (3,4,5) warps 0x60 shared 0x400"},
    {{.kind = HEDDLE_RECORD_BLOCK_END, .u.block_end = {.bslot = 3}}, "block end slot 3"},
    {{.kind = HEDDLE_RECORD_WARP_START, .u.warp_start = {.id = {.slot = 5, .gen = 2}, .bslot = 1, .reg_base = 64}},
     "warp start warp slot 5 gen 2 seq 0 block slot 1 registers from 64"},
    {{.kind = HEDDLE_RECORD_BARRIER, .u.barrier = {.bslot = 1, .id = 9}}, "barrier block slot 1 barrier 9"},
    {{.kind = HEDDLE_RECORD_SHARED,
      .u.shared = {.id = {.slot = 1, .gen = 2, .seq = 3},
                   .access = HEDDLE_RECORD_LOAD,
                   .lanes = 5,
                   .bank_en = 1u << 31,
                   .row[31] = 7,
                   .rdata[31] = 0xabc}},
     "shared warp slot 1 gen 2 seq 3 load lanes 0x00000005 [bank 31 row 7 strobe 0 w 00000000 r 00000abc]"},
    {{.kind = HEDDLE_RECORD_SHARED,
      .u.shared = {.access = HEDDLE_RECORD_STORE, .bank_en = 3, .wstrb = {15, 1}, .wdata = {6, 8}}},
     "shared warp slot 0 gen 0 seq 0 store lanes 0x00000000 [bank 0 row 0 strobe f w 00000006 r 00000000]"
     " [bank 1 row 0 strobe 1 w 00000008 r 00000000]"},
    {{.kind = HEDDLE_RECORD_SHARED, .u.shared = {.access = HEDDLE_RECORD_ATOMIC}},
     "shared warp slot 0 gen 0 seq 0 atomic lanes 0x00000000"},
    {{.kind = HEDDLE_RECORD_GLOBAL,
      .u.global = {.id = {.seq = 8},
                   .access = HEDDLE_RECORD_LOCAL_STORE,
                   .lanes = 0xf0,
                   .sector = 0x123,
                   .bank = 2,
                   .stamp = 77,
                   .wstrb = 0xf,
                   .wdata = {1, 2, 3, 4},
                   .rdata[31] = 0xee}},
     "global warp slot 0 gen 0 seq 8 local store lanes 0x000000f0 sector 0x123 strobe 0x0000000f"
     " w 01020304 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
     " r 00000000 00000000 00000000 00000000 00000000 00000000 00000000 000000ee bank 2 stamp 77"},
    {{.kind = HEDDLE_RECORD_WRITE,
      .u.write = {.rd = 7, .beat = 3, .port = 1, .bank = 2, .row = 19, .mask = 5, .data = {10, 11, 12, 13}}},
     "write warp slot 0 gen 0 seq 0 R7 beat 3 port 1 bank 2 row 19 mask 0x5: 0000000a -------- 0000000c --------"},
    {{.kind = HEDDLE_RECORD_PREDICATE,
      .u.predicate = {.beat = 6, .used = 2, .value[1] = {.index = 4, .data = 9, .mask = 13}}},
     "predicate warp slot 0 gen 0 seq 0 beat 6 P4=0x9 mask 0xd"},
    {{.kind = HEDDLE_RECORD_OPERANDS, .u.operands = {.beat = 1, .mask = 2, .used = 4, .index[2] = 4, .data[2][1] = 77}},
     "operands warp slot 0 gen 0 seq 0 beat 1 mask 0x2 | 4: -------- 0000004d -------- --------"},
    {{.kind = HEDDLE_RECORD_ISSUE,
      .u.issue = {.pc = 0x30, .word = {0xb, 0xa}, .active = 7, .exec = 6, .ps = {1, 2, 3}, .dhash = 0x55, .clock = 99}},
     "issue warp slot 0 gen 0 seq 0 pc 0x30 word 000000000000000a_000000000000000b active 0x00000007 exec 0x00000006"
     " ps 0x1 0x2 0x3 hash 0000000000000055 clock 99"},
    {{.kind = HEDDLE_RECORD_UNIFORM_READ, .u.uniform_read = {.used = 10, .data = {1, 2, 3, 4}}},
     "uniform read warp slot 0 gen 0 seq 0 b=00000002 c.1=00000004"},
    {{.kind = HEDDLE_RECORD_UNIFORM_WRITE,
      .u.uniform_write = {.used = 3, .rd = 6, .data = {1, 2}, .pred = 0x42, .value = 0x40}},
     "uniform write warp slot 0 gen 0 seq 0 UR6=00000001 UR7=00000002 UP1=0 UP6=1"},
    {{.kind = HEDDLE_RECORD_TRAP,
      .u.trap = {.id = {.slot = 1}, .cause = 4, .pc = 0x50, .lanes = 2, .addr = 0x1234567890}},
     "trap warp slot 1 gen 0 seq 0 cause 4 pc 0x50 lanes 0x00000002 addr 0x1234567890"},
};

static void test_each_kind_as_a_line(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    char text[1024];
    heddle_record_text(&line[i].r, 4, HEDDLE_RECORD_HIDDEN_P2, text, sizeof text);
    assert_string_equal(text, line[i].text);
  }
}

/* However short the room: what fits of the line, and its end. */
static void test_a_line_cut_off(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof line / sizeof *line; i++)
    for (size_t room = 1; room < strlen(line[i].text) + 3; room++) {
      char *text = malloc(room), want[1024];
      assert_non_null(text);
      snprintf(want, sizeof want < room ? sizeof want : room, "%s", line[i].text);
      heddle_record_text(&line[i].r, 4, HEDDLE_RECORD_HIDDEN_P2, text, room);
      assert_string_equal(text, want);
      free(text);
    }
}

/* ---- reports ---- */

/* Two blocks; one lane of what the second block's warp writes to register `rd` is wrong. */
struct wrong {
  struct fake_program p;
  struct stream s;
  size_t at; /* the record that is */
  struct heddle_model *m;
  struct heddle_checker *c;
};

static void judge_wrong(struct wrong *w, unsigned rd, heddle_checker_disasm_fn disasm) {
  const struct fake_config f = {32, 4, 2, 1, 0};
  fake_assemble_long(&w->p, program_mix, 2, 32);
  fake_run(&w->p, &f, &w->s, NULL);
  unsigned second = 0;
  for (size_t i = 0; i < w->s.n; i++) {
    const struct heddle_retire_record *r = &w->s.r[i];
    if (r->kind == HEDDLE_RECORD_BLOCK_START && r->u.block_start.ctaid[0] == 1) second = r->u.block_start.bslot;
  }
  unsigned slot = 99;
  w->at = w->s.n;
  for (size_t i = 0; i < w->s.n && w->at == w->s.n; i++) {
    struct heddle_retire_record *r = &w->s.r[i];
    if (r->kind == HEDDLE_RECORD_WARP_START && r->u.warp_start.bslot == second) slot = r->u.warp_start.id.slot;
    if (r->kind != HEDDLE_RECORD_WRITE || r->u.write.id.slot != slot || r->u.write.rd != rd) continue;
    r->u.write.data[9] ^= 0xff;
    w->at = i;
  }
  assert_true(w->at < w->s.n && slot != 0);
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = f.warp_slots,
                                         .block_slots = f.block_slots};
  w->m = heddle_model_new(&mc);
  fake_fill(heddle_model_memory(w->m));
  assert_int_equal(heddle_model_launch(w->m, &w->p.launch), HEDDLE_SUCCESS);
  const struct heddle_checker_config cfg = {.size = sizeof cfg,
                                            .lanes = 32,
                                            .partitions = FAKE_PARTITIONS,
                                            .banks = FAKE_BANKS,
                                            .regs = FAKE_REGS,
                                            .warp_slots = f.warp_slots,
                                            .block_slots = f.block_slots,
                                            .shared_bytes = 8192,
                                            .disasm = disasm};
  w->c = heddle_checker_new(w->m, &w->p.launch, &cfg);
  size_t seen = 0;
  while (seen < w->s.n && heddle_checker_record(w->c, &w->s.r[seen])) seen++;
  assert_int_equal(seen, w->at);
}

static void wrong_free(struct wrong *w) {
  heddle_checker_free(w->c);
  heddle_model_free(w->m);
  stream_free(&w->s);
  fake_program_free(&w->p);
}

static void report(const struct wrong *w, char *text, size_t bytes) {
  FILE *f = fmemopen(text, bytes, "w");
  assert_non_null(f);
  heddle_checker_report_text(w->c, f);
  assert_true(ftell(f) > 0 && (size_t)ftell(f) < bytes - 1);
  fclose(f);
}

/* What follows `want` in `text`; it must be there. */
static const char *after(const char *text, const char *want) {
  const char *at = strstr(text, want);
  if (at == NULL) fail_msg("no '%s' in:\n%s", want, text);
  return at + strlen(want);
}

static bool issue_of(const struct heddle_retire_record *r, const struct heddle_record_id *id) {
  return r->kind == HEDDLE_RECORD_ISSUE && r->u.issue.id.slot == id->slot && r->u.issue.id.gen == id->gen;
}

/* The lines of the warp's history: the last that have issued, in order, and nothing else. Returns how many there are.
 */
static unsigned history(const struct wrong *w, const char *at) {
  const struct heddle_record_id *id = &w->s.r[w->at].u.write.id;
  unsigned issued = 0, seq = 0;
  for (size_t i = 0; i < w->at; i++) issued += issue_of(&w->s.r[i], id);
  for (size_t i = 0; i < w->at; i++) {
    const struct heddle_retire_record *r = &w->s.r[i];
    if (!issue_of(r, id) || seq++ + RING < issued) continue;
    char want[200];
    snprintf(want, sizeof want, "\n    %6u %8" PRIu64 " 0x%05x %08x %08x  %016" PRIx64 "_%016" PRIx64, seq - 1,
             r->cycle, r->u.issue.pc, r->u.issue.active, r->u.issue.exec, r->u.issue.word[1], r->u.issue.word[0]);
    if (strncmp(at, want, strlen(want)) != 0) fail_msg("history: expected '%s', got '%.120s'", want, at);
    at = strchr(at + 1, '\n');
  }
  assert_string_equal(at, "\n");
  return issued;
}

static void test_report_in_words(void **state) {
  (void)state;
  struct wrong w;
  judge_wrong(&w, 2, NULL);
  const struct heddle_retire_record *r = &w.s.r[w.at];
  const struct heddle_record_id *id = &r->u.write.id;
  char text[16384], want[200], record[3072];
  report(&w, text, sizeof text);
  snprintf(want, sizeof want, "difference: writeback.value (%s) in cycle %" PRIu64 "\n",
           heddle_checker_kind_what(HEDDLE_CHECKER_WRITEBACK_VALUE), r->cycle);
  const char *at = after(text, want);
  snprintf(want, sizeof want, "\n  warp      slot %u generation %u, warp 0 of block (1,0,0) in block slot ", id->slot,
           id->gen);
  at = after(at, want);
  at = after(at, "\n  at        seq 2 pc 0x20  ");
  /* R2 = CTAID.X * NTID.X + TID.X */
  at = after(at, "\n  lanes     0x00000200\n    lane  9  expected 0x00000029  got 0x000000d6\n  record    ");
  heddle_record_text(r, 32, HEDDLE_RECORD_HIDDEN_P2, record, sizeof record);
  at = after(at, record);
  at = after(at, "\n  history of the warp (seq, cycle, pc, active, executing; open: what is still owed)");
  assert_in_range(history(&w, at), 3, RING);
  wrong_free(&w);
}

/* Of a warp that has issued more than is kept, the last. */
static void test_long_history(void **state) {
  (void)state;
  struct wrong w;
  judge_wrong(&w, 31, NULL);
  char text[16384];
  report(&w, text, sizeof text);
  assert_true(history(&w, after(text, "open: what is still owed)")) > RING);
  wrong_free(&w);
}

/* A disassembler that writes nothing leaves nothing of what was there before. */
static void silent(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx, (void)w, (void)pc, (void)buf, (void)bytes;
}

static void test_silent_disassembler(void **state) {
  (void)state;
  struct wrong w;
  judge_wrong(&w, 2, silent);
  char text[8] = "before";
  checker_disassemble(w.c, (struct heddle_isa_word){0, 0}, 0, text, sizeof text);
  assert_string_equal(text, "");
  wrong_free(&w);
}

static void expect_text(const json_t *j, const char *key, const char *want) {
  const char *got = json_string_value(json_object_get(j, key));
  if (got == NULL || strcmp(got, want) != 0) fail_msg("%s: expected %s, got %s", key, want, got == NULL ? "none" : got);
}

static void test_report_for_programs(void **state) {
  (void)state;
  struct wrong w;
  judge_wrong(&w, 2, NULL);
  const struct heddle_retire_record *r = &w.s.r[w.at];
  json_t *j = checker_report_json(w.c), *d = json_object_get(j, "difference");
  int slot = -1, generation = -1, warp = -1, seq = -1, block[3] = {-1, -1, -1};
  assert_int_equal(json_unpack(d, "{s:i, s:i, s:[i, i, i], s:i, s:i}", "slot", &slot, "generation", &generation,
                               "block", &block[0], &block[1], &block[2], "warp", &warp, "seq", &seq),
                   0);
  assert_int_equal(slot, r->u.write.id.slot);
  assert_int_equal(generation, r->u.write.id.gen);
  assert_true(block[0] == 1 && block[1] == 0 && block[2] == 0 && warp == 0 && seq == 2);
  char word[40], text[3072];
  for (size_t i = 0; i < w.at; i++)
    if (w.s.r[i].kind == HEDDLE_RECORD_ISSUE && w.s.r[i].u.issue.pc == 0x20)
      snprintf(word, sizeof word, "%016" PRIx64 "%016" PRIx64, w.s.r[i].u.issue.word[1], w.s.r[i].u.issue.word[0]);
  expect_text(d, "word", word);
  expect_text(d, "pc", "0x20");
  expect_text(d, "lanes", "0x00000200");
  expect_text(json_object_get(d, "expected"), "9", "0x00000029");
  expect_text(json_object_get(d, "got"), "9", "0x000000d6");
  heddle_record_text(r, 32, HEDDLE_RECORD_HIDDEN_P2, text, sizeof text);
  expect_text(d, "record", text);
  assert_null(json_object_get(d, "waiting")); /* that is told when a watchdog barks */
  json_decref(j);
  wrong_free(&w);
}

/* ---- what the sentence says ---- */

typedef bool (*spoil_fn)(struct stream *s);

/* The difference that comes of a spoiled stream. */
static struct heddle_checker_difference judged(const char *program, spoil_fn spoil) {
  const struct fake_config f = {8, 4, 2, 1, 0};
  struct wrong w;
  fake_assemble(&w.p, program, 2, 32);
  fake_run(&w.p, &f, &w.s, NULL);
  assert_true(spoil(&w.s));
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = f.warp_slots,
                                         .block_slots = f.block_slots};
  w.m = heddle_model_new(&mc);
  fake_fill(heddle_model_memory(w.m));
  assert_int_equal(heddle_model_launch(w.m, &w.p.launch), HEDDLE_SUCCESS);
  const struct heddle_checker_config cfg = {
      .size = sizeof cfg, .lanes = 8, .warp_slots = f.warp_slots, .block_slots = f.block_slots};
  w.c = heddle_checker_new(w.m, &w.p.launch, &cfg);
  for (size_t i = 0; i < w.s.n && heddle_checker_record(w.c, &w.s.r[i]); i++) continue;
  const struct heddle_checker_difference d = *heddle_checker_first(w.c);
  wrong_free(&w);
  return d;
}

static bool strange_block(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_BLOCK_START));
  s->r[i].u.block_start.ctaid[0] = 9, s->r[i].u.block_start.ctaid[1] = 8, s->r[i].u.block_start.ctaid[2] = 7;
  return true;
}

/* Of a lane that loads 16 bytes the eleventh; of one that stores 4 the second. */
static uint64_t place;
static unsigned lane;
static uint32_t got;

static bool wide_load(struct stream *s) {
  RECORD_OR_FAIL(load, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(i, of_insn(s, load, HEDDLE_RECORD_GLOBAL));
  struct heddle_record_global *g = &s->r[i].u.global;
  lane = (unsigned)__builtin_ctz(g->lanes);
  const unsigned at = 16 * (lane % 2); /* the program reads from a multiple of 32 on */
  g->rdata[at + 10] ^= 0x55;
  memcpy(&got, g->rdata + at + 8, 4);
  place = g->sector * HEDDLE_RECORD_SECTOR + at + 8;
  return true;
}

static bool narrow_store(struct stream *s) {
  RECORD_OR_FAIL(store, find_issue(s, 0, ISA_OP_STG_E));
  RECORD_OR_FAIL(i, of_insn(s, store, HEDDLE_RECORD_GLOBAL));
  struct heddle_record_global *g = &s->r[i].u.global;
  const unsigned at = (unsigned)__builtin_ctz(g->wstrb);
  lane = (unsigned)__builtin_ctz(g->lanes);
  g->wdata[at + 1] ^= 0x55;
  memcpy(&got, g->wdata + at, 4);
  place = g->sector * HEDDLE_RECORD_SECTOR + at;
  return true;
}

static void test_sentences(void **state) {
  (void)state;
  const struct heddle_checker_difference block = judged(program_mix, strange_block);
  assert_int_equal(block.kind, HEDDLE_CHECKER_BLOCK_GRID);
  assert_non_null(strstr(block.note, "block (9,8,7) of a grid of (2,1,1)"));
  const spoil_fn spoil[] = {wide_load, narrow_store};
  for (unsigned i = 0; i < 2; i++) {
    const struct heddle_checker_difference d = judged(program_mix, spoil[i]);
    char subject[48];
    snprintf(subject, sizeof subject, "byte 0x%" PRIx64, place);
    assert_string_equal(d.subject, subject);
    assert_int_equal(d.lanes, 1u << lane);
    assert_int_equal(d.got[lane], got);
    assert_int_equal(d.expected[lane], got ^ (i == 0 ? 0x550000u : 0x5500u));
  }
}

/* Each live warp with its block, whose numbers are apart. */
static void test_waiting_names_blocks(void **state) {
  (void)state;
  struct wrong w;
  judge_wrong(&w, 2, NULL);
  json_t *all = checker_waiting_json(w.c), *one;
  bool found = false;
  size_t i;
  json_array_foreach(all, i, one) {
    int slot = -1, block[3] = {-1, -1, -1};
    assert_int_equal(json_unpack(one, "{s:i, s:[i, i, i]}", "slot", &slot, "block", &block[0], &block[1], &block[2]),
                     0);
    if (slot != w.s.r[w.at].u.write.id.slot) continue;
    assert_true(block[0] == 1 && block[1] == 0 && block[2] == 0);
    found = true;
  }
  assert_true(found);
  json_decref(all);
  wrong_free(&w);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_kind_as_a_line),  cmocka_unit_test(test_a_line_cut_off),
      cmocka_unit_test(test_report_in_words),      cmocka_unit_test(test_long_history),
      cmocka_unit_test(test_silent_disassembler),  cmocka_unit_test(test_report_for_programs),
      cmocka_unit_test(test_waiting_names_blocks), cmocka_unit_test(test_sentences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
