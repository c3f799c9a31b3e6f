/* SPDX-License-Identifier: Apache-2.0
 *
 * What threads do with memory, and what lanes say to each other.
 */
#include <string.h>
#include "lab/verify/oracle/order/action.h"
#include "lab/verify/oracle/threads/internal.h"

/* What lanes say to each other (isa/doc/11-warp-uniform.md). Who speaks: the lanes that execute, nobody else. */

bool threads_talks(const struct heddle_isa_dec *d) {
  switch (d->op) {
  case ISA_OP_SHFL:
  case ISA_OP_VOTE:
  case ISA_OP_VOTEU:
  case ISA_OP_ACTIVEMASK:
  case ISA_OP_MATCH:
  case ISA_OP_REDUX:
  case ISA_OP_R2UR:
    return true;
  default:
    return false;
  }
}

struct talk {
  uint32_t a[LANES], hi[LANES], b[LANES], c[LANES];
  bool ps[LANES];
};

static void shuffle_lane(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, const struct talk *t,
                         uint32_t exec, unsigned me) {
  const unsigned B = t->b[me] & 31, clamp = t->c[me] & 31, seg = t->c[me] >> 8 & 31;
  const unsigned lo = me & seg, hi = lo | (clamp & ~seg & 31);
  int j;
  bool in;
  switch (heddle_isa_get(d->word, ISA_F_SHFL)) {
  case ISA_SHFL_UP:
    j = (int)me - (int)B;
    in = j >= (int)hi;
    break;
  case ISA_SHFL_DOWN:
    j = (int)(me + B);
    in = j <= (int)hi;
    break;
  case ISA_SHFL_BFLY:
    j = (int)(me ^ B);
    in = j <= (int)hi;
    break;
  default:
    j = (int)(lo | (B & ~seg & 31));
    in = j <= (int)hi;
    break;
  }
  bool heard = in;
  if (!in) j = (int)me;
  if ((exec >> j & 1u) == 0 && m->o->twist != THREADS_SHFL_HEARS) {
    j = (int)me;
    heard = false;
  }
  threads_set(w, d, 0, me, t->a[j]);
  threads_set_pred(w, d, 0, me, heard);
}

static void vote(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, const struct talk *t,
                 uint32_t exec) {
  uint32_t v = 0;
  for (unsigned l = 0; l < LANES; l++)
    if (((exec >> l & 1u) != 0 || m->o->twist == THREADS_GUARD_VOTES) && t->ps[l]) v |= 1u << l;
  const uint64_t how = heddle_isa_get(d->word, ISA_F_VOTE);
  const bool r = how == ISA_VOTE_ALL ? v == exec : how == ISA_VOTE_ANY ? v != 0 : v == exec || v == 0;
  for (unsigned l = 0; l < LANES; l++) {
    if ((exec >> l & 1u) == 0) continue;
    threads_set(w, d, 0, l, v);
    threads_set_pred(w, d, 0, l, r);
  }
}

static bool alike(const struct talk *t, unsigned x, unsigned y) {
  return t->a[x] == t->a[y] && t->hi[x] == t->hi[y];
}

static void match(struct warp *w, const struct heddle_isa_dec *d, const struct talk *t, uint32_t exec) {
  const bool all = heddle_isa_get(d->word, ISA_F_MATCH) == ISA_MATCH_ALL;
  uint32_t same[LANES] = {0};
  bool one = true;
  for (unsigned x = 0; x < LANES; x++)
    for (unsigned y = 0; y < LANES; y++) {
      if ((exec >> x & 1u) == 0 || (exec >> y & 1u) == 0) continue;
      if (alike(t, x, y))
        same[x] |= 1u << y;
      else
        one = false;
    }
  for (unsigned l = 0; l < LANES; l++) {
    if ((exec >> l & 1u) == 0) continue;
    threads_set(w, d, 0, l, all ? (one ? exec : 0) : same[l]);
    threads_set_pred(w, d, 0, l, all ? one : same[l] != 0);
  }
}

static uint32_t two(const struct heddle_isa_dec *d, uint32_t x, uint32_t y) {
  const bool plain = heddle_isa_get(d->word, ISA_F_SIGN) == ISA_SIGN_U32;
  const bool less = plain ? x < y : (int32_t)x < (int32_t)y;
  switch (heddle_isa_get(d->word, ISA_F_REDUX)) {
  case ISA_REDUX_SUM:
    return x + y;
  case ISA_REDUX_MIN:
    return less ? x : y;
  case ISA_REDUX_MAX:
    return less ? y : x;
  case ISA_REDUX_AND:
    return x & y;
  case ISA_REDUX_OR:
    return x | y;
  default:
    return x ^ y;
  }
}

