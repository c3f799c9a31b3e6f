/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction of one warp, as a judge sees it: heddle_warp_issue.
 */
#include <stdio.h>
#include <string.h>

#include "cmodel/core/execute.h"
#include "cmodel/core/marks.h"
#include "cmodel/core/pages.h"
#include "cmodel/core/straight.h"
#include "base/number.h"

_Static_assert((int)SEM_LOAD == HEDDLE_ACCESS_LOAD && (int)SEM_STORE == HEDDLE_ACCESS_STORE &&
                   (int)SEM_ATOM == HEDDLE_ACCESS_ATOMIC && (int)SEM_RED == HEDDLE_ACCESS_REDUCTION &&
                   (int)SEM_CAS == HEDDLE_ACCESS_COMPARE_SWAP && (int)SEM_LOAD_MATRIX == HEDDLE_ACCESS_LOAD_MATRIX &&
                   (int)SEM_COPY == HEDDLE_ACCESS_COPY,
               "effects name accesses as the model does");

static enum heddle_error stop_grid(struct heddle_model *m, const struct warp *w, struct flow f) {
  trap_record(m, w, f, w->seq, w->pc);
  m->now.stopped[sm_of(m, w)] = true;
  return HEDDLE_ERROR_TRAPPED;
}

static enum heddle_error fail_pending(struct heddle_model *m, const struct warp *w, unsigned row, uint32_t lanes,
                                      const char *how) {
  char where[160], name[8];
  const struct pending *p = pending_producer(w, row, lanes);
  return model_fail(m, HEDDLE_ERROR_PENDING, "%s %s %s, which waits in lanes 0x%08x for %s of seq %u pc 0x%08x",
                    warp_where(m, w, where, sizeof where), how, row_name(row, name, sizeof name), lanes,
                    p != NULL && p->dead ? "the access (never performed: address trap)" : "the access",
                    p != NULL ? p->seq : 0, p != NULL ? p->pc : 0);
}

/* Results still under way that the instruction reads or overwrites. */
static enum heddle_error awaited(struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t exec) {
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *s = &op->src[k];
    for (unsigned i = 0; i < s->words && s->fixed == NULL; i++) {
      const uint32_t wait = w->awaited[s->row + i] & exec;
      if (wait != 0) return fail_pending(m, w, s->row + i, wait, "reads");
    }
  }
  for (unsigned i = 0; i < op->rd_words; i++) {
    const uint32_t wait = w->awaited[op->rd + i] & exec;
    if (wait != 0) return fail_pending(m, w, op->rd + i, wait, "overwrites");
  }
  return HEDDLE_SUCCESS;
}

/* Results still under way (only while accesses are), then undefined sources that decide. *marked: some are undefined
 * that do not. */
static enum heddle_error hazards(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                 bool *marked) {
  const enum heddle_error s = w->first != NULL ? awaited(m, w, op, exec) : HEDDLE_SUCCESS;
  *marked = false;
  if (s != HEDDLE_SUCCESS) return s;
  *marked = !sources_defined(w, op, exec) || (op->preds_read != 0 && marks_in_predicates(w, op, exec));
  return *marked ? marks_uses(m, w, op, exec) : HEDDLE_SUCCESS;
}

/* Everything that is known before execution. */
static void effect_begin(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t exec,
                         struct heddle_effect *e) {
  e->exec = e->src_mask = exec;
  e->dec = m->dec[op_index(w->pc)];
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *s = &op->src[k];
    e->ps[k] = w->pred[op->ps[k]] ^ op->ps_flip[k];
    e->src_words[k] = s->words;
    for (unsigned i = 0; i < s->words; i++) memcpy(e->src[k][i], source_row(w, s, i), sizeof e->src[k][i]);
  }
  e->rd_words = exec != 0 ? op->rd_words : 0;
  e->rd_uniform = e->dec.rd_uniform;
}

