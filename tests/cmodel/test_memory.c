/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory with the model alone: widths, address checks, collisions, atomics,
 * undefined contents, constants.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"

/* Each width through global memory and through shared memory, sign and zero extension. */
static void widths(void **state) {
  (void)state;
  static const struct {
    uint64_t size;
    unsigned bytes;
    bool sign;
  } w[] = {{ISA_SIZE_U8, 1, false}, {ISA_SIZE_S8, 1, true},  {ISA_SIZE_U16, 2, false}, {ISA_SIZE_S16, 2, true},
           {ISA_SIZE_32, 4, false}, {ISA_SIZE_64, 8, false}, {ISA_SIZE_128, 16, false}};
  for (unsigned n = 0; n < 7; n++) {
    struct machine x;
    machine_init(&x);
    x.launch.shared_bytes = 512;
    emit_address(&x, 0x100, 16);
    machine_emit(&x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_IMM, 16, ISA_F_RC, ISA_RZ));
    for (unsigned k = 0; k < 4; k++) machine_emit(&x, mov_imm(8 + k, 0));
    machine_emit(&x, ldg(4, 2, 0, ISA_SIZE_128));
    machine_emit(&x, sts(1, 0, 4, w[n].size));
    machine_emit(&x, lds(8, 1, 0, w[n].size));
    machine_emit(&x, stg(2, 0x1000, 8, ISA_SIZE_128));
    machine_emit(&x, stg(2, 0x2000, 4, w[n].size));
    machine_emit(&x, ldg(12, 2, 0x2000, w[n].size));
    machine_emit(&x, stg(2, 0x3000, 12, ISA_SIZE_32));
    machine_emit(&x, exit_word());
    uint8_t *m = heddle_model_memory(x.model);
    for (unsigned i = 0; i < 512; i++) m[0x100 + i] = (uint8_t)(i * 37 + 129);
    EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
    m = heddle_model_memory(x.model);
    for (unsigned i = 0; i < 32; i++) {
      uint8_t want[16] = {0};
      memcpy(want, m + 0x100 + 16 * i, w[n].bytes);
      assert_memory_equal(m + 0x2100 + 16 * i, want, 16); /* exactly these bytes were stored */
      if (w[n].sign && (want[w[n].bytes - 1] & 0x80) != 0) memset(want + w[n].bytes, 0xff, 4 - w[n].bytes);
      assert_memory_equal(m + 0x1100 + 16 * i, want, 16);
      assert_memory_equal(m + 0x3100 + 16 * i, want, 4);
    }
    machine_free(&x);
  }
}

static void highest_lane_wins(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_address(&x, 0, 0);
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 30));
  machine_emit(&x, word_guard(stg(2, 0, 0, ISA_SIZE_32), 0, false)); /* lane 29 is the highest that executes */
  machine_emit(&x, WORD(ISA_ENC_LOP3_LUT_RIR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_IMM, 3, ISA_F_LUT, 0xc0));
  machine_emit(&x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 1, ISA_F_IMM, 1, ISA_F_RC, 2));
  machine_emit(&x, stg(2, 8, 0, ISA_SIZE_U8)); /* bytes 8..11 by lanes 28..31 */
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  assert_int_equal(mem32(&x, 0), 29);
  assert_int_equal(mem32(&x, 8), 0x1f1e1d1c);
  machine_free(&x);
}

/* Each lane adds lane + 1 to one of two words; the old values tell the order. */
static void atomics_ascend(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = 16;
  emit_address(&x, 0x400, 4);
  machine_emit(&x, WORD(ISA_ENC_LOP3_LUT_RIR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_IMM, 1, ISA_F_LUT, 0xc0));
  machine_emit(
      &x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 1, ISA_F_RA, 1, ISA_F_IMM, 4, ISA_F_RC, ISA_RZ)); /* R1 = 4 * (lane & 1) */
  machine_emit(&x, mov_imm(6, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(7, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(&x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 6, ISA_F_RA, 1, ISA_F_IMM, 1, ISA_F_RC, 6));
  machine_emit(&x, iadd(5, 0, 1));
  machine_emit(&x, sts(1, 0, ISA_RZ, ISA_SIZE_32));
  machine_emit(&x, WORD(ISA_ENC_ATOMG_E_AT, ISA_F_RD, 8, ISA_F_RA, 6, ISA_F_RB, 5));
  machine_emit(&x, WORD(ISA_ENC_ATOMS_AT, ISA_F_RD, 9, ISA_F_RA, 1, ISA_F_RB, 5));
  machine_emit(&x, WORD(ISA_ENC_RED_E_ST, ISA_F_RA, 6, ISA_F_RB, 5, ISA_F_OFF24, 0x10));
  machine_emit(&x, stg(2, 0, 8, ISA_SIZE_32));
  machine_emit(&x, stg(2, 0x100, 9, ISA_SIZE_32));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  uint32_t sum[2] = {0, 0};
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(mem32(&x, 0x400 + 4 * i), sum[i % 2]);
    assert_int_equal(mem32(&x, 0x500 + 4 * i), sum[i % 2]);
    sum[i % 2] += i + 1;
  }
  for (unsigned k = 0; k < 2; k++) {
    assert_int_equal(mem32(&x, 4 * k), sum[k]);
    assert_int_equal(mem32(&x, 0x10 + 4 * k), sum[k]);
  }
  machine_free(&x);
}

