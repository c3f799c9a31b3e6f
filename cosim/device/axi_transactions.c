/* SPDX-License-Identifier: Apache-2.0
 *
 * Transactions of the AXI memory: kept by age, id and due, held against the rules of the bus, answered from outside.
 */
#include "cosim/device/axi_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/options.h"

/* Transactions of one direction by age, id and due. See axi_internal.h. */

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

/* What the master of an AXI4 bus owes: stable requests, legal bursts, no access that overtakes another one. */

void axi_error(struct axi_port *q, const char *fmt, ...) {
  struct heddle_axi_mem *m = q->m;
  q->stats->protocol_errors++;
  if (m->error[0] != '\0') return;
  char port[24] = "";
  if (m->cfg.ports > 1) snprintf(port, sizeof port, "port %u: ", q->number);
  va_list ap;
  va_start(ap, fmt);
  const int n = snprintf(m->error, sizeof m->error, "cycle %llu: %s", (unsigned long long)m->cycle, port);
  if (n > 0) vsnprintf(m->error + n, sizeof m->error - (size_t)n, fmt, ap);
  va_end(ap);
}

static bool same_addr(const struct heddle_axi_mem_addr *a, const struct heddle_axi_mem_addr *b) {
  return a->addr == b->addr && a->id == b->id && a->len == b->len && a->size == b->size && a->burst == b->burst;
}

static void stable_addr(struct axi_port *q, const struct heddle_axi_mem_addr *was, const struct heddle_axi_mem_addr *is,
                        const char *channel) {
  if (!was->valid) return;
  if (!is->valid)
    axi_error(q, "%s: valid withdrawn before ready", channel);
  else if (!same_addr(was, is))
    axi_error(q, "%s: request changed before ready", channel);
}

void axi_check_stable(struct axi_port *q, const struct heddle_axi_mem_in *in) {
  const struct heddle_axi_mem_in *p = &q->prev;
  stable_addr(q, &p->aw, &in->aw, "AW");
  stable_addr(q, &p->ar, &in->ar, "AR");
  if (!p->w_valid) return;
  if (!in->w_valid)
    axi_error(q, "W: valid withdrawn before ready");
  else if (memcmp(in->w_strb, p->w_strb, sizeof in->w_strb) != 0 || in->w_last != p->w_last ||
           memcmp(in->w_data, p->w_data, q->m->cfg.data_bytes) != 0)
    axi_error(q, "W: beat changed before ready");
}

void axi_check_burst(struct axi_port *q, const struct heddle_axi_mem_addr *a, const char *channel) {
  if (a->burst != 1 && a->len != 0) axi_error(q, "%s: burst type %u, only INCR is used", channel, a->burst);
  if ((1u << (a->size & 7u)) > q->m->cfg.data_bytes)
    axi_error(q, "%s: beats wider than the bus (size %u)", channel, a->size);
  if ((a->addr >> 12) != ((axi_burst_end(a) - 1) >> 12))
    axi_error(q, "%s: burst at 0x%llx crosses 4 KiB", channel, (unsigned long long)a->addr);
  const unsigned ports = q->m->cfg.ports;
  const uint64_t line = axi_burst_start(a) / HEDDLE_AXI_MEM_LINE;
  if (ports == 1) return;
  if (line != (axi_burst_end(a) - 1) / HEDDLE_AXI_MEM_LINE)
    axi_error(q, "%s: burst at 0x%llx crosses a line", channel, (unsigned long long)a->addr);
  if (line % ports != q->number)
    axi_error(q, "%s: the line of 0x%llx is of port %u", channel, (unsigned long long)a->addr,
              (unsigned)(line % ports));
}

static bool touched(const struct axi_table *t, const struct heddle_axi_mem_addr *a) {
  const uint64_t first = axi_first_sector(a), last = axi_last_sector(a);
  bool any = false;
  for (uint64_t s = first; s <= last; s++) any = any || t->sector[s % AXI_SECTORS] != 0;
  for (uint16_t i = t->oldest; any && i != AXI_NONE;
       i = t->item[i].newer) /* seldom: is it that sector, or one equal? */
    if (axi_first_sector(&t->item[i].a) <= last && first <= axi_last_sector(&t->item[i].a)) return true;
  return false;
}

/* The point of order keeps one transaction a sector, whatever port it is at: whoever passes it would see old data. */
void axi_check_hazard(struct axi_port *q, const struct heddle_axi_mem_addr *a, bool is_write) {
  bool of_read = false, of_write = false;
  for (unsigned i = 0; i < q->m->cfg.ports; i++) {
    of_read = of_read || (is_write && touched(&q->m->port[i].read, a));
    of_write = of_write || touched(&q->m->port[i].write, a);
  }
  if (!of_read && !of_write) return;
  axi_error(q, "%s 0x%llx while a %s of that sector is outstanding", is_write ? "write to" : "read of",
            (unsigned long long)a->addr, of_read ? "read" : "write");
}

