/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks, one after the other, and what their warps meet at (isa/doc/05-barriers-traps.md, 06-abi.md).
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/threads/internal.h"
#include "base/splitmix64.h"

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

bool threads_grid(struct machine *m) {
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
