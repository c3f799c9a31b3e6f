// SPDX-License-Identifier: Apache-2.0
// Memory, as the crossbar sees it: the banks, each the point of order for its lines, and an adder of floats for the atomics of each.
// Without a cache there is one: `order`. With it, as many as configured: `l2_bank`, with masters joined at each AXI port: bank b
// is behind port b mod PORTS, and so is a line of that number.
// Latency: none of its own.
// Handshake: the request channel's rules, with the tags and the ready of rtl/crossbar; AXI4.
// A block diagram: there is no logic here but for the ids of a port, and of lines that were lost the first.
module gpu_memory #(
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned PORTS = line_pkg::AXI_PORTS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the crossbar, one of each bank
  input  line_pkg::sent_t [BANKS-1:0]     ch_i,
  input  logic [BANKS-1:0]                ld_ready_i,     // high, where there is no cache
  output line_pkg::bank_got_t [BANKS-1:0] ch_o,
  // from the senders: for records
  input  line_pkg::note_t [line_pkg::SENDERS-1:0] note_i,
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
      .ch_i               (ch_i[0]),
      .ch_o               (ch_o[0]),
      .note_i             (note_i),
      .add_req_o          (add_req[0]),
      .add_done_i         (add_done[0]),
      .add_sum_i          (add_sum[0]),
      .ret_global_valid_o (ret_bank_o[0].valid.global_access),
      .ret_global_o       (ret_bank_o[0].ret.global_access),
      .ret_fill_valid_o   (ret_bank_o[0].valid.fill),
      .ret_fill_o         (ret_bank_o[0].ret.fill),
      .axi_o              (axi_o[0]),
      .axi_i              (axi_i[0])
    );
    assign flushed_o = '{flushed: 1'b1, default: '0};

    logic unused_cache;
    assign unused_cache = ^{ld_ready_i, flush_i};
  end else begin : gen_banks
    localparam int unsigned AXI_ID_W = l2_pkg::AXI_ID_W;
    localparam int unsigned PER_PORT = l2_pkg::PER_PORT;
    localparam int unsigned WHO_W    = (PER_PORT > 1) ? $clog2(PER_PORT) : 1;
    // By port, and of a port by bank.
    logic [PORTS-1:0][PER_PORT-1:0]                       flushed, dirty, lost, lost_first_q;
    logic [PORTS-1:0][PER_PORT-1:0][line_pkg::LINE_W-1:0] lost_line;
    axi_pkg::axi_req_t [PORTS-1:0][PER_PORT-1:0]          bank_req;
    axi_pkg::axi_rsp_t [PORTS-1:0][PER_PORT-1:0]          bank_rsp;

    for (genvar b = 0; b < BANKS; b++) begin : gen_bank
      localparam int unsigned P = b % PORTS, K = b / PORTS;   // its port, and which of the banks there
      l2_pkg::flushed_t of_bank;
      assign {flushed[P][K], dirty[P][K], lost[P][K], lost_line[P][K]} = of_bank;

      l2_bank #(.BANK(b)) u_bank (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .ch_i               (ch_i[b]),
        .ld_ready_i         (ld_ready_i[b]),
        .ch_o               (ch_o[b]),
        .note_i             (note_i),
        .add_req_o          (add_req[b]),
        .add_done_i         (add_done[b]),
        .add_sum_i          (add_sum[b]),
        .flush_i            (flush_i),
        .flushed_o          (of_bank),
        .ret_global_valid_o (ret_bank_o[b].valid.global_access),
        .ret_global_o       (ret_bank_o[b].ret.global_access),
        .ret_fill_valid_o   (ret_bank_o[b].valid.fill),
        .ret_fill_o         (ret_bank_o[b].ret.fill),
        .axi_o              (bank_req[P][K]),
        .axi_i              (bank_rsp[P][K])
      );
    end

    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      logic [WHO_W-1:0]  aw_who, ar_who;
      axi_pkg::axi_req_t req;
      axi_pkg::axi_rsp_t rsp;

      axi_mux #(.N(PER_PORT)) u_mux (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .s_i      (bank_req[p]),
        .s_o      (bank_rsp[p]),
        .m_o      (req),
        .m_i      (rsp),
        .aw_who_o (aw_who),
        .ar_who_o (ar_who),
        .b_who_i  (WHO_W'(axi_i[p].bid >> l2_pkg::ID_W)),
        .r_who_i  (WHO_W'(axi_i[p].rid >> l2_pkg::ID_W))
      );

      // An id of the port is the number of the bank above the bank's own.
      always_comb begin
        axi_o[p]      = req;
        axi_o[p].awid = AXI_ID_W'({aw_who, l2_pkg::ID_W'(req.awid)});
        axi_o[p].arid = AXI_ID_W'({ar_who, l2_pkg::ID_W'(req.arid)});
        rsp           = axi_i[p];
        rsp.bid       = AXI_ID_W'(l2_pkg::ID_W'(axi_i[p].bid));
        rsp.rid       = AXI_ID_W'(l2_pkg::ID_W'(axi_i[p].rid));
      end
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
