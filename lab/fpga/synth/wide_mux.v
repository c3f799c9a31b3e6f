// SPDX-License-Identifier: Apache-2.0
// A choice among four or eight bits, as `muxcover` of Yosys names it, in the slices of an ECP5: LUTs that choose by one select
// bit, and the multiplexers of the slice (PFUMX, L6MUX21), which cost no LUT, behind them. Left to ABC9 such a choice takes a LUT
// for each two of its inputs and more: it does not see that the two LUTs before a PFUMX may look at different inputs.
// scripts/ecp5.sh maps it before LUTs are formed, and with it the ORs before the choices of rtl/lib/ecp5/choice.sv (`wide_or.v`), which
// opt_lut puts into the same LUTs; what it leaves become cells (`wide_lut.v`). The select bits are S, then T, then U.

module \$_MUX4_ (
  input  A, B, C, D, S, T,
  output Y
);
  wire even, odd;
  \$lut #(.WIDTH(4), .LUT(16'hCACA)) even_i (.A({1'b0, T, C, A}), .Y(even));
  \$lut #(.WIDTH(4), .LUT(16'hCACA)) odd_i  (.A({1'b0, T, D, B}), .Y(odd));
  PFUMX mux_i (.ALUT(odd), .BLUT(even), .C0(S), .Z(Y));
endmodule

module \$_MUX8_ (
  input  A, B, C, D, E, F, G, H, S, T, U,
  output Y
);
  wire low, high;
  \$_MUX4_ low_i  (.A(A), .B(B), .C(C), .D(D), .S(S), .T(T), .Y(low));
  \$_MUX4_ high_i (.A(E), .B(F), .C(G), .D(H), .S(S), .T(T), .Y(high));
  L6MUX21 mux_i (.D0(low), .D1(high), .SD(U), .Z(Y));
endmodule
