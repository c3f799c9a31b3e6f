/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference model: architectural, untimed, no globals, no printing.
 *
 * Two ways to use it:
 *  - alone: heddle_model_run() schedules blocks and warps itself and performs each access at once;
 *  - as the judge of an implementation: the caller says *which* warp issues next, *which* lanes' accesses
 *    are performed now, *which* barrier completed, *which* block starts in which slots; the model computes
 *    every value from its own state. No call takes a data value from outside.
 *
 * Lane values are raw bits. Masks: bit i = lane i. Addresses are bytes.
 */
#ifndef HEDDLE_MODEL_H
#define HEDDLE_MODEL_H

#include "heddle/isa.h"

#define HEDDLE_LANES 32u

enum heddle_cause { /* codes of isa/doc/05-barriers-traps.md */
                    HEDDLE_TRAP_NONE,
                    HEDDLE_TRAP_ILLEGAL,
                    HEDDLE_TRAP_BAD_PC,
                    HEDDLE_TRAP_MISALIGNED,
                    HEDDLE_TRAP_OUT_OF_RANGE,
                    HEDDLE_TRAP_WRITE_PROTECTED,
                    HEDDLE_TRAP_CONST_RANGE,
                    HEDDLE_TRAP_DIVERGENCE,
                    HEDDLE_TRAP_DEADLOCK,
                    HEDDLE_TRAP_BARRIER,
                    HEDDLE_TRAP_BUS
};
const char *heddle_cause_name(enum heddle_cause c);

enum heddle_status {
  HEDDLE_OK = 0,
  HEDDLE_TRAPPED,   /* see heddle_model_trap */
  HEDDLE_LIMIT,     /* instruction limit reached, or every warp waits at a barrier that cannot complete */
  HEDDLE_UNDEFINED, /* an executing lane read an undefined register, predicate or byte; see heddle_model_diag */
  HEDDLE_PENDING,   /* lockstep: the instruction reads or overwrites a result that has not been performed yet */
  HEDDLE_STATE, /* the call does not fit the state (warp not live, waiting at a barrier, slot in use ...); see diag */
  HEDDLE_BAD_ARG,
  HEDDLE_NO_MEMORY
};

struct heddle_region {
  uint64_t base, limit;
  bool writable;
};

/* What a grid needs. Copied by heddle_model_launch. */
struct heddle_launch {
  uint32_t grid[3], block[3];
  uint32_t entry_pc, regs, shared_bytes;
  const uint8_t *code;
  uint32_t code_bytes;
  const uint8_t *cbank[4];
  uint32_t cbank_bytes[4];
  struct heddle_region region[16];
  unsigned regions;
  uint32_t units; /* bit per enum isa_unit: units that exist; others are illegal */
};

struct heddle_trap {
  enum heddle_cause cause;
  uint32_t ctaid[3], warp_in_block, seq, pc, lanes;
  uint64_t addr;
};

struct heddle_model;

/* Memory is one flat allocation [base, base+bytes) of the 40-bit global space, zeroed. At most 256 warp slots.
 * NULL: no memory, or an argument out of range. */
struct heddle_model *heddle_model_new(uint64_t base, uint64_t bytes, unsigned warp_slots, unsigned block_slots);
void heddle_model_free(struct heddle_model *m);
uint8_t *heddle_model_memory(struct heddle_model *m);        /* for loading inputs and comparing results */
const char *heddle_model_diag(const struct heddle_model *m); /* words of the last non-OK status */
const struct heddle_trap *heddle_model_trap(const struct heddle_model *m);

/* Regions must lie inside the memory. Blocks of an earlier launch are forgotten; memory stays as it is. */
enum heddle_status heddle_model_launch(struct heddle_model *m, const struct heddle_launch *l);

/* Alone: run the whole grid, once a launch. `max_warp_insns` 0 = no limit. *retired (or NULL) counts warp instructions.
 */
enum heddle_status heddle_model_run(struct heddle_model *m, uint64_t max_warp_insns, uint64_t *retired);

/* ---- lockstep ---------------------------------------------------------------------------------- */

/* A block begins in block slot `bslot`; its warp i lives in warp slot wslot[i]. STATE: a slot in use, a block outside
 * the grid or started before, another number of warps than the block has. */
enum heddle_status heddle_block_start(struct heddle_model *m, unsigned bslot, const uint32_t ctaid[3],
                                      const uint8_t *wslot, unsigned warps);
/* STATE: a warp has not ended, or an access is not performed. */
enum heddle_status heddle_block_end(struct heddle_model *m, unsigned bslot);

/* What the model knows about the instruction that it just executed: the caller's own copy. Arrays are filled only as
 * far as the counts, masks and flags beside them say. */
