/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside isa/lint only. */
#ifndef HEDDLE_LINT_INTERNAL_H
#define HEDDLE_LINT_INTERNAL_H

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <heddle/lint.h>

#define NOWHERE UINT32_MAX
#define NEVER INT32_MAX      /* time does not help */
#define WORK_MAX (1u << 26)  /* instructions looked at before the proof stops */
#define FOUND_MAX (1u << 16) /* findings kept; more are only counted */
#define COUNTER_MAX 63u      /* a counter's largest value */

/* ---- pending results (state.c). Slot 0 of waits: time alone; slot 1 + c: counter c as well. */
enum { SLOTS = 1 + (int)HEDDLE_HAZARD_COUNTERS, PLACE_WORDS = (HEDDLE_HAZARD_PLACES + 63) / 64 };

#define COPIES ISA_UNIT_COUNT /* as a unit: of asynchronous copies, which barriers do not wait for */

struct pending {
  int32_t ready;     /* cycle of the block from which on it may be used; NEVER: its counter must be waited for */
  uint32_t number;   /* how many results its unit had raised the counter for before */
  uint32_t producer; /* instruction; of several the first that was met */
  uint8_t unit;      /* enum heddle_isa_unit; ISA_UNIT_COUNT: several */
};

struct state {
  int32_t now; /* cycles since the block began */
  uint64_t live[SLOTS][PLACE_WORDS];
  struct pending of[SLOTS][HEDDLE_HAZARD_PLACES];
  uint32_t numbers[HEDDLE_HAZARD_COUNTERS][ISA_UNIT_COUNT]; /* results that raised it; modulo 2^32 */
  uint16_t units[HEDDLE_HAZARD_COUNTERS];                   /* mask of units that may have raised it, and COPIES */
};

/* The same at the start of a block, where paths meet. */
struct entry {
  uint32_t producer;
  uint16_t key; /* place * SLOTS + slot */
  int16_t left; /* cycles; INT16_MAX: NEVER */
  uint8_t behind, unit;
};

struct meeting {
  struct entry *entry; /* by key */
  uint32_t entries;
  uint16_t units[HEDDLE_HAZARD_COUNTERS];
  bool reached, queued;
};

bool state_live(const struct state *s, unsigned slot, unsigned place); /* and not ready */
/* The next place behind `from` (start with -1) with something live in the slot, or -1. */
int state_next(const struct state *s, unsigned slot, int from);

void state_begin(struct state *s, const struct meeting *m);
/* Adds what `s` leaves behind to a meeting (NULL: nothing is on its way). `scratch`: SLOTS * HEDDLE_HAZARD_PLACES * 2
 * entries. -1: no memory; 1: changed. */
int state_meet(struct meeting *m, const struct state *s, struct entry *scratch);

/* ---- blocks (flow.c) */
struct insn {
  struct heddle_isa_dec d;
  uint32_t pc; /* that of the one behind the last: the code's size */
  bool legal, leads;
};

struct block {
  uint32_t first, end;
  uint32_t succ[2]; /* falls through, jumps */
  uint32_t returns; /* a call's next instruction: everything is ready there */
  bool open;        /* leaves to an unknown target */
};

struct found {
  struct heddle_lint_finding f;
  uint16_t key;
};

struct lint {
  const struct heddle_program *p;
  const struct heddle_lint_options *o;
  struct insn *insn;
  struct block *block;
  struct meeting *at; /* by block */
  bool *seen;         /* by block: in any run */
  bool *ran;          /* by kernel */
  uint32_t insns, blocks;
  uint32_t *queue, head, queued; /* ring of `blocks` */
  struct entry *scratch;
  struct state *s;
  uint64_t work;
  uint8_t stall[8];     /* of this run */
  uint8_t functions[8]; /* of all kernels the largest */
  bool failed;          /* no memory */
  bool report;          /* the state is final: say what is wrong */
  struct found *found;
  size_t room; /* of found */
  uint32_t n_found, dropped;
  uint32_t probe;       /* instruction, or NOWHERE */
  struct state *probed; /* before it */
};

bool flow_build(struct lint *l);
uint32_t flow_insn(const struct lint *l, uint32_t pc); /* the instruction there, or NOWHERE */
static inline uint32_t pc_of(const struct lint *l, uint32_t insn) {
  return l->insn[insn].pc;
}
uint32_t flow_block(const struct lint *l, uint32_t insn); /* block that begins at or before it */

/* ---- one instruction (state.c): state before -> state when the next one may issue */
void step(struct lint *l, uint32_t at);

/* ---- what is wrong (state.c) */
void found_touch(struct lint *l, enum heddle_lint_kind kind, uint32_t at, unsigned slot, unsigned place);
void found_unscheduled(struct lint *l, const struct heddle_kernel *k);
void found_emit(struct lint *l); /* sorted, each once */
const struct heddle_kernel *owner_of(const struct lint *l, uint32_t pc);
void place_name(unsigned place, char name[8]);

void found_undefined(struct lint *l, uint32_t at, unsigned place);

/* ---- what is read and was never written (flow.c) */
void undefined_find(struct lint *l);

#endif
