/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside emit: the order of the blocks and the branches that this order needs. */
#ifndef HEDDLE_PTX_EMIT_H
#define HEDDLE_PTX_EMIT_H

#include "compiler/ir/mir.h"

/* How a block ends, its branches taken off. */
struct block_exit {
  struct mir_operand guard; /* REG: to `taken` where it is true, else to `next` */
  struct mir_block *taken;  /* with a guard */
  struct mir_block *next;   /* NULL: the block ends in EXIT or the like */
  bool placed, reached;
  bool verbatim; /* a jump table: stays as it is */
};

struct block_layout {
  struct mir_function *f;
  struct block_exit *exit;  /* by block id */
  struct mir_block **order; /* reached blocks, in their final order */
  uint32_t blocks;
};

/* Takes the branches off the blocks and finds an order. */
struct block_layout *block_layout_new(struct mir_function *f);
/* block_layout.c: loops end with their test where they can. */
void block_layout_rotate(struct block_layout *l);
/* Puts the branches back that the order needs. */
void block_layout_finish(struct block_layout *l);

#endif
