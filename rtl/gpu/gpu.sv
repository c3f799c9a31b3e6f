// SPDX-License-Identifier: Apache-2.0
// The machine: the SMs, a crossbar behind their request channels, the point of order, the host's registers on AXI4-Lite, memory on
// AXI4, the retire port: what each SM shows, and each bank of memory. `heddle_gpu` is the same with a port for each signal.
// Latency: none of its own; a launch is described in README.md.
// Handshake: AXI4-Lite, AXI4; retire records are events in the order that rtl/README.md gives.
// It does not compute anything: host side, SM and memory meet here.
module gpu #(
  parameter bit           STRAPS = 1'b0,   // 1: all scheduling policies, both divergence units, MODE chooses; 0: the configuration's
  localparam int unsigned SMS    = cfg_pkg::SMS,
  localparam int unsigned SENDERS = line_pkg::SENDERS,
  localparam int unsigned BANKS  = line_pkg::MEM_BANKS,
  localparam int unsigned PORTS  = line_pkg::AXI_PORTS
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from and to the host: registers (README.md)
  input  axi_pkg::axil_req_t                axil_i,
  output axi_pkg::axil_rsp_t                axil_o,
  output logic                              irq_o,
  // from and to memory, by port
  output axi_pkg::axi_req_t [PORTS-1:0]     axi_o,
  input  axi_pkg::axi_rsp_t [PORTS-1:0]     axi_i,
  // retire port (rtl/README.md); ret_ready_i = 0 stops issue
  input  logic                              ret_ready_i,
  output retire_pkg::sm_t [SMS-1:0]         ret_sm_o,
  output retire_pkg::bank_t [BANKS-1:0]     ret_bank_o,
  // requests to the point of order as they pass, of global memory alone: events in the order of each line
  output logic [SMS-1:0]                    rq_valid_o,
  output line_pkg::seen_t [SMS-1:0]         rq_o
);

  core_pkg::launch_t                launch;
  core_pkg::wipe_t                  wipe;
  logic [63:0]                      clock;
  logic                             sm_rst_n, go;
  // For the machine: the end of its grid, a trap that counts.
  logic                             grid_done, is_trap_valid, gpu_halt, stop, gpu_drained;
  logic [3:0]                       ct_refuse;
  core_pkg::trap_t                  is_trap;
  logic [line_pkg::SM_W-1:0]        trap_sm;
  logic [3:0]                       is_cnt_index;
  logic                             is_cnt_cache;
  logic                             ret_ready_q;
  // The banks' end of the gates on the AXI masters.
  axi_pkg::axi_req_t [PORTS-1:0]    bk_axi_req;
  axi_pkg::axi_rsp_t [PORTS-1:0]    bk_axi_rsp;

  // The cache that SMs share.
  l2_pkg::flush_t                   flush;
  l2_pkg::flushed_t                 flushed;

  // From and to the SMs, one of each.
  logic [SMS-1:0][3:0]              region_index;
  logic [SMS-1:0][39:0]             region_base;
  logic [SMS-1:0][40:0]             region_limit;
  logic [SMS-1:0]                   p_begin, p_ask, p_take, p_done, gb_valid, gb_over;
  logic [SMS-1:0][2:0][31:0]        gb_ctaid;
  logic [SMS-1:0][3:0]              p_refuse;
  logic [SMS-1:0]                   p_halt, p_drained, p_trap_valid, p_won;
  core_pkg::trap_t [SMS-1:0]        p_trap;
  logic [SMS-1:0][31:0]             p_cnt;
  sm_pkg::blocks_t [SMS-1:0]        p_blk;
  // Translation: of each SM two channels; the host's side.
  logic [SMS-1:0][1:0]              tl_ask_valid, mu_ask_ready, mu_answer_valid, tl_forgotten;
  mmu_pkg::ask_t [SMS-1:0][1:0]     tl_ask;
  logic [SMS-1:0]                   tl_quiet;
  mmu_pkg::answer_t                 mu_answer;
  mmu_pkg::news_t                   mu_news;
  logic [mmu_pkg::ROOT_W-1:0]       root;
  mmu_pkg::do_t                     mu_do;
  mmu_pkg::did_t                    mu_did;
  logic                             mu_taken, mu_idle;
  logic                             ret_pages_valid;
  retire_pkg::pages_t               ret_pages;
  // Request channels, of the SMs and behind them of the mmu, and those of the banks.
  line_pkg::sent_t [SENDERS-1:0]    ch_sent;
  line_pkg::got_t [SENDERS-1:0]     ch_got;
  line_pkg::note_t [SENDERS-1:0]    note;
  line_pkg::sent_t [BANKS-1:0]      bk_sent;
  line_pkg::bank_got_t [BANKS-1:0]  bk_got;
  logic [BANKS-1:0]                 bk_ld_ready;

  // An input that reaches far into the machine: no logic hangs on it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ret_ready_q <= 1'b0;
    else         ret_ready_q <= ret_ready_i;
  end

  gpu_host #(.STRAPS(STRAPS)) u_host (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .axil_i               (axil_i),
    .axil_o               (axil_o),
    .irq_o                (irq_o),
    .sm_rst_no            (sm_rst_n),
    .launch_o             (launch),
    .wipe_o               (wipe),
    .region_index_i       (region_index),
    .region_base_o        (region_base),
    .region_limit_o       (region_limit),
    .go_o                 (go),
    .clock_o              (clock),
    .grid_done_i          (grid_done),
    .stop_o               (stop),
    .drained_i            (gpu_drained),
    .ct_refuse_i          (ct_refuse),
    .is_trap_valid_i      (is_trap_valid),
    .is_trap_i            (is_trap),
    .trap_sm_i            (trap_sm),
    .is_cnt_index_o       (is_cnt_index),
    .is_cnt_cache_o       (is_cnt_cache),
    .is_cnt_i             (p_cnt),
    .ct_blk_i             (p_blk),
    .flush_o              (flush),
    .flushed_i            (flushed),
    .root_o               (root),
    .mu_do_o              (mu_do),
    .mu_taken_i           (mu_taken),
    .mu_did_i             (mu_did),
    .mu_idle_i            (mu_idle),
    .bk_axi_i             (bk_axi_req),
    .bk_axi_o             (bk_axi_rsp),
    .axi_o                (axi_o),
    .axi_i                (axi_i)
  );

  // ---- what is of all SMs: the blocks of a grid, the trap that counts -------------------------------------------------------
  gpu_blocks u_blocks (
    .clk_i(clk_i), .rst_ni(sm_rst_n),
    .grid_i      (launch.grid),
    .ct_begin_i  (p_begin),
    .ct_ask_i    (p_ask),
    .gb_valid_o  (gb_valid),
    .gb_ctaid_o  (gb_ctaid),
    .gb_over_o   (gb_over),
    .ct_take_i   (p_take),
    .ct_done_i   (p_done),
    .ct_refuse_i (p_refuse),
    .grid_done_o (grid_done),
    .ct_refuse_o (ct_refuse)
  );

  gpu_trap u_trap (
    .clk_i(clk_i), .rst_ni(sm_rst_n),
    .sm_halt_i       (p_halt),
    .sm_drained_i    (p_drained),
    .sm_trap_valid_i (p_trap_valid),
    .sm_trap_i       (p_trap),
    .halt_o          (gpu_halt),
    .won_o           (p_won),
    .stop_i          (stop),
    .drained_o       (gpu_drained),
    .trap_valid_o    (is_trap_valid),
    .trap_o          (is_trap),
    .trap_sm_o       (trap_sm)
  );

  // ---- SMs, and their records -----------------------------------------------------------------------------------------------
  for (genvar s = 0; s < SMS; s++) begin : gen_sm
    retire_pkg::sm_valid_t ret_valid;
    retire_pkg::sm_ret_t   ret;

    sm #(.STRAPS(STRAPS)) u_sm (
      .clk_i(clk_i), .rst_ni(sm_rst_n), .wipe_i(wipe), .sm_i(8'(s)), .sms_i(9'(SMS)),
      .launch_i        (launch),
      .clock_i         (clock),
      .region_index_o  (region_index[s]),
      .region_base_i   (region_base[s]),
      .region_limit_i  (region_limit[s]),
      .go_i            (go),
      .busy_o          (),
      .grid_done_o     (p_done[s]),
      .ct_refuse_o     (p_refuse[s]),
      .ct_begin_o      (p_begin[s]),
      .ct_ask_o        (p_ask[s]),
      .gb_valid_i      (gb_valid[s]),
      .gb_ctaid_i      (gb_ctaid[s]),
      .gb_over_i       (gb_over[s]),
      .ct_take_o       (p_take[s]),
      .gpu_halt_i      (gpu_halt),
      .is_halt_o       (p_halt[s]),
      .is_drained_o    (p_drained[s]),
      .is_trap_valid_o (p_trap_valid[s]),
      .is_trap_o       (p_trap[s]),
      .trap_won_i      (p_won[s]),
      .is_cnt_index_i  (is_cnt_index),
      .is_cnt_cache_i  (is_cnt_cache),
      .is_cnt_o        (p_cnt[s]),
      .ct_blk_o        (p_blk[s]),
      .ch_o            (ch_sent[s]),
      .note_o          (note[s]),
      .ch_i            (ch_got[s]),
      .tl_ask_valid_o    (tl_ask_valid[s]),
      .mu_ask_ready_i    (mu_ask_ready[s]),
      .tl_ask_o          (tl_ask[s]),
      .mu_answer_valid_i (mu_answer_valid[s]),
      .mu_answer_i       (mu_answer),
      .mu_news_i         (mu_news),
      .tl_forgotten_o    (tl_forgotten[s]),
      .tl_quiet_o        (tl_quiet[s]),
      .ret_ready_i     (ret_ready_q),
      .ret_valid_o     (ret_valid),
      .ret_o           (ret)
    );

    assign ret_sm_o[s] = retire_pkg::sm_of(ret_valid, ret, 8'(s));
  end

  // ---- requests for global memory, for an observer of the order of memory (lab/fpga/board/digest): accesses to a line are
  // performed as their requests came (README.md, "The request channel", 4)
  for (genvar s = 0; s < SMS; s++) begin : gen_request
    line_pkg::kind_e kind;
    logic            writes;
    assign kind          = ch_sent[s].lq.kind;
    assign writes        = kind == line_pkg::STORE || kind == line_pkg::ATOM;
    assign rq_valid_o[s] = ch_sent[s].lq_valid && (writes || kind == line_pkg::LOAD) && !ch_sent[s].lq.is_local;
    assign rq_o[s]       = '{slot: 8'(ch_sent[s].lq.slot), writes: writes, line: ch_sent[s].lq.line};
  end

  // ---- translation of addresses ---------------------------------------------------------------------------------------------
  if (cfg_pkg::MMU != 0) begin : gen_mmu
    gpu_mmu u_mmu (
      .clk_i(clk_i), .rst_ni(sm_rst_n),
      .tl_ask_valid_i    (tl_ask_valid),
      .mu_ask_ready_o    (mu_ask_ready),
      .tl_ask_i          (tl_ask),
      .mu_answer_valid_o (mu_answer_valid),
      .mu_answer_o       (mu_answer),
      .mu_news_o         (mu_news),
      .tl_forgotten_i    (tl_forgotten),
      .tl_quiet_i        (tl_quiet),
      .go_i              (go),
      .space_i           (launch.space),
      .root_i            (root),
      .do_i              (mu_do),
      .taken_o           (mu_taken),
      .did_o             (mu_did),
      .idle_o            (mu_idle),
      .ch_o              (ch_sent[SMS]),
      .note_o            (note[SMS]),
      .ch_i              (ch_got[SMS]),
      .ret_pages_valid_o (ret_pages_valid),
      .ret_pages_o       (ret_pages)
    );
  end else begin : gen_no_mmu
    logic unused_mmu;
    assign mu_ask_ready    = '0;
    assign mu_answer_valid = '0;
    assign mu_answer       = '0;
    assign mu_news         = '0;
    assign mu_taken        = 1'b0;
    assign mu_did          = '0;
    assign mu_idle         = 1'b1;
    assign ret_pages_valid = 1'b0;
    assign ret_pages       = '0;
    assign unused_mmu      = ^{tl_ask_valid, tl_ask, tl_forgotten, tl_quiet, root, mu_do};
  end

  // ---- memory ---------------------------------------------------------------------------------------------------------------
  crossbar u_crossbar (
    .clk_i(clk_i), .rst_ni(sm_rst_n),
    .ch_i          (ch_sent),
    .ch_o          (ch_got),
    .bk_o          (bk_sent),
    .bk_ld_ready_o (bk_ld_ready),
    .bk_i          (bk_got)
  );

  gpu_memory u_memory (
    .clk_i(clk_i), .rst_ni(sm_rst_n),
    .ch_i               (bk_sent),
    .ld_ready_i         (bk_ld_ready),
    .ch_o               (bk_got),
    .note_i             (note),
    .flush_i            (flush),
    .flushed_o          (flushed),
    .ret_bank_o         (ret_bank_o),
    .ret_pages_valid_i  (ret_pages_valid),
    .ret_pages_i        (ret_pages),
    .axi_o              (bk_axi_req),
    .axi_i              (bk_axi_rsp)
  );

endmodule