static void effect_reset(struct heddle_effect *e, struct warp *w) {
  e->seq = w->seq;
  e->pc = w->pc;
  e->active = w->active;
  e->exec = e->src_mask = 0;
  e->dhash = diverge_hash(w);
  memset(e->src_words, 0, sizeof e->src_words);
  e->rd_words = e->pd_written = e->mem_space = e->mem_kind = e->mem_bytes = e->bar_wait = e->bar_id = 0;
  e->preds_written = 0;
  memset(e->src_unknown, 0, sizeof e->src_unknown);
  memset(e->rd_unknown, 0, sizeof e->rd_unknown);
  memset(e->ps_unknown, 0, sizeof e->ps_unknown);
  memset(e->pd_unknown, 0, sizeof e->pd_unknown);
  memset(e->preds_unknown, 0, sizeof e->preds_unknown);
  e->rd_uniform = false;
  e->rd_pending = e->traps = e->warp_ended = e->bar_pd = false;
  e->mem_lanes = 0;
}

static void note_preds(const struct sem_io *io, struct heddle_effect *e) {
  for (unsigned k = 0; k < 7; k++) {
    e->preds_lanes[k] = io->p_written[k];
    e->preds_value[k] = io->p[k] & io->p_written[k];
    if (io->p_written[k] != 0) e->preds_written |= (uint8_t)(1u << k);
  }
}

/* marked: with undefined sources, of a lane that executes. */
static enum heddle_error issue_row(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                   bool marked, struct heddle_effect *e) {
  if (exec != 0) {
    struct sem_io io;
    const enum heddle_error s = marked ? marks_row(m, w, op, exec, &io, e) : HEDDLE_SUCCESS;
    if (s != HEDDLE_SUCCESS) return s;
    if (!marked) row_execute(m, w, op, exec, &io);
    for (unsigned i = 0; i < op->rd_words; i++) memcpy(e->rd_value[i], w->row[op->rd + i], sizeof e->rd_value[i]);
    if (op->all_preds) note_preds(&io, e);
    for (unsigned k = 0; k < 2; k++) {
      const bool hidden = k == 0 && op->pd[0] == op->pd[1]; /* pd1 is written last */
      if (op->pd[k] == PRED_SINK || hidden) continue;
      e->pd_written |= (uint8_t)(1u << k);
      e->pd_value[k] = io.pd[k] & (op->pd_uniform ? ALL_LANES : exec);
    }
  }
  w->pc += op_step(op);
  w->seq++;
  return HEDDLE_SUCCESS;
}

static enum heddle_error control_allowed(struct heddle_model *m, const struct warp *w, const struct dop *op,
                                         uint32_t exec) {
  char where[160];
  const bool barrier = op->control == SEM_BAR_SYNC || op->control == SEM_BAR_ARV || op->control == SEM_BAR_RED ||
                       op->control == SEM_BAR_POPC;
  const unsigned awaited = w->n_pending - (op->awaits_async ? 0 : w->n_async);
  const bool waits = m->copies == 0 ? awaited != 0 : barrier && pending_shared(w);
  if (op->drains && exec != 0 && waits) {
    const struct pending *p = pending_oldest(w, op->awaits_async);
    return model_fail(m, HEDDLE_ERROR_STATE,
                      "%s issues while %u earlier access(es) of the warp are not performed, first seq %u pc 0x%08x",
                      warp_where(m, w, where, sizeof where), awaited, p->seq, p->pc);
  }
  const uint8_t id = op->bar_id;
  if (barrier && exec == warp_live(w) && barrier_complete(w->block, id))
    return model_fail(m, HEDDLE_ERROR_STATE, "%s arrives at barrier %u, which is complete and not released yet",
                      warp_where(m, w, where, sizeof where), id);
  return HEDDLE_SUCCESS;
}

