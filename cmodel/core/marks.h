/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: values that were never written (isa/doc/17-undefined.md).
 *
 * A bit of a register of a lane, of shared, of local and of global memory is defined or not. The page has the rules:
 * which bits begin undefined, which operations pass that on, and which uses are reported.
 *
 *   a row operation   marks_row, when some source is undefined: the rule of the operation's kind (marks_flow.c, chosen
 *                     by sem_def.marks) says which bits of the result are, the operation computes as ever, and the
 *                     marks of the result are set
 *   a load, a store   marks_load, marks_of_store: by bit (marks.c)
 *   a use             marks_uses: an operand that decides. HEDDLE_ERROR_UNDEFINED, and nothing has happened
 *   the end           marks_at_end: what the host would read
 *
 * Cost. The hot paths read two masks and leave the rest to this file. `warp.defined` has the lanes in which a register
 * is wholly defined, `defined` of a window has its defined bits (NULL: all). `warp.marks` has the undefined bits of the
 * other lanes. It is made when the first undefined source of a warp is met; until then a lane
 * that is not defined is wholly undefined. Global memory without marks has no window of them. Several threads of the
 * host (parallel.c) do not bring marks there: they stop, and one runs all.
 *
 * An origin is one word: what was never written, and the instruction that first read it, or loaded it. A register has
 * one for each lane, memory one for each word.
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

/* Operand s as its registers hold it. */
void marks_of_source(struct warp *w, const struct dsrc *s, uint32_t lanes, uint32_t pc, struct mark_rows *out);
void marks_of_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t pc, uint64_t from[HEDDLE_LANES]);
uint32_t marks_lanes(const struct mark_rows *r, unsigned word); /* with a mark */

/* Registers row, row + 1 ... of `lanes` have these marks, and no others. A change of marks ends livelock.c's window:
 * there only `defined` is compared, not which bits. */
void marks_set(struct heddle_model *m, struct warp *w, unsigned row, unsigned words, uint32_t lanes,
               const struct mark_rows *r);
/* Predicate p of `lanes` is undefined in those of `bad`. */
void marks_set_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t bad, const uint64_t from[HEDDLE_LANES]);

/* Reports the instruction's first undefined operand, or predicate, among those that decide something. OK: there is
 * none. */
enum heddle_error marks_uses(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
enum heddle_error marks_guard(struct heddle_model *m, struct warp *w, const struct dop *op);

/* ---- marks_flow.c */
/* P2R: is one of the predicates that it reads undefined? They are not among its source predicates. */
bool marks_in_predicates(const struct warp *w, const struct dop *op, uint32_t exec);
/* A row operation with an undefined source at least. `e` (or NULL) gets the operand that is undefined. */
enum heddle_error marks_row(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            struct sem_io *io, struct heddle_effect *e);

/* Operand k of an effect has these marks. */
void marks_note_source(struct heddle_effect *e, unsigned k, const struct mark_rows *r);

/* ---- memory (marks.c) */
/* The marks of operand b, which a store writes; any: something undefined among the bytes that are stored. */
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
/* Lanes with undefined bits at present; of all of them bits of 1 for those that are defined. */
uint32_t marks_in_memory(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                         const uint64_t addr[HEDDLE_LANES], uint8_t (*defined)[16]);
/* At the end of a grid: HEDDLE_ERROR_UNDEFINED with the lowest byte that the host would read. */
enum heddle_error marks_at_end(struct heddle_model *m);

/* ---- marks.c: origins; always HEDDLE_ERROR_UNDEFINED */
enum mark_kind { MARK_REGISTER = 1, MARK_PREDICATE, MARK_SHARED, MARK_LOCAL, MARK_FORGOTTEN };
/* `at`: the row, the predicate or the byte. MARK_FORGOTTEN: no longer recorded. */
uint64_t marks_origin(enum mark_kind kind, uint64_t at, uint32_t pc);
/* `what`: "R5 (operand a)"; `from`: of the lowest lane. */
enum heddle_error marks_tell(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                             const char *what, uint64_t from);
enum heddle_error marks_tell_bytes(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                   uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]);

#endif
