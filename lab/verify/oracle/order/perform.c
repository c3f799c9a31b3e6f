/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of accesses and of asynchronous copies: are they the lanes', and where the lanes' operands say?
 */
#include <string.h>
#include "lab/verify/oracle/order/cache.h"

/* Asynchronous copies (isa/doc/14-asynchronous-copies.md): a load and a store of one instruction. What is older comes
 * first, but for other copies; what is younger does not wait; who has waited finds them stored. */

uint32_t order_copies_left(const struct insn *i, enum heddle_record_scope scope) {
  return scope == HEDDLE_RECORD_SCOPE_GPU ? i->open[0] | i->to_store : 0;
}

/* ---- waits ---- */

/* How many that have raised counter n wait for this copy: itself, and the groups that were closed after it. */
static bool waited_for(const struct insn *i, const struct heddle_isa_dec *d, const struct heddle_record_issue *r) {
  struct heddle_isa_dec own;
  const unsigned mine = heddle_isa_decode(i->word, &own) ? own.ctl.wbar : 7;
  for (unsigned n = 0; n < COUNTERS; n++)
    if ((d->ctl.wait >> n & 1u) != 0 && (mine == n || i->groups[n] > 0)) return true;
  if (d->op != ISA_OP_DEPBAR_LE || r->exec == 0) return false;
  const unsigned n = (unsigned)heddle_isa_get(d->word, ISA_F_SBN), most = (unsigned)heddle_isa_get(d->word, ISA_F_SBK);
  return n < COUNTERS && (i->groups[n] > most || (most == 0 && mine == n));
}

bool order_copies_awaited(struct order *o, const struct warp *w, const struct heddle_record_issue *r,
                          const struct heddle_isa_dec *d) {
  for (const struct insn *i = o->trapped ? NULL : w->first; i != NULL; i = i->next) {
    if (i->reduction || !i->a.copy || !waited_for(i, d, r)) continue;
    o->r->judged[ORDER_FENCE]++;
    order_step_insn(o, w, i, i->to_store, "is a copy that a warp waits for: it is stored before");
    order_step_text(o, "came first", "seq %u pc 0x%x of the same warp, which waits, issues in cycle %llu", r->id.seq,
                    r->pc, (unsigned long long)o->cycle);
    return order_broken(o, ORDER_FENCE,
                        "seq %u (pc 0x%x) has waited for the copy of seq %u (pc 0x%x), and it is not stored", r->id.seq,
                        r->pc, i->seq, i->pc);
  }
  return true;
}

void order_copies_closed(struct warp *w, const struct heddle_isa_dec *d) {
  if (d->op != ISA_OP_LDGDEPBAR || d->ctl.wbar >= COUNTERS) return;
  for (struct insn *i = w->first; i != NULL; i = i->next)
    if (!i->reduction && i->a.copy) i->groups[d->ctl.wbar]++;
}

/* ---- what is older ---- */

/* Bytes of a place that lanes of the part touch. */
static uint32_t touched(const struct part *p) {
  uint32_t bytes = 0;
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) bytes |= order_mask(p->at[__builtin_ctz(rest)], p->bytes);
  return bytes;
}

bool order_copies_older(struct order *o, const struct warp *w, const struct insn *i, const struct part *p) {
  const bool shared = p->loc->space == ISA_SPACE_SHARED;
  const uint32_t bytes = shared ? touched(p) : ~0u; /* of global memory the sector */
  o->r->judged[ORDER_PROGRAM]++;
  for (const struct insn *s = w->first; s != NULL && s->seq < i->seq; s = s->next) {
    if (s->reduction || s->a.copy) continue;
    uint32_t before = 0;
    for (uint32_t rest = order_lanes_at(s, s->open[0], p->loc->space, p->loc->at); rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      if ((bytes & order_mask((unsigned)(s->addr[l] % PLACE_BYTES), s->a.bytes)) != 0) before |= 1u << l;
    }
    if (before == 0) continue;
    order_step_insn(o, w, s, before, shared ? "is older, at the same bytes" : "is older, at the same sector");
    order_step_insn(o, w, i, p->lanes, "was performed before it");
    return order_broken(o, ORDER_PROGRAM, "the copy of seq %u (pc 0x%x) is performed before seq %u of the same warp",
                        i->seq, i->pc, s->seq);
  }
  return true;
}

/* ---- the store ---- */

