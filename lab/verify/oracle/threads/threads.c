/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of a trace, one after the other, block after block.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "lab/verify/oracle/threads/internal.h"

/* Blocks, one after the other, and what their warps meet at (isa/doc/05-barriers-traps.md, 06-abi.md). */

#define TURNS 64u /* most meetings of a warp before another one goes on */

static bool lives(const struct warp *w) {
  return threads_live(w) != 0;
}

static unsigned expected(const struct machine *m, const struct meeting *b) {
  unsigned n = 0;
  for (unsigned k = 0; k < m->warps; k++) n += lives(&m->warp[k]);
  return b->warps != 0 ? b->warps : n;
}

/* What BAR.RED tells, to those that wait at it. */
static void give_reduction(struct machine *m, struct warp *w, unsigned id, const struct meeting *b) {
  const unsigned first = (unsigned)__builtin_ctz(threads_live(w));
  const struct step *s = &m->code[heddle_isa_before(m->l->code, w->t[first].pc) / ISA_STEP];
  const struct heddle_isa_dec *d = &s->d;
  if (!w->waiting || heddle_isa_get(d->word, ISA_F_BARID) != id) return;
  w->waiting = false;
  for (unsigned l = 0; l < LANES; l++) {
    if (w->t[l].exited) continue;
    if (d->op == ISA_OP_BAR_RED_POPC) threads_set(w, d, 0, l, b->votes);
    if (d->op != ISA_OP_BAR_RED) continue;
    const bool any = heddle_isa_get(d->word, ISA_F_BARRED) == ISA_BARRED_OR;
    threads_set_pred(w, d, 0, l, any ? b->votes != 0 : b->votes == b->voters);
  }
}

/* Lets go whom it can. */
static void open_barriers(struct machine *m) {
  for (unsigned id = 0; id < BARRIERS; id++) {
    struct meeting *b = &m->bar[id];
    if (!b->open || (unsigned)__builtin_popcountll(b->came) != expected(m, b)) continue;
    const struct meeting done = *b;
    *b = (struct meeting){.open = false};
    for (unsigned k = 0; k < m->warps; k++)
      if ((done.came >> k & 1u) != 0 && m->warp[k].waiting) give_reduction(m, &m->warp[k], id, &done);
  }
}

bool threads_barrier(struct machine *m, struct warp *w, const struct step *s, uint32_t who, uint32_t exec) {
  const struct heddle_isa_dec *d = &s->d;
  const uint32_t pc = w->t[__builtin_ctz(who)].pc;
  if (exec == 0) return true; /* its guard is false in all that came: nothing */
  if (m->o->twist == THREADS_BAR_PASSES && d->op == ISA_OP_BAR_SYNC) return true;
  struct meeting *b = &m->bar[heddle_isa_get(d->word, ISA_F_BARID)];
  const uint32_t count = (uint32_t)heddle_isa_get(d->word, ISA_F_BARCNT);
  const uint64_t me = UINT64_C(1) << w->index;
  if (exec != threads_live(w) || count % LANES != 0 || count / LANES > m->warps || (b->came & me) != 0 ||
      (b->open && b->warps != count / LANES) || (d->op == ISA_OP_BAR_ARV && count == 0))
    return threads_trap(m, "a barrier misused", pc);
  b->open = true;
  b->warps = count / LANES;
  b->came |= me;
  if (d->op == ISA_OP_BAR_RED || d->op == ISA_OP_BAR_RED_POPC)
    for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
      b->votes += threads_source(w, d, 0, (unsigned)__builtin_ctz(rest));
      b->voters++;
    }
  w->waiting = d->op != ISA_OP_BAR_ARV;
  m->arrived = true;
  return true;
}

/* ---- a block ---- */

static bool begin_thread(struct machine *m, struct thread *t, uint32_t n) {
  const uint32_t *size = m->l->block;
  uint8_t *local = t->local;
  memset(t, 0, sizeof *t);
  t->local = local;
  if (m->l->local_bytes != 0 && local == NULL) t->local = malloc(m->l->local_bytes);
  if (m->l->local_bytes != 0 && t->local == NULL) return false;
  if (t->local != NULL) memset(t->local, 0, m->l->local_bytes);
  t->pc = m->l->entry_pc;
  t->p[ISA_PT] = true;
  t->exited = n >= size[0] * size[1] * size[2];
  t->tid[0] = n % size[0];
  t->tid[1] = n / size[0] % size[1];
  t->tid[2] = n / size[0] / size[1];
  return true;
}

