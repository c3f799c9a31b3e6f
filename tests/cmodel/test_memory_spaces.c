/* SPDX-License-Identifier: Apache-2.0
 *
 * Local and generic memory: who sees what, what is undefined, faults; accesses at the edges of the memory, where rows
 * do not fit; LDSM.
 */
#include <stdio.h>
#include <string.h>
#include "tests/cmodel/machine.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/step.h"
#include "tests/test.h"

#define LOCAL_WINDOW 0x2000000 /* upper words of generic addresses */
#define SHARED_WINDOW 0x1000000

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = 0x100;
  x->launch.local_bytes = 0x40;
  machine_text(x, text);
}

static void undefined(struct machine *x, enum heddle_error got, const char *words) {
  EXPECT(x, HEDDLE_ERROR_UNDEFINED, got);
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

/* Each thread has its own; two warps and two blocks of one program write and read the same addresses. */
static void threads_are_apart(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_ADDRESS "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
                         "IMAD R4, R1, 0x40, R0 ;\n" /* number of the thread */
                         "STL [RZ+0x3c], R4 ;\n"
                         "BAR.SYNC 0x0 ;\n"
                         "MOV R8, 0x3c ;\nMOV R9, 0x2000000 ;\n"
                         "LD.E R5, [R8] ;\n"
                         "IMAD.WIDE.U32 R6, R4, 0x4, R2 ;\n"
                         "STG.E [R6], R5 ;\nEXIT ;\n");
  x.launch.grid[0] = 2;
  x.launch.block[0] = 64;
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  for (unsigned i = 0; i < 128; i++) assert_int_equal(mem32(&x, 4 * i), i);
  machine_free(&x);
}

/* Byte by byte, in each lane; and what an earlier warp of the slot wrote is gone. */
static void undefined_local(void **state) {
  (void)state;
  static const uint32_t second[3] = {1, 0, 0};
  static const uint8_t slot[1] = {0};
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x4) "@P0 STL.U16 [RZ+0x6], R0 ;\n" /* 0x20 */
                                  "@P0 LDL.U16 R1, [RZ+0x6] ;\n"
                                  "@P0 IADD3 R1, R1, 0x1, RZ ;\n"
                                  "@P0 LDL R1, [RZ+0x4] ;\n@P0 LDS R1, [R1] ;\n");
  undefined(&x, machine_run(&x), "R1 (operand a) in lanes 0x0000000f, block (0,0,0) warp 0 seq 6 pc 0x00000060");
  machine_free(&x);
  begin(&x, TEXT_LANES_BELOW(0x4) "@P0 STL [RZ+0x4], R0 ;\nLDL R1, [RZ+0x4] ;\nLDS R1, [R1] ;\n");
  undefined(&x, machine_run(&x), "R1 (operand a) in lanes 0xfffffff0");
  machine_free(&x);
  begin(&x, "S2R R0, SR_LANEID ;\nS2R R1, SR_CTAID.X ;\nISETP.EQ.U32.AND P0, PT, R1, 0x0, PT ;\n"
            "@P0 STL.128 [RZ+0x30], R0 ;\n@P0 STL [RZ+0x20], R0 ;\n@!P0 LDL R4, [RZ+0x20] ;\nEXIT ;\n");
  x.launch.grid[0] = 2;
  machine_patch(
      &x, 0x30,
      word_guard(WORD(ISA_ENC_STL_ST, ISA_F_RB, ISA_RZ, ISA_F_RA, ISA_RZ, ISA_F_OFF24, 0x30, ISA_F_SIZE, ISA_SIZE_128),
                 0, false));
  machine_lockstep(&x);
  static struct heddle_performed p;
  do {
    steps(&x, 1);
    if (e.mem_lanes != 0) EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, e.seq, e.mem_lanes, &p));
  } while (!e.warp_ended);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start(x.model, 0, second, slot, 1));
  steps(&x, 6);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 5, ~0u, &p));
  assert_int_equal(p.rd_unknown[0], ~0u);
  machine_free(&x);
}

/* A generic load meets undefined bytes in one of its spaces. */
static void undefined_generic(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x4) "SEL R5, RZ, 0x1000000, P0 ;\n" /* lanes 0 to 3: global, the others shared */
                                  "SEL R5, R5, 0x2, !P0 ;\n"
                                  "MOV R4, 0x40 ;\n"
                                  "LD.E.U8 R6, [R4] ;\nLDS R6, [R6] ;\n");
  undefined(&x, machine_run(&x), "R6 (operand a) in lanes 0xfffffff0");
  machine_free(&x);
}

/* ---- faults ---- */

