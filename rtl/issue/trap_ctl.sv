// SPDX-License-Identifier: Apache-2.0
// Trap control: stops issue at the first sign of a trap, waits until everything has drained, reports the first in issue order.
// Latency: is_halt from the cycle after the trap on; is_trap_valid when nothing is in flight, at least one cycle later.
// Handshake: events in; is_trap_valid is a level that stays, with its payload, until reset.
// It does not undo anything: a precise trap has not issued, an address trap is kept from taking effect by the load/store unit.
`include "heddle_idle.svh"

module trap_ctl (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from S1
  input  logic [cfg_pkg::WARP_W-1:0]    slot_i,
  input  logic                          ordered_i,       // it may trap after its issue:
  input  logic                          ctl_i,           // ... a control instruction, else one for memory
  input  logic                          judged_i,        // S1 is left:
  input  logic                          commit_i,        // ... it issues,
  input  logic                          precise_i,       // ... or traps,
  input  core_pkg::trap_t               precise_trap_i,  // ... with this one
  // from the load/store unit and divergence
  input  front_pkg::checks_t            ls_i,
  input  logic                          dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]    dv_done_slot_i,
  input  front_pkg::control_trap_t      dv_trap_i,
  // from the warps' state
  input  logic                          all_quiet_i,     // nothing in flight anywhere
  // from the host
  input  logic                          pages_i,         // a launch with pages
  // from all
  input  logic                          sm_halt_i,       // a trap somewhere in the SM
  // to S0 and S1
  output logic                          tc_full_o,       // no place for another instruction that may trap
  output logic [cfg_pkg::WARPS-1:0]     tc_unchecked_o,  // warps with addresses that may still trap, where there are copies
  output logic                          tc_halt_o,       // here or elsewhere
  output logic                          tc_over_o,       // and it has come to rest: nothing is counted any more
  // to all
  output logic                          is_halt_o,
  output logic                          tc_drained_o,    // nothing left here that could trap
  output logic                          is_trap_valid_o,
  output core_pkg::trap_t               is_trap_o
);

  logic            halt_q, late_q, mem_first, ctl_first, empty, done_q;

  // With one beat a memory operation issues every cycle, and is checked some eight cycles later.
  issue_order #(.DEPTH((cfg_pkg::BEATS == 1) ? 16 : 8)) u_order (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .add_valid_i     (commit_i && ordered_i),
    .add_slot_i      (slot_i),
    .add_ctl_i       (ctl_i),
    .near_i          (judged_i),
    .mem_pass_i      (ls_i.checked_valid),
    .mem_pass_slot_i (ls_i.checked_slot),
    .mem_trap_i      (ls_i.trap_valid),
    .mem_trap_slot_i (core_pkg::local_slot(ls_i.trap.id.slot)),
    .ctl_pass_i      (dv_done_valid_i),
    .ctl_pass_slot_i (dv_done_slot_i),
    .ctl_trap_i      (dv_trap_i.valid),
    .ctl_trap_slot_i (core_pkg::local_slot(dv_trap_i.trap.id.slot)),
    .taken_i         (late_q),
    .mem_first_o     (mem_first),
    .ctl_first_o     (ctl_first),
    .empty_o         (empty),
    .full_o          (tc_full_o),
    .unchecked_o     (tc_unchecked_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      halt_q <= 1'b0;
      late_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      halt_q <= halt_q || precise_i || ls_i.trap_valid || dv_trap_i.valid;
      late_q <= late_q || mem_first || ctl_first;
      done_q <= done_q || (halt_q && empty && all_quiet_i);
    end
  end

  // Whatever was issued is older than the instruction that could not issue: a later trap takes the precise one's place.
  // Whether it traps comes late: until something does, the report of each is kept, and does not count. Each source has
  // registers of its own, which are zero unless they count: so nothing chooses between so many bits.
  core_pkg::trap_t precise_q, mem_q, ctl_q;

  // Memory answers in any order: of a warp's accesses in error, or with a fault of their page, the first in issue order counts.
  function automatic logic answered(input logic pages, input logic [3:0] cause);
    answered = cause == core_pkg::TRAP_BUS
      || (cfg_pkg::MMU != 0 && pages && (cause == core_pkg::TRAP_PAGE || cause == core_pkg::TRAP_WRITE_PROTECTED));
  endfunction

  logic older;
  assign older = ls_i.trap_valid && answered(pages_i, ls_i.trap.cause) && answered(pages_i, mem_q.cause)
    && ls_i.trap.id.slot == mem_q.id.slot && ls_i.trap.id.seq < mem_q.id.seq;

  always_ff @(posedge clk_i) begin
    if (ctl_first || mem_first)    precise_q <= '0;
    else if (judged_i && !halt_q) precise_q <= precise_trap_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || ctl_first)      mem_q <= '0;
    else if (mem_first || older)   mem_q <= ls_i.trap;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (mem_first && !ctl_first)) ctl_q <= '0;
    else if (ctl_first)            ctl_q <= dv_trap_i.trap;
  end
  always_comb begin
    `HEDDLE_IDLE(is_trap_o, 'x);
    if (`HEDDLE_LIVE(done_q)) is_trap_o = precise_q | mem_q | ctl_q;
  end

  assign is_halt_o       = halt_q;
  assign tc_drained_o    = empty && all_quiet_i;
  assign is_trap_valid_o = done_q;
  assign tc_halt_o       = halt_q || sm_halt_i;
  // What the host reads after a trap, here or in another partition, is of the grid alone.
  assign tc_over_o       = done_q || (sm_halt_i && !halt_q && tc_drained_o);

endmodule
