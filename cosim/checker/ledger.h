/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: entries, and what is owed to them (ledger.c). Here what is asked of nearly every record.
 */
#ifndef HEDDLE_CHECKER_LEDGER_H
#define HEDDLE_CHECKER_LEDGER_H

#include "cosim/checker/state.h"

/* Lanes in which register rd + word is final in the model. */
static inline uint32_t entry_known(const struct entry *e, unsigned word) {
  return (e->words_known >> word & 1u) != 0 ? e->known : 0;
}

/* It may write every predicate. */
static inline bool entry_names_all(const struct entry *e) {
  return e->op == ISA_OP_R2P || e->op == ISA_OP_UR2UP;
}

/* What the model writes into predicate destination i, and in which lanes. */
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
void ledger_note(struct warp *w, struct entry *e);      /* fx is known: what is asked for most */
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

#endif
