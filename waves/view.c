/* SPDX-License-Identifier: Apache-2.0
 * Views of a wave, as tables of rows: all paths into the RTL that are known here. */
#include <stddef.h>
#include <stdio.h>

#include "waves/waves.h"

/* Paths with their ranges, groups, and the tables that several views show. */

#define WAVE_TOP "heddle.heddle_gpu."
#define WAVE_GPU "u_gpu."                          /* the machine behind its ports */
#define WAVE_SM WAVE_GPU "gen_sm[0].u_sm."         /* of several SMs the first is drawn */
#define WAVE_RECORDS WAVE_GPU "gen_sm[0].ret."     /* ... its records, */
#define WAVE_VALID WAVE_GPU "gen_sm[0].ret_valid." /* ... and which of them are there (cosim/retire/retire.records) */
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Widths that follow from the configuration; others are numbers of bits. A signal of 1 bit has no range, of one of
 * these even a single bit has. */
enum {
  PER_WARP = 1000, /* a bit for each warp slot of the partition */
  PER_BANK,        /* a bit for each bank of the register file */
  PER_ACCESS,      /* a bit for each global instruction in flight */
  A_SLOT,          /* number of a warp slot of the partition */
  A_BEAT,          /* number of a beat */
  PER_READER,      /* a bit for each reader of operands */
  PLACES           /* how many of a queue of units */
};

struct row {
  enum wave_format format;
  unsigned bits; /* or a width from above */
  const char *label, *path;
};

/* Of a partition: which one, of how many. Arrays of structs and of words are scopes of their own. */
struct part {
  unsigned number, of;
};

/* What is drawn, and by whom. */
struct drawing {
  const struct heddle_config *config;
  const struct wave_sink *sink;
};

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
  case PER_READER:
    return c->operand_lines;
  case PLACES:
    return bits_for(c->collectors + 1);
  default:
    return bits;
  }
}

static void wave_row(const struct drawing *d, const struct row *r, const char *prefix) {
  char path[192];
  if (r->bits == 1)
    snprintf(path, sizeof path, WAVE_TOP "%s%s", prefix, r->path);
  else
    snprintf(path, sizeof path, WAVE_TOP "%s%s[%u:0]", prefix, r->path, width(d->config, r->bits) - 1);
  d->sink->signal(d->sink->ctx, r->format, r->label, path);
}

/* A signal, and all of a table; paths begin with WAVE_TOP and then the prefix. */
static void wave_rows(const struct drawing *d, const struct row *rows, size_t n, const char *prefix) {
  for (size_t i = 0; i < n; i++) wave_row(d, &rows[i], prefix);
}

/* A table as a group; `open`: its rows are seen. */
static void wave_group(const struct drawing *d, const char *title, bool open, const struct row *rows, size_t n,
                       const char *prefix) {
  d->sink->begin(d->sink->ctx, title, open);
  wave_rows(d, rows, n, prefix);
  d->sink->end(d->sink->ctx, title, open);
}

/* "NAME, partition 1": the number only where there are several. */
static const char *wave_titled(char *to, size_t bytes, const char *name, struct part p) {
  if (p.of == 1)
    snprintf(to, bytes, "%s", name);
  else
    snprintf(to, bytes, "%s, partition %u", name, p.number);
  return to;
}

/* A table of signals inside a partition, as an open group; paths begin at its `unit`: "u_divergence.". */
static void wave_partition_group(const struct drawing *d, const char *name, const struct row *rows, size_t n,
                                 const char *unit, struct part p) {
  char title[64], prefix[96];
  snprintf(prefix, sizeof prefix, WAVE_SM "gen_partition[%u].u_partition.%s", p.number, unit);
  wave_group(d, wave_titled(title, sizeof title, name, p), true, rows, n, prefix);
}

