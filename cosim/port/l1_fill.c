/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills: sectors that memory was asked for, and the loads that wait for them. Whoever waits is served from what has
 * come, one load a cycle, whatever has become of the array.
 */
#include <string.h>

#include "cosim/port/l1_internal.h"

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

void l1_fill_end(struct l1 *c, struct fill *f, bool err) {
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
