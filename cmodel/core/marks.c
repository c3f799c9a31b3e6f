/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of registers: what carries them, and what tells.
 */
#include "marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool defined_in(const struct warp *w, const struct dsrc *s, uint32_t exec) {
  for (unsigned i = 0; i < s->words && s->fixed == NULL; i++)
    if ((exec & ~w->defined[s->row + i]) != 0) return false;
  return true;
}

static bool is_register(const struct dsrc *s) {
  return s->fixed == NULL && s->words != 0 && s->row < ROW_SINK;
}

enum marks_fate marks_fate(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t exec) {
  const struct isa_dec *d = &m->dec[op - m->op];
  if (op->always != 0 || !is_register(&op->src[1]) || op->src[1].modified) return MARKS_USED;
  if (op->kind == DOP_ROW && d->op == ISA_OP_MOV) return MARKS_MOVED;
  const bool store = op->kind == DOP_MEMORY && op->access == SEM_STORE;
  return store && defined_in(w, &op->src[0], exec) ? MARKS_STORED : MARKS_USED;
}

void marks_of_source(const struct warp *w, const struct dop *op, struct mark_rows *out) {
  const struct dsrc *s = &op->src[1];
  memset(out, 0, sizeof *out);
  for (unsigned k = 0; k < s->words; k++)
    for (uint32_t rest = ~w->defined[s->row + k]; rest != 0; rest &= rest - 1) {
      const unsigned i = lowest_lane(rest);
      out->word[k][i] = w->marked ? w->marks[s->row + k][i] : ~0u;
      out->any = true;
    }
}

uint32_t marks_lanes(const struct mark_rows *r, unsigned word) {
  uint32_t lanes = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) lanes |= (uint32_t)(r->word[word][i] != 0) << i;
  return lanes;
}

/* Rows of the warp; until now nothing of it was partly defined. */
static bool make_rows(struct warp *w) {
  const size_t bytes = ROW_SINK * sizeof *w->marks;
  if (w->marked) return true;
  if (w->marks == NULL) w->marks = malloc(bytes);
  if (w->marks == NULL) return false;
  memset(w->marks, 0xff, bytes);
  w->marked = true;
  return true;
}

bool marks_set(struct warp *w, unsigned row, unsigned words, uint32_t lanes, const struct mark_rows *r) {
  for (unsigned k = 0; k < words && row + k < ROW_SINK; k++) {
    const uint32_t bad = lanes & marks_lanes(r, k);
    w->defined[row + k] |= lanes;
    if (bad == 0) continue;
    if (!make_rows(w)) return false;
    w->defined[row + k] &= ~bad;
    for (uint32_t rest = bad; rest != 0; rest &= rest - 1) {
      const unsigned i = lowest_lane(rest);
      w->marks[row + k][i] = r->word[k][i];
    }
  }
  return true;
}

void marks_free(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) free(m->warp[i].marks);
}

/* ---- telling */

static void note(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                 const char *what) {
  struct heddle_undefined *u = &m->undefined;
  *u = (struct heddle_undefined){.warp_in_block = w->index, .seq = seq, .pc = pc, .lanes = lanes};
  memcpy(u->ctaid, w->block->ctaid, sizeof u->ctaid);
  snprintf(u->what, sizeof u->what, "%s", what);
}

enum heddle_status marks_tell(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                              const char *what) {
  char where[160];
  note(m, w, seq, pc, lanes, what);
  return model_fail(m, HEDDLE_UNDEFINED, "undefined_read: %s in lanes 0x%08x, %s", what, lanes,
                    warp_where(m, w, where, sizeof where));
}

enum heddle_status marks_tell_bytes(struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t seq,
                                    uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  char bytes[80];
  (void)undefined_bytes(op, lanes, addr, bytes, sizeof bytes);
  note(m, w, seq, pc, lanes, bytes);
  m->undefined.has_addr = true;
  m->undefined.addr = addr[lowest_lane(lanes)];
  return model_fail(m, HEDDLE_UNDEFINED, "undefined_read: %s, block (%u,%u,%u) warp %u seq %u pc 0x%08x", bytes,
                    w->block->ctaid[0], w->block->ctaid[1], w->block->ctaid[2], w->index, seq, pc);
}

const struct heddle_undefined *heddle_model_undefined(const struct heddle_model *m) {
  return &m->undefined;
}
