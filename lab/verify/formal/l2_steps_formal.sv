// SPDX-License-Identifier: Apache-2.0
// rtl/l2/l2_steps.sv, as `backed` has it: any place is followed, through tasks of all kinds; what a request is (u_meta) is not.
// config: backed
// memories: free
`include "properties.svh"

module l2_steps_formal (
  input logic                       clk_i,
  input logic                       task_valid,
  input l2_pkg::task_t              work,
  input logic [31:0]                lanes,
  input logic [31:0]                words,
  input logic                       apart,
  input logic [4:0]                 at_word,
  input logic                       step_ready,
  input logic                       room,
  input l2_pkg::place_t             any_place
);
  `RESET

  logic                             task_ready, step_valid, send_valid, begins;
  logic [l2_pkg::SLOT_W-1:0]        slot, at_slot;
  logic [4:0]                       at_lane;
  l2_pkg::step_t                    step;
  logic [l2_pkg::ENTRY_W-1:0]       send_entry;

  l2_steps u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .asked_i      ('0),
    .task_valid_i (task_valid),
    .task_ready_o (task_ready),
    .task_i       (work),
    .slot_o       (slot),
    .lanes_i      (lanes),
    .words_i      (words),
    .apart_i      (apart),
    .at_slot_o    (at_slot),
    .at_lane_o    (at_lane),
    .at_word_i    (at_word),
    .added_i      (1'b0),
    .step_valid_o (step_valid),
    .step_ready_i (step_ready),
    .step_o       (step),
    .send_valid_o (send_valid),
    .send_entry_o (send_entry),
    .room_i       (room),
    .begin_o      (begins)
  );

  // ---- what neighbours keep ----------------------------------------------------------------------
  logic          held_q, room_q;
  l2_pkg::step_t step_q;
  logic [4:0]    at_word_q;
  always_ff @(posedge clk_i) begin
    held_q    <= rst_ni && step_valid && !step_ready;
    step_q    <= step;
    at_word_q <= at_word;
    room_q    <= rst_ni && room && !begins;
  end
  // A request has sectors, an atomic lanes and words; for an atomic that is performed no line is evicted.
  `GIVEN(g_some, u_dut.meta.sectors != '0 && lanes != '0 && words != '0)
  `GIVEN(g_gives, !(work.what == l2_pkg::PERFORM && work.gives && u_dut.atom))
  `GIVEN(g_rows, work.gives == (work.back_rows != '0))
  // Room for a line stays until one begins, and a lane's word does not change.
  `GIVEN(g_room, !room_q || room)
  `GIVEN(g_word, !held_q || at_word == at_word_q)

  // ---- the place, and whether steps of a task of it are still to come ----------------------------
  l2_pkg::place_t  place_q;
  logic            owed_q, takes, over, backs, backs_q;
  assign backs = step.kind == l2_pkg::S_BACK || step.kind == l2_pkg::S_CLEAN;
  assign takes = task_valid && task_ready && work.place == place_q && (work.gives || work.what == l2_pkg::PERFORM);
  assign over  = step_valid && step_ready && step.place == place_q
    && (backs ? step.last && backs_q : step.ends);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) place_q <= any_place;
    if (!rst_ni)    owed_q <= 1'b0;
    else if (takes) owed_q <= 1'b1;
    else if (over)  owed_q <= 1'b0;
    // ... which are only those of the evicted line.
    if (takes) backs_q <= work.what != l2_pkg::PERFORM;
  end

  // ---- records: which request's sectors are being shown; turns -----------------------------------
  logic                        showing_q;
  logic [l2_pkg::ENTRY_W-1:0]  showing_entry_q;
  logic [1:0]                  lanes_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) showing_q <= 1'b0;
    else if (step_valid && step_ready && step.kind != l2_pkg::S_LANE && !backs) showing_q <= step.shows && !step.ends;
    if (step_valid && step_ready && step.shows) showing_entry_q <= step.entry;
    if (!rst_ni || !u_dut.now_step) lanes_q <= '0;
    else if (u_dut.fire)            lanes_q <= u_dut.of_now ? '0 : lanes_q + 2'd1;
  end

  // ---- what is promised --------------------------------------------------------------------------
  // A task of a place is taken when all steps of the one before it have been.
  `PROVE(p_order, !(task_valid && task_ready && work.place == place_q) || !owed_q || over)
  // Part of a line is requested when all steps at its place have been taken.
  `PROVE(p_send, !(send_valid && (u_dut.early ? work.place : u_dut.now_q.place) == place_q) || !owed_q || over)
  // A step that is offered stays as it is, in all that its kind has.
  `PROVE(p_held, !held_q || (step_valid && step.kind == step_q.kind && step.place == step_q.place && step.row == step_q.row
    && step.entry == step_q.entry && step.meta == step_q.meta && step.shows == step_q.shows && step.ends == step_q.ends
    && (step.kind == l2_pkg::S_LANE ? step.lane == step_q.lane && step.word == step_q.word : step.sector == step_q.sector
    && step.fresh == step_q.fresh && step.words == step_q.words)))
  // Lanes of an atomic keep another task waiting for one step at a time.
  `PROVE(p_turn, lanes_q != 2'd2)
  // Sectors of a request are shown in one go.
  `PROVE(p_show, !(showing_q && step_valid && step.shows) || step.entry == showing_entry_q)
  // A task passes an atomic with lanes that come one by one.
  `REACH(r_pass, owed_q && u_dut.aside_q && u_dut.aside_place_q == place_q && step_valid && step_ready && step.ends
    && step.place != place_q)
endmodule
