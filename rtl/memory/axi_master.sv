// SPDX-License-Identifier: Apache-2.0
// AXI4 master for 32-byte sectors of gmem and 64-byte lines of the read-only caches: INCR bursts of
// one of these, 40-bit addresses. Ids: gmem's entries, then the places of the instruction cache's
// lines, then those of the constant cache's (their tags).
// Latency: one cycle to each channel, one cycle from R and B.
// Handshake: valid/ready requests; read beats and acknowledgements are events (RREADY and BREADY
// are always high). Read beats of different ids may interleave, answers come in any order, W may
// run ahead of AW and the other way round.
// It does not limit what is outstanding: whoever asks uses an id once at a time.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module axi_master #(
  localparam int unsigned ENTRY_W  = mem_pkg::ENTRY_W,
  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W,
  localparam int unsigned ID_W     = mem_pkg::AXI_ID_W,
  localparam int unsigned AXI_BITS = mem_pkg::AXI_BITS,
  localparam int unsigned BEATS    = mem_pkg::AXI_BEATS,
  localparam int unsigned CNT_W    = mem_pkg::AXI_CNT_W,
  localparam int unsigned LINE_W   = mem_pkg::LINE_CNT_W,
  localparam int unsigned IC_TAG_W = mem_pkg::IC_TAG_W,
  localparam int unsigned CC_TAG_W = mem_pkg::CC_TAG_W
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [7:0]              fault_i,
  // from gmem
  input  logic                    gm_rd_valid_i,
  output logic                    gm_rd_ready_o,
  input  logic [ENTRY_W-1:0]      gm_rd_entry_i,
  input  logic [SECTOR_W-1:0]     gm_rd_sector_i,
  input  logic                    gm_wr_valid_i,
  output logic [CNT_W-1:0]        gm_wr_beat_o,     // the piece of the sector that is taken next
  output logic                    gm_wr_ready_o,    // the last one is taken
  input  logic [ENTRY_W-1:0]      gm_wr_entry_i,
  input  logic [SECTOR_W-1:0]     gm_wr_sector_i,
  input  logic [31:0]             gm_wr_strb_i,
  input  logic [255:0]            gm_wr_data_i,
  // from the instruction and the constant cache
  input  logic                    ic_rd_valid_i,
  output logic                    ic_rd_ready_o,
  input  logic [33:0]             ic_rd_line_i,
  input  logic [IC_TAG_W-1:0]     ic_rd_tag_i,
  input  logic                    cc_rd_valid_i,
  output logic                    cc_rd_ready_o,
  input  logic [33:0]             cc_rd_line_i,
  input  logic [CC_TAG_W-1:0]     cc_rd_tag_i,
  // to all of them: a beat of read data (event); error of the sector or the line so far
  output logic                    ax_r_gm_valid_o,
  output logic                    ax_r_ic_valid_o,
  output logic                    ax_r_cc_valid_o,
  output logic [ENTRY_W-1:0]      ax_r_entry_o,
  output logic [IC_TAG_W-1:0]     ax_r_ic_tag_o,
  output logic [CC_TAG_W-1:0]     ax_r_cc_tag_o,
  output logic [LINE_W-1:0]       ax_r_beat_o,
  output logic                    ax_r_last_o,
  output logic [AXI_BITS-1:0]     ax_r_data_o,
  output logic                    ax_r_err_o,
  // to gmem: a write was acknowledged (event)
  output logic                    ax_b_valid_o,
  output logic [ENTRY_W-1:0]      ax_b_entry_o,
  output logic                    ax_b_err_o,
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
  output logic [AXI_BITS-1:0]     m_axi_wdata_o,
  output logic [AXI_BITS/8-1:0]   m_axi_wstrb_o,
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
  input  logic [AXI_BITS-1:0]     m_axi_rdata_i,
  input  logic [1:0]              m_axi_rresp_i,
  input  logic                    m_axi_rlast_i
);

  localparam int unsigned IDS   = mem_pkg::AXI_IDS;       // ids in use
  localparam int unsigned IDX_W = $clog2(IDS);
  localparam int unsigned LINE_IDX_W = $clog2(mem_pkg::LINE_IDS);
  localparam logic [2:0]  SIZE  = 3'($clog2(AXI_BITS / 8));
  localparam logic [7:0]  LEN   = 8'(BEATS - 1);          // of a sector
  localparam logic [7:0]  LINE  = 8'(2 * BEATS - 1);      // of a line

  // ---- reads: caches and gmem in turns ----------------------------------------------------------
  logic [2:0]                    rd_req, rd_grant;
  logic [2:0][ID_W+SECTOR_W-1:0] rd_word;
  logic [ID_W+SECTOR_W-1:0]      rd_pick;
  logic                          rd_ready;
  logic [SECTOR_W-1:0]           ar_sector, aw_sector;
  logic [2:0][1:0]               unused_count;

  assign rd_req     = {cc_rd_valid_i, ic_rd_valid_i, gm_rd_valid_i};
  assign rd_word[0] = {ID_W'(gm_rd_entry_i), gm_rd_sector_i};
  assign rd_word[1] = {mem_pkg::ID_ICACHE + ID_W'(ic_rd_tag_i), ic_rd_line_i, 1'b0};
  assign rd_word[2] = {mem_pkg::ID_CCACHE + ID_W'(cc_rd_tag_i), cc_rd_line_i, 1'b0};
  assign {cc_rd_ready_o, ic_rd_ready_o, gm_rd_ready_o} = rd_grant & {3{rd_ready}};

  arb_rr #(.N(3)) u_reads (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (rd_req),
    .grant_o (rd_grant),
    .take_i  (rd_ready)
  );

  onehot_mux #(.WIDTH(ID_W + SECTOR_W), .N(3)) u_pick (
    .sel_i  (rd_grant),
    .data_i (rd_word),
    .data_o (rd_pick)
  );

  fifo #(.WIDTH(ID_W + SECTOR_W), .DEPTH(2)) u_ar (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (rd_req != '0 && rd_ready),   // the grant may move while nothing is taken
    .in_ready_o  (rd_ready),
    .in_data_i   (rd_pick),
    .out_valid_o (m_axi_arvalid_o),
    .out_ready_i (m_axi_arready_i),
    .out_data_o  ({m_axi_arid_o, ar_sector}),
    .count_o     (unused_count[0])
  );

  assign m_axi_araddr_o  = {ar_sector, 5'd0};
  assign m_axi_arlen_o   = (m_axi_arid_o < mem_pkg::ID_ICACHE) ? LEN : LINE;
  assign m_axi_arsize_o  = SIZE;
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_rready_o  = 1'b1;

  // Beats of each id are counted, since those of several may interleave.
  logic [IDS-1:0]                        err_q;
  logic [mem_pkg::LINE_IDS-1:0][LINE_W-1:0] line_q;
  logic                                  r_last, r_err, r_gm;
  logic [LINE_W-1:0]                     r_beat;
  logic [CNT_W-1:0]                      r_piece;     // of a sector
  logic [IDX_W-1:0]                      r_index;

  assign r_index = IDX_W'(m_axi_rid_i);
  assign r_gm    = m_axi_rid_i < mem_pkg::ID_ICACHE;

  for (genvar i = 0; i < mem_pkg::LINE_IDS; i++) begin : gen_line
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q[i] <= '0;
      else if (m_axi_rvalid_i && r_index == IDX_W'(mem_pkg::ENTRIES + i)) line_q[i] <= line_q[i] + 1'b1;
    end
  end

  if (BEATS > 1) begin : gen_count
    logic [mem_pkg::ENTRIES-1:0][CNT_W-1:0] count_q;
    for (genvar i = 0; i < mem_pkg::ENTRIES; i++) begin : gen_id
      always_ff @(posedge clk_i) begin
        if (!rst_ni) count_q[i] <= '0;
        else if (m_axi_rvalid_i && r_index == IDX_W'(i)) count_q[i] <= count_q[i] + 1'b1;
      end
    end
    always_comb begin
      r_piece = 'x;
      if (`HEDDLE_LIVE(m_axi_rvalid_i && r_gm)) r_piece = count_q[ENTRY_W'(r_index)];
    end
  end else begin : gen_one
    assign r_piece = '0;
  end

  always_comb begin
    r_beat = LINE_W'(r_piece);
    if (!r_gm) r_beat = line_q[LINE_IDX_W'(r_index - IDX_W'(mem_pkg::ENTRIES))];
  end
  assign r_last = r_gm ? r_piece == CNT_W'(BEATS - 1) : r_beat == LINE_W'(2 * BEATS - 1);

  always_comb begin
    r_err = 'x;
    `HEDDLE_ONLY(m_axi_rvalid_i) r_err = m_axi_rresp_i != '0 || (r_beat != '0 && err_q[r_index]);
  end

  always_ff @(posedge clk_i) begin
    if (m_axi_rvalid_i) begin
      err_q[r_index] <= r_err;
      ax_r_entry_o       <= ENTRY_W'(m_axi_rid_i);
      ax_r_ic_tag_o      <= IC_TAG_W'(m_axi_rid_i - mem_pkg::ID_ICACHE);
      ax_r_cc_tag_o      <= CC_TAG_W'(m_axi_rid_i - mem_pkg::ID_CCACHE);
      ax_r_beat_o        <= r_beat;
      ax_r_last_o        <= r_last;
      ax_r_data_o        <= m_axi_rdata_i;
      ax_r_err_o         <= r_err;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ax_r_gm_valid_o <= 1'b0;
      ax_r_ic_valid_o <= 1'b0;
      ax_r_cc_valid_o <= 1'b0;
    end else begin
      ax_r_gm_valid_o <= m_axi_rvalid_i && r_gm;
      ax_r_ic_valid_o <= m_axi_rvalid_i && !r_gm && m_axi_rid_i < mem_pkg::ID_CCACHE;
      ax_r_cc_valid_o <= m_axi_rvalid_i && m_axi_rid_i >= mem_pkg::ID_CCACHE;
    end
  end

  // The slave marks the last beat where it is.
  `ASSUME(a_rlast, !m_axi_rvalid_i || m_axi_rlast_i == r_last)

  // ---- writes: the data of a sector is taken in pieces of a bus word; its address goes out with the first of them ---
  logic                    aw_ready, w_ready, w_take, w_last;
  logic [4:0]              every_q;     // for the injected fault
  logic                    invert;
  logic [CNT_W-1:0]        w_beat_q;
  logic [AXI_BITS-1:0]     w_piece, w_data;
  logic [AXI_BITS/8-1:0]   w_strb;

  assign gm_wr_beat_o  = w_beat_q;
  assign w_take        = gm_wr_valid_i && w_ready && (w_beat_q != '0 || aw_ready);
  assign w_last        = w_beat_q == CNT_W'(BEATS - 1);
  assign gm_wr_ready_o = w_take && w_last;

  fifo #(.WIDTH(ID_W + SECTOR_W), .DEPTH(2)) u_aw (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (w_take && w_beat_q == '0),
    .in_ready_o  (aw_ready),
    .in_data_i   ({ID_W'(gm_wr_entry_i), gm_wr_sector_i}),
    .out_valid_o (m_axi_awvalid_o),
    .out_ready_i (m_axi_awready_i),
    .out_data_o  ({m_axi_awid_o, aw_sector}),
    .count_o     (unused_count[1])
  );

  assign invert = fault_i == core_pkg::FAULT_DRAM_DATA && every_q == '1 && w_beat_q == '0;

  if (BEATS > 1) begin : gen_wbeat
    assign w_piece = gm_wr_data_i[w_beat_q*AXI_BITS +: AXI_BITS];
    assign w_strb  = gm_wr_strb_i[w_beat_q*(AXI_BITS/8) +: AXI_BITS/8];
  end else begin : gen_wone
    assign w_piece = gm_wr_data_i;
    assign w_strb  = gm_wr_strb_i;
  end

  always_comb begin
    w_data = 'x;
    if (`HEDDLE_LIVE(w_take)) w_data = w_piece ^ AXI_BITS'({8{invert}});
  end

  fifo #(.WIDTH(1 + AXI_BITS/8 + AXI_BITS), .DEPTH(2)) u_w (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (w_take),
    .in_ready_o  (w_ready),
    .in_data_i   ({w_last, w_strb, w_data}),
    .out_valid_o (m_axi_wvalid_o),
    .out_ready_i (m_axi_wready_i),
    .out_data_o  ({m_axi_wlast_o, m_axi_wstrb_o, m_axi_wdata_o}),
    .count_o     (unused_count[2])
  );

  assign m_axi_awaddr_o  = {aw_sector, 5'd0};
  assign m_axi_awlen_o   = LEN;
  assign m_axi_awsize_o  = SIZE;
  assign m_axi_awburst_o = 2'b01;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_beat_q <= '0;
      every_q  <= '0;
    end else if (w_take) begin
      w_beat_q <= w_last ? '0 : w_beat_q + 1'b1;
      if (w_beat_q == '0 && gm_wr_strb_i[0]) every_q <= every_q + 1'b1;   // byte enables are those of this piece
    end
  end

  assign m_axi_bready_o = 1'b1;

  // Only gmem writes.
  `ASSUME(a_bid, !m_axi_bvalid_i || m_axi_bid_i < mem_pkg::ID_ICACHE)

  always_ff @(posedge clk_i) begin
    if (m_axi_bvalid_i) begin
      ax_b_entry_o <= ENTRY_W'(m_axi_bid_i);
      ax_b_err_o   <= m_axi_bresp_i != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ax_b_valid_o <= 1'b0;
    else         ax_b_valid_o <= m_axi_bvalid_i;
  end

endmodule

`default_nettype wire
