// SPDX-License-Identifier: Apache-2.0
// rtl/lib/fifo.sv, with three words of four bits: a depth that is no power of two.
// config: tiny
// quick
`include "properties.svh"

module fifo_formal (
  input logic       clk_i,
  input logic       in_valid,
  input logic [3:0] in_data,
  input logic       out_ready,
  input logic       watch       // the word that comes now is followed through the queue
);
  `RESET
  localparam int unsigned DEPTH = 3;

  logic       in_ready, out_valid;
  logic [3:0] out_data;
  logic [1:0] count;

  fifo #(.WIDTH(4), .DEPTH(DEPTH)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (in_valid),
    .in_ready_o  (in_ready),
    .in_data_i   (in_data),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready),
    .out_data_o  (out_data),
    .count_o     (count)
  );

  `include "follow.svh"

  // Offered input stays until it is taken.
  `GIVEN(g_stable, !held_q || (in_valid && in_data == held_data_q))

  // Every word leaves unchanged, in its turn.
  `PROVE(p_order, !in_q || before_q != 2'd0 || (out_valid && out_data == data_q))
  // The count is the words taken less the words given.
  `PROVE(p_count, count == words_q)
  // It takes a word exactly when it is not full, and offers one exactly when it is not empty.
  `PROVE(p_flags, in_ready == (words_q != 2'(DEPTH)) && out_valid == (words_q != 2'd0))
  // An offered word stays, unchanged, until it is taken.
  `PROVE(p_stable, !kept_q || (out_valid && out_data == kept_data_q))
  // It gets full, and the last word in is followed to its end.
  `REACH(r_full, count == 2'(DEPTH) && in_q && before_q == 2'd2)
endmodule
