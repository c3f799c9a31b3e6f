// SPDX-License-Identifier: Apache-2.0
// rtl/issue/divergence.sv with all its parts, unit `its`, with the four warps of `cached`: any lane of any of them, as in
// divergence_formal.sv, with its assumptions. Besides, a lane that is parked beside the first path of its barrier is in one
// entry of the list of strays. There are never more than 32 waiting paths, or entries: each has a lane, and no lane is in two.
// config: cached
// also divergence_its_rank: fpga
// memories: free
// without u_dut.u_paths.a_depth: by counting: paths are disjoint, and none is empty
// without u_dut.u_paths.gen_list.a_room: by counting: paths are disjoint, and none is empty
// without u_dut.u_steps.a_list: two lanes of one entry are not followed
// without u_dut.u_intake.a_one: assumed: a warp has one control instruction in flight
// without u_dut.u_steps.a_bsync in divergence_its_rank: it is assumed of what memory gives, and that a step sees this is part of p_place
// without u_dut.u_steps.a_exec in divergence_its_rank: so is this
`include "properties.svh"

module divergence_its_formal (
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

  logic                       trap_valid, done_valid, redirect, goes_on, ended;
  core_pkg::trap_t            trap;
  logic [cfg_pkg::WARP_W-1:0] done_slot;
  logic [31:0]                done_pc, q_active, q_live, q_members, q_parked, q_parkpc;
  divergence_pkg::did_t       did;
  divergence_pkg::stored_t    stored;

  divergence #(.ITS(1'b1)) u_dut (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .code_bytes_i       (code_bytes),
    .its_i              (1'b1),
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
    .dv_done_moved_o    (goes_on),
    .dv_done_pc_o       (done_pc),
    .dv_done_ended_o    (ended),
    .dv_did_o           (did),
    .rh_look_i          ('0),
    .dv_stored_o        (stored)
  );

  localparam bit ITS = 1'b1;
  `include "divergence_lane.svh"

  // ---- while the lane's path waits: instructions of others that move lanes and that some lane executes -------------------------------
  // Each path before it may issue 64, and the active one what is left of its turn; the last one of a turn (full) ends it.
  // An instruction comes with an active path, which has a lane that no waiting path has: so 31 wait at the most. (With the last
  // lane gone the 32nd may be there for a moment; the pop that follows begins a turn.)
  `GIVEN(g_waits, !(own && state == EXEC) || row_q.depth < 6'd32)
  // After a trap nothing more of the warp comes.
  logic        trapped_q;
  always_ff @(posedge clk_i) trapped_q <= started_q && !starts && (trapped_q || (own && state == TRAP));
  `GIVEN(g_trapped, !(u_dut.take && trapped_q) || next_slot != warp_q)
  logic        moves, full_q, waited_q, fair;
  logic [11:0] left_q, left, need;
  logic [4:0]  place;
  assign moves = own && state == EXEC && u_dut.step && work.counts && exec_any;
  always_ff @(posedge clk_i) begin
    waited_q <= started_q && !starts && waits != '0;
    left_q   <= left - 12'(moves);
    if (!started_q || starts || (u_dut.pop && own)) full_q <= 1'b0;
    else if (own && state == EXEC && u_dut.step) full_q <= moves && row_q.turn == 6'd63;
  end
  always_comb begin
    place = 5'd0;
    for (int d = 0; d < 32; d++) begin
      if (waits[d]) place = 5'(d) - row_q.first;
    end
    need = (place == 5'd31) ? 12'd1984 : {1'b0, place, 6'd0} + 12'd64 - 12'(row_q.turn) - 12'(full_q);
    left = waited_q ? left_q : need;
    fair = 1'b1;
    if (started_q && !trapped_q) begin
      if (waits != '0) fair = need <= left && left <= 12'd1984 && (!full_q || (own && state != IDLE && state != EXEC));
      if (full_q && (row_q.turn != 6'd63 || (own && state != IDLE && state != EXEC && state != POP && state != POPPED
          && state != TURN && state != TRAP && !u_dut.u_steps.due_q))) fair = 1'b0;
    end
  end

  // A lane that lives is in exactly one place: the active path, one waiting path, or parked at one barrier; one that has ended is
  // nowhere. So paths are disjoint, and together all lanes that live.
  `PROVE(p_place, whole)
  // No path is pushed without lanes.
  `PROVE(p_path, whole && (!(u_dut.push && own && started_q) || u_dut.pushed.mask != '0))
  // Waiting paths are a ring: what is pushed goes to its end, and what is first goes on.
  `PROVE(p_order, whole && (!(u_dut.push && own && started_q)
    || u_dut.u_paths.last == row_q.first + row_q.depth[4:0]) && (!(u_dut.pop && own && started_q) || path_at_q == row_q.first))
  // No lane goes from a barrier while a member that lives has not come to it; at YIELD, unless it yields.
  `PROVE(p_release, whole && (!(u_dut.bar && u_dut.released && own && started_q) || !(member && row_q.live[lane_q])
    || come || (work.kind == divergence_pkg::KIND_YIELD && work.exec[lane_q])))
  logic [31:0] moved;
  assign moved = u_dut.pop ? u_dut.top.mask : u_dut.pushed.mask;
  // The hash (retire_hash) names a path by its lowest lane.
  `PROVE(p_named, !(u_dut.push || u_dut.pop) || moved == '0
    || (moved[u_dut.path_name] && (moved & ~(32'hffff_ffff << u_dut.path_name)) == '0))
  // While a path waits, each path before it issues 64 instructions that move lanes at the most, and the active one the rest
  // of its turn: never more than 1,984.
  `PROVE(p_turns, whole && fair)
  // The lane is in the list beside another path, and its barrier is released.
  `REACH(r_list, started_q && goes && row_q.stray_paths == 6'd2)
endmodule
