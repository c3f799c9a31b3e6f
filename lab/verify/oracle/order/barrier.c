/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers between warps (isa/doc/05-barriers-traps.md).
 */
#include "lab/verify/oracle/order/cache.h"
#include "lab/verify/oracle/order/list_write.h"

static bool reduces(const struct heddle_isa_dec *d) {
  return d->op == ISA_OP_BAR_RED_POPC || d->op == ISA_OP_BAR_RED;
}

/* What BAR.RED owes its lanes; open[0] until the barrier lets go. */
static bool begin_reduction(struct order *o, struct warp *w, const struct heddle_record_issue *r,
                            const struct heddle_isa_dec *d) {
  const bool popc = d->op == ISA_OP_BAR_RED_POPC;
  if (popc ? d->rd == ISA_RZ : d->pd0 == ISA_PT || !heddle_record_shows(o->h->hidden, HEDDLE_RECORD_PREDICATE))
    return true;
  struct insn *i = order_insn_new(o, w);
  if (i == NULL) return false;
  i->seq = r->id.seq;
  i->pc = r->pc;
  i->word = d->word;
  i->exec = i->open[0] = r->exec;
  i->reduction = true;
  i->a.words = popc ? 1 : 0;
  i->a.rd = d->rd;
  if (popc)
    i->owed[0] = r->exec;
  else
    i->owed_pd = r->exec;
  return true;
}

bool order_barrier_arrive(struct order *o, struct warp *w, const struct heddle_record_issue *r,
                          const struct heddle_isa_dec *d) {
  struct block *b = order_block_of(o, w);
  const unsigned id = (unsigned)heddle_isa_get(d->word, ISA_F_BARID) % BARRIERS;
  struct meeting *m = &b->bar[id];
  const uint64_t me = UINT64_C(1) << r->id.slot;
  const uint32_t count = (uint32_t)heddle_isa_get(d->word, ISA_F_BARCNT) / LANES;
  o->r->judged[ORDER_BARRIER]++;
  if ((m->came & me) != 0)
    return order_broken(o, ORDER_BARRIER, "slot %u comes to barrier %u again before it has let go", r->id.slot, id);
  if (m->came != 0 && m->count != count)
    return order_broken(o, ORDER_BARRIER, "slot %u comes to barrier %u with another count than those before it",
                        r->id.slot, id);
  m->came |= me;
  order_cache_arrives(o, w, id, r->id.seq);
  order_write_arrival(o, r->id.slot, id, r->id.seq);
  m->count = count;
  if (reduces(d) && order_votes_shown(o)) {
    m->votes += (uint32_t)__builtin_popcount(r->ps[0] & r->exec);
    m->voters += (uint32_t)__builtin_popcount(r->exec);
  }
  if (d->op == ISA_OP_BAR_ARV) return true;
  m->waits |= me;
  w->waiting = true;
  w->bar = (uint8_t)id;
  return !reduces(d) || begin_reduction(o, w, r, d);
}

/* `peers`: the warps of its SM, by slot. */
static uint64_t living(const struct warp *peers, const struct block *b) {
  uint64_t live = 0;
  for (uint64_t rest = b->warps; rest != 0; rest &= rest - 1)
    if (!order_warp_ended(&peers[__builtin_ctzll(rest)])) live |= rest & (0 - rest);
  return live;
}

/* Some warp that the barrier should have waited for, told by its last instruction. */
static bool early(struct order *o, const struct warp *peers, const struct meeting *m,
                  const struct heddle_record_barrier *r, unsigned need, uint64_t missing) {
  const unsigned came = (unsigned)__builtin_popcountll(m->came);
  for (uint64_t rest = m->waits; rest != 0; rest = 0)
    order_step_fence(o, &peers[__builtin_ctzll(rest)], &peers[__builtin_ctzll(rest)].fence,
                     "waits until all have come");
  if (missing != 0) {
    const struct warp *w = &peers[__builtin_ctzll(missing)];
    order_step_text(o, "comes before it lets anyone go", "warp %u in slot %u, which has issued %u instructions",
                    w->index, (unsigned)__builtin_ctzll(missing), w->next_seq);
  }
  order_step_text(o, "was before that", "barrier %u of block slot %u lets go in cycle %llu", r->id, r->bslot,
                  (unsigned long long)o->cycle);
  return order_broken(o, ORDER_BARRIER, "barrier %u of block slot %u lets go when %u of %u warps have come", r->id,
                      r->bslot, came, need);
}

static void give_votes(struct order *o, struct warp *w, const struct meeting *m) {
  (void)o;
  struct insn *i = w->last;
  if (i == NULL || !i->reduction || i->open[0] == 0) return;
  struct heddle_isa_dec d;
  (void)heddle_isa_decode(i->word, &d);
  for (unsigned l = 0; l < LANES; l++) i->value[0][l] = m->votes;
  if (d.op == ISA_OP_BAR_RED) {
    const bool any = heddle_isa_get(i->word, ISA_F_BARRED) == ISA_BARRED_OR;
    i->pd = (any ? m->votes != 0 : m->votes == m->voters) ? ~0u : 0;
  }
  i->open[0] = 0;
}

bool order_on_barrier(struct order *o, const struct heddle_record_barrier *r) {
  const unsigned sm = order_sm(o, r->sm);
  struct block *b = sm < o->sms && r->bslot < o->h->block_slots ? &o->block[sm * HEDDLE_RECORD_WARPS + r->bslot] : NULL;
  if (b == NULL || !b->live || r->id >= BARRIERS)
    return order_broken(o, ORDER_RECORD, "barrier %u of block slot %u: there is none", r->id, r->bslot);
  struct warp *peers = o->warp + (size_t)sm * HEDDLE_RECORD_WARPS;
  struct meeting *m = &b->bar[r->id];
  const uint64_t all = living(peers, b);
  const unsigned need = m->count != 0 ? m->count : (unsigned)__builtin_popcountll(all);
  o->r->barriers++;
  o->r->judged[ORDER_BARRIER]++;
  order_write_barrier(o, r, need);
  const bool all_came =
      m->came != 0 && (unsigned)__builtin_popcountll(m->came) == need && (m->count != 0 || (all & ~m->came) == 0);
  if (!all_came && !early(o, peers, m, r, need, all & ~m->came)) return false;
  for (uint64_t rest = m->waits; rest != 0; rest &= rest - 1) {
    struct warp *w = &peers[__builtin_ctzll(rest)];
    give_votes(o, w, m);
    w->waiting = false;
  }
  order_cache_released(o, sm, r->bslot, r->id, m->waits);
  *m = (struct meeting){.came = 0};
  return true;
}