/* What a lane has loaded, as an operand; bytes that nobody has written are what the record says. */
static void set_store_operand(const struct order *o, const struct warp *w, const struct heddle_record_shared *r,
                              unsigned l, struct insn *as) {
  const uint32_t word = (o->block[w->bslot].shared_base + (uint32_t)as->addr[l]) / 4;
  const uint16_t unknown = (as->cache.copied >> l & 1u) != 0 ? as->cache.unknown[l] : 0;
  for (unsigned n = 0; n < as->a.bytes; n++) {
    const unsigned bank = (word + n / 4) % HEDDLE_RECORD_BANKS;
    const uint8_t said = (uint8_t)(r->wdata[bank] >> 8 * (n % 4));
    const uint32_t byte = (unknown >> n & 1u) != 0 ? said : as->got[l][n];
    uint32_t *to = &as->operand[2 + n / 4][l];
    *to = (n % 4 == 0 ? 0 : *to) | byte << 8 * (n % 4);
  }
}

/* The copy as a store: `as` is one of its lanes that are still to be stored, of what they have loaded. */
static bool order_copies_store(struct order *o, const struct warp *w, const struct insn *i,
                               const struct heddle_record_shared *r, struct insn *as) {
  o->r->judged[ORDER_ONCE]++;
  if (r->access != HEDDLE_RECORD_STORE || r->lanes == 0)
    return order_broken(o, ORDER_ONCE, "an access of slot %u seq %u, lanes 0x%08x: that instruction does no such thing",
                        r->id.slot, r->id.seq, r->lanes);
  if ((r->lanes & ~(i->placed & i->known[2])) != 0)
    return order_broken(o, ORDER_RECORD,
                        "seq %u (pc 0x%x) is stored in lanes 0x%08x, with addresses that no record has shown", i->seq,
                        i->pc, r->lanes & ~(i->placed & i->known[2]));
  const uint32_t early = r->lanes & i->open[0];
  o->r->judged[ORDER_RESULT]++;
  if (early != 0) {
    order_step_insn(o, w, i, early, "is loaded before it is stored");
    order_step_text(o, "came first", "its store, in lanes 0x%08x", early);
    return order_broken(o, ORDER_RESULT, "lanes 0x%08x of seq %u (pc 0x%x) are stored before they are loaded", early,
                        i->seq, i->pc);
  }
  memcpy(as, i, o->cache != NULL ? sizeof *as : offsetof(struct insn, cache));
  as->cache.copied = i->cache.copied;
  as->a.act = ACT_STORE;
  as->a.space = ISA_SPACE_SHARED;
  as->open[0] = i->to_store;
  for (unsigned l = 0; l < LANES; l++) {
    as->space[l] = ISA_SPACE_SHARED;
    as->addr[l] = i->operand[2][l];
  }
  for (unsigned k = 2; k < OPERANDS; k++) as->known[k] = ~0u;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1)
    set_store_operand(o, w, r, (unsigned)__builtin_ctz(rest), as);
  return true;
}

/* Records of accesses: are they the lanes', where the lanes' operands say, and all that belong together? */

static bool access_fits(const struct insn *i, unsigned access) {
  switch (access) {
  case HEDDLE_RECORD_LOAD:
  case HEDDLE_RECORD_LOCAL_LOAD:
    return i->a.act == ACT_LOAD || i->a.act == ACT_MATRIX || i->a.act == ACT_COPY;
  case HEDDLE_RECORD_STORE:
  case HEDDLE_RECORD_LOCAL_STORE:
    return i->a.act == ACT_STORE;
  case HEDDLE_RECORD_ATOMIC:
    return i->a.act == ACT_ATOMIC;
  default:
    return false;
  }
}

/* The instruction that a record names; its lanes still have this to do. */
struct insn *order_due(struct order *o, struct warp *w, const struct heddle_record_id *id, unsigned access,
                       uint32_t lanes) {
  struct insn *i = order_insn_find(w, id->seq);
  o->r->judged[ORDER_ONCE]++;
  if (i == NULL || i->reduction || lanes == 0 || !access_fits(i, access)) {
    (void)order_broken(o, ORDER_ONCE, "an access of slot %u seq %u, lanes 0x%08x: %s", id->slot, id->seq, lanes,
                       i == NULL ? "that instruction has none to do, or has done all"
                                 : "that instruction does no such thing");
    return NULL;
  }
  if ((lanes & ~i->placed) != 0) {
    (void)order_broken(o, ORDER_RECORD,
                       "seq %u (pc 0x%x) is performed in lanes 0x%08x, with addresses that no record has shown", i->seq,
                       i->pc, lanes & ~i->placed);
    return NULL;
  }
  return i;
}

