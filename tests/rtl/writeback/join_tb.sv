// SPDX-License-Identifier: Apache-2.0
// late_join and late_rows together, as a partition has them, with their structs taken apart into plain ports. Write ports and
// the predicate port are the bench's.
// Latency, handshake: those of the two modules.
// Element i of a port lies at bit i * its width.
module join_tb #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned WIDTH = cfg_pkg::LSU_LANES,
  localparam int unsigned PORTS = core_pkg::LATE_PORTS
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  output logic [31:0]                      cfg_lanes_o,
  output logic [31:0]                      cfg_width_o,
  output logic [31:0]                      cfg_ports_o,
  output logic [31:0]                      cfg_banks_o,
  // memory's channel: register rows, and ends
  input  logic                             late_valid_i,
  output logic                             late_ready_o,
  input  logic [31:0]                      late_seq_i,
  input  logic                             late_is_row_i,
  input  logic [15:0]                      late_rbase_i,
  input  logic [4:0]                       late_row_i,
  input  logic                             late_last_i,
  input  logic [7:0]                       late_rd_i,
  input  logic [WIDTH-1:0]                 late_mask_i,
  // a unit's results
  input  logic                             lr_valid_i,
  output logic                             lr_ready_o,
  input  logic [31:0]                      lr_seq_i,
  input  logic                             lr_row_i,
  input  logic                             lr_pred_i,
  input  logic                             lr_last_i,
  input  logic [4:0]                       lr_beat_i,
  input  logic [1:0]                       lr_word_i,
  input  logic [7:0]                       lr_rd_i,
  input  logic [15:0]                      lr_rbase_i,
  input  logic [2:0]                       lr_pd0_i,
  input  logic [2:0]                       lr_pd1_i,
  input  logic [2:0]                       lr_wbar_i,
  input  logic [LANES-1:0]                 lr_mask_i,
  // the ports
  output logic [PORTS-1:0]                 wb_valid_o,
  input  logic [cfg_pkg::BANKS-1:0]        wb_free_i,
  output logic [PORTS-1:0][31:0]           wb_seq_o,
  output logic [PORTS-1:0][7:0]            wb_rd_o,
  output logic [PORTS-1:0][15:0]           wb_rbase_o,
  output logic [PORTS-1:0][7:0]            wb_beat_o,
  output logic [PORTS-1:0][LANES-1:0]      wb_mask_o,
  output logic [PORTS-1:0][31:0]           wb_data_o,   // of the first lane
  output logic                             pred_ask_o,
  input  logic                             pred_ready_i,
  output logic                             pred_valid_o,
  // the port of uniform results, where the machine has one
  output logic                             cfg_uniform_o,
  input  logic                             late_uni_i,
  input  logic                             lr_uni_i,
  output logic                             uni_valid_o,
  input  logic                             uni_ready_i,
  output logic [31:0]                      uni_seq_o,
  output logic                             uni_row_o,
  output logic [7:0]                       uni_rd_o,
  output logic [31:0]                      uni_data_o,
  output logic [2:0]                       uni_pd0_o,
  // ends
  output logic                             done_valid_o,
  output logic [2:0]                       done_wbar_o,
  output logic                             done_has_rd_o,
  output logic [7:0]                       done_rd_o,
  output logic [2:0]                       done_pd0_o,
  output logic [2:0]                       done_pd1_o
);

  localparam int unsigned LS_W = $bits(core_pkg::memwb_t);

  core_pkg::late_t            late;
  core_pkg::varres_t          lr;
  core_pkg::unires_t          uni;
  logic [PORTS-1:0]           ls_valid, ls_ready;
  logic [PORTS-1:0][LS_W-1:0] ls, wb;
  logic                       ls_done_valid, hold;
  core_pkg::done_t            ls_done, done;

  assign cfg_lanes_o = LANES;
  assign cfg_width_o = WIDTH;
  assign cfg_ports_o = PORTS;
  assign cfg_banks_o = cfg_pkg::BANKS;

  // A row of memory carries its number in all lanes, a row of a unit the complement.
  always_comb begin
    late        = '0;
    late.id.seq = late_seq_i;
    late.uni    = late_uni_i;
    late.kind   = late_is_row_i ? core_pkg::LATE_ROW : core_pkg::LATE_NONE;
    late.rbase  = late_rbase_i;
    late.row    = late_row_i;
    late.last   = late_last_i;
    late.wbar   = 3'(late_seq_i % 7);
    late.has_rd = 1'b1;
    late.rd     = late_rd_i;
    late.mask   = late_mask_i;
    for (int unsigned l = 0; l < WIDTH; l++) late.data[l] = late_seq_i;
    lr        = '0;
    lr.id.seq = lr_seq_i;
    lr.uni    = lr_uni_i;
    lr.row    = lr_row_i;
    lr.pred   = lr_pred_i;
    lr.last   = lr_last_i;
    lr.beat   = lr_beat_i;
    lr.word   = lr_word_i;
    lr.rd     = lr_rd_i;
    lr.rbase  = lr_rbase_i;
    lr.pd0    = lr_pd0_i;
    lr.pd1    = lr_pd1_i;
    lr.wbar   = lr_wbar_i;
    lr.mask   = lr_mask_i;
    for (int unsigned l = 0; l < LANES; l++) lr.data[l] = ~lr_seq_i;
  end

  late_rows u_rows (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .ls_late_valid_i  (late_valid_i),
    .ls_late_ready_o  (late_ready_o),
    .ls_late_i        (late),
    .ls_wb_valid_o    (ls_valid),
    .ls_wb_ready_i    (ls_ready),
    .ls_wb_o          (ls),
    .ls_done_hold_i   (hold),
    .ls_done_valid_o  (ls_done_valid),
    .ls_done_o        (ls_done)
  );

  late_join u_join (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ls_wb_valid_i   (ls_valid),
    .ls_wb_ready_o   (ls_ready),
    .ls_wb_i         (ls),
    .ls_done_valid_i (ls_done_valid),
    .ls_done_i       (ls_done),
    .ls_done_hold_o  (hold),
    .lr_valid_i      (lr_valid_i),
    .lr_ready_o      (lr_ready_o),
    .lr_i            (lr),
    .lr_need_i       (lr_valid_i ? back_pkg::needs(lr, wb_free_i) : '0),
    .lt_wb_valid_o   (wb_valid_o),
    .lt_wb_o         (wb),
    .wb_free_i       (wb_free_i),
    .lt_pred_ask_o   (pred_ask_o),
    .lt_pred_ready_i (pred_ready_i),
    .lt_pred_valid_o (pred_valid_o),
    .lt_uni_valid_o  (uni_valid_o),
    .lt_uni_ready_i  (uni_ready_i),
    .lt_uni_o        (uni),
    .lt_done_valid_o (done_valid_o),
    .lt_done_o       (done)
  );

  assign cfg_uniform_o = cfg_pkg::HAS_UNI;
  assign uni_seq_o     = uni.id.seq;
  assign uni_row_o     = uni.row;
  assign uni_rd_o      = uni.rd;
  assign uni_data_o    = uni.data;
  assign uni_pd0_o     = uni.pd0;
  logic unused_uni;
  assign unused_uni    = ^uni;

  assign done_wbar_o   = done.wbar;
  assign done_has_rd_o = done.has_rd;
  assign done_rd_o     = done.rd;
  assign done_pd0_o    = done.pd0;
  assign done_pd1_o    = done.pd1;

  for (genvar i = 0; i < PORTS; i++) begin : gen_port
    core_pkg::memwb_t one;
    logic             unused;
    assign one           = wb[i];
    assign unused        = ^one;
    assign wb_seq_o[i]   = one.id.seq;
    assign wb_rd_o[i]    = one.rd;
    assign wb_rbase_o[i] = one.rbase;
    assign wb_beat_o[i]  = 8'(one.beat);
    assign wb_mask_o[i]  = one.mask;
    assign wb_data_o[i]  = one.data[0];
  end

  logic unused_done;
  assign unused_done = ^done;

endmodule
