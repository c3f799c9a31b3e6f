/* SPDX-License-Identifier: Apache-2.0
 *
 * Two SMs before the L1 in C: what they ask for at random, and the rig around them.
 */
#include "l1_rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"

/* Random programs of warps, as requests at the channel of their SM. */

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
  default: {
    const uint32_t low = rig_draw(g, 1u << 16), high = rig_draw(g, 1u << 16), mask = rig_draw(g, 2) ? ~0u : 0x0f0f00ffu;
    return (low | high << 16 | 1u) & mask;
  }
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

#define PATIENCE 20000u /* cycles until nothing is under way */

unsigned rig_draw(struct rig *g, unsigned below) {
  return (unsigned)(splitmix64(&g->rng) >> 33) % below;
}

void rig_fail(struct rig *g, const char *fmt, ...) {
  if (g->wrong[0] != 0) return;
  va_list ap;
  va_start(ap, fmt);
  const int n = snprintf(g->wrong, sizeof g->wrong, "cycle %llu: ", (unsigned long long)g->cycle);
  vsnprintf(g->wrong + n, sizeof g->wrong - (size_t)n, fmt, ap);
  va_end(ap);
}

static void new_caches(struct rig *g, unsigned bug) {
  static const uint32_t bytes[] = {512, 512, 1024, 2048};
  for (unsigned n = 0; n < RIG_SMS; n++) {
    struct l1_options o;
    heddle_l1_usual(&o, g->bits, RIG_TAGS, RIG_ATOMS);
    o.sm = n;
    o.bytes = bytes[rig_draw(g, 4)];
    o.ways = 1u << rig_draw(g, 3);
    o.mshrs = 2 + rig_draw(g, 3);
    o.epoch_bits = 1 + rig_draw(g, 2);
    o.bug = bug;
    g->sm[n].c = heddle_l1_new(&o);
    if (g->sm[n].c == NULL) abort();
  }
}

static void new_memory(struct rig *g, uint64_t seed) {
  struct heddle_line_port_options o = {.size = sizeof o};
  heddle_line_port_adversarial(&o, g->bits, seed);
  if (rig_draw(g, 3) == 0) heddle_line_port_calm(&o, g->bits, 1 + rig_draw(g, 40));
  if (rig_draw(g, 3) == 0) o.latency = 30, o.latency_max = 90;
  o.sms = RIG_SMS;
  o.tags = RIG_TAGS + 4; /* the most fills */
  o.atoms = RIG_ATOMS;
  o.base = (uint64_t)RIG_LINE * HEDDLE_LINE_PORT_LINE;
  o.bytes = RIG_BYTES;
  o.error[0].base = o.base + RIG_BAD * HEDDLE_LINE_PORT_LINE;
  o.error[0].limit = o.error[0].base + HEDDLE_LINE_PORT_LINE;
  g->p = heddle_line_port_new(&o);
  if (g->p == NULL) abort();
}

struct rig *rig_new(uint64_t seed, unsigned bug) {
  static const unsigned bits[] = {32, 64, 128, 256, 512, 1024};
  struct rig *g = calloc(1, sizeof *g);
  if (g == NULL) abort();
  g->rng = seed;
  g->bits = bits[rig_draw(g, 6)];
  g->loads = 55 + 10 * rig_draw(g, 5);
  new_caches(g, bug);
  new_memory(g, seed);
  return g;
}

void rig_free(struct rig *g) {
  for (unsigned n = 0; n < RIG_SMS; n++) heddle_l1_free(g->sm[n].c);
  for (unsigned i = 0; i < RIG_BYTES; i++) free(g->byte[i].v);
  heddle_line_port_free(g->p);
  free(g);
}

/* ---- a cycle ------------------------------------------------------------------------------------ */

static void sm_cycle(struct rig *g, unsigned n) {
  struct sm *m = &g->sm[n];
  const struct heddle_line_port_out *o = heddle_l1_show(m->c);
  struct heddle_line_port_in in = {.answer_ready = rig_draw(g, 4) != 0};
  if (o->credit_valid && o->credit_atom) m->atoms++;
  if (o->credit_valid && !o->credit_atom) m->credits++;
  if (o->read_valid) rig_beat(g, n, &o->read);
  if (o->answer_valid && in.answer_ready) rig_answer(g, n, &o->answer);
  rig_drive(g, n, &in);
  heddle_l1_offer(m->c, &in);
  heddle_l1_hear(m->c, heddle_line_port_show(g->p, n));
  heddle_line_port_offer(g->p, n, heddle_l1_ask(m->c));
}

static void cycle(struct rig *g) {
  rig_records(g);
  for (unsigned n = 0; n < RIG_SMS; n++) rig_events(g, n);
  for (unsigned n = 0; n < RIG_SMS; n++) sm_cycle(g, n);
  for (unsigned n = 0; n < RIG_SMS; n++) {
    heddle_l1_clock(g->sm[n].c);
    if (heddle_l1_error(g->sm[n].c) != NULL) rig_fail(g, "%s", heddle_l1_error(g->sm[n].c));
  }
  heddle_line_port_clock(g->p);
  if (heddle_line_port_error(g->p) != NULL) rig_fail(g, "%s", heddle_line_port_error(g->p));
  g->cycle++;
}

/* ---- launches ----------------------------------------------------------------------------------- */

static void launch(struct rig *g) {
  uint8_t *bytes = heddle_line_port_contents(g->p);
  for (unsigned i = 0; i < RIG_BYTES; i++) bytes[i] = g->shadow[i] = (uint8_t)rig_draw(g, 256);
  rig_forget(g);
  for (unsigned n = 0; n < RIG_SMS; n++) {
    struct sm *m = &g->sm[n];
    m->credits = m->atoms = m->number = m->emptied = 0;
    memset(m->asked, 0, sizeof m->asked);
    for (unsigned s = 0; s < RIG_SLOTS; s++) m->warp[s].floor = m->warp[s].release = m->warp[s].seen_release = 0;
    heddle_l1_reset(m->c);
  }
  heddle_line_port_reset(g->p);
  g->position = 0;
}

static bool idle(const struct rig *g) {
  bool all = heddle_line_port_idle(g->p);
  for (unsigned n = 0; n < RIG_SMS; n++) {
    all = all && heddle_l1_idle(g->sm[n].c) && g->sm[n].credits == RIG_TAGS && g->sm[n].atoms == RIG_ATOMS;
    for (unsigned s = 0; s < RIG_SLOTS; s++) all = all && g->sm[n].warp[s].ops == 0 && g->sm[n].warp[s].state == RUNS;
  }
  return all;
}

static void drain(struct rig *g) {
  g->draining = true;
  for (unsigned i = 0; i < PATIENCE && g->wrong[0] == 0 && !idle(g); i++) cycle(g);
  if (g->wrong[0] == 0 && !idle(g)) rig_fail(g, "hangs: something is under way after %u cycles", PATIENCE);
  if (g->wrong[0] == 0 && memcmp(heddle_line_port_contents(g->p), g->shadow, RIG_BYTES) != 0)
    rig_fail(g, "memory is not what was written");
  g->draining = false;
}

void rig_run(struct rig *g, unsigned launches, unsigned cycles) {
  for (unsigned k = 0; k < launches && g->wrong[0] == 0; k++) {
    launch(g);
    for (unsigned i = 0; i < cycles && g->wrong[0] == 0; i++) cycle(g);
    if (g->wrong[0] == 0) drain(g);
  }
  const struct l1_stats *s = heddle_l1_statistics(g->sm[0].c);
  g->stats = *s;
}
