// SPDX-License-Identifier: Apache-2.0
// rtl/issue/oldest_first.sv (scheduling policy GTO), with three warps and a handover every third pick.
// config: tiny
// quick
`include "properties.svh"

module oldest_first_formal (
  input logic       clk_i,
  input logic [2:0] start,
  input logic [2:0] yield,
  input logic [2:0] req,
  input logic       take
);
  `RESET
  localparam int unsigned N = 3, LIMIT = 3;

  logic [N-1:0] pick, sel;   // sel: a pick that counts
  assign sel = take ? pick : '0;

  oldest_first #(.N(N), .LIMIT(LIMIT)) u_dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .start_i (start),
    .yield_i (yield),
    .req_i   (req),
    .pick_o  (pick),
    .take_i  (take)
  );

  // A warp at a time starts, and none that runs.
  `GIVEN(g_start, $countones(start) <= 1 && (start & req) == '0)

  // Any one warp: picks of others since it began to request.
  logic [1:0] who_q, other_q;
  logic [3:0] others_q;
  logic       older_q, greedy_q;   // it started before another one; it was picked last and gave no hint
  logic [1:0] count_q;
  always_ff @(posedge clk_i) begin
    who_q   <= who_q;
    other_q <= other_q;
    if (!rst_ni || !req[who_q] || sel[who_q])    others_q <= 4'd0;
    else if (sel != '0 && others_q != 4'd15)    others_q <= others_q + 4'd1;
    if (!rst_ni)             older_q <= who_q < other_q;
    else if (start[other_q]) older_q <= 1'b1;
    else if (start[who_q])   older_q <= 1'b0;
    if (!rst_ni)          count_q <= 2'd0;
    else if (sel != '0)   count_q <= (count_q == 2'(LIMIT - 1)) ? 2'd0 : count_q + 2'd1;
    if (!rst_ni || sel != '0) greedy_q <= rst_ni && sel[who_q] && !yield[who_q] && count_q != 2'(LIMIT - 1);
    else if (yield[who_q])    greedy_q <= 1'b0;
  end
  `GIVEN(g_who, who_q < 2'(N) && other_q < 2'(N) && who_q != other_q)

  // The warp that had the last pick, or has been given a turn since.
  logic [N-1:0] had_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)        had_q <= '0;
    else if (sel != '0) had_q <= (count_q == 2'(LIMIT - 1)) ? '1 : sel;
  end

  // Exactly one of the requesters is picked.
  `PROVE(p_one, (req == '0) ? pick == '0 : $countones(pick) == 1 && (pick & ~req) == '0)
  // A requester that keeps its request sees N x LIMIT picks of others at the most: the old cannot keep the young out.
  `PROVE(p_wait, !(req[who_q] && sel != '0 && !sel[who_q]) || others_q < 4'(N * LIMIT))
  // The warp picked last goes on while it requests, gave no hint, and no handover comes.
  `PROVE(p_greedy, !greedy_q || !req[who_q] || pick[who_q])
  // A warp that is picked without having had the last pick or a turn is the oldest of the requesters.
  `PROVE(p_oldest, !(pick[other_q] && req[who_q] && older_q && !had_q[other_q]))
  // The younger of two waits for more than one handover.
  `REACH(r_wait, others_q == 4'd5)
endmodule
