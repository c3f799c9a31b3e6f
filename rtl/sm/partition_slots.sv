// SPDX-License-Identifier: Apache-2.0
// Warp slots: those of the SM outside a partition, its own inside. Of events that name a warp
// those for this partition.
// Latency: combinational.
// Handshake: none of its own.
// It holds no state, and does not know how many partitions there are (core_pkg::part_of does).
module partition_slots (
  input  logic [cfg_pkg::PART_W-1:0]     part_i,   // number of the partition: constant
  // from the dispatcher
  input  logic                           ct_start_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]  ct_start_slot_i,
  input  logic                           ct_tid_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]  ct_tid_slot_i,
  // from the load/store unit
  input  sm_pkg::checks_t                ls_i,
  // to the partition
  output logic                           start_valid_o,
  output logic                           tid_valid_o,
  output front_pkg::checks_t             ls_o,
  // from front to the barriers
  input  front_pkg::arrive_t             is_bar_i,
  output logic                           is_bar_ask_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]  is_bar_slot_o,
  output core_pkg::bar_t                 is_bar_o,
  // from divergence to the barriers: these warps end
  input  front_pkg::moved_t              dv_i,
  output logic [cfg_pkg::WARPS-1:0]      is_ended_o
);

  function automatic logic mine(input logic valid, input logic [cfg_pkg::SM_WARP_W-1:0] slot);
    mine = valid && core_pkg::part_of(slot) == part_i;
  endfunction

  assign start_valid_o = mine(ct_start_valid_i, ct_start_slot_i);
  assign tid_valid_o   = mine(ct_tid_valid_i, ct_tid_slot_i);

  assign ls_o.checked_valid = mine(ls_i.checked_valid, ls_i.checked_slot);
  assign ls_o.checked_slot  = core_pkg::local_slot(ls_i.checked_slot);
  assign ls_o.trap_valid    = mine(ls_i.trap_valid, ls_i.trap.id.slot);
  assign ls_o.trap          = ls_i.trap;

  assign is_bar_ask_o  = is_bar_i.ask;
  assign is_bar_slot_o = core_pkg::sm_slot(is_bar_i.slot, part_i);
  assign is_bar_o      = is_bar_i.bar;

  assign is_ended_o = cfg_pkg::WARPS'(dv_i.done_valid && dv_i.done_ended) << dv_i.done_slot;

  // Fields that concern others.
  logic unused;
  assign unused = ^dv_i;

endmodule
