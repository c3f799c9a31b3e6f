// SPDX-License-Identifier: Apache-2.0
// The lowest bit that is set: one-hot, as a number, and whether there is one.
// Latency: combinational. index_o is 0 when in_i is 0 (look at any_o).
// No handshake.
// It does not remember anything; arbiters are arb_fixed and arb_rr.
`default_nettype none

module lowest_one #(
  parameter int unsigned N = 8,
  localparam int unsigned INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic [N-1:0]       in_i,
  output logic [N-1:0]       onehot_o,
  output logic [INDEX_W-1:0] index_o,
  output logic               any_o
);

  assign onehot_o = in_i & (~in_i + N'(1));
  assign any_o    = |in_i;

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (onehot_o[i]) index_o |= INDEX_W'(i);
    end
  end

endmodule

`default_nettype wire
