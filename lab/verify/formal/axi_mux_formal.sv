// SPDX-License-Identifier: Apache-2.0
// rtl/lib/axi_mux.sv, two masters with ids of two bits, data of eight. Any burst of writes is followed, by its number.
// config: tiny
`include "properties.svh"

module axi_mux_formal (
  input logic            clk_i,
  input logic [1:0]      awvalid,
  input logic [1:0][1:0] awid,
  input logic [1:0]      wvalid,
  input logic [1:0][7:0] wdata,
  input logic [1:0]      wlast,
  input logic [1:0]      arvalid,
  input logic [1:0][1:0] arid,
  input logic [1:0]      bready,
  input logic [1:0]      rready,
  input logic            m_awready,
  input logic            m_wready,
  input logic            m_arready,
  input logic            m_bvalid,
  input logic [2:0]      m_bid,
  input logic            m_rvalid,
  input logic [2:0]      m_rid
);
  `RESET

  logic [1:0]      awready, wready, arready, bvalid, rvalid;
  logic [1:0][1:0] bid, rid, bresp, rresp;
  logic [1:0][7:0] rdata;
  logic [1:0]      rlast;
  logic            m_awvalid, m_wvalid, m_wlast, m_bready, m_arvalid, m_rready, m_wstrb;
  logic [2:0]      m_awid, m_arid, m_awsize, m_arsize;
  logic [39:0]     m_awaddr, m_araddr;
  logic [7:0]      m_awlen, m_arlen, m_wdata;
  logic [1:0]      m_awburst, m_arburst;

  axi_mux #(.N(2), .ID_W(2), .BITS(8)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .s_awvalid_i (awvalid),
    .s_awready_o (awready),
    .s_awid_i    (awid),
    .s_awaddr_i  ('0),
    .s_awlen_i   ('0),
    .s_awsize_i  ('0),
    .s_awburst_i ('0),
    .s_wvalid_i  (wvalid),
    .s_wready_o  (wready),
    .s_wdata_i   (wdata),
    .s_wstrb_i   ('1),
    .s_wlast_i   (wlast),
    .s_bvalid_o  (bvalid),
    .s_bready_i  (bready),
    .s_bid_o     (bid),
    .s_bresp_o   (bresp),
    .s_arvalid_i (arvalid),
    .s_arready_o (arready),
    .s_arid_i    (arid),
    .s_araddr_i  ('0),
    .s_arlen_i   ('0),
    .s_arsize_i  ('0),
    .s_arburst_i ('0),
    .s_rvalid_o  (rvalid),
    .s_rready_i  (rready),
    .s_rid_o     (rid),
    .s_rdata_o   (rdata),
    .s_rresp_o   (rresp),
    .s_rlast_o   (rlast),
    .m_awvalid_o (m_awvalid),
    .m_awready_i (m_awready),
    .m_awid_o    (m_awid),
    .m_awaddr_o  (m_awaddr),
    .m_awlen_o   (m_awlen),
    .m_awsize_o  (m_awsize),
    .m_awburst_o (m_awburst),
    .m_wvalid_o  (m_wvalid),
    .m_wready_i  (m_wready),
    .m_wdata_o   (m_wdata),
    .m_wstrb_o   (m_wstrb),
    .m_wlast_o   (m_wlast),
    .m_bvalid_i  (m_bvalid),
    .m_bready_o  (m_bready),
    .m_bid_i     (m_bid),
    .m_bresp_i   (2'd0),
    .m_arvalid_o (m_arvalid),
    .m_arready_i (m_arready),
    .m_arid_o    (m_arid),
    .m_araddr_o  (m_araddr),
    .m_arlen_o   (m_arlen),
    .m_arsize_o  (m_arsize),
    .m_arburst_o (m_arburst),
    .m_rvalid_i  (m_rvalid),
    .m_rready_o  (m_rready),
    .m_rid_i     (m_rid),
    .m_rdata_i   (8'd0),
    .m_rresp_i   (2'd0),
    .m_rlast_i   (1'b1)
  );

  // The burst number n_q: whose address has that number, and whose data.
  logic [2:0] n_q, address_q, data_q;
  logic       knows_a_q, knows_d_q, of_address_q, of_data_q;
  logic [1:0] taken;
  assign taken = wvalid & wready;
  always_ff @(posedge clk_i) begin
    n_q <= n_q;
    if (!rst_ni) begin
      {address_q, data_q, knows_a_q, knows_d_q} <= '0;
    end else begin
      if (m_awvalid && m_awready && address_q != '1) begin
        address_q <= address_q + 3'd1;
        if (address_q == n_q) {knows_a_q, of_address_q} <= {1'b1, m_awid[2]};
      end
      if (m_wvalid && m_wready && m_wlast && data_q != '1) begin
        data_q <= data_q + 3'd1;
        if (data_q == n_q) {knows_d_q, of_data_q} <= {1'b1, taken[1]};
      end
    end
  end

  // Data of writes go in the order of their addresses: the burst of each number is of one master.
  `BOUND(16, p_order, !(knows_a_q && knows_d_q) || of_address_q == of_data_q)
  // A beat is one master's, and taken from that one alone.
  `PROVE(p_beat, (m_wvalid && m_wready) == (taken != '0) && taken != '1
    && (taken == '0 || (m_wdata == wdata[taken[1]] && m_wlast == wlast[taken[1]])))
  // An answer goes to the master that its id names, with that one's id, and to nobody else.
  `PROVE(p_answer, bvalid == (m_bvalid ? 2'd1 << m_bid[2] : 2'd0) && rvalid == (m_rvalid ? 2'd1 << m_rid[2] : 2'd0)
    && bid[m_bid[2]] == m_bid[1:0] && rid[m_rid[2]] == m_rid[1:0] && m_bready == bready[m_bid[2]] && m_rready == rready[m_rid[2]])
  // No address is taken from two masters at a time.
  `PROVE(p_turn, (awvalid & awready) != '1 && (arvalid & arready) != '1)
  // Bursts of both masters are under way.
  `REACH(r_both, knows_a_q && knows_d_q && n_q == 3'd2 && of_address_q)
endmodule
