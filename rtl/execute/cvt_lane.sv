// SPDX-License-Identifier: Apache-2.0
// One lane of the conversion pipe: I2F and F2I side by side, the result registered.
// Latency: three cycles from operand to output. One operation a cycle.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It does not know instructions (see cvt.sv) and does not mask lanes.
`default_nettype none

module cvt_lane (
  input  logic                     clk_i,
  // from cvt
  input  logic [2:0]               en_i,
  input  exec_pkg::cvt_ctl_t [2:0] ctl_i,   // ctl_i[k]: of the operation in stage k+1
  // operand
  input  logic [31:0]              b_i,
  // result
  output logic [31:0]              lo_o
);

  logic [31:0] from_int, to_int;

  cvt_i2f u_i2f (
    .clk_i(clk_i), .en1_i(en_i[0]), .en2_i(en_i[1]), .ctl1_i(ctl_i[0]), .ctl3_i(ctl_i[2]), .b_i(b_i), .result_o(from_int));
  cvt_f2i u_f2i (
    .clk_i(clk_i), .en1_i(en_i[0]), .en2_i(en_i[1]), .ctl1_i(ctl_i[0]), .ctl3_i(ctl_i[2]), .b_i(b_i), .result_o(to_int));

  always_ff @(posedge clk_i) begin
    if (en_i[2]) lo_o <= ctl_i[2].to_int ? to_int : from_int;
  end

  // Nothing is decided in stage 2.
  logic unused;
  assign unused = ^ctl_i[1];

endmodule

`default_nettype wire
