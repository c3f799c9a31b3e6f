/* SPDX-License-Identifier: Apache-2.0
 *
 * Open items of instructions, and the order in which they may be closed.
 */
#ifndef HEDDLE_CHECKER_LEDGER_H
#define HEDDLE_CHECKER_LEDGER_H

#include "cosim/checker/state.h"

/* Entries, and their open items (ledger.c). Here the functions used for nearly every record. */

/* Lanes in which register rd + word is final in the model. */
static inline uint32_t entry_known(const struct entry *e, unsigned word) {
  return (e->words_known >> word & 1u) != 0 ? e->known : 0;
}

/* It may write every predicate. */
static inline bool entry_names_all(const struct entry *e) {
  return e->op == ISA_OP_R2P || e->op == ISA_OP_UR2UP;
}

/* The model's values for predicate destination i, and their lanes. */
static inline uint32_t entry_pd_lanes(const struct entry *e, unsigned i) {
  return e->fx.dec.pd_uniform || e->op == ISA_OP_UR2UP ? UNIFORM_LANE
         : e->op == ISA_OP_R2P                         ? e->fx.preds_lanes[i]
                                                       : e->exec;
}
static inline uint32_t entry_pd_value(const struct entry *e, unsigned i) {
  return entry_names_all(e) ? e->fx.preds_value[i] : e->fx.pd_value[i];
}
static inline uint32_t entry_pd_unknown(const struct entry *e, unsigned i) {
  return entry_names_all(e) ? e->fx.preds_unknown[i] : i < 2 ? e->fx.pd_unknown[i] : 0;
}
static inline uint32_t entry_pd_open(const struct entry *e) {
  uint32_t all = 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_PREDICATES; i++) all |= e->pd_open[i];
  return all;
}

/* Open, or paid and recent, or NULL. */
struct entry *ledger_search(struct heddle_checker *c, struct warp *w, uint32_t seq);
static inline struct entry *ledger_find(struct heddle_checker *c, struct warp *w, uint32_t seq) {
  const struct past *p = &w->ring[seq % RING];
  return p->entry != NULL && p->seq == seq ? p->entry : ledger_search(c, w, seq);
}
struct entry *ledger_add(struct warp *w, uint32_t seq); /* place for the next issue; NULL: too many */
void ledger_note(struct warp *w, struct entry *e);      /* fx is known: the most frequent test */
void ledger_open(struct heddle_checker *c, struct warp *w, struct entry *e);   /* fx is known: list what it owes */
void ledger_retire(struct heddle_checker *c, struct warp *w, struct entry *e); /* all has been paid */
static inline void ledger_close_words(struct heddle_checker *c, struct warp *w, struct entry *e) {
  if (e->open && e->owes == 0) ledger_retire(c, w, e);
}

/* Lanes of one debt are paid. True: it was the last of them. */
static inline bool ledger_pay(struct entry *e, uint32_t *open, unsigned debt, uint32_t lanes) {
  if ((e->owes & debt) == 0) return false;
  *open &= ~lanes;
  if (*open != 0) return false;
  e->owes &= ~debt;
  return true;
}

static inline void ledger_read(struct warp *w, struct entry *e, unsigned slot, uint32_t lanes) {
  if (ledger_pay(e, &e->ops_open[slot], OWES_OPERAND(slot), lanes)) w->pend_read[e->slot.reg[slot]]--;
}

static inline void ledger_write(struct warp *w, struct entry *e, unsigned word, uint32_t lanes) {
  if (ledger_pay(e, &e->wb_open[word], OWES_RESULT(word), lanes)) w->pend_write[e->rd + word]--;
}

static inline void ledger_predicate(struct warp *w, struct entry *e, unsigned i, uint32_t lanes) {
  if (ledger_pay(e, &e->pd_open[i], OWES_PREDICATE(i), lanes)) w->pend_pred[e->pd[i]]--;
}

void ledger_perform(struct warp *w, struct entry *e, uint32_t lanes);
void ledger_store(struct warp *w, struct entry *e, uint32_t lanes); /* of a copy, to shared memory */
void ledger_reset(struct heddle_checker *c, struct warp *w);
/* An asynchronous copy: its access is the load, a store to shared memory follows. */
static inline bool entry_copies(const struct entry *e) {
  return e->mem_kind == HEDDLE_ACCESS_COPY;
}
/* Lanes that still owe an access to shared memory, and where. */
static inline uint32_t entry_shared_open(const struct entry *e) {
  return entry_copies(e) ? e->store_open : e->mem_open & e->in_shared;
}
static inline const uint64_t *entry_shared_addr(const struct entry *e) {
  return entry_copies(e) ? e->fx.copy_addr : e->fx.mem_addr;
}
static inline bool entry_is_memory(const struct entry *e) {
  return e->unit == ISA_UNIT_MEM;
}

