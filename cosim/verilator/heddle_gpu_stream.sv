// SPDX-License-Identifier: Apache-2.0
// The core of a board (board_core) as a top: a port for each signal of AXI4-Lite and AXI4, the board's output as st_, and the retire
// port. So one run is judged live and leaves its stream.
// Latency: none of its own. Handshake: that of board_core. Issue is stopped by either, the stream or ret_ready_i.
// Simulation only: a board leaves the port inside.
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
  output logic                              irq_o,
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

  axi_pkg::axil_req_t axil_req;
  axi_pkg::axil_rsp_t axil_rsp;
  axi_pkg::axi_req_t  axi_req;
  axi_pkg::axi_rsp_t  axi_rsp;

  // ---- the host's registers
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

  // ---- memory
  assign m_axi_awvalid_o  = axi_req.awvalid;
  assign m_axi_awid_o     = axi_req.awid;
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
  assign m_axi_arid_o     = axi_req.arid;
  assign m_axi_araddr_o   = axi_req.araddr;
  assign m_axi_arlen_o    = axi_req.arlen;
  assign m_axi_arsize_o   = axi_req.arsize;
  assign m_axi_arburst_o  = axi_req.arburst;
  assign m_axi_rready_o   = axi_req.rready;
  assign axi_rsp = '{
    awready: m_axi_awready_i,
    wready:  m_axi_wready_i,
    bvalid:  m_axi_bvalid_i,
    bid:     m_axi_bid_i,
    bresp:   m_axi_bresp_i,
    arready: m_axi_arready_i,
    rvalid:  m_axi_rvalid_i,
    rid:     m_axi_rid_i,
    rdata:   m_axi_rdata_i,
    rresp:   m_axi_rresp_i,
    rlast:   m_axi_rlast_i
  };

  board_core #(.STRAPS(STRAPS), .FEED(DIGEST ? link_pkg::FEED_DIGEST : link_pkg::FEED_STREAM)) u_core (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .st_on_i     (1'b1),
    .st_drop_i   (drop_i),
    .st_valid_o  (st_valid_o),
    .st_ready_i  (st_ready_i),
    .st_data_o   (st_data_o),
    .st_lost_o   (st_lost_o),
    .axil_i      (axil_req),
    .axil_o      (axil_rsp),
    .irq_o       (irq_o),
    .axi_o       (axi_req),
    .axi_i       (axi_rsp),
    .ret_ready_i (ret_ready_i),
    .ret_sm_o    (ret_sm_o),
    .ret_bank_o  (ret_bank_o)
  );

endmodule