static bool begin_block(struct machine *m) {
  m->steps += m->warps * (LANES + m->l->local_bytes / 16); /* to begin a block is work, too */
  memset(m->bar, 0, sizeof m->bar);
  memset(m->shared, 0, m->l->shared_bytes);
  for (unsigned k = 0; k < m->warps; k++) {
    struct warp *w = &m->warp[k];
    for (unsigned l = 0; l < LANES; l++)
      if (!begin_thread(m, &w->t[l], LANES * k + l)) return threads_wrong(m, "no memory for local memory");
    memset(w->b, 0, sizeof w->b);
    memset(w->ur, 0, sizeof w->ur);
    memset(w->up, 0, sizeof w->up);
    w->up[ISA_PT] = true;
    w->paths = 0;
    w->waiting = false;
    w->index = k;
    w->clock = 0;
    threads_push(w, threads_live(w));
  }
  return true;
}

/* A warp goes on until it waits, has ended, or its turn is over: it may spin until another one has stored. */
static bool run_warp(struct machine *m, struct warp *w) {
  for (uint64_t turns = 1 + splitmix64(&m->dice) % TURNS; turns > 0 && !w->waiting && w->paths != 0; turns--) {
    if (!threads_turn(m, w)) return false;
    if (m->arrived) open_barriers(m);
    m->arrived = false;
  }
  if (w->paths == 0 && lives(w)) return threads_trap(m, "a deadlock: all that live are parked", 0);
  return true;
}

static bool run_thread_block(struct machine *m) {
  if (!begin_block(m)) return false;
  for (;;) {
    bool moved = false, left = false;
    for (unsigned k = 0; k < m->warps; k++) {
      struct warp *w = &m->warp[k];
      if (!lives(w) || w->waiting) continue;
      moved = true;
      if (!run_warp(m, w)) return false;
      open_barriers(m);
    }
    for (unsigned k = 0; k < m->warps; k++) left |= lives(&m->warp[k]);
    if (!left) return true;
    if (!moved)
      return threads_wrong(m, "block (%u,%u,%u): all warps wait at barriers for ever", m->ctaid[0], m->ctaid[1],
                           m->ctaid[2]);
  }
}

static bool threads_grid(struct machine *m) {
  const uint32_t *g = m->l->grid;
  for (uint32_t z = 0; z < g[2]; z++)
    for (uint32_t y = 0; y < g[1]; y++)
      for (uint32_t x = 0; x < g[0]; x++) {
        m->ctaid[0] = x;
        m->ctaid[1] = y;
        m->ctaid[2] = z;
        m->r->blocks++;
        if (!run_thread_block(m)) return false;
      }
  return true;
}

/* The launches of a trace, one after the other: run, and compare what they leave. */

#define STEPS_USUAL (UINT64_C(1) << 32)

const char *threads_twist_name(enum threads_twist t) {
  static const char *const name[THREADS_TWISTS] = {
      [THREADS_AS_IT_IS] = "none",           [THREADS_RELEASE_EARLY] = "release-early",
      [THREADS_BREAK_STAYS] = "break-stays", [THREADS_EXIT_STAYS] = "exit-stays",
      [THREADS_CALL_FALLS] = "call-falls",   [THREADS_GUARD_VOTES] = "guard-votes",
      [THREADS_SHFL_HEARS] = "shfl-hears",   [THREADS_LOWEST_STORES] = "lowest-stores",
      [THREADS_SYNC_PASSES] = "sync-passes", [THREADS_YIELD_HOLDS] = "yield-holds",
      [THREADS_BAR_PASSES] = "bar-passes"};
  return (unsigned)t < THREADS_TWISTS ? name[t] : "?";
}

bool threads_wrong(struct machine *m, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  const int n = snprintf(m->r->what, sizeof m->r->what, "launch %llu: ", (unsigned long long)m->r->launches);
  (void)vsnprintf(m->r->what + n, sizeof m->r->what - (size_t)n, format, ap);
  va_end(ap);
  m->r->outcome = THREADS_OTHER;
  return false;
}

bool threads_trap(struct machine *m, const char *why, uint32_t pc) {
  m->trapped = true;
  return threads_wrong(m, "block (%u,%u,%u) traps at pc 0x%x: %s", m->ctaid[0], m->ctaid[1], m->ctaid[2], pc, why);
}

static void free_launch(struct machine *m) {
  for (unsigned k = 0; k < m->warps; k++)
    for (unsigned l = 0; l < LANES; l++) free(m->warp[k].t[l].local);
  free(m->warp);
  free(m->code);
  free(m->memory);
  free(m->shared);
  m->warp = NULL;
  m->code = NULL;
  m->memory = m->shared = NULL;
  m->warps = 0;
}

