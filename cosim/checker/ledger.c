/* SPDX-License-Identifier: Apache-2.0
 *
 * What every warp instruction owes: operand reads, register and predicate writes, accesses; each paid once.
 */
#include <string.h>
#include "cosim/checker/internal.h"

/* Who waits for asynchronous copies (isa/doc/14-asynchronous-copies.md). A counter that LDGSTS raises falls when it has
 * been performed, one that LDGDEPBAR raises when all older LDGSTS of the warp have; no record shows a counter, but an
 * instruction that waits for one issues no sooner. */

void group_closes(struct heddle_checker *c) {
  const unsigned n = c->e->fx.dec.ctl.wbar;
  if (c->e->op != ISA_OP_LDGDEPBAR || n >= COUNTERS) return;
  c->w->group[n][c->w->groups[n]++ % GROUPS] = c->e->seq;
}

/* A copy that counters still tell of. Behind a trap, or where memory answers with an error, they may say anything. */
static bool is_under_way(const struct heddle_checker *c, const struct entry *o) {
  if (!entry_copies(o) || o->store_open == 0 || o->seq >= c->e->seq) return false;
  return !(c->w->trapped && o->seq >= c->w->trap_seq) && !entry_failed(c, c->w, o);
}

/* Groups of counter n with a copy that is not older than `seq`. */
static unsigned groups_behind(const struct warp *w, unsigned n, uint32_t seq) {
  unsigned found = 0;
  for (uint32_t i = 0; i < w->groups[n] && i < GROUPS; i++) found += w->group[n][i] > seq;
  return found;
}

/* No more than k of what raises counter n is under way. */
static bool has_fallen(struct heddle_checker *c, unsigned n, unsigned k) {
  const struct entry *o, *first = NULL;
  unsigned left = 0;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;) {
    if (!is_under_way(c, o)) continue;
    if (first == NULL || o->seq < first->seq) first = o;
    left += o->fx.dec.ctl.wbar == n;
  }
  if (first == NULL) return true;
  left += groups_behind(c->w, n, first->seq);
  if (left <= k) return true;
  return differ_mask(c, HEDDLE_CHECKER_ORDER_GROUP, "copy", first->store_open,
                     "seq %u waits until SB%u is at most %u; %u of what raised it are under way, for the copy seq %u "
                     "(pc 0x%x) has not stored these lanes",
                     c->e->seq, n, k, left, first->seq, first->pc);
}

bool groups_performed(struct heddle_checker *c) {
  const struct entry *e = c->e;
  if (c->w->open_copies == 0 || !checker_on(c, HEDDLE_CHECKER_ORDER_GROUP)) return true;
  for (unsigned n = 0; n < COUNTERS; n++)
    if (((unsigned)e->fx.dec.ctl.wait >> n & 1u) != 0 && !has_fallen(c, n, 0)) return false;
  if (e->op != ISA_OP_DEPBAR_LE || e->exec == 0) return true;
  return has_fallen(c, (unsigned)heddle_isa_get(e->word, ISA_F_SBN), (unsigned)heddle_isa_get(e->word, ISA_F_SBK));
}

/* What every warp instruction owes: operand reads, register and predicate writes, accesses; each paid once. */

/* Destinations by number: R2P and UR2UP name all predicates, others two at the most. */
static void name_predicates(struct entry *e, const struct heddle_isa_dec *d) {
  const unsigned first = d->pd_uniform || d->op == ISA_OP_UR2UP ? PLACE_UP : 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_PREDICATES; i++) e->pd[i] = (uint8_t)(first + i);
  if (d->op == ISA_OP_R2P || d->op == ISA_OP_UR2UP) return;
  e->pd[0] = (uint8_t)(first + d->pd0);
  e->pd[1] = (uint8_t)(first + d->pd1);
}

static uint16_t destination_place(const struct heddle_isa_dec *d) {
  return (uint16_t)(d->rd_uniform ? PLACE_UR + d->rd : d->rd);
}

