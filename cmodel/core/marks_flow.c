/* SPDX-License-Identifier: Apache-2.0
 *
 * A row operation with undefined sources: marks are collected, the rule of its kind is asked, the operation is
 * executed, and the marks of its results are set.
 */
#include "marks_flow.h"

#include <stdio.h>
#include <string.h>

static flow_rule *const rules[] = {
    [SEM_MARKS_ALL] = flow_all,
    [SEM_MARKS_COPY] = flow_copy,
    [SEM_MARKS_SHIFT] = flow_shift,
    [SEM_MARKS_EXTEND] = flow_extend,
    [SEM_MARKS_BYTES] = flow_bytes,
    [SEM_MARKS_SHUFFLE] = flow_shuffle,
    [SEM_MARKS_SELECT] = flow_select,
    [SEM_MARKS_TABLE] = flow_table,
    [SEM_MARKS_PREDICATES] = flow_predicates,
    [SEM_MARKS_PREDICATE] = flow_predicate,
    [SEM_MARKS_PACK_PREDICATES] = flow_pack_predicates,
    [SEM_MARKS_UNPACK_PREDICATES] = flow_unpack_predicates,
    [SEM_MARKS_VOTE] = flow_vote,
    [SEM_MARKS_SUM] = flow_sum,
    [SEM_MARKS_SHIFTED_SUM] = flow_shifted_sum,
    [SEM_MARKS_SHIFTED_SUM_HIGH] = flow_shifted_sum_high,
    [SEM_MARKS_PRODUCT] = flow_product,
    [SEM_MARKS_PRODUCT_HIGH] = flow_product_high,
    [SEM_MARKS_COMPARE] = flow_compare,
    [SEM_MARKS_COMPARE_WORDS] = flow_compare_words,
    [SEM_MARKS_HALVES] = flow_halves,
    [SEM_MARKS_COMPARE_HALVES] = flow_compare_halves,
    [SEM_MARKS_PACK_HALVES] = flow_pack_halves,
    [SEM_MARKS_INTEGER] = flow_integer,
    [SEM_MARKS_FLOAT] = flow_float,
    [SEM_MARKS_MATRIX] = flow_matrix,
};

/* ---- what the rules are made of */

uint32_t flow_marked(const struct mark_flow *f, unsigned k, uint32_t mask) {
  uint32_t lanes = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) lanes |= (uint32_t)((f->src[k].bits[0][i] & mask) != 0) << i;
  return lanes;
}

uint32_t flow_marked_any(const struct mark_flow *f, unsigned k) {
  uint32_t lanes = 0;
  for (unsigned n = 0; n < f->op->src[k].words; n++) lanes |= marks_lanes(&f->src[k], n);
  return lanes;
}

void flow_spoil(struct mark_flow *f, uint32_t lanes) {
  for (uint32_t rest = lanes & f->written; rest != 0; rest &= rest - 1)
    for (unsigned n = 0; n < f->op->rd_words; n++) f->rd.bits[n][lowest_lane(rest)] = ~0u;
  f->pd_bad[0] |= lanes & f->written;
  f->pd_bad[1] |= lanes & f->written;
}

/* ---- sources */

/* abs and neg as the machine applies them: the sign goes, a sum begins at its lowest undefined bit. */
static void modify_marks(const struct dsrc *s, struct mark_rows *r) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const uint32_t kept = r->bits[0][i] & s->keep;
    r->bits[0][i] = s->plus != 0 ? flow_up(kept) : kept;
  }
}

static void collect_predicates(struct warp *w, struct mark_flow *f) {
  const struct dop *op = f->op;
  const unsigned first = op->always != 0 ? PRED_UP : 0;
  for (unsigned k = 0; k < 3; k++) {
    f->ps[k] = w->pred[op->ps[k]] ^ op->ps_flip[k];
    f->ps_bad[k] = f->exec & ~w->pred_defined[op->ps[k]];
    marks_of_predicate(w, op->ps[k], f->exec, w->pc, f->ps_from[k]);
  }
  for (unsigned k = 0; k < PREDS_NAMED; k++) {
    if ((op->preds_read >> k & 1) == 0) continue;
    f->p[k] = w->pred[first + k];
    f->p_bad[k] = f->exec & ~w->pred_defined[first + k];
    marks_of_predicate(w, first + k, f->exec, w->pc, f->p_from[k]);
  }
}

static void collect_marks(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                          struct mark_flow *f, struct heddle_effect *e) {
  const enum heddle_isa_unit unit = (enum heddle_isa_unit)m->dec[op - m->op].unit;
  memset(f, 0, sizeof *f);
  f->op = op;
  f->exec = exec;
  f->written = op->rd_uniform || op->pd_uniform ? ALL_LANES : exec;
  f->warp_wide = unit == ISA_UNIT_WARP || unit == ISA_UNIT_TENSOR;
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *s = &op->src[k];
    marks_of_source(w, s, exec, w->pc, &f->src[k]);
    if (e != NULL) marks_note_source(e, k, &f->src[k]);
    if (s->modified) modify_marks(s, &f->src[k]);
    f->value[k] = operand(m->sem->modify, w, s, f->room[k]);
  }
  collect_predicates(w, f);
  for (unsigned k = 0; k < 3 && e != NULL; k++) e->ps_unknown[k] = f->ps_bad[k];
}

/* ---- results */