/* BMOV.GET has its result now, BAR.RED when the barrier lets the warp go. */
static void control_results(const struct warp *w, const struct dop *op, struct heddle_effect *e) {
  if (op->control == SEM_BMOV_GET && e->rd_words != 0) memcpy(e->rd_value[0], w->row[op->rd], sizeof e->rd_value[0]);
  if (w->red == NULL) return;
  e->rd_pending = e->rd_words != 0;
  e->bar_pd = op->pd[0] != PRED_SINK;
}

/* its: nobody may wait for ever. */
static enum heddle_error turn_fair(struct heddle_model *m, const struct warp *w, const struct heddle_isa_dec *dec,
                                   uint32_t exec) {
  if (exec == 0 || heddle_isa_instr_info((enum heddle_isa_op)dec->op)->flow == ISA_FLOW_NEXT) return HEDDLE_SUCCESS;
  const struct path late = path_starved(w);
  if (late.mask == 0) return HEDDLE_SUCCESS;
  return fail_with_warp(m, HEDDLE_ERROR_STATE, w,
                        "lanes 0x%08x at pc 0x%08x have waited for their turn while other paths of the warp issued %u "
                        "instructions that move lanes; it is theirs",
                        late.mask, late.pc, WAIT_MOVES);
}

static enum heddle_error issue_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                       struct heddle_effect *e) {
  enum heddle_error s = control_allowed(m, w, op, exec);
  if (s == HEDDLE_SUCCESS) s = turn_fair(m, w, &e->dec, exec);
  if (s != HEDDLE_SUCCESS) return s;
  const struct flow f = control_execute(m, w, op, exec);
  const bool operand = (f.trap == HEDDLE_TRAP_BAD_PC && op->control == SEM_BRX) ||
                       (f.trap == HEDDLE_TRAP_DIVERGENCE && op->control == SEM_WARPSYNC);
  if (f.trap == HEDDLE_TRAP_DEADLOCK || operand) { /* these have their issue record, and others issue meanwhile */
    trap_record(m, w, f, e->seq, e->pc);
    w->stuck = e->traps = true;
  } else if (f.trap != HEDDLE_TRAP_NONE) {
    const uint32_t active = e->active;
    effect_reset(e, w);
    e->active = active;
    return stop_grid(m, w, f);
  }
  control_results(w, op, e);
  e->bar_wait = w->waiting;
  e->bar_id = w->waiting ? w->bar_id : 0;
  e->warp_ended = w->ended;
  return HEDDLE_SUCCESS;
}

/* Constants do not change during a launch: LDC is performed at issue. */
static void issue_constant(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                           struct heddle_effect *e) {
  const struct rows_of r = {NULL, NULL, &w->row[op->rd], NULL};
  (void)memory_perform(m, w, op, exec, e->mem_addr, &r);
  for (unsigned i = 0; i < op->rd_words; i++) {
    w->defined[op->rd + i] |= exec;
    memcpy(e->rd_value[i], w->row[op->rd + i], sizeof e->rd_value[i]);
  }
}

static bool issue_pending(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                          struct heddle_effect *e) {
  if (op->access == SEM_COPY) {
    e->mem_lanes = w->trapped ? 0 : exec;
    return async_issue(m, w, op, exec, e->mem_addr, e->copy_addr);
  }
  struct pending *p = pending_add(m, w, op, op->access == SEM_LOAD_MATRIX ? matrix_lanes(op) : exec);
  if (p == NULL) return false;
  p->result = exec;
  memcpy(p->addr, e->mem_addr, sizeof p->addr);
  if (m->pages != NULL) pages_unplace(p);
  if (op->space == ISA_SPACE_CONST) {
    p->constant = true;
    w->n_pending -= p->dead ? 0 : 1;
  }
  for (unsigned i = 0; i < op->src[1].words; i++) memcpy(p->data[i], source_row(w, &op->src[1], i), sizeof p->data[i]);
  for (unsigned i = 0; i < op->src[2].words; i++) memcpy(p->swap[i], source_row(w, &op->src[2], i), sizeof p->swap[i]);
  for (unsigned i = 0; i < op->rd_words; i++) {
    w->awaited[op->rd + i] |= exec;
    w->defined[op->rd + i] |= exec; /* until performed, `awaited` speaks first */
  }
  e->rd_pending = op->rd_words != 0;
  e->mem_lanes = p->dead ? 0 : p->lanes;
  return true;
}

