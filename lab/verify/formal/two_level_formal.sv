// SPDX-License-Identifier: Apache-2.0
// rtl/issue/two_level.sv (scheduling policy of two levels), with four warps, two of them members, and a place taken away after
// three cycles.
// config: tiny
`include "properties.svh"

module two_level_formal (
  input logic       clk_i,
  input logic [3:0] start,
  input logic [3:0] long_wait,
  input logic [3:0] yield,
  input logic [3:0] req
);
  `RESET
  localparam int unsigned N = 4, SIZE = 2, LIMIT = 3;

  logic [N-1:0] pick;

  two_level #(.N(N), .SIZE(SIZE), .LIMIT(LIMIT)) u_dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .start_i (start),
    .long_i  (long_wait),
    .yield_i (yield),
    .req_i   (req),
    .pick_o  (pick),
    .take_i  (1'b1)
  );

  // The check stage holds the warp that was picked last; it gives its hint from there.
  logic [N-1:0] last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)         last_q <= '0;
    else if (pick != '0) last_q <= pick;
  end
  `GIVEN(g_yield, (yield & ~last_q) == '0)
  // A warp that waits long does not request.
  `GIVEN(g_long, (req & long_wait) == '0)
  // A warp at a time starts; it was not alive, which is a long wait.
  `GIVEN(g_start, $countones(start) <= 1 && (start & ~long_wait) == '0)

  // Any one warp: the cycles of its request in a row without a pick, and whether it yielded.
  logic [1:0] who_q;
  logic [4:0] cycles_q;
  logic       shy_q;
  always_ff @(posedge clk_i) begin
    who_q <= who_q;
    if (!rst_ni || pick[who_q])                    shy_q <= 1'b0;
    else if (yield[who_q])                         shy_q <= 1'b1;
    if (!rst_ni || !req[who_q] || pick[who_q])     cycles_q <= 5'd0;
    else if (cycles_q != 5'd31)                    cycles_q <= cycles_q + 5'd1;
  end

  // At most one is picked, and only one that requests.
  `PROVE(p_one, $countones(pick) <= 1 && (pick & ~req) == '0)
  // A warp that requests in every cycle is picked within (N - SIZE) x (LIMIT + 1) + 2 x SIZE cycles, one more if it yielded.
  `PROVE(p_wait, !req[who_q] || pick[who_q] || cycles_q + 5'd1 < 5'((N - SIZE) * (LIMIT + 1) + 2 * SIZE) + 5'(shy_q))
  // It waits for several to lose their places.
  `REACH(r_wait, cycles_q == 5'd8)
endmodule