bool order_still_open(struct order *o, const struct warp *w, const struct insn *i, uint32_t lanes, unsigned word) {
  const uint32_t again = lanes & ~i->open[word];
  if (again == 0) return true;
  order_step_insn(o, w, i, again, "is performed once");
  return order_broken(o, ORDER_ONCE,
                      "seq %u (pc 0x%x) is performed a second time, or was not requested, in lanes 0x%08x", i->seq,
                      i->pc, again);
}

bool order_elsewhere(struct order *o, const struct warp *w, const struct insn *i, unsigned lane, const char *where) {
  order_step_insn(o, w, i, 1u << lane, "is where its operands say");
  order_step_text(o, "is elsewhere", "%s; lane %u's address is 0x%llx", where, lane, (unsigned long long)i->addr[lane]);
  return order_broken(o, ORDER_PLACE, "seq %u (pc 0x%x) is performed elsewhere than lane %u's address, 0x%llx", i->seq,
                      i->pc, lane, (unsigned long long)i->addr[lane]);
}

uint32_t order_lanes_at(const struct insn *i, uint32_t lanes, uint8_t space, uint64_t at) {
  uint32_t in = 0;
  for (uint32_t rest = lanes & i->placed; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (i->space[l] == space && i->addr[l] / PLACE_BYTES == at) in |= 1u << l;
  }
  return in;
}

static bool close(struct order *o, struct warp *w, struct insn *i) {
  if (order_insn_closed(i)) order_insn_drop(o, w, i);
  return true;
}

/* Memory's own time. Asked last: what a wrong order does to values says more. */
bool order_stamped(struct order *o, struct location *l, uint64_t sector, uint64_t stamp_said, unsigned bank_said) {
  const struct heddle_record_hidden h = o->h->hidden;
  const bool bank = heddle_record_shows_field(h, HEDDLE_RECORD_OPTION_GLOBAL_BANK),
             stamp = heddle_record_shows_field(h, HEDDLE_RECORD_OPTION_GLOBAL_STAMP);
  if (bank || stamp) o->r->judged[ORDER_STAMP]++;
  if (bank && l->bank != 0 && l->bank != bank_said + 1)
    return order_broken(o, ORDER_STAMP, "sector 0x%llx belongs to bank %u, and bank %u performs an access to it",
                        (unsigned long long)sector, l->bank - 1u, bank_said);
  if (stamp && stamp_said < l->stamp)
    return order_broken(o, ORDER_STAMP, "sector 0x%llx: cycle %llu of the memory is shown after its cycle %llu",
                        (unsigned long long)sector, (unsigned long long)stamp_said, (unsigned long long)l->stamp);
  if (bank) l->bank = (uint16_t)(bank_said + 1);
  if (stamp) l->stamp = stamp_said;
  return true;
}

/* ---- local memory: a word of some lanes ---- */

static bool local_word(struct order *o, struct warp *w, struct insn *i, const struct heddle_record_global *r,
                       unsigned k, uint32_t lanes) {
  if (!order_still_open(o, w, i, lanes, k)) return false;
  struct part p = {.loc = order_location_at(o, ISA_SPACE_LOCAL, w->life, r->sector & 0xfffff),
                   .lanes = lanes,
                   .bytes = i->a.bytes < 4 ? i->a.bytes : 4,
                   .word = (uint8_t)k,
                   .rdata = r->rdata,
                   .wdata = r->wdata};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    p.at[l] = (uint8_t)(4 * (l % 8) + (k == 0 ? i->addr[l] % 4 : 0));
    p.strobe |= r->wstrb & 0xfu << 4 * (l % 8);
  }
  return p.loc != NULL && order_part_perform(o, w, i, &p) && order_stamped(o, p.loc, r->sector, r->stamp, r->bank);
}

static bool on_local(struct order *o, struct warp *w, struct insn *i, const struct heddle_record_global *r) {
  const uint64_t word = r->sector / 4 & 0x3ffff;
  uint32_t of[4] = {0};
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t k = word - i->addr[l] / 4;
    if (i->space[l] != ISA_SPACE_LOCAL || l / 8 != r->sector % 4 || r->sector >> 20 != r->id.slot ||
        k >= (i->a.bytes + 3u) / 4 || i->addr[l] % i->a.bytes != 0)
      return order_elsewhere(o, w, i, l, "a word of local memory");
    of[k] |= 1u << l;
  }
  for (unsigned k = 0; k < 4; k++)
    if (of[k] != 0 && !local_word(o, w, i, r, k, of[k])) return false;
  return close(o, w, i);
}

/* ---- global memory ---- */

