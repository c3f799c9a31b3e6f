// SPDX-License-Identifier: Apache-2.0
// Which block, and which of its warps, runs in a warp slot, from the starts of blocks.
// Latency: a start is known from the next cycle on; what it says of the slot of a trap stands from the cycle after trap_valid_i on.
// Handshake: events.
// It does not notice ends: the last block that had the slot stays. Generations are not compared.
`include "heddle_idle.svh"

module trap_where (
  input  logic                       clk_i,
  // from the SM's dispatcher
  input  sm_pkg::blocks_t            ct_blk_i,
  // from the SM, from and to the host registers
  input  logic                       trap_valid_i,   // slot_i has come
  input  logic                       look_i,         // what follows is read
  input  logic [cfg_pkg::SM_WARP_W-1:0] slot_i,
  output logic [2:0][31:0]           ctaid_o,        // x at index 0
  output logic [4:0]                 warp_o
);

  localparam int unsigned WARPS = cfg_pkg::SM_WARPS;

  logic [WARPS-1:0][cfg_pkg::BLOCK_W-1:0] bslot_q;   // of a warp slot
  logic [WARPS-1:0]                       warps;     // of the block asked for
  logic [cfg_pkg::BLOCK_W-1:0]            bslot;

  assign bslot = bslot_q[slot_i];

  // A block that traps does not start in that cycle.
  ram_1r1w #(.WIDTH(96 + WARPS), .DEPTH(cfg_pkg::BLOCKS), .RACE(1'b1)) u_blocks (
    .clk_i     (clk_i),
    .wr_en_i   (ct_blk_i.start_valid),
    .wr_addr_i (ct_blk_i.bslot[cfg_pkg::BLOCK_W-1:0]),
    .wr_data_i ({ct_blk_i.warps, ct_blk_i.ctaid}),
    .rd_en_i   (trap_valid_i),
    .rd_addr_i (bslot),
    .rd_data_o ({warps, ctaid_o})
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (ct_blk_i.start_valid && ct_blk_i.warps[w]) bslot_q[w] <= ct_blk_i.bslot[cfg_pkg::BLOCK_W-1:0];
    end
  end

  // Warps of the block in lower slots come before it.
  always_comb begin
    warp_o = '0;
    if (`HEDDLE_LIVE(look_i)) for (int unsigned w = 0; w < WARPS; w++) begin
      if (w < 32'(slot_i)) warp_o += 5'(warps[w]);
    end
  end

  // Block slot numbers are small; ends do not count.
  logic unused;
  assign unused = ^ct_blk_i;

endmodule
