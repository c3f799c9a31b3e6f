/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the register allocator.
 *
 *   coalesce -> liveness -> pressure too high, or no colouring found? choose registers, put them into memory, again
 *            -> physical numbers
 *
 * Predicates come first: the ones that do not fit live in general registers. */
#ifndef HEDDLE_PTX_ALLOCATE_H
#define HEDDLE_PTX_ALLOCATE_H

#include "compiler/backend/live.h"
#include <heddle/ptx.h>

struct pressure;

struct allocation {
  struct mir_function *f;
  struct heddle_ptx_figures *figures;
  struct liveness *l;
  unsigned limit[4];    /* physical registers by enum mir_class */
  unsigned used[4];     /* after colouring */
  uint32_t vregs;       /* that there were before anything was spilled */
  uint8_t *short_lived; /* by register: made by the spiller, of no use to spill again */
  uint32_t marks;       /* room of short_lived */
  /* of a round */
  uint8_t *chosen; /* by register: to be spilled */
  uint32_t chosens;
  uint32_t *failed; /* registers for which colouring found no place */
  uint32_t failures;
  struct pressure *pressure;
};

void allocation_mark_short(struct allocation *a, uint32_t vreg);

/* colour.c: physical numbers for a class, as few as can be. False: `failed` says which found none. */
bool colour(struct allocation *a, enum mir_class class);

/* live.c: words alive at each position, as a tree of maxima. */
struct pressure *pressure_new(const struct liveness *l, enum mir_class class);
uint32_t pressure_max(const struct pressure *p, uint32_t from, uint32_t to);
void pressure_add(struct pressure *p, uint32_t from, uint32_t to, int32_t words);

/* colour.c: at a call, as many words more as there are registers that do not outlast it. */
void pressure_of_calls(struct allocation *a, enum mir_class class);
/* Positions of the calls, as a bitmap of `row` words; NULL: there are none. */
uint64_t *call_positions(const struct allocation *a, size_t row);
/* Is `phys` no place for the register, because it would have to outlast a call there? `calls` of call_positions. */
bool call_forbids(const struct allocation *a, uint32_t vreg, unsigned phys, const uint64_t *calls);

/* spill.c: rewrites the function without the chosen registers. spill_predicate.c: into general registers. */
void spill_registers(struct allocation *a);
void spill_predicates(struct allocation *a);
/* By word: the instruction to repeat. */
const struct mir_insn **spill_remats(const struct liveness *l);

/* ---- spill_predicate.c: what both spillers use ---- */
/* An instruction that is in no block yet. */
struct mir_insn *spill_insn(const struct mir_builder *m, enum heddle_isa_op op, struct mir_operand rd,
                            struct mir_operand a, struct mir_operand b);
/* Does the instruction overwrite its own guard? */
bool spill_loses_guard(const struct mir_insn *i);
/* Its guard in a predicate that outlives it. */
struct mir_operand spill_copy_guard(struct mir_function *f, struct mir_block *b, struct mir_insn *before,
                                    const struct mir_insn *i);

#endif
