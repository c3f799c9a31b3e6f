// SPDX-License-Identifier: Apache-2.0
// Named barriers of the blocks (BAR.SYNC): who waits where, when a barrier is complete, and whom it releases.
// Latency: ba_misuse combinational; ba_release two cycles after the arrival (so its record follows the arrival's issue record),
// or three or more after the end of a warp that completes a barrier. The state is exact from the cycle after an arrival.
// Handshake: events, one arrival and one warp end a cycle. An arrival that is misuse is ignored.
// It does not keep state per barrier: each warp remembers where it waits. It does not judge whether the warp is whole.
`default_nettype none
`include "heddle_assert.svh"

module barrier (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [7:0]                 fault_i,
  // from the dispatcher: a block begins with these warps
  input  logic                       ct_blk_start_valid_i,
  input  logic [7:0]                 ct_blk_start_bslot_i,
  input  logic [cfg_pkg::SM_WARPS-1:0]  ct_blk_start_warps_i,
  // from issue: somebody may arrive, with slot, id and count; he does
  input  logic                       is_bar_ask_i,
  input  logic                       is_bar_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0] is_bar_slot_i,
  input  logic [3:0]                 is_bar_id_i,
  input  logic [11:0]                is_bar_count_i,
  // from divergence
  input  logic [cfg_pkg::SM_WARPS-1:0] is_ended_i,      // warps that end in this cycle
  // to issue
  output logic                       ba_misuse_o,
  output logic                       ba_release_valid_o,
  output logic [7:0]                 ba_release_bslot_o,
  output logic [3:0]                 ba_release_id_o,
  output logic [cfg_pkg::SM_WARPS-1:0]  ba_release_warps_o
);

  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS;
  localparam int unsigned COUNT_W = $clog2(WARPS + 1);

  // A warp: the warps of its block (a mask), its block slot, and where it waits.
  logic [WARPS-1:0]              live_q, wait_q;
  logic [WARPS-1:0][WARPS-1:0]   mates_q;
  logic [WARPS-1:0][7:0]         bslot_q;
  logic [WARPS-1:0][3:0]         id_q;
  logic [WARPS-1:0][11:0]        count_q;

  function automatic logic [COUNT_W-1:0] ones(input logic [WARPS-1:0] mask);
    logic [COUNT_W-1:0] n;
    n = '0;
    if (mask != '0) begin
      for (int unsigned w = 0; w < WARPS; w++) n += COUNT_W'(mask[w]);
    end
    ones = n;
  endfunction

  // ---- arrival: compare with those who wait at the same barrier, complete it or wait -----------------------------------
  logic [WARPS-1:0]   self, mates, at_same, at_other_count, here;
  logic [COUNT_W-1:0] expected, arrived;
  logic               too_many, arrive, complete;

  assign mates = is_bar_ask_i ? mates_q[is_bar_slot_i] : '0;
  assign self  = WARPS'(is_bar_ask_i) << is_bar_slot_i;

  // Whose mates do not wait is looked at no further.
  always_comb begin
    at_same        = '0;
    at_other_count = '0;
    if ((mates & wait_q) != '0) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        at_same[w]        = mates[w] && wait_q[w] && id_q[w] == is_bar_id_i;
        at_other_count[w] = at_same[w] && count_q[w] != is_bar_count_i;
      end
    end
  end

  assign too_many    = is_bar_count_i[11:5] > 7'(ones(mates));
  assign ba_misuse_o = is_bar_count_i[4:0] != '0 || too_many || at_other_count != '0;
  assign arrive      = is_bar_valid_i && !ba_misuse_o;
  assign here        = at_same | self;
  assign arrived     = ones(here);
  assign complete    = arrived >= expected;

  logic [COUNT_W-1:0] plain_expected;
  assign plain_expected = (is_bar_count_i == '0) ? ones(mates & live_q) : COUNT_W'(is_bar_count_i[11:5]);
  assign expected = plain_expected - COUNT_W'(fault_i == core_pkg::FAULT_BAR_EARLY && plain_expected > COUNT_W'(1));

  // ---- the end of a warp: its block may now be waiting as a whole ------------------------------------------------------
  // One ended warp a cycle is looked at, in cycles without an arrival. When all live mates wait at one barrier with count 0,
  // no one of that block can arrive anywhere meanwhile.
  logic [WARPS-1:0]           ended_q, ended_set, ended_first, rest, first_waiter;
  logic [cfg_pkg::SM_WARP_W-1:0] ended_slot, waiter;
  logic                       ended_take, rest_any, rest_complete;

  arb_fixed #(.N(WARPS)) u_ended (
    .req_i   (ended_q),
    .grant_o (ended_first)
  );
  onehot_index #(.N(WARPS)) u_ended_slot (
    .onehot_i (ended_first),
    .index_o  (ended_slot)
  );
  lowest_one #(.N(WARPS)) u_waiter (
    .in_i     (rest),
    .onehot_o (first_waiter),
    .index_o  (waiter),
    .any_o    (rest_any)
  );

  always_comb begin
    rest_complete = rest_any && (rest & ~wait_q) == '0;
    if (rest_complete) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (rest[w] && (count_q[w] != '0 || id_q[w] != id_q[waiter])) rest_complete = 1'b0;
      end
    end
  end

  assign ended_set = is_ended_i;

  assign rest       = mates_q[ended_slot] & live_q;
  assign ended_take = ended_q != '0 && !is_bar_valid_i;

  // ---- release -----------------------------------------------------------------------------------------------------------
  logic                       go_d, go_q, release_q;
  logic [WARPS-1:0]           go_warps_d, go_warps_q, release_warps_q;
  logic [7:0]                 go_bslot_q, release_bslot_q;
  logic [3:0]                 go_id_q, release_id_q;
  logic [cfg_pkg::SM_WARP_W-1:0] go_slot;

  assign go_d       = (arrive && complete) || (ended_take && rest_complete);
  assign go_warps_d = is_bar_valid_i ? here : rest;
  assign go_slot    = is_bar_valid_i ? is_bar_slot_i : ended_slot;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q    <= '0;
      wait_q    <= '0;
      ended_q   <= '0;
      go_q      <= 1'b0;
      release_q <= 1'b0;
    end else begin
      wait_q    <= (wait_q | (arrive ? self : '0)) & ~(go_d ? go_warps_d : '0);
      live_q    <= live_q & ~ended_set;
      ended_q   <= (ended_q & ~(ended_take ? ended_first : '0)) | ended_set;
      go_q      <= go_d;
      release_q <= go_q;
      if (ct_blk_start_valid_i) begin
        for (int unsigned w = 0; w < WARPS; w++) begin
          if (ct_blk_start_warps_i[w]) begin
            live_q[w]  <= 1'b1;
            wait_q[w]  <= 1'b0;
            ended_q[w] <= 1'b0;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (arrive) begin
      id_q[is_bar_slot_i]    <= is_bar_id_i;
      count_q[is_bar_slot_i] <= is_bar_count_i;
    end
    if (ct_blk_start_valid_i) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (ct_blk_start_warps_i[w]) begin
          mates_q[w] <= ct_blk_start_warps_i;
          bslot_q[w] <= ct_blk_start_bslot_i;
        end
      end
    end
    if (go_d) begin
      go_warps_q <= go_warps_d;
      go_bslot_q <= bslot_q[go_slot];
      go_id_q    <= is_bar_valid_i ? is_bar_id_i : id_q[waiter];
    end
    if (go_q) begin
      release_warps_q <= go_warps_q;
      release_bslot_q <= go_bslot_q;
      release_id_q    <= go_id_q;
    end
  end

  assign ba_release_valid_o = release_q;
  assign ba_release_bslot_o = release_bslot_q;
  assign ba_release_id_o    = release_id_q;
  assign ba_release_warps_o = release_warps_q;

  logic unused;
  assign unused = &{1'b0, first_waiter};

  // A warp that waits does not arrive again.
  `ASSERT(a_once, !is_bar_valid_i || !wait_q[is_bar_slot_i])
  // Who arrives has asked.
  `ASSERT(a_ask, !is_bar_valid_i || is_bar_ask_i)
  // Only live warps arrive.
  `ASSERT(a_live, !is_bar_valid_i || live_q[is_bar_slot_i])

endmodule

`default_nettype wire
