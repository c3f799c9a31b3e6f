// SPDX-License-Identifier: Apache-2.0
// FP16 pipe (HADD2 HMUL2 HFMA2 HMNMX2 HSET2 HSETP2): LANES lanes of one warp, two numbers each, one beat a cycle.
// Latency: operands in cycle T, words registered in cycle T + LATENCY_HALF - 1 (four ranks, subnormals included), predicates in
// T + LATENCY_ALU - 1 (two ranks), so that those of both pipes never meet at their port.
// Handshake: none. op_valid_i marks a beat; whoever dispatches has reserved the write slot.
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// Outputs keep their value while no beat arrives.
module half (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from operand
  input  logic                            op_valid_i,
  input  exec_pkg::half_ctl_t             op_ctl_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps0_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd0_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd1_o
);

  localparam int unsigned RANKS = 4, PRED_RANKS = 2;
  if (cfg_pkg::HAS_HALF && (cfg_pkg::LATENCY_HALF != RANKS + 1 || cfg_pkg::LATENCY_ALU != PRED_RANKS + 1)) begin : gen_check
    $error("half: LATENCY_HALF or LATENCY_ALU of the configuration is not the depth of the pipe");
  end

  exec_pkg::half_ctl_t [RANKS-1:0] stage_ctl;
  logic                [RANKS-1:0] stage_en;

  ctl_ranks #(.WIDTH($bits(exec_pkg::half_ctl_t)), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid_i),
    .op_ctl_i   (op_ctl_i),
    .en_o       (stage_en),
    .ctl_o      (stage_ctl)
  );

  half_lanes u_lanes (
    .clk_i (clk_i),
    .en_i  (stage_en),
    .ctl_i (stage_ctl),
    .a_i   (op_a_i),
    .b_i   (op_b_i),
    .c_i   (op_c_i),
    .ps0_i (op_ps0_i),
    .lo_o  (ex_lo_o),
    .pd0_o (ex_pd0_o),
    .pd1_o (ex_pd1_o)
  );

endmodule
