// SPDX-License-Identifier: Apache-2.0
// What the instruction in S1 is: its lanes (guard, predicates), whether it is legal and may go on.
// Latency: combinational; a predicate written in cycle t counts from t+1 on.
// Handshake: none; it says the same until S1 is left.
// It does not decide what happens (issue_commit), nor compare DEPBAR's counter (issue_warps).
module issue_judge (
  input  logic                                    clk_i,
  input  core_pkg::wipe_t                         wipe_i,
  // from the host
  input  logic                                    its_i,
  input  logic [39:0]                             code_base_i,
  input  logic                                    fault_trap_i,
  // from fetch, the instruction buffer, the constant prefetch, the uniform datapath
  input  front_pkg::place_t                       if_i,
  input  issue_pkg::entry_t                       ib_entry_i,
  input  front_pkg::const_t                       cf_i,
  input  front_pkg::uniform_t                     un_i,
  // from writeback: predicates
  input  front_pkg::pred_write_t                  wb_pred_i,
  // from and to operand: the predicates of a beat, a cycle later
  input  front_pkg::pred_read_t                   op_pr_i,
  output logic [6:0][cfg_pkg::LANES-1:0]          pf_row_o,
  // from divergence and the barriers
  input  front_pkg::paths_t                       dv_q_i,
  input  front_pkg::answer_t                      ba_i,
  // from S1
  input  stage_pkg::s1_t                          s1_i,
  input  stage_pkg::who_t                         who_i,
  input  stage_pkg::again_t                       again_i,
  // to S1
  output stage_pkg::lanes_t                       lanes_o,
  output stage_pkg::verdict_t                     verdict_o,
  output core_pkg::trap_t                         trap_o       // if it traps
);

  logic [6:0][31:0] preds;
  logic [31:0]      exec, ps0, ps1, ps2;
  logic             arrives, early_trap, late_trap, late_stop, absent, absent_cst;

  pred_file u_pred (
    .clk_i     (clk_i),
    .wipe_i    (wipe_i),
    .wb_pred_i (wb_pred_i),
    .op_pr_i   (op_pr_i),
    .pf_row_o  (pf_row_o),
    .is_slot_i (s1_i.slot),
    .pf_pred_o (preds)
  );

  issue_check u_check (
    .entry_i        (ib_entry_i),
    .bad_pc_i       (s1_i.bad),
    .cst_range_i    (cf_i.range),
    .cst_err_i      (cf_i.err),
    .fault_trap_i   (fault_trap_i),
    .lost_i         (if_i.q_lost),
    .lost_cst_i     (if_i.q_lost_cst),
    .id_i           (who_i.id),
    .pc_i           (if_i.q_pc),
    .code_base_i    (code_base_i),
    .pred_i         (preds),
    .upred_i        (un_i.pred),
    .dv_q_active_i  (dv_q_i.active),
    .dv_q_live_i    (dv_q_i.live),
    .dv_q_members_i (dv_q_i.members),
    .dv_q_parked_i  (dv_q_i.parked),
    .dv_q_parkpc_i  (dv_q_i.parkpc),
    .its_i          (its_i),
    .ba_misuse_i    (ba_i.misuse),
    .redo_i         (again_i.redo),
    .exec_o         (exec),
    .ps0_o          (ps0),
    .ps1_o          (ps1),
    .ps2_o          (ps2),
    .arrives_o      (arrives),
    .early_trap_o   (early_trap),
    .late_trap_o    (late_trap),
    .late_stop_o    (late_stop),
    .absent_o       (absent),
    .absent_cst_o   (absent_cst),
    .trap_o         (trap_o)
  );

  assign lanes_o   = '{exec: exec, ps0: ps0, ps1: ps1, ps2: ps2, preds: preds};
  assign verdict_o = '{early_trap: early_trap, late_trap: late_trap, late_stop: late_stop, arrives: arrives,
    absent: absent, absent_cst: absent_cst};

  // Fields that concern others.
  logic unused;
  assign unused = ^{if_i, cf_i, un_i, dv_q_i, ba_i, s1_i, who_i, again_i};

endmodule
