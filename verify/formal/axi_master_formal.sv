// SPDX-License-Identifier: Apache-2.0
// rtl/memory/axi_master.sv, with the four words of 64 bits a sector and the twelve identities of `fpga`: eight entries, two lines
// of each cache.
// config: fpga
`default_nettype none
`include "properties.svh"

module axi_master_formal (
  input logic                         clk_i,
  input logic                         gm_rd_valid, gm_wr_valid, ic_rd_valid, cc_rd_valid,
  input logic [mem_pkg::ENTRY_W-1:0]  gm_rd_entry, gm_wr_entry,
  input logic [mem_pkg::SECTOR_W-1:0] gm_rd_sector, gm_wr_sector,
  input logic [33:0]                  ic_rd_line, cc_rd_line,
  input logic [0:0]                   ic_rd_tag, cc_rd_tag,
  input logic [31:0]                  gm_wr_strb,
  input logic [255:0]                 gm_wr_data,
  input logic                         awready, wready, arready, bvalid, rvalid,
  input logic [mem_pkg::AXI_ID_W-1:0] bid, rid,
  input logic [1:0]                   bresp, rresp,
  input logic [mem_pkg::AXI_BITS-1:0] rdata,
  input logic                         watch     // the write that begins, or the read that is taken, is followed
);
  `RESET
  localparam int unsigned BEATS = mem_pkg::AXI_BEATS, IDS = mem_pkg::AXI_IDS, ID_W = mem_pkg::AXI_ID_W;
  localparam int unsigned BITS = mem_pkg::AXI_BITS, SECTOR_W = mem_pkg::SECTOR_W;

  logic [mem_pkg::AXI_CNT_W-1:0] gm_wr_beat;
  logic gm_rd_ready, gm_wr_read, gm_wr_ready, ic_rd_ready, cc_rd_ready;
  logic r_gm, r_ic, r_cc, r_last_o, r_err, b_valid, b_err, awvalid, wvalid, wlast, bready, arvalid, rready;
  logic [mem_pkg::ENTRY_W-1:0]   r_entry, b_entry;
  logic [2:0]                    r_beat;
  logic [0:0]                    r_ic_tag, r_cc_tag;
  logic [BITS-1:0]               r_data, wdata;
  logic [BITS/8-1:0]             wstrb;
  logic [ID_W-1:0]               awid, arid;
  logic [39:0]                   awaddr, araddr;
  logic [7:0]                    awlen, arlen;
  logic [2:0]                    awsize, arsize;
  logic [1:0]                    awburst, arburst;

  // Words of each identity that have come, as the slave counts them.
  logic [IDS-1:0][2:0] come_q;
  logic [IDS-1:0]      err_q;
  logic                rlast, rline;
  assign rline = rid >= mem_pkg::ID_ICACHE;
  assign rlast = come_q[4'(rid)] == (rline ? 3'(2 * BEATS - 1) : 3'(BEATS - 1));

  axi_master u_dut (
    .clk_i (clk_i), .rst_ni (rst_ni), .fault_i (8'd0),
    .gm_rd_valid_i (gm_rd_valid), .gm_rd_ready_o (gm_rd_ready), .gm_rd_entry_i (gm_rd_entry), .gm_rd_sector_i (gm_rd_sector),
    .gm_wr_valid_i (gm_wr_valid), .gm_wr_beat_o (gm_wr_beat), .gm_wr_ready_o (gm_wr_ready), .gm_wr_entry_i (gm_wr_entry),
    .gm_wr_sector_i (gm_wr_sector), .gm_wr_strb_i (gm_wr_strb), .gm_wr_data_i (gm_wr_data),
    .ic_rd_valid_i (ic_rd_valid), .ic_rd_ready_o (ic_rd_ready), .ic_rd_line_i (ic_rd_line), .ic_rd_tag_i (ic_rd_tag),
    .cc_rd_valid_i (cc_rd_valid), .cc_rd_ready_o (cc_rd_ready), .cc_rd_line_i (cc_rd_line), .cc_rd_tag_i (cc_rd_tag),
    .ax_r_gm_valid_o (r_gm), .ax_r_ic_valid_o (r_ic), .ax_r_cc_valid_o (r_cc), .ax_r_entry_o (r_entry), .ax_r_ic_tag_o (r_ic_tag), .ax_r_cc_tag_o (r_cc_tag), .ax_r_beat_o (r_beat),
    .ax_r_last_o (r_last_o), .ax_r_data_o (r_data), .ax_r_err_o (r_err),
    .ax_b_valid_o (b_valid), .ax_b_entry_o (b_entry), .ax_b_err_o (b_err),
    .m_axi_awvalid_o (awvalid), .m_axi_awready_i (awready), .m_axi_awid_o (awid), .m_axi_awaddr_o (awaddr),
    .m_axi_awlen_o (awlen), .m_axi_awsize_o (awsize), .m_axi_awburst_o (awburst),
    .m_axi_wvalid_o (wvalid), .m_axi_wready_i (wready), .m_axi_wdata_o (wdata), .m_axi_wstrb_o (wstrb), .m_axi_wlast_o (wlast),
    .m_axi_bvalid_i (bvalid), .m_axi_bready_o (bready), .m_axi_bid_i (bid), .m_axi_bresp_i (bresp),
    .m_axi_arvalid_o (arvalid), .m_axi_arready_i (arready), .m_axi_arid_o (arid), .m_axi_araddr_o (araddr),
    .m_axi_arlen_o (arlen), .m_axi_arsize_o (arsize), .m_axi_arburst_o (arburst),
    .m_axi_rvalid_i (rvalid), .m_axi_rready_o (rready), .m_axi_rid_i (rid), .m_axi_rdata_i (rdata), .m_axi_rresp_i (rresp),
    .m_axi_rlast_i (rlast)
  );

  // ---- what the neighbours keep: a write stands until its last piece is taken; identities are those in use ------------------
  logic                  wr_held_q, same;
  logic [SECTOR_W-1:0]   wr_sector_q;
  logic [mem_pkg::ENTRY_W-1:0] wr_entry_q;
  logic [287:0]          wr_word_q;
  always_ff @(posedge clk_i) begin
    wr_held_q   <= rst_ni && gm_wr_valid && !gm_wr_ready;
    wr_sector_q <= gm_wr_sector;
    wr_entry_q  <= gm_wr_entry;
    wr_word_q   <= {gm_wr_strb, gm_wr_data};
  end
  assign same = gm_wr_valid && gm_wr_sector == wr_sector_q && gm_wr_entry == wr_entry_q && {gm_wr_strb, gm_wr_data} == wr_word_q;
  `GIVEN(g_write, !wr_held_q || same)
  `GIVEN(g_ids, (!rvalid || rid < ID_W'(IDS)) && (!bvalid || bid < ID_W'(mem_pkg::ENTRIES)))
  always_ff @(posedge clk_i) begin
    if (!rst_ni) come_q <= '0;
    else if (rvalid) come_q[4'(rid)] <= rlast ? 3'd0 : come_q[4'(rid)] + 3'd1;
    if (rvalid) err_q[4'(rid)] <= rresp != 2'd0 || (come_q[4'(rid)] != 3'd0 && err_q[4'(rid)]);
  end

  // ---- offered things, one cycle later --------------------------------------------------------------------------------------
  logic aw_kept_q, w_kept_q, ar_kept_q;
  logic [ID_W+39:0]        aw_q, ar_q;
  logic [BITS+BITS/8:0]    w_q;
  always_ff @(posedge clk_i) begin
    aw_kept_q <= rst_ni && awvalid && !awready;
    w_kept_q  <= rst_ni && wvalid && !wready;
    ar_kept_q <= rst_ni && arvalid && !arready;
    aw_q      <= {awid, awaddr};
    ar_q      <= {arid, araddr};
    w_q       <= {wlast, wstrb, wdata};
  end

  // ---- one write, followed: addresses before its own, words before its own ----------------------------------------------------
  logic        aw_take, w_take, starts;
  logic [1:0]  piece_q, w_place_q;     // of the write that is taken; of the burst on the bus
  logic [2:0]  aw_owed_q, w_owed_q;    // in the queues
  logic        aw_in_q, w_in_q;
  logic [2:0]  aw_before_q;
  logic [3:0]  w_before_q;
  logic [1:0]  w_given_q;
  logic [SECTOR_W-1:0] sector_q;
  logic [mem_pkg::ENTRY_W-1:0] entry_q;
  logic [287:0]        word_q;
  assign aw_take = awvalid && awready;
  assign w_take  = wvalid && wready;
  assign gm_wr_read = u_dut.w_take;
  assign starts  = gm_wr_read && piece_q == 2'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {piece_q, w_place_q} <= '0;
      {aw_owed_q, w_owed_q} <= '0;
      {aw_in_q, w_in_q} <= '0;
      w_given_q <= 2'd0;
    end else begin
      if (gm_wr_read) piece_q <= piece_q + 2'd1;
      if (w_take) w_place_q <= w_place_q + 2'd1;
      aw_owed_q <= aw_owed_q + 3'(starts) - 3'(aw_take);
      w_owed_q  <= w_owed_q + 3'(gm_wr_read) - 3'(w_take);
      if (starts && watch && !aw_in_q && !w_in_q) begin
        {aw_in_q, w_in_q} <= 2'b11;
        aw_before_q <= aw_owed_q - 3'(aw_take);
        w_before_q  <= 4'(w_owed_q) - 4'(w_take);
        w_given_q   <= 2'd0;
        sector_q    <= gm_wr_sector;
        entry_q     <= gm_wr_entry;
        word_q      <= {gm_wr_strb, gm_wr_data};
      end else begin
        if (aw_in_q && aw_take) begin
          aw_in_q     <= aw_before_q != 3'd0;
          aw_before_q <= aw_before_q - 3'd1;
        end
        if (w_in_q && w_take) begin
          if (w_before_q != 4'd0) w_before_q <= w_before_q - 4'd1;
          else begin
            w_given_q <= w_given_q + 2'd1;
            w_in_q    <= w_given_q != 2'd3;
          end
        end
      end
    end
  end
  logic aw_mine, w_mine;
  assign aw_mine = aw_in_q && aw_take && aw_before_q == 3'd0;
  assign w_mine  = w_in_q && w_take && w_before_q == 4'd0;

  // ---- one read, followed -------------------------------------------------------------------------------------------------------
  logic [2:0]  rd_taken;
  logic        ar_take, ar_in_q;
  logic [2:0]  ar_owed_q, ar_before_q;
  logic [ID_W+SECTOR_W-1:0] ar_want_q, ar_word;
  assign rd_taken = {cc_rd_valid && cc_rd_ready, ic_rd_valid && ic_rd_ready, gm_rd_valid && gm_rd_ready};
  assign ar_take  = arvalid && arready;
  assign ar_word  = rd_taken[0] ? {ID_W'(gm_rd_entry), gm_rd_sector} : rd_taken[1] ? {mem_pkg::ID_ICACHE + ID_W'(ic_rd_tag), ic_rd_line, 1'b0}
    : {mem_pkg::ID_CCACHE + ID_W'(cc_rd_tag), cc_rd_line, 1'b0};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_owed_q <= 3'd0;
      ar_in_q   <= 1'b0;
    end else begin
      ar_owed_q <= ar_owed_q + 3'(rd_taken != '0) - 3'(ar_take);
      if (rd_taken != '0 && watch && !ar_in_q) begin
        ar_in_q     <= 1'b1;
        ar_before_q <= ar_owed_q - 3'(ar_take);
        ar_want_q   <= ar_word;
      end else if (ar_in_q && ar_take) begin
        ar_in_q     <= ar_before_q != 3'd0;
        ar_before_q <= ar_before_q - 3'd1;
      end
    end
  end

  // ---- answers, one cycle later ---------------------------------------------------------------------------------------------------
  logic            rv_q, bv_q, rerr_q, berr_q, rlast_q;
  logic [ID_W-1:0] rid_q, bid_q;
  logic [2:0]      rbeat_q;
  logic [BITS-1:0] rdata_q;
  always_ff @(posedge clk_i) begin
    rv_q    <= rst_ni && rvalid;
    bv_q    <= rst_ni && bvalid;
    rid_q   <= rid;
    bid_q   <= bid;
    rbeat_q <= come_q[4'(rid)];
    rlast_q <= rlast;
    rdata_q <= rdata;
    rerr_q  <= rresp != 2'd0 || (come_q[4'(rid)] != 3'd0 && err_q[4'(rid)]);
    berr_q  <= bresp != 2'd0;
  end

  // An address or a word that is offered stays, unchanged, until it is taken, on all three channels.
  `PROVE(p_stable, (!aw_kept_q || (awvalid && {awid, awaddr} == aw_q)) && (!w_kept_q || (wvalid && {wlast, wstrb, wdata} == w_q))
    && (!ar_kept_q || (arvalid && {arid, araddr} == ar_q)))
  // Every burst is a sector, or a line of a cache: incrementing, its length that of the data, within its 32 or 64 bytes.
  `PROVE(p_burst, awlen == 8'(BEATS - 1) && arlen == 8'(arid < mem_pkg::ID_ICACHE ? BEATS - 1 : 2 * BEATS - 1)
    && (!arvalid || arid < mem_pkg::ID_ICACHE || !araddr[5]) && awsize == 3'($clog2(BITS / 8)) && arsize == awsize
    && awburst == 2'b01 && arburst == 2'b01 && awaddr[4:0] == 5'd0 && araddr[4:0] == 5'd0)
  // The last word of each burst of write data is marked, and no other.
  `PROVE(p_last, !wvalid || wlast == (w_place_q == 2'(BEATS - 1)))
  // A write's address goes out once, in its turn, with its sector and the identity of its entry.
  `PROVE(p_address, !aw_mine || (awid == ID_W'(entry_q) && awaddr == {sector_q, 5'd0}))
  // A write's words go out in its turn, all of them, in order, each with its strobes.
  `BOUND(12, p_data, !w_mine || (wdata == word_q[w_given_q*BITS +: BITS] && wstrb == word_q[256 + w_given_q*(BITS/8) +: BITS/8]
    && w_place_q == w_given_q))
  // A read's address goes out once, in its turn, with the identity of who asked.
  `PROVE(p_read, !(ar_in_q && ar_take && ar_before_q == 3'd0) || {arid, araddr} == {ar_want_q, 5'd0})
  // Of those who want to read, one at a time is taken.
  `PROVE(p_taken, $countones(rd_taken) <= 1)
  // A word that is read goes to whoever asked, with its place in the sector or line, however words of others come in between.
  `PROVE(p_answer, {r_cc, r_ic, r_gm} == {rv_q && rid_q >= mem_pkg::ID_CCACHE, rv_q && rid_q >= mem_pkg::ID_ICACHE
    && rid_q < mem_pkg::ID_CCACHE, rv_q && rid_q < mem_pkg::ID_ICACHE}
    && (!rv_q || (r_beat == rbeat_q && r_last_o == rlast_q && r_data == rdata_q
    && (!r_gm || ID_W'(r_entry) == rid_q) && (!r_ic || mem_pkg::ID_ICACHE + ID_W'(r_ic_tag) == rid_q)
    && (!r_cc || mem_pkg::ID_CCACHE + ID_W'(r_cc_tag) == rid_q))))
  // An error of any word of a sector or line so far is told with each word.
  `PROVE(p_error, !rv_q || r_err == rerr_q)
  // An acknowledgement goes to its entry, with its error.
  `PROVE(p_written, b_valid == bv_q && (!bv_q || (ID_W'(b_entry) == bid_q && b_err == berr_q)))
  // A write is followed whose data is ahead of its address.
  `REACH(r_ahead, w_mine && aw_in_q && w_given_q == 2'd3)
endmodule

`default_nettype wire
