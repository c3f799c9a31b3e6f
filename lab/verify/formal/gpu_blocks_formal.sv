// SPDX-License-Identifier: Apache-2.0
// rtl/gpu/gpu_blocks.sv, with three SMs and grids of up to five blocks in a row.
// config: quad
`include "properties.svh"

module gpu_blocks_formal (
  input logic       clk_i,
  input logic       begin_grid,
  input logic [2:0] ask,
  input logic [2:0] take,
  input logic [2:0] done
);
  `RESET
  localparam int unsigned N = 3;

  logic [2:0][31:0]        grid;
  logic [N-1:0]            valid, over;
  logic [N-1:0][2:0][31:0] ctaid;
  logic                    grid_done;
  logic [3:0]              refuse;

  gpu_blocks #(.N(N)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .grid_i      (grid),
    .ct_begin_i  ({N{begin_grid}}),
    .ct_ask_i    (ask),
    .gb_valid_o  (valid),
    .gb_ctaid_o  (ctaid),
    .gb_over_o   (over),
    .ct_take_i   (take),
    .ct_done_i   (done),
    .ct_refuse_i ('0),
    .grid_done_o (grid_done),
    .ct_refuse_o (refuse)
  );

  // The launch holds, and begins once.
  logic [2:0] size_q;
  logic       begun_q;
  assign grid = {32'd1, 32'd1, 32'(size_q)};
  always_ff @(posedge clk_i) begin
    size_q  <= size_q;
    begun_q <= rst_ni && (begun_q || begin_grid);
  end
  `GIVEN(g_grid, size_q != 3'd0 && size_q <= 3'd5)
  `GIVEN(g_begin, !begin_grid || !begun_q)

  // An SM requests until it has a block, takes the block in hand, and says once that it is done, when none is left for it.
  logic [N-1:0] asked_q, done_q, had_q, kept_q;
  logic [N-1:0][2:0][31:0] ctaid_q;
  always_ff @(posedge clk_i) begin
    asked_q <= rst_ni ? ask & ~valid : '0;
    had_q   <= rst_ni ? valid & ~take : '0;
    kept_q  <= rst_ni ? valid & ~take : '0;
    ctaid_q <= ctaid;
    if (!rst_ni) done_q <= '0;
    else         done_q <= done_q | done;
  end
  `GIVEN(g_ask, ask == '0 || begun_q)
  `GIVEN(g_asks, (asked_q & ~valid & ~ask) == '0)
  `GIVEN(g_take, (take & ~valid) == '0)
  `GIVEN(g_done, (done & ~over) == '0 && (done & done_q) == '0 && (done == '0 || begun_q) && (done & ask) == '0 && (done_q & ask) == '0)

  // Blocks that came into somebody's hand; any one of them.
  logic [N-1:0] came;
  logic [2:0]   count_q, which_q;
  logic         here, seen_q;
  assign came = valid & ~had_q;
  always_comb begin
    here = 1'b0;
    for (int s = 0; s < int'(N); s++) here = here || (came[s] && ctaid[s] == {64'd0, 32'(which_q)});
  end
  always_ff @(posedge clk_i) begin
    which_q <= which_q;
    if (!rst_ni) begin
      count_q <= '0;
      seen_q  <= 1'b0;
    end else begin
      count_q <= count_q + 3'($countones(came));
      seen_q  <= seen_q || here;
    end
  end
  `GIVEN(g_which, which_q < size_q)

  // Requested while there was one.
  logic due_q;
  always_ff @(posedge clk_i) due_q <= rst_ni && u_dut.walk_valid && (ask & ~valid) != '0;

  // Any one SM: blocks that others have got since it began to request.
  logic [1:0] one_q, others_q;
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni || !(ask[one_q] && !valid[one_q]) || came[one_q]) others_q <= 2'd0;
    else if (came != '0 && others_q != 2'd3)                      others_q <= others_q + 2'd1;
  end
  `GIVEN(g_one, one_q < 2'(N))

  // No block comes into a hand twice, and two never do in one cycle.
  `BOUND(26, p_once, !(here && seen_q) && $countones(came) <= 1 && count_q <= size_q)
  // When the grid is done, each has.
  `BOUND(26, p_all, !grid_done || (seen_q && count_q == size_q))
  // An SM gets that none is left when it has none in hand, and the walker has none.
  `BOUND(26, p_over, !(begun_q && (over & valid) != '0) && (!begun_q || over == '0 || count_q + 3'($countones(came)) == size_q))
  // The grid is done when all SMs have said so, and not before.
  `PROVE(p_done, !grid_done || done_q == '1)
  // A block in hand stays the same until it is taken.
  `PROVE(p_stable, (kept_q & ~valid) == '0 && (!kept_q[0] || ctaid[0] == ctaid_q[0]) && (!kept_q[1] || ctaid[1] == ctaid_q[1])
    && (!kept_q[2] || ctaid[2] == ctaid_q[2]))
  // While there is a block and an SM requests, one is given.
  `PROVE(p_given, !due_q || came != '0)
  // A requester has a block after one of each other at the latest, and one that was on its way.
  `PROVE(p_fair, !(came != '0 && !came[one_q] && ask[one_q] && !valid[one_q]) || others_q < 2'(N))
  // All five have been given, to all three, and all is done.
  `REACH(r_all, grid_done && size_q == 3'd5)
endmodule