/* The access that was just added brings them. */
static void store_marks(const struct warp *w, const struct mark_rows *marks) {
  struct pending *p = w->first;
  while (p->next != NULL) p = p->next;
  p->marked = true;
  p->marks = *marks;
}

/* Where the lanes of an access go, and what traps. */
static struct flow addresses(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                             struct heddle_effect *e) {
  if (op->access == SEM_COPY) return async_check(m, w, op, exec, e->mem_addr, e->copy_addr);
  memory_addresses(m, w, op, exec, e->mem_addr);
  return memory_check(m, w, op, exec, e->mem_addr);
}

/* Its page has not been read: the load is performed when somebody says that it has. */
static bool constant_waits(struct heddle_model *m, const struct dop *op, uint32_t exec, const struct heddle_effect *e) {
  if (m->pages == NULL || op->rd_words == 0 || !pages_constants_lack(m, op, exec, e->mem_addr)) return false;
  return pages_look(m) != HEDDLE_SUCCESS || pages_constants_lack(m, op, exec, e->mem_addr);
}

static enum heddle_error issue_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                      struct heddle_effect *e) {
  e->mem_space = op->space;
  e->mem_kind = op->access;
  e->mem_bytes = op->bytes;
  if (exec != 0) {
    const struct flow f = addresses(m, w, op, exec, e);
    if (f.trap != HEDDLE_TRAP_NONE) {
      trap_record(m, w, f, w->seq, w->pc);
      e->traps = w->trapped = true;
    }
    if (op->space == ISA_SPACE_CONST && !e->traps && !constant_waits(m, op, exec, e))
      issue_constant(m, w, op, exec, e);
    else if (!issue_pending(m, w, op, exec, e))
      return model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for an access");
  }
  w->pc += op_step(op);
  w->seq++;
  return HEDDLE_SUCCESS;
}

static enum heddle_error may_issue(struct heddle_model *m, unsigned slot) {
  char where[160];
  if (slot >= m->warp_slots || !m->warp[slot].used)
    return model_fail(m, HEDDLE_ERROR_STATE, "issue: warp slot %u is empty", slot);
  struct warp *w = &m->warp[slot];
  if (m->pages != NULL && !m->launch.walks_told)
    return model_fail(m, HEDDLE_ERROR_STATE, "issue: a launch in an address space without records of walks runs alone");
  if (m->now.stopped[sm_of(m, w)])
    return model_fail(m, HEDDLE_ERROR_STATE, "issue after a precise trap stopped the grid: %s",
                      warp_where(m, w, where, sizeof where));
  if (w->stuck)
    return model_fail(m, HEDDLE_ERROR_STATE, "issue after a trap stopped this warp: %s",
                      warp_where(m, w, where, sizeof where));
  if (w->ended)
    return model_fail(m, HEDDLE_ERROR_STATE, "issue: the warp has ended, %s", warp_where(m, w, where, sizeof where));
  if (w->waiting)
    return model_fail(m, HEDDLE_ERROR_STATE, "issue: the warp waits at barrier %u, %s", w->bar_id,
                      warp_where(m, w, where, sizeof where));
  return HEDDLE_SUCCESS;
}

