// SPDX-License-Identifier: Apache-2.0
// State of each warp between its instructions: stall count, control and barrier waits, operations under way. One set of small
// counters a warp.
// Latency: flags follow events of cycle t in t+1.
// Handshake: events only.
// It does not look at the next instruction: issue_ready does.
`include "heddle_assert.svh"

module warp_state (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  // from S1: an instruction issues
  input  stage_pkg::s1_t             s1_i,
  input  logic                       commit_i,
  input  logic                       go_i,         // ... and leaves its buffer
  input  logic                       is_bar_i,     // arrives at a barrier, and waits there
  input  logic                       is_load_i,    // ULDC: the warp waits for its end
  input  logic [3:0]                 is_stall_i,
  input  logic [cfg_pkg::WARPS-1:0]  redo_i,       // a BAR.RED has arrived, and its warp comes for the result
  // a cycle later, an operation under way
  input  stage_pkg::recent_t         recent_i,
  input  stage_pkg::begun_t          begun_i,
  // from operand, writeback, trap control (addresses that may still trap), divergence, the barriers
  input  front_pkg::operand_t        op_i,
  input  stage_pkg::ends_t           ends_i,
  input  logic [cfg_pkg::WARPS-1:0]  unchecked_i,
  input  front_pkg::moved_t          dv_i,
  input  front_pkg::control_trap_t   dv_trap_i,
  input  front_pkg::release_t        ba_release_i,
  // to S0
  output stage_pkg::state_t          state_o,
  // to the dispatcher and trap control
  output logic [cfg_pkg::WARPS-1:0]  is_idle_o,
  output logic                       all_quiet_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned MEM_W = 6;
  localparam int unsigned FIX_W = 5;
  localparam int unsigned ENDS  = core_pkg::ENDS;

  logic [WARPS-1:0]      alive_q, ctl_q, bar_q, load_q, stalled, quiet;
  logic [WARPS-1:0]      issue, fix_start, mem_start, ctl_end, ended, mem_end;
  logic [WARPS-1:0]      copy_start, copy_end, copy_nonzero, copy_high, copy_full, copy_below;
  logic [WARPS-1:0]      mem_nonzero, fix_nonzero, mem_full, mem_high, fix_full, mem_below, fix_below;
  logic [ENDS-1:0][WARPS-1:0] fix_end;
  logic [3:0][WARPS-1:0] stall_q;     // bit planes of the stall counts
  logic [3:0]            load;
  logic                  is_rows;     // with row queues: rows of it go there; with two readers: it reads operands
  core_pkg::done_t       late;        // of the load/store unit, of units
  logic                  late_copy;

  function automatic logic [WARPS-1:0] warp(input logic valid, input logic [cfg_pkg::WARP_W-1:0] slot);
    warp = WARPS'(valid) << slot;
  endfunction

  assign late       = ends_i.done[ENDS];
  assign late_copy  = core_pkg::ends_copy(late);
  assign is_rows    = go_i && (s1_i.head.gen || (core_pkg::READERS > 1 && s1_i.head.coll));
  assign issue      = commit_i ? s1_i.here : '0;
  assign fix_start  = warp(begun_i.fixed, begun_i.slot);
  assign mem_start  = warp(begun_i.coll && !begun_i.copy, begun_i.slot);
  assign copy_start = warp(begun_i.coll && begun_i.copy, begun_i.slot);
  assign ctl_end    = warp(dv_i.valid, dv_i.slot) | warp(dv_trap_i.valid, core_pkg::local_slot(dv_trap_i.trap.id.slot));
  assign ended      = warp(dv_i.valid && dv_i.ended, dv_i.slot);
  assign mem_end    = warp(ends_i.valid[ENDS] && !late_copy, late.slot);
  assign copy_end   = warp(ends_i.valid[ENDS] && late_copy, late.slot);
  for (genvar i = 0; i < ENDS; i++) begin : gen_fix_end
    assign fix_end[i] = warp(ends_i.valid[i], ends_i.done[i].slot);
  end

  // The next instruction issues `stall` cycles after this one, with a rank for its verdict one more; selection is a cycle, with that
  // rank two cycles earlier. A count of 1 (or 0, which counts as 1) never shows here.
  // With two readers the count of an instruction that reads operands begins with its last row, and its beats are over then; that of
  // another one, too, where operands of its warp are still to be read, with a cycle more: their count may have been BEATS + 1.
  logic [WARPS-1:0] unread;   // instructions of it have rows to read
  logic [3:0]       over;     // of the count, before it begins
  assign over = (core_pkg::READERS > 1 && is_rows) ? 4'(cfg_pkg::BEATS + 2) : ((unread & issue) != '0) ? 4'd1 : 4'd2;
  assign load = (is_stall_i > over) ? is_stall_i - over : 4'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alive_q  <= '0;
      ctl_q    <= '0;
      bar_q    <= '0;
      load_q   <= '0;
    end else begin
      alive_q  <= (alive_q & ~ended) | start_i;
      ctl_q    <= (ctl_q & ~ctl_end) | (stage_pkg::is_ctl(s1_i.head) ? issue : '0);
      load_q   <= (load_q | ((cfg_pkg::HAS_UNI && is_load_i) ? issue : '0)) & ~(late.load ? mem_end : '0);
      // A release in the cycle of the arrival is this arrival's: its warp cannot wait twice.
      bar_q    <= (bar_q | (is_bar_i ? issue : '0)) & ~(ba_release_i.valid ? ba_release_i.warps : '0);
    end
  end

  // With row queues a warp waits, and its stall count stands still, from the issue of an instruction on until the last row of it has
  // left its queue; with two readers until its reader lets it go on, or, after an instruction that reads nothing, until all is read.
  logic [WARPS-1:0] queued;

  if (core_pkg::LINES > 1) begin : gen_queued
    logic [WARPS-1:0] gone, gone_q;
    always_comb begin
      gone = '0;
      for (int unsigned k = 0; k < core_pkg::LINES; k++) gone |= warp(op_i.gone[k], op_i.gone_slot[k]);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) gone_q <= '0;
      else         gone_q <= (gone_q & ~gone) | (is_rows ? issue : '0);
    end
    `ASSERT(a_gone, (gone & ~gone_q) == '0)

    if (core_pkg::READERS > 1) begin : gen_unread
      logic [WARPS-1:0]      done, last_q;   // last_q: its last one reads nothing
      logic [1:0][WARPS-1:0] unread_q;       // two at the most, as bit planes: one that is read, one in front
      always_comb begin
        done = '0;
        for (int unsigned k = 0; k < core_pkg::LINES; k++) done |= warp(op_i.done[k], op_i.gone_slot[k]);
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          unread_q <= '0;
          last_q   <= '0;
        end else begin
          unread_q[0] <= unread_q[0] ^ (is_rows ? issue : '0) ^ done;
          unread_q[1] <= (unread_q[1] & ~done) | (unread_q[0] & (is_rows ? issue : '0) & ~done);
          last_q      <= (last_q & ~issue) | (is_rows ? '0 : issue);
        end
      end
      assign unread = unread_q[0] | unread_q[1];
      assign queued = gone_q | (last_q & unread);
      `ASSERT(a_done, (done & ~unread) == '0 && (unread_q[1] & unread_q[0]) == '0)
    end else begin : gen_rows
      assign unread = '0;
      assign queued = gone_q;
    end
  end else begin : gen_bus
    assign unread = '0;
    assign queued = '0;
  end

  // Stall counts run while rows are read.
  logic [WARPS-1:0] run, borrow_1, borrow_2, borrow_3;
  assign stalled  = stall_q[0] | stall_q[1] | stall_q[2] | stall_q[3];
  assign run      = (core_pkg::LINES > 1) ? stalled & ~queued : op_i.hold ? '0 : stalled;
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
    .near_full_o (),
    .high_o      (mem_high),
    .full_o      (mem_full),
    .plane_o     (),
    .below_o     (mem_below)
  );
  plane_counters #(.N(WARPS), .WIDTH(FIX_W)) u_fix (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     ('0),
    .up_i        ({{WARPS{1'b0}}, fix_start}),
    .down_i      ((5*WARPS)'(fix_end)),
    .nonzero_o   (fix_nonzero),
    .near_full_o (),
    .high_o      (),
    .full_o      (fix_full),
    .plane_o     (),
    .below_o     (fix_below)
  );

  // Copies by themselves: barriers do not wait for them.
  if (cfg_pkg::HAS_ASYNC) begin : gen_copy
    plane_counters #(.N(WARPS), .WIDTH(MEM_W)) u_copy (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     ('0),
      .up_i        ({{WARPS{1'b0}}, copy_start}),
      .down_i      ({{(4*WARPS){1'b0}}, copy_end}),
      .nonzero_o   (copy_nonzero),
      .near_full_o (),
      .high_o      (copy_high),
      .full_o      (copy_full),
      .plane_o     (),
      .below_o     (copy_below)
    );
  end else begin : gen_no_copy
    assign copy_nonzero = '0;
    assign copy_high    = '0;
    assign copy_full    = '0;
    assign copy_below   = '0;
  end

  assign state_o.alive     = alive_q;
  assign state_o.stalled   = stalled | queued;
  assign state_o.sync      = ctl_q | bar_q | load_q;
  assign state_o.bar       = bar_q;
  assign state_o.mem_busy  = mem_nonzero;
  assign state_o.copy_busy = copy_nonzero;
  assign state_o.unchecked = unchecked_i;
  assign state_o.mem_full  = mem_high | copy_high;

  // Nothing of the warp is in flight. A warp that starts in this cycle is alive in the next: until then its block has not seen it
  // begin.
  assign quiet       = ~(ctl_q | fix_nonzero | mem_nonzero | copy_nonzero);
  assign is_idle_o   = ~alive_q & quiet & ~s1_i.here & ~recent_i.here;
  assign all_quiet_o = quiet == '1 && !recent_i.any && !ba_release_i.busy
    && (redo_i & ~bar_q) == '0;

  // Nothing ends that was not issued, and no counter overflows.
  logic lost;
  assign lost = (ctl_end & ~ctl_q) != '0 || mem_below != '0 || fix_below != '0
    || copy_below != '0 || (copy_start & copy_full) != '0 || (fix_start & fix_full) != '0 || (mem_start & mem_full) != '0;
  `ASSERT(a_lost, !lost)

  // Fields that concern others, and what some machines do not count.
  logic unused;
  assign unused = ^{s1_i, begun_i, op_i, ends_i, dv_i, dv_trap_i, ba_release_i, late, is_rows, copy_end};

endmodule
