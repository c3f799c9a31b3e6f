/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs of warps, as requests at the channel of their SM.
 */
#include <string.h>

#include "tests/cosim/port/l1_rig.h"

/* A lane has a word of a line for itself, which depends on its warp: so what a lane has seen is what its warp has. */
static unsigned word_of(const struct op *o, unsigned lane) {
  return o->r.is_local ? lane : (lane + 5u * o->r.slot) % 32;
}

static uint32_t draw_lanes(struct rig *g, bool whole) {
  switch (rig_draw(g, whole ? 3 : 6)) {
  case 0:
    return ~0u;
  case 1:
    return 0xffu << 8 * rig_draw(g, 4);
  case 2:
    return 0xffffu << 8 * rig_draw(g, 3);
  case 3:
    return 1u << rig_draw(g, 32);
  default:
    return (rig_draw(g, 1u << 16) | rig_draw(g, 1u << 16) << 16 | 1u) & (rig_draw(g, 2) != 0 ? ~0u : 0x0f0f00ffu);
  }
}

static void place_lanes(struct rig *g, struct op *o) {
  const bool whole = o->r.is_local && o->r.kind == HEDDLE_LINE_PORT_STORE && rig_draw(g, 3) != 0;
  o->r.lanes = draw_lanes(g, whole);
  for (unsigned l = 0; l < 32; l++) {
    o->r.at[l] = (uint8_t)(word_of(o, l) / 8);
    if ((o->r.lanes >> l & 1u) != 0) o->r.sectors |= (uint8_t)(1u << o->r.at[l]);
  }
}

/* ---- beats -------------------------------------------------------------------------------------- */

static void write_word(struct rig *g, struct sm *m, struct op *o, unsigned word, unsigned bytes) {
  const unsigned size = g->bits / 8, beat = 4 * word / size, at = 4 * word % size;
  const uint32_t v = ++g->values * 0x9e3779b1u;
  struct heddle_line_port_write *w = m->beats != 0 ? &m->beat[m->beats - 1] : NULL;
  if (w == NULL || w->beat != beat || (w->strb[at / 64] >> at % 64 & 15u) != 0) {
    if (m->beats == RIG_BEATS) return;
    w = &m->beat[m->beats++];
    *w = (struct heddle_line_port_write){.beat = (uint8_t)beat};
  }
  w->strb[at / 64] |= (uint64_t)bytes << at % 64;
  memcpy(w->data + at, &v, 4);
  for (unsigned i = 0; i < 4; i++)
    if ((bytes >> i & 1u) != 0) memcpy(&o->store[4 * word + i], w->data + at + i, 1);
  o->store_strb[word / 8] |= bytes << 4 * (word % 8);
}

static void make_store(struct rig *g, struct sm *m, struct op *o) {
  static const unsigned parts[4] = {1, 2, 12, 6};
  const bool twice = rig_draw(g, 4) == 0;
  for (unsigned turn = 0; turn < (twice ? 2u : 1u); turn++)
    for (unsigned w = 0; w < 32; w++)
      for (unsigned l = 0; l < 32; l++)
        if ((o->r.lanes >> l & 1u) != 0 && word_of(o, l) == w)
          write_word(g, m, o, w, rig_draw(g, 4) == 0 && !o->r.is_local ? parts[rig_draw(g, 4)] : 15u);
}

static void make_atomic(struct rig *g, struct sm *m, struct op *o) {
  o->r.op = rig_draw(g, 2) != 0 ? 26 : 0; /* exchange, add */
  o->r.gives = rig_draw(g, 3) != 0;
  for (unsigned l = 0; l < 32; l++) {
    const uint32_t v = ++g->values * 0x9e3779b1u;
    if ((o->r.lanes >> l & 1u) == 0) continue;
    struct heddle_line_port_write *w = &m->beat[m->beats++];
    *w = (struct heddle_line_port_write){.atom = true, .lane = (uint8_t)l, .place = (uint8_t)word_of(o, l)};
    memcpy(w->data, &v, 4);
  }
}

/* ---- requests ----------------------------------------------------------------------------------- */

static int free_tag(struct rig *g, const struct sm *m) {
  const unsigned t = rig_draw(g, RIG_TAGS);
  return m->by_tag[t] == NULL && (m->fetches >> t & 1u) == 0 ? (int)t : -1;
}

static uint8_t draw_kind(struct rig *g) {
  const unsigned k = rig_draw(g, 100);
  return k < g->loads                              ? HEDDLE_LINE_PORT_LOAD
         : k < g->loads + 2 * (100 - g->loads) / 3 ? HEDDLE_LINE_PORT_STORE
                                                   : HEDDLE_LINE_PORT_ATOM;
}

