/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps: who lives, what is under way, what has to be over when something ends; barriers between them.
 */
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "lab/verify/oracle/order/cache.h"
#include "lab/verify/oracle/order/order_list.h"

/* Barriers between warps (isa/doc/05-barriers-traps.md). */

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

/* Who lives, what is under way, what has to be over when something ends. */

enum { FLYING_MOST = 16384 }; /* instructions under way that a trace may have: far above what any machine holds */

struct warp *order_warp_of(struct order *o, const struct heddle_record_id *id) {
  const unsigned sm = order_sm(o, id->sm);
  if (id->slot < o->h->warp_slots && sm < o->sms) {
    struct warp *w = &o->warp[sm * HEDDLE_RECORD_WARPS + id->slot];
    if (w->live && w->gen == id->gen) return w;
  }
  (void)order_broken(o, ORDER_RECORD, "a record names slot %u generation %u, where no warp lives", id->slot, id->gen);
  return NULL;
}

struct insn *order_insn_find(struct warp *w, uint32_t seq) {
  struct insn *i = w->first;
  while (i != NULL && i->seq != seq) i = i->next;
  return i;
}

bool order_insn_closed(const struct insn *i) {
  uint32_t left = i->owed_pd | i->to_store;
  for (unsigned k = 0; k < 4; k++) left |= i->open[k] | i->owed[k];
  return left == 0;
}

struct insn *order_insn_new(struct order *o, struct warp *w) {
  struct insn *i = o->spare;
  if (o->flying == FLYING_MOST) {
    (void)order_too_much(o, "more than 16384 instructions are under way: no machine has so many");
    return NULL;
  }
  if (i != NULL)
    o->spare = i->next;
  else if ((i = malloc(sizeof *i)) == NULL) {
    (void)order_too_much(o, "no memory");
    return NULL;
  }
  memset(i, 0, o->cache != NULL ? sizeof *i : offsetof(struct insn, cache));
  i->cache.copied = 0;
  o->flying++;
  if (w->last != NULL)
    w->last->next = i;
  else
    w->first = i;
  w->last = i;
  return i;
}

void order_insn_drop(struct order *o, struct warp *w, struct insn *i) {
  struct insn **at = &w->first, *before = NULL;
  while (*at != i) {
    before = *at;
    at = &before->next;
  }
  *at = i->next;
  if (w->last == i) w->last = before;
  i->next = o->spare;
  o->spare = i;
  o->flying--;
}

bool order_warps_new(struct order *o) {
  const size_t all = (size_t)o->h->shown * HEDDLE_RECORD_WARPS;
  o->warp = calloc(all, sizeof *o->warp);
  o->block = calloc(all, sizeof *o->block);
  o->gen = calloc(all, sizeof *o->gen);
  if (o->warp == NULL || o->block == NULL || o->gen == NULL) return order_too_much(o, "no memory");
  o->sms = o->h->shown;
  return true;
}

void order_warps_clear(struct order *o) {
  const unsigned all = o->sms * HEDDLE_RECORD_WARPS;
  for (unsigned s = 0; s < all; s++) {
    while (o->warp[s].first != NULL) order_insn_drop(o, &o->warp[s], o->warp[s].first);
    o->warp[s] = (struct warp){.live = false};
    o->block[s] = (struct block){.live = false};
  }
  o->lives = 0;
  if (all != 0) memset(o->gen, 0, all * sizeof *o->gen);
}

/* ---- blocks ---- */

static uint32_t threads_of(const struct order *o) {
  const uint32_t *b = o->launch->block;
  const uint64_t n = (uint64_t)b[0] * b[1];
  return n > 1024 || n * b[2] > 1024 ? 1024 : (uint32_t)(n * b[2]);
}

