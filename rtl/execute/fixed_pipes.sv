// SPDX-License-Identifier: Apache-2.0
// The pipes of fixed latency side by side: alu, fma, cvt, and half where the configuration has it.
// Latency: LATENCY_x - 1 from the operand bus to ex_o, each pipe its own.
// Handshake: none; a row is for the pipe that its destination names.
// The reservation table carries the destinations of results beside it; from these it takes which pipe's predicates stand at the
// end now.
module fixed_pipes #(
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // rows from the operand bus, or from their queues: of alu, cvt and half; of fma
  input  bus_pkg::line_t    op_alu_i,
  input  bus_pkg::line_t    op_fma_i,
  // from the reservation table
  input  bus_pkg::due_t     rs_i,
  // to writeback
  output bus_pkg::results_t ex_o
);

  localparam int unsigned ALU = cfg_pkg::PIPE_ALU, FMA = cfg_pkg::PIPE_FMA, CVT = cfg_pkg::PIPE_CVT;

  logic [LANES-1:0]       alu_pd0, alu_pd1;
  logic [LANES-1:0][31:0] alu_word, cvt_word;

  assign ex_o.word[ALU] = {2{alu_word}};
  assign ex_o.word[CVT] = {2{cvt_word}};

  alu u_alu (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_alu_i.row.valid && op_alu_i.row.dest.pipe[ALU]),
    .op_ctl_i   (op_alu_i.row.ctl[exec_pkg::ALU_CTL_W-1:0]),
    .op_a_i     (op_alu_i.words.a[cfg_pkg::ALU_LANES-1:0]),
    .op_b_i     (op_alu_i.words.b[cfg_pkg::ALU_LANES-1:0]),
    .op_c_i     (op_alu_i.words.c[cfg_pkg::ALU_LANES-1:0]),
    .op_ps0_i   (op_alu_i.row.ps0[cfg_pkg::ALU_LANES-1:0]),
    .op_ps1_i   (op_alu_i.row.ps1[cfg_pkg::ALU_LANES-1:0]),
    .op_ps2_i   (op_alu_i.row.ps2[cfg_pkg::ALU_LANES-1:0]),
    .ex_lo_o    (alu_word),
    .ex_pd0_o   (alu_pd0),
    .ex_pd1_o   (alu_pd1)
  );

  fma u_fma (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_fma_i.row.valid && op_fma_i.row.dest.pipe[FMA]),
    .op_ctl_i   (op_fma_i.row.ctl[exec_pkg::FMA_AT +: exec_pkg::FMA_CTL_W]),
    .op_odd_i   (op_fma_i.row.dest.wreg[0]),
    .op_a_i     (op_fma_i.words.a[cfg_pkg::FMA_LANES-1:0]),
    .op_b_i     (op_fma_i.words.b[cfg_pkg::FMA_LANES-1:0]),
    .op_c_i     (op_fma_i.words.c[cfg_pkg::FMA_LANES-1:0]),
    .op_c_hi_i  (op_fma_i.words.x[cfg_pkg::FMA_LANES-1:0]),
    .ex_word_o  (ex_o.word[FMA])
  );

  cvt u_cvt (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_alu_i.row.valid && op_alu_i.row.dest.pipe[CVT]),
    .op_ctl_i   (op_alu_i.row.ctl[exec_pkg::CVT_AT +: exec_pkg::CVT_CTL_W]),
    .op_a_i     (op_alu_i.words.a[cfg_pkg::CVT_LANES-1:0]),
    .op_b_i     (op_alu_i.words.b[cfg_pkg::CVT_LANES-1:0]),
    .ex_lo_o    (cvt_word)
  );

  if (cfg_pkg::HAS_HALF) begin : gen_half
    localparam int unsigned HALF = cfg_pkg::PIPE_HALF;
    logic [LANES-1:0]       half_pd0, half_pd1;
    logic [LANES-1:0][31:0] half_word;

    half u_half (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_alu_i.row.valid && op_alu_i.row.dest.pipe[HALF]),
      .op_ctl_i   (op_alu_i.row.ctl[exec_pkg::HALF_AT +: exec_pkg::HALF_CTL_W]),
      .op_a_i     (op_alu_i.words.a),
      .op_b_i     (op_alu_i.words.b),
      .op_c_i     (op_alu_i.words.c),
      .op_ps0_i   (op_alu_i.row.ps0),
      .ex_lo_o    (half_word),
      .ex_pd0_o   (half_pd0),
      .ex_pd1_o   (half_pd1)
    );

    // Predicates of both pipes are there equally long after dispatch.
    assign ex_o.word[HALF] = {2{half_word}};
    assign ex_o.pd0        = rs_i.dest[ALU].pipe[HALF] ? half_pd0 : alu_pd0;
    assign ex_o.pd1        = rs_i.dest[ALU].pipe[HALF] ? half_pd1 : alu_pd1;
  end else begin : gen_no_half
    assign ex_o.pd0 = alu_pd0;
    assign ex_o.pd1 = alu_pd1;
  end

  // A row that makes passes is taken at its lowest lanes, pass by pass.
  logic unused;
  assign unused = ^{op_alu_i, op_fma_i, rs_i};

endmodule
