// SPDX-License-Identifier: Apache-2.0
// Plain ports around `march_test`: bursts are of one beat, which is asserted and not shown.
// Latency: none of its own.
// Handshake: that of `march_test`.
// It adds nothing else.
`include "heddle_assert.svh"

module march_tb #(
  parameter logic [39:0] BASE   = 40'd0,
  parameter int unsigned WORD_W = 6
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      s_axil_awvalid_i,
  output logic                      s_axil_awready_o,
  input  logic [11:0]               s_axil_awaddr_i,
  input  logic                      s_axil_wvalid_i,
  output logic                      s_axil_wready_o,
  input  logic [31:0]               s_axil_wdata_i,
  input  logic [3:0]                s_axil_wstrb_i,
  output logic                      s_axil_bvalid_o,
  input  logic                      s_axil_bready_i,
  output logic [1:0]                s_axil_bresp_o,
  input  logic                      s_axil_arvalid_i,
  output logic                      s_axil_arready_o,
  input  logic [11:0]               s_axil_araddr_i,
  output logic                      s_axil_rvalid_o,
  input  logic                      s_axil_rready_i,
  output logic [31:0]               s_axil_rdata_o,
  output logic [1:0]                s_axil_rresp_o,
  output logic                      m_axi_awvalid_o,
  input  logic                      m_axi_awready_i,
  output logic [39:0]               m_axi_awaddr_o,
  output logic                      m_axi_wvalid_o,
  input  logic                      m_axi_wready_i,
  output logic [63:0]               m_axi_wdata_o,
  input  logic                      m_axi_bvalid_i,
  output logic                      m_axi_bready_o,
  input  logic [1:0]                m_axi_bresp_i,
  output logic                      m_axi_arvalid_o,
  input  logic                      m_axi_arready_i,
  output logic [39:0]               m_axi_araddr_o,
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
  assign m_axi_awvalid_o  = axi_req.awvalid;
  assign m_axi_awaddr_o   = axi_req.awaddr;
  assign m_axi_wvalid_o   = axi_req.wvalid;
  assign m_axi_wdata_o    = axi_req.wdata;
  assign m_axi_bready_o   = axi_req.bready;
  assign m_axi_arvalid_o  = axi_req.arvalid;
  assign m_axi_araddr_o   = axi_req.araddr;
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

  `ASSERT(a_write, !axi_req.awvalid || (axi_req.awlen == '0 && axi_req.awsize == 3'd3 && axi_req.awburst == 2'd1))
  `ASSERT(a_data, !axi_req.wvalid || (axi_req.wlast && axi_req.wstrb == '1))
  `ASSERT(a_read, !axi_req.arvalid || (axi_req.arlen == '0 && axi_req.arsize == 3'd3 && axi_req.arburst == 2'd1))

  march_test #(.BASE(BASE), .WORD_W(WORD_W)) u_dut (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .axil_i (axil_req),
    .axil_o (axil_rsp),
    .axi_o  (axi_req),
    .axi_i  (axi_rsp)
  );

endmodule
