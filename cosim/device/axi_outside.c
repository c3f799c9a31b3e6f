/* SPDX-License-Identifier: Apache-2.0
 *
 * Bursts whose bytes are somebody else's (struct heddle_axi_mem_outside).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/device/axi_internal.h"
#include "base/options.h"

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
