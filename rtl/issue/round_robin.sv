// SPDX-License-Identifier: Apache-2.0
// Loose round robin: the next requester above the one picked last, from the top back to the bottom. A warp that gave way
// (yield_i) goes in the next selection only if no other asks.
// Latency: combinational from request to pick; the order moves at the clock edge.
// Handshake: pick_o is one-hot, or zero without a request; take_i says that it counts. A warp that asks in every cycle sees at most
// N - 1 picks of others that count, and one more after it gave way.
// It does not know why a requester does not ask.
`include "heddle_assert.svh"

module round_robin #(
  parameter int unsigned N = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // a requester gives way once
  input  logic [N-1:0] yield_i,
  // from and to the scheduler
  input  logic [N-1:0] req_i,
  output logic [N-1:0] pick_o,
  input  logic         take_i     // late: nothing but the order follows from it
);

  logic [N-1:0] above_q;   // above the one picked last
  logic [N-1:0] shy_q;     // gave way since the last pick
  logic [N-1:0] first, second, from;

  assign first  = req_i & ~shy_q & above_q;
  assign second = req_i & ~shy_q;
  assign from   = (first != '0) ? first : (second != '0) ? second : req_i;

  arb_fixed #(.N(N)) u_first (
    .req_i   (from),
    .grant_o (pick_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      above_q <= '0;
      shy_q   <= '0;
    end else begin
      if (take_i && req_i != '0) above_q <= ~(pick_o | (pick_o - N'(1)));
      shy_q <= ((take_i && req_i != '0) ? '0 : shy_q) | yield_i;
    end
  end

  // Of the warps that ask exactly one is picked.
  `ASSERT_IF(a_one, req_i != '0, pick_o != '0 && (pick_o & (pick_o - N'(1))) == '0 && (pick_o & ~req_i) == '0)

endmodule
