// SPDX-License-Identifier: Apache-2.0
// Parts of the FMA lanes, as functions: what a stage computes stands inside the clocked process that registers it, under
// the stage's enable, so that an idle lane costs a simulator nothing.
// Latency and handshake: none, types and functions only.
// It does not hold state, and knows no instruction.
`default_nettype none

package fma_pkg;

  // One FP32 operand taken apart: |x| first, then the sign change, then (FTZ) a subnormal becomes zero of its sign. A finite
  // operand is mant * 2^(exp - 150), mant with its leading bit (clear for a subnormal, whose exp is 1).
  typedef struct packed {
    logic        sign, zero, inf, nan;
    logic [7:0]  exp;
    logic [23:0] mant;
  } number_t;

  function automatic number_t unpack(logic [31:0] raw, logic neg, logic abs, logic ftz);
    logic low, top, frac;
    low  = raw[30:23] == '0;
    top  = raw[30:23] == '1;
    frac = raw[22:0] != '0;
    unpack.sign = (raw[31] && !abs) ^ neg;
    unpack.zero = low && (ftz || !frac);
    unpack.inf  = top && !frac;
    unpack.nan  = top && frac;
    unpack.exp  = low ? 8'd1 : raw[30:23];
    unpack.mant = {!low, (low && ftz) ? 23'b0 : raw[22:0]};
  endfunction

  // Exponents of a*b + c: how far c is shifted right against the product, and the exponent of the window's top bit.
  // The window has 76 bits. The product's 48 stand at 49:2. The 24 of c stand at 75:52, shifted right by `shift` (0 to 76).
  // A bit at 75 has the biased exponent top + 1. Where c lies further up (or the product is zero), c stays at the top and
  // the product, far below c's last bit, only has to be seen there: it is left in place, and the exponent is c's.
  typedef struct packed {
    logic [6:0] shift;
    logic [8:0] top;
  } place_t;

  function automatic place_t place(logic [7:0] exp_a, logic [7:0] exp_b, logic [7:0] exp_c, logic zero_p);
    // Weight of the product's bit 0: exp_a + exp_b - 300; of c's: exp_c - 150. Unshifted, c's bit 0 stands 50 above it.
    logic signed [10:0] top_p, shift;
    top_p = 11'(exp_a) + 11'(exp_b) - 11'sd101;
    shift = top_p - 11'(exp_c) + 11'sd1;
    if (zero_p || shift < 0) begin
      place.shift = 7'd0;
      place.top   = 9'(exp_c) - 9'd1;
    end else begin
      place.shift = (shift > 76) ? 7'd76 : shift[6:0];
      place.top   = top_p[8:0];
    end
  endfunction

  // c in its place: window and, for what falls out at the bottom, a sticky bit.
  function automatic logic [76:0] align(logic [23:0] mant, logic [6:0] shift);
    logic [99:0] shifted;
    shifted = {mant, 76'b0} >> shift;
    align   = {shifted[99:24], shifted[23:0] != '0};
  endfunction

  // Leading zeros of the window and its sticky bit; bit 7: there is nothing but zeros.
  function automatic logic [7:0] zeros(logic [76:0] sum);
    logic        z64;
    logic [63:0] w64;
    logic [31:0] w32;
    logic [15:0] w16;
    logic [7:0]  w8;
    logic [3:0]  w4;
    logic [1:0]  w2;
    logic        z32, z16, z8, z4, z2;
    z64   = sum[76:13] == '0;
    w64   = z64 ? {sum[12:0], 51'b0} : sum[76:13];
    z32   = w64[63:32] == '0;
    w32   = z32 ? w64[31:0] : w64[63:32];
    z16   = w32[31:16] == '0;
    w16   = z16 ? w32[15:0] : w32[31:16];
    z8    = w16[15:8] == '0;
    w8    = z8 ? w16[7:0] : w16[15:8];
    z4    = w8[7:4] == '0;
    w4    = z4 ? w8[3:0] : w8[7:4];
    z2    = w4[3:2] == '0;
    w2    = z2 ? w4[1:0] : w4[3:2];
    zeros = {w2 == '0, z64, z32, z16, z8, z4, z2, !w2[1]};
  endfunction

  // Last stage of FP32: fine shift, rounding in four directions, overflow, FTZ and SAT of the result, special results. `exp`
  // is the biased exponent less one, signed, and negative only with FTZ.
  function automatic logic [31:0] round(exec_pkg::round_ctl_t ctl, logic [39:0] head, logic low, logic [3:0] by,
                                        logic signed [9:0] exp_in, logic zero, logic sign, logic nan, logic inf);
    logic [39:0]       fine;
    logic signed [9:0] exp;
    logic [22:0]       frac;
    logic              up, to_max;
    logic [30:0]       magnitude;
    fine = head << by;
    up   = exec_pkg::round_up(ctl.rnd, sign, fine[16] || ctl.ties_away, fine[15], fine[14:0] != '0 || low);
    // The leading bit adds one to the exponent, and so does a carry out of the fraction: one addition for both.
    {exp, frac} = {zero ? 10'd0 : exp_in, 23'b0} + {9'b0, fine[39:16]} + 33'(up);
    to_max = ctl.rnd == isa_pkg::RND_RZ || (ctl.rnd == isa_pkg::RND_RM && !sign) || (ctl.rnd == isa_pkg::RND_RP && sign);
    if (inf)                       magnitude = 31'h7f80_0000;
    else if (ctl.ftz && exp <= 0)  magnitude = 31'd0;
    else if (exp >= 255)           magnitude = to_max ? 31'h7f7f_ffff : 31'h7f80_0000;
    else                           magnitude = {exp[7:0], frac};
    if (nan)                                          round = ctl.sat ? 32'h0000_0000 : 32'h7fff_ffff;
    else if (ctl.sat && sign)                         round = 32'h0000_0000;
    else if (ctl.sat && magnitude[30:23] >= 8'd127)   round = 32'h3f80_0000;
    else                                              round = {sign, magnitude};
  endfunction

endpackage

`default_nettype wire
