// SPDX-License-Identifier: Apache-2.0
// The control word of an instruction's fixed pipe (exec_pkg). It is made once, when the
// instruction reaches the operand stage, and travels with it in place of the instruction word.
// Latency: combinational.
// No handshake.
// It does not look at operands; an instruction without a fixed pipe gives a meaningless control.
`include "heddle_idle.svh"

module exec_decode (
  // from issue
  input  logic                       valid_i,
  input  isa_pkg::dec_t              dec_i,
  input  logic [127:0]               word_i,
  // to the operand stage
  output logic [exec_pkg::CTL_W-1:0] ctl_o
);

  exec_pkg::alu_ctl_t alu;
  exec_pkg::fma_ctl_t fma;
  exec_pkg::cvt_ctl_t cvt;

  logic en_fma, en_cvt, en_alu;

  // The control of others is not read.
  assign en_fma = `HEDDLE_LIVE(valid_i && dec_i.unit == isa_pkg::UNIT_FMA);
  assign en_cvt = `HEDDLE_LIVE(valid_i && dec_i.unit == isa_pkg::UNIT_CVT);
  assign en_alu = `HEDDLE_LIVE(valid_i && (dec_i.unit == isa_pkg::UNIT_ALU || kind_pkg::br_result(dec_i)));

  alu_decode u_alu (.en_i(en_alu), .dec_i(dec_i), .word_i(word_i), .ctl1_o(alu.one), .ctl2_o(alu.two));
  fma_decode u_fma (.en_i(en_fma), .dec_i(dec_i), .word_i(word_i), .ctl_o(fma));
  cvt_decode u_cvt (.en_i(en_cvt), .dec_i(dec_i), .word_i(word_i), .ctl_o(cvt));

  assign ctl_o[exec_pkg::FMA_AT-1:0]                        = alu;
  assign ctl_o[exec_pkg::FMA_AT +: exec_pkg::FMA_CTL_W]     = fma;
  assign ctl_o[exec_pkg::CVT_AT +: exec_pkg::CVT_CTL_W]     = cvt;

  if (cfg_pkg::HAS_HALF) begin : gen_half
    exec_pkg::half_ctl_t half;
    logic                en_half;
    assign en_half = `HEDDLE_LIVE(valid_i && dec_i.unit == isa_pkg::UNIT_HALF);
    half_decode u_half (.en_i(en_half), .dec_i(dec_i), .word_i(word_i), .ctl_o(half));
    assign ctl_o[exec_pkg::HALF_AT +: exec_pkg::HALF_CTL_W] = half;
  end

endmodule
