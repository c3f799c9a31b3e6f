/* SPDX-License-Identifier: Apache-2.0
 *
 * What every warp instruction owes: operand reads, register and predicate writes, accesses; each paid once.
 */
#include <string.h>

#include "internal.h"

struct entry *ledger_find(struct warp *w, uint32_t seq) {
  struct entry *e = &w->ring[seq % RING];
  if (e->valid && e->seq == seq) return e;
  for (unsigned i = 0; i < w->parked_count; i++)
    if (w->parked[i].seq == seq) return &w->parked[i];
  return NULL;
}

struct entry *ledger_next(struct warp *w, unsigned *it) {
  while (*it < RING) {
    const uint32_t rest = w->ring_open >> *it;
    if (rest == 0) {
      *it = RING;
      break;
    }
    const unsigned i = *it + (unsigned)__builtin_ctz(rest);
    *it = i + 1;
    return &w->ring[i];
  }
  const unsigned k = *it - RING;
  if (k >= w->parked_count) return NULL;
  (*it)++;
  return &w->parked[k];
}

/* Rows for a new entry; there are as many as entries that can be open. */
static void take_rows(struct checker *c, struct entry *e) {
  e->fx = c->spare[--c->spares];
}

static void give_rows(struct checker *c, struct entry *e) {
  if (e->fx == NULL || e->fx == &c->nothing) return;
  c->spare[c->spares++] = e->fx;
  e->fx = &c->nothing;
}

struct entry *ledger_add(struct checker *c, struct warp *w, uint32_t seq) {
  struct entry *e = &w->ring[seq % RING];
  if (e->valid && e->open) {
    if (w->parked_count == PARKED) return NULL;
    w->parked[w->parked_count++] = *e;
    e->fx = NULL;
  }
  w->ring_open &= ~(1u << seq % RING);
  give_rows(c, e); /* of an issue that came to nothing */
  memset(e, 0, offsetof(struct entry, marks));
  take_rows(c, e);
  e->fx->seq = ~seq; /* until the model says otherwise */
  e->valid = true;
  e->seq = seq;
  return e;
}

void ledger_note(struct entry *e) {
  const struct heddle_effect *fx = e->fx;
  e->pc = fx->pc;
  e->active = fx->active;
  e->exec = fx->exec;
  e->mem_lanes = fx->mem_lanes;
  e->op = fx->dec.op;
  e->unit = fx->dec.unit;
  e->rd = fx->dec.rd;
  e->rd_words = fx->rd_words;
  e->pd[0] = fx->dec.pd0;
  e->pd[1] = fx->dec.pd1;
  e->pd_written = fx->pd_written;
  e->mem_space = fx->mem_space;
  e->mem_kind = fx->mem_kind;
  e->mem_bytes = fx->mem_bytes;
  e->traps = fx->traps;
  e->warp_ended = fx->warp_ended;
  e->word = fx->dec.word;
}

static void owe_operand(struct warp *w, struct entry *e, unsigned slot, unsigned operand, unsigned word, unsigned reg) {
  e->ops_open[slot] = e->exec;
  e->slot_op[slot] = (uint8_t)operand;
  e->slot_word[slot] = (uint8_t)word;
  e->slot_reg[slot] = (uint8_t)reg;
  e->ops_want = (uint8_t)(e->ops_want | 1u << slot);
  e->owes = (uint16_t)(e->owes | OWES_OPERAND(slot));
  w->pend_read[reg]++;
}

static void open_operands(struct warp *w, struct entry *e) {
  static const uint8_t first[3] = {0, 2, 4};
  const struct heddle_effect *fx = e->fx;
  for (unsigned o = 0; o < 3; o++) {
    const struct isa_src *src = &fx->dec.src[o];
    const bool reg = src->kind == ISA_REG && src->reg != ISA_RZ;
    for (unsigned k = 0; k < fx->src_words[o]; k++)
      owe_operand(w, e, first[o] + k, o, k, reg ? (src->reg + k) & 0xffu : NO_REG);
  }
}

