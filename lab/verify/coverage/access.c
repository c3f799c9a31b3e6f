/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared and global memory. */
#include <string.h>

#include "lab/verify/coverage/collect.h"

/* ---- shared: a warp's accesses end in order, so the next one closes the last */

void access_shared_end(struct cov_collector *k, struct cov_warp *w) {
  static const uint8_t access[] = {[GA_LOAD] = SA_LOAD, [GA_STORE] = SA_STORE, [GA_ATOM] = SA_ATOM, [GA_RED] = SA_ATOM};
  const struct word *d = w->passing ? word_of(k, w, w->pass_seq) : NULL;
  unsigned most = 0;
  for (unsigned i = 0; i < ROWS_MOST; i++) most = w->passes[i] > most ? w->passes[i] : most;
  w->passing = false;
  if (d == NULL || !d->legal || most == 0) return;
  const unsigned a = d->d.op == ISA_OP_LDSM_16    ? (unsigned)SA_MATRIX
                     : d->d.op == ISA_OP_LDGSTS_E ? (unsigned)SA_STORE
                                                  : access[d->access];
  HIT(k->c, G_SHARED, a, width_of(d->bytes), spread_of(most < 32 ? most : 32));
}

void access_shared(struct cov_collector *k, struct cov_warp *w, const struct heddle_record_shared *r) {
  if (w->passing && w->pass_seq != r->id.seq) access_shared_end(k, w);
  if (!w->passing) memset(w->passes, 0, sizeof w->passes);
  w->passing = true;
  w->pass_seq = r->id.seq;
  w->passes[(unsigned)__builtin_ctz(r->lanes) / k->c->machine->lsu_lanes % ROWS_MOST]++;
}

/* ---- global: neighbours at the point of order */

void access_global(struct cov_collector *k, const struct heddle_record_global *r) {
  const struct heddle_record_global *b = &k->before;
  if (k->has_before) {
    const bool warp = b->id.slot == r->id.slot && b->id.gen == r->id.gen;
    const unsigned who = !warp ? 2 : b->id.seq == r->id.seq ? 0 : 1;
    const unsigned where = b->sector == r->sector ? 0 : b->sector / 4 == r->sector / 4 ? 1 : 2;
    HIT(k->c, G_ORDER, b->access, r->access, who, where);
  }
  k->has_before = true;
  k->before.id = r->id;
  k->before.sector = r->sector;
  k->before.access = r->access;
}

/* ---- global: addresses */

struct reach {
  uint64_t at[HEDDLE_LANES];
  unsigned lanes;
};

/* False: some lane traps, or goes elsewhere by a generic address. */
static bool find_reach(const struct word *d, const struct stash *s, struct reach *a) {
  const int64_t off = heddle_isa_get_signed(d->d.word, ISA_F_OFF24);
  const bool wide = d->d.src[0].words == 2;
  a->lanes = 0;
  for (uint32_t rest = s->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t base = s->data[0][l] | (wide ? (uint64_t)s->data[1][l] << 32 : 0);
    const uint64_t at = base + (uint64_t)off;
    if (at >> 40 != 0 || at % d->bytes != 0) return false;
    a->at[a->lanes++] = at;
  }
  return a->lanes != 0;
}

static unsigned sectors_of(const struct reach *a) {
  unsigned n = 0;
  for (unsigned i = 0; i < a->lanes; i++) {
    unsigned k = 0;
    while (k < i && a->at[k] / 32 != a->at[i] / 32) k++;
    n += k == i;
  }
  return n;
}

/* Aligned accesses of one width overlap where they are the same. */
static bool overlap(const struct reach *a) {
  for (unsigned i = 1; i < a->lanes; i++)
    for (unsigned k = 0; k < i; k++)
      if (a->at[k] == a->at[i]) return true;
  return false;
}

void access_addresses(struct cov_collector *k, const struct word *d, const struct stash *s) {
  struct reach a;
  if (!find_reach(d, s, &a)) return;
  const unsigned begins = a.at[0] % 128 == 0 ? 0 : a.at[0] % 32 == 0 ? 1 : 2;
  HIT(k->c, G_GLOBAL, d->access, width_of(d->bytes), spread_of(sectors_of(&a)), begins, overlap(&a));
}