/* Visit the open entries of a warp, in no order: for (struct walk k = walk_open(w); (e = walk_next(w, &k)) != NULL;) */
struct walk {
  uint32_t ring;
  struct entry *parked;
};
static inline struct walk walk_open(const struct warp *w) {
  return (struct walk){w->ring_open, w->parked};
}
static inline struct entry *walk_next(const struct warp *w, struct walk *k) {
  if (k->ring != 0) {
    const unsigned i = (unsigned)__builtin_ctz(k->ring);
    k->ring &= k->ring - 1;
    return w->ring[i].entry;
  }
  struct entry *e = k->parked;
  if (e != NULL) k->parked = e->older;
  return e;
}

/* The instruction while it owes something; else NULL. */
static inline const struct entry *ledger_owing(const struct warp *w, uint32_t seq) {
  const struct past *p = &w->ring[seq % RING];
  const struct entry *e = w->parked;
  if (p->entry != NULL && p->seq == seq) return p->entry->open ? p->entry : NULL;
  while (e != NULL && e->seq != seq) e = e->older;
  return e;
}

/* Reads before, after and across writes (poison.c). Here the usual cases, in which nothing is
 * wrong. */

bool poison_predicates(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t active, uint32_t exec);
bool poison_pending(struct heddle_checker *c, const struct heddle_isa_dec *d,
                    uint32_t lanes); /* the model says PENDING; always false */
bool poison_suspect(struct heddle_checker *c, unsigned slot, uint32_t lanes);
void poison_written(struct heddle_checker *c);
/* A wrong value in `bad`: did the read overtake an older write? Then true, and the difference is noted. */
bool poison_raced(struct heddle_checker *c, unsigned slot, uint32_t bad);
bool poison_overwrite(struct heddle_checker *c, unsigned rd, uint32_t lanes);
bool poison_predicate(struct heddle_checker *c, unsigned pd, uint32_t lanes);
/* The instruction that issues reads a uniform register or predicate before it is written; a uniform write of c->e
 * passes an older one. */
bool poison_uniforms(struct heddle_checker *c, const struct heddle_isa_dec *d);
bool poison_uniform_write(struct heddle_checker *c, unsigned place);
/* Remember a write for reads that come too early to see it. False: there are more of them than there can be. */
bool poison_late(struct heddle_checker *c, unsigned pd, uint32_t lanes);
bool poison_shadow(struct heddle_checker *c, unsigned rd, uint32_t lanes);

/* The word of e's result that register r is, or -1. */
static inline int result_word(const struct entry *e, unsigned r) {
  const int k = (int)r - (int)e->rd;
  return k >= 0 && k < e->rd_words ? k : -1;
}

/* How often the present entry itself still owes register r: once or not at all. */
static inline unsigned owes_register(const struct entry *e, unsigned r) {
  const int k = result_word(e, r);
  return k >= 0 && (e->owes & OWES_RESULT(k)) != 0 ? 1 : 0;
}

/* A slot is read. Mostly no other entry owes or has just written its register, and the entry is not marked. */
static inline bool poison_read(struct heddle_checker *c, unsigned slot, uint32_t lanes) {
  const unsigned r = c->e->slot.reg[slot];
  const struct warp *w = c->w;
  if (r == NO_REG) return true;
  if (!c->e->marked && (w->pend_write[r] == 0 || w->pend_write[r] <= owes_register(c->e, r)) &&
      (uint32_t)c->now->cycle - w->written[r] >= c->cfg.read_age)
    return true;
  return poison_suspect(c, slot, lanes);
}

/* A register is written while reads or writes of it are open. Mostly c->e alone is to write it. */
static inline bool poison_write(struct heddle_checker *c, unsigned rd, uint32_t lanes) {
  return (c->w->pend_read[rd] == 0 && c->w->pend_write[rd] < 2) || poison_overwrite(c, rd, lanes);
}

/* The instruction that issues reads a predicate before it is written. Most read none. */
static inline bool poison_issue(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t active,
                                uint32_t exec) {
  const bool reads = d->guard.index < ISA_PT || d->ps[0].index < ISA_PT || d->ps[1].index < ISA_PT ||
                     d->ps[2].index < ISA_PT || d->op == ISA_OP_P2R || d->op == ISA_OP_UP2UR;
  return !reads || poison_predicates(c, d, active, exec);
}

static inline bool poison_uniform(struct heddle_checker *c, const struct heddle_isa_dec *d) {
  const bool reads = d->src[0].kind == ISA_UREG || d->src[1].kind == ISA_UREG || d->src[2].kind == ISA_UREG;
  return !reads || poison_uniforms(c, d);
}

/* Writes of this very cycle were shown before the issue that has just been judged. */
static inline void poison_issued(struct heddle_checker *c) {
  if (c->w->wrote == c->now->cycle) poison_written(c);
}

#endif
