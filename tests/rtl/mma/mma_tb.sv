// SPDX-License-Identifier: Apache-2.0
// The matrix unit and its decoder under test, structs taken apart into plain ports. The bench
// names the operation itself; modifiers come in the instruction word.
// Latency, handshake: those of mma_unit. cfg_*_o are values of the configuration and the
// parameter.
module mma_tb #(
  parameter int unsigned CYCLES = 16
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  output logic [31:0]                                         cfg_lanes_o,
  output logic [31:0]                                         cfg_cycles_o,
  // operands
  input  logic                                                op_valid_i,
  output logic                                                op_ready_o,
  input  logic [7:0]                                          op_op_i,
  input  logic [127:0]                                        op_word_i,
  input  logic [31:0]                                         op_seq_i,
  input  logic [31:0]                                         op_exec_i,
  input  logic [7:0]                                          op_rd_i,
  input  logic [1:0]                                          op_rd_n_i,
  input  logic [2:0]                                          op_wbar_i,
  input  logic [15:0]                                         op_rbase_i,
  input  logic [4:0]                                          op_beat_i,
  input  logic [mma_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] op_data_i,
  // results
  output logic                                                lr_valid_o,
  input  logic                                                lr_ready_i,
  output logic [31:0]                                         lr_seq_o,
  output logic                                                lr_row_o,
  output logic                                                lr_pred_o,
  output logic                                                lr_last_o,
  output logic [4:0]                                          lr_beat_o,
  output logic [1:0]                                          lr_word_o,
  output logic [7:0]                                          lr_rd_o,
  output logic [1:0]                                          lr_rd_n_o,
  output logic [2:0]                                          lr_wbar_o,
  output logic [15:0]                                         lr_rbase_o,
  output logic [cfg_pkg::LANES-1:0]                           lr_mask_o,
  output logic [cfg_pkg::LANES-1:0][31:0]                     lr_data_o
);

  assign cfg_lanes_o  = cfg_pkg::LANES;
  assign cfg_cycles_o = CYCLES;

  isa_pkg::dec_t dec;
  always_comb begin
    dec       = '0;
    dec.legal = 1'b1;
    dec.op    = isa_pkg::op_e'(op_op_i);
    dec.unit  = isa_pkg::UNIT_TENSOR;
  end

  logic [core_pkg::VAR_CTL_W-1:0] ctl;
  mma_decode u_decode (.en_i(op_valid_i), .dec_i(dec), .word_i(op_word_i), .ctl_o(ctl));

  core_pkg::varop_t  op;
  core_pkg::result_t lr;

  always_comb begin
    op           = '0;
    op.id.seq    = op_seq_i;
    op.ctl       = ctl;
    op.exec      = op_exec_i;
    op.to.has_rd = op_rd_i != isa_pkg::RZ;
    op.to.rd     = op_rd_i;
    op.to.rd_n   = op_rd_n_i;
    op.to.pd0    = 3'd7;
    op.to.pd1    = 3'd7;
    op.to.wbar   = op_wbar_i;
    op.rbase     = op_rbase_i;
    lr_seq_o    = lr.tag.id.seq;
    lr_row_o    = lr.tag.row;
    lr_pred_o   = lr.tag.pred || lr.tag.to.uni || lr.tag.to.pd0 != 3'd7 || lr.tag.to.pd1 != 3'd7;   // no predicate, no uniform register
    lr_last_o   = lr.tag.last;
    lr_beat_o   = lr.tag.beat;
    lr_word_o   = lr.tag.word;
    lr_rd_o     = lr.tag.to.rd;
    lr_rd_n_o   = lr.tag.to.rd_n;
    lr_wbar_o   = lr.tag.to.wbar;
    lr_rbase_o  = lr.tag.rbase;
    lr_mask_o   = lr.mask;
    lr_data_o   = lr.data;
  end

  mma_unit #(.CYCLES(CYCLES)) u_unit (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .op_valid_i(op_valid_i), .op_ready_o(op_ready_o), .op_i(op), .op_beat_i(op_beat_i), .op_data_i(op_data_i),
    .lr_valid_o(lr_valid_o), .lr_ready_i(lr_ready_i), .lr_o(lr));

  // Slot and generation pass beside the sequence; predicates mean nothing here.
  logic unused;
  assign unused = ^{lr.tag, lr.d0, lr.d1};

endmodule
