/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside converge.c, converge_barriers.c and polls.c.
 */
#ifndef HEDDLE_PTX_CONVERGE_H
#define HEDDLE_PTX_CONVERGE_H

#include "compiler/calls/call.h"
#include "compiler/converge/region.h"

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

/* polls.c: g->polls, yields, opens. */
void converge_polls(struct converge *c);
void converge_new(struct converge *c);
/* Gives every region that is not idle a barrier, or none: the rank of one, from the outside in. */
void converge_barriers(struct converge *c);
/* Ranks below are of regions that hold a call. The barrier of a rank. */
int converge_call_ranks(void);
int converge_number(const struct ir_function *f, int rank);

#endif
