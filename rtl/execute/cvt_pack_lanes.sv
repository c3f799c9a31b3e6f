// SPDX-License-Identifier: Apache-2.0
// F2FP's second number: FP32 operand a to FP16, for the upper half of the result. The first one takes the way of any other
// conversion (cvt.sv), in the same cycles.
//   stage 1  operand apart, how far to shift            -> rank 1
//   stage 2  significand, guard, sticky                 -> rank 2
//   stage 3  round: combinational, cvt registers it
// Latency: two cycles from operand to output. One operation a cycle.
// No handshake; en_i[k] enables rank k+1 and follows the operation; nothing moves for other conversions.
// It does not mask lanes and raises no flags.
`include "heddle_lanes.svh"

module cvt_pack_lanes (
  input  logic                            clk_i,
  // from cvt
  input  logic [2:0]                      en_i,
  input  exec_pkg::cvt_ctl_t [2:0]        ctl_i,   // ctl_i[k]: of the operation in stage k+1
  // operand
  input  logic [cfg_pkg::CVT_LANES-1:0][31:0] a_i,
  // to the lanes, in stage 3
  output logic [cfg_pkg::CVT_LANES-1:0][15:0] upper_o
);

  localparam int LANES = int'(cfg_pkg::CVT_LANES);

  exec_pkg::cvt_ctl_t ctl1, ctl2, ctl3;
  assign {ctl3, ctl2, ctl1} = ctl_i;

  typedef struct packed {
    logic       sign, nan, inf;
    logic       vast;     // 2^16 and above
    logic [3:0] right;    // below 2^-14: how far below, 13 at the most
    logic [4:0] exp;      // biased exponent of FP16, less one
  } side_t;

  logic [23:0] mant_d [LANES], mant_q [LANES];
  side_t       side_d [LANES], side_q [LANES], late_q [LANES];
  logic [10:0] value_d [LANES], value_q [LANES];
  logic        guard_d [LANES], guard_q [LANES], sticky_d [LANES], sticky_q [LANES];

  // ---- Stage 1 ---------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (en_i[0] && ctl1.pack) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [7:0] exp  = a_i[l][30:23];
        automatic logic       low  = exp == '0;
        automatic logic       tiny = exp < 8'd113;   // of FP16: subnormal
        mant_d[l]       = {!low, (low && ctl1.ftz) ? 23'b0 : a_i[l][22:0]};
        side_d[l].sign  = (a_i[l][31] && !ctl1.abs_a) ^ ctl1.neg_a;
        side_d[l].nan   = exp == '1 && a_i[l][22:0] != '0;
        side_d[l].inf   = exp == '1;
        side_d[l].vast  = exp >= 8'd143;
        side_d[l].right = !tiny ? 4'd0 : exp < 8'd100 ? 4'd13 : 4'(8'd113 - exp);
        side_d[l].exp   = tiny ? 5'd0 : 5'(exp - 8'd113);
      end
      mant_q <= mant_d;
      side_q <= side_d;
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  // The significand keeps 11 of its 24 bits, or fewer.
  always_ff @(posedge clk_i) begin
    if (en_i[1] && ctl2.pack) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [36:0] wide = {mant_q[l], 13'b0} >> side_q[l].right;
        value_d[l]  = wide[36:26];
        guard_d[l]  = wide[25];
        sticky_d[l] = wide[24:0] != '0;
      end
      value_q  <= value_d;
      guard_q  <= guard_d;
      sticky_q <= sticky_d;
      late_q   <= side_q;
    end
  end

  // ---- Stage 3 ---------------------------------------------------------------------------------
  // The leading bit adds one to the exponent, and so does a carry out of the fraction.
  function automatic logic [15:0] number(exec_pkg::cvt_ctl_t ctl, side_t s, logic [10:0] value, logic guard, logic sticky);
    automatic logic        up      = exec_pkg::round_up(ctl.rnd, s.sign, value[0], guard, sticky);
    automatic logic [15:0] rounded = {1'b0, s.exp, 10'b0} + {5'b0, value} + 16'(up);
    automatic logic        over    = s.vast || rounded[15] || rounded[14:10] == '1;
    automatic logic [14:0] most    = (exec_pkg::to_largest(ctl.rnd, s.sign) && !s.inf) ? 15'h7bff : 15'h7c00;
    number = s.nan ? 16'h7fff : (ctl.relu && s.sign) ? 16'd0 : {s.sign, over ? most : rounded[14:0]};
  endfunction

  always_comb begin
    upper_o = '0;
    if (en_i[2] && ctl3.pack) begin
      for (int l = 0; l < LANES; l++) upper_o[l] = number(ctl3, late_q[l], value_q[l], guard_q[l], sticky_q[l]);
    end
  end

  // Each stage uses a part of the control.
  logic unused;
  assign unused = ^{ctl1, ctl2, ctl3};

endmodule
