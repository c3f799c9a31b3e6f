// SPDX-License-Identifier: Apache-2.0
// A LUT of `wide_mux.v` as a cell, which ABC9 leaves as it is.

module \$lut (
  input  [3:0] A,
  output       Y
);
  parameter WIDTH = 4;
  parameter [15:0] LUT = 0;
  LUT4 #(.INIT(LUT)) lut_i (.A(A[0]), .B(A[1]), .C(A[2]), .D(A[3]), .Z(Y));
endmodule

// opt_lut takes away a LUT that always says the same. A slice's multiplexer stands behind two LUTs all the same, or place and
// route refuses it.
module PFUMX (
  input  ALUT, BLUT, C0,
  output Z
);
  parameter _TECHMAP_CONSTMSK_ALUT_ = 1'b0;
  parameter _TECHMAP_CONSTVAL_ALUT_ = 1'bx;
  parameter _TECHMAP_CONSTMSK_BLUT_ = 1'b0;
  parameter _TECHMAP_CONSTVAL_BLUT_ = 1'bx;
  wire _TECHMAP_FAIL_ = !_TECHMAP_CONSTMSK_ALUT_ && !_TECHMAP_CONSTMSK_BLUT_;
  wire a, b;
  generate
    if (_TECHMAP_CONSTMSK_ALUT_) LUT4 #(.INIT({16{_TECHMAP_CONSTVAL_ALUT_ === 1'b1}})) a_i (.A(1'b0), .B(1'b0), .C(1'b0), .D(1'b0), .Z(a));
    else assign a = ALUT;
    if (_TECHMAP_CONSTMSK_BLUT_) LUT4 #(.INIT({16{_TECHMAP_CONSTVAL_BLUT_ === 1'b1}})) b_i (.A(1'b0), .B(1'b0), .C(1'b0), .D(1'b0), .Z(b));
    else assign b = BLUT;
  endgenerate
  PFUMX mux_i (.ALUT(a), .BLUT(b), .C0(C0), .Z(Z));
endmodule
