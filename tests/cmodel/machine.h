/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: a small program, a model to run it on, and memory to look at.
 */
#ifndef HEDDLE_TEST_MACHINE_H
#define HEDDLE_TEST_MACHINE_H

#include <heddle/model.h>
#include "tests/cmodel/words.h"

#define MEM_BASE UINT64_C(0x200000000)
#define MEM_BYTES 0x100000u
#define CODE_MAX 512u

struct machine {
  struct heddle_model *model;
  struct heddle_launch launch;
  uint8_t code[CODE_MAX * 16];
  uint32_t n; /* instructions */
  uint8_t bank[0x200];
  uint64_t retired;
};

/* One warp, 64 registers, the whole memory writable; change `launch` before machine_start. */
void machine_init(struct machine *x);
void machine_init_as(struct machine *x, enum heddle_divergence divergence);
void machine_free(struct machine *x);

/* Append a word; its PC. */
uint32_t machine_emit(struct machine *x, struct heddle_isa_word w);
/* Replace the word at pc, once a forward target is known. */
void machine_patch(struct machine *x, uint32_t pc, struct heddle_isa_word w);

enum heddle_status machine_start(struct machine *x);
enum heddle_status machine_run(struct machine *x); /* start and run; limit 1,000,000 */
/* start, and block (0,0,0) in block slot 0 with its warps in slots 0, 1, ... */
void machine_lockstep(struct machine *x);

uint32_t mem32(struct machine *x, uint64_t offset);
void set_mem32(struct machine *x, uint64_t offset, uint32_t v);

/* Words that many tests need. */
struct heddle_isa_word mov_imm(unsigned rd, uint32_t v);
struct heddle_isa_word mov_reg(unsigned rd, unsigned rb);
struct heddle_isa_word s2r(unsigned rd, uint64_t sreg);
struct heddle_isa_word iadd(unsigned rd, unsigned ra, uint32_t imm);
struct heddle_isa_word isetp(unsigned pd, uint64_t cmp, unsigned ra, uint32_t imm); /* unsigned comparison */
struct heddle_isa_word bra(uint32_t pc, uint32_t target);
struct heddle_isa_word bssy(unsigned b);
struct heddle_isa_word bsync(unsigned b);
struct heddle_isa_word brk(unsigned b);
struct heddle_isa_word exit_word(void);
struct heddle_isa_word bar_sync(unsigned id, unsigned count);
struct heddle_isa_word ldg(unsigned rd, unsigned ra, int offset, uint64_t size);
struct heddle_isa_word stg(unsigned ra, int offset, unsigned rb, uint64_t size);
struct heddle_isa_word lds(unsigned rd, unsigned ra, int offset, uint64_t size);
struct heddle_isa_word sts(unsigned ra, int offset, unsigned rb, uint64_t size);

/* R2:R3 = MEM_BASE + offset + tid.x * scale; uses R0 for tid.x. */
void emit_address(struct machine *x, uint32_t offset, uint32_t scale);

/* A message with the model's own words when the status is another one. */
void expect_status(struct machine *x, enum heddle_status want, enum heddle_status got);
#define EXPECT(x, want, got) expect_status((x), (want), (got))

/* The trap that the model recorded. */
void expect_trap(struct machine *x, enum heddle_cause cause, uint32_t pc, uint32_t lanes, uint64_t addr);

#endif
