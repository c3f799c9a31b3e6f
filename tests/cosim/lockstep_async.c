/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies on the machines that have them, clause by clause of isa/doc/14-asynchronous-copies.md. What a
 * program leaves is known here; every record on the way is judged as always.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/config.h>
#include "tests/cosim/lockstep_rig.h"

enum { THREADS = 12 * 64, OUT = FAKE_BYTES / 2 };

/* R0 the thread, R1 its number in the block, R2 its 16 bytes of `in`, R6 of `out`, R4, R5, R8 of shared memory, R9 its
 * warp's; R20 to R23 words of its own. */
#define PROGRAM(body)                                                                                                  \
  ".kernel k\n.param u64 in\n.param u64 out\n.shared all 4096\n"                                                       \
  "        S2R R1, SR_TID.X ;\n"                                                                                       \
  "        S2R R0, SR_CTAID.X ;\n"                                                                                     \
  "        IMAD R0, R0, c[0x0][0x0], R1 ;\n"                                                                           \
  "        MOV R2, c[0x0][in] ;\n"                                                                                     \
  "        MOV R3, c[0x0][in+4] ;\n"                                                                                   \
  "        IMAD.WIDE R2, R0, 0x10, R2 ;\n"                                                                             \
  "        MOV R6, c[0x0][out] ;\n"                                                                                    \
  "        MOV R7, c[0x0][out+4] ;\n"                                                                                  \
  "        IMAD.WIDE R6, R0, 0x10, R6 ;\n"                                                                             \
  "        SHF.L.U32 R4, R1, 0x4, RZ ;\n"                                                                              \
  "        IADD3 R5, R4, 0x400, RZ ;\n"                                                                                \
  "        IADD3 R8, R4, 0x800, RZ ;\n"                                                                                \
  "        LOP3.LUT R9, R4, 0xe00, RZ, 0xc0 ;\n"                                                                       \
  "        IADD3 R9, R9, 0xc00, RZ ;\n"                                                                                \
  "        SHF.L.U32 R20, R0, 0x2, RZ ;\n"                                                                             \
  "        IADD3 R21, R20, 0x1, RZ ;\n"                                                                                \
  "        IADD3 R22, R20, 0x2, RZ ;\n"                                                                                \
  "        IADD3 R23, R20, 0x3, RZ ;\n"                                                                                \
  "        MOV R16, RZ ;\n        MOV R17, RZ ;\n        MOV R18, RZ ;\n        MOV R19, RZ ;\n" body                  \
  "        STG.E.128 [R6], R16 ;\n"                                                                                    \
  "        EXIT ;\n.end\n"
#define ALL "        LDGDEPBAR ;\n        DEPBAR.LE SB5, 0x0 ;\n"

static uint8_t first[FAKE_BYTES], memory[FAKE_BYTES];

/* Under every memory and both modes. */
static void everywhere(const char *text) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
    c.adversarial = seed != 3;
    c.withhold_ready = seed == 2;
    c.scoreboard = seed < 3;
    rig_expect(HEDDLE_SESSION_OK, rig_run(&c, text, &r, memory), &r);
  }
}

static const uint8_t *out_of(unsigned thread) {
  return &memory[OUT + 16 * thread];
}

static void test_sizes(void **state) {
  (void)state;
  everywhere(PROGRAM("        LDGSTS.E [R4], [R2+0x4] ;\n"
                     "        LDGSTS.E.64 [R5], [R2+0x8] ;\n"
                     "        LDGSTS.E.128 [R8], [R2] ;\n" ALL "        LDS.128 R16, [R8] ;\n"
                     "        LDS R12, [R4] ;\n"
                     "        LDS.64 R14, [R5] ;\n"
                     "        STG.E [R6+0x3004], R12 ;\n"
                     "        STG.E.64 [R6+0x3008], R14 ;\n"
                     "        LDS R12, [R8] ;\n"
                     "        STG.E [R6+0x3000], R12 ;\n"));
  for (unsigned i = 0; i < THREADS; i++) {
    assert_memory_equal(out_of(i), &first[16 * i], 16);
    assert_memory_equal(out_of(i) + 0x3000, &first[16 * i], 16);
  }
}

