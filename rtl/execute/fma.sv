// SPDX-License-Identifier: Apache-2.0
// Multiply-add pipe, FP32 (FADD FMUL FFMA) and integer (IMAD IMAD.WIDE IMAD.HI IDP4A): LANES lanes of one warp, one beat a cycle.
// Latency: operands in cycle T, outputs registered in cycle T + LATENCY_FMA - 1 (five ranks), subnormals included.
// Handshake: none. op_valid_i marks a beat; whoever dispatches has reserved the write slots (two for IMAD.WIDE).
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// ex_hi_o means something for IMAD.WIDE only. Outputs keep their value while no beat arrives.
`default_nettype none

module fma (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from operand
  input  logic                            op_valid_i,
  input  exec_pkg::fma_ctl_t              op_ctl_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_hi_i,   // second word of c (IMAD.WIDE)
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o,
  output logic [cfg_pkg::LANES-1:0][31:0] ex_hi_o
);

  localparam int unsigned RANKS = 5;
  if (cfg_pkg::LATENCY_FMA != RANKS + 1) begin : gen_check
    $error("fma: LATENCY_FMA of the configuration is not the depth of the pipe");
  end

  exec_pkg::fma_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;

  ctl_ranks #(.WIDTH($bits(exec_pkg::fma_ctl_t)), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid_i),
    .op_ctl_i   (op_ctl_i),
    .en_o       (stage_en),
    .ctl_o      (stage_ctl)
  );

  fma_lanes u_lanes (
    .clk_i  (clk_i),
    .en_i   (stage_en),
    .ctl_i  (stage_ctl),
    .a_i    (op_a_i),
    .b_i    (op_b_i),
    .c_i    (op_c_i),
    .c_hi_i (op_c_hi_i),
    .lo_o   (ex_lo_o),
    .hi_o   (ex_hi_o)
  );

endmodule

`default_nettype wire
