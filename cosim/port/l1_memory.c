/* SPDX-License-Identifier: Apache-2.0
 *
 * The side of memory: what leaves and comes back, and the loads that wait for it.
 */
#include <string.h>
#include "cosim/port/l1_internal.h"

/* Fills: sectors that memory was asked for, and the loads that wait for them. Whoever waits is served from what has
 * come, one load a cycle, whatever has become of the array. */

int l1_fill_free(const struct l1 *c) {
  for (unsigned i = 0; i < c->o.mshrs; i++)
    if (!c->fill[i].used || (bug(c, BUG_MSHR_REUSED) && !c->fill[i].came && c->fill[i].join == 0)) return (int)i;
  return -1;
}

void l1_fill_begin(struct l1 *c, unsigned i, const struct access *e, unsigned sectors) {
  struct fill *f = &c->fill[i];
  if (!f->used) c->busy++;
  memset(f, 0, sizeof *f);
  f->used = true;
  f->name = e->name;
  f->join = f->keep = (uint8_t)sectors;
  f->r = (struct heddle_line_port_request){
      .sm = (uint8_t)c->o.sm, .tag = (uint16_t)(c->o.tags + i), .kind = HEDDLE_LINE_PORT_FILL};
  f->r.line = e->r.line;
  f->r.sectors = (uint8_t)sectors;
  f->r.is_local = e->r.is_local;
  f->r.slot = e->r.slot;
  f->r.word = e->r.word;
  f->r.number = ++c->number;
  c->stats.fills++;
  l1_leave(c, true, i);
}

static void give_up_line(struct l1 *c, const struct fill *f) {
  struct l1_event *e = l1_event(c, L1_DROP, NULL);
  e->line = f->name.key;
  e->is_local = f->name.is_local;
  e->sectors = f->r.sectors;
  e->cause = L1_ERROR;
}

static void keep_fill(struct l1 *c, struct fill *f) {
  uint8_t data[HEDDLE_LINE_PORT_LINE];
  memcpy(data, f->data, sizeof data);
  if (bug(c, BUG_BEAT_LOST)) memset(data + f->last_beat * c->bytes, 0, c->bytes);
  const unsigned sectors = bug(c, BUG_VALID_ALL) ? 15u : f->keep;
  f->way = l1_keep(c, f->name, sectors, data, f->r.number, bug(c, BUG_FILL_SET) && c->sets > 1);
}

static void l1_fill_end(struct l1 *c, struct fill *f, bool err) {
  f->came = true;
  f->err = err && !bug(c, BUG_ERROR_KEPT);
  if (f->err)
    give_up_line(c, f);
  else if (f->keep != 0)
    keep_fill(c, f);
  f->join = f->keep = 0;
}

/* ---- those that wait ---------------------------------------------------------------------------- */

static unsigned waited_for(const struct access *e, unsigned fill) {
  unsigned sectors = 0;
  if (e->where != WAITS) return 0;
  for (unsigned s = 0; s < SECTORS; s++)
    if ((e->missing >> s & 1) != 0 && e->on[s] == fill) sectors |= 1u << s;
  return sectors;
}

static struct access *oldest(struct l1 *c, unsigned fill) {
  struct access *found = NULL;
  for (unsigned t = 0; t < c->o.tags; t++) {
    struct access *e = &c->access[t];
    if (waited_for(e, fill) != 0 && (found == NULL || e->order < found->order)) found = e;
  }
  return found;
}

static void hand_over(struct l1 *c, const struct fill *f, struct access *e, unsigned sectors) {
  const uint8_t *from = bug(c, BUG_REPLACED) ? c->ways[f->way].data : f->data;
  struct l1_event *h = l1_event(c, L1_HIT, e);
  const bool swap = bug(c, BUG_ANSWER_SWAP) && __builtin_popcount(sectors) == 2;
  const unsigned first = (unsigned)__builtin_ctz(sectors), last = 31 - (unsigned)__builtin_clz(sectors);
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((sectors >> s & 1u) == 0) continue;
    const unsigned of = swap ? first + last - s : s;
    memcpy(e->data + HEDDLE_LINE_PORT_SECTOR * s, from + HEDDLE_LINE_PORT_SECTOR * of, HEDDLE_LINE_PORT_SECTOR);
    h->number[s] = f->r.number;
  }
  h->sectors = (uint8_t)sectors;
  h->lanes = lanes_in(&e->r, sectors);
}

