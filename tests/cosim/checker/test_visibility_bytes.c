/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md, "Demands of the architecture", byte by byte: accesses of every size, each at every place of a
 * sector's first half. Two of them concern each other where they have a byte in common, and nowhere else; what is
 * released and acquired goes by words. Several newer reads of one copy, by several lanes.
 */
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "tests/test.h"
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/checker/visibility_programs.h"

static struct cached x;
static char text[2000];

/* An access of one lane: its size, and where in the sector. */
struct part {
  const char *suffix;
  unsigned bytes, at;
};

enum { PARTS = 16 + 8 + 4 + 2 + 1 };

static struct part part(unsigned n) {
  static const char *const suffix[] = {".U8", ".U16", "", ".64", ".128"};
  unsigned k = 0;
  for (; n >= 16u >> k; k++) n -= 16u >> k;
  return (struct part){suffix[k], 1u << k, n << k};
}

static unsigned end(struct part a) {
  return a.at + a.bytes;
}

static bool meet(struct part a, struct part b) {
  return a.at < end(b) && b.at < end(a);
}

static bool meet_in_a_word(struct part a, struct part b) {
  return a.at / 4 <= (end(b) - 1) / 4 && b.at / 4 <= (end(a) - 1) / 4;
}

/* The lane's load asks for its sector alone, and reads what comes. */
static void bring_sector(unsigned warp, uint32_t seq, uint64_t sector, uint32_t number) {
  cached_merge(&x, warp, seq, sector / 4, 15, number);
  cached_fill(&x, number, sector, false);
  cached_hit(&x, warp, seq, sector / 4, 15, number);
}

#define FIRST_LANE                                                                                                     \
  "        ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\n"                                                                    \
  "        MOV R8, R0 ;\n        MOV R9, R0 ;\n        MOV R10, R0 ;\n        MOV R11, R0 ;\n"

/* ---- of a lane's own store, not performed (way 0) or performed after the copy was taken */

static void own_store(unsigned way, struct part s, struct part l) {
  const uint32_t store = HEAD + 5, load = HEAD + 6;
  (void)snprintf(text, sizeof text,
                 PROGRAM(FIRST_LANE "@P0     STG.E%s [R2+0x%x], R8 ;\n@P0     LDG.E%s R12, [R2+0x%x] ;\n"), s.suffix,
                 s.at, l.suffix, l.at);
  begin(&x, text, 1, &plain);
  (void)cached_issue_to(&x, 0, 7);
  cached_drop(&x, 0, store, LINE, 1);
  cached_merge(&x, 0, load, LINE, 1, 1);
  cached_fill(&x, 1, FIRST, false);
  if (way == 1) cached_global(&x, 0, store, FIRST);
  cached_hit(&x, 0, load, LINE, 1, 1);
  if (meet(s, l)) {
    done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, way == 0 ? "is not performed" : "is older in its warp");
    return;
  }
  if (way == 0) cached_global(&x, 0, store, FIRST);
  cached_ack(&x, 0, store, LINE);
  well(&x);
}

static void own_stores(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++)
    for (unsigned s = 0; s < PARTS; s++)
      for (unsigned l = 0; l < PARTS; l++) own_store(way, part(s), part(l));
}

/* Two lanes store, one in each of two sectors; what one of them has not performed is missed by no younger load. */
static void own_store_of_two_lanes(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) { /* which of them is performed */
    begin(&x,
          PROGRAM("        LOP3.LUT R8, R0, 0x17, RZ, 0xc0 ;\n        ISETP.EQ.U32.AND P0, PT, R8, RZ, PT ;\n"
                  "@P0     STG.E [R2], R0 ;\n@P0     LDG.E R4, [R2] ;\n"),
          1, &plain);
    (void)cached_issue_to(&x, 0, 4);
    cached_drop(&x, 0, HEAD + 2, LINE, 3);
    cached_merge(&x, 0, HEAD + 3, LINE, 3, 1);
    cached_global(&x, 0, HEAD + 2, FIRST + way);
    for (unsigned s = 0; s < 2; s++) cached_fill(&x, 1, FIRST + s, false);
    cached_hit(&x, 0, HEAD + 3, LINE, 1u << way, 1);
    cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
    cached_hit(&x, 0, HEAD + 3, LINE, 3, 1);
    done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is not performed");
  }
}