/* A paid instruction once more, for whoever speaks of it: it owes nothing. */
static struct entry *revive(struct heddle_checker *c, const struct past *p) {
  struct entry *e = &c->revived;
  memset(e, 0, offsetof(struct entry, fx));
  (void)heddle_isa_decode(p->word, &e->fx.dec);
  e->seq = p->seq;
  e->pc = p->pc;
  e->active = p->active;
  e->exec = e->known = p->exec;
  e->words_known = 15;
  e->op = e->fx.dec.op;
  e->unit = e->fx.dec.unit;
  e->rd = destination_place(&e->fx.dec);
  e->rd_words = p->rd_words;
  name_predicates(e, &e->fx.dec);
  e->pd_written = p->pd_written;
  e->mem_space = p->mem_space;
  e->mem_kind = p->mem_kind;
  e->mem_bytes = p->mem_bytes;
  e->mem_lanes = p->mem_lanes;
  e->traps = p->traps;
  e->warp_ended = p->warp_ended;
  e->slot.want = p->ops_want;
  e->slot.collected = heddle_isa_unit_is_variable((enum heddle_isa_unit)e->unit);
  for (unsigned i = 0; i < 7; i++) e->fx.preds_lanes[i] = p->exec; /* of R2P some of them */
  memset(e->slot.reg, NO_REG, sizeof e->slot.reg);
  e->cycle = p->cycle;
  e->word = p->word;
  return e;
}

struct entry *ledger_search(struct heddle_checker *c, struct warp *w, uint32_t seq) {
  const struct past *p = &w->ring[seq % RING];
  if (p->valid && p->seq == seq) return p->entry != NULL ? p->entry : revive(c, p);
  for (struct entry *e = w->parked; e != NULL; e = e->older)
    if (e->seq == seq) return e;
  return NULL;
}

static void give_back(const struct warp *w, struct entry *e) {
  e->open = false;
  w->sm->spare[w->sm->spares++] = e;
}

/* An open entry leaves the window. */
static void park_entry(struct warp *w, struct entry *e) {
  e->older = w->parked;
  e->younger = NULL;
  if (w->parked != NULL) w->parked->younger = e;
  w->parked = e;
}

static void unpark(struct warp *w, struct entry *e) {
  if (e->older != NULL) e->older->younger = e->younger;
  if (e->younger != NULL)
    e->younger->older = e->older;
  else
    w->parked = e->older;
}

struct entry *ledger_add(struct warp *w, uint32_t seq) {
  struct past *p = &w->ring[seq % RING];
  if (p->entry != NULL && p->entry->open) {
    park_entry(w, p->entry);
  } else if (p->entry != NULL) {
    give_back(w, p->entry); /* of an issue that came to nothing */
  }
  w->ring_open &= ~(1u << seq % RING);
  p->entry = NULL;
  struct sm *s = w->sm;
  if (s->spares == 0) return NULL;
  struct entry *e = s->spare[--s->spares];
  memset(e, 0, offsetof(struct entry, fx));
  if (e == &s->entries[s->begun]) { /* what fx holds then is of some instruction, or nothing */
    memset(&e->fx, 0, sizeof *e - offsetof(struct entry, fx));
    s->begun++;
  }
  e->fx.seq = ~seq; /* until the model says otherwise */
  e->seq = seq;
  p->entry = e;
  p->seq = seq;
  p->valid = true;
  return e;
}

void ledger_note(struct warp *w, struct entry *e) {
  const struct heddle_effect *fx = &e->fx;
  struct past *p = &w->ring[e->seq % RING];
  p->cycle = e->cycle;
  p->pc = e->pc = fx->pc;
  p->active = e->active = fx->active;
  p->exec = e->exec = fx->exec;
  p->mem_lanes = e->mem_lanes = fx->mem_lanes;
  e->op = fx->dec.op;
  e->unit = fx->dec.unit;
  e->rd = destination_place(&fx->dec);
  p->rd_words = e->rd_words = fx->rd_words;
  name_predicates(e, &fx->dec);
  const unsigned written = entry_names_all(e) ? fx->preds_written : fx->pd_written;
  p->pd_written = e->pd_written = (uint8_t)(written | (fx->bar_pd ? 1u : 0u));
  p->mem_space = e->mem_space = fx->mem_space;
  p->mem_kind = e->mem_kind = fx->mem_kind;
  p->mem_bytes = e->mem_bytes = fx->mem_bytes;
  p->traps = e->traps = fx->traps;
  p->warp_ended = e->warp_ended = fx->warp_ended;
  p->word = e->word = fx->dec.word;
}