static void serve_load(struct l1 *c, unsigned i, struct access *e) {
  const struct fill *f = &c->fill[i];
  const unsigned sectors = waited_for(e, i);
  e->err = e->err || f->err;
  if (!f->err) hand_over(c, f, e, sectors);
  e->missing &= (uint8_t)~sectors;
  e->waits--;
  if (bug(c, BUG_SERVED_TWICE) && e->waits == 1) e->waits = 0;
  if (e->waits == 0) l1_ready(c, e);
}

void l1_serve(struct l1 *c) {
  for (unsigned i = 0; i < c->o.mshrs; i++) {
    struct fill *f = &c->fill[i];
    if (!f->used || !f->came) continue;
    struct access *e = oldest(c, i);
    if (e != NULL) serve_load(c, i, e);
    if (e != NULL) c->moved = c->cycle;
    if (oldest(c, i) == NULL || bug(c, BUG_MSHR_EARLY)) {
      f->used = false;
      c->busy--;
    }
    if (e != NULL) return;
  }
}

/* The side of memory: what leaves, beats first, in the order of passes; what comes back. */

static const struct heddle_line_port_request *request_of(const struct l1 *c, struct item i) {
  return i.is_fill ? &c->fill[i.index].r : &c->access[i.index].r;
}

/* ---- order -------------------------------------------------------------------------------------- */

static bool may_go_first(const struct l1 *c, const struct heddle_line_port_request *r) {
  return (bug(c, BUG_STORE_FIRST) && r->kind == HEDDLE_LINE_PORT_STORE) ||
         (bug(c, BUG_FILL_FIRST) && r->kind == HEDDLE_LINE_PORT_FILL) ||
         (bug(c, BUG_STRONG_FIRST) && r->kind == HEDDLE_LINE_PORT_LOAD);
}

void l1_leave(struct l1 *c, bool is_fill, unsigned index) {
  const struct item n = {is_fill, (uint16_t)index};
  const struct heddle_line_port_request *r = request_of(c, n);
  unsigned at = c->leaves;
  for (unsigned i = c->leaves; may_go_first(c, r) && i-- > (c->leaves_now ? 1u : 0u);) {
    const struct heddle_line_port_request *o = request_of(c, c->leaving[i]);
    if (o->line != r->line) continue;
    if ((o->kind == HEDDLE_LINE_PORT_STORE) == (r->kind == HEDDLE_LINE_PORT_STORE)) break;
    at = i;
  }
  memmove(&c->leaving[at + 1], &c->leaving[at], (c->leaves - at) * sizeof n);
  c->leaving[at] = n;
  c->leaves++;
}

/* ---- beats -------------------------------------------------------------------------------------- */

static bool store_beat(const struct l1 *c, const struct gathered *g, unsigned k, struct heddle_line_port_write *w) {
  uint64_t strb[2] = {0, 0};
  for (unsigned i = 0; i < c->bytes; i++) {
    const unsigned at = k * c->bytes + i;
    if ((g->strb[at / 64] >> at % 64 & 1u) != 0) strb[i / 64] |= UINT64_C(1) << i % 64;
  }
  if ((strb[0] | strb[1]) == 0) return false;
  *w = (struct heddle_line_port_write){.beat = (uint8_t)k, .strb = {strb[0], strb[1]}};
  memcpy(w->data, g->data + k * c->bytes, c->bytes);
  return true;
}

static bool atom_beat(const struct l1 *c, const struct gathered *g, unsigned k, struct heddle_line_port_write *w) {
  const unsigned size = c->bytes < 16 ? c->bytes : 16, pieces = 16 / size, l = k / pieces, piece = k % pieces;
  if ((g->lanes >> l & 1u) == 0 || (g->pieces[l] >> piece & 1u) == 0) return false;
  *w = (struct heddle_line_port_write){.atom = true, .lane = (uint8_t)l, .place = g->place[l], .piece = (uint8_t)piece};
  memcpy(w->data, g->operand[l] + piece * size, size);
  return true;
}