struct fault {
  const char *insn; /* R0 lane; R4:R5 lane * 8 + a window; R6 lane * 8 */
  uint32_t window;  /* upper word */
  enum heddle_cause cause;
  uint32_t lanes;
  uint64_t addr;
};

static void faults(void **state) {
  (void)state;
  const uint64_t shared = UINT64_C(1) << 56, local = UINT64_C(2) << 56;
  const struct fault f[] = {
      {"LDL R8, [R6+0x0]", 0, HEDDLE_TRAP_OUT_OF_RANGE, 0xffffff00u, 0x40},
      {"STL.64 [R6+-0x8], R8", 0, HEDDLE_TRAP_OUT_OF_RANGE, 0xfffffe01u, 0xfffffff8},
      {"LDL R8, [R6+0x2]", 0, HEDDLE_TRAP_MISALIGNED, ~0u, 2},
      {"STL.128 [R6], R8", 0, HEDDLE_TRAP_MISALIGNED, 0xffffffaau, 8},
      {"LDL.U8 R8, [RZ+0x40]", 0, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, 0x40},
      {"LD.E R8, [R4]", LOCAL_WINDOW, HEDDLE_TRAP_OUT_OF_RANGE, 0xffffff00u, local | 0x40},
      {"ST.E.64 [R4], R8", SHARED_WINDOW, HEDDLE_TRAP_NONE, 0, 0},
      {"ST.E.64 [R4+0x40], R8", SHARED_WINDOW, HEDDLE_TRAP_OUT_OF_RANGE, 0xff000000u, shared | 0x100},
      {"LD.E.U8 R8, [R4]", SHARED_WINDOW | 1, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, shared | UINT64_C(1) << 32},
      {"LD.E.U8 R8, [R4]", LOCAL_WINDOW | 0x800000, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, local | UINT64_C(1) << 55},
      {"LD.E R8, [R4+0x1]", LOCAL_WINDOW | 0x800000, HEDDLE_TRAP_MISALIGNED, ~0u, local | UINT64_C(1) << 55 | 1},
      {"LD.E R8, [R4]", 0x3000000, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, UINT64_C(3) << 56},
      {"LD.E R8, [R4]", 0xff000000u, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, UINT64_C(255) << 56},
      {"LD.E R8, [R4]", 0x100, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, UINT64_C(1) << 40}, /* global: 40 bits */
      {"LD.E R8, [R4]", 0, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, 0},                     /* global: no region */
      {"LD.E R8, [R4]", 2, HEDDLE_TRAP_NONE, 0, 0},
      {"ST.E [R4+0x7f80], R8", 2, HEDDLE_TRAP_WRITE_PROTECTED, 0xffff0000u, MEM_BASE + 0x8000},
      {"ST.E [R4+0x8f80], R8", 2, HEDDLE_TRAP_WRITE_PROTECTED, ~0u, MEM_BASE + 0x8f80},
      {"STG.E [R4+0x8800], R8", 2, HEDDLE_TRAP_WRITE_PROTECTED, ~0u, MEM_BASE + 0x8800}, /* all in one region */
      {"RED.E.ADD [R4+0x8800], R8", 2, HEDDLE_TRAP_WRITE_PROTECTED, ~0u, MEM_BASE + 0x8800},
      {"LDG.E R8, [R4+0x8800]", 2, HEDDLE_TRAP_NONE, 0, 0},
  };
  for (unsigned n = 0; n < 2 * sizeof f / sizeof f[0]; n++) {
    const struct fault *t = &f[n / 2];
    char text[512];
    struct machine x;
    (void)snprintf(text, sizeof text,
                   "S2R R0, SR_LANEID ;\nIMAD R6, R0, 0x8, RZ ;\nMOV R4, R6 ;\nMOV R5, 0x%x ;\n"
                   "MOV R8, RZ ;\nMOV R9, RZ ;\nMOV R10, RZ ;\nMOV R11, RZ ;\n%s ;\nEXIT ;\n",
                   t->window, t->insn);
    begin(&x, text);
    x.launch.regions = 2;
    x.launch.region[0] = (struct heddle_region){MEM_BASE, MEM_BASE + 0x8000, true};
    x.launch.region[1] = (struct heddle_region){MEM_BASE + 0x8000, MEM_BASE + 0x9000, false};
    if (n % 2 == 0) {
      EXPECT(&x, t->cause == HEDDLE_TRAP_NONE ? HEDDLE_SUCCESS : HEDDLE_ERROR_TRAPPED, machine_run(&x));
    } else {
      machine_lockstep(&x);
      steps(&x, 9);
      assert_int_equal(e.traps, t->cause != HEDDLE_TRAP_NONE);
    }
    expect_trap(&x, t->cause, t->cause != HEDDLE_TRAP_NONE ? 0x80 : 0, t->lanes, t->addr);
    machine_free(&x);
  }
}

