// SPDX-License-Identifier: Apache-2.0
// The lanes of the special-function unit: one datapath for all functions, as isa/doc/09-special-functions.md defines it.
//   stage 1  operand apart, halves and upper words of FP64 as well                                  -> rank 1
//   stage 2  fixed point (EX2, SIN, COS); special results                                           -> rank 2
//   stage 3  segment, X, exponent                                                                   -> rank 3
//   stage 4  the ROM's row, truncated square of X                                                   -> rank 4
//   stage 5  two products                                                                           -> rank 5
//   stage 6  sum S (LG2: V)                                                                         -> rank 6
//   stage 7  leading zeros, coarse shift                                                            -> rank 7
//   stage 8  fine shift, cut to the format, special results                                         -> rank 8, the outputs
// Latency: eight cycles from operand to output. One operation a cycle, whatever function and format.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It names no instructions (sfu_decode does), does not mask lanes; nothing in it rounds.
// The sum is kept in units of 2^-POINT, other for each function; its 46 bits hold V of LG2, eight of them the exponent.
// Stages are written as loops over lanes in clocked blocks, for the reason given in fma_lanes.sv.
`include "heddle_lanes.svh"

module sfu_lanes #(
  parameter int unsigned WIDTH = exec_pkg::SFU_LANES
) (
  input  logic                                clk_i,
  // from sfu_unit
  input  logic [exec_pkg::SFU_RANKS-1:0]           en_i,
  input  exec_pkg::sfu_ctl_t [exec_pkg::SFU_RANKS-1:0]  ctl_i,   // ctl_i[k]: of the operation in stage k+1
  // operand
  input  logic [WIDTH-1:0][31:0]              b_i,
  // result
  output logic [WIDTH-1:0][31:0]              lo_o
);

  localparam int LANES = int'(WIDTH);

  exec_pkg::sfu_ctl_t ctl1, ctl2, ctl3, ctl4, ctl5, ctl6, ctl7, ctl8;
  assign {ctl8, ctl7, ctl6, ctl5, ctl4, ctl3, ctl2, ctl1} = ctl_i;

  // ---- Stage 1: operand apart ------------------------------------------------------------------
  typedef struct packed {
    logic        sign, nan, inf;
    logic        low;     // exponent field 0: zero, or counts as zero, or (TANH, FP16) is subnormal
    logic [11:0] exp;     // less the bias; signed
    logic [22:0] frac;
  } number_t;

  number_t num_d [LANES], num_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        f16  = ctl1.fmt == exec_pkg::FMT_F16;
        automatic logic        f64  = ctl1.fmt == exec_pkg::FMT_F64;
        automatic logic        half = f16 || ctl1.fmt == exec_pkg::FMT_BF16;
        automatic logic [31:0] raw  = half ? {b_i[l][15:0], 16'b0} : b_i[l];
        automatic logic [10:0] exp  = f64 ? raw[30:20] : f16 ? {6'b0, raw[30:26]} : {3'b0, raw[30:23]};
        automatic logic [22:0] frac = f64 ? {raw[19:0], 3'b0} : f16 ? {raw[25:16], 13'b0} : raw[22:0];
        automatic logic [10:0] most = f64 ? 11'd2047 : f16 ? 11'd31 : 11'd255;
        automatic logic        low  = exp == '0;
        automatic logic        keep = f16 || ctl1.fn == exec_pkg::FN_TANH;   // subnormals are what they are
        num_d[l].sign = (raw[31] && !ctl1.abs) ^ ctl1.neg;
        num_d[l].nan  = exp == most && frac != '0;
        num_d[l].inf  = exp == most && frac == '0;
        num_d[l].low  = low;
        num_d[l].exp  = {1'b0, exp} - {2'b0, most[10:1]};                   // the bias is half of that
        num_d[l].frac = (low && !keep) ? 23'b0 : frac;
      end
      num_q <= num_d;
    end
  end

  // ---- Stage 2: fixed point, special results ---------------------------------------------------
  typedef enum logic [2:0] {IS_SUM, IS_NAN, IS_INF, IS_ZERO, IS_ONE, IS_SELF} is_e;

  is_e         is2_d [LANES], is2_q [LANES];
  logic        sign2_d [LANES], sign2_q [LANES];
  logic [11:0] exp2_q [LANES];
  logic [11:0] exp2_d [LANES];
  logic        plain_d [LANES], plain_q [LANES];   // the fraction is 0
  logic [29:0] fix_d [LANES], fix_q [LANES];       // EX2: 7 bits and 23 of fraction; SIN, COS: 25 of fraction; else the operand's

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic number_t     n     = num_q[l];
        automatic logic        rcp   = ctl2.fn == exec_pkg::FN_RCP;
        automatic logic        rsq   = ctl2.fn == exec_pkg::FN_RSQ;
        automatic logic        root  = ctl2.fn == exec_pkg::FN_SQRT;
        automatic logic        ex2   = ctl2.fn == exec_pkg::FN_EX2;
        automatic logic        lg2   = ctl2.fn == exec_pkg::FN_LG2;
        automatic logic        turns = ctl2.fn == exec_pkg::FN_SIN || ctl2.fn == exec_pkg::FN_COS;
        // A subnormal FP16 has the exponent of the smallest normal one, which is one more: its fraction moves by one.
        automatic logic [23:0] mant  = n.low ? {n.frac, 1'b0} : {1'b1, n.frac};
        automatic logic [11:0] right = (turns ? 12'd22 : 12'd24) - n.exp;
        // {mant, 24 zeros} shifted right, by up to 15 and then by multiples of 16.
        automatic logic [38:0] near  = align_pkg::aligned(mant, right[3:0]);
        automatic logic [29:0] moved = ({30{right[5:4] == 2'd0}} & {near[20:0], 9'b0}) | ({30{right[5:4] == 2'd1}} & near[36:7]) |
                                       {14'b0, {16{right[5:4] == 2'd2}} & near[38:23]};
        automatic logic        far   = right[11:6] != '0;
        automatic logic [29:0] fixed = far ? 30'b0 : {turns ? 5'b0 : moved[29:25], moved[24:0]};
        automatic logic        high  = !n.exp[11] && n.exp[10:0] >= 11'd7;   // EX2: 128 and above
        automatic logic        over  = !n.exp[11] && n.exp[10:0] >= 11'd3;   // TANH: 8 and above
        automatic logic        under = n.exp[11] && n.exp[10:0] < 11'h7f8;   // TANH: below 2^-8
        automatic logic        unity = n.exp == '0 && n.frac == '0;
        is2_d[l]   = n.nan ? IS_NAN :
                     rcp   ? (n.low ? IS_INF : n.inf ? IS_ZERO : IS_SUM) :
                     rsq   ? (n.low ? IS_INF : n.sign ? IS_NAN : n.inf ? IS_ZERO : IS_SUM) :
                     root  ? (n.low ? IS_ZERO : n.sign ? IS_NAN : n.inf ? IS_INF : IS_SUM) :
                     ex2   ? (!high ? IS_SUM : n.sign ? IS_ZERO : IS_INF) :
                     lg2   ? (n.low ? IS_INF : n.sign ? IS_NAN : n.inf ? IS_INF : unity ? IS_ZERO : IS_SUM) :
                     turns ? (n.inf ? IS_NAN : IS_SUM) :
                             (over ? IS_ONE : under ? IS_SELF : IS_SUM);
        // With EX2 it is v's; the result's is positive (stage 3).
        sign2_d[l] = (rsq || root) ? n.low && n.sign : lg2 ? n.low : n.sign;
        exp2_d[l]  = n.exp;
        plain_d[l] = n.frac == '0;
        fix_d[l]   = (turns || ex2) ? fixed : {7'b0, n.frac};
      end
      is2_q   <= is2_d;
      sign2_q <= sign2_d;
      exp2_q  <= exp2_d;
      plain_q <= plain_d;
      fix_q   <= fix_d;
    end
  end

  // ---- Stage 3: segment, X, exponent -----------------------------------------------------------
  // TANH, octave k (the index is k + 8): 2^n segments, the sum in units of 2^-(36+t).
  localparam logic [15:0][2:0] OCTAVE_N = {15'b0, 3'd3, 3'd4, 3'd3, 3'd2, 3'd2, 3'd2, 3'd1, 3'd1, 3'd0, 3'd0, 3'd0};
  localparam logic [15:0][1:0] OCTAVE_T = {10'b0, 2'd1, 2'd3, 2'd1, 2'd0, 2'd1, 2'd2, 2'd1, 2'd2, 2'd1, 2'd2, 2'd3};

  logic [9:0]  row_addr_d [LANES], row_addr_q [LANES];
  logic [16:0] x3_d [LANES], x3_q [LANES];
  logic [12:0] exp3_d [LANES], exp3_q [LANES];   // signed
  logic [23:0] top3_d [LANES], top3_q [LANES];   // added on top of the row: exponent of LG2, significand of what returns itself
  is_e         is3_q [LANES];
  logic        sign3_d [LANES], sign3_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        rcp   = ctl3.fn == exec_pkg::FN_RCP;
        automatic logic        rsq   = ctl3.fn == exec_pkg::FN_RSQ;
        automatic logic        root  = ctl3.fn == exec_pkg::FN_SQRT;
        automatic logic        ex2   = ctl3.fn == exec_pkg::FN_EX2;
        automatic logic        lg2   = ctl3.fn == exec_pkg::FN_LG2;
        automatic logic        sin   = ctl3.fn == exec_pkg::FN_SIN;
        automatic logic        turns = sin || ctl3.fn == exec_pkg::FN_COS;
        automatic logic        tanh  = ctl3.fn == exec_pkg::FN_TANH;
        automatic logic        self  = is2_q[l] == IS_SELF;
        automatic logic        sign  = sign2_q[l];
        automatic logic [29:0] fix   = fix_q[l];
        automatic logic [11:0] e     = exp2_q[l];
        // EX2: v = -u is whole, or else ~u. SIN, COS: odd quadrants run backwards.
        automatic logic [1:0]  q     = fix[24:23] + {1'b0, !sin};
        automatic logic        whole = fix[22:0] == '0;
        automatic logic        flip  = (ex2 && sign && !whole) || (turns && q[0]);
        automatic logic [22:0] p     = fix[22:0] ^ {23{flip}};
        automatic logic [3:0]  k     = self ? 4'd15 : e[3:0] + 4'd8;   // 15: the rows are zero
        automatic logic [22:0] moved = p << OCTAVE_N[k];
        // 1/sqrt of a power of 4 is exact: a row of its own.
        automatic logic [9:0]  first = rsq   ? ((plain_q[l] && !e[0]) ? mufu_pkg::ROW_ONE : mufu_pkg::ROW_RSQ) :
                                       root  ? mufu_pkg::ROW_SQRT : ex2 ? mufu_pkg::ROW_EX2 :
                                       turns ? mufu_pkg::ROW_SIN : mufu_pkg::ROW_LG2;
        automatic logic        odd   = (rsq || root) && e[0];
        // Exponent of a result with the sum's top bit as the leading one: bias + 45 - (units of the sum) + part. What returns
        // itself stands at the top.
        automatic logic [10:0] bias  = (ctl3.fmt == exec_pkg::FMT_F64) ? 11'd1023 : (ctl3.fmt == exec_pkg::FMT_F16) ? 11'd15 : 11'd127;
        automatic logic [3:0]  above = (rcp || rsq || root) ? 4'd5 : (ex2 || lg2) ? 4'd7 : turns ? 4'd8 : self ? 4'd0 : 4'd9;
        automatic logic [11:0] part  = (rcp || self)  ? e :
                                       (rsq || root)  ? {e[11], e[11:1]} :
                                       ex2            ? {5'b0, fix[29:23]} :
                                       tanh           ? {10'b0, OCTAVE_T[k]} : 12'b0;
        automatic logic        minus = rcp || rsq || (ex2 && sign) || (tanh && !self);   // less the part; v's is ~u unless whole
        row_addr_d[l] = rcp  ? mufu_pkg::ROW_RCP  | {3'b0, p[22:16]} :
                        tanh ? mufu_pkg::ROW_TANH | {2'b0, k, p[22:19]} : first | {3'b0, odd, p[22:17]};
        x3_d[l]       = rcp ? {p[15:0], 1'b0} : !tanh ? p[16:0] : self ? 17'b0 : moved[22:6];
        exp3_d[l]     = 13'(bias) + 13'(above) + ({part[11], part} ^ {13{minus}}) + 13'(minus && !(ex2 && !whole));
        top3_d[l]     = self ? {1'b1, p} : lg2 ? {e[7:0], 16'b0} : 24'b0;
        sign3_d[l]    = turns ? q[1] ^ (sign && sin) : sign && !ex2;
      end
      row_addr_q <= row_addr_d;
      x3_q       <= x3_d;
      exp3_q     <= exp3_d;
      top3_q     <= top3_d;
      sign3_q    <= sign3_d;
      is3_q      <= is2_q;
    end
  end

  // ---- Stage 4: the ROM's row, the square ------------------------------------------------------
  logic [mufu_pkg::BITS-1:0] row_q [LANES];

  rom #(.WIDTH(mufu_pkg::BITS), .DEPTH(1 << mufu_pkg::ADDR_W), .READERS(WIDTH), .WORDS(mufu_pkg::ROM)) u_rows (
    .clk_i     (clk_i),
    .rd_en_i   (en_i[3]),
    .rd_addr_i (row_addr_q),
    .rd_data_o (row_q)
  );

  // sq(X), truncated: row j of the folded array has x_j alone and its pairs with x_i, i < j, as far as they are not lighter
  // than 2^19. Alone and with its neighbour below it weighs x_j (1 + x_j-1) 2^2j, which is two bits and no sum.
  logic [14:0] sq_d [LANES], sq_q [LANES];
  logic [16:0] x4_q [LANES];
  logic [23:0] top4_q [LANES];
  logic [12:0] exp4_q [LANES];
  is_e         is4_q [LANES];
  logic        sign4_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[3]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [16:0] x   = x3_q[l];
        automatic logic [2:0]  r10 = {x[9],  !x[9],  x[8]}      & {3{x[10]}};
        automatic logic [4:0]  r11 = {x[10], !x[10], x[9:7]}    & {5{x[11]}};
        automatic logic [6:0]  r12 = {x[11], !x[11], x[10:6]}   & {7{x[12]}};
        automatic logic [8:0]  r13 = {x[12], !x[12], x[11:5]}   & {9{x[13]}};
        automatic logic [10:0] r14 = {x[13], !x[13], x[12:4]}   & {11{x[14]}};
        automatic logic [12:0] r15 = {x[14], !x[14], x[13:3]}   & {13{x[15]}};
        automatic logic [14:0] r16 = {x[15], !x[15], x[14:2]}   & {15{x[16]}};
        sq_d[l] = ((15'(r10) + 15'(r11)) + (15'(r12) + 15'(r13))) + ((15'(r14) + 15'(r15)) + r16);
      end
      sq_q    <= sq_d;
      x4_q    <= x3_q;
      top4_q  <= top3_q;
      exp4_q  <= exp3_q;
      is4_q   <= is3_q;
      sign4_q <= sign3_q;
    end
  end

  // ---- Stage 5: products -----------------------------------------------------------------------
  logic signed [35:0] linear_d [LANES], linear_q [LANES];
  logic signed [31:0] curve_d [LANES], curve_q [LANES];
  logic [45:0]        base_d [LANES], base_q [LANES];
  logic [12:0]        exp5_q [LANES];
  is_e                is5_q [LANES];
  logic               sign5_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[4]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        [28:0] c0 = row_q[l][62:34];
        automatic logic signed [17:0] c1 = row_q[l][33:16];
        automatic logic signed [15:0] c2 = row_q[l][15:0];
        automatic logic        [11:0] low = (ctl5.fn == exec_pkg::FN_RCP)  ? mufu_pkg::LOW_RCP :
                                            (ctl5.fn == exec_pkg::FN_RSQ)  ? mufu_pkg::LOW_RSQ :
                                            (ctl5.fn == exec_pkg::FN_SQRT) ? mufu_pkg::LOW_SQRT :
                                            (ctl5.fn == exec_pkg::FN_EX2)  ? mufu_pkg::LOW_EX2 :
                                            (ctl5.fn == exec_pkg::FN_LG2)  ? mufu_pkg::LOW_LG2 :
                                            (ctl5.fn == exec_pkg::FN_TANH) ? mufu_pkg::LOW_TANH : mufu_pkg::LOW_SIN;
        automatic logic signed [17:0] x  = {1'b0, x4_q[l]};
        automatic logic signed [15:0] sq = {1'b0, sq_q[l]};
        linear_d[l] = mul_pkg::s18(c1, x);
        curve_d[l]  = 32'(mul_pkg::s18(18'(c2), 18'(sq)));
        // One of row and top at most has bits above 2^38.
        base_d[l]   = {5'b0, c0, low} | {top4_q[l], 22'b0};
      end
      linear_q <= linear_d;
      curve_q  <= curve_d;
      base_q   <= base_d;
      exp5_q   <= exp4_q;
      is5_q    <= is4_q;
      sign5_q  <= sign4_q;
    end
  end

  // ---- Stage 6: sum ----------------------------------------------------------------------------
  logic [45:0] sum_d [LANES], sum_q [LANES];
  logic [12:0] exp6_q [LANES];
  is_e         is6_q [LANES];
  logic        sign6_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[5]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [45:0] linear = {{10{linear_q[l][35]}}, linear_q[l]};
        automatic logic [45:0] curve  = {{14{curve_q[l][31]}}, curve_q[l]};
        sum_d[l] = base_q[l] + linear + curve;
      end
      sum_q   <= sum_d;
      exp6_q  <= exp5_q;
      is6_q   <= is5_q;
      sign6_q <= sign5_q;
    end
  end

  // ---- Stage 7: leading zeros, coarse shift ----------------------------------------------------
  typedef struct packed {
    is_e         is;
    logic        sign;
    logic [12:0] exp;     // of the top bit before the shifts; signed
    logic [5:0]  zeros;
  } late_t;

  logic [30:0] bits_d [LANES], bits_q [LANES];   // the fine shift is still to be done
  late_t       late_d [LANES], late_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[6]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        // LG2: T is S without its two lowest bits; where V is negative, ~V.
        automatic logic        lg2   = ctl7.fn == exec_pkg::FN_LG2;
        automatic logic        below = lg2 && sum_q[l][45];
        automatic logic [45:0] w6    = {sum_q[l][45:2] ^ {44{below}}, lg2 ? 2'b0 : sum_q[l][1:0]};
        automatic logic        z5    = w6[45:14] == '0;
        automatic logic [45:0] w5    = z5 ? {w6[13:0], 32'b0} : w6;
        automatic logic        z4    = w5[45:30] == '0;
        automatic logic [45:0] w4    = z4 ? {w5[29:0], 16'b0} : w5;
        automatic logic        z3    = w4[45:38] == '0;
        automatic logic [30:0] w3    = z3 ? w4[37:7] : w4[45:15];
        automatic logic        z2    = w3[30:27] == '0;
        automatic logic [3:0]  w2    = z2 ? w3[26:23] : w3[30:27];
        automatic logic        z1    = w2[3:2] == '0;
        automatic logic        z0    = !(z1 ? w2[1] : w2[3]);
        automatic logic        none  = w6 == '0;
        bits_d[l]       = w3;
        late_d[l].is    = (is6_q[l] == IS_SUM && none) ? IS_ZERO : is6_q[l];
        late_d[l].sign  = (lg2 && is6_q[l] == IS_SUM) ? below : sign6_q[l];
        late_d[l].exp   = exp6_q[l];
        late_d[l].zeros = {z5, z4, z3, z2, z1, z0};
      end
      bits_q <= bits_d;
      late_q <= late_d;
    end
  end

  // ---- Stage 8: result -------------------------------------------------------------------------
  logic [31:0] lo_d [LANES], lo_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[7]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic late_t       s     = late_q[l];
        automatic logic [30:0] fine  = bits_q[l] << s.zeros[2:0];
        automatic logic [22:0] man   = fine[29:7];                    // fine[30] is the leading one
        automatic logic [12:0] exp   = s.exp - 13'(s.zeros);
        automatic logic        self  = s.is == IS_SELF;
        automatic logic        tiny  = exp[12] || exp == '0;
        // FP16 keeps subnormals: significand moved by 1 - exp, up to 11.
        automatic logic [12:0] down  = 13'd1 - exp;
        automatic logic [10:0] moved = {1'b1, man[22:13]} >> ((down[12:4] != '0) ? 4'd15 : down[3:0]);
        automatic logic        vast  = !exp[12] && exp[11:0] >= 12'd31;
        automatic logic [14:0] sub16 = self ? {5'b0, man[22:13]} : {4'b0, moved};
        automatic logic [14:0] num16 = tiny ? sub16 : vast ? 15'h7c00 : {exp[4:0], man[22:13]};
        automatic logic [30:0] num64 = tiny ? 31'b0 : {exp[10:0], man[22:3]};
        automatic logic [30:0] num32 = (tiny && !self) ? 31'b0 : {exp[7:0], man};
        automatic logic        f16   = ctl8.fmt == exec_pkg::FMT_F16;
        automatic logic        f64   = ctl8.fmt == exec_pkg::FMT_F64;
        automatic logic [30:0] inf   = f64 ? {11'h7ff, 20'b0} : f16 ? {5'h1f, 26'b0} : {8'hff, 23'b0};
        automatic logic [30:0] one   = f16 ? {5'd15, 26'b0} : {8'd127, 23'b0};
        // FP16 in the upper half, like BF16.
        automatic logic [30:0] size  = (s.is == IS_NAN)  ? '1 :
                                       (s.is == IS_INF)  ? inf :
                                       (s.is == IS_ZERO) ? 31'b0 :
                                       (s.is == IS_ONE)  ? one : f64 ? num64 : f16 ? {num16, 16'b0} : num32;
        automatic logic        sign  = s.sign && s.is != IS_NAN;
        lo_d[l] = (f16 || ctl8.fmt == exec_pkg::FMT_BF16) ? {16'b0, sign, size[30:16]} : {sign, size};
      end
      lo_q <= lo_d;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) lo_o[l] = lo_q[l];
  end

  // Each stage uses a part of the control.
  logic unused;
  assign unused = ^{ctl1, ctl2, ctl3, ctl4, ctl5, ctl6, ctl7, ctl8};

endmodule