static bool shared_disjoint(struct order *o, unsigned sm, const struct heddle_record_block_start *r) {
  const uint64_t bytes = o->launch->shared_bytes, base = r->shared_base;
  o->r->judged[ORDER_BLOCK]++;
  for (unsigned s = 0; bytes != 0 && s < HEDDLE_RECORD_WARPS; s++) {
    const struct block *b = &o->block[sm * HEDDLE_RECORD_WARPS + s];
    if (b->live && base < b->shared_base + bytes && b->shared_base < base + bytes)
      return order_broken(o, ORDER_BLOCK,
                          "shared memory of block (%u,%u,%u), from 0x%x on, overlaps that of (%u,%u,%u)", r->ctaid[0],
                          r->ctaid[1], r->ctaid[2], r->shared_base, b->ctaid[0], b->ctaid[1], b->ctaid[2]);
  }
  return true;
}

/* Its block has started; so has it, by its own record or, where none is shown, by that of its block. */
static bool live(struct order *o, struct warp *w, uint8_t gen) {
  if (o->lives >= o->most || !array_room(&o->life, &o->lives_room, o->lives + 1, sizeof *o->life))
    return order_too_much(o, "the trace has more warps than the limit (--accesses), or there is no memory for them");
  w->live = true;
  w->gen = gen;
  w->life = (uint32_t)o->lives;
  struct life *l = &o->life[o->lives++];
  *l = (struct life){.sm = (uint8_t)(o->h->sm + order_sm_of(o, w)),
                     .slot = (uint8_t)order_slot_of(o, w),
                     .gen = gen,
                     .index = w->index};
  memcpy(l->ctaid, order_block_of(o, w)->ctaid, sizeof l->ctaid);
  l->block = order_block_of(o, w)->number;
  order_cache_warp(o, w);
  order_registers_clear(o, w);
  order_write_warp(o, w);
  return true;
}

bool order_on_block_start(struct order *o, const struct heddle_record_block_start *r) {
  const unsigned need = (threads_of(o) + LANES - 1) / LANES, sm = order_sm(o, r->sm);
  if (sm >= o->sms || r->bslot >= o->h->block_slots || o->block[sm * HEDDLE_RECORD_WARPS + r->bslot].live ||
      (o->h->warp_slots < 64 && r->warps >> o->h->warp_slots != 0) || (unsigned)__builtin_popcountll(r->warps) != need)
    return order_broken(o, ORDER_RECORD, "block (%u,%u,%u) starts in slot %u with warps 0x%llx", r->ctaid[0],
                        r->ctaid[1], r->ctaid[2], r->bslot, (unsigned long long)r->warps);
  if (!shared_disjoint(o, sm, r)) return false;
  struct block *b = &o->block[sm * HEDDLE_RECORD_WARPS + r->bslot];
  *b = (struct block){.live = true, .warps = r->warps, .shared_base = r->shared_base, .number = o->blocks++};
  memcpy(b->ctaid, r->ctaid, sizeof b->ctaid);
  order_cache_block(o, sm, r->bslot);
  uint8_t index = 0;
  for (uint64_t rest = r->warps; rest != 0; rest &= rest - 1, index++) {
    const unsigned at = sm * HEDDLE_RECORD_WARPS + (unsigned)__builtin_ctzll(rest);
    struct warp *w = &o->warp[at];
    if (w->expected) return order_broken(o, ORDER_RECORD, "a block starts in warp slots that are in use");
    const uint32_t threads = threads_of(o) - LANES * index;
    *w = (struct warp){.expected = true, .bslot = r->bslot, .index = index, .last_shared = NOBODY, .youngest = NOBODY};
    w->present = threads >= LANES ? ~0u : (1u << threads) - 1;
    if (!heddle_record_shows(o->h->hidden, HEDDLE_RECORD_WARP_START) && !live(o, w, ++o->gen[at])) return false;
  }
  return true;
}

bool order_on_warp_start(struct order *o, const struct heddle_record_warp_start *r) {
  const unsigned sm = order_sm(o, r->id.sm);
  struct warp *w =
      sm < o->sms && r->id.slot < o->h->warp_slots ? &o->warp[sm * HEDDLE_RECORD_WARPS + r->id.slot] : NULL;
  if (w == NULL || !w->expected || w->live)
    return order_broken(o, ORDER_RECORD, "a warp starts in slot %u, which no block has taken for it", r->id.slot);
  return live(o, w, r->id.gen);
}

