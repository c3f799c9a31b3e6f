// SPDX-License-Identifier: Apache-2.0
// Multiply-add pipe, FP32 (FADD FMUL FFMA) and integer (IMAD IMAD.WIDE IMAD.HI IDP4A): a beat of LANES lanes in PASSES passes
// of FMA_LANES, lowest first.
// Latency: operands in cycle T, outputs in cycle T + LATENCY_FMA - 1 (five ranks or six, as LATENCY_FMA of the configuration
// leaves, and a cycle for each further pass), subnormals included. Throughput: a beat in PASSES cycles.
// Handshake: none. op_valid_i marks a beat: its passes are at the inputs in this cycle and the next ones; the reservation table
// has reserved the write slots (two for IMAD.WIDE).
// It does not read registers, mask lanes, or drop results, and has no exception flags. A result goes to a register bank of even or
// odd number, of IMAD.WIDE one word to each: there is a word for either, so that no port chooses between them. With one pass
// outputs keep their value while no beat arrives; else they stand for a cycle.
module fma (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from operand
  input  logic                                op_valid_i,
  input  exec_pkg::fma_ctl_t                  op_ctl_i,
  input  logic                                op_odd_i,    // the (first) result is for a bank of odd number
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_c_hi_i,   // second word of c (IMAD.WIDE)
  // to writeback
  output logic [1:0][cfg_pkg::LANES-1:0][31:0] ex_word_o   // for a bank of even, of odd number
);

  localparam int unsigned WIDTH  = cfg_pkg::FMA_LANES;
  localparam int unsigned PASSES = cfg_pkg::FMA_PASSES;
  localparam int unsigned RANKS  = cfg_pkg::LATENCY_FMA - PASSES;
  if (RANKS != 5 && RANKS != 6) begin : gen_check
    $error("fma: LATENCY_FMA of the configuration is no depth of the pipe and its passes");
  end

  localparam int unsigned CTL_W = $bits(exec_pkg::fma_ctl_t);

  logic [RANKS-1:0][CTL_W:0]      stage_word;
  exec_pkg::fma_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_odd;
  logic               [RANKS-1:0] stage_en;
  logic                           pass_valid;
  logic [1:0][WIDTH-1:0][31:0]    pass_word;

  // ---- passes -----------------------------------------------------------------------------------
  if (PASSES == 1) begin : gen_whole
    assign pass_valid = op_valid_i;
    assign ex_word_o  = pass_word;
  end else begin : gen_passes
    logic                                    done;      // results of a pass stand in the last rank
    logic [1:0][PASSES-2:0][WIDTH-1:0][31:0] early_q;   // ... of the passes before it

    pass_count #(.PASSES(PASSES)) u_count (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i),
      .valid_o    (pass_valid),
      .last_i     (stage_en[RANKS-1]),
      .done_o     (done)
    );

    for (genvar k = 0; k < 2; k++) begin : gen_word
      assign ex_word_o[k] = {pass_word[k], early_q[k]};
      always_ff @(posedge clk_i) begin
        if (done) early_q[k] <= ex_word_o[k][cfg_pkg::LANES-1:WIDTH];
      end
    end
  end

  // ---- a pass -----------------------------------------------------------------------------------
  ctl_ranks #(.WIDTH(CTL_W + 1), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (pass_valid),
    .op_ctl_i   ({op_odd_i, op_ctl_i}),
    .en_o       (stage_en),
    .ctl_o      (stage_word)
  );

  for (genvar k = 0; k < RANKS; k++) begin : gen_rank
    assign {stage_odd[k], stage_ctl[k]} = stage_word[k];
  end

  fma_lanes #(.RANKS(RANKS)) u_lanes (
    .clk_i  (clk_i),
    .en_i   (stage_en),
    .ctl_i  (stage_ctl),
    .odd_i  (stage_odd[3]),
    .a_i    (op_a_i),
    .b_i    (op_b_i),
    .c_i    (op_c_i),
    .c_hi_i (op_c_hi_i),
    .word_o (pass_word)
  );

  logic unused;
  assign unused = ^stage_odd;

endmodule
