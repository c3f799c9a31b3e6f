// SPDX-License-Identifier: Apache-2.0
// Predicate file: P0-P6 of 32 lanes for each warp; all seven of one warp are read at once, or of one beat of it.
// Latency: of a warp 0, a beat written in cycle t is read from t+1 on; of a beat one cycle, a write in the cycle of the request is
// not seen yet, and without a request what is shown is zero.
// Handshake: none; one write a cycle (one beat; two predicates, or any in lanes of their own), one read of each kind.
// It clears itself only as wipe_i says: predicates of a fresh warp are undefined. Index 7 (PT) is the reader's business.
`include "heddle_idle.svh"

module pred_file (
  input  logic                         clk_i,
  input  core_pkg::wipe_t              wipe_i,
  // from writeback
  input  front_pkg::pred_write_t       wb_pred_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0]   is_slot_i,
  output logic [6:0][31:0]             pf_pred_o,
  // from and to operand
  input  front_pkg::pred_read_t        op_pr_i,
  output logic [6:0][cfg_pkg::LANES-1:0] pf_row_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;
  localparam int unsigned BEATS  = cfg_pkg::BEATS;
  localparam int unsigned BEAT_W = $clog2(BEATS);
  localparam int unsigned ROW_W  = cfg_pkg::WARP_W + BEAT_W;

  logic [cfg_pkg::WARP_W-1:0] wb_slot;
  assign wb_slot = core_pkg::local_slot(wb_pred_i.id.slot);

  localparam bit WIPES = cfg_pkg::MMU != 0;
  logic          wipes, writes;
  assign wipes  = WIPES && wipe_i.valid;
  assign writes = wb_pred_i.valid || wipes;

  // A beat among all warps' beats: that is written, that operand reads.
  logic [ROW_W-1:0] row, op_row;
  assign row    = wipes ? ROW_W'(wipe_i.at) : ROW_W'({wb_slot, 5'd0} >> (5 - BEAT_W)) | ROW_W'(wb_pred_i.beat);
  assign op_row = ROW_W'({op_pr_i.slot, 5'd0} >> (5 - BEAT_W)) | ROW_W'(op_pr_i.beat);

  // A warp has BEATS of them.
  logic unused;
  assign unused = ^{op_pr_i.beat, wb_pred_i.id, wipe_i};

  // A write is of all seven: those that it is not for, and lanes that it leaves out, get what they have.
  logic [6:0][LANES-1:0] old, merged, mask;
  logic [6:0]            is0, is1;

  always_comb begin
    is0    = 'x;   // nothing is written otherwise
    is1    = 'x;
    mask   = 'x;
    merged = 'x;
    if (wipes) begin
      merged = '0;
    end else if (`HEDDLE_LIVE(wb_pred_i.valid)) begin
      for (int unsigned p = 0; p < 7; p++) begin
        is0[p]    = wb_pred_i.pd0 == 3'(p);
        is1[p]    = wb_pred_i.pd1 == 3'(p);
        mask[p]   = wb_pred_i.all ? wb_pred_i.en[p] : (is0[p] || is1[p]) ? wb_pred_i.mask : '0;
        merged[p] = (old[p] & ~mask[p]) | (mask[p] & (wb_pred_i.all ? wb_pred_i.val[p] : is1[p] ? wb_pred_i.d1 : wb_pred_i.d0));
      end
    end
  end

  // The same contents three times: by beats, for what stays as it is and for operand, and by warps for issue.
  ram_async #(.WIDTH(7 * LANES), .DEPTH(cfg_pkg::WARPS * BEATS)) u_merge (
    .clk_i     (clk_i),
    .wr_en_i   (writes),
    .wr_addr_i (row),
    .wr_data_i (merged),
    .rd_addr_i (row),
    .rd_data_o (old)
  );

  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    logic [6:0][LANES-1:0] word;
    ram_async #(.WIDTH(7 * LANES), .DEPTH(cfg_pkg::WARPS)) u_read (
      .clk_i     (clk_i),
      .wr_en_i   (writes && (wipes ? 32'(wipe_i.at) % BEATS : 32'(wb_pred_i.beat)) == b),
      .wr_addr_i (wipes ? cfg_pkg::WARP_W'(32'(wipe_i.at) / BEATS) : wb_slot),
      .wr_data_i (merged),
      .rd_addr_i (is_slot_i),
      .rd_data_o (word)
    );
    for (genvar p = 0; p < 7; p++) begin : gen_pred
      assign pf_pred_o[p][b*LANES +: LANES] = word[p];
    end
  end

  // A row that is written while operand asks for it comes from where it is merged.
  logic                  clash;
  logic [6:0][LANES-1:0] row_ram, row_q;

  assign clash = op_pr_i.en && wb_pred_i.valid && row == op_row;

  ram_1r1w #(.WIDTH(7 * LANES), .DEPTH(cfg_pkg::WARPS * BEATS), .RACE(1'b1), .ZERO(1'b1)) u_row (
    .clk_i     (clk_i),
    .wr_en_i   (writes),
    .wr_addr_i (row),
    .wr_data_i (merged),
    .rd_en_i   (op_pr_i.en && !clash),
    .rd_addr_i (op_row),
    .rd_data_o (row_ram)
  );

  always_ff @(posedge clk_i) row_q <= clash ? old : '0;
  assign pf_row_o = row_ram | row_q;

endmodule
