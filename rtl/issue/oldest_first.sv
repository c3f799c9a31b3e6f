// SPDX-License-Identifier: Apache-2.0
// Greedy-then-oldest: the warp picked last while it asks, else the one that started first.
// Latency: combinational from request to pick; history moves at the clock edge.
// Handshake: pick_o is one-hot, or zero without a request; every pick is taken.
// It does not count cycles: age is the order of starts.
`default_nettype none
`include "heddle_assert.svh"

module oldest_first #(
  parameter int unsigned N = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // a requester becomes the youngest; one at most
  input  logic [N-1:0] start_i,
  // a requester gives up its turn
  input  logic [N-1:0] yield_i,
  // from and to the scheduler
  input  logic [N-1:0] req_i,
  output logic [N-1:0] pick_o
);

  // older_q[i]: who started before i.
  logic [N-1:0][N-1:0] older_q;
  logic [N-1:0]        last_q, greedy;

  assign greedy = req_i & last_q;

  always_comb begin
    pick_o = greedy;
    if (greedy == '0) begin
      for (int unsigned i = 0; i < N; i++) pick_o[i] = req_i[i] && (req_i & older_q[i]) == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q <= '0;
      for (int unsigned i = 0; i < N; i++) older_q[i] <= (N'(1) << i) - N'(1);
    end else begin
      last_q <= ((pick_o != '0) ? pick_o : last_q) & ~yield_i;
      if (start_i != '0) begin
        for (int unsigned i = 0; i < N; i++) older_q[i] <= start_i[i] ? ~start_i : older_q[i] & ~start_i;
      end
    end
  end

  // One starts at a time.
  `ASSERT(a_start, (start_i & (start_i - N'(1))) == '0)

endmodule

`default_nettype wire
