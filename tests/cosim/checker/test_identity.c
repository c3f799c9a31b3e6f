/* SPDX-License-Identifier: Apache-2.0
 *
 * Who a record speaks of: generations of a slot, the partition that it belongs to.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "cosim/checker/report.h"
#include "tests/cosim/checker/bench.h"
#include "tests/test.h"

static const char program_short[] = ".kernel short\n"
                                    "        S2R R0, SR_TID.X ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static struct heddle_record_id *id_in(struct bench *b, size_t i) {
  return (struct heddle_record_id *)heddle_record_id_of(&b->s.r[i]); /* of a record of ours */
}

/* Registers of its own for each slot, whatever partition it says. */
static void spread(struct bench *b) {
  for (size_t i = 0; i < b->s.n; i++)
    if (b->s.r[i].kind == HEDDLE_RECORD_WARP_START)
      b->s.r[i].u.warp_start.reg_base = (uint16_t)(b->p.launch.regs * id_in(b, i)->slot);
}

/* 300 warps in one slot: eight bits of generation begin anew. */
static void test_generations_wrap(void **state) {
  (void)state;
  struct bench b;
  bench_assemble(&b, program_short, 300, 32, 0);
  b.f.warp_slots = b.f.block_slots = 1;
  bench_run(&b);
  const struct heddle_checker_config cfg = {0};
  bench_judge(&b, &cfg, HEDDLE_CHECKER_NONE);
  unsigned wrapped = 0;
  for (size_t i = 0; i < b.s.n; i++)
    if (id_in(&b, i) != NULL && id_in(&b, i)->gen == 0) {
      id_in(&b, i)->gen = 1; /* 0 is left out */
      wrapped++;
    }
  assert_true(wrapped > 0);
  bench_judge(&b, &cfg, HEDDLE_CHECKER_IDENTITY_GEN);
  bench_finish(&b);
}

/* Nobody has said how many partitions there are: slots of two of them, and one slot that always says the other one. */
static void test_partitions(void **state) {
  (void)state;
  static const struct heddle_checker_config unknown;
  for (unsigned slot = 0; slot < 4; slot++) {
    struct bench b;
    bench_make(&b, program_short, 128, 0);
    spread(&b);
    bench_judge(&b, &unknown, HEDDLE_CHECKER_NONE);
    for (size_t i = 0; i < b.s.n; i++)
      if (id_in(&b, i) != NULL && id_in(&b, i)->slot == slot) id_in(&b, i)->partition ^= 1;
    bench_judge(&b, &unknown, HEDDLE_CHECKER_IDENTITY_PARTITION);
    bench_finish(&b);
  }
}

/* Three partitions are possible as well, five are not. */
static void test_other_numbers(void **state) {
  (void)state;
  static const struct heddle_checker_config unknown;
  for (unsigned n = 1; n <= 5; n++) {
    struct bench b;
    bench_assemble(&b, program_short, 1, 256, 0);
    b.f.warp_slots = 8;
    bench_run(&b);
    spread(&b);
    for (size_t i = 0; i < b.s.n; i++)
      if (id_in(&b, i) != NULL) id_in(&b, i)->partition = (uint8_t)(id_in(&b, i)->slot % n);
    bench_judge(&b, &unknown, n < 5 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_IDENTITY_PARTITION);
    bench_finish(&b);
  }
}

/* Records of one SM among several: all of them say which one, and no other is meant. */
static void set_sm(struct heddle_retire_record *r, uint8_t sm) {
  struct heddle_record_id *id = (struct heddle_record_id *)heddle_record_id_of(r); /* of a record of ours */
  if (id != NULL) id->sm = sm;
  if (r->kind == HEDDLE_RECORD_BLOCK_START) r->u.block_start.sm = sm;
  if (r->kind == HEDDLE_RECORD_BLOCK_END) r->u.block_end.sm = sm;
  if (r->kind == HEDDLE_RECORD_BARRIER) r->u.barrier.sm = sm;
}

static void test_other_sm(void **state) {
  (void)state;
  static const struct heddle_checker_config third = {.sm = 3}, first;
  struct bench b;
  bench_make(&b, program_short, 64, 0);
  bench_judge(&b, &third, HEDDLE_CHECKER_RECORD_FORM);
  for (size_t i = 0; i < b.s.n; i++) set_sm(&b.s.r[i], 3);
  bench_judge(&b, &third, HEDDLE_CHECKER_NONE);
  bench_judge(&b, &first, HEDDLE_CHECKER_RECORD_FORM);
  bool seen[HEDDLE_RECORD_KINDS] = {false};
  for (size_t i = 0; i < b.s.n; i++) {
    if (seen[b.s.r[i].kind]) continue;
    seen[b.s.r[i].kind] = true;
    set_sm(&b.s.r[i], 4);
    bench_judge(&b, &third, HEDDLE_CHECKER_RECORD_FORM);
    set_sm(&b.s.r[i], 3);
  }
  bench_finish(&b);
}

