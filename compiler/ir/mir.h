/* SPDX-License-Identifier: Apache-2.0
 *
 * Machine instructions over virtual registers: what selection makes, the scheduler moves, the allocator numbers and
 * emit writes as words. An instruction is an enum heddle_isa_op with operands and named fields; which encoding it takes
 * follows from the kinds of its operands, as in the assembler.
 */
#ifndef HEDDLE_PTX_MIR_H
#define HEDDLE_PTX_MIR_H

#include <heddle/isa_tables.h>
#include "compiler/ir/ir.h"

enum mir_class { MIR_R, MIR_P, MIR_UR, MIR_UP };

/* A virtual register of 1, 2 or 4 words, aligned to its size. Words may be written one by one. */
struct mir_vreg {
  uint8_t class, words;
  int16_t fixed; /* a physical number that it must have, or -1 */
  int16_t phys;  /* set by the allocator; -1 before */
  const char *name;
};

enum mir_kind { MIR_NONE, MIR_REG, MIR_ZERO, MIR_IMM, MIR_CONST };

/* ZERO: RZ, URZ, PT or UPT by place. REG: words [sub, sub + words) of a virtual register. */
struct mir_operand {
  uint8_t kind;
  uint8_t sub, words;
  bool neg, abs; /* neg: minus, ~, or ! of a predicate */
  uint8_t part;  /* value of the part field: H0_H0 ... */
  uint32_t reg;  /* index of the virtual register */
  uint32_t imm;  /* IMM: raw 32 bits (f64: the upper word) */
  uint8_t bank;  /* CONST */
  uint16_t offset;
  uint8_t class; /* REG: enum mir_class, as of its virtual register */
};

struct mir_field {
  uint8_t field; /* enum heddle_isa_field */
  uint64_t value;
};

enum { MIR_FIELDS_MAX = 8, MIR_CALL_MAX = 15 };

struct call_node;

/* CALL and RET: fixed registers that they read and write besides their operands, and the callee of a direct CALL. */
struct mir_call {
  struct mir_operand use[MIR_CALL_MAX], def[MIR_CALL_MAX];
  unsigned uses, defs;
  struct call_node *callee;
};

/* Fixed registers of a function that calls or is called (call.h). */
struct mir_frame {
  bool is_function;
  unsigned calls;              /* in its code */
  struct mir_operand stack;    /* R1 */
  struct mir_operand back;     /* R20:R21 */
  struct mir_operand word[12]; /* from R4; NONE: not used */
  struct call_graph *graph;
  struct call_node *node;
  uint32_t bytes;     /* below the stack pointer that it was given; from here on after mir_frame_finish */
  uint32_t registers; /* in use */
  uint32_t saved;     /* mask */
};

struct mir_insn {
  uint16_t op;              /* enum heddle_isa_op */
  struct mir_operand guard; /* a predicate; NONE: always */
  struct mir_operand rd, pd[2];
  struct mir_operand src[3], ps[3];
  struct mir_field field[MIR_FIELDS_MAX];
  uint8_t fields;
  /* BRA, BSSY: its first instruction. BRX: the jump table, a block of unguarded BRAs alone, one for each index
   * (edges: to the table, from the table to each). src[0] is a pair that holds 16 times the index, emit sets off32. */
  struct mir_block *target;
  bool keeps_old; /* guarded: rd and pd must keep their old value where the guard is false (they are read too) */
  bool ordered;   /* volatile, or a clock: keeps its place among memory operations and its own kind */
  uint8_t order;  /* enum heddle_order (heddle/program.h) */
  bool uniform;   /* BRA, BRX: all threads of a warp that are here go the same way */
  uint16_t breg;  /* convergence barrier of BSSY, BSYNC, BREAK */
  struct ptx_pos pos;
  struct mir_insn *prev, *next;
  uint32_t mark;
  struct mir_call *call;  /* of CALL and RET */
  struct call_node *code; /* MOV: of the address of that function */
  bool address_behind;    /* MOV: of the address behind the next CALL of the block */
};

struct mir_block {
  uint32_t id;
  struct mir_insn *first, *last;
  struct mir_block **succ, **pred;
  unsigned succs, preds;
  unsigned loop_depth;
  struct mir_block *next;   /* layout: falls through to it */
  void *live_in, *live_out; /* the allocator's */
  bool cold;                /* hardly ever executed (the slow path of an expansion) */
};

