// SPDX-License-Identifier: Apache-2.0
// Watches the blocks that run: one is over when each of its warps has started, has been seen busy and is idle again.
// Latency: end_o in the cycle in which the last warp is idle; end_valid_o, the same as a number, one cycle later. Of several
// the lowest slot first, one a cycle.
// Handshake: all inputs and outputs are events, but is_idle_i and halt_i, which are levels.
// After halt_i nothing ends: a warp with an access that trapped may be over, but the trap names its block.
module cta_live (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // a block begins
  input  logic                         blk_valid_i,
  input  logic [cfg_pkg::BLOCK_W-1:0]  blk_bslot_i,
  input  logic [cfg_pkg::SM_WARPS-1:0] blk_warps_i,
  // a warp starts
  input  logic                         start_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0] start_slot_i,
  // from issue
  input  logic [cfg_pkg::SM_WARPS-1:0] is_idle_i,
  input  logic                         halt_i,
  // a block is over
  output logic [cfg_pkg::BLOCKS-1:0]   end_o,         // one-hot or zero
  output logic [cfg_pkg::SM_WARPS-1:0] end_warps_o,   // its warps
  output logic                         end_valid_o,
  output logic [cfg_pkg::BLOCK_W-1:0]  end_bslot_o
);

  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS;
  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS;

  logic [BLOCKS-1:0]            live_q, over;
  logic [BLOCKS-1:0][WARPS-1:0] warps_q;
  logic [WARPS-1:0]             started_q, started, begun_q, finished;
  logic [cfg_pkg::BLOCK_W-1:0]  end_bslot, end_bslot_q;
  logic                         end_any, end_valid_q;

  assign started  = started_q | (start_valid_i ? WARPS'(1) << start_slot_i : '0);
  assign finished = begun_q & is_idle_i;
  for (genvar b = 0; b < BLOCKS; b++) begin : gen_over
    assign over[b] = live_q[b] && (warps_q[b] & ~finished) == '0 && !halt_i;
  end

  lowest_one #(.N(BLOCKS)) u_end (
    .in_i     (over),
    .onehot_o (end_o),
    .index_o  (end_bslot),
    .any_o    (end_any)
  );
  onehot_mux #(.N(BLOCKS), .WIDTH(WARPS)) u_end_warps (
    .sel_i  (end_o),
    .data_i (warps_q),
    .data_o (end_warps_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q      <= '0;
      started_q   <= '0;
      begun_q     <= '0;
      end_valid_q <= 1'b0;
    end else begin
      live_q      <= (live_q & ~end_o) | (blk_valid_i ? BLOCKS'(1) << blk_bslot_i : '0);
      started_q   <= started & ~end_warps_o;
      begun_q     <= (begun_q | (started & ~is_idle_i)) & ~end_warps_o;
      end_valid_q <= end_any;
    end
  end
  always_ff @(posedge clk_i) begin
    end_bslot_q <= end_bslot;
    if (blk_valid_i) warps_q[blk_bslot_i] <= blk_warps_i;
  end

  assign end_valid_o = end_valid_q;
  assign end_bslot_o = end_bslot_q;

endmodule
