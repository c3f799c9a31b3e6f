/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of one location: what is there at a moment, who left it, and whether a read sees that. The events of
 * traces and of lists all come here.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "lab/verify/oracle/order/list_write.h"

static void take_initial(const struct order *o, struct location *l) {
  const uint64_t at = l->at * PLACE_BYTES;
  for (unsigned n = 0; l->space == ISA_SPACE_GLOBAL && n < PLACE_BYTES; n++) {
    if (at + n < o->base || at + n - o->base >= o->bytes) continue;
    l->bytes[n] = l->initial[n] = o->initial[at + n - o->base];
    l->known |= 1u << n;
  }
}

struct location *order_location_at(struct order *o, uint8_t space, uint32_t owner, uint64_t at) {
  uint64_t *index = map_at(&o->places, (uint64_t)space << 32 | owner, at, NOBODY);
  if (index != NULL && *index != NOBODY) return &o->location[*index];
  if (index == NULL || !array_room(&o->location, &o->locations_room, o->locations + 1, sizeof *o->location)) {
    (void)order_too_much(o, "no memory");
    return NULL;
  }
  *index = (uint32_t)o->locations++;
  struct location *l = &o->location[*index];
  *l = (struct location){.space = space, .owner = owner, .at = at, .write = NOBODY};
  take_initial(o, l);
  order_write_start(o, l);
  return l;
}

struct access *order_note(struct order *o, const struct access *a) {
  if (o->accesses >= o->most || !array_room(&o->access, &o->accesses_room, o->accesses + 1, sizeof *o->access)) {
    (void)order_too_much(o, "there are more accesses than the limit (--accesses), or there is no memory for them");
    return NULL;
  }
  o->access[o->accesses] = *a;
  o->r->accesses++;
  return &o->access[o->accesses++];
}

void order_leaves(struct order *o, struct access *a, struct location *l, const uint8_t *bytes, uint32_t mask) {
  a->before = l->write;
  a->strobe = mask;
  for (unsigned n = 0; n < PLACE_BYTES; n++)
    if ((mask >> n & 1u) != 0) l->bytes[n] = bytes[n];
  memcpy(a->data, l->bytes, PLACE_BYTES);
  l->known |= mask;
  l->write = (uint32_t)(a - o->access);
}

/* ---- reads ---- */

static uint32_t writer_of(const struct order *o, const struct location *l, unsigned byte) {
  uint32_t k = l->write;
  while (k != NOBODY && (o->access[k].strobe >> byte & 1u) == 0) k = o->access[k].before;
  return k;
}

/* An older write that left these bytes; NOBODY. */
static uint32_t left_by(const struct order *o, uint32_t k, unsigned at, unsigned n, const uint8_t *bytes) {
  for (; k != NOBODY; k = o->access[k].before)
    if ((o->access[k].strobe >> at & 1u) != 0 && memcmp(o->access[k].data + at, bytes, n) == 0) return k;
  return k;
}

static void hex_text(const uint8_t *p, unsigned n, char *buf) {
  for (unsigned k = 0; k < n; k++) (void)snprintf(buf + 2 * k, 3, "%02x", p[n - 1 - k]);
}

/* Reads something else than the latest write left: from whom it reads, who wrote since. */
static bool stale(struct order *o, const struct reading *r) {
  const unsigned at = r->at, n = r->bytes;
  const struct location *l = r->loc;
  const uint8_t *saw = r->saw + at;
  char got[2 * PLACE_BYTES + 1], want[2 * PLACE_BYTES + 1], place[64], then[224], name[64];
  unsigned byte = at;
  while (byte < at + n - 1 && r->saw[byte] == l->bytes[byte]) byte++;
  const uint32_t latest = writer_of(o, l, byte);
  const uint32_t source = latest == NOBODY ? NOBODY : left_by(o, o->access[latest].before, at, n, saw);
  const bool first =
      source == NOBODY && latest != NOBODY && l->space == ISA_SPACE_GLOBAL && memcmp(l->initial + at, saw, n) == 0;
  hex_text(saw, n, got);
  hex_text(l->bytes + at, n, want);
  order_location_text(o, l, at, place, sizeof place);
  (void)snprintf(then, sizeof then, "reads 0x%s%s", got,
                 source != NOBODY ? ", which a later write has replaced: it comes before that write"
                 : first          ? ", what was there at the start: it comes before the first write"
                                  : ", which nothing performed so far has left: a value out of thin air");
  r->say(o, r, then, name, sizeof name);
  if (source != NOBODY) {
    order_step_access(o, &o->access[latest], "was performed before that read");
    order_step_access(o, &o->access[source], "is the one whose value was read; the write above came after it");
  } else if (latest != NOBODY) {
    order_step_access(o, &o->access[latest], "is the latest write before that read");
  }
  return order_broken(o, r->axiom, "%s reads 0x%s at %s, where the latest write left 0x%s", name, got, place, want);
}

bool order_fits(const struct reading *r) {
  for (unsigned n = r->at; n < r->at + r->bytes; n++)
    if ((r->loc->known >> n & 1u) != 0 && r->saw[n] != r->loc->bytes[n]) return false;
  return true;
}

bool order_read(struct order *o, const struct reading *r) {
  const uint32_t mask = order_mask(r->at, r->bytes);
  o->r->undefined += (unsigned)__builtin_popcount(mask & ~r->loc->known);
  o->r->bytes_read += r->bytes;
  return order_fits(r) || stale(o, r);
}
