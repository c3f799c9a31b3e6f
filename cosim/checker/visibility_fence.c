/* SPDX-License-Identifier: Apache-2.0
 *
 * Fences, barriers, and what the end owes a cache.
 */
#include "cosim/checker/visibility.h"

/* ---- what has not been performed ---- */

static bool refused_behind_trap(const struct warp *w, const struct entry *o) {
  return w->trapped && o->seq >= w->trap_seq;
}

static bool tell_open(struct heddle_checker *c, const struct entry *o, uint32_t lanes, const char *what) {
  return differ_mask(c, HEDDLE_CHECKER_VISIBILITY_FENCE, "fence", lanes, "seq %u (pc 0x%x) %s", o->seq, o->pc, what);
}

/* Of CTA scope, and at BAR: the warp's own accesses to shared and global memory have been performed. Copies are of
 * nobody, and local memory is its thread's own. */
bool cache_performed(struct heddle_checker *c, uint32_t seq) {
  struct entry *o;
  if (c->w->open_count == 0 || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_FENCE)) return true;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;) {
    if (o->seq >= seq || !entry_is_memory(o) || entry_copies(o) || refused_behind_trap(c->w, o)) continue;
    if ((o->mem_open & o->in_shared) != 0)
      return tell_open(c, o, o->mem_open & o->in_shared, "has not performed its access to shared memory");
    if ((o->mem_open & o->in_global) != 0)
      return tell_open(c, o, o->mem_open & o->in_global, "has not performed its access to global memory");
  }
  return true;
}

/* Of GPU scope: all of the warp's own accesses, copies and those to local memory among them. */
static bool check_own(struct heddle_checker *c, uint32_t seq) {
  struct entry *o;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;)
    if (o->seq < seq && entry_is_memory(o) && (o->mem_open | o->store_open) != 0 && !refused_behind_trap(c->w, o))
      return tell_open(c, o, o->mem_open | o->store_open, "is not wholly performed");
  return true;
}

static bool tell_underway(struct heddle_checker *c, const struct underway *u, const char *why) {
  char who[WHO_TEXT];
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FENCE, "fence", "%s has not been %s in line 0x%llx, and %s",
                who_text(c, u->who, who), u->open != 0 ? "performed" : "acknowledged", (unsigned long long)u->line,
                why);
}

/* All that is open of it lies where memory answers with errors: it is never performed. Whether that answer has come no
 * record shows, so a fence that is done before it passes here, too. */
static bool ended_in_error(const struct heddle_checker *c, const struct underway *u) {
  const struct warp *w = &c->warp[u->who.at];
  const struct entry *o;
  if (c->launch->errors.limit == 0 || u->open == 0 || w->gen != u->who.gen) return false;
  for (struct walk it = walk_open(w); (o = walk_next(w, &it)) != NULL;)
    if (o->seq == u->who.seq)
      return (u->open & ~o->in_global) == 0 && access_errs(c, o, (unsigned)__builtin_ctz(u->open));
  return false;
}

/* What passed before the fence issued, and what the warp knows of. */
static bool check_underway(struct heddle_checker *c, const struct cached_warp *me) {
  for (const struct underway *u = sm_cache(c, c->w->sm)->first_underway; u != NULL; u = u->younger) {
    if (ended_in_error(c, u)) continue;
    if (u->pass <= me->fence_pass) return tell_underway(c, u, "passed before the fence");
    const bool own = same_warp(u->who, me->fence_is);
    const struct warp *o = &c->warp[u->who.at];
    const bool known = o->gen == u->who.gen && u->who.seq < me->knows.known[warp_slot(o)];
    if (own ? u->who.seq < me->fence_is.seq : known) return tell_underway(c, u, "is ordered before the fence");
  }
  return true;
}

static bool tell_known(struct heddle_checker *c, const struct warp *w, const struct entry *o) {
  const struct who who = {(uint16_t)warp_at(c, w), w->gen, o->seq, o->pc};
  char text[WHO_TEXT];
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FENCE, "fence",
                "%s has not been performed, and is ordered before the fence", who_text(c, who, text));
}

/* Stores that the warp knows of and that have not even passed. */
static bool check_known(struct heddle_checker *c, const struct cached_warp *me) {
  const struct sm *on = c->w->sm;
  uint64_t rest = sm_cache(c, on)->open_stores & warp_block(c->w)->warps & ~(UINT64_C(1) << warp_slot(c->w));
  for (; rest != 0; rest &= rest - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(rest);
    struct warp *w = &on->warp[slot];
    const struct entry *o;
    if (cached_warp(c, w)->oldest >= me->knows.known[slot]) continue;
    for (struct walk it = walk_open(w); (o = walk_next(w, &it)) != NULL;)
      if (o->seq < me->knows.known[slot] && !o->cached && o->mem_kind != HEDDLE_ACCESS_LOAD &&
          (o->mem_open & o->in_global) != 0)
        return tell_known(c, w, o);
  }
  return true;
}

/* ---- fence ---- */

