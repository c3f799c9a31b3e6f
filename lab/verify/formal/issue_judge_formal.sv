// SPDX-License-Identifier: Apache-2.0
// rtl/issue/issue_judge.sv between the stages that it works with: issue_select, which names the instruction in S1, and issue_commit,
// which follows the verdict, with any instructions in S1. All reads for the instruction that is there
// hold, too. They are the instruction buffer's entry, its constant's state, the masks of its warp, which waits for nothing; and
// its predicates, of which one of one warp is followed.
// config: fpga
// memories: free
`include "properties.svh"

module issue_judge_formal (
  input logic                              clk_i,
  // S0
  input logic [cfg_pkg::WARPS-1:0]         eligible,
  input logic [cfg_pkg::WARPS-1:0]         slow,
  input issue_pkg::heads_t                 heads,
  // the instruction in S1
  input front_pkg::at_t                    at,
  input issue_pkg::entry_t                 stored,
  input front_pkg::const_t                 constant,
  input logic [6:0]                        un_pred,
  input front_pkg::paths_t                 paths,
  // what holds it up
  input logic                              halt,
  input logic                              ret_ready,
  input front_pkg::operand_t               op,
  input front_pkg::answer_t                ba,
  input front_pkg::release_t               released,
  input logic                              above,
  // predicates
  input front_pkg::pred_write_t            wb_pred,
  input front_pkg::pred_read_t             op_pr
);
  `RESET
  logic [cfg_pkg::WARPS-1:0]  pick, sel;
  logic                       pick_free, sel_valid, bar_valid;
  front_pkg::look_t           sel_look, q_look;
  front_pkg::arrive_t         bar;
  stage_pkg::again_t          again;
  stage_pkg::origin_t         origin;
  stage_pkg::s1_t             s1;
  stage_pkg::lanes_t          lanes;
  stage_pkg::verdict_t        verdict;
  stage_pkg::flow_t           flow;
  stage_pkg::act_t            act;
  front_pkg::take_t           take;
  front_pkg::absent_t         absent;
  core_pkg::trap_t            trap;
  issue_pkg::entry_t          entry;
  logic [6:0][cfg_pkg::LANES-1:0] row;

  assign entry = stored;

  issue_select u_select (
    .clk_i(clk_i), .rst_ni(rst_ni), .part_i('0), .sched_i('0), .ct_start_valid_i(1'b0), .ct_start_i('0), .start_i('0),
    .eligible_i(eligible), .slow_i(slow), .ib_heads_i(heads), .op_hold_i(op.hold),
    .flow_i(flow), .act_i(act),
    .pick_o(pick), .free_o(pick_free), .sel_o(sel), .is_sel_valid_o(sel_valid), .is_sel_o(sel_look), .is_q_o(q_look),
    .s1_o(s1), .origin_o(origin)
  );

  issue_judge u_dut (
    .wipe_i('0),
    .clk_i         (clk_i),
    .fault_trap_i  (1'b0),
    .its_i         (1'b0),
    .code_base_i   ('0),
    .at_i          (at),
    .ib_entry_i    (entry),
    .cf_i          (constant),
    .un_pred_i     (un_pred),
    .wb_pred_i     (wb_pred),
    .op_pr_i       (op_pr),
    .pf_row_o      (row),
    .dv_q_i        (paths),
    .ba_misuse_i   (ba.misuse),
    .slot_i        (s1.slot),
    .bad_i         (s1.bad),
    .id_i          (origin.id),
    .redo_i        (again.redo),
    .lanes_o       (lanes),
    .verdict_o     (verdict),
    .trap_o        (trap)
  );

  issue_commit u_commit (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i('0), .ret_ready_i(ret_ready), .halt_i(halt),
    .ib_entry_i(entry), .op_ready_i(op.ready[0]),
    .sel_i(sel), .valid_i(s1.valid), .slot_i(s1.slot), .here_i(s1.here), .exec_i(lanes.exec), .ps0_i(lanes.ps0),
    .verdict_i(verdict), .above_i(above),
    .ba_grant_i(ba.grant), .ba_release_i(released), .bar_o(bar), .bar_valid_o(bar_valid),
    .again_o(again), .flow_o(flow), .act_o(act), .take_o(take), .absent_o(absent)
  );

  // ---- what is followed -------------------------------------------------------------------------------------
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [2:0]                 pred_q;
  logic                       here;
  isa_pkg::dec_t              dec;
  always_ff @(posedge clk_i) begin
    slot_q <= slot_q;
    pred_q <= pred_q;
  end
  assign here = s1.slot == slot_q;
  assign dec  = entry.dec;

  // ---- held while S1 is ----------------------------------------------------------------------------
  typedef struct packed {
    issue_pkg::entry_t entry;
    logic              range, err, redo;
    logic [31:0]       pc, active, live, members, parked, parkpc;
  } seen_t;
  seen_t       now, was_q;
  logic        stood_q;   // S1 has the instruction of the cycle before
  logic [31:0] lanes_now, lanes_q;
  assign now = '{entry: entry, range: constant.range, err: constant.err, redo: again.redo, pc: at.pc,
    active: paths.active, live: paths.live, members: paths.members, parked: paths.parked, parkpc: paths.parkpc};
  assign lanes_now = (pred_q == isa_pkg::PT) ? '1 : u_dut.preds[pred_q];
  always_ff @(posedge clk_i) begin
    stood_q   <= rst_ni && s1.valid && !flow.free && !flow.stop;
    was_q     <= now;
    lanes_q   <= lanes_now;
  end
  `GIVEN(g_stands, !stood_q || now == was_q)
  `GIVEN(g_lanes, !(stood_q && here) || lanes_now == lanes_q)

  // Does it trap, as all is now? (The guard is the predicate that is followed, or none.)
  logic guards, traps;
  assign guards  = here && (dec.guard[2:0] == pred_q || dec.guard[2:0] == isa_pkg::PT);
  assign traps   = u_dut.early_trap || u_dut.late_trap
    || (entry.kind.bar && !again.redo && lanes.exec != '0 && ba.misuse);

  // An instruction that issues does not trap, by its lanes, masks and barrier of that cycle; and one that traps does.
  `PROVE(p_trap, (!(act.commit && guards) || !traps) && (!(act.precise && guards) || traps))
  // One leaves that has been there for a cycle, without having been back.
  `REACH(r_leaves, act.go && here && stood_q)
endmodule
