// SPDX-License-Identifier: Apache-2.0
// Greedy-then-oldest: the warp picked last while it asks, else the one that started first.
// Latency: combinational from request to pick; history moves at the clock edge.
// Handshake: pick_o is one-hot, or zero without a request; every pick is taken.
// It does not count cycles: age is the order of starts.
`default_nettype none

module oldest_first #(
  parameter int unsigned N = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // a requester becomes the youngest
  input  logic [N-1:0] start_i,
  // a requester gives up its turn
  input  logic [N-1:0] yield_i,
  // from and to the scheduler
  input  logic [N-1:0] req_i,
  output logic [N-1:0] pick_o
);

  // older_q[i][j], i < j: i started before j.
  logic [N-1:0][N-1:0] older_q;
  logic [N-1:0]        last_q, oldest;

  always_comb begin
    for (int unsigned i = 0; i < N; i++) begin
      oldest[i] = req_i[i];
      for (int unsigned j = 0; j < N; j++) begin
        if (j < i && req_i[j] && older_q[j][i])  oldest[i] = 1'b0;
        if (j > i && req_i[j] && !older_q[i][j]) oldest[i] = 1'b0;
      end
    end
  end

  assign pick_o = ((req_i & last_q) != '0) ? (req_i & last_q) : oldest;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q  <= '0;
      older_q <= '1;
    end else begin
      last_q <= ((pick_o != '0) ? pick_o : last_q) & ~yield_i;
      for (int unsigned i = 0; i < N; i++) begin
        for (int unsigned j = i + 1; j < N; j++) begin
          if (start_i[i])      older_q[i][j] <= 1'b0;
          else if (start_i[j]) older_q[i][j] <= 1'b1;
        end
      end
    end
  end

endmodule

`default_nettype wire
