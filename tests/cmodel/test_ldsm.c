/* SPDX-License-Identifier: Apache-2.0
 *
 * LDSM: which element each lane receives (isa/doc/10-matrices.md), whose
 * addresses count, undefined rows, and its performs in lockstep.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/assembly.h"
#include "tests/test.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/step.h"

#define SHARED 0x1000u

static struct heddle_performed p;

/* Row r of matrix i lies at place[8 * i + r]; the other lanes' addresses are nonsense. */
static void random_rows(struct machine *x, unsigned n, uint32_t place[32], uint64_t *seed) {
  for (unsigned i = 0; i < 32; i++) {
    place[i] = i < 8 * n ? rnd32(seed) % (SHARED / 16) * 16 : rnd32(seed);
    set_mem32(x, 0x4000 + 4 * i, place[i]);
  }
  for (unsigned i = 0; i < SHARED; i++) heddle_model_memory(x->model)[i] = (uint8_t)rnd32(seed);
}

/* Shared memory is a copy of the first bytes of the memory; then R4:R7 = 0x55, and the matrices to 0x8000. */
static void program(struct machine *x, unsigned n, bool transposed) {
  char text[2048];
  (void)snprintf(text, sizeof text,
                 TEXT_ADDRESS "S2R R0, SR_LANEID ;\n"
                              "IMAD.WIDE.U32 R16, R0, 0x10, R2 ;\nIMAD R1, R0, 0x10, RZ ;\nMOV R14, RZ ;\n"
                              "LDG.E.128 R20, [R16] ;\n" /* 0x60 */
                              "STS.128 [R1], R20 ;\n"
                              "IADD3 R16, R16, 0x200, RZ ;\nIADD3 R1, R1, 0x200, RZ ;\nIADD3 R14, R14, 0x1, RZ ;\n"
                              "ISETP.LT.U32.AND P0, PT, R14, 0x8, PT ;\n"
                              "@P0 BRA 0x60 ;\n"
                              "IMAD.WIDE.U32 R16, R0, 0x4, R2 ;\nLDG.E R18, [R16+0x4000] ;\n"
                              "MOV R4, 0x55 ;\nMOV R5, 0x55 ;\nMOV R6, 0x55 ;\nMOV R7, 0x55 ;\n"
                              "IADD3 R18, R18, 0x30, RZ ;\n"
                              "@!PT LDSM.16.M88.4 R4, [R18] ;\n"
                              "LDSM.16.%s.%u R4, [R18-0x30] ;\n"
                              "IMAD.WIDE.U32 R16, R0, 0x10, R2 ;\nSTG.E.128 [R16+0x8000], R4 ;\nEXIT ;\n",
                 transposed ? "MT88" : "M88", n);
  machine_text(x, text);
}

static uint32_t element(struct machine *x, const uint32_t place[32], unsigned matrix, unsigned row, unsigned column) {
  const uint8_t *m = heddle_model_memory(x->model) + place[8 * matrix + row] + 2 * column;
  return m[0] + 256u * m[1];
}

static uint32_t wanted(struct machine *x, const uint32_t place[32], bool transposed, unsigned matrix, unsigned lane) {
  const unsigned pair = 2 * (lane % 4), single = lane / 4;
  if (transposed) return element(x, place, matrix, pair, single) | element(x, place, matrix, pair + 1, single) << 16;
  return element(x, place, matrix, single, pair) | element(x, place, matrix, single, pair + 1) << 16;
}

/* Matrices of which `lanes` give the last rows while `rest` are left. */
static unsigned whole(uint32_t lanes, uint32_t rest) {
  unsigned done = 0;
  for (unsigned k = 0; k < 4; k++)
    if ((lanes >> 8 * k & 0xff) != 0 && (rest >> 8 * k & 0xff) == 0) done |= 1u << k;
  return done;
}

/* Rows in any order; the register of a matrix comes with the last one of its eight. */
static void run_lockstep(struct machine *x, uint64_t *seed) {
  machine_lockstep(x);
  do {
    steps(x, 1);
    const bool matrix = e.dec.op == ISA_OP_LDSM_16 && e.exec != 0;
    for (uint32_t rest = e.mem_lanes; rest != 0;) {
      const uint32_t some = rest & rnd32(seed), lanes = matrix && some != 0 ? some : rest;
      EXPECT(x, HEDDLE_OK, heddle_perform(x->model, 0, e.seq, lanes, &p));
      rest &= ~lanes;
      if (!matrix) continue;
      assert_int_equal(p.bytes, 16);
      const unsigned done = whole(lanes, rest) & ((1u << e.rd_words) - 1);
      assert_int_equal(p.rd_done, done);
      assert_int_equal(p.rd_words, done != 0 ? e.rd_words : 0);
      assert_int_equal(p.rd_lanes, done != 0 ? ~0u : 0);
      assert_memory_equal(p.old_bytes[__builtin_ctz(lanes)],
                          heddle_model_memory(x->model) + p.addr[__builtin_ctz(lanes)], 16);
    }
  } while (!e.warp_ended);
}

