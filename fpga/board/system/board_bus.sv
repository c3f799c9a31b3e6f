// SPDX-License-Identifier: Apache-2.0
// The bus of a board: two masters, 0 the link and 1 the core, before one memory; with MEMORY 0 before none, where every access
// is answered with an error. Ids: the multiplexer puts a bit above those of the masters.
// Latency: that of what is in it. Handshake: AXI4, and the pins of an SDRAM.
`default_nettype none

module board_bus #(
  parameter bit          MEMORY   = 1'b1,
  parameter int unsigned ID_W     = l2_pkg::AXI_ID_W,
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
  input  logic [1:0]             s_awvalid_i,
  output logic [1:0]             s_awready_o,
  input  logic [1:0][ID_W-1:0]   s_awid_i,
  input  logic [1:0][39:0]       s_awaddr_i,
  input  logic [1:0][7:0]        s_awlen_i,
  input  logic [1:0][2:0]        s_awsize_i,
  input  logic [1:0][1:0]        s_awburst_i,
  input  logic [1:0]             s_wvalid_i,
  output logic [1:0]             s_wready_o,
  input  logic [1:0][63:0]       s_wdata_i,
  input  logic [1:0][7:0]        s_wstrb_i,
  input  logic [1:0]             s_wlast_i,
  output logic [1:0]             s_bvalid_o,
  input  logic [1:0]             s_bready_i,
  output logic [1:0][ID_W-1:0]   s_bid_o,
  output logic [1:0][1:0]        s_bresp_o,
  input  logic [1:0]             s_arvalid_i,
  output logic [1:0]             s_arready_o,
  input  logic [1:0][ID_W-1:0]   s_arid_i,
  input  logic [1:0][39:0]       s_araddr_i,
  input  logic [1:0][7:0]        s_arlen_i,
  input  logic [1:0][2:0]        s_arsize_i,
  input  logic [1:0][1:0]        s_arburst_i,
  output logic [1:0]             s_rvalid_o,
  input  logic [1:0]             s_rready_i,
  output logic [1:0][ID_W-1:0]   s_rid_o,
  output logic [1:0][63:0]       s_rdata_o,
  output logic [1:0][1:0]        s_rresp_o,
  output logic [1:0]             s_rlast_o,
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

  localparam int unsigned ALL_W = ID_W + 1;

  logic               mem_awvalid;
  logic               mem_awready;
  logic [ALL_W-1:0]   mem_awid;
  logic [39:0]        mem_awaddr;
  logic [7:0]         mem_awlen;
  logic [2:0]         mem_awsize;
  logic [1:0]         mem_awburst;
  logic               mem_wvalid;
  logic               mem_wready;
  logic [63:0]        mem_wdata;
  logic [7:0]         mem_wstrb;
  logic               mem_wlast;
  logic               mem_bvalid;
  logic               mem_bready;
  logic [ALL_W-1:0]   mem_bid;
  logic [1:0]         mem_bresp;
  logic               mem_arvalid;
  logic               mem_arready;
  logic [ALL_W-1:0]   mem_arid;
  logic [39:0]        mem_araddr;
  logic [7:0]         mem_arlen;
  logic [2:0]         mem_arsize;
  logic [1:0]         mem_arburst;
  logic               mem_rvalid;
  logic               mem_rready;
  logic [ALL_W-1:0]   mem_rid;
  logic [63:0]        mem_rdata;
  logic [1:0]         mem_rresp;
  logic               mem_rlast;

  axi_mux #(.N(2), .ID_W(ID_W), .BITS(64)) u_mux (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_awvalid_i        (s_awvalid_i),
    .s_awready_o        (s_awready_o),
    .s_awid_i           (s_awid_i),
    .s_awaddr_i         (s_awaddr_i),
    .s_awlen_i          (s_awlen_i),
    .s_awsize_i         (s_awsize_i),
    .s_awburst_i        (s_awburst_i),
    .s_wvalid_i         (s_wvalid_i),
    .s_wready_o         (s_wready_o),
    .s_wdata_i          (s_wdata_i),
    .s_wstrb_i          (s_wstrb_i),
    .s_wlast_i          (s_wlast_i),
    .s_bvalid_o         (s_bvalid_o),
    .s_bready_i         (s_bready_i),
    .s_bid_o            (s_bid_o),
    .s_bresp_o          (s_bresp_o),
    .s_arvalid_i        (s_arvalid_i),
    .s_arready_o        (s_arready_o),
    .s_arid_i           (s_arid_i),
    .s_araddr_i         (s_araddr_i),
    .s_arlen_i          (s_arlen_i),
    .s_arsize_i         (s_arsize_i),
    .s_arburst_i        (s_arburst_i),
    .s_rvalid_o         (s_rvalid_o),
    .s_rready_i         (s_rready_i),
    .s_rid_o            (s_rid_o),
    .s_rdata_o          (s_rdata_o),
    .s_rresp_o          (s_rresp_o),
    .s_rlast_o          (s_rlast_o),
    .m_awvalid_o        (mem_awvalid),
    .m_awready_i        (mem_awready),
    .m_awid_o           (mem_awid),
    .m_awaddr_o         (mem_awaddr),
    .m_awlen_o          (mem_awlen),
    .m_awsize_o         (mem_awsize),
    .m_awburst_o        (mem_awburst),
    .m_wvalid_o         (mem_wvalid),
    .m_wready_i         (mem_wready),
    .m_wdata_o          (mem_wdata),
    .m_wstrb_o          (mem_wstrb),
    .m_wlast_o          (mem_wlast),
    .m_bvalid_i         (mem_bvalid),
    .m_bready_o         (mem_bready),
    .m_bid_i            (mem_bid),
    .m_bresp_i          (mem_bresp),
    .m_arvalid_o        (mem_arvalid),
    .m_arready_i        (mem_arready),
    .m_arid_o           (mem_arid),
    .m_araddr_o         (mem_araddr),
    .m_arlen_o          (mem_arlen),
    .m_arsize_o         (mem_arsize),
    .m_arburst_o        (mem_arburst),
    .m_rvalid_i         (mem_rvalid),
    .m_rready_o         (mem_rready),
    .m_rid_i            (mem_rid),
    .m_rdata_i          (mem_rdata),
    .m_rresp_i          (mem_rresp),
    .m_rlast_i          (mem_rlast)
  );

  if (MEMORY) begin : gen_memory
    board_memory #(.BASE(BASE), .BYTES(BYTES), .ID_W(ALL_W), .DQ(DQ), .ROW_W(ROW_W), .MASKS(MASKS)) u_memory (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .ready_o  (ready_o),
      .failed_o (failed_o),
      .s_axi_awvalid_i    (mem_awvalid),
      .s_axi_awready_o    (mem_awready),
      .s_axi_awid_i       (mem_awid),
      .s_axi_awaddr_i     (mem_awaddr),
      .s_axi_awlen_i      (mem_awlen),
      .s_axi_awsize_i     (mem_awsize),
      .s_axi_awburst_i    (mem_awburst),
      .s_axi_wvalid_i     (mem_wvalid),
      .s_axi_wready_o     (mem_wready),
      .s_axi_wdata_i      (mem_wdata),
      .s_axi_wstrb_i      (mem_wstrb),
      .s_axi_wlast_i      (mem_wlast),
      .s_axi_bvalid_o     (mem_bvalid),
      .s_axi_bready_i     (mem_bready),
      .s_axi_bid_o        (mem_bid),
      .s_axi_bresp_o      (mem_bresp),
      .s_axi_arvalid_i    (mem_arvalid),
      .s_axi_arready_o    (mem_arready),
      .s_axi_arid_i       (mem_arid),
      .s_axi_araddr_i     (mem_araddr),
      .s_axi_arlen_i      (mem_arlen),
      .s_axi_arsize_i     (mem_arsize),
      .s_axi_arburst_i    (mem_arburst),
      .s_axi_rvalid_o     (mem_rvalid),
      .s_axi_rready_i     (mem_rready),
      .s_axi_rid_o        (mem_rid),
      .s_axi_rdata_o      (mem_rdata),
      .s_axi_rresp_o      (mem_rresp),
      .s_axi_rlast_o      (mem_rlast),
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
      .s_awvalid_i        (mem_awvalid),
      .s_awready_o        (mem_awready),
      .s_awid_i           (mem_awid),
      .s_awaddr_i         (mem_awaddr),
      .s_wvalid_i         (mem_wvalid),
      .s_wready_o         (mem_wready),
      .s_wlast_i          (mem_wlast),
      .s_bvalid_o         (mem_bvalid),
      .s_bready_i         (mem_bready),
      .s_bid_o            (mem_bid),
      .s_bresp_o          (mem_bresp),
      .s_arvalid_i        (mem_arvalid),
      .s_arready_o        (mem_arready),
      .s_arid_i           (mem_arid),
      .s_araddr_i         (mem_araddr),
      .s_arlen_i          (mem_arlen),
      .s_rvalid_o         (mem_rvalid),
      .s_rready_i         (mem_rready),
      .s_rid_o            (mem_rid),
      .s_rresp_o          (mem_rresp),
      .s_rlast_o          (mem_rlast),
      .m_awvalid_o(none[0]), .m_awready_i(1'b0), .m_awaddr_o(none_addr[0]), .m_wvalid_o(none[1]), .m_wready_i(1'b0),
      .m_bvalid_i(1'b0), .m_bready_o(none[2]), .m_bid_i('0), .m_bresp_i('0), .m_arvalid_o(none[3]), .m_arready_i(1'b0),
      .m_araddr_o(none_addr[1]), .m_rvalid_i(1'b0), .m_rready_o(none[4]),
      .m_rid_i('0), .m_rresp_i('0), .m_rlast_i(1'b0)
    );
    assign mem_rdata = '0;
    assign ready_o   = 1'b0;
    assign failed_o  = 1'b0;
    assign {sdram_a_o, sdram_ba_o, sdram_dm_o, sdram_cke_o} = '0;
    assign {sdram_cs_no, sdram_ras_no, sdram_cas_no, sdram_we_no} = '1;
    assign unused = ^{none, none_addr, mem_awlen, mem_awsize, mem_awburst, mem_wdata, mem_wstrb, mem_arsize, mem_arburst, sdram_dq_io};
  end

endmodule

`default_nettype wire
