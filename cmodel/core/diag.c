/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for what went wrong. The library never prints.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmodel/core/state.h"

const char *heddle_cause_name(enum heddle_cause c) {
  static const char *const names[] = {"none",         "illegal_instruction", "bad_pc",      "misaligned",
                                      "out_of_range", "write_protected",     "const_range", "divergence_misuse",
                                      "deadlock",     "barrier_misuse",      "bus_error",   "breakpoint",
                                      "page_fault"};
  return (unsigned)c < sizeof names / sizeof names[0] ? names[c] : "unknown";
}

enum heddle_status model_fail(struct heddle_model *m, enum heddle_status s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->diag, sizeof m->diag, fmt, ap);
  va_end(ap);
  return s;
}

const char *warp_where(const struct heddle_model *m, const struct warp *w, char *text, size_t room) {
  const uint32_t *id = w->block->ctaid, i = op_index(w->pc);
  const char *name = "?";
  if (i < m->ops && m->op[i].kind != DOP_FETCH_FAULT)
    name = m->op[i].kind == DOP_ILLEGAL ? "illegal" : heddle_isa_op_name((enum heddle_isa_op)m->dec[i].op);
  snprintf(text, room,
           "block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") warp %" PRIu32 " seq %" PRIu32 " pc 0x%08" PRIx32 " %s", id[0],
           id[1], id[2], w->index, w->seq, w->pc, name);
  return text;
}

/* ---- who waits for what ---- */

static void append_diag(struct heddle_model *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void append_diag(struct heddle_model *m, const char *fmt, ...) {
  const size_t used = strlen(m->diag);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->diag + used, sizeof m->diag - used, fmt, ap);
  va_end(ap);
}

static void add_parked(struct heddle_model *m, const struct warp *w, unsigned x) {
  const uint32_t missing = w->member[x] & ~w->exited & ~w->parked[x];
  char name[4] = "W";
  if (x != BARRIER_W) snprintf(name, sizeof name, "B%u", x);
  for (uint32_t rest = w->parked[x]; rest != 0;) {
    const struct path p = parked_path(w, x, rest);
    append_diag(m, "; lanes 0x%08" PRIx32 " parked at %s at pc 0x%08" PRIx32, p.mask, name, p.pc);
    rest &= ~p.mask;
  }
  if (w->parked[x] != 0) append_diag(m, " until 0x%08" PRIx32 " come", missing);
}

static void add_warp(struct heddle_model *m, const struct warp *w, const char *doing) {
  char where[160];
  append_diag(m, "\n%s: ", warp_where(m, w, where, sizeof where));
  if (w->waiting) {
    const struct barrier *bar = &w->block->bar[w->bar_id];
    const int here = __builtin_popcount(bar->waiting | bar->arrived);
    append_diag(m, "waits at barrier %u, where %d of %" PRIu32 " warps are", w->bar_id, here,
                barrier_expected(w->block, w->bar_id));
  } else {
    append_diag(m, "lanes 0x%08" PRIx32 " %s", w->active, doing);
  }
  for (unsigned d = w->depth; d-- > 0;)
    append_diag(m, "; lanes 0x%08" PRIx32 " wait for their turn at pc 0x%08" PRIx32, w->path[d].mask, w->path[d].pc);
  for (unsigned x = 0; x <= BARRIERS; x++) add_parked(m, w, x);
}

enum heddle_status fail_with_warp(struct heddle_model *m, enum heddle_status s, const struct warp *w, const char *fmt,
                                  ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->diag, sizeof m->diag, fmt, ap);
  va_end(ap);
  add_warp(m, w, "run");
  return s;
}

enum heddle_status fail_with_warps(struct heddle_model *m, enum heddle_status s, const char *doing, const char *fmt,
                                   ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->diag, sizeof m->diag, fmt, ap);
  va_end(ap);
  for (unsigned i = 0; i < m->warp_slots; i++)
    if (m->warp[i].used && !m->warp[i].ended) add_warp(m, &m->warp[i], doing);
  return s;
}

/* The instruction that ends where the warp stands: in a place of two it is the one 8 before. */
static uint32_t pc_before(const struct warp *w) {
  const uint32_t odd = w->pc % ISA_WORD_BYTES;
  return w->pc - (odd != 0 ? odd : op_step(&w->code[op_index(w->pc - ISA_WORD_BYTES)]));
}

bool heddle_warp_standing(const struct heddle_model *m, unsigned slot, struct heddle_standing *out) {
  if (slot >= m->warp_slots || !m->warp[slot].used) return false;
  const struct warp *w = &m->warp[slot];
  *out = (struct heddle_standing){.index = w->index,
                                  .seq = w->seq,
                                  .pc = w->pc,
                                  .active = w->active,
                                  .exited = w->exited,
                                  .paths = w->depth,
                                  .ended = w->ended,
                                  .waiting = w->waiting};
  memcpy(out->ctaid, w->block->ctaid, sizeof out->ctaid);
  for (unsigned x = 0; x <= BARRIERS; x++) {
    if (w->parked[x] == 0) continue;
    out->parked[x] = w->parked[x];
    out->missing[x] = w->member[x] & ~w->exited & ~w->parked[x];
    out->park_pc[x] = parked_path(w, x, w->parked[x]).pc;
  }
  out->path_lanes = w->depth != 0 ? w->path[0].mask : 0;
  out->path_pc = w->depth != 0 ? w->path[0].pc : 0;
  if (!w->waiting) return true;
  const struct barrier *bar = &w->block->bar[w->bar_id];
  out->bar_id = w->bar_id;
  out->bar_pc = pc_before(w);
  out->bar_here = bar->waiting | bar->arrived;
  out->bar_needs = barrier_expected(w->block, w->bar_id);
  out->bar_reached = barrier_complete(w->block, w->bar_id);
  return true;
}

const char *heddle_model_diag(const struct heddle_model *m) {
  return m->diag;
}
const struct heddle_trap *heddle_model_trap(const struct heddle_model *m) {
  return &m->now.trap;
}
const struct heddle_trap *heddle_model_trap_of(const struct heddle_model *m, unsigned k) {
  return k < m->shown ? &m->now.trap_of[k] : NULL;
}
