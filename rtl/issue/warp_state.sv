// SPDX-License-Identifier: Apache-2.0
// What holds a warp back: stall count, control and barrier waits, operations under way. One set of small counters a warp.
// Latency: flags follow events of cycle t in t+1.
// Handshake: events only.
// It does not look at the next instruction; eligibility is formed in `issue`.
`include "heddle_assert.svh"

module warp_state (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // from the dispatcher
  input  logic [cfg_pkg::WARPS-1:0]            start_i,
  // from the check stage: an instruction issues
  input  logic                                 is_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           is_slot_i,
  input  logic                                 is_ctl_i,       // goes to divergence
  input  logic                                 is_bar_i,       // arrives at a barrier
  input  logic                                 is_load_i,      // ULDC: the warp waits for its end
  input  logic [3:0]                           is_stall_i,
  input  logic                                 is_rows_i,      // with row queues: rows of it go there; with two readers: it reads operands
  // from operand: stall counts stand still
  input  logic                                 op_hold_i,
  // ... of one warp: with row queues until the last row of its instruction has left them, with two readers until it may go on
  input  logic [core_pkg::LINES-1:0]           op_gone_i,
  input  logic [core_pkg::LINES-1:0]           op_done_i,      // two readers: the last row of an instruction is read
  input  logic [core_pkg::LINES-1:0][cfg_pkg::WARP_W-1:0] op_gone_slot_i,
  // a cycle later: an operation is under way
  input  logic                                 uop_fixed_i,    // alu (also for control instructions), fma, cvt, half, uni
  input  logic                                 uop_coll_i,     // its latency varies
  input  logic                                 uop_copy_i,     // it is an asynchronous copy
  input  logic [cfg_pkg::WARP_W-1:0]           uop_slot_i,
  // from writeback, and uni
  input  logic [core_pkg::ENDS-1:0]           wb_done_valid_i,
  input  logic [core_pkg::ENDS-1:0][cfg_pkg::WARP_W-1:0] wb_done_slot_i,
  // from the load/store unit and the units of the partition
  input  logic                                 lt_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           lt_done_slot_i,
  input  logic                                 lt_done_load_i, // of an ULDC
  input  logic                                 lt_done_copy_i, // of an asynchronous copy
  // from divergence
  input  logic                                 dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           dv_done_slot_i,
  input  logic                                 dv_done_ended_i,
  input  logic                                 dv_trap_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           dv_trap_slot_i,
  // from the barrier unit
  input  logic                                 ba_release_valid_i,
  input  logic [cfg_pkg::WARPS-1:0]            ba_release_warps_i,
  // to the scheduler
  output logic [cfg_pkg::WARPS-1:0]            ws_alive_o,
  output logic [cfg_pkg::WARPS-1:0]            ws_stall_o,     // stall count has not run out, or rows wait in a queue
  output logic [cfg_pkg::WARPS-1:0]            ws_sync_o,      // waits for divergence, a barrier, or an ULDC
  output logic [cfg_pkg::WARPS-1:0]            ws_bar_o,       // ... for a barrier
  output logic [cfg_pkg::WARPS-1:0]            ws_mem_busy_o,  // operations of varying latency (memory) not performed yet, but copies
  output logic [cfg_pkg::WARPS-1:0]            ws_copy_busy_o, // copies not performed yet
  output logic [cfg_pkg::WARPS-1:0]            ws_mem_full_o,  // no more of them can be counted
  // to trap control and the dispatcher
  output logic [cfg_pkg::WARPS-1:0]            ws_quiet_o      // nothing of the warp is in flight
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned MEM_W = 6;
  localparam int unsigned FIX_W = 5;

  logic [WARPS-1:0]      alive_q, ctl_q, bar_q, load_q, stalled;
  logic [WARPS-1:0]      issue, fix_start, mem_start, ctl_end, ended, mem_end;
  logic [WARPS-1:0]      copy_start, copy_end, copy_nonzero, copy_high, copy_full, copy_below;
  logic [WARPS-1:0]      mem_nonzero, fix_nonzero, mem_full, mem_high, fix_full, mem_below, fix_below, unused_mem, unused_fix, unused_high;
  logic [MEM_W-1:0][WARPS-1:0] unused_mem_plane;
  logic [FIX_W-1:0][WARPS-1:0] unused_fix_plane;
  logic [core_pkg::ENDS-1:0][WARPS-1:0] fix_end;
  logic [3:0][WARPS-1:0] stall_q;     // bit planes of the stall counts
  logic [3:0]            load;

  function automatic logic [WARPS-1:0] warp(input logic valid, input logic [cfg_pkg::WARP_W-1:0] slot);
    warp = WARPS'(valid) << slot;
  endfunction

  assign issue     = warp(is_valid_i, is_slot_i);
  assign fix_start = warp(uop_fixed_i, uop_slot_i);
  assign mem_start = warp(uop_coll_i && !uop_copy_i, uop_slot_i);
  assign ctl_end   = warp(dv_done_valid_i, dv_done_slot_i) | warp(dv_trap_valid_i, dv_trap_slot_i);
  assign ended     = warp(dv_done_valid_i && dv_done_ended_i, dv_done_slot_i);
  assign mem_end   = warp(lt_done_valid_i && !lt_done_copy_i, lt_done_slot_i);
  assign copy_start = warp(uop_coll_i && uop_copy_i, uop_slot_i);
  assign copy_end  = warp(lt_done_valid_i && lt_done_copy_i, lt_done_slot_i);
  for (genvar i = 0; i < core_pkg::ENDS; i++) begin : gen_fix_end
    assign fix_end[i] = warp(wb_done_valid_i[i], wb_done_slot_i[i]);
  end

  // The next instruction issues `stall` cycles after this one, with a rank for its verdict one more; selection is a cycle, with that
  // rank two cycles earlier. A count of 1 (or 0, which counts as 1) never shows here.
  // With two readers the count of an instruction that reads operands begins with its last row, and its beats are over then; that of
  // another one, too, where operands of its warp are still to be read, with a cycle more: their count may have been BEATS + 1.
  logic [WARPS-1:0] unread;   // instructions of it have rows to read
  logic [3:0]       over;     // of the count, before it begins
  assign over = (core_pkg::READERS > 1 && is_rows_i) ? 4'(cfg_pkg::BEATS + 2) : ((unread & issue) != '0) ? 4'd1 : 4'd2;
  assign load = (is_stall_i > over) ? is_stall_i - over : 4'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alive_q  <= '0;
      ctl_q    <= '0;
      bar_q    <= '0;
    end else begin
      alive_q  <= (alive_q & ~ended) | start_i;
      ctl_q    <= (ctl_q & ~ctl_end) | (is_ctl_i ? issue : '0);
      // A release in the cycle of the arrival is this arrival's: its warp can't wait twice.
      bar_q    <= (bar_q | (is_bar_i ? issue : '0)) & ~(ba_release_valid_i ? ba_release_warps_i : '0);
    end
  end

  if (cfg_pkg::HAS_UNI) begin : gen_load
    always_ff @(posedge clk_i) begin
      if (!rst_ni) load_q <= '0;
      else         load_q <= (load_q | (is_load_i ? issue : '0)) & ~(lt_done_load_i ? mem_end : '0);
    end
  end else begin : gen_no_load
    assign load_q = '0;
    logic unused;
    assign unused = ^{is_load_i, lt_done_load_i};
  end

  // With row queues a warp waits, and its stall count stands still, from the issue of an instruction on until the last row of it has
  // left its queue; with two readers until its reader lets it go on, or, after an instruction that reads nothing, until all is read.
  logic [WARPS-1:0] queued;

  if (core_pkg::LINES > 1) begin : gen_queued
    logic [WARPS-1:0] gone, done, gone_q, last_q;   // last_q: its last one reads nothing
    always_comb begin
      gone = '0;
      done = '0;
      for (int unsigned k = 0; k < core_pkg::LINES; k++) begin
        gone |= warp(op_gone_i[k], op_gone_slot_i[k]);
        done |= warp(op_done_i[k], op_gone_slot_i[k]);
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) gone_q <= '0;
      else         gone_q <= (gone_q & ~gone) | (is_rows_i ? issue : '0);
    end
    `ASSERT(a_gone, (gone & ~gone_q) == '0)

    if (core_pkg::READERS > 1) begin : gen_unread
      logic [1:0][WARPS-1:0] unread_q;   // two at the most, as bit planes: one that is read, one in front
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          unread_q <= '0;
          last_q   <= '0;
        end else begin
          unread_q[0] <= unread_q[0] ^ (is_rows_i ? issue : '0) ^ done;
          unread_q[1] <= (unread_q[1] & ~done) | (unread_q[0] & (is_rows_i ? issue : '0) & ~done);
          last_q      <= (last_q & ~issue) | (is_rows_i ? '0 : issue);
        end
      end
      assign unread = unread_q[0] | unread_q[1];
      assign queued = gone_q | (last_q & unread);
      `ASSERT(a_done, (done & ~unread) == '0 && (unread_q[1] & unread_q[0]) == '0)
    end else begin : gen_rows
      assign unread = '0;
      assign queued = gone_q;
      assign last_q = '0;
      logic unused_done;
      assign unused_done = ^{done, last_q};
    end
  end else begin : gen_bus
    assign unread = '0;
    assign queued = '0;
    logic unused_queued;
    assign unused_queued = ^{is_rows_i, op_gone_i, op_done_i, op_gone_slot_i};
  end

  // Stall counts run while rows are read.
  logic [WARPS-1:0] run, borrow_1, borrow_2, borrow_3;
  assign stalled  = stall_q[0] | stall_q[1] | stall_q[2] | stall_q[3];
  assign run      = (core_pkg::LINES > 1) ? stalled & ~queued : op_hold_i ? '0 : stalled;
  assign borrow_1 = run & ~stall_q[0];
  assign borrow_2 = borrow_1 & ~stall_q[1];
  assign borrow_3 = borrow_2 & ~stall_q[2];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stall_q <= '0;
    end else begin
      stall_q[0] <= ((stall_q[0] ^ run)      & ~issue) | (load[0] ? issue : '0);
      stall_q[1] <= ((stall_q[1] ^ borrow_1) & ~issue) | (load[1] ? issue : '0);
      stall_q[2] <= ((stall_q[2] ^ borrow_2) & ~issue) | (load[2] ? issue : '0);
      stall_q[3] <= ((stall_q[3] ^ borrow_3) & ~issue) | (load[3] ? issue : '0);
    end
  end

  plane_counters #(.N(WARPS), .WIDTH(MEM_W)) u_mem (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     ('0),
    .up_i        ({{WARPS{1'b0}}, mem_start}),
    .down_i      ({{(4*WARPS){1'b0}}, mem_end}),
    .nonzero_o   (mem_nonzero),
    .near_full_o (unused_mem),
    .high_o      (mem_high),
    .full_o      (mem_full),
    .plane_o     (unused_mem_plane),
    .below_o     (mem_below)
  );
  plane_counters #(.N(WARPS), .WIDTH(FIX_W)) u_fix (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     ('0),
    .up_i        ({{WARPS{1'b0}}, fix_start}),
    .down_i      ((5*WARPS)'(fix_end)),
    .nonzero_o   (fix_nonzero),
    .near_full_o (unused_fix),
    .high_o      (unused_high),
    .full_o      (fix_full),
    .plane_o     (unused_fix_plane),
    .below_o     (fix_below)
  );

  // Copies by themselves: barriers do not wait for them.
  if (cfg_pkg::HAS_ASYNC) begin : gen_copy
    logic [WARPS-1:0]            unused_near;
    logic [MEM_W-1:0][WARPS-1:0] unused_plane;
    plane_counters #(.N(WARPS), .WIDTH(MEM_W)) u_copy (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     ('0),
      .up_i        ({{WARPS{1'b0}}, copy_start}),
      .down_i      ({{(4*WARPS){1'b0}}, copy_end}),
      .nonzero_o   (copy_nonzero),
      .near_full_o (unused_near),
      .high_o      (copy_high),
      .full_o      (copy_full),
      .plane_o     (unused_plane),
      .below_o     (copy_below)
    );
  end else begin : gen_no_copy
    assign copy_nonzero = '0;
    assign copy_high    = '0;
    assign copy_full    = '0;
    assign copy_below   = '0;
    logic unused_copy;
    assign unused_copy = ^copy_end;
  end

  assign ws_stall_o    = stalled | queued;
  assign ws_mem_busy_o = mem_nonzero;
  assign ws_copy_busy_o = copy_nonzero;
  assign ws_mem_full_o = mem_high | copy_high;
  assign ws_quiet_o    = ~(ctl_q | fix_nonzero | mem_nonzero | copy_nonzero);
  assign ws_alive_o    = alive_q;
  assign ws_sync_o     = ctl_q | bar_q | load_q;
  assign ws_bar_o      = bar_q;

  // Nothing ends that was not issued, and no counter overflows.
  logic lost;
  assign lost = (ctl_end & ~ctl_q) != '0 || mem_below != '0 || fix_below != '0
    || copy_below != '0 || (copy_start & copy_full) != '0 || (fix_start & fix_full) != '0 || (mem_start & mem_full) != '0;
  `ASSERT(a_lost, !lost)

endmodule