static bool owes(struct order *o, enum order_axiom a, const struct warp *w, const struct insn *i) {
  uint32_t open = i->to_store, owed = i->owed_pd;
  for (unsigned k = 0; k < 4; k++) {
    open |= i->open[k];
    owed |= i->owed[k];
  }
  order_step_insn(o, w, i, open | owed,
                  open != 0 ? "is performed before its block ends" : "is answered before its block ends");
  return order_broken(o, a, "seq %u (pc 0x%x) is never %s", i->seq, i->pc, open != 0 ? "performed" : "answered");
}

bool order_on_block_end(struct order *o, const struct heddle_record_block_end *r) {
  const unsigned sm = order_sm(o, r->sm);
  struct block *b = sm < o->sms && r->bslot < o->h->block_slots ? &o->block[sm * HEDDLE_RECORD_WARPS + r->bslot] : NULL;
  if (b == NULL || !b->live)
    return order_broken(o, ORDER_RECORD, "a block ends in slot %u, where none lives", r->bslot);
  o->r->judged[ORDER_BLOCK]++;
  for (uint64_t rest = b->warps; rest != 0; rest &= rest - 1) {
    struct warp *w = &o->warp[sm * HEDDLE_RECORD_WARPS + (unsigned)__builtin_ctzll(rest)];
    if (!w->live || !order_warp_ended(w))
      return order_broken(o, ORDER_BLOCK, "block (%u,%u,%u) ends while its warp %u has live lanes", b->ctaid[0],
                          b->ctaid[1], b->ctaid[2], w->index);
    if (w->first != NULL) return owes(o, ORDER_BLOCK, w, w->first);
    *w = (struct warp){.live = false};
  }
  b->live = false;
  return true;
}

/* ---- traps ---- */

bool order_on_trap(struct order *o, const struct heddle_record_trap *r) {
  struct warp *w = order_warp_of(o, &r->id);
  if (w == NULL) return false;
  o->trapped = w->trapped = true;
  o->cause = r->cause;
  w->trap_seq = r->id.seq;
  o->r->judged[ORDER_TRAP]++;
  if (w->youngest == NOBODY || o->access[w->youngest].seq < r->id.seq || r->cause == 8 || r->cause == 10) return true;
  order_step_text(o, "has no effect, and nothing younger in its warp has", "the trap of seq %u pc 0x%x, cause %u",
                  r->id.seq, r->pc, r->cause);
  order_step_access(o, &o->access[w->youngest], "was performed all the same");
  return order_broken(o, ORDER_TRAP, "seq %u is performed although seq %u traps", o->access[w->youngest].seq,
                      r->id.seq);
}

/* After a trap an instruction may be without effect because it has trapped, too, unrecorded; then nothing younger of
 * its warp is performed. Bus errors take what they meet. */
static bool excused(const struct order *o, const struct warp *w, const struct insn *i) {
  if (!o->trapped) return false;
  if (o->cause == 10 || i->reduction || (w->trapped && i->seq >= w->trap_seq)) return true;
  return i->begun == 0 && (w->youngest == NOBODY || o->access[w->youngest].seq < i->seq);
}

bool order_warps_end(struct order *o) {
  const uint32_t *g = o->launch->grid;
  const uint64_t grid = (uint64_t)g[0] * g[1] * g[2]; /* at most 2^28: the reader of the trace sees to it */
  if (o->blocks > grid || (o->blocks < grid && !o->trapped))
    return order_broken(o, ORDER_BLOCK, "%u blocks have run, the grid has %llu", o->blocks, (unsigned long long)grid);
  for (unsigned s = 0; s < o->sms * HEDDLE_RECORD_WARPS; s++) {
    const struct warp *w = &o->warp[s];
    if (w->expected && !o->trapped)
      return order_broken(o, ORDER_BLOCK, "the warp in slot %u has not ended, and its block has not",
                          s % HEDDLE_RECORD_WARPS);
    for (const struct insn *i = w->first; i != NULL; i = i->next)
      if (!excused(o, w, i)) return owes(o, ORDER_ONCE, w, i);
  }
  return true;
}
