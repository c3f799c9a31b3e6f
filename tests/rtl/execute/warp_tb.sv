// SPDX-License-Identifier: Apache-2.0
// The unit of warp-wide instructions under test, behind its decoder. The bench names the operation; mode fields come in the
// instruction word.
// Latency: the unit's own; lanes_o is the configuration's.
// Handshake: valid/ready, like the unit.
// It does not decode the rest of the encoding: operands are given as the operand stage would.
module warp_tb (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // an instruction, beat by beat
  input  logic                            op_valid_i,
  output logic                            op_ready_o,
  input  logic [7:0]                      op_op_i,
  input  logic [127:0]                    op_word_i,
  input  logic [31:0]                     op_seq_i,
  input  logic [31:0]                     op_exec_i,
  input  logic [31:0]                     op_ps0_i,
  input  logic [7:0]                      op_rd_i,
  input  logic [2:0]                      op_pd0_i,
  input  logic [2:0]                      op_wbar_i,
  input  logic [15:0]                     op_rbase_i,
  input  logic [4:0]                      op_beat_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_hi_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_i,
  // a late result
  output logic                            lr_valid_o,
  input  logic                            lr_ready_i,
  output logic [31:0]                     lr_seq_o,
  output logic                            lr_row_o,
  output logic                            lr_pred_o,
  output logic                            lr_last_o,
  output logic [4:0]                      lr_beat_o,
  output logic [1:0]                      lr_word_o,
  output logic [7:0]                      lr_rd_o,
  output logic [1:0]                      lr_rd_n_o,
  output logic [2:0]                      lr_pd0_o,
  output logic [2:0]                      lr_pd1_o,
  output logic [2:0]                      lr_wbar_o,
  output logic [15:0]                     lr_rbase_o,
  output logic [cfg_pkg::LANES-1:0]       lr_mask_o,
  output logic [cfg_pkg::LANES-1:0]       lr_d0_o,
  output logic [cfg_pkg::LANES-1:0][31:0] lr_data_o,
  output logic                            lr_uni_o,
  output logic                            uniform_o,    // the machine has uniform registers
  output logic [31:0]                     lanes_o
);

  isa_pkg::dec_t     dec;
  core_pkg::varop_t  op;
  core_pkg::result_t lr;
  logic [core_pkg::MEM_SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] data;

  always_comb begin
    dec       = '0;
    dec.legal = 1'b1;
    dec.op    = isa_pkg::op_e'(op_op_i);
    dec.unit  = isa_pkg::UNIT_WARP;
  end

  logic [core_pkg::VAR_CTL_W-1:0] ctl;
  warp_decode u_decode (.en_i(op_valid_i), .dec_i(dec), .word_i(op_word_i), .ctl_o(ctl));

  always_comb begin
    op           = '0;
    op.id.seq    = op_seq_i;
    op.ctl       = ctl;
    op.exec      = op_exec_i;
    op.ps0       = op_ps0_i;
    op.to.uni    = dec.op == isa_pkg::OP_REDUX || dec.op == isa_pkg::OP_R2UR || dec.op == isa_pkg::OP_VOTEU;
    op.to.has_rd = op_rd_i != isa_pkg::RZ;
    op.to.rd     = op_rd_i;
    op.to.pd0    = op_pd0_i;
    op.to.pd1    = isa_pkg::PT;
    op.to.wbar   = op_wbar_i;
    op.rbase     = op_rbase_i;
    // Slots 3 and 5 are nobody's.
    data      = {~op_c_i, op_c_i, ~op_b_i, op_b_i, op_a_hi_i, op_a_i};
  end

  warp_unit u_unit (
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
  assign lr_rd_n_o  = lr.tag.to.rd_n;
  assign lr_pd0_o   = lr.tag.to.pd0;
  assign lr_pd1_o   = lr.tag.to.pd1;
  assign lr_wbar_o  = lr.tag.to.wbar;
  assign lr_rbase_o = lr.tag.rbase;
  assign lr_mask_o  = lr.mask;
  assign lr_d0_o    = lr.d0;
  assign lr_data_o  = lr.data;
  assign lr_uni_o   = lr.tag.to.uni;
  assign uniform_o  = cfg_pkg::HAS_UNI;
  assign lanes_o    = 32'(cfg_pkg::LANES);

  logic unused;
  assign unused = ^{lr.tag, lr.d1};

endmodule
