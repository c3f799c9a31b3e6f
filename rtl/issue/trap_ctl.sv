// SPDX-License-Identifier: Apache-2.0
// Trap control: stops issue at the first sign of a trap, waits until everything has drained, reports the first in issue order.
// Latency: is_halt from the cycle after the trap on; is_trap_valid when nothing is in flight, at least one cycle later.
// Handshake: events in; is_trap_valid is a level that stays, with its payload, until reset.
// It does not undo anything: a precise trap has not issued, an address trap is kept from taking effect by the load/store unit.
`default_nettype none
`include "heddle_idle.svh"

module trap_ctl (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the check stage
  input  logic                          add_valid_i,     // an instruction issues that may trap later
  input  logic [cfg_pkg::WARP_W-1:0]    add_slot_i,
  input  logic                          add_ctl_i,
  input  logic                          judged_i,        // one stands there that may issue, or trap: its fields count
  input  logic                          precise_i,       // the instruction there traps and does not issue
  input  core_pkg::trap_t               precise_trap_i,
  // from the load/store unit
  input  logic                          ls_checked_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]    ls_checked_slot_i,
  input  logic                          ls_trap_valid_i,
  input  core_pkg::trap_t               ls_trap_i,
  // from divergence
  input  logic                          dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]    dv_done_slot_i,
  input  logic                          dv_trap_valid_i,
  input  core_pkg::trap_t               dv_trap_i,
  // from the warps' state
  input  logic                          all_quiet_i,     // nothing in flight anywhere
  // to the scheduler
  output logic                          tc_full_o,       // no place for another instruction that may trap
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
    .add_valid_i     (add_valid_i),
    .add_slot_i      (add_slot_i),
    .add_ctl_i       (add_ctl_i),
    .near_i          (judged_i),
    .mem_pass_i      (ls_checked_valid_i),
    .mem_pass_slot_i (ls_checked_slot_i),
    .mem_trap_i      (ls_trap_valid_i),
    .mem_trap_slot_i (core_pkg::local_slot(ls_trap_i.id.slot)),
    .ctl_pass_i      (dv_done_valid_i),
    .ctl_pass_slot_i (dv_done_slot_i),
    .ctl_trap_i      (dv_trap_valid_i),
    .ctl_trap_slot_i (core_pkg::local_slot(dv_trap_i.id.slot)),
    .taken_i         (late_q),
    .mem_first_o     (mem_first),
    .ctl_first_o     (ctl_first),
    .empty_o         (empty),
    .full_o          (tc_full_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      halt_q <= 1'b0;
      late_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      halt_q <= halt_q || precise_i || ls_trap_valid_i || dv_trap_valid_i;
      late_q <= late_q || mem_first || ctl_first;
      done_q <= done_q || (halt_q && empty && all_quiet_i);
    end
  end

  // Whatever was issued is older than the instruction that could not issue: a later trap takes the precise one's place.
  // Whether it traps comes late: until something does, what would be reported of each is kept, and nobody looks. Each source has
  // registers of its own, which are zero unless they count: so nothing chooses between so many bits.
  core_pkg::trap_t precise_q, mem_q, ctl_q;

  always_ff @(posedge clk_i) begin
    if (ctl_first || mem_first)    precise_q <= '0;
    else if (judged_i && !halt_q)  precise_q <= precise_trap_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || ctl_first)      mem_q <= '0;
    else if (mem_first)            mem_q <= ls_trap_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (mem_first && !ctl_first)) ctl_q <= '0;
    else if (ctl_first)            ctl_q <= dv_trap_i;
  end
  always_comb begin
    `HEDDLE_IDLE(is_trap_o, 'x);
    if (`HEDDLE_LIVE(done_q)) is_trap_o = precise_q | mem_q | ctl_q;
  end

  assign is_halt_o       = halt_q;
  assign tc_drained_o    = empty && all_quiet_i;
  assign is_trap_valid_o = done_q;

endmodule

`default_nettype wire
