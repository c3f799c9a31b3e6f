// SPDX-License-Identifier: Apache-2.0
// Memory is at BASE, BYTES long, in a space of 40 bits. Bursts inside pass, with the address in the window; all others
// are answered with DECERR, as many beats as they have, and reach nothing.
// Latency: none for bursts that pass. Others wait until all that passed have been answered, so that answers of one id
// stay in order.
// Handshake: AXI4; data of a write may come before its address and waits for it. BYTES is a power of two, BASE a multiple.
// A burst does not leave the 4 KB in which it begins (AXI4), so that its first address decides.
module axi_window #(
  parameter  logic [39:0] BASE   = 40'd0,
  parameter  logic [39:0] BYTES  = 40'h200_0000,
  parameter  int unsigned ID_W   = 8,
  parameter  bit          EMPTY  = 1'b0,          // there is no memory at all
  localparam int unsigned ADDR_W = $clog2(BYTES)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from the masters
  input  logic              s_awvalid_i,
  output logic              s_awready_o,
  input  logic [ID_W-1:0]   s_awid_i,
  input  logic [39:0]       s_awaddr_i,
  input  logic              s_wvalid_i,
  output logic              s_wready_o,
  input  logic              s_wlast_i,
  output logic              s_bvalid_o,
  input  logic              s_bready_i,
  output logic [ID_W-1:0]   s_bid_o,
  output logic [1:0]        s_bresp_o,
  input  logic              s_arvalid_i,
  output logic              s_arready_o,
  input  logic [ID_W-1:0]   s_arid_i,
  input  logic [39:0]       s_araddr_i,
  input  logic [7:0]        s_arlen_i,
  output logic              s_rvalid_o,
  input  logic              s_rready_i,
  output logic [ID_W-1:0]   s_rid_o,
  output logic [1:0]        s_rresp_o,
  output logic              s_rlast_o,
  // to memory
  output logic              m_awvalid_o,
  input  logic              m_awready_i,
  output logic [ADDR_W-1:0] m_awaddr_o,
  output logic              m_wvalid_o,
  input  logic              m_wready_i,
  input  logic              m_bvalid_i,
  output logic              m_bready_o,
  input  logic [ID_W-1:0]   m_bid_i,
  input  logic [1:0]        m_bresp_i,
  output logic              m_arvalid_o,
  input  logic              m_arready_i,
  output logic [ADDR_W-1:0] m_araddr_o,
  input  logic              m_rvalid_i,
  output logic              m_rready_o,
  input  logic [ID_W-1:0]   m_rid_i,
  input  logic [1:0]        m_rresp_i,
  input  logic              m_rlast_i
);

  localparam logic [1:0] DECERR  = 2'd3;
  localparam int unsigned COUNT_W = 6;

  logic               aw_in, ar_in;
  logic [COUNT_W-1:0] aw_open_q, w_open_q, ar_open_q;  // writes not answered, writes with data still to come, reads not answered
  logic               w_bad_q, b_bad_q, r_bad_q;       // a burst outside: takes data, answers; answers
  logic [ID_W-1:0]    bad_bid_q, bad_rid_q;
  logic [7:0]         r_left_q;
  logic               aw_room, ar_room;

  assign aw_in   = !EMPTY && s_awaddr_i[39:ADDR_W] == BASE[39:ADDR_W];
  assign ar_in   = !EMPTY && s_araddr_i[39:ADDR_W] == BASE[39:ADDR_W];
  assign aw_room = aw_open_q != '1 && !w_bad_q && !b_bad_q;
  assign ar_room = ar_open_q != '1 && !r_bad_q;

  // ---- writes ---------------------------------------------------------------------------------------
  assign m_awvalid_o = s_awvalid_i && aw_in && aw_room;
  assign m_awaddr_o  = s_awaddr_i[ADDR_W-1:0];
  assign s_awready_o = aw_in ? m_awready_i && aw_room : aw_room && aw_open_q == '0;
  // Data goes with an address that has been taken.
  assign m_wvalid_o  = s_wvalid_i && w_open_q != '0;
  assign s_wready_o  = w_bad_q || (m_wready_i && w_open_q != '0);
  assign s_bvalid_o  = b_bad_q || m_bvalid_i;
  assign m_bready_o  = s_bready_i && !b_bad_q;
  assign s_bid_o     = b_bad_q ? bad_bid_q : m_bid_i;
  assign s_bresp_o   = b_bad_q ? DECERR : m_bresp_i;

  // ---- reads ----------------------------------------------------------------------------------------
  assign m_arvalid_o = s_arvalid_i && ar_in && ar_room;
  assign m_araddr_o  = s_araddr_i[ADDR_W-1:0];
  assign s_arready_o = ar_in ? m_arready_i && ar_room : ar_room && ar_open_q == '0;
  assign s_rvalid_o  = r_bad_q || m_rvalid_i;
  assign m_rready_o  = s_rready_i && !r_bad_q;
  assign s_rid_o     = r_bad_q ? bad_rid_q : m_rid_i;
  assign s_rresp_o   = r_bad_q ? DECERR : m_rresp_i;
  assign s_rlast_o   = r_bad_q ? r_left_q == 8'd0 : m_rlast_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_open_q <= '0;
      w_open_q  <= '0;
      ar_open_q <= '0;
      w_bad_q   <= 1'b0;
      b_bad_q   <= 1'b0;
      r_bad_q   <= 1'b0;
    end else begin
      aw_open_q <= aw_open_q + COUNT_W'(m_awvalid_o && m_awready_i) - COUNT_W'(m_bvalid_i && m_bready_o);
      w_open_q  <= w_open_q + COUNT_W'(m_awvalid_o && m_awready_i) - COUNT_W'(m_wvalid_o && m_wready_i && s_wlast_i);
      ar_open_q <= ar_open_q + COUNT_W'(m_arvalid_o && m_arready_i) - COUNT_W'(m_rvalid_i && m_rready_o && m_rlast_i);
      if (s_awvalid_i && s_awready_o && !aw_in) w_bad_q <= 1'b1;
      if (w_bad_q && s_wvalid_i && s_wlast_i) begin
        w_bad_q <= 1'b0;
        b_bad_q <= 1'b1;
      end
      if (b_bad_q && s_bready_i) b_bad_q <= 1'b0;
      if (s_arvalid_i && s_arready_o && !ar_in) r_bad_q <= 1'b1;
      if (r_bad_q && s_rready_i && r_left_q == 8'd0) r_bad_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!w_bad_q && !b_bad_q) bad_bid_q <= s_awid_i;
    if (!r_bad_q) begin
      bad_rid_q <= s_arid_i;
      r_left_q  <= s_arlen_i;
    end else if (s_rready_i) r_left_q <= r_left_q - 1'b1;
  end

endmodule
