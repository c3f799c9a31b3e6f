// SPDX-License-Identifier: Apache-2.0
// Operand stage: reads the words of the instruction that issue holds out, beat by beat, and sends rows to the pipes and to the
// collectors of units whose latency varies. One instruction is read at a time; the next one follows without a gap.
// Latency: an instruction issued in cycle t (is_pre) is read from t+1 on, its first row on the bus in t+3, then a row a cycle;
// each bank conflict, and each write port that is taken, one cycle more. All of that is known from the order of issue, so stall
// counts run from there and stand still while op_hold_o says that no row is completed.
// Handshake: is_valid_i stands until op_ready_o; collected rows go to places that issue has counted (op_leave_o).
// It does not order anything: operands are read strictly in the order of issue.
`default_nettype none
`include "heddle_assert.svh"

module operand #(
  localparam int unsigned SLOTS = core_pkg::SLOTS,
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BANKS = cfg_pkg::BANKS
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [7:0]                               fault_i,
  // from issue: an instruction issues in this cycle (the reuse cache is asked)
  input  logic                                     is_pre_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]               is_pre_slot_i,
  input  isa_pkg::dec_t                            is_pre_dec_i,
  input  logic [15:0]                              is_pre_rbase_i,
  // ... and is read in the next ones
  input  logic                                     is_valid_i,
  input  logic                                     is_new_i,      // the first of them
  input  core_pkg::uop_t                           is_uop_i,
  // to issue
  output logic                                     op_ready_o,    // another one may issue
  output logic                                     op_hold_o,     // stall counts stand still
  output logic [1:0]                               op_leave_o,    // collectors that become free
  output logic                                     op_disp_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]               op_disp_slot_o,
  output logic [2:0]                               op_disp_rbar_o,
  // to and from issue: the predicates of a beat (P2R), a cycle later, else zero
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
  // to and from the reservation table: the write ports of a beat that is on the bus in two cycles
  output logic [BANKS-1:0]                         op_ports_o,
  output logic [back_pkg::PIPES-1:0]               op_pipe_o,
  output logic                                     op_pred_o,
  input  logic                                     rs_ok_i,
  output logic                                     op_take_o,
  // to the execute pipes and writeback: the operand bus
  output logic                                     op_valid_o,
  output logic                                     op_coll_row_o, // it carries a row for the collectors instead
  output back_pkg::dest_t                          op_dest_o,
  output logic [exec_pkg::CTL_W-1:0]               op_ctl_o,
  output logic [SLOTS-1:0]                         op_used_o,
  output logic [LANES-1:0][31:0]                   op_a_o,
  output logic [LANES-1:0][31:0]                   op_b_o,
  output logic [LANES-1:0][31:0]                   op_c_o,
  output logic [LANES-1:0][31:0]                   op_x_o,
  output logic [LANES-1:0]                         op_ps0_o,
  output logic [LANES-1:0]                         op_ps1_o,
  output logic [LANES-1:0]                         op_ps2_o,
  // to and from the load/store unit, and the units of the partition, which share the beat
  output logic                                     op_mem_valid_o,
  input  logic                                     op_mem_ready_i,
  output core_pkg::memop_t                         op_memop_o,
  output logic [core_pkg::UNITS-1:0]               op_var_valid_o,
  input  logic [core_pkg::UNITS-1:0]               op_var_ready_i,
  output core_pkg::varop_t                         op_varop_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0]        op_var_data_o,
  output logic [4:0]                               op_mem_beat_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0]        op_mem_data_o,
  // from the write ports of the register file
  input  logic [back_pkg::DROPS-1:0]                      wb_drop_valid_i,
  input  logic [back_pkg::DROPS-1:0]                      wb_drop_pair_i,
  input  logic [back_pkg::DROPS-1:0][cfg_pkg::WARP_W-1:0] wb_drop_slot_i,
  input  logic [back_pkg::DROPS-1:0][7:0]                 wb_drop_rd_i,
  input  logic [BANKS-1:0][LANES-1:0]              wb_wr_en_i,
  input  logic [BANKS-1:0][back_pkg::ROW_W-1:0]    wb_wr_row_i,
  input  logic [BANKS-1:0][LANES-1:0][31:0]        wb_wr_data_i
);

  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W;
  localparam int unsigned GROUP_W = back_pkg::GROUP_W;
  localparam int unsigned WORDS   = back_pkg::WORDS;

  // ---- what the instruction reads -----------------------------------------------------------------------------
  logic [WORDS-1:0][BANKS-1:0]             bank;
  logic [WORDS-1:0][back_pkg::WREG_W-1:0]  wreg;
  logic [2:0]                              hit, fill, side, clash_a;
  logic [1:0]                              clash_b;
  logic                                    tid;
  logic [1:0]                              row, next_row, early;
  logic [BEAT_W-1:0]                       beat;
  back_pkg::beat_t                         now;

  back_pkg::plan_t                         plan;

  operand_plan u_plan (
    .clk_i      (clk_i),
    .ready_i    (op_ready_o),
    .arrive_i   (is_pre_valid_i),
    .dec_i      (is_pre_dec_i),
    .rbase_i    (is_pre_rbase_i),
    .next_i     (op_take_o),
    .next_row_i (next_row),
    .early_i    (early),
    .plan_o     (plan),
    .bank_o     (bank),
    .clash_a_o  (clash_a),
    .clash_b_o  (clash_b)
  );

  operand_map u_map (
    .fault_i    (fault_i),
    .valid_i    (is_valid_i),
    .uop_i      (is_uop_i),
    .plan_i     (plan),
    .hit_i      (hit),
    .beat_i     (beat),
    .row_i      (row),
    .wreg_o     (wreg),
    .side_o     (side),
    .tid_o      (tid),
    .beat_o     (now)
  );

  assign op_ports_o = plan.ports;
  assign op_pipe_o  = plan.pipe;
  assign op_pred_o  = plan.preds;

  // ---- the walk through its beats -----------------------------------------------------------------------------
  logic [WORDS-1:0][BANKS-1:0]    read;
  logic [WORDS-1:0][GROUP_W-1:0]  group;
  logic                           complete, last;
  logic [1:0]                     got;

  logic [back_pkg::STAY_W-1:0]    stay;

  assign stay = plan.pipe[back_pkg::PIPE_CVT] ? back_pkg::STAY_W'(back_pkg::CVT_PASSES - 1) :
                (plan.pipe[back_pkg::PIPE_FMA] || (plan.pipe == '0 && !plan.coll)) ? back_pkg::STAY_W'(back_pkg::FMA_PASSES - 1) :
                plan.pipe[back_pkg::PIPE_ALU] ? back_pkg::STAY_W'(back_pkg::ALU_PASSES - 1) : '0;

  reader u_reader (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .valid_i  (is_valid_i),
    .bank_i   (bank),
    .clash_a_i (clash_a),
    .clash_b_i (clash_b),
    .skip_i   (hit),
    .wreg_i   (wreg),
    .last_row_i (plan.last_row),
    .stay_i   (stay),
    .beat_o   (beat),
    .row_o    (row),
    .next_row_o (next_row),
    .early_o  (early),
    .read_o   (read),
    .group_o  (group),
    .final_i  (rs_ok_i),
    .final_o  (complete),
    .last_o   (last),
    .got_o    (got),
    .ready_o  (op_ready_o),
    .hold_o   (op_hold_o)
  );

  assign op_take_o = complete;

  // ---- register file and side memories ------------------------------------------------------------------------
  logic [BANKS-1:0]                  rd_en;
  logic [BANKS-1:0][GROUP_W-1:0]     rd_group;
  logic [BANKS-1:0][BEAT_W-1:0]      rd_beat;
  logic [BANKS-1:0][LANES-1:0][31:0] bank_data;
  logic [2:0][LANES-1:0][31:0]       reuse_data;
  logic [LANES-1:0][10:0]            tid_data;
  logic [2:0]                        side_en;

  always_comb begin
    rd_en    = read[0] | read[1] | read[2] | read[3];
    rd_group = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      rd_beat[b] = beat;
      for (int unsigned w = 0; w < WORDS; w++) begin
        if (read[w][b]) rd_group[b] |= group[w];
      end
    end
  end

  // What arrives in the next cycle.
  back_pkg::beat_t              beat_q;
  logic                         final_q;
  logic [WORDS-1:0][BANKS-1:0]  from_bank_q;
  logic [1:0]                   from_early_q;
  logic [1:0][BANKS-1:0]        early_q;
  logic [2:0]                   fill_late_q;
  logic                         from_tid_q, coll_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      final_q <= 1'b0;
      early_q <= '0;
    end else begin
      final_q <= complete;
      early_q <= {early[1] ? read[1] : '0, early[0] ? read[0] : '0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (is_valid_i) coll_q <= plan.coll;
    if (complete) begin
      beat_q           <= now;
      beat_q.dest.last <= last;
      from_bank_q      <= read;
      from_early_q     <= got;
      from_tid_q       <= side[1] && tid;
      fill_late_q      <= fill;
    end
  end

  regfile u_regfile (
    .clk_i      (clk_i),
    .rd_en_i    (rd_en),
    .rd_group_i (rd_group),
    .rd_beat_i  (rd_beat),
    .rd_data_o  (bank_data),
    .wr_en_i    (wb_wr_en_i),
    .wr_row_i   (wb_wr_row_i),
    .wr_data_i  (wb_wr_data_i)
  );

  assign side_en = complete ? side : '0;

  tid_rows u_tid_rows (
    .clk_i          (clk_i),
    .ct_tid_valid_i (ct_tid_valid_i),
    .ct_tid_slot_i  (ct_tid_slot_i),
    .ct_tid_beat_i  (ct_tid_beat_i),
    .ct_tid_x_i     (ct_tid_x_i),
    .ct_tid_y_i     (ct_tid_y_i),
    .ct_tid_z_i     (ct_tid_z_i),
    .tid_en_i       (side_en[1] && tid),
    .tid_slot_i     (core_pkg::local_slot(is_uop_i.id.slot)),
    .tid_beat_i     (beat),
    .tid_y_i        (beat_q.tid_y),
    .tid_z_i        (beat_q.tid_z),
    .tid_data_o     (tid_data)
  );

  // Lanes that come to the bus one by one: which one is read from the side memories now, arrives, stands on the bus. What is read of
  // a row's first lane is read of the others.
  localparam int unsigned LANE_W = back_pkg::STAY_W;
  logic [LANE_W-1:0] lane_read, lane_here, lane_bus;
  logic [2:0]        reuse_en, lane_en;
  logic [2:0][31:0]  reuse_lane;
  logic [31:0]       lane_value;

  assign reuse_en = {side_en[2], side_en[1] && !tid, side_en[0]};

  if (back_pkg::SERIAL) begin : gen_turns
    logic [LANE_W-1:0] read_q, here_q, bus_q;
    logic [2:0]        en_q;
    logic              value_q;
    logic [3:0]        sreg, sreg_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)             read_q <= '0;
      else if (complete)       read_q <= plan.coll ? '0 : LANE_W'(1);
      else if (read_q != '0)   read_q <= read_q + 1'b1;
      here_q <= rst_ni ? read_q : '0;
      bus_q  <= rst_ni ? here_q : '0;
    end
    always_ff @(posedge clk_i) begin
      if (complete) begin
        en_q    <= reuse_en;
        value_q <= now.lane_b;
        sreg_q  <= sreg;
      end
    end
    assign sreg = 4'(isa_pkg::f_sreg(is_uop_i.word));
    lane_table u_values (
      .clk_i  (clk_i),
      .en_i   ((read_q != '0) ? value_q : complete && now.lane_b),
      .sreg_i ((read_q != '0) ? sreg_q : sreg),
      .lane_i ((read_q != '0) ? 5'({beat_q.dest.beat, read_q}) : 5'({beat, read_q})),
      .data_o (lane_value)
    );
    assign lane_read = read_q;
    assign lane_here = here_q;
    assign lane_bus  = bus_q;
    assign lane_en   = (read_q != '0) ? en_q : reuse_en;
  end else begin : gen_rows
    assign lane_read = '0;
    assign lane_here = '0;
    assign lane_bus  = '0;
    assign lane_en   = '0;
    assign lane_value = '0;
  end

  // A row for the reuse cache: on its way to the bus, or on it.
  logic [2:0][LANES-1:0][31:0] ds_word;
  logic                        ds_valid;
  logic [2:0]                  ds_fill;
  back_pkg::dest_t             ds_dest;

  if (back_pkg::FILL_LATE) begin : gen_fill_late
    logic [2:0] fill_bus_q;
    always_ff @(posedge clk_i) begin
      if (final_q) fill_bus_q <= fill_late_q;
    end
    assign ds_valid = op_valid_o;
    assign ds_fill  = fill_bus_q;
    assign ds_dest  = op_dest_o;
  end else begin : gen_fill_now
    assign ds_valid = final_q && !beat_q.coll;
    assign ds_fill  = fill_late_q;
    assign ds_dest  = beat_q.dest;
  end

  reuse u_reuse (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .fault_i       (fault_i),
    .start_valid_i (ct_start_valid_i),
    .start_slot_i  (core_pkg::local_slot(ct_start_i.slot)),
    .ready_i       (op_ready_o),
    .arrive_i      (is_pre_valid_i),
    .arrive_slot_i (is_pre_slot_i),
    .arrive_dec_i  (is_pre_dec_i),
    .read_i        (is_valid_i && !plan.coll),
    .rd_slot_i     (core_pkg::local_slot(is_uop_i.id.slot)),
    .hit_o         (hit),
    .fill_o        (fill),
    .rd_en_i       (reuse_en),
    .rd_beat_i     (beat),
    .rd_data_o     (reuse_data),
    .ds_valid_i    (ds_valid),
    .ds_slot_i     (core_pkg::local_slot(ds_dest.id.slot)),
    .ds_beat_i     (ds_dest.beat[BEAT_W-1:0]),
    .ds_fill_i     (ds_fill),
    .ds_word_i     (ds_word),
    .ln_rd_en_i    (lane_en),
    .ln_rd_slot_i  (core_pkg::local_slot((lane_read != '0) ? beat_q.dest.id.slot : is_uop_i.id.slot)),
    .ln_rd_beat_i  ((lane_read != '0) ? beat_q.dest.beat[BEAT_W-1:0] : beat),
    .ln_rd_lane_i  (lane_read),
    .ln_data_o     (reuse_lane),
    .ln_ds_valid_i (op_valid_o || lane_bus != '0),
    .ln_ds_lane_i  (lane_bus),
    .wr_valid_i    (wb_drop_valid_i),
    .wr_pair_i     (wb_drop_pair_i),
    .wr_slot_i     (wb_drop_slot_i),
    .wr_rd_i       (wb_drop_rd_i)
  );

  // Predicates are read with the last words of a row: whatever is younger writes later.
  assign op_pr_en_o   = complete && now.preds_c;
  assign op_pr_slot_o = core_pkg::local_slot(is_uop_i.id.slot);
  assign op_pr_beat_o = 5'(beat);

  // ---- the bus ------------------------------------------------------------------------------------------------
  logic [WORDS-1:0]                  ds_we, ds_none;
  logic [WORDS-1:0][LANES-1:0][31:0] ds_row;

  if (back_pkg::SERIAL) begin : gen_lane
    dispatch_lane u_dispatch (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .fault_i      (fault_i),
      .early_i      (early_q),
      .coll_i       (coll_q),
      .final_i      (final_q),
      .pass_i       (lane_here),
      .beat_i       (beat_q),
      .from_bank_i  (from_bank_q),
      .from_early_i (from_early_q),
      .from_tid_i   (from_tid_q),
      .bank_data_i  (bank_data),
      .reuse_lane_i (reuse_lane),
      .lane_data_i  (lane_value),
      .tid_data_i   (tid_data),
      .preds_i      (pf_row_i),
      .ds_word_o    (ds_word),
      .ds_we_o      (ds_we),
      .ds_none_o    (ds_none),
      .ds_row_o     (ds_row),
      .op_valid_o   (op_valid_o),
      .op_coll_o    (op_coll_row_o),
      .op_dest_o    (op_dest_o),
      .op_ctl_o     (op_ctl_o),
      .op_rbar_o    (op_disp_rbar_o),
      .op_used_o    (op_used_o),
      .op_a_o       (op_a_o),
      .op_b_o       (op_b_o),
      .op_c_o       (op_c_o),
      .op_x_o       (op_x_o),
      .op_ps0_o     (op_ps0_o),
      .op_ps1_o     (op_ps1_o),
      .op_ps2_o     (op_ps2_o)
    );

    // Rows of the reuse cache, of which there are none.
    logic unused_rows;
    assign unused_rows = ^reuse_data;
  end else begin : gen_row
    dispatch u_dispatch (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .fault_i      (fault_i),
      .early_i      (early_q),
      .coll_i       (coll_q),
      .final_i      (final_q),
      .beat_i       (beat_q),
      .from_bank_i  (from_bank_q),
      .from_early_i (from_early_q),
      .from_tid_i   (from_tid_q),
      .bank_data_i  (bank_data),
      .reuse_data_i (reuse_data),
      .tid_data_i   (tid_data),
      .preds_i      (pf_row_i),
      .ds_word_o    (ds_word),
      .ds_we_o      (ds_we),
      .ds_row_o     (ds_row),
      .op_valid_o   (op_valid_o),
      .op_coll_o    (op_coll_row_o),
      .op_dest_o    (op_dest_o),
      .op_ctl_o     (op_ctl_o),
      .op_rbar_o    (op_disp_rbar_o),
      .op_used_o    (op_used_o),
      .op_a_o       (op_a_o),
      .op_b_o       (op_b_o),
      .op_c_o       (op_c_o),
      .op_x_o       (op_x_o),
      .op_ps0_o     (op_ps0_o),
      .op_ps1_o     (op_ps1_o),
      .op_ps2_o     (op_ps2_o)
    );
    assign ds_none = '0;
  end

  // All operands of an instruction have been read.
  assign op_disp_valid_o = (op_valid_o || op_coll_row_o) && op_dest_o.last;
  assign op_disp_slot_o  = core_pkg::local_slot(op_dest_o.id.slot);

  // ---- memory, and the units of the partition -----------------------------------------------------------------
  logic [core_pkg::VAR_CTL_W-1:0] var_ctl;

  units_decode u_units_decode (
    .fault_i (fault_i),
    .en_i    (is_new_i),
    .dec_i   (is_uop_i.dec),
    .word_i  (is_uop_i.word),
    .ctl_o   (var_ctl)
  );

  collectors u_collectors (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .is_new_i       (is_new_i && plan.coll),
    .is_uop_i       (is_uop_i),
    .var_ctl_i      (var_ctl),
    .ds_we_i        (ds_we),
    .ds_none_i      (ds_none),
    .ds_row_i       (ds_row),
    .row_valid_i    (op_coll_row_o),
    .op_leave_o     (op_leave_o),
    .op_mem_valid_o (op_mem_valid_o),
    .op_mem_ready_i (op_mem_ready_i),
    .op_memop_o     (op_memop_o),
    .op_var_valid_o (op_var_valid_o),
    .op_var_ready_i (op_var_ready_i),
    .op_varop_o     (op_varop_o),
    .op_var_data_o  (op_var_data_o),
    .op_mem_beat_o  (op_mem_beat_o),
    .op_mem_data_o  (op_mem_data_o)
  );

  // An instruction that is read is legal, and has a pipe here or is a register branch.
  `ASSERT_IF(a_unit, is_valid_i, is_uop_i.dec.legal && (plan.coll || plan.pipe != '0 || is_uop_i.dec.unit == isa_pkg::UNIT_BR))

  logic unused;
  assign unused = ^{ct_start_i, ds_dest, lane_here, reuse_lane, lane_value};

endmodule

`default_nettype wire
