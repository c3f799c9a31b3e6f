/* SPDX-License-Identifier: Apache-2.0
 *
 * Noticing, when the model runs alone, that no warp can ever go on; where each waits, in words.
 */
#include "livelock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/core/pages.h"
#include "cmodel/core/state.h"

/* Words for what went wrong. The library never prints. */

const char *heddle_cause_name(enum heddle_cause c) {
  static const char *const names[] = {"none",         "illegal_instruction", "bad_pc",      "misaligned",
                                      "out_of_range", "write_protected",     "const_range", "divergence_misuse",
                                      "deadlock",     "barrier_misuse",      "bus_error",   "breakpoint",
                                      "page_fault"};
  return (unsigned)c < sizeof names / sizeof names[0] ? names[c] : "unknown";
}

enum heddle_error model_fail(struct heddle_model *m, enum heddle_error s, const char *fmt, ...) {
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

enum heddle_error fail_with_warp(struct heddle_model *m, enum heddle_error s, const struct warp *w, const char *fmt,
                                 ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->diag, sizeof m->diag, fmt, ap);
  va_end(ap);
  add_warp(m, w, "run");
  return s;
}

enum heddle_error fail_with_warps(struct heddle_model *m, enum heddle_error s, const char *doing, const char *fmt,
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

/* The model alone: warps that spin for ever.
 *
 * What a warp does next depends on its own state, on memory, and, at a named
 * barrier, on the other warps. So when memory has not changed while each warp
 * came back to a state that it had before, nothing will ever change: under
 * `stack` this is what a lock does whose holder is parked, or waits for its
 * turn, while its peers spin.
 *
 * Brent's way of finding a cycle: remember the state, compare it after each
 * round of turns, and remember a later one when twice as much has been run in
 * vain. A window ends with the first byte of memory that changes, so that
 * programs which get on are hardly ever looked at; those that store what is there
 * already are looked at for one part in 64 of their time. The warps' cycles need not
 * be equally long: each one is looked for by itself, as long as no warp came to
 * a barrier; else all of them have to be as before at the same time. */

#define WINDOW_FIRST (UINT64_C(1) << 16) /* warp instructions */
#define STORES_PAUSE 63u                 /* after a window in which stores had to be looked at, in windows */
#define PAUSE_MAX (UINT64_C(1) << 22)    /* from one window to the next, where memory changes */

void watch_begin(struct heddle_model *m) {
  m->watch = (struct watch){.next = WINDOW_FIRST, .pause = WINDOW_FIRST};
}

void watch_end(struct heddle_model *m) {
  free(m->watch.seen);
  free(m->watch.block);
  free(m->watch.again);
  m->watch = (struct watch){.on = false};
}

/* ---- did a store change anything? ---- */

bool watch_before(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct watched *before) {
  if (op->access == SEM_LOAD || op->access == SEM_LOAD_MATRIX || exec == 0) return false;
  memory_addresses(m, w, op, exec, before->addr);
  if (memory_check(m, w, op, exec, before->addr).trap != HEDDLE_TRAP_NONE) return false;
  if (m->pages != NULL && !pages_translate(m, w, op, exec, before->addr)) return false; /* and run_access will say so */
  before->lanes = exec;
  m->watch.stores = true;
  memory_bytes(m, w, op, exec, before->addr, before->bytes);
  return true;
}

void watch_after(struct heddle_model *m, const struct warp *w, const struct dop *op, const struct watched *before) {
  uint8_t now[HEDDLE_LANES][16];
  memory_bytes(m, w, op, before->lanes, before->addr, now);
  for (uint32_t rest = before->lanes; rest != 0 && m->watch.on; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (memcmp(now[i], before->bytes[i], op->bytes) != 0) m->watch.on = false;
  }
}

/* ---- states ---- */

static bool allocate_watch(struct heddle_model *m) {
  struct watch *x = &m->watch;
  if (x->seen == NULL) x->seen = aligned_alloc(alignof(struct warp), (m->warp_slots + 1u) * sizeof *x->seen);
  if (x->block == NULL) x->block = calloc(m->block_slots, sizeof *x->block);
  if (x->again == NULL) x->again = calloc(m->warp_slots, sizeof *x->again);
  return x->seen != NULL && x->block != NULL && x->again != NULL;
}

/* Without what only counts, and without what is left over. */
static void normalise(struct warp *w) {
  for (unsigned d = 0; d < PATHS_MAX; d++) {
    if (d >= w->depth) w->path[d] = (struct path){0, 0, 0};
    w->path[d].since = 0;
  }
  w->seq = w->moves = w->since = w->taken = w->clock_low = w->clock_high = w->on_mask = 0;
  w->hash = 0;
  w->hashed = false;
  memset(w->on, 0, sizeof w->on);
  memset(w->settled, 0, sizeof w->settled);
  uint32_t parked = 0;
  for (unsigned x = 0; x <= BARRIERS; x++) {
    parked |= w->parked[x];
    if (w->parked[x] == 0) w->park_pc[x] = 0;
  }
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if ((parked >> i & 1) == 0) w->lane_pc[i] = 0;
}

static void copy_of(struct warp *copy, const struct warp *w) {
  memcpy(copy, w, sizeof *copy); /* with its padding: it is compared as bytes */
  normalise(copy);
}

static bool as_before(struct heddle_model *m, unsigned slot) {
  const struct warp *w = &m->warp[slot], *old = &m->watch.seen[slot];
  struct warp *copy = &m->watch.seen[m->warp_slots];
  if (w->pc != old->pc || w->active != old->active || w->depth != old->depth || w->waiting != old->waiting)
    return false;
  if (memcmp(w->row, old->row, m->launch.regs * sizeof w->row[0]) != 0) return false;
  copy_of(copy, w);
  return memcmp(copy, old, sizeof *copy) == 0; // NOLINT(bugprone-suspicious-memory-comparison): see copy_of
}

static bool barriers_as_before(const struct heddle_model *m) {
  for (unsigned i = 0; i < m->block_slots; i++)
    if (m->block[i].used && memcmp(m->block[i].bar, m->watch.block[i].bar, sizeof m->block[i].bar) != 0) return false;
  return true;
}

static bool takes_part(const struct warp *w) {
  return w->used && !w->ended;
}

static void remember_state(struct heddle_model *m, uint64_t count, uint64_t length) {
  struct watch *x = &m->watch;
  x->on = allocate_watch(m);
  x->arrivals = x->stores = false;
  x->length = length;
  x->start = count;
  x->pause = x->pause < PAUSE_MAX ? 2 * x->pause : PAUSE_MAX;
  x->next = x->on ? count + x->pause : UINT64_MAX;
  for (unsigned i = 0; i < m->warp_slots && x->on; i++) {
    x->again[i] = false;
    if (takes_part(&m->warp[i])) copy_of(&x->seen[i], &m->warp[i]);
  }
  for (unsigned i = 0; i < m->block_slots && x->on; i++) x->block[i] = m->block[i];
}

static enum heddle_error compare_state(struct heddle_model *m) {
  struct watch *x = &m->watch;
  bool together = true, each = true, anybody = false;
  for (unsigned i = 0; i < m->warp_slots; i++) {
    if (!takes_part(&m->warp[i])) continue;
    anybody = true;
    if (x->again[i] && !x->arrivals) continue;
    const bool same = as_before(m, i);
    x->again[i] = x->again[i] || same;
    together = together && same;
    each = each && x->again[i];
  }
  const bool stuck = x->arrivals ? together && barriers_as_before(m) : each;
  if (!stuck || !anybody) return HEDDLE_SUCCESS;
  if (m->pages != NULL && pages_waited_for(m)) return pages_faults(m);
  return fail_with_warps(m, HEDDLE_ERROR_LIMIT, "spin",
                         "deadlock: no warp can go on; each spins through the same states or waits, and memory has not "
                         "changed since warp instruction %llu",
                         (unsigned long long)x->start);
}

enum heddle_error deadlock_watch(struct heddle_model *m, uint64_t count) {
  struct watch *x = &m->watch;
  if (!x->on) {
    if (count < x->next) return HEDDLE_SUCCESS;
    remember_state(m, count, x->unbroken ? 2 * x->length : WINDOW_FIRST);
    x->unbroken = false;
    return HEDDLE_SUCCESS;
  }
  const enum heddle_error s = compare_state(m);
  if (s != HEDDLE_SUCCESS || count < x->start + x->length) return s;
  if (!x->stores) {
    remember_state(m, count, 2 * x->length);
    return HEDDLE_SUCCESS;
  }
  x->on = false; /* looking at stores takes time */
  x->unbroken = true;
  x->next = count + STORES_PAUSE * x->length;
  return HEDDLE_SUCCESS;
}