/* Bursts whose bytes are somebody else's (struct heddle_axi_mem_outside). */

bool heddle_axi_mem_set_outside(struct heddle_axi_mem *m, const struct heddle_axi_mem_outside *o) {
  struct heddle_axi_mem_outside own;
  assert(heddle_axi_mem_idle(m));
  if (!options_take(&own, sizeof own, o)) return false;
  for (unsigned i = 0; i < m->cfg.ports; i++) {
    struct axi_port *q = &m->port[i];
    if (q->answer == NULL)
      q->answer = calloc(HEDDLE_AXI_MEM_QUEUE, sizeof *q->answer); /* of which little is ever touched */
    if (q->answer == NULL) return false;
  }
  m->others = own;
  m->outside = &m->others;
  for (unsigned i = 0; i < m->cfg.ports; i++) {
    axi_table_clear(&m->port[i].write, true); /* answers come in any order */
    axi_table_clear(&m->port[i].read, true);
  }
  return true;
}

/* Its place, by which who is asked names it. */
static uint16_t burst_name(const struct axi_port *q, uint16_t at) {
  return (uint16_t)(q->number * HEDDLE_AXI_MEM_QUEUE + at);
}

void axi_ask_read(struct axi_port *q, uint16_t at) {
  const struct heddle_axi_mem_addr *a = &q->read.item[at].a;
  const uint64_t from = axi_burst_start(a);
  const struct heddle_axi_mem_ask ask = {
      .at = burst_name(q, at), .addr = from, .bytes = (unsigned)(axi_burst_end(a) - from)};
  q->m->outside->ask(q->m->outside->self, &ask);
}

/* The bytes of beat `k` and their strobes, gathered from the lanes of the bus. */
static void gather_beat(struct axi_port *q, uint16_t at, unsigned k, uint8_t *data, uint8_t *strobe) {
  const struct heddle_axi_mem_addr *a = &q->write.item[at].a;
  const struct axi_w_beat *w = &q->data[at][k];
  const unsigned step = 1u << a->size,
                 lane = (unsigned)(axi_beat_addr(a, k) & (q->m->cfg.data_bytes - 1) & ~(step - 1));
  for (unsigned j = 0; j < q->m->cfg.data_bytes; j++) {
    if ((w->strb[j / 32] >> j % 32 & 1u) == 0) continue;
    if (j < lane || j >= lane + step) {
      axi_error(q, "W: a strobe outside of the transfer at 0x%llx", (unsigned long long)axi_beat_addr(a, k));
      continue;
    }
    data[j - lane] = w->data[j];
    strobe[j - lane] = 0xff;
  }
}

void axi_ask_write(struct axi_port *q, uint16_t at) {
  const struct heddle_axi_mem_addr *a = &q->write.item[at].a;
  const uint64_t from = axi_burst_start(a);
  const unsigned bytes = (unsigned)(axi_burst_end(a) - from);
  uint8_t data[AXI_BURST], strobe[AXI_BURST];
  memset(data, 0, bytes);
  memset(strobe, 0, bytes);
  for (unsigned k = 0; k <= a->len; k++) gather_beat(q, at, k, data + (k << a->size), strobe + (k << a->size));
  const struct heddle_axi_mem_ask ask = {
      .write = true, .at = burst_name(q, at), .addr = from, .bytes = bytes, .data = data, .strobe = strobe};
  q->m->outside->ask(q->m->outside->self, &ask);
}

void heddle_axi_mem_answer(struct heddle_axi_mem *m, bool write, uint16_t at, uint8_t resp, const uint8_t *data) {
  struct axi_port *q = &m->port[at / HEDDLE_AXI_MEM_QUEUE];
  const uint16_t place = at % HEDDLE_AXI_MEM_QUEUE;
  struct axi_table *t = write ? &q->write : &q->read;
  struct axi_burst *b = &t->item[place];
  b->resp = resp;
  if (resp != AXI_OKAY) q->stats->error_responses++;
  if (!write) memcpy(q->answer[place], data, (size_t)(axi_burst_end(&b->a) - axi_burst_start(&b->a)));
  axi_table_ready(t, place, m->cycle);
}

void axi_present_answer(struct axi_port *q, const struct axi_burst *b) {
  const unsigned step = 1u << b->a.size;
  const unsigned lane = (unsigned)(axi_beat_addr(&b->a, b->beat) & (q->m->cfg.data_bytes - 1) & ~(step - 1));
  const uint8_t *from = q->answer[b - q->read.item] + ((size_t)b->beat << b->a.size);
  memset(q->out->r_data, 0xee, q->m->cfg.data_bytes); /* on lanes that nobody asked for */
  memcpy(q->out->r_data + lane, from, step);
}
