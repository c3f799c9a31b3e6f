/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory and shared memory: passes over the banks, generic accesses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/stream_find.h"
#include "tests/cosim/checker/bench.h"
#include "tests/test.h"

/* Passes over the banks of shared memory: accesses of one byte, second words, words past the last bank. What is usual
 * is compared in a way of its own, which may be neither laxer nor stricter. */

/* As many slots as there can be. */
static void make(struct bench *b, const char *text, unsigned blocks, unsigned shared) {
  bench_assemble(b, text, blocks, 32, 0);
  b->f.warp_slots = b->f.block_slots = HEDDLE_RECORD_WARPS;
  b->p.launch.shared_bytes = shared;
  bench_run(b);
}

static void judge(struct bench *b, enum heddle_checker_kind want) {
  bench_judge(b, &(struct heddle_checker_config){0}, want);
  if (want == HEDDLE_CHECKER_NONE)
    assert_int_equal(heddle_checker_statistics(b->c)->retired, heddle_checker_statistics(b->c)->issued);
}

/* The first pass of that instruction, at or after a place. */
static struct heddle_record_shared *pass_of(struct bench *b, size_t from, enum heddle_isa_op op) {
  const size_t issue = find_issue(&b->s, from, op);
  assert_true(issue != NOT_FOUND);
  const size_t i = of_insn(&b->s, issue, HEDDLE_RECORD_SHARED);
  assert_true(i != NOT_FOUND);
  return &b->s.r[i].u.shared;
}

/* ---- a word past the last bank: blocks begin at word 0 and at word 31 ---- */

#define ODD_BYTES 124u

static const char program_pairs[] = ".kernel pairs\n"
                                    ".shared buf 64\n"
                                    "        S2R R0, SR_LANEID ;\n"
                                    "        ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\n"
                                    "        SHF.L.U32 R3, R0, 0x3, RZ ;\n"
                                    "        IADD3 R4, R0, 0x11, RZ ;\n"
                                    "        IADD3 R5, R0, 0x22, RZ ;\n"
                                    "@P0     STS.64 [R3], R4 ;\n"
                                    "@P0     LDS.64 R6, [R3] ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

/* The second block's store: lane 0 has bank 31 of row 0 and bank 0 of row 1. */
static struct heddle_record_shared *wrapped(struct bench *b) {
  for (size_t i = 0; i < b->s.n; i++) {
    struct heddle_record_shared *s = &b->s.r[i].u.shared;
    if (b->s.r[i].kind == HEDDLE_RECORD_SHARED && s->access == HEDDLE_RECORD_STORE && (s->bank_en >> 31 & 1u) != 0)
      return s;
  }
  fail_msg("no pass over the last bank");
  return NULL;
}

static void test_wrapped(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_pairs, 2, ODD_BYTES);
  judge(&b, HEDDLE_CHECKER_NONE);
  struct heddle_record_shared *s = wrapped(&b);
  assert_int_equal(s->row[31], 0);
  assert_int_equal(s->row[0], 1);
  s->wdata[0] ^= 1;
  judge(&b, HEDDLE_CHECKER_PERFORM_DATA);
  assert_int_equal(heddle_checker_first(b.c)->lanes, 1);
  s->wdata[0] ^= 1;
  s->wdata[2] ^= 1; /* lane 1, after one that agrees */
  judge(&b, HEDDLE_CHECKER_PERFORM_DATA);
  assert_int_equal(heddle_checker_first(b.c)->lanes, 2);
  s->wdata[2] ^= 1;
  s->row[0] = 0;
  judge(&b, HEDDLE_CHECKER_PERFORM_ADDRESS);
  s->bank_en &= ~1u; /* nor is that bank enabled */
  judge(&b, HEDDLE_CHECKER_PERFORM_ADDRESS);
  bench_finish(&b);
}

/* ---- second words ---- */

static const char program_quads[] = ".kernel quads\n"
                                    ".shared buf 512\n"
                                    "        S2R R0, SR_LANEID ;\n"
                                    "        SHF.L.U32 R3, R0, 0x3, RZ ;\n"
                                    "        IADD3 R4, R0, 0x11, RZ ;\n"
                                    "        IADD3 R5, R0, 0x22, RZ ;\n"
                                    "        STS.64 [R3], R4 ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

/* Each word of each lane of a pass, zero where it must not be. */
static void test_second_words(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_quads, 1, 512);
  judge(&b, HEDDLE_CHECKER_NONE);
  struct heddle_record_shared *s = pass_of(&b, 0, ISA_OP_STS);
  assert_int_equal(s->lanes, 0xffff);
  for (unsigned bank = 0; bank < 32; bank++) {
    const uint32_t was = s->wdata[bank];
    assert_true(was != 0);
    s->wdata[bank] = 0;
    judge(&b, HEDDLE_CHECKER_PERFORM_DATA);
    assert_int_equal(heddle_checker_first(b.c)->lanes, 1u << bank / 2);
    assert_int_equal(heddle_checker_first(b.c)->expected[bank / 2], was);
    assert_int_equal(heddle_checker_first(b.c)->got[bank / 2], 0);
    s->wdata[bank] = was;
  }
  bench_finish(&b);
}

