// SPDX-License-Identifier: Apache-2.0
// One lane of the fused multiply-add pipe: FP32 a*b + c with one rounding, and integer a*b + c, on one multiplier and one adder.
//   stage 1  operands apart, partial products, exponents  -> rank 1
//   stage 2  product, c aligned to it                     -> rank 2
//   stage 3  sum or difference, and its sign              -> rank 3
//   stage 4  leading zeros, coarse shift                  -> rank 4
//   stage 5  fine shift, rounding, special results        -> rank 5, the outputs
// Latency: five cycles from operands to outputs. One operation a cycle; subnormals cost nothing.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It does not know instructions (see fma_decode), does not mask lanes and raises no flags.
`default_nettype none

module fma_lane (
  input  logic                     clk_i,
  // from fma
  input  logic [4:0]               en_i,
  input  exec_pkg::fma_ctl_t [4:0] ctl_i,   // ctl_i[k]: of the operation in stage k+1
  // operands
  input  logic [31:0]              a_i,
  input  logic [31:0]              b_i,
  input  logic [31:0]              c_i,
  input  logic [31:0]              c_hi_i,
  // results
  output logic [31:0]              lo_o,
  output logic [31:0]              hi_o
);

  exec_pkg::fma_ctl_t ctl1, ctl2, ctl3, ctl4, ctl5;
  assign ctl1 = ctl_i[0];
  assign ctl2 = ctl_i[1];
  assign ctl3 = ctl_i[2];
  assign ctl4 = ctl_i[3];
  assign ctl5 = ctl_i[4];

  // ---- Stage 1: operands -----------------------------------------------------------------------
  // The product is made of four partial ones (a DSP block each): a = a_hi * 2^16 + a_lo, with a_lo unsigned.
  logic signed [33:0] ll_q, lh_q, hl_q, hh_q;
  logic [63:0]        c2_q;
  fma_pkg::place_t    place2_q;
  logic               sign_p2_q, sign_c2_q, sub2_q, nan2_q, inf2_q;

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      automatic logic [31:0]        factor, addend;
      automatic fma_pkg::number_t   a, b;
      /* verilator lint_off UNUSEDSIGNAL */  // whether c is zero does not matter
      automatic fma_pkg::number_t   c;
      /* verilator lint_on UNUSEDSIGNAL */
      automatic logic               sign_p, sub;
      automatic logic signed [32:0] mul_a, mul_b;
      automatic logic signed [16:0] a_hi, b_hi, a_lo, b_lo;
      // FADD is a * 1 + b; FMUL is a * b + 0.
      factor = ctl1.add ? 32'h3f80_0000 : b_i;
      addend = ctl1.add ? b_i : ctl1.mul ? 32'h0000_0000 : c_i;
      a = fma_pkg::unpack(a_i, ctl1.neg_a, ctl1.abs_a, ctl1.ftz);
      b = fma_pkg::unpack(factor, ctl1.neg_b && !ctl1.add, ctl1.abs_b && !ctl1.add, ctl1.ftz);
      c = fma_pkg::unpack(addend, ctl1.add ? ctl1.neg_b : ctl1.neg_c, ctl1.add && ctl1.abs_b, ctl1.ftz);

      mul_a = ctl1.fp ? {9'b0, a.mant} : {!ctl1.uns && a_i[31], a_i};
      mul_b = ctl1.fp ? {9'b0, b.mant} : {!ctl1.uns && b_i[31], b_i};
      a_hi  = mul_a[32:16];
      b_hi  = mul_b[32:16];
      a_lo  = {1'b0, mul_a[15:0]};
      b_lo  = {1'b0, mul_b[15:0]};
      ll_q  <= a_lo * b_lo;
      lh_q  <= a_lo * b_hi;
      hl_q  <= a_hi * b_lo;
      hh_q  <= a_hi * b_hi;

      // Special results. A zero sum has the sign of both terms, or under opposite signs that of the rounding direction.
      sign_p    = a.sign ^ b.sign;
      sub       = ctl1.fp ? (sign_p ^ c.sign) && !ctl1.mul : ctl1.neg_c;
      sub2_q    <= sub;
      nan2_q    <= a.nan || b.nan || c.nan || (a.inf && b.zero) || (a.zero && b.inf) || ((a.inf || b.inf) && c.inf && sub);
      inf2_q    <= a.inf || b.inf || c.inf;
      // An infinite c decides the sign of the result; a finite one is compared in stage 3.
      sign_p2_q <= c.inf ? c.sign : sign_p;
      sign_c2_q <= c.sign;
      place2_q  <= fma_pkg::place(a.exp, b.exp, c.exp, a.zero || b.zero);
      c2_q      <= ctl1.fp ? {40'b0, c.mant} : {ctl1.wide ? c_hi_i : 32'b0, c_i};
    end
  end

  // ---- Stage 2: product and addend side by side; for a difference the addend's complement ------
  logic [76:0] x3_q, y3_q;
  logic [8:0]  top3_q;
  logic        sign_p3_q, sign_c3_q, sub3_q, nan3_q, inf3_q;

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      automatic logic signed [34:0] middle;
      automatic logic [63:0]        product;
      automatic logic [76:0]        y;
      // Low 64 bits; hh and ll do not overlap.
      middle    = lh_q + hl_q;
      product   = {hh_q[31:0], ll_q[31:0]} + {{13{middle[34]}}, middle, 16'b0};
      y         = ctl2.fp ? fma_pkg::align(c2_q[23:0], place2_q.shift) : {13'b0, c2_q};
      x3_q      <= ctl2.fp ? {26'b0, product[47:0], 3'b000} : {13'b0, product};
      y3_q      <= y ^ {77{sub2_q}};
      top3_q    <= place2_q.top;
      sign_p3_q <= sign_p2_q;
      sign_c3_q <= sign_c2_q;
      sub3_q    <= sub2_q;
      nan3_q    <= nan2_q;
      inf3_q    <= inf2_q;
    end
  end

  // ---- Stage 3: sum ----------------------------------------------------------------------------
  logic [76:0] sum4_q;
  logic [8:0]  top4_q;
  logic        sign4_q, sub4_q, nan4_q, inf4_q;

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      automatic logic [77:0] forward;
      automatic logic [76:0] backward;
      automatic logic        swap;
      // Of a difference both signs are formed, and the one that is not negative is kept (an integer is what it is):
      // x - y = x + ~y + 1, and y - x = ~(x + ~y).
      forward  = {1'b0, x3_q} + {sub3_q, y3_q} + 78'(sub3_q);
      backward = x3_q + y3_q;
      swap     = ctl3.fp && sub3_q && forward[77];
      sum4_q   <= swap ? ~backward : forward[76:0];
      top4_q   <= top3_q;
      sign4_q  <= (swap && !inf3_q) ? sign_c3_q : sign_p3_q;
      sub4_q   <= sub3_q;
      nan4_q   <= nan3_q;
      inf4_q   <= inf3_q;
    end
  end

  // ---- Stage 4: leading zeros, coarse shift by the multiples of 16 -----------------------------
  logic [63:0] bits5_q;   // FP32: {sticky, head}; integer: the result
  logic [3:0]  fine5_q;
  logic [9:0]  exp5_q;
  logic        sign5_q, zero5_q, nan5_q, inf5_q;

  always_ff @(posedge clk_i) begin
    if (en_i[3]) begin
      automatic logic [6:0]        zeros, shift;
      automatic logic signed [9:0] exp;
      automatic logic              zero, stop;
      automatic logic [76:0]       coarse;
      {zero, zeros} = fma_pkg::zeros(sum4_q);
      // The shift stops where the exponent would fall below that of subnormals: the result then is subnormal (or zero).
      // With FTZ it does not stop: the exponent has no lower bound, and what is too small is flushed in stage 5.
      exp    = $signed({1'b0, top4_q}) - $signed({3'b000, zeros});
      stop   = exp < 0 && !ctl4.round.ftz;
      shift  = stop ? top4_q[6:0] : zeros;
      coarse = sum4_q;
      if (shift[4]) coarse = {coarse[60:0], 16'b0};
      if (shift[5]) coarse = {coarse[44:0], 32'b0};
      if (shift[6]) coarse = {coarse[12:0], 64'b0};
      bits5_q  <= ctl4.fp ? {23'b0, coarse[36:0] != '0, coarse[76:37]} : sum4_q[63:0];
      fine5_q  <= shift[3:0];
      exp5_q   <= stop ? 10'd0 : exp;
      sign5_q  <= (zero && sub4_q && !inf4_q) ? ctl4.round.rnd == isa_pkg::RND_RM : sign4_q;
      zero5_q  <= zero;
      nan5_q   <= nan4_q;
      inf5_q   <= inf4_q;
    end
  end

  // ---- Stage 5: result -------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (en_i[4]) begin
      lo_o <= ctl5.fp ? fma_pkg::round(ctl5.round, bits5_q[39:0], bits5_q[40], fine5_q, exp5_q, zero5_q, sign5_q, nan5_q, inf5_q)
                      : bits5_q[31:0];
      hi_o <= bits5_q[63:32];
    end
  end

  // Each stage uses a part of the control; products have copies of the sign, or bits above the 64 that count.
  logic unused;
  assign unused = ^{ll_q[33:32], hh_q[33:32], ctl1, ctl2, ctl3, ctl4, ctl5};

endmodule

`default_nettype wire
