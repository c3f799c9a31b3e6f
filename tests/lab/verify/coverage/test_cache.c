/* SPDX-License-Identifier: Apache-2.0
 *
 * Bins of caches and of asynchronous copies, of a machine played by hand (tests/cosim/cached.h): its checker accepts
 * what it shows, and exactly the bins that a hand has counted are hit, as often as said.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "lab/verify/coverage/cov.h"
#include <heddle/isa_tables.h>
#include "tests/cosim/checker/visibility_programs.h"

static struct cached x;
static struct stream shown;

static void play(const char *text, unsigned warps) {
  x.shown = &shown;
  begin(&x, text, warps, &promising);
}

/* The last record comes in the cycle of the one before. */
static void at_once(void) {
  shown.r[shown.n - 1].cycle = shown.r[shown.n - 2].cycle;
}

static struct cov *look_as(const struct heddle_config *machine) {
  cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
  struct cov *c = cov_new(machine);
  struct cov_collector *k = cov_collector_new(c, false, false);
  cov_observe(k, x.m, &x.p.launch, NULL);
  for (size_t i = 0; i < shown.n; i++) cov_observe(k, x.m, &x.p.launch, &shown.r[i]);
  cov_collector_free(k);
  cached_free(&x);
  stream_free(&shown);
  memset(&shown, 0, sizeof shown);
  x.shown = NULL;
  return c;
}

static struct cov *look(void) {
  return look_as(heddle_config_find("cached"));
}

/* These bins of the group and no others, "COUNT NAME" each, up to a NULL. */
static void expect(const struct cov *c, const char *group, const char *const *bins) {
  const unsigned g = cov_group_find(c, group);
  char name[COV_BIN_BYTES], text[COV_BIN_BYTES + 16];
  assert_true(g < cov_groups(c));
  for (uint32_t b = 0; b < cov_bins(c, g); b++) {
    if (cov_count(c, g, b) == 0) continue;
    (void)snprintf(text, sizeof text, "%u %s", cov_count(c, g, b), cov_bin_name(c, g, b, name));
    unsigned i = 0;
    while (bins[i] != NULL && strcmp(bins[i], text) != 0) i++;
    if (bins[i] == NULL) fail_msg("%s: %s", group, text);
  }
  for (; *bins != NULL; bins++) {
    uint32_t bin = 0;
    if (!cov_bin_find(c, g, strchr(*bins, ' ') + 1, &bin)) fail_msg("%s: no bin %s", group, *bins);
    if (cov_count(c, g, bin) != strtoul(*bins, NULL, 10))
      fail_msg("%s: %s, not %u", group, *bins, cov_count(c, g, bin));
  }
}
#define BINS(...)                                                                                                      \
  (const char *const[]) {                                                                                              \
    __VA_ARGS__, NULL                                                                                                  \
  }
#define NO_BINS                                                                                                        \
  (const char *const[]) {                                                                                              \
    NULL                                                                                                               \
  }

static void no_stale(const struct cov *c) {
  assert_int_equal(cov_stale(c, NULL, stderr), 0);
}

/* A line is asked for by warp 0; warp 1 joins half of it while it comes, the rest when it has been read in memory; then
 * each of them reads it again; a sector is replaced, and asked for beside three that are there. */
static void joins_and_hits(void **state) {
  (void)state;
  play(PROGRAM(LOAD("4", "0x0") LOAD("5", "0x0") LOAD("6", "0x0")), 2);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
  cached_merge(&x, 0, HEAD, LINE, 15, 1);
  cached_fill(&x, 1, FIRST + 2, false);
  cached_fill(&x, 1, FIRST + 3, false);
  cached_merge(&x, 1, HEAD, LINE, 15, 1);
  cached_fill(&x, 1, FIRST, false);
  cached_fill(&x, 1, FIRST + 1, false);
  cached_hit(&x, 0, HEAD, LINE, 15, 1);
  cached_hit(&x, 1, HEAD, LINE, 15, 1);
  cached_hit(&x, 0, HEAD + 1, LINE, 15, 1);
  cached_hit(&x, 1, HEAD + 1, LINE, 15, 1);
  cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 2, false);
  cached_merge(&x, 1, HEAD + 2, LINE, 2, 2);
  cached_hit(&x, 1, HEAD + 2, LINE, 13, 1);
  at_once();
  cached_give_up(&x, HEDDLE_RECORD_DROP_REPLACED, LINE, 1, false);
  cached_fill(&x, 2, FIRST + 1, false);
  cached_hit(&x, 1, HEAD + 2, LINE, 2, 2);
  struct cov *c = look();
  expect(c, "lookup", BINS("1 load 4 asks", "1 load 4 joins", "2 load 4 hit", "1 load 4 hit+asks"));
  expect(c, "join", BINS("2 load other coming", "2 load other read"));
  expect(c, "fill", BINS("4 global 2 several kept", "1 global 1 one kept"));
  expect(c, "hit", BINS("4 load own first", "7 load other again"));
  expect(c, "evict", BINS("1 global again nobody", "1 global again others"));
  expect(c, "drop", BINS("1 launch global absent nobody", "2 replaced global here nobody"));
  expect(c, "misses", BINS("2 requests 1", "2 loads 1", "1 loads 2"));
  no_stale(c);
  cov_free(c);
}

