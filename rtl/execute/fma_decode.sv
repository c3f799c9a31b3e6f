// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the FMA lanes.
// Latency: combinational.
// No handshake.
// It does not look at operands, and instructions of other units give a meaningless control.
`default_nettype none

module fma_decode (
  input  logic [7:0]         fault_i,
  // from issue
  input  isa_pkg::dec_t      dec_i,
  input  logic [127:0]       word_i,
  // to the lanes
  output exec_pkg::fma_ctl_t ctl_o
);

  always_comb begin
    ctl_o       = '0;
    ctl_o.add   = dec_i.op == isa_pkg::OP_FADD;
    ctl_o.mul   = dec_i.op == isa_pkg::OP_FMUL;
    ctl_o.wide  = dec_i.op == isa_pkg::OP_IMAD_WIDE;
    ctl_o.fp    = ctl_o.add || ctl_o.mul || dec_i.op == isa_pkg::OP_FFMA;
    ctl_o.uns   = isa_pkg::f_sign(word_i) == isa_pkg::SIGN_U32;
    ctl_o.neg_a = dec_i.a_neg;
    ctl_o.neg_b = dec_i.b_neg;
    ctl_o.neg_c = dec_i.c_neg;
    ctl_o.abs_a = dec_i.a_abs;
    ctl_o.abs_b = dec_i.b_abs;
    ctl_o.ftz   = isa_pkg::f_ftz(word_i) == isa_pkg::FTZ_FTZ;
    ctl_o.round.rnd = isa_pkg::f_rnd(word_i);
    ctl_o.round.ftz = ctl_o.ftz;
    ctl_o.round.sat = isa_pkg::f_sat(word_i) == isa_pkg::SAT_SAT;
    if (fault_i == core_pkg::FAULT_FTZ_IGNORED) ctl_o.ftz = 1'b0;
    if (fault_i == core_pkg::FAULT_FMA_ROUND) ctl_o.round.ties_away = 1'b1;
  end

  // Registers, control codes and the like are for others.
  logic unused;
  assign unused = ^{dec_i, word_i};

endmodule

`default_nettype wire