struct fault {
  bool store;
  uint64_t size;
  uint32_t scale; /* address = MEM_BASE + start + lane * scale */
  uint32_t start;
  enum heddle_cause cause;
  uint32_t lanes;
  uint64_t addr;
};

static void global_faults(void **state) {
  (void)state;
  const uint64_t ro = MEM_BASE + 0x8000, end = MEM_BASE + 0x9000; /* 0x8000..0x8fff read-only, then nothing */
  const struct fault f[] = {
      {false, ISA_SIZE_32, 4, 2, HEDDLE_TRAP_MISALIGNED, ~0u, MEM_BASE + 2},
      {false, ISA_SIZE_64, 4, 0, HEDDLE_TRAP_MISALIGNED, 0xaaaaaaaau, MEM_BASE + 4},
      {false, ISA_SIZE_128, 8, 0x8f00, HEDDLE_TRAP_MISALIGNED, 0xaaaaaaaau, MEM_BASE + 0x8f08},
      {false, ISA_SIZE_32, 0x10, 0x8f00, HEDDLE_TRAP_OUT_OF_RANGE, 0xffff0000u, end},
      {true, ISA_SIZE_32, 0x10, 0x7f00, HEDDLE_TRAP_WRITE_PROTECTED, 0xffff0000u, ro},
      {true, ISA_SIZE_U8, 0x100, 0x7000, HEDDLE_TRAP_WRITE_PROTECTED, 0xffff0000u, ro},
      {true, ISA_SIZE_32, 0xfe, 0x8004, HEDDLE_TRAP_WRITE_PROTECTED, ~0u,
       MEM_BASE + 0x8004}, /* lane 1 is misaligned: other kinds, lowest lane decides */
      {false, ISA_SIZE_32, 0, 0xfffff000u, HEDDLE_TRAP_OUT_OF_RANGE, ~0u, MEM_BASE + 0xfffff000u},
  };
  for (unsigned n = 0; n < sizeof f / sizeof f[0]; n++) {
    struct machine x;
    machine_init(&x);
    x.launch.regions = 2;
    x.launch.region[0] = (struct heddle_region){MEM_BASE, ro, true};
    x.launch.region[1] = (struct heddle_region){ro, end, false};
    emit_address(&x, f[n].start, f[n].scale);
    for (unsigned k = 0; k < 4; k++) machine_emit(&x, mov_imm(4 + k, 0x12345678));
    const uint32_t pc = machine_emit(&x, f[n].store ? stg(2, 0, 4, f[n].size) : ldg(4, 2, 0, f[n].size));
    machine_emit(&x, exit_word());
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, f[n].cause, pc, f[n].lanes, f[n].addr);
    for (unsigned i = 0; i < 0x9000; i += 4) assert_int_equal(mem32(&x, i), 0); /* no lane had an effect */
    machine_free(&x);
  }
}

static void high_address_bits(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32) | 0x100));
  machine_emit(&x, word_guard(ldg(4, 2, 0, ISA_SIZE_32), 7, true)); /* nobody: no trap */
  machine_emit(&x, ldg(4, 2, 0, ISA_SIZE_32));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_OUT_OF_RANGE, 0x30, ~0u, MEM_BASE | UINT64_C(1) << 40);
  assert_int_equal(heddle_model_trap(x.model)->seq, 3);
  machine_free(&x);
}

