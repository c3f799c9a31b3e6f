// SPDX-License-Identifier: Apache-2.0
// Conversion pipe (I2F, F2I): LANES lanes of one warp, one beat a cycle.
// Latency: operand in cycle T, output registered in cycle T + LATENCY_CVT - 1 (three ranks).
// Handshake: none. op_valid_i marks a beat; whoever dispatches has reserved the write slot.
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// Outputs keep their value while no beat arrives.
`default_nettype none
`include "heddle_assert.svh"

module cvt (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      fault_i,
  // from operand
  input  logic                            op_valid_i,
  input  isa_pkg::dec_t                   op_dec_i,
  input  logic [127:0]                    op_word_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o
);

  localparam int unsigned RANKS = 3;
  if (cfg_pkg::LATENCY_CVT != RANKS + 1) begin : gen_check
    $error("cvt: LATENCY_CVT of the configuration is not the depth of the pipe");
  end

  // ---- What the lanes do -----------------------------------------------------------------------
  exec_pkg::cvt_ctl_t ctl;
  logic [1:0]         direction;

  // Rounding to an integer has the directions of rounding to a number.
  always_comb begin
    case (isa_pkg::f_irnd(op_word_i))
      isa_pkg::IRND_FLOOR: direction = isa_pkg::RND_RM;
      isa_pkg::IRND_CEIL:  direction = isa_pkg::RND_RP;
      isa_pkg::IRND_TRUNC: direction = isa_pkg::RND_RZ;
      default:             direction = isa_pkg::RND_RN;
    endcase
  end

  always_comb begin
    ctl        = '0;
    ctl.to_int = op_dec_i.op == isa_pkg::OP_F2I;
    ctl.neg    = op_dec_i.b_neg;
    ctl.abs    = op_dec_i.b_abs;
    if (ctl.to_int) begin
      ctl.uns = isa_pkg::f_dint(op_word_i) == isa_pkg::ITYPE_U32;
      ctl.ftz = isa_pkg::f_ftz(op_word_i) == isa_pkg::FTZ_FTZ;
      ctl.rnd = direction;
    end else begin
      ctl.uns = isa_pkg::f_isrc(op_word_i) == isa_pkg::ITYPE_U32;
      ctl.rnd = isa_pkg::f_rnd(op_word_i);
    end
    if (fault_i == core_pkg::FAULT_CVT_SAT) ctl.wrap = 1'b1;
  end

  // ---- Ranks of control ------------------------------------------------------------------------
  exec_pkg::cvt_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;
  exec_pkg::cvt_ctl_t [RANKS-2:0] ctl_q;
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

  cvt_lanes u_lanes (
    .clk_i (clk_i),
    .en_i  (stage_en),
    .ctl_i (stage_ctl),
    .b_i   (op_b_i),
    .lo_o  (ex_lo_o)
  );

  // Only instructions of this unit arrive.
  `ASSERT(a_unit, !op_valid_i || (op_dec_i.legal && op_dec_i.unit == isa_pkg::UNIT_CVT))

  // Registers, control codes and the like are for others.
  logic unused;
  assign unused = ^{op_dec_i, op_word_i};

endmodule

`default_nettype wire