/* ---- what was acquired: data, fence, flag; flag, fence, data */

/* Warp 1 stores data and flag; warp 0 reads the flag past the cache, or through it, and then an old copy of the data.
 */
static void acquire(struct part data, struct part read, struct part flag, struct part seen, bool through) {
  const uint32_t store = HEAD + 7, tell = HEAD + 9, old = HEAD + 10, look = HEAD + 11, load = HEAD + 13;
  const uint64_t flags = FIRST + 6; /* their sector */
  (void)snprintf(text, sizeof text,
                 PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.EQ.U32.AND P0, PT, R8, 0x20, PT ;\n"
                         "        ISETP.EQ.U32.AND P1, PT, R8, RZ, PT ;\n"
                         "        MOV R12, R8 ;\n        MOV R13, R8 ;\n        MOV R14, R8 ;\n        MOV R15, R8 ;\n"
                         "@P0     STG.E%s [R2+0x%x], R12 ;\n@P0     MEMBAR.GPU ;\n@P0     STG.E%s [R2+0x%x], R12 ;\n"
                         "@P1     LDG.E R4, [R2] ;\n@P1     LDG.E%s%s R16, [R2+0x%x] ;\n@P1     MEMBAR.GPU ;\n"
                         "@P1     LDG.E%s R20, [R2+0x%x] ;\n"),
                 data.suffix, data.at, flag.suffix, 192 + flag.at, seen.suffix, through ? "" : ".STRONG.GPU",
                 192 + seen.at, read.suffix, read.at);
  begin(&x, text, 2, &plain);
  (void)cached_issue_to(&x, 1, 8);
  (void)cached_issue_to(&x, 0, 11);
  cached_drop(&x, 1, store, LINE, 1);
  bring_sector(0, old, FIRST, 1);
  cached_global(&x, 1, store, FIRST); /* at position 2 */
  cached_ack(&x, 1, store, LINE);
  (void)cached_issue(&x, 1);
  cached_fence(&x, 1, store + 1, HEDDLE_RECORD_SCOPE_GPU);
  (void)cached_issue(&x, 1);
  cached_drop(&x, 1, tell, LINE + 1, 15);
  cached_global(&x, 1, tell, flags);
  cached_ack(&x, 1, tell, LINE + 1);
  (void)cached_issue(&x, 0);
  if (through)
    bring_sector(0, look, flags, 2);
  else {
    cached_drop(&x, 0, look, LINE + 1, 15);
    cached_global(&x, 0, look, flags);
  }
  (void)cached_issue(&x, 0);
  cached_fence(&x, 0, look + 1, HEDDLE_RECORD_SCOPE_GPU);
  (void)cached_issue(&x, 0);
  cached_hit(&x, 0, load, LINE, 1, 1);
  char words[120];
  (void)snprintf(words, sizeof words, "byte %u was written at position 2 by warp slot 1 seq %u",
                 max_u32(data.at, read.at), store);
  const bool stale = meet(data, read) && meet_in_a_word(flag, seen);
  done(&x, stale ? HEDDLE_CHECKER_VISIBILITY_STALE : HEDDLE_CHECKER_NONE, stale ? words : NULL);
}

static void acquired_data(void **state) {
  (void)state;
  const struct part word = {"", 4, 8};
  for (unsigned s = 0; s < PARTS; s++)
    for (unsigned l = 0; l < PARTS; l++) acquire(part(s), part(l), word, word, s % 2 != 0);
}

static void acquired_flags(void **state) {
  (void)state;
  const struct part word = {"", 4, 8};
  for (unsigned f = 0; f < PARTS; f++)
    for (unsigned s = 0; s < PARTS; s++)
      for (unsigned through = 0; through < 2; through++) acquire(word, word, part(f), part(s), through != 0);
}

