/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs whose bins a hand has counted, on the machine tiny: exactly these are hit, as often as said.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "lab/verify/coverage/cov.h"
#include "cosim/kit/conform/fake.h"

enum { KERNEL_BYTES = 4096 };

static void assemble(struct fake_program *p, const char *body, unsigned blocks, unsigned threads) {
  char text[KERNEL_BYTES];
  snprintf(text, sizeof text, ".kernel k\n.param u64 in\n.param u64 out\n.shared buf 512\n%s.end\n", body);
  fake_assemble(p, text, blocks, threads);
}

static struct heddle_model *model_of(const struct heddle_config *c) {
  const struct heddle_model_config mc = {
      .size = sizeof mc, .base = FAKE_BASE, .bytes = FAKE_BYTES, .warp_slots = c->warps, .block_slots = c->blocks};
  struct heddle_model *m = heddle_model_new(&mc);
  fake_fill(heddle_model_memory(m));
  return m;
}

/* The same of one warp on the model alone. */
static struct cov *cover_alone(const char *body) {
  static const uint8_t slot[1] = {0};
  const struct heddle_config *tiny = heddle_config_find("tiny");
  struct heddle_model *m = model_of(tiny);
  struct cov *c = cov_new(tiny);
  struct cov_collector *k = cov_collector_new(c, false, false);
  struct fake_program p;
  assemble(&p, body, 1, 32);
  assert_int_equal(heddle_model_launch(m, &p.launch), HEDDLE_SUCCESS);
  cov_launch_alone(k, &p.launch);
  assert_int_equal(heddle_block_start(m, 0, (const uint32_t[3]){0}, slot, 1), HEDDLE_SUCCESS);
  struct heddle_effect e = {0};
  struct heddle_performed done;
  while (!e.warp_ended) {
    assert_int_equal(heddle_warp_issue(m, 0, &e), HEDDLE_SUCCESS);
    cov_issue_alone(k, m, 0, &e);
    assert_int_equal(heddle_perform_whole(m, 0, &e, &done), HEDDLE_SUCCESS);
  }
  assert_int_equal(cov_lost(k), 0);
  cov_collector_free(k);
  heddle_model_free(m);
  fake_program_free(&p);
  return c;
}

/* The program's coverage: its records are judged and looked at one by one, as a session does. */
static struct cov *cover(const char *body, unsigned blocks, unsigned threads, uint64_t seed) {
  static uint8_t image[FAKE_BYTES];
  struct fake_program p;
  struct stream s = {0};
  const struct heddle_config *tiny = heddle_config_find("tiny");
  const struct fake_config f = {tiny->lanes, tiny->warps, tiny->blocks, seed, 0};
  assemble(&p, body, blocks, threads);
  fake_run(&p, &f, &s, image);
  struct heddle_model *m = model_of(tiny);
  const struct heddle_checker_config cfg = {.size = sizeof cfg,
                                            .lanes = tiny->lanes,
                                            .partitions = FAKE_PARTITIONS,
                                            .banks = FAKE_BANKS,
                                            .regs = FAKE_REGS,
                                            .warp_slots = tiny->warps,
                                            .block_slots = tiny->blocks,
                                            .shared_bytes = 8192};
  struct cov *c = cov_new(tiny);
  struct cov_collector *k = cov_collector_new(c, false, false);
  assert_int_equal(heddle_model_launch(m, &p.launch), HEDDLE_SUCCESS);
  struct heddle_checker *judge = heddle_checker_new(m, &p.launch, &cfg);
  cov_observe(k, m, &p.launch, NULL);
  for (size_t i = 0; i < s.n; i++) {
    if (!heddle_checker_record(judge, &s.r[i])) fail_msg("%s", heddle_checker_first(judge)->note);
    cov_observe(k, m, &p.launch, &s.r[i]);
  }
  assert_int_equal(cov_lost(k), 0);
  cov_collector_free(k);
  heddle_checker_free(judge);
  heddle_model_free(m);
  stream_free(&s);
  fake_program_free(&p);
  return c;
}

