// SPDX-License-Identifier: Apache-2.0
// rtl/issue/round_robin.sv (scheduling policy LRR, and the members of two levels), with four warps.
// config: tiny
// quick
// quick
`include "properties.svh"

module round_robin_formal (
  input logic       clk_i,
  input logic [3:0] yield,
  input logic [3:0] req,
  input logic       take
);
  `RESET

  logic [3:0] pick, sel;   // sel: a pick that counts
  assign sel = take ? pick : '0;

  round_robin #(.N(4)) u_dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .yield_i (yield),
    .req_i   (req),
    .pick_o  (pick),
    .take_i  (take)
  );

  // The check stage holds the warp that was picked last; it gives its hint from there.
  logic [3:0] last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)         last_q <= '0;
    else if (sel != '0)  last_q <= sel;
  end
  `GIVEN(g_yield, (yield & ~last_q) == '0)

  // Any one warp: picks of others since it began to request, and whether it yielded since its last pick.
  logic [1:0] who_q;
  logic [2:0] others_q;
  logic       shy_q;
  always_ff @(posedge clk_i) begin
    who_q <= who_q;
    if (!rst_ni || sel[who_q])                                 shy_q <= 1'b0;
    else if (yield[who_q])                                     shy_q <= 1'b1;
    if (!rst_ni || !req[who_q] || sel[who_q])                  others_q <= 3'd0;
    else if (sel != '0 && others_q != 3'd7)                    others_q <= others_q + 3'd1;
  end

  // Exactly one of the requesters is picked.
  `PROVE(p_one, (req == '0) ? pick == '0 : $countones(pick) == 1 && (pick & ~req) == '0)
  // A requester that keeps its request sees three picks of others at the most, one more after it yielded.
  `PROVE(p_wait, !(req[who_q] && sel != '0 && !sel[who_q]) || others_q < 3'd3 + 3'(shy_q))
  // Three others may go first.
  `REACH(r_wait, others_q == 3'd3 && sel[who_q] && !shy_q)
endmodule
