// SPDX-License-Identifier: Apache-2.0
// The core as a peripheral of an SoC of LiteX: registers, memory in a window, interrupt, and the stream of what it retires.
// Latency: none of its own; what leaves the window waits as axi_window says.
// Handshake: AXI4-Lite and AXI4 as heddle_gpu has them, with identifiers of ID_W bits and addresses of 32; st_ is valid/ready.
// While trace_on_i is 0 the stream is in reset, and the core waits for nothing.
// It has one memory port, to any bus. It feeds no digests.
module heddle_soc #(
  parameter  bit          STREAM   = 1'b0,             // there is a stream (lab/fpga/board/stream: `tiny`)
  parameter  logic [39:0] BASE     = 40'h4000_0000,    // the window; outside: DECERR
  parameter  logic [39:0] BYTES    = 40'h0200_0000,
  localparam int unsigned ID_W     = 8,
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from the SoC
  input  logic                  trace_on_i,
  input  logic                  trace_drop_i,
  // to the SoC: the stream, the interrupt
  output logic                  st_valid_o,
  input  logic                  st_ready_i,
  output logic [7:0]            st_data_o,
  output logic                  st_lost_o,
  output logic                  irq_o,
  // from and to its bus: registers
  input  logic                  s_axil_awvalid_i,
  output logic                  s_axil_awready_o,
  input  logic [11:0]           s_axil_awaddr_i,
  input  logic                  s_axil_wvalid_i,
  output logic                  s_axil_wready_o,
  input  logic [31:0]           s_axil_wdata_i,
  input  logic [3:0]            s_axil_wstrb_i,
  output logic                  s_axil_bvalid_o,
  input  logic                  s_axil_bready_i,
  output logic [1:0]            s_axil_bresp_o,
  input  logic                  s_axil_arvalid_i,
  output logic                  s_axil_arready_o,
  input  logic [11:0]           s_axil_araddr_i,
  output logic                  s_axil_rvalid_o,
  input  logic                  s_axil_rready_i,
  output logic [31:0]           s_axil_rdata_o,
  output logic [1:0]            s_axil_rresp_o,
  // from and to memory
  output logic                  m_axi_awvalid_o,
  input  logic                  m_axi_awready_i,
  output logic [ID_W-1:0]       m_axi_awid_o,
  output logic [31:0]           m_axi_awaddr_o,
  output logic [7:0]            m_axi_awlen_o,
  output logic [2:0]            m_axi_awsize_o,
  output logic [1:0]            m_axi_awburst_o,
  output logic                  m_axi_wvalid_o,
  input  logic                  m_axi_wready_i,
  output logic [AXI_BITS-1:0]   m_axi_wdata_o,
  output logic [AXI_BITS/8-1:0] m_axi_wstrb_o,
  output logic                  m_axi_wlast_o,
  input  logic                  m_axi_bvalid_i,
  output logic                  m_axi_bready_o,
  input  logic [ID_W-1:0]       m_axi_bid_i,
  input  logic [1:0]            m_axi_bresp_i,
  output logic                  m_axi_arvalid_o,
  input  logic                  m_axi_arready_i,
  output logic [ID_W-1:0]       m_axi_arid_o,
  output logic [31:0]           m_axi_araddr_o,
  output logic [7:0]            m_axi_arlen_o,
  output logic [2:0]            m_axi_arsize_o,
  output logic [1:0]            m_axi_arburst_o,
  input  logic                  m_axi_rvalid_i,
  output logic                  m_axi_rready_o,
  input  logic [ID_W-1:0]       m_axi_rid_i,
  input  logic [AXI_BITS-1:0]   m_axi_rdata_i,
  input  logic [1:0]            m_axi_rresp_i,
  input  logic                  m_axi_rlast_i
);

  localparam int unsigned AXI_ID_W = l2_pkg::AXI_ID_W;
  localparam int unsigned ADDR_W   = $clog2(BYTES);

  if (line_pkg::AXI_PORTS != 1 || AXI_ID_W > ID_W) begin : gen_check
    $error("heddle_soc has one memory port, with identifiers of 8 bits: a configuration with axi_ports of 1");
  end

  axi_pkg::axil_req_t axil_req;
  axi_pkg::axil_rsp_t axil_rsp;
  axi_pkg::axi_req_t  axi_req;
  axi_pkg::axi_rsp_t  axi_rsp;

  // ---- registers --------------------------------------------------------------------------------------
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
  assign s_axil_awready_o = axil_rsp.awready;
  assign s_axil_wready_o  = axil_rsp.wready;
  assign s_axil_bvalid_o  = axil_rsp.bvalid;
  assign s_axil_bresp_o   = axil_rsp.bresp;
  assign s_axil_arready_o = axil_rsp.arready;
  assign s_axil_rvalid_o  = axil_rsp.rvalid;
  assign s_axil_rdata_o   = axil_rsp.rdata;
  assign s_axil_rresp_o   = axil_rsp.rresp;

  // ---- the core ---------------------------------------------------------------------------------------
  retire_pkg::sm_t [cfg_pkg::SMS-1:0]           unused_ret_sm;
  retire_pkg::bank_t [line_pkg::MEM_BANKS-1:0]  unused_ret_bank;

  board_core #(.FEED(STREAM ? link_pkg::FEED_STREAM : link_pkg::FEED_NONE)) u_core (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .st_on_i     (trace_on_i),
    .st_drop_i   (trace_drop_i),
    .st_valid_o  (st_valid_o),
    .st_ready_i  (st_ready_i),
    .st_data_o   (st_data_o),
    .st_lost_o   (st_lost_o),
    .axil_i      (axil_req),
    .axil_o      (axil_rsp),
    .irq_o       (irq_o),
    .axi_o       (axi_req),
    .axi_i       (axi_rsp),
    .ret_ready_i (1'b1),
    .ret_sm_o    (unused_ret_sm),
    .ret_bank_o  (unused_ret_bank)
  );

  // ---- memory -----------------------------------------------------------------------------------------
  logic [ADDR_W-1:0] awaddr, araddr;
  logic [ID_W-1:0]   bid, rid;
  logic              awready, wready, bvalid, arready, rvalid, rlast;
  logic [1:0]        bresp, rresp;
  logic              unused_id;

  assign axi_rsp = '{
    awready: awready,
    wready:  wready,
    bvalid:  bvalid,
    bid:     AXI_ID_W'(bid),
    bresp:   bresp,
    arready: arready,
    rvalid:  rvalid,
    rid:     AXI_ID_W'(rid),
    rdata:   m_axi_rdata_i,
    rresp:   rresp,
    rlast:   rlast
  };
  assign unused_id = ^(bid >> AXI_ID_W) ^ ^(rid >> AXI_ID_W);   // they come back as they went

  axi_window #(.BASE(BASE), .BYTES(BYTES), .ID_W(ID_W)) u_window (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_awvalid_i (axi_req.awvalid),
    .s_awready_o (awready),
    .s_awid_i    (ID_W'(axi_req.awid)),
    .s_awaddr_i  (axi_req.awaddr),
    .s_wvalid_i  (axi_req.wvalid),
    .s_wready_o  (wready),
    .s_wlast_i   (axi_req.wlast),
    .s_bvalid_o  (bvalid),
    .s_bready_i  (axi_req.bready),
    .s_bid_o     (bid),
    .s_bresp_o   (bresp),
    .s_arvalid_i (axi_req.arvalid),
    .s_arready_o (arready),
    .s_arid_i    (ID_W'(axi_req.arid)),
    .s_araddr_i  (axi_req.araddr),
    .s_arlen_i   (axi_req.arlen),
    .s_rvalid_o  (rvalid),
    .s_rready_i  (axi_req.rready),
    .s_rid_o     (rid),
    .s_rresp_o   (rresp),
    .s_rlast_o   (rlast),
    .m_awvalid_o (m_axi_awvalid_o),
    .m_awready_i (m_axi_awready_i),
    .m_awaddr_o  (awaddr),
    .m_wvalid_o  (m_axi_wvalid_o),
    .m_wready_i  (m_axi_wready_i),
    .m_bvalid_i  (m_axi_bvalid_i),
    .m_bready_o  (m_axi_bready_o),
    .m_bid_i     (m_axi_bid_i),
    .m_bresp_i   (m_axi_bresp_i),
    .m_arvalid_o (m_axi_arvalid_o),
    .m_arready_i (m_axi_arready_i),
    .m_araddr_o  (araddr),
    .m_rvalid_i  (m_axi_rvalid_i),
    .m_rready_o  (m_axi_rready_o),
    .m_rid_i     (m_axi_rid_i),
    .m_rresp_i   (m_axi_rresp_i),
    .m_rlast_i   (m_axi_rlast_i)
  );

  assign m_axi_awid_o    = ID_W'(axi_req.awid);
  assign m_axi_awaddr_o  = BASE[31:0] | 32'(awaddr);
  assign m_axi_awlen_o   = axi_req.awlen;
  assign m_axi_awsize_o  = axi_req.awsize;
  assign m_axi_awburst_o = axi_req.awburst;
  assign m_axi_wdata_o   = axi_req.wdata;
  assign m_axi_wstrb_o   = axi_req.wstrb;
  assign m_axi_wlast_o   = axi_req.wlast;
  assign m_axi_arid_o    = ID_W'(axi_req.arid);
  assign m_axi_araddr_o  = BASE[31:0] | 32'(araddr);
  assign m_axi_arlen_o   = axi_req.arlen;
  assign m_axi_arsize_o  = axi_req.arsize;
  assign m_axi_arburst_o = axi_req.arburst;

endmodule
