/* SPDX-License-Identifier: Apache-2.0
 * Two views behind issue: operands on their way to the units, and accesses on their way to memory. */
#include "waves/rows.h"

/* Paths inside the operand stage. */
static const struct row reading[] = {
    {WAVE_BIT, 1, "one to read", "is_issued_i.valid"},
    {WAVE_BIT, 1, "... is new", "is_issued_i.first"},
    {WAVE_ASSEMBLY, 128, "... instruction", "is_uop_i.word"},
    {WAVE_HEX, PER_BANK, "banks read", "rd_en"},
    {WAVE_BIT, 1, "write port is free", "ok"},
    {WAVE_BIT, 1, "row is complete", "take"},
    {WAVE_DECIMAL, A_BEAT, "... its beat", "beat"},
    {WAVE_BIT, 1, "no row: all hold", "op_o.hold"},
    {WAVE_BIT, 1, "next may issue", "op_o.ready"},
};
static const struct row bus[] = {
    {WAVE_BIT, 1, "row on the bus", "op_row_o.valid"},
    {WAVE_BIT, 1, "... into memory's queue", "u_mem_queue.row_valid_i"},
    {WAVE_BIT, 1, "all are read", "op_o.disp_valid"},
    {WAVE_DECIMAL, A_SLOT, "... of warp", "op_o.disp_slot"},
};
static const struct row memory_queue[] = {
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
    {WAVE_BIT, 1, "row checked", "u_lsu.ck_valid"},
    {WAVE_DECIMAL, 32, "seq", "u_lsu.ck_op.id.seq"},
    {WAVE_BIT, 1, "all lanes pass", "u_lsu.ls_checked_valid_o"},
    {WAVE_BIT, 1, "trap", "u_lsu.ls_trap_valid_o"},
    {WAVE_HEX, PER_ACCESS, "global, in flight", "u_lsu.u_global.u_track.u_slots.used_q"},
    {WAVE_HEX, PER_ACCESS, "... complete", "u_lsu.u_global.u_track.u_slots.ready_o"},
};
static const struct row channel[] = {
    {WAVE_BIT, 1, "request", "lq_valid_o"},      {WAVE_DECIMAL, 3, "kind", "lq_o.kind"},
    {WAVE_HEX, 33, "line", "lq_o.line"},         {WAVE_HEX, 4, "sectors", "lq_o.sectors"},
    {WAVE_HEX, 32, "lanes", "lq_o.lanes"},       {WAVE_BIT, 1, "data to write", "lw_valid_o"},
    {WAVE_BIT, 1, "data read", "ld_valid_i"},    {WAVE_BIT, 1, "answer", "la_valid_i"},
    {WAVE_BIT, 1, "answer taken", "la_ready_o"}, {WAVE_BIT, 1, "error", "la_i.err"},
};
static const struct row results[] = {
    {WAVE_BIT, 1, "result offered", "ls_late_valid_o"}, {WAVE_BIT, 1, "result taken", "ls_late_ready_i"},
    {WAVE_DECIMAL, 32, "seq", "ls_late_o.id.seq"},      {WAVE_DECIMAL, 8, "register", "ls_late_o.rd"},
    {WAVE_DECIMAL, 5, "row", "ls_late_o.row"},          {WAVE_BIT, 1, "last", "ls_late_o.last"},
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
    wave_partition_group(&d, "reading", reading, COUNT(reading), operand, p);
    wave_partition_group(&d, "operand bus", bus, COUNT(bus), operand, p);
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
