/* SPDX-License-Identifier: Apache-2.0
 *
 * What lanes say to each other (isa/doc/11-warp-uniform.md). Who speaks: the lanes that execute, nobody else.
 */
#include "lab/verify/oracle/threads/internal.h"

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
