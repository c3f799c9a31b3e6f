/* SPDX-License-Identifier: Apache-2.0
 *
 * The axioms of one access at one location.
 */
#include <stdio.h>
#include <string.h>

#include "lab/verify/oracle/order/list_write.h"

/* ---- program order, traps ---- */

static bool follows_newest(struct order *o, const struct warp *w, const struct insn *i, uint32_t lanes, uint32_t newest,
                           const char *why) {
  o->r->judged[ORDER_PROGRAM]++;
  if (newest == NOBODY || o->access[newest].seq <= i->seq) return true;
  order_step_insn(o, w, i, lanes, why);
  order_step_access(o, &o->access[newest], "was performed before it");
  return order_broken(o, ORDER_PROGRAM, "seq %u is performed after seq %u of the same warp", i->seq,
                      o->access[newest].seq);
}

static bool program_order(struct order *o, const struct warp *w, const struct insn *i, const struct part *p) {
  if (i->a.copy) return order_copies_older(o, w, i, p);
  const uint64_t place = (uint64_t)(p->loc - o->location);
  if (p->loc->space == ISA_SPACE_SHARED)
    return follows_newest(o, w, i, p->lanes, w->last_shared, "is older: a warp's shared accesses are in program order");
  const char *why = "is older in program order, at the same sector";
  if (p->loc->space == ISA_SPACE_GLOBAL) {
    const uint64_t *newest = map_at(&o->newest, place, w->life, NOBODY);
    return newest == NULL ? order_too_much(o, "no memory") : follows_newest(o, w, i, p->lanes, (uint32_t)*newest, why);
  }
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) {
    const uint64_t *newest = map_at(&o->newest, place | UINT64_C(1) << 32, (unsigned)__builtin_ctz(rest), NOBODY);
    if (newest == NULL) return order_too_much(o, "no memory");
    if (!follows_newest(o, w, i, p->lanes, (uint32_t)*newest, "is older in its thread's order, at the same word"))
      return false;
  }
  return true;
}

static bool check_trap(struct order *o, const struct warp *w, const struct insn *i, const struct part *p) {
  if (!w->trapped || i->seq < w->trap_seq || o->cause == 10) return true;
  o->r->judged[ORDER_TRAP]++;
  order_step_text(o, "has no effect, and nothing younger in its warp has", "the trap of seq %u", w->trap_seq);
  order_step_insn(o, w, i, p->lanes, "is performed all the same");
  return order_broken(o, ORDER_TRAP, "seq %u is performed although seq %u traps", i->seq, w->trap_seq);
}

/* ---- the event ---- */

static void newest_is(struct order *o, struct warp *w, const struct part *p, uint32_t me) {
  const uint64_t place = (uint64_t)(p->loc - o->location);
  if (p->loc->space == ISA_SPACE_SHARED) w->last_shared = me;
  if (p->loc->space == ISA_SPACE_GLOBAL) *map_at(&o->newest, place, w->life, NOBODY) = me;
  for (uint32_t rest = p->loc->space == ISA_SPACE_LOCAL ? p->lanes : 0; rest != 0; rest &= rest - 1)
    *map_at(&o->newest, place | UINT64_C(1) << 32, (unsigned)__builtin_ctz(rest), NOBODY) = me;
}

static struct access *note_access(struct order *o, struct warp *w, const struct insn *i, const struct part *p) {
  struct access *a = order_note(o, &(struct access){.location = (uint32_t)(p->loc - o->location),
                                                    .life = w->life,
                                                    .seq = i->seq,
                                                    .pc = i->pc,
                                                    .lanes = p->lanes,
                                                    .before = NOBODY,
                                                    .event = NOBODY,
                                                    .word = i->word,
                                                    .cycle = o->cycle});
  if (a != NULL && (w->youngest == NOBODY || o->access[w->youngest].seq <= a->seq))
    w->youngest = (uint32_t)(a - o->access);
  return a;
}

static struct access *note_newest(struct order *o, struct warp *w, const struct insn *i, const struct part *p) {
  struct access *a = note_access(o, w, i, p);
  if (a != NULL && !i->a.copy) newest_is(o, w, p, (uint32_t)(a - o->access));
  return a;
}

/* ---- reads ---- */

struct reader {
  const struct warp *w;
  const struct insn *i;
  unsigned lane;
};

static void say_lane(struct order *o, const struct reading *r, const char *then, char *name, size_t bytes) {
  const struct reader *who = r->who;
  order_step_insn(o, who->w, who->i, 1u << who->lane, then);
  (void)snprintf(name, bytes, "lane %u of seq %u (pc 0x%x)", who->lane, who->i->seq, who->i->pc);
}

static bool reads(struct order *o, const struct warp *w, const struct insn *i, const struct part *p) {
  const enum order_axiom axiom = i->a.act == ACT_ATOMIC ? ORDER_ATOMICITY : ORDER_READS_FROM;
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) {
    const struct reader who = {w, i, (unsigned)__builtin_ctz(rest)};
    const struct reading r = {.loc = p->loc,
                              .at = p->at[who.lane],
                              .bytes = p->bytes,
                              .saw = p->rdata,
                              .axiom = axiom,
                              .who = &who,
                              say_lane};
    if (!order_read(o, &r)) return false;
  }
  o->r->judged[axiom]++;
  return true;
}

/* ---- writes ---- */

