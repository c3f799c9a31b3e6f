// SPDX-License-Identifier: Apache-2.0
// A board's memory with an SDRAM at its pins, on a clock half a cycle later.
module memory_tb #(
  parameter logic [39:0] BYTES = 40'h200_0000,
  parameter int unsigned DQ    = 16,
  parameter int unsigned ROW_W = 13,
  parameter int unsigned COL_W = 9,
  parameter bit          MASKS = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        ready_o,
  output logic        failed_o,
  input  logic        awvalid_i,
  output logic        awready_o,
  input  logic [4:0]  awid_i,
  input  logic [39:0] awaddr_i,
  input  logic [7:0]  awlen_i,
  input  logic        wvalid_i,
  output logic        wready_o,
  input  logic [63:0] wdata_i,
  input  logic [7:0]  wstrb_i,
  input  logic        wlast_i,
  output logic        bvalid_o,
  input  logic        bready_i,
  output logic [4:0]  bid_o,
  output logic [1:0]  bresp_o,
  input  logic        arvalid_i,
  output logic        arready_o,
  input  logic [4:0]  arid_i,
  input  logic [39:0] araddr_i,
  input  logic [7:0]  arlen_i,
  output logic        rvalid_o,
  input  logic        rready_i,
  output logic [4:0]  rid_o,
  output logic [63:0] rdata_o,
  output logic [1:0]  rresp_o,
  output logic        rlast_o,
  output logic [31:0] errors_o,
  output logic [7:0]  rule_o,
  output logic [31:0] reads_o,
  output logic [31:0] writes_o,
  output logic [31:0] refreshes_o
);

  logic [ROW_W-1:0]  a;
  logic [1:0]        ba;
  logic [DQ/8-1:0]   dm;
  logic        cke, cs_n, ras_n, cas_n, we_n;
  wire  [DQ-1:0]     dq;
  logic [DQ-1:0]     q;
  logic [DQ/8-1:0]   drives;

  board_memory #(.BYTES(BYTES), .DQ(DQ), .ROW_W(ROW_W), .MASKS(MASKS)) u_memory (
    .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(ready_o), .failed_o(failed_o),
    .s_axi_awvalid_i(awvalid_i), .s_axi_awready_o(awready_o), .s_axi_awid_i(awid_i), .s_axi_awaddr_i(awaddr_i),
    .s_axi_awlen_i(awlen_i), .s_axi_awsize_i(3'd3), .s_axi_awburst_i(2'd1),
    .s_axi_wvalid_i(wvalid_i), .s_axi_wready_o(wready_o), .s_axi_wdata_i(wdata_i), .s_axi_wstrb_i(wstrb_i),
    .s_axi_wlast_i(wlast_i), .s_axi_bvalid_o(bvalid_o), .s_axi_bready_i(bready_i), .s_axi_bid_o(bid_o), .s_axi_bresp_o(bresp_o),
    .s_axi_arvalid_i(arvalid_i), .s_axi_arready_o(arready_o), .s_axi_arid_i(arid_i), .s_axi_araddr_i(araddr_i),
    .s_axi_arlen_i(arlen_i), .s_axi_arsize_i(3'd3), .s_axi_arburst_i(2'd1),
    .s_axi_rvalid_o(rvalid_o), .s_axi_rready_i(rready_i), .s_axi_rid_o(rid_o), .s_axi_rdata_o(rdata_o), .s_axi_rresp_o(rresp_o),
    .s_axi_rlast_o(rlast_o),
    .sdram_a_o(a), .sdram_ba_o(ba), .sdram_cke_o(cke), .sdram_cs_no(cs_n), .sdram_ras_no(ras_n), .sdram_cas_no(cas_n),
    .sdram_we_no(we_n), .sdram_dm_o(dm), .sdram_dq_io(dq)
  );

  for (genvar i = 0; i < DQ / 8; i++) begin : gen_byte
    assign dq[8*i +: 8] = drives[i] ? q[8*i +: 8] : 8'bz;
  end

  // Without masks their pins are low.
  sdram_model #(.DQ(DQ), .ROW_W(ROW_W), .COL_W(COL_W), .TREFI(MASKS ? 7_812_500 : 15_625_000)) u_sdram (
    .clk_i(!clk_i), .cke_i(cke), .cs_ni(cs_n), .ras_ni(ras_n), .cas_ni(cas_n), .we_ni(we_n), .ba_i(ba), .a_i(a), .dm_i(MASKS ? dm : '0),
    .dq_i(dq), .dq_o(q), .drives_o(drives), .bad_i('0), .errors_o(errors_o), .rule_o(rule_o), .reads_o(reads_o),
    .writes_o(writes_o), .refreshes_o(refreshes_o)
  );

endmodule