/* How old a write must be to be seen: what no machine can have makes no checker, and what was said is in the verdict.
 */
static void test_ages(void **state) {
  (void)state;
  static const struct {
    uint8_t read, pred;
    const char *words;
  } age[] = {{3, 2, "a register write is seen after 3 cycles, a predicate's after 2"},
             {HEDDLE_RECORD_AGE_MAX, HEDDLE_RECORD_AGE_MAX, "seen after 14 cycles, a predicate's after 14"},
             {0, 0, "seen after 1 cycles; of predicates' the device does not say it"}};
  struct bench b;
  bench_make(&b, program_short, 32, 0);
  for (unsigned i = 0; i < 3; i++) {
    const struct heddle_checker_config cfg = {.read_age = age[i].read, .pred_age = age[i].pred};
    bench_renew(&b, cfg, HEDDLE_CHECKER_NONE);
    expect_words(&b, (const char *const[]){age[i].words, NULL});
    json_t *j = checker_report_json(b.c);
    json_int_t read = -1, pred = -1;
    assert_int_equal(json_unpack(j, "{s:{s:I, s:I}}", "statistics", "read_age", &read, "pred_age", &pred), 0);
    assert_int_equal(read, age[i].read == 0 ? 1 : age[i].read);
    assert_int_equal(pred, age[i].pred);
    json_decref(j);
  }
  for (unsigned i = 0; i < 2; i++) {
    struct heddle_checker_config cfg = {.size = sizeof cfg, .lanes = 8, .warp_slots = 4, .block_slots = 2};
    if (i == 0) cfg.read_age = HEDDLE_RECORD_AGE_MAX + 1;
    if (i == 1) cfg.pred_age = HEDDLE_RECORD_AGE_MAX + 1;
    assert_null(heddle_checker_new(b.m, &b.p.launch, &cfg));
  }
  bench_finish(&b);
}

/* What the model calls undefined is not compared, bit by bit, and all beside it is: each bit of each word that a device
 * shows, and leaves in local memory, is flipped in turn. */

/* R9 is never written. Bits 4:0 of R1, R3, R4, UR1, UR2, R7, R8, R10 and of what is stored are undefined, and all of P1
 * and P2. */
static const char program[] = ".kernel bits\n"
                              ".shared room 128\n"
                              ".local 16\n"
                              "        S2R R0, SR_LANEID ;\n"
                              "        LOP3.LUT R1, R9, 0x1f, RZ, 0xc0 ;\n"
                              "        MOV R3, R1 ;\n"
                              "        ISETP.EQ.AND P1, PT, R1, RZ, PT ;\n"
                              "        SEL R4, R0, R3, P1 ;\n"
                              "        PLOP3.LUT P2, P3, P1, PT, PT, 0x80, 0x0 ;\n"
                              "        R2UR UR1, R1 ;\n"
                              "        UMOV UR2, UR1 ;\n"
                              "        MOV R2, 0x10000 ;\n"
                              "        MOV R3, 0x0 ;\n"
                              "        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
                              "        IMAD R6, R0, 0x4, RZ ;\n"
                              "        STS [R6], R1 ;\n"
                              "        LDS R7, [R6] ;\n"
                              "        STG.E [R2], R1 ;\n"
                              "        LDG.E R8, [R2] ;\n"
                              "        STL [RZ+0x4], R1 ;\n"
                              "        LDL R10, [RZ+0x4] ;\n"
                              "        EXIT ;\n"
                              ".end\n";

#define LOW 0x1fu
enum { INSNS = 19, LOCAL_WORDS = 4, LOCAL_BYTES = LOCAL_WORDS * 4 * HEDDLE_RECORD_LANES };

/* What may be anything of the word that instruction `seq` writes, or reads as operand word `index` (a.0 ... c.1). */
static uint32_t unknown_result(uint32_t seq) {
  static const uint32_t bits[INSNS] = {
      [1] = LOW, [2] = LOW, [4] = LOW, [6] = LOW, [7] = LOW, [13] = LOW, [15] = LOW, [17] = LOW};
  return bits[seq];
}

