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

  // Bit j of the index: one of the places whose number has bit j is set.
  function automatic logic [N-1:0] places(int unsigned j);
    for (int unsigned i = 0; i < N; i++) places[i] = (i >> j) % 2 == 1;
  endfunction

  for (genvar j = 0; j < INDEX_W; j++) begin : gen_bit
    localparam logic [N-1:0] PLACES = places(j);
    assign index_o[j] = (onehot_o & PLACES) != '0;
  end

endmodule

`default_nettype wire
