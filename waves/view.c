/* SPDX-License-Identifier: Apache-2.0
 * Groups, names and paths of the view. A row of a table is a signal; the number of bits gives its range. */
#include "view.h"

#include <stdio.h>

#define TOP "heddle.heddle_gpu."

struct row {
  enum wave_format format;
  unsigned bits; /* 1: without a range */
  const char *label, *path;
};

/* Of a partition: which one, of how many. Arrays of records and of words are scopes of their own; valid bits are one
 * vector. */
struct part {
  unsigned number, of;
};

static const struct row launch[] = {
    {WAVE_BIT, 1, "start of the grid", "u_sm.go_i"},
    {WAVE_BIT, 1, "end of the grid", "u_sm.grid_done_o"},
    {WAVE_BIT, 1, "block starts", "ret_block_start_valid_o"},
    {WAVE_DECIMAL, 32, "block x", "ret_block_start_o.ctaid.ctaid[0]"},
    {WAVE_BIT, 1, "block ends", "ret_block_end_valid_o"},
    {WAVE_BIT, 1, "trap", "ret_trap_valid_o"},
};
/* Fields of records (retire/retire.records). */
static const struct row issue[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"}, {WAVE_DECIMAL, 32, "seq", "id.seq"},
    {WAVE_HEX, 32, "pc", "pc"},           {WAVE_ASSEMBLY, 128, "instruction", "word"},
    {WAVE_HEX, 32, "active", "active"},   {WAVE_HEX, 32, "executing", "exec"},
};
static const struct row operands[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"},
    {WAVE_DECIMAL, 32, "seq", "id.seq"},
    {WAVE_DECIMAL, 8, "beat", "beat"},
    {WAVE_HEX, 32, "lanes", "mask"},
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
/* Of one write port of the register file. */
static const struct row write[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"}, {WAVE_DECIMAL, 32, "seq", "id.seq"}, {WAVE_DECIMAL, 8, "register", "rd"},
    {WAVE_DECIMAL, 16, "row", "row"},     {WAVE_DECIMAL, 8, "beat", "beat"},   {WAVE_HEX, 32, "lanes", "mask"},
};
/* Inside the divergence unit of a partition. */
static const struct row divergence[] = {
    {WAVE_BIT, 1, "control done", "dv_done_valid_o"}, {WAVE_HEX, 32, "next pc", "dv_done_pc_o"},
    {WAVE_HEX, 32, "active", "row.active"},           {WAVE_HEX, 32, "live", "row.live"},
    {WAVE_DECIMAL, 6, "waiting paths", "row.depth"},
};
static const struct row axi[] = {
    {WAVE_BIT, 1, "ar valid", "m_axi_arvalid_o"},   {WAVE_BIT, 1, "ar ready", "m_axi_arready_i"},
    {WAVE_HEX, 40, "ar address", "m_axi_araddr_o"}, {WAVE_BIT, 1, "r valid", "m_axi_rvalid_i"},
    {WAVE_BIT, 1, "r ready", "m_axi_rready_o"},     {WAVE_BIT, 1, "aw valid", "m_axi_awvalid_o"},
    {WAVE_BIT, 1, "aw ready", "m_axi_awready_i"},   {WAVE_HEX, 40, "aw address", "m_axi_awaddr_o"},
    {WAVE_BIT, 1, "w valid", "m_axi_wvalid_o"},     {WAVE_BIT, 1, "w ready", "m_axi_wready_i"},
    {WAVE_BIT, 1, "b valid", "m_axi_bvalid_i"},     {WAVE_BIT, 1, "b ready", "m_axi_bready_o"},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void show(const struct wave_sink *s, const struct row *r, const char *prefix) {
  char path[128];
  if (r->bits == 1)
    snprintf(path, sizeof path, TOP "%s%s", prefix, r->path);
  else
    snprintf(path, sizeof path, TOP "%s%s[%u:0]", prefix, r->path, r->bits - 1);
  s->signal(s->ctx, r->format, r->label, path);
}

static void show_all(const struct wave_sink *s, const struct row *rows, size_t n, const char *prefix) {
  for (size_t i = 0; i < n; i++) show(s, &rows[i], prefix);
}

static void group(const struct wave_sink *s, const char *title, const struct row *rows, size_t n) {
  s->begin(s->ctx, title, false);
  show_all(s, rows, n, "");
  s->end(s->ctx, title, false);
}

/* A record that the whole SM shows. */
static void of_sm(const struct wave_sink *s, const char *title, const char *record, const struct row *rows, size_t n) {
  char prefix[64];
  s->begin(s->ctx, title, false);
  snprintf(prefix, sizeof prefix, TOP "ret_%s_valid_o", record);
  s->signal(s->ctx, WAVE_BIT, "performed", prefix);
  snprintf(prefix, sizeof prefix, "ret_%s_o.", record);
  show_all(s, rows, n, prefix);
  s->end(s->ctx, title, false);
}

/* "NAME, partition 1": the number only where there are several. */
static const char *titled(char *to, size_t bytes, const char *name, struct part p) {
  if (p.of == 1)
    snprintf(to, bytes, "%s", name);
  else
    snprintf(to, bytes, "%s, partition %u", name, p.number);
  return to;
}

/* A record of a partition. */
static void of_partition(const struct wave_sink *s, const char *name, const char *valid, const char *record,
                         const struct row *rows, size_t n, struct part p) {
  char title[64], prefix[64];
  titled(title, sizeof title, name, p);
  s->begin(s->ctx, title, true);
  snprintf(prefix, sizeof prefix, TOP "ret_%s_valid_o[%u:0]", record, p.of - 1);
  s->signal(s->ctx, WAVE_BIT, valid, prefix);
  snprintf(prefix, sizeof prefix, "ret_%s_o.[%u].", record, p.number);
  show_all(s, rows, n, prefix);
  s->end(s->ctx, title, true);
}

static void divergence_unit(const struct wave_sink *s, struct part p) {
  char title[64], prefix[64];
  titled(title, sizeof title, "divergence", p);
  snprintf(prefix, sizeof prefix, "u_sm.gen_partition[%u].u_partition.u_divergence.", p.number);
  s->begin(s->ctx, title, true);
  show_all(s, divergence, COUNT(divergence), prefix);
  s->end(s->ctx, title, true);
}

/* A write port of the register file: what is written where, then the word of each lane of the beat. */
static void write_port(const struct wave_sink *s, const struct heddle_config *c, struct part p, unsigned bank) {
  char name[48], title[64], path[128], prefix[64];
  snprintf(name, sizeof name, "register writes, bank %u", bank);
  titled(title, sizeof title, name, p);
  s->begin(s->ctx, title, true);
  snprintf(path, sizeof path, TOP "ret_write_valid_o.ret_write_valid_o[%u][3:0]", p.number);
  s->signal(s->ctx, WAVE_HEX, "banks written", path);
  snprintf(prefix, sizeof prefix, "ret_write_o.[%u].[%u].", p.number, bank);
  show_all(s, write, COUNT(write), prefix);
  const bool fold = c->lanes > 4;
  if (fold) s->begin(s->ctx, "words", false);
  for (unsigned lane = 0; lane < c->lanes; lane++) {
    char label[24];
    snprintf(label, sizeof label, "lane +%u", lane);
    snprintf(path, sizeof path, TOP "%sdata.data[%u][31:0]", prefix, lane);
    s->signal(s->ctx, WAVE_HEX, label, path);
  }
  if (fold) s->end(s->ctx, "words", false);
  s->end(s->ctx, title, true);
}

void wave_view(const struct heddle_config *c, const struct wave_sink *s) {
  s->signal(s->ctx, WAVE_BIT, "clk", TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    of_partition(s, "issue", "issue", "issue", issue, COUNT(issue), p);
    of_partition(s, "operands read", "read", "operands", operands, COUNT(operands), p);
    for (unsigned b = 0; b < c->banks; b++) write_port(s, c, p, b);
    divergence_unit(s, p);
  }
  of_sm(s, "global memory", "global", global, COUNT(global));
  of_sm(s, "shared memory", "shared", shared, COUNT(shared));
  group(s, "launch", launch, COUNT(launch));
  group(s, "AXI", axi, COUNT(axi));
}
