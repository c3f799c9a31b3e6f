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

  // ---- Ranks of control ------------------------------------------------------------------------
  exec_pkg::fma_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;
  exec_pkg::fma_ctl_t [RANKS-2:0] ctl_q;
  logic               [RANKS-2:0] valid_q;

  assign stage_ctl = {ctl_q, op_ctl_i};
  assign stage_en  = {valid_q, op_valid_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= stage_en[RANKS-2:0];
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < RANKS - 1; k++) begin
      if (stage_en[k]) ctl_q[k] <= stage_ctl[k];
    end
  end

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