/* Warp 0 and warp 1 wait for a line. Warp 1 stores to sector 0 and adds to sector 1 meanwhile, with eight lanes each;
 * then a fence of warp 2 empties what is under way. The store and the atomic are acknowledged behind the fence. */
static void overtaken(void **state) {
  (void)state;
  play(PROGRAM("        S2R R8, SR_TID.X ;\n        SHF.R.U32.HI R9, RZ, 0x5, R8 ;\n"
               "        ISETP.EQ.U32.AND P2, PT, R9, 0x2, PT ;\n"
               "        ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n        ISETP.LT.U32.AND P1, PT, R0, 0x10, !P0 ;\n"
               "@!P2    LDG.E R4, [R2] ;\n@P0     STG.E [R2], R0 ;\n@P1     ATOMG.E.ADD R6, [R2], R0 ;\n"
               "        MEMBAR.GPU ;\n"),
       3);
  (void)cached_issue_to(&x, 2, 6);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 6);
  for (unsigned w = 0; w < 2; w++) cached_merge(&x, w, HEAD + 5, LINE, 15, 1);
  (void)cached_issue_to(&x, 1, 2);
  cached_drop(&x, 1, HEAD + 6, LINE, 15);
  cached_drop(&x, 1, HEAD + 7, LINE, 15);
  fill_line(&x, 1, LINE);
  for (unsigned w = 0; w < 2; w++) cached_hit(&x, w, HEAD + 5, LINE, 15, 1);
  cached_globals(&x, 1, HEAD + 6, LINE);
  cached_globals(&x, 1, HEAD + 7, LINE);
  (void)cached_issue(&x, 1);
  cached_ack(&x, 1, HEAD + 6, LINE);
  cached_ack(&x, 1, HEAD + 7, LINE);
  cached_fence(&x, 1, HEAD + 8, HEDDLE_RECORD_SCOPE_GPU);
  struct cov *c = look();
  expect(c, "drop",
         BINS("1 launch global absent nobody", "1 store global coming others", "1 atomic global coming others",
              "2 fence global here nobody"));
  expect(c, "fill", BINS("2 global 2 several overtaken", "2 global 2 several kept"));
  expect(c, "fence", BINS("1 GPU own none"));
  no_stale(c);
  cov_free(c);
}

/* A warp's own store overtakes the line that it waits for alone. Warp 1's fence, with that store under way still, meets
 * the next line on its way; its emptying finds nothing. */
static void own_and_fences(void **state) {
  (void)state;
  play(PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
               "@P0     MEMBAR.GPU ;\n@P0     CCTL.E.IVALL [R2] ;\n@!P0    LDG.E R4, [R2] ;\n"
               "@!P0    STG.E [R2], R0 ;\n@!P0    LDG.E R5, [R2+0x80] ;\n"),
       2);
  (void)cached_issue_to(&x, 0, 7);
  (void)cached_issue_to(&x, 1, 3);
  cached_merge(&x, 0, HEAD + 4, LINE, 15, 1);
  cached_drop(&x, 0, HEAD + 5, LINE, 15);
  cached_merge(&x, 0, HEAD + 6, LINE + 1, 15, 2);
  cached_fence(&x, 1, HEAD + 2, HEDDLE_RECORD_SCOPE_GPU);
  (void)cached_issue(&x, 1);
  cached_fence(&x, 1, HEAD + 3, HEDDLE_RECORD_SCOPE_EMPTYING);
  fill_line(&x, 2, LINE + 1);
  cached_hit(&x, 0, HEAD + 6, LINE + 1, 15, 2);
  fill_line(&x, 1, LINE);
  cached_hit(&x, 0, HEAD + 4, LINE, 15, 1);
  cached_globals(&x, 0, HEAD + 5, LINE);
  cached_ack(&x, 0, HEAD + 5, LINE);
  struct cov *c = look();
  expect(c, "drop",
         BINS("1 launch global absent nobody", "4 store global coming own", "4 fence global coming others",
              "1 emptying global absent nobody"));
  expect(c, "fill", BINS("8 global 1 one overtaken"));
  expect(c, "fence", BINS("1 GPU none some", "1 emptying none some"));
  expect(c, "misses", BINS("1 requests 1", "1 requests 2", "1 loads 1", "1 loads 2"));
  no_stale(c);
  cov_free(c);
}

/* Words 0 and 1 of local memory: what a store has left is read twice; a word is asked for, stored to while it comes,
 * joined, stored to again, read. */
