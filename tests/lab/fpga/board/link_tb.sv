// SPDX-License-Identifier: Apache-2.0
// Plain ports around `board_link`, but for ids: it has one access under way.
// Latency: none of its own.
// Handshake: that of `board_link`.
// It adds nothing.
module link_tb #(
  parameter int unsigned DIVIDER    = 4,
  parameter int unsigned BUS_LIMIT  = 20000,
  parameter int unsigned TRACE_IDLE = 1000,
  parameter logic [31:0] BOARD      = 32'd0,
  parameter logic [39:0] MEM_BYTES  = 40'd0,
  parameter link_pkg::feed_e FEED   = link_pkg::FEED_NONE
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      rx_i,
  output logic                      tx_o,
  output logic                      sys_rst_no,
  input  logic                      ready_i,
  input  logic                      failed_i,
  output logic                      wrong_o,
  input  logic                      st_valid_i,
  output logic                      st_ready_o,
  input  logic [7:0]                st_data_i,
  input  logic                      st_lost_i,
  output logic                      st_on_o,
  output logic                      st_drop_o,
  output logic                      m_axil_awvalid_o,
  input  logic                      m_axil_awready_i,
  output logic [11:0]               m_axil_awaddr_o,
  output logic                      m_axil_wvalid_o,
  input  logic                      m_axil_wready_i,
  output logic [31:0]               m_axil_wdata_o,
  output logic [3:0]                m_axil_wstrb_o,
  input  logic                      m_axil_bvalid_i,
  output logic                      m_axil_bready_o,
  input  logic [1:0]                m_axil_bresp_i,
  output logic                      m_axil_arvalid_o,
  input  logic                      m_axil_arready_i,
  output logic [11:0]               m_axil_araddr_o,
  input  logic                      m_axil_rvalid_i,
  output logic                      m_axil_rready_o,
  input  logic [31:0]               m_axil_rdata_i,
  input  logic [1:0]                m_axil_rresp_i,
  output logic                      m_axi_awvalid_o,
  input  logic                      m_axi_awready_i,
  output logic [39:0]               m_axi_awaddr_o,
  output logic [7:0]                m_axi_awlen_o,
  output logic [2:0]                m_axi_awsize_o,
  output logic [1:0]                m_axi_awburst_o,
  output logic                      m_axi_wvalid_o,
  input  logic                      m_axi_wready_i,
  output logic [63:0]               m_axi_wdata_o,
  output logic [7:0]                m_axi_wstrb_o,
  output logic                      m_axi_wlast_o,
  input  logic                      m_axi_bvalid_i,
  output logic                      m_axi_bready_o,
  input  logic [1:0]                m_axi_bresp_i,
  output logic                      m_axi_arvalid_o,
  input  logic                      m_axi_arready_i,
  output logic [39:0]               m_axi_araddr_o,
  output logic [7:0]                m_axi_arlen_o,
  output logic [2:0]                m_axi_arsize_o,
  output logic [1:0]                m_axi_arburst_o,
  input  logic                      m_axi_rvalid_i,
  output logic                      m_axi_rready_o,
  input  logic [63:0]               m_axi_rdata_i,
  input  logic [1:0]                m_axi_rresp_i
);

  axi_pkg::axil_req_t axil_req;
  axi_pkg::axil_rsp_t axil_rsp;
  axi_pkg::axi_req_t  axi_req;
  axi_pkg::axi_rsp_t  axi_rsp;
  logic               unused;

  assign m_axil_awvalid_o  = axil_req.awvalid;
  assign m_axil_awaddr_o   = axil_req.awaddr;
  assign m_axil_wvalid_o   = axil_req.wvalid;
  assign m_axil_wdata_o    = axil_req.wdata;
  assign m_axil_wstrb_o    = axil_req.wstrb;
  assign m_axil_bready_o   = axil_req.bready;
  assign m_axil_arvalid_o  = axil_req.arvalid;
  assign m_axil_araddr_o   = axil_req.araddr;
  assign m_axil_rready_o   = axil_req.rready;
  assign axil_rsp = '{
    awready: m_axil_awready_i,
    wready:  m_axil_wready_i,
    bvalid:  m_axil_bvalid_i,
    bresp:   m_axil_bresp_i,
    arready: m_axil_arready_i,
    rvalid:  m_axil_rvalid_i,
    rdata:   m_axil_rdata_i,
    rresp:   m_axil_rresp_i
  };
  assign m_axi_awvalid_o  = axi_req.awvalid;
  assign m_axi_awaddr_o   = axi_req.awaddr;
  assign m_axi_awlen_o    = axi_req.awlen;
  assign m_axi_awsize_o   = axi_req.awsize;
  assign m_axi_awburst_o  = axi_req.awburst;
  assign m_axi_wvalid_o   = axi_req.wvalid;
  assign m_axi_wdata_o    = axi_req.wdata;
  assign m_axi_wstrb_o    = axi_req.wstrb;
  assign m_axi_wlast_o    = axi_req.wlast;
  assign m_axi_bready_o   = axi_req.bready;
  assign m_axi_arvalid_o  = axi_req.arvalid;
  assign m_axi_araddr_o   = axi_req.araddr;
  assign m_axi_arlen_o    = axi_req.arlen;
  assign m_axi_arsize_o   = axi_req.arsize;
  assign m_axi_arburst_o  = axi_req.arburst;
  assign m_axi_rready_o   = axi_req.rready;
  assign axi_rsp = '{
    awready: m_axi_awready_i,
    wready:  m_axi_wready_i,
    bvalid:  m_axi_bvalid_i,
    bid:     '0,
    bresp:   m_axi_bresp_i,
    arready: m_axi_arready_i,
    rvalid:  m_axi_rvalid_i,
    rid:     '0,
    rdata:   m_axi_rdata_i,
    rresp:   m_axi_rresp_i,
    rlast:   '0
  };
  assign unused = ^{axi_req.awid, axi_req.arid};

  board_link #(.DIVIDER(DIVIDER), .BUS_LIMIT(BUS_LIMIT), .TRACE_IDLE(TRACE_IDLE), .BOARD(BOARD), .MEM_BYTES(MEM_BYTES),
               .FEED(FEED)) u_dut (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rx_i       (rx_i),
    .tx_o       (tx_o),
    .sys_rst_no (sys_rst_no),
    .ready_i    (ready_i),
    .failed_i   (failed_i),
    .wrong_o    (wrong_o),
    .st_valid_i (st_valid_i),
    .st_ready_o (st_ready_o),
    .st_data_i  (st_data_i),
    .st_lost_i  (st_lost_i),
    .st_on_o    (st_on_o),
    .st_drop_o  (st_drop_o),
    .axil_o     (axil_req),
    .axil_i     (axil_rsp),
    .axi_o      (axi_req),
    .axi_i      (axi_rsp)
  );

endmodule
