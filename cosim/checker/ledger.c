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

struct entry *ledger_add(struct checker *c, struct warp *w, uint32_t seq) {
  (void)c;
  struct entry *e = &w->ring[seq % RING];
  if (e->valid && e->open) {
    if (w->parked_count == PARKED) return NULL;
    w->parked[w->parked_count++] = *e;
  }
  w->ring_open &= ~(1u << seq % RING);
  memset(e, 0, offsetof(struct entry, fx));
  e->valid = true;
  e->seq = seq;
  return e;
}

static void open_operands(struct warp *w, struct entry *e) {
  static const uint8_t first[3] = {0, 2, 4};
  const struct heddle_effect *fx = &e->fx;
  for (unsigned o = 0; o < 3; o++) {
    for (unsigned k = 0; k < fx->src_words[o]; k++) {
      const unsigned s = first[o] + k;
      const struct isa_src *src = &fx->dec.src[o];
      e->ops_open[s] = fx->exec;
      e->slot_op[s] = (uint8_t)o;
      e->slot_word[s] = (uint8_t)k;
      e->ops_want = (uint8_t)(e->ops_want | 1u << s);
      e->slot_reg[s] = src->kind == ISA_REG && src->reg != ISA_RZ ? (uint8_t)(src->reg + k) : NO_REG;
      w->pend_read[e->slot_reg[s]]++;
    }
  }
}

/* S2R: the hardware feeds the special register through operand b; what it reads is what it writes. */
static void open_special(struct warp *w, struct entry *e) {
  struct heddle_effect *fx = &e->fx;
  if (fx->dec.op != ISA_OP_S2R || fx->rd_words == 0 || fx->src_words[1] != 0) return;
  memcpy(fx->src[1][0], fx->rd_value[0], sizeof fx->src[1][0]);
  e->ops_open[2] = fx->exec;
  e->slot_op[2] = 1;
  e->slot_reg[2] = NO_REG;
  e->ops_want = 1u << 2;
  w->pend_read[NO_REG]++;
}

static void open_results(struct warp *w, struct entry *e) {
  const struct heddle_effect *fx = &e->fx;
  if (fx->traps) return;
  for (unsigned k = 0; k < fx->rd_words; k++) {
    e->wb_open[k] = fx->exec;
    w->pend_write[fx->dec.rd + k]++;
  }
  e->known = fx->rd_pending ? 0 : fx->exec;
  for (unsigned i = 0; i < 2; i++) {
    if (((unsigned)fx->pd_written >> i & 1u) == 0) continue;
    e->pd_open[i] = fx->exec;
    w->pend_pred[i == 0 ? fx->dec.pd0 : fx->dec.pd1]++;
  }
  e->mem_open = fx->mem_lanes;
  if (e->mem_open != 0 && fx->mem_space == 2) w->open_shared++;
  if (e->mem_open != 0 && fx->mem_space == 1) w->open_global++;
}

void ledger_open(struct checker *c, struct warp *w, struct entry *e) {
  e->open = true;
  w->open_count++;
  if (e >= w->ring && e < w->ring + RING) w->ring_open |= 1u << (e - w->ring);
  if (e->fx.exec != 0) {
    open_operands(w, e);
    open_special(w, e);
    open_results(w, e);
  }
  ledger_close_words(c, w, e);
}

static bool owes(const struct entry *e) {
  uint32_t open = e->mem_open | e->pd_open[0] | e->pd_open[1];
  for (unsigned i = 0; i < 4; i++) open |= e->wb_open[i];
  for (unsigned i = 0; i < RECORD_SLOTS; i++) open |= e->ops_open[i];
  return open != 0;
}

static void unpark(struct warp *w, struct entry *e) {
  struct entry *last = &w->parked[w->parked_count - 1];
  if (e != last) *e = *last;
  w->parked_count--;
}

void ledger_close_words(struct checker *c, struct warp *w, struct entry *e) {
  if (!e->open || owes(e)) return;
  e->open = false;
  w->open_count--;
  c->stats.retired++;
  if (e >= w->ring && e < w->ring + RING)
    w->ring_open &= ~(1u << (e - w->ring));
  else
    unpark(w, e);
}

void ledger_read(struct warp *w, struct entry *e, unsigned slot, uint32_t lanes) {
  if (e->ops_open[slot] == 0) return;
  e->ops_open[slot] &= ~lanes;
  if (e->ops_open[slot] == 0) w->pend_read[e->slot_reg[slot]]--;
}

void ledger_write(struct warp *w, struct entry *e, unsigned word, uint32_t lanes) {
  if (e->wb_open[word] == 0) return;
  e->wb_open[word] &= ~lanes;
  if (e->wb_open[word] == 0) w->pend_write[e->fx.dec.rd + word]--;
}

void ledger_predicate(struct warp *w, struct entry *e, unsigned i, uint32_t lanes) {
  if (e->pd_open[i] == 0) return;
  e->pd_open[i] &= ~lanes;
  if (e->pd_open[i] == 0) w->pend_pred[i == 0 ? e->fx.dec.pd0 : e->fx.dec.pd1]--;
}

void ledger_perform(struct warp *w, struct entry *e, uint32_t lanes) {
  if (e->mem_open == 0) return;
  e->mem_open &= ~lanes;
  if (e->mem_open != 0) return;
  if (e->fx.mem_space == 2) w->open_shared--;
  if (e->fx.mem_space == 1) w->open_global--;
}

void ledger_reset(struct warp *w) {
  struct entry *ring = w->ring, *parked = w->parked;
  const bool known = w->gen_known;
  const uint8_t gen = w->gen;
  for (unsigned i = 0; i < RING; i++) ring[i].valid = ring[i].open = false;
  memset(w, 0, sizeof *w);
  w->ring = ring;
  w->parked = parked;
  w->gen_known = known;
  w->gen = gen;
}