static void add_slot(struct slots *s, unsigned slot, unsigned operand, unsigned word, unsigned reg) {
  s->op[slot] = (uint8_t)operand;
  s->word[slot] = (uint8_t)word;
  s->reg[slot] = (uint8_t)reg;
  s->want = (uint16_t)(s->want | 1u << slot);
}

/* Words of a 0, 1, of b 2 to 5, of c 4, 5; the third and fourth of a 6, 7, of c 8, 9. */
static unsigned slot_of_word(unsigned operand, unsigned word) {
  static const uint8_t first[3] = {0, 2, 4}, third[3] = {6, 4, 8};
  return word < 2 ? first[operand] + word : third[operand] + word - 2u;
}

/* The hardware feeds a special register through operand b. */
static bool feeds_special(const struct heddle_checker *c, const struct entry *e) {
  return e->fx.src_words[1] == 0 && c->reads_special[e->op];
}

/* What the instruction reads is the same whenever it executes: it is written down once. */
static const struct slots *slots_of(const struct heddle_checker *c, const struct entry *e) {
  const struct heddle_effect *fx = &e->fx;
  struct slots *s = &c->slots[e->pc / ISA_STEP];
  if (s->known) return s;
  for (unsigned o = 0; o < 3; o++) {
    const struct heddle_isa_src *src = &fx->dec.src[o];
    const bool reg = src->kind == ISA_REG && src->reg != ISA_RZ;
    for (unsigned k = 0; k < fx->src_words[o]; k++)
      add_slot(s, slot_of_word(o, k), o, k, reg ? (src->reg + k) & 0xffu : NO_REG);
  }
  if (feeds_special(c, e)) add_slot(s, 2, 1, 0, NO_REG);
  s->collected = heddle_isa_unit_is_variable((enum heddle_isa_unit)e->unit);
  s->known = true;
  return s;
}

/* Are its operands shown? Where collected ones have no record of their own they come with the others. */
static bool operands_due(const struct heddle_checker *c, const struct entry *e) {
  const struct heddle_record_hidden h = c->cfg.hidden;
  if (e->fx.dec.uniform) return heddle_record_shows(h, HEDDLE_RECORD_UNIFORM_READ);
  return heddle_record_shows(h, HEDDLE_RECORD_OPERANDS) ||
         (e->slot.collected && heddle_record_shows(h, HEDDLE_RECORD_OPERANDS_MEMORY));
}

static void open_operands(const struct heddle_checker *c, struct warp *w, struct entry *e) {
  const uint32_t lanes = e->fx.dec.uniform ? UNIFORM_LANE : e->exec;
  e->slot = *slots_of(c, e);
  if (!operands_due(c, e)) e->slot.want = 0;
  e->owes |= e->slot.want;
  for (unsigned rest = e->slot.want; rest != 0; rest &= rest - 1) {
    const unsigned slot = (unsigned)__builtin_ctz(rest);
    e->ops_open[slot] = lanes;
    w->pend_read[e->slot.reg[slot]]++;
  }
}

/* What is read of a special register is what is written. Into RZ the model computes none, and any value may be read. */
static void open_special(struct heddle_checker *c, struct entry *e) {
  struct heddle_effect *fx = &e->fx;
  if (!feeds_special(c, e)) return;
  if (fx->rd_words != 0)
    memcpy(fx->src[1][0], fx->rd_value[0], sizeof fx->src[1][0]);
  else
    e->ops_any = OWES_OPERAND(2);
}

/* The highest byte of a generic address says the space; what is below is the address there. */
static void open_generic(struct entry *e) {
  for (uint32_t rest = e->mem_open; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t window = e->fx.mem_addr[l] >> 56;
    e->fx.mem_addr[l] &= (UINT64_C(1) << 56) - 1;
    uint32_t *in = window == 0 ? &e->in_global : window == 1 ? &e->in_shared : &e->in_local;
    *in |= lane_bit(l);
  }
}

static void open_spaces(struct entry *e) {
  switch (e->mem_space) {
  case ISA_SPACE_GLOBAL:
    e->in_global = e->mem_open;
    break;
  case ISA_SPACE_SHARED:
    e->in_shared = e->mem_open;
    break;
  case ISA_SPACE_LOCAL:
    e->in_local = e->mem_open;
    break;
  case ISA_SPACE_GENERIC:
    open_generic(e);
    break;
  default:
    break;
  }
}

