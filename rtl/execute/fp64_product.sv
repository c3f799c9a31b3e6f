// SPDX-License-Identifier: Apache-2.0
// Second step of an FP64 lane: the product of the significands, a part of one factor a cycle, and the addend shifted to its
// place in the window.
// Latency: PASSES cycles, cycle k of them enabled by en_i[k]; opened_i stands still meanwhile. The registers keep their
// value until the next first pass.
// No handshake.
// It does not look at signs and special values.
module fp64_product #(
  parameter int unsigned PASSES = 3          // 1: one multiplier 53 x 53; 2: 53 x 27; 3: 53 x 18
) (
  input  logic                            clk_i,
  // from the unit
  input  logic [PASSES-1:0]               en_i,
  // from open
  input  fp64_pkg::opened_t               opened_i,
  // to the sum
  output logic [105:0]                    product_o,
  output logic [fp64_pkg::WINDOW-1:0]     addend_o,
  output fp64_pkg::side_t                 side_o
);

  localparam int unsigned DIGIT = (53 + PASSES - 1) / PASSES;
  localparam int unsigned LOW   = DIGIT * PASSES;
  localparam int unsigned SUM_W = 53 + DIGIT;
  localparam int unsigned ALL_W = 53 + LOW;

  // Each pass adds factor times digit to the upper 53 bits so far, and moves the whole down by a digit.
  logic [ALL_W-1:0] all_q;

  always_ff @(posedge clk_i) begin
    if (en_i != '0) begin
      automatic logic [LOW-1:0]   factor = LOW'(opened_i.y);
      automatic logic [DIGIT-1:0] digit  = '0;
      automatic logic [SUM_W-1:0] part   = '0;
      automatic logic [52:0]      so_far = en_i[0] ? 53'b0 : all_q[ALL_W-1 -: 53];
      for (int unsigned k = 0; k < PASSES; k++) begin
        if (en_i[k]) digit = factor[k*DIGIT +: DIGIT];
      end
      if (DIGIT <= 18) part = SUM_W'(mul_pkg::u53x18(53'(opened_i.x), 18'(digit)));
      else             part = SUM_W'(mul_pkg::u53(53'(opened_i.x), 53'(digit)));
      part  = part + SUM_W'(so_far);
      all_q <= (ALL_W'(all_q[LOW-1:0]) >> DIGIT) | (ALL_W'(part) << (LOW - DIGIT));
    end
  end

  // The addend, to the right; what falls out of the window stays in its lowest, sticky bit.
  logic [fp64_pkg::WINDOW-1:0] addend_q;
  fp64_pkg::side_t             side_q;

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      automatic logic [fp64_pkg::WINDOW-1:0] moved = {opened_i.word, 100'b0} >> opened_i.shift;
      automatic logic [7:0]                  past  = opened_i.shift - 8'd100;
      automatic logic [63:0]                 lost  = (opened_i.shift < 8'd100) ? 64'b0 :
                                                     opened_i.word & ~(64'hffff_ffff_ffff_ffff << past[5:0]);
      addend_q <= {moved[fp64_pkg::WINDOW-1:1], moved[0] || lost != '0};
      side_q   <= opened_i.side;
    end
  end

  assign product_o = all_q[105:0];
  assign addend_o  = addend_q;
  assign side_o    = side_q;

endmodule