/* Offsets are signed; the 64-bit sum borrows from the high word. */
static void negative_offset(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, mov_imm(2, 0));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32) + 1));
  machine_emit(&x, mov_imm(4, 0x800));
  machine_emit(&x, ldg(5, 2, -16, ISA_SIZE_32));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_OUT_OF_RANGE, 0x30, ~0u, MEM_BASE + 0xfffffff0u);
  machine_free(&x);
}

static void shared_faults(void **state) {
  (void)state;
  static const struct {
    uint32_t base;
    int offset;
    uint64_t size;
    enum heddle_cause cause;
    uint64_t addr;
  } f[] = {{0x40, 0, ISA_SIZE_32, HEDDLE_TRAP_OUT_OF_RANGE, 0x40},
           {0x38, 0, ISA_SIZE_128, HEDDLE_TRAP_MISALIGNED, 0x38},
           {0x3e, 0, ISA_SIZE_32, HEDDLE_TRAP_MISALIGNED, 0x3e},
           {0, -4, ISA_SIZE_32, HEDDLE_TRAP_OUT_OF_RANGE, 0xfffffffc},
           {0xfffffff0, 0x50, ISA_SIZE_64, HEDDLE_TRAP_OUT_OF_RANGE, 0x40}};
  for (unsigned n = 0; n < sizeof f / sizeof f[0]; n++) {
    struct machine x;
    machine_init(&x);
    x.launch.shared_bytes = 0x40;
    machine_emit(&x, mov_imm(1, f[n].base));
    const uint32_t pc = machine_emit(&x, lds(4, 1, f[n].offset, f[n].size));
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, f[n].cause, pc, ~0u, f[n].addr);
    machine_free(&x);
  }
}

static void shared_undefined(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = 0x100;
  machine_emit(&x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(&x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_IMM, 4, ISA_F_RC, ISA_RZ));
  machine_emit(&x, sts(1, 0, 0, ISA_SIZE_U8));
  machine_emit(&x, lds(4, 1, 0, ISA_SIZE_U8));
  machine_emit(&x, iadd(4, 4, 1));
  machine_emit(&x, lds(5, 1, 0, ISA_SIZE_U16)); /* second byte was never written */
  machine_emit(&x, lds(6, 5, 0, ISA_SIZE_U8));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "R5 (operand a) in lanes 0xffffffff"));
  assert_non_null(strstr(heddle_model_diag(x.model), "pc 0x00000060"));
  machine_free(&x);
}

static void constants(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  static const uint8_t bank3[24] = {1,  2,  3,  4,  0x85, 6,  7,  8,  9,  10, 11, 12,
                                    13, 14, 15, 16, 17,   18, 19, 20, 21, 22, 23, 24};
  x.launch.cbank[3] = bank3;
  x.launch.cbank_bytes[3] = 24;
  emit_address(&x, 0, 16);
  machine_emit(&x, mov_imm(1, 0x10));
  machine_emit(&x, WORD(ISA_ENC_LDC_LC, ISA_F_RD, 4, ISA_F_RA, 1, ISA_F_CBANK, 3, ISA_F_COFF16, (uint64_t)-12,
                        ISA_F_SIZE, ISA_SIZE_S8));
  machine_emit(&x, WORD(ISA_ENC_LDC_LC, ISA_F_RD, 6, ISA_F_RA, 1, ISA_F_CBANK, 3, ISA_F_COFF16, (uint64_t)-8,
                        ISA_F_SIZE, ISA_SIZE_64));
  machine_emit(&x, WORD(ISA_ENC_MOV_C, ISA_F_RD, 5, ISA_F_CBANK, 3, ISA_F_COFF, 20));
  machine_emit(&x, stg(2, 0, 4, ISA_SIZE_128));
  const uint32_t pc = machine_emit(
      &x, WORD(ISA_ENC_LDC_LC, ISA_F_RD, 4, ISA_F_RA, 0, ISA_F_CBANK, 3, ISA_F_COFF16, 22, ISA_F_SIZE, ISA_SIZE_U8));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_CONST_RANGE, pc, ~3u, 24);
  assert_int_equal(mem32(&x, 0), 0xffffff85u);
  assert_int_equal(mem32(&x, 4), 0x18171615);
  assert_int_equal(mem32(&x, 8), 0x0c0b0a09);
  assert_int_equal(mem32(&x, 12), 0x100f0e0d);
  machine_free(&x);
}

