/* SPDX-License-Identifier: Apache-2.0
 *
 * Row operations on the registers of a warp, those off the hot path too, and
 * what a source lacks.
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

static uint32_t undefined_register(const struct warp *w, const struct dop *op, uint32_t exec, char *what, size_t room) {
  static const char name[3] = {'a', 'b', 'c'};
  char reg[8];
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *s = &op->src[k];
    if (s->fixed != NULL) continue;
    for (unsigned i = 0; i < s->words; i++) {
      const uint32_t bad = exec & ~w->defined[s->row + i];
      if (bad == 0) continue;
      snprintf(what, room, "%s (operand %c)", row_name(s->row + i, reg, sizeof reg), name[k]);
      return bad;
    }
  }
  return 0;
}

static unsigned first_pred(const struct dop *op) {
  return op->always != 0 ? PRED_UP : 0;
}

/* Nothing that is read is undefined, of registers and source predicates. */
static bool all_defined(const struct warp *w, const struct dop *op, uint32_t exec) {
  uint32_t d = ALL_LANES;
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *s = &op->src[k];
    d &= w->pred_defined[op->ps[k]];
    for (unsigned i = 0; i < s->words && s->fixed == NULL; i++) d &= w->defined[s->row + i];
  }
  return (exec & ~d) == 0;
}

uint32_t undefined_lanes(const struct warp *w, const struct dop *op, uint32_t exec, char *what, size_t room) {
  if (op->preds_read == 0 && all_defined(w, op, exec)) return 0;
  uint32_t bad = undefined_register(w, op, exec, what, room);
  for (unsigned k = 0; k < 3 && bad == 0; k++) {
    bad = exec & ~w->pred_defined[op->ps[k]];
    if (bad != 0) (void)pred_name(op->ps[k], what, room);
  }
  for (unsigned k = 0; k < 7 && bad == 0; k++) {
    if ((op->preds_read >> k & 1) == 0) continue;
    bad = exec & ~w->pred_defined[first_pred(op) + k];
    if (bad != 0) (void)pred_name(first_pred(op) + k, what, room);
  }
  return bad;
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
