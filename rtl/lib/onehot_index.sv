// SPDX-License-Identifier: Apache-2.0
// Number of the set bit of a one-hot vector (an OR of the numbers of all set bits).
// Latency: combinational. 0 when no bit is set.
// No handshake.
// It does not check that its input is one-hot.
`default_nettype none

module onehot_index #(
  parameter int unsigned N = 8,
  localparam int unsigned INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic [N-1:0]       onehot_i,
  output logic [INDEX_W-1:0] index_o
);

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (onehot_i[i]) index_o |= INDEX_W'(i);
    end
  end

endmodule

`default_nettype wire