/* ---- single bytes ---- */

static const char program_bytes[] = ".kernel bytes\n"
                                    ".shared buf 128\n"
                                    "        S2R R0, SR_LANEID ;\n"
                                    "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                    "        LOP3.LUT R4, R0, 0xfffffff0, RZ, 0xfc ;\n"
                                    "        STS [R3], R4 ;\n"
                                    "        STS.U8 [R3], R4 ;\n"
                                    "        LDS.S8 R8, [R3] ;\n"
                                    "        EXIT ;\n"
                                    ".end\n";

static void test_bytes(void **state) {
  (void)state;
  struct bench b;
  make(&b, program_bytes, 1, 128);
  judge(&b, HEDDLE_CHECKER_NONE);
  const size_t words = find_issue(&b.s, 0, ISA_OP_STS);
  struct heddle_record_shared *const byte[] = {pass_of(&b, words + 1, ISA_OP_STS), pass_of(&b, 0, ISA_OP_LDS)};
  for (unsigned i = 0; i < 2; i++) { /* no bank is enabled: nothing is accessed */
    const struct heddle_record_shared was = *byte[i];
    assert_int_equal(was.bank_en, ~0u);
    byte[i]->bank_en = 0;
    judge(&b, HEDDLE_CHECKER_PERFORM_ADDRESS);
    *byte[i] = was;
  }
  byte[0]->wdata[2] ^= 1;
  judge(&b, HEDDLE_CHECKER_PERFORM_DATA);
  assert_int_equal(heddle_checker_first(b.c)->expected[2], 0xf2);
  assert_int_equal(heddle_checker_first(b.c)->got[2], 0xf3);
  byte[0]->wdata[2] ^= 1;
  byte[1]->rdata[2] ^= 1; /* of what is loaded that byte is shown, and not its sign */
  judge(&b, HEDDLE_CHECKER_PERFORM_RESULT);
  assert_int_equal(heddle_checker_first(b.c)->expected[2], 0xf2);
  assert_int_equal(heddle_checker_first(b.c)->got[2], 0xf3);
  bench_finish(&b);
}

/* Records of local memory and of generic accesses: what a correct machine shows is accepted, and each spoiled stream is
 * stopped by the check that it is meant for. */

static struct heddle_checker_difference check(const struct fake_program *p, const struct fake_config *f,
                                              const struct stream *s, const uint8_t *memory) {
  struct bench b = {.p = *p, .f = *f, .s = *s};
  const struct heddle_checker_config cfg = {.partitions = FAKE_PARTITIONS, .banks = FAKE_BANKS, .regs = FAKE_REGS};
  bench_renew(&b, cfg, HEDDLE_CHECKER_NONE);
  (void)bench_whole(&b, memory); /* what it says is the first difference */
  const struct heddle_checker_difference d = *heddle_checker_first(b.c);
  bench_let_go(&b);
  return d;
}

static void accepts(void **state) {
  (void)state;
  static const unsigned lanes[] = {4, 8, 16, 32};
  static uint8_t image[FAKE_BYTES];
  struct fake_program p;
  fake_assemble(&p, program_local, 3, 50);
  for (unsigned i = 0; i < 4; i++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      const struct fake_config f = {lanes[i], 16, 3, seed, 0};
      struct stream s;
      fake_run(&p, &f, &s, image);
      const struct heddle_checker_difference d = check(&p, &f, &s, image);
      if (d.kind != HEDDLE_CHECKER_NONE)
        fail_msg("%u lanes: %s (%s)", lanes[i], heddle_checker_kind_name(d.kind), d.note);
      stream_free(&s);
    }
  fake_program_free(&p);
}

static void stops(void **state) {
  (void)state;
  static uint8_t image[FAKE_BYTES];
  const struct fake_config f = {8, 16, 3, 3, 3};
  struct fake_program p;
  struct stream good;
  fake_assemble(&p, program_local, 1, 32);
  fake_run(&p, &f, &good, image);
  for (unsigned i = 0; i < local_mutation_count; i++) {
    struct stream s;
    stream_copy(&s, &good);
    assert_true(local_mutations[i].spoil(&s));
    const struct heddle_checker_difference d = check(&p, &f, &s, image);
    if (d.kind != local_mutations[i].expect)
      fail_msg("%s: expected %s, got %s (%s)", local_mutations[i].name,
               heddle_checker_kind_name(local_mutations[i].expect), heddle_checker_kind_name(d.kind), d.note);
    stream_free(&s);
  }
  stream_free(&good);
  fake_program_free(&p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrapped), cmocka_unit_test(test_second_words),
                                     cmocka_unit_test(test_bytes), cmocka_unit_test(accepts), cmocka_unit_test(stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
