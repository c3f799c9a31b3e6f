/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside ir_switch: trees of branches on comparisons of one value with constants. */
#ifndef HEDDLE_PTX_SWITCH_H
#define HEDDLE_PTX_SWITCH_H

#include "compiler/graph/pass.h"

enum { SWITCH_BLOCKS_MOST = 128, SWITCH_CHANGES_MOST = 256 + 5 * SWITCH_BLOCKS_MOST };

struct way_out {
  struct ir_block *from, *to, *by; /* by: the block put on the edge */
};

struct segment { /* values from `first` up to the next segment */
  uint32_t first;
  unsigned out; /* index */
};

struct tree {
  struct ir_function *f;
  struct ir_value *value;
  struct ir_block *block[SWITCH_BLOCKS_MOST]; /* the root first */
  struct way_out out[SWITCH_BLOCKS_MOST + 1];
  uint32_t change[SWITCH_CHANGES_MOST];
  struct segment segment[SWITCH_CHANGES_MOST];
  unsigned blocks, outs;
  uint32_t segments;
  uint32_t *number; /* by block: in block[], + 1; 0: not in the tree */
  uint32_t numbers; /* blocks that there were */
  uint32_t work;
};

/* ---- switch_value.c: what a branch does where the value is known ---- */
/* The comparison at the end of b, if its branch is on one. */
const struct ir_insn *switch_comparison(const struct ir_block *b);
/* What the comparison of `root` looks at, behind sums and extensions; NULL: nothing of the kind. */
struct ir_value *switch_looked_at(const struct ir_block *root);
/* An instruction that a tree may consist of, besides its branches. */
bool switch_is_step(const struct ir_insn *i);
/* Where b goes if the tree's value is x; NULL: that depends on something else. */
struct ir_block *switch_goes_to(struct tree *t, const struct ir_block *b, uint32_t x);
/* The values at which something can change, in order, into t->change; how many, 0: not known. */
uint32_t switch_changes(struct tree *t);

#endif