struct mir_function {
  const char *name;
  struct ptx_pos pos;      /* of the function */
  struct ptx_lines *lines; /* of its source (debug.h); NULL: not wanted */
  struct ptx_debug *debug; /* for a debugger (debug.h); NULL: not wanted */
  struct mir_block *first;
  struct mir_vreg *vreg;
  uint32_t vregs, vreg_room, blocks;
  uint32_t local_bytes, shared_bytes, barriers; /* barriers: named barriers used */
  uint32_t param_bytes;
  uint32_t units;          /* of the machine, a bit per enum heddle_isa_unit (heddle/ptx.h); 0: all */
  uint32_t fp64_latency;   /* cycles of unit fp64 (heddle/ptx.h); 0: unknown */
  bool whole_machine;      /* what the RTL does not have may be used wherever it helps (heddle/ptx.h: target) */
  struct mir_frame *frame; /* NULL: neither calls nor is called */
  struct ptx_arena *arena;
  struct ptx_arena *scratch; /* of the pass that runs, if it has memory of its own (live.h) */
  struct ptx_diag *diag;
};

/* ---- mir.c: building. A builder appends to a block. ---- */
struct mir_builder {
  struct mir_function *f;
  struct mir_block *b;
  struct ptx_pos pos;
  struct mir_operand guard;
  bool keeps_old;
};
struct mir_operand mir_new(struct mir_function *f, enum mir_class c, unsigned words); /* a whole fresh register */
/* One word of it. IMM of one word: itself, then zero; IMM of two (an f64): zero, then itself; CONST: the following
 * words of the bank. */
struct mir_operand mir_word(struct mir_operand wide, unsigned word);
struct mir_operand mir_part(struct mir_operand wide, unsigned word, unsigned words); /* several words of a register */
struct mir_operand mir_imm(uint32_t v);
struct mir_operand mir_imm_f64(uint32_t upper); /* two words: the number with a zero lower word */
struct mir_operand mir_const(unsigned bank, uint32_t offset, unsigned words);
struct mir_operand mir_wide(struct mir_builder *m, uint64_t v); /* a fresh pair that holds v */
struct mir_operand mir_zero(void);
struct mir_operand mir_not(struct mir_operand p); /* turns neg round */
/* Append "op rd, a, b, c"; operands that the op does not have are mir_none(). Immediates and constants must fit a
 * form that the op has (see mir_fits). Returns the instruction so that fields, predicates can be added. */
struct mir_operand mir_none(void);
struct mir_insn *mir_add(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                         struct mir_operand b, struct mir_operand c);
void mir_set(struct mir_insn *i, enum heddle_isa_field f, uint64_t value);
uint64_t mir_get(const struct mir_insn *i, enum heddle_isa_field f); /* as set, else its default */
bool mir_fits(enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
              struct mir_operand c); /* is there an encoding for these kinds? */
struct mir_operand
mir_reg(struct mir_builder *m,
        struct mir_operand x); /* x in a general register: a MOV when it is an immediate or a constant */
struct mir_block *mir_block_new(struct mir_function *f);            /* not yet in the layout */
void mir_block_place(struct mir_block *after, struct mir_block *b); /* into the layout */
void mir_edge(struct mir_function *f, struct mir_block *from, struct mir_block *to);
void mir_append(struct mir_block *b, struct mir_insn *i);
void mir_insert_before(struct mir_block *b, struct mir_insn *where, struct mir_insn *i); /* where NULL: at the end */
void mir_remove(struct mir_block *b, struct mir_insn *i);
struct mir_insn *mir_branch(struct mir_builder *m, enum heddle_isa_op op,
                            struct mir_block *target); /* BRA, BSSY under the builder's guard; no edges */
/* The encoding (enum heddle_isa_enc) that the operand kinds choose, or -1. mir_words: words of operand `slot` (0-2:
 * src, 3: rd) there. */
int mir_encoding(const struct mir_insn *i);
unsigned mir_words(const struct mir_insn *i, unsigned slot);
/* Unit of the instruction: conversions of 64-bit numbers have another unit than others. */
enum heddle_isa_unit mir_unit(const struct mir_insn *i);
/* ---- emit.c: one allocated instruction as a word; control code as after heddle_isa_field_default. BRA, JMP,
 * BSSY go to target_pc. False: no encoding, a register that is misaligned or out of reach, a field that does not fit.
 * ---- */
