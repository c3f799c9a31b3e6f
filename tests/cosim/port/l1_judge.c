/* SPDX-License-Identifier: Apache-2.0
 *
 * What a read may give: of each byte the versions that were written, and of each warp which of them are too old for it.
 * A warp's accesses are judged in program order, once all older ones have ended.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/cosim/port/l1_rig.h"

static struct op *find(struct rig *g, unsigned sm, unsigned slot, uint32_t seq) {
  struct warp *w = &g->sm[sm].warp[slot];
  for (unsigned i = 0; i < w->ops; i++)
    if (warp_op(w, i)->r.seq == seq) return warp_op(w, i);
  rig_fail(g, "SM %u slot %u seq %u: something is told of an access that is not under way", sm, slot, seq);
  return NULL;
}

static unsigned word_at(const struct op *o, unsigned lane) {
  return o->r.is_local ? lane : (lane + 5u * o->r.slot) % 32;
}

static bool is_strong(const struct op *o) {
  return o->r.kind == HEDDLE_LINE_PORT_LOAD && !o->r.is_local && o->r.scope >= HEDDLE_LINE_PORT_GPU;
}

static bool writes(const struct op *o) {
  return o->r.kind == HEDDLE_LINE_PORT_STORE || o->r.kind == HEDDLE_LINE_PORT_ATOM;
}

/* ---- what memory has performed ------------------------------------------------------------------ */

static void add_version(struct byte *b, struct version v) {
  if (b->count == b->room) {
    b->room = b->room != 0 ? 2 * b->room : 8;
    b->v = realloc(b->v, b->room * sizeof *b->v);
    if (b->v == NULL) abort();
  }
  b->v[b->count++] = v;
}

void rig_forget(struct rig *g) {
  memset(g->known, 0, sizeof g->known);
  memset(g->seen, 0, sizeof g->seen);
  for (unsigned i = 0; i < RIG_BYTES; i++) {
    g->byte[i].count = 0;
    add_version(&g->byte[i], (struct version){.at = 0, .value = g->shadow[i], .warp = 255});
  }
}

static const struct version *version_at(const struct rig *g, unsigned at, uint64_t position) {
  const struct byte *b = &g->byte[at];
  unsigned i = b->count;
  while (i > 1 && b->v[i - 1].at > position) i--;
  return &b->v[i - 1];
}

static void write_sector(struct rig *g, struct op *o, const struct heddle_line_port_record *r, unsigned s) {
  const bool store = o->r.kind == HEDDLE_LINE_PORT_STORE;
  const unsigned me = warp_number(r->sm, r->slot);
  const struct warp *w = &g->sm[r->sm].warp[r->slot];
  struct version v = {.at = (uint32_t)++g->position, .warp = (uint8_t)me, .seq = r->seq, .release = w->release};
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_SECTOR; i++) {
    const unsigned at = o->place * HEDDLE_LINE_PORT_LINE + s * HEDDLE_LINE_PORT_SECTOR + i;
    const bool wanted = (o->store_strb[s] >> i & 1u) != 0, done = (r->wstrb >> i & 1u) != 0;
    if (store && (wanted != done || (done && r->wdata[i] != o->store[HEDDLE_LINE_PORT_SECTOR * s + i])))
      rig_fail(g, "seq %u byte %u: writes %d 0x%02x, was given %d 0x%02x", r->seq, 32 * s + i, done, r->wdata[i],
               wanted, o->store[HEDDLE_LINE_PORT_SECTOR * s + i]);
    if (!done) continue;
    g->shadow[at] = v.value = r->wdata[i];
    add_version(&g->byte[at], v);
  }
  o->strb[s] = r->wstrb;
  o->written[s] = v.at;
}

/* Fills that were asked for before a store passed are read before it is performed. */
static void judge_order(struct rig *g, const struct op *o, const struct sm *m) {
  for (unsigned i = 0; i < 64; i++) {
    const struct asked *a = &m->asked[i];
    if (a->sectors != 0 && a->place == o->place && a->number <= o->number && o->dropped != 0)
      rig_fail(g, "seq %u is performed before fill %u, which passed before it", o->r.seq, a->number);
  }
  for (unsigned s = 0; s < RIG_SLOTS; s++)
    for (unsigned i = 0; i < m->warp[s].ops; i++) {
      const struct op *b = &m->warp[s].op[(m->warp[s].head + i) % RIG_OPS];
      const bool both_read = !writes(b) && !writes(o);
      if (b != o && b->dropped != 0 && b->place == o->place && !b->performed && b->number < o->number && !both_read)
        rig_fail(g, "seq %u is performed before one of its line that passed before it", o->r.seq);
    }
}

