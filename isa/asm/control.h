/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside heddle_schedule: a stretch of code as basic blocks. */
#ifndef HEDDLE_ASM_CONTROL_H
#define HEDDLE_ASM_CONTROL_H

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "isa/asm/pending.h"

#define CONTROL_NOWHERE UINT32_MAX

struct control_insn {
  struct heddle_isa_dec d;
  uint8_t stall, wait, wbar, reuse; /* to be written; wbar 7: none */
  bool leads;                       /* a block begins here */
};

struct control_block {
  uint32_t first, end; /* instructions; end is behind the last */
  uint32_t succ[2];    /* blocks, or CONTROL_NOWHERE */
  bool open;           /* goes where nobody knows */
};

struct control_code {
  struct control_insn *insn; /* owned */
  struct control_block *block;
  uint32_t insns, blocks;
};

/* Finds the blocks of decoded instructions. False: no memory. */
bool control_flow(struct control_code *c);

/* Does the instruction read or write the place? */
bool control_touches(const struct heddle_isa_dec *d, unsigned place);

#endif
