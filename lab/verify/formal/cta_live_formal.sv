// SPDX-License-Identifier: Apache-2.0
// rtl/dispatch/cta_live.sv, with the four block slots and four warp slots of `tiny`: any blocks; any warp slot is followed.
// config: tiny
// quick
`include "properties.svh"

module cta_live_formal (
  input logic                          clk_i,
  input logic                          blk_valid,
  input logic [cfg_pkg::BLOCK_W-1:0]   blk_bslot,
  input logic [cfg_pkg::SM_WARPS-1:0]  blk_warps,
  input logic                          start_valid,
  input logic [cfg_pkg::SM_WARP_W-1:0] start_slot,
  input logic [cfg_pkg::SM_WARPS-1:0]  idle,
  input logic                          halt
);
  `RESET
  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS;

  logic [BLOCKS-1:0]             ends;
  logic [cfg_pkg::SM_WARPS-1:0]  end_warps;
  logic                          end_valid;
  logic [cfg_pkg::BLOCK_W-1:0]   end_bslot;

  cta_live u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .blk_valid_i   (blk_valid),
    .blk_bslot_i   (blk_bslot),
    .blk_warps_i   (blk_warps),
    .start_valid_i (start_valid),
    .start_slot_i  (start_slot),
    .is_idle_i     (idle),
    .halt_i        (halt),
    .end_o         (ends),
    .end_warps_o   (end_warps),
    .end_valid_o   (end_valid),
    .end_bslot_o   (end_bslot)
  );

  // ---- one warp slot: its block, and how far its warp is ---------------------------------------------------------------------------
  localparam logic [1:0] FREE = 2'd0, TOLD = 2'd1, STARTED = 2'd2, BUSY = 2'd3;
  logic [cfg_pkg::SM_WARP_W-1:0] warp_q;
  logic [cfg_pkg::BLOCK_W-1:0]   bslot_q;
  logic [1:0]                    at_q;
  logic                          told, starts, over;
  assign told   = blk_valid && blk_warps[warp_q];
  assign starts = start_valid && start_slot == warp_q;
  assign over   = at_q != FREE && ends[bslot_q];
  always_ff @(posedge clk_i) begin
    warp_q <= warp_q;
    if (!rst_ni || over) at_q <= FREE;
    else if (told) at_q <= TOLD;
    else if (starts || at_q == STARTED) at_q <= idle[warp_q] ? STARTED : BUSY;
    if (told) bslot_q <= blk_bslot;
  end
  // The dispatcher's rules: a block's slots are its own, a warp starts once, after its block was reported.
  `GIVEN(g_told, !told || at_q == FREE)
  `GIVEN(g_block, !blk_valid || (!u_dut.live_q[blk_bslot] && blk_warps != '0))
  `GIVEN(g_start, !starts || at_q == TOLD)

  logic [BLOCKS-1:0] has;
  logic              follows;
  always_comb begin
    for (int b = 0; b < int'(BLOCKS); b++) has[b] = u_dut.live_q[b] && u_dut.warps_q[b][warp_q];
    follows = (at_q == FREE ? has == '0 : has == BLOCKS'(1) << bslot_q)
      && u_dut.started_q[warp_q] == at_q[1] && u_dut.begun_q[warp_q] == (at_q == BUSY);
  end

  // A block is over only when its warp has started, has been busy and is idle again.
  `PROVE(p_end, follows && (!over || (at_q == BUSY && idle[warp_q])))
  // Its slot is given back then, and only then.
  `PROVE(p_back, follows && end_warps[warp_q] == over)
  // One block at a time, and the number comes a cycle later.
  logic [BLOCKS-1:0] ends_q;
  always_ff @(posedge clk_i) ends_q <= rst_ni ? ends : '0;
  `PROVE(p_number, $countones(ends) <= 1 && end_valid == (ends_q != '0) && (!end_valid || ends_q[end_bslot]))
  // Nothing ends after a halt.
  `PROVE(p_halt, !halt || ends == '0)
  // Two blocks have run in it.
  logic once_q;
  always_ff @(posedge clk_i) once_q <= rst_ni && (once_q || over);
  `REACH(r_twice, once_q && over)
endmodule
