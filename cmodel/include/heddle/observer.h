/* SPDX-License-Identifier: Apache-2.0
 *
 * An observer of the model alone (heddle_model_run), for sanitizers and debuggers. It is called before accesses are
 * performed, at barriers and fences, at begins and ends of blocks. Row operations (arithmetic, LDC) are not reported,
 * and run as fast as ever. With an observer the model has one thread of the host, and blocks have their turns.
 *
 * Pointers are valid during the call. A callback may look into the model (heddle_reg, heddle_warp_standing,
 * heddle_model_memory) and must change nothing there.
 */
#ifndef HEDDLE_OBSERVER_H
#define HEDDLE_OBSERVER_H

#include <heddle/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A warp at an instruction that is about to happen. */
struct heddle_actor {
  uint32_t ctaid[3];
  uint64_t block; /* number of the block in its grid, x first */
  uint32_t warp;  /* in its block */
  uint32_t slot;  /* where it lives: for heddle_reg and the like */
  uint32_t seq, pc, lanes;
};

/* An access to global, shared or local memory by the lanes of `by` (of LDSM those with addresses). A generic one has
 * bits 63:56 of each address as the program has them: 0 global, 1 shared, 2 local. */
struct heddle_observed_access {
  struct heddle_actor by;
  const struct heddle_isa_dec *dec;
  uint8_t kind;                            /* enum heddle_access */
  uint8_t space;                           /* enum heddle_isa_space */
  uint8_t bytes;                           /* of each lane */
  const uint64_t *addr;                    /* of each lane */
  const uint64_t *copy_addr;               /* HEDDLE_ACCESS_COPY: in shared memory; addr is what it loads. Else NULL */
  const uint32_t (*data)[HEDDLE_LANES];    /* stores, atomics: operand b by word and lane; else NULL */
  const uint32_t (*compare)[HEDDLE_LANES]; /* HEDDLE_ACCESS_COMPARE_SWAP: operand c, which is stored; else NULL */
  enum heddle_cause cause;                 /* what it will trap with, */
  uint32_t bad;                            /* by the fault of these lanes; 0: it is in order */
};

enum heddle_event_kind {
  HEDDLE_EVENT_BLOCK,      /* a block begins; by: its warp 0 */
  HEDDLE_EVENT_BLOCK_END,  /* the same block has ended */
  HEDDLE_EVENT_WARP_END,   /* all lanes have exited */
  HEDDLE_EVENT_CONTROL,    /* BAR, MEMBAR, WARPSYNC, DEPBAR or LDGDEPBAR is executed by by.lanes, before its effect */
  HEDDLE_EVENT_RELEASE,    /* named barrier `barrier` of the block lets the warps `waiting` go on; `arrived`: BAR.ARV */
  HEDDLE_EVENT_RECONVERGED /* lanes by.lanes go on behind their WARPSYNC; by.pc is of what made them */
};

struct heddle_event {
  enum heddle_event_kind kind;
  struct heddle_actor by;
  const struct heddle_isa_dec *dec; /* CONTROL */
  uint32_t warps;                   /* of the block, and where they live: */
  const uint16_t *slots;
  uint32_t live;             /* lanes of the warp that have not exited, before and after it */
  uint32_t mask;             /* CONTROL: operand of a WARPSYNC */
  uint32_t barrier, count;   /* BAR, RELEASE: count as the instruction has it (0: all warps) */
  uint32_t waiting, arrived; /* RELEASE: masks of the block's warps */
};

/* A callback may be NULL: it is not called. */
struct heddle_observer {
  size_t size; /* sizeof(struct heddle_observer) */
  void *ctx;
  /* Lanes that are to perform it; those left out read zeros and store nothing, and do not trap. (For LDSM all do, or
   * it traps.) An instruction that is repeated, after `undefined`, is reported again. */
  uint32_t (*access)(void *ctx, const struct heddle_observed_access *a);
  void (*event)(void *ctx, const struct heddle_event *e);
  /* Something depends on unwritten data (HEDDLE_ERROR_UNDEFINED). True: operands of the instruction count as defined
   * from now on, and the run goes on. At the end of a grid it is called for the lowest such byte of each region. */
  bool (*undefined)(void *ctx, const struct heddle_undefined *u);
};

/* Value that an access of that space (global, shared, local) by a lane of warp slot `w` would read now. False: it
 * would trap, or the slot has no live warp. */
HEDDLE_API bool heddle_lane_memory(const struct heddle_model *m, unsigned w, unsigned lane, unsigned space,
                                   uint64_t addr, unsigned bytes, uint8_t *to);

/* From the next launch on; copied. NULL: no observer any more. BAD_ARG: an impossible size. */
HEDDLE_API enum heddle_error heddle_model_observe(struct heddle_model *m, const struct heddle_observer *o);

#ifdef __cplusplus
}
#endif

#endif
