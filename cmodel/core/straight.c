/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions are straight code, in which runs, and what a run reads and writes.
 */
#include "straight.h"

#include "cmodel/core/observe.h"
#include "cmodel/core/parallel.h"

#include <stdlib.h>
#include <string.h>

/* Short runs are not worth a list. */
#define RUN_LEAST 3u
/* What an instruction adds to its run's list at most: operands of four words, their guard, source predicates; results.
 */
#define NAMES_MOST (3 * 4 + 1 + 3 + 4 + 2)

static bool is_straight(const struct heddle_model *m, const struct dop *op) {
  if (observed(m, op)) return false;
  if (op->kind == DOP_ROW) return !op->whole_warp;
  return op->kind == DOP_MEMORY && op->access != SEM_LOAD_MATRIX && op->access != SEM_COPY;
}

static bool is_plain(const struct dop *op) {
  if (op->kind != DOP_ROW || op->guard != ISA_PT || op->guard_flip != 0 || op->always != 0) return false;
  if (op->has_ps || op->has_pd) return false;
  for (unsigned k = 0; k < 3; k++)
    if (op->src[k].modified) return false;
  return true;
}

static enum straight_kind classify_op(const struct dop *op) {
  if (is_plain(op)) return STRAIGHT_PLAIN;
  const bool all = op->guard == ISA_PT && op->guard_flip == 0 && op->always == 0;
  const bool shared = op->space == ISA_SPACE_SHARED, wide = op->src[0].words == 2;
  const bool global = (op->space == ISA_SPACE_GLOBAL || op->space == ISA_SPACE_GENERIC) && wide;
  if (op->kind != DOP_MEMORY || !all || !(shared || global)) return STRAIGHT_OTHER;
  return op->access == SEM_LOAD ? STRAIGHT_LOAD : op->access == SEM_STORE ? STRAIGHT_STORE : STRAIGHT_OTHER;
}

/* Word `word` of an operand. */
static void source(struct straight *s, unsigned k, const struct dsrc *d, unsigned word) {
  const size_t row = sizeof(uint32_t[HEDDLE_LANES]);
  s->in_warp[k] = d->fixed == NULL ? -1 : 0;
  s->source[k] =
      d->fixed != NULL ? (uintptr_t)d->fixed + word * row : offsetof(struct warp, row) + (d->row + word) * row;
}

static void fill_straight(const struct heddle_model *m, struct straight *s, const struct dop *op) {
  s->op = op;
  s->result = (uint32_t)(offsetof(struct warp, row) + op->rd * sizeof(uint32_t[HEDDLE_LANES]));
  s->kind = (uint8_t)classify_op(op);
  for (unsigned k = 0; k < 3; k++) source(s, k, &op->src[k], 0);
  if (s->kind == STRAIGHT_LOAD) s->load = m->sem->access->load_row[op->size];
  if (s->kind == STRAIGHT_STORE) s->store = m->sem->access->store_row[op->size];
  if (s->kind == STRAIGHT_PLAIN || s->kind == STRAIGHT_OTHER) {
    s->fn = op->fn;
  } else if (op->src[0].words == 2) {
    source(s, 2, &op->src[0], 1);
  } else {
    s->in_warp[2] = 0;
    s->source[2] = 0;
  }
}

/* Between the places of code and its instructions, one behind the other. What is no instruction is the last of them,
 * which is none. */
static bool number_lines(struct heddle_model *m) {
  m->lines = m->ops;
  if (ISA_STEP == ISA_WORD_BYTES) return true;
  free(m->line);
  free(m->place);
  m->line = malloc(((size_t)m->ops + 1) * sizeof *m->line);
  m->place = malloc(((size_t)m->ops + 1) * sizeof *m->place);
  if (m->line == NULL || m->place == NULL) return false;
  m->lines = 0;
  for (uint32_t i = 0; i < m->ops; i += m->op[i].next / ISA_STEP) m->place[m->lines++] = i;
  m->place[m->lines] = m->ops;
  for (uint32_t i = 0; i <= m->ops; i++) m->line[i] = m->lines;
  for (uint32_t k = 0; k < m->lines; k++) m->line[m->place[k]] = k;
  return true;
}

