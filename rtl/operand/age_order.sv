// SPDX-License-Identifier: Apache-2.0
// Keeps N entries in the order in which they were loaded, and picks the oldest of those that ask, for each of M things.
// Latency: grant combinational from the requests; the order changes at the clock edge after load_i.
// No handshake: grant_o of one thing is one-hot, or zero without a request.
// Entries that load in the same cycle count as loaded by ascending index.
// It does not know which entries are in use: those that are not must not ask.
`default_nettype none
`include "heddle_assert.svh"

module age_order #(
  parameter int unsigned N = 4,
  parameter int unsigned M = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from whoever fills the entries
  input  logic [N-1:0]        load_i,
  // from the entries
  input  logic [M-1:0][N-1:0] req_i,
  // to the entries
  output logic [M-1:0][N-1:0] grant_o
);

  // older_q[i][j]: entry j is older than entry i.
  logic [N-1:0][N-1:0] older_q, older_d;

  always_comb begin
    older_d = older_q;
    for (int unsigned i = 0; i < N; i++) begin
      for (int unsigned j = 0; j < N; j++) begin
        if (i == j) older_d[i][j] = 1'b0;
        else if (load_i[i] && load_i[j]) older_d[i][j] = j < i;
        else if (load_i[i]) older_d[i][j] = 1'b1;
        else if (load_i[j]) older_d[i][j] = 1'b0;
      end
    end
  end

  always_comb begin
    for (int unsigned m = 0; m < M; m++) begin
      for (int unsigned i = 0; i < N; i++) begin
        grant_o[m][i] = req_i[m][i] && (req_i[m] & older_q[i]) == '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < N; i++) begin
        for (int unsigned j = 0; j < N; j++) older_q[i][j] <= j < i;
      end
    end else begin
      older_q <= older_d;
    end
  end

  // Whoever asks, exactly one is granted.
  logic fair;
  always_comb begin
    fair = 1'b1;
    for (int unsigned m = 0; m < M; m++) begin
      if ((req_i[m] == '0) != (grant_o[m] == '0)) fair = 1'b0;
      if ((grant_o[m] & (grant_o[m] - N'(1))) != '0) fair = 1'b0;
    end
  end
  `ASSERT(a_fair, fair)

endmodule

`default_nettype wire
