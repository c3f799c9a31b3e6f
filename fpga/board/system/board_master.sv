// SPDX-License-Identifier: Apache-2.0
// What answers the host's registers and is the second master of memory: the core, or what stands in its place.
// CORE 2: heddle_gpu of the configuration; 1: its registers alone; 0 with MEMORY: march_test; 0 without: nothing.
// FEED: what feeds the trace channel of the link beside the core (link_pkg; board_core). Others feed nothing.
// Latency: none of its own. Handshake: AXI4-Lite, AXI4, that of the trace.
`default_nettype none

module board_master #(
  parameter int unsigned CORE     = 2,
  parameter bit          MEMORY   = 1'b1,
  parameter link_pkg::feed_e FEED = link_pkg::FEED_NONE,
  parameter logic [39:0] BASE     = 40'h4000_0000,
  parameter logic [39:0] BYTES    = 40'h200_0000
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // trace, from and to the link
  input  logic                          st_on_i,
  input  logic                          st_drop_i,
  output logic                          st_valid_o,
  input  logic                          st_ready_i,
  output logic [7:0]                    st_data_o,
  output logic                          st_lost_o,
  // host registers, from the link
  input  logic                          s_axil_awvalid_i,
  output logic                          s_axil_awready_o,
  input  logic [11:0]                   s_axil_awaddr_i,
  input  logic                          s_axil_wvalid_i,
  output logic                          s_axil_wready_o,
  input  logic [31:0]                   s_axil_wdata_i,
  input  logic [3:0]                    s_axil_wstrb_i,
  output logic                          s_axil_bvalid_o,
  input  logic                          s_axil_bready_i,
  output logic [1:0]                    s_axil_bresp_o,
  input  logic                          s_axil_arvalid_i,
  output logic                          s_axil_arready_o,
  input  logic [11:0]                   s_axil_araddr_i,
  output logic                          s_axil_rvalid_o,
  input  logic                          s_axil_rready_i,
  output logic [31:0]                   s_axil_rdata_o,
  output logic [1:0]                    s_axil_rresp_o,
  // to memory
  output logic                          m_axi_awvalid_o,
  input  logic                          m_axi_awready_i,
  output logic [l2_pkg::AXI_ID_W-1:0]   m_axi_awid_o,
  output logic [39:0]                   m_axi_awaddr_o,
  output logic [7:0]                    m_axi_awlen_o,
  output logic [2:0]                    m_axi_awsize_o,
  output logic [1:0]                    m_axi_awburst_o,
  output logic                          m_axi_wvalid_o,
  input  logic                          m_axi_wready_i,
  output logic [63:0]                   m_axi_wdata_o,
  output logic [7:0]                    m_axi_wstrb_o,
  output logic                          m_axi_wlast_o,
  input  logic                          m_axi_bvalid_i,
  output logic                          m_axi_bready_o,
  input  logic [l2_pkg::AXI_ID_W-1:0]   m_axi_bid_i,
  input  logic [1:0]                    m_axi_bresp_i,
  output logic                          m_axi_arvalid_o,
  input  logic                          m_axi_arready_i,
  output logic [l2_pkg::AXI_ID_W-1:0]   m_axi_arid_o,
  output logic [39:0]                   m_axi_araddr_o,
  output logic [7:0]                    m_axi_arlen_o,
  output logic [2:0]                    m_axi_arsize_o,
  output logic [1:0]                    m_axi_arburst_o,
  input  logic                          m_axi_rvalid_i,
  output logic                          m_axi_rready_o,
  input  logic [l2_pkg::AXI_ID_W-1:0]   m_axi_rid_i,
  input  logic [63:0]                   m_axi_rdata_i,
  input  logic [1:0]                    m_axi_rresp_i,
  input  logic                          m_axi_rlast_i
);

  if (CORE != 2) begin : gen_no_feed
    logic unused;

    assign {st_valid_o, st_data_o, st_lost_o} = '0;
    assign unused = ^{st_on_i, st_drop_i, st_ready_i};
  end

  if (CORE == 2) begin : gen_core
    board_core #(.FEED(FEED)) u_core (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .st_on_i    (st_on_i),
      .st_drop_i  (st_drop_i),
      .st_valid_o (st_valid_o),
      .st_ready_i (st_ready_i),
      .st_data_o  (st_data_o),
      .st_lost_o  (st_lost_o),
      .s_axil_awvalid_i   (s_axil_awvalid_i),
      .s_axil_awready_o   (s_axil_awready_o),
      .s_axil_awaddr_i    (s_axil_awaddr_i),
      .s_axil_wvalid_i    (s_axil_wvalid_i),
      .s_axil_wready_o    (s_axil_wready_o),
      .s_axil_wdata_i     (s_axil_wdata_i),
      .s_axil_wstrb_i     (s_axil_wstrb_i),
      .s_axil_bvalid_o    (s_axil_bvalid_o),
      .s_axil_bready_i    (s_axil_bready_i),
      .s_axil_bresp_o     (s_axil_bresp_o),
      .s_axil_arvalid_i   (s_axil_arvalid_i),
      .s_axil_arready_o   (s_axil_arready_o),
      .s_axil_araddr_i    (s_axil_araddr_i),
      .s_axil_rvalid_o    (s_axil_rvalid_o),
      .s_axil_rready_i    (s_axil_rready_i),
      .s_axil_rdata_o     (s_axil_rdata_o),
      .s_axil_rresp_o     (s_axil_rresp_o),
      .m_axi_awvalid_o    (m_axi_awvalid_o),
      .m_axi_awready_i    (m_axi_awready_i),
      .m_axi_awid_o       (m_axi_awid_o),
      .m_axi_awaddr_o     (m_axi_awaddr_o),
      .m_axi_awlen_o      (m_axi_awlen_o),
      .m_axi_awsize_o     (m_axi_awsize_o),
      .m_axi_awburst_o    (m_axi_awburst_o),
      .m_axi_wvalid_o     (m_axi_wvalid_o),
      .m_axi_wready_i     (m_axi_wready_i),
      .m_axi_wdata_o      (m_axi_wdata_o),
      .m_axi_wstrb_o      (m_axi_wstrb_o),
      .m_axi_wlast_o      (m_axi_wlast_o),
      .m_axi_bvalid_i     (m_axi_bvalid_i),
      .m_axi_bready_o     (m_axi_bready_o),
      .m_axi_bid_i        (m_axi_bid_i),
      .m_axi_bresp_i      (m_axi_bresp_i),
      .m_axi_arvalid_o    (m_axi_arvalid_o),
      .m_axi_arready_i    (m_axi_arready_i),
      .m_axi_arid_o       (m_axi_arid_o),
      .m_axi_araddr_o     (m_axi_araddr_o),
      .m_axi_arlen_o      (m_axi_arlen_o),
      .m_axi_arsize_o     (m_axi_arsize_o),
      .m_axi_arburst_o    (m_axi_arburst_o),
      .m_axi_rvalid_i     (m_axi_rvalid_i),
      .m_axi_rready_o     (m_axi_rready_o),
      .m_axi_rid_i        (m_axi_rid_i),
      .m_axi_rdata_i      (m_axi_rdata_i),
      .m_axi_rresp_i      (m_axi_rresp_i),
      .m_axi_rlast_i      (m_axi_rlast_i)
    );
  end else if (CORE == 1) begin : gen_registers
    logic unused;

    registers_only u_registers (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .s_axil_awvalid_i   (s_axil_awvalid_i),
      .s_axil_awready_o   (s_axil_awready_o),
      .s_axil_awaddr_i    (s_axil_awaddr_i),
      .s_axil_wvalid_i    (s_axil_wvalid_i),
      .s_axil_wready_o    (s_axil_wready_o),
      .s_axil_wdata_i     (s_axil_wdata_i),
      .s_axil_wstrb_i     (s_axil_wstrb_i),
      .s_axil_bvalid_o    (s_axil_bvalid_o),
      .s_axil_bready_i    (s_axil_bready_i),
      .s_axil_bresp_o     (s_axil_bresp_o),
      .s_axil_arvalid_i   (s_axil_arvalid_i),
      .s_axil_arready_o   (s_axil_arready_o),
      .s_axil_araddr_i    (s_axil_araddr_i),
      .s_axil_rvalid_o    (s_axil_rvalid_o),
      .s_axil_rready_i    (s_axil_rready_i),
      .s_axil_rdata_o     (s_axil_rdata_o),
      .s_axil_rresp_o     (s_axil_rresp_o)
    );
    assign {m_axi_awvalid_o, m_axi_wvalid_o, m_axi_wlast_o, m_axi_bready_o, m_axi_arvalid_o, m_axi_rready_o} = '0;
    assign {m_axi_awid_o, m_axi_awaddr_o, m_axi_awlen_o, m_axi_awsize_o, m_axi_awburst_o, m_axi_wdata_o, m_axi_wstrb_o} = '0;
    assign {m_axi_arid_o, m_axi_araddr_o, m_axi_arlen_o, m_axi_arsize_o, m_axi_arburst_o} = '0;
    assign unused = ^{m_axi_awready_i, m_axi_wready_i, m_axi_bvalid_i, m_axi_bid_i, m_axi_bresp_i, m_axi_arready_i,
                      m_axi_rvalid_i, m_axi_rid_i, m_axi_rdata_i, m_axi_rresp_i, m_axi_rlast_i};
  end else if (MEMORY) begin : gen_march
    logic unused;

    march_test #(.BASE(BASE), .WORD_W($clog2(BYTES) - 3), .ID_W(l2_pkg::AXI_ID_W)) u_march (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .s_axil_awvalid_i   (s_axil_awvalid_i),
      .s_axil_awready_o   (s_axil_awready_o),
      .s_axil_awaddr_i    (s_axil_awaddr_i),
      .s_axil_wvalid_i    (s_axil_wvalid_i),
      .s_axil_wready_o    (s_axil_wready_o),
      .s_axil_wdata_i     (s_axil_wdata_i),
      .s_axil_bvalid_o    (s_axil_bvalid_o),
      .s_axil_bready_i    (s_axil_bready_i),
      .s_axil_bresp_o     (s_axil_bresp_o),
      .s_axil_arvalid_i   (s_axil_arvalid_i),
      .s_axil_arready_o   (s_axil_arready_o),
      .s_axil_araddr_i    (s_axil_araddr_i),
      .s_axil_rvalid_o    (s_axil_rvalid_o),
      .s_axil_rready_i    (s_axil_rready_i),
      .s_axil_rdata_o     (s_axil_rdata_o),
      .s_axil_rresp_o     (s_axil_rresp_o),
      .m_axi_awvalid_o    (m_axi_awvalid_o),
      .m_axi_awready_i    (m_axi_awready_i),
      .m_axi_awid_o       (m_axi_awid_o),
      .m_axi_awaddr_o     (m_axi_awaddr_o),
      .m_axi_wvalid_o     (m_axi_wvalid_o),
      .m_axi_wready_i     (m_axi_wready_i),
      .m_axi_wdata_o      (m_axi_wdata_o),
      .m_axi_bvalid_i     (m_axi_bvalid_i),
      .m_axi_bready_o     (m_axi_bready_o),
      .m_axi_bresp_i      (m_axi_bresp_i),
      .m_axi_arvalid_o    (m_axi_arvalid_o),
      .m_axi_arready_i    (m_axi_arready_i),
      .m_axi_arid_o       (m_axi_arid_o),
      .m_axi_araddr_o     (m_axi_araddr_o),
      .m_axi_rvalid_i     (m_axi_rvalid_i),
      .m_axi_rready_o     (m_axi_rready_o),
      .m_axi_rdata_i      (m_axi_rdata_i),
      .m_axi_rresp_i      (m_axi_rresp_i)
    );
    assign {m_axi_awlen_o, m_axi_arlen_o}     = '0;
    assign {m_axi_awsize_o, m_axi_arsize_o}   = {3'd3, 3'd3};
    assign {m_axi_awburst_o, m_axi_arburst_o} = {2'd1, 2'd1};
    assign m_axi_wstrb_o = '1;
    assign m_axi_wlast_o = 1'b1;
    assign unused = ^{s_axil_wstrb_i, m_axi_bid_i, m_axi_rid_i, m_axi_rlast_i};
  end else begin : gen_nothing
    logic unused;

    axil_none u_none (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .s_axil_awvalid_i   (s_axil_awvalid_i),
      .s_axil_awready_o   (s_axil_awready_o),
      .s_axil_wvalid_i    (s_axil_wvalid_i),
      .s_axil_wready_o    (s_axil_wready_o),
      .s_axil_bvalid_o    (s_axil_bvalid_o),
      .s_axil_bready_i    (s_axil_bready_i),
      .s_axil_bresp_o     (s_axil_bresp_o),
      .s_axil_arvalid_i   (s_axil_arvalid_i),
      .s_axil_arready_o   (s_axil_arready_o),
      .s_axil_rvalid_o    (s_axil_rvalid_o),
      .s_axil_rready_i    (s_axil_rready_i),
      .s_axil_rdata_o     (s_axil_rdata_o),
      .s_axil_rresp_o     (s_axil_rresp_o)
    );
    assign {m_axi_awvalid_o, m_axi_wvalid_o, m_axi_wlast_o, m_axi_bready_o, m_axi_arvalid_o, m_axi_rready_o} = '0;
    assign {m_axi_awid_o, m_axi_awaddr_o, m_axi_awlen_o, m_axi_awsize_o, m_axi_awburst_o, m_axi_wdata_o, m_axi_wstrb_o} = '0;
    assign {m_axi_arid_o, m_axi_araddr_o, m_axi_arlen_o, m_axi_arsize_o, m_axi_arburst_o} = '0;
    assign unused = ^{s_axil_awaddr_i, s_axil_wdata_i, s_axil_wstrb_i, s_axil_araddr_i,
                      m_axi_awready_i, m_axi_wready_i, m_axi_bvalid_i, m_axi_bid_i, m_axi_bresp_i, m_axi_arready_i,
                      m_axi_rvalid_i, m_axi_rid_i, m_axi_rdata_i, m_axi_rresp_i, m_axi_rlast_i};
  end

endmodule

`default_nettype wire
