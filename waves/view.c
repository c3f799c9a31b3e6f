/* SPDX-License-Identifier: Apache-2.0
 * Groups, names and paths of the view. A row of a table is a signal; the number of bits gives its range. */
#include "view.h"

#include <stdio.h>

#define TOP "heddle.heddle_gpu."
#define LANES 0u /* bits: as many as the machine has lanes */

struct row {
  enum wave_format format;
  unsigned bits; /* 1: without a range */
  const char *label, *path;
};

/* Of a partition: which one, of how many. Arrays of words are scopes of their own; valid bits are one vector. */
struct part {
  unsigned number, of;
};

static const struct row launch[] = {
    {WAVE_BIT, 1, "start of the grid", "u_sm.go_i"},     {WAVE_BIT, 1, "end of the grid", "u_sm.grid_done_o"},
    {WAVE_BIT, 1, "block starts", "ret_bstart_valid_o"}, {WAVE_DECIMAL, 32, "block x", "ret_bstart_ctaid_x_o"},
    {WAVE_BIT, 1, "block ends", "ret_bend_valid_o"},     {WAVE_BIT, 1, "trap", "ret_trap_valid_o"},
};
static const struct row issue[] = {
    {WAVE_BIT, 1, "issue", "ret_issue_valid_o"},
    {WAVE_DECIMAL, 8, "warp", "ret_issue_slot_o"},
    {WAVE_DECIMAL, 32, "seq", "ret_issue_seq_o"},
    {WAVE_HEX, 32, "pc", "ret_issue_pc_o"},
    {WAVE_ASSEMBLY, 128, "instruction", "ret_issue_word_o"},
    {WAVE_HEX, 32, "active", "ret_issue_active_o"},
    {WAVE_HEX, 32, "executing", "ret_issue_exec_o"},
};
static const struct row operands[] = {
    {WAVE_BIT, 1, "read", "ret_opg_valid_o"},     {WAVE_DECIMAL, 8, "warp", "ret_opg_slot_o"},
    {WAVE_DECIMAL, 32, "seq", "ret_opg_seq_o"},   {WAVE_DECIMAL, 8, "beat", "ret_opg_beat_o"},
    {WAVE_HEX, LANES, "lanes", "ret_opg_mask_o"},
};
/* Inside the divergence unit of a partition. */
static const struct row divergence[] = {
    {WAVE_BIT, 1, "control done", "dv_done_valid_o"},
    {WAVE_HEX, 32, "next pc", "dv_done_pc_o"},
    {WAVE_HEX, 32, "active", "active"},
    {WAVE_HEX, 32, "live", "live"},
    {WAVE_DECIMAL, 6, "waiting paths", "depth"},
};
static const struct row global[] = {
    {WAVE_BIT, 1, "performed", "ret_gmem_valid_o"}, {WAVE_DECIMAL, 8, "warp", "ret_gmem_slot_o"},
    {WAVE_DECIMAL, 32, "seq", "ret_gmem_seq_o"},    {WAVE_DECIMAL, 2, "kind", "ret_gmem_kind_o"},
    {WAVE_HEX, 35, "sector", "ret_gmem_sector_o"},  {WAVE_HEX, 32, "lanes", "ret_gmem_lanes_o"},
};
static const struct row shared[] = {
    {WAVE_BIT, 1, "performed", "ret_shm_valid_o"}, {WAVE_DECIMAL, 8, "warp", "ret_shm_slot_o"},
    {WAVE_DECIMAL, 32, "seq", "ret_shm_seq_o"},    {WAVE_DECIMAL, 2, "kind", "ret_shm_kind_o"},
    {WAVE_HEX, 32, "lanes", "ret_shm_lanes_o"},
};
static const struct row axi[] = {
    {WAVE_BIT, 1, "ar valid", "m_axi_arvalid_o"},   {WAVE_BIT, 1, "ar ready", "m_axi_arready_i"},
    {WAVE_HEX, 40, "ar address", "m_axi_araddr_o"}, {WAVE_BIT, 1, "r valid", "m_axi_rvalid_i"},
    {WAVE_BIT, 1, "r ready", "m_axi_rready_o"},     {WAVE_BIT, 1, "aw valid", "m_axi_awvalid_o"},
    {WAVE_BIT, 1, "aw ready", "m_axi_awready_i"},   {WAVE_HEX, 40, "aw address", "m_axi_awaddr_o"},
    {WAVE_BIT, 1, "w valid", "m_axi_wvalid_o"},     {WAVE_BIT, 1, "w ready", "m_axi_wready_i"},
    {WAVE_BIT, 1, "b valid", "m_axi_bvalid_i"},     {WAVE_BIT, 1, "b ready", "m_axi_bready_o"},
};
/* Of one write port of the register file. */
static const struct row write[] = {
    {WAVE_DECIMAL, 8, "warp", "ret_wb_slot_o"},   {WAVE_DECIMAL, 32, "seq", "ret_wb_seq_o"},
    {WAVE_DECIMAL, 8, "register", "ret_wb_rd_o"}, {WAVE_DECIMAL, 8, "beat", "ret_wb_beat_o"},
    {WAVE_HEX, LANES, "lanes", "ret_wb_mask_o"},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void show(const struct wave_sink *s, const struct heddle_config *c, const struct row *r, const char *prefix) {
  char path[128];
  const unsigned bits = r->bits == LANES ? c->lanes : r->bits;
  if (bits == 1)
    snprintf(path, sizeof path, TOP "%s%s", prefix, r->path);
  else
    snprintf(path, sizeof path, TOP "%s%s[%u:0]", prefix, r->path, bits - 1);
  s->signal(s->ctx, r->format, r->label, path);
}

static void group(const struct wave_sink *s, const struct heddle_config *c, const char *title, bool open,
                  const struct row *rows, size_t n) {
  s->begin(s->ctx, title, open);
  for (size_t i = 0; i < n; i++) show(s, c, &rows[i], "");
  s->end(s->ctx, title, open);
}

/* "NAME, partition 1": the number only where there are several. */
static const char *titled(char *to, size_t bytes, const char *name, struct part p) {
  if (p.of == 1)
    snprintf(to, bytes, "%s", name);
  else
    snprintf(to, bytes, "%s, partition %u", name, p.number);
  return to;
}

/* Records of a partition. */
static void records(const struct wave_sink *s, const struct heddle_config *c, const char *name, const struct row *rows,
                    size_t n, struct part p) {
  char title[64], path[128];
  titled(title, sizeof title, name, p);
  s->begin(s->ctx, title, true);
  for (size_t i = 0; i < n; i++) {
    const unsigned bits = rows[i].bits == LANES ? c->lanes : rows[i].bits;
    if (bits == 1)
      snprintf(path, sizeof path, TOP "%s[%u:0]", rows[i].path, p.of - 1);
    else
      snprintf(path, sizeof path, TOP "%s.%s[%u][%u:0]", rows[i].path, rows[i].path, p.number, bits - 1);
    s->signal(s->ctx, rows[i].format, rows[i].label, path);
  }
  s->end(s->ctx, title, true);
}

static void divergence_unit(const struct wave_sink *s, const struct heddle_config *c, struct part p) {
  char title[64], prefix[64];
  titled(title, sizeof title, "divergence", p);
  snprintf(prefix, sizeof prefix, "u_sm.gen_partition[%u].u_partition.u_divergence.", p.number);
  s->begin(s->ctx, title, true);
  for (size_t i = 0; i < COUNT(divergence); i++) show(s, c, &divergence[i], prefix);
  s->end(s->ctx, title, true);
}

/* A write port of the register file: what is written where, then the word of each lane of the beat. */
static void write_port(const struct wave_sink *s, const struct heddle_config *c, struct part p, unsigned bank) {
  char name[48], title[64], path[128];
  snprintf(name, sizeof name, "register writes, bank %u", bank);
  titled(title, sizeof title, name, p);
  s->begin(s->ctx, title, true);
  snprintf(path, sizeof path, TOP "ret_wb_valid_o.ret_wb_valid_o[%u][3:0]", p.number);
  s->signal(s->ctx, WAVE_HEX, "banks written", path);
  for (size_t i = 0; i < COUNT(write); i++) {
    const unsigned bits = write[i].bits == LANES ? c->lanes : write[i].bits;
    snprintf(path, sizeof path, TOP "%s.[%u].%s[%u][%u][%u:0]", write[i].path, p.number, write[i].path, p.number, bank,
             bits - 1);
    s->signal(s->ctx, write[i].format, write[i].label, path);
  }
  const bool fold = c->lanes > 4;
  if (fold) s->begin(s->ctx, "words", false);
  for (unsigned lane = 0; lane < c->lanes; lane++) {
    char label[24];
    snprintf(label, sizeof label, "lane +%u", lane);
    snprintf(path, sizeof path, TOP "ret_wb_data_o.[%u].[%u].ret_wb_data_o[%u][%u][%u][31:0]", p.number, bank, p.number,
             bank, lane);
    s->signal(s->ctx, WAVE_HEX, label, path);
  }
  if (fold) s->end(s->ctx, "words", false);
  s->end(s->ctx, title, true);
}

void wave_view(const struct heddle_config *c, const struct wave_sink *s) {
  s->signal(s->ctx, WAVE_BIT, "clk", TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    records(s, c, "issue", issue, COUNT(issue), p);
    records(s, c, "operands read", operands, COUNT(operands), p);
    for (unsigned b = 0; b < c->banks; b++) write_port(s, c, p, b);
    divergence_unit(s, c, p);
  }
  group(s, c, "global memory", false, global, COUNT(global));
  group(s, c, "shared memory", false, shared, COUNT(shared));
  group(s, c, "launch", false, launch, COUNT(launch));
  group(s, c, "AXI", false, axi, COUNT(axi));
}