static uint32_t count_of(const struct cov *c, const char *group, const char *name) {
  const unsigned g = cov_group_find(c, group);
  uint32_t bin = 0;
  assert_true(g < cov_groups(c));
  if (!cov_bin_find(c, g, name, &bin)) fail_msg("no bin '%s' in group %s", name, group);
  return cov_count(c, g, bin);
}

/* The bins of a group whose names begin so: these and no others, "COUNT NAME" each, up to a NULL. */
static void expect(const struct cov *c, const char *group, const char *prefix, const char *const *bins) {
  const unsigned g = cov_group_find(c, group);
  char name[COV_BIN_BYTES];
  unsigned wanted = 0, found = 0;
  for (; bins[wanted] != NULL; wanted++) {
    const unsigned n = (unsigned)strtoul(bins[wanted], NULL, 10);
    const char *what = strchr(bins[wanted], ' ') + 1;
    if (count_of(c, group, what) != n) fail_msg("%s %s: %u, not %u", group, what, count_of(c, group, what), n);
  }
  for (uint32_t b = 0; b < cov_bins(c, g); b++) {
    if (cov_count(c, g, b) == 0 || strncmp(cov_bin_name(c, g, b, name), prefix, strlen(prefix)) != 0) continue;
    if (++found > wanted) fail_msg("%s %s was hit, too, or another one", group, name);
  }
  assert_int_equal(found, wanted);
  assert_int_equal(cov_stale(c, NULL, stderr), 0);
}
#define BINS(...)                                                                                                      \
  (const char *const[]) {                                                                                              \
    __VA_ARGS__, NULL                                                                                                  \
  }
#define NO_BINS                                                                                                        \
  (const char *const[]) {                                                                                              \
    NULL                                                                                                               \
  }

static void test_words_and_hazards(void **state) {
  (void)state;
  struct cov *c = cover("S2R R0, SR_TID.X ;\n"
                        "IADD3 R1, R0, 0x1, RZ ;\n"
                        "ISETP.LT.AND P0, PT, R1, 0x4, PT ;\n"
                        "IMAD R2, R1, R0, RZ ;\n"
                        "@P0 MOV R3, R1 ;\n"
                        "@!PT MOV R4, R1 ;\n"
                        "EXIT ;\n",
                        1, 32, 1);
  /* a 32-thread block: all lanes, but under P0 (threads 0 to 2) and under a guard that is never true */
  expect(c, "form", "EXIT/", BINS("1 EXIT/P/-", "1 EXIT/P/pg=PT"));
  expect(c, "form", "MOV/R/", BINS("1 MOV/R/-", "1 MOV/R/pg=P", "1 MOV/R/rd=R", "1 MOV/R/rb=R", "1 MOV/R/pg=!PT"));
  expect(c, "lanes", "MOV/R", BINS("1 MOV/R some", "1 MOV/R none"));
  expect(c, "lanes", "EXIT", BINS("1 EXIT/P all"));
  expect(c, "form", "FFMA", NO_BINS);
  /* IADD3 reads R0 of S2R, ISETP R1 of IADD3; IMAD R1 two issues later and R0 three; MOV R1 three, P0 two */
  expect(c, "hazard", "",
         BINS("2 alu alu a 1 control", "1 alu fma a 2 control", "1 alu fma b 3 control", "1 alu alu b 3 control",
              "1 alu alu guard 2 control"));
  assert_int_equal(count_of(c, "code", "alu yield=0"), 5);
  assert_int_equal(count_of(c, "code", "br wait=none"), 1);
  expect(c, "split", "", NO_BINS);
  cov_free(c);
}

static void test_masks(void **state) {
  (void)state;
  /* four lanes a beat: threads 0 to 7 are two beats, thread 5 is one lane, threads 0 to 5 are neither */
  struct cov *c = cover("S2R R0, SR_TID.X ;\n"
                        "ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n"
                        "ISETP.EQ.AND P1, PT, R0, 0x5, PT ;\n"
                        "ISETP.LT.AND P2, PT, R0, 0x6, PT ;\n"
                        "@P0 IABS R1, R0 ;\n"
                        "@P1 IABS R2, R0 ;\n"
                        "@P2 IABS R3, R0 ;\n"
                        "IABS R4, R0 ;\n"
                        "EXIT ;\n",
                        1, 32, 1);
  expect(c, "lanes", "IABS/R", BINS("1 IABS/R beats", "1 IABS/R one", "1 IABS/R some", "1 IABS/R all"));
  assert_int_equal(count_of(c, "form", "IABS/R/-"), 4);
  assert_int_equal(count_of(c, "form", "IABS/R/pg=PT"), 1);
  cov_free(c);
}

