// SPDX-License-Identifier: Apache-2.0
// The core, and beside it what feeds the trace: the stream of what it retires (fpga/board/stream), digests of it
// (fpga/board/digest), or nothing.
// Latency: none of its own. Handshake: AXI4-Lite and AXI4 as heddle_gpu has them, st_ as the link takes it. While
// st_on_i is 0 what feeds the trace is in reset, and the core waits for nothing.
// The retire port ends here. It does not know what the bytes of the trace mean.
`default_nettype none
`include "heddle_assert.svh"

module board_core #(
  parameter link_pkg::feed_e FEED   = link_pkg::FEED_STREAM,
  localparam int unsigned    ID_W   = l2_pkg::AXI_ID_W,
  localparam int unsigned    BITS   = cfg_pkg::AXI_BITS
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the link
  input  logic               st_on_i,
  input  logic               st_drop_i,
  // to the link
  output logic               st_valid_o,
  input  logic               st_ready_i,
  output logic [7:0]         st_data_o,
  output logic               st_lost_o,
  // from and to the host
  input  logic               s_axil_awvalid_i,
  output logic               s_axil_awready_o,
  input  logic [11:0]        s_axil_awaddr_i,
  input  logic               s_axil_wvalid_i,
  output logic               s_axil_wready_o,
  input  logic [31:0]        s_axil_wdata_i,
  input  logic [3:0]         s_axil_wstrb_i,
  output logic               s_axil_bvalid_o,
  input  logic               s_axil_bready_i,
  output logic [1:0]         s_axil_bresp_o,
  input  logic               s_axil_arvalid_i,
  output logic               s_axil_arready_o,
  input  logic [11:0]        s_axil_araddr_i,
  output logic               s_axil_rvalid_o,
  input  logic               s_axil_rready_i,
  output logic [31:0]        s_axil_rdata_o,
  output logic [1:0]         s_axil_rresp_o,
  // from and to memory
  output logic               m_axi_awvalid_o,
  input  logic               m_axi_awready_i,
  output logic [ID_W-1:0]    m_axi_awid_o,
  output logic [39:0]        m_axi_awaddr_o,
  output logic [7:0]         m_axi_awlen_o,
  output logic [2:0]         m_axi_awsize_o,
  output logic [1:0]         m_axi_awburst_o,
  output logic               m_axi_wvalid_o,
  input  logic               m_axi_wready_i,
  output logic [BITS-1:0]    m_axi_wdata_o,
  output logic [BITS/8-1:0]  m_axi_wstrb_o,
  output logic               m_axi_wlast_o,
  input  logic               m_axi_bvalid_i,
  output logic               m_axi_bready_o,
  input  logic [ID_W-1:0]    m_axi_bid_i,
  input  logic [1:0]         m_axi_bresp_i,
  output logic               m_axi_arvalid_o,
  input  logic               m_axi_arready_i,
  output logic [ID_W-1:0]    m_axi_arid_o,
  output logic [39:0]        m_axi_araddr_o,
  output logic [7:0]         m_axi_arlen_o,
  output logic [2:0]         m_axi_arsize_o,
  output logic [1:0]         m_axi_arburst_o,
  input  logic               m_axi_rvalid_i,
  output logic               m_axi_rready_o,
  input  logic [ID_W-1:0]    m_axi_rid_i,
  input  logic [BITS-1:0]    m_axi_rdata_i,
  input  logic [1:0]         m_axi_rresp_i,
  input  logic               m_axi_rlast_i
);

  localparam int unsigned SMS   = cfg_pkg::SMS;
  localparam int unsigned BANKS = line_pkg::MEM_BANKS;

  // ---- the retire port -------------------------------------------------------------------------------
  logic                                                  ret_ready;
  retire_pkg::sm_t [SMS-1:0]                             ret_sm;
  retire_pkg::bank_t [BANKS-1:0]                         ret_bank;
  // requests to the point of order
  logic [SMS-1:0]                                        rq_valid;
  line_pkg::seen_t [SMS-1:0]                             rq;

  heddle_gpu u_gpu (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_axil_awvalid_i    (s_axil_awvalid_i),
    .s_axil_awready_o    (s_axil_awready_o),
    .s_axil_awaddr_i     (s_axil_awaddr_i),
    .s_axil_wvalid_i     (s_axil_wvalid_i),
    .s_axil_wready_o     (s_axil_wready_o),
    .s_axil_wdata_i      (s_axil_wdata_i),
    .s_axil_wstrb_i      (s_axil_wstrb_i),
    .s_axil_bvalid_o     (s_axil_bvalid_o),
    .s_axil_bready_i     (s_axil_bready_i),
    .s_axil_bresp_o      (s_axil_bresp_o),
    .s_axil_arvalid_i    (s_axil_arvalid_i),
    .s_axil_arready_o    (s_axil_arready_o),
    .s_axil_araddr_i     (s_axil_araddr_i),
    .s_axil_rvalid_o     (s_axil_rvalid_o),
    .s_axil_rready_i     (s_axil_rready_i),
    .s_axil_rdata_o      (s_axil_rdata_o),
    .s_axil_rresp_o      (s_axil_rresp_o),
    .m_axi_awvalid_o     (m_axi_awvalid_o),
    .m_axi_awready_i     (m_axi_awready_i),
    .m_axi_awid_o        (m_axi_awid_o),
    .m_axi_awaddr_o      (m_axi_awaddr_o),
    .m_axi_awlen_o       (m_axi_awlen_o),
    .m_axi_awsize_o      (m_axi_awsize_o),
    .m_axi_awburst_o     (m_axi_awburst_o),
    .m_axi_wvalid_o      (m_axi_wvalid_o),
    .m_axi_wready_i      (m_axi_wready_i),
    .m_axi_wdata_o       (m_axi_wdata_o),
    .m_axi_wstrb_o       (m_axi_wstrb_o),
    .m_axi_wlast_o       (m_axi_wlast_o),
    .m_axi_bvalid_i      (m_axi_bvalid_i),
    .m_axi_bready_o      (m_axi_bready_o),
    .m_axi_bid_i         (m_axi_bid_i),
    .m_axi_bresp_i       (m_axi_bresp_i),
    .m_axi_arvalid_o     (m_axi_arvalid_o),
    .m_axi_arready_i     (m_axi_arready_i),
    .m_axi_arid_o        (m_axi_arid_o),
    .m_axi_araddr_o      (m_axi_araddr_o),
    .m_axi_arlen_o       (m_axi_arlen_o),
    .m_axi_arsize_o      (m_axi_arsize_o),
    .m_axi_arburst_o     (m_axi_arburst_o),
    .m_axi_rvalid_i      (m_axi_rvalid_i),
    .m_axi_rready_o      (m_axi_rready_o),
    .m_axi_rid_i         (m_axi_rid_i),
    .m_axi_rdata_i       (m_axi_rdata_i),
    .m_axi_rresp_i       (m_axi_rresp_i),
    .m_axi_rlast_i       (m_axi_rlast_i),
    .ret_ready_i                 (ret_ready),
    .ret_sm_o                    (ret_sm),
    .ret_bank_o                  (ret_bank),
    .rq_valid_o                  (rq_valid),
    .rq_o                        (rq)
  );

  // ---- what feeds the trace ---------------------------------------------------------------------------
  if (FEED == link_pkg::FEED_STREAM || FEED == link_pkg::FEED_DIGEST) begin : gen_fed
    logic start, over, on;

    assign on = rst_ni && st_on_i;

    stream_launch u_launch (
      .clk_i(clk_i), .rst_ni(on),
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

    if (FEED == link_pkg::FEED_DIGEST) begin : gen_digest
      retire_digest u_digest (
        .clk_i(clk_i), .rst_ni(on),
        .start_i                     (start),
        .end_i                       (over),
        .drop_i                      (st_drop_i),
        .ret_ready_o                 (ret_ready),
        .ret_sm_i                    (ret_sm[0]),
        .rq_valid_i                  (rq_valid[0]),
        .rq_i                        (rq[0]),
        .st_valid_o                  (st_valid_o),
        .st_ready_i                  (st_ready_i),
        .st_data_o                   (st_data_o),
        .st_lost_o                   (st_lost_o)
      );

      // Accesses are told by their requests.
      logic unused;
      assign unused = ^ret_bank;
    end else begin : gen_stream
      logic [63:0] cycle_q;   // as the stream counts
      logic        unused;    // the stream has the order of memory in its records
      assign unused = ^{rq_valid, rq};

      retire_stream u_stream (
        .clk_i(clk_i), .rst_ni(on),
        .start_i                     (start),
        .end_i                       (over),
        .drop_i                      (st_drop_i),
        .ret_ready_o                 (ret_ready),
        .ret_sm_i                    (ret_sm[0]),
        .ret_bank_i                  (ret_bank[0]),
        .st_valid_o                  (st_valid_o),
        .st_ready_i                  (st_ready_i),
        .st_data_o                   (st_data_o),
        .st_lost_o                   (st_lost_o)
      );

      // The clock that a kernel reads is behind the stream's cycles, always by as much (docs/stream-format.md). Told only
      // of a launch whose start was seen.
      logic seen_q;
      always_ff @(posedge clk_i) begin
        seen_q  <= on && (start || seen_q);
        cycle_q <= start ? 64'd0 : cycle_q + 64'd1;
      end
      `ASSERT_IF(a_clock, seen_q && ret_sm[0].valid.front[0].issue,
                 ret_sm[0].ret.front[0].issue.clock + 64'(stream_pkg::CLOCK_BEHIND) == cycle_q)
    end
  end else begin : gen_silent
    logic unused;

    assign ret_ready  = 1'b1;
    assign st_valid_o = 1'b0;
    assign st_data_o  = '0;
    assign st_lost_o  = 1'b0;
    assign unused = ^{st_on_i, st_drop_i, st_ready_i, ret_sm, ret_bank, rq_valid, rq};
  end

endmodule

`default_nettype wire
