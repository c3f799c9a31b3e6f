// SPDX-License-Identifier: Apache-2.0
// Named barriers of the blocks (BAR.SYNC, .ARV, .RED): which warps wait at which, when a barrier is complete, which warps it
// releases, and the result of a reduction.
// Latency: a turn is picked in cycle t and answered in t+1 (ba_misuse, from registers; slot and barrier stand from the pick on).
// ba_release two cycles after the arrival (so its record follows the arrival's issue record), or four or more after the end of a
// warp that completes a barrier.
// Throughput: a turn every two cycles; an ended warp takes one, too (ba_hold keeps others from being picked).
// Handshake: events. An arrival that is misuse is ignored. Its turn may pass without one.
// It does not judge whether the warp is whole. Of a barrier it keeps the arrivals that do not wait, its count and its sums; a warp that
// waits remembers where.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module barrier (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: a block begins with these warps
  input  logic                       ct_blk_start_valid_i,
  input  logic [7:0]                 ct_blk_start_bslot_i,
  input  logic [cfg_pkg::SM_WARPS-1:0]  ct_blk_start_warps_i,
  // from the turns: an arrival is possible in the next cycle, is possible now, is there
  input  logic                       bt_pick_i,
  input  logic                       bt_ask_i,
  input  logic                       bt_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0] bt_slot_i,
  input  core_pkg::bar_t             bt_bar_i,
  // from divergence
  input  logic [cfg_pkg::SM_WARPS-1:0] is_ended_i,      // warps that end in this cycle
  // to issue and the turns
  output logic                       ba_misuse_o,
  output logic                       ba_hold_o,
  output logic                       ba_busy_o,         // a release may come without another event
  output logic                       ba_release_valid_o,
  output logic [7:0]                 ba_release_bslot_o,
  output logic [3:0]                 ba_release_id_o,
  output logic [cfg_pkg::SM_WARPS-1:0]  ba_release_warps_o,
  output core_pkg::red_t             ba_release_red_o
);

  localparam int unsigned WARPS   = cfg_pkg::SM_WARPS;
  localparam int unsigned WARP_W  = cfg_pkg::SM_WARP_W;
  localparam int unsigned COUNT_W = $clog2(WARPS + 1);

  // A warp: its block slot, where it waits, and whether for all warps of the block. A block: its warps (a mask), and how many they
  // were when it began, in LUT memory.
  logic [WARPS-1:0]              live_q, wait_q, for_all_q;
  logic [WARPS-1:0][7:0]         bslot_q;
  logic [WARPS-1:0][3:0]         id_q;
  // A barrier: warps that arrived there and went on.
  logic [15:0][WARPS-1:0]        gone_q, gone_d;

  function automatic logic [COUNT_W-1:0] ones(input logic [WARPS-1:0] mask);
    logic [COUNT_W-1:0] n;
    n = '0;
    if (mask != '0) begin
      for (int unsigned w = 0; w < WARPS; w++) n += COUNT_W'(mask[w]);
    end
    ones = n;
  endfunction

  // ---- the end of a warp: its block may now be waiting as a whole ------------------------------------------------------
  // One ended warp at a time is looked at, in a cycle without a turn; what it completes is released in the next. When all live
  // mates wait at one barrier for all, no one of that block can arrive anywhere or end meanwhile.
  // Where they wait, if at one barrier, is where any of them waits: none is picked among them.
  logic [WARPS-1:0]  ended_q, ended_first, ended_mates, rest, rest_q;
  logic [7:0]        rest_bslot, rest_bslot_q;
  logic [3:0]        rest_id, rest_id_q, rest_not;   // OR of their barriers' numbers, and of the complements
  logic              end_take, end_q, end_go_q, rest_complete;

  arb_fixed #(.N(WARPS)) u_ended (
    .req_i   (ended_q),
    .grant_o (ended_first)
  );
  assign ba_hold_o = ended_q != '0 && !end_q;
  assign end_take  = ba_hold_o && !bt_ask_i;

  always_comb begin
    rest_bslot = 'x;
    `HEDDLE_ONLY(ended_q != '0) begin
      rest_bslot = '0;
      for (int unsigned w = 0; w < WARPS; w++) rest_bslot |= bslot_q[w] & {8{ended_first[w]}};
    end
  end

  ram_async #(.WIDTH(WARPS), .DEPTH(WARPS)) u_ended_mates (
    .clk_i     (clk_i),
    .wr_en_i   (ct_blk_start_valid_i),
    .wr_addr_i (ct_blk_start_bslot_i[WARP_W-1:0]),
    .wr_data_i (ct_blk_start_warps_i),
    .rd_addr_i (rest_bslot[WARP_W-1:0]),
    .rd_data_o (ended_mates)
  );

  always_comb begin
    rest          = 'x;
    rest_id       = 'x;
    rest_not      = 'x;
    rest_complete = 1'b0;
    `HEDDLE_ONLY(ended_q != '0) begin
      rest_id    = '0;
      rest_not   = '0;
      rest       = ended_mates & live_q;
      for (int unsigned w = 0; w < WARPS; w++) begin
        rest_id  |= id_q[w] & {4{rest[w]}};
        rest_not |= ~id_q[w] & {4{rest[w]}};
      end
      rest_complete = rest != '0 && (rest & ~(wait_q & for_all_q)) == '0 && (rest_id & rest_not) == '0;
    end
  end

  // ---- what a barrier keeps in memory: the count it was given first, and what BAR.RED brought; read a cycle ahead ----------
  // What a warp brings comes late, so it is added in the cycle after its arrival, and written then. A look at the word in
  // that very cycle gets what is written.
  localparam int unsigned PLACE_W = WARP_W + 4;
  logic [6:0]         kept_count, ram_count, count_q, newest_count_q;
  core_pkg::red_t     kept_red, ram_red, earlier, earlier_q, brought, brought_q, red, newest_red_q;
  logic               arrive, arrive_q, empty_q, newest_q;
  logic [WARP_W-1:0]  own_bslot;
  logic [PLACE_W-1:0] place, place_q;

  assign own_bslot = bslot_q[bt_slot_i][WARP_W-1:0];
  assign place     = bt_pick_i ? {own_bslot, bt_bar_i.id} : {rest_bslot[WARP_W-1:0], rest_id};

  ram_apart #(.WIDTH(7 + $bits(red)), .DEPTH(WARPS * 16)) u_kept (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (arrive_q),
    .wr_addr_i (place_q),
    .wr_data_i ({count_q, red}),
    .rd_en_i   ((bt_pick_i || end_take) && !(arrive_q && place == place_q)),
    .rd_addr_i (place),
    .rd_data_o ({ram_count, ram_red})
  );

  always_ff @(posedge clk_i) begin
    if (bt_pick_i || end_take) newest_q <= arrive_q && place == place_q;
    if (arrive_q) begin
      newest_count_q <= count_q;
      newest_red_q   <= red;
    end
    if (arrive) place_q <= {bslot_q[bt_slot_i][WARP_W-1:0], bt_bar_i.id};
  end
  assign kept_count = newest_q ? newest_count_q : ram_count;
  assign kept_red   = newest_q ? newest_red_q : ram_red;

  // ---- arrival: compare with those that are at the same barrier, complete it or wait ------------------------------------
  // The warps there are looked up as the turn is picked, and are in registers when it is granted: none arrives in between, and
  // one that the end of a warp releases meanwhile no longer waits.
  logic [WARPS-1:0]   mates, standing, there, left, self_d, at_same_q, left_q, self_q, here, mates_now_q;
  logic [WARPS-1:0]   own_mates;        // of the block of the warp that has the turn
  logic [COUNT_W-1:0] size;             // warps that the block began with
  logic [COUNT_W-1:0] expected, arrived;
  logic [6:0]         count_d;
  logic               odd, odd_q, complete;

  ram_async #(.WIDTH(COUNT_W + WARPS), .DEPTH(WARPS)) u_mates (
    .clk_i     (clk_i),
    .wr_en_i   (ct_blk_start_valid_i),
    .wr_addr_i (ct_blk_start_bslot_i[WARP_W-1:0]),
    .wr_data_i ({ones(ct_blk_start_warps_i), ct_blk_start_warps_i}),
    .rd_addr_i (own_bslot),
    .rd_data_o ({size, own_mates})
  );

  assign mates    = bt_pick_i ? own_mates : '0;
  assign standing = wait_q & ~(end_go_q ? rest_q : '0);
  assign left     = gone_q[bt_bar_i.id] & mates;
  assign self_d   = WARPS'(1) << bt_slot_i;
  assign count_d  = bt_bar_i.count[11:5];
  assign odd      = bt_bar_i.count[4:0] != '0 || count_d > 7'(size) || (left & self_d) != '0
    || (bt_bar_i.kind == core_pkg::BAR_ARV && count_d == '0);

  // A warp without mates that wait is looked at no further.
  always_comb begin
    there = '0;
    `HEDDLE_ONLY((mates & standing) != '0) begin
      for (int unsigned w = 0; w < WARPS; w++) there[w] = mates[w] && standing[w] && id_q[w] == bt_bar_i.id;
    end
  end

  always_ff @(posedge clk_i) begin
    if (bt_pick_i) begin
      mates_now_q <= mates;
      at_same_q   <= there;
      left_q      <= left;
      self_q      <= self_d;
      count_q     <= count_d;
      odd_q       <= odd;
      empty_q     <= (there | left) == '0;
    end
  end

  assign ba_misuse_o = odd_q || (!empty_q && kept_count != count_q);
  assign arrive      = bt_valid_i && !ba_misuse_o;
  assign here        = at_same_q | left_q | self_q;
  assign complete    = arrived >= expected;

  // Counted for one that arrives.
  always_comb begin
    arrived  = 'x;
    expected = 'x;
    if (`HEDDLE_LIVE(bt_valid_i)) begin
      arrived  = ones(here);
      expected = (count_q == '0) ? ones(mates_now_q & live_q) : COUNT_W'(count_q);
    end
  end

  always_comb begin
    earlier = kept_red;
    if (empty_q) begin
      earlier.all = 1'b1;
      earlier.sum = '0;
    end
    brought.all = 1'b1;
    brought.sum = '0;
    if (bt_bar_i.kind == core_pkg::BAR_RED) brought = bt_bar_i.red;
    if (end_q) begin   // the end of a warp brings nothing
      earlier     = kept_red;
      brought.all = 1'b1;
      brought.sum = '0;
    end
    red.all = earlier_q.all && brought_q.all;
    red.sum = earlier_q.sum + brought_q.sum;
  end

  always_ff @(posedge clk_i) begin
    if (arrive || end_go_q) begin
      earlier_q <= earlier;
      brought_q <= brought;
    end
  end

  // ---- release -----------------------------------------------------------------------------------------------------------
  logic              waits, arrive_go, go_q, release_q;
  logic [WARPS-1:0]  go_warps_d, go_warps_q, release_warps_q;
  logic [7:0]        go_bslot_q, release_bslot_q;
  logic [3:0]        go_id_q, release_id_q;
  core_pkg::red_t    release_red_q;

  assign waits      = bt_bar_i.kind != core_pkg::BAR_ARV;
  assign arrive_go  = arrive && complete;
  assign go_warps_d = end_q ? rest_q : at_same_q | (waits ? self_q : '0);

  always_comb begin
    gone_d = 'x;
    if (`HEDDLE_LIVE(arrive || ct_blk_start_valid_i)) gone_d = gone_q;   // nothing changes otherwise
    if (arrive) gone_d[bt_bar_i.id] = (gone_q[bt_bar_i.id] | (waits ? '0 : self_q)) & ~(complete ? mates_now_q : '0);
    if (ct_blk_start_valid_i) begin
      for (int unsigned x = 0; x < 16; x++) gone_d[x] = gone_d[x] & ~ct_blk_start_warps_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q    <= '0;
      wait_q    <= '0;
      ended_q   <= '0;
      gone_q    <= '0;
      end_q     <= 1'b0;
      end_go_q    <= 1'b0;
      go_q      <= 1'b0;
      arrive_q  <= 1'b0;
      release_q <= 1'b0;
    end else begin
      wait_q    <= (wait_q | ((arrive && waits) ? self_q : '0)) & ~((arrive_go || end_go_q) ? go_warps_d : '0);
      live_q    <= live_q & ~is_ended_i;
      ended_q   <= (ended_q & ~(end_take ? ended_first : '0)) | is_ended_i;
      end_q     <= end_take;
      end_go_q    <= end_take && rest_complete;
      go_q      <= arrive_go || end_go_q;
      arrive_q  <= arrive;
      release_q <= go_q;
      if (`HEDDLE_LIVE(arrive || ct_blk_start_valid_i)) gone_q <= gone_d;
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
    if (end_take) begin
      rest_q       <= rest;
      rest_bslot_q <= rest_bslot;
      rest_id_q    <= rest_id;
    end
    if (arrive && waits) begin
      id_q[bt_slot_i]      <= bt_bar_i.id;
      for_all_q[bt_slot_i] <= count_q == '0;
    end
    if (ct_blk_start_valid_i) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (ct_blk_start_warps_i[w]) begin
          bslot_q[w] <= ct_blk_start_bslot_i;
        end
      end
    end
    if (arrive_go || end_go_q) begin
      go_warps_q <= go_warps_d;
      go_bslot_q <= end_q ? rest_bslot_q : bslot_q[bt_slot_i];
      go_id_q    <= end_q ? rest_id_q : bt_bar_i.id;
    end
    if (go_q) begin
      release_warps_q <= go_warps_q;
      release_bslot_q <= go_bslot_q;
      release_id_q    <= go_id_q;
      release_red_q   <= red;
    end
  end

  assign ba_busy_o          = ended_q != '0 || end_q || go_q || release_q;
  assign ba_release_valid_o = release_q;
  assign ba_release_bslot_o = release_bslot_q;
  assign ba_release_id_o    = release_id_q;
  assign ba_release_warps_o = release_warps_q;
  assign ba_release_red_o   = release_red_q;

  // A warp that waits does not arrive again.
  `ASSERT(a_once, !bt_valid_i || !wait_q[bt_slot_i])
  // An arrival has asked before.
  `ASSERT(a_ask, !bt_valid_i || bt_ask_i)
  // Only live warps arrive.
  `ASSERT(a_live, !bt_valid_i || live_q[bt_slot_i])
  // A turn and the look at an end never share a cycle.
  `ASSERT(a_apart, !end_q || !bt_ask_i)

endmodule
