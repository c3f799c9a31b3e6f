// SPDX-License-Identifier: Apache-2.0
// rtl/lib/axi_mux.sv, two masters with ids of two bits, data of eight: what else the structs hold is 0. Any burst of writes is followed, by its number.
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
  logic [1:0][1:0] bid, rid;
  logic            m_awvalid, m_wvalid, m_wlast, m_bready, m_arvalid, m_rready;
  logic [2:0]      m_awid;
  logic [7:0]      m_wdata;
  logic            aw_who, ar_who;

  axi_pkg::axi_req_t [1:0] s_req;
  axi_pkg::axi_rsp_t [1:0] s_rsp;
  axi_pkg::axi_req_t       m_req;
  axi_pkg::axi_rsp_t       m_rsp;

  always_comb begin
    s_req = '0;
    for (int n = 0; n < 2; n++) begin
      s_req[n].awvalid    = awvalid[n];
      s_req[n].awid[1:0]  = awid[n];
      s_req[n].wvalid     = wvalid[n];
      s_req[n].wdata[7:0] = wdata[n];
      s_req[n].wlast      = wlast[n];
      s_req[n].bready     = bready[n];
      s_req[n].arvalid    = arvalid[n];
      s_req[n].arid[1:0]  = arid[n];
      s_req[n].rready     = rready[n];
      awready[n]          = s_rsp[n].awready;
      wready[n]           = s_rsp[n].wready;
      bvalid[n]           = s_rsp[n].bvalid;
      bid[n]              = s_rsp[n].bid[1:0];
      arready[n]          = s_rsp[n].arready;
      rvalid[n]           = s_rsp[n].rvalid;
      rid[n]              = s_rsp[n].rid[1:0];
    end
    m_rsp          = '0;
    m_rsp.awready  = m_awready;
    m_rsp.wready   = m_wready;
    m_rsp.bvalid   = m_bvalid;
    m_rsp.bid[1:0] = m_bid[1:0];
    m_rsp.arready  = m_arready;
    m_rsp.rvalid   = m_rvalid;
    m_rsp.rid[1:0] = m_rid[1:0];
  end
  assign {m_awvalid, m_wvalid, m_wlast, m_bready} = {m_req.awvalid, m_req.wvalid, m_req.wlast, m_req.bready};
  assign {m_arvalid, m_rready}                    = {m_req.arvalid, m_req.rready};
  assign m_awid  = {aw_who, m_req.awid[1:0]};
  assign m_wdata = m_req.wdata[7:0];

  axi_mux #(.N(2)) u_dut (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .s_i      (s_req),
    .s_o      (s_rsp),
    .m_o      (m_req),
    .m_i      (m_rsp),
    .aw_who_o (aw_who),
    .ar_who_o (ar_who),
    .b_who_i  (m_bid[2]),
    .r_who_i  (m_rid[2])
  );

  // The burst number n_q: the master of its address, and that of its data.
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
  // An answer goes to the master that its id names, with that one's id, and to no other.
  `PROVE(p_answer, bvalid == (m_bvalid ? 2'd1 << m_bid[2] : 2'd0) && rvalid == (m_rvalid ? 2'd1 << m_rid[2] : 2'd0)
    && bid[m_bid[2]] == m_bid[1:0] && rid[m_rid[2]] == m_rid[1:0] && m_bready == bready[m_bid[2]] && m_rready == rready[m_rid[2]])
  // No address is taken from two masters at a time.
  `PROVE(p_turn, (awvalid & awready) != '1 && (arvalid & arready) != '1)
  // Bursts of both masters are under way.
  `REACH(r_both, knows_a_q && knows_d_q && n_q == 3'd2 && of_address_q)
endmodule
