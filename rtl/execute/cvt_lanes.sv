// SPDX-License-Identifier: Apache-2.0
// The lanes of the conversion pipe: integer to FP32 (I2F) and FP32 to integer (F2I), on one shifter; FP32 to an integral
// FP32 in its place (FRND).
//   stage 1  I2F: sign and magnitude. F2I: operand apart, how far to shift. FRND: where the point is   -> rank 1
//   stage 2  I2F: leading one to the top. F2I: integer, guard, sticky                                  -> rank 2
//   stage 3  round, and for F2I negate and saturate                                          -> rank 3, the outputs
// Latency: three cycles from operand to output. One operation a cycle.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It does not know instructions (see cvt.sv), does not mask lanes, does not report that it rounded or saturated.
// I2F cannot overflow or make a subnormal: the largest magnitude is 2^32. F2I of a NaN is 0, FRND of one 0x7fffffff.
// Stages are written as loops over lanes in clocked blocks, for the reason given in fma_lanes.sv.
`default_nettype none
`include "heddle_lanes.svh"

module cvt_lanes (
  input  logic                            clk_i,
  // from cvt
  input  logic [2:0]                      en_i,
  input  exec_pkg::cvt_ctl_t [2:0]        ctl_i,   // ctl_i[k]: of the operation in stage k+1
  // operand
  input  logic [cfg_pkg::LANES-1:0][31:0] b_i,
  // result
  output logic [cfg_pkg::LANES-1:0][31:0] lo_o
);

  localparam int LANES = int'(cfg_pkg::LANES);

  exec_pkg::cvt_ctl_t ctl1, ctl2, ctl3;
  assign {ctl3, ctl2, ctl1} = ctl_i;

  // ---- Stage 1 ---------------------------------------------------------------------------------
  // F2I: the significand stands with its leading bit at 2^31 (exponent 158) and is shifted right by `right`, 0 to 33.
  typedef struct packed {
    logic       sign, nan;
    logic       vast;     // F2I: 2^32 and above, infinity
    logic [5:0] right;
    // FRND:
    logic       guard, sticky, odd;
  } side_t;

  logic [31:0] word_d [LANES], word_q [LANES];   // I2F: magnitude; F2I: significand, leading bit on top
  logic [30:0] unit_d [LANES], unit_q [LANES];   // FRND: the weight of 1 in the word's exponent and fraction
  side_t       side_d [LANES], side_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        top      = ctl1.bits8 ? b_i[l][7] : b_i[l][15];
        automatic logic [31:0] sign_in  = {32{top && !ctl1.uns}};
        automatic logic [31:0] raw      = ctl1.to_int ? b_i[l] : ctl1.bits8 ? {sign_in[31:8], b_i[l][7:0]} :
                                          ctl1.bits16 ? {sign_in[31:16], b_i[l][15:0]} : b_i[l];
        automatic logic        negative = raw[31] && !ctl1.uns;
        automatic logic [7:0]  exp      = raw[30:23];
        automatic logic        low      = exp == '0;
        // FRND: fraction bits below the point, of numbers from 1 to 2^23; smaller ones are all below it, larger ones above.
        automatic logic [22:0] frac     = (low && ctl1.ftz) ? 23'b0 : raw[22:0];
        automatic logic [7:0]  below    = 8'd150 - exp;
        automatic logic        whole    = exp >= 8'd150;
        automatic logic        part     = exp < 8'd127;
        automatic logic [22:0] drop     = whole ? 23'b0 : part ? '1 : ~(23'h7f_ffff << below[4:0]);
        automatic logic [22:0] half     = drop ^ (drop >> 1);
        automatic logic [5:0]  right    = (exp >= 8'd158) ? 6'd0 : (exp < 8'd125) ? 6'd33 : 6'(8'd158 - exp);
        word_d[l]       = ctl1.to_int   ? {!low, frac, 8'b0} :
                          ctl1.in_place ? {1'b0, part ? 8'b0 : exp, frac & ~drop} : (raw ^ {32{negative}}) + 32'(negative);
        unit_d[l]       = part ? {8'd127, 23'b0} : {7'b0, {1'b0, drop} + 24'd1};
        side_d[l].sign  = (ctl1.to_int || ctl1.in_place) ? (raw[31] && !ctl1.abs) ^ ctl1.neg : negative;
        side_d[l].nan   = exp == '1 && raw[22:0] != '0;
        side_d[l].vast  = exp > 8'd158;
        side_d[l].right = right;
        // A number below 1 drops its leading one, too: half of 1 from exponent 126 on.
        side_d[l].guard  = part ? exp == 8'd126 : (frac & half) != '0;
        side_d[l].sticky = part ? frac != '0 || (!low && exp != 8'd126) : (frac & drop & ~half) != '0;
        side_d[l].odd    = !part && (exp == 8'd127 || (frac & (drop + 23'd1)) != '0);
      end
      unit_q <= unit_d;
      word_q <= word_d;
      side_q <= side_d;
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  // One shifter to the right. I2F: the magnitude shifted left by its leading zeros is {magnitude, 0} read from bit 32 - zeros
  // on, that is, shifted right by 32 - zeros in a word of 64 bits, of which the lower half is kept. F2I: {significand, 0}
  // shifted right; the upper half is the integer, the lower half guard and sticky.
  typedef struct packed {
    logic       sign, nan, vast;
    logic       zero;     // I2F: of zero
    logic [4:0] zeros;    // I2F: leading zeros
    logic       odd;      // FRND: the lowest bit kept
    logic       guard;    // the first bit dropped
    logic       sticky;   // a later one is set
  } late_t;

  logic [31:0] value_d [LANES], value_q [LANES];   // I2F: significand, leading bit on top; F2I: integer
  logic [30:0] unit3_q [LANES];
  late_t       late_d [LANES], late_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] w5     = word_q[l];
        automatic logic        z4     = w5[31:16] == '0;
        automatic logic [15:0] w4     = z4 ? w5[15:0] : w5[31:16];
        automatic logic        z3     = w4[15:8] == '0;
        automatic logic [7:0]  w3     = z3 ? w4[7:0] : w4[15:8];
        automatic logic        z2     = w3[7:4] == '0;
        automatic logic [3:0]  w2     = z2 ? w3[3:0] : w3[7:4];
        automatic logic        z1     = w2[3:2] == '0;
        automatic logic        z0     = !(z1 ? w2[1] : w2[3]);
        automatic logic [4:0]  zeros  = {z4, z3, z2, z1, z0};
        automatic logic [5:0]  amount = ctl2.to_int ? side_q[l].right : 6'd32 - 6'(zeros);
        automatic logic [63:0] wide   = {w5, 32'b0} >> amount[4:0];
        automatic logic [31:0] upper  = amount[5] ? 32'b0 : wide[63:32];
        automatic logic [31:0] lower  = amount[5] ? wide[63:32] : wide[31:0];
        automatic logic        lost   = amount[5] && wide[31:0] != '0;
        value_d[l]       = ctl2.in_place ? w5 : ctl2.to_int ? upper : lower;
        late_d[l].sign   = side_q[l].sign;
        late_d[l].nan    = side_q[l].nan;
        late_d[l].vast   = side_q[l].vast;
        late_d[l].zero   = w5 == '0;
        late_d[l].zeros  = zeros;
        late_d[l].odd    = side_q[l].odd;
        late_d[l].guard  = ctl2.in_place ? side_q[l].guard : ctl2.to_int ? lower[31] : lower[7];
        late_d[l].sticky = ctl2.in_place ? side_q[l].sticky :
                           ctl2.to_int ? lower[30:0] != '0 || lost : lower[6:0] != '0;
      end
      unit3_q <= unit_q;
      value_q <= value_d;
      late_q  <= late_d;
    end
  end

  // ---- Stage 3 ---------------------------------------------------------------------------------
  logic [31:0] lo_d [LANES], lo_q [LANES];
  logic        up_d [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic odd = ctl3.in_place ? late_q[l].odd : ctl3.to_int ? value_q[l][0] : value_q[l][8];
        up_d[l] = exec_pkg::round_up(ctl3.rnd, late_q[l].sign, odd, late_q[l].guard, late_q[l].sticky);
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] value   = value_q[l];
        automatic late_t       s       = late_q[l];
        automatic logic        up      = up_d[l];

        // I2F: the leading one adds one to the exponent, which therefore starts at 157 (of 2^31: 158).
        // F2I: -(n + up) is ~n + !up: one adder for both. Numbers of 2^24 and above have no fraction, so rounding never leads
        // out of range.
        // FRND: a carry out of the fraction raises the exponent, as it should.
        automatic logic [31:0] base    = ctl3.in_place ? value : ctl3.to_int ? value ^ {32{s.sign}} : {8'b0, value[31:8]};
        automatic logic [31:0] step    = ctl3.in_place ? {1'b0, unit3_q[l] & {31{up}}} :
                                         ctl3.to_int ? 32'b0 : {1'b0, 8'd157 - 8'(s.zeros), 23'b0};
        automatic logic        one     = !ctl3.in_place && (up ^ (ctl3.to_int && s.sign));
        automatic logic [31:0] rounded = base + step + 32'(one);

        automatic logic        over    = s.vast || (!ctl3.uns && value[31] && !(s.sign && value[30:0] == '0));
        // Of 8 and 16 bits, rounding may lead out of range: the rounded number is judged. Its sign is the integer's, if
        // it is not out of the range of 32 bits.
        automatic logic [31:0] high    = ~(ctl3.bits8 ? (ctl3.uns ? 32'h0000_00ff : 32'h0000_007f)
                                                      : (ctl3.uns ? 32'h0000_ffff : 32'h0000_7fff));
        automatic logic        narrow  = ctl3.bits8 || ctl3.bits16;
        automatic logic        outside = narrow && (rounded & high) != (s.sign ? high : 32'b0);
        automatic logic [31:0] limit32 = ctl3.uns ? 32'hffff_ffff : s.sign ? 32'h8000_0000 : 32'h7fff_ffff;
        automatic logic [31:0] limit   = !narrow ? limit32 : s.sign ? high : ~high;
        automatic logic [31:0] integral = s.nan ? 32'd0 :
                                          ctl3.wrap ? rounded :
                                          (ctl3.uns && s.sign) ? 32'd0 :
                                          (over || (outside && rounded != '0)) ? limit : rounded;
        automatic logic [31:0] number  = (ctl3.in_place && s.nan) ? 32'h7fff_ffff : {s.sign, rounded[30:0]};
        lo_d[l] = ctl3.to_int ? integral : (s.zero && !ctl3.in_place) ? 32'd0 : number;
      end
      lo_q <= lo_d;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) lo_o[l] = lo_q[l];
  end

endmodule

`default_nettype wire
