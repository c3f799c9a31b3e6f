// SPDX-License-Identifier: Apache-2.0
// When a fence of GPU scope may be done: stores and atomics that passed the cache before it, of any warp, have been
// performed. Fences are served in rounds: what passes after a round has begun belongs to the next one, so that a round
// ends in spite of other warps.
// Latency: with nothing under way three cycles from want_i to ok_o.
// Handshake: want_i stays until the fence has issued (left_i, event) or its warp gives it up; ok_o stays as long.
// It does not empty the cache, and does not count loads: a warp waits for its own before it wants a fence.
`include "heddle_assert.svh"

module l1_fence #(
  localparam int unsigned WARPS   = cfg_pkg::SM_WARPS,
  localparam int unsigned LOADS   = l1_pkg::LOADS,
  localparam int unsigned LOAD_W  = l1_pkg::LOAD_W,
  localparam int unsigned COUNT_W = $clog2(LOADS + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from issue, and back: warps before a fence, with nothing of their own to wait for
  input  logic [WARPS-1:0]   want_i,
  output logic [WARPS-1:0]   ok_o,
  input  logic [WARPS-1:0]   left_i,
  // a store or atomic passes; it has been performed
  input  logic               pass_valid_i,
  input  logic [LOAD_W-1:0]  pass_tag_i,
  input  logic               ack_valid_i,
  input  logic [LOAD_W-1:0]  ack_tag_i
);

  logic                      turn_q, busy_q, of_ack, over;
  logic [1:0][COUNT_W-1:0]   count_q;          // under way: of the round that is served, and since
  logic [LOADS-1:0]          turn_of_q;
  logic [WARPS-1:0]          round_q, asks;

  assign of_ack = turn_of_q[ack_tag_i];
  assign over   = busy_q && count_q[!turn_q] == '0;
  assign asks   = want_i & ~ok_o & ~left_i;

  always_ff @(posedge clk_i) begin
    if (pass_valid_i) turn_of_q[pass_tag_i] <= turn_q;
  end

  for (genvar g = 0; g < 2; g++) begin : gen_turn
    logic more, less;
    assign more = pass_valid_i && 32'(turn_q) == g;
    assign less = ack_valid_i && 32'(of_ack) == g;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)           count_q[g] <= '0;
      else if (more != less) count_q[g] <= more ? count_q[g] + 1'b1 : count_q[g] - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q  <= 1'b0;
      busy_q  <= 1'b0;
      round_q <= '0;
      ok_o    <= '0;
    end else begin
      ok_o <= (ok_o | (over ? round_q : '0)) & want_i & ~left_i;
      if (!busy_q && asks != '0) begin
        turn_q  <= !turn_q;
        busy_q  <= 1'b1;
        round_q <= asks;
      end else begin
        if (over) busy_q <= 1'b0;
        round_q <= over ? '0 : round_q & want_i & ~left_i;   // who gives up, and wants another, waits for the next one
      end
    end
  end

  // All that is performed has passed.
  `ASSERT(a_count, !ack_valid_i || count_q[of_ack] != '0)

endmodule
