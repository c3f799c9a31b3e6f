/* SPDX-License-Identifier: Apache-2.0
 *
 * Records that wait for others: streams by SM and by bank, each a queue.
 */
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

#include <stdlib.h>

#define STREAMS (HEDDLE_MODEL_SMS + HEDDLE_CHECKER_BANKS_MAX)

struct held {
  struct held *next;
  uint64_t came; /* which of all records */
  struct heddle_retire_record r;
};

struct reorder {
  struct held *at, *spare;
  struct held *first[STREAMS], *last[STREAMS];
  uint64_t came;
  unsigned streams, waiting;
};

bool reorder_new(struct heddle_checker *c) {
  if (c->cfg.reorder == 0) return true;
  struct reorder *o = c->reorder = calloc(1, sizeof *o);
  if (o == NULL) return false;
  o->streams = c->sms + (c->cfg.memory_banks > 1 ? c->cfg.memory_banks : 1);
  o->at = calloc(c->cfg.reorder, sizeof *o->at);
  for (unsigned i = 0; o->at != NULL && i < c->cfg.reorder; i++) {
    o->at[i].next = o->spare;
    o->spare = &o->at[i];
  }
  return o->at != NULL;
}

void reorder_free(struct heddle_checker *c) {
  if (c->reorder != NULL) free(c->reorder->at);
  free(c->reorder);
}

/* ---- may it be judged? */

static const struct warp *warp_of(const struct heddle_checker *c, const struct heddle_record_id *id) {
  const struct sm *s = sm_numbered(c, id->sm);
  if (s == NULL || id->slot >= c->cfg.warp_slots) return NULL;
  const struct warp *w = &s->warp[id->slot];
  return w->live && w->gen == id->gen ? w : NULL;
}

/* Lanes whose access a bank is to perform. */
static uint32_t at_bank(const struct heddle_checker *c, const struct entry *e) {
  const uint32_t local = c->cache == NULL ? e->in_local : 0;
  return e->mem_open & ((c->cache == NULL ? e->in_global : e->in_global & e->by) | local);
}

static bool global_due(const struct heddle_checker *c, const struct heddle_record_global *r) {
  if (c->paging != NULL && r->id.sm == c->cfg.sm + c->sms) return true;
  const struct warp *w = warp_of(c, &r->id);
  if (w == NULL || r->id.seq >= w->next_seq) return false;
  const struct entry *e = c->cache != NULL && r->access < HEDDLE_RECORD_LOCAL_LOAD ? ledger_owing(w, r->id.seq) : NULL;
  return e == NULL || (r->lanes & ~e->by) == 0;
}

static bool write_due(const struct heddle_checker *c, const struct heddle_record_write *r) {
  const struct warp *w = warp_of(c, &r->id);
  const struct entry *e = w != NULL ? ledger_owing(w, r->id.seq) : NULL;
  const unsigned first = r->beat * c->cfg.lanes;
  return e == NULL || first >= HEDDLE_RECORD_LANES || (at_bank(c, e) & r->mask << first) == 0;
}

static bool shared_due(const struct heddle_checker *c, const struct heddle_record_shared *r) {
  const struct warp *w = warp_of(c, &r->id);
  const struct entry *e = w != NULL ? ledger_owing(w, r->id.seq) : NULL;
  return e == NULL || !entry_copies(e) || (e->mem_open & r->lanes) == 0;
}

/* Of the warp's instructions older than `seq`, none waits for a bank; with a cache, stores to local memory do so longer
 * than anybody waits for them, but for fences and the end. */
static bool answered(const struct heddle_checker *c, const struct warp *w, uint32_t seq) {
  const struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;)
    if (e->seq < seq && (at_bank(c, e) | (e->mem_open & e->in_local)) != 0) return false;
  return true;
}

/* With a cache, what BAR and a fence of CTA scope wait for: of the warp's older accesses no bank has one. */
static bool global_performed(const struct heddle_checker *c, const struct warp *w, uint32_t seq) {
  const struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;)
    if (e->seq < seq && !entry_copies(e) && at_bank(c, e) != 0) return false;
  return true;
}

/* Without a cache what drains waits as it issues; with one BAR alone does. */
static bool issue_due(const struct heddle_checker *c, const struct heddle_record_issue *r) {
  const struct warp *w = warp_of(c, &r->id);
  struct heddle_isa_dec d;
  if (w == NULL || w->open_count == 0) return true;
  if (!heddle_isa_decode((struct heddle_isa_word){r->word[0], r->word[1]}, &d) || !c->drains[d.op]) return true;
  if (c->cache == NULL) return answered(c, w, r->id.seq);
  return d.op == ISA_OP_MEMBAR || global_performed(c, w, r->id.seq);
}

