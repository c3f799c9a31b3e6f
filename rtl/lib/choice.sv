// SPDX-License-Identifier: Apache-2.0
// Selects one of N words by its number. synth.sh maps it to the multiplexers of an FPGA's slices (synth/wide_mux.v): N of 4 takes
// two LUTs a bit, which AND and OR of one-hot words would take three or four for.
// Latency: combinational. No handshake.
// It does not say what a number of N and above chooses.
`default_nettype none

module choice #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned N = 4,
  localparam int unsigned SEL_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic [SEL_W-1:0]        sel_i,
  input  logic [N-1:0][WIDTH-1:0] data_i,
  output logic [WIDTH-1:0]        data_o
);

  assign data_o = data_i[sel_i];

endmodule

`default_nettype wire