/* Of the first source in a lane that has one of the bits marked, else of the first with any mark. */
static uint64_t origin_in(const struct mark_flow *f, unsigned lane, uint32_t bits) {
  uint64_t any = 0;
  for (unsigned k = 0; k < 3; k++)
    for (unsigned n = 0; n < f->op->src[k].words; n++) {
      const uint32_t marks = f->src[k].bits[n][lane];
      if ((marks & bits) != 0) return f->src[k].from[n][lane];
      if (marks != 0 && any == 0) any = f->src[k].from[n][lane];
    }
  for (unsigned k = 0; k < 3 && any == 0; k++)
    if ((f->ps_bad[k] >> lane & 1) != 0) any = f->ps_from[k][lane];
  for (unsigned k = 0; k < PREDS_NAMED && any == 0; k++)
    if ((f->p_bad[k] >> lane & 1) != 0) any = f->p_from[k][lane];
  return any;
}

static uint64_t origin_of(const struct mark_flow *f, unsigned lane, uint32_t bits) {
  uint64_t from = origin_in(f, lane, bits);
  for (uint32_t rest = f->exec; rest != 0 && from == 0; rest &= rest - 1) from = origin_in(f, lowest_lane(rest), bits);
  return from;
}

static void set_registers(struct heddle_model *m, struct warp *w, struct mark_flow *f, struct heddle_effect *e) {
  for (unsigned n = 0; n < f->op->rd_words; n++)
    for (uint32_t rest = f->written; rest != 0; rest &= rest - 1) {
      const unsigned i = lowest_lane(rest);
      const uint32_t bits = f->rd.bits[n][i];
      if (bits != 0 && f->rd.from[n][i] == 0) f->rd.from[n][i] = origin_of(f, i, bits);
    }
  marks_set(m, w, f->op->rd, f->op->rd_words, f->written, &f->rd);
  for (unsigned n = 0; n < f->op->rd_words && e != NULL; n++) {
    e->rd_unknown[n] = f->written & marks_lanes(&f->rd, n);
    memcpy(e->rd_bits[n], f->rd.bits[n], sizeof e->rd_bits[n]);
  }
}

static void set_predicate(struct warp *w, const struct mark_flow *f, unsigned p, uint32_t lanes, uint32_t bad) {
  uint64_t from[HEDDLE_LANES];
  for (uint32_t rest = bad; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    from[i] = origin_of(f, i, ~0u);
  }
  marks_set_predicate(w, p, lanes, bad, from);
}

static void set_predicates(struct warp *w, struct mark_flow *f, const struct sem_io *io, struct heddle_effect *e) {
  const struct dop *op = f->op;
  const unsigned first = op->always != 0 ? PRED_UP : 0;
  for (unsigned k = 0; k < 2 && op->has_pd; k++) { /* pd1 last: it stays when both name the same one */
    uint32_t bad = f->pd_bad[k];
    if (f->written != f->exec) bad = bad != 0 ? ALL_LANES : 0;
    set_predicate(w, f, op->pd[k], f->written, bad);
    if (e != NULL) e->pd_unknown[k] = bad;
  }
  for (unsigned k = 0; k < PREDS_NAMED && op->all_preds; k++) {
    if (io->p_written[k] == 0) continue;
    set_predicate(w, f, first + k, io->p_written[k], f->p_bad[k] & io->p_written[k]);
    if (e != NULL) e->preds_unknown[k] = f->p_bad[k] & io->p_written[k];
  }
}

void marks_note_source(struct heddle_effect *e, unsigned k, const struct mark_rows *r) {
  e->src_unknown[k] = 0;
  for (unsigned n = 0; n < e->src_words[k] && r->any; n++) {
    e->src_unknown[k] |= marks_lanes(r, n);
    memcpy(e->src_bits[k][n], r->bits[n], sizeof e->src_bits[k][n]);
  }
}

bool marks_in_predicates(const struct warp *w, const struct dop *op, uint32_t exec) {
  const unsigned first = op->always != 0 ? PRED_UP : 0;
  uint32_t defined = ALL_LANES;
  for (unsigned k = 0; k < PREDS_NAMED; k++)
    if ((op->preds_read >> k & 1) != 0) defined &= w->pred_defined[first + k];
  return (exec & ~defined) != 0;
}

/* R2P: which predicates are written decides. */
static enum heddle_error named_predicates(struct heddle_model *m, const struct warp *w, const struct mark_flow *f) {
  char what[40], name[8];
  const uint32_t bad = flow_marked(f, 1, (1u << PREDS_NAMED) - 1);
  if (bad == 0) return HEDDLE_SUCCESS;
  snprintf(what, sizeof what, "%s (operand b)", row_name(f->op->src[1].row, name, sizeof name));
  return marks_tell(m, w, w->seq, w->pc, bad, what, f->src[1].from[0][lowest_lane(bad)]);
}

enum heddle_error marks_row(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            struct sem_io *io, struct heddle_effect *e) {
  struct mark_flow f;
  const enum sem_marks kind = (enum sem_marks)m->sem->op[m->dec[op - m->op].op]->marks;
  if (!marks_open(m, w)) return HEDDLE_ERROR_HOST_MEMORY;
  collect_marks(m, w, op, exec, &f, e);
  const enum heddle_error s = kind == SEM_MARKS_UNPACK_PREDICATES ? named_predicates(m, w, &f) : HEDDLE_SUCCESS;
  if (s != HEDDLE_SUCCESS) return s;
  rules[kind](&f);
  row_execute(m, w, op, exec, io);
  set_registers(m, w, &f, e);
  set_predicates(w, &f, io, e);
  return HEDDLE_SUCCESS;
}
