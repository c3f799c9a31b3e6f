/* SPDX-License-Identifier: Apache-2.0
 *
 * Row operations on the registers of a warp, those off the hot path too.
 */
#include "execute.h"

#include <stdio.h>
#include <string.h>

const char *row_name(unsigned row, char *text, size_t room) {
  const bool uniform = row >= ROW_UR && row < ROW_UR + UREGS;
  snprintf(text, room, "%sR%u", uniform ? "U" : "", uniform ? row - ROW_UR : row);
  return text;
}

const char *pred_name(unsigned pred, char *text, size_t room) {
  const bool uniform = pred >= PRED_UP;
  snprintf(text, room, "%sP%u", uniform ? "U" : "", uniform ? pred - PRED_UP : pred);
  return text;
}

static unsigned first_pred(const struct dop *op) {
  return op->always != 0 ? PRED_UP : 0;
}

void clock_look(struct warp *w) {
  w->clock_high += w->seq < w->clock_low;
  w->clock_low = w->seq;
}

void clock_fill(struct warp *w) {
  clock_look(w);
  const uint64_t t = w->clock_told ? w->clock : w->clock_low | (uint64_t)w->clock_high << 32;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    w->row[ROW_CLOCKLO][i] = (uint32_t)t;
    w->row[ROW_CLOCKHI][i] = (uint32_t)(t >> 32);
  }
}

static void rare_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                         struct sem_io *io) {
  const bool uniform_result = op->rd_uniform || op->pd_uniform;
  if (op->reads_clock) clock_fill(w);
  io->p = &w->pred[first_pred(op)];
  memset(io->p_written, 0, sizeof io->p_written);
  row_run_into(m->sem->modify, w, op, exec, uniform_result ? ALL_LANES : exec, io);
  for (unsigned k = 0; k < 7; k++) w->pred_defined[first_pred(op) + k] |= io->p_written[k];
}

void row_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct sem_io *io) {
  if (op->kind == DOP_RARE)
    rare_execute(m, w, op, exec, io);
  else
    row_run(m->sem->modify, w, op, exec, io);
}
