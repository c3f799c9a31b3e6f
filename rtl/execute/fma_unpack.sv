// SPDX-License-Identifier: Apache-2.0
// One FP32 operand taken apart: |x| first, then the sign change, then (FTZ) a subnormal becomes zero of its sign.
// A finite operand is mant_o * 2^(exp_o - 150), mant_o with its leading bit (clear for a subnormal, whose exp_o is 1).
// Latency: combinational.
// No handshake.
// It does not normalise subnormals; the adder's normaliser does.
`default_nettype none

module fma_unpack (
  input  logic [31:0] raw_i,
  input  logic        neg_i,
  input  logic        abs_i,
  input  logic        ftz_i,
  output logic        sign_o,
  output logic [7:0]  exp_o,
  output logic [23:0] mant_o,
  output logic        zero_o,
  output logic        inf_o,
  output logic        nan_o
);

  logic low, top, frac, flush;

  assign low    = raw_i[30:23] == '0;
  assign top    = raw_i[30:23] == '1;
  assign frac   = raw_i[22:0] != '0;
  assign flush  = low && ftz_i;
  assign sign_o = (raw_i[31] && !abs_i) ^ neg_i;
  assign exp_o  = low ? 8'd1 : raw_i[30:23];
  assign mant_o = {!low, flush ? 23'b0 : raw_i[22:0]};
  assign zero_o = low && (ftz_i || !frac);
  assign inf_o  = top && !frac;
  assign nan_o  = top && frac;

endmodule

`default_nettype wire
