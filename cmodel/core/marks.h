/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: unwritten data (isa/doc/17-undefined.md).
 *
 * A bit of a register of a lane, of shared, of local and of global memory is defined or not. The page has the rules for
 * the begin, propagation and reports; here they are executed.
 *
 *   a row operation   marks_row, with an undefined source: the rule of the operation's kind (marks_flow.c, chosen by
 *                     sem_def.marks) gives the undefined bits of the result. The operation computes as ever, and the
 *                     marks of the result are set
 *   a load, a store   marks_load, marks_of_store: by bit (marks.c)
 *   a use             marks_uses: an operand that decides. HEDDLE_ERROR_UNDEFINED, and nothing has happened
 *   the end           marks_at_end: bits that the host would read
 *
 * Cost. `warp.defined` has a bit for each lane with a wholly defined register, `defined` of a window its defined bits
 * (NULL: all). The hot paths read these alone, and leave all else to this file. `warp.marks` has the undefined bits of
 * the other lanes. It is made at the first undefined source of a warp; until then a lane that is not defined is wholly
 * undefined. Global memory without marks has no window of them. Several threads of the host (parallel.c) have no marks
 * there: they stop, and one runs all.
 *
 * An origin is one word: the unwritten item, and the instruction that first read it, or loaded it. A register has one
 * for each lane, memory one for each word.
 */
#ifndef HEDDLE_CORE_MARKS_H
#define HEDDLE_CORE_MARKS_H

#include "cmodel/core/memory.h"

/* ---- registers and predicates of a warp */
void marks_begin_warp(struct heddle_model *m, struct warp *w); /* all undefined, or zero */
void marks_begin_shared(const struct heddle_model *m, struct block *b);
void marks_free(struct heddle_model *m);
/* Before marks of the warp are read or set. False: no memory, and heddle_model_diag says so. */
bool marks_open(struct heddle_model *m, struct warp *w);

/* Marks of operand s, as it is in its registers. */
void marks_of_source(struct warp *w, const struct dsrc *s, uint32_t lanes, uint32_t pc, struct mark_rows *out);
void marks_of_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t pc, uint64_t from[HEDDLE_LANES]);
uint32_t marks_lanes(const struct mark_rows *r, unsigned word); /* with a mark */

/* Registers row, row + 1 ... of `lanes` have these marks, and no others. A change ends livelock.c's window, which
 * compares only `defined`, not the bits. */
void marks_set(struct heddle_model *m, struct warp *w, unsigned row, unsigned words, uint32_t lanes,
               const struct mark_rows *r);
/* Predicate p of `lanes` is undefined in those of `bad`. */
void marks_set_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t bad, const uint64_t from[HEDDLE_LANES]);

/* Reports the instruction's first undefined operand, or predicate, among the deciding ones. OK: there is none. */
enum heddle_error marks_uses(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
enum heddle_error marks_guard(struct heddle_model *m, struct warp *w, const struct dop *op);

/* ---- marks_flow.c */
/* P2R: is one of the predicates that it reads undefined? They are not among its source predicates. */
bool marks_in_predicates(const struct warp *w, const struct dop *op, uint32_t exec);
/* A row operation with an undefined source. `e` (or NULL) gets the unknown bits. */
enum heddle_error marks_row(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            struct sem_io *io, struct heddle_effect *e);

/* Operand k of an effect has these marks. */
void marks_note_source(struct heddle_effect *e, unsigned k, const struct mark_rows *r);

/* ---- memory (marks.c) */
/* Marks of a store's operand b; any: something undefined among the stored bytes. */
enum heddle_error marks_of_store(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                 struct mark_rows *out);
/* Before a store that brings marks: lanes that go to global memory find a window of marks there. */
enum heddle_error marks_open_global(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                    uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES],
                                    const struct mark_rows *marks);
/* After it: where what it brought arose. */
void marks_stored(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], const struct mark_rows *marks);
/* A load of lanes with undefined bits is performed; LDSM: rows, not spread yet. */
void marks_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t pc, uint32_t lanes,
                const uint64_t addr[HEDDLE_LANES], const struct rows_of *r, struct mark_rows *out);
/* LDSM: what the lanes receive of the rows. */
void marks_spread(const struct dop *op, const struct mark_rows *rows, struct mark_rows *out);
/* Lanes with undefined bits now; bits of 1 for the defined bits of all lanes. */
uint32_t marks_in_memory(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                         const uint64_t addr[HEDDLE_LANES], uint8_t (*defined)[16]);
/* At the end of a grid: HEDDLE_ERROR_UNDEFINED with the lowest byte that the host would read. */
enum heddle_error marks_at_end(struct heddle_model *m);

/* ---- marks.c: origins; always HEDDLE_ERROR_UNDEFINED */
enum mark_kind { MARK_REGISTER = 1, MARK_PREDICATE, MARK_SHARED, MARK_LOCAL, MARK_FORGOTTEN };
/* `at`: the row, the predicate or the byte. MARK_FORGOTTEN: unknown. */
uint64_t marks_origin(enum mark_kind kind, uint64_t at, uint32_t pc);
/* `what`: "R5 (operand a)"; `from`: of the lowest lane. */
enum heddle_error marks_tell(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                             const char *what, uint64_t from);
enum heddle_error marks_tell_bytes(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                   uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]);

#endif