static void draw_line(struct rig *g, struct op *o, unsigned n) {
  const unsigned k = rig_draw(g, 100);
  o->place = k < 60 ? rig_draw(g, 3) : rig_draw(g, RIG_GLOBALS);
  if (k >= 98) o->place = RIG_BAD;
  if (k >= 75 && k < 95 && o->r.kind != HEDDLE_LINE_PORT_ATOM) {
    const unsigned i = rig_draw(g, 2);
    o->place = RIG_LOCAL + 2 * warp_number(n, o->r.slot) + i;
    o->r.is_local = true;
    o->r.word = RIG_LINE + i; /* as global lines are called */
  }
  o->r.line = RIG_LINE + o->place;
}

static void draw_scope(struct rig *g, struct op *o) {
  static const uint8_t scope[8] = {0, 0, 0, 0, 0, 1, 2, 3};
  o->r.scope = o->r.is_local ? HEDDLE_LINE_PORT_WEAK : scope[rig_draw(g, 8)];
}

static void new_op(struct rig *g, unsigned n, unsigned slot, unsigned tag) {
  struct sm *m = &g->sm[n];
  struct warp *w = &m->warp[slot];
  const uint8_t kind = draw_kind(g);
  if (w->ops == RIG_OPS || (kind == HEDDLE_LINE_PORT_ATOM && m->atoms == 0)) return;
  struct op *o = warp_op(w, w->ops++);
  memset(o, 0, sizeof *o);
  o->r = (struct heddle_line_port_request){.sm = (uint8_t)n, .tag = (uint16_t)tag, .kind = kind, .slot = (uint8_t)slot};
  o->r.gen = 1;
  o->r.seq = ++w->seq;
  o->floor = w->floor;
  draw_line(g, o, n);
  draw_scope(g, o);
  place_lanes(g, o);
  m->beats = m->sent = 0;
  if (kind == HEDDLE_LINE_PORT_STORE) make_store(g, m, o);
  if (kind == HEDDLE_LINE_PORT_ATOM) make_atomic(g, m, o);
  m->by_tag[tag] = m->making = o;
}

static void fetch(struct sm *m, unsigned n, unsigned tag, struct heddle_line_port_in *in) {
  m->fetches |= 1u << tag;
  m->credits--;
  in->request_valid = true;
  in->request =
      (struct heddle_line_port_request){.sm = (uint8_t)n, .tag = (uint16_t)tag, .kind = HEDDLE_LINE_PORT_FETCH};
  in->request.line = RIG_LINE + RIG_FETCHED;
  in->request.sectors = 15;
}

static void begin(struct rig *g, unsigned n, struct heddle_line_port_in *in) {
  struct sm *m = &g->sm[n];
  const unsigned slot = rig_draw(g, RIG_SLOTS), k = rig_draw(g, 100);
  const int tag = free_tag(g, m);
  struct warp *w = &m->warp[slot];
  if (m->credits == 0 || tag < 0) return;
  if (k < 2)
    fetch(m, n, (unsigned)tag, in);
  else if (w->state != RUNS)
    return;
  else if (k < 7)
    w->state = k < 6 ? WANTS_FENCE : WANTS_EMPTY;
  else if (k < 8)
    w->state = WANTS_BARRIER;
  else
    new_op(g, n, slot, (unsigned)tag);
}

/* What waits for all earlier accesses of its warp, as the RTL's MEMBAR and BAR do. */
static void synchronise(struct rig *g, unsigned n) {
  struct sm *m = &g->sm[n];
  unsigned arrived = 0;
  for (unsigned s = 0; s < RIG_SLOTS; s++) {
    struct warp *w = &m->warp[s];
    if (w->ops != 0) continue;
    if (w->fences == 0 && (w->state == WANTS_FENCE || w->state == WANTS_EMPTY)) {
      rig_fence(g, n, s, w->state == WANTS_FENCE ? L1_GPU : L1_EMPTY);
      w->state = RUNS;
    }
    if (w->state == WANTS_BARRIER) arrived++;
  }
  if (arrived != RIG_SLOTS && !(g->draining && arrived != 0)) return;
  rig_meet(g, n);
}

void rig_drive(struct rig *g, unsigned n, struct heddle_line_port_in *in) {
  struct sm *m = &g->sm[n];
  synchronise(g, n);
  if (m->making == NULL && !g->draining && rig_draw(g, 4) != 0) begin(g, n, in);
  if (m->making == NULL || in->request_valid) return;
  if (m->sent < m->beats && rig_draw(g, 8) != 0) {
    in->write_valid = true;
    in->write = m->beat[m->sent++];
  }
  if (m->sent != m->beats || rig_draw(g, 4) == 0) return;
  struct op *o = m->making;
  in->request_valid = true;
  in->request = o->r;
  o->requested = true;
  m->credits--;
  if (o->r.kind == HEDDLE_LINE_PORT_ATOM) m->atoms--;
  m->making = NULL;
}
