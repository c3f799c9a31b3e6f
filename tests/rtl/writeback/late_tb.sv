// SPDX-License-Identifier: Apache-2.0
// late_rows, and write_ends for its ends, with their structs taken apart into plain ports.
// Latency, handshake: those of these modules.
// Element i of a port is at bit i * its width.
module late_tb #(
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
  output logic [31:0]                      cfg_warps_o,
  // the channel
  input  logic                             late_valid_i,
  output logic                             late_ready_o,
  input  logic [7:0]                       late_slot_i,
  input  logic [31:0]                      late_seq_i,
  input  logic                             late_is_row_i,
  input  logic [15:0]                      late_rbase_i,
  input  logic [1:0]                       late_word_i,
  input  logic [4:0]                       late_row_i,
  input  logic                             late_last_i,
  input  logic [2:0]                       late_wbar_i,
  input  logic                             late_has_rd_i,
  input  logic [7:0]                       late_rd_i,
  input  logic [1:0]                       late_rd_n_i,
  input  logic [WIDTH-1:0]                 late_mask_i,
  input  logic [WIDTH-1:0][31:0]           late_data_i,
  // register writes
  output logic [PORTS-1:0]                 wb_valid_o,
  input  logic [PORTS-1:0]                 wb_ready_i,
  output logic [PORTS-1:0][31:0]           wb_seq_o,
  output logic [PORTS-1:0][7:0]            wb_slot_o,
  output logic [PORTS-1:0][7:0]            wb_rd_o,
  output logic [PORTS-1:0][15:0]           wb_rbase_o,
  output logic [PORTS-1:0][7:0]            wb_beat_o,
  output logic [PORTS-1:0][LANES-1:0]      wb_mask_o,
  output logic [PORTS-1:0][LANES-1:0][31:0] wb_data_o,
  // ends
  input  logic                             done_hold_i,
  output logic                             done_valid_o,
  output logic [7:0]                       done_slot_o,
  output logic [2:0]                       done_wbar_o,
  output logic                             done_has_rd_o,
  output logic [7:0]                       done_rd_o,
  output logic [1:0]                       done_rd_n_o
);

  core_pkg::late_t            late;
  bus_pkg::late_rows_t        wb;
  bus_pkg::late_end_t         ls_end;
  front_pkg::ends_t           ends;
  logic                       hold, end_free;
  logic                       unused;

  assign cfg_lanes_o = LANES;
  assign cfg_width_o = WIDTH;
  assign cfg_ports_o = PORTS;
  assign cfg_banks_o = cfg_pkg::BANKS;
  assign cfg_warps_o = cfg_pkg::SM_WARPS;
  assign unused      = ^{late_slot_i, ends, hold, end_free};

  always_comb begin
    late               = '0;
    late.tag.id.slot   = cfg_pkg::SM_WARP_W'(late_slot_i);
    late.tag.id.seq    = late_seq_i;
    late.tag.to.uni    = 1'b0;
    late.tag.row       = late_is_row_i;
    late.tag.rbase     = late_rbase_i;
    late.tag.word      = late_word_i;
    late.tag.beat      = late_row_i;
    late.tag.last      = late_last_i;
    late.tag.to.wbar   = late_wbar_i;
    late.tag.to.has_rd = late_has_rd_i;
    late.tag.to.rd     = late_rd_i;
    late.tag.to.rd_n   = late_rd_n_i;
    late.mask          = late_mask_i;
    late.data          = late_data_i;
  end

  late_rows u_rows (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .ls_late_valid_i  (late_valid_i),
    .ls_late_ready_o  (late_ready_o),
    .ls_late_i        (late),
    .ls_wb_o          (wb),
    .ls_wb_ready_i    (wb_ready_i),
    .ls_end_o         (ls_end),
    .wb_hold_i        (done_hold_i)
  );

  write_ends u_ends (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .rs_i          ('0),
    .ls_end_i      (ls_end),
    .wb_hold_o     (hold),
    .wb_end_free_o (end_free),
    .lt_end_i      (1'b0),
    .lr_tag_i      ('0),
    .wb_ends_o     (ends)
  );

  assign wb_valid_o    = wb.valid;
  assign done_valid_o  = ends.late_valid;
  assign done_slot_o   = 8'(ends.late.slot);
  assign done_wbar_o   = ends.late.to.wbar;
  assign done_has_rd_o = ends.late.to.has_rd;
  assign done_rd_o     = ends.late.to.rd;
  assign done_rd_n_o   = ends.late.to.rd_n;

  for (genvar i = 0; i < PORTS; i++) begin : gen_port
    core_pkg::result_t one;
    logic              unused_gen;
    assign one           = wb.row[i];
    assign unused_gen    = ^one;
    assign wb_seq_o[i]   = one.tag.id.seq;
    assign wb_slot_o[i]  = 8'(one.tag.id.slot);
    assign wb_rd_o[i]    = core_pkg::reg_of(one.tag);
    assign wb_rbase_o[i] = one.tag.rbase;
    assign wb_beat_o[i]  = 8'(one.tag.beat);
    assign wb_mask_o[i]  = one.mask;
    assign wb_data_o[i]  = one.data;
  end

endmodule
