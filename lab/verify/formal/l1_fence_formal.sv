// SPDX-License-Identifier: Apache-2.0
// rtl/cache/l1_fence.sv, as `cached` has it: four warps, four stores under way.
// config: cached
// quick
`include "properties.svh"

module l1_fence_formal (
  input logic                       clk_i,
  input logic [cfg_pkg::SM_WARPS-1:0] want,
  input logic [cfg_pkg::SM_WARPS-1:0] left,
  input logic                       pass,       // a store passes
  input logic [l1_pkg::LOAD_W-1:0]  pass_tag,
  input logic                       ack,        // it has been performed
  input logic [l1_pkg::LOAD_W-1:0]  ack_tag
);
  `RESET
  localparam int unsigned LOADS = l1_pkg::LOADS;

  logic [cfg_pkg::SM_WARPS-1:0] ok;

  l1_fence u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .want_i       (want),
    .ok_o         (ok),
    .left_i       (left),
    .pass_valid_i (pass),
    .pass_tag_i   (pass_tag),
    .ack_valid_i  (ack),
    .ack_tag_i    (ack_tag)
  );

  // Stores under way, before this cycle and after it.
  logic [LOADS-1:0] flight_q, flight;
  assign flight = (flight_q | (pass ? LOADS'(1) << pass_tag : '0)) & ~(ack ? LOADS'(1) << ack_tag : '0);
  always_ff @(posedge clk_i) flight_q <= rst_ni ? flight : '0;

  // A tag stands for one store at a time; only what has passed is performed.
  `GIVEN(g_pass, !pass || !flight_q[pass_tag])
  `GIVEN(g_ack, !ack || flight_q[ack_tag])

  // A fence of any warp, since it wants: `mine` is its first cycle or a later one. First it is held by the stores that
  // had passed when it began to; when these have been performed, in the next cycle by those that have passed by then.
  localparam logic [1:0] BEFORE = 2'd0, ROUND = 2'd1, DONE = 2'd2;
  logic [cfg_pkg::SM_WARP_W-1:0] who_q;
  logic                          wants_q, wanted, mine;
  logic [LOADS-1:0]              before_q, held_q, held;
  logic [1:0]                    state_q;
  logic                          since_q;                // held by nothing in the cycle before, either
  assign mine   = want[who_q];
  assign wanted = mine && wants_q;                            // it wanted in the cycle before, too
  assign held   = held_q & ~(ack ? LOADS'(1) << ack_tag : '0);
  always_ff @(posedge clk_i) begin
    who_q   <= who_q;
    wants_q <= rst_ni && mine && !left[who_q];
    if (!rst_ni) begin
      {before_q, held_q} <= '0;
    end else if (!wanted) begin
      before_q <= flight;
      held_q   <= flight;
      state_q  <= BEFORE;
      since_q  <= 1'b0;
    end else begin
      before_q <= before_q & ~(ack ? LOADS'(1) << ack_tag : '0);
      held_q   <= held;
      if (held_q == '0) begin
        since_q <= 1'b1;
        if (state_q == BEFORE && since_q) begin
          state_q <= ROUND;
          since_q <= 1'b0;
          held_q  <= flight;
        end else if (state_q == ROUND && since_q) begin
          state_q <= DONE;
        end
      end
    end
  end

  // ---- inside: stores are counted by the round to which they belong ---------------------------------------
  logic right, served;
  logic [LOADS-1:0] now, ago;      // under way: passed since the last round began, and before it
  assign now    = flight_q & (u_dut.turn_q ? u_dut.turn_of_q : ~u_dut.turn_of_q);
  assign ago  = flight_q & ~now;
  assign served = u_dut.round_q[who_q];
  assign right  = 4'(u_dut.count_q[u_dut.turn_q]) == 4'($countones(now)) && 4'(u_dut.count_q[!u_dut.turn_q]) == 4'($countones(ago))
    && (u_dut.busy_q || (ago == '0 && u_dut.round_q == '0)) && ((before_q | held_q) & ~flight_q) == '0
    && (wanted || !mine || (!ok[who_q] && !served)) && (!wanted || !served || (before_q & now) == '0)
    && (!wanted || !ok[who_q] || before_q == '0);
  // Until it is in a round, that is one of stores before it; once in one, only those count that had passed by then.
  logic soon;
  assign soon = !wanted || ok[who_q] || (state_q == BEFORE && (served || ((ago & ~held_q) == '0 && (!since_q || !u_dut.busy_q))))
    || (state_q == ROUND && served && (ago & ~held_q) == '0 && !since_q);

  // No fence is let go while a store that had passed when it began to want, of any warp, has not been performed.
  `PROVE(p_never, right && (!wanted || !ok[who_q] || before_q == '0))
  // Nor one that has just begun to want, or has issued and wants again.
  `PROVE(p_new, wanted || !mine || !ok[who_q])
  // It is let go two cycles after the stores before it have been performed, and then those that had passed by then:
  // no younger ones hold it up.
  `PROVE(p_goes, right && soon && (!wanted || state_q != DONE || ok[who_q]))
  // A released warp stays so until it has issued or is dropped.
  logic kept_q;
  always_ff @(posedge clk_i) kept_q <= rst_ni && mine && ok[who_q] && !left[who_q];
  `PROVE(p_stays, !kept_q || ok[who_q])
  // A fence waits for a round that is another's, while stores of both rounds are under way.
  `REACH(r_two, wanted && !ok[who_q] && u_dut.busy_q && !u_dut.round_q[who_q] && u_dut.count_q[0] != '0 && u_dut.count_q[1] != '0)
  // It is let go in its second round while a younger store is under way.
  `REACH(r_younger, wanted && ok[who_q] && flight_q != '0 && state_q == ROUND)
endmodule
