// SPDX-License-Identifier: Apache-2.0
// late_rows, late_join and write_ends together, as a partition has them, with their structs taken apart into plain ports. Write ports and
// the predicate port are the bench's.
// Latency, handshake: those of these modules.
// Element i of a port is at bit i * its width.
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

  core_pkg::late_t            late;
  core_pkg::result_t          lr;
  exec_pkg::uni_write_t            uni;
  bus_pkg::late_rows_t        ls, wb;
  bus_pkg::late_end_t         ls_end;
  logic [PORTS-1:0]           ls_ready;
  logic                       hold, end_free, lt_end;
  front_pkg::ends_t           ends;

  assign cfg_lanes_o = LANES;
  assign cfg_width_o = WIDTH;
  assign cfg_ports_o = PORTS;
  assign cfg_banks_o = cfg_pkg::BANKS;

  // A row of memory carries its number in all lanes, a row of a unit the complement.
  always_comb begin
    late               = '0;
    late.tag.id.seq    = late_seq_i;
    late.tag.to.uni    = late_uni_i;
    late.tag.row       = late_is_row_i;
    late.tag.rbase     = late_rbase_i;
    late.tag.beat      = late_row_i;
    late.tag.last      = late_last_i;
    late.tag.to.wbar   = 3'(late_seq_i % 7);
    late.tag.to.has_rd = 1'b1;
    late.tag.to.rd     = late_rd_i;
    late.tag.to.pd0    = isa_pkg::PT;
    late.tag.to.pd1    = isa_pkg::PT;
    late.mask          = late_mask_i;
    for (int unsigned l = 0; l < WIDTH; l++) late.data[l] = late_seq_i;
    lr               = '0;
    lr.tag.id.seq    = lr_seq_i;
    lr.tag.to.uni    = lr_uni_i;
    lr.tag.row       = lr_row_i;
    lr.tag.pred      = lr_pred_i;
    lr.tag.last      = lr_last_i;
    lr.tag.beat      = lr_beat_i;
    lr.tag.word      = lr_word_i;
    lr.tag.to.has_rd = lr_rd_i != isa_pkg::RZ;
    lr.tag.to.rd     = lr_rd_i;
    lr.tag.rbase     = lr_rbase_i;
    lr.tag.to.pd0    = lr_pd0_i;
    lr.tag.to.pd1    = lr_pd1_i;
    lr.tag.to.wbar   = lr_wbar_i;
    lr.mask          = lr_mask_i;
    for (int unsigned l = 0; l < LANES; l++) lr.data[l] = ~lr_seq_i;
  end

  late_rows u_rows (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .ls_late_valid_i  (late_valid_i),
    .ls_late_ready_o  (late_ready_o),
    .ls_late_i        (late),
    .ls_wb_o          (ls),
    .ls_wb_ready_i    (ls_ready),
    .ls_end_o         (ls_end),
    .wb_hold_i        (hold)
  );

  late_join u_join (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ls_wb_i         (ls),
    .ls_wb_ready_o   (ls_ready),
    .lr_valid_i      (lr_valid_i),
    .lr_ready_o      (lr_ready_o),
    .lr_i            (lr),
    .lr_need_i       (lr_valid_i ? back_pkg::needs(lr, wb_free_i) : '0),
    .lt_wb_o         (wb),
    .wb_free_i       (wb_free_i),
    .lt_pred_ask_o   (pred_ask_o),
    .wb_pred_ready_i (pred_ready_i),
    .lt_pred_valid_o (pred_valid_o),
    .lt_uni_valid_o  (uni_valid_o),
    .lt_uni_ready_i  (uni_ready_i),
    .lt_uni_o        (uni),
    .wb_end_free_i   (end_free),
    .lt_end_o        (lt_end)
  );

  write_ends u_ends (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .rs_i          ('0),
    .ls_end_i      (ls_end),
    .wb_hold_o     (hold),
    .wb_end_free_o (end_free),
    .lt_end_i      (lt_end),
    .lr_tag_i      (lr.tag),
    .wb_ends_o     (ends)
  );

  assign cfg_uniform_o = cfg_pkg::HAS_UNI;
  assign uni_seq_o     = uni.id.seq;
  assign uni_row_o     = uni.en != '0;
  assign uni_rd_o      = uni.rd;
  assign uni_data_o    = uni.data[0];
  always_comb begin
    uni_pd0_o = isa_pkg::PT;
    for (int unsigned p = 0; p < 7; p++) if (uni.pred_en[p]) uni_pd0_o = 3'(p);
  end
  logic unused_uni;
  assign unused_uni    = ^uni;

  assign done_valid_o  = ends.late_valid;
  assign done_wbar_o   = ends.late.to.wbar;
  assign done_has_rd_o = ends.late.to.has_rd;
  assign done_rd_o     = ends.late.to.rd;
  assign done_pd0_o    = ends.late.to.pd0;
  assign done_pd1_o    = ends.late.to.pd1;

  for (genvar i = 0; i < PORTS; i++) begin : gen_port
    core_pkg::result_t one;
    logic              unused;
    assign one           = wb.row[i];
    assign unused        = ^one;
    assign wb_seq_o[i]   = one.tag.id.seq;
    assign wb_rd_o[i]    = core_pkg::reg_of(one.tag);
    assign wb_rbase_o[i] = one.tag.rbase;
    assign wb_beat_o[i]  = 8'(one.tag.beat);
    assign wb_mask_o[i]  = one.mask;
    assign wb_data_o[i]  = one.data[0];
  end

  assign wb_valid_o = wb.valid;
  logic unused_ends;
  assign unused_ends = ^ends;

endmodule