/* Of lanes that write the same bytes the highest comes last; of no lane there is nothing, and it may be waited for. */
static void test_lanes(void **state) {
  (void)state;
  everywhere(PROGRAM("        STS.128 [R5], R20 ;\n"
                     "        LDGSTS.E.128 [R9], [R2] ;\n"
                     "@!PT    LDGSTS.E.128 [R5], [R2] ;\n"
                     "@!PT    LDGDEPBAR ;\n"
                     "        DEPBAR.LE SB5, 0x0 ;\n"
                     "        LDS.128 R16, [R9] ;\n"
                     "        LDS.128 R12, [R5] ;\n"
                     "        STG.E.128 [R6+0x3000], R12 ;\n"));
  for (unsigned i = 0; i < THREADS; i++) {
    const uint32_t own[4] = {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3};
    assert_memory_equal(out_of(i), &first[16 * (i | 31)], 16);
    assert_memory_equal(out_of(i) + 0x3000, own, 16);
  }
}

/* What is older comes first: a store to what is loaded, a store to where it goes, an atomic there, and a load. */
static void test_older(void **state) {
  (void)state;
  everywhere(PROGRAM("        MOV R24, 0x1111 ;\n"
                     "        STG.E.128 [R2], R20 ;\n"
                     "        STS [R4], R24 ;\n"
                     "        LDS R25, [R4] ;\n"
                     "        ATOMS.ADD R26, [R4], R24 ;\n"
                     "        STS [R4+0xc], R24 ;\n"
                     "        LDGSTS.E.128 [R4], [R2] ;\n" ALL "        LDS.128 R16, [R4] ;\n"
                     "        STG.E [R6+0x3000], R25 ;\n"
                     "        STG.E [R6+0x3004], R26 ;\n"));
  for (unsigned i = 0; i < THREADS; i++) {
    const uint32_t own[4] = {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, was[2] = {0x1111, 0x1111};
    assert_memory_equal(out_of(i), own, 16);
    assert_memory_equal(out_of(i) + 0x3000, was, 8);
  }
}

/* Groups: the older one of two; both; a copy's own counter; a fence. Another warp sees it behind a barrier. */
static void test_waits(void **state) {
  (void)state;
  everywhere(PROGRAM("        LDGSTS.E [R4], [R2] ;\n"
                     "        LDGDEPBAR ;\n"
                     "        LDGSTS.E [R5], [R2+0x4004] ;\n"
                     "        LDGDEPBAR ;\n"
                     "        DEPBAR.LE SB5, 0x1 ;\n"
                     "        LDS R16, [R4] ;\n"
                     "        DEPBAR.LE SB5, 0x0 ;\n"
                     "        LDS R17, [R5] ;\n"
                     "[B------:R-:W1:-:S01] LDGSTS.E [R8], [R2+0x4008] ;\n"
                     "[B-1----:R-:W0:-:S01] LDS R18, [R8] ;\n"
                     "[B0-----:R-:W-:-:S04] LDGSTS.E [R5], [R2+0xc] ;\n"
                     "        MEMBAR.GPU ;\n"
                     "        BAR.SYNC 0x0 ;\n"
                     "        LOP3.LUT R5, R5, 0x200, RZ, 0x3c ;\n"
                     "        LDS R19, [R5] ;\n"));
  for (unsigned i = 0; i < THREADS; i++) {
    assert_memory_equal(out_of(i), &first[16 * i], 4);
    assert_memory_equal(out_of(i) + 4, &first[0x4004 + 16 * i], 4);
    assert_memory_equal(out_of(i) + 8, &first[0x4008 + 16 * i], 4);
    assert_memory_equal(out_of(i) + 12, &first[12 + 16 * (i ^ 32)], 4);
  }
}

/* More than any queue holds, from everywhere, and nobody waits: blocks end with all of them. */
static void test_many(void **state) {
  (void)state;
  everywhere(PROGRAM("        MOV R10, RZ ;\n"
                     "again:\n"
                     "        LDGSTS.E.128 [R4], [R2] ;\n"
                     "        LDGSTS.E [R5], [R2+0x4000] ;\n"
                     "        LDGDEPBAR ;\n"
                     "        LDG.E R16, [R2+0x4] ;\n"
                     "        STS [R9], R10 ;\n"
                     "        LDGSTS.E.64 [R8], [R2+0x2000] ;\n"
                     "        LDS R17, [R9] ;\n"
                     "        IADD3 R10, R10, 0x1, RZ ;\n"
                     "[B------:R-:W-:-:S15] ISETP.LT.AND P0, PT, R10, 0x14, PT ;\n"
                     "@P0     BRA again ;\n"));
}

/* Cycles from a copy to what follows `wait`, of memory that answers after LATENCY: of the third time, code and all else
 * are there. */
enum { LATENCY = 400 };

static uint32_t cycles(const char *wait) {
  static const char text[] = PROGRAM("        MOV R16, 0x8000 ;\n"
                                     "        STS [R5], R20 ;\n"
                                     "        MOV R24, RZ ;\n"
                                     "again:\n"
                                     "        CS2R R10, SR_CLOCKLO ;\n"
                                     "        LDGSTS.E [R4], [R2] ;\n%s"
                                     "        CS2R R12, SR_CLOCKLO ;\n"
                                     "        MEMBAR.GPU ;\n"
                                     "        IADD3 R2, R2, 0x1000, RZ ;\n"
                                     "        IADD3 R16, R12, -R10, RZ ;\n"
                                     "        IADD3 R24, R24, 0x1, RZ ;\n"
                                     "        ISETP.LT.AND P0, PT, R24, 0x3, PT ;\n"
                                     "@P0     BRA again ;\n");
  struct heddle_message msg;
  char whole[sizeof text + 256];
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 1);
  struct heddle_session_result r = {.size = sizeof r};
  struct fake_program p;
  uint32_t took;
  c.adversarial = false;
  c.latency = LATENCY;
  (void)snprintf(whole, sizeof whole, text, wait);
  struct heddle_session *s;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p, whole, 1, 32);
  fake_fill(heddle_session_memory(s));
  rig_expect(HEDDLE_SESSION_OK, heddle_session_run(s, &p.launch, &r), &r);
  memcpy(&took, heddle_session_memory(s) + OUT, 4);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  fake_program_free(&p);
  return took;
}

