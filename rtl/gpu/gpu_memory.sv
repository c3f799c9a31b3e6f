// SPDX-License-Identifier: Apache-2.0
// Memory, as the crossbar sees it: the banks, each the point of order for its lines, and an adder of floats for the atomics of each.
// Without a cache there is one: `order`. With it, as many as configured: `l2_bank`, whose masters are joined at each AXI port: bank b
// is behind port b mod PORTS, and so is a line whose number is that.
// Latency: none of its own.
// Handshake: the request channel's rules, with the tags and the ready of rtl/crossbar; AXI4.
// A block diagram: there is no logic here.
module gpu_memory #(
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned PORTS = line_pkg::AXI_PORTS,
  localparam int unsigned BITS  = order_pkg::BITS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the crossbar, one of each bank
  input  logic [BANKS-1:0]        lw_valid_i,
  input  line_pkg::write_t [BANKS-1:0]       lw_i,
  input  logic [BANKS-1:0]        lq_valid_i,
  input  line_pkg::request_t [BANKS-1:0]     lq_i,
  output logic [BANKS-1:0]        lc_valid_o,
  output logic [BANKS-1:0]        lc_atom_o,
  output logic [BANKS-1:0]        ld_valid_o,
  input  logic [BANKS-1:0]        ld_ready_i,     // high, where there is no cache
  output line_pkg::bank_read_t [BANKS-1:0]   ld_o,
  output logic [BANKS-1:0]        la_valid_o,
  input  logic [BANKS-1:0]        la_ready_i,
  output line_pkg::bank_answer_t [BANKS-1:0] la_o,
  // from and to the host's control: of the cache
  input  l2_pkg::flush_t          flush_i,
  output l2_pkg::flushed_t        flushed_o,
  // retire port; what the mmu shows goes out with bank 0
  output retire_pkg::bank_t [BANKS-1:0] ret_bank_o,
  input  logic                    ret_pages_valid_i,
  input  retire_pkg::pages_t      ret_pages_i,
  // AXI4
  output axi_pkg::axi_req_t [PORTS-1:0] axi_o,
  input  axi_pkg::axi_rsp_t [PORTS-1:0] axi_i
);

  // Floats of global atomics are added here, those of shared memory in the SM.
  atom_pkg::add_req_t [BANKS-1:0]                   add_req;
  logic [BANKS-1:0]                                 add_done;
  logic [BANKS-1:0][63:0]                           add_sum;

  for (genvar b = 0; b < BANKS; b++) begin : gen_floats
    assign ret_bank_o[b].pad = '0;
    if (b == 0) begin : gen_pages
      assign ret_bank_o[0].valid.pages = ret_pages_valid_i;
      assign ret_bank_o[0].ret.pages   = ret_pages_i;
    end else begin : gen_no_pages
      assign ret_bank_o[b].valid.pages = 1'b0;
      assign ret_bank_o[b].ret.pages   = '0;
    end

    if (cfg_pkg::HAS_FATOM) begin : gen_add
      atom_add u_float (
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
      .m_axi_awvalid_o    (axi_o[0].awvalid),
      .m_axi_awready_i    (axi_i[0].awready),
      .m_axi_awid_o       (axi_o[0].awid),
      .m_axi_awaddr_o     (axi_o[0].awaddr),
      .m_axi_awlen_o      (axi_o[0].awlen),
      .m_axi_awsize_o     (axi_o[0].awsize),
      .m_axi_awburst_o    (axi_o[0].awburst),
      .m_axi_wvalid_o     (axi_o[0].wvalid),
      .m_axi_wready_i     (axi_i[0].wready),
      .m_axi_wdata_o      (axi_o[0].wdata),
      .m_axi_wstrb_o      (axi_o[0].wstrb),
      .m_axi_wlast_o      (axi_o[0].wlast),
      .m_axi_bvalid_i     (axi_i[0].bvalid),
      .m_axi_bready_o     (axi_o[0].bready),
      .m_axi_bid_i        (axi_i[0].bid),
      .m_axi_bresp_i      (axi_i[0].bresp),
      .m_axi_arvalid_o    (axi_o[0].arvalid),
      .m_axi_arready_i    (axi_i[0].arready),
      .m_axi_arid_o       (axi_o[0].arid),
      .m_axi_araddr_o     (axi_o[0].araddr),
      .m_axi_arlen_o      (axi_o[0].arlen),
      .m_axi_arsize_o     (axi_o[0].arsize),
      .m_axi_arburst_o    (axi_o[0].arburst),
      .m_axi_rvalid_i     (axi_i[0].rvalid),
      .m_axi_rready_o     (axi_o[0].rready),
      .m_axi_rid_i        (axi_i[0].rid),
      .m_axi_rdata_i      (axi_i[0].rdata),
      .m_axi_rresp_i      (axi_i[0].rresp),
      .m_axi_rlast_i      (axi_i[0].rlast)
    );
    assign flushed_o = '{flushed: 1'b1, default: '0};

    logic unused_cache;
    assign unused_cache = ^{ld_ready_i, flush_i};
  end else begin : gen_banks
    localparam int unsigned BANK_ID_W = l2_pkg::ID_W;
    localparam int unsigned PER_PORT  = l2_pkg::PER_PORT;
    // By port, and of a port by bank.
    logic [PORTS-1:0][PER_PORT-1:0]                       flushed, dirty, lost, lost_first_q;
    logic [PORTS-1:0][PER_PORT-1:0][line_pkg::LINE_W-1:0] lost_line;
    logic [PORTS-1:0][PER_PORT-1:0]                       awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready,
                                                          rvalid, rready, rlast;
    logic [PORTS-1:0][PER_PORT-1:0][BANK_ID_W-1:0]        awid, bid, arid, rid;
    logic [PORTS-1:0][PER_PORT-1:0][39:0]                 awaddr, araddr;
    logic [PORTS-1:0][PER_PORT-1:0][7:0]                  awlen, arlen;
    logic [PORTS-1:0][PER_PORT-1:0][2:0]                  awsize, arsize;
    logic [PORTS-1:0][PER_PORT-1:0][1:0]                  awburst, arburst, bresp, rresp;
    logic [PORTS-1:0][PER_PORT-1:0][BITS-1:0]             wdata, rdata;
    logic [PORTS-1:0][PER_PORT-1:0][BITS/8-1:0]           wstrb;

    for (genvar b = 0; b < BANKS; b++) begin : gen_bank
      localparam int unsigned P = b % PORTS, K = b / PORTS;   // its port, and which of the banks there
      l2_pkg::flushed_t of_bank;
      assign {flushed[P][K], dirty[P][K], lost[P][K], lost_line[P][K]} = of_bank;

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
        .flushed_o          (of_bank),
        .ret_global_valid_o (ret_bank_o[b].valid.global_access),
        .ret_global_o       (ret_bank_o[b].ret.global_access),
        .ret_fill_valid_o   (ret_bank_o[b].valid.fill),
        .ret_fill_o         (ret_bank_o[b].ret.fill),
        .m_axi_awvalid_o    (awvalid[P][K]),
        .m_axi_awready_i    (awready[P][K]),
        .m_axi_awid_o       (awid[P][K]),
        .m_axi_awaddr_o     (awaddr[P][K]),
        .m_axi_awlen_o      (awlen[P][K]),
        .m_axi_awsize_o     (awsize[P][K]),
        .m_axi_awburst_o    (awburst[P][K]),
        .m_axi_wvalid_o     (wvalid[P][K]),
        .m_axi_wready_i     (wready[P][K]),
        .m_axi_wdata_o      (wdata[P][K]),
        .m_axi_wstrb_o      (wstrb[P][K]),
        .m_axi_wlast_o      (wlast[P][K]),
        .m_axi_bvalid_i     (bvalid[P][K]),
        .m_axi_bready_o     (bready[P][K]),
        .m_axi_bid_i        (bid[P][K]),
        .m_axi_bresp_i      (bresp[P][K]),
        .m_axi_arvalid_o    (arvalid[P][K]),
        .m_axi_arready_i    (arready[P][K]),
        .m_axi_arid_o       (arid[P][K]),
        .m_axi_araddr_o     (araddr[P][K]),
        .m_axi_arlen_o      (arlen[P][K]),
        .m_axi_arsize_o     (arsize[P][K]),
        .m_axi_arburst_o    (arburst[P][K]),
        .m_axi_rvalid_i     (rvalid[P][K]),
        .m_axi_rready_o     (rready[P][K]),
        .m_axi_rid_i        (rid[P][K]),
        .m_axi_rdata_i      (rdata[P][K]),
        .m_axi_rresp_i      (rresp[P][K]),
        .m_axi_rlast_i      (rlast[P][K])
      );
    end

    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      axi_mux #(.N(PER_PORT), .ID_W(BANK_ID_W), .BITS(BITS)) u_mux (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .s_awvalid_i (awvalid[p]),
        .s_awready_o (awready[p]),
        .s_awid_i    (awid[p]),
        .s_awaddr_i  (awaddr[p]),
        .s_awlen_i   (awlen[p]),
        .s_awsize_i  (awsize[p]),
        .s_awburst_i (awburst[p]),
        .s_wvalid_i  (wvalid[p]),
        .s_wready_o  (wready[p]),
        .s_wdata_i   (wdata[p]),
        .s_wstrb_i   (wstrb[p]),
        .s_wlast_i   (wlast[p]),
        .s_bvalid_o  (bvalid[p]),
        .s_bready_i  (bready[p]),
        .s_bid_o     (bid[p]),
        .s_bresp_o   (bresp[p]),
        .s_arvalid_i (arvalid[p]),
        .s_arready_o (arready[p]),
        .s_arid_i    (arid[p]),
        .s_araddr_i  (araddr[p]),
        .s_arlen_i   (arlen[p]),
        .s_arsize_i  (arsize[p]),
        .s_arburst_i (arburst[p]),
        .s_rvalid_o  (rvalid[p]),
        .s_rready_i  (rready[p]),
        .s_rid_o     (rid[p]),
        .s_rdata_o   (rdata[p]),
        .s_rresp_o   (rresp[p]),
        .s_rlast_o   (rlast[p]),
        .m_awvalid_o (axi_o[p].awvalid),
        .m_awready_i (axi_i[p].awready),
        .m_awid_o    (axi_o[p].awid),
        .m_awaddr_o  (axi_o[p].awaddr),
        .m_awlen_o   (axi_o[p].awlen),
        .m_awsize_o  (axi_o[p].awsize),
        .m_awburst_o (axi_o[p].awburst),
        .m_wvalid_o  (axi_o[p].wvalid),
        .m_wready_i  (axi_i[p].wready),
        .m_wdata_o   (axi_o[p].wdata),
        .m_wstrb_o   (axi_o[p].wstrb),
        .m_wlast_o   (axi_o[p].wlast),
        .m_bvalid_i  (axi_i[p].bvalid),
        .m_bready_o  (axi_o[p].bready),
        .m_bid_i     (axi_i[p].bid),
        .m_bresp_i   (axi_i[p].bresp),
        .m_arvalid_o (axi_o[p].arvalid),
        .m_arready_i (axi_i[p].arready),
        .m_arid_o    (axi_o[p].arid),
        .m_araddr_o  (axi_o[p].araddr),
        .m_arlen_o   (axi_o[p].arlen),
        .m_arsize_o  (axi_o[p].arsize),
        .m_arburst_o (axi_o[p].arburst),
        .m_rvalid_i  (axi_i[p].rvalid),
        .m_rready_o  (axi_o[p].rready),
        .m_rid_i     (axi_i[p].rid),
        .m_rdata_i   (axi_i[p].rdata),
        .m_rresp_i   (axi_i[p].rresp),
        .m_rlast_i   (axi_i[p].rlast)
      );
    end

    // All of them; of failed write-backs the first, whichever bank's it was: later ones of other banks do not replace it. Of
    // several ports the lowest is first.
    onehot_mux #(.WIDTH(line_pkg::LINE_W), .N(BANKS)) u_lost (
      .sel_i  (lost_first_q),
      .data_i (lost_line),
      .data_o (flushed_o.lost_line)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                 lost_first_q <= '0;
      else if (lost_first_q == '0) lost_first_q <= lost & ~(lost - BANKS'(1));
    end
    assign flushed_o.flushed = flushed == '1;
    assign flushed_o.dirty   = dirty != '0;
    assign flushed_o.lost    = lost_first_q != '0;
  end

endmodule
