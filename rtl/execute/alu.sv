// SPDX-License-Identifier: Apache-2.0
// Integer, logic, compare, select and move pipe: a beat of LANES lanes in PASSES passes of ALU_LANES, lowest first.
// Latency: operands in cycle T, outputs in cycle T + LATENCY_ALU - 1 (two ranks, and a cycle for each further pass).
// Throughput: a beat in PASSES cycles.
// Handshake: none. op_valid_i marks a beat: its passes are at the inputs in this cycle and the next ones; the reservation table
// has reserved the write slot.
// It does not read registers, mask lanes, or drop results. S2R is a move: its value is operand b.
// With one pass outputs keep their value while no beat arrives; else they stand for a cycle.
`include "heddle_assert.svh"

module alu (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from operand
  input  logic                                op_valid_i,
  input  exec_pkg::alu_ctl_t                  op_ctl_i,
  input  logic [cfg_pkg::ALU_LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::ALU_LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::ALU_LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::ALU_LANES-1:0]       op_ps0_i,
  input  logic [cfg_pkg::ALU_LANES-1:0]       op_ps1_i,
  input  logic [cfg_pkg::ALU_LANES-1:0]       op_ps2_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0]     ex_lo_o,
  output logic [cfg_pkg::LANES-1:0]           ex_pd0_o,
  output logic [cfg_pkg::LANES-1:0]           ex_pd1_o
);

  localparam int unsigned RANKS  = 2;
  localparam int unsigned WIDTH  = cfg_pkg::ALU_LANES;
  localparam int unsigned PASSES = cfg_pkg::ALU_PASSES;
  if (cfg_pkg::LATENCY_ALU != RANKS + PASSES) begin : gen_check
    $error("alu: LATENCY_ALU of the configuration is not the depth of the pipe and its passes");
  end

  exec_pkg::alu_ctl2_t    ctl2_q;
  logic                   valid_q;
  logic                   pass_valid;
  logic [WIDTH-1:0][31:0] pass_lo;
  logic [WIDTH-1:0]       pass_pd0, pass_pd1;

  // ---- passes -----------------------------------------------------------------------------------
  if (PASSES == 1) begin : gen_whole
    assign pass_valid = op_valid_i;
    assign ex_lo_o    = pass_lo;
    assign ex_pd0_o   = pass_pd0;
    assign ex_pd1_o   = pass_pd1;
  end else begin : gen_passes
    logic                               done;         // results of a pass stand in the last rank
    logic [PASSES-2:0][WIDTH-1:0][31:0] early_lo_q;   // ... of the passes before it
    logic [PASSES-2:0][WIDTH-1:0]       early_pd0_q, early_pd1_q;

    pass_count #(.PASSES(PASSES)) u_count (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i),
      .valid_o    (pass_valid),
      .last_i     (valid_q),
      .done_o     (done)
    );

    assign ex_lo_o  = {pass_lo, early_lo_q};
    assign ex_pd0_o = {pass_pd0, early_pd0_q};
    assign ex_pd1_o = {pass_pd1, early_pd1_q};

    always_ff @(posedge clk_i) begin
      if (done) begin
        early_lo_q  <= ex_lo_o[cfg_pkg::LANES-1:WIDTH];
        early_pd0_q <= ex_pd0_o[cfg_pkg::LANES-1:WIDTH];
        early_pd1_q <= ex_pd1_o[cfg_pkg::LANES-1:WIDTH];
      end
    end
  end

  // ---- a pass -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= pass_valid;
  end

  always_ff @(posedge clk_i) begin
    if (pass_valid) ctl2_q <= op_ctl_i.two;
  end

  alu_lanes #(.LANES(int'(WIDTH))) u_lanes (
    .clk_i  (clk_i),
    .en1_i  (pass_valid),
    .en2_i  (valid_q),
    .ctl1_i (op_ctl_i.one),
    .ctl2_i (ctl2_q),
    .a_i    (op_a_i),
    .b_i    (op_b_i),
    .c_i    (op_c_i),
    .ps0_i  (op_ps0_i),
    .ps1_i  (op_ps1_i),
    .ps2_i  (op_ps2_i),
    .lo_o   (pass_lo),
    .pd0_o  (pass_pd0),
    .pd1_o  (pass_pd1)
  );

  // SGXT and BMSK have no operand c: their ones are ORed to it. Nor have BREV and R2P: their words take its place.
  `ASSERT_IF(a_ones, pass_valid && (op_ctl_i.one.bits.ones || op_ctl_i.one.bits.turn || op_ctl_i.one.bits.pair), op_c_i == '0)

endmodule
