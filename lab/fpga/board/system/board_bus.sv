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
    .s_awvalid_i        ({m_i[1].awvalid, m_i[0].awvalid}),
    .s_awready_o        ({m_o[1].awready, m_o[0].awready}),
    .s_awid_i           ({m_i[1].awid, m_i[0].awid}),
    .s_awaddr_i         ({m_i[1].awaddr, m_i[0].awaddr}),
    .s_awlen_i          ({m_i[1].awlen, m_i[0].awlen}),
    .s_awsize_i         ({m_i[1].awsize, m_i[0].awsize}),
    .s_awburst_i        ({m_i[1].awburst, m_i[0].awburst}),
    .s_wvalid_i         ({m_i[1].wvalid, m_i[0].wvalid}),
    .s_wready_o         ({m_o[1].wready, m_o[0].wready}),
    .s_wdata_i          ({m_i[1].wdata, m_i[0].wdata}),
    .s_wstrb_i          ({m_i[1].wstrb, m_i[0].wstrb}),
    .s_wlast_i          ({m_i[1].wlast, m_i[0].wlast}),
    .s_bvalid_o         ({m_o[1].bvalid, m_o[0].bvalid}),
    .s_bready_i         ({m_i[1].bready, m_i[0].bready}),
    .s_bid_o            ({m_o[1].bid, m_o[0].bid}),
    .s_bresp_o          ({m_o[1].bresp, m_o[0].bresp}),
    .s_arvalid_i        ({m_i[1].arvalid, m_i[0].arvalid}),
    .s_arready_o        ({m_o[1].arready, m_o[0].arready}),
    .s_arid_i           ({m_i[1].arid, m_i[0].arid}),
    .s_araddr_i         ({m_i[1].araddr, m_i[0].araddr}),
    .s_arlen_i          ({m_i[1].arlen, m_i[0].arlen}),
    .s_arsize_i         ({m_i[1].arsize, m_i[0].arsize}),
    .s_arburst_i        ({m_i[1].arburst, m_i[0].arburst}),
    .s_rvalid_o         ({m_o[1].rvalid, m_o[0].rvalid}),
    .s_rready_i         ({m_i[1].rready, m_i[0].rready}),
    .s_rid_o            ({m_o[1].rid, m_o[0].rid}),
    .s_rdata_o          ({m_o[1].rdata, m_o[0].rdata}),
    .s_rresp_o          ({m_o[1].rresp, m_o[0].rresp}),
    .s_rlast_o          ({m_o[1].rlast, m_o[0].rlast}),
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
