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
