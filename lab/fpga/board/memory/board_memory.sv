// SPDX-License-Identifier: Apache-2.0
// Memory of a board: an SDRAM behind AXI4 of 64 bits, by LiteDRAM (litedram_core, made by generate.py for that board).
// Latency: that of LiteDRAM, a dozen cycles and four for each beat of 64 bits, or two where it is 32 bits wide;
// refreshes in between. Without byte masks (MASKS) a write of a part is a read and a write (axi_whole).
// Handshake: AXI4 with INCR bursts of whole beats; nothing is taken before ready_o. Outside of the window: DECERR.
// The SDRAM's own clock is not made here: half a cycle later than clk_i suits up to 50 MHz and more (README.md).
module board_memory #(
  parameter logic [39:0] BASE  = 40'h4000_0000,
  parameter logic [39:0] BYTES = 40'h200_0000,
  parameter int unsigned ID_W  = 5,            // 7 at most
  parameter int unsigned DQ    = 16,           // data pins
  parameter int unsigned ROW_W = 13,           // address pins
  parameter bit          MASKS = 1'b1          // it has byte masks, DQM
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  output logic            ready_o,
  output logic            failed_o,
  // from the masters
  input  logic            s_axi_awvalid_i,
  output logic            s_axi_awready_o,
  input  logic [ID_W-1:0] s_axi_awid_i,
  input  logic [39:0]     s_axi_awaddr_i,
  input  logic [7:0]      s_axi_awlen_i,
  input  logic [2:0]      s_axi_awsize_i,
  input  logic [1:0]      s_axi_awburst_i,
  input  logic            s_axi_wvalid_i,
  output logic            s_axi_wready_o,
  input  logic [63:0]     s_axi_wdata_i,
  input  logic [7:0]      s_axi_wstrb_i,
  input  logic            s_axi_wlast_i,
  output logic            s_axi_bvalid_o,
  input  logic            s_axi_bready_i,
  output logic [ID_W-1:0] s_axi_bid_o,
  output logic [1:0]      s_axi_bresp_o,
  input  logic            s_axi_arvalid_i,
  output logic            s_axi_arready_o,
  input  logic [ID_W-1:0] s_axi_arid_i,
  input  logic [39:0]     s_axi_araddr_i,
  input  logic [7:0]      s_axi_arlen_i,
  input  logic [2:0]      s_axi_arsize_i,
  input  logic [1:0]      s_axi_arburst_i,
  output logic            s_axi_rvalid_o,
  input  logic            s_axi_rready_i,
  output logic [ID_W-1:0] s_axi_rid_o,
  output logic [63:0]     s_axi_rdata_o,
  output logic [1:0]      s_axi_rresp_o,
  output logic            s_axi_rlast_o,
  // pins
  output logic [ROW_W-1:0] sdram_a_o,
  output logic [1:0]      sdram_ba_o,
  output logic            sdram_cke_o,
  output logic            sdram_cs_no,
  output logic            sdram_ras_no,
  output logic            sdram_cas_no,
  output logic            sdram_we_no,
  output logic [DQ/8-1:0] sdram_dm_o,
  inout  wire  [DQ-1:0]   sdram_dq_io
);

  localparam int unsigned ADDR_W = $clog2(BYTES);

  logic [ADDR_W-1:0] awaddr, araddr;
  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  logic [7:0]  bid, rid, s_bid, s_rid;
  logic [1:0]  bresp, rresp;
  logic        wb_cyc, wb_ack, wb_err;
  logic [29:0] wb_adr;
  logic [31:0] wb_data;
  logic        init_done, init_failed, init_error;

  assign ready_o     = init_done;
  assign failed_o    = init_failed || init_error;
  assign s_axi_bid_o = ID_W'(s_bid);
  assign s_axi_rid_o = ID_W'(s_rid);

  sdram_init u_init (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .done_o    (init_done),
    .failed_o  (init_failed),
    .wb_cyc_o  (wb_cyc),
    .wb_adr_o  (wb_adr),
    .wb_data_o (wb_data),
    .wb_ack_i  (wb_ack),
    .wb_err_i  (wb_err)
  );

  axi_window #(.BASE(BASE), .BYTES(BYTES), .ID_W(8)) u_window (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_awvalid_i (s_axi_awvalid_i),
    .s_awready_o (s_axi_awready_o),
    .s_awid_i    (8'(s_axi_awid_i)),
    .s_awaddr_i  (s_axi_awaddr_i),
    .s_wvalid_i  (s_axi_wvalid_i),
    .s_wready_o  (s_axi_wready_o),
    .s_wlast_i   (s_axi_wlast_i),
    .s_bvalid_o  (s_axi_bvalid_o),
    .s_bready_i  (s_axi_bready_i),
    .s_bid_o     (s_bid),
    .s_bresp_o   (s_axi_bresp_o),
    .s_arvalid_i (s_axi_arvalid_i),
    .s_arready_o (s_axi_arready_o),
    .s_arid_i    (8'(s_axi_arid_i)),
    .s_araddr_i  (s_axi_araddr_i),
    .s_arlen_i   (s_axi_arlen_i),
    .s_rvalid_o  (s_axi_rvalid_o),
    .s_rready_i  (s_axi_rready_i),
    .s_rid_o     (s_rid),
    .s_rresp_o   (s_axi_rresp_o),
    .s_rlast_o   (s_axi_rlast_o),
    .m_awvalid_o (awvalid),
    .m_awready_i (awready),
    .m_awaddr_o  (awaddr),
    .m_wvalid_o  (wvalid),
    .m_wready_i  (wready),
    .m_bvalid_i  (bvalid),
    .m_bready_o  (bready),
    .m_bid_i     (bid),
    .m_bresp_i   (bresp),
    .m_arvalid_o (arvalid),
    .m_arready_i (arready),
    .m_araddr_o  (araddr),
    .m_rvalid_i  (rvalid),
    .m_rready_o  (rready),
    .m_rid_i     (rid),
    .m_rresp_i   (rresp),
    .m_rlast_i   (rlast)
  );

  // ---- without masks, whole beats -----------------------------------------------------------------
  logic              l_awvalid, l_awready, l_wvalid, l_wready, l_wlast, l_bvalid, l_bready;
  logic              l_arvalid, l_arready, l_rvalid, l_rready;
  logic [ADDR_W-1:0] l_awaddr, l_araddr;
  logic [7:0]        l_awid, l_arid, l_bid, l_awlen, l_arlen, l_wstrb;
  logic [63:0]       l_wdata;
  logic [1:0]        l_bresp;

  if (MASKS) begin : gen_masks
    assign {l_awvalid, l_awaddr, l_awid, l_awlen} = {awvalid, awaddr, 8'(s_axi_awid_i), s_axi_awlen_i};
    assign {l_wvalid, l_wdata, l_wstrb, l_wlast}  = {wvalid, s_axi_wdata_i, s_axi_wstrb_i, s_axi_wlast_i};
    assign {l_arvalid, l_araddr, l_arid, l_arlen} = {arvalid, araddr, 8'(s_axi_arid_i), s_axi_arlen_i};
    assign {l_bready, l_rready}                   = {bready, rready};
    assign {awready, wready, arready}             = {l_awready, l_wready, l_arready};
    assign {bvalid, bid, bresp, rvalid}           = {l_bvalid, l_bid, l_bresp, l_rvalid};
  end else begin : gen_whole
    logic unused;

    axi_whole #(.ADDR_W(ADDR_W), .ID_W(8)) u_whole (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .s_awvalid_i (awvalid),
      .s_awready_o (awready),
      .s_awid_i    (8'(s_axi_awid_i)),
      .s_awaddr_i  (awaddr),
      .s_wvalid_i  (wvalid),
      .s_wready_o  (wready),
      .s_wdata_i   (s_axi_wdata_i),
      .s_wstrb_i   (s_axi_wstrb_i),
      .s_wlast_i   (s_axi_wlast_i),
      .s_bvalid_o  (bvalid),
      .s_bready_i  (bready),
      .s_bid_o     (bid),
      .s_bresp_o   (bresp),
      .s_arvalid_i (arvalid),
      .s_arready_o (arready),
      .s_arid_i    (8'(s_axi_arid_i)),
      .s_araddr_i  (araddr),
      .s_arlen_i   (s_axi_arlen_i),
      .s_rvalid_o  (rvalid),
      .s_rready_i  (rready),
      .m_awvalid_o (l_awvalid),
      .m_awready_i (l_awready),
      .m_awid_o    (l_awid),
      .m_awaddr_o  (l_awaddr),
      .m_wvalid_o  (l_wvalid),
      .m_wready_i  (l_wready),
      .m_wdata_o   (l_wdata),
      .m_bvalid_i  (l_bvalid),
      .m_bready_o  (l_bready),
      .m_bresp_i   (l_bresp),
      .m_arvalid_o (l_arvalid),
      .m_arready_i (l_arready),
      .m_arid_o    (l_arid),
      .m_araddr_o  (l_araddr),
      .m_arlen_o   (l_arlen),
      .m_rvalid_i  (l_rvalid),
      .m_rready_o  (l_rready),
      .m_rdata_i   (s_axi_rdata_o),
      .m_rid_i     (rid)
    );
    assign {l_awlen, l_wstrb, l_wlast} = {8'd0, 8'hff, 1'b1};
    assign unused = ^{l_bid, s_axi_awlen_i, s_axi_awsize_i, s_axi_awburst_i, s_axi_arsize_i, s_axi_arburst_i};
  end

  // LiteDRAM's names, and its reset, which is high.
  logic        unused_id, unused_user_clk, unused_user_rst, unused_init_done;
  logic [31:0] unused_wb_data;

  assign unused_id = ^(s_bid >> ID_W) ^ ^(s_rid >> ID_W);   // ids of 8 bits come back as they went

  litedram_core u_litedram (
    .clk (clk_i), .rst (!rst_ni),
    .init_done  (unused_init_done),
    .init_error (init_error),
    .user_clk   (unused_user_clk),
    .user_rst   (unused_user_rst),
    .sdram_a(sdram_a_o), .sdram_ba(sdram_ba_o), .sdram_cke(sdram_cke_o), .sdram_cs_n(sdram_cs_no), .sdram_ras_n(sdram_ras_no),
    .sdram_cas_n(sdram_cas_no), .sdram_we_n(sdram_we_no), .sdram_dm(sdram_dm_o), .sdram_dq(sdram_dq_io),
    .wb_ctrl_cyc   (wb_cyc),
    .wb_ctrl_stb   (wb_cyc),
    .wb_ctrl_we    (wb_cyc),
    .wb_ctrl_adr   (wb_adr),
    .wb_ctrl_dat_w (wb_data),
    .wb_ctrl_sel   (4'hf),
    .wb_ctrl_cti   (3'd0),
    .wb_ctrl_bte   (2'd0),
    .wb_ctrl_ack   (wb_ack),
    .wb_ctrl_err   (wb_err),
    .wb_ctrl_dat_r (unused_wb_data),
    .user_port_axi_0_awvalid (l_awvalid),
    .user_port_axi_0_awready (l_awready),
    .user_port_axi_0_awid    (l_awid),
    .user_port_axi_0_awaddr  (l_awaddr),
    .user_port_axi_0_awlen   (l_awlen),
    .user_port_axi_0_awsize  ({1'b0, MASKS ? s_axi_awsize_i : 3'd3}),
    .user_port_axi_0_awburst (MASKS ? s_axi_awburst_i : 2'd1),
    .user_port_axi_0_wvalid  (l_wvalid),
    .user_port_axi_0_wready  (l_wready),
    .user_port_axi_0_wdata   (l_wdata),
    .user_port_axi_0_wstrb   (l_wstrb),
    .user_port_axi_0_wlast   (l_wlast),
    .user_port_axi_0_bvalid  (l_bvalid),
    .user_port_axi_0_bready  (l_bready),
    .user_port_axi_0_bid     (l_bid),
    .user_port_axi_0_bresp   (l_bresp),
    .user_port_axi_0_arvalid (l_arvalid),
    .user_port_axi_0_arready (l_arready),
    .user_port_axi_0_arid    (l_arid),
    .user_port_axi_0_araddr  (l_araddr),
    .user_port_axi_0_arlen   (l_arlen),
    .user_port_axi_0_arsize  ({1'b0, MASKS ? s_axi_arsize_i : 3'd3}),
    .user_port_axi_0_arburst (MASKS ? s_axi_arburst_i : 2'd1),
    .user_port_axi_0_rvalid  (l_rvalid),
    .user_port_axi_0_rready  (l_rready),
    .user_port_axi_0_rid     (rid),
    .user_port_axi_0_rdata   (s_axi_rdata_o),
    .user_port_axi_0_rresp   (rresp),
    .user_port_axi_0_rlast   (rlast)
  );

endmodule
