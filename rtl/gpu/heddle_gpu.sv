// SPDX-License-Identifier: Apache-2.0
// The top: `gpu` with a port for each signal of AXI4-Lite and AXI4, as netlists, C++ and boards' tools name them.
// Latency: none of its own. Handshake: that of `gpu`.
// It computes nothing. RETIRE 0 is the machine as a board builds it, without what makes records.
module heddle_gpu #(
  parameter bit           STRAPS   = 1'b0,   // 1: all scheduling policies, both divergence units, MODE chooses; 0: the configuration's
  parameter bit           RETIRE   = 1'b1,   // 0: nothing leaves the retire port, nor does it stop anything
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS,
  localparam int unsigned AXI_ID_W = l2_pkg::AXI_ID_W,
  localparam int unsigned SMS      = cfg_pkg::SMS,
  localparam int unsigned BANKS    = line_pkg::MEM_BANKS,
  localparam int unsigned PORTS    = line_pkg::AXI_PORTS
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
  output logic                              irq_o,        // a level: IRQ_CAUSE, where IRQ_MASK lets it
  // from and to memory, by port
  output logic [PORTS-1:0]                  m_axi_awvalid_o,
  input  logic [PORTS-1:0]                  m_axi_awready_i,
  output logic [PORTS-1:0][AXI_ID_W-1:0]    m_axi_awid_o,
  output logic [PORTS-1:0][39:0]            m_axi_awaddr_o,
  output logic [PORTS-1:0][7:0]             m_axi_awlen_o,
  output logic [PORTS-1:0][2:0]             m_axi_awsize_o,
  output logic [PORTS-1:0][1:0]             m_axi_awburst_o,
  output logic [PORTS-1:0]                  m_axi_wvalid_o,
  input  logic [PORTS-1:0]                  m_axi_wready_i,
  output logic [PORTS-1:0][AXI_BITS-1:0]    m_axi_wdata_o,
  output logic [PORTS-1:0][AXI_BITS/8-1:0]  m_axi_wstrb_o,
  output logic [PORTS-1:0]                  m_axi_wlast_o,
  input  logic [PORTS-1:0]                  m_axi_bvalid_i,
  output logic [PORTS-1:0]                  m_axi_bready_o,
  input  logic [PORTS-1:0][AXI_ID_W-1:0]    m_axi_bid_i,
  input  logic [PORTS-1:0][1:0]             m_axi_bresp_i,
  output logic [PORTS-1:0]                  m_axi_arvalid_o,
  input  logic [PORTS-1:0]                  m_axi_arready_i,
  output logic [PORTS-1:0][AXI_ID_W-1:0]    m_axi_arid_o,
  output logic [PORTS-1:0][39:0]            m_axi_araddr_o,
  output logic [PORTS-1:0][7:0]             m_axi_arlen_o,
  output logic [PORTS-1:0][2:0]             m_axi_arsize_o,
  output logic [PORTS-1:0][1:0]             m_axi_arburst_o,
  input  logic [PORTS-1:0]                  m_axi_rvalid_i,
  output logic [PORTS-1:0]                  m_axi_rready_o,
  input  logic [PORTS-1:0][AXI_ID_W-1:0]    m_axi_rid_i,
  input  logic [PORTS-1:0][AXI_BITS-1:0]    m_axi_rdata_i,
  input  logic [PORTS-1:0][1:0]             m_axi_rresp_i,
  input  logic [PORTS-1:0]                  m_axi_rlast_i,
  // retire port (rtl/README.md); ret_ready_i = 0 stops issue
  input  logic                              ret_ready_i,
  output retire_pkg::sm_t [SMS-1:0]         ret_sm_o,
  output retire_pkg::bank_t [BANKS-1:0]     ret_bank_o,
  // requests to the point of order as they pass, of global memory alone: events in the order of each line
  output logic [SMS-1:0]                    rq_valid_o,
  output line_pkg::seen_t [SMS-1:0]         rq_o
);

  axi_pkg::axil_req_t               axil_req;
  axi_pkg::axil_rsp_t               axil_rsp;
  axi_pkg::axi_req_t [PORTS-1:0]    axi_req;
  axi_pkg::axi_rsp_t [PORTS-1:0]    axi_rsp;
  logic                             ret_ready;
  retire_pkg::sm_t [SMS-1:0]        ret_sm;
  retire_pkg::bank_t [BANKS-1:0]    ret_bank;
  logic [SMS-1:0]                   rq_valid;
  line_pkg::seen_t [SMS-1:0]        rq;

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
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign m_axi_awvalid_o[p]  = axi_req[p].awvalid;
    assign m_axi_awid_o[p]     = axi_req[p].awid;
    assign m_axi_awaddr_o[p]   = axi_req[p].awaddr;
    assign m_axi_awlen_o[p]    = axi_req[p].awlen;
    assign m_axi_awsize_o[p]   = axi_req[p].awsize;
    assign m_axi_awburst_o[p]  = axi_req[p].awburst;
    assign m_axi_wvalid_o[p]   = axi_req[p].wvalid;
    assign m_axi_wdata_o[p]    = axi_req[p].wdata;
    assign m_axi_wstrb_o[p]    = axi_req[p].wstrb;
    assign m_axi_wlast_o[p]    = axi_req[p].wlast;
    assign m_axi_bready_o[p]   = axi_req[p].bready;
    assign m_axi_arvalid_o[p]  = axi_req[p].arvalid;
    assign m_axi_arid_o[p]     = axi_req[p].arid;
    assign m_axi_araddr_o[p]   = axi_req[p].araddr;
    assign m_axi_arlen_o[p]    = axi_req[p].arlen;
    assign m_axi_arsize_o[p]   = axi_req[p].arsize;
    assign m_axi_arburst_o[p]  = axi_req[p].arburst;
    assign m_axi_rready_o[p]   = axi_req[p].rready;
    assign axi_rsp[p] = '{
      awready: m_axi_awready_i[p],
      wready:  m_axi_wready_i[p],
      bvalid:  m_axi_bvalid_i[p],
      bid:     m_axi_bid_i[p],
      bresp:   m_axi_bresp_i[p],
      arready: m_axi_arready_i[p],
      rvalid:  m_axi_rvalid_i[p],
      rid:     m_axi_rid_i[p],
      rdata:   m_axi_rdata_i[p],
      rresp:   m_axi_rresp_i[p],
      rlast:   m_axi_rlast_i[p]
    };
  end

  // ---- the retire port
  if (RETIRE) begin : gen_retire
    assign ret_ready  = ret_ready_i;
    assign ret_sm_o   = ret_sm;
    assign ret_bank_o = ret_bank;
    assign rq_valid_o = rq_valid;
    assign rq_o       = rq;
  end else begin : gen_bare
    logic unused;
    assign ret_ready  = 1'b1;
    assign ret_sm_o   = '0;
    assign ret_bank_o = '0;
    assign rq_valid_o = '0;
    assign rq_o       = '0;
    assign unused     = ^{ret_ready_i, ret_sm, ret_bank, rq_valid, rq};
  end

  gpu #(.STRAPS(STRAPS)) u_gpu (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .axil_i      (axil_req),
    .axil_o      (axil_rsp),
    .irq_o       (irq_o),
    .axi_o       (axi_req),
    .axi_i       (axi_rsp),
    .ret_ready_i (ret_ready),
    .ret_sm_o    (ret_sm),
    .ret_bank_o  (ret_bank),
    .rq_valid_o  (rq_valid),
    .rq_o        (rq)
  );

endmodule
