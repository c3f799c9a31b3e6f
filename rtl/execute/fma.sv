// SPDX-License-Identifier: Apache-2.0
// Multiply-add pipe, FP32 (FADD FMUL FFMA) and integer (IMAD IMAD.WIDE): LANES lanes of one warp, one beat a cycle.
// Latency: operands in cycle T, outputs registered in cycle T + LATENCY_FMA - 1 (five ranks), subnormals included.
// Handshake: none. op_valid_i marks a beat; whoever dispatches has reserved the write slots (two for IMAD.WIDE).
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// ex_hi_o means something for IMAD.WIDE only. Outputs keep their value while no beat arrives.
`default_nettype none
`include "heddle_assert.svh"

module fma (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      fault_i,
  // from operand
  input  logic                            op_valid_i,
  input  isa_pkg::dec_t                   op_dec_i,
  input  logic [127:0]                    op_word_i,
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

  // ---- What the lanes do -----------------------------------------------------------------------
  exec_pkg::fma_ctl_t ctl;
  always_comb begin
    ctl       = '0;
    ctl.add   = op_dec_i.op == isa_pkg::OP_FADD;
    ctl.mul   = op_dec_i.op == isa_pkg::OP_FMUL;
    ctl.wide  = op_dec_i.op == isa_pkg::OP_IMAD_WIDE;
    ctl.fp    = ctl.add || ctl.mul || op_dec_i.op == isa_pkg::OP_FFMA;
    ctl.uns   = isa_pkg::f_sign(op_word_i) == isa_pkg::SIGN_U32;
    ctl.neg_a = op_dec_i.a_neg;
    ctl.neg_b = op_dec_i.b_neg;
    ctl.neg_c = op_dec_i.c_neg;
    ctl.abs_a = op_dec_i.a_abs;
    ctl.abs_b = op_dec_i.b_abs;
    ctl.ftz   = isa_pkg::f_ftz(op_word_i) == isa_pkg::FTZ_FTZ;
    ctl.round.rnd = isa_pkg::f_rnd(op_word_i);
    ctl.round.ftz = ctl.ftz;
    ctl.round.sat = isa_pkg::f_sat(op_word_i) == isa_pkg::SAT_SAT;
    if (fault_i == core_pkg::FAULT_FTZ_IGNORED) ctl.ftz = 1'b0;
    if (fault_i == core_pkg::FAULT_FMA_ROUND) ctl.round.ties_away = 1'b1;
  end

  // ---- Ranks of control ------------------------------------------------------------------------
  exec_pkg::fma_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;
  exec_pkg::fma_ctl_t [RANKS-2:0] ctl_q;
  logic               [RANKS-2:0] valid_q;

  assign stage_ctl = {ctl_q, ctl};
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

  // Only instructions of this unit arrive.
  `ASSERT(a_unit, !op_valid_i || (op_dec_i.legal && op_dec_i.unit == isa_pkg::UNIT_FMA))

  // Registers, control codes and the like are for others.
  logic unused;
  assign unused = ^{op_dec_i, op_word_i};

endmodule

`default_nettype wire
