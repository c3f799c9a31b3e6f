// SPDX-License-Identifier: Apache-2.0
// rtl/dispatch/cta_alloc.sv, with the two partitions of `duo`: which of them gives the next warp slot, whatever ends meanwhile.
// config: duo
// without u_dut.a_room: assumed: cta_alloc_formal.sv
// without u_dut.a_back: assumed: cta_alloc_formal.sv
// quick
`include "properties.svh"

module cta_turn_formal (
  input logic                         clk_i,
  input logic                         start,
  input logic                         want,
  input logic                         take,
  input logic [cfg_pkg::BLOCKS-1:0]   ends,
  input logic [cfg_pkg::SM_WARPS-1:0] end_warps,
  input logic [7:0]                   warps,
  input logic [cfg_pkg::WARPS-1:0]    places
);
  `RESET
  localparam int unsigned PARTS = cfg_pkg::PARTITIONS;
  localparam logic [1:0]  FILL  = 2'd1;

  logic                         valid, empty, unused_open;
  logic [cfg_pkg::BLOCK_W-1:0]  bslot;
  logic [cfg_pkg::SM_WARPS-1:0] mine;

  cta_alloc u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .begin_i     (start),
    .slots_i     ('1),
    .places_i    (places),
    .room_i      (8'(PARTS * $countones(places))),
    .warps_i     (warps),
    .want_i      (want),
    .open_o      (unused_open),
    .valid_o     (valid),
    .bslot_o     (bslot),
    .warps_o     (mine),
    .take_i      (take),
    .end_i       (ends),
    .end_warps_i (end_warps),
    .empty_o     (empty)
  );
  `GIVEN(g_start, !start || u_dut.state_q != FILL)
  `GIVEN(g_room, u_dut.state_q != FILL || u_dut.pick != '0)

  // The partition that gave the last warp slot.
  logic       last_q, any_q, fills, behind;
  logic [1:0] turn;
  assign turn  = 2'(u_dut.turn);
  assign fills = u_dut.state_q == FILL;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) any_q <= 1'b0;
    else if (fills) any_q <= 1'b1;
    if (fills) last_q <= turn[1];
  end
  assign behind = u_dut.u_turn.above_q == ((any_q && !last_q) ? PARTS'(2) : '0);

  // A warp goes to the same partition as the one before it only where the other one has no place.
  `PROVE(p_turn, behind && (!(fills && any_q && turn[last_q]) || !u_dut.has_place[!last_q]))
  // The other one has none, and the same one gives two.
  `REACH(r_same, fills && any_q && turn[last_q])
endmodule
