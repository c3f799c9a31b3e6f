// SPDX-License-Identifier: Apache-2.0
// The host's side of the core without the core: its registers, start and abort (gpu_host), and a grid that runs nothing and ends
// GRID cycles after it began.
// Latency: that of gpu_host. Handshake: AXI4-Lite.
// It touches no memory and knows no trap.
`default_nettype none

module registers_only #(
  parameter  int unsigned GRID = 1000,
  localparam int unsigned SMS  = cfg_pkg::SMS
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic [11:0] s_axil_awaddr_i,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  input  logic [31:0] s_axil_wdata_i,
  input  logic [3:0]  s_axil_wstrb_i,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  output logic [1:0]  s_axil_bresp_o,
  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  input  logic [11:0] s_axil_araddr_i,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,
  output logic [31:0] s_axil_rdata_o,
  output logic [1:0]  s_axil_rresp_o
);

  logic              sm_rst_n, go, run_q;
  logic [63:0]       clock;
  logic              flush;
  // What an SM and memory would hear.
  core_pkg::launch_t    launch;
  logic [SMS-1:0][39:0] base;
  logic [SMS-1:0][40:0] limit;
  logic [3:0]           cnt_index;
  logic                 cnt_cache, awready, wready, arready, awvalid, wvalid, arvalid, unused;
  assign unused = ^{launch, base, limit, cnt_index, cnt_cache, awready, wready, arready, awvalid, wvalid, arvalid};

  always_ff @(posedge clk_i) begin
    if (!sm_rst_n) run_q <= 1'b0;
    else if (go)   run_q <= 1'b1;
  end

  gpu_host u_host (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_axil_awvalid_i(s_axil_awvalid_i), .s_axil_awready_o(s_axil_awready_o), .s_axil_awaddr_i(s_axil_awaddr_i),
    .s_axil_wvalid_i(s_axil_wvalid_i), .s_axil_wready_o(s_axil_wready_o), .s_axil_wdata_i(s_axil_wdata_i),
    .s_axil_wstrb_i(s_axil_wstrb_i), .s_axil_bvalid_o(s_axil_bvalid_o), .s_axil_bready_i(s_axil_bready_i),
    .s_axil_bresp_o(s_axil_bresp_o), .s_axil_arvalid_i(s_axil_arvalid_i), .s_axil_arready_o(s_axil_arready_o),
    .s_axil_araddr_i(s_axil_araddr_i), .s_axil_rvalid_o(s_axil_rvalid_o), .s_axil_rready_i(s_axil_rready_i),
    .s_axil_rdata_o(s_axil_rdata_o), .s_axil_rresp_o(s_axil_rresp_o),
    .sm_rst_no       (sm_rst_n),
    .region_index_i  ('0),
    .region_base_o   (base),
    .region_limit_o  (limit),
    .launch_o        (launch),
    .go_o            (go),
    .grid_done_i     (run_q && clock >= 64'(GRID)),
    .ct_refuse_i     ('0),
    .clock_o         (clock),
    .is_trap_valid_i (1'b0),
    .is_trap_i       ('0),
    .trap_sm_i       ('0),
    .is_cnt_index_o  (cnt_index),
    .is_cnt_cache_o  (cnt_cache),
    .is_cnt_i        ('0),
    .ct_blk_i             ('0),
    .flush_o         (flush),
    .flushed_i       (flush),
    .dirty_i         (1'b0),
    .lost_i          (1'b0),
    .lost_line_i     ('0),
    .sm_awvalid_i(1'b0), .sm_awready_o(awready), .sm_wvalid_i(1'b0), .sm_wready_o(wready), .sm_wlast_i(1'b0), .sm_bready_i(1'b1),
    .sm_arvalid_i(1'b0), .sm_arready_o(arready), .sm_rready_i(1'b1),
    .m_axi_awvalid_o(awvalid), .m_axi_awready_i(1'b0), .m_axi_wvalid_o(wvalid), .m_axi_wready_i(1'b0), .m_axi_bvalid_i(1'b0),
    .m_axi_arvalid_o(arvalid), .m_axi_arready_i(1'b0), .m_axi_rvalid_i(1'b0), .m_axi_rlast_i(1'b0)
  );

endmodule

`default_nettype wire