static void local_memory(void **state) {
  (void)state;
  play(PROGRAM("        STL [RZ], R0 ;\n        LDL R4, [RZ] ;\n        LDL R5, [RZ] ;\n        LDL R6, [RZ+0x4] ;\n"
               "        STL [RZ+0x4], R0 ;\n        LDL R7, [RZ+0x4] ;\n        STL [RZ+0x4], R0 ;\n"
               "        LDL R8, [RZ+0x4] ;\n"),
       1);
  (void)cached_issue_to(&x, 0, 8);
  cached_hits(&x, 0, HEAD + 1, 0, 15, (const uint32_t[4]){0}, true);
  cached_hits(&x, 0, HEAD + 2, 0, 15, (const uint32_t[4]){0}, true);
  for (unsigned s = 0; s < 4; s++) cached_local_store(&x, 0, HEAD, s);
  cached_merges(&x, 0, HEAD + 3, 1, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
  for (unsigned s = 0; s < 4; s++) cached_local_store(&x, 0, HEAD + 4, 4 + s);
  cached_merges(&x, 0, HEAD + 5, 1, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
  for (unsigned s = 0; s < 4; s++) cached_fill(&x, 1, 4 + s, true);
  cached_hits(&x, 0, HEAD + 3, 1, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
  cached_hits(&x, 0, HEAD + 5, 1, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
  for (unsigned s = 0; s < 4; s++) cached_local_store(&x, 0, HEAD + 6, 4 + s);
  cached_hits(&x, 0, HEAD + 7, 1, 15, (const uint32_t[4]){1, 1, 1, 1}, true);
  struct cov *c = look();
  expect(c, "local", BINS("8 stored", "4 asks", "4 joins+stored", "4 filled+stored"));
  expect(c, "hit", BINS("4 local store first", "4 local store again", "4 local own first"));
  expect(c, "fill", BINS("4 local 2 one kept"));
  expect(c, "lookup", BINS("3 local 4 hit", "1 local 4 asks", "1 local 4 joins"));
  no_stale(c);
  cov_free(c);
}

/* A load that finds no place, a strong one, and one that memory answers with an error. */
static void past_and_error(void **state) {
  (void)state;
  static const struct heddle_checker_config errors = {
      .cache_sectors = 64, .cache_promises = HEDDLE_CHECKER_CACHE_PROMISES, .bus_errors = true};
  x.shown = &shown;
  begin(&x, PROGRAM(LOAD("4", "0x0") STRONG("5", "0x0") LOAD("6", "0x80")), 1, &errors);
  (void)cached_issue_to(&x, 0, 3);
  for (uint32_t seq = HEAD; seq < HEAD + 2; seq++) {
    cached_drop(&x, 0, seq, LINE, 15);
    cached_globals(&x, 0, seq, LINE);
  }
  cached_merge(&x, 0, HEAD + 2, LINE + 1, 15, 1);
  cached_give_up(&x, HEDDLE_RECORD_DROP_ERROR, LINE + 1, 15, false);
  struct cov *c = look();
  expect(c, "lookup", BINS("1 load 4 by", "1 load 4 asks"));
  expect(c, "drop",
         BINS("1 launch global absent nobody", "4 by global absent nobody", "4 strong global absent nobody",
              "4 error global coming others"));
  expect(c, "fill", NO_BINS);
  no_stale(c);
  cov_free(c);
}

/* Three copies: one asks, one is there by then and one passes by; DEPBAR waits for the first, a fence for the rest. */
static void copies(void **state) {
  (void)state;
  if (heddle_isa_instr_info(ISA_OP_LDGSTS_E)->only_model) skip(); /* no machine has them */
  play(PROGRAM("        IMAD R6, R0, 0x4, RZ ;\n        LDGSTS.E [R6], [R2] ;\n        LDGSTS.E [R6], [R2] ;\n"
               "        LDGSTS.E [R6], [R2+0x80] ;\n        DEPBAR.LE SB5, 0x0 ;\n        MEMBAR.GPU ;\n"),
       1);
  (void)cached_issue_to(&x, 0, 4);
  bring(&x, 0, HEAD + 1, LINE, 1);
  cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
  cached_drop(&x, 0, HEAD + 3, LINE + 1, 15);
  cached_globals(&x, 0, HEAD + 3, LINE + 1);
  cached_shared(&x, 0, HEAD + 1);
  (void)cached_issue(&x, 0);
  cached_shared(&x, 0, HEAD + 2);
  cached_shared(&x, 0, HEAD + 3);
  (void)cached_issue(&x, 0);
  cached_fence(&x, 0, HEAD + 5, HEDDLE_RECORD_SCOPE_GPU);
  struct heddle_config with = *heddle_config_find("cached");
  with.pipes |= HEDDLE_PIPE_ASYNC;
  struct cov *c = look_as(&with);
  expect(c, "copy", BINS("1 waited others", "1 hit others", "1 by alone"));
  expect(c, "await", BINS("1 DEPBAR-0 some", "1 fence some"));
  expect(c, "lookup", BINS("1 copy 4 asks", "1 copy 4 hit", "1 copy 4 by"));
  no_stale(c);
  cov_free(c);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joins_and_hits), cmocka_unit_test(overtaken),
                                     cmocka_unit_test(own_and_fences), cmocka_unit_test(local_memory),
                                     cmocka_unit_test(past_and_error), cmocka_unit_test(copies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
