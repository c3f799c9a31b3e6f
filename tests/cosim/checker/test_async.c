/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies under the checker: what is right in every order that the architecture leaves open, and what is
 * wrong (isa/doc/14-asynchronous-copies.md).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "cosim/kit/conform/stream_find.h"

static const struct heddle_checker_config by_default;

/* R4:R5 = 4 lane behind `in`, R6 = 4 lane; some bytes of shared memory are written before. */
#define BEGIN                                                                                                          \
  ".kernel copy\n.param u64 in\n.param u64 out\n.shared 512\n        S2R R0, SR_TID.X ;\n"                             \
  "        MOV R2, c[0x0][in] ;\n        MOV R3, c[0x0][in+4] ;\n        IMAD.WIDE R4, R0, 0x4, R2 ;\n"                \
  "        IMAD R6, R0, 0x4, RZ ;\n        STS [R6], R0 ;\n"
#define END "        EXIT ;\n.end\n"

static size_t nth(const struct bench *b, enum heddle_isa_op op, uint32_t kind, unsigned n) {
  return bench_nth(b, op, kind, n);
}

static size_t last_of(const struct bench *b, enum heddle_isa_op op, uint32_t kind) {
  const size_t i = find_issue(&b->s, 0, op);
  assert_true(i != NOT_FOUND);
  const size_t last = last_of_insn(&b->s, i, kind);
  assert_true(last != NOT_FOUND);
  return last;
}

/* The n-th issue of that operation, of all warps together. */
static size_t issue_of(const struct bench *b, enum heddle_isa_op op, unsigned n) {
  size_t i = find_issue(&b->s, 0, op);
  while (n-- > 0) i = find_issue(&b->s, i + 1, op);
  assert_true(i != NOT_FOUND);
  return i;
}

static void right(struct bench *b) {
  bench_judge(b, &by_default, HEDDLE_CHECKER_NONE);
}

static void wrong(struct bench *b, enum heddle_checker_kind want, const char *words) {
  bench_judge(b, &by_default, want);
  const struct heddle_checker_difference *d = heddle_checker_first(b->c);
  char all[400];
  snprintf(all, sizeof all, "%s: %s", d->subject, d->note);
  if (strstr(all, words) == NULL) fail_msg("'%s' does not say '%s'", all, words);
}

static const char grouped[] = BEGIN "        LDGSTS.E [R6], [R4] ;\n"
                                    "        LDGDEPBAR ;\n"
                                    "        LDGSTS.E.64 [RZ], [R2+0x100] ;\n"
                                    "        LDGDEPBAR ;\n"
                                    "        DEPBAR.LE SB5, 0x1 ;\n"
                                    "        LDS R8, [R6] ;\n"
                                    "        DEPBAR.LE SB5, 0x0 ;\n"
                                    "        LDS R9, [R6] ;\n" END;

/* Right streams of each size of a beat, with all put off, and at random. */
static void test_right(void **state) {
  (void)state;
  static const char *const size[3] = {"", ".64", ".128"};
  for (unsigned n = 0; n < 24; n++) {
    char text[1400];
    struct bench b;
    snprintf(text, sizeof text,
             BEGIN "        IMAD R6, R0, 0x%x, RZ ;\n        IMAD.WIDE R4, R0, 0x%x, R2 ;\n"
                   "        ISETP.GT.U32.AND P0, PT, R0, 0x14, PT ;\n@P0     LDGSTS.E%s [R6], [R4] ;\n"
                   "        LDGDEPBAR ;\n        BAR.SYNC 0x0 ;\n        STG.E [R2+0x800], R0 ;\n        MEMBAR.CTA ;\n"
                   "        LDGSTS.E%s [RZ], [R2+0x40] ;\n        MEMBAR.GPU ;\n        LDGSTS.E [RZ], [R4] ;\n"
                   "        BAR.SYNC 0x0 ;\n" END,
             4u << n % 3, 4u << n % 3, size[n % 3], size[n % 3]);
    bench_assemble(&b, text, 2, 64, n < 12 ? 8 : 0);
    b.f.lanes = 4u << n % 4;
    b.f.seed = n;
    bench_run(&b);
    right(&b);
    bench_finish(&b);
  }
}

