/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler and disassembler. The language is described in isa/doc/07-assembly.md. */
#ifndef HEDDLE_ASM_H
#define HEDDLE_ASM_H

#include <heddle/api.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_asm_options {
  size_t size; /* sizeof(struct heddle_asm_options) */
  /* By enum heddle_stall: counts to schedule for. All zero = no configuration known: 15 everywhere. Else a zero for the
   * half or uni unit, which no configuration has yet, means 6 or 12. */
  uint8_t stall[8];
  /* Called for every error and warning, in order. May be NULL. */
  void (*message)(void *ctx, const struct heddle_message *m);
  void *ctx;
  bool long_words; /* no short ones, whatever .pack says */
};

/* Assemble `size` bytes of text. *out is NULL after an error, of which options->message has each: INVALID_IMAGE,
 * HOST_MEMORY. INVALID_VALUE: the options are of another release, and it has none. */
HEDDLE_API enum heddle_error heddle_assemble(const char *text, size_t size, const char *file,
                                             const struct heddle_asm_options *options, struct heddle_program **out);

/* Control codes and reuse flags for the code in [first_pc, end_pc) of the program, in place of what the words have: for
 * compilers. `stall` by enum heddle_stall, 1 to 15; NULL: no latency is known, every result has a counter. Code outside
 * does not branch into it but to first_pc, with everything ready. *stall_cycles (may be NULL): stalls above one, summed
 * up. INVALID_IMAGE: an illegal word, or a short one; HOST_MEMORY; nothing is changed then. */
HEDDLE_API enum heddle_error heddle_schedule(struct heddle_program *p, uint32_t first_pc, uint32_t end_pc,
                                             const uint8_t stall[8], uint32_t *stall_cycles);

/* One word as text, without control prefix or ';': "@!P0 IADD3 R2, R0, -0x1, RZ". An illegal word gives
 * ".word 0x<hi><lo>". `pc` resolves relative targets (printed as absolute addresses). Returns strlen. */
HEDDLE_API unsigned heddle_disassemble(struct heddle_isa_word w, uint32_t pc, char *buf, size_t size);

/* The instruction at `pc` of a program as text, whatever its size: relative targets count from the next one. */
HEDDLE_API unsigned heddle_disassemble_at(const struct heddle_program *p, uint32_t pc, char *buf, size_t size);

/* The control prefix alone: "[B--2---:R-:W0:Y:S04]". */
HEDDLE_API unsigned heddle_control_text(const struct heddle_isa_ctl *ctl, char *buf, size_t size);

/* A whole program as assembly that assembles to the same bytes, through `write` (a chunk at a time). */
HEDDLE_API void heddle_disassemble_program(const struct heddle_program *p, void (*write)(void *ctx, const char *text),
                                           void *ctx);

#ifdef __cplusplus
}
#endif

#endif
