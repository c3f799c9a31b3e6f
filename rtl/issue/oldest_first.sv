// SPDX-License-Identifier: Apache-2.0
// Greedy-then-oldest: the warp picked last while it asks, else the one that started first. Every LIMIT picks the greed
// is handed to one of those that ask, in turn: the old cannot keep the young out for ever.
// Latency: combinational from request to pick; history moves at the clock edge.
// Handshake: pick_o is one-hot, or zero without a request; take_i says that it counts. A warp that asks in every cycle sees at
// most N x LIMIT picks of others that count: it is its turn in one of N handovers, and a pick after its own it goes.
// It does not count cycles: age is the order of starts.
`include "heddle_assert.svh"

module oldest_first #(
  parameter int unsigned N     = 8,
  parameter int unsigned LIMIT = 256    // picks from one handover to the next; at least 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // a requester becomes the youngest; one at most
  input  logic [N-1:0] start_i,
  // a requester gives up its greed
  input  logic [N-1:0] yield_i,
  // from and to the scheduler
  input  logic [N-1:0] req_i,
  output logic [N-1:0] pick_o,
  input  logic         take_i     // late: nothing but history follows from it
);

  localparam int unsigned COUNT_W = $clog2(LIMIT);

  // older_q[i]: the warps that started before i.
  logic [N-1:0][N-1:0] older_q;
  logic [N-1:0]        last_q, greedy, turn;
  logic [COUNT_W-1:0]  count_q;
  logic                count, hand, owed_q;   // count: a pick counts in this cycle

  assign count  = take_i && req_i != '0;
  assign greedy = req_i & last_q;

  always_comb begin
    pick_o = greedy;
    if (greedy == '0) begin
      for (int unsigned i = 0; i < N; i++) pick_o[i] = req_i[i] && (req_i & older_q[i]) == '0;
    end
  end

  // The handover. A warp that is owed its turn keeps it until the next pick, whatever it hinted before.
  assign hand = count && count_q == COUNT_W'(LIMIT - 1);

  arb_rr #(.N(N)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (req_i),
    .grant_o (turn),
    .take_i  (hand)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      owed_q  <= 1'b0;
    end else if (count) begin
      count_q <= hand ? '0 : count_q + COUNT_W'(1);
      owed_q  <= hand;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q <= '0;
      for (int unsigned i = 0; i < N; i++) older_q[i] <= (N'(1) << i) - N'(1);
    end else begin
      if (hand) last_q <= turn;
      else if (count) last_q <= pick_o & ~yield_i;
      else if (!owed_q) last_q <= last_q & ~yield_i;
      if (start_i != '0) begin
        for (int unsigned i = 0; i < N; i++) older_q[i] <= start_i[i] ? ~start_i : older_q[i] & ~start_i;
      end
    end
  end

  // One starts at a time.
  `ASSERT(a_start, (start_i & (start_i - N'(1))) == '0)
  // Of the warps that ask exactly one is picked.
  `ASSERT_IF(a_one, req_i != '0, pick_o != '0 && (pick_o & (pick_o - N'(1))) == '0 && (pick_o & ~req_i) == '0)

endmodule