static void test_who_waits(void **state) {
  (void)state;
  static const char *const goes_on[] = {"",
                                        "        BAR.SYNC 0x0 ;\n",
                                        "        MEMBAR.CTA ;\n",
                                        "        LDS R14, [R5] ;\n        IADD3 R14, R14, 0x1, RZ ;\n",
                                        "        STS [R4], R20 ;\n        MEMBAR.CTA ;\n",
                                        "        LDGDEPBAR ;\n        DEPBAR.LE SB5, 0x1 ;\n",
                                        "        LDGDEPBAR ;\n        BAR.SYNC 0x0 ;\n",
                                        "@!PT    MEMBAR.CTA ;\n"},
                           *const waits[] = {
                               ALL, "@!PT    LDGDEPBAR ;\n        DEPBAR.LE SB5, 0x0 ;\n", "        MEMBAR.GPU ;\n",
                               "        MEMBAR.SYS ;\n",
                               "        LDGDEPBAR ;\n        LDGDEPBAR ;\n        DEPBAR.LE SB5, 0x1 ;\n"};
  for (unsigned i = 0; i < sizeof goes_on / sizeof *goes_on; i++) {
    const uint32_t n = cycles(goes_on[i]);
    if (n >= LATENCY / 2) fail_msg("%u cycles behind a copy that nobody waits for:\n%s", n, goes_on[i]);
  }
  for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++) {
    const uint32_t n = cycles(waits[i]);
    if (n < LATENCY) fail_msg("%u cycles, and a copy takes more:\n%s", n, waits[i]);
  }
}

/* P0 is lane 3, P1 lane 5, R30 where nothing may be read, R31 beyond shared memory. */
#define TRAP(body)                                                                                                     \
  PROGRAM("        S2R R29, SR_LANEID ;\n"                                                                             \
          "        ISETP.EQ.AND P0, PT, R29, 0x3, PT ;\n"                                                              \
          "        ISETP.EQ.AND P1, PT, R29, 0x5, PT ;\n"                                                              \
          "        MOV R30, 0x40 ;\n"                                                                                  \
          "        MOV R31, 0x1000 ;\n" body)