static void test_divergence(void **state) {
  (void)state;
  struct cov *c = cover("S2R R0, SR_TID.X ;\n"
                        "ISETP.LT.AND P0, PT, R0, 0x4, PT ;\n"
                        "BSSY B0, join ;\n"
                        "@P0 BRA low ;\n" /* takes 4 lanes along; the others wait, then are alone */
                        "IADD3 R1, R0, 0x1, RZ ;\n"
                        "BRA join ;\n"
                        "low: IADD3 R1, R0, 0x2, RZ ;\n"
                        "join: BSYNC B0 ;\n" /* twice: the second lets all go */
                        "EXIT ;\n",
                        1, 32, 1);
  expect(c, "split", "", BINS("1 BRA part 0", "1 BRA all 0"));
  expect(c, "release", "", BINS("1 BSYNC 0 all stack"));
  assert_int_equal(count_of(c, "lanes", "BSYNC/P beats"), 2);
  cov_free(c);
}

static void test_release_by_exit(void **state) {
  (void)state;
  /* Threads 0 to 3 park at B0 (of all 32); the others leave the warp: the last member's EXIT lets them go. */
  struct cov *c = cover("S2R R0, SR_TID.X ;\n"
                        "ISETP.LT.AND P0, PT, R0, 0x4, PT ;\n"
                        "BSSY B0, join ;\n"
                        "@P0 BRA join ;\n"
                        "EXIT ;\n"
                        "join: BSYNC B0 ;\n"
                        "EXIT ;\n",
                        1, 32, 1);
  expect(c, "split", "", BINS("1 BRA part 0"));
  expect(c, "release", "", BINS("1 EXIT 0 all stack"));
  cov_free(c);
}

static void test_barriers(void **state) {
  (void)state;
  struct cov *c = cover("BAR.SYNC 0x0 ;\nBAR.SYNC 0x3, 0x40 ;\nEXIT ;\n", 1, 64, 1);
  expect(c, "barrier", "", BINS("1 BAR.SYNC none block", "1 BAR.SYNC none given"));
  cov_free(c);
  for (uint64_t seed = 1; seed <= 4; seed++) { /* warp 1 ends; it, or warp 0, comes last */
    c = cover("S2R R0, SR_TID.X ;\n"
              "ISETP.LT.AND P0, PT, R0, 0x20, PT ;\n"
              "@!P0 EXIT ;\n"
              "BAR.SYNC 0x0 ;\n"
              "EXIT ;\n",
              1, 64, seed);
    const bool exit = count_of(c, "barrier", "exit one block") == 1;
    expect(c, "barrier", "", exit ? BINS("1 exit one block") : BINS("1 BAR.SYNC one block"));
    cov_free(c);
  }
}

static void test_global(void **state) {
  (void)state;
  struct cov *c = cover("S2R R0, SR_TID.X ;\n"
                        "MOV R4, c[0x0][in] ;\n"
                        "MOV R5, c[0x0][in+4] ;\n"
                        "IMAD.WIDE R6, R0, 0x4, R4 ;\n"
                        "LDG.E R8, [R6] ;\n"           /* 128 bytes from a line on */
                        "LDG.E.128 R12, [R4+0x30] ;\n" /* all lanes the same 16 bytes, inside of a sector */
                        "RED.E.ADD [R6+0x20], R0 ;\n"  /* 128 bytes from the second sector on */
                        "EXIT ;\n",
                        1, 32, 1);
  expect(c, "global", "",
         BINS("1 load 4 3-4 line apart", "1 load 16 1 inside overlap", "1 reduction 4 3-4 sector apart"));
  /* Nine sectors: eight neighbours. The orders among instructions are the machine's to choose. */
  uint32_t n = 0;
  for (uint32_t b = 0; b < cov_bins(c, cov_group_find(c, "order")); b++)
    n += cov_count(c, cov_group_find(c, "order"), b);
  assert_int_equal(n, 8);
  cov_free(c);
}

