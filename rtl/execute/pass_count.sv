// SPDX-License-Identifier: Apache-2.0
// Counts the passes of a beat in a pipe that has fewer lanes than the machine: PASSES of them, lowest lanes first.
// Latency: none. Throughput: a beat in PASSES cycles.
// Handshake: none. op_valid_i marks a beat, which stands on the operand bus for PASSES cycles, those of each pass in turn in its
// lowest lanes.
// It does not see operands or results.
`include "heddle_assert.svh"

module pass_count #(
  parameter int unsigned PASSES = 2   // 2 or more, a power of two
) (
  input  logic clk_i,
  input  logic              rst_ni,
  // from operand
  input  logic op_valid_i,
  // to the first rank
  output logic valid_o,
  // from and after the last rank
  input  logic last_i,   // a pass is in it
  output logic done_o    // results of a pass stand behind it
);

  logic [$clog2(PASSES)-1:0] pass_q;   // the pass that is taken now, 0 until a beat comes
  logic                      done_q;

  assign valid_o = op_valid_i || pass_q != '0;
  assign done_o  = done_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pass_q <= '0;
      done_q <= 1'b0;
    end else begin
      if (valid_o) pass_q <= pass_q + 1'b1;   // the last is followed by the first
      done_q <= last_i;
    end
  end

  // A beat comes when the one before it has been taken.
  `ASSERT(a_pace, !op_valid_i || pass_q == '0)

endmodule
