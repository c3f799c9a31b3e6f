// SPDX-License-Identifier: Apache-2.0
// Memory of a board: an SDRAM of 32 MB and 16 bits behind AXI4 of 64 bits, by LiteDRAM (litedram_core, made by generate.py).
// Latency: that of LiteDRAM, a dozen cycles and four for each beat of 64 bits; refreshes in between.
// Handshake: AXI4 with INCR bursts of whole beats; nothing is taken before ready_o. Outside of the window: DECERR.
// The SDRAM's own clock is not made here: half a cycle later than clk_i suits up to 50 MHz and more (README.md).
`default_nettype none

module board_memory #(
  parameter logic [39:0] BASE  = 40'h4000_0000,
  parameter logic [39:0] BYTES = 40'h200_0000,
  parameter int unsigned ID_W  = 5             // 8 at most
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
  output logic [12:0]     sdram_a_o,
  output logic [1:0]      sdram_ba_o,
  output logic            sdram_cke_o,
  output logic            sdram_cs_no,
  output logic            sdram_ras_no,
  output logic            sdram_cas_no,
  output logic            sdram_we_no,
  output logic [1:0]      sdram_dm_o,
  inout  wire  [15:0]     sdram_dq_io
);

  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  logic [24:0] awaddr, araddr;
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
    .user_port_axi_0_awvalid (awvalid),
    .user_port_axi_0_awready (awready),
    .user_port_axi_0_awid    (8'(s_axi_awid_i)),
    .user_port_axi_0_awaddr  (awaddr),
    .user_port_axi_0_awlen   (s_axi_awlen_i),
    .user_port_axi_0_awsize  ({1'b0, s_axi_awsize_i}),
    .user_port_axi_0_awburst (s_axi_awburst_i),
    .user_port_axi_0_wvalid  (wvalid),
    .user_port_axi_0_wready  (wready),
    .user_port_axi_0_wdata   (s_axi_wdata_i),
    .user_port_axi_0_wstrb   (s_axi_wstrb_i),
    .user_port_axi_0_wlast   (s_axi_wlast_i),
    .user_port_axi_0_bvalid  (bvalid),
    .user_port_axi_0_bready  (bready),
    .user_port_axi_0_bid     (bid),
    .user_port_axi_0_bresp   (bresp),
    .user_port_axi_0_arvalid (arvalid),
    .user_port_axi_0_arready (arready),
    .user_port_axi_0_arid    (8'(s_axi_arid_i)),
    .user_port_axi_0_araddr  (araddr),
    .user_port_axi_0_arlen   (s_axi_arlen_i),
    .user_port_axi_0_arsize  ({1'b0, s_axi_arsize_i}),
    .user_port_axi_0_arburst (s_axi_arburst_i),
    .user_port_axi_0_rvalid  (rvalid),
    .user_port_axi_0_rready  (rready),
    .user_port_axi_0_rid     (rid),
    .user_port_axi_0_rdata   (s_axi_rdata_o),
    .user_port_axi_0_rresp   (rresp),
    .user_port_axi_0_rlast   (rlast)
  );

endmodule

`default_nettype wire
