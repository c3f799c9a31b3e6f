// SPDX-License-Identifier: Apache-2.0
// The sums of the matrix unit: each adds 16 products and an addend in one fused sum, cut as
// isa/doc/10-matrices.md says, or exactly where they are integers.
//   rank 2   words of registers become numbers, once for each row of A and each column of B; the addend of each sum: C, or the
//            sum of the pass before. Places of registers that an instruction does not have hold zeros
//   rank 3   products; exponents, the largest of four each
//   rank 4   the largest exponent of all
//   rank 5   terms cut to 25 bits below it
//   rank 6   sums of four
//   rank 7   the sum, as sign and magnitude
//   rank 8   leading zeros, shift
//   rank 9   shifted
//   rank 10  rounded, or cut, to the format of the result
// Latency: nine cycles, words to results. A step a cycle.
// No handshake; en_open_i enables rank 2, en_i[k] rank 3 + k, and follow the step (payload registers have no reset).
// It does not keep sums from one pass to the next. Loops over sums and terms stay loops in
// simulation.
`include "heddle_lanes.svh"

module mma_sum_lanes #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  localparam int unsigned SUMS_U = 128 / CYCLES,
  localparam int unsigned QUADS  = SUMS_U / 4
) (
  input  logic                         clk_i,
  // from the unit
  input  logic [7:0]                   en_i,
  input  mma_pkg::ctl_t [7:0]          ctl_i,   // ctl_i[k]: of the step in rank 2 + k
  input  logic                         en_open_i,
  input  mma_pkg::token_t              token_i, // of the step in rank 1
  // from the store
  input  logic [QUADS-1:0][3:0][1:0][31:0] a_i,
  input  logic [3:0][3:0][1:0][31:0]   b_i,
  input  logic [SUMS_U-1:0][31:0]      c_i,
  // sums of the pass before
  input  logic [SUMS_U-1:0][31:0]      part_i,
  // results
  output logic [SUMS_U-1:0][31:0]      sum_o
);

  localparam int SUMS  = int'(SUMS_U);
  localparam int TERMS = int'(mma_pkg::TERMS);
  localparam int ALL   = SUMS * TERMS;

  mma_pkg::ctl_t ctl5, ctl7, ctl8, ctl10;
  assign ctl5  = ctl_i[2];
  assign ctl7  = ctl_i[4];
  assign ctl8  = ctl_i[5];
  assign ctl10 = ctl_i[7];

  function automatic logic integers(mma_pkg::ctl_t ctl);
    integers = ctl.kind == mma_pkg::ADD_INT;
  endfunction

  // For a whole sum: cases that decide before anything is added.
  typedef struct packed {
    logic nan, plus, minus;    // a NaN; infinities of either sign
  } special_t;

  function automatic logic signed [9:0] larger(logic signed [9:0] x, logic signed [9:0] y);
    larger = (x > y) ? x : y;
  endfunction

  // ---- Rank 2: numbers -------------------------------------------------------------------------
  mma_pkg::number_t [QUADS-1:0][mma_pkg::TERMS-1:0] a_q;
  mma_pkg::number_t [3:0][mma_pkg::TERMS-1:0]       b_q;
  mma_pkg::addend_t [SUMS_U-1:0]                    c_q;

  // Term 4t + 2r + s: lane t of a row or column, register r of two, element s of two in a pass.
  function automatic mma_pkg::number_t term(mma_pkg::format_e format, logic deep, logic narrow, logic pass,
                                            logic [1:0][31:0] words, logic r, logic s);
    term = '0;
    term.zero = 1'b1;
    if (!r || deep || narrow) begin
      term = mma_pkg::element(format, words[r && !narrow], s, {narrow ? r : pass, s});
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (en_open_i) begin
      for (int unsigned k = 0; k < mma_pkg::TERMS; k++) begin
        for (int unsigned q = 0; q < QUADS; q++) begin
          a_q[q][k] <= term(token_i.ctl.fa, token_i.ctl.deep, token_i.ctl.narrow, token_i.pass[0], a_i[q][k/4], 1'(k / 2), 1'(k));
        end
        for (int unsigned j = 0; j < 4; j++) begin
          b_q[j][k] <= term(token_i.ctl.fb, token_i.ctl.deep, token_i.ctl.narrow, token_i.pass[0], b_i[j][k/4], 1'(k / 2), 1'(k));
        end
      end
      for (int unsigned d = 0; d < SUMS_U; d++) begin
        if (token_i.ctl.kind == mma_pkg::ADD_INT)
          c_q[d] <= mma_pkg::addend_int((token_i.pass == '0) ? '0 : part_i[d][25:0]);
        else if (token_i.ctl.acc16)
          c_q[d] <= mma_pkg::addend_f16(token_i.place.odd ? c_i[d][31:16] : c_i[d][15:0]);
        else if (token_i.ctl.kind == mma_pkg::SUM)
          c_q[d] <= mma_pkg::addend_f32(c_i[d]);
        else
          c_q[d] <= mma_pkg::addend_f32((token_i.pass == '0) ? '0 : part_i[d]);
      end
    end
  end

  logic unused;
  assign unused = ^token_i;

  // ---- Rank 3: products ------------------------------------------------------------------------
  logic signed [23:0] prod3_d [ALL], prod3_q [ALL];
  logic signed [9:0]  exp3_d [ALL], exp3_q [ALL];
  logic               neg3_d [ALL], neg3_q [ALL];
  logic signed [9:0]  max3_d [SUMS * 4], max3_q [SUMS * 4];
  special_t           spec3_d [SUMS], spec3_q [SUMS];
  mma_pkg::addend_t   c3_d [SUMS], c3_q [SUMS];
  special_t           of3_d [ALL];     // of a product

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      `LANE_LOOP (int i = 0; i < ALL; i++) begin
        automatic mma_pkg::number_t a = a_q[i / TERMS / 4][i % TERMS];
        automatic mma_pkg::number_t b = b_q[(i / TERMS) % 4][i % TERMS];
        automatic logic zero = a.zero || b.zero;
        automatic logic inf  = a.inf || b.inf;
        automatic logic sign = a.sign ^ b.sign;
        exp3_d[i]        = zero ? mma_pkg::LEAST : 10'(a.exp) + 10'(b.exp);
        of3_d[i].nan   = a.nan || b.nan || (inf && zero);
        of3_d[i].plus  = inf && !sign;
        of3_d[i].minus = inf && sign;
        prod3_d[i] = mul_pkg::s12(a.sig, b.sig);
        neg3_d[i]  = sign;
      end
      `LANE_LOOP (int i = 0; i < SUMS * 4; i++) begin
        max3_d[i] = larger(larger(exp3_d[4*i], exp3_d[4*i+1]), larger(exp3_d[4*i+2], exp3_d[4*i+3]));
      end
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic mma_pkg::addend_t c    = c_q[d];
        automatic special_t         spec = '{nan: c.nan, plus: c.inf && !c.sign, minus: c.inf && c.sign};
        for (int k = 0; k < TERMS; k++) spec |= of3_d[d*TERMS+k];
        spec3_d[d] = spec;
        c3_d[d]    = c;
      end
      prod3_q <= prod3_d;
      exp3_q <= exp3_d;
      neg3_q <= neg3_d;
      max3_q <= max3_d;
      spec3_q <= spec3_d;
      c3_q <= c3_d;
    end
  end

  // ---- Rank 4: the largest exponent ------------------------------------------------------------
  logic signed [23:0] prod4_q [ALL];
  logic signed [9:0]  exp4_q [ALL];
  logic               neg4_q [ALL];
  logic signed [9:0]  max4_d [SUMS], max4_q [SUMS];
  special_t           spec4_q [SUMS];
  mma_pkg::addend_t   c4_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      prod4_q <= prod3_q;
      exp4_q  <= exp3_q;
      neg4_q  <= neg3_q;
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic logic signed [9:0] of_products =
          larger(larger(max3_q[4*d], max3_q[4*d+1]), larger(max3_q[4*d+2], max3_q[4*d+3]));
        max4_d[d]  = larger(larger(of_products, c3_q[d].exp), mma_pkg::LEAST);
      end
      max4_q <= max4_d;
      spec4_q <= spec3_q;
      c4_q <= c3_q;
    end
  end

  // ---- Rank 5: terms, cut; a negative one is its complement, and lacks one -----------------------
  logic signed [27:0] term5_d [ALL], term5_q [ALL];
  logic signed [27:0] c5_d [SUMS], c5_q [SUMS];
  logic [4:0]         lack5_d [SUMS], lack5_q [SUMS];
  logic signed [9:0]  max5_q [SUMS];
  special_t           spec5_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      `LANE_LOOP (int i = 0; i < ALL; i++) begin
        automatic logic [9:0]  away = 10'(max4_q[i / TERMS]) - 10'(exp4_q[i]);
        automatic logic [26:0] cut  = (away > 10'd31) ? '0 : {prod4_q[i][21:0], 5'b0} >> away[4:0];
        term5_d[i] = integers(ctl5) ? 28'(prod4_q[i]) : {1'b0, cut} ^ {28{neg4_q[i]}};
      end
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic mma_pkg::addend_t c    = c4_q[d];
        automatic logic [9:0]       away = 10'(max4_q[d]) - 10'(c.exp);
        automatic logic [25:0]      cut  = (away > 10'd31) ? '0 : {c.sig[23:0], 2'b0} >> away[4:0];
        automatic logic [4:0]       lack = 5'(c.sign);
        for (int k = 0; k < TERMS; k++) lack += 5'(neg4_q[d*TERMS+k]);
        c5_d[d]    = integers(ctl5) ? 28'($signed(c.sig)) : {2'b0, cut} ^ {28{c.sign}};
        lack5_d[d] = integers(ctl5) ? '0 : lack;
      end
      term5_q <= term5_d;
      c5_q <= c5_d;
      lack5_q <= lack5_d;
      max5_q <= max4_q;
      spec5_q <= spec4_q;
    end
  end

  // ---- Rank 6: sums of four --------------------------------------------------------------------
  logic signed [29:0] four6_d [SUMS * 4], four6_q [SUMS * 4];
  logic signed [28:0] c6_d [SUMS], c6_q [SUMS];
  logic signed [9:0]  max6_q [SUMS];
  special_t           spec6_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[3]) begin
      `LANE_LOOP (int i = 0; i < SUMS * 4; i++) begin
        four6_d[i] = (30'(term5_q[4*i]) + 30'(term5_q[4*i+1])) + (30'(term5_q[4*i+2]) + 30'(term5_q[4*i+3]));
      end
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        c6_d[d]    = 29'(c5_q[d]) + $signed({24'b0, lack5_q[d]});
      end
      four6_q <= four6_d;
      c6_q <= c6_d;
      max6_q <= max5_q;
      spec6_q <= spec5_q;
    end
  end

  // ---- Rank 7: the sum -------------------------------------------------------------------------
  logic [31:0]        size7_d [SUMS], size7_q [SUMS];
  logic               neg7_d [SUMS], neg7_q [SUMS];
  logic signed [9:0]  max7_q [SUMS];
  special_t           spec7_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[4]) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic logic signed [33:0] sum = ((34'(four6_q[4*d]) + 34'(four6_q[4*d+1])) +
                                             (34'(four6_q[4*d+2]) + 34'(four6_q[4*d+3]))) + 34'(c6_q[d]);
        automatic logic               neg = sum[33] && !integers(ctl7);
        size7_d[d] = neg ? 32'(-sum) : 32'(sum);
        neg7_d[d]  = neg;
      end
      size7_q <= size7_d;
      neg7_q <= neg7_d;
      max7_q <= max6_q;
      spec7_q <= spec6_q;
    end
  end

  // ---- Rank 8: leading zeros -------------------------------------------------------------------
  function automatic logic [4:0] zeros_of(logic [31:0] x);
    automatic logic        z4 = x[31:16] == '0;
    automatic logic [15:0] w4 = z4 ? x[15:0] : x[31:16];
    automatic logic        z3 = w4[15:8] == '0;
    automatic logic [7:0]  w3 = z3 ? w4[7:0] : w4[15:8];
    automatic logic        z2 = w3[7:4] == '0;
    automatic logic [3:0]  w2 = z2 ? w3[3:0] : w3[7:4];
    automatic logic        z1 = w2[3:2] == '0;
    zeros_of = {z4, z3, z2, z1, !(z1 ? w2[1] : w2[3])};
  endfunction

  logic [31:0] size8_q [SUMS];
  logic [5:0]  shift8_d [SUMS], shift8_q [SUMS];
  logic [9:0]  exp8_d [SUMS], exp8_q [SUMS];   // biased, less one, of the top bit after the shift
  logic        neg8_q [SUMS];
  special_t    spec8_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[5]) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        // In a window of 40 bits: its top bit would be the leading one of the smallest normal
        // number after `most` places.
        automatic logic [9:0] most  = 10'(max7_q[d]) + (ctl8.acc16 ? 10'd28 : 10'd140);
        automatic logic [5:0] lead  = 6'(zeros_of(size7_q[d])) + 6'd8;
        automatic logic [5:0] shift = (most < 10'(lead)) ? most[5:0] : lead;
        shift8_d[d] = shift;
        exp8_d[d]   = most - 10'(shift);
      end
      shift8_q <= shift8_d;
      exp8_q <= exp8_d;
      size8_q <= size7_q;
      neg8_q <= neg7_q;
      spec8_q <= spec7_q;
    end
  end

  // ---- Rank 9: the shift -----------------------------------------------------------------------
  logic [31:0] frac9_d [SUMS], frac9_q [SUMS];    // upper 24 bits, guard, sticky; an integer as it stands
  logic [9:0]  exp9_q [SUMS];
  logic        neg9_q [SUMS];
  logic        none9_d [SUMS], none9_q [SUMS];    // nothing is left
  special_t    spec9_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[6]) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic logic [39:0] window = 40'(size8_q[d]) << shift8_q[d];
        frac9_d[d] = integers(ctl_i[6]) ? size8_q[d] : {window[39:9], window[8:0] != '0};
        none9_d[d] = size8_q[d] == '0;
      end
      frac9_q <= frac9_d;
      none9_q <= none9_d;
      exp9_q <= exp8_q;
      neg9_q <= neg8_q;
      spec9_q <= spec8_q;
    end
  end

  // ---- Rank 10: the result ---------------------------------------------------------------------
  function automatic logic [31:0] as_f32(logic [9:0] exp, logic [31:0] frac, logic neg, logic none, special_t spec);
    automatic logic [32:0] all = {exp, 23'b0} + 33'(frac[31:8]);   // the leading bit adds one to the exponent
    automatic logic        inf = spec.plus || spec.minus;
    if (spec.nan || (spec.plus && spec.minus)) as_f32 = 32'h7fff_ffff;
    else if (inf)                              as_f32 = {spec.minus, 31'h7f80_0000};
    else if (none || all == '0)                as_f32 = '0;
    else if (all[32:23] >= 10'd255)            as_f32 = {neg, 31'h7f80_0000};
    else                                       as_f32 = {neg, all[30:0]};
  endfunction

  function automatic logic [15:0] as_f16(logic [9:0] exp, logic [31:0] frac, logic neg, logic none, special_t spec);
    automatic logic        up  = frac[20] && (frac[21] || frac[19:0] != '0);
    automatic logic [19:0] all = {exp, 10'b0} + 20'(frac[31:21]) + 20'(up);
    automatic logic        inf = spec.plus || spec.minus;
    if (spec.nan || (spec.plus && spec.minus)) as_f16 = 16'h7fff;
    else if (inf)                              as_f16 = {spec.minus, 15'h7c00};
    else if (none || all == '0)                as_f16 = '0;
    else if (all[19:10] >= 10'd31)             as_f16 = {neg, 15'h7c00};
    else                                       as_f16 = {neg, all[14:0]};
  endfunction

  logic [31:0] sum_d [SUMS], sum_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[7]) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        if (integers(ctl10))  sum_d[d] = frac9_q[d];
        else if (ctl10.acc16) sum_d[d] = 32'(as_f16(exp9_q[d], frac9_q[d], neg9_q[d], none9_q[d], spec9_q[d]));
        else                  sum_d[d] = as_f32(exp9_q[d], frac9_q[d], neg9_q[d], none9_q[d], spec9_q[d]);
      end
      sum_q <= sum_d;
    end
  end

  for (genvar d = 0; d < SUMS; d++) begin : gen_out
    assign sum_o[d] = sum_q[d];
  end

endmodule
