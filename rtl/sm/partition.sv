// SPDX-License-Identifier: Apache-2.0
// A partition of an SM: fetch, issue, divergence, operands, fixed pipes and writeback for its warps, with its own registers.
// What partitions share lies behind channels that carry the number of an instruction: caches, load/store unit, barriers, dispatcher.
// Latency: that of its parts (front, divergence, back).
// Handshake: if_req, if_cst, op_req, ls_late valid/ready; answers of the caches and everything else are events. Events that name a
// warp of another partition are not for this one. Warp slots outside are those of the SM (core_pkg::sm_slot).
// It does not know how many partitions there are, nor what the others do, but for a trap, which stops them all.
// A block diagram: there is no logic here.
module partition #(
  parameter bit STRAPS = 1'b0          // 1: the launch chooses scheduling policy and divergence unit; 0: the configuration does
) (
  input  logic                                                          clk_i,
  input  logic                                                          rst_ni,
  input  core_pkg::wipe_t                                               wipe_i,
  input  logic [cfg_pkg::PART_W-1:0]                                    part_i,   // its number: constant
  input  logic [7:0]                                                    sm_i,     // number of the SM, how many there are: constant
  input  logic [8:0]                                                    sms_i,
  // from the host
  input  logic                                                          go_i,     // event: a launch begins
  input  core_pkg::launch_t                                             launch_i,
  input  logic [63:0]                                                   clock_i,  // cycles since go
  // from the dispatcher
  input  logic                                                          ct_start_valid_i,
  input  core_pkg::start_t                                              ct_start_i,
  input  logic                                                          ct_tid_valid_i,
  input  sm_pkg::tid_t                                                  ct_tid_i,
  // to and from the instruction cache
  output logic                                                          if_req_valid_o,
  input  logic                                                          if_req_ready_i,
  output logic [31:0]                                                   if_req_pc_o,
  output logic [core_pkg::FETCH_TAG_W-1:0]                              if_req_tag_o,
  input  logic                                                          ic_rsp_valid_i,
  input  sm_pkg::group_t                                                ic_rsp_i,
  input  logic [core_pkg::FETCH_TAG_W-1:0]                              ic_rsp_tag_i,
  // to and from the constant cache
  output logic                                                          if_cst_valid_o,
  input  logic                                                          if_cst_ready_i,
  output sm_pkg::const_at_t                                             if_cst_o,
  output logic [core_pkg::CST_TAG_W-1:0]                                if_cst_tag_o,
  input  logic                                                          cc_cst_valid_i,
  input  sm_pkg::const_word_t                                           cc_cst_i,
  input  logic [core_pkg::CST_TAG_W-1:0]                                cc_cst_tag_i,
  // from the mmu, where there is one: pages may have come, or (with it) will not
  input  logic                                                          mu_replay_i,
  input  logic                                                          mu_fail_i,
  // to and from the load/store unit: memory requests, checks passed, traps, late results with the ends of instructions
  output logic                                                          op_req_valid_o,
  input  logic                                                          op_req_ready_i,
  output core_pkg::memreq_t                                             op_req_o,
  input  sm_pkg::checks_t                                               ls_i,
  input  logic                                                          ls_late_valid_i,
  output logic                                                          ls_late_ready_o,
  input  core_pkg::late_t                                               ls_late_i,
  // to and from the barriers between warps
  output logic                                                          is_bar_ask_o,
  input  logic                                                          ba_grant_i,
  input  logic                                                          ba_misuse_i,
  output logic                                                          is_bar_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]                                 is_bar_slot_o,
  output core_pkg::bar_t                                                is_bar_o,
  output logic [cfg_pkg::WARPS-1:0]                                     is_ended_o,
  input  front_pkg::release_t                                           ba_release_i,
  // to and from the cache: fences
  output logic [cfg_pkg::WARPS-1:0]                                     is_want_o,
  input  logic [cfg_pkg::WARPS-1:0]                                     fence_ok_i,
  output front_pkg::fence_t                                             is_fence_o,
  // to and from the other partitions and the host: idle warps, traps, counters
  output logic [cfg_pkg::WARPS-1:0]                                     is_idle_o,
  input  logic                                                          sm_halt_i,
  output logic                                                          is_halt_o,
  output logic                                                          is_drained_o,
  output logic                                                          is_trap_valid_o,
  output core_pkg::trap_t                                               is_trap_o,
  input  logic [3:0]                                                    is_cnt_index_i,
  output logic [31:0]                                                   is_cnt_o,
  // retire port
  input  logic                                                          ret_ready_i,
  output retire_pkg::front_valid_t                                      ret_front_valid_o,
  output retire_pkg::front_ret_t                                        ret_front_o,
  output retire_pkg::back_valid_t                                       ret_back_valid_o,
  output retire_pkg::back_ret_t                                         ret_back_o
);

  // from front
  front_pkg::pre_t                                               is_pre;
  front_pkg::issued_t                                            is_issued;
  core_pkg::uop_t [core_pkg::READERS-1:0]                        is_uop;
  core_pkg::uop_t                                                is_new;
  logic                                                          is_sel_valid;
  front_pkg::look_t                                              is_sel, is_q;
  front_pkg::arrive_t                                            is_bar;
  logic [6:0][cfg_pkg::LANES-1:0]                                pf_row;
  // from divergence
  front_pkg::paths_t                                             dv_q;
  front_pkg::moved_t                                             dv;
  front_pkg::control_trap_t                                      dv_trap;
  divergence_pkg::did_t                                          dv_did;      // for observers
  divergence_pkg::stored_t                                       dv_stored;
  divergence_pkg::look_t                                         rh_look;
  logic [63:0]                                                   ret_hash;
  // from back
  front_pkg::operand_t                                           op;
  front_pkg::pred_read_t                                         op_pr;
  front_pkg::ends_t                                              wb_ends;
  front_pkg::pred_write_t                                        wb_pred;
  logic                                                          lt_uni_valid, lt_uni_ready;
  exec_pkg::uni_write_t                                               lt_uni;
  bus_pkg::branch_t                                              op_br;
  bus_pkg::mem_beat_t                                            op_mem;
  logic [core_pkg::LATE_PORTS-1:0]                               ls_wb_ready;
  logic                                                          wb_hold;
  // from unit_rows and late_rows
  logic                                                          op_mem_ready;
  bus_pkg::late_rows_t                                           ls_wb;
  bus_pkg::late_end_t                                            ls_end;
  // events for this partition
  logic                                                          start_valid, tid_valid, late_valid, late_ready;
  front_pkg::checks_t                                            ls;

  // ---- of events that name a warp of the SM those of this partition, by its own slots ------------------------------------
  function automatic logic mine(input logic valid, input logic [cfg_pkg::SM_WARP_W-1:0] slot);
    mine = valid && core_pkg::part_of(slot) == part_i;
  endfunction

  assign start_valid     = mine(ct_start_valid_i, ct_start_i.slot);
  assign tid_valid       = mine(ct_tid_valid_i, ct_tid_i.slot);
  assign late_valid      = mine(ls_late_valid_i, ls_late_i.tag.id.slot);
  assign ls_late_ready_o = late_valid && late_ready;
  assign ls = '{checked_valid: mine(ls_i.checked_valid, ls_i.checked_slot), checked_slot: core_pkg::local_slot(ls_i.checked_slot),
    trap_valid: mine(ls_i.trap_valid, ls_i.trap.id.slot), trap: ls_i.trap};

  assign is_bar_ask_o  = is_bar.ask;
  assign is_bar_slot_o = core_pkg::sm_slot(is_bar.slot, part_i);
  assign is_bar_o      = is_bar.bar;
  assign is_ended_o    = cfg_pkg::WARPS'(dv.valid && dv.ended) << dv.slot;

  // ---- fetch, decode, issue --------------------------------------------------------------------------------------------------
  front #(.STRAPS(STRAPS)) u_front (
    .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i), .part_i(part_i),
    .sm_i               (sm_i),
    .sms_i              (sms_i),
    .go_i               (go_i),
    .launch_i           (launch_i),
    .clock_i            (clock_i),
    .ct_start_valid_i   (start_valid),
    .ct_start_i         (ct_start_i),
    .if_req_valid_o     (if_req_valid_o),
    .if_req_ready_i     (if_req_ready_i),
    .if_req_pc_o        (if_req_pc_o),
    .if_req_tag_o       (if_req_tag_o),
    .ic_rsp_valid_i     (ic_rsp_valid_i),
    .ic_rsp_i           (ic_rsp_i),
    .ic_rsp_tag_i       (ic_rsp_tag_i),
    .if_cst_valid_o     (if_cst_valid_o),
    .if_cst_ready_i     (if_cst_ready_i),
    .if_cst_o           (if_cst_o),
    .if_cst_tag_o       (if_cst_tag_o),
    .cc_cst_valid_i     (cc_cst_valid_i),
    .cc_cst_i           (cc_cst_i),
    .cc_cst_tag_i       (cc_cst_tag_i),
    .mu_replay_i        (mu_replay_i),
    .mu_fail_i          (mu_fail_i),
    .is_pre_o           (is_pre),
    .is_issued_o        (is_issued),
    .is_uop_o           (is_uop),
    .is_new_o           (is_new),
    .op_i               (op),
    .op_pr_i            (op_pr),
    .pf_row_o           (pf_row),
    .wb_ends_i          (wb_ends),
    .wb_pred_i          (wb_pred),
    .ls_i               (ls),
    .lt_uni_valid_i     (lt_uni_valid),
    .lt_uni_ready_o     (lt_uni_ready),
    .lt_uni_i           (lt_uni),
    .is_sel_valid_o     (is_sel_valid),
    .is_sel_o           (is_sel),
    .is_q_o             (is_q),
    .dv_q_i             (dv_q),
    .dv_i               (dv),
    .dv_trap_i          (dv_trap),
    .is_bar_o           (is_bar),
    .is_bar_valid_o     (is_bar_valid_o),
    .ba_i               ('{grant: ba_grant_i, misuse: ba_misuse_i}),
    .ba_release_i       (ba_release_i),
    .is_want_o          (is_want_o),
    .fence_ok_i         (fence_ok_i),
    .is_fence_o         (is_fence_o),
    .is_idle_o          (is_idle_o),
    .sm_halt_i          (sm_halt_i),
    .is_halt_o          (is_halt_o),
    .is_drained_o       (is_drained_o),
    .is_trap_valid_o    (is_trap_valid_o),
    .is_trap_o          (is_trap_o),
    .is_cnt_index_i     (is_cnt_index_i),
    .is_cnt_o           (is_cnt_o),
    .ret_ready_i        (ret_ready_i),
    .ret_hash_i         (ret_hash),
    .ret_valid_o        (ret_front_valid_o),
    .ret_o              (ret_front_o)
  );

  // ---- masks, paths, convergence barriers ------------------------------------------------------------------------------------
  divergence #(.ITS(cfg_pkg::HAS_ITS || STRAPS)) u_divergence (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .code_bytes_i       (launch_i.code_bytes),
    .its_i              (launch_i.its),
    .ct_start_valid_i   (start_valid),
    .ct_start_i         (ct_start_i),
    .is_ctl_valid_i     (is_issued.ctl),
    .is_ctl_uop_i       (is_new),
    .is_sel_valid_i     (is_sel_valid),
    .is_sel_slot_i      (is_sel.slot),
    .is_sel_bx_i        (is_sel.bx),
    .is_q_slot_i        (is_q.slot),
    .is_q_bx_i          (is_q.bx),
    .op_br_valid_i      (op_br.valid),
    .op_br_slot_i       (op_br.slot),
    .op_br_beat_i       (op_br.beat),
    .op_br_lo_i         (op_br.lo),
    .op_br_hi_i         (op_br.hi),
    .dv_q_active_o      (dv_q.active),
    .dv_q_live_o        (dv_q.live),
    .dv_q_members_o     (dv_q.members),
    .dv_q_parked_o      (dv_q.parked),
    .dv_q_parkpc_o      (dv_q.parkpc),
    .dv_trap_valid_o    (dv_trap.valid),
    .dv_trap_o          (dv_trap.trap),
    .dv_done_valid_o    (dv.valid),
    .dv_done_slot_o     (dv.slot),
    .dv_done_redirect_o (dv.redirect),
    .dv_done_moved_o    (dv.moved),
    .dv_done_pc_o       (dv.pc),
    .dv_done_ended_o    (dv.ended),
    .dv_did_o           (dv_did),
    .rh_look_i          (rh_look),
    .dv_stored_o        (dv_stored)
  );

  retire_hash u_hash (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .start_valid_i (start_valid),
    .start_slot_i  (core_pkg::local_slot(ct_start_i.slot)),
    .dv_did_i      (dv_did),
    .rh_look_o     (rh_look),
    .dv_stored_i   (dv_stored),
    .q_slot_i      (is_q.slot),
    .q_live_i      (dv_q.live),
    .ret_hash_o    (ret_hash)
  );

  // ---- operands, fixed pipes, writeback --------------------------------------------------------------------------------------
  back u_back (
    .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i), .part_i(part_i),
    .is_pre_i         (is_pre),
    .is_issued_i      (is_issued),
    .is_uop_i         (is_uop),
    .op_o             (op),
    .wb_ends_o        (wb_ends),
    .wb_pred_o        (wb_pred),
    .lt_uni_valid_o   (lt_uni_valid),
    .lt_uni_ready_i   (lt_uni_ready),
    .lt_uni_o         (lt_uni),
    .op_pr_o          (op_pr),
    .pf_row_i         (pf_row),
    .ct_start_valid_i (start_valid),
    .ct_start_i       (ct_start_i),
    .ct_tid_valid_i   (tid_valid),
    .ct_tid_i         (ct_tid_i),
    .op_br_o          (op_br),
    .op_mem_o         (op_mem),
    .op_mem_ready_i   (op_mem_ready),
    .ls_wb_i          (ls_wb),
    .ls_wb_ready_o    (ls_wb_ready),
    .ls_end_i         (ls_end),
    .wb_hold_o        (wb_hold),
    .ret_valid_o      (ret_back_valid_o),
    .ret_o            (ret_back_o)
  );

  // ---- the width of the load/store unit: beats into rows, rows into beats ----------------------------------------------------
  unit_rows u_unit_rows (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .op_mem_valid_i (op_mem.valid),
    .op_mem_ready_o (op_mem_ready),
    .op_memop_i     (op_mem.op),
    .op_mem_beat_i  (op_mem.beat),
    .op_mem_data_i  (op_mem.data),
    .op_req_valid_o (op_req_valid_o),
    .op_req_ready_i (op_req_ready_i),
    .op_req_o       (op_req_o)
  );

  late_rows u_late_rows (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ls_late_valid_i  (late_valid),
    .ls_late_ready_o  (late_ready),
    .ls_late_i        (ls_late_i),
    .ls_wb_o          (ls_wb),
    .ls_wb_ready_i    (ls_wb_ready),
    .ls_end_o         (ls_end),
    .wb_hold_i        (wb_hold)
  );

endmodule
