/* SPDX-License-Identifier: Apache-2.0
 */
#include "l1_rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

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
