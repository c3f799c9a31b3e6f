// SPDX-License-Identifier: Apache-2.0
// Number of the set bit of a one-hot vector (an OR of the numbers of all set bits).
// Latency: combinational. 0 when no bit is set.
// No handshake.
// It does not check that its input is one-hot.
module onehot_index #(
  parameter int unsigned N = 8,
  localparam int unsigned INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic [N-1:0]       onehot_i,
  output logic [INDEX_W-1:0] index_o
);

  // Bit j of the index: one of the places with bit j in their number is set.
  function automatic logic [N-1:0] places(int unsigned j);
    for (int unsigned i = 0; i < N; i++) places[i] = (i >> j) % 2 == 1;
  endfunction

  for (genvar j = 0; j < INDEX_W; j++) begin : gen_bit
    localparam logic [N-1:0] PLACES = places(j);
    assign index_o[j] = (onehot_i & PLACES) != '0;
  end

endmodule
