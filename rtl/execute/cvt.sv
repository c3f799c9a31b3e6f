// SPDX-License-Identifier: Apache-2.0
// Conversion pipe (I2F, F2I, F2F, F2FP, FRND; FP32 and FP16): a beat of LANES lanes in PASSES passes of CVT_LANES, lowest
// first.
// Latency: operand in cycle T, output in cycle T + LATENCY_CVT - 1 (three ranks, and a cycle for each further pass).
// Throughput: a beat in PASSES cycles.
// Handshake: none. op_valid_i marks a beat, whose passes stand at the inputs in this cycle and the next ones; whoever dispatches
// has reserved the write slot.
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// With one pass outputs keep their value while no beat arrives; else they stand for a cycle.
module cvt (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from operand
  input  logic                                op_valid_i,
  input  exec_pkg::cvt_ctl_t                  op_ctl_i,
  input  logic [cfg_pkg::CVT_LANES-1:0][31:0] op_a_i,   // F2FP alone has one
  input  logic [cfg_pkg::CVT_LANES-1:0][31:0] op_b_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0]     ex_lo_o
);

  localparam int unsigned RANKS  = 3;
  localparam int unsigned WIDTH  = cfg_pkg::CVT_LANES;
  localparam int unsigned PASSES = cfg_pkg::CVT_PASSES;
  if (cfg_pkg::LATENCY_CVT != RANKS + PASSES) begin : gen_check
    $error("cvt: LATENCY_CVT of the configuration is not the depth of the pipe and its passes");
  end

  exec_pkg::cvt_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;
  logic                           pass_valid;
  logic [WIDTH-1:0][31:0]         pass_lo;
  logic [WIDTH-1:0][15:0]         pass_upper;

  // ---- passes -----------------------------------------------------------------------------------
  if (PASSES == 1) begin : gen_whole
    assign pass_valid = op_valid_i;
    assign ex_lo_o    = pass_lo;
  end else begin : gen_passes
    logic                                done;      // results of a pass stand in the last rank
    logic [PASSES-2:0][WIDTH-1:0][31:0]  early_q;   // results of the passes before the one in the last rank

    pass_count #(.PASSES(PASSES)) u_count (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i),
      .valid_o    (pass_valid),
      .last_i     (stage_en[RANKS-1]),
      .done_o     (done)
    );

    assign ex_lo_o = {pass_lo, early_q};

    always_ff @(posedge clk_i) begin
      if (done) early_q <= ex_lo_o[cfg_pkg::LANES-1:WIDTH];
    end
  end

  // ---- a pass -----------------------------------------------------------------------------------
  ctl_ranks #(.WIDTH($bits(exec_pkg::cvt_ctl_t)), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (pass_valid),
    .op_ctl_i   (op_ctl_i),
    .en_o       (stage_en),
    .ctl_o      (stage_ctl)
  );

  cvt_lanes u_lanes (
    .clk_i   (clk_i),
    .en_i    (stage_en),
    .ctl_i   (stage_ctl),
    .b_i     (op_b_i),
    .upper_i (pass_upper),
    .lo_o    (pass_lo)
  );

  cvt_pack_lanes u_pack (
    .clk_i   (clk_i),
    .en_i    (stage_en),
    .ctl_i   (stage_ctl),
    .a_i     (op_a_i),
    .upper_o (pass_upper)
  );

endmodule
