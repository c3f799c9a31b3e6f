// SPDX-License-Identifier: Apache-2.0
// Predicate file: P0-P6 of 32 lanes for each warp, in LUT memory; all seven of one warp are read at once.
// Latency: read 0; a beat written in cycle t is read from t+1 on.
// Handshake: none; one write a cycle (one beat, two predicates), one read.
// It does not clear itself: predicates of a fresh warp are undefined. Index 7 (PT) is the reader's business.
`default_nettype none

module pred_file (
  input  logic                         clk_i,
  // from writeback
  input  logic                         wb_pred_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]   wb_pred_slot_i,
  input  logic [4:0]                   wb_pred_beat_i,
  input  logic [cfg_pkg::LANES-1:0]    wb_pred_mask_i,
  input  logic [2:0]                   wb_pred_pd0_i,
  input  logic [2:0]                   wb_pred_pd1_i,
  input  logic [cfg_pkg::LANES-1:0]    wb_pred_d0_i,
  input  logic [cfg_pkg::LANES-1:0]    wb_pred_d1_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0]   is_slot_i,
  output logic [6:0][31:0]             pf_pred_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;
  localparam int unsigned BEATS  = cfg_pkg::BEATS;
  localparam int unsigned BEAT_W = $clog2(BEATS);
  localparam int unsigned ROW_W  = cfg_pkg::WARP_W + BEAT_W;

  // The beat that is written, among all warps' beats.
  logic [ROW_W-1:0] row;
  assign row = ROW_W'({wb_pred_slot_i, 5'd0} >> (5 - BEAT_W)) | ROW_W'(wb_pred_beat_i);

  for (genvar p = 0; p < 7; p++) begin : gen_pred
    logic             hit0, hit1;
    logic [LANES-1:0] old, merged;

    assign hit0   = wb_pred_valid_i && wb_pred_pd0_i == 3'(p);
    assign hit1   = wb_pred_valid_i && wb_pred_pd1_i == 3'(p);
    assign merged = (old & ~wb_pred_mask_i) | (wb_pred_mask_i & (hit1 ? wb_pred_d1_i : wb_pred_d0_i));

    // The same contents twice: one copy by beats, for lanes that keep what they have, one by warps for the reader.
    ram_async #(.WIDTH(LANES), .DEPTH(cfg_pkg::WARPS * BEATS)) u_merge (
      .clk_i     (clk_i),
      .wr_en_i   (hit0 || hit1),
      .wr_addr_i (row),
      .wr_data_i (merged),
      .rd_addr_i (row),
      .rd_data_o (old)
    );
    for (genvar b = 0; b < BEATS; b++) begin : gen_beat
      ram_async #(.WIDTH(LANES), .DEPTH(cfg_pkg::WARPS)) u_read (
        .clk_i     (clk_i),
        .wr_en_i   ((hit0 || hit1) && wb_pred_beat_i == 5'(b)),
        .wr_addr_i (wb_pred_slot_i),
        .wr_data_i (merged),
        .rd_addr_i (is_slot_i),
        .rd_data_o (pf_pred_o[p][b*LANES +: LANES])
      );
    end
  end

endmodule

`default_nettype wire
