// SPDX-License-Identifier: Apache-2.0
// Hash of every warp's divergence state (isa/doc/03-divergence.md), kept up to date item by item: what goes and what comes is XORed in.
// Latency: stage 1 forms the items of a step, stage 2 rotates and folds them in; a query sees a step two cycles after it.
// Handshake: none; a step a cycle. A step may change one barrier (old and new B, P), one waiting path and the exited mask.
// It does not know which of the changes are wanted: pass equal old and new, or an empty path, for none.
`default_nettype none

module divergence_hash (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: a warp starts
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  // from the control unit: a step of warp `slot`
  input  logic                       step_i,
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic [31:0]                start_live_i,   // lanes that this warp started with
  input  logic [3:0]                 bx_i,
  input  logic [31:0]                members_old_i,
  input  logic [31:0]                members_new_i,
  input  logic [31:0]                parked_old_i,
  input  logic [23:0]                parkpc_old_i,
  input  logic [31:0]                parked_new_i,
  input  logic [23:0]                parkpc_new_i,
  input  logic [4:0]                 path_depth_i,
  input  logic [31:0]                path_mask_i,
  input  logic [23:0]                path_pc_i,
  input  logic [31:0]                live_old_i,
  input  logic [31:0]                live_new_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  input  logic [31:0]                q_start_live_i,
  output logic [63:0]                q_hash_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  function automatic logic [63:0] item(input logic [7:0] tag, input logic [23:0] pc, input logic [31:0] mask);
    item = (mask == '0) ? '0 : {tag, pc, mask};
  endfunction

  function automatic logic [63:0] rotl(input logic [63:0] word, input logic [5:0] by);
    logic [63:0] r;
    r = word;
    for (int unsigned i = 0; i < 6; i++) begin
      if (by[i]) r = (r << (1 << i)) | (r >> (64 - (1 << i)));
    end
    rotl = r;
  endfunction

  function automatic logic [63:0] exited_item(input logic [31:0] live);
    exited_item = rotl(item(8'h10, '0, ~live), 6'd7);
  endfunction

  // Stage 1. P[x] rotates by 15 more than B[x]: both share one rotator.
  logic                       valid_q;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [31:0]                start_live_q;
  logic [63:0]                bar_q, path_q, exited_q;
  logic [3:0]                 bx_q;
  logic [4:0]                 depth_q;

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && step_i;
  end

  always_ff @(posedge clk_i) begin
    slot_q       <= slot_i;
    start_live_q <= start_live_i;
    bar_q        <= item({4'h2, bx_i}, '0, members_old_i) ^ item({4'h2, bx_i}, '0, members_new_i)
      ^ rotl(item({4'h4, bx_i}, parkpc_old_i, parked_old_i) ^ item({4'h4, bx_i}, parkpc_new_i, parked_new_i), 6'd15);
    bx_q         <= bx_i;
    path_q       <= item({3'b100, path_depth_i}, path_pc_i, path_mask_i);
    depth_q      <= path_depth_i;
    exited_q     <= exited_item(live_old_i) ^ exited_item(live_new_i);
  end

  // Stage 2. Until a warp's first step its hash is that of its start mask.
  logic [WARPS-1:0] plain_q;
  logic [63:0]      kept, q_kept, base, hash;

  assign base     = plain_q[slot_q] ? exited_item(start_live_q) : kept;
  assign hash     = base ^ rotl(bar_q, {1'b0, bx_q, 1'b0} + 6'(bx_q) + 6'd2) ^ rotl(path_q, {depth_q, 1'b1}) ^ exited_q;
  assign q_hash_o = plain_q[q_slot_i] ? exited_item(q_start_live_i) : q_kept;

  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (valid_q),
    .wr_addr_i (slot_q),
    .wr_data_i (hash),
    .rd_addr_i (slot_q),
    .rd_data_o (kept)
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept_q (
    .clk_i     (clk_i),
    .wr_en_i   (valid_q),
    .wr_addr_i (slot_q),
    .wr_data_i (hash),
    .rd_addr_i (q_slot_i),
    .rd_data_o (q_kept)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      plain_q <= '0;
    end else begin
      if (valid_q) plain_q[slot_q] <= 1'b0;
      if (start_valid_i) plain_q[start_slot_i] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