static uint32_t unknown_operand(uint32_t seq, unsigned index) {
  static const uint32_t a[INSNS] = {[1] = ~0u, [3] = LOW, [6] = LOW},
                        b[INSNS] = {[2] = LOW, [4] = LOW, [7] = LOW, [12] = LOW, [14] = LOW, [16] = LOW};
  return index == 0 ? a[seq] : index == 2 ? b[seq] : 0;
}

static const struct heddle_checker_config config = {
    .partitions = FAKE_PARTITIONS, .banks = FAKE_BANKS, .regs = FAKE_REGS};

static void judge(struct bench *b, bool differs, const char *what, uint32_t seq, unsigned bit) {
  bench_renew(b, config, HEDDLE_CHECKER_NONE);
  const bool ok = bench_whole(b, NULL);
  if (ok == differs) fail_msg("%s of seq %u, bit %u: %s", what, seq, bit, ok ? "not found" : "found");
}

static void flip_word(struct bench *b, uint32_t *word, uint32_t unknown, const char *what, uint32_t seq) {
  for (unsigned bit = 0; bit < 32; bit++) {
    *word ^= 1u << bit;
    judge(b, (unknown >> bit & 1) == 0, what, seq, bit);
    *word ^= 1u << bit;
  }
}

static void flip_operands(struct bench *b, struct heddle_record_operands *r) {
  for (unsigned row = 0; row < HEDDLE_RECORD_ROWS; row++)
    if ((r->used >> row & 1) != 0 && r->mask != 0)
      flip_word(b, &r->data[row][__builtin_ctz(r->mask)], unknown_operand(r->id.seq, r->index[row]), "operand",
                r->id.seq);
}

/* P1 and P2; P3 is false whatever P1 is. */
static void flip_predicates(struct bench *b, struct heddle_record_predicate *r) {
  for (unsigned k = 0; k < HEDDLE_RECORD_PREDICATES; k++) {
    if ((r->used >> k & 1) == 0 || r->value[k].mask == 0) continue;
    r->value[k].data ^= r->value[k].mask & 1;
    judge(b, r->value[k].index == 3, "predicate", r->id.seq, r->value[k].index);
    r->value[k].data ^= r->value[k].mask & 1;
  }
}

static void flip_issue(struct bench *b, struct heddle_record_issue *r) {
  const bool reads_p1 = r->id.seq == 4 || r->id.seq == 5;
  r->ps[0] ^= 4;
  judge(b, !reads_p1, "ps0", r->id.seq, 2);
  r->ps[0] ^= 4;
}

/* Warp slot 0 has stored: word 1 of each thread. */
static void flip_local_memory(struct bench *b) {
  uint8_t *before = calloc(b->f.warp_slots, LOCAL_BYTES), *after = calloc(b->f.warp_slots, LOCAL_BYTES);
  uint32_t words[LOCAL_WORDS * HEDDLE_RECORD_LANES] = {0};
  assert_true(before != NULL && after != NULL && b->p.launch.local_bytes == LOCAL_WORDS * 4);
  for (size_t i = 0; i < b->s.n; i++) {
    const struct heddle_record_global *r = &b->s.r[i].u.global;
    if (b->s.r[i].kind == HEDDLE_RECORD_GLOBAL && r->access == HEDDLE_RECORD_LOCAL_STORE)
      memcpy(&words[r->sector * HEDDLE_RECORD_SECTOR / 4], r->wdata, HEDDLE_RECORD_SECTOR);
  }
  for (unsigned lane = 0; lane < HEDDLE_RECORD_LANES; lane += 7)
    for (unsigned word = 0; word < 3; word++)
      for (unsigned bit = 0; bit < 32; bit++) {
        words[word * HEDDLE_RECORD_LANES + lane] ^= 1u << bit;
        memcpy(after, words, sizeof words);
        words[word * HEDDLE_RECORD_LANES + lane] ^= 1u << bit;
        bench_renew(b, config, HEDDLE_CHECKER_NONE);
        assert_true(bench_whole(b, NULL));
        if (heddle_checker_local(b->c, before, after) != (word == 1 && (LOW >> bit & 1) != 0))
          fail_msg("local memory: lane %u word %u bit %u", lane, word, bit);
      }
  free(before);
  free(after);
}

/* A word a lane, in the bank of its number. */
static void flip_shared(struct bench *b, struct heddle_record_shared *r) {
  uint32_t *banks = r->access == HEDDLE_RECORD_STORE ? r->wdata : r->rdata;
  flip_word(b, &banks[__builtin_ctz(r->lanes)], LOW, "shared word", r->id.seq);
}

