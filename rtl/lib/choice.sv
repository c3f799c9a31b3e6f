// SPDX-License-Identifier: Apache-2.0
// Selects one of N words by its number, and ORs another to it, or to some of them (ALSO). scripts/synth.sh maps it to the
// multiplexers of an FPGA's slices (synth/wide_mux.v): four words take two LUTs a bit, which AND and OR of one-hot words would take
// three or four for; the other word is ORed to each before, where it fits into the same LUTs.
// Latency: combinational. No handshake.
// It does not say what a number of N and above chooses, nor what it shows while live_i is low (for simulation alone: synthesis
// leaves it out).
`default_nettype none
`include "heddle_form.svh"

module choice #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned N = 4,
  parameter logic [N-1:0] ALSO = '1,
  localparam int unsigned SEL_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic                    live_i,
  input  logic [SEL_W-1:0]        sel_i,
  input  logic [N-1:0][WIDTH-1:0] data_i,
  input  logic [WIDTH-1:0]        also_i,
  output logic [WIDTH-1:0]        data_o
);

`ifdef HEDDLE_SIMULATED
  // The same with one OR instead of N; tests/synth/test_simulated.sh proves it.
  always_comb begin
    data_o = 'x;
    if (live_i) begin
      if (ALSO == '1)       data_o = data_i[sel_i] | also_i;
      else if (ALSO[sel_i]) data_o = data_i[sel_i] | also_i;
      else                  data_o = data_i[sel_i];
    end
  end
`else
  logic [N-1:0][WIDTH-1:0] either;

  always_comb begin
    for (int unsigned i = 0; i < N; i++) either[i] = data_i[i] | (also_i & {WIDTH{ALSO[i]}});
  end

  assign data_o = either[sel_i];
`endif

endmodule

`default_nettype wire
