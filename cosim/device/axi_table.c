/* SPDX-License-Identifier: Apache-2.0
 *
 * Transactions of one direction by age, id and due. See axi_table.h.
 */
#include "axi_table.h"

#include <assert.h>
#include <string.h>

void axi_table_clear(struct axi_table *t, bool any_order) {
  t->any_order = any_order;
  t->count = 0;
  t->ages = 0;
  t->oldest = t->newest = AXI_NONE;
  t->ables = t->laters = 0;
  for (unsigned i = 0; i < HEDDLE_AXI_MEM_QUEUE; i++) t->unused[i] = (uint16_t)(HEDDLE_AXI_MEM_QUEUE - 1 - i);
  for (unsigned i = 0; i < AXI_IDS; i++) t->first_of_id[i] = t->last_of_id[i] = AXI_NONE;
  memset(t->sector, 0, sizeof t->sector);
}

static void count_sectors(struct axi_table *t, const struct heddle_axi_mem_addr *a, uint16_t by) {
  for (uint64_t s = axi_first_sector(a), last = axi_last_sector(a); s <= last; s++)
    t->sector[s % AXI_SECTORS] = (uint16_t)(t->sector[s % AXI_SECTORS] + by);
}

/* ---- the heap of those that wait for their cycle ---- */

static bool due_before(const struct axi_table *t, uint16_t a, uint16_t b) {
  return t->item[a].due < t->item[b].due;
}

static void sleep_until_due(struct axi_table *t, uint16_t at) {
  unsigned i = t->laters++;
  for (; i > 0 && due_before(t, at, t->later[(i - 1) / 2]); i = (i - 1) / 2) t->later[i] = t->later[(i - 1) / 2];
  t->later[i] = at;
}

static uint16_t pop_later(struct axi_table *t) {
  const uint16_t top = t->later[0], moved = t->later[--t->laters];
  unsigned i = 0;
  for (unsigned k = 1; k < t->laters; i = k, k = 2 * k + 1) {
    if (k + 1 < t->laters && due_before(t, t->later[k + 1], t->later[k])) k++;
    if (!due_before(t, t->later[k], moved)) break;
    t->later[i] = t->later[k];
  }
  t->later[i] = moved;
  return top;
}

static void make_able(struct axi_table *t, uint16_t at) {
  unsigned i = t->ables++;
  for (; i > 0 && t->item[t->able[i - 1]].age > t->item[at].age; i--) t->able[i] = t->able[i - 1];
  t->able[i] = at;
}

void axi_table_wake(struct axi_table *t, uint64_t cycle) {
  while (t->laters != 0 && t->item[t->later[0]].due <= cycle) make_able(t, pop_later(t));
}

static void not_able(struct axi_table *t, uint16_t at) {
  unsigned i = 0;
  while (t->able[i] != at) i++;
  t->ables--;
  memmove(&t->able[i], &t->able[i + 1], (t->ables - i) * sizeof t->able[0]);
}

/* ---- ids: one that is not the oldest of its id waits for it ---- */

static uint16_t *chain_of(struct axi_table *t, uint32_t id) {
  return &t->first_of_id[id % AXI_IDS];
}

/* The first of that id from `at` on in its chain. */
static uint16_t same_id(const struct axi_table *t, uint16_t at, uint32_t id) {
  while (at != AXI_NONE && t->item[at].a.id != id) at = t->item[at].next_of_id;
  return at;
}

static void enchain(struct axi_table *t, uint16_t at) {
  const uint32_t id = t->item[at].a.id;
  uint16_t *last = &t->last_of_id[id % AXI_IDS];
  if (*last == AXI_NONE)
    *chain_of(t, id) = at;
  else
    t->item[*last].next_of_id = at;
  *last = at;
}

/* It is the oldest of its id, so in front of it in the chain there are others only where ids are equal modulo AXI_IDS.
 */
static void unchain(struct axi_table *t, uint16_t at) {
  const uint32_t id = t->item[at].a.id;
  uint16_t *to = chain_of(t, id), was = AXI_NONE;
  while (*to != at) {
    was = *to;
    to = &t->item[was].next_of_id;
  }
  *to = t->item[at].next_of_id;
  if (t->last_of_id[id % AXI_IDS] == at) t->last_of_id[id % AXI_IDS] = was;
}

/* ---- bursts ---- */

uint16_t axi_table_add(struct axi_table *t, const struct axi_burst *b) {
  assert(t->count < HEDDLE_AXI_MEM_QUEUE);
  const uint16_t at = t->unused[HEDDLE_AXI_MEM_QUEUE - 1 - t->count++];
  const bool first = same_id(t, *chain_of(t, b->a.id), b->a.id) == AXI_NONE;
  struct axi_burst *to = &t->item[at];
  *to = *b;
  to->age = t->ages++;
  to->older = t->newest;
  to->newer = to->next_of_id = AXI_NONE;
  if (t->newest != AXI_NONE)
    t->item[t->newest].newer = at;
  else
    t->oldest = at;
  t->newest = at;
  enchain(t, at);
  count_sectors(t, &b->a, 1);
  if (t->any_order && first && b->ready) sleep_until_due(t, at);
  return at;
}

void axi_table_ready(struct axi_table *t, uint16_t at, uint64_t due) {
  struct axi_burst *b = &t->item[at];
  b->ready = true;
  b->due = due;
  if (t->any_order && same_id(t, *chain_of(t, b->a.id), b->a.id) == at) sleep_until_due(t, at);
}

void axi_table_remove(struct axi_table *t, uint16_t at) {
  struct axi_burst *b = &t->item[at];
  if (t->any_order) not_able(t, at);
  unchain(t, at);
  if (b->older != AXI_NONE)
    t->item[b->older].newer = b->newer;
  else
    t->oldest = b->newer;
  if (b->newer != AXI_NONE)
    t->item[b->newer].older = b->older;
  else
    t->newest = b->older;
  const uint16_t next = t->any_order ? same_id(t, b->next_of_id, b->a.id) : AXI_NONE;
  if (next != AXI_NONE && t->item[next].ready) sleep_until_due(t, next);
  count_sectors(t, &b->a, UINT16_MAX);
  t->unused[HEDDLE_AXI_MEM_QUEUE - t->count--] = at;
}