/* A word a lane of global and of local memory. */
static void flip_global(struct bench *b, struct heddle_record_global *r) {
  const bool store = r->access == HEDDLE_RECORD_STORE || r->access == HEDDLE_RECORD_LOCAL_STORE;
  uint8_t *bytes = (store ? r->wdata : r->rdata) + 4 * (__builtin_ctz(r->lanes) % 8);
  uint32_t word;
  for (unsigned bit = 0; bit < 32; bit++) {
    memcpy(&word, bytes, sizeof word);
    word ^= 1u << bit;
    memcpy(bytes, &word, sizeof word);
    judge(b, (LOW >> bit & 1) == 0, r->access < HEDDLE_RECORD_LOCAL_LOAD ? "global word" : "local word", r->id.seq,
          bit);
    word ^= 1u << bit;
    memcpy(bytes, &word, sizeof word);
  }
}

static void flip(struct bench *b, struct heddle_retire_record *r) {
  if (r->kind == HEDDLE_RECORD_WRITE && r->u.write.mask != 0)
    flip_word(b, &r->u.write.data[__builtin_ctz(r->u.write.mask)], unknown_result(r->u.write.id.seq), "write",
              r->u.write.id.seq);
  if (r->kind == HEDDLE_RECORD_OPERANDS || r->kind == HEDDLE_RECORD_OPERANDS_MEMORY) flip_operands(b, &r->u.operands);
  if (r->kind == HEDDLE_RECORD_SHARED) flip_shared(b, &r->u.shared);
  if (r->kind == HEDDLE_RECORD_GLOBAL) flip_global(b, &r->u.global);
  if (r->kind == HEDDLE_RECORD_PREDICATE) flip_predicates(b, &r->u.predicate);
  if (r->kind == HEDDLE_RECORD_ISSUE) flip_issue(b, &r->u.issue);
  if (r->kind == HEDDLE_RECORD_UNIFORM_WRITE && r->u.uniform_write.used != 0)
    flip_word(b, &r->u.uniform_write.data[0], unknown_result(r->u.uniform_write.id.seq), "uniform write",
              r->u.uniform_write.id.seq);
  if (r->kind == HEDDLE_RECORD_UNIFORM_READ && r->u.uniform_read.used != 0)
    flip_word(b, &r->u.uniform_read.data[__builtin_ctz(r->u.uniform_read.used)],
              unknown_operand(r->u.uniform_read.id.seq, 2), "uniform operand", r->u.uniform_read.id.seq);
}

static void unknown_bits_alone_are_not_compared(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, program, 32, 0);
  judge(&b, false, "the stream", 0, 0);
  unsigned kinds = 0, accesses = 0;
  for (size_t i = 0; i < b.s.n; i++) {
    kinds |= 1u << b.s.r[i].kind;
    if (b.s.r[i].kind == HEDDLE_RECORD_GLOBAL) accesses |= 1u << b.s.r[i].u.global.access;
    flip(&b, &b.s.r[i]);
  }
  const unsigned want = 1u << HEDDLE_RECORD_WRITE | 1u << HEDDLE_RECORD_OPERANDS | 1u << HEDDLE_RECORD_PREDICATE |
                        1u << HEDDLE_RECORD_ISSUE | 1u << HEDDLE_RECORD_UNIFORM_WRITE |
                        1u << HEDDLE_RECORD_UNIFORM_READ | 1u << HEDDLE_RECORD_SHARED | 1u << HEDDLE_RECORD_GLOBAL;
  assert_int_equal(kinds & want, want);
  assert_int_equal(accesses, 1u << HEDDLE_RECORD_LOAD | 1u << HEDDLE_RECORD_STORE | 1u << HEDDLE_RECORD_LOCAL_LOAD |
                                 1u << HEDDLE_RECORD_LOCAL_STORE);
  flip_local_memory(&b);
  bench_renew(&b, config, HEDDLE_CHECKER_NONE);
  assert_true(bench_whole(&b, NULL));
  assert_true(heddle_checker_statistics(b.c)->lanes_unjudged > 32 * 7);
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_generations_wrap),
                                     cmocka_unit_test(test_partitions),
                                     cmocka_unit_test(test_other_numbers),
                                     cmocka_unit_test(test_other_sm),
                                     cmocka_unit_test(test_ages),
                                     cmocka_unit_test(unknown_bits_alone_are_not_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
