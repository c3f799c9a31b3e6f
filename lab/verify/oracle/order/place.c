/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of one location, and the axioms of one access at it.
 */
#include <stdio.h>
#include <string.h>
#include "base/array.h"
#include "lab/verify/oracle/order/order_list.h"

/* The contents of one location: what is there at a moment, who left it, and whether a read sees that. The events of
 * traces and of lists all come here. */

static void take_initial(const struct order *o, struct location *l) {
  const uint64_t at = l->at * PLACE_BYTES;
  for (unsigned n = 0; l->space == ISA_SPACE_GLOBAL && n < PLACE_BYTES; n++) {
    if (at + n < o->base || at + n - o->base >= o->bytes) continue;
    l->bytes[n] = l->initial[n] = o->initial[at + n - o->base];
    l->known |= 1u << n;
  }
}

struct location *order_location_at(struct order *o, uint8_t space, uint32_t owner, uint64_t at) {
  uint64_t *index = map_at(&o->places, (uint64_t)space << 32 | owner, at, NOBODY);
  if (index != NULL && *index != NOBODY) return &o->location[*index];
  if (index == NULL || !array_room(&o->location, &o->locations_room, o->locations + 1, sizeof *o->location)) {
    (void)order_too_much(o, "no memory");
    return NULL;
  }
  *index = (uint32_t)o->locations++;
  struct location *l = &o->location[*index];
  *l = (struct location){.space = space, .owner = owner, .at = at, .write = NOBODY};
  take_initial(o, l);
  order_write_start(o, l);
  return l;
}

struct access *order_note(struct order *o, const struct access *a) {
  if (o->accesses >= o->most || !array_room(&o->access, &o->accesses_room, o->accesses + 1, sizeof *o->access)) {
    (void)order_too_much(o, "there are more accesses than the limit (--accesses), or there is no memory for them");
    return NULL;
  }
  o->access[o->accesses] = *a;
  o->r->accesses++;
  return &o->access[o->accesses++];
}

void order_leaves(struct order *o, struct access *a, struct location *l, const uint8_t *bytes, uint32_t mask) {
  a->before = l->write;
  a->strobe = mask;
  for (unsigned n = 0; n < PLACE_BYTES; n++)
    if ((mask >> n & 1u) != 0) l->bytes[n] = bytes[n];
  memcpy(a->data, l->bytes, PLACE_BYTES);
  l->known |= mask;
  l->write = (uint32_t)(a - o->access);
}

/* ---- reads ---- */

static uint32_t writer_of(const struct order *o, const struct location *l, unsigned byte) {
  uint32_t k = l->write;
  while (k != NOBODY && (o->access[k].strobe >> byte & 1u) == 0) k = o->access[k].before;
  return k;
}

/* An older write that left these bytes; NOBODY. */
static uint32_t left_by(const struct order *o, uint32_t k, unsigned at, unsigned n, const uint8_t *bytes) {
  for (; k != NOBODY; k = o->access[k].before)
    if ((o->access[k].strobe >> at & 1u) != 0 && memcmp(o->access[k].data + at, bytes, n) == 0) return k;
  return k;
}

static void hex_text(const uint8_t *p, unsigned n, char *buf) {
  for (unsigned k = 0; k < n; k++) (void)snprintf(buf + 2 * k, 3, "%02x", p[n - 1 - k]);
}

/* Reads something else than the latest write left: from whom it reads, who wrote since. */
static bool stale(struct order *o, const struct reading *r) {
  const unsigned at = r->at, n = r->bytes;
  const struct location *l = r->loc;
  const uint8_t *saw = r->saw + at;
  char got[2 * PLACE_BYTES + 1], want[2 * PLACE_BYTES + 1], place[64], then[224], name[64];
  unsigned byte = at;
  while (byte < at + n - 1 && r->saw[byte] == l->bytes[byte]) byte++;
  const uint32_t latest = writer_of(o, l, byte);
  const uint32_t source = latest == NOBODY ? NOBODY : left_by(o, o->access[latest].before, at, n, saw);
  const bool first =
      source == NOBODY && latest != NOBODY && l->space == ISA_SPACE_GLOBAL && memcmp(l->initial + at, saw, n) == 0;
  hex_text(saw, n, got);
  hex_text(l->bytes + at, n, want);
  order_location_text(o, l, at, place, sizeof place);
  (void)snprintf(then, sizeof then, "reads 0x%s%s", got,
                 source != NOBODY ? ", which a later write has replaced: it comes before that write"
                 : first          ? ", what was there at the start: it comes before the first write"
                                  : ", which nothing performed so far has left: a value out of thin air");
  r->say(o, r, then, name, sizeof name);
  if (source != NOBODY) {
    order_step_access(o, &o->access[latest], "was performed before that read");
    order_step_access(o, &o->access[source], "is the one that was read; the write above came after it");
  } else if (latest != NOBODY) {
    order_step_access(o, &o->access[latest], "is the latest write before that read");
  }
  return order_broken(o, r->axiom, "%s reads 0x%s at %s, where the latest write left 0x%s", name, got, place, want);
}

bool order_fits(const struct reading *r) {
  for (unsigned n = r->at; n < r->at + r->bytes; n++)
    if ((r->loc->known >> n & 1u) != 0 && r->saw[n] != r->loc->bytes[n]) return false;
  return true;
}

bool order_read(struct order *o, const struct reading *r) {
  const uint32_t mask = order_mask(r->at, r->bytes);
  o->r->undefined += (unsigned)__builtin_popcount(mask & ~r->loc->known);
  o->r->bytes_read += r->bytes;
  return order_fits(r) || stale(o, r);
}

/* The axioms of one access at one location. */

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
