// SPDX-License-Identifier: Apache-2.0
// Integer to FP32 (I2F), one lane: magnitude -> rank 1, normalise -> rank 2, round (registered by cvt_lane).
// Latency: the result is combinational behind rank 2, two cycles after the operand.
// No handshake; en1_i and en2_i enable the ranks.
// It cannot overflow or make a subnormal: the largest magnitude is 2^32.
`default_nettype none

module cvt_i2f (
  input  logic               clk_i,
  input  logic               en1_i,
  input  logic               en2_i,
  input  exec_pkg::cvt_ctl_t ctl1_i,   // of the operation in stage 1
  input  exec_pkg::cvt_ctl_t ctl3_i,   // of the operation in stage 3
  input  logic [31:0]        b_i,
  output logic [31:0]        result_o  // in stage 3
);

  // ---- Stage 1: sign and magnitude -------------------------------------------------------------
  logic        negative;
  logic        sign2_q;
  logic [31:0] magnitude2_q;
  assign negative = b_i[31] && !ctl1_i.uns;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      sign2_q      <= negative;
      magnitude2_q <= (b_i ^ {32{negative}}) + 32'(negative);
    end
  end

  // ---- Stage 2: leading one to the top ---------------------------------------------------------
  logic [4:0] zeros;
  logic       zero;
  lzc #(.WIDTH(32)) u_lzc (.in_i(magnitude2_q), .count_o(zeros), .zero_o(zero));

  logic        sign3_q, zero3_q;
  logic [4:0]  zeros3_q;
  logic [31:0] mant3_q;
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      sign3_q  <= sign2_q;
      zero3_q  <= zero;
      zeros3_q <= zeros;
      mant3_q  <= magnitude2_q << zeros;
    end
  end

  // ---- Stage 3: round --------------------------------------------------------------------------
  // The leading one adds one to the exponent, which therefore starts at 157 (of 2^31: 158).
  logic        up;
  logic [30:0] rounded;
  assign up       = exec_pkg::round_up(ctl3_i.rnd, sign3_q, mant3_q[8], mant3_q[7], mant3_q[6:0] != '0);
  assign rounded  = {8'd157 - 8'(zeros3_q), 23'b0} + {7'b0, mant3_q[31:8]} + 31'(up);
  assign result_o = zero3_q ? 32'd0 : {sign3_q, rounded};

  logic unused;
  assign unused = ^{ctl1_i, ctl3_i};

endmodule

`default_nettype wire
