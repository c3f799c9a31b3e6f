// SPDX-License-Identifier: Apache-2.0
// Yosys' cell for sums, which it cannot write as Verilog, as a sum: products of more than 18 bits are added up of several.
module \$alu (A, B, CI, BI, X, Y, CO);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  input CI, BI;
  output [Y_WIDTH-1:0] X, Y, CO;
  wire signed [A_WIDTH:0] a = {A_SIGNED ? A[A_WIDTH-1] : 1'b0, A};
  wire signed [B_WIDTH:0] b = {B_SIGNED ? B[B_WIDTH-1] : 1'b0, B};
  wire signed [Y_WIDTH-1:0] whole_a = a, whole_b = b;
  assign Y = whole_a + (whole_b ^ {Y_WIDTH{BI}}) + CI;
endmodule
