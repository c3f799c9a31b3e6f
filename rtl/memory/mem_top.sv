// SPDX-License-Identifier: Apache-2.0
// The memory part of an SM: load/store unit with shared memory, instruction and constant cache, and
// the request channel on which all of them ask memory. A block diagram.
// Latency and throughput of each part: README.md.
// Handshake: the nets of rtl/README.md, with _i and _o. invalidate_i (one cycle, before a grid
// starts) empties both caches and makes the region table be read anew.
// It does not schedule anything; traps are only reported.
module mem_top (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  core_pkg::wipe_t                            wipe_i,
  input  logic [7:0]                                 sm_i,             // number of the SM: constant
  // from the host and the dispatcher
  /* verilator lint_off UNUSEDSIGNAL */              // of a launch and of a start others need the rest
  input  core_pkg::launch_t                          launch_i,
  output logic [3:0]                                 region_index_o,   // range of a region, at once
  input  logic [39:0]                                region_base_i,
  input  logic [40:0]                                region_limit_i,
  input  logic                                       invalidate_i,
  input  logic                                       sm_halt_i,        // level, where there is an MMU: the SM stops
  input  logic                                       ct_start_valid_i,
  input  core_pkg::start_t                           ct_start_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // fetch
  input  logic                                       if_req_valid_i,
  output logic                                       if_req_ready_o,
  input  logic [31:0]                                if_req_pc_i,
  input  logic [core_pkg::SM_FETCH_TAG_W-1:0]        if_req_tag_i,
  output logic                                       ic_rsp_valid_o,
  output sm_pkg::group_t                             ic_rsp_o,
  output logic [core_pkg::SM_FETCH_TAG_W-1:0]        ic_rsp_tag_o,
  // issue: constant operands
  input  logic                                       if_cst_valid_i,
  output logic                                       if_cst_ready_o,
  input  sm_pkg::const_at_t                          if_cst_i,
  input  logic [core_pkg::SM_CST_TAG_W-1:0]          if_cst_tag_i,
  output logic                                       cc_cst_valid_o,
  output sm_pkg::const_word_t                        cc_cst_o,
  output logic [core_pkg::SM_CST_TAG_W-1:0]          cc_cst_tag_o,
  // operand
  input  logic                                       op_req_valid_i,
  output logic                                       op_req_ready_o,
  input  core_pkg::memreq_t                          op_req_i,
  // the partitions: late results
  output logic                                       ls_late_valid_o,
  input  logic                                       ls_late_ready_i,
  output core_pkg::late_t                            ls_late_o,
  // issue
  output sm_pkg::checks_t                            ls_o,
  // from and to the mmu: 0 of global memory, 1 of code and constants
  output logic [1:0]                                 tl_ask_valid_o,
  input  logic [1:0]                                 mu_ask_ready_i,
  output mmu_pkg::ask_t [1:0]                        tl_ask_o,
  input  logic [1:0]                                 mu_answer_valid_i,
  input  mmu_pkg::answer_t                           mu_answer_i,
  input  mmu_pkg::news_t                             mu_news_i,
  output logic [1:0]                                 tl_forgotten_o,
  output logic                                       tl_quiet_o,         // nothing is translated, nor will be before a request of a warp
  // retire port
  output logic                                       ret_shared_valid_o,
  output retire_pkg::shared_t                        ret_shared_o,
  // the request channel
  output line_pkg::sent_t                            ch_o,
  output line_pkg::note_t                            note_o,
  input  line_pkg::lsu_got_t                         ch_i
);

  // load/store unit and channel
  logic [1:0]                      credit;
  logic [1:0]                      lsu_next;
  logic                            lsu_open;
  line_pkg::sent_t                 lsu_sent;
  line_pkg::lsu_back_t             lsu_back;
  // load/store unit and constant cache
  logic                            ldc_valid, ldc_ready, cc_ld_valid;
  mem_pkg::const_ask_t             ldc;
  mem_pkg::const_got_t             cc_ld;
  // refills: 0 of instructions, 1 of constants
  logic [1:0]                      rf_valid, rf_ready, idle;
  mem_pkg::refill_t [1:0]          rf;
  mem_pkg::fill_t [1:0]            fill;
  logic [mem_pkg::REFILL_W-1:0]    rf_beat;
  logic [mem_pkg::REFILL_BITS-1:0] rf_data;
  logic                            empty;

  lsu u_lsu (
    .clk_i              (clk_i),
    .wipe_i             (wipe_i),
    .rst_ni             (rst_ni),
    .sm_i               (sm_i),
    .invalidate_i       (invalidate_i),
    .limits_i           ('{shared_bytes: launch_i.shared_bytes, local_bytes: launch_i.local_bytes,
                           cbank_bytes: launch_i.cbank_bytes, region_write: launch_i.region_write}),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .local_base_i       (launch_i.local_base[39:7]),
    .paging_i           ('{pages: launch_i.pages, fault_trap: launch_i.fault_trap, space: launch_i.space, stop: sm_halt_i}),
    .ask_valid_o        (tl_ask_valid_o[0]),
    .ask_ready_i        (mu_ask_ready_i[0]),
    .ask_o              (tl_ask_o[0]),
    .answer_valid_i     (mu_answer_valid_i[0]),
    .answer_i           (mu_answer_i),
    .news_i             (mu_news_i),
    .forgotten_o        (tl_forgotten_o[0]),
    .start_valid_i      (ct_start_valid_i),
    .start_slot_i       (ct_start_i.slot),
    .start_shm_base_i   (mem_pkg::SHM_W'(ct_start_i.shm_base)),
    .op_req_valid_i     (op_req_valid_i),
    .op_req_ready_o     (op_req_ready_o),
    .op_req_i           (op_req_i),
    .ls_late_valid_o    (ls_late_valid_o),
    .ls_late_ready_i    (ls_late_ready_i),
    .ls_late_o          (ls_late_o),
    .ls_checked_valid_o (ls_o.checked_valid),
    .ls_checked_slot_o  (ls_o.checked_slot),
    .ls_trap_valid_o    (ls_o.trap_valid),
    .ls_trap_o          (ls_o.trap),
    .credit_i           (credit),
    .ch_o               (lsu_sent),
    .note_o             (note_o),
    .lq_next_o          (lsu_next),
    .lq_open_o          (lsu_open),
    .ch_i               (lsu_back),
    .ldc_valid_o        (ldc_valid),
    .ldc_ready_i        (ldc_ready),
    .ldc_o              (ldc),
    .cc_ld_valid_i      (cc_ld_valid),
    .cc_ld_i            (cc_ld),
    .ret_shared_valid_o (ret_shared_valid_o),
    .ret_shared_o       (ret_shared_o)
  );

  icache u_icache (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (empty),
    .code_base_i    (launch_i.code_base),
    .code_bytes_i   (launch_i.code_bytes),
    .pages_i        (launch_i.pages),
    .if_req_valid_i (if_req_valid_i),
    .if_req_ready_o (if_req_ready_o),
    .if_req_pc_i    (if_req_pc_i),
    .if_req_tag_i   (if_req_tag_i),
    .ic_rsp_valid_o (ic_rsp_valid_o),
    .ic_rsp_word_o  (ic_rsp_o.word),
    .ic_rsp_err_o   (ic_rsp_o.err),
    .ic_rsp_tag_o   (ic_rsp_tag_o),
    .idle_o         (idle[0]),
    .rf_valid_o     (rf_valid[0]),
    .rf_ready_i     (rf_ready[0]),
    .rf_o           (rf[0]),
    .fill_i         (fill[0]),
    .beat_i         (rf_beat),
    .data_i         (rf_data)
  );

  const_cache u_ccache (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (empty),
    .cbank_base_i   (launch_i.cbank_base),
    .cbank_bytes_i  (launch_i.cbank_bytes),
    .if_cst_valid_i (if_cst_valid_i),
    .if_cst_ready_o (if_cst_ready_o),
    .if_cst_bank_i  (if_cst_i.bank),
    .if_cst_off_i   (if_cst_i.off),
    .if_cst_tag_i   (if_cst_tag_i),
    .cc_cst_valid_o (cc_cst_valid_o),
    .cc_cst_data_o  (cc_cst_o.data),
    .cc_cst_range_o (cc_cst_o.range),
    .cc_cst_err_o   (cc_cst_o.err),
    .cc_cst_tag_o   (cc_cst_tag_o),
    .ld_valid_i     (ldc_valid),
    .ld_ready_o     (ldc_ready),
    .ld_i           (ldc),
    .cc_ld_valid_o  (cc_ld_valid),
    .cc_ld_o        (cc_ld),
    .idle_o         (idle[1]),
    .rf_valid_o     (rf_valid[1]),
    .rf_ready_i     (rf_ready[1]),
    .rf_o           (rf[1]),
    .fill_i         (fill[1]),
    .beat_i         (rf_beat),
    .data_i         (rf_data)
  );

  line_join u_join (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .sm_i             (sm_i),
    .go_i             (invalidate_i),
    .pages_i          (launch_i.pages),
    .space_i          (launch_i.space),
    .ask_valid_o      (tl_ask_valid_o[1]),
    .ask_ready_i      (mu_ask_ready_i[1]),
    .ask_o            (tl_ask_o[1]),
    .answer_valid_i   (mu_answer_valid_i[1]),
    .answer_i         (mu_answer_i),
    .forget_valid_i   (mu_news_i.forgets),
    .forget_i         (mu_news_i.forget),
    .forgotten_o      (tl_forgotten_o[1]),
    .quiet_o          (tl_quiet_o),
    .credit_o         (credit),
    .lsu_next_i       (lsu_next),
    .lsu_open_i       (lsu_open),
    .lsu_i            (lsu_sent),
    .lsu_o            (lsu_back),
    .empty_o          (empty),
    .idle_i           (idle),
    .rf_valid_i       (rf_valid),
    .rf_ready_o       (rf_ready),
    .rf_i             (rf),
    .fill_o           (fill),
    .rf_beat_o        (rf_beat),
    .rf_data_o        (rf_data),
    .ch_o             (ch_o),
    .ch_i             (ch_i)
  );

endmodule