/* S2R: the hardware feeds the special register through operand b; what it reads is what it writes. */
static void open_special(struct warp *w, struct entry *e) {
  struct heddle_effect *fx = e->fx;
  if (e->op != ISA_OP_S2R || fx->rd_words == 0 || fx->src_words[1] != 0) return;
  memcpy(fx->src[1][0], fx->rd_value[0], sizeof fx->src[1][0]);
  owe_operand(w, e, 2, 1, 0, NO_REG);
}

static void open_results(struct warp *w, struct entry *e) {
  const struct heddle_effect *fx = e->fx;
  if (fx->traps) return;
  for (unsigned k = 0; k < fx->rd_words; k++) {
    e->wb_open[k] = fx->exec;
    e->owes = (uint16_t)(e->owes | OWES_RESULT(k));
    w->pend_write[fx->dec.rd + k]++;
  }
  e->known = fx->rd_pending ? 0 : fx->exec;
  for (unsigned i = 0; i < 2; i++) {
    if (((unsigned)fx->pd_written >> i & 1u) == 0) continue;
    e->pd_open[i] = fx->exec;
    e->owes = (uint16_t)(e->owes | OWES_PREDICATE(i));
    w->pend_pred[e->pd[i]]++;
  }
  e->mem_open = fx->mem_lanes;
  if (e->mem_open == 0) return;
  e->owes = (uint16_t)(e->owes | OWES_ACCESS);
  if (fx->mem_space == 2) w->open_shared++;
  if (fx->mem_space == 1) w->open_global++;
}

void ledger_open(struct checker *c, struct warp *w, struct entry *e) {
  e->open = true;
  w->open_count++;
  if (e >= w->ring && e < w->ring + RING) w->ring_open |= 1u << (e - w->ring);
  if (e->exec != 0) {
    open_operands(w, e);
    open_special(w, e);
    open_results(w, e);
  }
  ledger_close_words(c, w, e);
}

static void unpark(struct warp *w, struct entry *e) {
  struct entry *last = &w->parked[w->parked_count - 1];
  if (e != last) *e = *last;
  w->parked_count--;
}

void ledger_close_words(struct checker *c, struct warp *w, struct entry *e) {
  if (!e->open || e->owes != 0) return;
  e->open = false;
  w->open_count--;
  c->stats.retired++;
  give_rows(c, e);
  if (e >= w->ring && e < w->ring + RING)
    w->ring_open &= ~(1u << (e - w->ring));
  else
    unpark(w, e);
}

/* Lanes of one debt are paid. True: it was the last of them. */
static bool pay(struct entry *e, uint32_t *open, unsigned debt, uint32_t lanes) {
  if ((e->owes & debt) == 0) return false;
  *open &= ~lanes;
  if (*open != 0) return false;
  e->owes = (uint16_t)(e->owes & ~debt);
  return true;
}

void ledger_read(struct warp *w, struct entry *e, unsigned slot, uint32_t lanes) {
  if (pay(e, &e->ops_open[slot], OWES_OPERAND(slot), lanes)) w->pend_read[e->slot_reg[slot]]--;
}

void ledger_write(struct warp *w, struct entry *e, unsigned word, uint32_t lanes) {
  if (pay(e, &e->wb_open[word], OWES_RESULT(word), lanes)) w->pend_write[e->rd + word]--;
}

void ledger_predicate(struct warp *w, struct entry *e, unsigned i, uint32_t lanes) {
  if (pay(e, &e->pd_open[i], OWES_PREDICATE(i), lanes)) w->pend_pred[e->pd[i]]--;
}

void ledger_perform(struct warp *w, struct entry *e, uint32_t lanes) {
  if (!pay(e, &e->mem_open, OWES_ACCESS, lanes)) return;
  if (e->mem_space == 2) w->open_shared--;
  if (e->mem_space == 1) w->open_global--;
}

void ledger_reset(struct checker *c, struct warp *w) {
  struct entry *ring = w->ring, *parked = w->parked;
  const bool known = w->gen_known;
  const uint8_t gen = w->gen;
  for (unsigned i = 0; i < w->parked_count; i++) give_rows(c, &parked[i]);
  for (unsigned i = 0; i < RING; i++) {
    give_rows(c, &ring[i]);
    ring[i].valid = ring[i].open = false;
  }
  memset(w, 0, sizeof *w);
  w->ring = ring;
  w->parked = parked;
  w->gen_known = known;
  w->gen = gen;
}