void threads_talk(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, uint32_t exec) {
  struct talk t;
  if (exec == 0) return; /* nothing is written, in lanes or in uniform registers */
  const unsigned first = (unsigned)__builtin_ctz(exec);
  for (unsigned l = 0; l < LANES; l++) {
    t.a[l] = threads_operand(m, w, d, 0, 0, l);
    t.hi[l] = d->src[0].words == 2 ? threads_operand(m, w, d, 0, 1, l) : 0;
    t.b[l] = threads_operand(m, w, d, 1, 0, l);
    t.c[l] = threads_operand(m, w, d, 2, 0, l);
    t.ps[l] = threads_source(w, d, 0, l);
  }
  uint32_t v = t.a[first];
  switch (d->op) {
  case ISA_OP_SHFL:
    for (unsigned l = 0; l < LANES; l++)
      if ((exec >> l & 1u) != 0) shuffle_lane(m, w, d, &t, exec, l);
    return;
  case ISA_OP_VOTE:
  case ISA_OP_VOTEU:
    vote(m, w, d, &t, exec);
    return;
  case ISA_OP_MATCH:
    match(w, d, &t, exec);
    return;
  case ISA_OP_REDUX:
    for (unsigned l = first + 1; l < LANES; l++)
      if ((exec >> l & 1u) != 0) v = two(d, v, t.a[l]);
    threads_set(w, d, 0, 0, v);
    return;
  case ISA_OP_R2UR:
    threads_set(w, d, 0, 0, v);
    return;
  default: /* ACTIVEMASK */
    for (unsigned l = 0; l < LANES; l++)
      if ((exec >> l & 1u) != 0) threads_set(w, d, 0, l, exec);
    return;
  }
}

/* Memory (isa/doc/04-memory.md): the lanes of one instruction one after the other, ascending. */

/* Where a lane's bytes lie; NULL: it would trap. */
static uint8_t *global_at(const struct machine *m, uint64_t addr, unsigned bytes, bool writes) {
  for (unsigned k = 0; k < m->l->regions; k++) {
    const struct heddle_region *r = &m->l->region[k];
    if (addr < r->base || addr >= r->limit || r->limit - addr < bytes) continue;
    if (writes && !r->writable) return NULL;
    if (addr < m->base || addr - m->base > m->bytes || m->bytes - (addr - m->base) < bytes) return NULL;
    return m->memory + (addr - m->base);
  }
  return NULL;
}

static uint8_t *lane_at(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, const struct action *a,
                        unsigned lane) {
  uint64_t at = threads_operand(m, w, d, 0, 0, lane);
  uint8_t space = a->space;
  if (a->wide)
    at = (at | (uint64_t)threads_operand(m, w, d, 0, 1, lane) << 32) + (uint64_t)(int64_t)a->offset;
  else
    at = (uint32_t)(at + (uint32_t)a->offset);
  if (at % a->bytes != 0) return NULL;
  if (space == ISA_SPACE_GENERIC) {
    const unsigned top = (unsigned)(at >> 56);
    if (top > 2 || (top != 0 && (at >> 32 & 0xffffff) != 0) || (top == 2 && a->act == ACT_ATOMIC)) return NULL;
    space = top == 0 ? ISA_SPACE_GLOBAL : top == 1 ? ISA_SPACE_SHARED : ISA_SPACE_LOCAL;
    if (top != 0) at = (uint32_t)at;
  }
  if (space == ISA_SPACE_GLOBAL) return global_at(m, at, a->bytes, a->act != ACT_LOAD && a->act != ACT_COPY);
  const uint32_t size = space == ISA_SPACE_SHARED ? m->l->shared_bytes : m->l->local_bytes;
  if (at > size || size - at < a->bytes) return NULL;
  return (space == ISA_SPACE_SHARED ? m->shared : w->t[lane].local) + at;
}

static void atomic(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, const struct action *a,
                   uint8_t *at, unsigned lane) {
  uint32_t b[2] = {0}, c[2] = {0}, old[2] = {0};
  const unsigned words = a->bytes / 4u;
  for (unsigned k = 0; k < words; k++) {
    b[k] = threads_operand(m, w, d, 1, k, lane);
    if (a->cas) c[k] = threads_operand(m, w, d, 2, k, lane);
  }
  memcpy(old, at, a->bytes);
  order_atomic_apply(a, at, b, c);
  for (unsigned k = 0; k < words; k++) threads_set(w, d, k, lane, old[k]);
}

static void move_lane(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, const struct action *a,
                      uint8_t *at, unsigned lane) {
  uint8_t bytes[16] = {0};
  const unsigned words = (a->bytes + 3u) / 4;
  if (a->act == ACT_LOAD) {
    memcpy(bytes, at, a->bytes);
    for (unsigned k = 0; k < words; k++) threads_set(w, d, k, lane, order_action_word(a, bytes, k));
    return;
  }
  for (unsigned k = 0; k < words; k++) {
    const uint32_t v = threads_operand(m, w, d, 1, k, lane);
    memcpy(bytes + 4 * k, &v, 4);
  }
  memcpy(at, bytes, a->bytes);
}

