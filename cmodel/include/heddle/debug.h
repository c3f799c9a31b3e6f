/* SPDX-License-Identifier: Apache-2.0
 *
 * The model under a debugger: one instruction of one warp, looking into it and changing it, and going back to a state
 * that was saved. `m` is a model that runs alone, but for what looks: that is for lockstep, too.
 */
#ifndef HEDDLE_DEBUG_H
#define HEDDLE_DEBUG_H

#include <heddle/isa_tables.h>
#include <heddle/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- stepping ---- */

/* After a launch, instead of heddle_model_run: blocks start in the slots that there are. */
HEDDLE_API enum heddle_error heddle_model_begin(struct heddle_model *m);
/* The warp in slot `w` executes up to `limit` instructions, every access at once; it stops at a named barrier and at
 * its end. Barriers that it completes are released, and an ended block makes room for the next one. *done counts the
 * instructions. heddle_model_run executes the rest of the grid. STATE: heddle_model_begin was not called, the slot
 * has no live warp, it has ended or waits. Others as of heddle_model_run; at the end of the grid the caller calls
 * heddle_model_end. */
HEDDLE_API enum heddle_error heddle_model_step(struct heddle_model *m, unsigned w, uint64_t limit, uint64_t *done);

/* ---- looking ---- */

enum heddle_lanes_do {
  HEDDLE_LANES_ISSUE, /* the current path */
  HEDDLE_LANES_WAIT,  /* for their turn */
  HEDDLE_LANES_PARK   /* at convergence barrier `barrier` (16: WARPSYNC) */
};

/* Lanes of a warp at one place; pc: of the instruction that they issue next; for parked ones, of the one at which
 * they wait. */
struct heddle_path {
  uint32_t lanes, pc;
  enum heddle_lanes_do doing;
  unsigned barrier;
};
/* The paths of a live warp: the one that issues, those that wait in the order of their turns, those that are parked.
 * How many; 0: no warp lives in the slot, or it has ended. */
HEDDLE_API unsigned heddle_warp_paths(const struct heddle_model *m, unsigned w, struct heddle_path out[HEDDLE_LANES]);

/* Bits of 1 are undefined, or (lockstep) not there yet. */
HEDDLE_API uint32_t heddle_reg_undefined(const struct heddle_model *m, unsigned w, unsigned reg, unsigned lane);

/* `bytes` bytes of memory from `at` on, of a space as lane `lane` of warp slot `w` sees it: ISA_SPACE_GLOBAL,
 * _SHARED, _LOCAL, _CONST (`at`: bank in bits 39:32, offset below). False: not all of them exist, or the slot has no
 * live warp (the global space needs none). */
HEDDLE_API bool heddle_look(const struct heddle_model *m, unsigned w, unsigned lane, unsigned space, uint64_t at,
                            uint8_t *out, size_t bytes);

/* ---- changing: what is written is defined ---- */

HEDDLE_API bool heddle_put(struct heddle_model *m, unsigned w, unsigned lane, unsigned space, uint64_t at,
                           const uint8_t *in, size_t bytes); /* constants: false */
HEDDLE_API bool heddle_put_reg(struct heddle_model *m, unsigned w, unsigned reg, unsigned lane, uint32_t value);
HEDDLE_API bool heddle_put_pred(struct heddle_model *m, unsigned w, unsigned p, unsigned lane, bool value);
HEDDLE_API bool heddle_put_ureg(struct heddle_model *m, unsigned w, unsigned ureg, uint32_t value);
HEDDLE_API bool heddle_put_upred(struct heddle_model *m, unsigned w, unsigned up, bool value);

/* ---- going back ---- */

struct heddle_saved;

/* All that a launch changes. `like` (or NULL): an older one of the same launch; pages of memory that are as they were
 * then are shared with it. NULL: no memory, no launch, or (lockstep) an access is not performed. */
HEDDLE_API struct heddle_saved *heddle_model_save(const struct heddle_model *m, const struct heddle_saved *like);
/* STATE: it is of another launch, or of another model. */
HEDDLE_API enum heddle_error heddle_model_restore(struct heddle_model *m, const struct heddle_saved *s);
HEDDLE_API void heddle_saved_free(struct heddle_saved *s);

#ifdef __cplusplus
}
#endif

#endif
