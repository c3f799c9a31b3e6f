/* SPDX-License-Identifier: Apache-2.0
 *
 * The array: sets of ways, valid sector by sector, and only those of the present epoch.
 */
#include <string.h>

#include "cosim/port/l1_internal.h"

static unsigned set_of(const struct l1 *c, struct name n) {
  return (unsigned)((n.key ^ n.key >> 18) & (c->sets - 1)); /* warp slots begin above bit 18 */
}

/* A tag is the name without the bits that choose the set. */
static bool is_line(const struct l1 *c, const struct way *w, struct name n) {
  const uint64_t ignored = (c->sets - 1) | (bug(c, BUG_TAG_SHORT) ? c->sets : 0);
  const bool kind = w->name.is_local == n.is_local || bug(c, BUG_LOCAL_MIXED);
  return w->valid != 0 && w->epoch == c->epoch && kind && ((w->name.key ^ n.key) & ~ignored) == 0;
}

struct way *l1_find(struct l1 *c, struct name n) {
  struct way *set = c->ways + (size_t)set_of(c, n) * c->o.ways;
  for (unsigned i = 0; i < c->o.ways; i++)
    if (is_line(c, &set[i], n)) return &set[i];
  return NULL;
}

const uint8_t *l1_read(const struct l1 *c, const struct way *w, unsigned s) {
  if (bug(c, BUG_HIT_WAY) && c->o.ways > 1) w = c->ways + ((size_t)(w - c->ways) ^ 1u);
  return w->data + HEDDLE_LINE_PORT_SECTOR * (bug(c, BUG_HIT_SECTOR) ? s ^ 1u : s);
}

void l1_array_drop(struct l1 *c, struct name n, unsigned sectors) {
  struct way *w = l1_find(c, n);
  if (w != NULL) w->valid &= (uint8_t)~sectors;
}

static bool is_empty(const struct l1 *c, const struct way *w) {
  return w->valid == 0 || w->epoch != c->epoch;
}

/* One that is empty, else the one that was used longest ago. */
static struct way *victim(struct l1 *c, unsigned set) {
  struct way *first = c->ways + (size_t)set * c->o.ways, *oldest = first;
  for (unsigned i = 0; i < c->o.ways; i++) {
    if (is_empty(c, &first[i])) return &first[i];
    if (first[i].used < oldest->used) oldest = &first[i];
  }
  return oldest;
}

static void replace(struct l1 *c, struct way *w, struct name n) {
  if (!is_empty(c, w)) {
    struct l1_event *e = l1_event(c, L1_DROP, NULL);
    e->line = w->name.key;
    e->is_local = w->name.is_local;
    e->sectors = w->valid;
    e->cause = L1_REPLACED;
    c->stats.replaced++;
  }
  if (is_empty(c, w) || !bug(c, BUG_REPLACE_VALID)) w->valid = 0;
  w->name = n;
  w->epoch = c->epoch;
}

unsigned l1_keep(struct l1 *c, struct name n, unsigned sectors, const uint8_t *data, uint32_t number, bool beside) {
  struct way *w = beside ? NULL : l1_find(c, n);
  if (w == NULL) {
    w = victim(c, set_of(c, n) ^ (beside ? 1u : 0u));
    replace(c, w, n);
  }
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((sectors >> s & 1u) == 0) continue;
    memcpy(w->data + HEDDLE_LINE_PORT_SECTOR * s, data + HEDDLE_LINE_PORT_SECTOR * s, HEDDLE_LINE_PORT_SECTOR);
    w->number[s] = number;
  }
  w->valid |= (uint8_t)sectors;
  w->used = ++c->clock_of_use;
  return (unsigned)(w - c->ways);
}

/* The next epoch; when the first one comes again, copies that it had are forgotten before they count again. */
void l1_empty(struct l1 *c) {
  c->epoch = (c->epoch + 1) & ((1u << c->o.epoch_bits) - 1);
  if (c->epoch == 0 && !bug(c, BUG_EPOCH_WRAP)) {
    for (unsigned i = 0; i < c->sets * c->o.ways; i++) c->ways[i].valid = 0;
    c->stats.walks++;
  }
  c->stats.emptied++;
  for (unsigned i = 0; i < c->o.mshrs; i++) {
    if (!bug(c, BUG_FILL_OVER_ACQUIRE)) c->fill[i].keep = 0;
    if (!bug(c, BUG_JOIN_AFTER_ACQUIRE)) c->fill[i].join = 0;
  }
}