/* The kind and the address of the lowest lane at fault, over three spaces. */
static void mixed_faults(void **state) {
  (void)state;
  static const struct {
    uint32_t low[4], high[4]; /* of lanes 0 to 3; the others read global memory */
    enum heddle_cause cause;
    uint32_t lanes;
    unsigned lane;
  } f[] = {
      {{0x40, 0x100, 0, 2}, {LOCAL_WINDOW, SHARED_WINDOW, 2, 2}, HEDDLE_TRAP_OUT_OF_RANGE, 0xb, 0},
      {{0, 0, 0x102, 2}, {2, 2, SHARED_WINDOW, 2}, HEDDLE_TRAP_MISALIGNED, 0xc, 2},
      {{0, 0, 0, 0}, {2, 2, 2, 0x5000000}, HEDDLE_TRAP_OUT_OF_RANGE, 0x8, 3},
  };
  for (unsigned n = 0; n < sizeof f / sizeof f[0]; n++) {
    struct machine x;
    begin(&x,
          TEXT_ADDRESS "S2R R0, SR_LANEID ;\nIMAD.WIDE.U32 R4, R0, 0x8, R2 ;\nLDG.E.64 R4, [R4] ;\nLD.E R8, [R4] ;\n");
    for (unsigned i = 0; i < 32; i++) {
      set_mem32(&x, 8 * i, i < 4 ? f[n].low[i] : 0);
      set_mem32(&x, 8 * i + 4, i < 4 ? f[n].high[i] : 2);
    }
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, f[n].cause, 0x50, f[n].lanes, f[n].low[f[n].lane] | (uint64_t)f[n].high[f[n].lane] << 32);
    machine_free(&x);
  }
}

/* ---- rows at the edges ---- */

/* Lanes first .. last read and write words side by side, from the first to the last byte of the memory. */
static void edges(uint64_t base, uint64_t bytes, uint64_t at, unsigned first, unsigned last) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = base, .bytes = bytes, .warp_slots = 1, .block_slots = 1};
  char text[1024];
  struct machine x;
  machine_init(&x);
  heddle_model_free(x.model);
  x.model = heddle_model_new(&c);
  if (x.model == NULL) return; /* a host without so much memory */
  x.launch.region[0] = (struct heddle_region){base, base + bytes, true};
  const uint64_t zero = at - 4 * first; /* where lane 0 would be */
  (void)snprintf(text, sizeof text,
                 "S2R R0, SR_LANEID ;\nMOV R2, 0x%x ;\nMOV R3, 0x%x ;\nIMAD.WIDE R4, R0, 0x4, R2 ;\n"
                 "IADD3 R6, R0, -0x%x, RZ ;\nISETP.LE.U32.AND P0, PT, R6, 0x%x, PT ;\n"
                 "@P0 LDG.E R8, [R4+0x10] ;\n@P0 IADD3 R8, R8, 0x100, R0 ;\n@P0 STG.E [R4+0x10], R8 ;\nEXIT ;\n",
                 (uint32_t)(zero - 16), (uint32_t)((zero - 16) >> 32), first, last - first);
  machine_text(&x, text);
  for (unsigned i = first; i <= last; i++) set_mem32(&x, at - base + 4 * (i - first), i);
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  for (unsigned i = first; i <= last; i++) assert_int_equal(mem32(&x, at - base + 4 * (i - first)), 0x100 + 2 * i);
  machine_free(&x);
}

static void rows_at_edges(void **state) {
  (void)state;
  edges(MEM_BASE, 0x80, MEM_BASE, 0, 31);
  edges(MEM_BASE, 0x40, MEM_BASE, 0, 15);  /* the row would end outside */
  edges(MEM_BASE, 0x40, MEM_BASE, 16, 31); /* and begin outside */
  edges(MEM_BASE, 0x10, MEM_BASE, 14, 17);
  edges(MEM_BASE, 4, MEM_BASE, 31, 31);
  edges(UINT64_C(0x1ffffffc0), 0x80, UINT64_C(0x1ffffffc0), 0, 31); /* the low words wrap */
  edges(MEM_BASE - 0x1000, 0x2000, MEM_BASE - 0x40, 0, 31);
  edges(MEM_BASE + 2, 0x102, MEM_BASE + 4, 0, 31);                /* an odd base */
  edges(0, UINT64_C(6) << 30, (UINT64_C(4) << 30) - 0x40, 0, 31); /* places of 33 bits */
  edges(0, UINT64_C(6) << 30, UINT64_C(5) << 30, 0, 31);
}