/* Which kind of fence the instruction is, or HEDDLE_RECORD_SCOPES: none. */
static unsigned scope_of(const struct entry *e) {
  if (e->op == ISA_OP_MEMBAR)
    return heddle_isa_get(e->word, ISA_F_SCOPE) == ISA_SCOPE_CTA ? HEDDLE_RECORD_SCOPE_CTA : HEDDLE_RECORD_SCOPE_GPU;
  if (e->op == ISA_OP_CCTL_E && heddle_isa_get(e->word, ISA_F_CCTL) == ISA_CCTL_IVALL)
    return HEDDLE_RECORD_SCOPE_EMPTYING;
  return HEDDLE_RECORD_SCOPES;
}

/* A fence issues. It has begun to wait when the warp's instruction before it had issued and the warp had nothing of its
 * own to wait for: what had passed until then is what it waits for. */
void cache_fence_issues(struct heddle_checker *c) {
  struct cached_warp *me = cached_warp(c, c->w);
  const unsigned scope = scope_of(c->e);
  if (c->e->exec != 0 && scope != HEDDLE_RECORD_SCOPES) {
    me->fence = true;
    me->scope = (uint8_t)scope;
    me->fence_is = who_is(c);
    me->fence_pass = me->due_pass;
  }
  me->due_pass = sm_cache(c, c->w->sm)->pass;
}

void cache_access_over(struct heddle_checker *c, const struct warp *w) {
  cached_warp(c, w)->due_pass = sm_cache(c, w->sm)->pass;
}

bool cache_may_issue(struct heddle_checker *c, uint32_t seq) {
  const struct cached_warp *me = cached_warp(c, c->w);
  if (!me->fence || (c->cfg.cache_promises & HEDDLE_CHECKER_CACHE_STOPS) == 0) return true;
  if (!checker_on(c, HEDDLE_CHECKER_VISIBILITY_FENCE)) return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FENCE, "fence", "seq %u issues before the fence seq %u (pc 0x%x) is done",
                seq, me->fence_is.seq, me->fence_is.pc);
}

/* Where a warp does issue, its accesses wait. */
bool may_pass(struct heddle_checker *c) {
  const struct cached_warp *me = cached_warp(c, c->w);
  if (!me->fence || c->e->seq < me->fence_is.seq || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_FENCE)) return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FENCE, "fence", "seq %u passes before the fence seq %u (pc 0x%x) is done",
                c->e->seq, me->fence_is.seq, me->fence_is.pc);
}

static bool check_due(struct heddle_checker *c, const struct heddle_record_fence *r) {
  const struct cached_warp *me = cached_warp(c, c->w);
  if (me->fence && me->fence_is.seq == r->id.seq && me->scope == r->scope) return true;
  if (!checker_on(c, HEDDLE_CHECKER_VISIBILITY_FENCE)) return false;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FENCE, "fence", "seq %u is no fence of scope %u that is under way",
                r->id.seq, r->scope);
}

static bool check_gpu(struct heddle_checker *c, const struct cached_warp *me) {
  if (!checker_on(c, HEDDLE_CHECKER_VISIBILITY_FENCE)) return true;
  return check_own(c, me->fence_is.seq) && check_underway(c, me) && check_known(c, me);
}

/* A fence of GPU scope is done: what lies before it has been performed and answered. What it releases is what lies
 * before it. With one SM there is one clock, and that is all that has been shown; of several each says for itself what
 * memory has answered it (docs/visibility.md, "Several SMs"). */
static void fence_orders(struct heddle_checker *c, struct cached_warp *me) {
  struct knowledge *k = &me->knows;
  uint64_t *witness = sm_cache(c, c->w->sm)->witness;
  positions_join(c, k->floor, k->seen);
  if (c->one_clock) {
    memcpy(k->release, c->cache->position, sizeof k->release);
    return;
  }
  positions_join(c, witness, me->met);
  positions_join(c, witness, k->floor);
  memcpy(k->release, witness, sizeof k->release);
}

bool judge_fence(struct heddle_checker *c, const struct heddle_record_fence *r) {
  char why[64], sm[SM_TEXT];
  if (r->scope >= HEDDLE_RECORD_SCOPES)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "scope", "no fence of scope %u", r->scope);
  if (!identify(c, &r->id) || !check_due(c, r)) return false;
  struct cached_warp *me = cached_warp(c, c->w);
  c->e = ledger_find(c, c->w, r->id.seq); /* for the report; NULL: too many have issued since */
  if (r->scope == HEDDLE_RECORD_SCOPE_CTA && !cache_performed(c, r->id.seq)) return false;
  if (r->scope == HEDDLE_RECORD_SCOPE_GPU && !check_gpu(c, me)) return false;
  me->fence = false;
  if (r->scope != HEDDLE_RECORD_SCOPE_CTA) count(c, c->w->sm, HEDDLE_CACHE_COUNTER_EMPTIED, 1);
  if (r->scope == HEDDLE_RECORD_SCOPE_GPU) fence_orders(c, me);
  if (r->scope == HEDDLE_RECORD_SCOPE_CTA || !closes(c)) return true;
  (void)snprintf(why, sizeof why, "the fence of %swarp slot %u seq %u", sm_text(c, r->id.sm, sm), r->id.slot,
                 r->id.seq);
  copies_close_all(c, sm_index(c, c->w->sm), why);
  return true;
}