/* A lane is stored behind its load; its neighbours may be stored first. */
static void test_store_before_load(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, grouped, 32, 8);
  right(&b);
  const size_t stored = nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0),
               loaded = last_of(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_GLOBAL);
  stream_move(&b.s, stored, loaded);
  wrong(&b, HEDDLE_CHECKER_PERFORM_ORDER, "copy: stored before they have been loaded");
  assert_int_equal(heddle_checker_first(b.c)->lanes, 0xff000000);
  bench_finish(&b);
}

/* Each of the two once, whole, and of what it has loaded. */
static void test_each_once(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, grouped, 32, 8);
  const size_t stored = nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0),
               loaded = nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_GLOBAL, 0);
  const struct heddle_retire_record load = b.s.r[loaded], store = b.s.r[stored];

  stream_insert(&b.s, loaded + 1, &load);
  wrong(&b, HEDDLE_CHECKER_PERFORM_DOUBLE, "performed a second time");
  stream_drop(&b.s, loaded);
  stream_insert(&b.s, stored + 1, &store);
  wrong(&b, HEDDLE_CHECKER_PERFORM_DOUBLE, "performed a second time");
  stream_drop(&b.s, stored);

  stream_drop(&b.s, loaded); /* then its lanes cannot be stored either */
  wrong(&b, HEDDLE_CHECKER_PERFORM_ORDER, "stored before they have been loaded");
  b.s.r[stored - 1].u.shared.lanes &= ~load.u.global.lanes;
  for (unsigned i = 0; i < 8; i++) b.s.r[stored - 1].u.shared.wstrb[i] = 0;
  b.s.r[stored - 1].u.shared.bank_en &= ~0xffu;
  wrong(&b, HEDDLE_CHECKER_ORDER_GROUP, "the copy seq 6 (pc 0x60) has not stored these lanes");
  bench_finish(&b);

  bench_make(&b, grouped, 32, 8);
  b.s.r[stored].u.shared.wdata[3] ^= 0x100;
  wrong(&b, HEDDLE_CHECKER_PERFORM_DATA, "shared byte");
  b.s.r[stored] = store;
  b.s.r[loaded].u.global.rdata[5] ^= 1;
  wrong(&b, HEDDLE_CHECKER_PERFORM_RESULT, "byte");
  b.s.r[loaded] = load;
  b.s.r[stored].u.shared.access = HEDDLE_RECORD_LOAD;
  wrong(&b, HEDDLE_CHECKER_PERFORM_ACCESS, "space and access");
  b.s.r[stored] = store;
  b.s.r[loaded].u.global.access = HEDDLE_RECORD_STORE;
  wrong(&b, HEDDLE_CHECKER_PERFORM_ACCESS, "space and access");
  b.s.r[loaded] = load;
  b.s.r[stored].u.shared.row[2]++;
  wrong(&b, HEDDLE_CHECKER_PERFORM_ADDRESS, "bank and row");
  b.s.r[stored] = store;
  right(&b);
  bench_finish(&b);
}

/* Somebody who waits for a group issues behind its last store; who waits for all but one may issue before the other's.
 */
static void test_group_falls_early(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, grouped, 32, 8);
  const size_t first = issue_of(&b, ISA_OP_DEPBAR_LE, 0), second = issue_of(&b, ISA_OP_DEPBAR_LE, 1);
  size_t of_second = last_of_insn(&b.s, issue_of(&b, ISA_OP_LDGSTS_E, 1), HEDDLE_RECORD_SHARED);
  assert_true(of_second < first);
  /* the second copy's store goes behind the first DEPBAR, which leaves one group */
  stream_move(&b.s, of_second, second - 1);
  right(&b);
  stream_move(&b.s, second - 1, second); /* and behind the second one, which leaves none */
  wrong(&b, HEDDLE_CHECKER_ORDER_GROUP, "waits until SB5 is at most 0; 1 of what raised it are under way");
  bench_finish(&b);

  bench_make(&b, grouped, 32, 8);
  stream_move(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0), issue_of(&b, ISA_OP_DEPBAR_LE, 0));
  wrong(&b, HEDDLE_CHECKER_ORDER_GROUP, "waits until SB5 is at most 1; 2 of what raised it are under way");
  assert_int_equal(heddle_checker_first(b.c)->lanes, ~0u);
  bench_finish(&b);
}