static bool operand_known(struct order *o, const struct insn *i, uint32_t lanes, unsigned k) {
  if ((lanes & ~i->known[k]) == 0) return true;
  return order_broken(o, ORDER_RECORD, "seq %u (pc 0x%x) is performed before its operands are shown, lanes 0x%08x",
                      i->seq, i->pc, lanes & ~i->known[k]);
}

/* The record shows that it left `want` in the bytes of mask. */
static bool stored(struct order *o, const struct warp *w, const struct insn *i, const struct part *p,
                   const uint8_t *want, uint32_t mask) {
  o->r->judged[ORDER_STORED]++;
  o->r->bytes_written += (unsigned)__builtin_popcount(mask);
  if (p->strobe != mask) {
    order_step_insn(o, w, i, p->lanes, "writes the bytes of its lanes, no others");
    order_step_text(o, "are others", "strobes 0x%08x, the lanes' bytes are 0x%08x", p->strobe, mask);
    return order_broken(o, ORDER_STORED, "seq %u (pc 0x%x) writes bytes 0x%08x of a sector, its lanes 0x%08x", i->seq,
                        i->pc, p->strobe, mask);
  }
  for (unsigned n = 0; n < PLACE_BYTES; n++) {
    if ((mask >> n & 1u) == 0 || p->wdata[n] == want[n]) continue;
    char place[64];
    order_location_text(o, p->loc, n, place, sizeof place);
    order_step_insn(o, w, i, p->lanes, "leaves what its lanes' operands say, of colliding lanes the highest");
    order_step_text(o, "is something else", "0x%02x at %s, the operands say 0x%02x", p->wdata[n], place, want[n]);
    return order_broken(o, ORDER_STORED, "seq %u (pc 0x%x) leaves 0x%02x at %s, its operands say 0x%02x", i->seq, i->pc,
                        p->wdata[n], place, want[n]);
  }
  return true;
}

static bool judge_store(struct order *o, struct warp *w, struct insn *i, const struct part *p) {
  uint8_t want[PLACE_BYTES] = {0};
  uint32_t mask = 0;
  for (unsigned k = 0; k < (p->bytes + 3u) / 4; k++)
    if (!operand_known(o, i, p->lanes, 2 + p->word + k)) return false;
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) { /* ascending: the highest stays */
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (unsigned n = 0; n < p->bytes; n++)
      want[p->at[l] + n] = (uint8_t)(i->operand[2 + p->word + n / 4][l] >> 8 * (n % 4));
    order_write_access(o, w, i, p, l, NULL, want + p->at[l]);
    mask |= order_mask(p->at[l], p->bytes);
  }
  if (!stored(o, w, i, p, want, mask)) return false;
  struct access *a = note_newest(o, w, i, p);
  if (a == NULL) return false;
  order_leaves(o, a, p->loc, want, mask);
  return true;
}

static void keep_loaded(struct order *o, const struct warp *w, struct insn *i, const struct part *p) {
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    memcpy(i->got[l] + 4 * p->word, p->rdata + p->at[l], p->bytes);
    order_write_access(o, w, i, p, l, p->rdata + p->at[l], NULL);
  }
}

static bool judge_load(struct order *o, struct warp *w, struct insn *i, const struct part *p) {
  if (!reads(o, w, i, p)) return false;
  keep_loaded(o, w, i, p);
  return note_newest(o, w, i, p) != NULL;
}

bool order_part_hit(struct order *o, struct warp *w, struct insn *i, const struct part *p) {
  if (!check_trap(o, w, i, p)) return false;
  i->begun |= p->lanes;
  o->r->bytes_read += p->bytes * (unsigned)__builtin_popcount(p->lanes);
  keep_loaded(o, w, i, p);
  if (note_access(o, w, i, p) == NULL) return false; /* not the newest: it may be older than what was performed */
  i->open[p->word] &= ~p->lanes;
  return true;
}

static bool judge_atomic(struct order *o, struct warp *w, struct insn *i, const struct part *p) {
  uint8_t now[PLACE_BYTES];
  uint32_t mask = 0;
  const unsigned words = i->a.bytes / 4u;
  for (unsigned k = 0; k < words; k++)
    if (!operand_known(o, i, p->lanes, 2 + k) || (i->a.cas && !operand_known(o, i, p->lanes, 4 + k))) return false;
  if (!reads(o, w, i, p)) return false;
  memcpy(now, p->rdata, sizeof now); /* where nobody wrote before, what the record shows */
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint32_t b[2] = {i->operand[2][l], i->operand[3][l]}, c[2] = {i->operand[4][l], i->operand[5][l]};
    memcpy(i->got[l], now + p->at[l], p->bytes);
    order_atomic_apply(&i->a, now + p->at[l], b, c);
    order_write_access(o, w, i, p, l, i->got[l], now + p->at[l]);
    mask |= order_mask(p->at[l], p->bytes);
  }
  if (!stored(o, w, i, p, now, mask)) return false;
  struct access *a = note_newest(o, w, i, p);
  if (a == NULL) return false;
  order_leaves(o, a, p->loc, now, mask);
  return true;
}

bool order_part_perform(struct order *o, struct warp *w, struct insn *i, const struct part *p) {
  if (!check_trap(o, w, i, p) || !program_order(o, w, i, p)) return false;
  i->begun |= p->lanes;
  if (!(i->a.act == ACT_STORE ? judge_store : i->a.act == ACT_ATOMIC ? judge_atomic : judge_load)(o, w, i, p))
    return false;
  i->open[p->word] &= ~p->lanes;
  return true;
}
