// SPDX-License-Identifier: Apache-2.0
// Coarse normalisation of the sum: leading zeros counted, left shift by the multiples of 16, the rest left to fma_round.
// The shift stops where the exponent would fall below that of subnormals: the result then is subnormal (or zero). With FTZ it
// does not stop: the exponent has no lower bound, and fma_round flushes what is too small.
// Latency: combinational.
// No handshake.
// It does not round. exp_o is the biased exponent less one of the shifted leading bit, signed.
`default_nettype none

module fma_norm (
  input  logic        ftz_i,
  input  logic [76:0] sum_i,     // window, sticky
  input  logic [8:0]  top_i,     // biased exponent less one of the window's top bit
  output logic [39:0] head_o,    // upper bits after the coarse shift
  output logic        sticky_o,  // a lower bit is set
  output logic [3:0]  fine_o,    // left shift still to be done
  output logic [9:0]  exp_o,
  output logic        zero_o
);

  logic [6:0]        zeros, shift;
  logic signed [9:0] exp;
  logic              stop;

  lzc #(.WIDTH(77)) u_lzc (.in_i(sum_i), .count_o(zeros), .zero_o(zero_o));

  assign exp   = $signed({1'b0, top_i}) - $signed({3'b000, zeros});
  assign stop  = exp < 0 && !ftz_i;
  assign shift = stop ? top_i[6:0] : zeros;
  assign exp_o = stop ? 10'd0 : exp;

  logic [76:0] coarse;
  assign coarse   = sum_i << {shift[6:4], 4'b0000};
  assign head_o   = coarse[76:37];
  assign sticky_o = coarse[36:0] != '0;
  assign fine_o   = shift[3:0];

endmodule

`default_nettype wire