static bool lanes_together(struct order *o, const struct warp *w, const struct insn *i,
                           const struct heddle_record_global *r) {
  const uint32_t all = order_lanes_at(i, i->open[0], ISA_SPACE_GLOBAL, r->sector);
  o->r->judged[ORDER_TOGETHER]++;
  if (all == r->lanes) return true;
  order_step_insn(o, w, i, all & ~r->lanes, "is in the same sector: performed at the same moment");
  return order_broken(o, ORDER_TOGETHER, "seq %u (pc 0x%x) leaves out lanes 0x%08x of the sector that it performs",
                      i->seq, i->pc, all & ~r->lanes);
}

/* What passes a cache by has passed it before; what does not is no record of the point of order. */
static bool past_cache(struct order *o, const struct warp *w, const struct insn *i,
                       const struct heddle_record_global *r) {
  if (o->cache == NULL || r->access == HEDDLE_RECORD_LOCAL_STORE) return true;
  const bool weak = (i->a.act == ACT_LOAD || i->a.copy) && !i->a.strong && (r->lanes & ~i->cache.by) != 0;
  if (weak || (r->access == HEDDLE_RECORD_LOCAL_LOAD && (r->lanes & ~i->cache.by) != 0)) {
    order_step_insn(o, w, i, r->lanes, "reads through the cache, once, or a drop says that it passes it by");
    return order_broken(o, ORDER_ONCE, "seq %u (pc 0x%x) is performed past the cache, and has not passed it by", i->seq,
                        i->pc);
  }
  o->r->judged[ORDER_DROPPED]++;
  const uint32_t early = r->lanes & ~i->cache.passed;
  if (early == 0) return true;
  order_step_insn(o, w, i, early, "passes the cache, and a drop says so, before it is performed");
  return order_broken(o, ORDER_DROPPED,
                      "seq %u (pc 0x%x) is performed in lanes 0x%08x, which have not passed the cache", i->seq, i->pc,
                      early);
}

static bool perform_part(struct order *o, struct warp *w, struct insn *i, const struct part *p, unsigned bank) {
  return order_part_perform(o, w, i, p) && (o->cache == NULL || order_seen_global(o, w, i, p, order_bank(o, bank)));
}

bool order_on_global(struct order *o, const struct heddle_record_global *r) {
  struct warp *w = order_warp_of(o, &r->id);
  struct insn *i = w == NULL ? NULL : order_due(o, w, &r->id, r->access, r->lanes);
  if (i == NULL) return false;
  o->r->judged[ORDER_PLACE]++;
  if (!past_cache(o, w, i, r)) return false;
  if (r->access >= HEDDLE_RECORD_LOCAL_LOAD) return on_local(o, w, i, r);
  if (!order_still_open(o, w, i, r->lanes, 0)) return false;
  struct part p = {.lanes = r->lanes, .bytes = i->a.bytes, .rdata = r->rdata, .wdata = r->wdata, .strobe = r->wstrb};
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (i->space[l] != ISA_SPACE_GLOBAL || i->addr[l] / PLACE_BYTES != r->sector || i->addr[l] % i->a.bytes != 0)
      return order_elsewhere(o, w, i, l, "a sector of global memory");
    p.at[l] = (uint8_t)(i->addr[l] % PLACE_BYTES);
  }
  if (!lanes_together(o, w, i, r)) return false;
  p.loc = order_location_at(o, ISA_SPACE_GLOBAL, 0, r->sector);
  return p.loc != NULL && perform_part(o, w, i, &p, r->bank) && order_stamped(o, p.loc, r->sector, r->stamp, r->bank) &&
         close(o, w, i);
}

/* ---- shared memory: a pass is told bank by bank ---- */

struct pass {
  const struct heddle_record_shared *r;
  uint32_t base, used; /* of the block; banks that some lane's access explains */
  uint8_t rdata[PLACE_BYTES], wdata[PLACE_BYTES];
  uint32_t strobe;
};

/* Word n of a location, from its bank. */
static bool take_bank_word(struct pass *s, uint64_t at, unsigned n) {
  const uint64_t word = (s->base + at * PLACE_BYTES) / 4 + n;
  const unsigned b = (unsigned)(word % HEDDLE_RECORD_BANKS);
  if ((s->r->bank_en >> b & 1u) == 0 || s->r->row[b] != word / HEDDLE_RECORD_BANKS) return false;
  const uint32_t rd = s->r->access == HEDDLE_RECORD_STORE ? 0 : s->r->rdata[b],
                 wr = s->r->access == HEDDLE_RECORD_LOAD ? 0 : s->r->wdata[b];
  for (unsigned k = 0; k < 4; k++) {
    s->rdata[4 * n + k] = (uint8_t)(rd >> 8 * k);
    s->wdata[4 * n + k] = (uint8_t)(wr >> 8 * k);
  }
  if (s->r->access != HEDDLE_RECORD_LOAD) s->strobe |= (s->r->wstrb[b] & 0xfu) << 4 * n;
  s->used |= 1u << b;
  return true;
}

