/* SPDX-License-Identifier: Apache-2.0
 *
 * What the master of an AXI4 bus owes: stable requests, legal bursts, no access that overtakes another one.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cosim/device/axi_internal.h"

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
