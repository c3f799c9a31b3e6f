// SPDX-License-Identifier: Apache-2.0
// Multiplexer: word number sel_i, ORed with another word.
// Cheap in slices of LUT4: scripts/synth.sh maps it to their multiplexers (lab/fpga/synth/wide_mux.v), two LUTs a bit for four words,
// where AND and OR of one-hot words take three or four. The other word fits into the same LUTs (lab/fpga/synth/wide_or.v).
// Latency: combinational. No handshake.
// The output is undefined for a number of N and above, and while live_i is low (simulation alone; synthesis has no live_i).
// Two forms, proved equal by tests/lab/fpga/synth/test_simulated.sh: plain, and shaped for the cells.
`include "heddle_form.svh"

module choice #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned N = 4,
  localparam int unsigned SEL_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic                    live_i,
  input  logic [SEL_W-1:0]        sel_i,
  input  logic [N-1:0][WIDTH-1:0] data_i,
  input  logic [WIDTH-1:0]        also_i,
  output logic [WIDTH-1:0]        data_o
);

`ifdef HEDDLE_PLAIN
  // Plain: select, then OR.
  always_comb begin
    data_o = 'x;
    if (live_i) data_o = data_i[sel_i] | also_i;
  end
`else
  // Shaped: each word is ORed before the selection, in a LUT that does half of the selection.
  logic [N-1:0][WIDTH-1:0] either;

  always_comb begin
    for (int unsigned i = 0; i < N; i++) either[i] = data_i[i] | also_i;
  end

  assign data_o = either[sel_i];
`endif

endmodule
