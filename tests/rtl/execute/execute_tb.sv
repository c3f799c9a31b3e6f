// SPDX-License-Identifier: Apache-2.0
// One execute pipe under test, all of them behind the same ports: UNIT 0 alu, 1 fma, 2 cvt, 3 half.
// The bench names the operation and sign changes itself; other modifiers come in the instruction word.
// Latency: the pipe's own (predicates of half, with alu's latency, wait for its words). latency_o, lanes_o, passes_o
// (cycles for which a beat stays at the inputs) are those of the configuration.
// Handshake: none, like the pipes.
// Control comes from exec_decode; the rest of the encoding is tested elsewhere.
module execute_tb #(
  parameter int unsigned UNIT = 0
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            op_valid_i,
  input  logic                            op_odd_i,    // fma: the result is for a bank of odd number
  input  logic [7:0]                      op_op_i,
  input  logic [2:0]                      op_neg_i,    // a, b, c from bit 0 on
  input  logic [2:0]                      op_abs_i,
  input  logic [127:0]                    op_word_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_hi_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps0_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps1_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps2_i,
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o,     // of fma for a bank of even number
  output logic [cfg_pkg::LANES-1:0][31:0] ex_hi_o,     // ... of odd number
  output logic [cfg_pkg::LANES-1:0]       ex_pd0_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd1_o,
  output logic                            by_bank_o,   // both words count: fma
  output logic [31:0]                     lanes_o,
  output logic [31:0]                     passes_o,
  output logic [31:0]                     latency_o
);

  isa_pkg::dec_t dec;
  always_comb begin
    dec       = '0;
    dec.legal = 1'b1;
    dec.op    = isa_pkg::op_e'(op_op_i);
    {dec.c_neg, dec.b_neg, dec.a_neg} = op_neg_i;
    {dec.c_abs, dec.b_abs, dec.a_abs} = op_abs_i;
    dec.unit  = isa_pkg::unit_e'(cfg_pkg::PIPE_UNIT[UNIT]);
  end

  logic [exec_pkg::CTL_W-1:0] ctl;
  exec_decode u_decode (.valid_i(1'b1), .dec_i(dec), .word_i(op_word_i), .ctl_o(ctl));

  assign by_bank_o = UNIT == 1;
  assign lanes_o  = 32'(cfg_pkg::LANES);
  assign passes_o = cfg_pkg::PIPE_PASSES[UNIT];

  // In a beat that makes passes the lanes of each come to the lowest ones in turn, as on the operand bus.
  localparam int unsigned WIDTH = (UNIT == 0) ? cfg_pkg::ALU_LANES : (UNIT == 1) ? cfg_pkg::FMA_LANES :
                                  (UNIT == 2) ? cfg_pkg::CVT_LANES : cfg_pkg::LANES;
  localparam int unsigned LANE_W = $clog2(cfg_pkg::LANES);
  logic [5:0]        pass_q;
  logic [LANE_W-1:0] first;
  assign first = (op_valid_i || 32'(pass_q) >= passes_o) ? '0 : LANE_W'(32'(pass_q) * WIDTH);
  always_ff @(posedge clk_i) pass_q <= op_valid_i ? 6'd1 : pass_q + 6'(pass_q != '1);

  logic [WIDTH-1:0][31:0] a, b, c, c_hi;
  logic [WIDTH-1:0]       ps0, ps1, ps2;
  logic                   odd;
  assign a    = op_a_i[first +: WIDTH];
  assign b    = op_b_i[first +: WIDTH];
  assign c    = op_c_i[first +: WIDTH];
  assign c_hi = op_c_hi_i[first +: WIDTH];
  assign ps0  = op_ps0_i[first +: WIDTH];
  assign ps1  = op_ps1_i[first +: WIDTH];
  assign ps2  = op_ps2_i[first +: WIDTH];
  assign odd  = op_odd_i;

  if (UNIT == 0) begin : gen_alu
    assign latency_o = cfg_pkg::LATENCY_ALU;
    assign ex_hi_o   = '0;
    alu u_alu (
      .clk_i(clk_i), .rst_ni(rst_ni), .op_valid_i(op_valid_i), .op_ctl_i(ctl[exec_pkg::ALU_CTL_W-1:0]),
      .op_a_i(a), .op_b_i(b), .op_c_i(c), .op_ps0_i(ps0), .op_ps1_i(ps1), .op_ps2_i(ps2),
      .ex_lo_o(ex_lo_o), .ex_pd0_o(ex_pd0_o), .ex_pd1_o(ex_pd1_o));
  end else if (UNIT == 1) begin : gen_fma
    assign latency_o = cfg_pkg::LATENCY_FMA;
    assign ex_pd0_o  = '0;
    assign ex_pd1_o  = '0;
    fma u_fma (
      .clk_i(clk_i), .rst_ni(rst_ni), .op_valid_i(op_valid_i), .op_ctl_i(ctl[exec_pkg::FMA_AT +: exec_pkg::FMA_CTL_W]),
      .op_odd_i(odd), .op_a_i(a), .op_b_i(b), .op_c_i(c), .op_c_hi_i(c_hi),
      .ex_word_o({ex_hi_o, ex_lo_o}));
  end else if (UNIT == 3) begin : gen_half
    localparam int unsigned LATER = cfg_pkg::LATENCY_HALF - cfg_pkg::LATENCY_ALU;
    logic [LATER-1:0][2*cfg_pkg::LANES-1:0] pd_q;
    logic [cfg_pkg::LANES-1:0]              pd0, pd1;
    assign latency_o = cfg_pkg::LATENCY_HALF;
    assign ex_hi_o   = '0;
    half u_half (
      .clk_i(clk_i), .rst_ni(rst_ni), .op_valid_i(op_valid_i), .op_ctl_i(ctl[exec_pkg::HALF_AT +: exec_pkg::HALF_CTL_W]),
      .op_a_i(a), .op_b_i(b), .op_c_i(c), .op_ps0_i(ps0),
      .ex_lo_o(ex_lo_o), .ex_pd0_o(pd0), .ex_pd1_o(pd1));
    always_ff @(posedge clk_i) begin
      pd_q[0] <= {pd1, pd0};
      for (int unsigned k = 1; k < LATER; k++) pd_q[k] <= pd_q[k-1];
    end
    assign {ex_pd1_o, ex_pd0_o} = pd_q[LATER-1];
  end else begin : gen_cvt
    assign latency_o = cfg_pkg::LATENCY_CVT;
    assign ex_hi_o   = '0;
    assign ex_pd0_o  = '0;
    assign ex_pd1_o  = '0;
    cvt u_cvt (
      .clk_i(clk_i), .rst_ni(rst_ni), .op_valid_i(op_valid_i), .op_ctl_i(ctl[exec_pkg::CVT_AT +: exec_pkg::CVT_CTL_W]),
      .op_a_i(a), .op_b_i(b), .ex_lo_o(ex_lo_o));
  end

  // No pipe uses all operands.
  logic unused;
  assign unused = ^{ctl, a, b, c, c_hi, ps0, ps1, ps2, odd};

endmodule
