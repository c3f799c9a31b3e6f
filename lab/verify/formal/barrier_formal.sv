// SPDX-License-Identifier: Apache-2.0
// rtl/issue/barrier.sv, with the four warps of `tiny`: one block at a time. Its warps wait for all of them (BAR.SYNC without
// a count) at any of its barriers, or end.
// config: tiny
`include "properties.svh"

module barrier_formal (
  input logic                          clk_i,
  input logic                          start,
  input logic [cfg_pkg::SM_WARPS-1:0]  start_warps,
  input logic                          want,       // a turn begins
  input logic                          go,         // the one that has the turn arrives
  input logic [cfg_pkg::SM_WARP_W-1:0] slot,
  input logic [3:0]                    id,
  input logic [cfg_pkg::SM_WARPS-1:0]  ends
);
  `RESET
  localparam int unsigned WARPS = cfg_pkg::SM_WARPS;

  logic                          misuse, hold, busy, release_valid, pick, ask_q, arrive;
  logic [7:0]                    release_bslot;
  logic [3:0]                    release_id, id_q;
  logic [WARPS-1:0]              release_warps, live_q, wait_q, ended, same_id;
  logic [WARPS-1:0][3:0]         at_q;
  logic [cfg_pkg::SM_WARP_W-1:0] slot_q, bt_slot;
  core_pkg::red_t                red;
  core_pkg::bar_t                bar;

  // A turn is two cycles: picked, then granted, with the same warp and barrier.
  assign pick    = want && !hold && !ask_q && live_q[slot] && !wait_q[slot];
  assign bt_slot = ask_q ? slot_q : slot;
  assign arrive  = ask_q && go && live_q[slot_q] && !wait_q[slot_q];
  always_comb begin
    bar      = '0;
    bar.kind = core_pkg::BAR_SYNC;
    bar.id   = ask_q ? id_q : id;
  end
  // A waiting warp does not end, and one with a turn does not.
  assign ended = ends & live_q & ~wait_q & ~(ask_q ? WARPS'(1) << slot_q : '0);

  barrier u_dut (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .ct_blk_start_valid_i (start),
    .ct_blk_start_bslot_i (8'd0),
    .ct_blk_start_warps_i (start_warps),
    .bt_pick_i            (pick),
    .bt_ask_i             (ask_q),
    .bt_valid_i           (arrive),
    .bt_slot_i            (bt_slot),
    .bt_bar_i             (bar),
    .is_ended_i           (ended),
    .ba_misuse_o          (misuse),
    .ba_hold_o            (hold),
    .ba_busy_o            (busy),
    .ba_release_valid_o   (release_valid),
    .ba_release_bslot_o   (release_bslot),
    .ba_release_id_o      (release_id),
    .ba_release_warps_o   (release_warps),
    .ba_release_red_o     (red)
  );

  // A block begins when the one before is over, and all that it has caused.
  `GIVEN(g_start, !start || (live_q == '0 && !busy && start_warps != '0))

  // Live warps, waiting warps and their barrier; for how long all live warps have waited at one barrier.
  logic       whole;
  logic [3:0] stuck_q;
  always_comb begin
    for (int w = 0; w < int'(WARPS); w++) same_id[w] = at_q[w] == release_id;
    whole = live_q != '0 && (live_q & ~wait_q) == '0;
    for (int w = 0; w < int'(WARPS); w++) begin
      for (int v = 0; v < w; v++) if (live_q[w] && live_q[v] && at_q[w] != at_q[v]) whole = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    slot_q <= bt_slot;
    id_q   <= bar.id;
    ask_q  <= rst_ni && pick;
    if (!rst_ni) begin
      live_q <= '0;
      wait_q <= '0;
    end else begin
      live_q <= (live_q & ~ended) | (start ? start_warps : '0);
      if (release_valid) wait_q <= wait_q & ~release_warps;
      if (arrive) begin
        wait_q[slot_q] <= 1'b1;
        at_q[slot_q]   <= id_q;
      end
    end
    if (!rst_ni || !whole || release_valid) stuck_q <= 4'd0;
    else if (stuck_q != 4'd15)              stuck_q <= stuck_q + 4'd1;
  end

  // No warp is released before all living warps of the block wait at that barrier; then all of them are.
  `PROVE(p_all, !release_valid || (release_warps == live_q && (live_q & ~(wait_q & same_id)) == '0 && live_q != '0))
  // When all wait at one barrier, or the last that did not has ended, they are released within eight cycles.
  `BOUND(20, p_soon, stuck_q < 4'd8)
  // A wait for all is no misuse, after any warps.
  `PROVE(p_no_misuse, !arrive || !misuse)
  // Three wait, and the end of the fourth releases them.
  `REACH(r_end, release_valid && $countones(release_warps) == 3)
endmodule
