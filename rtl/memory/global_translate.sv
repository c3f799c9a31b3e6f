// SPDX-License-Identifier: Apache-2.0
// Translation in the pipe of global memory, of a machine with pages: lines on their way from the coalescer to line_request, those
// that wait for a page, the SM's micro-TLB of global memory, and what it owes the mmu. A block diagram.
// Latency: one cycle, for rows of any line; that of the rest in line_translate, line_waits, micro_tlb, line_forget.
// Handshake: rows and what is walked again valid/ready; ask_ valid/ready, answers and news events. One that is given up (dead_) is an
// event, which waits until line_request is empty, so that all that its instruction has asked for has been counted, and for hold_i.
// It does not follow what a trap does: paging_i.stop says that the SM has been stopped.
module global_translate #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W,
  localparam int unsigned ROW_W   = mem_pkg::GROW_W,
  localparam int unsigned VKEY_W  = mem_pkg::VKEY_W,
  localparam int unsigned WARPS   = cfg_pkg::SM_WARPS,
  localparam int unsigned WARP_W  = cfg_pkg::SM_WARP_W,
  localparam int unsigned TAGS    = line_pkg::LINES,
  localparam int unsigned TAG_W   = line_pkg::TAG_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the host, and from traps
  input  mem_pkg::paging_t            paging_i,
  // to and from the mmu
  output logic                        ask_valid_o,
  input  logic                        ask_ready_i,
  output mmu_pkg::ask_t               ask_o,
  input  logic                        answer_valid_i,
  input  mmu_pkg::answer_t            answer_i,
  input  mmu_pkg::news_t              news_i,
  output logic                        forgotten_o,
  // from the coalescer
  input  logic                        co_valid_i,
  output logic                        co_ready_o,
  input  mem_pkg::walk_t              co_i,
  input  logic [VKEY_W-1:0]           co_key_i,
  input  logic                        co_again_i,
  // from global_track: of the instruction of co_i
  input  logic                        co_write_i,
  input  logic [WARP_W-1:0]           co_warp_i,
  // to and from the coalescer: what is walked again
  output logic                        rt_valid_o,
  input  logic                        rt_ready_i,
  output logic [GSLOT_W-1:0]          rt_slot_o,
  output logic [mem_pkg::BEATS-1:0]   rt_rows_o,
  output logic [mem_pkg::BEAT_W-1:0]  rt_beat_o,
  input  logic [ROW_W-1:0]            lf_row_i,
  output logic [LANES-1:0]            lf_lanes_o,
  // to line_request
  output logic                        tr_valid_o,
  input  logic                        tr_ready_i,
  output mem_pkg::walk_t              tr_o,
  output logic [VKEY_W-1:0]           tr_key_o,
  // to global_track: one that is given up
  output logic                        dead_valid_o,
  output mem_pkg::dead_t              dead_o,
  input  logic                        hold_i,
  // from line_request, line_tags, line_gather
  input  logic                        sent_i,
  input  logic [TAGS-1:0]             used_i,
  input  logic                        give_i,
  input  logic [TAG_W-1:0]            give_tag_i
);

  logic                        lk_valid, lk_ready, res_valid, came_valid, done_valid;
  mmu_pkg::lookup_t            lk;
  mmu_pkg::outcome_t           res;
  logic [mmu_pkg::WHO_W-1:0]   done_who;
  mmu_pkg::came_t              came;
  logic [WARPS-1:0]            blocked, fails;
  mem_pkg::walked_t            of;
  mmu_pkg::missed_t            miss;
  mem_pkg::ended_t             walk_end;
  logic                        of_dies, of_fault, dead_valid, dead_ready, busy, line_out;
  mmu_pkg::kind_e              of_kind;
  logic [VKEY_W-2:0]           dead_line;
  logic [31:0]                 dead_lanes;

  line_translate u_translate (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .pages_i      (paging_i.pages),
    .space_i      (paging_i.space),
    .trap_i       (paging_i.fault_trap),
    .co_valid_i   (co_valid_i),
    .co_ready_o   (co_ready_o),
    .co_i         (co_i),
    .co_again_i   (co_again_i),
    .co_key_i     (co_key_i),
    .co_write_i   (co_write_i),
    .co_warp_i    (co_warp_i),
    .lf_row_i     (lf_row_i),
    .lf_lanes_o   (lf_lanes_o),
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
    .dead_valid_o (dead_valid),
    .dead_ready_i (dead_ready),
    .dead_lanes_o (dead_lanes),
    .dead_line_o  (dead_line),
    .tr_valid_o   (tr_valid_o),
    .tr_ready_i   (tr_ready_i),
    .tr_o         (tr_o),
    .tr_key_o     (tr_key_o),
    .out_o        (line_out)
  );

  line_waits u_waits (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .replay_i     (news_i.replay),
    .fail_i       (news_i.fail),
    .stop_i       (paging_i.stop),
    .of_i         (of),
    .of_dies_o    (of_dies),
    .of_fault_o   (of_fault),
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
    .rt_slot_o    (rt_slot_o),
    .rt_rows_o    (rt_rows_o),
    .rt_beat_o    (rt_beat_o)
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
    .ask_o          (ask_o),
    .answer_valid_i (answer_valid_i),
    .answer_i       (answer_i),
    .forget_valid_i (news_i.forgets),
    .forget_i       (news_i.forget)
  );

  line_forget u_forget (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .forget_i    (news_i.forgets),
    .forgotten_o (forgotten_o),
    .enter_i     (co_valid_i && co_ready_o),
    .out_i       (line_out),
    .fire_i      (tr_valid_o && tr_ready_i),
    .sent_i      (sent_i),
    .busy_o      (busy),
    .used_i      (used_i),
    .give_i      (give_i),
    .give_tag_i  (give_tag_i)
  );

  assign dead_ready   = !busy && !hold_i;
  assign dead_valid_o = dead_valid && dead_ready;
  assign dead_o       = '{slot: of.slot, trap: of_fault, lanes: dead_lanes, key: {1'b0, dead_line},
    cause: (of_kind == mmu_pkg::ERROR) ? core_pkg::TRAP_BUS : (of_kind == mmu_pkg::PROTECTED) ? core_pkg::TRAP_WRITE_PROTECTED
      : core_pkg::TRAP_PAGE};

endmodule
