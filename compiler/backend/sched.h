/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the scheduler: a stretch of a block as a graph of what must stay behind what.
 */
#ifndef HEDDLE_PTX_SCHED_H
#define HEDDLE_PTX_SCHED_H

#include "compiler/backend/live.h"
#include "compiler/ir/mir.h"

enum { SCHED_REGION_MAX = 512 }; /* longer stretches are cut */

/* One value that a word has between two writes. */
struct sched_value {
  uint32_t word, readers; /* that are not scheduled yet */
  bool stays;             /* alive behind the region */
};

struct sched_edge {
  uint32_t to;
  uint32_t latency; /* cycles between the two, at least */
  struct sched_edge *next;
};

struct sched_node {
  struct mir_insn *insn;
  struct sched_edge *out;
  uint32_t waits_for;                                             /* predecessors that are not scheduled yet */
  uint32_t earliest;                                              /* cycle */
  uint32_t height;                                                /* cycles from its issue to the end of the region */
  uint32_t read[LIVE_USES_PLAIN * 4], wrote[LIVE_DEFS_PLAIN * 4]; /* calls are walls */
  uint8_t reads, writes;
};

struct sched_region {
  struct liveness *l;
  const uint8_t *stall;
  struct sched_node *node;
  struct sched_value *value;
  uint32_t nodes, values;
  uint32_t *current; /* by word: 1 + the value it has at the moment; 0: not seen in this region */
  uint32_t *writer;  /* by value: 1 + node; 0: from before the region */
  uint8_t *alive;    /* by word: behind the region */
};

/* Does the scheduler leave it where it is, and everything before and behind it? */
bool sched_is_wall(const struct mir_insn *i);

/* Nodes, values, edges, heights of region->nodes instructions from node[..].insn on. */
void sched_build(struct sched_region *r);

/* Inside the scheduler: which memory accesses and which operations across lanes keep their order. */

struct sched_access {
  uint8_t spaces;              /* mask; 0: no memory access */
  bool writes, strong, across; /* across: speaks with other lanes or warps */
  bool fence;                  /* all memory accesses stay on their side */
  uint32_t base;               /* value of the address register, or UINT32_MAX for none */
  int64_t offset;
  uint32_t bytes;
};

struct sched_access sched_access_of(const struct mir_insn *i);
/* Must the second stay behind the first? */
bool sched_conflict(const struct sched_access *first, const struct sched_access *second);

#endif