bool mir_encode(const struct mir_function *f, const struct mir_insn *i, uint32_t pc, uint32_t target_pc,
                struct heddle_isa_word *w);
/* ---- mir.c: does the RTL have it, as its operands and fields are; may it be used in f where something else
 * would do? ---- */
bool mir_in_rtl(const struct mir_function *f, const struct mir_insn *i);
bool mir_usable(const struct mir_function *f, const struct mir_insn *i);
/* ---- mir_print.c; mir.c: the check ---- */
void mir_print_insn(const struct mir_function *f, const struct mir_insn *i, FILE *to); /* without newline */
void mir_print(const struct mir_function *f, FILE *to);
const char *mir_check(const struct mir_function *f, bool allocated); /* NULL, or what is wrong */

/* ---- select_control.c, call_frame.c: see call.h ---- */
struct mir_frame *mir_frame_new(struct mir_function *f, const struct ir_function *of);
static inline enum heddle_isa_flow mir_flow(const struct mir_insn *i) {
  return (enum heddle_isa_flow)heddle_isa_instr_info((enum heddle_isa_op)i->op)->flow;
}
static inline bool mir_is_call(const struct mir_insn *i) {
  return mir_flow(i) == ISA_FLOW_CALL;
}
/* Does what is in a register of the class outlast a call? */
bool mir_survives_call(enum mir_class class, unsigned phys);
/* After allocation: makes and gives back the frame, saves what callers count on. */
void mir_frame_finish(struct mir_function *f);

/* ---- stages ---- */
struct mir_function *mir_select(struct ir_function *f); /* select*.c; NULL after errors */
void mir_coalesce(
    struct mir_function *f); /* coalesce.c: unread results are dropped, copies join registers with disjoint lives */
void mir_substitute(struct mir_function *f); /* substitute*.c: what the RTL lacks, where f is for it, by what it has */
/* unipath*.c: values that a warp has once go to the uniform datapath where that is worth while; `all`: where they can.
 */
void mir_uniform(struct mir_function *f, bool all);
void mir_schedule(struct mir_function *f, const uint8_t stall[8],
                  unsigned max_regs); /* presched.c: within blocks, minding pressure */
/* Registers of a thread: `max_regs`, but where that is 0 or more those that a field of registers names, less one. */
unsigned mir_registers(unsigned max_regs);
/* allocate.c, spill.c. False (with a reported error) when even spilling does not help. Fills phys, inserts spill
 * code. */
struct heddle_ptx_figures;
bool mir_allocate(struct mir_function *f, unsigned max_regs, struct heddle_ptx_figures *figures);
/* banks.c: registers renumbered so that an instruction's words are in different banks. */
void mir_banks(struct mir_function *f);
/* banks.c: behind that, instructions that go a few places up or down where conflicts are left. */
void mir_bank_order(struct mir_function *f);
/* emit.c: words appended, with the lines that they are of to the program, control codes and reuse flags set; the
 * kernel's entry. */
struct heddle_program;
struct heddle_ptx_options;
bool mir_emit(struct mir_function *f, struct heddle_program *p, const struct heddle_ptx_options *o,
              struct heddle_ptx_figures *figures);

/* ---- expand*.c: operations that the machine does in several instructions. Each appends to the builder (new blocks are
 * possible: the builder's block moves on) and returns the result. Bit-exact as PTX on silicon (tests/silicon/ops). ----
 */
/* Operands may be registers, RZ, immediates (64-bit integers: one word is zero-extended) and constants; floats may
 * carry neg and abs. The builder's guard holds for all of an expansion. Branches go by the last convergence barrier.
 * 32-bit integer division by an immediate becomes a multiplication. */
struct mir_operand expand_div_int(struct mir_builder *m, enum ptx_type t, bool remainder, struct mir_operand a,
                                  struct mir_operand b);
struct mir_operand expand_div_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a,
                                  struct mir_operand b); /* every rounding, ftz, approx, full */
struct mir_operand expand_rcp_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a);
struct mir_operand expand_sqrt_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a);
struct mir_operand expand_special_f32(struct mir_builder *m, const struct ir_insn *i,
                                      struct mir_operand a); /* rsqrt ex2 lg2 sin cos tanh, with or without ftz */
struct mir_operand expand_div_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a,
                                  struct mir_operand b);
struct mir_operand expand_rcp_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a);
struct mir_operand expand_sqrt_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a);
struct mir_operand expand_rsqrt_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a);

#endif
