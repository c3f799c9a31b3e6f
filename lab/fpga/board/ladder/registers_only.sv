// SPDX-License-Identifier: Apache-2.0
// The host's side of the core without the core: its registers, start and abort (gpu_host), and a grid that runs nothing and ends
// GRID cycles after it began.
// Latency: that of gpu_host. Handshake: AXI4-Lite.
// It touches no memory and has no trap.
module registers_only #(
  parameter  int unsigned GRID = 1000,
  localparam int unsigned SMS  = cfg_pkg::SMS
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o
);

  logic              sm_rst_n, go, run_q;
  logic [63:0]       clock;
  logic              stop, irq;
  l2_pkg::flush_t    flush;
  // Outputs to an SM and memory.
  core_pkg::launch_t    launch;
  logic [SMS-1:0][39:0] base;
  logic [SMS-1:0][40:0] limit;
  logic [3:0]           cnt_index;
  logic                 cnt_cache, unused;
  axi_pkg::axi_rsp_t    bk_axi;
  axi_pkg::axi_req_t    axi;
  mmu_pkg::do_t         mu_do;
  core_pkg::wipe_t      wipe;
  logic [mmu_pkg::ROOT_W-1:0] root;
  assign unused = ^{irq, flush, launch, base, limit, cnt_index, cnt_cache, bk_axi, axi, root, mu_do, wipe};

  always_ff @(posedge clk_i) begin
    if (!sm_rst_n) run_q <= 1'b0;
    else if (go)   run_q <= 1'b1;
  end

  gpu_host u_host (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .axil_i          (axil_i),
    .axil_o          (axil_o),
    .irq_o           (irq),
    .sm_rst_no       (sm_rst_n),
    .region_index_i  ('0),
    .region_base_o   (base),
    .region_limit_o  (limit),
    .launch_o        (launch),
    .wipe_o          (wipe),
    .go_o            (go),
    .grid_done_i     (run_q && clock >= 64'(GRID)),
    .stop_o          (stop),
    .drained_i       (stop),
    .ct_refuse_i     ('0),
    .clock_o         (clock),
    .is_trap_valid_i (1'b0),
    .is_trap_i       ('0),
    .trap_sm_i       ('0),
    .is_cnt_index_o  (cnt_index),
    .is_cnt_cache_o  (cnt_cache),
    .is_cnt_i        ('0),
    .ct_blk_i        ('0),
    .flush_o         (flush),
    .flushed_i       ('{flushed: flush.valid, default: '0}),
    .root_o          (root),
    .mu_do_o         (mu_do),
    .mu_taken_i      (1'b0),
    .mu_did_i        ('0),
    .mu_idle_i       (1'b1),
    .bk_axi_i        ('0),
    .bk_axi_o        (bk_axi),
    .axi_o           (axi),
    .axi_i           ('0)
  );

endmodule
