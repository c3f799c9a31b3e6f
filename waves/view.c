/* SPDX-License-Identifier: Apache-2.0
 * The whole view: what the retire port shows, divergence, AXI. */
#include "view.h"

#include <stdio.h>

#include "waves/rows.h"

static const struct row launch[] = {
    {WAVE_BIT, 1, "start of the grid", WAVE_SM "go_i"},
    {WAVE_BIT, 1, "end of the grid", WAVE_SM "grid_done_o"},
    {WAVE_BIT, 1, "block starts", WAVE_VALID "blocks.block_start"},
    {WAVE_DECIMAL, 32, "block x", WAVE_RECORDS "blocks.block_start.ctaid.ctaid[0]"},
    {WAVE_BIT, 1, "block ends", WAVE_VALID "blocks.block_end"},
    {WAVE_BIT, 1, "trap", WAVE_VALID "blocks.trap"},
};
/* Fields of a record (cosim/retire/retire.records). */
static const struct row operands[] = {
    {WAVE_DECIMAL, 8, "warp", "id.slot"},
    {WAVE_DECIMAL, 32, "seq", "id.seq"},
    {WAVE_DECIMAL, 8, "beat", "beat"},
    {WAVE_HEX, 32, "lanes", "mask"},
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

/* A write port of the register file: what is written where, then the word of each lane of the beat. */
static void write_port(const struct drawing *d, struct part p, unsigned bank) {
  const struct wave_sink *s = d->sink;
  char name[48], title[64], path[160], prefix[96];
  snprintf(name, sizeof name, "register writes, bank %u", bank);
  wave_titled(title, sizeof title, name, p);
  s->begin(s->ctx, title, true);
  snprintf(path, sizeof path, WAVE_TOP WAVE_VALID "back.[%u].write[3:0]", p.number);
  s->signal(s->ctx, WAVE_HEX, "banks written", path);
  snprintf(prefix, sizeof prefix, WAVE_RECORDS "back.[%u].write.[%u].", p.number, bank);
  wave_rows(d, write, COUNT(write), prefix);
  const bool fold = d->config->lanes > 4;
  if (fold) s->begin(s->ctx, "words", false);
  for (unsigned lane = 0; lane < d->config->lanes; lane++) {
    char label[24];
    snprintf(label, sizeof label, "lane +%u", lane);
    snprintf(path, sizeof path, WAVE_TOP "%sdata.data[%u][31:0]", prefix, lane);
    s->signal(s->ctx, WAVE_HEX, label, path);
  }
  if (fold) s->end(s->ctx, "words", false);
  s->end(s->ctx, title, true);
}

static void draw_whole(const struct heddle_config *c, const struct wave_sink *s) {
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_issue(&d, p);
    wave_partition_record(&d, "operands read", "read", "back", "operands", operands, COUNT(operands), p);
    for (unsigned b = 0; b < c->banks; b++) write_port(&d, p, b);
    wave_partition_group(&d, "divergence", divergence, COUNT(divergence), "u_divergence.", p);
  }
  wave_performed(&d, false);
  wave_group(&d, "launch", false, launch, COUNT(launch), "");
  wave_axi(&d);
}

const struct wave_view wave_views[WAVE_VIEWS] = {
    {"", draw_whole},
    {"scheduling", wave_scheduling},
    {"divergence", wave_divergence},
    {"operands", wave_operands},
    {"memory", wave_memory},
};
