// SPDX-License-Identifier: Apache-2.0
// What a board has behind its pins, whatever its vendor: the link, the bus with memory, and the core or what tries memory in its
// place (board_master).
// CORE 2: heddle_gpu of the configuration; 1: its registers alone; 0 with MEMORY: march_test; 0 without: nothing.
// Latency: none of its own. Handshake: that of the pins. One clock; rx_i alone is asynchronous to it.
// FEED: what feeds the trace channel of the link beside the core (link_pkg; board_core).
`default_nettype none

module board_system #(
  parameter int unsigned CORE     = 2,
  parameter bit          MEMORY   = 1'b1,
  parameter link_pkg::feed_e FEED = link_pkg::FEED_NONE,
  parameter int unsigned DIVIDER  = 25,
  parameter logic [31:0] BOARD    = 32'd0,
  parameter logic [31:0] CLOCK_HZ = 32'd25_000_000,
  parameter logic [39:0] BASE     = 40'h4000_0000,
  parameter logic [39:0] BYTES    = 40'h200_0000,
  parameter int unsigned DQ       = 16,            // pins of memory: data, address; it has byte masks
  parameter int unsigned ROW_W    = 13,
  parameter bit          MASKS    = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // pins of the link
  input  logic        rx_i,
  output logic        tx_o,
  // for lights
  output logic        wrong_o,        // a pulse: a frame was dropped
  output logic        ready_o,        // memory has been initialised
  output logic        running_o,      // STATUS of the core, as the host read it last
  output logic        trapped_o,
  // pins of memory
  output logic [ROW_W-1:0] sdram_a_o,
  output logic [1:0]  sdram_ba_o,
  output logic        sdram_cke_o,
  output logic        sdram_cs_no,
  output logic        sdram_ras_no,
  output logic        sdram_cas_no,
  output logic        sdram_we_no,
  output logic [DQ/8-1:0] sdram_dm_o,
  inout  wire  [DQ-1:0] sdram_dq_io
);

  localparam int unsigned ID_W = l2_pkg::AXI_ID_W;   // of ids: those of the core, if there is one

  logic sys_rst_n, memory_ready, memory_failed;
  assign ready_o    = memory_ready;

  // ---- host registers: the link's --------------------------------------------------------------------
  logic               reg_awvalid;
  logic               reg_awready;
  logic [11:0]        reg_awaddr;
  logic               reg_wvalid;
  logic               reg_wready;
  logic [31:0]        reg_wdata;
  logic [3:0]         reg_wstrb;
  logic               reg_bvalid;
  logic               reg_bready;
  logic [1:0]         reg_bresp;
  logic               reg_arvalid;
  logic               reg_arready;
  logic [11:0]        reg_araddr;
  logic               reg_rvalid;
  logic               reg_rready;
  logic [31:0]        reg_rdata;
  logic [1:0]         reg_rresp;

  // ---- memory: two masters, 0 the link, 1 the core or the test ----------------------------------------
  logic [1:0]              m_awvalid;
  logic [1:0]              m_awready;
  logic [1:0][ID_W-1:0]    m_awid;
  logic [1:0][39:0]        m_awaddr;
  logic [1:0][7:0]         m_awlen;
  logic [1:0][2:0]         m_awsize;
  logic [1:0][1:0]         m_awburst;
  logic [1:0]              m_wvalid;
  logic [1:0]              m_wready;
  logic [1:0][63:0]        m_wdata;
  logic [1:0][7:0]         m_wstrb;
  logic [1:0]              m_wlast;
  logic [1:0]              m_bvalid;
  logic [1:0]              m_bready;
  logic [1:0][ID_W-1:0]    m_bid;
  logic [1:0][1:0]         m_bresp;
  logic [1:0]              m_arvalid;
  logic [1:0]              m_arready;
  logic [1:0][ID_W-1:0]    m_arid;
  logic [1:0][39:0]        m_araddr;
  logic [1:0][7:0]         m_arlen;
  logic [1:0][2:0]         m_arsize;
  logic [1:0][1:0]         m_arburst;
  logic [1:0]              m_rvalid;
  logic [1:0]              m_rready;
  logic [1:0][ID_W-1:0]    m_rid;
  logic [1:0][63:0]        m_rdata;
  logic [1:0][1:0]         m_rresp;
  logic [1:0]              m_rlast;

  if (cfg_pkg::AXI_BITS != 64) begin : gen_check
    $error("board_system: the bus of the configuration has to be 64 bits wide");
  end

  // ---- the trace: what the core's feed says, when the link lets it ------------------------------------
  logic       st_on, st_drop, st_valid, st_ready, st_lost;
  logic [7:0] st_data;

  logic [3:0] link_awid, link_arid;
  logic       unused_link;               // it has one access under way: any answer is that one's
  assign unused_link = ^{m_bid[0], m_rid[0], m_rlast[0]};
  assign m_awid[0] = ID_W'(link_awid);
  assign m_arid[0] = ID_W'(link_arid);

  board_link #(.DIVIDER(DIVIDER), .BOARD(BOARD), .CLOCK_HZ(CLOCK_HZ), .MEM_BASE(BASE), .MEM_BYTES(MEMORY ? BYTES : '0),
               .FEED(CORE == 2 ? FEED : link_pkg::FEED_NONE)) u_link (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rx_i       (rx_i),
    .tx_o       (tx_o),
    .sys_rst_no (sys_rst_n),
    .ready_i    (memory_ready),
    .failed_i   (memory_failed),
    .wrong_o    (wrong_o),
    .st_valid_i (st_valid),
    .st_ready_o (st_ready),
    .st_data_i  (st_data),
    .st_lost_i  (st_lost),
    .st_on_o    (st_on),
    .st_drop_o  (st_drop),
    .m_axil_awvalid_o   (reg_awvalid),
    .m_axil_awready_i   (reg_awready),
    .m_axil_awaddr_o    (reg_awaddr),
    .m_axil_wvalid_o    (reg_wvalid),
    .m_axil_wready_i    (reg_wready),
    .m_axil_wdata_o     (reg_wdata),
    .m_axil_wstrb_o     (reg_wstrb),
    .m_axil_bvalid_i    (reg_bvalid),
    .m_axil_bready_o    (reg_bready),
    .m_axil_bresp_i     (reg_bresp),
    .m_axil_arvalid_o   (reg_arvalid),
    .m_axil_arready_i   (reg_arready),
    .m_axil_araddr_o    (reg_araddr),
    .m_axil_rvalid_i    (reg_rvalid),
    .m_axil_rready_o    (reg_rready),
    .m_axil_rdata_i     (reg_rdata),
    .m_axil_rresp_i     (reg_rresp),
    .m_axi_awid_o       (link_awid),
    .m_axi_arid_o       (link_arid),
    .m_axi_awvalid_o    (m_awvalid[0]),
    .m_axi_awready_i    (m_awready[0]),
    .m_axi_awaddr_o     (m_awaddr[0]),
    .m_axi_awlen_o      (m_awlen[0]),
    .m_axi_awsize_o     (m_awsize[0]),
    .m_axi_awburst_o    (m_awburst[0]),
    .m_axi_wvalid_o     (m_wvalid[0]),
    .m_axi_wready_i     (m_wready[0]),
    .m_axi_wdata_o      (m_wdata[0]),
    .m_axi_wstrb_o      (m_wstrb[0]),
    .m_axi_wlast_o      (m_wlast[0]),
    .m_axi_bvalid_i     (m_bvalid[0]),
    .m_axi_bready_o     (m_bready[0]),
    .m_axi_bresp_i      (m_bresp[0]),
    .m_axi_arvalid_o    (m_arvalid[0]),
    .m_axi_arready_i    (m_arready[0]),
    .m_axi_araddr_o     (m_araddr[0]),
    .m_axi_arlen_o      (m_arlen[0]),
    .m_axi_arsize_o     (m_arsize[0]),
    .m_axi_arburst_o    (m_arburst[0]),
    .m_axi_rvalid_i     (m_rvalid[0]),
    .m_axi_rready_o     (m_rready[0]),
    .m_axi_rdata_i      (m_rdata[0]),
    .m_axi_rresp_i      (m_rresp[0])
  );

  board_bus #(.MEMORY(MEMORY), .ID_W(ID_W), .BASE(BASE), .BYTES(BYTES), .DQ(DQ), .ROW_W(ROW_W), .MASKS(MASKS)) u_bus (
    .clk_i(clk_i), .rst_ni(sys_rst_n),
    .ready_o      (memory_ready),
    .failed_o     (memory_failed),
    .s_awvalid_i  (m_awvalid),
    .s_awready_o  (m_awready),
    .s_awid_i     (m_awid),
    .s_awaddr_i   (m_awaddr),
    .s_awlen_i    (m_awlen),
    .s_awsize_i   (m_awsize),
    .s_awburst_i  (m_awburst),
    .s_wvalid_i   (m_wvalid),
    .s_wready_o   (m_wready),
    .s_wdata_i    (m_wdata),
    .s_wstrb_i    (m_wstrb),
    .s_wlast_i    (m_wlast),
    .s_bvalid_o   (m_bvalid),
    .s_bready_i   (m_bready),
    .s_bid_o      (m_bid),
    .s_bresp_o    (m_bresp),
    .s_arvalid_i  (m_arvalid),
    .s_arready_o  (m_arready),
    .s_arid_i     (m_arid),
    .s_araddr_i   (m_araddr),
    .s_arlen_i    (m_arlen),
    .s_arsize_i   (m_arsize),
    .s_arburst_i  (m_arburst),
    .s_rvalid_o   (m_rvalid),
    .s_rready_i   (m_rready),
    .s_rid_o      (m_rid),
    .s_rdata_o    (m_rdata),
    .s_rresp_o    (m_rresp),
    .s_rlast_o    (m_rlast),
    .sdram_a_o(sdram_a_o), .sdram_ba_o(sdram_ba_o), .sdram_cke_o(sdram_cke_o), .sdram_cs_no(sdram_cs_no),
    .sdram_ras_no(sdram_ras_no), .sdram_cas_no(sdram_cas_no), .sdram_we_no(sdram_we_no), .sdram_dm_o(sdram_dm_o),
    .sdram_dq_io(sdram_dq_io)
  );

  board_master #(.CORE(CORE), .MEMORY(MEMORY), .FEED(FEED), .BASE(BASE), .BYTES(BYTES)) u_master (
    .clk_i(clk_i), .rst_ni(sys_rst_n),
    .st_on_i           (st_on),
    .st_drop_i         (st_drop),
    .st_valid_o        (st_valid),
    .st_ready_i        (st_ready),
    .st_data_o         (st_data),
    .st_lost_o         (st_lost),
    .s_axil_awvalid_i  (reg_awvalid),
    .s_axil_awready_o  (reg_awready),
    .s_axil_awaddr_i   (reg_awaddr),
    .s_axil_wvalid_i   (reg_wvalid),
    .s_axil_wready_o   (reg_wready),
    .s_axil_wdata_i    (reg_wdata),
    .s_axil_wstrb_i    (reg_wstrb),
    .s_axil_bvalid_o   (reg_bvalid),
    .s_axil_bready_i   (reg_bready),
    .s_axil_bresp_o    (reg_bresp),
    .s_axil_arvalid_i  (reg_arvalid),
    .s_axil_arready_o  (reg_arready),
    .s_axil_araddr_i   (reg_araddr),
    .s_axil_rvalid_o   (reg_rvalid),
    .s_axil_rready_i   (reg_rready),
    .s_axil_rdata_o    (reg_rdata),
    .s_axil_rresp_o    (reg_rresp),
    .m_axi_awvalid_o   (m_awvalid[1]),
    .m_axi_awready_i   (m_awready[1]),
    .m_axi_awid_o      (m_awid[1]),
    .m_axi_awaddr_o    (m_awaddr[1]),
    .m_axi_awlen_o     (m_awlen[1]),
    .m_axi_awsize_o    (m_awsize[1]),
    .m_axi_awburst_o   (m_awburst[1]),
    .m_axi_wvalid_o    (m_wvalid[1]),
    .m_axi_wready_i    (m_wready[1]),
    .m_axi_wdata_o     (m_wdata[1]),
    .m_axi_wstrb_o     (m_wstrb[1]),
    .m_axi_wlast_o     (m_wlast[1]),
    .m_axi_bvalid_i    (m_bvalid[1]),
    .m_axi_bready_o    (m_bready[1]),
    .m_axi_bid_i       (m_bid[1]),
    .m_axi_bresp_i     (m_bresp[1]),
    .m_axi_arvalid_o   (m_arvalid[1]),
    .m_axi_arready_i   (m_arready[1]),
    .m_axi_arid_o      (m_arid[1]),
    .m_axi_araddr_o    (m_araddr[1]),
    .m_axi_arlen_o     (m_arlen[1]),
    .m_axi_arsize_o    (m_arsize[1]),
    .m_axi_arburst_o   (m_arburst[1]),
    .m_axi_rvalid_i    (m_rvalid[1]),
    .m_axi_rready_o    (m_rready[1]),
    .m_axi_rid_i       (m_rid[1]),
    .m_axi_rdata_i     (m_rdata[1]),
    .m_axi_rresp_i     (m_rresp[1]),
    .m_axi_rlast_i     (m_rlast[1])
  );

  // ---- what the host saw last of the core --------------------------------------------------------------
  logic status_q;       // the read under way is of STATUS
  always_ff @(posedge clk_i) begin
    if (!sys_rst_n) begin
      status_q  <= 1'b0;
      running_o <= 1'b0;
      trapped_o <= 1'b0;
    end else begin
      if (reg_arvalid && reg_arready) status_q <= CORE != 0 && reg_araddr[11:2] == host_regs_pkg::W_STATUS;
      if (reg_rvalid && reg_rready && status_q) begin
        running_o <= reg_rdata[host_regs_pkg::STATUS_RUNNING];
        trapped_o <= reg_rdata[host_regs_pkg::STATUS_TRAPPED];
      end
    end
  end

endmodule

`default_nettype wire
