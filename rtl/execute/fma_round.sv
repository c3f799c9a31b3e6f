// SPDX-License-Identifier: Apache-2.0
// Last stage of FP32: fine shift, rounding in four directions, overflow, FTZ and SAT of the result, special results.
// Latency: combinational.
// No handshake.
// It does not compute signs of zeros or special cases: they come with the operation.
`default_nettype none

module fma_round (
  input  exec_pkg::round_ctl_t ctl_i,
  // from fma_norm
  input  logic [39:0]          head_i,
  input  logic                 sticky_i,
  input  logic [3:0]           fine_i,
  input  logic [9:0]           exp_i,     // biased exponent less one, signed; negative only with FTZ
  input  logic                 zero_i,
  // of the operation
  input  logic                 sign_i,
  input  logic                 nan_i,
  input  logic                 inf_i,
  // result
  output logic [31:0]          result_o
);

  logic [39:0] fine;
  logic [23:0] mant;
  logic        guard, sticky, up;

  assign fine   = head_i << fine_i;
  assign mant   = fine[39:16];
  assign guard  = fine[15];
  assign sticky = fine[14:0] != '0 || sticky_i;
  assign up     = exec_pkg::round_up(ctl_i.rnd, sign_i, mant[0] || ctl_i.ties_away, guard, sticky);

  // The leading bit adds one to the exponent, and so does a carry out of the fraction: one addition for both.
  logic signed [9:0] exp;
  logic [22:0]       frac;
  assign {exp, frac} = {zero_i ? 10'd0 : exp_i, 23'b0} + {9'b0, mant} + 33'(up);

  logic overflow, tiny, to_max;
  assign overflow = exp >= 255;
  assign tiny     = exp <= 0;
  assign to_max   = ctl_i.rnd == isa_pkg::RND_RZ || (ctl_i.rnd == isa_pkg::RND_RM && !sign_i) ||
                    (ctl_i.rnd == isa_pkg::RND_RP && sign_i);

  logic [30:0] rounded, magnitude;
  assign rounded = overflow ? (to_max ? 31'h7f7f_ffff : 31'h7f80_0000) : {exp[7:0], frac};

  always_comb begin
    if (inf_i)                  magnitude = 31'h7f80_0000;
    else if (ctl_i.ftz && tiny) magnitude = 31'd0;
    else                        magnitude = rounded;
  end

  always_comb begin
    if (nan_i)                                          result_o = ctl_i.sat ? 32'h0000_0000 : 32'h7fff_ffff;
    else if (ctl_i.sat && sign_i)                       result_o = 32'h0000_0000;
    else if (ctl_i.sat && magnitude[30:23] >= 8'd127)   result_o = 32'h3f80_0000;
    else                                                result_o = {sign_i, magnitude};
  end

endmodule

`default_nettype wire
