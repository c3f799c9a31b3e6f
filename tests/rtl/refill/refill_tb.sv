// SPDX-License-Identifier: Apache-2.0
// The read-only caches, LDC and the translation of their refills, with structs as single ports; the bench is fetch, issue, the
// check of addresses, line_join, the mmu and the host.
/* verilator lint_off UNUSEDSIGNAL */   // numbers are bytes, whatever the configuration

module refill_tb #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned TAG_W  = line_pkg::TAG_W,
  localparam int unsigned ERR_W  = core_pkg::ERR_W
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic [7:0]       cfg_lanes_o,
  output logic [7:0]       cfg_icache_o,   // lines on their way
  output logic [7:0]       cfg_ccache_o,
  output logic [15:0]      cfg_bits_o,     // of a beat
  // host
  input  logic             go_i,
  input  logic             pages_i,
  input  logic             trap_i,
  input  logic [7:0]       space_i,
  input  logic             replay_i,
  input  logic             fail_i,
  input  logic             stop_i,
  input  logic [39:0]      code_base_i,
  input  logic [31:0]      code_bytes_i,
  input  logic [39:0]      cbank_base_i,   // of all banks
  // fetch
  input  logic             if_valid_i,
  output logic             if_ready_o,
  input  logic [31:0]      if_pc_i,
  input  logic [7:0]       if_tag_i,       // lower bits: the warp
  input  logic             if_lists_i,
  output logic             ic_valid_o,
  output logic [63:0]      ic_word_o,
  output logic [1:0]       ic_err_o,
  output logic [7:0]       ic_tag_o,
  // constant operands
  input  logic             cst_valid_i,
  output logic             cst_ready_o,
  input  logic [15:0]      cst_off_i,      // of bank 0
  input  logic [7:0]       cst_tag_i,
  input  logic             cst_lists_i,
  output logic             cc_valid_o,
  output logic [31:0]      cc_data_o,
  output logic [1:0]       cc_err_o,
  output logic [7:0]       cc_tag_o,
  // LDC: a beat of offsets arrives and is judged at once
  output logic             ldc_room_o,
  input  logic             ldc_valid_i,
  input  logic [7:0]       ldc_beat_i,
  input  logic             ldc_last_i,
  input  logic [127:0]     ldc_off_i,      // 16 bits a lane
  input  logic [31:0]      ldc_exec_i,
  input  logic [7:0]       ldc_seq_i,
  input  logic [1:0]       ldc_words_i,    // minus one
  output logic             res_valid_o,
  input  logic             res_ready_i,
  output logic [7:0]       res_seq_o,
  output logic             res_row_o,
  output logic [7:0]       res_beat_o,
  output logic [1:0]       res_word_o,
  output logic [31:0]      res_mask_o,
  output logic [255:0]     res_data_o,
  output logic             res_last_o,
  output logic             res_trap_o,
  output logic [3:0]       res_cause_o,
  output logic [63:0]      res_addr_o,
  output logic             ldc_waits_o,    // for nothing but the host
  // line_join: 0 of instructions, 1 of constants
  output logic [1:0]       tr_valid_o,
  input  logic [1:0]       tr_ready_i,
  output logic [1:0][63:0] tr_half_o,
  output logic [1:0][7:0]  tr_number_o,
  output logic [1:0]       want_o,         // refills as the caches request them
  output logic [1:0]       want_ready_o,
  input  logic [1:0]       beat_valid_i,
  input  logic [7:0]       beat_number_i,
  input  logic [7:0]       beat_i,
  input  logic [511:0]     data_i,
  input  logic [1:0]       done_valid_i,
  input  logic [7:0]       done_number_i,
  input  logic             err_i,
  // mmu
  output logic             ask_valid_o,
  input  logic             ask_ready_i,
  output logic [7:0]       ask_space_o,
  output logic [63:0]      ask_page_o,
  output logic             ask_lists_o,
  output logic [7:0]       ask_who_o,
  input  logic             answer_valid_i,
  input  logic [7:0]       answer_space_i,
  input  logic [63:0]      answer_page_i,
  input  logic [7:0]       answer_who_i,
  input  logic             answer_fault_i,
  input  logic [1:0]       answer_kind_i,
  input  logic             answer_lists_i,
  input  logic [31:0]      answer_frame_i,
  input  logic             answer_big_i,
  input  logic             answer_shared_i,
  input  logic             forget_i,
  input  logic             forget_all_i,
  input  logic [63:0]      forget_page_i,
  output logic             forgotten_o,
  output logic             quiet_o         // nothing is requested, nor will be before a request
);

  localparam int unsigned IF_W = core_pkg::SM_FETCH_TAG_W - core_pkg::WANT_W, CST_W = core_pkg::SM_CST_TAG_W - core_pkg::WANT_W;

  logic                            empty, quiet;
  logic [1:0]                      idle;
  logic [1:0]                      rf_valid, rf_ready, done_valid;
  mem_pkg::refill_t [1:0]          rf;
  mem_pkg::fill_t [1:0]            fill;
  logic [1:0][33:0]                half;
  logic [1:0][TAG_W-1:0]           done_number, number;
  logic [1:0][ERR_W-1:0]           err;
  logic [core_pkg::SM_FETCH_TAG_W-1:0] ic_tag;
  logic [core_pkg::SM_CST_TAG_W-1:0]   cc_tag;
  logic [cfg_pkg::FETCH_WORDS-1:0][127:0] words;
  logic                            ld_valid, ld_ready, cc_ld_valid, unused_range;
  mem_pkg::const_ask_t             ld;
  mem_pkg::const_got_t             cc_ld;
  core_pkg::memop_t                op;
  mem_pkg::result_t                res;
  mem_pkg::bytes_t                 unused_bytes;
  logic [LANES-1:0][31:0]          res_data;
  mmu_pkg::ask_t                   ask;
  mmu_pkg::answer_t                answer;

  assign cfg_lanes_o  = 8'(LANES);
  assign cfg_icache_o = 8'(cfg_pkg::ICACHE_MISSES);
  assign cfg_ccache_o = 8'(cfg_pkg::CCACHE_MISSES);
  assign cfg_bits_o   = 16'(mem_pkg::REFILL_BITS);
  assign empty        = go_i || forget_i;
  assign ic_word_o    = words[0][63:0];
  assign ic_tag_o     = 8'(ic_tag[IF_W-1:0]);
  assign cc_tag_o     = 8'(cc_tag[CST_W-1:0]);
  assign tr_half_o    = {64'(half[1]), 64'(half[0])};
  assign tr_number_o  = {8'(number[1]), 8'(number[0])};
  assign quiet_o      = quiet && idle == '1;
  assign want_o       = rf_valid;
  assign want_ready_o = rf_ready;

  for (genvar c = 0; c < 2; c++) begin : gen_fill
    assign fill[c] = '{beat_valid: beat_valid_i[c], beat_number: TAG_W'(beat_number_i), done_valid: done_valid[c],
      done_number: done_number[c], err: err[c]};
  end

  icache u_icache (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (empty),
    .code_base_i    (code_base_i),
    .code_bytes_i   (code_bytes_i),
    .pages_i        (pages_i),
    .if_req_valid_i (if_valid_i),
    .if_req_ready_o (if_ready_o),
    .if_req_pc_i    (if_pc_i),
    .if_req_tag_i   ({if_lists_i, IF_W'(if_tag_i)}),
    .ic_rsp_valid_o (ic_valid_o),
    .ic_rsp_word_o  (words),
    .ic_rsp_err_o   (ic_err_o),
    .ic_rsp_tag_o   (ic_tag),
    .idle_o         (idle[0]),
    .rf_valid_o     (rf_valid[0]),
    .rf_ready_i     (rf_ready[0]),
    .rf_o           (rf[0]),
    .fill_i         (fill[0]),
    .beat_i         (mem_pkg::REFILL_W'(beat_i)),
    .data_i         (data_i[mem_pkg::REFILL_BITS-1:0])
  );

  const_cache u_ccache (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (empty),
    .cbank_base_i   ({4{cbank_base_i}}),
    .cbank_bytes_i  ({4{17'h10000}}),
    .if_cst_valid_i (cst_valid_i),
    .if_cst_ready_o (cst_ready_o),
    .if_cst_bank_i  (5'd0),
    .if_cst_off_i   (cst_off_i),
    .if_cst_tag_i   ({cst_lists_i, CST_W'(cst_tag_i)}),
    .cc_cst_valid_o (cc_valid_o),
    .cc_cst_data_o  (cc_data_o),
    .cc_cst_range_o (unused_range),
    .cc_cst_err_o   (cc_err_o),
    .cc_cst_tag_o   (cc_tag),
    .ld_valid_i     (ld_valid),
    .ld_ready_o     (ld_ready),
    .ld_i           (ld),
    .cc_ld_valid_o  (cc_ld_valid),
    .cc_ld_o        (cc_ld),
    .idle_o         (idle[1]),
    .rf_valid_o     (rf_valid[1]),
    .rf_ready_i     (rf_ready[1]),
    .rf_o           (rf[1]),
    .fill_i         (fill[1]),
    .beat_i         (mem_pkg::REFILL_W'(beat_i)),
    .data_i         (data_i[mem_pkg::REFILL_BITS-1:0])
  );

  always_comb begin
    op         = '0;
    op.mem     = isa_pkg::MEM_CONST_LOAD;
    op.size    = isa_pkg::SIZE_32;
    op.exec    = ldc_exec_i;
    op.id.seq  = 32'(ldc_seq_i);
    op.rd      = 8'd4;
    op.rd_n    = ldc_words_i;
    op.wbar    = 3'd7;
  end

  ldc u_ldc (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .room_o         (ldc_room_o),
    .ag_row_valid_i (ldc_valid_i),
    .ag_last_i      (ldc_last_i),
    .ag_beat_i      (mem_pkg::BEAT_W'(ldc_beat_i)),
    .ck_i           ('{valid: ldc_valid_i, ends: ldc_valid_i && ldc_last_i, commit: 1'b1, beat: mem_pkg::BEAT_W'(ldc_beat_i)}),
    .ck_op_i        (op),
    .ck_off_i       (ldc_off_i[16*LANES-1:0]),
    .ld_valid_o     (ld_valid),
    .ld_ready_i     (ld_ready),
    .ld_o           (ld),
    .cc_ld_valid_i  (cc_ld_valid),
    .cc_ld_i        (cc_ld),
    .fault_trap_i   (trap_i),
    .mu_replay_i    (replay_i),
    .mu_fail_i      (fail_i),
    .stop_i         (stop_i),
    .res_valid_o    (res_valid_o),
    .res_ready_i    (res_ready_i),
    .res_o          (res),
    .res_data_o     (res_data),
    .res_bytes_o    (unused_bytes)
  );

  assign res_seq_o   = 8'(res.who.id.seq);
  assign res_row_o   = res.row_en;
  assign res_beat_o  = 8'(res.beat);
  assign res_word_o  = res.word;
  assign res_mask_o  = 32'(res.mask);
  assign res_data_o  = 256'(res_data);
  assign res_last_o  = res.last;
  assign res_trap_o  = res.trap;
  assign res_cause_o = res.cause;
  assign res_addr_o  = res.addr;
  assign ldc_waits_o = u_ldc.waits && !u_ldc.woken_q;

  refill_translate u_dut (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .go_i             (go_i),
    .pages_i          (pages_i),
    .space_i          (space_i),
    .rf_valid_i       (rf_valid),
    .rf_ready_o       (rf_ready),
    .rf_i             (rf),
    .rf_done_valid_o  (done_valid),
    .rf_done_number_o (done_number),
    .rf_err_o         (err),
    .tr_valid_o       (tr_valid_o),
    .tr_ready_i       (tr_ready_i),
    .tr_half_o        (half),
    .tr_number_o      (number),
    .lj_done_valid_i  (done_valid_i),
    .lj_done_number_i ({2{TAG_W'(done_number_i)}}),
    .lj_err_i         (err_i),
    .ask_valid_o      (ask_valid_o),
    .ask_ready_i      (ask_ready_i),
    .ask_o            (ask),
    .answer_valid_i   (answer_valid_i),
    .answer_i         (answer),
    .forget_valid_i   (forget_i),
    .forget_i         ('{all_spaces: 1'b1, all_pages: forget_all_i, space: '0, page: mmu_pkg::PAGE_W'(forget_page_i)}),
    .forgotten_o      (forgotten_o),
    .quiet_o          (quiet)
  );

  assign ask_space_o = ask.space;
  assign ask_page_o  = 64'(ask.page);
  assign ask_lists_o = ask.lists;
  assign ask_who_o   = 8'(ask.who);
  always_comb begin
    answer             = '0;
    answer.space       = answer_space_i;
    answer.page        = mmu_pkg::PAGE_W'(answer_page_i);
    answer.who         = mmu_pkg::WHO_W'(answer_who_i);
    answer.fault       = answer_fault_i;
    answer.kind        = mmu_pkg::kind_e'(answer_kind_i);
    answer.lists       = answer_lists_i;
    answer.leaf.frame  = mmu_pkg::FRAME_W'(answer_frame_i);
    answer.leaf.big    = answer_big_i;
    answer.leaf.shared = answer_shared_i;
  end

endmodule

/* verilator lint_on UNUSEDSIGNAL */