static bool launch_no_memory(struct machine *m) {
  m->r->outcome = THREADS_TOO_LONG;
  (void)snprintf(m->r->what, sizeof m->r->what, "no memory for the launch");
  return false;
}

/* Room for a block of it; the launch is run when its end is read. */
static bool prepare_launch(struct machine *m, struct heddle_trace_reader *t) {
  free_launch(m);
  m->l = heddle_trace_launched(t);
  const uint8_t *memory = heddle_trace_memory(t, &m->bytes);
  m->base = heddle_trace_memory_base(t);
  const uint32_t *b = m->l->block;
  const uint64_t plane = (uint64_t)b[0] * b[1];
  m->r->launches++;
  if (plane == 0 || plane > 1024 || b[2] == 0 || plane * b[2] > 1024 || m->l->regs > 255)
    return threads_wrong(m, "a block of %u x %u x %u threads, %u registers", b[0], b[1], b[2], m->l->regs);
  m->warps = ((unsigned)plane * b[2] + LANES - 1) / LANES;
  m->warp = calloc(m->warps, sizeof *m->warp);
  if (m->warp == NULL) m->warps = 0;
  m->code = calloc(m->l->code_bytes / ISA_STEP, sizeof *m->code);
  m->memory = malloc((size_t)m->bytes + 1);
  m->shared = malloc((size_t)m->l->shared_bytes + 1);
  if (m->warp == NULL || m->code == NULL || m->memory == NULL || m->shared == NULL) return launch_no_memory(m);
  memcpy(m->memory, memory, (size_t)m->bytes);
  m->trapped = false;
  m->steps = 0;
  m->most = m->o->steps != 0 ? m->o->steps : STEPS_USUAL;
  return true;
}

static bool compare_bytes(struct machine *m, const struct heddle_trace_reader *t) {
  uint64_t bytes, at = 0;
  const uint8_t *memory = heddle_trace_memory(t, &bytes);
  while (at < bytes && m->memory[at] == memory[at]) at++;
  m->r->bytes += bytes;
  if (at == bytes) return true;
  return threads_wrong(m, "byte 0x%llx is 0x%02x, in the trace 0x%02x", (unsigned long long)(m->base + at),
                       m->memory[at], memory[at]);
}

static bool run_and_compare(struct machine *m, const struct heddle_trace_reader *t, bool traps) {
  if (traps) {
    m->r->traps++;
    return true;
  }
  const bool ran = threads_grid(m);
  m->r->steps += m->steps;
  if (!ran && m->r->outcome == THREADS_TOO_LONG)
    (void)snprintf(m->r->what, sizeof m->r->what, "launch %llu takes more than %llu thread instructions (--steps)",
                   (unsigned long long)m->r->launches, (unsigned long long)m->most);
  return ran && compare_bytes(m, t);
}

static bool run_trace(struct machine *m, struct heddle_trace_reader *t) {
  struct heddle_retire_record rec;
  bool traps = false;
  for (bool ok = true; ok;) {
    switch (heddle_trace_next(t, &rec)) {
    case HEDDLE_TRACE_LAUNCH:
      ok = prepare_launch(m, t);
      traps = false;
      break;
    case HEDDLE_TRACE_RECORD:
      traps = traps || rec.kind == HEDDLE_RECORD_TRAP;
      break;
    case HEDDLE_TRACE_END:
      ok = run_and_compare(m, t, traps);
      break;
    case HEDDLE_TRACE_DONE:
      return true;
    case HEDDLE_TRACE_ERROR:
      m->r->outcome = THREADS_REFUSED;
      (void)snprintf(m->r->what, sizeof m->r->what, "%s", heddle_trace_error(t));
      return false;
    }
  }
  return false;
}

enum threads_outcome threads_check(const char *path, const struct threads_options *o, struct threads_result *r) {
  memset(r, 0, sizeof *r);
  r->outcome = THREADS_REFUSED;
  struct heddle_trace_reader *t;
  struct heddle_message msg;
  const enum heddle_error e = heddle_trace_open(path, &t, &msg);
  (void)snprintf(r->what, sizeof r->what, "%s", msg.text);
  if (e != HEDDLE_SUCCESS) return r->outcome;
  struct machine m = {.o = o, .r = r, .h = heddle_trace_read_header(t), .dice = o->seed};
  r->outcome = THREADS_SAME;
  r->what[0] = '\0';
  (void)run_trace(&m, t);
  free_launch(&m);
  heddle_trace_free(t);
  return r->outcome;
}