/* A constant operand outside its bank: precise, whatever the guard says. */
static void constant_operand_range(void **state) {
  (void)state;
  for (unsigned n = 0; n < 2; n++) {
    struct machine x;
    machine_init(&x);
    x.launch.block[0] = 7;
    machine_emit(&x, WORD(ISA_ENC_MOV_C, ISA_F_RD, 5, ISA_F_CBANK, 0, ISA_F_COFF, sizeof x.bank - 4));
    machine_emit(&x, word_guard(WORD(ISA_ENC_MOV_C, ISA_F_RD, 5, ISA_F_CBANK, n == 0 ? 0 : 9, ISA_F_COFF,
                                     n == 0 ? sizeof x.bank : 0),
                                7, true));
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, HEDDLE_TRAP_CONST_RANGE, 0x10, 0x7f, n == 0 ? sizeof x.bank : 0);
    machine_free(&x);
  }
}

/* The addend of IMAD.WIDE as two constant words: both are added, and both must lie in the bank. */
static void constant_addend(void **state) {
  (void)state;
  static const uint8_t bank3[20] = {[8] = 0xfc, 0xff, 0xff, 0xff, 1};
  struct machine x;
  machine_init(&x);
  x.launch.cbank[3] = bank3;
  x.launch.cbank_bytes[3] = sizeof bank3;
  emit_address(&x, 0, 16);
  machine_emit(&x, mov_imm(1, 0xfffffffe));
  for (unsigned k = 0; k < 2; k++)
    machine_emit(&x, WORD(ISA_ENC_IMAD_WIDE_RRC, ISA_F_RD, 4 + 2 * k, ISA_F_RA, 1, ISA_F_RC, 0, ISA_F_CBANK, 3,
                          ISA_F_COFF, 8, ISA_F_SIGN, k == 0 ? ISA_SIGN_S32 : ISA_SIGN_U32));
  machine_emit(&x, stg(2, 0, 4, ISA_SIZE_128));
  const uint32_t pc = machine_emit(
      &x, WORD(ISA_ENC_IMAD_WIDE_RRC, ISA_F_RD, 4, ISA_F_RA, 1, ISA_F_RC, 0, ISA_F_CBANK, 3, ISA_F_COFF, 16));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_CONST_RANGE, pc, ~0u, 16);
  for (unsigned tid = 0; tid < 32; tid++) {
    const uint64_t base = UINT64_C(0x1fffffffc), s = base - 2ull * tid, u = base + UINT64_C(0xfffffffe) * tid;
    assert_int_equal(mem32(&x, 16ull * tid) | (uint64_t)mem32(&x, 16ull * tid + 4) << 32, s);
    assert_int_equal(mem32(&x, 16ull * tid + 8) | (uint64_t)mem32(&x, 16ull * tid + 12) << 32, u);
  }
  machine_free(&x);
}

static void undefined_registers(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 4));
  machine_emit(&x, word_guard(mov_imm(9, 1), 0, false));
  machine_emit(&x, word_guard(mov_reg(10, 9), 0, false)); /* defined where it executes */
  machine_emit(&x, mov_reg(11, 9));
  machine_emit(&x, lds(12, 11, 0, ISA_SIZE_32));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "R11 (operand a)"));
  assert_non_null(strstr(heddle_model_diag(x.model), "0xfffffff0"));
  machine_free(&x);

  machine_init(&x);
  machine_emit(&x, word_guard(mov_imm(9, 1), 2, false));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "guard P2"));
  machine_free(&x);

  machine_init(&x);
  machine_emit(&x, WORD(ISA_ENC_SEL_RI, ISA_F_RD, 1, ISA_F_RA, ISA_RZ, ISA_F_IMM, 4, ISA_F_PS0, 3));
  machine_emit(&x, lds(2, 1, 0, ISA_SIZE_32));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "P3 was never written, first read at pc 0x0000"));
  machine_free(&x);

  machine_init(&x); /* the second word of a pair */
  machine_emit(&x, mov_imm(4, 1));
  machine_emit(&x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 6, ISA_F_RA, 4, ISA_F_IMM, 1, ISA_F_RC, 4));
  machine_emit(&x, ldg(8, 6, 0, ISA_SIZE_32));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "R7 (operand a)"));
  assert_non_null(strstr(heddle_model_diag(x.model), "R5 was never written, first read at pc 0x0010"));
  machine_free(&x);
}

