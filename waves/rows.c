/* SPDX-License-Identifier: Apache-2.0
 * Paths with their ranges, groups, and the tables that several views show. */
#include "rows.h"

#include <stdio.h>

/* Fields of records (cosim/retire/retire.records). */
static const struct row issue[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"}, {WAVE_DECIMAL, 32, "seq", "id.seq"},
    {WAVE_HEX, 32, "pc", "pc"},           {WAVE_ASSEMBLY, 128, "instruction", "word"},
    {WAVE_HEX, 32, "active", "active"},   {WAVE_HEX, 32, "executing", "exec"},
};
static const struct row global[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"}, {WAVE_DECIMAL, 32, "seq", "id.seq"}, {WAVE_DECIMAL, 8, "kind", "access"},
    {WAVE_HEX, 64, "sector", "sector"},   {WAVE_HEX, 32, "lanes", "lanes"},
};
static const struct row shared[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"},
    {WAVE_DECIMAL, 32, "seq", "id.seq"},
    {WAVE_DECIMAL, 8, "kind", "access"},
    {WAVE_HEX, 32, "lanes", "lanes"},
};
static const struct row axi[] = {
    {WAVE_BIT, 1, "ar valid", "m_axi_arvalid_o"},   {WAVE_BIT, 1, "ar ready", "m_axi_arready_i"},
    {WAVE_HEX, 40, "ar address", "m_axi_araddr_o"}, {WAVE_BIT, 1, "r valid", "m_axi_rvalid_i"},
    {WAVE_BIT, 1, "r ready", "m_axi_rready_o"},     {WAVE_BIT, 1, "aw valid", "m_axi_awvalid_o"},
    {WAVE_BIT, 1, "aw ready", "m_axi_awready_i"},   {WAVE_HEX, 40, "aw address", "m_axi_awaddr_o"},
    {WAVE_BIT, 1, "w valid", "m_axi_wvalid_o"},     {WAVE_BIT, 1, "w ready", "m_axi_wready_i"},
    {WAVE_BIT, 1, "b valid", "m_axi_bvalid_i"},     {WAVE_BIT, 1, "b ready", "m_axi_bready_o"},
};

/* Bits that number n things, at least one. */
static unsigned bits_for(unsigned n) {
  unsigned bits = 1;
  while ((1u << bits) < n) bits++;
  return bits;
}

static unsigned width(const struct heddle_config *c, unsigned bits) {
  switch (bits) {
  case PER_WARP:
    return c->warps / c->partitions;
  case PER_BANK:
    return c->banks;
  case PER_ACCESS:
    return c->gmem_slots;
  case A_SLOT:
    return bits_for(c->warps / c->partitions);
  case A_BEAT:
    return bits_for(c->beats);
  case PLACES:
    return bits_for(c->collectors + 1);
  default:
    return bits;
  }
}

void wave_row(const struct drawing *d, const struct row *r, const char *prefix) {
  char path[192];
  if (r->bits == 1)
    snprintf(path, sizeof path, WAVE_TOP "%s%s", prefix, r->path);
  else
    snprintf(path, sizeof path, WAVE_TOP "%s%s[%u:0]", prefix, r->path, width(d->config, r->bits) - 1);
  d->sink->signal(d->sink->ctx, r->format, r->label, path);
}

void wave_rows(const struct drawing *d, const struct row *rows, size_t n, const char *prefix) {
  for (size_t i = 0; i < n; i++) wave_row(d, &rows[i], prefix);
}

void wave_group(const struct drawing *d, const char *title, bool open, const struct row *rows, size_t n,
                const char *prefix) {
  d->sink->begin(d->sink->ctx, title, open);
  wave_rows(d, rows, n, prefix);
  d->sink->end(d->sink->ctx, title, open);
}

const char *wave_titled(char *to, size_t bytes, const char *name, struct part p) {
  if (p.of == 1)
    snprintf(to, bytes, "%s", name);
  else
    snprintf(to, bytes, "%s, partition %u", name, p.number);
  return to;
}

void wave_partition_group(const struct drawing *d, const char *name, const struct row *rows, size_t n, const char *unit,
                          struct part p) {
  char title[64], prefix[96];
  snprintf(prefix, sizeof prefix, WAVE_SM "gen_partition[%u].u_partition.%s", p.number, unit);
  wave_group(d, wave_titled(title, sizeof title, name, p), true, rows, n, prefix);
}

void wave_partition_record(const struct drawing *d, const char *name, const char *valid, const char *group,
                           const char *record, const struct row *rows, size_t n, struct part p) {
  const struct wave_sink *s = d->sink;
  char title[64], prefix[128];
  wave_titled(title, sizeof title, name, p);
  s->begin(s->ctx, title, true);
  snprintf(prefix, sizeof prefix, WAVE_TOP WAVE_VALID "%s.[%u].%s", group, p.number, record);
  s->signal(s->ctx, WAVE_BIT, valid, prefix);
  snprintf(prefix, sizeof prefix, WAVE_RECORDS "%s.[%u].%s.", group, p.number, record);
  wave_rows(d, rows, n, prefix);
  s->end(s->ctx, title, true);
}

void wave_issue(const struct drawing *d, struct part p) {
  wave_partition_record(d, "issue", "issue", "front", "issue", issue, COUNT(issue), p);
}

/* A record of which there is one: `at` says where its valid bit and itself lie. */
struct place {
  const char *title, *valid, *record;
};

static void of_one(const struct drawing *d, struct place at, bool open, const struct row *rows, size_t n) {
  const struct wave_sink *s = d->sink;
  char path[128];
  s->begin(s->ctx, at.title, open);
  snprintf(path, sizeof path, WAVE_TOP "%s", at.valid);
  s->signal(s->ctx, WAVE_BIT, "performed", path);
  wave_rows(d, rows, n, at.record);
  s->end(s->ctx, at.title, open);
}

/* Shared memory of the SM, and of the banks of memory the first. */
void wave_performed(const struct drawing *d, bool open) {
  of_one(d, (struct place){"global memory", "ret_bank_o.[0].valid.global_access", "ret_bank_o.[0].ret.global_access."},
         open, global, COUNT(global));
  of_one(d, (struct place){"shared memory", WAVE_VALID "memory.shared", WAVE_RECORDS "memory.shared."}, open, shared,
         COUNT(shared));
}

/* Ports are a bit each of a vector, or words of an array, which a wave has in a scope of its name. */
void wave_axi(const struct drawing *d) {
  const struct wave_sink *s = d->sink;
  const unsigned ports = d->config->axi_ports;
  char path[192], label[32];
  s->begin(s->ctx, "AXI", false);
  for (size_t i = 0; i < COUNT(axi); i++) {
    const struct row *r = &axi[i];
    snprintf(path, sizeof path, WAVE_TOP "%s[%u:0]", r->path, ports - 1);
    if (r->bits == 1) s->signal(s->ctx, r->format, r->label, path);
    for (unsigned p = 0; r->bits > 1 && p < ports; p++) {
      snprintf(path, sizeof path, WAVE_TOP "%s.%s[%u][%u:0]", r->path, r->path, p, r->bits - 1);
      snprintf(label, sizeof label, ports > 1 ? "%s, port %u" : "%s", r->label, p);
      s->signal(s->ctx, r->format, label, path);
    }
  }
  s->end(s->ctx, "AXI", false);
}