/* It is the address that must be aligned, not its distance from the base. */
static void odd_base(void **state) {
  (void)state;
  const struct heddle_model_config c = {
      .size = sizeof c, .base = 0x1002, .bytes = 0x1000, .warp_slots = 1, .block_slots = 1};
  struct machine x;
  machine_init(&x);
  heddle_model_free(x.model);
  x.model = heddle_model_new(&c);
  x.launch.region[0] = (struct heddle_region){0x1002, 0x2002, true};
  machine_text(&x, "MOV R2, 0x1002 ;\nMOV R3, RZ ;\nLDG.E R4, [R2+0x2] ;\nLDG.E R4, [R2] ;\n");
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_MISALIGNED, 0x30, ~0u, 0x1002);
  machine_free(&x);
}

/* Lanes that lie further apart than 4 GiB; and another region that allows what the first one does not. */
static void far_apart(void **state) {
  (void)state;
  const struct heddle_model_config c = {
      .size = sizeof c, .bytes = UINT64_C(6) << 30, .warp_slots = 1, .block_slots = 1};
  struct machine x;
  machine_init(&x);
  heddle_model_free(x.model);
  x.model = heddle_model_new(&c);
  if (x.model == NULL) return;
  x.launch.regions = 2;
  x.launch.region[0] = (struct heddle_region){0, c.bytes, false};
  x.launch.region[1] = (struct heddle_region){0x1000, c.bytes - 0x1000, true};
  machine_text(&x, "S2R R0, SR_LANEID ;\nMOV R2, 0x1000 ;\nMOV R3, RZ ;\nIMAD.WIDE.U32 R4, R0, 0xa000000, R2 ;\n"
                   "STG.E [R4], R0 ;\nLDG.E R1, [R4] ;\nIMAD.WIDE.U32 R6, R0, 0x4, R2 ;\nSTG.E [R6+0x100], R1 ;\n"
                   "EXIT ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(mem32(&x, 0x1000 + i * UINT64_C(0xa000000)), i);
    assert_int_equal(mem32(&x, 0x1100 + 4 * i), i);
  }
  machine_free(&x);
}

/* LDSM: which element each lane receives (isa/doc/10-matrices.md), whose
 * addresses count, undefined_rows rows, and its performs in lockstep. */

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
      EXPECT(x, HEDDLE_SUCCESS, heddle_perform(x->model, 0, e.seq, lanes, &p));
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
      EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
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
    EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
    assert_int_equal(mem32(&x, 0x8000 + 16 * 13 + 4), t == 0 ? 0x00330032 : 0x00330023);
    machine_free(&x);
  }
}

static void faults_of_matrices(void **state) {
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
    EXPECT(&x, f[k].cause == HEDDLE_TRAP_NONE ? HEDDLE_SUCCESS : HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, f[k].cause, f[k].cause != HEDDLE_TRAP_NONE ? 0x150 : 0, f[k].lanes, f[k].addr);
    machine_free(&x);
  }
}

/* Rows 0 and 1 are defined, row 2 is not: lanes 8 to 11 receive it; of the transposed matrix, every second pair. */
static void undefined_rows(void **state) {
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
      EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
    } else {
      machine_lockstep(&x);
      for (unsigned n = 0; n < 9; n++) {
        steps(&x, 1);
        if (n == 4 || n == 5) EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, e.seq, e.mem_lanes, &p));
      }
      assert_int_equal(e.mem_lanes, 0xff);
      assert_int_equal(e.mem_kind, HEDDLE_ACCESS_LOAD_MATRIX);
      EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 8, 3, &p));
      EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 8, 4, &p));
      assert_int_equal(p.bytes_unknown, 4);
      EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 8, 0xf8, &p));
      assert_int_equal(p.rd_unknown[0], lanes);
      EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
    }
    if (strstr(heddle_model_diag(x.model), words) == NULL)
      fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x.model), words);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_are_apart),  cmocka_unit_test(undefined_local),
                                     cmocka_unit_test(undefined_generic),  cmocka_unit_test(faults),
                                     cmocka_unit_test(mixed_faults),       cmocka_unit_test(rows_at_edges),
                                     cmocka_unit_test(far_apart),          cmocka_unit_test(odd_base),
                                     cmocka_unit_test(elements),           cmocka_unit_test(by_hand),
                                     cmocka_unit_test(faults_of_matrices), cmocka_unit_test(undefined_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
