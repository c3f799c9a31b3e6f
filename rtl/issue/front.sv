// SPDX-License-Identifier: Apache-2.0
// Front end of the SM: fetch, instruction buffer, constant prefetch, issue.
// Latency: a word that arrives from the cache in cycle t may be selected in t+1 and stands at is_uop in t+3.
// Handshake: see rtl/README.md; ports are the nets of that table.
// It does not hold masks (divergence), barriers, or registers.
`default_nettype none

module front #(
  parameter bit STRAPS = 1'b0          // 1: the launch chooses scheduling policy and divergence unit; 0: the configuration does
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic [7:0]                            fault_i,
  input  logic [cfg_pkg::PART_W-1:0]            part_i,
  // from the host
  input  core_pkg::launch_t                     launch_i,
  input  logic [63:0]                           clock_i,       // cycles since go
  // from the dispatcher
  input  logic                                  ct_start_valid_i,
  input  core_pkg::start_t                      ct_start_i,
  // to and from the instruction cache
  output logic                                  if_req_valid_o,
  input  logic                                  if_req_ready_i,
  output logic [31:0]                           if_req_pc_o,
  input  logic                                  ic_rsp_valid_i,
  input  logic [cfg_pkg::FETCH_WORDS-1:0][127:0] ic_rsp_word_i,
  input  logic                                  ic_rsp_err_i,
  // to and from the constant cache
  output logic                                  if_cst_valid_o,
  input  logic                                  if_cst_ready_i,
  output logic [4:0]                            if_cst_bank_o,
  output logic [15:0]                           if_cst_off_o,
  input  logic                                  cc_cst_valid_i,
  input  logic [31:0]                           cc_cst_data_i,
  input  logic                                  cc_cst_range_i,
  input  logic                                  cc_cst_err_i,
  // to and from operand
  output logic                                  is_pre_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]            is_pre_slot_o,
  output isa_pkg::dec_t                         is_pre_dec_o,
  output logic [15:0]                           is_pre_rbase_o,
  output logic                                  is_valid_o,
  output logic                                  is_new_o,
  output core_pkg::uop_t                        is_uop_o,
  input  logic                                  op_ready_i,
  input  logic                                  op_hold_i,
  input  logic [1:0]                            op_leave_i,
  input  logic                                  op_disp_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]            op_disp_slot_i,
  input  logic [2:0]                            op_disp_rbar_i,
  // from writeback
  input  logic [core_pkg::GROUPS-1:0]            wb_done_valid_i,
  input  logic [core_pkg::GROUPS-1:0][issue_pkg::DONE_W-1:0] wb_done_i,      // done_t each
  input  logic                                  wb_pred_valid_i,
  input  core_pkg::id_t                         wb_pred_id_i,
  input  logic [4:0]                            wb_pred_beat_i,
  input  logic [cfg_pkg::LANES-1:0]             wb_pred_mask_i,
  input  logic [2:0]                            wb_pred_pd0_i,
  input  logic [2:0]                            wb_pred_pd1_i,
  input  logic [cfg_pkg::LANES-1:0]             wb_pred_d0_i,
  input  logic [cfg_pkg::LANES-1:0]             wb_pred_d1_i,
  input  logic                                     wb_pred_all_i,
  input  logic [6:0][cfg_pkg::LANES-1:0]           wb_pred_en_i,
  input  logic [6:0][cfg_pkg::LANES-1:0]           wb_pred_val_i,
  // from and to operand: the predicates of a beat, a cycle later
  input  logic                                    op_pr_en_i,
  input  logic [cfg_pkg::WARP_W-1:0]               op_pr_slot_i,
  input  logic [4:0]                               op_pr_beat_i,
  output logic [6:0][cfg_pkg::LANES-1:0]           pf_row_o,
  // from the load/store unit
  input  logic                                  ls_checked_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]            ls_checked_slot_i,
  input  logic                                  ls_trap_valid_i,
  input  core_pkg::trap_t                       ls_trap_i,
  // from and to back: uniform results of the load/store unit and the units of the partition
  input  logic                                  lt_uni_valid_i,
  output logic                                  lt_uni_ready_o,
  input  core_pkg::unires_t                     lt_uni_i,
  // from the load/store unit and the units of the partition: ends of instructions
  input  logic                                  lt_done_valid_i,
  input  core_pkg::done_t                       lt_done_i,
  // to and from divergence
  output logic                                  is_ctl_valid_o,
  output core_pkg::uop_t                        is_ctl_uop_o,
  output logic                                  is_sel_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]            is_sel_slot_o,
  output logic [3:0]                            is_sel_bx_o,
  output logic [cfg_pkg::WARP_W-1:0]            is_q_slot_o,
  output logic [3:0]                            is_q_bx_o,
  input  logic [31:0]                           dv_q_active_i,
  input  logic [31:0]                           dv_q_live_i,
  input  logic [63:0]                           dv_q_hash_i,
  input  logic [31:0]                           dv_q_members_i,
  input  logic [31:0]                           dv_q_parked_i,
  input  logic [31:0]                           dv_q_parkpc_i,
  input  logic                                  dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]            dv_done_slot_i,
  input  logic                                  dv_done_redirect_i,
  input  logic [31:0]                           dv_done_pc_i,
  input  logic                                  dv_done_ended_i,
  input  logic                                  dv_trap_valid_i,
  input  core_pkg::trap_t                       dv_trap_i,
  // to and from the barrier unit
  output logic                                  is_bar_ask_o,
  output logic                                  is_bar_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]            is_bar_slot_o,
  output core_pkg::bar_t                        is_bar_o,
  input  logic                                  ba_grant_i,
  input  logic                                  ba_misuse_i,
  input  logic                                  ba_release_valid_i,
  input  logic [cfg_pkg::WARPS-1:0]             ba_release_warps_i,
  input  core_pkg::red_t                        ba_release_red_i,
  input  logic                                  ba_busy_i,
  // to the dispatcher, to all
  output logic [cfg_pkg::WARPS-1:0]             is_idle_o,
  input  logic                                  sm_halt_i,
  output logic                                  is_halt_o,
  output logic                                  is_drained_o,
  output logic                                  is_trap_valid_o,
  output core_pkg::trap_t                       is_trap_o,
  // to the host's registers
  input  logic [3:0]                            is_cnt_index_i,
  output logic [31:0]                           is_cnt_o,
  // to the retire port
  input  logic                                  ret_ready_i,
  output logic                                  ret_issue_valid_o,
  output retire_pkg::issue_t                    ret_issue_o,
  output logic                                  ret_uniform_read_valid_o,
  output retire_pkg::uniform_read_t             ret_uniform_read_o,
  output logic                                  ret_uniform_write_valid_o,
  output retire_pkg::uniform_write_t            ret_uniform_write_o
);

  logic                                             if_push_valid;
  logic [cfg_pkg::WARP_W-1:0]                       if_push_slot;
  logic [127:0]                                     if_push_word;
  logic                                             if_push_err;
  logic [cfg_pkg::WARPS-1:0]                        if_flush;
  logic                                             ib_jump;
  logic [cfg_pkg::WARPS-1:0]                        if_bad_pc;
  logic [31:0]                                      if_q_pc;
  logic                                             ib_cst_valid;
  logic [cfg_pkg::WARP_W-1:0]                       ib_cst_slot;
  logic [issue_pkg::IDX_W-1:0]                      ib_cst_index;
  logic                                             ib_cst_need, ib_cst_wide;
  logic [4:0]                                       ib_cst_bank;
  logic [15:0]                                      ib_cst_off;
  logic [cfg_pkg::WARPS-1:0]                        ib_valid;
  logic [issue_pkg::HEAD_W-1:0][cfg_pkg::WARPS-1:0] ib_head;
  logic [cfg_pkg::IBUF-1:0][cfg_pkg::WARPS-1:0]     ib_at;
  issue_pkg::entry_t                                ib_entry;
  logic [issue_pkg::IDX_W-1:0]                      ib_s1_index;
  logic [cfg_pkg::WARPS-1:0]                        cf_ready;
  logic [31:0]                                      cf_data, cf_data_hi;
  logic                                             cf_range, cf_err;
  logic [cfg_pkg::WARPS-1:0]                        is_sel;
  logic [cfg_pkg::WARP_W-1:0]                       is_s1_slot;
  logic [cfg_pkg::WARPS-1:0]                        is_pop, is_back;
  logic                                             is_uni_read, is_uni_valid;
  logic [6:0]                                       un_pred;
  logic [31:0]                                      un_sval, un_sval_hi;
  core_pkg::uop_t                                   is_uop;
  logic                                             un_done_valid, un_starved;
  core_pkg::done_t                                  un_done;

  logic its;   // strap: the divergence unit; a machine without `its` ignores it
  assign its = (cfg_pkg::HAS_ITS || STRAPS) && launch_i.its;

  fetch u_fetch (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .entry_pc_i         (launch_i.entry_pc),
    .code_bytes_i       (launch_i.code_bytes),
    .code_base_i        (launch_i.code_base),
    .ct_start_valid_i   (ct_start_valid_i),
    .ct_start_slot_i    (core_pkg::local_slot(ct_start_i.slot)),
    .dv_done_valid_i    (dv_done_valid_i),
    .dv_done_slot_i     (dv_done_slot_i),
    .dv_done_redirect_i (dv_done_redirect_i),
    .dv_done_pc_i       (dv_done_pc_i),
    .dv_done_ended_i    (dv_done_ended_i),
    .if_req_valid_o     (if_req_valid_o),
    .if_req_ready_i     (if_req_ready_i),
    .if_req_pc_o        (if_req_pc_o),
    .ic_rsp_valid_i     (ic_rsp_valid_i),
    .ic_rsp_word_i      (ic_rsp_word_i),
    .ic_rsp_err_i       (ic_rsp_err_i),
    .if_push_valid_o    (if_push_valid),
    .if_push_slot_o     (if_push_slot),
    .if_push_word_o     (if_push_word),
    .if_push_err_o      (if_push_err),
    .if_flush_o         (if_flush),
    .ib_jump_i          (ib_jump),
    .is_halt_i          (is_halt_o || sm_halt_i),
    .is_pop_i           (is_pop),
    .if_bad_pc_o        (if_bad_pc),
    .is_q_slot_i        (is_s1_slot),
    .if_q_pc_o          (if_q_pc)
  );

  ibuf u_ibuf (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .fault_i         (fault_i),
    .regs_i          (launch_i.regs),
    .its_i           (its),
    .if_push_valid_i (if_push_valid),
    .if_push_slot_i  (if_push_slot),
    .if_push_word_i  (if_push_word),
    .if_push_err_i   (if_push_err),
    .if_flush_i      (if_flush),
    .ib_jump_o       (ib_jump),
    .ib_cst_valid_o  (ib_cst_valid),
    .ib_cst_slot_o   (ib_cst_slot),
    .ib_cst_index_o  (ib_cst_index),
    .ib_cst_need_o   (ib_cst_need),
    .ib_cst_wide_o   (ib_cst_wide),
    .ib_cst_bank_o   (ib_cst_bank),
    .ib_cst_off_o    (ib_cst_off),
    .ib_valid_o      (ib_valid),
    .ib_head_o       (ib_head),
    .ib_at_o         (ib_at),
    .ib_entry_o      (ib_entry),
    .is_sel_i        (is_sel),
    .is_s1_slot_i    (is_s1_slot),
    .ib_s1_index_o   (ib_s1_index),
    .is_pop_i        (is_pop),
    .is_back_i       (is_back)
  );

  const_fetch u_const_fetch (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ib_cst_valid_i (ib_cst_valid),
    .ib_cst_slot_i  (ib_cst_slot),
    .ib_cst_index_i (ib_cst_index),
    .ib_cst_need_i  (ib_cst_need),
    .ib_cst_wide_i  (ib_cst_wide),
    .ib_cst_bank_i  (ib_cst_bank),
    .ib_cst_off_i   (ib_cst_off),
    .ib_at_i        (ib_at),
    .if_flush_i     (if_flush),
    .if_cst_valid_o (if_cst_valid_o),
    .if_cst_ready_i (if_cst_ready_i),
    .if_cst_bank_o  (if_cst_bank_o),
    .if_cst_off_o   (if_cst_off_o),
    .cc_cst_valid_i (cc_cst_valid_i),
    .cc_cst_data_i  (cc_cst_data_i),
    .cc_cst_range_i (cc_cst_range_i),
    .cc_cst_err_i   (cc_cst_err_i),
    .cf_ready_o     (cf_ready),
    .is_s1_slot_i   (is_s1_slot),
    .ib_s1_index_i  (ib_s1_index),
    .cf_data_o      (cf_data),
    .cf_data_hi_o   (cf_data_hi),
    .cf_range_o     (cf_range),
    .cf_err_o       (cf_err)
  );

  issue #(.STRAPS(STRAPS)) u_issue (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .part_i             (part_i),
    .scoreboard_i       (launch_i.scoreboard),
    .sched_i            (launch_i.sched),
    .its_i              (its),
    .code_base_i        (launch_i.code_base),
    .clock_i            (clock_i),
    .ct_start_valid_i   (ct_start_valid_i),
    .ct_start_i         (ct_start_i),
    .if_bad_pc_i        (if_bad_pc),
    .if_q_pc_i          (if_q_pc),
    .ib_valid_i         (ib_valid),
    .ib_head_i          (ib_head),
    .ib_entry_i         (ib_entry),
    .is_sel_o           (is_sel),
    .is_s1_slot_o       (is_s1_slot),
    .is_pop_o           (is_pop),
    .is_back_o          (is_back),
    .cf_ready_i         (cf_ready),
    .cf_data_i          (cf_data),
    .cf_data_hi_i       (cf_data_hi),
    .cf_range_i         (cf_range),
    .cf_err_i           (cf_err),
    .is_uni_read_o      (is_uni_read),
    .is_uni_valid_o     (is_uni_valid),
    .un_pred_i          (un_pred),
    .un_done_valid_i    (un_done_valid),
    .un_done_i          (un_done),
    .un_starved_i       (un_starved),
    .is_pre_valid_o     (is_pre_valid_o),
    .is_pre_slot_o      (is_pre_slot_o),
    .is_pre_dec_o       (is_pre_dec_o),
    .is_pre_rbase_o     (is_pre_rbase_o),
    .is_valid_o         (is_valid_o),
    .is_new_o           (is_new_o),
    .is_uop_o           (is_uop),
    .op_ready_i         (op_ready_i),
    .op_hold_i          (op_hold_i),
    .op_leave_i         (op_leave_i),
    .op_disp_valid_i    (op_disp_valid_i),
    .op_disp_slot_i     (op_disp_slot_i),
    .op_disp_rbar_i     (op_disp_rbar_i),
    .wb_done_valid_i    (wb_done_valid_i),
    .wb_done_i          (wb_done_i),
    .wb_pred_valid_i    (wb_pred_valid_i),
    .wb_pred_slot_i     (core_pkg::local_slot(wb_pred_id_i.slot)),
    .wb_pred_beat_i     (wb_pred_beat_i),
    .wb_pred_mask_i     (wb_pred_mask_i),
    .wb_pred_pd0_i      (wb_pred_pd0_i),
    .wb_pred_pd1_i      (wb_pred_pd1_i),
    .wb_pred_d0_i       (wb_pred_d0_i),
    .wb_pred_d1_i       (wb_pred_d1_i),
    .wb_pred_all_i      (wb_pred_all_i),
    .wb_pred_en_i       (wb_pred_en_i),
    .wb_pred_val_i      (wb_pred_val_i),
    .op_pr_en_i         (op_pr_en_i),
    .op_pr_slot_i       (op_pr_slot_i),
    .op_pr_beat_i       (op_pr_beat_i),
    .pf_row_o           (pf_row_o),
    .ls_checked_valid_i (ls_checked_valid_i),
    .ls_checked_slot_i  (ls_checked_slot_i),
    .ls_trap_valid_i    (ls_trap_valid_i),
    .ls_trap_i          (ls_trap_i),
    .lt_done_valid_i    (lt_done_valid_i),
    .lt_done_i          (lt_done_i),
    .is_ctl_valid_o     (is_ctl_valid_o),
    .is_sel_valid_o     (is_sel_valid_o),
    .is_sel_slot_o      (is_sel_slot_o),
    .is_sel_bx_o        (is_sel_bx_o),
    .is_q_slot_o        (is_q_slot_o),
    .is_q_bx_o          (is_q_bx_o),
    .dv_q_active_i      (dv_q_active_i),
    .dv_q_live_i        (dv_q_live_i),
    .dv_q_hash_i        (dv_q_hash_i),
    .dv_q_members_i     (dv_q_members_i),
    .dv_q_parked_i      (dv_q_parked_i),
    .dv_q_parkpc_i      (dv_q_parkpc_i),
    .dv_done_valid_i    (dv_done_valid_i),
    .dv_done_slot_i     (dv_done_slot_i),
    .dv_done_ended_i    (dv_done_ended_i),
    .dv_trap_valid_i    (dv_trap_valid_i),
    .dv_trap_i          (dv_trap_i),
    .is_bar_ask_o       (is_bar_ask_o),
    .is_bar_valid_o     (is_bar_valid_o),
    .is_bar_slot_o      (is_bar_slot_o),
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
    .ret_issue_o        (ret_issue_o)
  );

  // ---- the uniform datapath: a machine without it has no registers either -----------------------------------------------
  if (cfg_pkg::HAS_UNI) begin : gen_uni
    uni u_uni (
      .clk_i                     (clk_i),
      .rst_ni                    (rst_ni),
      .fault_i                   (fault_i),
      .part_i                    (part_i),
      .is_slot_i                 (is_s1_slot),
      .un_pred_o                 (un_pred),
      .is_uni_read_i             (is_uni_read),
      .is_dec_i                  (ib_entry.dec),
      .is_uni_valid_i            (is_uni_valid),
      .is_uop_i                  (is_uop),
      .is_new_i                  (is_new_o),
      .un_sval_o                 (un_sval),
      .un_sval_hi_o              (un_sval_hi),
      .lt_uni_valid_i            (lt_uni_valid_i),
      .lt_uni_ready_o            (lt_uni_ready_o),
      .lt_uni_i                  (lt_uni_i),
      .un_starved_o              (un_starved),
      .un_done_valid_o           (un_done_valid),
      .un_done_o                 (un_done),
      .ret_uniform_read_valid_o  (ret_uniform_read_valid_o),
      .ret_uniform_read_o        (ret_uniform_read_o),
      .ret_uniform_write_valid_o (ret_uniform_write_valid_o),
      .ret_uniform_write_o       (ret_uniform_write_o)
    );

    // What an ordinary instruction reads of it, and the address of ULDC, take the place of an immediate.
    always_comb begin
      is_uop_o = is_uop;
      if (core_pkg::uniform_load(is_uop.dec) || is_uop.dec.b_kind == isa_pkg::SRC_UREG || is_uop.dec.c_kind == isa_pkg::SRC_UREG) begin
        is_uop_o.sval    = un_sval;
        is_uop_o.sval_hi = un_sval_hi;
      end
    end
  end else begin : gen_no_uni
    assign is_uop_o                  = is_uop;
    assign un_pred                   = '0;
    assign un_sval                   = '0;
    assign un_sval_hi                = '0;
    assign lt_uni_ready_o            = 1'b0;
    assign un_starved                = 1'b0;
    assign un_done_valid             = 1'b0;
    assign un_done                   = '0;
    assign ret_uniform_read_valid_o  = 1'b0;
    assign ret_uniform_read_o        = '0;
    assign ret_uniform_write_valid_o = 1'b0;
    assign ret_uniform_write_o       = '0;
    logic unused_uni;
    assign unused_uni                = ^{lt_uni_valid_i, lt_uni_i, is_uni_read, is_uni_valid, un_sval, un_sval_hi};
  end

  // A control instruction is the same uop.
  assign is_ctl_uop_o = is_uop_o;

  // Fields that concern others.
  logic unused;
  assign unused = ^{launch_i, wb_pred_id_i};

endmodule

`default_nettype wire
