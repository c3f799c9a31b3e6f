/* SPDX-License-Identifier: Apache-2.0
 *
 * Bursts whose bytes are somebody else's (struct heddle_axi_mem_outside).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/device/axi_internal.h"

bool heddle_axi_mem_set_outside(struct heddle_axi_mem *m, const struct heddle_axi_mem_outside *o) {
  assert(heddle_axi_mem_idle(m));
  if (m->answer == NULL)
    m->answer = calloc(HEDDLE_AXI_MEM_QUEUE, sizeof *m->answer); /* of which little is ever touched */
  if (m->answer == NULL) return false;
  m->outside = o;
  axi_table_clear(&m->write, true); /* answers come in any order */
  axi_table_clear(&m->read, true);
  return true;
}

void axi_ask_read(struct heddle_axi_mem *m, uint16_t at) {
  const struct heddle_axi_mem_addr *a = &m->read.item[at].a;
  const uint64_t from = axi_burst_start(a);
  const struct heddle_axi_mem_ask ask = {.at = at, .addr = from, .bytes = (unsigned)(axi_burst_end(a) - from)};
  m->outside->ask(m->outside->self, &ask);
}

/* The bytes of beat `k` and their strobes, gathered from the lanes of the bus. */
static void gather(struct heddle_axi_mem *m, uint16_t at, unsigned k, uint8_t *data, uint8_t *strobe) {
  const struct heddle_axi_mem_addr *a = &m->write.item[at].a;
  const struct axi_w_beat *w = &m->data[at][k];
  const unsigned step = 1u << a->size, lane = (unsigned)(axi_beat_addr(a, k) & (m->cfg.data_bytes - 1) & ~(step - 1));
  for (unsigned j = 0; j < m->cfg.data_bytes; j++) {
    if ((w->strb[j / 32] >> j % 32 & 1u) == 0) continue;
    if (j < lane || j >= lane + step) {
      axi_error(m, "W: a strobe outside of the transfer at 0x%llx", (unsigned long long)axi_beat_addr(a, k));
      continue;
    }
    data[j - lane] = w->data[j];
    strobe[j - lane] = 0xff;
  }
}

void axi_ask_write(struct heddle_axi_mem *m, uint16_t at) {
  const struct heddle_axi_mem_addr *a = &m->write.item[at].a;
  const uint64_t from = axi_burst_start(a);
  const unsigned bytes = (unsigned)(axi_burst_end(a) - from);
  uint8_t data[AXI_BURST], strobe[AXI_BURST];
  memset(data, 0, bytes);
  memset(strobe, 0, bytes);
  for (unsigned k = 0; k <= a->len; k++) gather(m, at, k, data + (k << a->size), strobe + (k << a->size));
  const struct heddle_axi_mem_ask ask = {
      .write = true, .at = at, .addr = from, .bytes = bytes, .data = data, .strobe = strobe};
  m->outside->ask(m->outside->self, &ask);
}

void heddle_axi_mem_answer(struct heddle_axi_mem *m, bool write, uint16_t at, uint8_t resp, const uint8_t *data) {
  struct axi_table *t = write ? &m->write : &m->read;
  struct axi_burst *b = &t->item[at];
  b->resp = resp;
  if (resp != AXI_OKAY) m->stats.error_responses++;
  if (!write) memcpy(m->answer[at], data, (size_t)(axi_burst_end(&b->a) - axi_burst_start(&b->a)));
  axi_table_ready(t, at, m->cycle);
}

void axi_present_answer(struct heddle_axi_mem *m, const struct axi_burst *b) {
  const unsigned step = 1u << b->a.size;
  const unsigned lane = (unsigned)(axi_beat_addr(&b->a, b->beat) & (m->cfg.data_bytes - 1) & ~(step - 1));
  const uint8_t *from = m->answer[b - m->read.item] + ((size_t)b->beat << b->a.size);
  memset(m->out.r_data, 0xee, m->cfg.data_bytes); /* on lanes that nobody asked for */
  memcpy(m->out.r_data + lane, from, step);
}
