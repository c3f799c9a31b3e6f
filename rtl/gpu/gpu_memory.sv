// SPDX-License-Identifier: Apache-2.0
// Memory, as the crossbar sees it: the banks, each the point of order for its lines, and the adder of floats for atomics. There is
// one bank, without a cache of its own: `order`.
// Latency: none of its own.
// Handshake: the request channel's rules, with the tags and the ready of rtl/crossbar; AXI4.
// A block diagram: there is no logic here.
`default_nettype none

module gpu_memory #(
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned ID_W  = order_pkg::ID_W,
  localparam int unsigned BITS  = order_pkg::BITS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [7:0]              fault_i,
  // from and to the crossbar, one of each bank: line_pkg::write_t, request_t, bank_read_t, bank_answer_t
  input  logic [BANKS-1:0]        lw_valid_i,
  input  logic [BANKS-1:0][$bits(line_pkg::write_t)-1:0]       lw_i,
  input  logic [BANKS-1:0]        lq_valid_i,
  input  logic [BANKS-1:0][$bits(line_pkg::request_t)-1:0]     lq_i,
  output logic [BANKS-1:0]        lc_valid_o,
  output logic [BANKS-1:0]        lc_atom_o,
  output logic [BANKS-1:0]        ld_valid_o,
  input  logic [BANKS-1:0]        ld_ready_i,     // high, while there is one bank
  output logic [BANKS-1:0][$bits(line_pkg::bank_read_t)-1:0]   ld_o,
  output logic [BANKS-1:0]        la_valid_o,
  input  logic [BANKS-1:0]        la_ready_i,
  output logic [BANKS-1:0][$bits(line_pkg::bank_answer_t)-1:0] la_o,
  // retire port
  output logic [BANKS-1:0]                                     ret_global_valid_o,
  output retire_pkg::global_t [BANKS-1:0]                      ret_global_o,
  output logic [BANKS-1:0][retire_pkg::LINE-1:0]               ret_fill_valid_o,
  output retire_pkg::fill_t [BANKS-1:0][retire_pkg::LINE-1:0]  ret_fill_o,
  // AXI4
  output logic                    m_axi_awvalid_o,
  input  logic                    m_axi_awready_i,
  output logic [ID_W-1:0]         m_axi_awid_o,
  output logic [39:0]             m_axi_awaddr_o,
  output logic [7:0]              m_axi_awlen_o,
  output logic [2:0]              m_axi_awsize_o,
  output logic [1:0]              m_axi_awburst_o,
  output logic                    m_axi_wvalid_o,
  input  logic                    m_axi_wready_i,
  output logic [BITS-1:0]         m_axi_wdata_o,
  output logic [BITS/8-1:0]       m_axi_wstrb_o,
  output logic                    m_axi_wlast_o,
  input  logic                    m_axi_bvalid_i,
  output logic                    m_axi_bready_o,
  input  logic [ID_W-1:0]         m_axi_bid_i,
  input  logic [1:0]              m_axi_bresp_i,
  output logic                    m_axi_arvalid_o,
  input  logic                    m_axi_arready_i,
  output logic [ID_W-1:0]         m_axi_arid_o,
  output logic [39:0]             m_axi_araddr_o,
  output logic [7:0]              m_axi_arlen_o,
  output logic [2:0]              m_axi_arsize_o,
  output logic [1:0]              m_axi_arburst_o,
  input  logic                    m_axi_rvalid_i,
  output logic                    m_axi_rready_o,
  input  logic [ID_W-1:0]         m_axi_rid_i,
  input  logic [BITS-1:0]         m_axi_rdata_i,
  input  logic [1:0]              m_axi_rresp_i,
  input  logic                    m_axi_rlast_i
);

  if (BANKS != 1 || cfg_pkg::L2_BYTES != 0) begin : gen_banks
    $error("gpu_memory: there is no cache for all SMs yet (l2_bytes)");
  end

  atom_pkg::add_req_t add_req;
  logic               add_done, unused;
  logic [63:0]        add_sum;

  order u_order (
    .clk_i(clk_i), .rst_ni(rst_ni), .fault_i(fault_i),
    .lw_valid_i         (lw_valid_i[0]),
    .lw_i               (lw_i[0]),
    .lq_valid_i         (lq_valid_i[0]),
    .lq_i               (lq_i[0]),
    .lc_valid_o         (lc_valid_o[0]),
    .lc_atom_o          (lc_atom_o[0]),
    .ld_valid_o         (ld_valid_o[0]),
    .ld_o               (ld_o[0]),
    .la_valid_o         (la_valid_o[0]),
    .la_ready_i         (la_ready_i[0]),
    .la_o               (la_o[0]),
    .add_req_o          (add_req),
    .add_done_i         (add_done),
    .add_sum_i          (add_sum),
    .ret_global_valid_o (ret_global_valid_o[0]),
    .ret_global_o       (ret_global_o[0]),
    .ret_fill_valid_o   (ret_fill_valid_o[0]),
    .ret_fill_o         (ret_fill_o[0]),
    .m_axi_awvalid_o    (m_axi_awvalid_o),
    .m_axi_awready_i    (m_axi_awready_i),
    .m_axi_awid_o       (m_axi_awid_o),
    .m_axi_awaddr_o     (m_axi_awaddr_o),
    .m_axi_awlen_o      (m_axi_awlen_o),
    .m_axi_awsize_o     (m_axi_awsize_o),
    .m_axi_awburst_o    (m_axi_awburst_o),
    .m_axi_wvalid_o     (m_axi_wvalid_o),
    .m_axi_wready_i     (m_axi_wready_i),
    .m_axi_wdata_o      (m_axi_wdata_o),
    .m_axi_wstrb_o      (m_axi_wstrb_o),
    .m_axi_wlast_o      (m_axi_wlast_o),
    .m_axi_bvalid_i     (m_axi_bvalid_i),
    .m_axi_bready_o     (m_axi_bready_o),
    .m_axi_bid_i        (m_axi_bid_i),
    .m_axi_bresp_i      (m_axi_bresp_i),
    .m_axi_arvalid_o    (m_axi_arvalid_o),
    .m_axi_arready_i    (m_axi_arready_i),
    .m_axi_arid_o       (m_axi_arid_o),
    .m_axi_araddr_o     (m_axi_araddr_o),
    .m_axi_arlen_o      (m_axi_arlen_o),
    .m_axi_arsize_o     (m_axi_arsize_o),
    .m_axi_arburst_o    (m_axi_arburst_o),
    .m_axi_rvalid_i     (m_axi_rvalid_i),
    .m_axi_rready_o     (m_axi_rready_o),
    .m_axi_rid_i        (m_axi_rid_i),
    .m_axi_rdata_i      (m_axi_rdata_i),
    .m_axi_rresp_i      (m_axi_rresp_i),
    .m_axi_rlast_i      (m_axi_rlast_i),
    .idle_o             (unused)
  );

  // Floats of global atomics are added here, those of shared memory in the SM.
  if (cfg_pkg::HAS_FATOM) begin : gen_add
    atom_float u_float (
      .clk_i(clk_i), .rst_ni(rst_ni), .fault_i(fault_i),
      .add_req_i  (add_req),
      .add_done_o (add_done),
      .add_sum_o  (add_sum)
    );
  end else begin : gen_no_add
    logic unused_add;
    assign add_done   = 1'b0;
    assign add_sum    = '0;
    assign unused_add = ^add_req;
  end

  logic unused_ready;
  assign unused_ready = ^ld_ready_i;

endmodule

`default_nettype wire