/* A fill that was read before the flag was written tells nothing of it. */
static void old_flag(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x,
          PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                  "@P0     STG.E [R2], R0 ;\n@P0     MEMBAR.GPU ;\n@P0     STG.E [R2+0x80], R0 ;\n"
                  "@!P0    LDG.E R4, [R2] ;\n@!P0    LDG.E R5, [R2+0x80] ;\n@!P0    MEMBAR.GPU ;\n"
                  "@!P0    LDG.E R6, [R2] ;\n"),
          2, &plain);
    (void)cached_issue_to(&x, 1, 3);
    (void)cached_issue_to(&x, 0, 7);
    cached_drop(&x, 1, HEAD + 2, LINE, 15);
    bring(&x, 0, HEAD + 5, LINE, 1);
    cached_globals(&x, 1, HEAD + 2, LINE);
    cached_ack(&x, 1, HEAD + 2, LINE);
    (void)cached_issue(&x, 1);
    cached_fence(&x, 1, HEAD + 3, HEDDLE_RECORD_SCOPE_GPU);
    (void)cached_issue(&x, 1);
    cached_drop(&x, 1, HEAD + 4, LINE + 1, 15);
    cached_merge(&x, 0, HEAD + 6, LINE + 1, 15, 2);
    if (way == 0) fill_line(&x, 2, LINE + 1);
    cached_globals(&x, 1, HEAD + 4, LINE + 1);
    cached_ack(&x, 1, HEAD + 4, LINE + 1);
    if (way == 1) fill_line(&x, 2, LINE + 1);
    cached_hit(&x, 0, HEAD + 6, LINE + 1, 15, 2);
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 7, HEDDLE_RECORD_SCOPE_GPU);
    (void)cached_issue(&x, 0);
    cached_hit(&x, 0, HEAD + 8, LINE, 15, 1);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_STALE,
         way == 0 ? NULL : "has acquired all up to");
  }
}

/* ---- no way back */

/* Warp 1 writes over a copy; warp 0 reads what is new past the cache, then the copy. */
static void back(struct part s, struct part seen, struct part l) {
  (void)snprintf(text, sizeof text,
                 PROGRAM(FIRST_LANE "@P0     STG.E%s [R2+0x%x], R8 ;\n@P0     LDG.E%s.STRONG.GPU R12, [R2+0x%x] ;\n"
                                    "@P0     LDG.E%s R16, [R2+0x%x] ;\n"),
                 s.suffix, s.at, seen.suffix, seen.at, l.suffix, l.at);
  begin(&x, text, 2, &plain);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 6);
  cached_drop(&x, 0, HEAD + 5, LINE, 1);
  cached_global(&x, 0, HEAD + 5, FIRST);
  cached_ack(&x, 0, HEAD + 5, LINE);
  cached_drop(&x, 1, HEAD + 5, LINE, 1);
  (void)cached_issue_to(&x, 0, 2);
  cached_drop(&x, 0, HEAD + 6, LINE, 1);
  cached_merge(&x, 0, HEAD + 7, LINE, 1, 1);
  cached_fill(&x, 1, FIRST, false);
  cached_global(&x, 1, HEAD + 5, FIRST);
  cached_global(&x, 0, HEAD + 6, FIRST);
  cached_hit(&x, 0, HEAD + 7, LINE, 1, 1);
  const unsigned first = max_u32(max_u32(s.at, seen.at), l.at);
  const bool backwards = first < end(s) && first < end(seen) && first < end(l);
  char words[80];
  (void)snprintf(words, sizeof words, "byte %u was overwritten at position 3, and seq %u", first, HEAD + 6);
  done(&x, backwards ? HEDDLE_CHECKER_VISIBILITY_BACKWARDS : HEDDLE_CHECKER_NONE, backwards ? words : NULL);
}

static void backwards(void **state) {
  (void)state;
  static const struct part stores[] = {{".U8", 1, 5}, {"", 4, 4}, {".64", 8, 8}};
  for (unsigned s = 0; s < sizeof stores / sizeof *stores; s++)
    for (unsigned f = 0; f < PARTS; f++)
      for (unsigned l = 0; l < PARTS; l++) back(stores[s], part(f), part(l));
}

/* Two newer reads, of other lanes each, or of other bytes: each of them binds those who have read, in what they read.
 */
