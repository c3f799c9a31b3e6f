// SPDX-License-Identifier: Apache-2.0
// Multiply-add pipe, FP32 (FADD FMUL FFMA) and integer (IMAD IMAD.WIDE IMAD.HI IDP4A): a beat of LANES lanes in PASSES passes
// of FMA_LANES, lowest first.
// Latency: operands in cycle T, outputs in cycle T + LATENCY_FMA - 1 (five ranks, and a cycle for each further pass),
// subnormals included.
// Throughput: a beat in PASSES cycles.
// Handshake: none. op_valid_i marks a beat, whose passes stand at the inputs in this cycle and the next ones; whoever dispatches
// has reserved the write slots (two for IMAD.WIDE).
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// ex_hi_o means something for IMAD.WIDE only. With one pass outputs keep their value while no beat arrives; else they stand
// for a cycle.
`default_nettype none

module fma (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from operand
  input  logic                                op_valid_i,
  input  exec_pkg::fma_ctl_t                  op_ctl_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] op_c_hi_i,   // second word of c (IMAD.WIDE)
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0]     ex_lo_o,
  output logic [cfg_pkg::LANES-1:0][31:0]     ex_hi_o
);

  localparam int unsigned RANKS  = 5;
  localparam int unsigned WIDTH  = cfg_pkg::FMA_LANES;
  localparam int unsigned PASSES = cfg_pkg::LANES / WIDTH;
  if (cfg_pkg::LATENCY_FMA != RANKS + PASSES) begin : gen_check
    $error("fma: LATENCY_FMA of the configuration is not the depth of the pipe and its passes");
  end

  exec_pkg::fma_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;
  logic                           pass_valid;
  logic [WIDTH-1:0][31:0]         pass_lo, pass_hi;

  // ---- passes -----------------------------------------------------------------------------------
  if (PASSES == 1) begin : gen_whole
    assign pass_valid = op_valid_i;
    assign ex_lo_o    = pass_lo;
    assign ex_hi_o    = pass_hi;
  end else begin : gen_passes
    logic                               done;               // results of a pass stand in the last rank
    logic [PASSES-2:0][WIDTH-1:0][31:0] early_lo_q, early_hi_q;   // ... of the passes before it

    pass_count #(.PASSES(PASSES)) u_count (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i),
      .valid_o    (pass_valid),
      .last_i     (stage_en[RANKS-1]),
      .done_o     (done)
    );

    assign ex_lo_o   = {pass_lo, early_lo_q};
    assign ex_hi_o   = {pass_hi, early_hi_q};

    always_ff @(posedge clk_i) begin
      if (done) begin
        early_lo_q <= ex_lo_o[cfg_pkg::LANES-1:WIDTH];
        early_hi_q <= ex_hi_o[cfg_pkg::LANES-1:WIDTH];
      end
    end
  end

  // ---- a pass -----------------------------------------------------------------------------------
  ctl_ranks #(.WIDTH($bits(exec_pkg::fma_ctl_t)), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (pass_valid),
    .op_ctl_i   (op_ctl_i),
    .en_o       (stage_en),
    .ctl_o      (stage_ctl)
  );

  fma_lanes u_lanes (
    .clk_i  (clk_i),
    .en_i   (stage_en),
    .ctl_i  (stage_ctl),
    .a_i    (op_a_i),
    .b_i    (op_b_i),
    .c_i    (op_c_i),
    .c_hi_i (op_c_hi_i),
    .lo_o   (pass_lo),
    .hi_o   (pass_hi)
  );

endmodule

`default_nettype wire
