// SPDX-License-Identifier: Apache-2.0
// Exponents of a*b + c: how far c is shifted right against the product, and the exponent of the window's top bit.
// The window has 76 bits. The product's 48 stand at 49:2. The 24 of c stand at 75:52, shifted right by `shift_o` (0 to 76).
// A bit at 75 has the biased exponent top_o + 1. Where c lies further up (or the product is zero), c stays at the top and the
// product, far below c's last bit, only has to be seen there: it is left in place, and the exponent is c's.
// Latency: combinational. No handshake. It does not look at significands, except that a zero product is told to it.
`default_nettype none

module fma_exponent (
  input  logic [7:0] exp_a_i,   // 1 to 254, see fma_unpack
  input  logic [7:0] exp_b_i,
  input  logic [7:0] exp_c_i,
  input  logic       zero_p_i,
  output logic [6:0] shift_o,
  output logic [8:0] top_o
);

  // Weight of the product's bit 0: exp_a + exp_b - 300; of c's: exp_c - 150. Unshifted, c's bit 0 stands 50 above the product's.
  logic signed [10:0] top_p, shift;
  assign top_p = 11'(exp_a_i) + 11'(exp_b_i) - 11'sd101;
  assign shift = top_p - 11'(exp_c_i) + 11'sd1;

  logic c_leads;
  assign c_leads = zero_p_i || shift < 0;

  always_comb begin
    if (c_leads)          shift_o = 7'd0;
    else if (shift > 76)  shift_o = 7'd76;
    else                  shift_o = shift[6:0];
  end

  assign top_o = c_leads ? 9'(exp_c_i) - 9'd1 : top_p[8:0];

endmodule

`default_nettype wire
