/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the passes over ir.h: edges, orders of blocks, trees of dominators, nests of loops. Results are arena
 * memory, indexed by block or value number, and hold until a pass changes the edges. Graphs may be deep and large:
 * nothing here recurses, nothing is quadratic in the number of blocks except where its comment says so.
 */
#ifndef HEDDLE_PTX_PASS_H
#define HEDDLE_PTX_PASS_H

#include "compiler/ir/ir.h"

#define PASS_NONE UINT32_MAX

static inline struct ir_operand *pass_sources(struct ir_insn *i) {
  return i->op == IR_PHI ? i->many : i->src;
}
static inline bool pass_is(const struct ir_operand *o, const struct ir_value *v) {
  return o->kind == IR_VALUE && o->value == v;
}
static inline bool pass_same(const struct ir_operand *a, const struct ir_operand *b) {
  return a->kind == b->kind && (a->kind == IR_VALUE ? a->value == b->value : a->bits == b->bits);
}
/* The first instruction that is no phi. */
static inline struct ir_insn *pass_body(const struct ir_block *b) {
  struct ir_insn *i = b->first;
  while (i && i->op == IR_PHI) i = i->next;
  return i;
}

/* ---- cfg.c ----
 * Several edges from one block to another have equal phi operands: which of them is which need not be known. */

/* Drops the edge from->succ[k], with its phi operands. */
void pass_edge_drop(struct ir_block *from, unsigned k);
/* Turns all edges from -> to into from -> fresh (a block that has `from` not yet as predecessor, or no phis). Phi
 * operands of `to` are dropped, those of `fresh` are left to the caller (pass_phi_push, once for each edge). Returns
 * how many. */
unsigned pass_edge_turn(struct ir_function *f, struct ir_block *from, struct ir_block *to, struct ir_block *fresh);
void pass_phi_push(struct ir_function *f, struct ir_insn *phi, struct ir_operand o);
/* A phi for a fresh value, first in b, without operands. */
struct ir_insn *pass_phi_new(struct ir_function *f, struct ir_block *b, enum ir_class c);
/* Gives the edges from b->pred[k] with take[k] a block of their own in front of b (placed behind `after` in the
 * layout): phi operands that differ join there. If one edge of a predecessor is taken, all of its edges to b must be.
 */
struct ir_block *pass_gather(struct ir_function *f, struct ir_block *b, const bool *take, struct ir_block *after);
/* Cuts b in front of `at` (not a phi): what follows, with the edges, moves into a fresh block behind it, reached by BR.
 */
struct ir_block *pass_cut(struct ir_function *f, struct ir_insn *at);
/* cfg.c: b may go on to one block with b as its only predecessor. Then b takes over that block's instructions and
 * edges (the block is empty then, and still in the layout until ir_tidy); phis become copies. False: it does not. */
bool pass_absorb(struct ir_function *f, struct ir_block *b);
/* Appends a BR to `to` and its edge (phi operands are the caller's). */
void pass_branch(struct ir_function *f, struct ir_block *from, struct ir_block *to, struct ptx_pos pos);
/* The type of a copy of a value. */
enum ptx_type pass_copy_type(enum ir_class c);

/* ---- ir.c: what may be done with an instruction, its guard left aside ---- */
bool pass_can_speculate(const struct ir_insn *i); /* may happen in vain: no effect, no trap */

/* ---- narrow.c: 64-bit sums, products, phis of which only the low word is read become 32-bit ones; true: some did ----
 */
bool pass_narrow(struct ir_function *f);

/* ---- cfg.c: orders ---- */
struct pass_order {
  struct ir_block **block; /* reachable ones in reverse postorder, the entry first */
  uint32_t count;
  uint32_t *rank; /* by block id; PASS_NONE: unreachable */
};
struct pass_order *pass_order(struct ir_function *f);

/* ---- dominators.c: trees over numbered nodes ---- */
struct pass_graph { /* edges of node n: to[first[n]] .. to[first[n + 1] - 1] */
  uint32_t nodes;
  uint32_t *first, *to;
};

struct pass_tree {
  uint32_t nodes, root, count;
  uint32_t *parent; /* PASS_NONE: the root, or not in the tree */
  uint32_t *level;
  uint32_t *in, *out; /* interval of the subtree in preorder; in == PASS_NONE: not in the tree */
  uint32_t *preorder; /* node by position */
};
/* Dominators of g from root (Lengauer and Tarjan, with path compression); `back` is g reversed. */
struct pass_tree *pass_tree(struct ptx_arena *a, const struct pass_graph *g, const struct pass_graph *back,
                            uint32_t root);
static inline bool pass_above(const struct pass_tree *t, uint32_t up, uint32_t down) {
  return t->in[up] != PASS_NONE && t->in[down] != PASS_NONE && t->in[up] <= t->in[down] && t->out[down] <= t->out[up];
}

/* ---- dominators.c: nodes are block numbers ---- */
struct pass_tree *pass_dominators(struct ir_function *f, const struct pass_order *o);
/* Only blocks with keep[id] (NULL: all) count, and edges between them. Ends are the blocks that no edge leaves and
 * those with more[id]; where a loop has no end, the block that comes last in it counts as one. The root is node
 * f->blocks: the end of all. */
struct pass_tree *pass_postdominators(struct ir_function *f, const struct pass_order *o, const bool *keep,
                                      const bool *more);

/* ---- loops.c: every cycle is in a loop; a loop with an entry beside its header is irreducible ---- */
struct pass_loop {
  struct ir_block *header;
  struct pass_loop *outer; /* NULL: outermost */
  unsigned depth;          /* 1: outermost */
  bool irreducible;        /* or one of those around it */
};
struct pass_loop **pass_loops(struct ir_function *f,
                              const struct pass_order *o); /* innermost loop by block id, or NULL */
static inline bool pass_loop_inside(const struct pass_loop *inner, const struct pass_loop *outer) {
  while (inner && (!outer || inner->depth > outer->depth)) inner = inner->outer;
  return inner == outer;
}
/* Every header of a reducible loop gets one predecessor outside, which leads only there, and one inside. New blocks. */
void pass_loops_tidy(struct ir_function *f);

/* How many registers loops need, for the passes that make values live through them: an estimate. */

struct hoist_alive {
  uint32_t words, predicates;
};

/* By block id; NULL: it takes too long. */
const struct hoist_alive *hoist_alive(struct ir_function *f, const struct pass_order *o);
/* Registers of the results of an instruction. */
struct hoist_alive hoist_results(const struct ir_insn *i);

#endif
