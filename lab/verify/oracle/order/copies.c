/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies (isa/doc/14-asynchronous-copies.md): a load and a store of one instruction. What is older comes
 * first, but for other copies; what is younger does not wait; who has waited finds them stored.
 */
#include <string.h>

#include "lab/verify/oracle/order/cache.h"

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
    order_step_insn(o, w, i, i->to_store, "is a copy that somebody waits for: it is stored before");
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

bool order_copies_store(struct order *o, const struct warp *w, const struct insn *i,
                        const struct heddle_record_shared *r, struct insn *as) {
  o->r->judged[ORDER_ONCE]++;
  if (r->access != HEDDLE_RECORD_STORE || r->lanes == 0)
    return order_broken(o, ORDER_ONCE, "an access of slot %u seq %u, lanes 0x%08x: that instruction does no such thing",
                        r->id.slot, r->id.seq, r->lanes);
  if ((r->lanes & ~(i->placed & i->known[2])) != 0)
    return order_broken(o, ORDER_RECORD,
                        "seq %u (pc 0x%x) is stored in lanes 0x%08x, whose addresses no record has shown", i->seq,
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
