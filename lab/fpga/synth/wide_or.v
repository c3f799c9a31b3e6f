// SPDX-License-Identifier: Apache-2.0
// An OR as a LUT with two inputs free, for opt_lut to put into the LUT that it leads to (`wide_mux.v`).

module \$_OR_ (
  input  A, B,
  output Y
);
  \$lut #(.WIDTH(4), .LUT(16'hEEEE)) lut_i (.A({2'b00, B, A}), .Y(Y));
endmodule