static void elements(void **state) {
  (void)state;
  uint64_t seed = 41;
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = SHARED;
  for (unsigned k = 0; k < 120; k++) {
    const unsigned n = 1u << k % 3;
    const bool transposed = k / 3 % 2 != 0;
    uint32_t place[32];
    random_rows(&x, n, place, &seed);
    program(&x, n, transposed);
    if (k % 4 < 2)
      EXPECT(&x, HEDDLE_OK, machine_run(&x));
    else
      run_lockstep(&x, &seed);
    for (unsigned i = 0; i < 32; i++)
      for (unsigned m = 0; m < 4; m++)
        assert_int_equal(mem32(&x, 0x8000 + 16 * i + 4 * m), m < n ? wanted(&x, place, transposed, m, i) : 0x55);
  }
  machine_free(&x);
}

/* By hand: matrix 1 of two has element 16 * row + column; lane 13 is in row 3 (transposed: column 3). */
static void by_hand(void **state) {
  (void)state;
  for (unsigned t = 0; t < 2; t++) {
    struct machine x;
    machine_init(&x);
    x.launch.shared_bytes = SHARED;
    program(&x, 2, t == 1);
    for (unsigned i = 0; i < 32; i++) set_mem32(&x, 0x4000 + 4 * i, 16 * (i % 8));
    for (unsigned r = 0; r < 8; r++)
      for (unsigned c = 0; c < 8; c += 2) set_mem32(&x, 16 * r + 2 * c, (16 * r + c) | (16 * r + c + 1) << 16);
    EXPECT(&x, HEDDLE_OK, machine_run(&x));
    assert_int_equal(mem32(&x, 0x8000 + 16 * 13 + 4), t == 0 ? 0x00330032 : 0x00330023);
    machine_free(&x);
  }
}

static void faults(void **state) {
  (void)state;
  static const struct {
    uint32_t at[32];
    unsigned n;
    enum heddle_cause cause;
    uint32_t lanes;
    uint64_t addr;
  } f[] = {
      {{[3] = 8, [9] = 0x1000}, 2, HEDDLE_TRAP_MISALIGNED, 0x208, 8},
      {{[8] = 0xff8, [20] = 3}, 1, HEDDLE_TRAP_NONE, 0, 0},
      {{[31] = 0xff0}, 4, HEDDLE_TRAP_NONE, 0, 0},
      {{[31] = 0x1000}, 4, HEDDLE_TRAP_OUT_OF_RANGE, 0x80000000u, 0x1000},
  };
  for (unsigned k = 0; k < sizeof f / sizeof f[0]; k++) {
    struct machine x;
    machine_init(&x);
    x.launch.shared_bytes = SHARED;
    program(&x, f[k].n, false);
    for (unsigned i = 0; i < 32; i++) set_mem32(&x, 0x4000 + 4 * i, f[k].at[i]);
    EXPECT(&x, f[k].cause == HEDDLE_TRAP_NONE ? HEDDLE_OK : HEDDLE_TRAPPED, machine_run(&x));
    expect_trap(&x, f[k].cause, f[k].cause != HEDDLE_TRAP_NONE ? 0x150 : 0, f[k].lanes, f[k].addr);
    machine_free(&x);
  }
}

/* Rows 0 and 1 are defined, row 2 is not: lanes 8 to 11 receive it; of the transposed matrix, every second pair. */
static void undefined(void **state) {
  (void)state;
  for (unsigned t = 0; t < 4; t++) {
    struct machine x;
    char text[512];
    machine_init(&x);
    x.launch.shared_bytes = 128;
    (void)snprintf(text, sizeof text,
                   "S2R R0, SR_LANEID ;\nIMAD R1, R0, 0x4, RZ ;\nISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n"
                   "ISETP.GE.U32.AND P1, PT, R0, 0xc, PT ;\n@P0 STS [R1], R0 ;\n@P1 STS [R1], R0 ;\n"
                   "LOP3.LUT R1, R0, 0x7, RZ, 0xc0 ;\nIMAD R1, R1, 0x10, RZ ;\nLDSM.16.%s.1 R4, [R1] ;\n"
                   "LDS R4, [R4] ;\nEXIT ;\n",
                   t % 2 == 0 ? "M88" : "MT88");
    machine_text(&x, text);
    const uint32_t lanes = t % 2 == 0 ? 0xf00 : 0x22222222;
    char words[64];
    (void)snprintf(words, sizeof words, "R4 (operand a) in lanes 0x%08x", lanes);
    if (t < 2) {
      EXPECT(&x, HEDDLE_UNDEFINED, machine_run(&x));
    } else {
      machine_lockstep(&x);
      for (unsigned n = 0; n < 9; n++) {
        steps(&x, 1);
        if (n == 4 || n == 5) EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, e.seq, e.mem_lanes, &p));
      }
      assert_int_equal(e.mem_lanes, 0xff);
      assert_int_equal(e.mem_kind, HEDDLE_ACCESS_LOAD_MATRIX);
      EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, 8, 3, &p));
      EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, 8, 4, &p));
      assert_int_equal(p.bytes_unknown, 4);
      EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, 8, 0xf8, &p));
      assert_int_equal(p.rd_unknown[0], lanes);
      EXPECT(&x, HEDDLE_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
    }
    if (strstr(heddle_model_diag(x.model), words) == NULL)
      fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x.model), words);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements),
      cmocka_unit_test(by_hand),
      cmocka_unit_test(faults),
      cmocka_unit_test(undefined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
