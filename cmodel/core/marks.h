/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: what nobody has written.
 *
 * A byte of a register of a lane, of shared, of local and of global memory is defined or not. Registers and predicates
 * of a warp, local memory of a thread and shared memory of a block begin undefined; global memory and constants are
 * what the host says. Reading something undefined ends nothing by itself: a program that copies a structure with its
 * padding is right.
 *
 *   carried  MOV from a register, loads (LDSM too) and stores do as always, and the marks go along byte by byte, sign
 *            extension with its byte. Global memory has marks from the first store on that brings some.
 *   used     an operand of any other instruction, an address, a guard, a source predicate, what an atomic reads or
 *            brings, in a lane that executes: HEDDLE_UNDEFINED, and nothing has happened.
 *   read     bytes that are undefined at the end of a grid in memory that it may write: the host reads it. The same.
 *
 * Cost. `warp.defined` says of which lanes a register is wholly defined, `defined` of a window which bytes are (NULL:
 * all): the hot paths look there and nowhere else, as they always have, and leave to us what they do not find. Of other
 * lanes the rows here have 0xff in every byte that is undefined. They are made when the first marks of a warp are
 * carried; until then a lane that is not defined is wholly undefined. Global memory without marks has no window of
 * them. Several threads of the host (parallel.c) do not bring marks there: they give up, and one runs all.
 */
#ifndef HEDDLE_CORE_MARKS_H
#define HEDDLE_CORE_MARKS_H

#include "cmodel/core/memory.h"

/* Rows of 32-bit words that are read or written together: 0xff in each undefined byte. */
struct mark_rows {
  bool any;
  uint32_t word[4][HEDDLE_LANES];
};

/* The instruction at op, of whose sources some are undefined in lanes of `exec` (its guard is defined): what becomes of
 * them? */
enum marks_fate { MARKS_USED, MARKS_MOVED, MARKS_STORED };
enum marks_fate marks_fate(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t exec);

/* Of operand b. */
void marks_of_source(const struct warp *w, const struct dop *op, struct mark_rows *out);
uint32_t marks_lanes(const struct mark_rows *r, unsigned word); /* with a mark */

/* Registers row, row + 1 ... of `lanes` have these marks, and no others. False: no memory. */
bool marks_set(struct warp *w, unsigned row, unsigned words, uint32_t lanes, const struct mark_rows *r);
void marks_free(struct heddle_model *m);

/* ---- memory */
/* Before a store that brings marks: lanes that go to global memory find a window of marks there. */
enum heddle_status marks_open_global(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                     uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]);
/* A load of lanes, some of whose bytes are undefined, is performed; LDSM: rows, not spread yet. */
void marks_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                const uint64_t addr[HEDDLE_LANES], const struct rows_of *r, struct mark_rows *out);
/* Lanes some of whose bytes are undefined now. */
uint32_t marks_in_memory(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                         const uint64_t addr[HEDDLE_LANES]);
/* At the end of a grid: HEDDLE_UNDEFINED with the lowest byte that the host would read. */
enum heddle_status marks_at_end(struct heddle_model *m);

/* ---- telling: always HEDDLE_UNDEFINED; `what`: "R5 (operand a)" */
enum heddle_status marks_tell(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                              const char *what);
enum heddle_status marks_tell_bytes(struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t seq,
                                    uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]);

#endif
