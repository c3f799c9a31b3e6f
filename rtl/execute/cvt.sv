// SPDX-License-Identifier: Apache-2.0 Conversion pipe (I2F, F2I, F2F, F2FP, FRND; FP32 and FP16): a beat of LANES lanes in PASSES
// passes of CVT_LANES, lowest first. One shifter for integer to number (I2F), number to integer (F2I), number to number (F2F,
// F2FP); number to an integral number in its place (FRND). FP16 operands are taken as FP32 ones of small exponents.   stage 1  I2F:
// sign and magnitude. Others: operand apart, how far to shift; FRND: what is below the point -> rank 1   stage 2  leading one to
// the top, or shifted to the point (F2I, FRND) or to FP16's subnormals; guard, sticky -> rank 2   stage 3  round, and for F2I
// negate and saturate                                          -> rank 3, the outputs
// Latency: operand in cycle T, output in cycle T + LATENCY_CVT - 1 (three ranks, and a cycle for each further pass).
// Throughput: a beat in PASSES cycles.
// Handshake: none. op_valid_i marks a beat: its passes are at the inputs in this cycle and the next ones; the reservation table
// has reserved the write slot.
// It does not read registers, mask lanes, or drop results, and has no exception flags.
// With one pass outputs keep their value while no beat arrives; else they stand for a cycle.
// To FP32 nothing overflows or becomes subnormal: the largest integer has magnitude 2^32, FP16 lies within. F2I of a NaN is 0,
// any other NaN 0x7fffffff or 0x7fff.
// Stages are written as loops over lanes in clocked blocks, for the reason given in fma_lanes.sv; their payload has no reset.
`include "heddle_lanes.svh"

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
  localparam int          LANES  = int'(WIDTH);   // of a pass
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

  cvt_pack_lanes u_pack (
    .clk_i   (clk_i),
    .en_i    (stage_en),
    .ctl_i   (stage_ctl),
    .a_i     (op_a_i),
    .upper_o (pass_upper)
  );

  exec_pkg::cvt_ctl_t ctl1, ctl2, ctl3;
  assign {ctl3, ctl2, ctl1} = stage_ctl;

  // ---- Stage 1 ---------------------------------------------------------------------------------
  // A significand stands with its leading bit at 2^31. F2I (exponent 158) shifts it right by `right`, 0 to 33; F2F to FP16 by
  // right - 32, which is how far the number lies below FP16's normal ones. FRND learns from F2I's shift how to round, and rounds
  // the operand: bits below the point are all ones then, if it rounds up, and one is added, or else zeros.
  typedef struct packed {
    logic       sign, nan, inf;
    logic       vast;     // F2I: 2^32 and above, infinity
    logic [5:0] right;
    logic       part;     // FRND: below 1, which counts as 1/2 for what is rounded up
    logic [7:0] exp;      // biased exponent of the result, less one, if the leading bit is set; FRND: the operand's
  } side_t;

  logic [31:0] word_d [LANES], word_q [LANES];   // I2F: magnitude; else significand, leading bit on top
  logic [22:0] drop_d [LANES], drop_q [LANES];   // FRND: the fraction's bits below the point
  side_t       side_d [LANES], side_q [LANES];

  always_ff @(posedge clk_i) begin
    if (stage_en[0]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        top      = ctl1.bits8 ? op_b_i[l][7] : op_b_i[l][15];
        automatic logic [31:0] sign_in  = {32{top && !ctl1.uns}};
        automatic logic [31:0] raw      = ctl1.to_int ? op_b_i[l] : ctl1.bits8 ? {sign_in[31:8], op_b_i[l][7:0]} :
                                          ctl1.bits16 ? {sign_in[31:16], op_b_i[l][15:0]} : op_b_i[l];
        automatic logic        negative = raw[31] && !ctl1.uns;
        automatic logic [15:0] raw16    = ctl1.upper ? op_b_i[l][31:16] : op_b_i[l][15:0];
        // FP16's exponent as FP32 has it, but for infinity and NaN; that of its subnormals is 1.
        automatic logic        low16    = raw16[14:10] == '0;
        automatic logic [7:0]  exp16    = 8'd112 + 8'({raw16[14:11], raw16[10] || low16});
        automatic logic        minus    = ctl1.from16 ? raw16[15] : raw[31];
        automatic logic        low      = ctl1.from16 ? low16 : raw[30:23] == '0;
        automatic logic        special  = ctl1.from16 ? raw16[14:10] == '1 : raw[30:23] == '1;
        automatic logic [7:0]  exp      = ctl1.from16 ? exp16 : raw[30:23];
        automatic logic [22:0] frac     = ctl1.from16 ? {raw16[9:0], 13'b0} : (low && ctl1.ftz) ? 23'b0 : raw[22:0];
        // FRND: fraction bits below the point, of numbers from 1 to 2^23; smaller ones are all below it, larger ones above. They
        // are 150 - exp: of its lower five bits ~exp, less 9, so ones are shifted by these and taken from bit 9 on.
        automatic logic        whole    = exp >= 8'd150;
        automatic logic        part     = exp < 8'd127;
        automatic logic [31:0] from_exp = 32'hffff_ffff << ~exp[4:0];
        automatic logic [22:0] below    = (exp < 8'd128) ? '1 : ~from_exp[31:9];
        automatic logic        tiny     = exp < 8'd113;   // to FP16: subnormal
        automatic logic [5:0]  to_point = (exp >= 8'd158) ? 6'd0 : (exp < 8'd125) ? 6'd33 : 6'(8'd158 - exp);
        automatic logic [5:0]  to_tiny  = (!ctl1.to16 || !tiny) ? 6'd32 : (exp < 8'd82) ? 6'd63 : 6'(8'd145 - exp);
        automatic logic [7:0]  exp_int  = ctl1.to16 ? 8'd45 : 8'd157;   // of 2^31: one more
        automatic logic [7:0]  exp_down = tiny ? 8'd0 : exp - 8'd113;
        automatic logic [7:0]  exp_same = low ? 8'd0 : exp - 8'd1;
        word_d[l]       = (ctl1.to_int || ctl1.in_place || ctl1.from_float) ? {!low, frac, 8'b0}
                                                                            : (raw ^ {32{negative}}) + 32'(negative);
        drop_d[l]       = (!ctl1.in_place || whole) ? 23'b0 : below;
        side_d[l].sign  = (ctl1.to_int || ctl1.in_place || ctl1.from_float) ? (minus && !ctl1.abs) ^ ctl1.neg : negative;
        side_d[l].nan   = special && frac != '0;
        side_d[l].inf   = special && frac == '0;
        side_d[l].vast  = exp > 8'd158 || special;
        side_d[l].right = (ctl1.to_int || ctl1.in_place) ? to_point : to_tiny;
        side_d[l].part  = part;
        side_d[l].exp   = ctl1.in_place ? (part ? 8'd126 : exp) : !ctl1.from_float ? exp_int :
                          ctl1.norm ? exp - 8'd1 : ctl1.to16 ? exp_down : exp_same;
      end
      drop_q <= drop_d;
      word_q <= word_d;
      side_q <= side_d;
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  // One shifter to the right. {word, 0} is shifted in 64 bits; the upper half is F2I's integer, the lower half its guard and
  // sticky. To a number the lower half counts: of a shift by 32 it is the word as it is, by more the word shifted right, by
  // 32 - zeros the word shifted left by its leading zeros.
  typedef struct packed {
    logic       sign, nan, inf, vast;
    logic       zero;     // the word is
    logic [7:0] exp;      // as in side_t, or of the leading one that was found
    logic       part;     // as in side_t
    logic       odd;      // the lowest bit kept
    logic       guard;    // the first bit dropped
    logic       sticky;   // a later one is set
  } late_t;

  logic [31:0] value_d [LANES], value_q [LANES];   // significand, leading bit on top; F2I: integer; FRND: zero
  logic [22:0] kept_d [LANES], kept_q [LANES];     // FRND: the fraction's bits above the point
  logic [22:0] drop3_q [LANES];
  late_t       late_d [LANES], late_q [LANES];

  always_ff @(posedge clk_i) begin
    if (stage_en[1]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] w5     = word_q[l];
        // Which of its nibbles are zero is found for all of them, and then chosen.
        automatic logic [7:0]  none   = {w5[31:28] == '0, w5[27:24] == '0, w5[23:20] == '0, w5[19:16] == '0,
                                         w5[15:12] == '0, w5[11:8] == '0, w5[7:4] == '0, w5[3:0] == '0};
        automatic logic        z4     = none[7:4] == '1;
        automatic logic        z3     = z4 ? none[3:2] == '1 : none[7:6] == '1;
        automatic logic        z2     = z4 ? (z3 ? none[1] : none[3]) : (z3 ? none[5] : none[7]);
        automatic logic [3:0]  w2     = w5[{~z4, ~z3, ~z2, 2'd0} +: 4];
        automatic logic        z1     = w2[3:2] == '0;
        automatic logic        z0     = !(z1 ? w2[1] : w2[3]);
        automatic logic [4:0]  zeros  = {z4, z3, z2, z1, z0};
        // By 32 - zeros: by one, and by the complement of the zeros. The largest step first, as the zeros are found.
        automatic logic [4:0]  amount = ctl2.norm ? ~zeros : side_q[l].right[4:0];
        automatic logic        all    = !ctl2.norm && side_q[l].right[5];
        automatic logic [63:0] wide0  = ctl2.norm ? {1'b0, w5, 31'b0} : {w5, 32'b0};
        automatic logic [63:0] wide1  = amount[4] ? wide0 >> 16 : wide0;
        automatic logic [63:0] wide2  = amount[3] ? wide1 >> 8 : wide1;
        automatic logic [63:0] wide3  = amount[2] ? wide2 >> 4 : wide2;
        automatic logic [63:0] wide4  = amount[1] ? wide3 >> 2 : wide3;
        automatic logic [63:0] wide   = amount[0] ? wide4 >> 1 : wide4;
        automatic logic [31:0] upper  = all ? 32'b0 : wide[63:32];
        automatic logic [31:0] lower  = all ? wide[63:32] : wide[31:0];
        automatic logic        lost   = all && wide[31:0] != '0;
        automatic logic        rest   = lower[6:0] != '0 || lost;
        automatic logic        point  = ctl2.to_int || ctl2.in_place;
        value_d[l]       = ctl2.in_place ? 32'b0 : ctl2.to_int ? upper : lower;
        kept_d[l]        = ctl2.in_place ? w5[30:8] & ~drop_q[l] : 23'b0;
        late_d[l].sign   = side_q[l].sign;
        late_d[l].nan    = side_q[l].nan;
        late_d[l].inf    = side_q[l].inf;
        late_d[l].vast   = side_q[l].vast;
        late_d[l].zero   = none == '1;
        late_d[l].exp    = side_q[l].exp - (ctl2.norm ? 8'(zeros) : 8'd0);
        late_d[l].part   = side_q[l].part;
        late_d[l].odd    = point ? upper[0] : ctl2.to16 ? lower[21] : lower[8];
        late_d[l].guard  = point ? lower[31] : ctl2.to16 ? lower[20] : lower[7];
        late_d[l].sticky = (point && lower[30:20] != '0) || ((point || ctl2.to16) && lower[19:7] != '0) || rest;
      end
      drop3_q <= drop_q;
      kept_q  <= kept_d;
      value_q <= value_d;
      late_q  <= late_d;
    end
  end

  // ---- Stage 3 ---------------------------------------------------------------------------------
  logic [31:0] lo_d [LANES], lo_q [LANES], rounded_d [LANES], fixed_d [LANES];
  logic        up_d [LANES], plain_d [LANES];

  always_ff @(posedge clk_i) begin
    if (stage_en[2]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        up_d[l] = exec_pkg::round_up(ctl3.rnd, late_q[l].sign, late_q[l].odd, late_q[l].guard, late_q[l].sticky);
      end
      // To a number: the leading one adds one to the exponent, and so does a carry out of the fraction. FP16's fraction stands
      // in the upper bits of FP32's. F2I: -(n + up) is ~n + !up: one adder for all. Numbers of 2^24 and above have no fraction,
      // so rounding never leads out of range.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] value = value_q[l];
        automatic late_t       s     = late_q[l];
        automatic logic        up    = up_d[l];
        automatic logic [7:0]  exp   = s.exp & {8{!ctl3.in_place || !s.part || up}};
        automatic logic [31:0] base  = (ctl3.to_int ? value ^ {32{s.sign}}
                                                    : {8'b0, value[31:21], value[20:8] & {13{!ctl3.to16}}}) |
                                       {9'b0, kept_q[l] | (drop3_q[l] & {23{up}})};
        automatic logic [31:0] step  = {1'b0, exp & {8{!ctl3.to_int}}, 9'b0, up && ctl3.to16 && !ctl3.in_place && !ctl3.to_int, 13'b0};
        automatic logic        one   = ctl3.to_int ? up ^ s.sign : up && (ctl3.in_place || !ctl3.to16);
        rounded_d[l] = base + step + 32'(one);
      end
      // Results that are not the sum, formed while that is; bits that are always the same are the same signal.
      if (ctl3.to_int) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          automatic logic [31:0] value   = value_q[l];
          automatic late_t       s       = late_q[l];
          automatic logic [31:0] rounded = rounded_d[l];
          automatic logic        over    = s.vast || (!ctl3.uns && value[31] && !(s.sign && value[30:0] == '0));
          // Rounding to 8 and 16 bits may lead out of range: the rounded number is judged. Its sign is the integer's, if
          // it is not out of the range of 32 bits.
          automatic logic        narrow  = ctl3.bits8 || ctl3.bits16;
          automatic logic [31:0] most    = {!narrow && ctl3.uns, {15{!narrow}}, !ctl3.bits8 && (!narrow || ctl3.uns),
                                            {7{!ctl3.bits8}}, !ctl3.bits8 || ctl3.uns, 7'h7f};
          automatic logic        outside = narrow && ((rounded ^ {32{s.sign}}) & ~most) != '0;
          automatic logic        none    = s.nan || (ctl3.uns && s.sign);
          automatic logic        outer   = over || (outside && rounded != '0);
          plain_d[l] = !none && !outer;
          fixed_d[l] = (most ^ {32{s.sign}}) & {32{outer && !none}};
        end
      end else if (ctl3.to16) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          automatic late_t       s       = late_q[l];
          automatic logic [31:0] rounded = rounded_d[l];
          automatic logic        nan     = s.nan && (ctl3.in_place || ctl3.from_float);
          automatic logic        inf     = s.inf && ctl3.from_float;
          // FRND's exponent has the bias of FP32: 112 more. Zero stays zero.
          automatic logic        top     = ctl3.in_place ? rounded[27] ^ (rounded[30:23] != '0) : rounded[27];
          automatic logic        over    = inf || (!ctl3.in_place && (rounded[30:28] != '0 || rounded[27:23] == '1));
          automatic logic        largest = exec_pkg::to_largest(ctl3.rnd, s.sign) && !inf;
          automatic logic        zero    = (ctl3.norm && s.zero) || ((ctl3.sat || ctl3.relu) && s.sign);
          automatic logic        one     = ctl3.sat && (over || top || rounded[26:23] == '1);   // 1 and above
          automatic logic        vast    = over && !nan && !zero && !one;
          automatic logic        all     = nan && !ctl3.sat;
          automatic logic        unit    = one && !nan && !zero;
          plain_d[l]   = !nan && !zero && !one && !over;
          rounded_d[l] = {16'b0, s.sign, top, rounded[26:13]};
          fixed_d[l]   = {pass_upper[l], vast && s.sign, all || vast, {3{all || vast || unit}}, all || (vast && !largest) || unit,
                          {10{all || (vast && largest)}}};
        end
      end else begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          automatic late_t       s       = late_q[l];
          automatic logic [31:0] rounded = rounded_d[l];
          automatic logic        nan     = s.nan && (ctl3.in_place || ctl3.from_float);
          automatic logic        inf     = ctl3.from_float && s.inf;
          automatic logic        zero    = (ctl3.norm && s.zero) || (ctl3.sat && s.sign);
          automatic logic        one     = ctl3.sat && (inf || rounded[30] || rounded[29:23] == '1);   // 1 and above
          automatic logic        all     = nan && !ctl3.sat;
          automatic logic        unit    = one && !nan && !zero;
          automatic logic        vast    = inf && !nan && !zero && !ctl3.sat;
          plain_d[l]   = !nan && !zero && !one && !inf;
          rounded_d[l] = {s.sign, rounded[30:0]};
          fixed_d[l]   = {!nan && (zero || vast) && s.sign && !ctl3.sat, all || vast, {6{all || vast || unit}},
                          all || vast || unit, {23{all}}};
        end
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) lo_d[l] = (rounded_d[l] & {32{plain_d[l]}}) | fixed_d[l];
      lo_q <= lo_d;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) pass_lo[l] = lo_q[l];
  end

endmodule
