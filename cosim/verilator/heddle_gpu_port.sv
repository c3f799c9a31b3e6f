// SPDX-License-Identifier: Apache-2.0
// heddle_gpu without its memory: the request channel of the SM (rtl/line_pkg.sv) as plain ports, for a memory system in C++ (seat.hpp,
// docs/memory-port.md).
// Latency: none of its own. Handshake: that of the channel; sm_rst_no low: the SM is in reset, drops its requests, and waits for
// credits. Simulation only.
// Records of global memory come from the memory system behind the channel. It has one SM.
module heddle_gpu_port #(
  parameter bit           STRAPS   = 1'b0    // 1: all scheduling policies, both divergence units, MODE chooses; 0: the configuration's
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from and to the host: registers (README.md)
  input  logic                              s_axil_awvalid_i,
  output logic                              s_axil_awready_o,
  input  logic [11:0]                       s_axil_awaddr_i,
  input  logic                              s_axil_wvalid_i,
  output logic                              s_axil_wready_o,
  input  logic [31:0]                       s_axil_wdata_i,
  input  logic [3:0]                        s_axil_wstrb_i,
  output logic                              s_axil_bvalid_o,
  input  logic                              s_axil_bready_i,
  output logic [1:0]                        s_axil_bresp_o,
  input  logic                              s_axil_arvalid_i,
  output logic                              s_axil_arready_o,
  input  logic [11:0]                       s_axil_araddr_i,
  output logic                              s_axil_rvalid_o,
  input  logic                              s_axil_rready_i,
  output logic [31:0]                       s_axil_rdata_o,
  output logic [1:0]                        s_axil_rresp_o,
  output logic                              irq_o,
  // data to memory
  output logic                              lw_valid_o,
  output logic                              lw_atom_o,
  output logic [4:0]                        lw_lane_o,
  output logic [4:0]                        lw_place_o,
  output logic [1:0]                        lw_piece_o,
  output logic [7:0]                        lw_beat_o,
  output logic [line_pkg::BYTES-1:0]        lw_strb_o,
  output logic [line_pkg::BITS-1:0]         lw_data_o,
  // requests to memory
  output logic                              lq_valid_o,
  output logic [7:0]                        lq_sm_o,
  output logic [15:0]                       lq_tag_o,
  output logic [2:0]                        lq_kind_o,
  output logic [1:0]                        lq_scope_o,
  output logic [63:0]                       lq_line_o,
  output logic [3:0]                        lq_sectors_o,
  output logic [5:0]                        lq_op_o,
  output logic                              lq_wide_o,
  output logic                              lq_gives_o,
  output logic [7:0]                        lq_slot_o,
  output logic [7:0]                        lq_gen_o,
  output logic [31:0]                       lq_seq_o,
  output logic [31:0]                       lq_lanes_o,
  output logic [63:0]                       lq_at_o,
  output logic                              lq_local_o,
  output logic [31:0]                       lq_word_o,
  // from memory: credits, data, answers
  input  logic                              lc_valid_i,
  input  logic                              lc_atom_i,
  input  logic                              ld_valid_i,
  input  logic [15:0]                       ld_tag_i,
  input  logic [7:0]                        ld_beat_i,
  input  logic [line_pkg::BITS-1:0]         ld_data_i,
  input  logic                              la_valid_i,
  output logic                              la_ready_o,
  input  logic [15:0]                       la_tag_i,
  input  logic                              la_done_i,
  input  logic                              la_err_i,
  input  logic [4:0]                        la_lane_i,
  input  logic [63:0]                       la_old_i,
  output logic                              sm_rst_no,
  // retire port (rtl/README.md); ret_ready_i = 0 stops issue
  input  logic                              ret_ready_i,
  output retire_pkg::sm_t                   ret_sm_o,
  output retire_pkg::bank_t                 ret_bank_o
);

  core_pkg::launch_t                launch;
  logic [63:0]                      clock;
  logic [3:0]                       region_index;
  logic [39:0]                      region_base;
  logic [40:0]                      region_limit;
  core_pkg::trap_t                  is_trap;
  logic [3:0]                       is_cnt_index;
  logic                             is_cnt_cache;
  logic [31:0]                      is_cnt;
  logic                             sm_rst_n, go, busy, grid_done, is_trap_valid;
  logic                             ct_begin, ct_ask, ct_take, ct_done, gb_valid, gb_over, is_halt, is_drained;
  logic [2:0][31:0]                 gb_ctaid;
  logic [3:0]                       ct_refuse, sm_refuse;
  logic                             ret_ready_q;
  sm_pkg::blocks_t                  blk;
  retire_pkg::sm_valid_t            ret_valid;
  retire_pkg::sm_ret_t              ret;
  line_pkg::sent_t                  sent;
  line_pkg::got_t                   got;
  line_pkg::note_t                  note;
  axi_pkg::axil_req_t               axil_req;
  axi_pkg::axil_rsp_t               axil_rsp;
  axi_pkg::axi_req_t [line_pkg::AXI_PORTS-1:0] unused_req;
  axi_pkg::axi_rsp_t [line_pkg::AXI_PORTS-1:0] unused_rsp;

  if (cfg_pkg::SMS != 1) begin : gen_one_sm
    $error("heddle_gpu_port is of one SM: a configuration with sms of 1");
  end

  assign axil_req = '{
    awvalid: s_axil_awvalid_i,
    awaddr:  s_axil_awaddr_i,
    wvalid:  s_axil_wvalid_i,
    wdata:   s_axil_wdata_i,
    wstrb:   s_axil_wstrb_i,
    bready:  s_axil_bready_i,
    arvalid: s_axil_arvalid_i,
    araddr:  s_axil_araddr_i,
    rready:  s_axil_rready_i
  };
  assign s_axil_awready_o  = axil_rsp.awready;
  assign s_axil_wready_o   = axil_rsp.wready;
  assign s_axil_bvalid_o   = axil_rsp.bvalid;
  assign s_axil_bresp_o    = axil_rsp.bresp;
  assign s_axil_arready_o  = axil_rsp.arready;
  assign s_axil_rvalid_o   = axil_rsp.rvalid;
  assign s_axil_rdata_o    = axil_rsp.rdata;
  assign s_axil_rresp_o    = axil_rsp.rresp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ret_ready_q <= 1'b0;
    else         ret_ready_q <= ret_ready_i;
  end

  gpu_blocks u_blocks (
    .clk_i       (clk_i),
    .rst_ni      (sm_rst_n),
    .grid_i      (launch.grid),
    .ct_begin_i  (ct_begin),
    .ct_ask_i    (ct_ask),
    .gb_valid_o  (gb_valid),
    .gb_ctaid_o  (gb_ctaid),
    .gb_over_o   (gb_over),
    .ct_take_i   (ct_take),
    .ct_done_i   (ct_done),
    .ct_refuse_i (sm_refuse),
    .grid_done_o (grid_done),
    .ct_refuse_o (ct_refuse)
  );

  // With one SM the trap is its own.
  core_pkg::trap_t unused_trap;
  logic            stop, drained, gpu_halt, won, unused_valid, unused_sm;
  gpu_trap #(.N(1)) u_trap (
    .clk_i           (clk_i),
    .rst_ni          (sm_rst_n),
    .sm_halt_i       (is_halt),
    .sm_drained_i    (is_drained),
    .sm_trap_valid_i (is_trap_valid),
    .sm_trap_i       (is_trap),
    .halt_o          (gpu_halt),
    .won_o           (won),
    .stop_i          (stop),
    .drained_o       (drained),
    .trap_valid_o    (unused_valid),
    .trap_o          (unused_trap),
    .trap_sm_o       (unused_sm)
  );

  // Nothing here writes back.
  l2_pkg::flush_t              unused_flush;
  logic [mmu_pkg::ROOT_W-1:0]  unused_root;
  mmu_pkg::do_t                unused_do;
  core_pkg::wipe_t             wipe;
  logic [1:0]                  unused_ask_valid, unused_forgotten;
  mmu_pkg::ask_t [1:0]         unused_ask;
  logic                        unused_quiet;
  // The memory system behind the channel, with an L1 in C, is reset by the SM's reset alone.
  gpu_host #(.STRAPS(STRAPS), .WARM(1'b0)) u_host (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .axil_i               (axil_req),
    .axil_o               (axil_rsp),
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
    .drained_i            (drained),
    .flush_o              (unused_flush),
    .flushed_i            ('{flushed: 1'b1, default: '0}),
    .ct_refuse_i          (ct_refuse),
    .is_trap_valid_i      (is_trap_valid),
    .is_trap_i            (is_trap),
    .trap_sm_i            (1'b0),
    .is_cnt_index_o       (is_cnt_index),
    .is_cnt_cache_o       (is_cnt_cache),
    .is_cnt_i             (is_cnt),
    .ct_blk_i             (blk),
    // No mmu, and no bus: it is always quiet.
    .root_o               (unused_root),
    .mu_do_o              (unused_do),
    .mu_taken_i           (1'b0),
    .mu_did_i             ('0),
    .mu_idle_i            (1'b1),
    .bk_axi_i             ('0),
    .bk_axi_o             (unused_rsp),
    .axi_o                (unused_req),
    .axi_i                ('0)
  );

  sm #(.STRAPS(STRAPS)) u_sm (
    .clk_i                 (clk_i),
    .rst_ni                (sm_rst_n),
    .wipe_i                (wipe),
    .sm_i                  (8'd0),
    .sms_i                 (9'd1),
    .launch_i              (launch),
    .clock_i               (clock),
    .region_index_o        (region_index),
    .region_base_i         (region_base),
    .region_limit_i        (region_limit),
    .go_i                  (go),
    .busy_o                (busy),
    .grid_done_o           (ct_done),
    .ct_refuse_o           (sm_refuse),
    .ct_begin_o            (ct_begin),
    .ct_ask_o              (ct_ask),
    .gb_valid_i            (gb_valid),
    .gb_ctaid_i            (gb_ctaid),
    .gb_over_i             (gb_over),
    .ct_take_o             (ct_take),
    .gpu_halt_i            (gpu_halt),
    .is_halt_o             (is_halt),
    .is_drained_o          (is_drained),
    .is_trap_valid_o       (is_trap_valid),
    .is_trap_o             (is_trap),
    .trap_won_i            (won),
    .is_cnt_index_i        (is_cnt_index),
    .is_cnt_cache_i        (is_cnt_cache),
    .is_cnt_o              (is_cnt),
    .ct_blk_o              (blk),
    .ch_o                  (sent),
    .note_o                (note),
    .ch_i                  (got),
    .tl_ask_valid_o        (unused_ask_valid),
    .mu_ask_ready_i        ('0),
    .tl_ask_o              (unused_ask),
    .mu_answer_valid_i     ('0),
    .mu_answer_i           ('0),
    .mu_news_i             ('0),
    .tl_forgotten_o        (unused_forgotten),
    .tl_quiet_o            (unused_quiet),
    .ret_ready_i           (ret_ready_q),
    .ret_valid_o           (ret_valid),
    .ret_o                 (ret)
  );
  assign ret_sm_o   = retire_pkg::sm_of(ret_valid, ret, 8'd0);
  assign ret_bank_o = '0;

  line_plain u_plain (
    .ch_i         (sent),
    .note_i       (note),
    .ch_o         (got),
    .lw_valid_o   (lw_valid_o),
    .lw_atom_o    (lw_atom_o),
    .lw_lane_o    (lw_lane_o),
    .lw_place_o   (lw_place_o),
    .lw_piece_o   (lw_piece_o),
    .lw_beat_o    (lw_beat_o),
    .lw_strb_o    (lw_strb_o),
    .lw_data_o    (lw_data_o),
    .lq_valid_o   (lq_valid_o),
    .lq_sm_o      (lq_sm_o),
    .lq_tag_o     (lq_tag_o),
    .lq_kind_o    (lq_kind_o),
    .lq_scope_o   (lq_scope_o),
    .lq_line_o    (lq_line_o),
    .lq_sectors_o (lq_sectors_o),
    .lq_op_o      (lq_op_o),
    .lq_wide_o    (lq_wide_o),
    .lq_gives_o   (lq_gives_o),
    .lq_slot_o    (lq_slot_o),
    .lq_gen_o     (lq_gen_o),
    .lq_seq_o     (lq_seq_o),
    .lq_lanes_o   (lq_lanes_o),
    .lq_at_o      (lq_at_o),
    .lq_local_o   (lq_local_o),
    .lq_word_o    (lq_word_o),
    .lc_valid_i   (lc_valid_i),
    .lc_atom_i    (lc_atom_i),
    .ld_valid_i   (ld_valid_i),
    .ld_tag_i     (ld_tag_i),
    .ld_beat_i    (ld_beat_i),
    .ld_data_i    (ld_data_i),
    .la_valid_i   (la_valid_i),
    .la_ready_o   (la_ready_o),
    .la_tag_i     (la_tag_i),
    .la_done_i    (la_done_i),
    .la_err_i     (la_err_i),
    .la_lane_i    (la_lane_i),
    .la_old_i     (la_old_i)
  );

  assign sm_rst_no = sm_rst_n;

  // The control unit follows go and grid_done; it needs no busy.
  logic unused;
  assign unused = &{1'b0, busy, unused_req, unused_rsp};

endmodule
