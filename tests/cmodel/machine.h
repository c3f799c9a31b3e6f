/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs on the model: of words or as text, in an address space, with marks.
 */
#ifndef HEDDLE_TEST_MACHINE_H
#define HEDDLE_TEST_MACHINE_H

#include <heddle/model.h>
#include <heddle/pages.h>
#include "tests/cmodel/words.h"

/* Test helper: a small program, a model to run it on, and memory to look at. */

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

enum heddle_error machine_start(struct machine *x);
enum heddle_error machine_run(struct machine *x); /* start and run; limit 1,000,000 */
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
void expect_status(struct machine *x, enum heddle_error want, enum heddle_error got);
#define EXPECT(x, want, got) expect_status((x), (want), (got))

/* The trap that the model recorded. */
void expect_trap(struct machine *x, enum heddle_cause cause, uint32_t pc, uint32_t lanes, uint64_t addr);

/* Test helper: programs as assembly text. */

/* The machine's code becomes `text`, without its .kernel and .end lines. The first instruction is at 0. */
void machine_text(struct machine *x, const char *text);

/* R2:R3 = MEM_BASE. Two instructions. */
#define TEXT_ADDRESS "MOV R2, 0x0 ;\nMOV R3, 0x2 ;\n"

/* R0 = lane, P0 = lane < n. Two instructions. */
#define TEXT_LANES_BELOW(n) "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, " #n ", PT ;\n"

/* Test helper: programs with undefined bits, each run alone and in lockstep, which must say the same. */

#define MARKED_ALL 0xffffffffu

/* R2:R3 = the thread's 16 bytes of global memory, R1 = of shared memory, R0 = its lane. Five instructions. */
#define MARKED_PLACES                                                                                                  \
  "S2R R0, SR_LANEID ;\nMOV R2, 0x0 ;\nMOV R3, 0x2 ;\nIMAD.WIDE.U32 R2, R0, 0x10, R2 ;\nIMAD R1, R0, 0x10, RZ ;\n"

/* With 0x200 bytes of shared and 0x40 of local memory. */
void marked_begin(struct machine *x, const char *text);
/* way 0: alone; 1: one warp in lockstep, each access performed at once. */
enum heddle_error marked_run(struct machine *x, unsigned way);
/* It ends well. */
void marked_good(const char *text);

/* A reported use: where, of what, and what it goes back to (NULL: not looked at). */
struct marked_use {
  uint32_t pc, lanes;
  const char *what, *origin;
  uint32_t first_pc;
};
void marked_bad(const char *text, const struct marked_use *want);

/* Test helper: a machine that runs launches in an address space, and its tables, as words and through the host's
 * builder. */

/* Frames of the machine's memory, by number. Code has two, constant bank 0 two, tables those from 128 on. */
#define FRAME(n) (MEM_BASE + 4096u * (uint64_t)(n))
#define CODE_FRAME 70u /* of the page at CODE_PAGE; of the next one the frame before */
#define BANK_FRAME 80u
#define TABLE_FRAME 128u
#define FRAMES 256u

/* Where they are in the space. The first page of code has four instructions, that of the bank 128 bytes. */
#define CODE_PAGE UINT64_C(0x12345000)
#define CODE_AT (CODE_PAGE + 0xfc0)
#define BANK_PAGE UINT64_C(0x7fffff8000)
#define BANK_AT (BANK_PAGE + 0xf80)

/* R2:R3 = V, for data. Two instructions. */
#define V UINT64_C(0x1555540203000)
#define TEXT_V "MOV R2, 0x40203000 ;\nMOV R3, 0x15555 ;\n"

struct space {
  struct machine x;
  struct heddle_page_memory tables;
  uint64_t root;
  unsigned next; /* frame of the next table */
};

/* Code and bank 0 are mapped, nothing else; faults trap. */
void space_init(struct space *s);
void space_free(struct space *s);
void space_text(struct space *s, const char *text);
/* A new root, in which the same code and bank are mapped. */
uint64_t space_root(struct space *s);

uint64_t get64(struct space *s, uint64_t at); /* physical */
void put64(struct space *s, uint64_t at, uint64_t v);

/* A page of 4 KiB that must not be there yet; flags of heddle/pages.h. */
void space_map(struct space *s, uint64_t virt, uint64_t phys, uint64_t flags);
void space_unmap(struct space *s, uint64_t virt);
/* Address of the entry of a level that a walk for `virt` reads; the tables above must be there. */
uint64_t space_entry(struct space *s, uint64_t virt, unsigned level);

/* Puts the code into its frames, launches. */
enum heddle_error space_start(struct space *s);
enum heddle_error space_run(struct space *s);   /* and runs */
enum heddle_error space_go_on(struct space *s); /* after faults */

/* The only page that is waited for. */
void expect_fault(struct space *s, uint64_t page, enum heddle_page_kind kind, enum heddle_page_use use, unsigned warps);

#endif