static void test_numbers(void **state) {
  (void)state;
  struct cov *c = cover("MOV R3, 0xff800000 ;\n" /* - infinity */
                        "MOV R4, 0x00000001 ;\n" /* a denormal */
                        "MOV R5, 0x80000000 ;\n" /* - 0 */
                        "MOV R6, 0x7fc00001 ;\n" /* a NaN */
                        "FADD R1, R3, 1.0 ;\n"
                        "FMUL.RZ.FTZ.SAT R2, R4, RZ ;\n"
                        "FFMA.RP R7, R5, R6, R3 ;\n"
                        "FMNMX R8, R6, R4, PT ;\n"
                        "EXIT ;\n",
                        1, 32, 1);
  expect(c, "number", "",
         BINS("32 FADD.a/F32 -inf RN - -", "32 FADD.b/F32 +normal RN - -", "32 FMUL.a/F32 +denormal RZ FTZ SAT",
              "32 FMUL.b/F32 +0 RZ FTZ SAT", "32 FFMA.a/F32 -0 RP - -", "32 FFMA.b/F32 +nan RP - -",
              "32 FFMA.c/F32 -inf RP - -", "32 FMNMX.a/F32 +nan RN - -", "32 FMNMX.b/F32 +denormal RN - -"));
  expect(c, "pair", "",
         BINS("32 FADD a,b -inf +normal", "32 FMUL a,b +denormal +0", "32 FFMA a,b -0 +nan", "32 FFMA a,c -0 -inf",
              "32 FFMA b,c +nan -inf", "32 FMNMX a,b +nan +denormal"));
  cov_free(c);
}

/* One region holds all of memory; shared memory has 512 bytes, bank 0 has as many. */
static void test_edges(void **state) {
  (void)state;
  char body[1024];
  const unsigned last = FAKE_BASE + FAKE_BYTES - 8;
  snprintf(body, sizeof body,
           "S2R R0, SR_TID.X ;\n"
           "IADD3 R1, R0, 0x1, RZ ;\n"
           "LOP3.LUT R6, R0, 0x80000000, RZ, 0x3c ;\n"
           "ISETP.EQ.AND P0, PT, R0, R1, PT ;\n"  /* each a is one below its b */
           "ISETP.EQ.OR P0, PT, R1, R0, !PT ;\n"  /* and one above; nobody has P0 */
           "ISETP.EQ.AND P0, PT, R6, R0, !PT ;\n" /* signs */
           "ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"  /* not of two registers */
           "IMNMX R1, R0, R0, PT ;\n"
           "MOV R2, 0x%x ;\nMOV R3, RZ ;\n"
           "@P0 STS [RZ], R0 ;\n" /* thread 0 alone from here on */
           "@P0 STS.64 [RZ+0x1f8], R2 ;\n"
           "@P0 LDG.E.64 R4, [R2] ;\n"
           "@P0 LDG.E.64 R4, [R2-0x8] ;\n"
           "LDC R4, c[0x0][RZ+0x1fc] ;\n"
           "MOV R4, c[0x0][0x0] ;\n"
           "EXIT ;\n",
           last);
  struct cov *c = cover(body, 1, 32, 1);
  expect(c, "relation", "", BINS("32 ISETP one-below", "32 ISETP one-above", "32 ISETP sign", "32 IMNMX equal"));
  expect(c, "edge", "",
         BINS("1 shared store first", "1 shared store last", "1 writable load last", "1 writable load inside"));
  expect(c, "bank", "", BINS("32 LDC 0 last", "1 operand 0 first"));
  expect(c, "who", "", NO_BINS);
  cov_free(c);
}

