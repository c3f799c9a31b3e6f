// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor of one partition: read the instances as a block diagram, the nets as rtl/README.md names them.
// Latency: none of its own.
// Handshake: rtl/README.md. go_i starts a grid, grid_done_o ends it; a trap shows on is_trap_valid_o until reset.
// It does not hold logic beyond shaping the block, barrier and trap records. Over 400 lines, since each net is named often.
`default_nettype none

module sm (
  input  logic                                                 clk_i,
  input  logic                                                 rst_ni,
  input  logic [7:0]                                           fault_i,
  // from and to the host
  input  core_pkg::launch_t                                    launch_i,
  output logic [3:0]                                           region_index_o,
  input  logic [39:0]                                          region_base_i,
  input  logic [40:0]                                          region_limit_i,
  input  logic                                                 go_i,
  output logic                                                 busy_o,
  output logic                                                 grid_done_o,
  output logic [3:0]                                           ct_refuse_o,
  output logic                                                 is_trap_valid_o,
  output core_pkg::trap_t                                      is_trap_o,
  input  logic [3:0]                                           is_cnt_index_i,
  output logic [31:0]                                          is_cnt_o,
  // from and to memory
  output logic                                                 m_axi_awvalid_o,
  input  logic                                                 m_axi_awready_i,
  output logic [mem_pkg::AXI_ID_W-1:0]                         m_axi_awid_o,
  output logic [39:0]                                          m_axi_awaddr_o,
  output logic [7:0]                                           m_axi_awlen_o,
  output logic [2:0]                                           m_axi_awsize_o,
  output logic [1:0]                                           m_axi_awburst_o,
  output logic                                                 m_axi_wvalid_o,
  input  logic                                                 m_axi_wready_i,
  output logic [cfg_pkg::AXI_BITS-1:0]                         m_axi_wdata_o,
  output logic [cfg_pkg::AXI_BITS/8-1:0]                       m_axi_wstrb_o,
  output logic                                                 m_axi_wlast_o,
  input  logic                                                 m_axi_bvalid_i,
  output logic                                                 m_axi_bready_o,
  input  logic [mem_pkg::AXI_ID_W-1:0]                         m_axi_bid_i,
  input  logic [1:0]                                           m_axi_bresp_i,
  output logic                                                 m_axi_arvalid_o,
  input  logic                                                 m_axi_arready_i,
  output logic [mem_pkg::AXI_ID_W-1:0]                         m_axi_arid_o,
  output logic [39:0]                                          m_axi_araddr_o,
  output logic [7:0]                                           m_axi_arlen_o,
  output logic [2:0]                                           m_axi_arsize_o,
  output logic [1:0]                                           m_axi_arburst_o,
  input  logic                                                 m_axi_rvalid_i,
  output logic                                                 m_axi_rready_o,
  input  logic [mem_pkg::AXI_ID_W-1:0]                         m_axi_rid_i,
  input  logic [cfg_pkg::AXI_BITS-1:0]                         m_axi_rdata_i,
  input  logic [1:0]                                           m_axi_rresp_i,
  input  logic                                                 m_axi_rlast_i,
  // retire port
  input  logic                                                 ret_ready_i,
  output logic                                                 ret_issue_valid_o,
  output logic [7:0]                                           ret_issue_slot_o,
  output logic [7:0]                                           ret_issue_gen_o,
  output logic [31:0]                                          ret_issue_seq_o,
  output logic [31:0]                                          ret_issue_pc_o,
  output logic [127:0]                                         ret_issue_word_o,
  output logic [31:0]                                          ret_issue_active_o,
  output logic [31:0]                                          ret_issue_exec_o,
  output logic [31:0]                                          ret_issue_ps0_o,
  output logic [31:0]                                          ret_issue_ps1_o,
  output logic [31:0]                                          ret_issue_ps2_o,
  output logic [63:0]                                          ret_issue_dhash_o,
  output logic                                                 ret_opg_valid_o,
  output logic [7:0]                                           ret_opg_slot_o,
  output logic [7:0]                                           ret_opg_gen_o,
  output logic [31:0]                                          ret_opg_seq_o,
  output logic [7:0]                                           ret_opg_beat_o,
  output logic [core_pkg::SLOTS-1:0]                           ret_opg_used_o,
  output logic [cfg_pkg::LANES-1:0]                            ret_opg_mask_o,
  output logic [core_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] ret_opg_data_o,
  output logic                                                 ret_opm_valid_o,
  output logic [7:0]                                           ret_opm_slot_o,
  output logic [7:0]                                           ret_opm_gen_o,
  output logic [31:0]                                          ret_opm_seq_o,
  output logic [7:0]                                           ret_opm_beat_o,
  output logic [core_pkg::SLOTS-1:0]                           ret_opm_used_o,
  output logic [cfg_pkg::LANES-1:0]                            ret_opm_mask_o,
  output logic [core_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] ret_opm_data_o,
  output logic                                                 ret_pwb_valid_o,
  output logic [7:0]                                           ret_pwb_slot_o,
  output logic [7:0]                                           ret_pwb_gen_o,
  output logic [31:0]                                          ret_pwb_seq_o,
  output logic [7:0]                                           ret_pwb_beat_o,
  output logic [cfg_pkg::LANES-1:0]                            ret_pwb_mask_o,
  output logic [2:0]                                           ret_pwb_pd0_o,
  output logic [2:0]                                           ret_pwb_pd1_o,
  output logic [cfg_pkg::LANES-1:0]                            ret_pwb_d0_o,
  output logic [cfg_pkg::LANES-1:0]                            ret_pwb_d1_o,
  output logic                                                 ret_shm_valid_o,
  output logic [7:0]                                           ret_shm_slot_o,
  output logic [7:0]                                           ret_shm_gen_o,
  output logic [31:0]                                          ret_shm_seq_o,
  output logic [1:0]                                           ret_shm_kind_o,
  output logic [31:0]                                          ret_shm_lanes_o,
  output logic [mem_pkg::SHM_BANKS-1:0]                        ret_shm_bank_en_o,
  output logic [mem_pkg::SHM_BANKS-1:0][15:0]                  ret_shm_row_o,
  output logic [mem_pkg::SHM_BANKS-1:0][3:0]                   ret_shm_wstrb_o,
  output logic [mem_pkg::SHM_BANKS-1:0][31:0]                  ret_shm_wdata_o,
  output logic [mem_pkg::SHM_BANKS-1:0][31:0]                  ret_shm_rdata_o,
  output logic                                                 ret_gmem_valid_o,
  output logic [7:0]                                           ret_gmem_slot_o,
  output logic [7:0]                                           ret_gmem_gen_o,
  output logic [31:0]                                          ret_gmem_seq_o,
  output logic [1:0]                                           ret_gmem_kind_o,
  output logic [31:0]                                          ret_gmem_lanes_o,
  output logic [34:0]                                          ret_gmem_sector_o,
  output logic [31:0]                                          ret_gmem_wstrb_o,
  output logic [255:0]                                         ret_gmem_wdata_o,
  output logic [255:0]                                         ret_gmem_rdata_o,
  output logic                                                 ret_bar_valid_o,
  output logic [7:0]                                           ret_bar_bslot_o,
  output logic [3:0]                                           ret_bar_id_o,
  output logic                                                 ret_bstart_valid_o,
  output logic [7:0]                                           ret_bstart_bslot_o,
  output logic [31:0]                                          ret_bstart_ctaid_x_o,
  output logic [31:0]                                          ret_bstart_ctaid_y_o,
  output logic [31:0]                                          ret_bstart_ctaid_z_o,
  output logic [31:0]                                          ret_bstart_warps_o,
  output logic [23:0]                                          ret_bstart_shm_base_o,
  output logic                                                 ret_bend_valid_o,
  output logic [7:0]                                           ret_bend_bslot_o,
  output logic                                                 ret_trap_valid_o,
  output logic [3:0]                                           ret_trap_cause_o,
  output logic [7:0]                                           ret_trap_slot_o,
  output logic [7:0]                                           ret_trap_gen_o,
  output logic [31:0]                                          ret_trap_seq_o,
  output logic [31:0]                                          ret_trap_pc_o,
  output logic [31:0]                                          ret_trap_lanes_o,
  output logic [63:0]                                          ret_trap_addr_o,
  output logic [3:0]                                           ret_wb_valid_o,
  output logic [3:0][7:0]                                      ret_wb_slot_o,
  output logic [3:0][7:0]                                      ret_wb_gen_o,
  output logic [3:0][31:0]                                     ret_wb_seq_o,
  output logic [3:0][7:0]                                      ret_wb_rd_o,
  output logic [3:0][7:0]                                      ret_wb_beat_o,
  output logic [3:0][cfg_pkg::LANES-1:0]                       ret_wb_mask_o,
  output logic [3:0][cfg_pkg::LANES-1:0][31:0]                 ret_wb_data_o
);

  // from front
  logic                                                 if_req_valid;
  logic [31:0]                                          if_req_pc;
  logic                                                 if_cst_valid;
  logic [4:0]                                           if_cst_bank;
  logic [15:0]                                          if_cst_off;
  logic                                                 is_pre_valid;
  logic [cfg_pkg::WARP_W-1:0]                           is_pre_slot;
  isa_pkg::dec_t                                        is_pre_dec;
  logic                                                 is_valid;
  logic                                                 is_new;
  core_pkg::uop_t                                       is_uop;
  logic                                                 is_ctl_valid;
  core_pkg::uop_t                                       is_ctl_uop;
  logic                                                 is_sel_valid;
  logic [cfg_pkg::WARP_W-1:0]                           is_sel_slot;
  logic [3:0]                                           is_sel_bx;
  logic [cfg_pkg::WARP_W-1:0]                           is_q_slot;
  logic [3:0]                                           is_q_bx;
  logic                                                 is_bar_ask;
  logic                                                 is_bar_valid;
  logic [cfg_pkg::WARP_W-1:0]                           is_bar_slot;
  logic [3:0]                                           is_bar_id;
  logic [11:0]                                          is_bar_count;
  logic [cfg_pkg::WARPS-1:0]                            is_idle;
  logic                                                 is_halt;
  // from divergence
  logic [31:0]                                          dv_q_active;
  logic [31:0]                                          dv_q_live;
  logic [63:0]                                          dv_q_hash;
  logic [31:0]                                          dv_q_members;
  logic [31:0]                                          dv_q_parked;
  logic [31:0]                                          dv_q_parkpc;
  logic                                                 dv_done_valid;
  logic [cfg_pkg::WARP_W-1:0]                           dv_done_slot;
  logic                                                 dv_done_redirect;
  logic [31:0]                                          dv_done_pc;
  logic                                                 dv_done_ended;
  logic                                                 dv_trap_valid;
  core_pkg::trap_t                                      dv_trap;
  // from barrier
  logic                                                 ba_misuse;
  logic                                                 ba_release_valid;
  logic [cfg_pkg::WARPS-1:0]                            ba_release_warps;
  logic [7:0]                                           ba_release_bslot;
  logic [3:0]                                           ba_release_id;
  // from cta_dispatch
  logic                                                 ct_start_valid;
  core_pkg::start_t                                     ct_start;
  logic                                                 ct_blk_start_valid;
  logic [7:0]                                           ct_blk_start_bslot;
  logic [cfg_pkg::WARPS-1:0]                            ct_blk_start_warps;
  logic                                                 ct_tid_valid;
  logic [cfg_pkg::WARP_W-1:0]                           ct_tid_slot;
  logic [4:0]                                           ct_tid_beat;
  logic [cfg_pkg::LANES-1:0][10:0]                      ct_tid_x;
  logic [cfg_pkg::LANES-1:0][10:0]                      ct_tid_y;
  logic [cfg_pkg::LANES-1:0][10:0]                      ct_tid_z;
  logic [31:0]                                          ct_blk_start_ctaid_x;
  logic [31:0]                                          ct_blk_start_ctaid_y;
  logic [31:0]                                          ct_blk_start_ctaid_z;
  logic [23:0]                                          ct_blk_start_shm_base;
  logic                                                 ct_blk_end_valid;
  logic [7:0]                                           ct_blk_end_bslot;
  // from back
  logic                                                 op_ready;
  logic                                                 op_hold;
  logic [1:0]                                           op_leave;
  logic                                                 op_disp_valid;
  logic [cfg_pkg::WARP_W-1:0]                           op_disp_slot;
  logic [2:0]                                           op_disp_rbar;
  logic [2:0]                                           wb_done_valid;
  logic [2:0][issue_pkg::DONE_W-1:0]                    wb_done;
  logic                                                 wb_pred_valid;
  core_pkg::id_t                                        wb_pred_id;
  logic [4:0]                                           wb_pred_beat;
  logic [cfg_pkg::LANES-1:0]                            wb_pred_mask;
  logic [2:0]                                           wb_pred_pd0;
  logic [2:0]                                           wb_pred_pd1;
  logic [cfg_pkg::LANES-1:0]                            wb_pred_d0;
  logic [cfg_pkg::LANES-1:0]                            wb_pred_d1;
  logic                                                 op_br_valid;
  logic [cfg_pkg::WARP_W-1:0]                           op_br_slot;
  logic [4:0]                                           op_br_beat;
  logic [cfg_pkg::LANES-1:0][31:0]                      op_br_lo;
  logic [cfg_pkg::LANES-1:0][31:0]                      op_br_hi;
  logic                                                 op_mem_valid;
  core_pkg::memop_t                                     op_memop;
  logic [4:0]                                           op_mem_beat;
  logic [core_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] op_mem_data;
  logic                                                 ls_wb_ready;
  // from mem_top
  logic                                                 if_req_ready;
  logic                                                 ic_rsp_valid;
  logic [127:0]                                         ic_rsp_word;
  logic                                                 ic_rsp_err;
  logic                                                 if_cst_ready;
  logic                                                 cc_cst_valid;
  logic [31:0]                                          cc_cst_data;
  logic                                                 cc_cst_range;
  logic                                                 ls_checked_valid;
  logic [cfg_pkg::WARP_W-1:0]                           ls_checked_slot;
  logic                                                 ls_done_valid;
  logic [cfg_pkg::WARP_W-1:0]                           ls_done_slot;
  logic [2:0]                                           ls_done_wbar;
  logic                                                 ls_done_has_rd;
  logic [7:0]                                           ls_done_rd;
  logic [1:0]                                           ls_done_rd_n;
  logic                                                 ls_trap_valid;
  core_pkg::trap_t                                      ls_trap;
  logic                                                 op_mem_ready;
  logic                                                 ls_wb_valid;
  core_pkg::memwb_t                                     ls_wb;
  logic                                                 mem_idle;

  // ---- fetch, decode, issue --------------------------------------------------------------------------------------------
  front u_front (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .launch_i           (launch_i),
    .ct_start_valid_i   (ct_start_valid),
    .ct_start_i         (ct_start),
    .if_req_valid_o     (if_req_valid),
    .if_req_ready_i     (if_req_ready),
    .if_req_pc_o        (if_req_pc),
    .ic_rsp_valid_i     (ic_rsp_valid),
    .ic_rsp_word_i      (ic_rsp_word),
    .ic_rsp_err_i       (ic_rsp_err),
    .if_cst_valid_o     (if_cst_valid),
    .if_cst_ready_i     (if_cst_ready),
    .if_cst_bank_o      (if_cst_bank),
    .if_cst_off_o       (if_cst_off),
    .cc_cst_valid_i     (cc_cst_valid),
    .cc_cst_data_i      (cc_cst_data),
    .cc_cst_range_i     (cc_cst_range),
    .is_pre_valid_o     (is_pre_valid),
    .is_pre_slot_o      (is_pre_slot),
    .is_pre_dec_o       (is_pre_dec),
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
    .ls_checked_valid_i (ls_checked_valid),
    .ls_checked_slot_i  (ls_checked_slot),
    .ls_done_valid_i    (ls_done_valid),
    .ls_done_slot_i     (ls_done_slot),
    .ls_done_wbar_i     (ls_done_wbar),
    .ls_done_has_rd_i   (ls_done_has_rd),
    .ls_done_rd_i       (ls_done_rd),
    .ls_done_rd_n_i     (ls_done_rd_n),
    .ls_trap_valid_i    (ls_trap_valid),
    .ls_trap_i          (ls_trap),
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
    .is_bar_ask_o       (is_bar_ask),
    .is_bar_valid_o     (is_bar_valid),
    .is_bar_slot_o      (is_bar_slot),
    .is_bar_id_o        (is_bar_id),
    .is_bar_count_o     (is_bar_count),
    .ba_misuse_i        (ba_misuse),
    .ba_release_valid_i (ba_release_valid),
    .ba_release_warps_i (ba_release_warps),
    .is_idle_o          (is_idle),
    .is_halt_o          (is_halt),
    .is_trap_valid_o    (is_trap_valid_o),
    .is_trap_o          (is_trap_o),
    .is_cnt_index_i     (is_cnt_index_i),
    .is_cnt_o           (is_cnt_o),
    .ret_ready_i        (ret_ready_i),
    .ret_issue_valid_o  (ret_issue_valid_o),
    .ret_issue_slot_o   (ret_issue_slot_o),
    .ret_issue_gen_o    (ret_issue_gen_o),
    .ret_issue_seq_o    (ret_issue_seq_o),
    .ret_issue_pc_o     (ret_issue_pc_o),
    .ret_issue_word_o   (ret_issue_word_o),
    .ret_issue_active_o (ret_issue_active_o),
    .ret_issue_exec_o   (ret_issue_exec_o),
    .ret_issue_ps0_o    (ret_issue_ps0_o),
    .ret_issue_ps1_o    (ret_issue_ps1_o),
    .ret_issue_ps2_o    (ret_issue_ps2_o),
    .ret_issue_dhash_o  (ret_issue_dhash_o)
  );

  // ---- divergence unit -------------------------------------------------------------------------------------------------
  divergence u_divergence (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .code_bytes_i       (launch_i.code_bytes),
    .ct_start_valid_i   (ct_start_valid),
    .ct_start_i         (ct_start),
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

  // ---- barriers between warps ------------------------------------------------------------------------------------------
  barrier u_barrier (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .fault_i              (fault_i),
    .ct_blk_start_valid_i (ct_blk_start_valid),
    .ct_blk_start_bslot_i (ct_blk_start_bslot),
    .ct_blk_start_warps_i (ct_blk_start_warps),
    .is_bar_ask_i         (is_bar_ask),
    .is_bar_valid_i       (is_bar_valid),
    .is_bar_slot_i        (is_bar_slot),
    .is_bar_id_i          (is_bar_id),
    .is_bar_count_i       (is_bar_count),
    .dv_done_valid_i      (dv_done_valid),
    .dv_done_slot_i       (dv_done_slot),
    .dv_done_ended_i      (dv_done_ended),
    .ba_misuse_o          (ba_misuse),
    .ba_release_valid_o   (ba_release_valid),
    .ba_release_bslot_o   (ba_release_bslot),
    .ba_release_id_o      (ba_release_id),
    .ba_release_warps_o   (ba_release_warps)
  );

  // ---- thread block dispatcher -----------------------------------------------------------------------------------------
  cta_dispatch u_cta_dispatch (
    .clk_i                   (clk_i),
    .rst_ni                  (rst_ni),
    .fault_i                 (fault_i),
    .launch_i                (launch_i),
    .go_i                    (go_i),
    .busy_o                  (busy_o),
    .grid_done_o             (grid_done_o),
    .ct_refuse_o             (ct_refuse_o),
    .is_idle_i               (is_idle),
    .is_halt_i               (is_halt),
    .ct_tid_valid_o          (ct_tid_valid),
    .ct_tid_slot_o           (ct_tid_slot),
    .ct_tid_beat_o           (ct_tid_beat),
    .ct_tid_x_o              (ct_tid_x),
    .ct_tid_y_o              (ct_tid_y),
    .ct_tid_z_o              (ct_tid_z),
    .ct_start_valid_o        (ct_start_valid),
    .ct_start_o              (ct_start),
    .ct_blk_start_valid_o    (ct_blk_start_valid),
    .ct_blk_start_bslot_o    (ct_blk_start_bslot),
    .ct_blk_start_ctaid_x_o  (ct_blk_start_ctaid_x),
    .ct_blk_start_ctaid_y_o  (ct_blk_start_ctaid_y),
    .ct_blk_start_ctaid_z_o  (ct_blk_start_ctaid_z),
    .ct_blk_start_warps_o    (ct_blk_start_warps),
    .ct_blk_start_shm_base_o (ct_blk_start_shm_base),
    .ct_blk_end_valid_o      (ct_blk_end_valid),
    .ct_blk_end_bslot_o      (ct_blk_end_bslot)
  );

  // ---- operands, fixed pipes, writeback --------------------------------------------------------------------------------
  back u_back (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .fault_i          (fault_i),
    .is_pre_valid_i   (is_pre_valid),
    .is_pre_slot_i    (is_pre_slot),
    .is_pre_dec_i     (is_pre_dec),
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
    .wb_pred_valid_o  (wb_pred_valid),
    .wb_pred_id_o     (wb_pred_id),
    .wb_pred_beat_o   (wb_pred_beat),
    .wb_pred_mask_o   (wb_pred_mask),
    .wb_pred_pd0_o    (wb_pred_pd0),
    .wb_pred_pd1_o    (wb_pred_pd1),
    .wb_pred_d0_o     (wb_pred_d0),
    .wb_pred_d1_o     (wb_pred_d1),
    .ct_start_valid_i (ct_start_valid),
    .ct_start_i       (ct_start),
    .ct_tid_valid_i   (ct_tid_valid),
    .ct_tid_slot_i    (ct_tid_slot),
    .ct_tid_beat_i    (ct_tid_beat),
    .ct_tid_x_i       (ct_tid_x),
    .ct_tid_y_i       (ct_tid_y),
    .ct_tid_z_i       (ct_tid_z),
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
    .ret_opg_valid_o  (ret_opg_valid_o),
    .ret_opg_slot_o   (ret_opg_slot_o),
    .ret_opg_gen_o    (ret_opg_gen_o),
    .ret_opg_seq_o    (ret_opg_seq_o),
    .ret_opg_beat_o   (ret_opg_beat_o),
    .ret_opg_used_o   (ret_opg_used_o),
    .ret_opg_mask_o   (ret_opg_mask_o),
    .ret_opg_data_o   (ret_opg_data_o),
    .ret_opm_valid_o  (ret_opm_valid_o),
    .ret_opm_slot_o   (ret_opm_slot_o),
    .ret_opm_gen_o    (ret_opm_gen_o),
    .ret_opm_seq_o    (ret_opm_seq_o),
    .ret_opm_beat_o   (ret_opm_beat_o),
    .ret_opm_used_o   (ret_opm_used_o),
    .ret_opm_mask_o   (ret_opm_mask_o),
    .ret_opm_data_o   (ret_opm_data_o),
    .ret_wb_valid_o   (ret_wb_valid_o),
    .ret_wb_slot_o    (ret_wb_slot_o),
    .ret_wb_gen_o     (ret_wb_gen_o),
    .ret_wb_seq_o     (ret_wb_seq_o),
    .ret_wb_rd_o      (ret_wb_rd_o),
    .ret_wb_beat_o    (ret_wb_beat_o),
    .ret_wb_mask_o    (ret_wb_mask_o),
    .ret_wb_data_o    (ret_wb_data_o),
    .ret_pwb_valid_o  (ret_pwb_valid_o),
    .ret_pwb_slot_o   (ret_pwb_slot_o),
    .ret_pwb_gen_o    (ret_pwb_gen_o),
    .ret_pwb_seq_o    (ret_pwb_seq_o),
    .ret_pwb_beat_o   (ret_pwb_beat_o),
    .ret_pwb_mask_o   (ret_pwb_mask_o),
    .ret_pwb_pd0_o    (ret_pwb_pd0_o),
    .ret_pwb_pd1_o    (ret_pwb_pd1_o),
    .ret_pwb_d0_o     (ret_pwb_d0_o),
    .ret_pwb_d1_o     (ret_pwb_d1_o)
  );

  // ---- caches, load/store unit, point of order, AXI master -------------------------------------------------------------
  mem_top u_mem_top (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .launch_i           (launch_i),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .invalidate_i       (go_i),
    .ct_start_valid_i   (ct_start_valid),
    .ct_start_i         (ct_start),
    .idle_o             (mem_idle),
    .if_req_valid_i     (if_req_valid),
    .if_req_ready_o     (if_req_ready),
    .if_req_pc_i        (if_req_pc),
    .ic_rsp_valid_o     (ic_rsp_valid),
    .ic_rsp_word_o      (ic_rsp_word),
    .ic_rsp_err_o       (ic_rsp_err),
    .if_cst_valid_i     (if_cst_valid),
    .if_cst_ready_o     (if_cst_ready),
    .if_cst_bank_i      (if_cst_bank),
    .if_cst_off_i       (if_cst_off),
    .cc_cst_valid_o     (cc_cst_valid),
    .cc_cst_data_o      (cc_cst_data),
    .cc_cst_range_o     (cc_cst_range),
    .op_mem_valid_i     (op_mem_valid),
    .op_mem_ready_o     (op_mem_ready),
    .op_memop_i         (op_memop),
    .op_mem_beat_i      (op_mem_beat),
    .op_mem_data_i      (op_mem_data),
    .ls_wb_valid_o      (ls_wb_valid),
    .ls_wb_ready_i      (ls_wb_ready),
    .ls_wb_o            (ls_wb),
    .ls_checked_valid_o (ls_checked_valid),
    .ls_checked_slot_o  (ls_checked_slot),
    .ls_done_valid_o    (ls_done_valid),
    .ls_done_slot_o     (ls_done_slot),
    .ls_done_wbar_o     (ls_done_wbar),
    .ls_done_has_rd_o   (ls_done_has_rd),
    .ls_done_rd_o       (ls_done_rd),
    .ls_done_rd_n_o     (ls_done_rd_n),
    .ls_trap_valid_o    (ls_trap_valid),
    .ls_trap_o          (ls_trap),
    .ret_shm_valid_o    (ret_shm_valid_o),
    .ret_shm_slot_o     (ret_shm_slot_o),
    .ret_shm_gen_o      (ret_shm_gen_o),
    .ret_shm_seq_o      (ret_shm_seq_o),
    .ret_shm_kind_o     (ret_shm_kind_o),
    .ret_shm_lanes_o    (ret_shm_lanes_o),
    .ret_shm_bank_en_o  (ret_shm_bank_en_o),
    .ret_shm_row_o      (ret_shm_row_o),
    .ret_shm_wstrb_o    (ret_shm_wstrb_o),
    .ret_shm_wdata_o    (ret_shm_wdata_o),
    .ret_shm_rdata_o    (ret_shm_rdata_o),
    .ret_gmem_valid_o   (ret_gmem_valid_o),
    .ret_gmem_slot_o    (ret_gmem_slot_o),
    .ret_gmem_gen_o     (ret_gmem_gen_o),
    .ret_gmem_seq_o     (ret_gmem_seq_o),
    .ret_gmem_kind_o    (ret_gmem_kind_o),
    .ret_gmem_lanes_o   (ret_gmem_lanes_o),
    .ret_gmem_sector_o  (ret_gmem_sector_o),
    .ret_gmem_wstrb_o   (ret_gmem_wstrb_o),
    .ret_gmem_wdata_o   (ret_gmem_wdata_o),
    .ret_gmem_rdata_o   (ret_gmem_rdata_o),
    .m_axi_awvalid_o    (m_axi_awvalid_o),
    .m_axi_awready_i    (m_axi_awready_i),
    .m_axi_awid_o       (m_axi_awid_o),
    .m_axi_awaddr_o     (m_axi_awaddr_o),
    .m_axi_awlen_o      (m_axi_awlen_o),
    .m_axi_awsize_o     (m_axi_awsize_o),
    .m_axi_awburst_o    (m_axi_awburst_o),
    .m_axi_wvalid_o     (m_axi_wvalid_o),
    .m_axi_wready_i     (m_axi_wready_i),
    .m_axi_wdata_o      (m_axi_wdata_o),
    .m_axi_wstrb_o      (m_axi_wstrb_o),
    .m_axi_wlast_o      (m_axi_wlast_o),
    .m_axi_bvalid_i     (m_axi_bvalid_i),
    .m_axi_bready_o     (m_axi_bready_o),
    .m_axi_bid_i        (m_axi_bid_i),
    .m_axi_bresp_i      (m_axi_bresp_i),
    .m_axi_arvalid_o    (m_axi_arvalid_o),
    .m_axi_arready_i    (m_axi_arready_i),
    .m_axi_arid_o       (m_axi_arid_o),
    .m_axi_araddr_o     (m_axi_araddr_o),
    .m_axi_arlen_o      (m_axi_arlen_o),
    .m_axi_arsize_o     (m_axi_arsize_o),
    .m_axi_arburst_o    (m_axi_arburst_o),
    .m_axi_rvalid_i     (m_axi_rvalid_i),
    .m_axi_rready_o     (m_axi_rready_o),
    .m_axi_rid_i        (m_axi_rid_i),
    .m_axi_rdata_i      (m_axi_rdata_i),
    .m_axi_rresp_i      (m_axi_rresp_i),
    .m_axi_rlast_i      (m_axi_rlast_i)
  );

  // ---- records of blocks, barriers, traps ------------------------------------------------------------------------
  assign ret_bstart_valid_o    = ct_blk_start_valid;
  assign ret_bstart_bslot_o    = ct_blk_start_bslot;
  assign ret_bstart_ctaid_x_o  = ct_blk_start_ctaid_x;
  assign ret_bstart_ctaid_y_o  = ct_blk_start_ctaid_y;
  assign ret_bstart_ctaid_z_o  = ct_blk_start_ctaid_z;
  assign ret_bstart_warps_o    = 32'(ct_blk_start_warps);
  assign ret_bstart_shm_base_o = ct_blk_start_shm_base;
  assign ret_bend_valid_o      = ct_blk_end_valid;
  assign ret_bend_bslot_o      = ct_blk_end_bslot;
  assign ret_bar_valid_o       = ba_release_valid;
  assign ret_bar_bslot_o       = ba_release_bslot;
  assign ret_bar_id_o          = ba_release_id;

  // The trap stands until reset; its record comes once.
  logic trap_shown_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) trap_shown_q <= 1'b0;
    else         trap_shown_q <= is_trap_valid_o;
  end
  assign ret_trap_valid_o = is_trap_valid_o && !trap_shown_q;
  assign ret_trap_cause_o = is_trap_o.cause;
  assign ret_trap_slot_o  = 8'(is_trap_o.id.slot);
  assign ret_trap_gen_o   = is_trap_o.id.gen;
  assign ret_trap_seq_o   = is_trap_o.id.seq;
  assign ret_trap_pc_o    = is_trap_o.pc;
  assign ret_trap_lanes_o = is_trap_o.lanes;
  assign ret_trap_addr_o  = is_trap_o.addr;

  logic unused;
  assign unused = ^{mem_idle};

endmodule

`default_nettype wire