static bool fence_due(const struct heddle_checker *c, const struct heddle_record_fence *r) {
  const struct warp *w = warp_of(c, &r->id);
  if (w == NULL || r->scope == HEDDLE_RECORD_SCOPE_EMPTYING) return true;
  return r->scope == HEDDLE_RECORD_SCOPE_GPU ? answered(c, w, r->id.seq) : global_performed(c, w, r->id.seq);
}

static bool block_due(const struct heddle_checker *c, const struct heddle_record_block_end *r) {
  const struct sm *s = sm_numbered(c, r->sm);
  if (s == NULL || r->bslot >= c->cfg.block_slots) return true;
  for (uint64_t rest = s->block[r->bslot].warps; rest != 0; rest &= rest - 1) {
    const struct warp *w = &s->warp[__builtin_ctzll(rest)];
    if (!answered(c, w, w->next_seq)) return false;
  }
  return true;
}

static bool is_due(const struct heddle_checker *c, const struct heddle_retire_record *r) {
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_GLOBAL:
    return global_due(c, &r->u.global);
  case HEDDLE_RECORD_WRITE:
    return write_due(c, &r->u.write);
  case HEDDLE_RECORD_SHARED:
    return shared_due(c, &r->u.shared);
  case HEDDLE_RECORD_ISSUE:
    return issue_due(c, &r->u.issue);
  case HEDDLE_RECORD_BLOCK_END:
    return block_due(c, &r->u.block_end);
  case HEDDLE_RECORD_FILL:
    return c->cache == NULL || cache_fill_due(c, &r->u.fill);
  case HEDDLE_RECORD_HIT:
    return c->cache == NULL || cache_hit_due(c, &r->u.merge);
  case HEDDLE_RECORD_ACK:
    return c->cache == NULL || cache_ack_due(c, &r->u.ack);
  case HEDDLE_RECORD_FENCE:
    return c->cache == NULL || fence_due(c, &r->u.fence);
  default:
    return true;
  }
}

/* ---- queues */

/* Which stream it is of; what no SM or bank shows is judged at once, with the first SM's. */
static unsigned stream_of(const struct heddle_checker *c, const struct heddle_retire_record *r) {
  const bool bank = r->kind == HEDDLE_RECORD_GLOBAL || r->kind == HEDDLE_RECORD_FILL;
  if (r->kind == HEDDLE_RECORD_PAGES) return c->sms;
  if (bank) {
    const unsigned b = bank_of(c, r->kind == HEDDLE_RECORD_GLOBAL ? r->u.global.bank : r->u.fill.bank);
    return c->sms + (c->sms + b < c->reorder->streams ? b : 0);
  }
  const struct sm *s = sm_numbered(c, heddle_record_sm(r));
  return s != NULL ? sm_index(c, s) : 0;
}

static struct held *take_held(struct reorder *o, unsigned stream) {
  struct held *h = o->first[stream];
  o->first[stream] = h->next;
  if (h->next == NULL) o->last[stream] = NULL;
  o->waiting--;
  return h;
}

/* It stays readable until another record takes its place. */
static bool judge_first(struct heddle_checker *c, unsigned stream) {
  struct reorder *o = c->reorder;
  struct held *h = take_held(o, stream);
  const bool ok = judge_record(c, &h->r);
  h->next = o->spare;
  o->spare = h;
  return ok;
}

/* All that may be judged now. */
static bool drain(struct heddle_checker *c) {
  struct reorder *o = c->reorder;
  for (bool moved = true; moved && o->waiting != 0;) {
    moved = false;
    for (unsigned s = 0; s < o->streams; s++)
      while (o->first[s] != NULL && is_due(c, &o->first[s]->r)) {
        if (!judge_first(c, s)) return false;
        moved = true;
      }
  }
  return true;
}

static unsigned longest(const struct reorder *o) {
  unsigned stream = o->streams;
  for (unsigned s = 0; s < o->streams; s++)
    if (o->first[s] != NULL && (stream == o->streams || o->first[s]->came < o->first[stream]->came)) stream = s;
  return stream;
}

bool reorder_record(struct heddle_checker *c, const struct heddle_retire_record *r) {
  struct reorder *o = c->reorder;
  const unsigned s = stream_of(c, r);
  if (c->first.kind != HEDDLE_CHECKER_NONE) return false;
  o->came++;
  if (o->first[s] == NULL && is_due(c, r)) return judge_record(c, r) && drain(c);
  while (o->spare == NULL)
    if (!judge_first(c, longest(o)) || !drain(c)) return false;
  struct held *h = o->spare;
  o->spare = h->next;
  h->next = NULL;
  h->came = o->came;
  h->r = *r;
  *(o->last[s] != NULL ? &o->last[s]->next : &o->first[s]) = h;
  o->last[s] = h;
  o->waiting++;
  return drain(c);
}

bool reorder_finish(struct heddle_checker *c) {
  struct reorder *o = c->reorder;
  if (o == NULL) return true;
  while (o->waiting != 0)
    if (!judge_first(c, longest(o)) || !drain(c)) return false;
  return true;
}
