// SPDX-License-Identifier: Apache-2.0
// FP32 to integer (F2I), one lane: operand apart -> rank 1, shift -> rank 2, round, negate, saturate (registered by cvt_lane).
// Latency: the result is combinational behind rank 2, two cycles after the operand.
// No handshake; en1_i and en2_i enable the ranks.
// It does not report that it rounded or saturated. NaN gives 0.
`default_nettype none

module cvt_f2i (
  input  logic               clk_i,
  input  logic               en1_i,
  input  logic               en2_i,
  input  exec_pkg::cvt_ctl_t ctl1_i,   // of the operation in stage 1
  input  exec_pkg::cvt_ctl_t ctl3_i,   // of the operation in stage 3
  input  logic [31:0]        b_i,
  output logic [31:0]        result_o  // in stage 3
);

  // ---- Stage 1: operand apart ------------------------------------------------------------------
  logic        sign, low, nan, flush;
  logic [7:0]  exp;
  logic [5:0]  right;
  assign sign  = (b_i[31] && !ctl1_i.abs) ^ ctl1_i.neg;
  assign exp   = b_i[30:23];
  assign low   = exp == '0;
  assign nan   = exp == '1 && b_i[22:0] != '0;
  assign flush = low && ctl1_i.ftz;

  // The significand stands with its leading bit at 2^31 (exponent 158) and is shifted right, at most by 33: all sticky.
  always_comb begin
    if (exp >= 8'd158)     right = 6'd0;
    else if (exp < 8'd125) right = 6'd33;
    else                   right = 6'(8'd158 - exp);
  end

  logic        sign2_q, nan2_q, huge2_q;
  logic [5:0]  right2_q;
  logic [23:0] mant2_q;
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      sign2_q  <= sign;
      nan2_q   <= nan;
      huge2_q  <= exp > 8'd158;   // 2^32 and above, infinity
      right2_q <= right;
      mant2_q  <= {!low, flush ? 23'b0 : b_i[22:0]};
    end
  end

  // ---- Stage 2: integer, guard, sticky ---------------------------------------------------------
  logic [64:0] shifted;
  assign shifted = {mant2_q, 41'b0} >> right2_q;

  logic        sign3_q, nan3_q, huge3_q, guard3_q, sticky3_q;
  logic [31:0] integer3_q;
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      sign3_q    <= sign2_q;
      nan3_q     <= nan2_q;
      huge3_q    <= huge2_q;
      integer3_q <= shifted[64:33];
      guard3_q   <= shifted[32];
      sticky3_q  <= shifted[31:0] != '0;
    end
  end

  // ---- Stage 3: round, negate, saturate --------------------------------------------------------
  // -(n + up) is ~n + !up: one adder. Numbers of 2^24 and above have no fraction, so rounding never leads out of range.
  logic        up, over;
  logic [31:0] value;
  assign up    = exec_pkg::round_up(ctl3_i.rnd, sign3_q, integer3_q[0], guard3_q, sticky3_q);
  assign value = (integer3_q ^ {32{sign3_q}}) + {31'b0, up ^ sign3_q};
  assign over  = huge3_q || (!ctl3_i.uns && integer3_q[31] && !(sign3_q && integer3_q[30:0] == '0));

  always_comb begin
    if (nan3_q)                         result_o = 32'd0;
    else if (ctl3_i.wrap)               result_o = value;
    else if (ctl3_i.uns && sign3_q)     result_o = 32'd0;
    else if (over && ctl3_i.uns)        result_o = 32'hffff_ffff;
    else if (over)                      result_o = sign3_q ? 32'h8000_0000 : 32'h7fff_ffff;
    else                                result_o = value;
  end

  logic unused;
  assign unused = ^{ctl1_i, ctl3_i};

endmodule

`default_nettype wire
