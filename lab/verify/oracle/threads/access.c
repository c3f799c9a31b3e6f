/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory (isa/doc/04-memory.md): the lanes of one instruction one after the other, ascending.
 */
#include <string.h>

#include "lab/verify/oracle/order/action.h"
#include "lab/verify/oracle/threads/internal.h"

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