/* LDGSTS (isa/doc/14-asynchronous-copies.md): done at once, as is one of the moments that it may choose. All addresses
 * in global memory have been checked. */
static bool copy_async(struct machine *m, struct warp *w, const struct heddle_isa_dec *d, const struct action *a,
                       uint32_t exec, uint8_t *const from[LANES]) {
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint32_t to = threads_operand(m, w, d, 1, 0, l);
    if (to % a->bytes != 0 || to > m->l->shared_bytes || m->l->shared_bytes - to < a->bytes)
      return threads_trap(m, "an address in shared memory", w->t[l].pc);
  }
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    memcpy(m->shared + threads_operand(m, w, d, 1, 0, l), from[l], a->bytes);
  }
  return true;
}

/* LDSM (isa/doc/10-matrices.md): rows of sixteen bytes, spread over all lanes. */
static void matrix(struct warp *w, const struct heddle_isa_dec *d, const struct action *a, uint8_t *const at[LANES]) {
  for (unsigned n = 0; n < a->matrices; n++)
    for (unsigned l = 0; l < LANES; l++) {
      uint32_t v = 0;
      for (unsigned e = 0; e < 2; e++) {
        const unsigned x = 2 * (l % 4) + e, y = l / 4;
        const uint8_t *p = at[8 * n + (a->turned ? x : y)] + 2 * (a->turned ? y : x);
        v |= ((uint32_t)p[0] | (uint32_t)p[1] << 8) << 16 * e;
      }
      threads_set(w, d, n, l, v);
    }
}

bool threads_access(struct machine *m, struct warp *w, const struct step *s, uint32_t exec) {
  struct action a;
  uint8_t *at[LANES] = {NULL};
  if (exec == 0 || !order_action_of(s->d.word, &a)) return true;
  uint32_t asked = exec;
  if (a.act == ACT_MATRIX && a.matrices < 4) asked &= (1u << 8 * a.matrices) - 1;
  for (uint32_t rest = asked; rest != 0; rest &= rest - 1) { /* all are checked before any has an effect */
    const unsigned l = (unsigned)__builtin_ctz(rest);
    at[l] = lane_at(m, w, &s->d, &a, l);
    if (at[l] == NULL) return threads_trap(m, "an address", w->t[l].pc);
  }
  if (a.act == ACT_MATRIX) {
    if (exec != ~0u) return threads_trap(m, "LDSM without all lanes", w->t[__builtin_ctz(exec)].pc);
    matrix(w, &s->d, &a, at);
    return true;
  }
  if (a.act == ACT_COPY) return copy_async(m, w, &s->d, &a, exec, at);
  const bool down = m->o->twist == THREADS_LOWEST_STORES && a.act == ACT_STORE;
  for (unsigned k = 0; k < LANES; k++) {
    const unsigned l = down ? LANES - 1 - k : k;
    if ((exec >> l & 1u) != 0) (a.act == ACT_ATOMIC ? atomic : move_lane)(m, w, &s->d, &a, at[l], l);
  }
  return true;
}

/* LDC, ULDC: constants are alone with their thread (ULDC: the warp). */
bool threads_constant(struct machine *m, struct warp *w, const struct step *s, unsigned lane) {
  const struct heddle_isa_dec *d = &s->d;
  const bool uniform = d->op == ISA_OP_ULDC;
  static const uint8_t bytes_of[] = {1, 1, 2, 2, 4, 8, 16};
  const unsigned size_of = (unsigned)heddle_isa_get(d->word, uniform ? ISA_F_USIZE : ISA_F_SIZE);
  const struct action load = {.act = ACT_LOAD, .size = (uint8_t)size_of, .bytes = bytes_of[size_of % 7]};
  const uint32_t at = threads_operand(m, w, d, 0, 0, lane) + (uint32_t)heddle_isa_get_signed(d->word, ISA_F_COFF16);
  const unsigned bank = (unsigned)heddle_isa_get(d->word, ISA_F_CBANK);
  const uint32_t size = bank < 4 ? m->l->cbank_bytes[bank] : 0;
  if (at % load.bytes != 0 || at > size || size - at < load.bytes)
    return threads_trap(m, "a constant's address", w->t[lane].pc);
  uint8_t bytes[16] = {0};
  memcpy(bytes, m->l->cbank[bank] + at, load.bytes);
  for (unsigned k = 0; k < (load.bytes + 3u) / 4; k++) threads_set(w, d, k, lane, order_action_word(&load, bytes, k));
  return true;
}
