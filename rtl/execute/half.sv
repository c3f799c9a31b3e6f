// SPDX-License-Identifier: Apache-2.0
// FP16 pipe (HADD2 HMUL2 HFMA2 HMNMX2 HSET2 HSETP2): LANES lanes of one warp, two numbers each, one beat a cycle.
//   stage 1  halves chosen, operands apart, product, exponents                         -> rank 1
//   stage 2  c aligned, sum or difference and its sign; or comparison                  -> rank 2, predicates
//   stage 3  leading zeros, shift                                                      -> rank 3
//   stage 4  rounding, special results                                                 -> rank 4, the words
// Latency: operands in cycle T, words registered in cycle T + LATENCY_HALF - 1 (four ranks, subnormals included), predicates in
// T + LATENCY_ALU - 1 (two ranks), so that those of both pipes never meet at their port.
// Handshake: none. op_valid_i marks a beat; the reservation table has reserved the write slot.
// It does not read registers, mask lanes, or drop results, and has no exception flags.
// Outputs keep their value while no beat arrives.
// Stages are written as loops over halves (h = 2 * lane + half) in clocked blocks, for the reason given in fma_lanes.sv; their
// payload has no reset.
`include "heddle_lanes.svh"

module half (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from operand
  input  logic                            op_valid_i,
  input  exec_pkg::half_ctl_t             op_ctl_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_c_i,
  input  logic [cfg_pkg::LANES-1:0]       op_ps0_i,
  // to writeback
  output logic [cfg_pkg::LANES-1:0][31:0] ex_lo_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd0_o,
  output logic [cfg_pkg::LANES-1:0]       ex_pd1_o
);

  localparam int unsigned RANKS = 4, PRED_RANKS = 2;
  localparam int LANES  = int'(cfg_pkg::LANES);
  localparam int HALVES = 2 * LANES;
  if (cfg_pkg::HAS_HALF && (cfg_pkg::LATENCY_HALF != RANKS + 1 || cfg_pkg::LATENCY_ALU != PRED_RANKS + 1)) begin : gen_check
    $error("half: LATENCY_HALF or LATENCY_ALU of the configuration is not the depth of the pipe");
  end

  exec_pkg::half_ctl_t [RANKS-1:0] stage_ctl;
  logic                [RANKS-1:0] stage_en;

  ctl_ranks #(.WIDTH($bits(exec_pkg::half_ctl_t)), .RANKS(RANKS)) u_ctl (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .op_valid_i (op_valid_i),
    .op_ctl_i   (op_ctl_i),
    .en_o       (stage_en),
    .ctl_o      (stage_ctl)
  );

  exec_pkg::half_ctl_t ctl1, ctl2, ctl3, ctl4;
  assign {ctl4, ctl3, ctl2, ctl1} = stage_ctl;

  // ---- Stage 1: operands apart -----------------------------------------------------------------
  // Beside the numbers: special cases, signs, biased exponent less one of the window's top bit, shift of c.
  typedef struct packed {
    logic       nan, inf;
    logic       sub;      // the adder subtracts
    logic       sign_c;
    logic       sign_p;   // of the product; an infinite c decides the sign of the result, a finite one is compared in stage 2
    logic [5:0] top;
    logic [5:0] shift;    // 0 to 38
  } side_t;

  // For comparisons: signs, and which operand is no number.
  typedef struct packed {
    logic sign_a, sign_b, nan_a, nan_b, ps0;
  } order_t;

  typedef struct packed {
    logic        sign, zero, inf, nan;
    logic [4:0]  exp;     // 1 for subnormals
    logic [10:0] mant;
  } number_t;

  // A half after sign changes and flushing.
  function automatic logic [15:0] plain(logic [15:0] raw, logic neg, logic abs, logic ftz);
    plain = {(raw[15] && !abs) ^ neg, raw[14:10], (ftz && raw[14:10] == '0) ? 10'b0 : raw[9:0]};
  endfunction

  function automatic number_t unpack(logic [15:0] x);
    automatic logic low  = x[14:10] == '0;
    automatic logic top  = x[14:10] == '1;
    automatic logic frac = x[9:0] != '0;
    unpack.sign = x[15];
    unpack.zero = low && !frac;
    unpack.inf  = top && !frac;
    unpack.nan  = top && frac;
    unpack.exp  = {x[14:11], x[10] || low};
    unpack.mant = {!low, x[9:0]};
  endfunction

  logic [15:0] a_d [HALVES], b_d [HALVES], c_d [HALVES], a_q [HALVES], b_q [HALVES];
  logic [21:0] product_d [HALVES], product_q [HALVES];
  logic [10:0] c2_d [HALVES], c2_q [HALVES];
  side_t       side2_d [HALVES], side2_q [HALVES];
  order_t      order_d [HALVES], order_q [HALVES];

  always_ff @(posedge clk_i) begin
    if (stage_en[0]) begin
      `LANE_LOOP (int h = 0; h < HALVES; h++) begin
        automatic int          l   = h / 2;
        automatic int          own = h % 2;
        automatic logic [15:0] a   = ctl1.from_a[own] ? op_a_i[l][31:16] : op_a_i[l][15:0];
        automatic logic [15:0] b   = ctl1.from_b[own] ? op_b_i[l][31:16] : op_b_i[l][15:0];
        automatic logic [15:0] c   = ctl1.from_c[own] ? op_c_i[l][31:16] : op_c_i[l][15:0];
        a_d[h] = plain(a, ctl1.neg_a, ctl1.abs_a, ctl1.ftz);
        b_d[h] = plain(b, ctl1.neg_b, ctl1.abs_b, ctl1.ftz);
        c_d[h] = plain(c, ctl1.neg_c, 1'b0, ctl1.ftz);
        order_d[h].ps0 = op_ps0_i[l];
      end
      if (ctl1.math) begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) begin
          // HADD2 is a * 1 + b; HMUL2 is a * b + 0.
          automatic number_t a = unpack(a_d[h]);
          automatic number_t b = unpack(ctl1.add ? 16'h3c00 : b_d[h]);
          automatic number_t c = unpack(ctl1.add ? b_d[h] : ctl1.mul ? 16'h0000 : c_d[h]);

          // Special results. A zero sum has the sign of both terms, or under opposite signs is positive.
          automatic logic sign_p = a.sign ^ b.sign;
          automatic logic sub    = (sign_p ^ c.sign) && !ctl1.mul;
          automatic logic nan    = a.nan || b.nan || c.nan || (a.inf && b.zero) || (a.zero && b.inf) ||
                                   ((a.inf || b.inf) && c.inf && sub);
          // Weight of the product's bit 0: exp_a + exp_b - 50; of c's: exp_c - 25. Unshifted, c's bit 0 stands 24 above.
          automatic logic [6:0] top_p   = 7'(a.exp) + 7'(b.exp) - 7'd2;
          automatic logic [6:0] shift   = top_p - 7'(c.exp) + 7'd1;
          automatic logic       c_leads = a.zero || b.zero || shift[6];

          product_d[h] = mul_pkg::u11(a.mant, b.mant);
          c2_d[h]      = c.mant;
          side2_d[h].nan    = nan;
          side2_d[h].inf    = a.inf || b.inf || c.inf;
          side2_d[h].sub    = sub;
          side2_d[h].sign_c = c.sign;
          side2_d[h].sign_p = c.inf ? c.sign : sign_p;
          side2_d[h].top    = c_leads ? 6'(c.exp) - 6'd1 : top_p[5:0];
          side2_d[h].shift  = c_leads ? 6'd0 : (shift > 7'd38) ? 6'd38 : shift[5:0];
        end
        product_q <= product_d;
        c2_q      <= c2_d;
        side2_q   <= side2_d;
      end else begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) begin
          order_d[h].sign_a = a_d[h][15];
          order_d[h].sign_b = b_d[h][15];
          order_d[h].nan_a  = a_d[h][14:0] > 15'h7c00;
          order_d[h].nan_b  = b_d[h][14:0] > 15'h7c00;
        end
        a_q     <= a_d;
        b_q     <= b_d;
        order_q <= order_d;
      end
    end
  end

  // ---- Stage 2: sum, or comparison ---------------------------------------------------------------
  // The window: c's 11 bits when it leads, two bits apart, the product's 22 bits, and three more.
  logic [37:0] sum_d [HALVES], sum_q [HALVES];    // a result that needs no arithmetic: in the lowest 16 bits
  side_t       side3_d [HALVES], side3_q [HALVES];
  logic        verdict_d [HALVES];
  logic [LANES-1:0] pd0_q, pd1_q;

  always_ff @(posedge clk_i) begin
    if (stage_en[1]) begin
      if (ctl2.math) begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) begin
          // c shifted right; what falls out of the window stays in its lowest, sticky bit. For a difference both signs are
          // formed, and the one that is not negative is kept.
          automatic logic [48:0] shifted  = {c2_q[h], 38'b0} >> side2_q[h].shift;
          automatic logic [37:0] y        = {shifted[48:12], shifted[11:0] != '0};
          automatic logic [37:0] x        = {13'b0, product_q[h], 3'b000};
          automatic logic        sub      = side2_q[h].sub;
          automatic logic [38:0] forward  = {1'b0, x} + ({1'b0, y} ^ {39{sub}}) + 39'(sub);
          automatic logic [37:0] backward = y - x;
          automatic logic        swap     = sub && forward[38];
          sum_d[h]          = swap ? backward : forward[37:0];
          side3_d[h]        = side2_q[h];
          side3_d[h].sign_p = (swap && !side2_q[h].inf) ? side2_q[h].sign_c : side2_q[h].sign_p;
        end
        side3_q <= side3_d;
      end else begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) begin
          // Exactly one of less, equal, greater, unordered is true. In the order of `below`, -0 lies below +0.
          automatic order_t      o       = order_q[h];
          automatic logic [14:0] a       = a_q[h][14:0];
          automatic logic [14:0] b       = b_q[h][14:0];
          automatic logic        below   = (o.sign_a != o.sign_b) ? o.sign_a : o.sign_a ? a > b : a < b;
          automatic logic        unord   = o.nan_a || o.nan_b;
          automatic logic        equal   = !unord && a == b && (o.sign_a == o.sign_b || a == '0);
          automatic logic        less    = !unord && !equal && below;
          automatic logic        greater = !unord && !equal && !below;
          automatic logic        holds   = |(ctl2.accept & {unord, greater, equal, less});
          automatic logic        verdict = ctl2.bool_or ? holds || o.ps0 : ctl2.bool_xor ? holds ^ o.ps0 : holds && o.ps0;
          // Minimum and maximum: a number wins over a NaN.
          automatic logic        no_num  = ctl2.keep_nan ? unord : o.nan_a && o.nan_b;
          automatic logic        first   = unord ? o.nan_b : below == o.ps0;
          automatic logic [15:0] chosen  = no_num ? 16'h7fff : first ? a_q[h] : b_q[h];
          automatic logic [15:0] word    = !verdict ? 16'h0000 : ctl2.one ? 16'h3c00 : 16'hffff;
          verdict_d[h] = verdict;
          sum_d[h]     = {22'b0, ctl2.minmax ? chosen : word};
        end
        for (int l = 0; l < LANES; l++) begin
          pd0_q[l] <= verdict_d[2*l];
          pd1_q[l] <= verdict_d[2*l+1];
        end
      end
      sum_q <= sum_d;
    end
  end

  assign ex_pd0_o = pd0_q;
  assign ex_pd1_o = pd1_q;

  // ---- Stage 3: leading zeros, shift -------------------------------------------------------------
  typedef struct packed {
    logic       nan, inf, sign, zero;
    logic [6:0] exp;      // biased, less one, of the leading bit; signed, negative only with FTZ
  } late_t;

  logic [15:0] bits_d [HALVES], bits_q [HALVES];   // 11 bits, guard, sticky; or the result
  late_t       late_d [HALVES], late_q [HALVES];

  always_ff @(posedge clk_i) begin
    if (stage_en[2]) begin
      if (ctl3.math) begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) begin
          // Zeros above the highest set bit, by halves.
          automatic logic [37:0] w6    = sum_q[h];
          automatic logic        z5    = w6[37:6] == '0;
          automatic logic [31:0] w5    = z5 ? {w6[5:0], 26'b0} : w6[37:6];
          automatic logic        z4    = w5[31:16] == '0;
          automatic logic [15:0] w4    = z4 ? w5[15:0] : w5[31:16];
          automatic logic        z3    = w4[15:8] == '0;
          automatic logic [7:0]  w3    = z3 ? w4[7:0] : w4[15:8];
          automatic logic        z2    = w3[7:4] == '0;
          automatic logic [3:0]  w2    = z2 ? w3[3:0] : w3[7:4];
          automatic logic        z1    = w2[3:2] == '0;
          automatic logic        z0    = !(z1 ? w2[1] : w2[3]);
          automatic logic [5:0]  zeros = {z5, z4, z3, z2, z1, z0};
          automatic logic        zero  = w6 == '0;

          // The shift stops where the exponent would fall below that of subnormals: the result then is subnormal, or zero. With
          // FTZ it does not stop: the exponent has no lower bound, and what is too small is flushed in stage 4.
          automatic logic [6:0]  exp   = 7'(side3_q[h].top) - 7'(zeros);
          automatic logic        stop  = exp[6] && !ctl3.ftz;
          automatic logic [5:0]  shift = stop ? side3_q[h].top : zeros;
          automatic logic [37:0] moved = w6 << shift;
          bits_d[h]      = {3'b0, moved[37:26], moved[25:0] != '0};
          late_d[h].nan  = side3_q[h].nan;
          late_d[h].inf  = side3_q[h].inf;
          late_d[h].sign = !(zero && side3_q[h].sub && !side3_q[h].inf) && side3_q[h].sign_p;
          late_d[h].zero = zero;
          late_d[h].exp  = stop ? 7'd0 : exp;
        end
        late_q <= late_d;
      end else begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) bits_d[h] = sum_q[h][15:0];
      end
      bits_q <= bits_d;
    end
  end

  // ---- Stage 4: result ---------------------------------------------------------------------------
  logic [15:0] lo_d [HALVES], lo_q [HALVES];

  always_ff @(posedge clk_i) begin
    if (stage_en[3]) begin
      if (ctl4.math) begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) begin
          automatic late_t       s      = late_q[h];
          automatic logic        up     = exec_pkg::round_up(isa_pkg::RND_RN, s.sign, bits_q[h][2], bits_q[h][1], bits_q[h][0]);
          // The leading bit adds one to the exponent, and so does a carry out of the fraction: one addition for both.
          automatic logic [16:0] sum    = {s.zero ? 7'd0 : s.exp, 10'b0} + {6'b0, bits_q[h][12:2]} + 17'(up);
          automatic logic [6:0]  exp    = sum[16:10];
          automatic logic        tiny   = exp[6] || exp == '0;
          automatic logic        over   = !exp[6] && exp[5:0] >= 6'd31;
          automatic logic [14:0] size   = s.inf ? 15'h7c00 : (ctl4.ftz && tiny) ? 15'd0 : over ? 15'h7c00 : sum[14:0];
          automatic logic [15:0] number = ((ctl4.sat || ctl4.relu) && s.sign) ? 16'h0000 :
                                          (ctl4.sat && size >= 15'h3c00) ? 16'h3c00 : {s.sign, size};
          lo_d[h] = !s.nan ? number : ctl4.sat ? 16'h0000 : 16'h7fff;
        end
      end else begin
        `LANE_LOOP (int h = 0; h < HALVES; h++) lo_d[h] = bits_q[h];
      end
      lo_q <= lo_d;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) ex_lo_o[l] = {lo_q[2*l+1], lo_q[2*l]};
  end

  // Each stage uses a part of the control.
  logic unused;
  assign unused = ^{ctl1, ctl2, ctl3, ctl4};

endmodule