struct heddle_effect {
  uint32_t seq, pc, active, exec; /* seq: 0 for the first instruction of a warp in its block */
  uint64_t dhash;                 /* divergence hash before the instruction */
  struct isa_dec dec;
  uint32_t ps[3];           /* source predicates after negation, all 32 lanes (raw) */
  uint8_t src_words[3];     /* words of operand a, b, c (0 = none). Also of immediates, constants and RZ: see dec.src */
  uint32_t src[3][4][32];   /* raw operand values before abs/neg: [operand][word][lane] */
  uint32_t src_mask;        /* lanes in which src is meaningful (exec) */
  uint8_t rd_words;         /* 0 = nothing will be written: no register result, RZ, or exec = 0 */
  uint32_t rd_value[4][32]; /* in the lanes exec; not when rd_pending */
  bool rd_pending;          /* result arrives by perform (global and shared; LDC has its result at issue) */
  uint8_t pd_written;   /* bit 0: pd0, bit 1: pd1 (not PT, owned, exec not 0). Both the same: only bit 1, which stays */
  uint32_t pd_value[2]; /* in the lanes exec, 0 elsewhere */
  uint32_t mem_lanes;   /* lanes whose access is still to be performed (0 = none: LDC, trapped, behind a trap) */
  uint8_t mem_space;    /* 0 none, 1 global, 2 shared, 3 constant */
  uint8_t mem_kind;     /* 0 load, 1 store, 2 atomic with result, 3 reduction */
  uint8_t mem_bytes;    /* access size */
  uint64_t mem_addr[32]; /* in the lanes exec */
  bool traps;            /* this instruction traps and has its issue record; see heddle_warp_issue */
  uint8_t bar_wait;      /* 1: the warp now waits at bar_id */
  uint8_t bar_id;
  bool warp_ended; /* all lanes exited */
};

/* The warp in slot `w` issues its next instruction, from the model's own registers.
 * Traps without an issue record (causes 1, 2 at fetch, 6 of an operand, 7, 9): HEDDLE_TRAPPED; only seq, pc, active and
 *   dhash are filled; the grid is stopped.
 * Traps with an issue record: HEDDLE_OK and out->traps. An address trap has no effect and lets other issues go on (the
 *   hardware stops later), but no younger access of this warp will be performed. A bad register target (2) has no
 *   effect, a deadlock (8) has had its effect; both stop the grid.
 * heddle_model_trap describes the first one in issue order.
 * UNDEFINED, PENDING, STATE (slot empty, warp ended or waiting, grid stopped, BAR.SYNC or MEMBAR while accesses of
 *   the warp are not performed): nothing has happened. */
enum heddle_status heddle_warp_issue(struct heddle_model *m, unsigned w, struct heddle_effect *out);

/* What one perform did, from the model's own state. */
struct heddle_performed {
  uint32_t lanes;
  uint8_t rd_words; /* result registers now final in these lanes (loads, atomics; 0: none, or RZ) */
  uint32_t rd_value[4][32];
  uint64_t addr[32];
  uint8_t bytes;
  uint8_t old_bytes[32][16]; /* loads, atomics: what each lane read (atomics: before its own update) */
  uint8_t new_bytes[32][16]; /* stores, atomics: what the lane's location holds after this perform */
  bool finished;             /* the instruction has no lane left to perform */
};
/* Lanes `lanes` of instruction `seq` of warp slot `w` are performed now, together, ascending where order matters.
 * STATE: lanes that do not wait; an older access of the warp to the same sector (shared: any older shared access) is
 * not performed yet; lanes of the same sector are left behind (shared stores and atomics: a lower lane of the same
 * bytes); the instruction lies at or behind an address trap. UNDEFINED: a shared byte. Then nothing has happened. */
enum heddle_status heddle_perform(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes,
                                  struct heddle_performed *out);

/* Barrier `id` of the block in `bslot` completed; its warps go on. STATE unless the model also sees it complete. */
enum heddle_status heddle_barrier_release(struct heddle_model *m, unsigned bslot, unsigned id);
bool heddle_grid_done(const struct heddle_model *m); /* every block has started and ended */
bool heddle_warp_waiting(const struct heddle_model *m, unsigned w);
unsigned heddle_warp_pending(const struct heddle_model *m, unsigned w); /* instructions not wholly performed */

/* Views for reports and debuggers. */
uint32_t heddle_reg(const struct heddle_model *m, unsigned w, unsigned reg, unsigned lane);
bool heddle_pred(const struct heddle_model *m, unsigned w, unsigned p, unsigned lane);

#endif
