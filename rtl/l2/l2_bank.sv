// SPDX-License-Identifier: Apache-2.0
// A bank of the cache that all SMs share: the point of order of its lines. Requests of the channel (rtl/line_pkg.sv) to one line are
// performed in the order of their arrival. Dirty lines are written back at eviction, or in a flush; atomics are performed here.
// Latency: README.md. A load's sector, a store's, an atomic's row or lane a cycle.
// Flush: no request begins while flush_i is 1. flushed_o: memory has all dirty lines of the range, which are evicted, or kept clean.
// It takes at most PLACES (ROWS + 1) cycles, and memory's time for earlier requests and PLACES bursts of ROWS beats. flush_i and its
// range are held until then. A reset drops dirty lines; dirty_o says if there are any. SETS cycles pass before the first request.
// Handshake: the channel's rules, with a ready for ld_; AXI4, with responses in any order.
// Writes of memory by others are not observed. It is long since every net between its modules is named here; there is no logic.
module l2_bank #(
  parameter  int unsigned BANK = 0,       // as records show it, and the lowest bits of its lines
  localparam int unsigned BITS = l2_pkg::BITS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // the channel
  input  line_pkg::sent_t         ch_i,
  input  logic                    ld_ready_i,
  output line_pkg::bank_got_t     ch_o,
  // from the senders: for records
  input  line_pkg::note_t [line_pkg::SENDERS-1:0] note_i,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t      add_req_o,
  input  logic                    add_done_i,
  input  logic [63:0]             add_sum_i,
  // from and to the host's control
  input  l2_pkg::flush_t          flush_i,
  output l2_pkg::flushed_t        flushed_o,
  // retire port
  output logic                    ret_global_valid_o,
  output retire_pkg::global_t     ret_global_o,
  output logic [retire_pkg::LINE-1:0]                 ret_fill_valid_o,
  output retire_pkg::fill_t [retire_pkg::LINE-1:0]    ret_fill_o,
  // AXI4
  output axi_pkg::axi_req_t       axi_o,
  input  axi_pkg::axi_rsp_t       axi_i
);

  if (l2_pkg::ENTRIES != order_pkg::ENTRIES || l2_pkg::SLOTS != order_pkg::SLOTS) begin : gen_sizes
    $error("l2_pkg and order_pkg have room for different numbers of requests");
  end
  if (BITS < 64 || BITS > 256) begin : gen_bits
    $error("the cache that SMs share needs a bus of 64 to 256 bits");
  end

  // Requests and their beats.
  logic                           ask_valid, ask_ready;
  order_pkg::asked_t              asked;
  l2_pkg::ask_t                   ask;
  order_pkg::leave_t              leave;
  order_pkg::row_t                store_row;
  order_pkg::bytes_t              store_bytes;
  order_pkg::stored_t             unused_stored;
  logic [order_pkg::BEATS-1:0]    stored_rows;
  // Decisions of the tags, and their inputs.
  logic                           walked, tags_dirty, park_free, backing, back_free, back_valid, put_valid, put_first;
  logic                           fetch_valid, fix_valid, fix_ready;
  logic [l2_pkg::SET_W-1:0]       look_set;
  logic [l2_pkg::WAYS-1:0]        parked, open;
  logic [line_pkg::LINE_W-1:0]    look_line, back_line;
  logic [l2_pkg::BACK_W-1:0]      back;
  l2_pkg::place_t                 put_place, fix_place;
  l2_pkg::ask_t                   put;
  logic [l2_pkg::ROWS-1:0]        put_fresh, put_dirty, fetch_dirty, fix_dirty;
  logic [l2_pkg::SECTORS-1:0]     fetch_sectors, fix_failed;
  l2_pkg::fetch_t                 fetch;
  l2_pkg::fetched_t               come;
  // Tasks, from the tags and from parked requests; steps.
  logic                           tag_task_valid, tag_task_ready, park_task_valid, park_task_ready, task_valid, task_ready;
  logic                           step_valid, step_ready, send_valid, room, begins;
  l2_pkg::task_t                  tag_task, park_task, work;
  l2_pkg::step_t                  step;
  /* verilator lint_off UNUSEDSIGNAL */   // of the step that begins, its operands' address
  l2_pkg::step_t                  first;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [l2_pkg::ENTRY_W-1:0]     send_entry;
  logic [l2_pkg::SLOT_W-1:0]      slot, at_slot;
  logic [31:0]                    lanes, words;
  logic                           apart, lane_en, words_en, added;
  logic [4:0]                     at_lane, at_word;
  logic [127:0]                   lane_operands;
  logic [l2_pkg::WORDS-1:0][31:0] low_operands;
  logic [l2_pkg::WORDS/2-1:0][31:0] high_operands;
  // Rows.
  logic                           fill_valid, fill_ready, merge_valid, merge_ready, merged, row_valid, row_last;
  l2_pkg::place_t                 come_place;
  logic [l2_pkg::ROW_W-1:0]       come_row;
  logic [BITS-1:0]                come_data, row_data;
  logic [l2_pkg::BYTES-1:0]       row_strb;
  logic                           at_valid, at_ready, backs_some;
  line_pkg::bank_answer_t         at;
  l2_pkg::done_t                  done;

  assign flushed_o.flushed = flush_i.valid && walked && !backs_some;
  assign flushed_o.dirty   = tags_dirty || backs_some;

  order_credit u_credit (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .lq_valid_i (ch_i.lq_valid),
    .lq_i       (ch_i.lq),
    .lc_valid_o (ch_o.lc_valid),
    .lc_atom_o  (ch_o.lc_atom),
    .asked_o    (asked),
    .leave_i    (leave)
  );

  order_data u_data (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .lw_valid_i    (ch_i.lw_valid),
    .lw_i          (ch_i.lw),
    .asked_i       (asked),
    .row_i         (store_row),
    .bytes_o       (store_bytes),
    .stored_o      (unused_stored),
    .stored_rows_o (stored_rows)
  );

  l2_arrive u_arrive (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .lw_valid_i  (ch_i.lw_valid),
    .lw_i        (ch_i.lw),
    .asked_i     (asked),
    .rows_i      (stored_rows),
    .ask_valid_o (ask_valid),
    .ask_ready_i (ask_ready),
    .ask_o       (ask)
  );

  l2_tags #(.BANK(BANK)) u_tags (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ask_valid_i     (ask_valid),
    .ask_ready_o     (ask_ready),
    .ask_i           (ask),
    .flush_i         (flush_i.valid),
    .flush_keep_i    (flush_i.keep),
    .flush_base_i    (flush_i.base),
    .flush_limit_i   (flush_i.limit),
    .walked_o        (walked),
    .dirty_o         (tags_dirty),
    .fix_valid_i     (fix_valid),
    .fix_ready_o     (fix_ready),
    .fix_place_i     (fix_place),
    .fix_failed_i    (fix_failed),
    .fix_dirty_i     (fix_dirty),
    .set_o           (look_set),
    .parked_i        (parked),
    .open_i          (open),
    .park_free_i     (park_free),
    .line_o          (look_line),
    .backing_i       (backing),
    .back_free_i     (back_free),
    .back_i          (back),
    .task_valid_o    (tag_task_valid),
    .task_ready_i    (tag_task_ready),
    .task_o          (tag_task),
    .back_valid_o    (back_valid),
    .back_line_o     (back_line),
    .put_valid_o     (put_valid),
    .put_first_o     (put_first),
    .put_place_o     (put_place),
    .put_o           (put),
    .put_fresh_o     (put_fresh),
    .put_dirty_o     (put_dirty),
    .fetch_valid_o   (fetch_valid),
    .fetch_sectors_o (fetch_sectors),
    .fetch_dirty_o   (fetch_dirty)
  );

  l2_park u_park (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .set_i         (look_set),
    .parked_o      (parked),
    .open_o        (open),
    .park_free_o   (park_free),
    .put_valid_i   (put_valid),
    .put_first_i   (put_first),
    .put_place_i   (put_place),
    .put_i         (put),
    .put_fresh_i   (put_fresh),
    .put_dirty_i   (put_dirty),
    .fetch_valid_i (fetch_valid),
    .fetch_park_o  (fetch.park),
    .fix_valid_o   (fix_valid),
    .fix_ready_i   (fix_ready),
    .fix_place_o   (fix_place),
    .fix_failed_o  (fix_failed),
    .fix_dirty_o   (fix_dirty),
    .come_i        (come),
    .task_valid_o  (park_task_valid),
    .task_ready_i  (park_task_ready),
    .task_o        (park_task)
  );

  assign fetch.place   = put_place;
  assign fetch.line    = put.line;
  assign fetch.sectors = fetch_sectors;
  assign fetch.dirty   = fetch_dirty;

  l2_tasks u_tasks (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .park_valid_i (park_task_valid),
    .park_ready_o (park_task_ready),
    .park_i       (park_task),
    .tag_valid_i  (tag_task_valid),
    .tag_ready_o  (tag_task_ready),
    .tag_i        (tag_task),
    .task_valid_o (task_valid),
    .task_ready_i (task_ready),
    .task_o       (work)
  );

  l2_operands u_operands (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .lw_valid_i  (ch_i.lw_valid),
    .lw_i        (ch_i.lw),
    .asked_i     (asked),
    .slot_i      (slot),
    .lanes_o     (lanes),
    .words_o     (words),
    .apart_o     (apart),
    .at_slot_i   (at_slot),
    .at_lane_i   (at_lane),
    .at_word_o   (at_word),
    .lane_en_i   (lane_en),
    .row_en_i    (words_en),
    .from_slot_i (first.meta.slot),
    .from_lane_i (first.lane),
    .from_row_i  (first.row),
    .lane_o      (lane_operands),
    .low_o       (low_operands),
    .high_o      (high_operands)
  );

  l2_steps u_steps (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .asked_i      (asked),
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
    .added_i      (added),
    .step_valid_o (step_valid),
    .step_ready_i (step_ready),
    .step_o       (step),
    .send_valid_o (send_valid),
    .send_entry_o (send_entry),
    .room_i       (room),
    .begin_o      (begins)
  );

  l2_fetch u_fetch (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .fetch_valid_i   (fetch_valid),
    .fetch_entry_i   (put.entry),
    .fetch_i         (fetch),
    .send_valid_i    (send_valid),
    .send_entry_i    (send_entry),
    .fill_valid_o    (fill_valid),
    .fill_ready_i    (fill_ready),
    .merge_valid_o   (merge_valid),
    .merge_ready_i   (merge_ready),
    .merged_i        (merged),
    .place_o         (come_place),
    .row_o           (come_row),
    .data_o          (come_data),
    .come_o          (come),
    .ar_valid_o      (axi_o.arvalid),
    .ar_ready_i      (axi_i.arready),
    .ar_o            ({axi_o.arid, axi_o.araddr, axi_o.arlen, axi_o.arsize, axi_o.arburst}),
    .r_valid_i       (axi_i.rvalid),
    .r_ready_o       (axi_o.rready),
    .r_i             ({axi_i.rid, axi_i.rdata, axi_i.rresp, axi_i.rlast})
  );

  l2_backs u_backs (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .line_i          (look_line),
    .backing_o       (backing),
    .free_o          (back_free),
    .back_o          (back),
    .back_valid_i    (back_valid),
    .back_line_i     (back_line),
    .back_rows_i     (tag_task.back_rows),
    .some_o          (backs_some),
    .room_o          (room),
    .begin_i         (begins),
    .begin_back_i    (step.back),
    .row_valid_i     (row_valid),
    .row_last_i      (row_last),
    .row_strb_i      (row_strb),
    .row_data_i      (row_data),
    .lost_o          (flushed_o.lost),
    .lost_line_o     (flushed_o.lost_line),
    .aw_valid_o      (axi_o.awvalid),
    .aw_ready_i      (axi_i.awready),
    .aw_o            ({axi_o.awid, axi_o.awaddr, axi_o.awlen, axi_o.awsize, axi_o.awburst}),
    .w_valid_o       (axi_o.wvalid),
    .w_ready_i       (axi_i.wready),
    .w_o             ({axi_o.wdata, axi_o.wstrb, axi_o.wlast}),
    .b_valid_i       (axi_i.bvalid),
    .b_ready_o       (axi_o.bready),
    .b_i             ({axi_i.bid, axi_i.bresp})
  );


  l2_rows u_rows (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .step_valid_i  (step_valid),
    .step_ready_o  (step_ready),
    .step_i        (step),
    .fill_valid_i  (fill_valid),
    .fill_ready_o  (fill_ready),
    .merge_valid_i (merge_valid),
    .merge_ready_o (merge_ready),
    .merged_o      (merged),
    .come_place_i  (come_place),
    .come_row_i    (come_row),
    .come_data_i   (come_data),
    .store_o       (store_row),
    .store_i       (store_bytes),
    .lane_en_o     (lane_en),
    .words_en_o    (words_en),
    .first_o       (first),
    .lane_i        (lane_operands),
    .low_i         (low_operands),
    .high_i        (high_operands),
    .add_req_o     (add_req_o),
    .add_done_i    (add_done_i),
    .add_sum_i     (add_sum_i),
    .added_o       (added),
    .ld_valid_o    (ch_o.ld_valid),
    .ld_ready_i    (ld_ready_i),
    .ld_o          (ch_o.ld),
    .at_valid_o    (at_valid),
    .at_ready_i    (at_ready),
    .at_o          (at),
    .row_valid_o   (row_valid),
    .row_last_o    (row_last),
    .row_strb_o    (row_strb),
    .row_data_o    (row_data),
    .leave_o       (leave),
    .done_o        (done)
  );

  l2_answers u_answers (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .at_valid_i (at_valid),
    .at_ready_o (at_ready),
    .at_i       (at),
    .la_valid_o (ch_o.la_valid),
    .la_ready_i (ch_i.la_ready),
    .la_o       (ch_o.la)
  );

  retire_l2 #(.BANK(BANK)) u_retire (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .note_i             (note_i),
    .asked_i            (asked),
    .done_i             (done),
    .ret_global_valid_o (ret_global_valid_o),
    .ret_global_o       (ret_global_o),
    .ret_fill_valid_o   (ret_fill_valid_o),
    .ret_fill_o         (ret_fill_o)
  );

  logic unused;
  assign unused = &{1'b0, unused_stored, flush_i.keep, flush_i.base, flush_i.limit};

endmodule
