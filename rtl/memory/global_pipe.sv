// SPDX-License-Identifier: Apache-2.0
// Global-memory instructions from the check to the request channel and back: coalescer, requests
// with their data, tags, gather, tracking. A block diagram.
// Latency: commit to first request four cycles; end of the last answer to first result row six.
// gmem_slots instructions, gmem_lines requests in flight.
// Handshake: the request channel (line_pkg) and valid/ready to the end of the unit. Data and
// addresses of an instruction come as events into the memories of their users, at the place
// of its gslot. Requests leave in order; instructions end in any order.
// It does not order accesses to one line: the point of order does.
`include "heddle_idle.svh"

module global_pipe #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W,
  localparam int unsigned ROW_W   = mem_pkg::GROW_W,
  localparam int unsigned ADDR_W  = mem_pkg::ADDR_W,
  localparam int unsigned VKEY_W  = mem_pkg::VKEY_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    sm_i,   // number of the SM: constant
  // from the host
  input  logic                          launch_i,
  input  logic [line_pkg::LINE_W-1:0]   local_base_i,
  input  logic [19:0]                   local_bytes_i,
  input  mem_pkg::paging_t              paging_i,
  // from and to the mmu, where there are pages
  output logic                          ask_valid_o,
  input  logic                          ask_ready_i,
  output mmu_pkg::ask_t                 ask_o,
  input  logic                          answer_valid_i,
  input  mmu_pkg::answer_t              answer_i,
  input  mmu_pkg::news_t                news_i,
  output logic                          forgotten_o,
  // from and to address generation
  output logic                          room_o,
  output logic [GSLOT_W-1:0]            free_slot_o,
  input  logic                          ag_take_i,        // event: a beat is taken
  input  logic                          ag_first_i,
  input  logic                          ag_write_i,       // it has data: a store or an atomic
  input  logic [ROW_W-1:0]              ag_row_i,         // gslot * BEATS + beat
  input  logic [3:0][LANES-1:0][31:0]   ag_data_i,
  // from the check
  input  mem_pkg::global_t              ck_i,
  input  core_pkg::memop_t              ck_op_i,
  input  logic [LANES-1:0][ADDR_W-1:0]  ck_addr_i,        // key and byte
  input  logic [LANES-1:0]              ck_local_i,       // lanes in local memory
  // from the pipe of shared memory
  input  logic                          peer_valid_i,     // event: the part of an instruction there has ended
  input  logic [GSLOT_W-1:0]            peer_slot_i,
  // to and from the request channel
  input  logic [1:0]                    credit_i,         // there is one: for any request, for an atomic
  output line_pkg::sent_t                      ch_o,
  output line_pkg::note_t               note_o,           // for records, with a request
  output logic [1:0]                    lq_next_o,        // event: a request follows, and takes a credit: of any, of an atomic
  output logic                          lq_open_o,        // beats have gone, and their request has not
  input  line_pkg::lsu_back_t                  ch_i,
  // to the end of the unit
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [LANES-1:0][31:0]        res_data_o,
  output mem_pkg::bytes_t               res_bytes_o,
  // to lsu_shared: words of copies, whose data are res_data_o, too; which row is read next
  output logic                          cp_read_o,
  output logic [ROW_W-1:0]              cp_row_o,
  output logic                          cp_valid_o,
  input  logic                          cp_ready_i,
  output mem_pkg::copied_t              cp_o
);

  localparam int unsigned WALK_W   = $bits(mem_pkg::walk_t);
  localparam int unsigned ROW_BITS = mem_pkg::PAGED ? WALK_W + VKEY_W + 1 : WALK_W;   // of a row on its way

  logic                          go_valid, go_pop, co_valid, co_ready, mg_valid, mg_ready, tr_valid, tr_ready;
  logic [GSLOT_W-1:0]            go_slot, op_slot, rq_slot;
  logic [mem_pkg::BEAT_W-1:0]    go_beat;
  logic [mem_pkg::BEATS-1:0]     go_rows, go_rows_local;
  logic [1:0]                    go_words;
  mem_pkg::walk_t                co_row, mg_row, tr_row;
  logic [ROW_BITS-1:0]           kept;
  logic [VKEY_W-1:0]             co_key, mg_key, tr_key;
  logic                          co_again, mg_again, rt_valid, rt_ready, tr_write, dead_valid;
  logic [GSLOT_W-1:0]            rt_slot;
  logic [mem_pkg::BEATS-1:0]     rt_rows;
  logic [mem_pkg::BEAT_W-1:0]    rt_beat;
  logic [ROW_W-1:0]              lf_row;
  logic [LANES-1:0]              lf_lanes;
  logic [cfg_pkg::SM_WARP_W-1:0] tr_warp;
  mem_pkg::dead_t                dead;
  logic [line_pkg::LINES-1:0]    tags_used;
  mem_pkg::asked_t               op;
  logic                          rq_valid, rq_count, rq_close, tag_valid;
  mem_pkg::tagged_t              rq_tagged, of_tagged;
  logic [line_pkg::TAG_W-1:0]    tag, of_tag, give_tag;
  logic                          give, dn_valid, rd_en;
  mem_pkg::finished_t            dn;
  logic [ROW_W-1:0]              rd_row;
  logic [1:0]                    rd_word;
  logic [LANES-1:0][6:0]         ck_offset;

  assign cp_row_o = rd_row;

  always_comb begin
    ck_offset = 'x;
    if (`HEDDLE_LIVE(ck_i.valid)) begin
      for (int unsigned l = 0; l < LANES; l++) ck_offset[l] = ck_addr_i[l][6:0];
    end
  end

  coalescer u_coalescer (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ck_row_valid_i  (ck_i.valid),
    .ck_row_i        (ck_i.row),
    .ck_addr_i       (ck_addr_i),
    .ck_lanes_i      (ck_i.lanes),
    .ck_local_i      (ck_local_i),
    .go_valid_i      (go_valid),
    .go_pop_o        (go_pop),
    .go_slot_i       (go_slot),
    .go_rows_i       (go_rows),
    .go_beat_i       (go_beat),
    .go_rows_local_i (go_rows_local),
    .go_words_i      (go_words),
    .rt_valid_i      (rt_valid),
    .rt_ready_o      (rt_ready),
    .rt_slot_i       (rt_slot),
    .rt_rows_i       (rt_rows),
    .rt_beat_i       (rt_beat),
    .lf_row_o        (lf_row),
    .lf_lanes_i      (lf_lanes),
    .co_valid_o      (co_valid),
    .co_ready_i      (co_ready),
    .co_o            (co_row),
    .co_key_o        (co_key),
    .co_again_o      (co_again)
  );

  // Whether a request may go is known late in a cycle, and so is which lanes share a line: the one
  // does not wait for the other.
  spare #(.WIDTH(ROW_BITS)) u_row (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (co_valid),
    .in_ready_o  (co_ready),
    .in_data_i   (ROW_BITS'({co_again, co_key, co_row})),
    .out_valid_o (mg_valid),
    .out_ready_i (mg_ready),
    .out_data_o  (kept)
  );
  assign {mg_again, mg_key, mg_row} = (WALK_W + VKEY_W + 1)'(kept);

  if (mem_pkg::PAGED) begin : gen_paged
    global_translate u_translate (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .paging_i       (paging_i),
      .ask_valid_o    (ask_valid_o),
      .ask_ready_i    (ask_ready_i),
      .ask_o          (ask_o),
      .answer_valid_i (answer_valid_i),
      .answer_i       (answer_i),
      .news_i         (news_i),
      .forgotten_o    (forgotten_o),
      .co_valid_i     (mg_valid),
      .co_ready_o     (mg_ready),
      .co_i           (mg_row),
      .co_key_i       (mg_key),
      .co_again_i     (mg_again),
      .co_write_i     (tr_write),
      .co_warp_i      (tr_warp),
      .rt_valid_o     (rt_valid),
      .rt_ready_i     (rt_ready),
      .rt_slot_o      (rt_slot),
      .rt_rows_o      (rt_rows),
      .rt_beat_o      (rt_beat),
      .lf_row_i       (lf_row),
      .lf_lanes_o     (lf_lanes),
      .tr_valid_o     (tr_valid),
      .tr_ready_i     (tr_ready),
      .tr_o           (tr_row),
      .tr_key_o       (tr_key),
      .dead_valid_o   (dead_valid),
      .dead_o         (dead),
      .hold_i         (dn_valid && dn.err),
      .sent_i         (rq_valid),
      .used_i         (tags_used),
      .give_i         (give),
      .give_tag_i     (give_tag)
    );
  end else begin : gen_direct
    assign tr_valid = mg_valid;
    assign mg_ready = tr_ready;
    assign tr_row   = mg_row;
    assign {tr_key, rt_valid, rt_slot, rt_rows, rt_beat, lf_lanes, dead_valid, dead} = '0;
    assign {ask_valid_o, ask_o} = '0;
    assign forgotten_o = news_i.forgets;

    logic unused;
    assign unused = ^{paging_i, ask_ready_i, answer_valid_i, answer_i, news_i, co_key, co_again, mg_key, mg_again, rt_ready, lf_row,
                      tr_write, tr_warp, tags_used};
  end

  line_request u_request (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .sm_i           (sm_i),
    .launch_i       (launch_i),
    .local_base_i   (local_base_i),
    .local_bytes_i  (local_bytes_i),
    .ag_row_valid_i (ag_take_i && ag_write_i),
    .ag_row_i       (ag_row_i),
    .ag_data_i      (ag_data_i),
    .co_valid_i     (tr_valid),
    .co_ready_o     (tr_ready),
    .co_i           (tr_row),
    .co_key_i       (tr_key),
    .op_slot_o      (op_slot),
    .op_i           (op),
    .rq_slot_o      (rq_slot),
    .rq_count_o     (rq_count),
    .rq_close_o     (rq_close),
    .tag_valid_i    (tag_valid),
    .tag_i          (tag),
    .rq_valid_o     (rq_valid),
    .rq_tagged_o    (rq_tagged),
    .credit_i       (credit_i),
    .lw_valid_o     (ch_o.lw_valid),
    .lw_o           (ch_o.lw),
    .lq_next_o      (lq_next_o),
    .lq_open_o      (lq_open_o),
    .lq_valid_o     (ch_o.lq_valid),
    .lq_o           (ch_o.lq),
    .note_o         (note_o)
  );

  line_tags u_tags (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .free_o     (tag_valid),
    .tag_o      (tag),
    .used_o     (tags_used),
    .take_i     (rq_valid),
    .tagged_i   (rq_tagged),
    .of_i       (of_tag),
    .tagged_o   (of_tagged),
    .give_i     (give),
    .give_tag_i (give_tag)
  );

  line_gather u_gather (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_row_valid_i (ck_i.valid),
    .ck_row_i       (ck_i.row),
    .ck_offset_i    (ck_offset),
    .ld_valid_i     (ch_i.ld_valid),
    .ld_i           (ch_i.ld),
    .la_valid_i     (ch_i.la_valid),
    .la_ready_o     (ch_o.la_ready),
    .la_i           (ch_i.la),
    .of_o           (of_tag),
    .tagged_i       (of_tagged),
    .give_o         (give),
    .give_tag_o     (give_tag),
    .dn_valid_o     (dn_valid),
    .dn_o           (dn),
    .rd_en_i        (rd_en),
    .rd_row_i       (rd_row),
    .rd_word_i      (rd_word),
    .rd_live_i      (res_valid_o || cp_valid_o),
    .rd_data_o      (res_data_o),
    .rd_sub_o       (res_bytes_o.sub)
  );

  global_track u_track (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .free_o          (room_o),
    .free_slot_o     (free_slot_o),
    .ag_begin_i      (ag_take_i && ag_first_i),
    .ck_i            (ck_i),
    .ck_op_i         (ck_op_i),
    .peer_valid_i    (peer_valid_i),
    .peer_slot_i     (peer_slot_i),
    .go_valid_o      (go_valid),
    .go_pop_i        (go_pop),
    .go_slot_o       (go_slot),
    .go_rows_o       (go_rows),
    .go_beat_o       (go_beat),
    .go_rows_local_o (go_rows_local),
    .go_words_o      (go_words),
    .rq_count_i      (rq_count),
    .rq_close_i      (rq_close),
    .rq_slot_i       (rq_slot),
    .op_slot_i       (op_slot),
    .op_o            (op),
    .dn_valid_i      (dn_valid),
    .dn_i            (dn),
    .tr_slot_i       (mg_row.slot),
    .tr_write_o      (tr_write),
    .tr_warp_o       (tr_warp),
    .dead_valid_i    (dead_valid),
    .dead_i          (dead),
    .rd_en_o         (rd_en),
    .rd_row_o        (rd_row),
    .rd_word_o       (rd_word),
    .res_valid_o     (res_valid_o),
    .res_ready_i     (res_ready_i),
    .res_o           (res_o),
    .res_size_o      (res_bytes_o.size),
    .cp_read_o       (cp_read_o),
    .cp_valid_o      (cp_valid_o),
    .cp_ready_i      (cp_ready_i),
    .cp_o            (cp_o)
  );

endmodule
