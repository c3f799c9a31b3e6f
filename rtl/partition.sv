// SPDX-License-Identifier: Apache-2.0
// A partition of an SM: fetch, issue, divergence, operands, fixed pipes and writeback for its warps, with its own registers.
// What partitions share lies behind channels that carry who an instruction is: caches, load/store unit, barriers, dispatcher.
// Latency: that of its parts (front, divergence, back).
// Handshake: if_req, if_cst, op_mem, ls_wb valid/ready; answers of the caches and everything else are events. Events that name a
// warp of another partition are not for this one. Warp slots outside are those of the SM (core_pkg::sm_slot).
// It does not know how many partitions there are, nor what the others do, but for a trap, which stops them all. Over 400 lines,
// since each net between its parts is named often.
`default_nettype none

module partition #(
  parameter bit STRAPS = 1'b0          // 1: the launch chooses scheduling policy and divergence unit; 0: the configuration does
) (
  input  logic                                                          clk_i,
  input  logic                                                          rst_ni,
  input  logic [7:0]                                                    fault_i,
  input  logic [cfg_pkg::PART_W-1:0]                                    part_i,   // its number: constant
  // from the host
  input  core_pkg::launch_t                                             launch_i,
  input  logic [63:0]                                                   clock_i,  // cycles since go
  // from the dispatcher
  input  logic                                                          ct_start_valid_i,
  input  core_pkg::start_t                                              ct_start_i,
  input  logic                                                          ct_tid_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]                                 ct_tid_slot_i,
  input  logic [4:0]                                                    ct_tid_beat_i,
  input  logic [cfg_pkg::LANES-1:0][10:0]                               ct_tid_x_i,
  input  logic [cfg_pkg::LANES-1:0][10:0]                               ct_tid_y_i,
  input  logic [cfg_pkg::LANES-1:0][10:0]                               ct_tid_z_i,
  // to and from the instruction cache
  output logic                                                          if_req_valid_o,
  input  logic                                                          if_req_ready_i,
  output logic [31:0]                                                   if_req_pc_o,
  input  logic                                                          ic_rsp_valid_i,
  input  logic [cfg_pkg::FETCH_WORDS-1:0][127:0]                        ic_rsp_word_i,
  input  logic                                                          ic_rsp_err_i,
  // to and from the constant cache
  output logic                                                          if_cst_valid_o,
  input  logic                                                          if_cst_ready_i,
  output logic [4:0]                                                    if_cst_bank_o,
  output logic [15:0]                                                   if_cst_off_o,
  input  logic                                                          cc_cst_valid_i,
  input  logic [31:0]                                                   cc_cst_data_i,
  input  logic                                                          cc_cst_range_i,
  input  logic                                                          cc_cst_err_i,
  // to and from the load/store unit: memory requests, checks passed, traps, late results with the ends of instructions
  output logic                                                          op_req_valid_o,
  input  logic                                                          op_req_ready_i,
  output core_pkg::memreq_t                                             op_req_o,
  input  logic                                                          ls_checked_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]                                 ls_checked_slot_i,
  input  logic                                                          ls_trap_valid_i,
  input  core_pkg::trap_t                                               ls_trap_i,
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
  input  logic                                                          ba_release_valid_i,
  input  logic [cfg_pkg::WARPS-1:0]                                     ba_release_warps_i,
  input  core_pkg::red_t                                                ba_release_red_i,
  input  logic                                                          ba_busy_i,
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
  output logic [retire_pkg::PORTS-1:0]                                  ret_write_valid_o,
  output retire_pkg::write_t [retire_pkg::PORTS-1:0]                    ret_write_o,
  output logic                                                          ret_predicate_valid_o,
  output retire_pkg::predicate_t                                        ret_predicate_o,
  output logic                                                          ret_operands_valid_o,
  output retire_pkg::operands_t                                         ret_operands_o,
  output logic                                                          ret_operands_memory_valid_o,
  output retire_pkg::operands_t                                         ret_operands_memory_o,
  output logic                                                          ret_issue_valid_o,
  output retire_pkg::issue_t                                            ret_issue_o,
  output logic                                                          ret_uniform_read_valid_o,
  output retire_pkg::uniform_read_t                                     ret_uniform_read_o,
  output logic                                                          ret_uniform_write_valid_o,
  output retire_pkg::uniform_write_t                                    ret_uniform_write_o
);

  // from front
  logic                                                          is_pre_valid;
  logic [cfg_pkg::WARP_W-1:0]                                    is_pre_slot;
  isa_pkg::dec_t                                                 is_pre_dec;
  logic [15:0]                                                   is_pre_rbase;
  logic                                                          is_valid;
  logic                                                          is_new;
  core_pkg::uop_t                                                is_uop;
  logic                                                          is_ctl_valid;
  core_pkg::uop_t                                                is_ctl_uop;
  logic                                                          is_sel_valid;
  logic [cfg_pkg::WARP_W-1:0]                                    is_sel_slot;
  logic [3:0]                                                    is_sel_bx;
  logic [cfg_pkg::WARP_W-1:0]                                    is_q_slot;
  logic [3:0]                                                    is_q_bx;
  // from divergence
  logic [31:0]                                                   dv_q_active;
  logic [31:0]                                                   dv_q_live;
  logic [63:0]                                                   dv_q_hash;
  logic [31:0]                                                   dv_q_members;
  logic [31:0]                                                   dv_q_parked;
  logic [31:0]                                                   dv_q_parkpc;
  logic                                                          dv_trap_valid;
  core_pkg::trap_t                                               dv_trap;
  logic                                                          dv_done_valid;
  logic [cfg_pkg::WARP_W-1:0]                                    dv_done_slot;
  logic                                                          dv_done_redirect;
  logic [31:0]                                                   dv_done_pc;
  logic                                                          dv_done_ended;
  // from back
  logic                                                          op_ready;
  logic                                                          op_hold;
  logic [1:0]                                                    op_leave;
  logic                                                          op_disp_valid;
  logic [cfg_pkg::WARP_W-1:0]                                    op_disp_slot;
  logic [2:0]                                                    op_disp_rbar;
  logic                                                          ls_done_hold;
  logic                                                          lt_done_valid;
  logic                                                          lt_uni_valid, lt_uni_ready;
  core_pkg::unires_t                                             lt_uni;
  core_pkg::done_t                                               lt_done;
  logic [core_pkg::GROUPS-1:0]                                    wb_done_valid;
  logic [core_pkg::GROUPS-1:0][issue_pkg::DONE_W-1:0]             wb_done;
  logic                                                          wb_pred_valid;
  core_pkg::id_t                                                 wb_pred_id;
  logic [4:0]                                                    wb_pred_beat;
  logic [cfg_pkg::LANES-1:0]                                     wb_pred_mask;
  logic [2:0]                                                    wb_pred_pd0;
  logic [2:0]                                                    wb_pred_pd1;
  logic [cfg_pkg::LANES-1:0]                                     wb_pred_d0;
  logic [cfg_pkg::LANES-1:0]                                     wb_pred_d1;
  logic                                                          wb_pred_all;
  logic [6:0][cfg_pkg::LANES-1:0]                                wb_pred_en, wb_pred_val, pf_row;
  logic                                                          op_pr_en;
  logic [cfg_pkg::WARP_W-1:0]                                    op_pr_slot;
  logic [4:0]                                                    op_pr_beat;
  logic                                                          op_br_valid;
  logic [cfg_pkg::WARP_W-1:0]                                    op_br_slot;
  logic [4:0]                                                    op_br_beat;
  logic [core_pkg::BR_LANES-1:0][31:0]                           op_br_lo;
  logic [core_pkg::BR_LANES-1:0][31:0]                           op_br_hi;
  logic                                                          op_mem_valid;
  core_pkg::memop_t                                              op_memop;
  logic [4:0]                                                    op_mem_beat;
  logic [core_pkg::MEM_SLOTS-1:0][cfg_pkg::LANES-1:0][31:0]          op_mem_data;
  logic [core_pkg::LATE_PORTS-1:0]                               ls_wb_ready;
  // from unit_rows and late_rows
  logic                                                          op_mem_ready;
  logic [core_pkg::LATE_PORTS-1:0]                               ls_wb_valid;
  logic [core_pkg::LATE_PORTS-1:0][$bits(core_pkg::memwb_t)-1:0] ls_wb;
  logic                                                          ls_done_valid;
  core_pkg::done_t                                               ls_done;
  logic                                                          ls_done_uni;

  // ---- what is meant for this partition ------------------------------------------------------------------------------------
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;

  logic              start_valid, tid_valid, checked_valid, trap_valid;
  logic [WARP_W-1:0] tid_slot, checked_slot, bar_slot;

  assign start_valid   = ct_start_valid_i && core_pkg::part_of(ct_start_i.slot) == part_i;
  assign tid_valid     = ct_tid_valid_i && core_pkg::part_of(ct_tid_slot_i) == part_i;
  assign checked_valid = ls_checked_valid_i && core_pkg::part_of(ls_checked_slot_i) == part_i;
  assign trap_valid    = ls_trap_valid_i && core_pkg::part_of(ls_trap_i.id.slot) == part_i;
  assign tid_slot      = core_pkg::local_slot(ct_tid_slot_i);
  assign checked_slot  = core_pkg::local_slot(ls_checked_slot_i);
  assign is_bar_slot_o = core_pkg::sm_slot(bar_slot, part_i);
  assign is_ended_o    = cfg_pkg::WARPS'(dv_done_valid && dv_done_ended) << dv_done_slot;

  // ---- fetch, decode, issue --------------------------------------------------------------------------------------------------
  front #(.STRAPS(STRAPS)) u_front (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .part_i             (part_i),
    .launch_i           (launch_i),
    .clock_i            (clock_i),
    .ct_start_valid_i   (start_valid),
    .ct_start_i         (ct_start_i),
    .if_req_valid_o     (if_req_valid_o),
    .if_req_ready_i     (if_req_ready_i),
    .if_req_pc_o        (if_req_pc_o),
    .ic_rsp_valid_i     (ic_rsp_valid_i),
    .ic_rsp_word_i      (ic_rsp_word_i),
    .ic_rsp_err_i       (ic_rsp_err_i),
    .if_cst_valid_o     (if_cst_valid_o),
    .if_cst_ready_i     (if_cst_ready_i),
    .if_cst_bank_o      (if_cst_bank_o),
    .if_cst_off_o       (if_cst_off_o),
    .cc_cst_valid_i     (cc_cst_valid_i),
    .cc_cst_data_i      (cc_cst_data_i),
    .cc_cst_range_i     (cc_cst_range_i),
    .cc_cst_err_i       (cc_cst_err_i),
    .is_pre_valid_o     (is_pre_valid),
    .is_pre_slot_o      (is_pre_slot),
    .is_pre_dec_o       (is_pre_dec),
    .is_pre_rbase_o     (is_pre_rbase),
    .is_valid_o         (is_valid),
    .is_new_o           (is_new),
    .is_uop_o           (is_uop),
    .op_ready_i         (op_ready),
    .op_hold_i          (op_hold),
    .op_leave_i         (op_leave),
    .op_disp_valid_i    (op_disp_valid),
    .op_disp_slot_i     (op_disp_slot),
    .op_disp_rbar_i     (op_disp_rbar),
    .wb_done_valid_i    (wb_done_valid),
    .wb_done_i          (wb_done),
    .wb_pred_valid_i    (wb_pred_valid),
    .wb_pred_id_i       (wb_pred_id),
    .wb_pred_beat_i     (wb_pred_beat),
    .wb_pred_mask_i     (wb_pred_mask),
    .wb_pred_pd0_i      (wb_pred_pd0),
    .wb_pred_pd1_i      (wb_pred_pd1),
    .wb_pred_d0_i       (wb_pred_d0),
    .wb_pred_d1_i       (wb_pred_d1),
    .wb_pred_all_i      (wb_pred_all),
    .wb_pred_en_i       (wb_pred_en),
    .wb_pred_val_i      (wb_pred_val),
    .op_pr_en_i         (op_pr_en),
    .op_pr_slot_i       (op_pr_slot),
    .op_pr_beat_i       (op_pr_beat),
    .pf_row_o           (pf_row),
    .ls_checked_valid_i (checked_valid),
    .ls_checked_slot_i  (checked_slot),
    .ls_trap_valid_i    (trap_valid),
    .ls_trap_i          (ls_trap_i),
    .lt_uni_valid_i     (lt_uni_valid),
    .lt_uni_ready_o     (lt_uni_ready),
    .lt_uni_i           (lt_uni),
    .lt_done_valid_i    (lt_done_valid),
    .lt_done_i          (lt_done),
    .is_ctl_valid_o     (is_ctl_valid),
    .is_ctl_uop_o       (is_ctl_uop),
    .is_sel_valid_o     (is_sel_valid),
    .is_sel_slot_o      (is_sel_slot),
    .is_sel_bx_o        (is_sel_bx),
    .is_q_slot_o        (is_q_slot),
    .is_q_bx_o          (is_q_bx),
    .dv_q_active_i      (dv_q_active),
    .dv_q_live_i        (dv_q_live),
    .dv_q_hash_i        (dv_q_hash),
    .dv_q_members_i     (dv_q_members),
    .dv_q_parked_i      (dv_q_parked),
    .dv_q_parkpc_i      (dv_q_parkpc),
    .dv_done_valid_i    (dv_done_valid),
    .dv_done_slot_i     (dv_done_slot),
    .dv_done_redirect_i (dv_done_redirect),
    .dv_done_pc_i       (dv_done_pc),
    .dv_done_ended_i    (dv_done_ended),
    .dv_trap_valid_i    (dv_trap_valid),
    .dv_trap_i          (dv_trap),
    .is_bar_ask_o       (is_bar_ask_o),
    .is_bar_valid_o     (is_bar_valid_o),
    .is_bar_slot_o      (bar_slot),
    .is_bar_o           (is_bar_o),
    .ba_grant_i         (ba_grant_i),
    .ba_misuse_i        (ba_misuse_i),
    .ba_release_valid_i (ba_release_valid_i),
    .ba_release_warps_i (ba_release_warps_i),
    .ba_release_red_i   (ba_release_red_i),
    .ba_busy_i          (ba_busy_i),
    .is_idle_o          (is_idle_o),
    .sm_halt_i          (sm_halt_i),
    .is_halt_o          (is_halt_o),
    .is_drained_o       (is_drained_o),
    .is_trap_valid_o    (is_trap_valid_o),
    .is_trap_o          (is_trap_o),
    .is_cnt_index_i     (is_cnt_index_i),
    .is_cnt_o           (is_cnt_o),
    .ret_ready_i        (ret_ready_i),
    .ret_issue_valid_o  (ret_issue_valid_o),
    .ret_issue_o        (ret_issue_o),
    .ret_uniform_read_valid_o  (ret_uniform_read_valid_o),
    .ret_uniform_read_o        (ret_uniform_read_o),
    .ret_uniform_write_valid_o (ret_uniform_write_valid_o),
    .ret_uniform_write_o       (ret_uniform_write_o)
  );

  // ---- masks, paths, convergence barriers ------------------------------------------------------------------------------------
  divergence #(.ITS(cfg_pkg::HAS_ITS || STRAPS)) u_divergence (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .code_bytes_i       (launch_i.code_bytes),
    .its_i              (launch_i.its),
    .ct_start_valid_i   (start_valid),
    .ct_start_i         (ct_start_i),
    .is_ctl_valid_i     (is_ctl_valid),
    .is_ctl_uop_i       (is_ctl_uop),
    .is_sel_valid_i     (is_sel_valid),
    .is_sel_slot_i      (is_sel_slot),
    .is_sel_bx_i        (is_sel_bx),
    .is_q_slot_i        (is_q_slot),
    .is_q_bx_i          (is_q_bx),
    .op_br_valid_i      (op_br_valid),
    .op_br_slot_i       (op_br_slot),
    .op_br_beat_i       (op_br_beat),
    .op_br_lo_i         (op_br_lo),
    .op_br_hi_i         (op_br_hi),
    .dv_q_active_o      (dv_q_active),
    .dv_q_live_o        (dv_q_live),
    .dv_q_hash_o        (dv_q_hash),
    .dv_q_members_o     (dv_q_members),
    .dv_q_parked_o      (dv_q_parked),
    .dv_q_parkpc_o      (dv_q_parkpc),
    .dv_trap_valid_o    (dv_trap_valid),
    .dv_trap_o          (dv_trap),
    .dv_done_valid_o    (dv_done_valid),
    .dv_done_slot_o     (dv_done_slot),
    .dv_done_redirect_o (dv_done_redirect),
    .dv_done_pc_o       (dv_done_pc),
    .dv_done_ended_o    (dv_done_ended)
  );

  // ---- operands, fixed pipes, writeback --------------------------------------------------------------------------------------
  back u_back (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .fault_i          (fault_i),
    .part_i           (part_i),
    .is_pre_valid_i   (is_pre_valid),
    .is_pre_slot_i    (is_pre_slot),
    .is_pre_dec_i     (is_pre_dec),
    .is_pre_rbase_i   (is_pre_rbase),
    .is_valid_i       (is_valid),
    .is_new_i         (is_new),
    .is_uop_i         (is_uop),
    .op_ready_o       (op_ready),
    .op_hold_o        (op_hold),
    .op_leave_o       (op_leave),
    .op_disp_valid_o  (op_disp_valid),
    .op_disp_slot_o   (op_disp_slot),
    .op_disp_rbar_o   (op_disp_rbar),
    .wb_done_valid_o  (wb_done_valid),
    .wb_done_o        (wb_done),
    .lt_uni_valid_o   (lt_uni_valid),
    .lt_uni_ready_i   (lt_uni_ready),
    .lt_uni_o         (lt_uni),
    .lt_done_valid_o  (lt_done_valid),
    .lt_done_o        (lt_done),
    .wb_pred_valid_o  (wb_pred_valid),
    .wb_pred_id_o     (wb_pred_id),
    .wb_pred_beat_o   (wb_pred_beat),
    .wb_pred_mask_o   (wb_pred_mask),
    .wb_pred_pd0_o    (wb_pred_pd0),
    .wb_pred_pd1_o    (wb_pred_pd1),
    .wb_pred_d0_o     (wb_pred_d0),
    .wb_pred_d1_o     (wb_pred_d1),
    .wb_pred_all_o    (wb_pred_all),
    .wb_pred_en_o     (wb_pred_en),
    .wb_pred_val_o    (wb_pred_val),
    .op_pr_en_o       (op_pr_en),
    .op_pr_slot_o     (op_pr_slot),
    .op_pr_beat_o     (op_pr_beat),
    .pf_row_i         (pf_row),
    .ct_start_valid_i (start_valid),
    .ct_start_i       (ct_start_i),
    .ct_tid_valid_i   (tid_valid),
    .ct_tid_slot_i    (tid_slot),
    .ct_tid_beat_i    (ct_tid_beat_i),
    .ct_tid_x_i       (ct_tid_x_i),
    .ct_tid_y_i       (ct_tid_y_i),
    .ct_tid_z_i       (ct_tid_z_i),
    .op_br_valid_o    (op_br_valid),
    .op_br_slot_o     (op_br_slot),
    .op_br_beat_o     (op_br_beat),
    .op_br_lo_o       (op_br_lo),
    .op_br_hi_o       (op_br_hi),
    .op_mem_valid_o   (op_mem_valid),
    .op_mem_ready_i   (op_mem_ready),
    .op_memop_o       (op_memop),
    .op_mem_beat_o    (op_mem_beat),
    .op_mem_data_o    (op_mem_data),
    .ls_wb_valid_i    (ls_wb_valid),
    .ls_wb_ready_o    (ls_wb_ready),
    .ls_wb_i          (ls_wb),
    .ls_done_valid_i  (ls_done_valid),
    .ls_done_i        (ls_done),
    .ls_done_hold_o   (ls_done_hold),
    .ret_write_valid_o             (ret_write_valid_o),
    .ret_write_o                   (ret_write_o),
    .ret_predicate_valid_o         (ret_predicate_valid_o),
    .ret_predicate_o               (ret_predicate_o),
    .ret_operands_valid_o          (ret_operands_valid_o),
    .ret_operands_o                (ret_operands_o),
    .ret_operands_memory_valid_o   (ret_operands_memory_valid_o),
    .ret_operands_memory_o         (ret_operands_memory_o)
  );

  // ---- the width of the load/store unit: beats into rows, rows into beats ----------------------------------------------------
  unit_rows u_unit_rows (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .op_mem_valid_i (op_mem_valid),
    .op_mem_ready_o (op_mem_ready),
    .op_memop_i     (op_memop),
    .op_mem_beat_i  (op_mem_beat),
    .op_mem_data_i  (op_mem_data),
    .op_req_valid_o (op_req_valid_o),
    .op_req_ready_i (op_req_ready_i),
    .op_req_o       (op_req_o)
  );

  // Memory has no predicate results.
  assign ls_done.pd0   = isa_pkg::PT;
  assign ls_done.pd1   = isa_pkg::PT;
  assign ls_done.preds = 1'b0;
  assign ls_done.pd_uni = 1'b0;
  assign ls_done.rd_uni = ls_done_uni;
  assign ls_done.load   = ls_done_uni;   // of uniform results memory has those of ULDC

  late_rows u_late_rows (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .ls_late_valid_i  (ls_late_valid_i),
    .ls_late_ready_o  (ls_late_ready_o),
    .ls_late_i        (ls_late_i),
    .ls_wb_valid_o    (ls_wb_valid),
    .ls_wb_ready_i    (ls_wb_ready),
    .ls_wb_o          (ls_wb),
    .ls_done_hold_i   (ls_done_hold),
    .ls_done_valid_o  (ls_done_valid),
    .ls_done_slot_o   (ls_done.slot),
    .ls_done_wbar_o   (ls_done.wbar),
    .ls_done_has_rd_o (ls_done.has_rd),
    .ls_done_rd_o     (ls_done.rd),
    .ls_done_rd_n_o   (ls_done.rd_n),
    .ls_done_uni_o    (ls_done_uni)
  );

endmodule

`default_nettype wire
