// SPDX-License-Identifier: Apache-2.0
// Conversion pipe (I2F, F2I, F2F, F2FP, FRND; FP32 and FP16): LANES lanes of one warp, one beat a cycle.
// Latency: operand in cycle T, output registered in cycle T + LATENCY_CVT - 1 (three ranks).
// Handshake: none. op_valid_i marks a beat; whoever dispatches has reserved the write slot.
// It does not read registers, mask lanes, or know when a result is dropped, and has no exception flags.
// Outputs keep their value while no beat arrives.
`default_nettype none

module cvt (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from operand
  input  logic                            op_valid_i,
  input  exec_pkg::cvt_ctl_t              op_ctl_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,   // F2FP alone has one
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o
);

  localparam int unsigned RANKS = 3;
  if (cfg_pkg::LATENCY_CVT != RANKS + 1) begin : gen_check
    $error("cvt: LATENCY_CVT of the configuration is not the depth of the pipe");
  end

  exec_pkg::cvt_ctl_t [RANKS-1:0] stage_ctl;
  logic               [RANKS-1:0] stage_en;

  ctl_ranks #(.WIDTH($bits(exec_pkg::cvt_ctl_t)), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid_i),
    .op_ctl_i   (op_ctl_i),
    .en_o       (stage_en),
    .ctl_o      (stage_ctl)
  );

  logic [cfg_pkg::LANES-1:0][15:0] ex_upper;

  cvt_lanes u_lanes (
    .clk_i   (clk_i),
    .en_i    (stage_en),
    .ctl_i   (stage_ctl),
    .b_i     (op_b_i),
    .upper_i (ex_upper),
    .lo_o    (ex_lo_o)
  );

  cvt_pack_lanes u_pack (
    .clk_i   (clk_i),
    .en_i    (stage_en),
    .ctl_i   (stage_ctl),
    .a_i     (op_a_i),
    .upper_o (ex_upper)
  );

endmodule

`default_nettype wire