/* A record of a partition's front or back, with the bit that says it is there. */
static void wave_partition_record(const struct drawing *d, const char *name, const char *valid, const char *group,
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

static void wave_issue(const struct drawing *d, struct part p) {
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
static void wave_performed(const struct drawing *d, bool open) {
  of_one(d, (struct place){"global memory", "ret_bank_o.[0].valid.global_access", "ret_bank_o.[0].ret.global_access."},
         open, global, COUNT(global));
  of_one(d, (struct place){"shared memory", WAVE_VALID "memory.shared", WAVE_RECORDS "memory.shared."}, open, shared,
         COUNT(shared));
}

/* Ports are a bit each of a vector, or words of an array, which a wave has in a scope of its name. */
static void wave_axi(const struct drawing *d) {
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

/* Two views of a partition's front: who may issue, and where the lanes of its warps are. */

/* Paths inside the issue stage; a bit a warp. */
static const struct row candidates[] = {
    {WAVE_HEX, PER_WARP, "warps that live", "u_ready.state_i.alive"},
    {WAVE_HEX, PER_WARP, "have an instruction", "u_ready.there"},
    {WAVE_HEX, PER_WARP, "may issue", "u_ready.eligible_o"},
    {WAVE_HEX, PER_WARP, "selected", "u_select.sel"},
};
static const struct row reasons[] = {
    {WAVE_HEX, PER_WARP, "stall count", "u_ready.state_i.stalled"},
    {WAVE_HEX, PER_WARP, "dependency", "u_ready.waits"},
    {WAVE_HEX, PER_WARP, "control or start", "u_ready.state_i.sync"},
    {WAVE_HEX, PER_WARP, "barrier", "u_ready.state_i.bar"},
    {WAVE_HEX, PER_WARP, "constant", "u_ready.no_cst"},
    {WAVE_HEX, PER_WARP, "memory drains", "u_ready.drains"},
    {WAVE_HEX, PER_WARP, "no place in a queue", "u_ready.why_o.no_room"},
    {WAVE_HEX, PER_WARP, "the one before it", "u_ready.blocked"},
};
static const struct row stage[] = {
    {WAVE_BIT, 1, "holds one", "u_select.valid_q"},
    {WAVE_DECIMAL, A_SLOT, "of warp", "u_select.slot_q"},
    {WAVE_BIT, 1, "commits", "u_select.act_i.commit"},
    {WAVE_BIT, 1, "is refused", "u_select.act_i.refused"},
    {WAVE_HEX, PER_READER, "operands: ready", "u_room.op_i.ready"},
    {WAVE_BIT, 1, "operands: hold", "u_select.op_hold_i"},
};

/* Paths inside the divergence unit. */
static const struct row asked[] = {
    {WAVE_BIT, 1, "arrives", "is_ctl_valid_i"},
    {WAVE_HEX, 32, "pc", "is_ctl_uop_i.pc"},
    {WAVE_HEX, 32, "lanes", "is_ctl_uop_i.exec"},
};
static const struct row at_work[] = {
    {WAVE_DECIMAL, A_SLOT, "warp", "slot_q"},
    {WAVE_DECIMAL, 4, "kind", "work.kind"},
    {WAVE_HEX, 32, "pc (lowest bit: of a short word)", "work.at"},
    {WAVE_HEX, 32, "lanes", "work.exec"},
    {WAVE_HEX, 32, "target", "work.target"},
    {WAVE_BIT, 1, "done", "dv_done_valid_o"},
    {WAVE_DECIMAL, A_SLOT, "of warp", "dv_done_slot_o"},
    {WAVE_HEX, 32, "goes on at", "dv_done_pc_o"},
    {WAVE_BIT, 1, "trap", "dv_trap_valid_o"},
};
static const struct row warp_state[] = {
    {WAVE_HEX, 32, "active", "row.active"},
    {WAVE_HEX, 32, "active then", "row_new.active"},
    {WAVE_HEX, 32, "live", "row.live"},
    {WAVE_DECIMAL, 6, "waiting paths", "row.depth"},
    {WAVE_DECIMAL, 6, "waiting then", "row_new.depth"},
};
static const struct row paths[] = {
    {WAVE_BIT, 1, "push", "push"},
    {WAVE_HEX, 32, "pushed lanes", "pushed.mask"},
    {WAVE_HEX, 32, "pushed pc", "pushed.pc"},
    {WAVE_HEX, 64, "as stored", "u_paths.u_paths.wr_data_i"},
    {WAVE_BIT, 1, "pop", "pop"},
    {WAVE_HEX, 32, "popped lanes", "top.mask"},
    {WAVE_HEX, 32, "popped pc", "top.pc"},
};
static const struct row convergence[] = {
    {WAVE_DECIMAL, 5, "barrier", "work.bx"},          {WAVE_HEX, 32, "members", "sets.members"},
    {WAVE_HEX, 32, "parked", "sets.parked"},          {WAVE_HEX, 32, "members then", "sets_new.members"},
    {WAVE_HEX, 32, "parked then", "sets_new.parked"}, {WAVE_BIT, 1, "released", "released"},
};

void wave_scheduling(const struct heddle_config *c, const struct wave_sink *s) {
  static const char unit[] = "u_front.u_issue.";
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_partition_group(&d, "candidates", candidates, COUNT(candidates), unit, p);
    wave_partition_group(&d, "what they wait for", reasons, COUNT(reasons), unit, p);
    wave_partition_group(&d, "second stage", stage, COUNT(stage), unit, p);
    wave_issue(&d, p);
  }
}

void wave_divergence(const struct heddle_config *c, const struct wave_sink *s) {
  static const char unit[] = "u_divergence.";
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_issue(&d, p);
    wave_partition_group(&d, "control instruction", asked, COUNT(asked), unit, p);
    wave_partition_group(&d, "at work", at_work, COUNT(at_work), unit, p);
    wave_partition_group(&d, "the warp", warp_state, COUNT(warp_state), unit, p);
    wave_partition_group(&d, "paths", paths, COUNT(paths), unit, p);
    wave_partition_group(&d, "convergence barrier", convergence, COUNT(convergence), unit, p);
  }
}

/* Two views behind issue: operands on their way to the units, and accesses on their way to memory. */

/* Paths inside a reader of the operand stage. */
static const struct row reading[] = {
    {WAVE_BIT, 1, "one to read", "is_valid_i"},
    {WAVE_BIT, 1, "... is new", "is_first_i"},
    {WAVE_ASSEMBLY, 128, "... instruction", "is_uop_i.word"},
    {WAVE_HEX, PER_BANK, "banks read", "op_read_o.en"},
    {WAVE_BIT, 1, "write port is free", "rs_ok_i"},
    {WAVE_BIT, 1, "row is complete", "take"},
    {WAVE_DECIMAL, A_BEAT, "... its beat", "read_beat"},
    {WAVE_BIT, 1, "no row: all hold", "op_o.hold"},
    {WAVE_BIT, 1, "next may issue", "op_o.ready"},
};
static const struct row bus[] = {
    {WAVE_BIT, 1, "row on the bus", "op_bus_o.row.valid"},
    {WAVE_DECIMAL, 32, "... its seq", "op_bus_o.row.dest.id.seq"},
    {WAVE_BIT, 1, "... all are read", "op_bus_o.row.dest.last"},
};
/* Paths inside the operand stage. */
static const struct row memory_queue[] = {
    {WAVE_BIT, 1, "a row comes", "u_mem_queue.u_rows.complete"},
    {WAVE_BIT, 1, "one waits", "u_mem_queue.head_valid"},
    {WAVE_DECIMAL, 32, "... its seq", "op_mem_o.op.id.seq"},
    {WAVE_BIT, 1, "offered", "op_mem_o.valid"},
    {WAVE_BIT, 1, "taken", "op_mem_ready_i"},
    {WAVE_DECIMAL, 5, "beat", "op_mem_o.beat"},
    {WAVE_DECIMAL, 2, "places given back", "u_mem_queue.op_leave_o"},
};
static const struct row units_queue[] = {
    {WAVE_BIT, 1, "one waits", "gen_units.u_queue.head_valid"},
    {WAVE_DECIMAL, 32, "... its seq", "op_var_o.op.id.seq"},
    {WAVE_HEX, 4, "offered to the unit", "op_var_o.valid"},
    {WAVE_HEX, 4, "taken", "op_var_ready_i"},
    {WAVE_DECIMAL, 5, "beat", "op_var_o.beat"},
    {WAVE_DECIMAL, 2, "places given back", "gen_units.u_queue.op_leave_o"},
};
/* Inside issue: how many places it has given away. */
static const struct row places[] = {
    {WAVE_DECIMAL, PLACES, "memory: in use", "u_room.gen_unit_queue[0].taken_q"},
    {WAVE_HEX, PER_WARP, "warps without room", "u_room.mem"},
};
static const struct row units_places[] = {
    {WAVE_DECIMAL, PLACES, "units: in use", "u_room.gen_unit_queue[1].taken_q"},
};

/* Paths inside the memory part of an SM. */
static const struct row arriving[] = {
    {WAVE_BIT, 1, "row offered", "op_req_valid_i"},
    {WAVE_BIT, 1, "row taken", "op_req_ready_o"},
    {WAVE_HEX, 32, "pc", "op_req_i.op.pc"},
    {WAVE_DECIMAL, 32, "seq", "op_req_i.op.id.seq"},
    {WAVE_DECIMAL, 4, "operation", "op_req_i.op.mem"},
    {WAVE_HEX, 32, "lanes", "op_req_i.op.exec"},
    {WAVE_DECIMAL, 5, "row", "op_req_i.row"},
};
static const struct row checking[] = {
    {WAVE_BIT, 1, "row checked", "u_lsu.u_front.ck_valid"},
    {WAVE_DECIMAL, 32, "seq", "u_lsu.u_front.ck_op.id.seq"},
    {WAVE_BIT, 1, "all lanes pass", "u_lsu.ls_checked_valid_o"},
    {WAVE_BIT, 1, "trap", "u_lsu.ls_trap_valid_o"},
    {WAVE_HEX, PER_ACCESS, "global, in flight", "u_lsu.u_global.u_track.used_q"},
    {WAVE_HEX, PER_ACCESS, "... complete", "u_lsu.u_global.u_track.ready"},
};
static const struct row channel[] = {
    {WAVE_BIT, 1, "request", "ch_o.lq_valid"},      {WAVE_DECIMAL, 3, "kind", "ch_o.lq.kind"},
    {WAVE_HEX, 33, "line", "ch_o.lq.line"},         {WAVE_HEX, 4, "sectors", "ch_o.lq.sectors"},
    {WAVE_HEX, 32, "lanes", "ch_o.lq.lanes"},       {WAVE_BIT, 1, "data to write", "ch_o.lw_valid"},
    {WAVE_BIT, 1, "data read", "ch_i.ld_valid"},    {WAVE_BIT, 1, "answer", "ch_i.la_valid"},
    {WAVE_BIT, 1, "answer taken", "ch_o.la_ready"}, {WAVE_BIT, 1, "error", "ch_i.la.err"},
};
static const struct row results[] = {
    {WAVE_BIT, 1, "result offered", "ls_late_valid_o"}, {WAVE_BIT, 1, "result taken", "ls_late_ready_i"},
    {WAVE_DECIMAL, 32, "seq", "ls_late_o.tag.id.seq"},  {WAVE_DECIMAL, 8, "register", "ls_late_o.tag.to.rd"},
    {WAVE_DECIMAL, 5, "row", "ls_late_o.tag.beat"},     {WAVE_BIT, 1, "last", "ls_late_o.tag.last"},
};

static bool has_units(const struct heddle_config *c) {
  return (c->pipes & (HEDDLE_PIPE_SFU | HEDDLE_PIPE_FP64 | HEDDLE_PIPE_WARP | HEDDLE_PIPE_TENSOR)) != 0;
}

void wave_operands(const struct heddle_config *c, const struct wave_sink *s) {
  static const char operand[] = "u_back.u_operand.", issue[] = "u_front.u_issue.";
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_issue(&d, p);
    for (unsigned k = 0; k < c->operand_lines; k++) {
      char unit[64];
      snprintf(unit, sizeof unit, "u_back.u_operand.gen_line[%u].u_line.", k);
      wave_partition_group(&d, k == 0 ? "reading" : "reading, the other", reading, COUNT(reading), unit, p);
      wave_partition_group(&d, k == 0 ? "operand bus" : "operand bus, the other", bus, COUNT(bus), unit, p);
    }
    wave_partition_group(&d, "queue of memory", memory_queue, COUNT(memory_queue), operand, p);
    if (has_units(c)) wave_partition_group(&d, "queue of units", units_queue, COUNT(units_queue), operand, p);
    wave_partition_group(&d, "places as issue counts them", places, COUNT(places), issue, p);
    if (has_units(c)) wave_partition_group(&d, "... of units", units_places, COUNT(units_places), issue, p);
  }
}