/* Lanes of one store that write a byte in several passes: the highest comes last. Of one atomic: ascending. */
static bool ascending(struct order *o, const struct warp *w, const struct insn *i, const struct part *p) {
  const uint32_t before = p->loc->write;
  if (i->a.act == ACT_LOAD || i->a.act == ACT_MATRIX || before == NOBODY) return true;
  const struct access *a = &o->access[before];
  if (a->life != w->life || a->seq != i->seq) return true;
  o->r->judged[ORDER_TOGETHER]++;
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (uint32_t old = a->lanes; old != 0; old &= old - 1) {
      const unsigned e = (unsigned)__builtin_ctz(old);
      if (i->addr[e] != i->addr[l] || e < l) continue;
      order_step_insn(o, w, i, 1u << l, "is the lower lane: it writes first");
      order_step_access(o, a, "was performed before that");
      return order_broken(o, ORDER_TOGETHER, "lane %u of seq %u (pc 0x%x) writes after lane %u, which is higher", l,
                          i->seq, i->pc, e);
    }
  }
  return true;
}

static bool shared_place(struct order *o, struct warp *w, struct insn *i, struct pass *s, uint32_t lanes, uint64_t at) {
  struct part p = {.lanes = lanes, .bytes = i->a.bytes, .rdata = s->rdata, .wdata = s->wdata};
  s->strobe = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    p.at[l] = (uint8_t)(i->addr[l] % PLACE_BYTES);
    if (i->addr[l] % i->a.bytes != 0) return order_elsewhere(o, w, i, l, "a bank of shared memory");
    for (unsigned n = p.at[l] / 4u; 4 * n < p.at[l] + (unsigned)p.bytes; n++)
      if (!take_bank_word(s, at, n)) return order_elsewhere(o, w, i, l, "other banks or rows of shared memory");
  }
  p.strobe = s->strobe;
  p.loc = order_location_at(o, ISA_SPACE_SHARED, order_block_of(o, w)->number, at);
  return p.loc != NULL && ascending(o, w, i, &p) && order_part_perform(o, w, i, &p);
}

static bool one_pass(struct order *o, struct warp *w, struct insn *i, const struct heddle_record_shared *r) {
  o->r->judged[ORDER_PLACE]++;
  if (r->access > HEDDLE_RECORD_ATOMIC)
    return order_broken(o, ORDER_RECORD, "a pass of shared memory of kind %u", r->access);
  if (!order_still_open(o, w, i, r->lanes, 0)) return false;
  struct pass s = {.r = r, .base = order_block_of(o, w)->shared_base};
  for (uint32_t rest = r->lanes; rest != 0;) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t at = i->addr[l] / PLACE_BYTES;
    const uint32_t group = order_lanes_at(i, rest, ISA_SPACE_SHARED, at);
    if ((group >> l & 1u) == 0) return order_elsewhere(o, w, i, l, "shared memory");
    if (!shared_place(o, w, i, &s, group, at)) return false;
    rest &= ~group;
  }
  if (s.used != r->bank_en)
    return order_broken(o, ORDER_PLACE, "a pass of seq %u (pc 0x%x) accesses banks 0x%08x that no lane requested",
                        i->seq, i->pc, r->bank_en & ~s.used);
  return true;
}

/* The second half of a copy. */
static bool on_copy(struct order *o, struct warp *w, struct insn *i, const struct heddle_record_shared *r) {
  struct insn as;
  if (!order_copies_store(o, w, i, r, &as) || !one_pass(o, w, &as, r)) return false;
  i->to_store = as.open[0];
  i->begun |= as.begun;
  return close(o, w, i);
}

bool order_on_shared(struct order *o, const struct heddle_record_shared *r) {
  struct warp *w = order_warp_of(o, &r->id);
  struct insn *i = w == NULL ? NULL : order_insn_find(w, r->id.seq);
  if (i != NULL && !i->reduction && i->a.copy) return on_copy(o, w, i, r);
  i = w == NULL ? NULL : order_due(o, w, &r->id, r->access, r->lanes);
  return i != NULL && one_pass(o, w, i, r) && close(o, w, i);
}