/* That comparison alone tells: without it nothing does. */
static void test_group_alone(void **state) {
  (void)state;
  static const char text[] =
      BEGIN "        LDGSTS.E [R6], [R4] ;\n        LDGDEPBAR ;\n        DEPBAR.LE SB5, 0x0 ;\n" END;
  struct bench b;
  bench_make(&b, text, 32, 8);
  stream_move(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0), issue_of(&b, ISA_OP_DEPBAR_LE, 0));
  wrong(&b, HEDDLE_CHECKER_ORDER_GROUP, "waits until SB5 is at most 0");
  bench_renew(&b, by_default, HEDDLE_CHECKER_ORDER_GROUP);
  const bool ok = bench_whole(&b, NULL);
  expect_kind(&b, HEDDLE_CHECKER_NONE);
  assert_true(ok);
  bench_finish(&b);
}

/* A counter of the copy's own, and a wait mask. A false guard waits like a true one, but of DEPBAR. */
static void test_masks(void **state) {
  (void)state;
  static const struct {
    const char *copy, *close, *wait;
    enum heddle_checker_kind want;
  } t[] = {
      {"[B------:R-:W2:-:S01] LDGSTS.E [R6], [R4] ;\n", "", "[B--2---:R-:W-:-:S01] NOP ;\n",
       HEDDLE_CHECKER_ORDER_GROUP},
      {"[B------:R-:W2:-:S01] LDGSTS.E [R6], [R4] ;\n", "", "[B-1----:R-:W-:-:S01] NOP ;\n", HEDDLE_CHECKER_NONE},
      {"[B------:R-:W2:-:S01] LDGSTS.E [R6], [R4] ;\n", "", "DEPBAR.LE SB2, 0x0 ;\n", HEDDLE_CHECKER_ORDER_GROUP},
      {"[B------:R-:W2:-:S01] LDGSTS.E [R6], [R4] ;\n", "", "DEPBAR.LE SB2, 0x1 ;\n", HEDDLE_CHECKER_NONE},
      {"[B------:R-:W2:-:S01] LDGSTS.E [R6], [R4] ;\n", "", "@!PT DEPBAR.LE SB2, 0x0 ;\n", HEDDLE_CHECKER_NONE},
      {"LDGSTS.E [R6], [R4] ;\n", "[B------:R-:W4:-:S01] LDGDEPBAR ;\n", "[B----4-:R-:W-:-:S01] @!PT NOP ;\n",
       HEDDLE_CHECKER_ORDER_GROUP},
      {"LDGSTS.E [R6], [R4] ;\n", "[B------:R-:W4:-:S01] @!PT LDGDEPBAR ;\n", "DEPBAR.LE SB4, 0x0 ;\n",
       HEDDLE_CHECKER_ORDER_GROUP},
      {"LDGSTS.E [R6], [R4] ;\n", "[B------:R-:W7:-:S01] LDGDEPBAR ;\n", "DEPBAR.LE SB4, 0x0 ;\n", HEDDLE_CHECKER_NONE},
      {"[B------:R-:W4:-:S01] LDGDEPBAR ;\n", "LDGSTS.E [R6], [R4] ;\n", "DEPBAR.LE SB4, 0x0 ;\n", HEDDLE_CHECKER_NONE},
  };
  for (unsigned n = 0; n < sizeof t / sizeof t[0]; n++) {
    char text[1000];
    struct bench b;
    snprintf(text, sizeof text, BEGIN "%s%s%s MOV R12, RZ ;\n" END, t[n].copy,
             strstr(t[n].close, "W7") != NULL ? "LDGDEPBAR ;\n" : t[n].close, t[n].wait);
    bench_make(&b, text, 32, 8);
    right(&b);
    /* the stores come at the end, whoever waits for them */
    const size_t end = find_kind(&b.s, 0, HEDDLE_RECORD_BLOCK_END);
    stream_move(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0), end - 1);
    bench_judge(&b, &by_default, t[n].want);
    bench_finish(&b);
  }
}