static void judge_fill(struct rig *g, struct sm *m, const struct heddle_line_port_record *r) {
  struct asked *a = &m->asked[r->number % 64];
  const unsigned s = r->sector % 4;
  if (a->number != r->number || (a->sectors >> s & 1u) == 0)
    rig_fail(g, "fill %u of sector %u was not asked for", r->number, s);
  a->sectors &= ~(1u << s);
  for (unsigned k = 0; k < RIG_SLOTS; k++)
    for (unsigned i = 0; i < m->warp[k].ops; i++) {
      const struct op *o = warp_op(&m->warp[k], i);
      if (o->dropped != 0 && !o->performed && o->place == a->place && o->number < r->number)
        rig_fail(g, "fill %u is read before seq %u, which passed before it", r->number, o->r.seq);
    }
}

static void judge_record(struct rig *g, const struct heddle_line_port_record *r) {
  struct sm *m = &g->sm[r->sm];
  const unsigned s = r->sector % 4;
  if (r->fill) {
    judge_fill(g, m, r);
    return;
  }
  struct op *o = find(g, r->sm, r->slot, r->seq);
  if (o == NULL) return;
  if (m->warp[r->slot].fences != 0) rig_fail(g, "seq %u is performed while its fence waits", r->seq);
  if (!o->performed) judge_order(g, o, m);
  memcpy(o->was + HEDDLE_LINE_PORT_SECTOR * s, r->rdata, HEDDLE_LINE_PORT_SECTOR);
  o->performed = true;
  o->performed_at = g->position;
  if (writes(o)) write_sector(g, o, r, s);
}

void rig_records(struct rig *g) {
  const struct heddle_line_port_record *r;
  const unsigned n = heddle_line_port_records(g->p, &r);
  for (unsigned i = 0; i < n && g->wrong[0] == 0; i++) judge_record(g, &r[i]);
}

/* ---- what the cache shows ----------------------------------------------------------------------- */

/* What was taken or asked for before everything was given up serves nobody who passes later. */
static void judge_open(struct rig *g, const struct sm *m, const struct l1_event *e, unsigned s) {
  if (e->number[s] != 0 && e->number[s] <= m->emptied)
    rig_fail(g, "seq %u reads fill %u, from before the cache was emptied", e->seq, e->number[s]);
}

static void on_merge(struct rig *g, struct sm *m, struct op *o, const struct l1_event *e) {
  const uint32_t before = m->number;
  o->merged = e->sectors;
  for (unsigned s = 0; s < 4; s++) {
    if ((e->sectors >> s & 1) == 0) continue;
    struct asked *a = &m->asked[e->number[s] % 64];
    judge_open(g, m, e, s);
    if (e->number[s] == before + 1) {
      if (a->number != e->number[s]) *a = (struct asked){.number = e->number[s], .place = o->place};
      a->sectors |= 1u << s;
      m->number = before + 1;
    } else if (e->number[s] == 0 || e->number[s] > before) {
      rig_fail(g, "fill %u is asked for after fill %u", e->number[s], before);
    }
  }
}

static void on_ack(struct rig *g, struct op *o) {
  if (!writes(o) || !o->performed) rig_fail(g, "seq %u is acknowledged, but not performed", o->r.seq);
  if (o->acked++ != 0) rig_fail(g, "seq %u is acknowledged twice", o->r.seq);
}

static void on_fence(struct rig *g, unsigned n, const struct l1_event *e) {
  struct warp *w = &g->sm[n].warp[e->slot];
  for (unsigned k = 0; k < RIG_SLOTS; k++)
    for (unsigned i = 0; i < g->sm[n].warp[k].ops; i++) {
      struct op *o = warp_op(&g->sm[n].warp[k], i);
      if ((o->awaited >> e->slot & 1u) != 0 && (!o->performed || o->acked == 0))
        rig_fail(g, "a fence of slot %u is done before seq %u of slot %u", e->slot, o->r.seq, k);
      o->awaited &= ~(1u << e->slot);
    }
  if (w->fences-- == 0) rig_fail(g, "a fence of slot %u that there was not", e->slot);
  if (e->scope == L1_GPU) w->release = g->position;
}

