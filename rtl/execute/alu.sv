// SPDX-License-Identifier: Apache-2.0
// Integer, logic, compare, select and move pipe: LANES lanes of one warp, one beat a cycle.
// Latency: operands in cycle T, outputs registered in cycle T + LATENCY_ALU - 1 (two ranks).
// Handshake: none. op_valid_i marks a beat; whoever dispatches has reserved the write slot.
// It does not read registers, mask lanes, or know when a result is dropped. S2R is a move: its value stands in operand b.
// Outputs keep their value while no beat arrives.
`default_nettype none

module alu (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from operand
  input  logic                            op_valid_i,
  input  exec_pkg::alu_ctl_t              op_ctl_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps0_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps1_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps2_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd0_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd1_o
);

  localparam int unsigned RANKS = 2;
  if (cfg_pkg::LATENCY_ALU != RANKS + 1) begin : gen_check
    $error("alu: LATENCY_ALU of the configuration is not the depth of the pipe");
  end

  exec_pkg::alu_ctl2_t ctl2_q;
  logic                valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= op_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (op_valid_i) ctl2_q <= op_ctl_i.two;
  end

  alu_lanes u_lanes (
    .clk_i  (clk_i),
    .en1_i  (op_valid_i),
    .en2_i  (valid_q),
    .ctl1_i (op_ctl_i.one),
    .ctl2_i (ctl2_q),
    .a_i    (op_a_i),
    .b_i    (op_b_i),
    .c_i    (op_c_i),
    .ps0_i  (op_ps0_i),
    .ps1_i  (op_ps1_i),
    .ps2_i  (op_ps2_i),
    .lo_o   (ex_lo_o),
    .pd0_o  (ex_pd0_o),
    .pd1_o  (ex_pd1_o)
  );

endmodule

`default_nettype wire