/* Instructions that others jump to begin a run of their own. */
static bool *jump_targets(const struct heddle_model *m) {
  bool *target = calloc((size_t)m->lines + 1, sizeof *target);
  for (uint32_t i = 0; target != NULL && i < m->ops; i++)
    if (m->op[i].kind == DOP_CONTROL && op_index(m->op[i].target) < m->ops)
      target[line_at(m, op_index(m->op[i].target))] = true;
  return target;
}

static void lengths(struct heddle_model *m, const bool *target) {
  for (uint32_t i = m->lines; i-- > 0;) {
    const struct dop *op = &m->op[place_of(m, i)];
    if (!is_straight(m, op)) continue;
    fill_straight(m, &m->straight[i], op);
    const unsigned behind = target[i + 1] ? 0 : m->straight[i + 1].length;
    m->straight[i].length = (uint16_t)(behind < UINT16_MAX ? behind + 1 : 1);
  }
}

/* The list of a run while it is made: numbers of warp.all_defined, each once. */
struct names {
  uint16_t *list;
  uint32_t n;
  bool known[ROWS + PREDS];
};

static void name(struct names *to, unsigned what) {
  if (to->known[what]) return;
  to->known[what] = true;
  to->list[to->n++] = (uint16_t)what;
}

static void name_sources(struct names *to, const struct dop *op) {
  for (unsigned k = 0; k < 3; k++) name(to, op->src[k].row);
  for (unsigned k = 0; k < op->n_more; k++) name(to, op->more[k]);
  for (unsigned k = 0; k < 3 && op->has_ps; k++) name(to, ROWS + op->ps[k]);
  name(to, ROWS + op->guard);
}

/* Under a guard some lanes may be left as they were. */
static void know_results(struct names *to, const struct dop *op) {
  if (op->guard != ISA_PT || op->guard_flip != 0) return;
  to->known[op->rd] = true;
  for (unsigned k = 1; k < op->rd_words; k++) to->known[op->rd + k] = true;
  for (unsigned k = 0; k < 2 && op->has_pd; k++) to->known[ROWS + op->pd[k]] = true;
}

/* Of one run what it reads and has not written before, then what all but OTHER write. Returns how many. */
static uint32_t list_run(struct straight *head, uint16_t *list) {
  struct names to = {.list = list};
  for (unsigned i = 0; i < head->length; i++) {
    name_sources(&to, head[i].op);
    know_results(&to, head[i].op);
  }
  head->ins = (uint16_t)to.n;
  memset(to.known, 0, sizeof to.known);
  for (unsigned i = 0; i < head->length; i++)
    for (unsigned k = 0; k < head[i].op->rd_words && head[i].kind != STRAIGHT_OTHER; k++) name(&to, head[i].op->rd + k);
  head->outs = (uint16_t)(to.n - head->ins);
  return to.n;
}

/* Of a program that is decoded anew, by op: which have issued. NULL: it is not, or there is no memory to know it. */
static bool *issued_ops(const struct heddle_model *m) {
  bool *issued = m->issued != NULL ? calloc((size_t)m->ops + 1, sizeof *issued) : NULL;
  for (uint32_t i = 0; issued != NULL && i < m->ops; i++) issued[i] = m->issued[line_at(m, i)] != 0;
  return issued;
}

static void issued_again(struct heddle_model *m, bool *issued) {
  for (uint32_t i = 0; issued != NULL && i < m->ops; i++)
    if (issued[i]) m->issued[line_at(m, i)] = 1;
  free(issued);
}

bool straight_decode(struct heddle_model *m) {
  bool *issued = issued_ops(m);
  if (!number_lines(m)) {
    free(issued);
    return false;
  }
  bool *target = jump_targets(m);
  free(m->straight);
  free(m->run_rows);
  free(m->issued);
  m->straight = aligned_alloc(64, ((size_t)m->lines + 1) * sizeof *m->straight);
  /* Place 0 means "no list". */
  m->run_rows = calloc(NAMES_MOST * (size_t)m->lines + 1, sizeof *m->run_rows);
  m->issued = calloc((size_t)m->lines + 1, sizeof *m->issued);
  const bool ok = target != NULL && m->straight != NULL && m->run_rows != NULL && m->issued != NULL;
  if (ok) {
    memset(m->straight, 0, ((size_t)m->lines + 1) * sizeof *m->straight);
    lengths(m, target);
    uint32_t used = 1;
    for (uint32_t i = 0; i<m->lines; i += m->straight[i].length> 0 ? m->straight[i].length : 1) {
      struct straight *s = &m->straight[i];
      if (s->length < RUN_LEAST) continue;
      s->list = used;
      used += list_run(s, m->run_rows + used);
    }
    issued_again(m, issued);
    issued = NULL;
  }
  free(issued);
  free(target);
  return ok;
}