static void on_event(struct rig *g, unsigned n, const struct l1_event *e) {
  struct sm *m = &g->sm[n];
  if (e->kind == L1_FENCE) on_fence(g, n, e);
  if (e->kind == L1_DROP && e->all) m->emptied = m->number;
  if (e->kind == L1_FENCE || (e->kind == L1_DROP && e->cause > L1_STRONG)) return;
  struct op *o = find(g, n, e->slot, e->seq);
  if (o == NULL) return;
  if (e->kind != L1_ACK && m->warp[e->slot].fences != 0) rig_fail(g, "seq %u passes while its fence waits", e->seq);
  if (e->kind == L1_ACK) on_ack(g, o);
  if (e->kind == L1_MERGE) on_merge(g, m, o, e);
  if (e->kind == L1_DROP) {
    if (o->dropped++ != 0 || e->sectors != o->r.sectors) rig_fail(g, "seq %u drops twice, or others", e->seq);
    o->number = m->number;
  }
  if (e->kind == L1_HIT) {
    if ((o->hit & e->sectors) != 0) rig_fail(g, "seq %u is served twice", e->seq);
    o->hit |= e->sectors;
    for (unsigned s = 0; s < 4; s++)
      if ((e->sectors >> s & 1) != 0 && (o->merged >> s & 1u) == 0) judge_open(g, m, e, s);
  }
}

void rig_events(struct rig *g, unsigned n) {
  const struct l1_event *e;
  const unsigned count = heddle_l1_events(g->sm[n].c, &e);
  for (unsigned i = 0; i < count && g->wrong[0] == 0; i++) on_event(g, n, &e[i]);
}

void rig_fence(struct rig *g, unsigned n, unsigned slot, enum l1_scope scope) {
  struct sm *m = &g->sm[n];
  struct warp *w = &m->warp[slot];
  for (unsigned k = 0; k < RIG_SLOTS && scope == L1_GPU; k++)
    for (unsigned i = 0; i < m->warp[k].ops; i++) {
      struct op *o = warp_op(&m->warp[k], i);
      if (writes(o) && o->dropped != 0 && o->place != RIG_BAD) o->awaited |= 1u << slot;
    }
  w->fences++;
  if (scope == L1_GPU && w->seen_release > w->floor) w->floor = w->seen_release;
  if (!heddle_l1_fence(m->c, (uint8_t)slot, 1, w->seq, scope)) rig_fail(g, "no room for a fence");
}

void rig_meet(struct rig *g, unsigned n) {
  for (unsigned i = 0; i < RIG_BYTES; i++) {
    uint32_t most = 0;
    for (unsigned s = 0; s < RIG_SLOTS; s++) {
      const uint32_t k = g->known[warp_number(n, s)][i];
      if (g->sm[n].warp[s].state == WANTS_BARRIER && k > most) most = k;
    }
    for (unsigned s = 0; s < RIG_SLOTS; s++)
      if (g->sm[n].warp[s].state == WANTS_BARRIER) g->known[warp_number(n, s)][i] = most;
  }
  for (unsigned s = 0; s < RIG_SLOTS; s++)
    if (g->sm[n].warp[s].state == WANTS_BARRIER) g->sm[n].warp[s].state = RUNS;
}

/* ---- values ------------------------------------------------------------------------------------- */

/* The oldest version that the byte may be; NULL: it can be none. */
static const struct version *allowed(const struct rig *g, unsigned me, const struct op *o, unsigned at, uint8_t value) {
  const uint32_t known = g->known[me][at], seen = g->seen[me][at], bound = known > seen ? known : seen;
  const struct byte *b = &g->byte[at];
  const struct version *found = NULL;
  /* A copy has what a store to local memory writes before memory has; nobody else looks. */
  const uint64_t until = o->r.is_local ? UINT64_MAX : o->ended_at;
  if (bound > until) return NULL; /* what it must see has not been performed */
  for (unsigned i = b->count; i-- > 0;) {
    const struct version *v = &b->v[i];
    if (v->at > until) continue;
    if (i + 1 < b->count && v[1].at <= o->floor) break;
    if (v->value == value && !(v->warp == me && v->seq > o->r.seq)) found = v;
    if (v->at <= bound) break;
  }
  return found;
}

static void judge_byte(struct rig *g, unsigned me, struct warp *w, const struct op *o, unsigned i) {
  const unsigned at = o->place * HEDDLE_LINE_PORT_LINE + i;
  const struct version *v = allowed(g, me, o, at, o->got[i]);
  g->judged++;
  if (v == NULL) {
    rig_fail(g, "SM %u slot %u seq %u: byte %u of line %u is 0x%02x: too old, or nobody's", o->r.sm, o->r.slot,
             o->r.seq, i, o->place, o->got[i]);
    return;
  }
  if (v->at > g->seen[me][at]) g->seen[me][at] = v->at;
  if (v->release > w->seen_release) w->seen_release = v->release;
}