static void illegal_words(void **state) {
  (void)state;
  const struct heddle_isa_word w[] = {
      {0, 0},
      mov_reg(48, 1),              /* beyond the kernel's registers */
      ldg(46, 2, 0, ISA_SIZE_128), /* last word beyond, and not aligned */
      ldg(3, 2, 0, ISA_SIZE_64),   /* not aligned */
      heddle_isa_put(mov_imm(1, 1), ISA_F_WBAR, 6),
      heddle_isa_put(WORD(ISA_ENC_FADD_RR, ISA_F_RD, 1), ISA_F_NC, 1), /* reserved bit */
      heddle_isa_put(ldg(4, 2, 0, ISA_SIZE_32), ISA_F_SIZE, 7),        /* unassigned */
      word_guard(mov_reg(48, 1), 7, true),                             /* whatever the guard says */
      WORD(ISA_ENC_FADD_RR, ISA_F_RD, 1),                              /* a unit that is not there */
      /* adders that are not there */
      heddle_isa_put(WORD(ISA_ENC_ATOMS_AT, ISA_F_RD, 1), ISA_F_AOP, ISA_AOP_ADD_F32),
      heddle_isa_put(WORD(ISA_ENC_ATOMG_E_AT, ISA_F_RD, 2), ISA_F_AOP, ISA_AOP_ADD_F64),
      heddle_isa_put(WORD(ISA_ENC_ATOM_E_AT, ISA_F_RD, 1), ISA_F_AOP, ISA_AOP_ADD_F16X2),
      heddle_isa_put(WORD(ISA_ENC_RED_E_ST, ISA_F_RB, 2), ISA_F_ROP, ISA_ROP_ADD_F64),
  };
  for (unsigned n = 0; n < sizeof w / sizeof w[0]; n++) {
    struct machine x;
    machine_init(&x);
    x.launch.block[0] = 5;
    x.launch.regs = 48;
    x.launch.units = ~(1u << ISA_UNIT_FMA | 1u << ISA_PART_FATOM);
    machine_emit(&x, w[n]);
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 0, 0x1f, 0);
    machine_free(&x);
  }
}

static void special_registers(void **state) {
  (void)state;
  static const uint64_t sreg[] = {ISA_SREG_SR_LANEID,  ISA_SREG_SR_TID_X,   ISA_SREG_SR_TID_Y,   ISA_SREG_SR_TID_Z,
                                  ISA_SREG_SR_CTAID_X, ISA_SREG_SR_CTAID_Y, ISA_SREG_SR_CTAID_Z, ISA_SREG_SR_EQMASK,
                                  ISA_SREG_SR_LTMASK,  ISA_SREG_SR_LEMASK,  ISA_SREG_SR_GTMASK,  ISA_SREG_SR_GEMASK};
  static const uint32_t ctaid[3] = {2, 1, 3};
  static const uint8_t slot[2] = {5, 3};
  struct machine x;
  machine_init(&x);
  memcpy(x.launch.grid, (const uint32_t[3]){3, 2, 4}, sizeof x.launch.grid);
  memcpy(x.launch.block, (const uint32_t[3]){7, 3, 2}, sizeof x.launch.block);
  for (unsigned i = 0; i < 12; i++) machine_emit(&x, s2r(i, sreg[i]));
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start(x.model, 1, ctaid, slot, 2));
  struct heddle_effect e;
  for (unsigned i = 0; i < 24; i++) EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, slot[i / 12], &e));
  for (unsigned t = 0; t < 42; t++) {
    const uint32_t lane = t % 32, eq = 1u << lane;
    const uint32_t want[12] = {lane, t % 7,  t / 7 % 3,  t / 21,        2,        1, 3,
                               eq,   eq - 1, 2 * eq - 1, ~(2 * eq - 1), ~(eq - 1)};
    for (unsigned i = 0; i < 12; i++) assert_int_equal(heddle_reg(x.model, slot[t / 32], i, lane), want[i]);
  }
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(widths),
      cmocka_unit_test(highest_lane_wins),
      cmocka_unit_test(atomics_ascend),
      cmocka_unit_test(global_faults),
      cmocka_unit_test(high_address_bits),
      cmocka_unit_test(negative_offset),
      cmocka_unit_test(shared_faults),
      cmocka_unit_test(shared_undefined),
      cmocka_unit_test(constants),
      cmocka_unit_test(constant_addend),
      cmocka_unit_test(constant_operand_range),
      cmocka_unit_test(undefined_registers),
      cmocka_unit_test(illegal_words),
      cmocka_unit_test(special_registers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
