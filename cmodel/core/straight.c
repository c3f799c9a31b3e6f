/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instructions are straight code, in which runs, and what a run reads and writes.
 */
#include "straight.h"

#include <stdlib.h>
#include <string.h>

/* Short runs are not worth a list. */
#define RUN_LEAST 3u

static bool is_straight(const struct dop *op) {
  if (op->kind != DOP_ROW || op->guard != ISA_PT || op->guard_flip != 0 || op->always != 0) return false;
  if (op->has_ps || op->has_pd || op->wide || op->n_more != 0 || op->whole_warp) return false;
  for (unsigned k = 0; k < 3; k++)
    if (op->src[k].modified) return false;
  return true;
}

static void fill(struct straight *s, const struct dop *op) {
  s->fn = op->fn;
  s->par = &op->par;
  s->rd = op->rd;
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *d = &op->src[k];
    const uintptr_t offset = offsetof(struct warp, row) + d->row * sizeof(uint32_t[HEDDLE_LANES]);
    s->row[k] = d->row;
    s->in_warp[k] = d->fixed == NULL;
    s->source[k] = d->fixed != NULL ? (uintptr_t)d->fixed : offset;
  }
}

/* Between the places of code and its instructions, one behind the other. What is no instruction is the last of them,
 * which is none. */
static bool number(struct heddle_model *m) {
  m->lines = m->ops;
  if (ISA_STEP == ISA_WORD_BYTES) return true;
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
    if (!is_straight(op)) continue;
    fill(&m->straight[i], op);
    const unsigned behind = target[i + 1] ? 0 : m->straight[i + 1].length;
    m->straight[i].length = (uint16_t)(behind < UINT16_MAX ? behind + 1 : behind);
  }
}

/* The rows of one run, each once: what it reads first, then what it writes. Returns how many were put down. */
static uint32_t list_run(struct straight *head, uint16_t *rows) {
  bool known[ROWS] = {false};
  uint32_t n = 0;
  for (unsigned i = 0; i < head->length; i++) {
    for (unsigned k = 0; k < 3; k++)
      if (!known[head[i].row[k]] && head[i].in_warp[k]) {
        known[head[i].row[k]] = true;
        rows[n++] = head[i].row[k];
      }
    known[head[i].rd] = true; /* read later, it is what the run itself wrote */
  }
  head->ins = (uint16_t)n;
  memset(known, 0, sizeof known);
  for (unsigned i = 0; i < head->length; i++)
    if (!known[head[i].rd]) {
      known[head[i].rd] = true;
      rows[n++] = head[i].rd;
    }
  head->outs = (uint16_t)(n - head->ins);
  return n;
}

bool straight_decode(struct heddle_model *m) {
  if (!number(m)) return false;
  bool *target = jump_targets(m);
  m->straight = aligned_alloc(64, ((size_t)m->lines + 1) * sizeof *m->straight);
  /* An instruction adds at most four rows to its run's list; place 0 means "no list". */
  m->run_rows = calloc(4 * (size_t)m->lines + 1, sizeof *m->run_rows);
  const bool ok = target != NULL && m->straight != NULL && m->run_rows != NULL;
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
  }
  free(target);
  return ok;
}

_Static_assert(sizeof(struct straight) == 64, "one cache line");
