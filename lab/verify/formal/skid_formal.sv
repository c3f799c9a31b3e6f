// SPDX-License-Identifier: Apache-2.0
// rtl/lib/skid.sv, with words of four bits.
// config: tiny
// quick
`include "properties.svh"

module skid_formal (
  input logic       clk_i,
  input logic       in_valid,
  input logic [3:0] in_data,
  input logic       out_ready,
  input logic       watch       // the word that comes now is followed
);
  `RESET

  logic       in_ready, out_valid;
  logic [3:0] out_data;

  skid #(.WIDTH(4)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (in_valid),
    .in_ready_o  (in_ready),
    .in_data_i   (in_data),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready),
    .out_data_o  (out_data)
  );

  `include "follow.svh"

  // Offered input stays until it is taken.
  `GIVEN(g_stable, !held_q || (in_valid && in_data == held_data_q))

  // Every word leaves unchanged, in its turn.
  `PROVE(p_order, !in_q || before_q != 2'd0 || (out_valid && out_data == data_q))
  // Both outputs come from registers: what comes now shows in the next cycle at the earliest.
  `PROVE(p_cut, out_valid == (words_q != 2'd0) && in_ready == (words_q != 2'd2))
  // An offered word stays, unchanged, until it is taken.
  `PROVE(p_stable, !kept_q || (out_valid && out_data == kept_data_q))
  // All its storage is in use.
  `REACH(r_full, words_q == 2'd2 && in_q)
endmodule
