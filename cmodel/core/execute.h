/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: the hot path of a row operation, inlined into the
 * standalone loop.
 */
#ifndef HEDDLE_CORE_EXECUTE_H
#define HEDDLE_CORE_EXECUTE_H

#include "cmodel/core/state.h"

static const uint32_t all_on[HEDDLE_LANES]
    __attribute__((aligned(64))) = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                    ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

/* Into w->on. */
void on_fill(struct warp *w, uint32_t exec);

/* The mask as a row; kept, since most masks last for many instructions. */
static inline const uint32_t *on_row(struct warp *w, uint32_t exec) {
  if (exec == ALL_LANES) return all_on;
  if (exec != w->on_mask) on_fill(w, exec);
  return w->on;
}

/* Operand k after abs and neg; `room` takes it when it differs from the register. */
static inline const uint32_t *operand(sem_modify_fn *modify, const struct warp *w, const struct dsrc *s,
                                      uint32_t room[HEDDLE_LANES]) {
  const uint32_t *raw = s->fixed != NULL ? s->fixed : w->row[s->row];
  if (__builtin_expect(!s->modified, 1)) return raw;
  modify(room, raw, s->keep, s->flip, s->plus);
  return room;
}

static inline bool sources_defined(const struct warp *w, const struct dop *op, uint32_t exec) {
  uint32_t d = w->defined[op->src[0].row] & w->defined[op->src[1].row] & w->defined[op->src[2].row];
  for (unsigned k = 0; k < op->n_more; k++) d &= w->defined[op->more[k]];
  if (op->has_ps) d &= w->pred_defined[op->ps[0]] & w->pred_defined[op->ps[1]] & w->pred_defined[op->ps[2]];
  return (exec & ~d) == 0;
}

/* exec is not 0. `written`: lanes that get results; exec, but all when executing lanes make a uniform one. */
static inline void row_run_into(sem_modify_fn *modify, struct warp *w, const struct dop *op, uint32_t exec,
                                uint32_t written, struct sem_io *io) {
  alignas(64) uint32_t room[3][HEDDLE_LANES];
  const uint32_t *row[3];
  for (unsigned k = 0; k < 3; k++) row[k] = operand(modify, w, &op->src[k], room[k]);
  io->on = on_row(w, written);
  io->exec = exec;
  if (op->has_ps)
    for (unsigned k = 0; k < 3; k++) io->ps[k] = w->pred[op->ps[k]] ^ op->ps_flip[k];
  if (op->has_pd) io->pd[0] = io->pd[1] = 0; /* an operation may have only one */
  op->fn(w->row[op->rd], row[0], row[1], row[2], io, &op->par);
  w->defined[op->rd] |= written;
  if (op->wide)
    for (unsigned i = 1; i < op->rd_words; i++) w->defined[op->rd + i] |= written;
  if (!op->has_pd) return;
  for (unsigned k = 0; k < 2; k++) { /* pd1 last: it stays when both name the same one */
    uint32_t *p = &w->pred[op->pd[k]];
    if (written != exec) io->pd[k] = (io->pd[k] & exec) != 0 ? ALL_LANES : 0;
    *p = (*p & ~written) | (io->pd[k] & written);
    w->pred_defined[op->pd[k]] |= written;
  }
}

static inline void row_run(sem_modify_fn *modify, struct warp *w, const struct dop *op, uint32_t exec,
                           struct sem_io *io) {
  row_run_into(modify, w, op, exec, exec, io);
}

#endif
