// SPDX-License-Identifier: Apache-2.0
// Memory, as the crossbar sees it: the banks, each the point of order for its lines, and an adder of floats for the atomics of each.
// Without a cache there is one: `order`. With it, as many as configured: `l2_bank`, whose masters are joined into one.
// Latency: none of its own.
// Handshake: the request channel's rules, with the tags and the ready of rtl/crossbar; AXI4.
// A block diagram: there is no logic here.
`default_nettype none

module gpu_memory #(
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned BITS  = order_pkg::BITS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the crossbar, one of each bank: line_pkg::write_t, request_t, bank_read_t, bank_answer_t
  input  logic [BANKS-1:0]        lw_valid_i,
  input  logic [BANKS-1:0][$bits(line_pkg::write_t)-1:0]       lw_i,
  input  logic [BANKS-1:0]        lq_valid_i,
  input  logic [BANKS-1:0][$bits(line_pkg::request_t)-1:0]     lq_i,
  output logic [BANKS-1:0]        lc_valid_o,
  output logic [BANKS-1:0]        lc_atom_o,
  output logic [BANKS-1:0]        ld_valid_o,
  input  logic [BANKS-1:0]        ld_ready_i,     // high, where there is no cache
  output logic [BANKS-1:0][$bits(line_pkg::bank_read_t)-1:0]   ld_o,
  output logic [BANKS-1:0]        la_valid_o,
  input  logic [BANKS-1:0]        la_ready_i,
  output logic [BANKS-1:0][$bits(line_pkg::bank_answer_t)-1:0] la_o,
  // from and to the host's control: of the cache
  input  logic                    flush_i,
  input  logic                    flush_keep_i,   // 1: lines stay, clean
  input  logic [line_pkg::LINE_W-1:0] flush_base_i,   // of lines from here on,
  input  logic [line_pkg::LINE_W:0]   flush_limit_i,  // ... to this one, exclusive
  output logic                    flushed_o,
  output logic                    dirty_o,
  output logic                    lost_o,
  output logic [line_pkg::LINE_W-1:0] lost_line_o,
  // retire port
  output retire_pkg::bank_t [BANKS-1:0] ret_bank_o,
  // AXI4
  output axi_pkg::axi_req_t       axi_o,
  input  axi_pkg::axi_rsp_t       axi_i
);

  // Floats of global atomics are added here, those of shared memory in the SM.
  logic [BANKS-1:0][$bits(atom_pkg::add_req_t)-1:0] add_req;
  logic [BANKS-1:0]                                 add_done;
  logic [BANKS-1:0][63:0]                           add_sum;

  for (genvar b = 0; b < BANKS; b++) begin : gen_floats
    assign ret_bank_o[b].pad = '0;

    if (cfg_pkg::HAS_FATOM) begin : gen_add
      atom_float u_float (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .add_req_i  (add_req[b]),
        .add_done_o (add_done[b]),
        .add_sum_o  (add_sum[b])
      );
    end else begin : gen_no_add
      logic unused_add;
      assign add_done[b] = 1'b0;
      assign add_sum[b]  = '0;
      assign unused_add  = ^add_req[b];
    end
  end

  if (!l2_pkg::THERE) begin : gen_order
    order u_order (
      .clk_i(clk_i), .rst_ni(rst_ni),
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
      .add_req_o          (add_req[0]),
      .add_done_i         (add_done[0]),
      .add_sum_i          (add_sum[0]),
      .ret_global_valid_o (ret_bank_o[0].valid.global_access),
      .ret_global_o       (ret_bank_o[0].ret.global_access),
      .ret_fill_valid_o   (ret_bank_o[0].valid.fill),
      .ret_fill_o         (ret_bank_o[0].ret.fill),
      .m_axi_awvalid_o    (axi_o.awvalid),
      .m_axi_awready_i    (axi_i.awready),
      .m_axi_awid_o       (axi_o.awid),
      .m_axi_awaddr_o     (axi_o.awaddr),
      .m_axi_awlen_o      (axi_o.awlen),
      .m_axi_awsize_o     (axi_o.awsize),
      .m_axi_awburst_o    (axi_o.awburst),
      .m_axi_wvalid_o     (axi_o.wvalid),
      .m_axi_wready_i     (axi_i.wready),
      .m_axi_wdata_o      (axi_o.wdata),
      .m_axi_wstrb_o      (axi_o.wstrb),
      .m_axi_wlast_o      (axi_o.wlast),
      .m_axi_bvalid_i     (axi_i.bvalid),
      .m_axi_bready_o     (axi_o.bready),
      .m_axi_bid_i        (axi_i.bid),
      .m_axi_bresp_i      (axi_i.bresp),
      .m_axi_arvalid_o    (axi_o.arvalid),
      .m_axi_arready_i    (axi_i.arready),
      .m_axi_arid_o       (axi_o.arid),
      .m_axi_araddr_o     (axi_o.araddr),
      .m_axi_arlen_o      (axi_o.arlen),
      .m_axi_arsize_o     (axi_o.arsize),
      .m_axi_arburst_o    (axi_o.arburst),
      .m_axi_rvalid_i     (axi_i.rvalid),
      .m_axi_rready_o     (axi_o.rready),
      .m_axi_rid_i        (axi_i.rid),
      .m_axi_rdata_i      (axi_i.rdata),
      .m_axi_rresp_i      (axi_i.rresp),
      .m_axi_rlast_i      (axi_i.rlast)
    );
    assign flushed_o   = 1'b1;
    assign dirty_o     = 1'b0;
    assign lost_o      = 1'b0;
    assign lost_line_o = '0;

    logic unused_cache;
    assign unused_cache = ^{ld_ready_i, flush_i, flush_keep_i, flush_base_i, flush_limit_i};
  end else begin : gen_banks
    localparam int unsigned BANK_ID_W = l2_pkg::ID_W;
    logic [BANKS-1:0]                        flushed, dirty, lost, lost_first_q;
    logic [BANKS-1:0][line_pkg::LINE_W-1:0]  lost_line;
    logic [BANKS-1:0]                        awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready,
                                             rlast;
    logic [BANKS-1:0][BANK_ID_W-1:0]         awid, bid, arid, rid;
    logic [BANKS-1:0][39:0]                  awaddr, araddr;
    logic [BANKS-1:0][7:0]                   awlen, arlen;
    logic [BANKS-1:0][2:0]                   awsize, arsize;
    logic [BANKS-1:0][1:0]                   awburst, arburst, bresp, rresp;
    logic [BANKS-1:0][BITS-1:0]              wdata, rdata;
    logic [BANKS-1:0][BITS/8-1:0]            wstrb;

    for (genvar b = 0; b < BANKS; b++) begin : gen_bank
      l2_bank #(.BANK(b)) u_bank (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .lw_valid_i         (lw_valid_i[b]),
        .lw_i               (lw_i[b]),
        .lq_valid_i         (lq_valid_i[b]),
        .lq_i               (lq_i[b]),
        .lc_valid_o         (lc_valid_o[b]),
        .lc_atom_o          (lc_atom_o[b]),
        .ld_valid_o         (ld_valid_o[b]),
        .ld_ready_i         (ld_ready_i[b]),
        .ld_o               (ld_o[b]),
        .la_valid_o         (la_valid_o[b]),
        .la_ready_i         (la_ready_i[b]),
        .la_o               (la_o[b]),
        .add_req_o          (add_req[b]),
        .add_done_i         (add_done[b]),
        .add_sum_i          (add_sum[b]),
        .flush_i            (flush_i),
        .flush_keep_i       (flush_keep_i),
        .flush_base_i       (flush_base_i),
        .flush_limit_i      (flush_limit_i),
        .flushed_o          (flushed[b]),
        .dirty_o            (dirty[b]),
        .lost_o             (lost[b]),
        .lost_line_o        (lost_line[b]),
        .ret_global_valid_o (ret_bank_o[b].valid.global_access),
        .ret_global_o       (ret_bank_o[b].ret.global_access),
        .ret_fill_valid_o   (ret_bank_o[b].valid.fill),
        .ret_fill_o         (ret_bank_o[b].ret.fill),
        .m_axi_awvalid_o    (awvalid[b]),
        .m_axi_awready_i    (awready[b]),
        .m_axi_awid_o       (awid[b]),
        .m_axi_awaddr_o     (awaddr[b]),
        .m_axi_awlen_o      (awlen[b]),
        .m_axi_awsize_o     (awsize[b]),
        .m_axi_awburst_o    (awburst[b]),
        .m_axi_wvalid_o     (wvalid[b]),
        .m_axi_wready_i     (wready[b]),
        .m_axi_wdata_o      (wdata[b]),
        .m_axi_wstrb_o      (wstrb[b]),
        .m_axi_wlast_o      (wlast[b]),
        .m_axi_bvalid_i     (bvalid[b]),
        .m_axi_bready_o     (bready[b]),
        .m_axi_bid_i        (bid[b]),
        .m_axi_bresp_i      (bresp[b]),
        .m_axi_arvalid_o    (arvalid[b]),
        .m_axi_arready_i    (arready[b]),
        .m_axi_arid_o       (arid[b]),
        .m_axi_araddr_o     (araddr[b]),
        .m_axi_arlen_o      (arlen[b]),
        .m_axi_arsize_o     (arsize[b]),
        .m_axi_arburst_o    (arburst[b]),
        .m_axi_rvalid_i     (rvalid[b]),
        .m_axi_rready_o     (rready[b]),
        .m_axi_rid_i        (rid[b]),
        .m_axi_rdata_i      (rdata[b]),
        .m_axi_rresp_i      (rresp[b]),
        .m_axi_rlast_i      (rlast[b])
      );
    end

    axi_mux #(.N(BANKS), .ID_W(BANK_ID_W), .BITS(BITS)) u_mux (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .s_awvalid_i (awvalid),
      .s_awready_o (awready),
      .s_awid_i (awid),
      .s_awaddr_i (awaddr),
      .s_awlen_i (awlen),
      .s_awsize_i (awsize),
      .s_awburst_i (awburst),
      .s_wvalid_i (wvalid),
      .s_wready_o (wready),
      .s_wdata_i (wdata),
      .s_wstrb_i (wstrb),
      .s_wlast_i (wlast),
      .s_bvalid_o (bvalid),
      .s_bready_i (bready),
      .s_bid_o (bid),
      .s_bresp_o (bresp),
      .s_arvalid_i (arvalid),
      .s_arready_o (arready),
      .s_arid_i (arid),
      .s_araddr_i (araddr),
      .s_arlen_i (arlen),
      .s_arsize_i (arsize),
      .s_arburst_i (arburst),
      .s_rvalid_o (rvalid),
      .s_rready_i (rready),
      .s_rid_o (rid),
      .s_rdata_o (rdata),
      .s_rresp_o (rresp),
      .s_rlast_o (rlast),
      .m_awvalid_o (axi_o.awvalid),
      .m_awready_i (axi_i.awready),
      .m_awid_o    (axi_o.awid),
      .m_awaddr_o  (axi_o.awaddr),
      .m_awlen_o   (axi_o.awlen),
      .m_awsize_o  (axi_o.awsize),
      .m_awburst_o (axi_o.awburst),
      .m_wvalid_o  (axi_o.wvalid),
      .m_wready_i  (axi_i.wready),
      .m_wdata_o   (axi_o.wdata),
      .m_wstrb_o   (axi_o.wstrb),
      .m_wlast_o   (axi_o.wlast),
      .m_bvalid_i  (axi_i.bvalid),
      .m_bready_o  (axi_o.bready),
      .m_bid_i     (axi_i.bid),
      .m_bresp_i   (axi_i.bresp),
      .m_arvalid_o (axi_o.arvalid),
      .m_arready_i (axi_i.arready),
      .m_arid_o    (axi_o.arid),
      .m_araddr_o  (axi_o.araddr),
      .m_arlen_o   (axi_o.arlen),
      .m_arsize_o  (axi_o.arsize),
      .m_arburst_o (axi_o.arburst),
      .m_rvalid_i  (axi_i.rvalid),
      .m_rready_o  (axi_o.rready),
      .m_rid_i     (axi_i.rid),
      .m_rdata_i   (axi_i.rdata),
      .m_rresp_i   (axi_i.rresp),
      .m_rlast_i   (axi_i.rlast)
    );

    // All of them; of failed write-backs the first, whichever bank's it was: later ones of other banks do not replace it.
    onehot_mux #(.WIDTH(line_pkg::LINE_W), .N(BANKS)) u_lost (
      .sel_i  (lost_first_q),
      .data_i (lost_line),
      .data_o (lost_line_o)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                 lost_first_q <= '0;
      else if (lost_first_q == '0) lost_first_q <= lost & ~(lost - BANKS'(1));
    end
    assign flushed_o  = flushed == '1;
    assign dirty_o    = dirty != '0;
    assign lost_o     = lost_first_q != '0;
  end

endmodule

`default_nettype wire
