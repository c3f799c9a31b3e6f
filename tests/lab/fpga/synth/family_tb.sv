// SPDX-License-Identifier: Apache-2.0
// The subject of test_family.sh: its text, the netlist, and a wrong netlist, with the same inputs.
module family_tb (
  input  logic         clk_i,
  input  logic [127:0] r_i,
  output logic         same_o,
  output logic         wrong_o
);
  logic [255:0] text, right, wrong;
  subject       u_text (.clk_i(clk_i), .r(r_i), .y(text));
  right_subject u_right (.clk_i(clk_i), .r(r_i), .y(right));
  wrong_subject u_wrong (.clk_i(clk_i), .r(r_i), .y(wrong));
  assign same_o  = text == right;
  assign wrong_o = text != wrong;
endmodule
