// SPDX-License-Identifier: Apache-2.0
// Hash of every warp's divergence state (isa/doc/03-divergence.md), kept up to date item by item: what goes and what comes is XORed in.
// Latency: stage 1 forms the item of a step, stage 2 rotates and folds it in; a query sees a step two cycles after it, one that
// changes a barrier and a path three cycles after it, and a start two or three cycles after it.
// Handshake: busy_o forbids a step and follows one that changes a barrier and a path, since there is one rotator. A step changes
// one barrier (old and new B, P), or a waiting path, or both, or else the exited lanes. No step in the cycle of a start, and no
// start in the cycle after one.
// It does not know which of the changes are wanted.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module divergence_hash (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: a warp starts
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  input  logic [31:0]                start_live_i,
  // from the control unit: a step of warp `slot`
  output logic                       busy_o,
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic                       bar_i,          // B[x], P[x] change
  input  logic [4:0]                 bx_i,           // 16: W
  input  logic [31:0]                members_old_i,
  input  logic [31:0]                members_new_i,
  input  logic [31:0]                parked_old_i,
  input  logic [23:0]                parkpc_old_i,
  input  logic [31:0]                parked_new_i,
  input  logic [23:0]                parkpc_new_i,
  input  logic                       path_i,         // a path comes or goes
  input  logic [4:0]                 path_name_i,    // depth, or lowest lane
  input  logic [31:0]                path_mask_i,
  input  logic [23:0]                path_pc_i,
  input  logic                       live_i,         // lanes exit
  input  logic [31:0]                live_old_i,
  input  logic [31:0]                live_new_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
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

  // Stage 1: one item, and a path that waits for the next turn.
  logic                       valid_q, second_q, start_q;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [63:0]                item_d, item_q, second, path;
  logic [5:0]                 by_d, by_q;
  logic [60:0]                second_item_q;   // tag but for its constant bits, pc, mask

  assign path        = {3'b100, path_name_i, path_pc_i, path_mask_i};
  assign second      = {3'b100, second_item_q};
  assign busy_o      = second_q || (start_q && valid_q);

  // P[x] rotates by 15 more than B[x], which rotates by 3x + 2 (x = 16: W); P[W] by 3 more.
  always_comb begin
    item_d = 'x;   // is taken if there is one
    by_d   = 'x;
    if (`HEDDLE_LIVE(path_i)) begin
      item_d = path;
      by_d   = {path_name_i, 1'b1};
    end
    if (second_q) begin
      item_d = second;
      by_d   = {second_item_q[60:56], 1'b1};
    end else if (bar_i) begin
      item_d = item({3'b001, bx_i}, '0, members_old_i) ^ item({3'b001, bx_i}, '0, members_new_i)
        ^ rotl(item({3'b010, bx_i}, parkpc_old_i, parked_old_i) ^ item({3'b010, bx_i}, parkpc_new_i, parked_new_i),
               bx_i[4] ? 6'd3 : 6'd15);
      by_d   = {bx_i, 1'b0} + 6'(bx_i) + 6'd2;
    end else if (live_i) begin
      item_d = item(8'h10, '0, ~live_old_i) ^ item(8'h10, '0, ~live_new_i);
      by_d   = 6'd7;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      valid_q  <= second_q || bar_i || path_i || live_i;
      second_q <= bar_i && path_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (second_q || bar_i || path_i || live_i) begin
      item_q <= item_d;
      by_q   <= by_d;
    end
    if (bar_i || path_i || live_i) slot_q <= slot_i;
    if (bar_i && path_i) second_item_q <= path[60:0];
  end

  // Stage 2. A start brings the hash of its lanes, a cycle later; where the path of a step before it is folded in then, one
  // more: the warp of the path may be asked about already, the one that starts may not.
  logic [cfg_pkg::WARP_W-1:0] start_slot_q;
  logic [31:0]                start_live_q;
  logic [63:0]                kept, hash;

  always_ff @(posedge clk_i) begin
    start_q <= rst_ni && (start_valid_i || (start_q && valid_q));
    if (start_valid_i) begin
      start_slot_q <= start_slot_i;
      start_live_q <= start_live_i;
    end
  end

  assign hash = valid_q ? kept ^ rotl(item_q, by_q) : rotl(item(8'h10, '0, ~start_live_q), 6'd7);

  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (start_q || valid_q),
    .wr_addr_i (valid_q ? slot_q : start_slot_q),
    .wr_data_i (hash),
    .rd_addr_i (slot_q),
    .rd_data_o (kept)
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept_q (
    .clk_i     (clk_i),
    .wr_en_i   (start_q || valid_q),
    .wr_addr_i (valid_q ? slot_q : start_slot_q),
    .wr_data_i (hash),
    .rd_addr_i (q_slot_i),
    .rd_data_o (q_hash_o)
  );

  // Steps come when they may, and a start finds no item in its way.
  `ASSERT(a_step, !(bar_i || path_i || live_i) || (!busy_o && !start_valid_i))
  `ASSERT(a_start, !(start_q && start_valid_i))
  // A path has lanes.
  `ASSERT(a_path, !path_i || path_mask_i != '0)
  // Lanes exit in a step of their own.
  `ASSERT(a_live, !live_i || (!bar_i && !path_i))

endmodule

`default_nettype wire
