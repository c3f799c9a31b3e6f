// SPDX-License-Identifier: Apache-2.0
// heddle_gpu and beside it what a board sends of it: the retire port as a stream of bytes (fpga/board/stream), or digests of
// it (fpga/board/digest). The port itself comes out too, so that one run is judged live and leaves its stream.
// Latency: none of its own. Handshake: as heddle_gpu, and st_ of retire_stream or retire_digest. Issue is stopped by either, the
// stream or ret_ready_i.
// Simulation only: a board leaves the port inside.
`default_nettype none
`include "heddle_assert.svh"

module heddle_gpu_stream #(
  parameter bit           STRAPS   = 1'b0,   // 1: all scheduling policies, both divergence units, MODE chooses; 0: the configuration's
  parameter bit           DIGEST   = 1'b0,   // 1: digests; 0: the stream
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS,
  localparam int unsigned AXI_ID_W = l2_pkg::AXI_ID_W,
  localparam int unsigned SMS      = cfg_pkg::SMS,
  localparam int unsigned BANKS    = line_pkg::MEM_BANKS
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
  // from and to memory
  output logic                              m_axi_awvalid_o,
  input  logic                              m_axi_awready_i,
  output logic [AXI_ID_W-1:0]               m_axi_awid_o,
  output logic [39:0]                       m_axi_awaddr_o,
  output logic [7:0]                        m_axi_awlen_o,
  output logic [2:0]                        m_axi_awsize_o,
  output logic [1:0]                        m_axi_awburst_o,
  output logic                              m_axi_wvalid_o,
  input  logic                              m_axi_wready_i,
  output logic [AXI_BITS-1:0]               m_axi_wdata_o,
  output logic [AXI_BITS/8-1:0]             m_axi_wstrb_o,
  output logic                              m_axi_wlast_o,
  input  logic                              m_axi_bvalid_i,
  output logic                              m_axi_bready_o,
  input  logic [AXI_ID_W-1:0]               m_axi_bid_i,
  input  logic [1:0]                        m_axi_bresp_i,
  output logic                              m_axi_arvalid_o,
  input  logic                              m_axi_arready_i,
  output logic [AXI_ID_W-1:0]               m_axi_arid_o,
  output logic [39:0]                       m_axi_araddr_o,
  output logic [7:0]                        m_axi_arlen_o,
  output logic [2:0]                        m_axi_arsize_o,
  output logic [1:0]                        m_axi_arburst_o,
  input  logic                              m_axi_rvalid_i,
  output logic                              m_axi_rready_o,
  input  logic [AXI_ID_W-1:0]               m_axi_rid_i,
  input  logic [AXI_BITS-1:0]               m_axi_rdata_i,
  input  logic [1:0]                        m_axi_rresp_i,
  input  logic                              m_axi_rlast_i,
  // retire port (rtl/README.md); ret_ready_i = 0 stops issue
  input  logic                              ret_ready_i,
  output retire_pkg::sm_t [SMS-1:0]         ret_sm_o,
  output retire_pkg::bank_t [BANKS-1:0]     ret_bank_o,
  // the stream: drop_i 1: nothing waits for it
  input  logic                              drop_i,
  output logic                              st_valid_o,
  input  logic                              st_ready_i,
  output logic [7:0]                        st_data_o,
  output logic                              st_lost_o
);

  logic                        start, over, st_ready;
  logic [SMS-1:0]              rq_valid;
  line_pkg::seen_t [SMS-1:0]   rq;

  heddle_gpu #(.STRAPS(STRAPS)) u_gpu (
    .clk_i                       (clk_i),
    .rst_ni                      (rst_ni),
    .s_axil_awvalid_i            (s_axil_awvalid_i),
    .s_axil_awready_o            (s_axil_awready_o),
    .s_axil_awaddr_i             (s_axil_awaddr_i),
    .s_axil_wvalid_i             (s_axil_wvalid_i),
    .s_axil_wready_o             (s_axil_wready_o),
    .s_axil_wdata_i              (s_axil_wdata_i),
    .s_axil_wstrb_i              (s_axil_wstrb_i),
    .s_axil_bvalid_o             (s_axil_bvalid_o),
    .s_axil_bready_i             (s_axil_bready_i),
    .s_axil_bresp_o              (s_axil_bresp_o),
    .s_axil_arvalid_i            (s_axil_arvalid_i),
    .s_axil_arready_o            (s_axil_arready_o),
    .s_axil_araddr_i             (s_axil_araddr_i),
    .s_axil_rvalid_o             (s_axil_rvalid_o),
    .s_axil_rready_i             (s_axil_rready_i),
    .s_axil_rdata_o              (s_axil_rdata_o),
    .s_axil_rresp_o              (s_axil_rresp_o),
    .m_axi_awvalid_o             (m_axi_awvalid_o),
    .m_axi_awready_i             (m_axi_awready_i),
    .m_axi_awid_o                (m_axi_awid_o),
    .m_axi_awaddr_o              (m_axi_awaddr_o),
    .m_axi_awlen_o               (m_axi_awlen_o),
    .m_axi_awsize_o              (m_axi_awsize_o),
    .m_axi_awburst_o             (m_axi_awburst_o),
    .m_axi_wvalid_o              (m_axi_wvalid_o),
    .m_axi_wready_i              (m_axi_wready_i),
    .m_axi_wdata_o               (m_axi_wdata_o),
    .m_axi_wstrb_o               (m_axi_wstrb_o),
    .m_axi_wlast_o               (m_axi_wlast_o),
    .m_axi_bvalid_i              (m_axi_bvalid_i),
    .m_axi_bready_o              (m_axi_bready_o),
    .m_axi_bid_i                 (m_axi_bid_i),
    .m_axi_bresp_i               (m_axi_bresp_i),
    .m_axi_arvalid_o             (m_axi_arvalid_o),
    .m_axi_arready_i             (m_axi_arready_i),
    .m_axi_arid_o                (m_axi_arid_o),
    .m_axi_araddr_o              (m_axi_araddr_o),
    .m_axi_arlen_o               (m_axi_arlen_o),
    .m_axi_arsize_o              (m_axi_arsize_o),
    .m_axi_arburst_o             (m_axi_arburst_o),
    .m_axi_rvalid_i              (m_axi_rvalid_i),
    .m_axi_rready_o              (m_axi_rready_o),
    .m_axi_rid_i                 (m_axi_rid_i),
    .m_axi_rdata_i               (m_axi_rdata_i),
    .m_axi_rresp_i               (m_axi_rresp_i),
    .m_axi_rlast_i               (m_axi_rlast_i),
    .ret_ready_i                 (ret_ready_i && st_ready),
    .ret_sm_o                    (ret_sm_o),
    .ret_bank_o                  (ret_bank_o),
    .rq_valid_o                  (rq_valid),
    .rq_o                        (rq)
  );

  stream_launch u_launch (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .awvalid_i (s_axil_awvalid_i),
    .awready_i (s_axil_awready_o),
    .awaddr_i  (s_axil_awaddr_i),
    .wvalid_i  (s_axil_wvalid_i),
    .wready_i  (s_axil_wready_o),
    .wdata_i   (s_axil_wdata_i),
    .wstrb_i   (s_axil_wstrb_i),
    .arvalid_i (s_axil_arvalid_i),
    .arready_i (s_axil_arready_o),
    .araddr_i  (s_axil_araddr_i),
    .rvalid_i  (s_axil_rvalid_o),
    .rready_i  (s_axil_rready_i),
    .rdata_i   (s_axil_rdata_o),
    .start_o   (start),
    .end_o     (over)
  );

  if (DIGEST) begin : gen_digest
    retire_digest u_digest (
      .clk_i                      (clk_i),
      .rst_ni                     (rst_ni),
      .start_i                    (start),
      .end_i                      (over),
      .drop_i                     (drop_i),
      .ret_ready_o                (st_ready),
      .ret_sm_i                   (ret_sm_o[0]),
      .rq_valid_i                  (rq_valid[0]),
      .rq_i                        (rq[0]),
      .st_valid_o                  (st_valid_o),
      .st_ready_i                  (st_ready_i),
      .st_data_o                   (st_data_o),
      .st_lost_o                   (st_lost_o)
    );
  end else begin : gen_stream
    logic [63:0] cycle_q;   // as the stream counts
    always_ff @(posedge clk_i) cycle_q <= start ? 64'd0 : cycle_q + 64'd1;

    // The clock that a kernel reads is behind the stream's cycles, always by as much: so the host knows it without being told.
    `ASSERT_IF(a_clock, ret_sm_o[0].valid.front[0].issue,
               ret_sm_o[0].ret.front[0].issue.clock + 64'(stream_pkg::CLOCK_BEHIND) == cycle_q)

    // The stream has the order of memory in its records.
    logic unused;
    assign unused = ^{rq_valid, rq};

    retire_stream u_stream (
      .clk_i                      (clk_i),
      .rst_ni                     (rst_ni),
      .start_i                    (start),
      .end_i                      (over),
      .drop_i                     (drop_i),
      .ret_ready_o                (st_ready),
      .ret_sm_i                   (ret_sm_o[0]),
      .ret_bank_i                 (ret_bank_o[0]),
      .st_valid_o                  (st_valid_o),
      .st_ready_i                  (st_ready_i),
      .st_data_o                   (st_data_o),
      .st_lost_o                   (st_lost_o)
    );
  end

endmodule

`default_nettype wire