/* ---- blocks and barriers ---- */

static void forget_past(struct visibility *v, struct past_knowledge **at) {
  struct past_knowledge *p = *at;
  *at = p->next;
  cache_give(&v->pasts, p);
}

void cache_warp_begins(struct heddle_checker *c, struct warp *w) {
  struct visibility *v = c->cache;
  struct cached_warp *me = cached_warp(c, w);
  while (me->before != NULL) forget_past(v, &me->before);
  *me = (struct cached_warp){.oldest = UINT32_MAX};
  sm_cache(c, w->sm)->open_stores &= ~(UINT64_C(1) << warp_slot(w));
}

void cache_block_begins(struct heddle_checker *c, const struct sm *s, unsigned bslot) {
  struct sm_cache *on = sm_cache(c, s);
  memset(on->arrived[bslot], 0, sizeof on->arrived[bslot]);
}

static void join_knowledge(const struct heddle_checker *c, struct knowledge *to, const struct knowledge *from) {
  for (unsigned i = 0; i < HEDDLE_RECORD_WARPS; i++)
    if (from->known[i] > to->known[i]) to->known[i] = from->known[i];
  positions_join(c, to->floor, from->floor);
}

/* The warp arrives at a named barrier, and may wait there. */
void cache_arrives(struct heddle_checker *c) {
  const struct entry *e = c->e;
  struct cached_warp *me = cached_warp(c, c->w);
  if (e->exec == 0 || e->traps || !heddle_isa_enc_owns(e->fx.dec.enc, ISA_F_BARID)) return;
  const unsigned id = (unsigned)heddle_isa_get(e->word, ISA_F_BARID) % 16;
  struct knowledge *there = &sm_cache(c, c->w->sm)->arrived[c->w->bslot][id];
  me->knows.known[warp_slot(c->w)] = e->seq;
  join_knowledge(c, there, &me->knows);
  me->waits_at = e->fx.bar_wait != 0 ? (uint8_t)(id + 1) : 0;
}

/* Does a load wait whose number is in [from, to)? */
static bool load_between(const struct warp *w, uint32_t from, uint32_t to) {
  const struct entry *o;
  for (struct walk it = walk_open(w); (o = walk_next(w, &it)) != NULL;)
    if (o->cached && o->mem_open != 0 && o->seq >= from && o->seq < to) return true;
  return false;
}

/* The warp learns something: what it knew is kept for as long as an older load has not read. */
static bool add_knowledge(struct heddle_checker *c, struct warp *w, const struct knowledge *more) {
  struct visibility *v = c->cache;
  struct cached_warp *me = cached_warp(c, w);
  uint32_t to = me->knows.from;
  for (struct past_knowledge **at = &me->before; *at != NULL;) {
    const uint32_t from = (*at)->was.from;
    if (load_between(w, from, to))
      at = &(*at)->next;
    else
      forget_past(v, at);
    to = from;
  }
  if (load_between(w, me->knows.from, w->next_seq)) {
    struct past_knowledge *p = cache_take(&v->pasts);
    if (p == NULL) return copy_full(c, "loads older than barriers");
    *p = (struct past_knowledge){me->before, me->knows};
    me->before = p;
  }
  join_knowledge(c, &me->knows, more);
  me->knows.from = w->next_seq;
  me->waits_at = 0;
  return true;
}

bool cache_released(struct heddle_checker *c, const struct sm *s, unsigned bslot, unsigned id) {
  struct knowledge *there = &sm_cache(c, s)->arrived[bslot][id % 16];
  for (uint64_t rest = s->block[bslot].warps; rest != 0; rest &= rest - 1) {
    struct warp *w = &s->warp[__builtin_ctzll(rest)];
    if (cached_warp(c, w)->waits_at == id % 16 + 1 && !add_knowledge(c, w, there)) return false;
  }
  memset(there, 0, sizeof *there);
  return true;
}

/* ---- the end ---- */

static bool acknowledged(struct heddle_checker *c, const struct sm_cache *on) {
  char who[WHO_TEXT];
  for (const struct underway *u = on->first_underway; u != NULL && checker_on(c, HEDDLE_CHECKER_VISIBILITY_ACK);
       u = u->younger)
    if (u->open == 0 || !c->trap_seen) /* what an error answered is not performed */
      return differ(c, HEDDLE_CHECKER_VISIBILITY_ACK, "line", "line 0x%llx of %s was never acknowledged",
                    (unsigned long long)u->line, who_text(c, u->who, who));
  return true;
}

bool cache_finish(struct heddle_checker *c) {
  const struct visibility *v = c->cache;
  char text[96];
  for (unsigned i = 0; i < v->begun && checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL); i++)
    if (v->copy[i].state == COPY_ASKED)
      return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "fill", "%s, requested in cycle %llu, never came",
                    copy_text(&v->copy[i], text, sizeof text), (unsigned long long)v->copy[i].asked);
  for (unsigned k = 0; k < c->sms; k++)
    if (!acknowledged(c, &v->sm[k])) return false;
  return true;
}
