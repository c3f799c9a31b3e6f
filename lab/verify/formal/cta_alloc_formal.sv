// SPDX-License-Identifier: Apache-2.0
// rtl/dispatch/cta_alloc.sv, with the four block slots and four warp slots of `tiny`: any launch; blocks end in any order. The turn
// among partitions is cta_turn_formal.sv's.
// config: tiny
// without u_dut.a_room: proved: p_room
// quick
`include "properties.svh"

module cta_alloc_formal (
  input logic                        clk_i,
  input logic                        start,
  input logic                        want,
  input logic                        take,
  input logic                        over,        // a block is over, that in slot
  input logic [cfg_pkg::BLOCK_W-1:0] over_bslot
);
  `RESET
  localparam int unsigned WARPS = cfg_pkg::SM_WARPS, BLOCKS = cfg_pkg::BLOCKS, PARTS = cfg_pkg::PARTITIONS;

  // ---- the launch: it holds from its start on ---------------------------------------------------------------------------------------
  logic [BLOCKS-1:0]          slots_q;
  logic [cfg_pkg::WARPS-1:0]  places_q;
  logic [7:0]                 warps_q, room;
  logic                       begun_q;
  always_ff @(posedge clk_i) begin
    slots_q  <= slots_q;
    places_q <= places_q;
    warps_q  <= warps_q;
    begun_q  <= rst_ni && (begun_q || start);
  end
  assign room = 8'(PARTS * $countones(places_q));
  `GIVEN(g_fits, warps_q != 8'd0 && warps_q <= room)
  `GIVEN(g_start, !start || !begun_q)
  `GIVEN(g_want, !want || begun_q)

  // ---- blocks that were taken, until they are over ---------------------------------------------------------------------------------
  logic                         valid, open, empty;
  logic [cfg_pkg::BLOCK_W-1:0]  bslot;
  logic [WARPS-1:0]             warps, end_warps;
  logic [BLOCKS-1:0]            live_q, ends;
  logic [BLOCKS-1:0][WARPS-1:0] theirs_q;
  assign ends      = (over && live_q[over_bslot]) ? BLOCKS'(1) << over_bslot : '0;
  assign end_warps = (ends != '0) ? theirs_q[over_bslot] : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) live_q <= '0;
    else live_q <= (live_q & ~ends) | (take ? BLOCKS'(1) << bslot : '0);
    if (take) theirs_q[bslot] <= warps;
  end

  `GIVEN(g_take, !take || valid)

  cta_alloc u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .begin_i     (start),
    .slots_i     (slots_q),
    .places_i    (places_q),
    .room_i      (room),
    .warps_i     (warps_q),
    .want_i      (want),
    .open_o      (open),
    .valid_o     (valid),
    .bslot_o     (bslot),
    .warps_o     (warps),
    .take_i      (take),
    .end_i       (ends),
    .end_warps_i (end_warps),
    .empty_o     (empty)
  );

  // ---- inside ------------------------------------------------------------------------------------------------------------------------
  localparam logic [1:0] IDLE = 2'd0, FILL = 2'd1;
  logic [1:0]        state;
  logic [BLOCKS-1:0] filled, has;
  logic [7:0]        need;
  logic              known;
  assign state  = u_dut.state_q;
  assign filled = (state == IDLE) ? '0 : BLOCKS'(1) << bslot;
  assign need   = (state == FILL) ? u_dut.need_q : 8'd0;
  always_comb begin
    known = u_dut.used_q == (live_q | filled) && (live_q & filled) == '0 && state != 2'd3
      && (begun_q || (live_q == '0 && state == IDLE))
      && (state != FILL || u_dut.need_q != 8'd0)
      && (state == IDLE || $countones(warps) + 32'(need) == 32'(warps_q))
      && (!begun_q || 32'(u_dut.free_q) + $countones(u_dut.owned_q) + 32'(need) == 32'(room));
    for (int w = 0; w < int'(WARPS); w++) begin
      for (int b = 0; b < int'(BLOCKS); b++) has[b] = filled[b] ? warps[w] : live_q[b] && theirs_q[b][w];
      known = known && $countones(has) == 32'(u_dut.owned_q[w]) && (places_q[w/PARTS] || !u_dut.owned_q[w]);
    end
    for (int b = 0; b < int'(BLOCKS); b++) known = known && (!live_q[b] || $countones(theirs_q[b]) == 32'(warps_q));
  end

  // No two blocks have a warp slot in common, and a block has as many as it has warps, all of them places of this launch.
  `PROVE(p_slots, known && (!valid || $countones(warps) == 32'(warps_q)))
  // A block has a block slot of its own, which the launch has.
  `PROVE(p_bslot, known && (!valid || !live_q[bslot]))
  // A block with promised room finds a place for each warp.
  `PROVE(p_room, known && (state != FILL || u_dut.pick != '0))
  // Room for another block is reported only while none is given its places, and where there is enough.
  `PROVE(p_open, known && (!open || (state == IDLE && (!begun_q || 32'(room) - $countones(u_dut.owned_q) >= 32'(warps_q)))))
  // No block has anything when it is empty.
  `PROVE(p_empty, known && (!empty || (live_q == '0 && u_dut.owned_q == '0)))
  // All warp slots are taken, and a block of one warp comes back.
  `REACH(r_full, u_dut.owned_q == '1 && ends != '0 && warps_q == 8'd1)
endmodule
