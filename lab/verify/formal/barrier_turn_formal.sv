// SPDX-License-Identifier: Apache-2.0
// rtl/issue/barrier_turn.sv, with the four partitions of `sm`.
// config: sm
`include "properties.svh"

module barrier_turn_formal (
  input logic                                 clk_i,
  input logic [3:0]                           ask,
  input logic [3:0]                           go,       // the one that is granted leaves
  input logic [3:0][cfg_pkg::SM_WARP_W-1:0]   slot,
  input logic [3:0][$bits(core_pkg::bar_t)-1:0] bar,
  input logic                                 hold
);
  `RESET
  localparam int unsigned N = 4;

  logic [N-1:0]                  grant, valid;
  logic                          pick, bt_ask, bt_valid;
  logic [cfg_pkg::SM_WARP_W-1:0] bt_slot;
  core_pkg::bar_t                bt_bar;

  barrier_turn #(.N(N)) u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .is_bar_ask_i   (ask),
    .is_bar_valid_i (valid),
    .is_bar_slot_i  (slot),
    .is_bar_i       (bar),
    .ba_grant_o     (grant),
    .ba_hold_i      (hold),
    .bt_pick_o      (pick),
    .bt_ask_o       (bt_ask),
    .bt_valid_o     (bt_valid),
    .bt_slot_o      (bt_slot),
    .bt_bar_o       (bt_bar)
  );

  // A partition arrives when it is granted and still requests.
  assign valid = go & ask & grant;

  // It requests, with the same payload, until it has arrived.
  logic [N-1:0]                                 ask_q, valid_q, grant_q;
  logic [N-1:0][cfg_pkg::SM_WARP_W-1:0]         slot_q;
  logic [N-1:0][$bits(core_pkg::bar_t)-1:0]     bar_q;
  logic                                         same, pick_q;
  logic [cfg_pkg::SM_WARP_W-1:0]                bt_slot_q;
  always_ff @(posedge clk_i) begin
    ask_q     <= rst_ni ? ask : '0;
    valid_q   <= rst_ni ? valid : '0;
    grant_q   <= rst_ni ? grant : '0;
    pick_q    <= rst_ni && pick;
    bt_slot_q <= bt_slot;
    slot_q    <= slot;
    bar_q     <= bar;
  end
  always_comb begin
    same = (ask_q & ~valid_q & ~ask) == '0;
    for (int p = 0; p < int'(N); p++)
      same = same && (!(ask_q[p] && !valid_q[p]) || (slot[p] == slot_q[p] && bar[p] == bar_q[p]));
  end
  `GIVEN(g_same, same)

  // Any partition: turns of others since it began to request.
  logic [1:0] one_q;
  logic [2:0] others_q;
  logic       pick_one;
  assign pick_one = pick && bt_slot == slot[one_q] && bt_bar == bar[one_q];
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni || !ask[one_q] || grant[one_q])                       others_q <= 3'd0;
    else if (grant != '0 && !grant[one_q] && others_q != 3'd7)        others_q <= others_q + 3'd1;
  end

  // One partition at most is granted, and never in two cycles in a row.
  `PROVE(p_one, $countones(grant) <= 1 && (grant == '0 || grant_q == '0))
  // The one that is granted was picked in the cycle before, and the barriers' read then is for the request of now.
  `PROVE(p_two_cycles, (grant != '0) == pick_q && (grant == '0 || (bt_slot == bt_slot_q && (ask & grant) != '0)))
  // The barriers see the slot and the barrier of the one granted.
  `PROVE(p_word, !grant[one_q] || (bt_slot == slot[one_q] && bt_bar == bar[one_q] && bt_valid == valid[one_q] && bt_ask))
  // None is picked while the barriers hold the turns up.
  `PROVE(p_hold, !hold || !pick)
  // A requester is granted after all others at the latest.
  `PROVE(p_wait, !(ask[one_q] && grant != '0 && !grant[one_q]) || others_q < 3'(N))
  // All request, and three have been granted before the one.
  `REACH(r_wait, others_q == 3'd3 && pick_one && ask == '1)
endmodule