static void test_traps(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum heddle_cause cause;
    uint32_t lanes;
    uint64_t addr;
  } all[] = {
      /* from where: the lowest lane says what it is */
      {TRAP("@P0     IADD3 R2, R2, 0x4, RZ ;\n@P1     MOV R2, R30 ;\n        LDGSTS.E [R4], [R2] ;\n"),
       HEDDLE_TRAP_OUT_OF_RANGE, 1u << 5, 0x40},
      {TRAP("@P0     IADD3 R2, R2, 0x4, RZ ;\n@P1     MOV R2, R30 ;\n        LDGSTS.E.128 [R4], [R2] ;\n"),
       HEDDLE_TRAP_MISALIGNED, 1u << 3 | 1u << 5, FAKE_BASE + 0x34},
      /* where to */
      {TRAP("@P1     IADD3 R4, R4, 0x4, RZ ;\n        LDGSTS.E.64 [R4], [R2] ;\n"), HEDDLE_TRAP_MISALIGNED, 1u << 5,
       0x54},
      {TRAP("@P0     MOV R4, R31 ;\n@P1     IADD3 R4, R4, 0x2, RZ ;\n        LDGSTS.E [R4], [R2] ;\n"),
       HEDDLE_TRAP_OUT_OF_RANGE, 1u << 3 | 1u << 5, 0x1000},
      {TRAP("@P0     MOV R4, 0xfffffff0 ;\n        LDGSTS.E.128 [R4], [R2] ;\n"), HEDDLE_TRAP_OUT_OF_RANGE, 1u << 3,
       0xfffffff0},
      {TRAP("        IADD3 R4, R4, 0xe10, RZ ;\n        LDGSTS.E.128 [R4], [R2] ;\n"), HEDDLE_TRAP_OUT_OF_RANGE,
       1u << 31, 0x1000},
      /* from where comes first, whatever the lanes */
      {TRAP("@P0     MOV R4, R31 ;\n@P1     MOV R2, R30 ;\n        LDGSTS.E [R4], [R2] ;\n"), HEDDLE_TRAP_OUT_OF_RANGE,
       1u << 5, 0x40},
      /* lanes that do not execute do not count */
      {TRAP("@P0     MOV R4, R31 ;\n@!P0    LDGSTS.E [R4], [R2] ;\n@P1     MOV R2, R30 ;\n        LDGSTS.E [R4], [R2] "
            ";\n"),
       HEDDLE_TRAP_OUT_OF_RANGE, 1u << 5, 0x40},
      /* copies before it are completed, copies behind it refused */
      {TRAP("        LDGSTS.E.128 [R4], [R2] ;\n        LDGSTS.E [R5], [R2+0x2000] ;\n        LDGDEPBAR ;\n"
            "@P1     MOV R2, R30 ;\n        LDG.E R16, [R2] ;\n        LDGSTS.E.128 [R8], [R2] ;\n        LDGDEPBAR "
            ";\n"),
       HEDDLE_TRAP_OUT_OF_RANGE, 1u << 5, 0x40},
      {TRAP("        LDGSTS.E.128 [R4], [R2] ;\n@P1     MOV R8, R31 ;\n        LDGSTS.E [R8], [R2] ;\n        BAR.SYNC "
            "0x0 ;\n"),
       HEDDLE_TRAP_OUT_OF_RANGE, 1u << 5, 0x1000},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
      struct heddle_session_result r = {.size = sizeof r};
      struct heddle_message msg;
      struct fake_program p;
      const struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
      struct heddle_session *s;
      if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
      fake_assemble(&p, all[i].text, 1, 32);
      fake_fill(heddle_session_memory(s));
      rig_expect(HEDDLE_SESSION_TRAPPED, heddle_session_run(s, &p.launch, &r), &r);
      if (r.trap.cause != all[i].cause || r.trap.lanes != all[i].lanes || r.trap.addr != all[i].addr)
        fail_msg("program %u: cause %d lanes 0x%08x address 0x%llx", i, (int)r.trap.cause, r.trap.lanes,
                 (unsigned long long)r.trap.addr);
      assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
      fake_program_free(&p);
    }
  }
}

/* Memory answers with an error: of the copy alone, beside others, behind a group that somebody waits for. */
static void test_errors(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    struct heddle_session_result r = {.size = sizeof r};
    struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, seed);
    c.error_base = FAKE_BASE + 0x1200;
    c.error_limit = FAKE_BASE + 0x1220;
    rig_expect(HEDDLE_SESSION_TRAPPED,
               rig_run(&c,
                       PROGRAM("        LDGSTS.E.128 [R8], [R2+0x2000] ;\n"
                               "        LDGSTS.E.64 [R4], [R2] ;\n" ALL "        LDS.64 R16, [R4] ;\n"),
                       &r, NULL),
               &r);
    assert_int_equal(r.trap.cause, HEDDLE_TRAP_BUS);
  }
}

int lockstep_async(void) {
  const struct heddle_config *m = heddle_config_find(rig_machine);
  if (m == NULL || (m->pipes & HEDDLE_PIPE_ASYNC) == 0) return 0;
  fake_fill(first);
  const struct CMUnitTest all[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_lanes),
                                   cmocka_unit_test(test_older), cmocka_unit_test(test_waits),
                                   cmocka_unit_test(test_many),  cmocka_unit_test(test_who_waits),
                                   cmocka_unit_test(test_traps), cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(all, NULL, NULL);
}
