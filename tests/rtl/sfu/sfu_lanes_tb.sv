// SPDX-License-Identifier: Apache-2.0
// The special-function datapath under test, WIDTH lanes of it, with its decoder.
// Latency: ranks_o cycles from op_valid_i to the result. One pass of WIDTH operands a cycle.
// Handshake: none, as the datapath.
// The unit around it is tested elsewhere (sfu_unit_tb.sv).
module sfu_lanes_tb #(
  parameter int unsigned WIDTH = 32
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   op_valid_i,
  input  logic [127:0]           op_word_i,
  input  logic                   op_neg_i,
  input  logic                   op_abs_i,
  input  logic [WIDTH-1:0][31:0] op_b_i,
  output logic [WIDTH-1:0][31:0] ex_lo_o,
  output logic [31:0]            ranks_o,
  output logic [31:0]            width_o
);

  localparam int unsigned RANKS = exec_pkg::SFU_RANKS;

  assign ranks_o = RANKS;
  assign width_o = WIDTH;

  isa_pkg::dec_t dec;
  always_comb begin
    dec       = '0;
    dec.legal = 1'b1;
    dec.op    = isa_pkg::OP_MUFU;
    dec.unit  = isa_pkg::UNIT_SFU;
    dec.b_neg = op_neg_i;
    dec.b_abs = op_abs_i;
  end

  logic [core_pkg::VAR_CTL_W-1:0] ctl;
  sfu_decode u_decode (.en_i(1'b1), .dec_i(dec), .word_i(op_word_i), .ctl_o(ctl));

  exec_pkg::sfu_ctl_t [RANKS-2:0] ctl_q;
  exec_pkg::sfu_ctl_t [RANKS-1:0] stage_ctl;
  logic          [RANKS-2:0] valid_q;
  logic          [RANKS-1:0] stage_en;
  assign stage_ctl = {ctl_q, exec_pkg::sfu_ctl_t'(ctl[$bits(exec_pkg::sfu_ctl_t)-1:0])};
  assign stage_en  = {valid_q, op_valid_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= stage_en[RANKS-2:0];
    ctl_q <= stage_ctl[RANKS-2:0];
  end

  sfu_lanes #(.WIDTH(WIDTH)) u_lanes (
    .clk_i (clk_i),
    .en_i  (stage_en),
    .ctl_i (stage_ctl),
    .b_i   (op_b_i),
    .lo_o  (ex_lo_o)
  );

  logic unused;
  assign unused = ^ctl;

endmodule
