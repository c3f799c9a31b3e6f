// SPDX-License-Identifier: Apache-2.0
// late_rows with its structs taken apart into plain ports.
// Latency, handshake: those of late_rows.
// Element i of a port lies at bit i * its width.
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

  localparam int unsigned LS_W = $bits(core_pkg::memwb_t);

  core_pkg::late_t            late;
  logic [PORTS-1:0][LS_W-1:0] wb;
  core_pkg::done_t            done;
  logic                       unused;

  assign cfg_lanes_o = LANES;
  assign cfg_width_o = WIDTH;
  assign cfg_ports_o = PORTS;
  assign cfg_banks_o = cfg_pkg::BANKS;
  assign cfg_warps_o = cfg_pkg::SM_WARPS;
  assign unused      = ^{late_slot_i, done};

  always_comb begin
    late         = '0;
    late.id.slot = cfg_pkg::SM_WARP_W'(late_slot_i);
    late.id.seq  = late_seq_i;
    late.uni     = 1'b0;
    late.kind    = late_is_row_i ? core_pkg::LATE_ROW : core_pkg::LATE_NONE;
    late.rbase   = late_rbase_i;
    late.word    = late_word_i;
    late.row     = late_row_i;
    late.last    = late_last_i;
    late.wbar    = late_wbar_i;
    late.has_rd  = late_has_rd_i;
    late.rd      = late_rd_i;
    late.rd_n    = late_rd_n_i;
    late.mask    = late_mask_i;
    late.data    = late_data_i;
  end

  late_rows u_rows (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .ls_late_valid_i  (late_valid_i),
    .ls_late_ready_o  (late_ready_o),
    .ls_late_i        (late),
    .ls_wb_valid_o    (wb_valid_o),
    .ls_wb_ready_i    (wb_ready_i),
    .ls_wb_o          (wb),
    .ls_done_hold_i   (done_hold_i),
    .ls_done_valid_o  (done_valid_o),
    .ls_done_o        (done)
  );

  assign done_slot_o   = 8'(done.slot);
  assign done_wbar_o   = done.wbar;
  assign done_has_rd_o = done.has_rd;
  assign done_rd_o     = done.rd;
  assign done_rd_n_o   = done.rd_n;

  for (genvar i = 0; i < PORTS; i++) begin : gen_port
    core_pkg::memwb_t one;
    logic             unused_gen;
    assign one           = wb[i];
    assign unused_gen    = ^{one.id.gen, one.uni};
    assign wb_seq_o[i]   = one.id.seq;
    assign wb_slot_o[i]  = 8'(one.id.slot);
    assign wb_rd_o[i]    = one.rd;
    assign wb_rbase_o[i] = one.rbase;
    assign wb_beat_o[i]  = 8'(one.beat);
    assign wb_mask_o[i]  = one.mask;
    assign wb_data_o[i]  = one.data;
  end

endmodule
