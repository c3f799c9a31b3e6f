// SPDX-License-Identifier: Apache-2.0
// Third step of an FP64 lane: product and addend added or subtracted; where an integer is wanted, the addend rounded to one.
// Latency: one cycle, inputs to registers; en_i enables them.
// No handshake.
// It does not normalise.
module fp64_sum (
  input  logic                        clk_i,
  // from the unit
  input  logic                        en_i,
  input  fp64_pkg::ctl_t              ctl_i,
  // from the product
  input  logic [105:0]                product_i,
  input  logic [fp64_pkg::WINDOW-1:0] addend_i,
  input  fp64_pkg::side_t             side_i,
  // to normalisation
  output logic [fp64_pkg::WINDOW-1:0] sum_o,
  output fp64_pkg::side_t             side_o
);

  localparam int unsigned WINDOW = fp64_pkg::WINDOW;
  localparam int unsigned UNITS  = fp64_pkg::UNITS;

  logic [WINDOW-1:0] sum_q;
  fp64_pkg::side_t   side_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      // Below the units nothing is left, and one more of them takes the place of the product.
      automatic logic integral = (ctl_i.kind == fp64_pkg::TO_INT || ctl_i.kind == fp64_pkg::INTEGRAL) && !side_i.word;
      automatic logic up       = exec_pkg::round_up(ctl_i.rnd, side_i.sign, addend_i[UNITS], addend_i[UNITS-1],
                                                    addend_i[UNITS-2:0] != '0);
      automatic logic [WINDOW-1:0] x = integral ? {63'b0, up, {UNITS{1'b0}}} : {55'b0, product_i, 3'b000};
      automatic logic [WINDOW-1:0] y = integral ? {addend_i[WINDOW-1:UNITS], {UNITS{1'b0}}} : addend_i;
      // Of a difference both signs are formed, and the one that is not negative is kept.
      automatic logic            sub     = side_i.sub;
      automatic logic [WINDOW:0] forward = {1'b0, x} + ({1'b0, y} ^ {(WINDOW + 1){sub}}) + (WINDOW + 1)'(sub);
      automatic logic            swap    = sub && forward[WINDOW];
      sum_q       <= swap ? y - x : forward[WINDOW-1:0];
      side_q      <= side_i;
      side_q.sign <= swap ? side_i.sign_c : side_i.sign;
    end
  end

  assign sum_o  = sum_q;
  assign side_o = side_q;

endmodule
