// SPDX-License-Identifier: Apache-2.0
// Register behind a multiplexer: takes one of N words, by a one-hot selection.
// Cheap in slices of LUT4: each word has its own registers, cleared unless it is taken, and the outputs are ORed. That takes one LUT a
// bit for up to four words, behind the registers; a multiplexer takes two before them. Clearing is free (the registers have a reset),
// and constant zeros take neither.
// Latency: one cycle. Handshake: none; with take_i the word of the bit that is set in sel_i is taken. At most one is set; without one
// the result is not used.
// It has no reset. Two forms, proved equal by tests/lab/fpga/synth/test_memories.sh: plain, and shaped for the cells.
`include "heddle_form.svh"

module chosen #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned N = 4
) (
  input  logic                    clk_i,
  input  logic                    take_i,
  input  logic [N-1:0]            sel_i,
  input  logic [N-1:0][WIDTH-1:0] data_i,
  output logic [WIDTH-1:0]        data_o
);

`ifdef HEDDLE_PLAIN
  // Plain: select, then keep.
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      for (int unsigned i = 0; i < N; i++) begin
        if (sel_i[i]) data_o <= data_i[i];
      end
    end
  end
`else
  // Shaped: keep each, or zero, then OR.
  logic [N-1:0][WIDTH-1:0] word_q;

  for (genvar i = 0; i < N; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (take_i) word_q[i] <= sel_i[i] ? data_i[i] : '0;
    end
  end

  always_comb begin
    data_o = '0;
    for (int unsigned i = 0; i < N; i++) data_o |= word_q[i];
  end
`endif

endmodule