/* Many groups: how many are under way is known however many there were. */
static void test_many_groups(void **state) {
  (void)state;
  char text[6000] = BEGIN "        LDGSTS.E [R6], [R4] ;\n";
  for (unsigned i = 0; i < 100; i++) strcat(text, "        LDGDEPBAR ;\n");
  strcat(text, "        LDGSTS.E [R6], [R4] ;\n        LDGDEPBAR ;\n        LDGDEPBAR ;\n        DEPBAR.LE SB5, 0x2 ;\n"
               "        DEPBAR.LE SB5, 0x1 ;\n" END);
  struct bench b;
  bench_make(&b, text, 32, 8);
  right(&b);
  const size_t stored = last_of_insn(&b.s, issue_of(&b, ISA_OP_LDGSTS_E, 1), HEDDLE_RECORD_SHARED);
  const size_t one = issue_of(&b, ISA_OP_DEPBAR_LE, 1);
  stream_move(&b.s, stored, one - 1); /* two groups are left behind the first DEPBAR */
  right(&b);
  stream_move(&b.s, one - 1, one);
  wrong(&b, HEDDLE_CHECKER_ORDER_GROUP, "waits until SB5 is at most 1; 2 of what raised it are under way");
  bench_finish(&b);
}

/* What is older comes first: stores to the sector that it loads, whatever touches the bytes that it stores. */
static void test_older(void **state) {
  (void)state;
  static const char text[] = BEGIN "        STG.E [R4], R0 ;\n"
                                   "        LDS R8, [R6+0x80] ;\n"
                                   "        LDGSTS.E [R6], [R4] ;\n" END;
  struct bench b;
  bench_make(&b, text, 32, 8);
  right(&b);
  size_t store = last_of(&b, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL),
         load = nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_GLOBAL, 3);
  stream_move(&b.s, store, load);
  wrong(&b, HEDDLE_CHECKER_PERFORM_ORDER, "the older seq 6 (pc 0x60) has not performed its access to sector");
  bench_finish(&b);

  /* The load from shared memory touches other bytes: it may be last, with what it writes. */
  bench_make(&b, text, 32, 8);
  const size_t end = find_kind(&b.s, 0, HEDDLE_RECORD_BLOCK_END), lds = nth(&b, ISA_OP_LDS, HEDDLE_RECORD_SHARED, 0);
  size_t moved = 1;
  while (b.s.r[lds + moved].kind == HEDDLE_RECORD_WRITE) moved++;
  for (size_t i = 0; i < moved; i++) stream_move(&b.s, lds, end - 1);
  assert_int_equal(b.s.r[end - moved].kind, HEDDLE_RECORD_SHARED);
  right(&b);
  /* The store to its own bytes may not. */
  stream_move(&b.s, nth(&b, ISA_OP_STS, HEDDLE_RECORD_SHARED, 0), nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0));
  wrong(&b, HEDDLE_CHECKER_PERFORM_ORDER, "the older seq 5 (pc 0x50) is not wholly performed");
  bench_finish(&b);
}

/* What is younger need not wait, of any memory. */
static void test_younger(void **state) {
  (void)state;
  static const char text[] = BEGIN "        LDGSTS.E [R6], [R4] ;\n"
                                   "        STG.E [R4], R0 ;\n"
                                   "        STS [R6], R0 ;\n"
                                   "        LDGSTS.E [R6], [R4] ;\n"
                                   "        BAR.SYNC 0x0 ;\n" END;
  struct bench b;
  bench_make(&b, text, 32, 8);
  right(&b);
  /* The first copy at the very end, behind the barrier, its values as they are then. */
  const size_t end = find_kind(&b.s, 0, HEDDLE_RECORD_BLOCK_END);
  size_t moved = 0;
  for (size_t i = 0; i < end - moved;) {
    struct heddle_retire_record *r = &b.s.r[i];
    const struct heddle_record_id *id = heddle_record_id_of(r);
    const bool access = r->kind == HEDDLE_RECORD_GLOBAL || r->kind == HEDDLE_RECORD_SHARED;
    if (!access || id->seq != 6) {
      i++;
      continue;
    }
    for (unsigned l = 0; l < 32; l++) {
      if (r->kind == HEDDLE_RECORD_SHARED) r->u.shared.wdata[l] = l;
      if (r->kind == HEDDLE_RECORD_GLOBAL) r->u.global.stamp = b.s.r[end].cycle;
      if (r->kind == HEDDLE_RECORD_GLOBAL && (r->u.global.lanes >> l & 1) != 0)
        memcpy(r->u.global.rdata + l % 8 * 4, &l, 4);
    }
    stream_move(&b.s, i, end - 1);
    moved++;
  }
  assert_int_equal(moved, 5);
  right(&b);
  bench_finish(&b);
}

