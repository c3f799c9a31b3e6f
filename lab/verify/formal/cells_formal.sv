// SPDX-License-Identifier: Apache-2.0
// rtl/lib: arb_fixed, lowest_one, onehot_index, onehot_mux, six wide: a size that is no power of two.
// config: tiny
// quick
`include "properties.svh"

module cells_formal (
  input logic            clk_i,
  input logic [5:0]      in,
  input logic [5:0][3:0] data
);
  `RESET

  logic [5:0] onehot, grant;
  logic [2:0] index;
  logic       any;
  logic [3:0] word;

  lowest_one #(.N(6)) u_dut (
    .in_i     (in),
    .onehot_o (onehot),
    .index_o  (index),
    .any_o    (any)
  );
  arb_fixed #(.N(6)) u_arb (
    .req_i   (in),
    .grant_o (grant)
  );
  onehot_mux #(.WIDTH(4), .N(6)) u_mux (
    .sel_i  (onehot),
    .data_i (data),
    .data_o (word)
  );

  // Said otherwise: from the top down, the last one seen.
  logic [2:0] lowest;
  always_comb begin
    lowest = 3'd0;
    for (int i = 5; i >= 0; i--) begin
      if (in[i]) lowest = 3'(i);
    end
  end

  // The bit that is set is the lowest one of those given, and there is none without any.
  `PROVE(p_onehot, onehot == ((in == '0) ? 6'd0 : 6'd1 << lowest) && any == (in != '0))
  // The number is that of the bit.
  `PROVE(p_index, index == lowest)
  // Requester 0 goes first.
  `PROVE(p_fixed, grant == ((in == '0) ? 6'd0 : 6'd1 << lowest))
  // The word selected is that of the bit; none selected, none given.
  `PROVE(p_mux, word == ((in == '0) ? 4'd0 : data[lowest]))
  // The last place can win.
  `REACH(r_last, onehot[5])
endmodule
