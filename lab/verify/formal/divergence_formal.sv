// SPDX-License-Identifier: Apache-2.0
// rtl/issue/divergence.sv with all its parts, unit `stack`, as `cached` has it, where each step takes a cycle: any lane of any of its
// four warps. Where a lane is: in the active path, in a waiting path, parked at one of 17 barriers, or (between two steps of one
// instruction) about to be pushed.
// There are never more than 32 waiting paths: each has a lane (p_path), and no lane is in two of them (p_place).
// The unit's memories are not kept as they are. A copy of the lane's bits is kept here (divergence_lane.svh), written as the
// memory is, and what is read is given by it; memories_formal.sv proves that of a memory. Also assumed are assertions of the
// RTL that hold in every simulation (divergence_steps: a_exec, a_bsync; divergence_intake: a_one). Of register targets
// the property of divergence_target_formal.sv is assumed: they name executing lanes, and hold.
// config: cached
// also divergence_rank: fpga
// memories: free
// without u_dut.u_paths.a_depth: by counting: paths are disjoint, and none is empty
// without u_dut.u_intake.a_one: assumed: a warp has one control instruction in flight
// without u_dut.u_steps.a_bsync in divergence_rank: it is assumed of what memory gives, and that a step sees this is part of p_place
// without u_dut.u_steps.a_exec in divergence_rank: so is this
`include "properties.svh"

module divergence_formal (
  input logic                            clk_i,
  input logic [31:0]                     code_bytes,
  input logic                            start_valid,
  input core_pkg::start_t                start,
  input logic                            ctl_valid,
  input core_pkg::uop_t                  uop,
  input logic                            br_valid,
  input logic [cfg_pkg::WARP_W-1:0]      br_slot,
  input logic [4:0]                      br_beat,
  input logic [core_pkg::BR_LANES-1:0][31:0] br_lo,
  input logic [core_pkg::BR_LANES-1:0][31:0] br_hi
);
  `RESET

  logic                       trap_valid, done_valid, redirect, moved, ended;
  core_pkg::trap_t            trap;
  logic [cfg_pkg::WARP_W-1:0] done_slot;
  logic [31:0]                done_pc, q_active, q_live, q_members, q_parked, q_parkpc;
  divergence_pkg::did_t       did;
  divergence_pkg::stored_t    stored;

  divergence #(.ITS(1'b0)) u_dut (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .code_bytes_i       (code_bytes),
    .its_i              (1'b0),
    .ct_start_valid_i   (start_valid),
    .ct_start_i         (start),
    .is_ctl_valid_i     (ctl_valid),
    .is_ctl_uop_i       (uop),
    .is_sel_valid_i     (1'b0),
    .is_sel_slot_i      ('0),
    .is_sel_bx_i        ('0),
    .is_q_slot_i        ('0),
    .is_q_bx_i          ('0),
    .op_br_valid_i      (br_valid),
    .op_br_slot_i       (br_slot),
    .op_br_beat_i       (br_beat),
    .op_br_lo_i         (br_lo),
    .op_br_hi_i         (br_hi),
    .dv_q_active_o      (q_active),
    .dv_q_live_o        (q_live),
    .dv_q_members_o     (q_members),
    .dv_q_parked_o      (q_parked),
    .dv_q_parkpc_o      (q_parkpc),
    .dv_trap_valid_o    (trap_valid),
    .dv_trap_o          (trap),
    .dv_done_valid_o    (done_valid),
    .dv_done_slot_o     (done_slot),
    .dv_done_redirect_o (redirect),
    .dv_done_moved_o    (moved),
    .dv_done_pc_o       (done_pc),
    .dv_done_ended_o    (ended),
    .dv_did_o           (did),
    .rh_look_i          ('0),
    .dv_stored_o        (stored)
  );

  localparam bit ITS = 1'b0;
  `include "divergence_lane.svh"

  // A lane that lives is in exactly one place: the active path, one waiting path, or parked at one barrier; one that has ended is
  // nowhere. So paths are disjoint, and together all lanes that live.
  `PROVE(p_place, whole)
  // No path is pushed without lanes.
  `PROVE(p_path, whole && (!(u_dut.push && own && started_q) || u_dut.pushed.mask != '0))
  // A path goes on top of those that wait; the one that goes on is the top.
  `PROVE(p_order, whole && (!(u_dut.push && own && started_q)
    || u_dut.u_paths.last == 5'(row_q.depth)) && (!(u_dut.pop && own && started_q) || 6'(path_at_q) + 6'd1 == row_q.depth))
  // No lane goes from a barrier while a member that lives has not come to it.
  `PROVE(p_release, whole && (!(u_dut.bar && u_dut.released && own && started_q) || !(member && row_q.live[lane_q]) || come))
  // The lane can wait below two other paths.
  `REACH(r_deep, started_q && row_q.depth == 6'd3 && waits[0])
endmodule
