/* SPDX-License-Identifier: Apache-2.0
 *
 * Reconvergence of threads after a branch. Used by uniform.c, which relies on it, and converge.c, which ensures it.
 *
 * A region (from, to) is kept together by a convergence barrier: BSSY at the end of `from`, BSYNC at the start of `to`.
 *
 * 1. `from` dominates `to`: a thread at the BSYNC has passed the BSSY, and is a member.
 * 2. On no way back from `to` to `to` is `from` left out: the same holds for the second time and every other.
 * 3. `to` postdominates `from`: a member comes to the BSYNC, or ends (which removes it).
 *
 * For a branch at the end of X the region must hold X between: `from` dominates X, `to` postdominates it. The closest
 * such region is found by going up both trees by turns.
 *
 * Barriers between warps (BAR) and WARPSYNC of all lanes want every thread that has not ended. Blocks from which one
 * can be reached are called early. For an early branch only ways to the next BAR count in 3. Threads on a way without a
 * BAR are on their way to their end, and the others wait for them in front of the BAR ("if (..) { ..; return; } ..
 * bar.sync"). So those must never wait for the others: the regions of branches that are not early begin and end among
 * blocks that are not. In a function that is called, returns count as such barriers when one can follow the call.
 *
 * A call is a block of its own, and a branch with one way: threads come back from it one by one.
 */
#ifndef HEDDLE_COMPILER_CONVERGE_CONVERGE_H
#define HEDDLE_COMPILER_CONVERGE_CONVERGE_H

#include "compiler/calls/call.h"
#include "compiler/graph/pass.h"

struct region {
  struct ir_block *from, *to;
  int barrier; /* converge.h; -1: none */
  bool loose;  /* threads may be let go before all are there (YIELD) */
};

struct regions {
  struct ir_function *f;
  const struct pass_order *order;
  const struct pass_tree *dom, *post, *post_early; /* post_early: among early blocks; NULL when there are none */
  struct pass_loop **loop;
  struct ir_block **by_id;
  bool *early;    /* by block id */
  bool *meeting;  /* by block id: an operation with lanes that wait for each other can be reached */
  bool *polls;    /* by block id: the branch at its end leaves or goes on with a loop that waits for memory */
  bool *holds;    /* the same, and leaving lanes may have got the item that the others wait for */
  bool holders;   /* there is one of these */
  uint8_t *inner; /* region.c: is one in the region of this branch? */
  bool *lost;     /* by block id of a branch: its region could not be had */
  bool *loose;    /* by block id of a branch: nothing may count on its region */
  uint32_t *seen; /* scratch */
  uint32_t stamp;
  struct ir_block **work;
  uint64_t budget; /* of steps; then no more regions are found */
};

/* Brings the graph into the shape that regions are found in: blocks in front of loops and at their backs, blocks of
 * their own for barriers between warps. */
void region_prepare(struct ir_function *f);
/* The graph must not change afterwards. */
struct regions *region_new(struct ir_function *f);
/* The region of the branch at the end of x; false: there is none. */
bool region_find(struct regions *g, const struct ir_block *x, struct region *r);
/* The call at the end of the block, or NULL. Threads may come back from it one by one. */
struct ir_insn *region_call(const struct ir_block *b);

/* ---- region.c: where the ways out of a branch join before the end of its region ---- */
struct ways {
  struct regions *g;
  struct ir_block **join, **tear; /* of the last branch: two ways lead there (the region's end too); behind a join */
  struct ir_block *
      *circle;             /* blocks on ways from the branch back to it: threads may go round them more or less often */
  struct ir_block **visit; /* all blocks inside the region, behind the branch */
  uint32_t joins, tears, circles, visits;
  uint32_t *turned;        /* by block id: the round in which it was in `circle` */
  uint32_t *label, *round; /* by block id; all below holds if round is this branch's */
  bool *joined, *loose, *queued;
  uint32_t *heap, heap_size; /* ranks of blocks to look at */
  uint32_t now;
  uint64_t budget;
};
struct ways *ways_new(struct regions *g);
/* end NULL: no region. False: it takes too long; the lists are not complete. */
bool ways_follow(struct ways *w, struct ir_block *x, const struct ir_block *end);

/* uniform.c: value->uniform, block->together with these regions, lost ones left out. */
void uniform_find(struct regions *g);

/* ---- inside converge.c and converge_barriers.c ---- */

enum { TIMES_MOST = 8, REGION_NONE = -1, REGION_IDLE = -2 }; /* the last two instead of a barrier */

struct converge {
  struct ir_function *f;
  struct regions *g;
  struct region *region; /* with their barriers */
  uint32_t regions;
  struct region **ending; /* by block id: the region that ends there */
  bool *yields;           /* by block id: a YIELD belongs at its end, unless `waited` */
  bool *opens;            /* by block id: a YIELD may be in what is called there */
  bool *waited;   /* by block id: threads may be waiting in front of a barrier between warps for those that are here */
  uint16_t *busy; /* by block id: barriers that are in use there */
  uint16_t *avoided; /* by block id: barriers that threads may still be waiting at for those that are here */
  uint32_t *seen, stamp;
  struct ir_block **work;
};

/* converge.c: g->polls, yields, opens. */
void converge_new(struct converge *c);
/* Gives every region that is not idle a barrier, or none: the rank of one, from the outside in. */
void converge_barriers(struct converge *c);
/* Ranks below are of regions that hold a call. The barrier of a rank. */
int converge_call_ranks(void);
int converge_number(const struct ir_function *f, int rank);

#endif
