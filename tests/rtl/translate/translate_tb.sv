// SPDX-License-Identifier: Apache-2.0
// line_translate, line_waits and a micro-TLB, with rows of a walk as single ports; the bench is the coalescer, line_request, the
// mmu and the host.
/* verilator lint_off UNUSEDSIGNAL */   // numbers are bytes, whatever the configuration

module translate_tb #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic [7:0]       cfg_lanes_o,
  output logic [7:0]       cfg_warps_o,
  output logic [7:0]       cfg_slots_o,
  // host
  input  logic             pages_i,
  input  logic             trap_i,
  input  logic             replay_i,
  input  logic             fail_i,
  input  logic             stop_i,
  // the coalescer's rows
  input  logic             co_valid_i,
  output logic             co_ready_o,
  input  logic [7:0]       co_slot_i,
  input  logic [7:0]       co_row_i,
  input  logic [31:0]      co_lanes_i,
  input  logic             co_first_i,
  input  logic             co_final_i,
  input  logic             co_last_i,
  input  logic [63:0]      co_key_i,      // bit 63: of local memory
  input  logic             co_again_i,
  input  logic             co_write_i,
  input  logic [7:0]       co_warp_i,
  input  logic [15:0]      lf_row_i,
  output logic [31:0]      lf_lanes_o,
  // ... and what it is to walk again
  output logic             rt_valid_o,
  input  logic             rt_ready_i,
  output logic [7:0]       rt_slot_o,
  output logic [31:0]      rt_rows_o,
  output logic [7:0]       rt_beat_o,
  // line_request
  output logic             tr_valid_o,
  input  logic             tr_ready_i,
  output logic [7:0]       tr_slot_o,
  output logic [7:0]       tr_row_o,
  output logic [31:0]      tr_lanes_o,
  output logic             tr_first_o,
  output logic             tr_final_o,
  output logic             tr_last_o,
  output logic [63:0]      tr_key_o,
  output logic [63:0]      tr_line_o,     // as it came
  output logic             dead_valid_o,
  input  logic             dead_ready_i,
  output logic [7:0]       dead_slot_o,
  output logic             dead_fault_o,
  output logic [1:0]       dead_kind_o,
  output logic [31:0]      dead_lanes_o,
  output logic [63:0]      dead_line_o,
  output logic [31:0]      blocked_o,
  // the mmu
  output logic             ask_valid_o,
  input  logic             ask_ready_i,
  output logic [63:0]      ask_page_o,
  output logic             ask_write_o,
  output logic             ask_lists_o,
  output logic [7:0]       ask_who_o,
  input  logic             answer_valid_i,
  input  logic [63:0]      answer_page_i,
  input  logic [7:0]       answer_who_i,
  input  logic             answer_fault_i,
  input  logic [1:0]       answer_kind_i,
  input  logic             answer_lists_i,
  input  logic             answer_stores_i,
  input  logic [31:0]      answer_frame_i,
  input  logic             forget_valid_i    // all
);

  localparam int unsigned KEY_W   = mem_pkg::KEY_W;
  localparam int unsigned VLINE_W = mmu_pkg::PAGE_W + 5;
  localparam logic [mmu_pkg::SPACE_W-1:0] SPACE = 8'h5a;

  logic                        lk_valid, lk_ready, res_valid, came_valid, done_valid, of_dies;
  mmu_pkg::lookup_t            lk;
  mmu_pkg::outcome_t           res;
  logic [mmu_pkg::WHO_W-1:0]   done_who;
  mem_pkg::walked_t            of;
  mmu_pkg::missed_t            miss;
  mem_pkg::ended_t             walk_end;
  mmu_pkg::came_t              came;
  mmu_pkg::ask_t               ask;
  mmu_pkg::answer_t            answer;
  mmu_pkg::forget_t            forget;
  mmu_pkg::kind_e              of_kind;
  logic [mem_pkg::BEATS-1:0]   rt_rows;
  logic [WARPS-1:0]            blocked, fails;
  logic [mem_pkg::GSLOT_W-1:0] rt_slot;
  logic [mem_pkg::BEAT_W-1:0]  rt_beat;
  logic [LANES-1:0]            lf_lanes;
  mem_pkg::walk_t              co, tr;
  logic [VLINE_W-1:0]          dead_line;
  logic [VLINE_W:0]            tr_line;

  assign cfg_lanes_o = 8'(LANES);
  assign cfg_warps_o = 8'(WARPS);
  assign cfg_slots_o = 8'(mem_pkg::GSLOTS);

  assign co = '{slot: mem_pkg::GSLOT_W'(co_slot_i), row: mem_pkg::BEAT_W'(co_row_i), key: '0, lanes: LANES'(co_lanes_i), offset: '0,
    part: '0, first: co_first_i, final_row: co_final_i, last_line: co_last_i};

  line_translate u_translate (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .pages_i      (pages_i),
    .space_i      (SPACE),
    .trap_i       (trap_i),
    .co_valid_i   (co_valid_i),
    .co_ready_o   (co_ready_o),
    .co_i         (co),
    .co_key_i     ({co_key_i[63], co_key_i[VLINE_W-1:0]}),
    .co_again_i   (co_again_i),
    .co_write_i   (co_write_i),
    .co_warp_i    (cfg_pkg::SM_WARP_W'(co_warp_i)),
    .lf_row_i     (mem_pkg::GROW_W'(lf_row_i)),
    .lf_lanes_o   (lf_lanes),
    .lk_valid_o   (lk_valid),
    .lk_ready_i   (lk_ready),
    .lk_o         (lk),
    .res_valid_i  (res_valid),
    .res_i        (res),
    .blocked_i    (blocked),
    .fails_i      (fails),
    .of_o         (of),
    .of_dies_i    (of_dies),
    .miss_o       (miss),
    .end_o        (walk_end),
    .dead_valid_o (dead_valid_o),
    .dead_ready_i (dead_ready_i),
    .dead_lanes_o (dead_lanes_o),
    .dead_line_o  (dead_line),
    .tr_valid_o   (tr_valid_o),
    .tr_ready_i   (tr_ready_i),
    .tr_o         (tr),
    .tr_key_o     (tr_line),
    .out_o        ()
  );

  line_waits u_waits (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .replay_i     (replay_i),
    .fail_i       (fail_i),
    .stop_i       (stop_i),
    .of_i         (of),
    .of_dies_o    (of_dies),
    .of_fault_o   (dead_fault_o),
    .of_kind_o    (of_kind),
    .miss_i       (miss),
    .end_i        (walk_end),
    .blocked_o    (blocked),
    .fails_o      (fails),
    .came_valid_i (came_valid),
    .came_i       (came),
    .done_valid_o (done_valid),
    .done_who_o   (done_who),
    .rt_valid_o   (rt_valid_o),
    .rt_ready_i   (rt_ready_i),
    .rt_slot_o    (rt_slot),
    .rt_rows_o    (rt_rows),
    .rt_beat_o    (rt_beat)
  );

  micro_tlb u_tlb (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .lk_valid_i     (lk_valid),
    .lk_ready_o     (lk_ready),
    .lk_i           (lk),
    .res_valid_o    (res_valid),
    .res_o          (res),
    .came_valid_o   (came_valid),
    .came_o         (came),
    .done_valid_i   (done_valid),
    .done_who_i     (done_who),
    .ask_valid_o    (ask_valid_o),
    .ask_ready_i    (ask_ready_i),
    .ask_o          (ask),
    .answer_valid_i (answer_valid_i),
    .answer_i       (answer),
    .forget_valid_i (forget_valid_i),
    .forget_i       (forget)
  );

  assign lf_lanes_o  = 32'(lf_lanes);
  assign rt_slot_o   = 8'(rt_slot);
  assign rt_rows_o   = 32'(rt_rows);
  assign rt_beat_o   = 8'(rt_beat);
  assign tr_slot_o   = 8'(tr.slot);
  assign tr_row_o    = 8'(tr.row);
  assign tr_lanes_o  = 32'(tr.lanes);
  assign tr_first_o  = tr.first;
  assign tr_final_o  = tr.final_row;
  assign tr_last_o   = tr.last_line;
  assign tr_key_o    = {tr.key[KEY_W-1], 63'(tr.key[KEY_W-2:0])};
  assign tr_line_o   = {tr_line[VLINE_W], 63'(tr_line[VLINE_W-1:0])};
  assign dead_slot_o = 8'(of.slot);
  assign dead_kind_o = of_kind;
  assign dead_line_o = 64'(dead_line);
  assign blocked_o   = 32'(blocked);
  assign ask_page_o  = 64'(ask.page);
  assign ask_write_o = ask.write;
  assign ask_lists_o = ask.lists;
  assign ask_who_o   = 8'(ask.who);
  assign answer = '{space: SPACE, page: mmu_pkg::PAGE_W'(answer_page_i), who: mmu_pkg::WHO_W'(answer_who_i), fault: answer_fault_i,
    kind: mmu_pkg::kind_e'(answer_kind_i), lists: answer_lists_i,
    leaf: '{frame: mmu_pkg::FRAME_W'(answer_frame_i), big: 1'b0, shared: 1'b0, stores: answer_stores_i}};
  assign forget = '{all_spaces: 1'b1, all_pages: 1'b1, space: '0, page: '0};

endmodule
