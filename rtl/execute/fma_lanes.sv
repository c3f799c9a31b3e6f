// SPDX-License-Identifier: Apache-2.0
// The lanes of the multiply-add pipe: FP32 a*b + c with one rounding, and integer a*b + c, on one multiplier and one adder;
// IDP4A has a byte of a and one of b in each of the four partial products.
//   stage 1  operands apart, partial products (four of 17 x 17 bits), exponents  -> rank 1
//   stage 2  product, c aligned to it                                            -> rank 2
//   stage 3  sum or difference, and its sign                                     -> rank 3
//   stage 4  leading zeros, coarse shift                                         -> rank 4
//   stage 5  fine shift, rounding, special results                               -> rank 5, the outputs
// Latency: RANKS cycles from operands to outputs: five, or six, where the fine shift has a stage of its own between 4 and 5 (with
// the count of zeros before it, which else is stage 4's). One operation a cycle; subnormals cost nothing.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It names no instructions (fma_decode does), does not mask lanes and raises no flags.
// A stage is worked out in its clocked block, in a loop over lanes, and in words of at most 64 bits: an idle stage then
// costs nothing in simulation, a busy one becomes vector code. Questions that are the same for all lanes are outside of the loops:
// where a loop has branches, it does not. The window of 77 bits lies in two words, 37 and 40 bits.
`include "heddle_lanes.svh"

module fma_lanes #(
  parameter int unsigned RANKS = 5        // 5 or 6
) (
  input  logic                            clk_i,
  // from fma
  input  logic [RANKS-1:0]                en_i,
  input  exec_pkg::fma_ctl_t [RANKS-1:0]  ctl_i,   // ctl_i[k]: of the operation before rank k+1
  input  logic                            odd_i,   // ... in stage 4: the first word of its result is for a bank of odd number
  // operands
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] a_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] b_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] c_i,
  input  logic [cfg_pkg::FMA_LANES-1:0][31:0] c_hi_i,
  // results: for a bank of even, of odd number; the same but for IMAD.WIDE
  output logic [1:0][cfg_pkg::FMA_LANES-1:0][31:0] word_o
);

  localparam int LANES = int'(cfg_pkg::FMA_LANES);

  exec_pkg::fma_ctl_t ctl1, ctl2, ctl3, ctl4, ctl5;
  assign {ctl4, ctl3, ctl2, ctl1} = ctl_i[3:0];
  assign ctl5                     = ctl_i[RANKS-1];

  // ---- Stage 1: operands apart -----------------------------------------------------------------
  // Beside the numbers: special cases, signs, biased exponent less one of the window's top bit, shift of c.
  typedef struct packed {
    logic       none;     // no product
    logic       nan, inf;
    logic       sub;      // the adder subtracts
    logic       sign_c;
    logic       sign_p;   // of the product; an infinite c decides the sign of the result, a finite one is compared in stage 3
    logic [8:0] top;
    logic [6:0] shift;    // 0 to 76
  } side_t;

  typedef struct packed {
    logic        sign, zero, inf, nan;
    logic [7:0]  exp;     // 1 for subnormals
    logic        lead;    // the bit before the fraction
  } number_t;

  function automatic number_t unpack(logic [31:0] raw, logic neg, logic abs, logic ftz);
    automatic logic low  = raw[30:23] == '0;
    automatic logic top  = raw[30:23] == '1;
    automatic logic frac = raw[22:0] != '0;
    unpack = {(raw[31] && !abs) ^ neg, low && (ftz || !frac), top && !frac, top && frac, raw[30:24], raw[23] || low, !low};
  endfunction

  // Byte i of a word, with its sign if it has one.
  function automatic logic [16:0] part(logic [31:0] word, logic [1:0] i, logic is_signed);
    automatic logic [7:0] b = 8'(word >> {i, 3'b000});
    part = {{9{is_signed && b[7]}}, b};
  endfunction

  logic [33:0] ll_d [LANES], lh_d [LANES], hl_d [LANES], hh_d [LANES];
  logic [33:0] ll_q [LANES], lh_q [LANES], hl_q [LANES], hh_q [LANES];
  logic [63:0] c2_d [LANES], c2_q [LANES];
  side_t       side2_d [LANES], side2_q [LANES];
  logic [31:0] factor [LANES], addend [LANES];
  number_t     num_a [LANES], num_b [LANES], num_c [LANES];
  logic signed [16:0] a_ll [LANES], a_lh [LANES], a_hl [LANES], a_hh [LANES];   // operands of the products
  logic signed [16:0] b_ll [LANES], b_lh [LANES], b_hl [LANES], b_hh [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      // FADD is a * 1 + b; FMUL is a * b + 0.
      if (ctl1.add) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          factor[l] = 32'h3f80_0000;
          addend[l] = b_i[l];
        end
      end else begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          factor[l] = b_i[l];
          addend[l] = ctl1.mul ? 32'h0000_0000 : c_i[l];
        end
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        num_a[l] = unpack(a_i[l], ctl1.neg_a, ctl1.abs_a, ctl1.ftz);
        num_b[l] = unpack(factor[l], ctl1.neg_b && !ctl1.add, ctl1.abs_b && !ctl1.add, ctl1.ftz);
        num_c[l] = unpack(addend[l], ctl1.add ? ctl1.neg_b : ctl1.neg_c, ctl1.add && ctl1.abs_b, ctl1.ftz);
      end

      // Operands of the multiplier: hi * 2^16 + lo, with lo unsigned (made signed by a zero in front). With bytes, each
      // product has its own two. Operands that FTZ flushes are multiplied all the same: the product is dropped in stage 2.
      if (ctl1.dot) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          a_ll[l] = part(a_i[l], 2'd0, ctl1.sign_a);
          b_ll[l] = part(b_i[l], 2'd0, ctl1.sign_b);
          a_lh[l] = part(a_i[l], 2'd1, ctl1.sign_a);
          b_lh[l] = part(b_i[l], 2'd1, ctl1.sign_b);
          a_hl[l] = part(a_i[l], 2'd2, ctl1.sign_a);
          b_hl[l] = part(b_i[l], 2'd2, ctl1.sign_b);
          a_hh[l] = part(a_i[l], 2'd3, ctl1.sign_a);
          b_hh[l] = part(b_i[l], 2'd3, ctl1.sign_b);
        end
      end else begin
        if (ctl1.fp) begin
          `LANE_LOOP (int l = 0; l < LANES; l++) begin
            a_hh[l] = {9'b0, num_a[l].lead, a_i[l][22:16]};
            b_hh[l] = {9'b0, num_b[l].lead, b_i[l][22:16] & {7{!ctl1.add}}};
          end
        end else begin
          `LANE_LOOP (int l = 0; l < LANES; l++) begin
            a_hh[l] = {!ctl1.uns && a_i[l][31], a_i[l][31:16]};
            b_hh[l] = {!ctl1.uns && b_i[l][31], b_i[l][31:16]};
          end
        end
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          a_ll[l] = {1'b0, a_i[l][15:0]};
          b_ll[l] = {1'b0, b_i[l][15:0] & {16{!ctl1.add}}};
          a_lh[l] = {1'b0, a_i[l][15:0]};
          b_lh[l] = b_hh[l];
          a_hl[l] = a_hh[l];
          b_hl[l] = {1'b0, b_i[l][15:0] & {16{!ctl1.add}}};
        end
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        ll_d[l] = mul_pkg::s17(a_ll[l], b_ll[l]);
        lh_d[l] = mul_pkg::s17(a_lh[l], b_lh[l]);
        hl_d[l] = mul_pkg::s17(a_hl[l], b_hl[l]);
        hh_d[l] = mul_pkg::s17(a_hh[l], b_hh[l]);
      end
      // The addend of an integer is c. Bits above a significand are zero.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        c2_d[l][22:0] = (ctl1.fp && ctl1.ftz && !num_c[l].lead) ? 23'b0 : addend[l][22:0];
        c2_d[l][23]   = ctl1.fp ? num_c[l].lead : c_i[l][23];
        c2_d[l][31:24] = ctl1.fp ? 8'b0 : c_i[l][31:24];
        c2_d[l][63:32] = ctl1.wide ? c_hi_i[l] : 32'b0;
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic number_t a = num_a[l];
        automatic number_t b = num_b[l];
        automatic number_t c = num_c[l];

        // Special results. A zero sum has the sign of both terms, or under opposite signs that of the rounding direction.
        automatic logic sign_p = a.sign ^ b.sign;
        automatic logic sub    = ctl1.fp ? (sign_p ^ c.sign) && !ctl1.mul : ctl1.neg_c;
        automatic logic nan    = a.nan || b.nan || c.nan || (a.inf && b.zero) || (a.zero && b.inf) ||
                                 ((a.inf || b.inf) && c.inf && sub);
        automatic logic inf    = a.inf || b.inf || c.inf;

        // Weight of the product's bit 0: exp_a + exp_b - 300; of c's: exp_c - 150. Unshifted, c's bit 0 stands 50 above.
        automatic logic [10:0] top_p   = 11'(a.exp) + 11'(b.exp) - 11'd101;
        automatic logic [10:0] shift   = top_p - 11'(c.exp) + 11'd1;
        automatic logic        c_leads = a.zero || b.zero || shift[10];
        automatic logic [6:0]  clamped = (shift > 11'd76) ? 7'd76 : shift[6:0];
        automatic logic [8:0]  top     = c_leads ? 9'(c.exp) - 9'd1 : top_p[8:0];

        // An integer's lower 24 bits take the place of a significand: shifted by 50 they stand where a product's do.
        side2_d[l] = {a.zero || b.zero, nan, inf, sub, c.sign, c.inf ? c.sign : sign_p, top,
                      !ctl1.fp ? 7'd50 : c_leads ? 7'd0 : clamped};
      end
      ll_q    <= ll_d;
      lh_q    <= lh_d;
      hl_q    <= hl_d;
      hh_q    <= hh_d;
      c2_q    <= c2_d;
      side2_q <= side2_d;
    end
  end

  // ---- Stage 2: product and addend side by side ------------------------------------------------
  logic [63:0] x_d [LANES], x_q [LANES], ends_d [LANES], inner_d [LANES], product_d [LANES];
  logic [38:0] shift_d [LANES];
  logic [36:0] y_hi_d [LANES], y_hi_q [LANES];
  logic [39:0] y_lo_d [LANES], y_lo_q [LANES];
  side_t       side3_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      // Low 64 bits; hh and ll do not overlap. The upper word of IDP4A is not read.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [18:0] outer = {ll_q[l][17], ll_q[l][17:0]} + {hh_q[l][17], hh_q[l][17:0]};   // of bytes
        ends_d[l] = {hh_q[l][31:0], ctl2.dot ? {{13{outer[18]}}, outer} : ll_q[l][31:0]};
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [34:0] middle = {lh_q[l][33], lh_q[l]} + {hl_q[l][33], hl_q[l]};
        inner_d[l] = {{13{middle[34]}}, middle[34:16], ctl2.dot ? middle[31:0] : {middle[15:0], 16'b0}};
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) product_d[l] = ends_d[l] + inner_d[l];

      // c shifted right: by up to 15, then by multiples of 16; what falls out of the window stays in its lowest, sticky bit.
      // An integer stands where a product does, three bits above the lowest: its upper bits come as they are, and are zero beside a
      // significand.
      `LANE_LOOP (int l = 0; l < LANES; l++) shift_d[l] = align_pkg::aligned(c2_q[l][23:0], side2_q[l].shift[3:0]);
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [2:0] coarse = side2_q[l].shift[6:4];
        y_hi_d[l] = ({37{coarse == 3'd0}} & shift_d[l][38:2]) | {16'b0, {21{coarse == 3'd1}} & shift_d[l][38:18]} |
                    {32'b0, {5{coarse == 3'd2}} & shift_d[l][38:34]} | {10'b0, c2_q[l][63:37]};
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [2:0] coarse = side2_q[l].shift[6:4];
        y_lo_d[l] = {{2{coarse == 3'd0}} & shift_d[l][1:0], 38'b0} | {{18{coarse == 3'd1}} & shift_d[l][17:0], 22'b0} |
                    {{34{coarse == 3'd2}} & shift_d[l][33:0], 6'b0} |
                    {11'b0, {29{coarse == 3'd3}} & {shift_d[l][38:11], shift_d[l][10:0] != '0}} |
                    {27'b0, {13{coarse[2]}} & {shift_d[l][38:27], shift_d[l][26:0] != '0}} | {c2_q[l][36:24], 27'b0};
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) x_d[l] = (ctl2.fp && side2_q[l].none) ? 64'b0 : product_d[l];
      x_q     <= x_d;
      y_hi_q  <= y_hi_d;
      y_lo_q  <= y_lo_d;
      side3_q <= side2_q;
    end
  end

  // ---- Stage 3: sum ----------------------------------------------------------------------------
  logic [36:0] s_hi_d [LANES], s_hi_q [LANES];
  logic [39:0] s_lo_d [LANES], s_lo_q [LANES];
  side_t       side4_d [LANES], side4_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      // The sign of a difference is found first: y is complemented, so that the sum is x - y less one, and carries if that is not
      // negative. Then one is added, or else the complement is y - x (an integer is what it is).
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        sub  = side3_q[l].sub;
        automatic logic [40:0] f_lo = {1'b0, x_q[l][36:0], 3'b0} + {1'b0, y_lo_q[l] ^ {40{sub}}};
        automatic logic [37:0] f_hi = {11'b0, x_q[l][63:37]} + {1'b0, y_hi_q[l] ^ {37{sub}}} + 38'(f_lo[40]);
        automatic logic        swap = ctl3.fp && sub && !f_hi[37];
        automatic logic [40:0] g_lo = {1'b0, f_lo[39:0] ^ {40{swap}}} + 41'(sub && !swap);
        automatic logic [36:0] g_hi = (f_hi[36:0] ^ {37{swap}}) + 37'(g_lo[40]);
        s_hi_d[l]         = g_hi;
        s_lo_d[l]         = g_lo[39:0];
        side4_d[l]        = side3_q[l];
        side4_d[l].sign_p = (swap && !side3_q[l].inf) ? side3_q[l].sign_c : side3_q[l].sign_p;
      end
      s_hi_q  <= s_hi_d;
      s_lo_q  <= s_lo_d;
      side4_q <= side4_d;
    end
  end

  // ---- Stage 4: leading zeros, coarse shift ----------------------------------------------------
  typedef struct packed {
    logic       nan, inf, sign, zero;
    logic [9:0] exp;      // biased, less one, of the top bit after the first shift; signed
    logic [3:0] fine;     // left shift still to be done; what it leaves of the exponent is negative only with FTZ
  } late_t;

  logic [63:0] bits_d [LANES], bits_q [LANES];   // FP32: {sticky, upper 40 bits}; integer: the words for an odd and an even bank
  late_t       late_d [LANES], late_q [LANES];
  logic [15:0] group_d [LANES], group_q [LANES];   // in which the leading one is (RANKS of 6)
  logic        even_hi, odd_hi;                  // these are the upper word

  always_ff @(posedge clk_i) begin
    if (en_i[3]) begin
      even_hi = ctl4.high || (ctl4.wide && odd_i);
      odd_hi  = ctl4.high || (ctl4.wide && !odd_i);
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [36:0] hi    = s_hi_q[l];
        automatic logic [39:0] lo    = s_lo_q[l];
        automatic logic [8:0]  top   = side4_q[l].top;
        // The shift to the leading one, first by multiples of 16: of five groups of bits the first that is not zero. It stops where
        // the exponent would fall below that of subnormals: the result then is subnormal, or zero. That is as if a bit were
        // set there. With FTZ it does not stop: the exponent has no lower bound, and what is too small is flushed in stage 5.
        automatic logic        stops = !ctl4.round.ftz && top[8:7] == '0;
        automatic logic [15:0] there = 16'h8000 >> top[3:0];
        automatic logic [3:0]  at    = {stops && top[6:4] == 3'd3, stops && top[6:4] == 3'd2,
                                        stops && top[6:4] == 3'd1, stops && top[6:4] == 3'd0};
        automatic logic [3:0]  some  = {lo[28:13] != '0, {hi[4:0], lo[39:29]} != '0, hi[20:5] != '0, hi[36:21] != '0};
        automatic logic [3:0]  ends  = some | at;
        automatic logic [3:0]  first = ends & (~ends + 4'd1);
        automatic logic        none  = ends == '0;
        automatic logic [2:0]  by    = {none, first[3] || first[2], first[3] || first[1]};
        // By multiples of 16; the sticky bit says that something is set below the 40 bits that go on.
        automatic logic [40:0] coarse = ({41{first[0]}} & {lo[36:0] != '0, hi, lo[39:37]}) |
                                        ({41{first[1]}} & {lo[20:0] != '0, hi[20:0], lo[39:21]}) |
                                        ({41{first[2]}} & {lo[4:0] != '0, hi[4:0], lo[39:5]}) |
                                        ({41{first[3]}} & {1'b0, lo[28:0], 11'b0}) | ({41{none}} & {1'b0, lo[12:0], 27'b0});
        // The group is its upper end, with the bit at which the shift stops.
        automatic logic        marked = (first & at) != '0 || (none && stops && top[6:4] == 3'd4);
        automatic logic [15:0] group  = coarse[39:24] | ({16{marked}} & there);
        automatic logic        zero  = some == '0 && lo[12:0] == '0;
        bits_d[l]      = ctl4.fp ? {23'b0, coarse} : {odd_hi ? {hi[26:0], lo[39:35]} : lo[34:3],
                                                      even_hi ? {hi[26:0], lo[39:35]} : lo[34:3]};
        late_d[l].nan  = side4_q[l].nan;
        late_d[l].inf  = side4_q[l].inf;
        late_d[l].sign = (zero && side4_q[l].sub && !side4_q[l].inf) ? ctl4.round.rnd == isa_pkg::RND_RM : side4_q[l].sign_p;
        late_d[l].zero = zero;
        late_d[l].exp  = 10'(top) - {3'b0, by, 4'b0};
        late_d[l].fine = (RANKS == 5) ? align_pkg::zeros(group) : 4'd0;
        group_d[l]     = group;
      end
      bits_q  <= bits_d;
      late_q  <= late_d;
      group_q <= group_d;
    end
  end

  // ---- With six ranks a stage of its own: the fine shift -----------------------------------------
  logic [63:0] bits5 [LANES];
  late_t       late5 [LANES];
  if (RANKS == 5) begin : gen_at_once
    logic unused_group;
    assign bits5        = bits_q;
    assign late5        = late_q;
    assign unused_group = ^group_q[0];
  end else begin : gen_shift
    logic [63:0] shifted_d [LANES], shifted_q [LANES];
    late_t       left_d [LANES], left_q [LANES];
    always_ff @(posedge clk_i) begin
      if (en_i[4]) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          automatic logic [3:0] by = align_pkg::zeros(group_q[l]) & {4{ctl_i[4].fp}};   // an integer stays as it is
          shifted_d[l]  = {bits_q[l][63:40], bits_q[l][39:0] << by};
          left_d[l]     = late_q[l];
          left_d[l].exp = late_q[l].exp - 10'(by);
        end
        shifted_q <= shifted_d;
        left_q    <= left_d;
      end
    end
    assign bits5 = shifted_q;
    assign late5 = left_q;
  end

  // ---- Stage 5: result -------------------------------------------------------------------------
  // A number, else the words of an integer.
  logic [31:0] even_d [LANES], odd_d [LANES];
  logic [31:0] even_q [LANES], odd_q [LANES];
  logic [39:0] fine_d [LANES];
  logic        up_d [LANES];

  always_ff @(posedge clk_i) begin
    if (en_i[RANKS-1]) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic sticky = 1'b0;
        fine_d[l] = bits5[l][39:0] << late5[l].fine;
        sticky    = fine_d[l][14:0] != '0 || bits5[l][40];
        up_d[l]   = exec_pkg::round_up(ctl5.round.rnd, late5[l].sign, fine_d[l][16], fine_d[l][15], sticky);
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        sign   = late5[l].sign;
        automatic logic [39:0] fine   = fine_d[l];
        automatic logic        up     = up_d[l];
        // The leading bit adds one to the exponent, and so does a carry out of the fraction: one addition for both.
        automatic logic [9:0]  lead   = late5[l].exp - 10'(late5[l].fine);
        automatic logic [32:0] sum    = {late5[l].zero ? 10'd0 : lead, 23'b0} + {9'b0, fine[39:16]} + 33'(up);
        automatic logic [9:0]  exp    = sum[32:23];
        automatic logic        to_max = ctl5.round.rnd == isa_pkg::RND_RZ || (ctl5.round.rnd == isa_pkg::RND_RM && !sign) ||
                                        (ctl5.round.rnd == isa_pkg::RND_RP && sign);
        // Results that are not the sum: all ones (NaN), infinite or the largest number, zero, or one.
        automatic logic        flush  = ctl5.round.ftz && (exp[9] || exp == '0) && !late5[l].inf;
        automatic logic        over   = !exp[9] && (exp[8] || exp[7:0] == '1);
        automatic logic        vast   = late5[l].inf || over;
        automatic logic        nan    = late5[l].nan && !ctl5.round.sat;
        automatic logic        huge   = !late5[l].nan && !ctl5.round.sat && vast;
        automatic logic        most   = huge && !late5[l].inf && to_max;
        automatic logic        above  = vast || (!flush && (exp[7] || exp[6:0] == '1));   // 1 and above
        automatic logic        one    = ctl5.round.sat && !late5[l].nan && !sign && above;
        automatic logic        plain  = !late5[l].nan && !vast && !flush && !(ctl5.round.sat && (sign || above));
        automatic logic [30:0] size   = (sum[30:0] & {31{plain}}) |
                                        {nan || huge, {6{nan || huge || one}}, nan || (huge && !most) || one, {23{nan || most}}};
        automatic logic [31:0] number = {sign && !late5[l].nan && !ctl5.round.sat, size};
        even_d[l] = ctl5.fp ? number : bits5[l][31:0];
        odd_d[l]  = ctl5.fp ? number : bits5[l][63:32];
      end
      even_q <= even_d;
      odd_q  <= odd_d;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) begin
      word_o[0][l] = even_q[l];
      word_o[1][l] = odd_q[l];
    end
  end

  // Each stage uses a part of the control.
  logic unused;
  assign unused = ^ctl_i;

endmodule