static void test_shapes(void **state) {
  (void)state;
  struct cov *c = cover("EXIT ;\n", 1, 1, 1);
  expect(c, "block", "", BINS("1 1 x"));
  expect(c, "grid", "", BINS("1 one x"));
  assert_int_equal(cov_launches(c), 1);
  cov_free(c);
  c = cover("EXIT ;\n", 2, 50, 1); /* two warps each: four warps are resident */
  expect(c, "block", "", BINS("1 warps-and-part x"));
  expect(c, "grid", "", BINS("1 resident x"));
  expect(c, "resident", "", BINS("1 2 1", "1 2 2"));
  expect(c, "held", "", BINS("1 0 2", "1 0 4"));
  cov_free(c);
  c = cover("EXIT ;\n", 3, 50, 1);
  expect(c, "block", "", BINS("1 warps-and-part x"));
  expect(c, "grid", "", BINS("1 more x"));
  cov_free(c);
  c = cover("EXIT ;\n", 4, 32, 1); /* four blocks are resident */
  expect(c, "block", "", BINS("1 32 x"));
  expect(c, "grid", "", BINS("1 resident x"));
  expect(c, "resident", "", BINS("1 1 1", "1 1 2", "2 1 3-4"));
  expect(c, "held", "", BINS("1 0 1", "1 0 2", "1 0 3", "1 0 4"));
  cov_free(c);
  c = cover("EXIT ;\n", 9, 128, 1);
  expect(c, "block", "", BINS("1 most x"));
  expect(c, "grid", "", BINS("1 more x"));
  expect(c, "resident", "", BINS("9 4-7 1")); /* each after the end of the one before */
  expect(c, "held", "", BINS("9 0 4"));
  expect(c, "form", "EXIT/P/-", BINS("36 EXIT/P/-"));
  cov_free(c);
}

/* One warp's words, lanes, paths, addresses and numbers are the same without a machine; what a machine decides is left
 * out. */
static void test_alone(void **state) {
  static const char *const by_machine[] = {"shared", "order", "barrier", "trap", "who", "queue", "resident", "held"};
  (void)state;
  const char *body = "S2R R0, SR_TID.X ;\n"
                     "MOV R2, c[0x0][out] ;\n"
                     "MOV R3, c[0x0][out+4] ;\n"
                     "IMAD.WIDE R2, R0, 0x8, R2 ;\n"
                     "I2F.S32 R1, R0 ;\n"
                     "FFMA.RZ R4, R1, -2, R1 ;\n"
                     "SHF.L.U32 R5, R0, 0x2, RZ ;\n"
                     "STS [R5+buf], R4 ;\n"
                     "ISETP.LT.AND P0, PT, R0, 0x4, PT ;\n"
                     "BSSY B0, join ;\n"
                     "@P0 BRA join ;\n"
                     "STG.E [R2], R4 ;\n"
                     "join:\nBSYNC B0 ;\n"
                     "EXIT ;\n";
  struct cov *with = cover(body, 1, 32, 1), *alone = cover_alone(body);
  char name[COV_BIN_BYTES];
  for (unsigned g = 0; g < cov_groups(with); g++) {
    bool left_out = false;
    for (unsigned i = 0; i < sizeof by_machine / sizeof *by_machine; i++)
      left_out = left_out || strcmp(cov_group_name(with, g), by_machine[i]) == 0;
    for (uint32_t b = 0; b < cov_bins(with, g); b++)
      if (cov_count(alone, g, b) != (left_out ? 0 : cov_count(with, g, b)))
        fail_msg("%s %s: %u", cov_group_name(with, g), cov_bin_name(with, g, b, name), cov_count(alone, g, b));
  }
  /* 28 lanes, 8 bytes apart from 32 on: seven sectors from one on; a branch of four lanes, a path waits, one barrier */
  expect(alone, "global", "", BINS("1 store 4 5-8 sector apart"));
  expect(alone, "split", "", BINS("1 BRA part 0"));
  expect(alone, "release", "", BINS("1 BSYNC 0 all stack"));
  expect(alone, "number", "FFMA.a/F32 +0 RZ", BINS("1 FFMA.a/F32 +0 RZ - -"));
  assert_int_equal(cov_launches(alone), 1);
  assert_int_equal(cov_alone(alone), 1);
  assert_int_equal(cov_alone(with), 0);
  cov_free(with);
  cov_free(alone);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words_and_hazards),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_divergence),
      cmocka_unit_test(test_release_by_exit),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_global),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
