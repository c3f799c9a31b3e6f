/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: memory. Addresses are computed and judged for all lanes
 * before any of them has an effect.
 */
#ifndef HEDDLE_CORE_MEMORY_H
#define HEDDLE_CORE_MEMORY_H

#include "cmodel/core/state.h"

/* ---- addresses (memory.c) */
void memory_addresses(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                      uint64_t addr[HEDDLE_LANES]);
/* All lanes are judged before any has an effect. */
struct flow memory_check(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                         const uint64_t addr[HEDDLE_LANES]);
/* The space of one address of an access; 0: a generic address of none. */
unsigned space_of(const struct dop *op, uint64_t addr);
/* Lanes of an access, among `lanes`, with addresses in that space. */
uint32_t lanes_in(const struct dop *op, unsigned space, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]);
/* The bytes that lanes of a checked access name. */
void memory_bytes(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], uint8_t (*bytes)[16]);

/* ---- accesses (memory.c) */
/* Operands b and c, and where the result goes: first rows, NULL when there is none. */
struct rows_of {
  const uint32_t (*b)[HEDDLE_LANES], (*c)[HEDDLE_LANES];
  uint32_t (*d)[HEDDLE_LANES];
  const struct mark_rows *marks; /* of b, of a store; NULL: none */
};
/* Bits of 1 for those that are defined. */
void memory_marks(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], uint8_t (*defined)[16]);
/* A load of checked lanes, whether defined or not. */
void memory_load(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                 const uint64_t addr[HEDDLE_LANES], const struct rows_of *r);
/* Perform lanes of a checked access. Returns the lanes that would read undefined bytes; then nothing has happened.
 * SEM_LOAD_MATRIX: d takes the sixteen bytes that each lane's address names. */
uint32_t memory_perform(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                        const uint64_t addr[HEDDLE_LANES], const struct rows_of *r);
/* "shared bytes at 0x40 (lanes 0x0000000f)", for lanes that memory_perform returned. */
const char *undefined_bytes(const struct dop *op, uint32_t lanes, const uint64_t addr[HEDDLE_LANES], char *text,
                            size_t room);

/* ---- memory_fast.c ---- */
/* The usual case: lanes in one space, no fault, all defined. False: nothing has happened, and memory_check and
 * memory_perform report the cause. */
bool memory_fast(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
/* heddle_model.window, at a launch and when marks of global memory come or go. */
void memory_windows(struct heddle_model *m);

/* ---- async.c ---- */
bool async_decode(struct heddle_model *m); /* the halves of each copy; false: no memory */
/* Both addresses of the lanes, and what traps: first those of the loads, then those of the stores. */
struct flow async_check(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                        uint64_t from[HEDDLE_LANES], uint64_t to[HEDDLE_LANES]);
/* At once; nothing, if w->wait.met. */
struct flow async_run(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
/* Its halves wait. False: no memory. */
bool async_issue(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, const uint64_t *from,
                 const uint64_t *to);
/* Lanes of a load half have read these rows, with these marks (NULL: none): they may be stored. */
void async_loaded(struct pending *p, uint32_t lanes, const uint32_t (*row)[HEDDLE_LANES],
                  const struct mark_rows *marks);

/* ---- LDSM (memory.c) */
/* LDSM: the lanes with addresses. */
uint32_t matrix_lanes(const struct dop *op);
/* Results of the lanes: d[i] from the rows at the lanes' addresses. */
void matrix_spread(const struct dop *op, const uint32_t row[4][HEDDLE_LANES], uint32_t (*d)[HEDDLE_LANES]);

/* Where the bytes of a lane's access begin: of the space's bytes as the host has them. */
size_t memory_place(const struct heddle_model *m, const struct warp *w, const struct dop *op, unsigned lane,
                    uint64_t addr);

/* ---- local memory (memory.c) */
bool local_allocate(struct heddle_model *m);
void local_free(struct heddle_model *m);
void local_begin(const struct heddle_model *m, struct warp *w); /* all undefined, or zero (heddle_tell) */
/* Before a store: words below `end` may become defined. */
static inline void local_touch(struct warp *w, uint32_t end) {
  if (end > w->local_words) w->local_words = end;
}

#endif