/* Is predicate destination i shown? Uniform ones come with the uniform results. */
static bool predicate_due(const struct heddle_checker *c, const struct entry *e, unsigned i) {
  return heddle_record_shows(c->cfg.hidden,
                             e->pd[i] < PLACE_UP ? HEDDLE_RECORD_PREDICATE : HEDDLE_RECORD_UNIFORM_WRITE);
}

static void open_results(const struct heddle_checker *c, struct warp *w, struct entry *e) {
  const struct heddle_effect *fx = &e->fx;
  if (fx->traps) return;
  for (unsigned k = 0; k < fx->rd_words; k++) {
    e->wb_open[k] = fx->rd_uniform ? UNIFORM_LANE : fx->exec;
    e->owes |= OWES_RESULT(k);
    w->pend_write[e->rd + k]++;
  }
  e->known = fx->rd_pending || fx->bar_pd ? 0 : fx->exec;
  e->words_known = fx->rd_pending && fx->mem_kind == HEDDLE_ACCESS_LOAD_MATRIX ? 0 : 15;
  for (unsigned rest = e->pd_written; rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    if (!predicate_due(c, e, i)) continue;
    e->pd_open[i] = entry_pd_lanes(e, i);
    e->owes |= OWES_PREDICATE(i);
    w->pend_pred[e->pd[i]]++;
  }
  e->mem_open = fx->mem_lanes;
  if (e->mem_open == 0) return;
  e->owes |= OWES_ACCESS;
  open_spaces(e);
  if (entry_copies(e)) {
    e->store_open = e->mem_open;
    e->owes |= OWES_STORE;
    w->open_copies++;
    return;
  }
  if (e->in_shared != 0) w->open_shared++;
  if (e->in_global != 0) w->open_global++;
}

void ledger_open(struct heddle_checker *c, struct warp *w, struct entry *e) {
  e->open = true;
  w->open_count++;
  w->ring_open |= 1u << e->seq % RING;
  if (e->exec != 0) {
    open_operands(c, w, e);
    open_special(c, e);
    open_results(c, w, e);
  }
  w->ring[e->seq % RING].ops_want = e->slot.want;
  ledger_close_words(c, w, e);
}

void ledger_retire(struct heddle_checker *c, struct warp *w, struct entry *e) {
  struct past *p = &w->ring[e->seq % RING];
  w->open_count--;
  c->stats.retired++;
  if (p->entry == e) {
    w->ring_open &= ~(1u << e->seq % RING);
    p->entry = NULL;
  } else {
    unpark(w, e);
  }
  give_back(w, e);
}

void ledger_perform(struct warp *w, struct entry *e, uint32_t lanes) {
  const uint32_t before = e->mem_open;
  (void)ledger_pay(e, &e->mem_open, OWES_ACCESS, lanes);
  if (entry_copies(e)) return; /* its stores come later */
  if ((before & e->in_shared) != 0 && (e->mem_open & e->in_shared) == 0) w->open_shared--;
  if ((before & e->in_global) != 0 && (e->mem_open & e->in_global) == 0) w->open_global--;
}

void ledger_store(struct warp *w, struct entry *e, uint32_t lanes) {
  if (ledger_pay(e, &e->store_open, OWES_STORE, lanes)) w->open_copies--;
}

void ledger_reset(struct heddle_checker *c, struct warp *w) {
  struct past *ring = w->ring;
  struct late *late = w->late;
  struct sm *const sm = w->sm;
  const uint8_t gen = w->gen;
  for (struct entry *e = w->parked; e != NULL; e = e->older) give_back(w, e);
  for (unsigned i = 0; i < RING; i++) {
    if (ring[i].entry != NULL) give_back(w, ring[i].entry);
    ring[i] = (struct past){.entry = NULL};
  }
  memset(w, 0, sizeof *w);
  memset(late, 0, c->capacity.predicates * sizeof *late);
  w->sm = sm;
  w->ring = ring;
  w->late = late;
  w->known_id = NOBODY;
  w->failed_seq = UINT32_MAX;
  w->gen = gen;
}
