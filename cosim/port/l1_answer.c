/* SPDX-License-Identifier: Apache-2.0
 *
 * What the SM is told in a cycle: a credit, a beat, an answer.
 */
#include <string.h>

#include "cosim/port/l1_internal.h"

static bool gives_data(const struct access *e) {
  return (e->r.kind == HEDDLE_LINE_PORT_LOAD || e->r.kind == HEDDLE_LINE_PORT_FETCH) && !e->err;
}

static unsigned sectors_of(const struct l1 *c, unsigned k) {
  const unsigned first = k * c->bytes / HEDDLE_LINE_PORT_SECTOR,
                 last = ((k + 1) * c->bytes - 1) / HEDDLE_LINE_PORT_SECTOR;
  return ((2u << last) - 1) & ~((1u << first) - 1);
}

void l1_ready(struct l1 *c, struct access *e) {
  e->where = READY;
  e->beats_left = 0;
  e->last_beat = 0;
  for (unsigned k = 0; k < c->beats && gives_data(e); k++)
    if ((sectors_of(c, k) & e->r.sectors) != 0) e->beats_left |= 1u << k;
  e->lanes_left = e->r.kind == HEDDLE_LINE_PORT_ATOM && e->r.gives && !e->err ? e->r.lanes : 0;
  c->answers.item[c->answers.count++] = e->r.tag;
}

/* Both kinds in turns, while there are both. */
static void give_credit(struct l1 *c) {
  const bool some = c->room != 0, some_atom = c->room_atoms != 0, last = c->out.credit_valid && c->out.credit_atom;
  c->out.credit_valid = some || some_atom;
  if (!c->out.credit_valid) return;
  c->out.credit_atom = some_atom && (!some || !last);
  if (c->out.credit_atom)
    c->room_atoms--;
  else
    c->room--;
}

static void send_beat(struct l1 *c) {
  c->out.read_valid = false;
  for (unsigned i = 0; i < c->answers.count && !c->out.read_valid; i++) {
    struct access *e = &c->access[c->answers.item[i]];
    if (e->beats_left == 0) continue;
    const unsigned k = (unsigned)__builtin_ctz(e->beats_left);
    e->beats_left &= e->beats_left - 1;
    e->last_beat = c->cycle;
    c->out.read_valid = true;
    c->out.read.tag = e->r.tag;
    c->out.read.beat = (uint8_t)k;
    memcpy(c->out.read.data, e->data + k * c->bytes, c->bytes);
  }
}

static void give_answer(struct l1 *c, unsigned i, struct access *e) {
  c->out.answer_valid = true;
  c->out.answer = (struct heddle_line_port_answer){.tag = e->r.tag};
  if (e->lanes_left != 0) {
    const unsigned l = (unsigned)__builtin_ctz(e->lanes_left);
    e->lanes_left &= e->lanes_left - 1;
    c->out.answer.lane = (uint8_t)l;
    c->out.answer.old = e->old[l];
    return;
  }
  c->out.answer.done = true;
  c->out.answer.err = e->err;
  memmove(&c->answers.item[i], &c->answers.item[i + 1], (--c->answers.count - i) * sizeof *c->answers.item);
}

/* An end comes in a later cycle than the last beat; what was not taken stands. */
static void send_answer(struct l1 *c) {
  for (unsigned i = 0; i < c->answers.count && !c->out.answer_valid; i++) {
    struct access *e = &c->access[c->answers.item[i]];
    if (e->beats_left == 0 && (!gives_data(e) || e->last_beat < c->cycle)) give_answer(c, i, e);
  }
}

void l1_answer(struct l1 *c) {
  give_credit(c);
  send_beat(c);
  send_answer(c);
}