/* A fence of the GPU waits for both, a block that ends does. */
static void test_fence_and_end(void **state) {
  (void)state;
  static const char text[] = BEGIN "        LDGSTS.E [R6], [R4] ;\n        MEMBAR.SYS ;\n" END;
  struct bench b;
  bench_make(&b, text, 32, 8);
  right(&b);
  stream_move(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0), issue_of(&b, ISA_OP_MEMBAR, 0));
  wrong(&b, HEDDLE_CHECKER_ORDER_FENCE, "seq 6 (pc 0x60) is not wholly performed");
  bench_finish(&b);

  static const char open[] = BEGIN "        LDGSTS.E [R6], [R4] ;\n" END;
  bench_make(&b, open, 32, 8);
  right(&b);
  const struct heddle_retire_record store = b.s.r[nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0)];
  stream_drop(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0));
  wrong(&b, HEDDLE_CHECKER_PERFORM_MISSING, "store of the copy: never shown before the end");
  stream_insert(&b.s, b.s.n, &store);
  b.s.r[b.s.n - 1].cycle = b.s.r[b.s.n - 2].cycle;
  wrong(&b, HEDDLE_CHECKER_PERFORM_MISSING, "store of the copy");
  bench_finish(&b);

  bench_make(&b, open, 32, 8);
  stream_drop(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0));
  for (unsigned i = 0; i < 4; i++) stream_drop(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_GLOBAL, 0));
  wrong(&b, HEDDLE_CHECKER_PERFORM_MISSING, "access: never shown before the end");
  bench_finish(&b);
}

/* A trap of either address: nothing is performed. Behind a trap neither; what is older is completed. */
static void test_traps(void **state) {
  (void)state;
  static const char *const bad[] = {"        LDGSTS.E [R6], [R4+0x2] ;\n",
                                    "        IADD3 R6, R6, 0x1, RZ ;\n        LDGSTS.E [R6], [R4] ;\n",
                                    "        STG.E [R4+0x1], R0 ;\n"};
  for (unsigned n = 0; n < 3; n++) {
    char text[1000];
    struct bench b;
    snprintf(text, sizeof text, BEGIN "        LDGSTS.E.128 [RZ], [R2] ;\n%s        LDGSTS.E.64 [RZ], [R2] ;\n" END,
             bad[n]);
    bench_make(&b, text, 32, 8);
    right(&b);
    const size_t trap = find_kind(&b.s, 0, HEDDLE_RECORD_TRAP), behind = issue_of(&b, ISA_OP_LDGSTS_E, n < 2 ? 2 : 1);
    const size_t stored = last_of(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED);
    struct heddle_retire_record again = b.s.r[nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_GLOBAL, 0)];
    again.u.global.id = b.s.r[behind].u.issue.id;
    again.cycle = b.s.r[trap].cycle;
    stream_insert(&b.s, trap, &again);
    wrong(&b, HEDDLE_CHECKER_PERFORM_TRAP, "performed behind an address trap");
    stream_drop(&b.s, trap);
    stream_drop(&b.s, stored);
    wrong(&b, HEDDLE_CHECKER_PERFORM_MISSING, "store of the copy");
    bench_finish(&b);
  }
}

/* Who waits for what names the store. */
static void test_words(void **state) {
  (void)state;
  struct bench b;
  bench_make(&b, grouped, 32, 8);
  stream_move(&b.s, nth(&b, ISA_OP_LDGSTS_E, HEDDLE_RECORD_SHARED, 0), issue_of(&b, ISA_OP_DEPBAR_LE, 0));
  bench_judge(&b, &by_default, HEDDLE_CHECKER_ORDER_GROUP);
  static const char *const words[] = {"order.group", "for the copy seq 6 (pc 0x60) has not stored",
                                      "open: store 0xffffffff", NULL};
  expect_words(&b, words);
  bench_finish(&b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_right),       cmocka_unit_test(test_store_before_load),
                                     cmocka_unit_test(test_each_once),   cmocka_unit_test(test_group_falls_early),
                                     cmocka_unit_test(test_group_alone), cmocka_unit_test(test_masks),
                                     cmocka_unit_test(test_many_groups), cmocka_unit_test(test_older),
                                     cmocka_unit_test(test_younger),     cmocka_unit_test(test_fence_and_end),
                                     cmocka_unit_test(test_traps),       cmocka_unit_test(test_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
