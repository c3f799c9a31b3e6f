// SPDX-License-Identifier: Apache-2.0
// The special-function unit under test with its decoder; the structs of its ports apart, as far as the test sets or
// reads them (the others' fields are zero).
// Latency and throughput: the unit's; passes_o and ranks_o are the units of the test's header.
// Handshake: the unit's, on both sides.
module sfu_unit_tb (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // a beat
  input  logic                            op_valid_i,
  output logic                            op_ready_o,
  input  logic [127:0]                    op_word_i,
  input  logic [31:0]                     op_seq_i,
  input  logic [31:0]                     op_exec_i,
  input  logic [7:0]                      op_rd_i,
  input  logic [2:0]                      op_wbar_i,
  input  logic [15:0]                     op_rbase_i,
  input  logic [4:0]                      op_beat_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  // an answer
  output logic                            lr_valid_o,
  input  logic                            lr_ready_i,
  output logic [31:0]                     lr_seq_o,
  output logic                            lr_row_o,
  output logic                            lr_pred_o,
  output logic                            lr_last_o,
  output logic [4:0]                      lr_beat_o,
  output logic [1:0]                      lr_word_o,
  output logic [7:0]                      lr_rd_o,
  output logic [2:0]                      lr_wbar_o,
  output logic [15:0]                     lr_rbase_o,
  output logic [cfg_pkg::LANES-1:0]       lr_mask_o,
  output logic [cfg_pkg::LANES-1:0][31:0] lr_data_o,
  // sizes
  output logic [31:0]                     lanes_o,
  output logic [31:0]                     beats_o,
  output logic [31:0]                     passes_o,
  output logic [31:0]                     ranks_o
);

  assign lanes_o  = cfg_pkg::LANES;
  assign beats_o  = cfg_pkg::BEATS;
  assign passes_o = exec_pkg::SFU_PASSES;
  assign ranks_o  = exec_pkg::SFU_RANKS;

  isa_pkg::dec_t                  dec;
  logic [core_pkg::VAR_CTL_W-1:0] ctl;
  core_pkg::varop_t               op;
  core_pkg::result_t              lr;
  logic [core_pkg::MEM_SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] data;

  always_comb begin
    dec       = '0;
    dec.legal = 1'b1;
    dec.op    = isa_pkg::OP_MUFU;
    dec.unit  = isa_pkg::UNIT_SFU;
    op           = '0;
    op.id.seq    = op_seq_i;
    op.ctl       = ctl;
    op.exec      = op_exec_i;
    op.to.has_rd = op_rd_i != isa_pkg::RZ;
    op.to.rd     = op_rd_i;
    op.to.pd0    = 3'd7;
    op.to.pd1    = 3'd7;
    op.to.wbar   = op_wbar_i;
    op.rbase     = op_rbase_i;
    data      = {(core_pkg::MEM_SLOTS * cfg_pkg::LANES){32'h5eed_5eed}};   // nobody's operands
    data[2]   = op_b_i;
  end

  sfu_decode u_decode (.en_i(op_valid_i), .dec_i(dec), .word_i(op_word_i), .ctl_o(ctl));

  sfu_unit u_unit (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid_i),
    .op_ready_o (op_ready_o),
    .op_i       (op),
    .op_beat_i  (op_beat_i),
    .op_data_i  (data),
    .lr_valid_o (lr_valid_o),
    .lr_ready_i (lr_ready_i),
    .lr_o       (lr)
  );

  assign lr_seq_o   = lr.tag.id.seq;
  assign lr_row_o   = lr.tag.row;
  assign lr_pred_o  = lr.tag.pred;
  assign lr_last_o  = lr.tag.last;
  assign lr_beat_o  = lr.tag.beat;
  assign lr_word_o  = lr.tag.word;
  assign lr_rd_o    = lr.tag.to.rd;
  assign lr_wbar_o  = lr.tag.to.wbar;
  assign lr_rbase_o = lr.tag.rbase;
  assign lr_mask_o  = lr.mask;
  assign lr_data_o  = lr.data;

  logic unused;
  assign unused = ^lr;

endmodule
