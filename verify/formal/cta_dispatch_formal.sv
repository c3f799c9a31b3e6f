// SPDX-License-Identifier: Apache-2.0
// rtl/issue/cta_dispatch.sv, with the warp slots and block slots of `wide`: any launch; any warp slot is followed from block
// to block. That the blocks of a launch lie apart is cta_plan_formal.sv's.
// config: wide
// without u_dut.a_room: assumed: cta_plan_formal.sv, p_warps
// without u_dut.a_go: assumed: the host starts a grid when none runs
`default_nettype none
`include "properties.svh"

module cta_dispatch_formal (
  input logic                         clk_i,
  input logic                         go,
  input logic [cfg_pkg::SM_WARPS-1:0] idle,
  input logic                         halt
);
  `RESET
  localparam int unsigned WARPS = cfg_pkg::SM_WARPS, BLOCKS = cfg_pkg::BLOCKS;

  core_pkg::launch_t                     launch_q;
  core_pkg::start_t                      start;
  logic                                  busy, grid_done, tid_valid, start_valid, blk_start, blk_end;
  logic [3:0]                            refuse;
  logic [cfg_pkg::SM_WARP_W-1:0]         tid_slot;
  logic [4:0]                            tid_beat;
  logic [cfg_pkg::LANES-1:0][10:0]       x, y, z;
  logic [7:0]                            blk_start_bslot, blk_end_bslot;
  logic [31:0]                           ctaid_x, ctaid_y, ctaid_z;
  logic [WARPS-1:0]                      blk_warps;
  logic [23:0]                           shm_base;

  cta_dispatch u_dut (
    .clk_i                   (clk_i),
    .rst_ni                  (rst_ni),
    .fault_i                 (8'd0),
    .launch_i                (launch_q),
    .go_i                    (go),
    .busy_o                  (busy),
    .grid_done_o             (grid_done),
    .ct_refuse_o             (refuse),
    .is_idle_i               (idle),
    .is_halt_i               (halt),
    .ct_tid_valid_o          (tid_valid),
    .ct_tid_slot_o           (tid_slot),
    .ct_tid_beat_o           (tid_beat),
    .ct_tid_x_o              (x),
    .ct_tid_y_o              (y),
    .ct_tid_z_o              (z),
    .ct_start_valid_o        (start_valid),
    .ct_start_o              (start),
    .ct_blk_start_valid_o    (blk_start),
    .ct_blk_start_bslot_o    (blk_start_bslot),
    .ct_blk_start_ctaid_x_o  (ctaid_x),
    .ct_blk_start_ctaid_y_o  (ctaid_y),
    .ct_blk_start_ctaid_z_o  (ctaid_z),
    .ct_blk_start_warps_o    (blk_warps),
    .ct_blk_start_shm_base_o (shm_base),
    .ct_blk_end_valid_o      (blk_end),
    .ct_blk_end_bslot_o      (blk_end_bslot)
  );

  // A launch stands; a grid starts when none runs.
  always_ff @(posedge clk_i) launch_q <= launch_q;
  `GIVEN(g_go, !go || !busy)

  // ---- one warp slot: whose it is, and how far its warp is ---------------------------------------------------------------------------
  localparam logic [1:0] FREE = 2'd0, TOLD = 2'd1, STARTED = 2'd2, BUSY = 2'd3;
  logic [cfg_pkg::SM_WARP_W-1:0] warp_q;
  logic [7:0]                    bslot_q;
  logic [1:0]                    at_q;
  logic                          told, starts, ends;
  assign told   = blk_start && blk_warps[warp_q];
  assign starts = start_valid && start.slot == warp_q;
  assign ends   = blk_end && at_q != FREE && blk_end_bslot == bslot_q;
  always_ff @(posedge clk_i) begin
    warp_q <= warp_q;
    if (!rst_ni)                                          at_q <= FREE;
    else if (told)                                        at_q <= TOLD;
    else if (starts)                                      at_q <= idle[warp_q] ? STARTED : BUSY;
    else if (ends)                                        at_q <= FREE;
    else if (at_q == STARTED && !idle[warp_q])            at_q <= BUSY;
    if (told) bslot_q <= blk_start_bslot;
  end
  logic idle_q;
  always_ff @(posedge clk_i) idle_q <= idle[warp_q];

  // ---- inside: which block has the slot ----------------------------------------------------------------------------------------------
  localparam int unsigned STEP = (cfg_pkg::LANES < 8) ? 1 : ((cfg_pkg::LANES < 16) ? 2 : 4);
  localparam logic [2:0] IDLE = 3'd0, PLAN = 3'd1, BLOCK = 3'd2, ALLOC = 3'd3, TIDS = 3'd4, START = 3'd5;
  logic [2:0]        state;
  logic [BLOCKS-1:0] has;
  logic              filling, streams, mine, todo, ending, known, follows;
  assign state   = u_dut.state_q;
  assign streams = state == TIDS || state == START;
  assign filling = state == ALLOC || streams;
  assign mine    = u_dut.mine_q[warp_q];
  assign todo    = streams && u_dut.todo_q[warp_q];
  assign ending  = u_dut.end_valid_q && at_q != FREE && 8'(u_dut.end_bslot_q) == bslot_q;   // told in this cycle
  // A block has a warp, and slots for all of them (cta_plan_formal.sv: p_warps).
  `GIVEN(g_warps, state != BLOCK || u_dut.plan_warps != 8'd0)
  `GIVEN(g_room, state != ALLOC || u_dut.need_q == 8'd0 || u_dut.alloc_pick != '0)
  always_comb begin
    for (int b = 0; b < int'(BLOCKS); b++) begin
      has[b] = u_dut.used_q[b] && ((state == ALLOC && u_dut.bslot_q == cfg_pkg::BLOCK_W'(b)) ? mine : u_dut.warps_q[b][warp_q]);
    end
    // A block that is being filled is in use and not whole; only those in use are whole. The slot is one block's if it is owned.
    known = (u_dut.whole_q & ~u_dut.used_q) == '0 && u_dut.start_valid_q == (state == START)
      && (filling ? u_dut.whole_q == (u_dut.used_q & ~u_dut.bslot_hot_q) && u_dut.used_q[u_dut.bslot_q]
        && u_dut.bslot_hot_q == BLOCKS'(1) << u_dut.bslot_q : u_dut.whole_q == u_dut.used_q)
      && (!u_dut.blk_valid_q || (state == TIDS && u_dut.todo_q == u_dut.mine_q))
      && (!streams || ((u_dut.todo_q & ~u_dut.mine_q) == '0 && u_dut.todo_q != '0 && u_dut.warps_q[u_dut.bslot_q] == u_dut.mine_q))
      && (state != IDLE || u_dut.used_q == '0) && (state != PLAN || u_dut.used_q == '0)
      && (state != ALLOC || u_dut.need_q != 8'd0 || u_dut.mine_q != '0)
      && $countones(has) == 32'(u_dut.owned_q[warp_q])
      // Who starts next stands in registers as soon as a step of its rows is made, and so before its last row.
      && (!streams || u_dut.rows_q <= 6'(32 / STEP)) && (!u_dut.u_tid.row_valid_q || (streams && u_dut.rows_q != '0))
      && ((state != START && !(state == TIDS && u_dut.rows_q != '0))
        || (u_dut.todo_first_q == u_dut.todo_low && u_dut.todo_slot_q == u_dut.todo_low_slot));
    // Who has it was told so, or is about to be; its warp starts while that block is filled.
    case (at_q)
      FREE:    follows = has == '0 || (mine && (state == ALLOC || u_dut.blk_valid_q));
      TOLD:    follows = todo && bslot_q == 8'(u_dut.bslot_q) && !u_dut.blk_valid_q;
      default: follows = !(todo && bslot_q == 8'(u_dut.bslot_q)) || ending;
    endcase
    if (at_q != FREE) follows = follows && bslot_q < 8'(BLOCKS) && !(u_dut.blk_valid_q && mine)
      && (ending ? has == '0 && at_q == BUSY && idle_q
        : has[bslot_q[cfg_pkg::BLOCK_W-1:0]] && !(state == ALLOC && bslot_q == 8'(u_dut.bslot_q)));
    if (state == IDLE || state == PLAN) follows = follows && at_q == FREE;
    follows = follows && u_dut.started_q[warp_q] == (at_q[1] && !ending) && u_dut.begun_q[warp_q] == (at_q == BUSY && !ending);
  end

  // No two blocks that run have a warp slot in common; a block gets slots that nobody has.
  `PROVE(p_slots, known && follows && (!told || at_q == FREE))
  // Warps start three cycles apart at least.
  logic [1:0] began_q;
  always_ff @(posedge clk_i) began_q <= rst_ni ? {began_q[0], start_valid} : 2'b00;
  `PROVE(p_apart, began_q == '0 || !start_valid)
  // Each slot that a block is told to have starts once, of that block; no other starts.
  `PROVE(p_once, known && follows && (!starts || (at_q == TOLD && start.bslot == bslot_q)))
  // A block ends when its warp has started, has been busy and is idle again.
  `PROVE(p_end, known && follows && (!ends || (at_q == BUSY && idle_q)))
  // A grid is over when every slot is free.
  `PROVE(p_done, known && follows && (!grid_done || at_q == FREE))
  // The warps of a block lie one after the other in the registers.
  logic [15:0] rbase_q;
  logic        after_q;      // a warp of the block that is being filled has started
  logic        lies;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || blk_start) after_q <= 1'b0;
    else if (start_valid) after_q <= 1'b1;
    if (start_valid) rbase_q <= start.rbase;
  end
  assign lies = !(streams && after_q && !blk_start) || u_dut.rbase_q[0] == rbase_q + 16'(launch_q.regs);
  `PROVE(p_registers, known && lies && (!(start_valid && after_q) || start.rbase == rbase_q + 16'(launch_q.regs)))
  // Two blocks run, and the slot is the second one's.
  `REACH(r_two, told && blk_start_bslot == 8'd1)
endmodule

`default_nettype wire
