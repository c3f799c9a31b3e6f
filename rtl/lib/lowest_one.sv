// SPDX-License-Identifier: Apache-2.0
// The lowest bit that is set: one-hot, as a number, and whether there is one.
// Latency: combinational. index_o is 0 when in_i is 0 (any_o is 0).
// No handshake.
// It has no state; arbiters are arb_fixed and arb_rr.
module lowest_one #(
  parameter int unsigned N = 8,
  localparam int unsigned INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic [N-1:0]       in_i,
  output logic [N-1:0]       onehot_o,
  output logic [INDEX_W-1:0] index_o,
  output logic               any_o
);

  assign any_o = |in_i;

  arb_fixed #(.N(N)) u_first (
    .req_i   (in_i),
    .grant_o (onehot_o)
  );

  onehot_index #(.N(N)) u_index (
    .onehot_i (onehot_o),
    .index_o  (index_o)
  );

endmodule