/* The first beat from number *k on; *k goes after it. False: there is none. */
static bool next_beat(const struct l1 *c, const struct access *e, unsigned *k, struct heddle_line_port_write *w) {
  const bool atom = e->r.kind == HEDDLE_LINE_PORT_ATOM;
  const unsigned size = c->bytes < 16 ? c->bytes : 16, all = atom ? LANES * (16 / size) : c->beats;
  while (*k < all) {
    const unsigned now = (*k)++;
    if (atom ? atom_beat(c, &e->w, now, w) : store_beat(c, &e->w, now, w)) return true;
  }
  return false;
}

/* ---- what leaves -------------------------------------------------------------------------------- */

static bool has_credits(const struct l1 *c, const struct heddle_line_port_request *r) {
  return c->credits != 0 && (r->kind != HEDDLE_LINE_PORT_ATOM || c->atoms != 0);
}

static void gone(struct l1 *c, struct access *e) {
  e->sent = true;
  e->sent_at = c->cycle;
  if (bug(c, BUG_ACK_EARLY) && writes(e)) l1_acknowledge(c, e);
  if (bug(c, BUG_DROP_LATE) && e->r.kind == HEDDLE_LINE_PORT_STORE && !e->r.is_local)
    l1_array_drop(c, e->name, e->r.sectors);
}

static void send_request(struct l1 *c, struct item i, const struct heddle_line_port_request *r) {
  c->ask.request_valid = true;
  c->ask.request = *r;
  c->credits--;
  if (r->kind == HEDDLE_LINE_PORT_ATOM) c->atoms--;
  if (!i.is_fill) gone(c, &c->access[i.index]);
  c->leaves_now = false;
  c->moved = c->cycle;
  memmove(c->leaving, c->leaving + 1, --c->leaves * sizeof *c->leaving);
}

/* A beat, and with the last one the request. */
void l1_send(struct l1 *c) {
  c->ask.answer_ready = true; /* there is room for all that was asked */
  c->ask.write_valid = c->ask.request_valid = false;
  if (c->leaves == 0) return;
  const struct item i = c->leaving[0];
  const struct heddle_line_port_request *r = request_of(c, i);
  if (!c->leaves_now) {
    if (!has_credits(c, r)) return;
    c->leaves_now = true;
    c->beat = 0;
  }
  if (!i.is_fill && writes(&c->access[i.index])) {
    struct heddle_line_port_write more;
    c->ask.write_valid = next_beat(c, &c->access[i.index], &c->beat, &c->ask.write);
    unsigned ahead = c->beat;
    if (next_beat(c, &c->access[i.index], &ahead, &more)) return;
  }
  send_request(c, i, r);
}

/* ---- what comes back ---------------------------------------------------------------------------- */

static void hear_beat(struct l1 *c, const struct heddle_line_port_read *b) {
  const unsigned fill = b->tag - c->o.tags;
  uint8_t *to = b->tag < c->o.tags ? c->access[b->tag].data : c->fill[fill].data;
  memcpy(to + b->beat * c->bytes, b->data, c->bytes);
  if (b->tag >= c->o.tags) c->fill[fill].last_beat = b->beat;
}

static void hear_answer(struct l1 *c, const struct heddle_line_port_answer *a) {
  if (a->tag >= c->o.tags) {
    l1_fill_end(c, &c->fill[a->tag - c->o.tags], a->err);
    return;
  }
  struct access *e = &c->access[a->tag];
  if (!a->done) {
    e->old[a->lane] = a->old;
    return;
  }
  e->err = a->err;
  if (writes(e)) l1_acknowledge(c, e);
  l1_ready(c, e);
}

void l1_listen(struct l1 *c) {
  const struct heddle_line_port_out *h = &c->heard;
  if (h->credit_valid && h->credit_atom) c->atoms++;
  if (h->credit_valid && !h->credit_atom) c->credits++;
  if (h->read_valid) hear_beat(c, &h->read);
  if (h->answer_valid) hear_answer(c, &h->answer);
  if (h->read_valid || h->answer_valid) c->moved = c->cycle;
}
