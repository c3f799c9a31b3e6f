/* SPDX-License-Identifier: Apache-2.0
 *
 * Where every word of every virtual register lives. Inside the back end: coalesce.c, presched.c, allocate.c, spill*.c.
 *
 * Places are numbered along the layout: a block takes one number for its entry and one for each instruction
 * (insn->mark). Number n has two positions: 2n, where operands are read, 2n + 1, where results are written. A word
 * lives from the position of its write to that of its last read, both included; two words may share a register when no
 * position is common. Threads of a warp have registers of their own, so divergence plays no part; uniform registers are
 * taken the same way, since only convergent code may write them. A guarded write that does not keep the old value ends
 * the life of the old value as any other write does. */
#ifndef HEDDLE_PTX_LIVE_H
#define HEDDLE_PTX_LIVE_H

#include "compiler/ir/mir.h"

#define LIVE_NO_WORD UINT32_MAX

struct live_range {
  uint32_t start, end;
  struct live_range *next; /* ascending, with a gap between */
};

struct live_def {
  uint32_t at;      /* position */
  uint32_t copy_of; /* the word that is copied here, or LIVE_NO_WORD */
  struct live_def *next;
};

struct live_word {
  struct live_range *ranges;
  struct live_def *defs;
  uint32_t pieces; /* ranges and defs together */
};

/* Sets of a block, by its id. */
struct live_block {
  struct mir_block *block;
  uint32_t first, last; /* numbers: its entry, its last instruction */
  uint32_t *out;        /* words that live on behind it, ascending */
  uint32_t outs, room;
  uint32_t kill, in_mark, out_mark;
};

struct liveness {
  struct mir_function *f;
  uint32_t *base; /* number of a register's first word; one entry more than there are registers */
  uint32_t *reg;  /* the register of a word */
  uint32_t words;
  struct live_block *block; /* by id */
  struct mir_block **order; /* the layout */
  uint32_t blocks, numbers; /* in the layout; numbers used */
  struct live_word *word;   /* after live_ranges */
};

/* Memory that is freed together, by its opener; the function's own without one. When a pass stops, its scratch
 * memory is left to the driver. */
void live_open_scratch(struct mir_function *f);
void live_close_scratch(struct mir_function *f);
void *live_alloc(const struct mir_function *f, size_t bytes);

/* Which words live behind which block; numbers the instructions. */
struct liveness *live_blocks(struct mir_function *f);
/* The same and the ranges and writes of every word. */
struct liveness *live_ranges(struct mir_function *f);

/* Reads of an instruction: registers only. Guard first; with keeps_old also its writes. */
enum {
  LIVE_USES_PLAIN = 11,
  LIVE_DEFS_PLAIN = 3, /* of all but CALL and RET, which have no guard */
  LIVE_USES_MAX = LIVE_USES_PLAIN + MIR_CALL_MAX,
  LIVE_DEFS_MAX = LIVE_DEFS_PLAIN + MIR_CALL_MAX
};
unsigned live_uses(struct mir_insn *i, struct mir_operand *use[LIVE_USES_MAX]);
unsigned live_defs(struct mir_insn *i, struct mir_operand *def[LIVE_DEFS_MAX]);

/* A plain copy of one word or predicate: the operand that is copied, or NULL. Where a guard is false, the result must
 * not be of interest. */
struct mir_operand *live_copied(struct mir_insn *i);
bool live_is_branch(const struct mir_insn *i); /* BRA, BRX, JMP: the end of a block */

/* Removes unread results; how many. */
uint32_t live_drop_dead(struct liveness *l); /* live.c */

static inline uint32_t live_word_of(const struct liveness *l, const struct mir_operand *x, unsigned word) {
  return l->base[x->reg] + x->sub + word;
}

#endif
