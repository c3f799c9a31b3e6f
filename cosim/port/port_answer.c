/* SPDX-License-Identifier: Apache-2.0
 *
 * What memory drives in a cycle: a credit, a beat, an answer, of one SM.
 */
#include <string.h>

#include "cosim/port/internal.h"

static bool held(struct heddle_line_port *p, uint16_t per_mille) {
  return per_mille != 0 && line_port_draw(p, 1000) < per_mille;
}

/* The n-th bit that is set. */
static unsigned nth_bit(uint32_t mask, unsigned n) {
  for (; n != 0; n--) mask &= mask - 1;
  return (unsigned)__builtin_ctz(mask);
}

/* Both kinds in turns, while there are both. */
static void give_credit(struct heddle_line_port *p, struct channel *c) {
  const bool some = c->room != 0, some_atom = c->room_atoms != 0, last = c->out.credit_valid && c->out.credit_atom;
  c->out.credit_valid = (some || some_atom) && !held(p, p->o.hold_credit);
  if (!c->out.credit_valid) return;
  c->out.credit_atom = some_atom && (!some || !last);
  if (c->out.credit_atom) {
    c->room_atoms--;
    c->atoms++;
  } else {
    c->room--;
    c->credits++;
  }
}

static bool has_beat(const struct heddle_line_port *p, const struct entry *e) {
  (void)p;
  return e->beats_left != 0;
}

/* An end comes in a later cycle than the last beat, an answer in a later one than the records. */
static bool has_answer(const struct heddle_line_port *p, const struct entry *e) {
  return e->performed < p->cycle && e->beats_left == 0 && (!reads(e) || e->last_beat < p->cycle);
}

/* One of those that have something: the first, or any. False: none has. */
static bool choose_entry(struct heddle_line_port *p, const struct list *l,
                         bool (*has)(const struct heddle_line_port *p, const struct entry *e), unsigned *out) {
  unsigned found = 0;
  for (unsigned i = 0; i < l->count; i++) {
    if (!has(p, l->item[i])) continue;
    found++;
    if (found == 1 || line_port_draw(p, found) == 0) *out = i;
    if (!p->o.interleave) return true;
  }
  return found != 0;
}

static void junk_bytes(struct heddle_line_port *p, uint8_t *data, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) data[i] = (uint8_t)line_port_draw(p, 256);
}

static void send_beat(struct heddle_line_port *p, struct channel *c) {
  unsigned i = 0;
  c->out.read_valid = c->answers.count != 0 && !held(p, p->o.hold_read) && choose_entry(p, &c->answers, has_beat, &i);
  if (!c->out.read_valid) return;
  struct entry *e = c->answers.item[i];
  const unsigned n = (unsigned)__builtin_popcount(e->beats_left);
  const unsigned k = nth_bit(e->beats_left, p->o.interleave ? line_port_draw(p, n) : 0);
  e->beats_left &= ~(1u << k);
  e->last_beat = p->cycle;
  c->out.read.tag = e->r.tag;
  c->out.read.beat = (uint8_t)k;
  memcpy(c->out.read.data, e->data + k * p->bytes, p->bytes);
  for (unsigned s = 0; s < HEDDLE_LINE_PORT_SECTORS && p->o.junk; s++) {
    const bool asked = (e->r.sectors >> s & 1) != 0 && !e->err;
    const unsigned size = p->bytes < HEDDLE_LINE_PORT_SECTOR ? p->bytes : HEDDLE_LINE_PORT_SECTOR;
    if (asked || (beat_sectors(p, k) >> s & 1u) == 0) continue;
    junk_bytes(p, c->out.read.data + (s * HEDDLE_LINE_PORT_SECTOR) % p->bytes, size);
  }
  p->stats.read_beats++;
}

static void send_answer(struct heddle_line_port *p, struct channel *c) {
  unsigned i = 0;
  if (c->out.answer_valid) return; /* stands until it is taken */
  c->out.answer_valid =
      c->answers.count != 0 && !held(p, p->o.hold_answer) && choose_entry(p, &c->answers, has_answer, &i);
  if (!c->out.answer_valid) return;
  struct entry *e = c->answers.item[i];
  p->stats.answers++;
  c->out.answer = (struct heddle_line_port_answer){.tag = e->r.tag};
  if (e->lanes_left != 0) {
    const unsigned l = nth_bit(e->lanes_left, 0);
    e->lanes_left &= e->lanes_left - 1;
    c->out.answer.lane = (uint8_t)l;
    c->out.answer.old = e->old[l];
    return;
  }
  c->out.answer.done = true;
  c->out.answer.err = e->err;
  line_port_remove(&c->answers, i);
}

void heddle_line_port_answer(struct heddle_line_port *p, struct channel *c) {
  give_credit(p, c);
  send_beat(p, c);
  send_answer(p, c);
}
