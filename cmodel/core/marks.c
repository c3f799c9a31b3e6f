/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of registers and predicates: where they are kept, and the uses that are told.
 */
#include "marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a warp and a block begin with */

/* Nothing is told: what nobody has written is zero. */
static void begin_defined(const struct heddle_model *m, struct warp *w) {
  for (unsigned r = 0; r < ROW_DEFINED; r++) w->defined[r] = ALL_LANES;
  for (unsigned p = 0; p < PREDS; p++) w->pred_defined[p] = ALL_LANES;
  memset(w->row, 0, m->launch.regs * sizeof w->row[0]);
  memset(w->row[ROW_UR], 0, UREGS * sizeof w->row[0]);
}

void marks_begin_warp(struct heddle_model *m, struct warp *w) {
  w->marked = false;
  if (m->tell == HEDDLE_TELL_NOTHING) begin_defined(m, w);
}

void marks_begin_shared(const struct heddle_model *m, struct block *b) {
  const bool zero = m->tell == HEDDLE_TELL_NOTHING;
  if (zero) memset(b->shared, 0, m->shared_room);
  memset(b->shared_defined, zero ? 0xff : 0, m->shared_room);
  free(b->shared_from);
  b->shared_from = NULL;
}

void marks_free(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) free(m->warp[i].marks);
}

/* Until now nothing of the warp was partly defined. */
bool marks_open(struct heddle_model *m, struct warp *w) {
  if (w->marked) return true;
  if (w->marks == NULL) w->marks = malloc(sizeof *w->marks);
  if (w->marks == NULL) {
    (void)model_fail(m, HEDDLE_NO_MEMORY, "no memory for what is undefined");
    return false;
  }
  struct mark_file *f = w->marks;
  memset(f->bits, 0xff, m->launch.regs * sizeof f->bits[0]);
  memset(f->from, 0, m->launch.regs * sizeof f->from[0]);
  memset(f->bits[ROW_UR], 0xff, UREGS * sizeof f->bits[0]);
  memset(f->from[ROW_UR], 0, UREGS * sizeof f->from[0]);
  memset(f->pred_from, 0, sizeof f->pred_from);
  w->marked = true;
  return true;
}

/* ---- reading and setting them */

void marks_of_row(struct warp *w, unsigned row, uint32_t lanes, uint32_t pc, uint32_t bits[HEDDLE_LANES],
                  uint64_t from[HEDDLE_LANES]) {
  for (uint32_t rest = lanes & ~w->defined[row]; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    uint64_t *f = &w->marks->from[row][i];
    if (*f == 0) *f = marks_origin(MARK_REGISTER, row, pc);
    bits[i] = w->marks->bits[row][i];
    from[i] = *f;
  }
}

void marks_of_source(struct warp *w, const struct dsrc *s, uint32_t lanes, uint32_t pc, struct mark_rows *out) {
  memset(out, 0, sizeof *out);
  for (unsigned k = 0; k < s->words && s->fixed == NULL; k++) {
    marks_of_row(w, s->row + k, lanes, pc, out->bits[k], out->from[k]);
    out->any = out->any || (lanes & ~w->defined[s->row + k]) != 0;
  }
}

void marks_of_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t pc, uint64_t from[HEDDLE_LANES]) {
  for (uint32_t rest = lanes & ~w->pred_defined[p]; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    uint64_t *f = &w->marks->pred_from[p][i];
    if (*f == 0) *f = marks_origin(MARK_PREDICATE, p, pc);
    from[i] = *f;
  }
}

uint32_t marks_lanes(const struct mark_rows *r, unsigned word) {
  uint32_t lanes = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) lanes |= (uint32_t)(r->bits[word][i] != 0) << i;
  return lanes;
}

