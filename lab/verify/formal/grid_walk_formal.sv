// SPDX-License-Identifier: Apache-2.0
// rtl/dispatch/grid_walk.sv: a grid of one or two blocks in each dimension.
// config: tiny
// quick
`include "properties.svh"

module grid_walk_formal (
  input logic clk_i,
  input logic begin_grid,
  input logic take
);
  `RESET
  logic [2:0][31:0] grid_q, ctaid;
  logic             valid, over;

  grid_walk u_dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .grid_i  (grid_q),
    .begin_i (begin_grid),
    .valid_o (valid),
    .ctaid_o (ctaid),
    .take_i  (take),
    .over_o  (over)
  );

  // The launch holds, and begins once.
  logic begun_q;
  always_ff @(posedge clk_i) begin
    grid_q  <= grid_q;
    begun_q <= rst_ni && (begun_q || begin_grid);
  end
  `GIVEN(g_grid, grid_q[0] - 32'd1 < 32'd2 && grid_q[1] - 32'd1 < 32'd2 && grid_q[2] - 32'd1 < 32'd2)
  `GIVEN(g_begin, !begin_grid || !begun_q)
  `GIVEN(g_take, !take || valid)

  // Counted as the prose has it: the n-th block is at n mod X, n / X mod Y, n / X / Y.
  logic [4:0] count_q;
  logic [2:0] x, y, z;
  assign x = 3'(ctaid[0]);
  assign y = 3'(ctaid[1]);
  assign z = 3'(ctaid[2]);
  always_ff @(posedge clk_i) begin
    if (!begun_q) count_q <= '0;
    else if (take) count_q <= count_q + 5'd1;
  end
  logic [5:0] total;
  assign total = 6'(grid_q[0][1:0]) * 6'(grid_q[1][1:0]) * 6'(grid_q[2][1:0]);
  // Its position: before the launch, at a block (so many were taken before it), or behind the last one. Its
  // flags of the ends of dimensions count when the block is offered.
  logic       whole;
  logic [2:0] ends;
  always_comb begin
    for (int d = 0; d < 3; d++) ends[d] = ctaid[d] + 32'd1 == grid_q[d];
    if (!begun_q)  whole = over && !valid;
    else if (over) whole = !valid && 6'(count_q) == total;
    else whole = ctaid[0] < grid_q[0] && ctaid[1] < grid_q[1] && ctaid[2] < grid_q[2] && (!valid || u_dut.last_q == ends)
      && 6'(count_q) == 6'(x) + 6'(grid_q[0][1:0]) * (6'(y) + 6'(grid_q[1][1:0]) * 6'(z));
  end
  // Each block comes once, in order, x fastest.
  `PROVE(p_order, whole && (!valid || 6'(count_q) == 6'(x) + 6'(grid_q[0][1:0]) * (6'(y) + 6'(grid_q[1][1:0]) * 6'(z))))
  // There is no block after the last one, and none is left out.
  `PROVE(p_over, whole && (!begun_q || over == (6'(count_q) == total)))
  // All eight blocks of the largest are taken.
  `REACH(r_all, begun_q && over && total == 6'd8)
endmodule
