/* SPDX-License-Identifier: Apache-2.0
 *
 * What the master of an AXI4 bus owes: stable requests, legal bursts, no access that overtakes another one.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cosim/device/axi_internal.h"

void axi_error(struct heddle_axi_mem *m, const char *fmt, ...) {
  if (m->stats.protocol_errors++ != 0) return;
  va_list ap;
  va_start(ap, fmt);
  const int n = snprintf(m->error, sizeof m->error, "cycle %llu: ", (unsigned long long)m->cycle);
  if (n > 0) vsnprintf(m->error + n, sizeof m->error - (size_t)n, fmt, ap);
  va_end(ap);
}

static bool same_addr(const struct heddle_axi_mem_addr *a, const struct heddle_axi_mem_addr *b) {
  return a->addr == b->addr && a->id == b->id && a->len == b->len && a->size == b->size && a->burst == b->burst;
}

static void stable_addr(struct heddle_axi_mem *m, const struct heddle_axi_mem_addr *was,
                        const struct heddle_axi_mem_addr *is, const char *channel) {
  if (!was->valid) return;
  if (!is->valid)
    axi_error(m, "%s: valid withdrawn before ready", channel);
  else if (!same_addr(was, is))
    axi_error(m, "%s: request changed before ready", channel);
}

void axi_check_stable(struct heddle_axi_mem *m, const struct heddle_axi_mem_in *in) {
  const struct heddle_axi_mem_in *p = &m->prev;
  stable_addr(m, &p->aw, &in->aw, "AW");
  stable_addr(m, &p->ar, &in->ar, "AR");
  if (!p->w_valid) return;
  if (!in->w_valid)
    axi_error(m, "W: valid withdrawn before ready");
  else if (memcmp(in->w_strb, p->w_strb, sizeof in->w_strb) != 0 || in->w_last != p->w_last ||
           memcmp(in->w_data, p->w_data, m->cfg.data_bytes) != 0)
    axi_error(m, "W: beat changed before ready");
}

void axi_check_burst(struct heddle_axi_mem *m, const struct heddle_axi_mem_addr *a, const char *channel) {
  if (a->burst != 1 && a->len != 0) axi_error(m, "%s: burst type %u, only INCR is used", channel, a->burst);
  if ((1u << (a->size & 7u)) > m->cfg.data_bytes)
    axi_error(m, "%s: beats wider than the bus (size %u)", channel, a->size);
  if ((a->addr >> 12) != ((axi_burst_end(a) - 1) >> 12))
    axi_error(m, "%s: burst at 0x%llx crosses 4 KiB", channel, (unsigned long long)a->addr);
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

/* The point of order keeps one transaction a sector: whoever passes it would see old data. */
void axi_check_hazard(struct heddle_axi_mem *m, const struct heddle_axi_mem_addr *a, bool is_write) {
  const bool of_read = is_write && touched(&m->read, a);
  if (!of_read && !touched(&m->write, a)) return;
  axi_error(m, "%s 0x%llx while a %s of that sector is outstanding", is_write ? "write to" : "read of",
            (unsigned long long)a->addr, of_read ? "read" : "write");
}
