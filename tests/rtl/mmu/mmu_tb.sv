// SPDX-License-Identifier: Apache-2.0
// A micro-TLB for each channel and the mmu behind them, with structs as single ports. A channel's page is 64 bits of lk_page_i.
/* verilator lint_off UNUSEDSIGNAL */   // numbers are bytes or words, whatever their width

module mmu_tb #(
  parameter int unsigned CHANNELS = 1,
  parameter int unsigned PLACES   = 8,
  parameter int unsigned ASKS     = 4,
  parameter int unsigned WALKS    = 2,
  parameter int unsigned ENTRIES  = 32,
  parameter int unsigned LARGE    = 8,
  parameter int unsigned WAYS     = 2,
  localparam int unsigned BITS    = line_pkg::BITS
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  output logic [31:0]               cfg_channels_o,
  output logic [31:0]               cfg_places_o,
  output logic [31:0]               cfg_walks_o,
  output logic [31:0]               cfg_bits_o,
  output logic [31:0]               cfg_tags_o,
  output logic [31:0]               cfg_atoms_o,
  output logic [31:0]               cfg_sets_o,
  // micro-TLBs
  input  logic [CHANNELS-1:0]       lk_valid_i,
  output logic [CHANNELS-1:0]       lk_ready_o,
  input  logic [7:0]                lk_space_i,
  input  logic [CHANNELS-1:0][63:0] lk_page_i,
  input  logic [CHANNELS-1:0]       lk_write_i,
  input  logic [CHANNELS-1:0]       lk_lists_i,
  output logic [CHANNELS-1:0]       res_valid_o,
  output logic [CHANNELS-1:0]       res_hit_o,
  output logic [CHANNELS-1:0][63:0] res_frame_o,
  output logic [CHANNELS-1:0]       res_waits_o,
  output logic [CHANNELS-1:0][7:0]  res_who_o,
  output logic [CHANNELS-1:0]       came_valid_o,
  output logic [CHANNELS-1:0][7:0]  came_who_o,
  output logic [CHANNELS-1:0]       came_fault_o,
  output logic [CHANNELS-1:0][7:0]  came_kind_o,
  output logic [CHANNELS-1:0]       came_lists_o,
  input  logic [CHANNELS-1:0]       done_valid_i,
  input  logic [CHANNELS-1:0][7:0]  done_who_i,
  // what the mmu says to all
  output logic                      replay_o,
  output logic                      fail_o,
  output logic                      forget_valid_o,
  input  logic [CHANNELS-1:0]       forgotten_i,
  // the host
  input  logic [26:0]               root_i,
  output logic                      idle_o,
  input  logic                      replay_valid_i,
  output logic                      replay_ready_o,
  input  logic                      replay_fail_i,
  output logic                      fault_added_o,
  output logic [7:0]                fault_count_o,
  input  logic [7:0]                fault_at_i,
  output logic [7:0]                fault_space_o,
  output logic [63:0]               fault_page_o,
  output logic                      fault_write_o,
  output logic [7:0]                fault_kind_o,
  input  logic                      invalidate_i,
  input  logic                      inv_all_spaces_i,
  input  logic                      inv_all_pages_i,
  input  logic [7:0]                inv_space_i,
  input  logic [63:0]               inv_page_i,
  output logic                      invalidating_o,
  input  logic                      exchange_i,
  input  logic [63:0]               exchange_word_i,
  input  logic [63:0]               exchange_value_i,
  output logic                      exchanging_o,
  output logic [63:0]               exchange_old_o,
  output logic                      exchange_err_o,
  // the request channel
  output logic                      lw_valid_o,
  output logic                      lw_atom_o,
  output logic [7:0]                lw_lane_o,
  output logic [7:0]                lw_place_o,
  output logic [7:0]                lw_piece_o,
  output logic [BITS-1:0]           lw_data_o,
  output logic                      lq_valid_o,
  output logic [7:0]                lq_tag_o,
  output logic [7:0]                lq_kind_o,
  output logic [7:0]                lq_scope_o,
  output logic [63:0]               lq_line_o,
  output logic [7:0]                lq_sectors_o,
  output logic                      lq_swap_o,
  output logic                      lq_exchange_o,
  output logic                      lq_plain_o,       // 64 bits, wants the old value, lane 0 in the sector that it names
  output logic [7:0]                lq_slot_o,
  output logic [7:0]                lq_gen_o,
  output logic [31:0]               lq_seq_o,
  input  logic                      lc_valid_i,
  input  logic                      lc_atom_i,
  input  logic                      ld_valid_i,
  input  logic [7:0]                ld_tag_i,
  input  logic [7:0]                ld_beat_i,
  input  logic [BITS-1:0]           ld_data_i,
  input  logic                      la_valid_i,
  output logic                      la_ready_o,
  input  logic [7:0]                la_tag_i,
  input  logic                      la_done_i,
  input  logic                      la_err_i,
  input  logic [63:0]               la_old_i,
  // a walk begins
  output logic [7:0]                start_o,
  output logic [63:0]               start_page_o,
  output logic                      start_write_o,
  output logic [7:0]                start_space_o,
  output logic [31:0]               start_number_o,
  // records
  output logic                      rec_valid_o,
  output logic [31:0]               rec_number_o,
  output logic [7:0]                rec_level_o,
  output logic                      rec_swap_o,
  output logic                      rec_exchange_o,
  output logic                      rec_err_o
);

  localparam int unsigned ASK_W = $bits(mmu_pkg::ask_t);

  logic [CHANNELS-1:0]            ask_valid, ask_ready, answer_valid;
  logic [CHANNELS-1:0][ASK_W-1:0] ask;
  mmu_pkg::answer_t               answer;
  mmu_pkg::news_t                 news;
  mmu_pkg::do_t                   todo;
  mmu_pkg::did_t                  did;
  mmu_pkg::record_t               rec;
  mmu_pkg::walk_t                 walk;
  logic                           unused_walk;   // which walk it is, start_o says
  line_pkg::write_t               lw;
  line_pkg::request_t             lq;
  line_pkg::sent_t                sent;
  line_pkg::got_t                 got;
  line_pkg::note_t                note;

  assign cfg_channels_o = CHANNELS;
  assign cfg_places_o   = PLACES;
  assign cfg_walks_o    = WALKS;
  assign cfg_bits_o     = BITS;
  assign cfg_tags_o     = line_pkg::TAGS;
  assign cfg_atoms_o    = line_pkg::ATOMS;
  assign cfg_sets_o     = ENTRIES / WAYS;

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    mmu_pkg::ask_t               own;
    mmu_pkg::came_t              came;
    mmu_pkg::outcome_t res;

    assign ask[c]          = own;
    assign came_who_o[c]   = 8'(came.who);
    assign came_fault_o[c] = came.fault;
    assign came_kind_o[c]  = 8'(came.kind);
    assign came_lists_o[c] = came.lists;
    assign res_hit_o[c]    = res.hit;
    assign res_waits_o[c]  = res.waits;
    assign res_frame_o[c]  = 64'(res.frame);
    assign res_who_o[c]    = 8'(res.who);
    micro_tlb #(.PLACES(PLACES), .ASKS(ASKS)) u_micro (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .lk_valid_i     (lk_valid_i[c]),
      .lk_ready_o     (lk_ready_o[c]),
      .lk_i           ('{space: lk_space_i, page: lk_page_i[c][mmu_pkg::PAGE_W-1:0], write: lk_write_i[c], lists: lk_lists_i[c]}),
      .res_valid_o    (res_valid_o[c]),
      .res_o          (res),
      .came_valid_o   (came_valid_o[c]),
      .came_o         (came),
      .done_valid_i   (done_valid_i[c]),
      .done_who_i     (mmu_pkg::WHO_W'(done_who_i[c])),
      .ask_valid_o    (ask_valid[c]),
      .ask_ready_i    (ask_ready[c]),
      .ask_o          (own),
      .answer_valid_i (answer_valid[c]),
      .answer_i       (answer),
      .forget_valid_i (news.forgets),
      .forget_i       (news.forget)
    );
  end

  assign replay_o         = news.replay;
  assign fail_o           = news.fail;
  assign forget_valid_o   = news.forgets;
  assign fault_added_o    = did.fault_added;
  assign invalidating_o   = did.invalidating;
  assign exchanging_o     = did.exchanging;
  assign exchange_old_o   = did.old;
  assign exchange_err_o   = did.exchange_err;
  assign todo = '{replay: replay_valid_i, fail: replay_fail_i, invalidate: invalidate_i,
    what: '{all_spaces: inv_all_spaces_i, all_pages: inv_all_pages_i, space: inv_space_i, page: inv_page_i[mmu_pkg::PAGE_W-1:0]},
    exchange: exchange_i, word: exchange_word_i[mmu_pkg::WORD_W-1:0], value: exchange_value_i, at: fault_at_i[3:0], ended: '0};

  assign fault_count_o  = 8'(did.faults);
  assign fault_space_o  = did.fault.space;
  assign fault_page_o   = 64'(did.fault.page);
  assign fault_write_o  = did.fault.write;
  assign fault_kind_o   = 8'(did.fault.kind);
  assign lw             = sent.lw;
  assign lq             = sent.lq;
  assign lw_valid_o     = sent.lw_valid;
  assign lq_valid_o     = sent.lq_valid;
  assign la_ready_o     = sent.la_ready;
  assign lw_atom_o      = lw.atom && lw.strb == '0;
  assign lw_lane_o      = 8'(lw.lane);
  assign lw_place_o     = 8'(lw.place);
  assign lw_piece_o     = 8'(lw.piece);
  assign lw_data_o      = lw.data;
  assign lq_tag_o       = 8'(lq.tag);
  assign lq_kind_o      = 8'(lq.kind);
  assign lq_scope_o     = 8'(lq.scope);
  assign lq_line_o      = 64'(lq.line);
  assign lq_sectors_o   = 8'(lq.sectors);
  assign lq_swap_o      = lq.op == atom_pkg::COMPARE_SWAP;
  assign lq_exchange_o  = lq.op == isa_pkg::AOP_EXCH_64;
  assign lq_plain_o     = lq.wide && lq.gives && lq.lanes == 32'd1 && lq.sectors == 4'd1 << note.at[0] && !lq.is_local
                        && 32'(lq.sm) == line_pkg::SMS;
  assign lq_slot_o      = 8'(lq.slot);
  assign lq_gen_o       = note.gen;
  assign lq_seq_o       = note.seq;
  assign got = '{lc_valid: lc_valid_i, lc_atom: lc_atom_i,
    ld_valid: ld_valid_i, ld: '{tag: line_pkg::TAG_W'(ld_tag_i), beat: line_pkg::BEAT_W'(ld_beat_i), data: ld_data_i},
    la_valid: la_valid_i, la: '{tag: line_pkg::TAG_W'(la_tag_i), done: la_done_i, err: la_err_i, lane: '0, old: la_old_i}};
  assign start_o        = 8'(u_dut.start);
  assign start_page_o   = 64'(walk.page);
  assign start_write_o  = walk.write;
  assign start_space_o  = walk.space;
  assign start_number_o = walk.number;
  assign rec_number_o   = rec.number;
  assign rec_level_o    = 8'(rec.level);
  assign rec_swap_o     = rec.swap;
  assign rec_exchange_o = rec.exchange;
  assign rec_err_o      = rec.err;

  mmu #(.CHANNELS(CHANNELS), .WALKS(WALKS), .ENTRIES(ENTRIES), .LARGE(LARGE), .WAYS(WAYS)) u_dut (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .ask_valid_i       (ask_valid),
    .ask_ready_o       (ask_ready),
    .ask_i             (ask),
    .answer_valid_o    (answer_valid),
    .answer_o          (answer),
    .news_o            (news),
    .forgotten_i       (forgotten_i),
    .root_i            (root_i),
    .idle_o            (idle_o),
    .do_i              (todo),
    .taken_o           (replay_ready_o),
    .did_o             (did),
    .ch_o              (sent),
    .note_o            (note),
    .ch_i              (got),
    .walk_valid_o      (unused_walk),
    .walk_o            (walk),
    .rec_valid_o       (rec_valid_o),
    .rec_o             (rec)
  );

endmodule