/* An access some of whose sources are undefined: the data of a store, or (LDSM) an address that does not count. */
static enum heddle_error issue_marked_memory(struct heddle_model *m, struct warp *w, const struct dop *op,
                                             uint32_t exec, struct heddle_effect *e) {
  struct mark_rows marks = {.any = false};
  if (!marks_open(m, w)) return HEDDLE_ERROR_HOST_MEMORY;
  for (unsigned k = 0; k < 2; k++) {
    marks_of_source(w, &op->src[k], exec, w->pc, &marks);
    marks_note_source(e, k, &marks);
  }
  enum heddle_error s = op->access == SEM_STORE ? marks_of_store(m, w, op, exec, &marks) : HEDDLE_SUCCESS;
  const bool brings = op->access == SEM_STORE && marks.any;
  if (s == HEDDLE_SUCCESS) s = issue_memory(m, w, op, exec, e);
  if (s == HEDDLE_SUCCESS && exec != 0 && brings) store_marks(w, &marks);
  return s;
}

/* The word cannot issue. */
static struct flow word_trap(struct heddle_model *m, struct warp *w) {
  return m->pages != NULL && pages_word_lacks(m, w) ? pages_flow(w) : decode_trap(m, w);
}

static enum heddle_error issue_warp(struct heddle_model *m, unsigned slot, struct heddle_effect *out) {
  enum heddle_error s = may_issue(m, slot);
  if (s != HEDDLE_SUCCESS) return s;
  struct warp *w = &m->warp[slot];
  effect_reset(out, w);
  const uint32_t at = op_index(w->pc);
  if (at < m->ops && m->op[at].kind >= DOP_CONST_FAULT && (s = pages_look(m)) != HEDDLE_SUCCESS) return s;
  if (at >= m->ops || m->op[at].kind >= DOP_ILLEGAL) return stop_grid(m, w, word_trap(m, w));
  const struct dop *op = &m->op[at];
  s = marks_guard(m, w, op);
  if (s != HEDDLE_SUCCESS) return s;
  const uint32_t exec = guard_lanes(w, op);
  const struct flow whole = whole_warp_trap(op, exec);
  if (whole.trap != HEDDLE_TRAP_NONE) return stop_grid(m, w, whole);
  bool marked;
  s = hazards(m, w, op, exec, &marked);
  if (s != HEDDLE_SUCCESS) return s;
  note_issued(m, line_at(m, at), 1);
  if (op->reads_clock) clock_fill(w);
  effect_begin(m, w, op, exec, out);
  if (op->kind == DOP_CONTROL) return issue_control(m, w, op, exec, out);
  if (op->kind != DOP_MEMORY) return issue_row(m, w, op, exec, marked, out);
  return marked ? issue_marked_memory(m, w, op, exec, out) : issue_memory(m, w, op, exec, out);
}

enum heddle_error heddle_warp_issue(struct heddle_model *m, unsigned slot, struct heddle_effect *out) {
  const number_unit host = number_unit_begin();
  const enum heddle_error s = issue_warp(m, slot, out);
  number_unit_end(host);
  return s;
}

enum heddle_error heddle_warp_choose(struct heddle_model *m, unsigned slot, unsigned lane) {
  const enum heddle_error s = may_issue(m, slot);
  if (s != HEDDLE_SUCCESS) return s;
  struct warp *w = &m->warp[slot];
  if (lane < HEDDLE_LANES && path_choose(w, lane)) return HEDDLE_SUCCESS;
  return fail_with_warp(m, HEDDLE_ERROR_STATE, w, "lane %u is in no path that may issue next", lane);
}

enum heddle_error heddle_warp_clock(struct heddle_model *m, unsigned slot, uint64_t cycle) {
  if (slot >= m->warp_slots || !m->warp[slot].used)
    return model_fail(m, HEDDLE_ERROR_STATE, "clock: warp slot %u is empty", slot);
  struct warp *w = &m->warp[slot];
  if (w->clock_told && cycle < w->clock)
    return model_fail(m, HEDDLE_ERROR_STATE, "clock of warp slot %u falls from %llu to %llu", slot,
                      (unsigned long long)w->clock, (unsigned long long)cycle);
  w->clock = cycle;
  w->clock_told = true;
  return HEDDLE_SUCCESS;
}
