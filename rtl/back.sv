// SPDX-License-Identifier: Apache-2.0
// The back half of an SM: operand stage, fixed pipes, units of the partition whose latency varies, reservation table,
// writeback, and their retire records.
// Latency: issued (is_pre) in cycle t, beat 0 on the bus in t+3, its result in the register file LATENCY_x cycles later.
// Handshake: is_valid stands until op_ready; op_mem and ls_wb are valid/ready; everything else are events.
// It does not issue, execute memory or control instructions, and keeps no order between warps. Over 400 lines, since each net
// between its parts is named often.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module back #(
  localparam int unsigned SLOTS = core_pkg::SLOTS,
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BANKS = cfg_pkg::BANKS
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [7:0]                               fault_i,
  input  logic [cfg_pkg::PART_W-1:0]               part_i,
  // from issue
  input  logic                                     is_pre_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]               is_pre_slot_i,
  input  isa_pkg::dec_t                            is_pre_dec_i,
  input  logic [15:0]                              is_pre_rbase_i,
  input  logic                                     is_valid_i,
  input  logic                                     is_new_i,
  input  core_pkg::uop_t                           is_uop_i,
  // to issue
  output logic                                     op_ready_o,
  output logic                                     op_hold_o,
  output logic [1:0]                               op_leave_o,
  output logic                                     op_disp_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]               op_disp_slot_o,
  output logic [2:0]                               op_disp_rbar_o,
  output logic [core_pkg::GROUPS-1:0]               wb_done_valid_o,
  output logic [core_pkg::GROUPS-1:0][back_pkg::DONE_W-1:0] wb_done_o,   // done_t each
  output logic                                     lt_uni_valid_o,
  input  logic                                     lt_uni_ready_i,
  output core_pkg::unires_t                        lt_uni_o,
  output logic                                     lt_done_valid_o,
  output core_pkg::done_t                          lt_done_o,
  output logic                                     wb_pred_valid_o,
  output core_pkg::id_t                            wb_pred_id_o,
  output logic [4:0]                               wb_pred_beat_o,
  output logic [LANES-1:0]                         wb_pred_mask_o,
  output logic [2:0]                               wb_pred_pd0_o,
  output logic [2:0]                               wb_pred_pd1_o,
  output logic [LANES-1:0]                         wb_pred_d0_o,
  output logic [LANES-1:0]                         wb_pred_d1_o,
  output logic                                     wb_pred_all_o,
  output logic [6:0][LANES-1:0]                    wb_pred_en_o,
  output logic [6:0][LANES-1:0]                    wb_pred_val_o,
  // to and from issue: the predicates of a beat, a cycle later
  output logic                                     op_pr_en_o,
  output logic [cfg_pkg::WARP_W-1:0]               op_pr_slot_o,
  output logic [4:0]                               op_pr_beat_o,
  input  logic [6:0][LANES-1:0]                    pf_row_i,
  // from the block dispatcher
  input  logic                                     ct_start_valid_i,
  input  core_pkg::start_t                         ct_start_i,
  input  logic                                     ct_tid_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]               ct_tid_slot_i,
  input  logic [4:0]                               ct_tid_beat_i,
  input  logic [LANES-1:0][10:0]                   ct_tid_x_i,
  input  logic [LANES-1:0][10:0]                   ct_tid_y_i,
  input  logic [LANES-1:0][10:0]                   ct_tid_z_i,
  // to divergence
  output logic                                     op_br_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]               op_br_slot_o,
  output logic [4:0]                               op_br_beat_o,
  output logic [core_pkg::BR_LANES-1:0][31:0]      op_br_lo_o,
  output logic [core_pkg::BR_LANES-1:0][31:0]      op_br_hi_o,
  // to and from the load/store unit
  output logic                                     op_mem_valid_o,
  input  logic                                     op_mem_ready_i,
  output core_pkg::memop_t                         op_memop_o,
  output logic [4:0]                               op_mem_beat_o,
  output logic [core_pkg::MEM_SLOTS-1:0][LANES-1:0][31:0] op_mem_data_o,
  input  logic [core_pkg::LATE_PORTS-1:0]          ls_wb_valid_i,
  output logic [core_pkg::LATE_PORTS-1:0]          ls_wb_ready_o,
  input  logic [core_pkg::LATE_PORTS-1:0][$bits(core_pkg::memwb_t)-1:0] ls_wb_i,   // memwb_t each
  input  logic                                     ls_done_valid_i,
  input  core_pkg::done_t                          ls_done_i,
  output logic                                     ls_done_hold_o,
  // to the retire port: operands read (of fixed pipes and branches; of all that is collected), writes of each bank, predicate writes
  output retire_pkg::back_valid_t                  ret_valid_o,
  output retire_pkg::back_ret_t                    ret_o
);

  localparam int unsigned PIPES = back_pkg::PIPES;
  localparam int unsigned ALU   = back_pkg::PIPE_ALU;
  localparam int unsigned FMA   = back_pkg::PIPE_FMA;
  localparam int unsigned CVT   = back_pkg::PIPE_CVT;

  logic [BANKS-1:0]                        op_ports;
  logic [PIPES-1:0]                        op_pipe;
  logic                                    rs_ok, op_take, op_valid, op_coll_row, op_pred;
  back_pkg::dest_t                         op_dest;
  logic [exec_pkg::CTL_W-1:0]              op_ctl;
  logic [SLOTS-1:0]                        op_used;
  logic                                    c_near;
  logic [LANES-1:0][31:0]                  op_a, op_b, op_c, op_x;
  logic [LANES-1:0]                        op_ps0, op_ps1, op_ps2;
  logic [BANKS-1:0]                        rs_taken;
  logic [PIPES-1:0]                        rs_valid;
  logic [PIPES-1:0][back_pkg::DEST_W-1:0]  rs_dest;
  logic [PIPES-1:0][LANES-1:0][31:0]       ex_lo;
  logic [LANES-1:0][31:0]                  ex_odd, ex_both;
  logic [LANES-1:0]                        alu_pd0, alu_pd1, ex_pd0, ex_pd1;
  logic                                    rs_pred;
  logic [BANKS-1:0]                        wb_starved;
  logic                                    wb_pred_starved;
  logic [core_pkg::UNITS-1:0]              op_var_valid, op_var_ready;
  core_pkg::varop_t                        op_varop;
  logic [SLOTS-1:0][LANES-1:0][31:0]       op_data, op_var_data;   // of memory, of the units
  logic                                    lr_valid, lr_ready;
  core_pkg::varres_t                       lr;
  core_pkg::need_t                         lr_need;
  logic [core_pkg::LATE_PORTS-1:0]         lt_wb_valid;
  logic [BANKS-1:0]                        wb_free;
  logic [core_pkg::LATE_PORTS-1:0][$bits(core_pkg::memwb_t)-1:0] lt_wb;
  logic                                    lt_pred_ask, lt_pred_ready, lt_pred_valid;
  logic [back_pkg::DROPS-1:0]                      wb_drop_valid, wb_drop_pair;
  logic [back_pkg::DROPS-1:0][cfg_pkg::WARP_W-1:0] wb_drop_slot;
  logic [back_pkg::DROPS-1:0][7:0]                 wb_drop_rd;
  logic [BANKS-1:0][LANES-1:0]             wb_wr_en;
  logic [BANKS-1:0][back_pkg::ROW_W-1:0]   wb_wr_row;
  logic [BANKS-1:0][LANES-1:0][31:0]       wb_wr_data;

  operand u_operand (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .fault_i          (fault_i),
    .is_pre_valid_i   (is_pre_valid_i),
    .is_pre_slot_i    (is_pre_slot_i),
    .is_pre_dec_i     (is_pre_dec_i),
    .is_pre_rbase_i   (is_pre_rbase_i),
    .is_valid_i       (is_valid_i),
    .is_new_i         (is_new_i),
    .is_uop_i         (is_uop_i),
    .op_ready_o       (op_ready_o),
    .op_hold_o        (op_hold_o),
    .op_leave_o       (op_leave_o),
    .op_disp_valid_o  (op_disp_valid_o),
    .op_disp_slot_o   (op_disp_slot_o),
    .op_disp_rbar_o   (op_disp_rbar_o),
    .op_pr_en_o       (op_pr_en_o),
    .op_pr_slot_o     (op_pr_slot_o),
    .op_pr_beat_o     (op_pr_beat_o),
    .pf_row_i         (pf_row_i),
    .ct_start_valid_i (ct_start_valid_i),
    .ct_start_i       (ct_start_i),
    .ct_tid_valid_i   (ct_tid_valid_i),
    .ct_tid_slot_i    (ct_tid_slot_i),
    .ct_tid_beat_i    (ct_tid_beat_i),
    .ct_tid_x_i       (ct_tid_x_i),
    .ct_tid_y_i       (ct_tid_y_i),
    .ct_tid_z_i       (ct_tid_z_i),
    .op_ports_o       (op_ports),
    .op_pipe_o        (op_pipe),
    .op_pred_o        (op_pred),
    .rs_ok_i          (rs_ok),
    .op_take_o        (op_take),
    .op_valid_o       (op_valid),
    .op_coll_row_o    (op_coll_row),
    .op_dest_o        (op_dest),
    .op_ctl_o         (op_ctl),
    .op_used_o        (op_used),
    .op_a_o           (op_a),
    .op_b_o           (op_b),
    .op_c_o           (op_c),
    .op_x_o           (op_x),
    .op_ps0_o         (op_ps0),
    .op_ps1_o         (op_ps1),
    .op_ps2_o         (op_ps2),
    .op_mem_valid_o   (op_mem_valid_o),
    .op_mem_ready_i   (op_mem_ready_i),
    .op_memop_o       (op_memop_o),
    .op_var_valid_o   (op_var_valid),
    .op_var_ready_i   (op_var_ready),
    .op_varop_o       (op_varop),
    .op_var_data_o    (op_var_data),
    .op_mem_beat_o    (op_mem_beat_o),
    .op_mem_data_o    (op_data),
    .wb_drop_valid_i  (wb_drop_valid),
    .wb_drop_pair_i   (wb_drop_pair),
    .wb_drop_slot_i   (wb_drop_slot),
    .wb_drop_rd_i     (wb_drop_rd),
    .wb_wr_en_i       (wb_wr_en),
    .wb_wr_row_i      (wb_wr_row),
    .wb_wr_data_i     (wb_wr_data)
  );

  reserve u_reserve (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .op_ports_i   (op_ports),
    .op_pipe_i    (op_pipe),
    .op_pred_i    (op_pred),
    .op_take_i    (op_take),
    .rs_ok_o      (rs_ok),
    .op_valid_i   (op_valid),
    .op_dest_i    (op_dest),
    .wb_starved_i (wb_starved),
    .wb_pred_starved_i (wb_pred_starved),
    .rs_taken_o   (rs_taken),
    .rs_valid_o   (rs_valid),
    .rs_dest_o    (rs_dest),
    .rs_pred_o         (rs_pred)
  );

  // ---- fixed pipes ----------------------------------------------------------------------------------------------
  // Rows of results, or results of a pass, of which rows are made for all pipes together.
  logic [LANES-1:0][31:0]              row_alu, row_cvt, row_even, row_odd, row_both;
  logic                                pass_alu, pass_cvt, pass_fma;
  logic [cfg_pkg::ALU_LANES-1:0][31:0] lane_alu;
  logic [cfg_pkg::CVT_LANES-1:0][31:0] lane_cvt;
  logic [cfg_pkg::FMA_LANES-1:0][31:0] lane_even, lane_odd;

  alu u_alu (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid && op_dest.pipe[ALU]),
    .op_ctl_i   (op_ctl[exec_pkg::ALU_CTL_W-1:0]),
    .op_a_i     (op_a[cfg_pkg::ALU_LANES-1:0]),
    .op_b_i     (op_b[cfg_pkg::ALU_LANES-1:0]),
    .op_c_i     (op_c[cfg_pkg::ALU_LANES-1:0]),
    .op_ps0_i   (op_ps0[cfg_pkg::ALU_LANES-1:0]),
    .op_ps1_i   (op_ps1[cfg_pkg::ALU_LANES-1:0]),
    .op_ps2_i   (op_ps2[cfg_pkg::ALU_LANES-1:0]),
    .ex_lo_o    (row_alu),
    .ex_pd0_o   (alu_pd0),
    .ex_pd1_o   (alu_pd1),
    .ps_valid_o (pass_alu),
    .ps_lo_o    (lane_alu)
  );

  fma u_fma (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid && op_dest.pipe[FMA]),
    .op_ctl_i   (op_ctl[exec_pkg::FMA_AT +: exec_pkg::FMA_CTL_W]),
    .op_odd_i   (op_dest.wreg[0]),
    .op_a_i     (op_a[cfg_pkg::FMA_LANES-1:0]),
    .op_b_i     (op_b[cfg_pkg::FMA_LANES-1:0]),
    .op_c_i     (op_c[cfg_pkg::FMA_LANES-1:0]),
    .op_c_hi_i  (op_x[cfg_pkg::FMA_LANES-1:0]),
    .ex_even_o  (row_even),
    .ex_odd_o   (row_odd),
    .ex_both_o  (row_both),
    .ps_valid_o (pass_fma),
    .ps_even_o  (lane_even),
    .ps_odd_o   (lane_odd)
  );

  cvt u_cvt (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid && op_dest.pipe[CVT]),
    .op_ctl_i   (op_ctl[exec_pkg::CVT_AT +: exec_pkg::CVT_CTL_W]),
    .op_a_i     (op_a[cfg_pkg::CVT_LANES-1:0]),
    .op_b_i     (op_b[cfg_pkg::CVT_LANES-1:0]),
    .ex_lo_o    (row_cvt),
    .ps_valid_o (pass_cvt),
    .ps_lo_o    (lane_cvt)
  );

  if (back_pkg::SERIAL && core_pkg::ROWS_APART) begin : gen_apart
    pass_rows u_rows (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .alu_valid_i (pass_alu),
      .alu_lo_i    (lane_alu[0]),
      .cvt_valid_i (pass_cvt),
      .cvt_lo_i    (lane_cvt[0]),
      .fma_valid_i (pass_fma),
      .fma_even_i  (lane_even[0]),
      .fma_odd_i   (lane_odd[0]),
      .ex_lo_o     (ex_lo[ALU]),
      .ex_even_o   (ex_lo[FMA]),
      .ex_odd_o    (ex_odd)
    );
    assign ex_lo[CVT] = '0;
    assign ex_both    = '0;
    logic unused_rows;
    assign unused_rows = ^{row_alu, row_cvt, row_even, row_odd, row_both};
  end else begin : gen_rows
    assign ex_lo[ALU] = row_alu;
    assign ex_lo[CVT] = row_cvt;
    assign ex_lo[FMA] = row_even;
    assign ex_odd     = row_odd;
    assign ex_both    = row_both;
    logic unused_lanes;
    assign unused_lanes = ^{pass_alu, pass_cvt, pass_fma, lane_alu, lane_cvt, lane_even, lane_odd};
  end

  if (cfg_pkg::HAS_HALF) begin : gen_half
    localparam int unsigned HALF = back_pkg::PIPE_HALF;
    logic [LANES-1:0] half_pd0, half_pd1;
    back_pkg::dest_t  with_pred;

    half u_half (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid && op_dest.pipe[HALF]),
      .op_ctl_i   (op_ctl[exec_pkg::HALF_AT +: exec_pkg::HALF_CTL_W]),
      .op_a_i     (op_a),
      .op_b_i     (op_b),
      .op_c_i     (op_c),
      .op_ps0_i   (op_ps0),
      .ex_lo_o    (ex_lo[HALF]),
      .ex_pd0_o   (half_pd0),
      .ex_pd1_o   (half_pd1)
    );

    // Predicates of both pipes are there equally long after dispatch.
    assign with_pred = rs_dest[ALU];
    assign ex_pd0    = with_pred.pipe[HALF] ? half_pd0 : alu_pd0;
    assign ex_pd1    = with_pred.pipe[HALF] ? half_pd1 : alu_pd1;

    logic unused_dest;
    assign unused_dest = ^with_pred;
  end else begin : gen_no_half
    assign ex_pd0 = alu_pd0;
    assign ex_pd1 = alu_pd1;
  end

  assign op_mem_data_o = op_data[core_pkg::MEM_SLOTS-1:0];

  // ---- units whose latency varies, and memory's late results ----------------------------------------------------
  units u_units (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .fault_i    (fault_i),
    .op_valid_i (op_var_valid),
    .op_ready_o (op_var_ready),
    .op_i       (op_varop),
    .op_beat_i  (op_mem_beat_o),
    .op_data_i  (op_var_data),
    .lr_valid_o (lr_valid),
    .lr_ready_i (lr_ready),
    .lr_o       (lr),
    .lr_need_o  (lr_need),
    .wb_free_i  (wb_free)
  );

  late_join u_late_join (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ls_wb_valid_i   (ls_wb_valid_i),
    .ls_wb_ready_o   (ls_wb_ready_o),
    .ls_wb_i         (ls_wb_i),
    .ls_done_valid_i (ls_done_valid_i),
    .ls_done_i       (ls_done_i),
    .ls_done_hold_o  (ls_done_hold_o),
    .lr_valid_i      (lr_valid),
    .lr_ready_o      (lr_ready),
    .lr_i            (lr),
    .lr_need_i       (lr_need),
    .lt_wb_valid_o   (lt_wb_valid),
    .lt_wb_o         (lt_wb),
    .wb_free_i       (wb_free),
    .lt_pred_ask_o   (lt_pred_ask),
    .lt_pred_ready_i (lt_pred_ready),
    .lt_pred_valid_o (lt_pred_valid),
    .lt_uni_valid_o  (lt_uni_valid_o),
    .lt_uni_ready_i  (lt_uni_ready_i),
    .lt_uni_o        (lt_uni_o),
    .lt_done_valid_o (lt_done_valid_o),
    .lt_done_o       (lt_done_o)
  );

  writeback u_writeback (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .fault_i         (fault_i),
    .part_i          (part_i),
    .rs_taken_i      (rs_taken),
    .rs_valid_i      (rs_valid),
    .rs_dest_i       (rs_dest),
    .rs_pred_i       (rs_pred),
    .ex_lo_i         (ex_lo),
    .ex_odd_i        (ex_odd),
    .ex_both_i       (ex_both),
    .ex_pd0_i        (ex_pd0),
    .ex_pd1_i        (ex_pd1),
    .wb_starved_o    (wb_starved),
    .wb_pred_starved_o (wb_pred_starved),
    .lt_wb_valid_i   (lt_wb_valid),
    .lt_wb_i         (lt_wb),
    .wb_free_o       (wb_free),
    .lt_pred_ask_i   (lt_pred_ask),
    .lt_pred_ready_o (lt_pred_ready),
    .lt_pred_valid_i (lt_pred_valid),
    .lr_i            (lr),
    .wb_drop_valid_o (wb_drop_valid),
    .wb_drop_pair_o  (wb_drop_pair),
    .wb_drop_slot_o  (wb_drop_slot),
    .wb_drop_rd_o    (wb_drop_rd),
    .wb_wr_en_o      (wb_wr_en),
    .wb_wr_row_o     (wb_wr_row),
    .wb_wr_data_o    (wb_wr_data),
    .wb_pred_valid_o (wb_pred_valid_o),
    .wb_pred_id_o    (wb_pred_id_o),
    .wb_pred_beat_o  (wb_pred_beat_o),
    .wb_pred_mask_o  (wb_pred_mask_o),
    .wb_pred_pd0_o   (wb_pred_pd0_o),
    .wb_pred_pd1_o   (wb_pred_pd1_o),
    .wb_pred_d0_o    (wb_pred_d0_o),
    .wb_pred_d1_o    (wb_pred_d1_o),
    .wb_pred_all_o   (wb_pred_all_o),
    .wb_pred_en_o    (wb_pred_en_o),
    .wb_pred_val_o   (wb_pred_val_o),
    .wb_done_valid_o (wb_done_valid_o),
    .wb_done_o       (wb_done_o),
    .ret_write_valid_o     (ret_valid_o.write),
    .ret_write_o           (ret_o.write),
    .ret_predicate_valid_o (ret_valid_o.predicate),
    .ret_predicate_o       (ret_o.predicate)
  );

  // ---- what control instructions read: a pair a, or a word b (a word that is not there is zero) ----------------------
  logic       br_row;
  logic [4:0] br_pass;
  assign br_row        = op_valid && op_dest.pipe == '0;
  assign op_br_slot_o  = core_pkg::local_slot(op_dest.id.slot);
  assign op_br_beat_o  = 5'(32'(op_dest.beat) * back_pkg::FMA_PASSES) | br_pass;
  assign op_br_lo_o    = op_a[core_pkg::BR_LANES-1:0] | op_b[core_pkg::BR_LANES-1:0];
  assign op_br_hi_o    = op_x[core_pkg::BR_LANES-1:0];

  if (back_pkg::FMA_PASSES > 1) begin : gen_br_passes
    logic [$clog2(back_pkg::FMA_PASSES)-1:0] pass_q;   // none is under way at 0: a row's first one comes with it
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                        pass_q <= '0;
      else if (br_row || pass_q != '0)    pass_q <= pass_q + 1'b1;
    end
    assign br_pass       = 5'(pass_q);
    assign op_br_valid_o = br_row || pass_q != '0;
  end else begin : gen_br_whole
    assign br_pass       = '0;
    assign op_br_valid_o = br_row;
  end

  // ---- retire records -------------------------------------------------------------------------------------------
  assign ret_valid_o.operands_memory = op_coll_row;

  // Where lanes come to the pipes one by one a row is shown as it comes, lane by lane: what the pipes take.
  localparam int unsigned SHOW_W = (LANES > 1) ? $clog2(LANES) : 1;
  logic [LANES-1:0]       show_mask;
  logic [LANES-1:0][31:0] show_a, show_b, show_c, show_x;

  if (back_pkg::SERIAL) begin : gen_show_lanes
    logic [SHOW_W-1:0] lane_q;   // none is under way at 0: a row's first one comes with it
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                         lane_q <= '0;
      else if (op_valid || lane_q != '0)   lane_q <= lane_q + 1'b1;
    end
    assign show_mask = (op_dest.mask & (LANES'(1) << lane_q)) >> (fault_i == core_pkg::FAULT_TAP_LANE);
    assign show_a    = {LANES{op_a[0]}};
    assign show_b    = {LANES{op_b[0]}};
    assign show_c    = {LANES{op_c[0]}};
    assign show_x    = {LANES{op_x[0]}};

    assign ret_valid_o.operands = op_valid || (lane_q != '0 && show_mask != '0);
  end else begin : gen_show_rows
    assign show_mask = op_dest.mask;
    assign show_a    = op_a;
    assign show_b    = op_b;
    assign show_c    = op_c;
    assign show_x    = op_x;

    assign ret_valid_o.operands = op_valid;
  end

  // A record means something where it is valid. Each is formed at once, whether it is or not: to clear it first would cost
  // as much in simulation.
  always_comb begin
    ret_o.operands = '{
      id:      core_pkg::who(op_dest.id, part_i),
      mask:    32'(show_mask),
      index:   {op_used[1] ? 8'd1 : 8'd5, 8'd4, 8'd2, 8'd0},
      beat:    8'(op_dest.beat),
      used:    {4'd0, op_used[1] || op_used[5], op_used[4], op_used[2], op_used[0]},
      data:    {show_x, show_c, show_b, show_a},
      default: '0
    };
    if (!back_pkg::SERIAL && fault_i == core_pkg::FAULT_TAP_LANE) ret_o.operands.data[0][0] = op_a[1];
  end
  // Collected: a in words 0, 1, b in 2 to 5, of which a row shows two; c in 4, 5, of which 4 may stand where 1 would. Of matrices also
  // a in words 6, 7, c in 8, 9.
  logic [9:0] used;
  assign used = 10'(op_used);
  always_comb begin
    `HEDDLE_IDLE(ret_o.operands_memory, '0);
    if (op_coll_row) begin
      ret_o.operands_memory = '{
        id:      core_pkg::who(op_dest.id, part_i),
        mask:    32'(op_dest.mask),
        index:   {used[9] ? 8'd9 : used[3] ? 8'd3 : 8'd5, used[8] ? 8'd8 : used[2] ? 8'd2 : 8'd4,
                  used[7] ? 8'd7 : c_near ? 8'd4 : 8'd1, used[6] ? 8'd6 : 8'd0},
        beat:    8'(op_dest.beat),
        used:    {4'd0, used[3] || used[5] || used[9], used[2] || used[4] || used[8], used[1] || c_near || used[7], used[0] || used[6]},
        data:    {op_x, op_c, op_b, op_a},
        default: '0
      };
    end
  end

  // Words 2 and 4 in one row: c is near (core_pkg::near_c).
  assign c_near = op_used[2] && op_used[4];

  // Of a row that makes passes the lowest lanes are taken, where each pass comes to.
  logic unused;
  assign unused = ^{op_ps0, op_ps1, op_ps2, op_data};

  // No row of a bus holds two words.
  `ASSERT(a_rows, !(op_valid && op_used[1] && op_used[5]) && !(op_valid && op_used[3]))
  `ASSERT(a_rows_memory, !op_coll_row || ((op_used[3:2] & op_used[5:4]) == '0) || (c_near && !op_used[1] && !op_used[3]))

endmodule

`default_nettype wire