/* What a strong load or an atomic found is what was there. */
static void judge_strong(struct rig *g, unsigned me, struct warp *w, const struct op *o, unsigned lane) {
  const unsigned i = 4 * word_at(o, lane), at = o->place * HEDDLE_LINE_PORT_LINE + i;
  const bool atom = o->r.kind == HEDDLE_LINE_PORT_ATOM;
  uint32_t old = (uint32_t)o->old[lane];
  if (!atom) memcpy(&old, o->got + i, 4);
  if ((!atom || o->r.gives) && memcmp(&old, o->was + i, 4) != 0)
    rig_fail(g, "seq %u lane %u: not what memory had", o->r.seq, lane);
  if (atom && !o->r.gives) return;
  for (unsigned k = 0; k < 4; k++) {
    const struct version *v = version_at(g, at + k, o->performed_at);
    if (v->at > g->seen[me][at + k]) g->seen[me][at + k] = v->at;
    if (v->release > w->seen_release) w->seen_release = v->release;
  }
}

static void judge_written(struct rig *g, unsigned me, const struct op *o) {
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_LINE; i++) {
    const unsigned s = i / HEDDLE_LINE_PORT_SECTOR, at = o->place * HEDDLE_LINE_PORT_LINE + i;
    if ((o->strb[s] >> i % HEDDLE_LINE_PORT_SECTOR & 1u) != 0) g->known[me][at] = o->written[s];
  }
  if (o->acked != (o->r.is_local ? 0 : 1)) rig_fail(g, "seq %u has ended without its acknowledgement", o->r.seq);
}

static void judge_op(struct rig *g, unsigned me, struct warp *w, const struct op *o) {
  const bool strong = writes(o) || is_strong(o);
  if (o->err != (o->place == RIG_BAD)) rig_fail(g, "seq %u: an error, or none", o->r.seq);
  if (o->err) return;
  if (strong && !o->performed) rig_fail(g, "seq %u has ended, and was not performed", o->r.seq);
  if (!strong && o->hit != o->r.sectors) rig_fail(g, "seq %u has ended, and was not served", o->r.seq);
  for (unsigned l = 0; l < 32 && g->wrong[0] == 0; l++) {
    if ((o->r.lanes >> l & 1u) == 0 || o->r.kind == HEDDLE_LINE_PORT_STORE) continue;
    if (strong) judge_strong(g, me, w, o, l);
    for (unsigned k = 0; k < 4 && !strong; k++) judge_byte(g, me, w, o, 4 * word_at(o, l) + k);
  }
  if (writes(o)) judge_written(g, me, o);
}

/* ---- answers ------------------------------------------------------------------------------------ */

void rig_beat(struct rig *g, unsigned n, const struct heddle_line_port_read *b) {
  struct op *o = b->tag < RIG_TAGS ? g->sm[n].by_tag[b->tag] : NULL;
  if (o == NULL && (g->sm[n].fetches >> b->tag & 1u) == 0) rig_fail(g, "a beat of tag %u, which is free", b->tag);
  if (o != NULL) memcpy(o->got + b->beat * (g->bits / 8), b->data, g->bits / 8);
}

void rig_answer(struct rig *g, unsigned n, const struct heddle_line_port_answer *a) {
  struct sm *m = &g->sm[n];
  struct op *o = a->tag < RIG_TAGS ? m->by_tag[a->tag] : NULL;
  if (o == NULL) {
    if ((m->fetches >> a->tag & 1u) == 0) rig_fail(g, "an answer of tag %u, which is free", a->tag);
    m->fetches &= ~(1u << a->tag);
    return;
  }
  if (!a->done) {
    o->old[a->lane] = a->old;
    o->answered |= 1u << a->lane;
    return;
  }
  o->ended = true;
  o->err = a->err;
  o->ended_at = g->position;
  if (!a->err && o->answered != (o->r.kind == HEDDLE_LINE_PORT_ATOM && o->r.gives ? o->r.lanes : 0))
    rig_fail(g, "seq %u: lanes are missing", o->r.seq);
  m->by_tag[a->tag] = NULL;
  struct warp *w = &m->warp[o->r.slot];
  for (; w->ops != 0 && w->op[w->head].ended && g->wrong[0] == 0; w->ops--) {
    judge_op(g, warp_number(n, o->r.slot), w, &w->op[w->head]);
    w->head = (w->head + 1) % RIG_OPS;
  }
}
