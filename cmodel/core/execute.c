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

/* Bit i in lane i: with it the row of a mask is a vector operation. */
static const uint32_t bit_of[HEDDLE_LANES] __attribute__((aligned(64))) = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

void on_fill(struct warp *w, uint32_t exec) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) w->on[i] = (exec & bit_of[i]) != 0 ? ~0u : 0;
  w->on_mask = exec;
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
