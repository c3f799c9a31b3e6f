// SPDX-License-Identifier: Apache-2.0
// rtl/issue/plane_counters.sv, with two counters of three bits: the ends of the range are near.
// config: tiny
// quick
`include "properties.svh"

module plane_counters_formal (
  input logic            clk_i,
  input logic [1:0]      clear,
  input logic [1:0][1:0] up,
  input logic [4:0][1:0] down
);
  `RESET

  logic [1:0]      nonzero, near_full, high, full, below;
  logic [2:0][1:0] plane;

  plane_counters #(.N(2), .WIDTH(3), .FALLS(5)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear),
    .up_i        (up),
    .down_i      (down),
    .nonzero_o   (nonzero),
    .near_full_o (near_full),
    .high_o      (high),
    .full_o      (full),
    .plane_o     (plane),
    .below_o     (below)
  );

  // Either of them, as a number.
  logic       who_q, under_q;
  logic [3:0] value_q, rise, fall;
  assign rise = 4'(up[0][who_q]) + 4'(up[1][who_q]);
  always_comb begin
    fall = 4'd0;
    for (int i = 0; i < 5; i++) fall = fall + 4'(down[i][who_q]);
  end
  always_ff @(posedge clk_i) begin
    who_q <= who_q;
    if (!rst_ni || clear[who_q])    value_q <= 4'd0;
    else if (fall > value_q + rise) value_q <= 4'd8 + value_q + rise - fall;   // three bits of it count
    else                            value_q <= value_q + rise - fall;
    // Nothing happens to either: the mark stays as it was.
    if (!rst_ni)                                            under_q <= 1'b0;
    else if (up != '0 || down != '0 || clear != '0)         under_q <= fall > value_q + rise && !clear[who_q];
  end
  // A counter near the end of the range does not rise.
  `GIVEN(g_full, !near_full[who_q] || rise == 4'd0)

  // A counter is what rose less what fell, two and five in a cycle included.
  `PROVE(p_value, {plane[2][who_q], plane[1][who_q], plane[0][who_q]} == value_q[2:0])
  // Two flags show the highest value, and that it could be passed in the next cycle.
  `PROVE(p_full, full[who_q] == (value_q == 4'd7) && near_full[who_q] == (value_q >= 4'd6) && high[who_q] == (value_q >= 4'd4))
  // If near ones do not rise, the highest value is never passed.
  `PROVE(p_range, value_q <= 4'd7)
  // It is reported when a counter fell below zero, and only then.
  `PROVE(p_below, below[who_q] == under_q)
  // From the highest value five fall at once.
  `REACH(r_fall, value_q == 4'd7 && fall == 4'd5)
endmodule
