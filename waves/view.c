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
static const struct row divergence[] = {
    {WAVE_BIT, 1, "control done", "u_sm.u_divergence.dv_done_valid_o"},
    {WAVE_HEX, 32, "next pc", "u_sm.u_divergence.dv_done_pc_o"},
    {WAVE_HEX, 32, "active", "u_sm.u_divergence.active"},
    {WAVE_HEX, 32, "live", "u_sm.u_divergence.live"},
    {WAVE_DECIMAL, 6, "waiting paths", "u_sm.u_divergence.depth"},
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
/* Of one write port of the register file; behind the bank's number. */
static const struct row write[] = {
    {WAVE_BIT, 1, "write", "valid_o"},     {WAVE_DECIMAL, 8, "warp", "slot_o"}, {WAVE_DECIMAL, 32, "seq", "seq_o"},
    {WAVE_DECIMAL, 8, "register", "rd_o"}, {WAVE_DECIMAL, 8, "beat", "beat_o"}, {WAVE_HEX, LANES, "lanes", "mask_o"},
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

/* A write port of the register file: what is written where, then the word of each lane of the beat. */
static void write_port(const struct wave_sink *s, const struct heddle_config *c, unsigned bank) {
  char title[48], prefix[16];
  snprintf(title, sizeof title, "register writes, bank %u", bank);
  snprintf(prefix, sizeof prefix, "ret_wb%u_", bank);
  s->begin(s->ctx, title, true);
  for (size_t i = 0; i < COUNT(write); i++) show(s, c, &write[i], prefix);
  const bool fold = c->lanes > 4;
  if (fold) s->begin(s->ctx, "words", false);
  for (unsigned lane = 0; lane < c->lanes; lane++) {
    char label[24], path[96];
    snprintf(label, sizeof label, "lane +%u", lane);
    snprintf(path, sizeof path, TOP "%sdata_o.%sdata_o[%u][31:0]", prefix, prefix, lane);
    s->signal(s->ctx, WAVE_HEX, label, path);
  }
  if (fold) s->end(s->ctx, "words", false);
  s->end(s->ctx, title, true);
}

void wave_view(const struct heddle_config *c, const struct wave_sink *s) {
  s->signal(s->ctx, WAVE_BIT, "clk", TOP "clk_i");
  group(s, c, "issue", true, issue, COUNT(issue));
  group(s, c, "operands read", true, operands, COUNT(operands));
  for (unsigned b = 0; b < c->banks; b++) write_port(s, c, b);
  group(s, c, "divergence", true, divergence, COUNT(divergence));
  group(s, c, "global memory", false, global, COUNT(global));
  group(s, c, "shared memory", false, shared, COUNT(shared));
  group(s, c, "launch", false, launch, COUNT(launch));
  group(s, c, "AXI", false, axi, COUNT(axi));
}
