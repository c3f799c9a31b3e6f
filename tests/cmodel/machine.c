/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"
#include "tests/test.h"

#include <string.h>

void machine_init(struct machine *x) {
  machine_init_as(x, HEDDLE_STACK);
}

void machine_init_as(struct machine *x, enum heddle_divergence divergence) {
  memset(x, 0, sizeof *x);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = MEM_BASE,
                                        .bytes = MEM_BYTES,
                                        .warp_slots = 64,
                                        .block_slots = 8,
                                        .divergence = divergence};
  x->model = heddle_model_new(&c);
  assert_non_null(x->model);
  x->launch = (struct heddle_launch){
      .size = sizeof x->launch, .grid = {1, 1, 1}, .block = {32, 1, 1}, .regs = 64, .units = ~0u, .regions = 1};
  x->launch.region[0] = (struct heddle_region){MEM_BASE, MEM_BASE + MEM_BYTES, true};
  x->launch.cbank[0] = x->bank;
  x->launch.cbank_bytes[0] = sizeof x->bank;
}

void machine_free(struct machine *x) {
  heddle_model_free(x->model);
}

void machine_patch(struct machine *x, uint32_t pc, struct heddle_isa_word w) {
  heddle_isa_word_store(x->code + pc, w);
}

uint32_t machine_emit(struct machine *x, struct heddle_isa_word w) {
  assert_true(x->n < CODE_MAX);
  const uint32_t pc = 16 * x->n++;
  machine_patch(x, pc, w);
  return pc;
}

enum heddle_status machine_start(struct machine *x) {
  x->launch.code = x->code;
  x->launch.code_bytes = 16 * x->n;
  return heddle_model_launch(x->model, &x->launch);
}

enum heddle_status machine_run(struct machine *x) {
  const enum heddle_status s = machine_start(x);
  return s != HEDDLE_OK ? s : heddle_model_run(x->model, 1000000, &x->retired);
}

void machine_lockstep(struct machine *x) {
  static const uint32_t first[3] = {0, 0, 0};
  uint8_t slot[32];
  for (unsigned i = 0; i < 32; i++) slot[i] = (uint8_t)i;
  EXPECT(x, HEDDLE_OK, machine_start(x));
  const unsigned threads = x->launch.block[0] * x->launch.block[1] * x->launch.block[2];
  EXPECT(x, HEDDLE_OK, heddle_block_start(x->model, 0, first, slot, (threads + 31) / 32));
}

uint32_t mem32(struct machine *x, uint64_t offset) {
  const uint8_t *p = heddle_model_memory(x->model) + offset;
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void set_mem32(struct machine *x, uint64_t offset, uint32_t v) {
  for (unsigned k = 0; k < 4; k++) heddle_model_memory(x->model)[offset + k] = (uint8_t)(v >> (8 * k));
}

struct heddle_isa_word mov_imm(unsigned rd, uint32_t v) {
  return WORD(ISA_ENC_MOV_I, ISA_F_RD, rd, ISA_F_IMM, v);
}
struct heddle_isa_word mov_reg(unsigned rd, unsigned rb) {
  return WORD(ISA_ENC_MOV_R, ISA_F_RD, rd, ISA_F_RB, rb);
}
struct heddle_isa_word s2r(unsigned rd, uint64_t sreg) {
  return WORD(ISA_ENC_S2R_D, ISA_F_RD, rd, ISA_F_SREG, sreg);
}

struct heddle_isa_word iadd(unsigned rd, unsigned ra, uint32_t imm) {
  return WORD(ISA_ENC_IADD3_RIR, ISA_F_RD, rd, ISA_F_RA, ra, ISA_F_IMM, imm);
}

struct heddle_isa_word isetp(unsigned pd, uint64_t cmp, unsigned ra, uint32_t imm) {
  return WORD(ISA_ENC_ISETP_PRI, ISA_F_PD0, pd, ISA_F_ICMP, cmp, ISA_F_SIGN, ISA_SIGN_U32, ISA_F_RA, ra, ISA_F_IMM,
              imm);
}

struct heddle_isa_word bra(uint32_t pc, uint32_t target) {
  return WORD(ISA_ENC_BRA_BR, ISA_F_REL, target - pc - 16);
}
struct heddle_isa_word bssy(unsigned b) {
  return WORD(ISA_ENC_BSSY_BR, ISA_F_BX, b);
}
struct heddle_isa_word bsync(unsigned b) {
  return WORD(ISA_ENC_BSYNC_P, ISA_F_BX, b);
}
struct heddle_isa_word brk(unsigned b) {
  return WORD(ISA_ENC_BREAK_P, ISA_F_BX, b);
}
struct heddle_isa_word exit_word(void) {
  return WORD(ISA_ENC_EXIT_P, ISA_F_PG, 7);
}

struct heddle_isa_word bar_sync(unsigned id, unsigned count) {
  return WORD(ISA_ENC_BAR_SYNC_P, ISA_F_BARID, id, ISA_F_BARCNT, count);
}

#define OFFSET(o) ((uint64_t)(int64_t)(o))

struct heddle_isa_word ldg(unsigned rd, unsigned ra, int o, uint64_t size) {
  return WORD(ISA_ENC_LDG_E_LD, ISA_F_RD, rd, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

struct heddle_isa_word stg(unsigned ra, int o, unsigned rb, uint64_t size) {
  return WORD(ISA_ENC_STG_E_ST, ISA_F_RB, rb, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

struct heddle_isa_word lds(unsigned rd, unsigned ra, int o, uint64_t size) {
  return WORD(ISA_ENC_LDS_LD, ISA_F_RD, rd, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

struct heddle_isa_word sts(unsigned ra, int o, unsigned rb, uint64_t size) {
  return WORD(ISA_ENC_STS_ST, ISA_F_RB, rb, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

void emit_address(struct machine *x, uint32_t offset, uint32_t scale) {
  const uint64_t base = MEM_BASE + offset;
  machine_emit(x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(x, mov_imm(2, (uint32_t)base));
  machine_emit(x, mov_imm(3, (uint32_t)(base >> 32)));
  machine_emit(x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 0, ISA_F_IMM, scale, ISA_F_RC, 2, ISA_F_SIGN,
                       ISA_SIGN_U32));
}

void expect_status(struct machine *x, enum heddle_status want, enum heddle_status got) {
  if (want != got) fail_msg("status %d, want %d: %s", (int)got, (int)want, heddle_model_diag(x->model));
}

void expect_trap(struct machine *x, enum heddle_cause cause, uint32_t pc, uint32_t lanes, uint64_t addr) {
  const struct heddle_trap *t = heddle_model_trap(x->model);
  if (t->cause != cause || t->pc != pc || t->lanes != lanes || t->addr != addr)
    fail_msg("trap %s pc 0x%x lanes 0x%08x addr 0x%llx, want %s pc 0x%x lanes 0x%08x addr 0x%llx",
             heddle_cause_name(t->cause), t->pc, t->lanes, (unsigned long long)t->addr, heddle_cause_name(cause), pc,
             lanes, (unsigned long long)addr);
}
