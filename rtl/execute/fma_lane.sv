// SPDX-License-Identifier: Apache-2.0
// One lane of the fused multiply-add pipe: FP32 a*b + c with one rounding, and integer a*b + c, on one multiplier and one adder.
//   stage 1  operands apart, partial products, exponents  -> rank 1
//   stage 2  product, c aligned to it                     -> rank 2
//   stage 3  sum or difference, and its sign              -> rank 3
//   stage 4  leading zeros, coarse shift                  -> rank 4
//   stage 5  fine shift, rounding, special results        -> rank 5, the outputs
// Latency: five cycles from operands to outputs. One operation a cycle; subnormals cost nothing.
// No handshake; en_i[k] enables rank k+1 and follows the operation (payload registers have no reset).
// It does not know instructions (see fma.sv), does not mask lanes and raises no flags.
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

  // ---- Stage 1: operands -----------------------------------------------------------------------
  exec_pkg::fma_ctl_t ctl1;
  assign ctl1 = ctl_i[0];

  // FADD is a * 1 + b; FMUL is a * b + 0.
  logic [31:0] factor, addend;
  assign factor = ctl1.add ? 32'h3f80_0000 : b_i;
  always_comb begin
    if (ctl1.add)      addend = b_i;
    else if (ctl1.mul) addend = 32'h0000_0000;
    else               addend = c_i;
  end

  logic        sign_a, sign_b, sign_c, zero_a, zero_b, zero_c, inf_a, inf_b, inf_c, nan_a, nan_b, nan_c;
  logic [7:0]  exp_a, exp_b, exp_c;
  logic [23:0] mant_a, mant_b, mant_c;

  fma_unpack u_a (
    .raw_i(a_i), .neg_i(ctl1.neg_a), .abs_i(ctl1.abs_a), .ftz_i(ctl1.ftz),
    .sign_o(sign_a), .exp_o(exp_a), .mant_o(mant_a), .zero_o(zero_a), .inf_o(inf_a), .nan_o(nan_a));
  fma_unpack u_b (
    .raw_i(factor), .neg_i(ctl1.neg_b && !ctl1.add), .abs_i(ctl1.abs_b && !ctl1.add), .ftz_i(ctl1.ftz),
    .sign_o(sign_b), .exp_o(exp_b), .mant_o(mant_b), .zero_o(zero_b), .inf_o(inf_b), .nan_o(nan_b));
  fma_unpack u_c (
    .raw_i(addend), .neg_i(ctl1.add ? ctl1.neg_b : ctl1.neg_c), .abs_i(ctl1.add && ctl1.abs_b), .ftz_i(ctl1.ftz),
    .sign_o(sign_c), .exp_o(exp_c), .mant_o(mant_c), .zero_o(zero_c), .inf_o(inf_c), .nan_o(nan_c));

  // Special results. A zero sum has the sign of both terms, or under opposite signs that of the rounding direction.
  logic sign_p, sub1, nan1, inf1;
  assign sign_p = sign_a ^ sign_b;
  assign sub1   = ctl1.fp ? (sign_p ^ sign_c) && !ctl1.mul : ctl1.neg_c;
  assign nan1   = nan_a || nan_b || nan_c || (inf_a && zero_b) || (zero_a && inf_b) ||
                  ((inf_a || inf_b) && inf_c && sub1);
  assign inf1   = inf_a || inf_b || inf_c;

  logic [6:0] shift1;
  logic [8:0] top1;
  fma_exponent u_exponent (
    .exp_a_i(exp_a), .exp_b_i(exp_b), .exp_c_i(exp_c), .zero_p_i(zero_a || zero_b), .shift_o(shift1), .top_o(top1));

  logic signed [32:0] mul_a, mul_b;
  assign mul_a = ctl1.fp ? {9'b0, mant_a} : {!ctl1.uns && a_i[31], a_i};
  assign mul_b = ctl1.fp ? {9'b0, mant_b} : {!ctl1.uns && b_i[31], b_i};

  logic [63:0] product2;
  fma_mul u_mul (.clk_i(clk_i), .en_i(en_i[0]), .a_i(mul_a), .b_i(mul_b), .product_o(product2));

  logic [63:0] c2_q;
  logic [6:0]  shift2_q;
  logic [8:0]  top2_q;
  logic        sign_p2_q, sign_c2_q, sub2_q, nan2_q, inf2_q;

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      c2_q      <= ctl1.fp ? {40'b0, mant_c} : {ctl1.wide ? c_hi_i : 32'b0, c_i};
      shift2_q  <= shift1;
      top2_q    <= top1;
      // An infinite c decides the sign of the result; a finite one is compared in stage 3.
      sign_p2_q <= inf_c ? sign_c : sign_p;
      sign_c2_q <= sign_c;
      sub2_q    <= sub1;
      nan2_q    <= nan1;
      inf2_q    <= inf1;
    end
  end

  // ---- Stage 2: product and addend side by side ------------------------------------------------
  exec_pkg::fma_ctl_t ctl2;
  assign ctl2 = ctl_i[1];

  logic [76:0] aligned, x2, y2;
  fma_align u_align (.mant_i(c2_q[23:0]), .shift_i(shift2_q), .addend_o(aligned));
  assign x2 = ctl2.fp ? {26'b0, product2[47:0], 3'b000} : {13'b0, product2};
  assign y2 = ctl2.fp ? aligned : {13'b0, c2_q};

  logic [76:0] x3_q, y3_q;
  logic [8:0]  top3_q;
  logic        sign_p3_q, sign_c3_q, sub3_q, nan3_q, inf3_q;

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      x3_q      <= x2;
      y3_q      <= y2;
      top3_q    <= top2_q;
      sign_p3_q <= sign_p2_q;
      sign_c3_q <= sign_c2_q;
      sub3_q    <= sub2_q;
      nan3_q    <= nan2_q;
      inf3_q    <= inf2_q;
    end
  end

  // ---- Stage 3: sum ----------------------------------------------------------------------------
  exec_pkg::fma_ctl_t ctl3;
  assign ctl3 = ctl_i[2];

  // Of a difference both signs are formed, and the one that is not negative is kept (an integer is what it is).
  logic [77:0] forward, backward;
  logic        swap;
  assign forward  = {1'b0, x3_q} + ({1'b0, y3_q} ^ {78{sub3_q}}) + 78'(sub3_q);
  assign backward = {1'b0, y3_q} - {1'b0, x3_q};
  assign swap     = ctl3.fp && sub3_q && forward[77];

  logic [76:0] sum4_q;
  logic [8:0]  top4_q;
  logic        sign4_q, sub4_q, nan4_q, inf4_q;

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      sum4_q  <= swap ? backward[76:0] : forward[76:0];
      top4_q  <= top3_q;
      sign4_q <= (swap && !inf3_q) ? sign_c3_q : sign_p3_q;
      sub4_q  <= sub3_q;
      nan4_q  <= nan3_q;
      inf4_q  <= inf3_q;
    end
  end

  // ---- Stage 4: leading zeros, coarse shift ----------------------------------------------------
  exec_pkg::fma_ctl_t ctl4;
  assign ctl4 = ctl_i[3];

  logic [39:0] head;
  logic        sticky, zero;
  logic [3:0]  fine;
  logic [9:0]  exp;

  fma_norm u_norm (
    .ftz_i(ctl4.round.ftz), .sum_i(sum4_q), .top_i(top4_q), .head_o(head), .sticky_o(sticky), .fine_o(fine), .exp_o(exp),
    .zero_o(zero));

  logic [63:0] bits5_q;   // FP32: {sticky, head}; integer: the result
  logic [3:0]  fine5_q;
  logic [9:0]  exp5_q;
  logic        sign5_q, zero5_q, nan5_q, inf5_q;

  always_ff @(posedge clk_i) begin
    if (en_i[3]) begin
      bits5_q  <= ctl4.fp ? {23'b0, sticky, head} : sum4_q[63:0];
      fine5_q  <= fine;
      exp5_q   <= exp;
      sign5_q  <= (zero && sub4_q && !inf4_q) ? ctl4.round.rnd == isa_pkg::RND_RM : sign4_q;
      zero5_q  <= zero;
      nan5_q   <= nan4_q;
      inf5_q   <= inf4_q;
    end
  end

  // ---- Stage 5: result -------------------------------------------------------------------------
  exec_pkg::fma_ctl_t ctl5;
  assign ctl5 = ctl_i[4];

  logic [31:0] result;
  fma_round u_round (
    .ctl_i(ctl5.round), .head_i(bits5_q[39:0]), .sticky_i(bits5_q[40]), .fine_i(fine5_q), .exp_i(exp5_q),
    .zero_i(zero5_q), .sign_i(sign5_q), .nan_i(nan5_q), .inf_i(inf5_q), .result_o(result));

  always_ff @(posedge clk_i) begin
    if (en_i[4]) begin
      lo_o <= ctl5.fp ? result : bits5_q[31:0];
      hi_o <= bits5_q[63:32];
    end
  end

  // Sign and carry of the sums are looked at where they matter; each stage uses a part of the control.
  logic unused;
  assign unused = ^{zero_c, backward[77], ctl1, ctl2, ctl3, ctl4, ctl5};

endmodule

`default_nettype wire
