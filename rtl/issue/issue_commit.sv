// SPDX-License-Identifier: Apache-2.0
// What the instruction in S1 does in this cycle: it waits, issues, is refused, or traps.
// Latency: combinational.
// Handshake: S1 waits for the operand stage (op_i.ready; with two readers issue_room has counted
// the place) and, with a BAR, for its turn at the barriers (ba_i.grant). One that DEPBAR's counter
// refuses goes back to the head of its buffer; so does a BAR.RED that arrives: once its barrier is
// complete it comes a second
// time, without a record, and one that lacks a page: its warp is sent back to fetch it anew.
// It does not judge (issue_judge); what follows from an issue is others' business.
module issue_commit (
  // from the host, the retire port, trap control
  input  logic                 ret_ready_i,
  input  logic                 halt_i,
  // from the instruction buffer, operand, the barriers
  input  issue_pkg::entry_t    ib_entry_i,
  input  front_pkg::operand_t  op_i,
  input  front_pkg::answer_t   ba_i,
  // from S0 and S1
  input  stage_pkg::pick_t     pick_i,
  input  stage_pkg::s1_t       s1_i,
  input  stage_pkg::verdict_t  verdict_i,
  input  logic                 above_i,     // the counter that DEPBAR names is above its limit
  input  front_pkg::arrive_t   bar_i,
  input  stage_pkg::again_t    again_i,
  // to S0 and S1
  output stage_pkg::flow_t     flow_o,
  output stage_pkg::act_t      act_o,
  // to the instruction buffer and fetch
  output front_pkg::take_t     take_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic stop, there, free, hazard, may, commit, refused, first, go;

  // ---- may S1 go on? ---------------------------------------------------------------------------
  assign stop  = halt_i && !again_i.redo;
  assign there = s1_i.valid && !stop;
  assign free  = (core_pkg::READERS > 1 || op_i.ready[0]) && (!bar_i.ask || ba_i.grant);

  assign flow_o.run    = !halt_i && ret_ready_i;
  assign flow_o.halt   = halt_i;
  assign flow_o.stop   = stop;
  assign flow_o.there  = there;
  assign flow_o.free   = free;
  assign flow_o.judged = s1_i.valid && free;

  // ---- what does it do? ------------------------------------------------------------------------
  // Whether S1 may go on is known late, and so is what it would do then: each is worked out by
  // itself. What depends on the executing lanes comes last.
  assign hazard  = ib_entry_i.kind.depbar && above_i;
  assign may     = there && !verdict_i.early_trap && !verdict_i.absent && !hazard && free;
  assign commit  = may && !verdict_i.late_trap;
  assign go      = may && !verdict_i.late_stop;
  assign first   = commit && ib_entry_i.kind.red && verdict_i.arrives;
  assign refused = (there && !verdict_i.early_trap && (hazard || verdict_i.absent)) && free;

  assign act_o.commit  = commit;
  assign act_o.shown   = commit && !again_i.redo;
  assign act_o.go      = go;
  assign act_o.first   = first;
  assign act_o.refused = refused;
  assign act_o.precise = (there && (verdict_i.early_trap || (verdict_i.late_trap && !hazard && !verdict_i.absent)))
    && free;
  assign act_o.yields  = commit && ib_entry_i.dec.yield;

  assign take_o.sel  = pick_i.sel;
  assign take_o.pop  = s1_i.here & {WARPS{go}};
  assign take_o.back = s1_i.here & {WARPS{refused || first}};
  assign take_o.absent     = there && verdict_i.absent && free;
  assign take_o.absent_cst = verdict_i.absent_cst;

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_entry_i, op_i, ba_i, pick_i, s1_i, bar_i, again_i};

endmodule