static void two_newer_reads(void **state) {
  (void)state;
  static const char lanes[] = PROGRAM("        ISETP.GT.U32.AND P0, PT, R0, 0x3, PT ;\n" STORE("0x0")
                                          STORE("0x80") "@%sP0    LDG.E.STRONG.GPU R4, [R2] ;\n"
                                                        "@%sP0    LDG.E.STRONG.GPU R5, [R2] ;\n"
                                                        "@%sP0    LDG.E R6, [R2] ;\n");
  for (unsigned way = 0; way < 4; way++) { /* who reads first, and who reads the old copy */
    const char *first = way / 2 == 0 ? "!" : "", *second = way / 2 == 0 ? "" : "!";
    (void)snprintf(text, sizeof text, lanes, first, second, way % 2 == 0 ? first : second);
    begin(&x, text, 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 3);
    write_line(&x, 0, HEAD + 1, LINE);
    write_line(&x, 0, HEAD + 2, LINE + 1);
    cached_drop(&x, 1, HEAD + 1, LINE, 15);
    (void)cached_issue_to(&x, 0, 3);
    cached_drop(&x, 0, HEAD + 3, LINE, 15);
    cached_drop(&x, 0, HEAD + 4, LINE, 15);
    cached_merge(&x, 0, HEAD + 5, LINE, 1, 1);
    cached_fill(&x, 1, FIRST, false);
    cached_global(&x, 1, HEAD + 1, FIRST);
    cached_global(&x, 0, HEAD + 3, FIRST);
    cached_global(&x, 0, HEAD + 4, FIRST);
    cached_hit(&x, 0, HEAD + 5, LINE, 1, 1);
    char words[40];
    (void)snprintf(words, sizeof words, "seq %u (pc", way % 2 == 0 ? HEAD + 3 : HEAD + 4);
    done(&x, HEDDLE_CHECKER_VISIBILITY_BACKWARDS, words);
  }
}

/* One lane sees the low half, then the high half; then it reads one of them in a copy that lacks both. */
static void two_newer_halves(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    (void)snprintf(text, sizeof text,
                   PROGRAM(FIRST_LANE "@P0     STG.E.64 [R2], R8 ;\n@P0     LDG.E.STRONG.GPU R12, [R2+0x%x] ;\n"
                                      "@P0     LDG.E.STRONG.GPU R13, [R2+0x%x] ;\n@P0     LDG.E R14, [R2+0x%x] ;\n"),
                   way / 2 * 4, 4 - way / 2 * 4, way % 2 * 4);
    begin(&x, text, 2, &plain);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue_to(&x, w, 6);
    cached_drop(&x, 0, HEAD + 5, LINE, 1);
    cached_global(&x, 0, HEAD + 5, FIRST);
    cached_ack(&x, 0, HEAD + 5, LINE);
    cached_drop(&x, 1, HEAD + 5, LINE, 1);
    (void)cached_issue_to(&x, 0, 3);
    for (uint32_t seq = HEAD + 6; seq <= HEAD + 7; seq++) cached_drop(&x, 0, seq, LINE, 1);
    cached_merge(&x, 0, HEAD + 8, LINE, 1, 1);
    cached_fill(&x, 1, FIRST, false);
    cached_global(&x, 1, HEAD + 5, FIRST);
    for (uint32_t seq = HEAD + 6; seq <= HEAD + 7; seq++) cached_global(&x, 0, seq, FIRST);
    cached_hit(&x, 0, HEAD + 8, LINE, 1, 1);
    char words[40];
    (void)snprintf(words, sizeof words, "seq %u (pc", way % 2 == way / 2 ? HEAD + 6 : HEAD + 7);
    done(&x, HEDDLE_CHECKER_VISIBILITY_BACKWARDS, words);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(own_stores),      cmocka_unit_test(own_store_of_two_lanes),
                                     cmocka_unit_test(acquired_data),   cmocka_unit_test(acquired_flags),
                                     cmocka_unit_test(old_flag),        cmocka_unit_test(backwards),
                                     cmocka_unit_test(two_newer_reads), cmocka_unit_test(two_newer_halves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