void wave_memory(const struct heddle_config *c, const struct wave_sink *s) {
  static const char unit[] = WAVE_SM "u_mem_top.";
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  wave_group(&d, "to the load/store unit", true, arriving, COUNT(arriving), unit);
  wave_group(&d, "addresses", true, checking, COUNT(checking), unit);
  wave_group(&d, "request channel", true, channel, COUNT(channel), unit);
  wave_performed(&d, true);
  wave_group(&d, "results", true, results, COUNT(results), unit);
  wave_axi(&d);
}

/* The whole view: what the retire port shows, divergence, AXI. */

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

/* Rows of operands on each bus, and which buses have one. */
static void wave_operands_read(const struct drawing *d, struct part p) {
  const struct wave_sink *s = d->sink;
  char title[64], path[128];
  wave_titled(title, sizeof title, "operands read", p);
  s->begin(s->ctx, title, true);
  snprintf(path, sizeof path, WAVE_TOP WAVE_VALID "back.[%u].operands[1:0]", p.number);
  s->signal(s->ctx, WAVE_HEX, "read", path);
  for (unsigned k = 0; k < d->config->operand_lines; k++) {
    snprintf(path, sizeof path, WAVE_RECORDS "back.[%u].operands.[%u].", p.number, k);
    wave_rows(d, operands, COUNT(operands), path);
  }
  s->end(s->ctx, title, true);
}

static void draw_whole(const struct heddle_config *c, const struct wave_sink *s) {
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_issue(&d, p);
    wave_operands_read(&d, p);
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
