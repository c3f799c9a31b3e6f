/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors that a cache has or waits for, and stores on their way. */
#include "lab/verify/coverage/cache.h"

struct cov_copy *sector_numbered(struct cov_cache *x, uint64_t sector, bool local, uint32_t number) {
  for (unsigned i = 0; i < x->high; i++) {
    struct cov_copy *y = &x->copy[i];
    const bool open = number != 0 || !y->closed;
    if (y->used && y->sector == sector && y->number == number && y->local == local && open) return y;
  }
  return NULL;
}

struct cov_copy *sector_asked(struct cov_cache *x, uint64_t sector, bool local, uint32_t number, unsigned slot) {
  unsigned i = 0;
  while (i < x->high && x->copy[i].used) i++;
  if (i == x->room) return NULL;
  if (i == x->high) x->high++;
  x->copy[i] =
      (struct cov_copy){.used = true, .local = local, .asker = (uint8_t)slot, .number = number, .sector = sector};
  return &x->copy[i];
}

void sector_wait(struct cov_copy *y, unsigned slot, uint32_t seq) {
  if (y->waits == CACHE_WAITS) return;
  y->wait[y->waits].slot = (uint8_t)slot;
  y->wait[y->waits++].seq = seq;
  y->waited++;
  y->warps |= UINT64_C(1) << slot % 64;
}

bool sector_read(struct cov_copy *y, unsigned slot, uint32_t seq) {
  for (unsigned i = 0; i < y->waits; i++) {
    if (y->wait[i].slot != slot || y->wait[i].seq != seq) continue;
    y->wait[i] = y->wait[--y->waits];
    return true;
  }
  return false;
}

bool sector_waits_alone(const struct cov_copy *y, unsigned slot) {
  for (unsigned i = 0; i < y->waits; i++)
    if (y->wait[i].slot != slot) return false;
  return true;
}

void sector_settle(struct cov_copy *y) {
  if (y->closed && y->waits == 0) y->used = false;
}

/* Is there one before it with the same number that is still to come? */
static bool first_of_number(const struct cov_cache *x, unsigned at) {
  for (unsigned i = 0; i < at; i++)
    if (x->copy[i].used && !x->copy[i].here && x->copy[i].number == x->copy[at].number) return false;
  return true;
}

unsigned sector_requests(const struct cov_cache *x) {
  unsigned n = 0;
  for (unsigned i = 0; i < x->high; i++) n += x->copy[i].used && !x->copy[i].here && first_of_number(x, i);
  return n;
}

/* Of an instruction's sectors in a line the first that it waits for. */
static bool first_wait(const struct cov_cache *x, unsigned at, unsigned w) {
  const struct cov_copy *a = &x->copy[at];
  for (unsigned i = 0; i < at; i++) {
    const struct cov_copy *y = &x->copy[i];
    if (!y->used || y->local != a->local || y->sector / 4 != a->sector / 4) continue;
    for (unsigned n = 0; n < y->waits; n++)
      if (y->wait[n].slot == a->wait[w].slot && y->wait[n].seq == a->wait[w].seq) return false;
  }
  return true;
}

unsigned sector_loads_waiting(const struct cov_cache *x) {
  unsigned n = 0;
  for (unsigned i = 0; i < x->high; i++)
    for (unsigned w = 0; x->copy[i].used && w < x->copy[i].waits; w++) n += first_wait(x, i, w);
  return n;
}

/* ---- stores: of an instruction once for each line */

static unsigned find_store(const struct cov_cache *x, const struct heddle_record_id *id, uint64_t line) {
  unsigned i = 0;
  while (i < x->stores && !(x->store[i].slot == id->slot && x->store[i].seq == id->seq && x->store[i].line == line))
    i++;
  return i;
}

void store_passes(struct cov_cache *x, const struct heddle_record_id *id, uint64_t line) {
  if (find_store(x, id, line) < x->stores || x->stores == CACHE_STORES) return;
  x->store[x->stores].slot = id->slot;
  x->store[x->stores].seq = id->seq;
  x->store[x->stores++].line = line;
}

bool store_ends(struct cov_cache *x, const struct heddle_record_id *id, uint64_t line) {
  const unsigned i = find_store(x, id, line);
  if (i == x->stores || id->slot >= CACHE_SLOTS) return false;
  x->store[i] = x->store[--x->stores];
  return true;
}
