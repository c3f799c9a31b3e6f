// SPDX-License-Identifier: Apache-2.0
// One lane of the conversion pipe: I2F and F2I on one rotator and one adder.
//   stage 1  magnitude and how far it is to be shifted right (I2F: 8, less its leading zeros)  -> rank 1
//   stage 2  shift: what is kept, guard and sticky bits; I2F: exponent in its place            -> rank 2
//   stage 3  round, negate, saturate                                                           -> rank 3, the output
// Latency: three cycles from operand to output. One operation a cycle.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It does not know instructions (see cvt_decode), does not mask lanes, raises no flags. NaN gives 0; I2F cannot overflow.
`default_nettype none

module cvt_lane (
  input  logic                     clk_i,
  // from cvt
  input  logic [2:0]               en_i,
  input  exec_pkg::cvt_ctl_t [2:0] ctl_i,   // ctl_i[k]: of the operation in stage k+1
  // operand
  input  logic [31:0]              b_i,
  // result
  output logic [31:0]              lo_o
);

  // ---- Stage 1 ---------------------------------------------------------------------------------
  // A significand stands with its leading bit at 2^31 (exponent 158) and is shifted right, at most by 33: all sticky.
  logic        sign2_q, nan2_q, huge2_q;
  logic [5:0]  right2_q;
  logic [31:0] word2_q;

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      automatic logic       low, negative;
      automatic logic [7:0] exp;
      exp      = b_i[30:23];
      low      = exp == '0;
      negative = b_i[31] && !ctl_i[0].uns;
      nan2_q   <= ctl_i[0].to_int && exp == '1 && b_i[22:0] != '0;
      huge2_q  <= ctl_i[0].to_int && exp > 8'd158;   // 2^32 and above, infinity
      if (ctl_i[0].to_int) begin
        sign2_q <= (b_i[31] && !ctl_i[0].abs) ^ ctl_i[0].neg;
        word2_q <= {!low, (low && ctl_i[0].ftz) ? 23'b0 : b_i[22:0], 8'b0};
        if (exp >= 8'd158)     right2_q <= 6'd0;
        else if (exp < 8'd125) right2_q <= 6'd33;
        else                   right2_q <= 6'(8'd158 - exp);
      end else begin
        sign2_q  <= negative;
        word2_q  <= (b_i ^ {32{negative}}) + 32'(negative);
        right2_q <= 6'd8;
      end
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  logic        sign3_q, nan3_q, huge3_q, guard3_q, sticky3_q;
  logic [31:0] word3_q;

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      automatic logic [5:0]  zeros;
      automatic logic [31:0] turned, kept;
      // The word is turned round; what passes the top comes out at the other end and is told apart by the mask. The zeros
      // in front of an integer move the other way: it may go up as well as down.
      zeros     = lane_pkg::zeros(word2_q);
      turned    = lane_pkg::rotate_left(word2_q, (ctl_i[1].to_int ? 5'd0 : zeros[4:0]) - right2_q[4:0]);
      kept      = right2_q[5] ? 32'd0 : 32'hffff_ffff >> right2_q[4:0];
      word3_q   <= turned & kept;
      // The exponent of 2^31 is 158; the leading one is dropped. Zero has none.
      if (!ctl_i[1].to_int) word3_q[31:23] <= zeros[5] ? 9'd0 : 9'd158 - 9'(zeros[4:0]);
      guard3_q  <= turned[31] && right2_q != 6'd0 && right2_q != 6'd33;
      sticky3_q <= (turned[30:0] & ~kept[30:0]) != '0 || (turned[31] && right2_q == 6'd33);
      sign3_q   <= sign2_q;
      nan3_q    <= nan2_q;
      huge3_q   <= huge2_q;
    end
  end

  // ---- Stage 3 ---------------------------------------------------------------------------------
  // -(n + up) is ~n + !up: one adder. Integers of 2^24 and above have no fraction, so rounding never leads out of range.
  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      automatic logic        up, minus, one, over;
      automatic logic [31:0] sum;
      up    = exec_pkg::round_up(ctl_i[2].rnd, sign3_q, word3_q[0], guard3_q, sticky3_q);
      minus = ctl_i[2].to_int && sign3_q;
      one   = up ^ minus;
      sum   = (word3_q ^ {32{minus}}) + 32'(one);
      over  = huge3_q || (!ctl_i[2].uns && word3_q[31]);   // -2^31 is told as what it is
      if (!ctl_i[2].to_int)             lo_o <= {sign3_q, sum[30:0]};
      else if (nan3_q)                  lo_o <= 32'd0;
      else if (ctl_i[2].wrap)           lo_o <= sum;
      else if (ctl_i[2].uns && sign3_q) lo_o <= 32'd0;
      else if (over)                    lo_o <= {ctl_i[2].uns || sign3_q, {31{ctl_i[2].uns || !sign3_q}}};
      else                              lo_o <= sum;
    end
  end

  // Each stage uses a part of the control.
  logic unused;
  assign unused = ^ctl_i;

endmodule

`default_nettype wire
