// SPDX-License-Identifier: Apache-2.0
// One lane of the FP64 unit: a fused multiply-add with full subnormals, comparisons, and conversions with 64-bit numbers.
//   open      operands apart, special values, comparisons                          1 cycle
//   product   one product in PASSES parts, addend shifted beside it                PASSES cycles
//   sum       sum or difference; rounding to an integer                            1 cycle
//   close     leading zeros and shift, or saturation; rounding and packing         2 cycles
// Latency: PASSES + 4 cycles. One operation every PASSES cycles.
// No handshake; en_i enables the ranks in this order and follows the operation.
// It has no warps, beats or registers (fp64_unit has).
module fp64_lane #(
  parameter int unsigned PASSES = 3          // 1: one multiplier 53 x 53; 2: 53 x 27; 3: 53 x 18
) (
  input  logic                 clk_i,
  // from the unit
  input  logic                 en_open_i,
  input  logic [PASSES-1:0]    en_pass_i,
  input  logic                 en_sum_i,
  input  logic [1:0]           en_close_i,
  input  fp64_pkg::ctl_t       ctl_open_i,
  input  fp64_pkg::ctl_t       ctl_sum_i,
  input  fp64_pkg::ctl_t [1:0] ctl_close_i,
  // operands
  input  logic [63:0]          a_i,
  input  logic [63:0]          b_i,
  input  logic [63:0]          c_i,
  input  logic                 ps0_i,
  // results
  output logic [63:0]          result_o,
  output logic                 pd0_o,
  output logic                 pd1_o
);

  localparam int unsigned WINDOW = fp64_pkg::WINDOW;
  localparam int unsigned UNITS  = fp64_pkg::UNITS;

  fp64_pkg::opened_t opened;   // stands still while its product is worked out

  fp64_open u_open (
    .clk_i(clk_i), .en_i(en_open_i), .ctl_i(ctl_open_i), .a_i(a_i), .b_i(b_i), .c_i(c_i), .ps0_i(ps0_i), .opened_o(opened));

  // ---- Product: a part of one factor a cycle -------------------------------------------------------
  localparam int unsigned DIGIT = (53 + PASSES - 1) / PASSES;
  localparam int unsigned LOW   = DIGIT * PASSES;
  localparam int unsigned SUM_W = 53 + DIGIT;
  localparam int unsigned ALL_W = 53 + LOW;

  // Each pass adds factor times digit to the upper 53 bits so far, and moves the whole down by a digit.
  logic [ALL_W-1:0] all_q;

  always_ff @(posedge clk_i) begin
    if (en_pass_i != '0) begin
      automatic logic [LOW-1:0]   factor = LOW'(opened.y);
      automatic logic [DIGIT-1:0] digit  = '0;
      automatic logic [SUM_W-1:0] part   = '0;
      automatic logic [52:0]      so_far = en_pass_i[0] ? 53'b0 : all_q[ALL_W-1 -: 53];
      for (int unsigned k = 0; k < PASSES; k++) begin
        if (en_pass_i[k]) digit = factor[k*DIGIT +: DIGIT];
      end
      if (DIGIT <= 18) part = SUM_W'(mul_pkg::u53x18(53'(opened.x), 18'(digit)));
      else             part = SUM_W'(mul_pkg::u53(53'(opened.x), 53'(digit)));
      part  = part + SUM_W'(so_far);
      all_q <= (ALL_W'(all_q[LOW-1:0]) >> DIGIT) | (ALL_W'(part) << (LOW - DIGIT));
    end
  end

  // The addend, to the right; what falls out of the window stays in its lowest, sticky bit.
  logic [WINDOW-1:0] addend_q;
  fp64_pkg::side_t   side_q;     // goes beside it

  always_ff @(posedge clk_i) begin
    if (en_pass_i[0]) begin
      automatic logic [WINDOW-1:0] moved = {opened.word, 100'b0} >> opened.shift;
      automatic logic [7:0]        past  = opened.shift - 8'd100;
      automatic logic [63:0]       lost  = (opened.shift < 8'd100) ? 64'b0 :
                                           opened.word & ~(64'hffff_ffff_ffff_ffff << past[5:0]);
      addend_q <= {moved[WINDOW-1:1], moved[0] || lost != '0};
      side_q <= opened.side;
    end
  end

  // ---- Sum or difference; where an integer is wanted, the addend rounded to one ---------------------------
  logic [WINDOW-1:0] sum_q;
  fp64_pkg::side_t   sum_side_q;

  always_ff @(posedge clk_i) begin
    if (en_sum_i) begin
      // Below the units nothing is left, and one more of them takes the place of the product.
      automatic logic integral = (ctl_sum_i.kind == fp64_pkg::TO_INT || ctl_sum_i.kind == fp64_pkg::INTEGRAL) && !side_q.word;
      automatic logic up       = exec_pkg::round_up(ctl_sum_i.rnd, side_q.sign, addend_q[UNITS], addend_q[UNITS-1],
                                                    addend_q[UNITS-2:0] != '0);
      automatic logic [WINDOW-1:0] x = integral ? {63'b0, up, {UNITS{1'b0}}} : {55'b0, all_q[105:0], 3'b000};
      automatic logic [WINDOW-1:0] y = integral ? {addend_q[WINDOW-1:UNITS], {UNITS{1'b0}}} : addend_q;
      // Both signs of a difference are formed, and the one that is not negative is kept.
      automatic logic            sub     = side_q.sub;
      automatic logic [WINDOW:0] forward = {1'b0, x} + ({1'b0, y} ^ {(WINDOW + 1){sub}}) + (WINDOW + 1)'(sub);
      automatic logic            swap    = sub && forward[WINDOW];
      sum_q       <= swap ? y - x : forward[WINDOW-1:0];
      sum_side_q      <= side_q;
      sum_side_q.sign <= swap ? side_q.sign_c : side_q.sign;
    end
  end

  fp64_close u_close (
    .clk_i(clk_i), .en_i(en_close_i), .ctl_i(ctl_close_i), .sum_i(sum_q), .side_i(sum_side_q),
    .result_o(result_o), .pd0_o(pd0_o), .pd1_o(pd1_o));

endmodule