/* The window of a global access at `addr`: the one that the last access like this one went to, or another. NULL: none
 * that it may use. */
static const struct sem_window *global_window(struct heddle_model *m, const struct straight *s, uint64_t addr) {
  uint8_t *near = &m->near[(size_t)(s - m->straight) % NEARS];
  for (unsigned r = 0; addr - m->window[*near].first >= m->window[*near].bytes; r++) {
    if (r >= m->launch.regions) return NULL;
    *near = (uint8_t)r;
  }
  return s->kind == STRAIGHT_LOAD || m->launch.region[*near].writable ? &m->window[*near] : NULL;
}

/* While memory is watched (livelock.h): a store of what is there already. */
static bool stores_nothing(struct heddle_model *m, const struct dop *op, const uint32_t *b, const uint32_t *lo,
                           const uint32_t *hi, const struct sem_window *v) {
  alignas(64) uint32_t now[4][HEDDLE_LANES];
  if (op->bytes < 4 || !m->sem->access->load_row[op->size](now[0], lo, hi, (uint64_t)op->offset, v)) return false;
  m->watch.stores = true;
  return memcmp(now, b, HEDDLE_LANES * (size_t)op->bytes) == 0;
}

/* A load or a store of all lanes, side by side. */
static inline bool access_row(struct heddle_model *m, struct warp *w, const struct straight *s) {
  const uint32_t *lo = straight_source(w, s, 0), *b = straight_source(w, s, 1), *hi = straight_source(w, s, 2);
  const uint64_t offset = (uint64_t)s->op->offset;
  const uint64_t addr = (lo[0] | (uint64_t)(hi != NULL ? hi[0] : 0) << 32) + offset;
  const struct sem_window *v = &w->block->window;
  if (w->active != ALL_LANES) return false;
  if (s->op->space != ISA_SPACE_SHARED) v = global_window(m, s, addr);
  if (v == NULL) return false;
  if (s->kind == STRAIGHT_LOAD) return s->load(straight_result(w, s), lo, hi, offset, v);
  if (m->watch.on) return stores_nothing(m, s->op, b, lo, hi, v);
  if (m->queue != NULL && s->op->space != ISA_SPACE_SHARED)
    parallel_keep(m->queue, addr - m->base, (uint64_t)HEDDLE_LANES * s->op->bytes);
  return s->store(b, lo, hi, offset, v);
}

bool straight_other(struct heddle_model *m, struct warp *w, const struct straight *s, struct sem_io *io) {
  const struct dop *op = s->op;
  if (s->kind != STRAIGHT_OTHER && access_row(m, w, s)) return true;
  const uint32_t exec = guard_lanes(w, op);
  if (exec == 0) return true;
  if (op->kind == DOP_ROW) {
    row_run(m->sem->modify, w, op, exec, io);
    return true;
  }
  if ((m->watch.on && op->access != SEM_LOAD) || !memory_fast(m, w, op, exec)) return false;
  for (unsigned i = 0; i < op->rd_words; i++) w->defined[op->rd + i] |= exec;
  return true;
}

void straight_settle(struct warp *w, const struct straight *s, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < s[i].op->rd_words && s[i].kind != STRAIGHT_OTHER; k++)
      w->defined[s[i].op->rd + k] |= w->active;
}

void straight_end(const struct heddle_model *m, struct warp *w, const struct straight *s) {
  const uint16_t *out = m->run_rows + s->list + s->ins;
  for (unsigned i = 0; i < s->outs; i++) w->all_defined[out[i]] |= w->active;
  w->settled[s->list % SETTLED].run = s->list;
  w->settled[s->list % SETTLED].lanes = w->active;
}

_Static_assert(sizeof(struct straight) == 64, "one cache line");
