// SPDX-License-Identifier: Apache-2.0
// heddle_gpu under published checkers: its buses by the names of cocotbext-axi, and on each bus PULP's AXI_BUS_DV, with
// assertions that valid payload stays as it is until it is taken. AXI4-Lite is AXI4 with bursts of one beat.
// Port `fault` breaks a bus, between the core and those that watch it; 0: not.
module axi_bench #(
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS,
  localparam int unsigned ID_W     = l2_pkg::AXI_ID_W
) (
  input  logic                   clk,
  input  logic                   rst_n,
  input  axi_fault_pkg::fault_e  fault,
  output logic                   irq,
  // from and to the host
  input  logic                   s_axil_awvalid,
  output logic                   s_axil_awready,
  input  logic [11:0]            s_axil_awaddr,
  input  logic [2:0]             s_axil_awprot,
  input  logic                   s_axil_wvalid,
  output logic                   s_axil_wready,
  input  logic [31:0]            s_axil_wdata,
  input  logic [3:0]             s_axil_wstrb,
  output logic                   s_axil_bvalid,
  input  logic                   s_axil_bready,
  output logic [1:0]             s_axil_bresp,
  input  logic                   s_axil_arvalid,
  output logic                   s_axil_arready,
  input  logic [11:0]            s_axil_araddr,
  input  logic [2:0]             s_axil_arprot,
  output logic                   s_axil_rvalid,
  input  logic                   s_axil_rready,
  output logic [31:0]            s_axil_rdata,
  output logic [1:0]             s_axil_rresp,
  // from and to memory
  output logic                   m_axi_awvalid,
  input  logic                   m_axi_awready,
  output logic [ID_W-1:0]        m_axi_awid,
  output logic [39:0]            m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic [2:0]             m_axi_awsize,
  output logic [1:0]             m_axi_awburst,
  output logic                   m_axi_wvalid,
  input  logic                   m_axi_wready,
  output logic [AXI_BITS-1:0]    m_axi_wdata,
  output logic [AXI_BITS/8-1:0]  m_axi_wstrb,
  output logic                   m_axi_wlast,
  input  logic                   m_axi_bvalid,
  output logic                   m_axi_bready,
  input  logic [ID_W-1:0]        m_axi_bid,
  input  logic [1:0]             m_axi_bresp,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  output logic [ID_W-1:0]        m_axi_arid,
  output logic [39:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic [2:0]             m_axi_arsize,
  output logic [1:0]             m_axi_arburst,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready,
  input  logic [ID_W-1:0]        m_axi_rid,
  input  logic [AXI_BITS-1:0]    m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rlast
);
  import axi_fault_pkg::*;

  // The core's outputs, before a fault.
  logic                   awvalid, wvalid, wlast, bready, arvalid, rready;
  logic [ID_W-1:0]        awid;
  logic [39:0]            awaddr, araddr;
  logic [7:0]             awlen, arlen;
  logic [2:0]             awsize, arsize;
  logic [AXI_BITS-1:0]    wdata;
  logic [AXI_BITS/8-1:0]  wstrb;
  logic                   host_bvalid, host_rvalid;
  logic [31:0]            host_rdata;

  // A channel was valid in the cycle before, and not taken.
  logic aw_waits_q, w_waits_q, ar_waits_q, host_b_waits_q, host_r_waits_q;
  // An answer that the host has taken is given a second time; that of a write only once.
  logic b_again_q, b_given_q, r_again_q;
  // A write is answered when its address is there, and not when the core does.
  logic b_early_q;

  always_ff @(posedge clk) begin
    aw_waits_q     <= rst_n && m_axi_awvalid && !m_axi_awready;
    w_waits_q      <= rst_n && m_axi_wvalid && !m_axi_wready;
    ar_waits_q     <= rst_n && m_axi_arvalid && !m_axi_arready;
    host_b_waits_q <= rst_n && s_axil_bvalid && !s_axil_bready;
    host_r_waits_q <= rst_n && s_axil_rvalid && !s_axil_rready;
    b_again_q      <= rst_n && fault == HOST_B_TWICE && !b_given_q && s_axil_bvalid && (b_again_q ^ s_axil_bready);
    b_given_q      <= rst_n && (b_given_q || b_again_q && s_axil_bready);
    b_early_q      <= rst_n && fault == HOST_B_EARLY && (s_axil_awvalid && s_axil_awready || b_early_q && !s_axil_bready);
    r_again_q      <= rst_n && fault == HOST_R_TWICE && s_axil_rvalid && (r_again_q ^ s_axil_rready);
  end

  assign m_axi_awvalid = awvalid && !(fault == AW_WITHDRAWN && aw_waits_q);
  assign m_axi_awid    = awid ^ ID_W'(fault == AW_ID);
  assign m_axi_awaddr  = fault == AW_OVER_4K ? awaddr | 40'hff8 : awaddr;
  assign m_axi_awlen   = awlen + 8'(fault == AW_OVER_4K);
  assign m_axi_awsize  = awsize - 3'(fault == AW_NARROW);
  assign m_axi_wvalid  = wvalid;
  assign m_axi_wdata   = wdata ^ AXI_BITS'(fault == W_CHANGED && w_waits_q);
  assign m_axi_wstrb   = wstrb ^ (AXI_BITS/8)'(fault == STRB_CHANGED && w_waits_q);
  assign m_axi_wlast   = wlast && fault != WLAST_MISSING || fault == WLAST_EARLY;
  assign m_axi_bready  = bready || fault == B_DROPPED;
  assign m_axi_arvalid = arvalid;
  assign m_axi_araddr  = fault == AR_OVER_4K ? araddr | 40'hff8 : araddr ^ (40'(fault == AR_CHANGED && ar_waits_q) << 7);
  assign m_axi_arlen   = arlen + 8'(fault == AR_OVER_4K);
  assign m_axi_arsize  = arsize + 3'(fault == AR_WIDE);
  assign m_axi_rready  = rready || fault == R_DROPPED;
  assign s_axil_bvalid = b_again_q || b_early_q || host_bvalid && fault != HOST_B_DROPPED && fault != HOST_B_EARLY &&
                         !(fault == HOST_B_WITHDRAWN && host_b_waits_q);
  assign s_axil_rvalid = r_again_q || host_rvalid && !(fault == HOST_R_WITHDRAWN && host_r_waits_q);
  assign s_axil_rdata  = host_rdata ^ 32'(fault == HOST_R_CHANGED && host_r_waits_q);

  heddle_gpu #(.RETIRE(1'b0)) u_gpu (
    .clk_i             (clk),
    .rst_ni            (rst_n),
    .s_axil_awvalid_i  (s_axil_awvalid),
    .s_axil_awready_o  (s_axil_awready),
    .s_axil_awaddr_i   (s_axil_awaddr),
    .s_axil_wvalid_i   (s_axil_wvalid),
    .s_axil_wready_o   (s_axil_wready),
    .s_axil_wdata_i    (s_axil_wdata),
    .s_axil_wstrb_i    (s_axil_wstrb),
    .s_axil_bvalid_o   (host_bvalid),
    .s_axil_bready_i   (s_axil_bready && s_axil_bvalid && !b_again_q || fault == HOST_B_DROPPED ||
                        fault == HOST_B_EARLY),
    .s_axil_bresp_o    (s_axil_bresp),
    .s_axil_arvalid_i  (s_axil_arvalid),
    .s_axil_arready_o  (s_axil_arready),
    .s_axil_araddr_i   (s_axil_araddr),
    .s_axil_rvalid_o   (host_rvalid),
    .s_axil_rready_i   (s_axil_rready && s_axil_rvalid && !r_again_q),
    .s_axil_rdata_o    (host_rdata),
    .s_axil_rresp_o    (s_axil_rresp),
    .irq_o             (irq),
    .m_axi_awvalid_o   (awvalid),
    .m_axi_awready_i   (m_axi_awready && m_axi_awvalid),
    .m_axi_awid_o      (awid),
    .m_axi_awaddr_o    (awaddr),
    .m_axi_awlen_o     (awlen),
    .m_axi_awsize_o    (awsize),
    .m_axi_awburst_o   (m_axi_awburst),
    .m_axi_wvalid_o    (wvalid),
    .m_axi_wready_i    (m_axi_wready),
    .m_axi_wdata_o     (wdata),
    .m_axi_wstrb_o     (wstrb),
    .m_axi_wlast_o     (wlast),
    .m_axi_bvalid_i    (m_axi_bvalid && fault != B_DROPPED),
    .m_axi_bready_o    (bready),
    .m_axi_bid_i       (m_axi_bid),
    .m_axi_bresp_i     (m_axi_bresp),
    .m_axi_arvalid_o   (arvalid),
    .m_axi_arready_i   (m_axi_arready),
    .m_axi_arid_o      (m_axi_arid),
    .m_axi_araddr_o    (araddr),
    .m_axi_arlen_o     (arlen),
    .m_axi_arsize_o    (arsize),
    .m_axi_arburst_o   (m_axi_arburst),
    .m_axi_rvalid_i    (m_axi_rvalid && fault != R_DROPPED),
    .m_axi_rready_o    (rready),
    .m_axi_rid_i       (m_axi_rid),
    .m_axi_rdata_i     (m_axi_rdata),
    .m_axi_rresp_i     (m_axi_rresp),
    .m_axi_rlast_i     (m_axi_rlast),
    .ret_ready_i       (1'b1),
    .ret_sm_o          (),
    .ret_bank_o        (),
    .rq_valid_o        (),
    .rq_o              ()
  );

  // ---- those that watch, from the reset on
  logic watched;
  assign watched = clk && rst_n;

  AXI_BUS_DV #(.AXI_ADDR_WIDTH(40), .AXI_DATA_WIDTH(AXI_BITS), .AXI_ID_WIDTH(ID_W), .AXI_USER_WIDTH(1)) u_memory_bus (watched);
  assign {u_memory_bus.aw_lock, u_memory_bus.aw_cache, u_memory_bus.aw_prot, u_memory_bus.aw_qos, u_memory_bus.aw_region,
          u_memory_bus.aw_atop, u_memory_bus.aw_user, u_memory_bus.w_user, u_memory_bus.b_user, u_memory_bus.ar_lock,
          u_memory_bus.ar_cache, u_memory_bus.ar_prot, u_memory_bus.ar_qos, u_memory_bus.ar_region, u_memory_bus.ar_user,
          u_memory_bus.r_user} = '0;
  assign u_memory_bus.aw_valid = m_axi_awvalid;
  assign u_memory_bus.aw_ready = m_axi_awready;
  assign u_memory_bus.aw_id    = m_axi_awid;
  assign u_memory_bus.aw_addr  = m_axi_awaddr;
  assign u_memory_bus.aw_len   = m_axi_awlen;
  assign u_memory_bus.aw_size  = m_axi_awsize;
  assign u_memory_bus.aw_burst = m_axi_awburst;
  assign u_memory_bus.w_valid  = m_axi_wvalid;
  assign u_memory_bus.w_ready  = m_axi_wready;
  assign u_memory_bus.w_data   = m_axi_wdata;
  assign u_memory_bus.w_strb   = m_axi_wstrb;
  assign u_memory_bus.w_last   = m_axi_wlast;
  assign u_memory_bus.b_valid  = m_axi_bvalid;
  assign u_memory_bus.b_ready  = m_axi_bready;
  assign u_memory_bus.b_id     = m_axi_bid;
  assign u_memory_bus.b_resp   = m_axi_bresp;
  assign u_memory_bus.ar_valid = m_axi_arvalid;
  assign u_memory_bus.ar_ready = m_axi_arready;
  assign u_memory_bus.ar_id    = m_axi_arid;
  assign u_memory_bus.ar_addr  = m_axi_araddr;
  assign u_memory_bus.ar_len   = m_axi_arlen;
  assign u_memory_bus.ar_size  = m_axi_arsize;
  assign u_memory_bus.ar_burst = m_axi_arburst;
  assign u_memory_bus.r_valid  = m_axi_rvalid;
  assign u_memory_bus.r_ready  = m_axi_rready;
  assign u_memory_bus.r_id     = m_axi_rid;
  assign u_memory_bus.r_data   = m_axi_rdata;
  assign u_memory_bus.r_resp   = m_axi_rresp;
  assign u_memory_bus.r_last   = m_axi_rlast;

  AXI_BUS_DV #(.AXI_ADDR_WIDTH(12), .AXI_DATA_WIDTH(32), .AXI_ID_WIDTH(1), .AXI_USER_WIDTH(1)) u_host_bus (watched);
  assign {u_host_bus.aw_id, u_host_bus.aw_len, u_host_bus.aw_size, u_host_bus.aw_burst, u_host_bus.aw_lock,
          u_host_bus.aw_cache, u_host_bus.aw_qos, u_host_bus.aw_region, u_host_bus.aw_atop, u_host_bus.aw_user,
          u_host_bus.w_user, u_host_bus.b_id, u_host_bus.b_user, u_host_bus.ar_id, u_host_bus.ar_len, u_host_bus.ar_size,
          u_host_bus.ar_burst, u_host_bus.ar_lock, u_host_bus.ar_cache, u_host_bus.ar_qos, u_host_bus.ar_region,
          u_host_bus.ar_user, u_host_bus.r_id, u_host_bus.r_user} = '0;
  assign u_host_bus.aw_valid = s_axil_awvalid;
  assign u_host_bus.aw_ready = s_axil_awready;
  assign u_host_bus.aw_addr  = s_axil_awaddr;
  assign u_host_bus.aw_prot  = s_axil_awprot;
  assign u_host_bus.w_valid  = s_axil_wvalid;
  assign u_host_bus.w_ready  = s_axil_wready;
  assign u_host_bus.w_data   = s_axil_wdata;
  assign u_host_bus.w_strb   = s_axil_wstrb;
  assign u_host_bus.w_last   = 1'b1;
  assign u_host_bus.b_valid  = s_axil_bvalid;
  assign u_host_bus.b_ready  = s_axil_bready;
  assign u_host_bus.b_resp   = s_axil_bresp;
  assign u_host_bus.ar_valid = s_axil_arvalid;
  assign u_host_bus.ar_ready = s_axil_arready;
  assign u_host_bus.ar_addr  = s_axil_araddr;
  assign u_host_bus.ar_prot  = s_axil_arprot;
  assign u_host_bus.r_valid  = s_axil_rvalid;
  assign u_host_bus.r_ready  = s_axil_rready;
  assign u_host_bus.r_data   = s_axil_rdata;
  assign u_host_bus.r_resp   = s_axil_rresp;
  assign u_host_bus.r_last   = 1'b1;

endmodule