void marks_set(struct heddle_model *m, struct warp *w, unsigned row, unsigned words, uint32_t lanes,
               const struct mark_rows *r) {
  memset(w->settled, 0, sizeof w->settled);
  for (unsigned k = 0; k < words; k++) {
    const uint32_t bad = lanes & marks_lanes(r, k);
    w->defined[row + k] = (w->defined[row + k] | lanes) & ~bad;
    for (uint32_t rest = bad; rest != 0; rest &= rest - 1) {
      const unsigned i = lowest_lane(rest);
      if (w->marks->bits[row + k][i] != r->bits[k][i]) m->watch.on = false;
      w->marks->bits[row + k][i] = r->bits[k][i];
      w->marks->from[row + k][i] = r->from[k][i] != 0 ? r->from[k][i] : marks_origin(MARK_FORGOTTEN, 0, 0);
    }
  }
}

void marks_set_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t bad, const uint64_t from[HEDDLE_LANES]) {
  if (p == PRED_SINK) return;
  memset(w->settled, 0, sizeof w->settled);
  w->pred_defined[p] = (w->pred_defined[p] | lanes) & ~(bad & lanes);
  for (uint32_t rest = bad & lanes; rest != 0; rest &= rest - 1)
    w->marks->pred_from[p][lowest_lane(rest)] = from[lowest_lane(rest)];
}

/* ---- uses */

/* Operands that decide something wherever they are undefined, as bits. (R2P has another one: marks_flow.c.) */
static unsigned deciding(const struct dop *op) {
  if (op->kind == DOP_CONTROL) return 7;
  if (op->kind != DOP_MEMORY) return 0;
  if (op->access == SEM_COPY) return 3; /* two addresses */
  return op->access == SEM_LOAD || op->access == SEM_STORE || op->access == SEM_LOAD_MATRIX ? 1 : 7;
}

static enum heddle_status use_of_register(struct heddle_model *m, struct warp *w, const struct dop *op, unsigned k,
                                          uint32_t lanes) {
  const struct dsrc *s = &op->src[k];
  for (unsigned i = 0; i < s->words && s->fixed == NULL; i++) {
    const uint32_t bad = lanes & ~w->defined[s->row + i];
    uint32_t bits[HEDDLE_LANES];
    uint64_t from[HEDDLE_LANES];
    char what[40], name[8];
    if (bad == 0) continue;
    if (!marks_open(m, w)) return HEDDLE_NO_MEMORY;
    marks_of_row(w, s->row + i, bad, w->pc, bits, from);
    snprintf(what, sizeof what, "%s (operand %c)", row_name(s->row + i, name, sizeof name), (char)('a' + k));
    return marks_tell(m, w, w->seq, w->pc, bad, what, from[lowest_lane(bad)]);
  }
  return HEDDLE_OK;
}

static enum heddle_status use_of_predicate(struct heddle_model *m, struct warp *w, unsigned p, uint32_t lanes,
                                           const char *as) {
  const uint32_t bad = lanes & ~w->pred_defined[p];
  uint64_t from[HEDDLE_LANES];
  char what[24], name[8];
  if (bad == 0) return HEDDLE_OK;
  if (!marks_open(m, w)) return HEDDLE_NO_MEMORY;
  marks_of_predicate(w, p, bad, w->pc, from);
  snprintf(what, sizeof what, "%s%s", as, pred_name(p, name, sizeof name));
  return marks_tell(m, w, w->seq, w->pc, bad, what, from[lowest_lane(bad)]);
}

enum heddle_status marks_uses(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  const bool matrix = op->kind == DOP_MEMORY && op->access == SEM_LOAD_MATRIX;
  const uint32_t lanes = matrix ? exec & matrix_lanes(op) : exec;
  enum heddle_status s = HEDDLE_OK;
  for (unsigned k = 0; k < 3 && s == HEDDLE_OK; k++)
    if ((deciding(op) >> k & 1) != 0) s = use_of_register(m, w, op, k, lanes);
  for (unsigned k = 0; k < 3 && s == HEDDLE_OK && op->kind == DOP_CONTROL; k++)
    s = use_of_predicate(m, w, op->ps[k], lanes, "");
  return s;
}

enum heddle_status marks_guard(struct heddle_model *m, struct warp *w, const struct dop *op) {
  return use_of_predicate(m, w, op->guard, issue_lanes(w, op), "guard ");
}
