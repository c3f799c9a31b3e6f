// SPDX-License-Identifier: Apache-2.0
// First stage of the three-input adder (IADD3, IADD3.X): three numbers become two, whose sum is formed a stage later.
// x_o + y_o + cin_o = a' + b' + c' exactly (34 bits), where a minus makes 2^32 - x of x (2^32 of 0), ~ the complement.
// Latency: combinational; two carry adders side by side (a' + c', and b' with its share of the carries in).
// No handshake.
// It does not form the sum: that adder is shared with LEA and the comparisons.
`default_nettype none

module alu_add3 (
  // from alu
  input  logic        ext_i,     // ~ instead of -, and the predicates carry in
  input  logic        neg_a_i,
  input  logic        neg_b_i,
  input  logic        neg_c_i,
  // operands
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        ps0_i,
  input  logic        ps1_i,
  // to the carry adder
  output logic [33:0] x_o,
  output logic [33:0] y_o,
  output logic        cin_o
);

  // Complements for minus bring a carry in each; three adders take three of them.
  logic [32:0] a, b, c;
  assign a = {1'b0, a_i ^ {32{neg_a_i}}};
  assign b = {1'b0, b_i ^ {32{neg_b_i}}};
  assign c = {1'b0, c_i ^ {32{neg_c_i}}};

  logic        cin_ac, cin_b;
  logic [32:0] ac, b_carry;
  assign cin_ac  = ext_i ? ps0_i : neg_a_i;
  assign cin_b   = !ext_i && neg_c_i;
  assign ac      = a + c + 33'(cin_ac);
  assign b_carry = b + 33'(cin_b);

  assign x_o   = {1'b0, ac};
  assign y_o   = {1'b0, b_carry};
  assign cin_o = ext_i ? ps1_i : neg_b_i;

endmodule

`default_nettype wire
