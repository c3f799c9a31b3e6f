// SPDX-License-Identifier: Apache-2.0
// rtl/dispatch/cta_start.sv, with the sixteen warp slots of `duo`: any blocks; any warp slot is followed. Thread ids are judged by
// its bench.
// config: duo
`include "properties.svh"

module cta_start_formal (
  input logic                         clk_i,
  input logic                         begin_launch,
  input logic                         halt,
  input logic                         valid,
  input logic [cfg_pkg::BLOCK_W-1:0]  bslot,
  input logic [cfg_pkg::SM_WARPS-1:0] warps,
  input logic [2:0][31:0]             ctaid,
  input logic [23:0]                  shm_base,
  input logic [15:0]                  rbase
);
  `RESET
  localparam int unsigned WARPS = cfg_pkg::SM_WARPS, STEP = 8;

  logic [2:0][10:0]                block_q;
  logic [10:0]                     threads_q;
  logic [7:0]                      nwarps_q;
  logic                            take, blk_valid, tid_valid, start_valid;
  logic [cfg_pkg::BLOCK_W-1:0]     blk_bslot;
  logic [cfg_pkg::WARP_W-1:0]      place;
  logic [2:0][31:0]                blk_ctaid;
  logic [WARPS-1:0]                blk_warps;
  logic [23:0]                     blk_shm_base;
  logic [cfg_pkg::SM_WARP_W-1:0]   tid_slot;
  logic [4:0]                      tid_beat;
  logic [cfg_pkg::LANES-1:0][10:0] x, y, z;
  core_pkg::start_t                start;

  // The launch holds.
  always_ff @(posedge clk_i) begin
    block_q   <= block_q;
    threads_q <= threads_q;
    nwarps_q  <= nwarps_q;
  end

  cta_start #(.STEP(STEP)) u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .begin_i        (begin_launch),
    .block_i        (block_q[1:0]),
    .threads_i      (threads_q),
    .nwarps_i       (nwarps_q),
    .halt_i         (halt),
    .valid_i        (valid),
    .take_o         (take),
    .bslot_i        (bslot),
    .warps_i        (warps),
    .ctaid_i        (ctaid),
    .bslot_o        (blk_bslot),
    .shm_base_i     (shm_base),
    .place_o        (place),
    .rbase_i        (rbase),
    .blk_valid_o    (blk_valid),
    .blk_ctaid_o    (blk_ctaid),
    .blk_warps_o    (blk_warps),
    .blk_shm_base_o (blk_shm_base),
    .tid_valid_o    (tid_valid),
    .tid_slot_o     (tid_slot),
    .tid_beat_o     (tid_beat),
    .tid_x_o        (x),
    .tid_y_o        (y),
    .tid_z_o        (z),
    .start_valid_o  (start_valid),
    .start_o        (start)
  );

  // A block has as many slots as warps (cta_alloc_formal.sv: p_slots); a launch begins when none is being started.
  `GIVEN(g_warps, nwarps_q != 8'd0 && (!valid || $countones(warps) == 32'(nwarps_q)))
  `GIVEN(g_begin, !begin_launch || (!u_dut.run_q && !take))

  // ---- one warp slot: its reports ------------------------------------------------------------------------------------------------
  logic [cfg_pkg::SM_WARP_W-1:0] warp_q;
  logic                          told_q;             // and it has not started
  logic [7:0]                    bslot_q;
  logic [31:0]                   x_q;
  logic                          told, starts;
  assign told   = blk_valid && blk_warps[warp_q];
  assign starts = start_valid && start.slot == warp_q;
  always_ff @(posedge clk_i) begin
    warp_q <= warp_q;
    told_q <= rst_ni && (told || (told_q && !starts));
    if (told) begin
      bslot_q <= 8'(blk_bslot);
      x_q     <= blk_ctaid[0];
    end
  end

  // ---- inside ------------------------------------------------------------------------------------------------------------------------
  logic       run, known, listed, named, follows;
  logic [5:0] step;
  logic [3:0] late;
  logic       named_q;           // start_q waits for its start
  assign run  = u_dut.run_q;
  assign step = u_dut.step_q;
  assign late = u_dut.late_q;
  always_ff @(posedge clk_i) named_q <= rst_ni && (u_dut.name || (named_q && !start_valid));
  assign listed = run && u_dut.todo_q[warp_q] && !blk_valid;
  assign named  = named_q && u_dut.start_q.slot == warp_q;
  // Slots of a block are its own (cta_alloc_formal.sv: p_slots).
  `GIVEN(g_free, !(take && warps[warp_q]) || !(told || told_q))
  always_comb begin
    known = (!run || step <= 6'd3)
      && (!run || (u_dut.need_q != 8'd0 && $countones(u_dut.todo_q) == 32'(u_dut.need_q)))
      && (!blk_valid || (run && step == 6'd0 && 32'(u_dut.need_q) == 32'(nwarps_q)))
      // The lowest of those to be started is in registers a cycle after the list changed.
      && (!(run && step != 6'd0) || (u_dut.next_q == u_dut.next && u_dut.next_slot_q == u_dut.next_slot))
      // A named warp starts four cycles later, before the next is.
      && $countones(late) <= 1 && named_q == (late != '0) 
      && (!run || ((!late[0] || step == 6'd0) && (!late[1] || step <= 6'd1) && (!late[2] || step <= 6'd2)));
    // A reported slot is on the list of its block, or named for the start that comes; no other is.
    follows = (told_q ? listed != named : !listed && !named)
      && (!listed || (u_dut.bslot_q == cfg_pkg::BLOCK_W'(bslot_q) && bslot_q < 8'(cfg_pkg::BLOCKS) && u_dut.ctaid_q[0] == x_q))
      && (!named || (u_dut.start_q.bslot == bslot_q && u_dut.start_q.ctaid_x == x_q))
      && !(told && told_q);
  end

  // Each slot reported for a block starts once, of that block; no other starts.
  `PROVE(p_once, known && follows && (!starts || (told_q && start.bslot == bslot_q && start.ctaid_x == x_q)))
  // Starts are four cycles apart at least: as many as a warp's ids take.
  logic [2:0] began_q;
  always_ff @(posedge clk_i) began_q <= rst_ni ? {began_q[1:0], start_valid} : 3'b000;
  `PROVE(p_apart, began_q == '0 || !start_valid)
  // A block is reported with as many slots as it has warps.
  `PROVE(p_told, !blk_valid || $countones(blk_warps) == 32'(nwarps_q))
  // Nothing is taken after a halt.
  `PROVE(p_halt, !halt || !take)
  // Blocks follow each other without a gap.
  `REACH(r_next, take && run && u_dut.warp_over)
endmodule
