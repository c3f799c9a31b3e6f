// SPDX-License-Identifier: Apache-2.0
// The bus of a board: two masters, 0 the link and 1 the core, before one memory; with MEMORY 0 before none, where every access
// is answered with an error. Ids: the multiplexer puts a bit above those of the masters.
// Latency: that of what is in it. Handshake: AXI4, and the pins of an SDRAM.
module board_bus #(
  parameter bit          MEMORY   = 1'b1,
  parameter logic [39:0] BASE     = 40'h4000_0000,
  parameter logic [39:0] BYTES    = 40'h200_0000,
  parameter int unsigned DQ       = 16,            // pins of memory: data, address; it has byte masks
  parameter int unsigned ROW_W    = 13,
  parameter bit          MASKS    = 1'b1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   ready_o,         // memory has been initialised
  output logic                   failed_o,        // it could not be
  // from the masters
  input  axi_pkg::axi_req_t [1:0] m_i,
  output axi_pkg::axi_rsp_t [1:0] m_o,
  // pins of memory
  output logic [ROW_W-1:0]       sdram_a_o,
  output logic [1:0]             sdram_ba_o,
  output logic                   sdram_cke_o,
  output logic                   sdram_cs_no,
  output logic                   sdram_ras_no,
  output logic                   sdram_cas_no,
  output logic                   sdram_we_no,
  output logic [DQ/8-1:0]        sdram_dm_o,
  inout  wire  [DQ-1:0]          sdram_dq_io
);

  localparam int unsigned ID_W  = l2_pkg::AXI_ID_W;
  localparam int unsigned ALL_W = ID_W + 1;

  axi_pkg::axi_req_t  mem;
  axi_pkg::axi_rsp_t  got;
  logic               aw_who, ar_who;
  logic [ALL_W-1:0]   bid, rid;      // that of the master, and above it which

  assign got.bid = ID_W'(bid);
  assign got.rid = ID_W'(rid);

  axi_mux #(.N(2)) u_mux (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_i      (m_i),
    .s_o      (m_o),
    .m_o      (mem),
    .m_i      (got),
    .aw_who_o (aw_who),
    .ar_who_o (ar_who),
    .b_who_i  (bid[ID_W]),
    .r_who_i  (rid[ID_W])
  );

  if (MEMORY) begin : gen_memory
    board_memory #(.BASE(BASE), .BYTES(BYTES), .ID_W(ALL_W), .DQ(DQ), .ROW_W(ROW_W), .MASKS(MASKS)) u_memory (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .ready_o  (ready_o),
      .failed_o (failed_o),
      .s_axi_awvalid_i    (mem.awvalid),
      .s_axi_awready_o    (got.awready),
      .s_axi_awid_i       ({aw_who, mem.awid}),
      .s_axi_awaddr_i     (mem.awaddr),
      .s_axi_awlen_i      (mem.awlen),
      .s_axi_awsize_i     (mem.awsize),
      .s_axi_awburst_i    (mem.awburst),
      .s_axi_wvalid_i     (mem.wvalid),
      .s_axi_wready_o     (got.wready),
      .s_axi_wdata_i      (mem.wdata),
      .s_axi_wstrb_i      (mem.wstrb),
      .s_axi_wlast_i      (mem.wlast),
      .s_axi_bvalid_o     (got.bvalid),
      .s_axi_bready_i     (mem.bready),
      .s_axi_bid_o        (bid),
      .s_axi_bresp_o      (got.bresp),
      .s_axi_arvalid_i    (mem.arvalid),
      .s_axi_arready_o    (got.arready),
      .s_axi_arid_i       ({ar_who, mem.arid}),
      .s_axi_araddr_i     (mem.araddr),
      .s_axi_arlen_i      (mem.arlen),
      .s_axi_arsize_i     (mem.arsize),
      .s_axi_arburst_i    (mem.arburst),
      .s_axi_rvalid_o     (got.rvalid),
      .s_axi_rready_i     (mem.rready),
      .s_axi_rid_o        (rid),
      .s_axi_rdata_o      (got.rdata),
      .s_axi_rresp_o      (got.rresp),
      .s_axi_rlast_o      (got.rlast),
      .sdram_a_o(sdram_a_o), .sdram_ba_o(sdram_ba_o), .sdram_cke_o(sdram_cke_o), .sdram_cs_no(sdram_cs_no),
      .sdram_ras_no(sdram_ras_no), .sdram_cas_no(sdram_cas_no), .sdram_we_no(sdram_we_no), .sdram_dm_o(sdram_dm_o),
      .sdram_dq_io(sdram_dq_io)
    );
  end else begin : gen_no_memory
    logic             unused;
    logic [4:0]       none;
    logic [1:0][24:0] none_addr;

    axi_window #(.EMPTY(1'b1), .ID_W(ALL_W)) u_window (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .s_awvalid_i        (mem.awvalid),
      .s_awready_o        (got.awready),
      .s_awid_i           ({aw_who, mem.awid}),
      .s_awaddr_i         (mem.awaddr),
      .s_wvalid_i         (mem.wvalid),
      .s_wready_o         (got.wready),
      .s_wlast_i          (mem.wlast),
      .s_bvalid_o         (got.bvalid),
      .s_bready_i         (mem.bready),
      .s_bid_o            (bid),
      .s_bresp_o          (got.bresp),
      .s_arvalid_i        (mem.arvalid),
      .s_arready_o        (got.arready),
      .s_arid_i           ({ar_who, mem.arid}),
      .s_araddr_i         (mem.araddr),
      .s_arlen_i          (mem.arlen),
      .s_rvalid_o         (got.rvalid),
      .s_rready_i         (mem.rready),
      .s_rid_o            (rid),
      .s_rresp_o          (got.rresp),
      .s_rlast_o          (got.rlast),
      .m_awvalid_o(none[0]), .m_awready_i(1'b0), .m_awaddr_o(none_addr[0]), .m_wvalid_o(none[1]), .m_wready_i(1'b0),
      .m_bvalid_i(1'b0), .m_bready_o(none[2]), .m_bid_i('0), .m_bresp_i('0), .m_arvalid_o(none[3]), .m_arready_i(1'b0),
      .m_araddr_o(none_addr[1]), .m_rvalid_i(1'b0), .m_rready_o(none[4]),
      .m_rid_i('0), .m_rresp_i('0), .m_rlast_i(1'b0)
    );
    assign got.rdata = '0;
    assign ready_o   = 1'b0;
    assign failed_o  = 1'b0;
    assign {sdram_a_o, sdram_ba_o, sdram_dm_o, sdram_cke_o} = '0;
    assign {sdram_cs_no, sdram_ras_no, sdram_cas_no, sdram_we_no} = '1;
    assign unused = ^{none, none_addr, mem.awlen, mem.awsize, mem.awburst, mem.wdata, mem.wstrb, mem.arsize, mem.arburst, sdram_dq_io};
  end

endmodule
