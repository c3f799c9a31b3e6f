// SPDX-License-Identifier: Apache-2.0
// AXI4 masters, joined into one: which of them a burst is of goes beside its id, both ways. Addresses in turn, data of writes in
// the order of their addresses.
// Latency: a cycle for addresses; data and answers pass at once. An address each way, a beat each way a cycle.
// Handshake: AXI4. Data of a write waits until its address has been chosen.
// It does not look at addresses or ids.
module axi_mux #(
  parameter  int unsigned N   = 2,
  localparam int unsigned N_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from and to the masters
  input  axi_pkg::axi_req_t [N-1:0]  s_i,
  output axi_pkg::axi_rsp_t [N-1:0]  s_o,
  // to and from memory; the master of an address, of an answer
  output axi_pkg::axi_req_t          m_o,
  input  axi_pkg::axi_rsp_t          m_i,
  output logic [N_W-1:0]             aw_who_o,
  output logic [N_W-1:0]             ar_who_o,
  input  logic [N_W-1:0]             b_who_i,
  input  logic [N_W-1:0]             r_who_i
);

  // ---- addresses, in turn -----------------------------------------------------------------------
  localparam int unsigned ADDR_BITS = N_W + $bits(axi_pkg::burst_t);

  logic [N-1:0]                 awvalid, arvalid, aw_grant, ar_grant;
  logic [N-1:0][ADDR_BITS-1:0]  aw_all, ar_all;
  logic [ADDR_BITS-1:0]         aw_next, ar_next;
  logic                         aw_ready, ar_ready, order_ready, aw_take, ar_take;
  logic [N_W-1:0]               aw_who;

  for (genvar n = 0; n < N; n++) begin : gen_master
    assign awvalid[n]     = s_i[n].awvalid;
    assign arvalid[n]     = s_i[n].arvalid;
    assign aw_all[n]      = {N_W'(n), s_i[n].awid, s_i[n].awaddr, s_i[n].awlen, s_i[n].awsize, s_i[n].awburst};
    assign ar_all[n]      = {N_W'(n), s_i[n].arid, s_i[n].araddr, s_i[n].arlen, s_i[n].arsize, s_i[n].arburst};
    assign s_o[n].awready = aw_grant[n] && aw_ready && order_ready;
    assign s_o[n].arready = ar_grant[n] && ar_ready;
  end
  assign aw_take = awvalid != '0 && aw_ready && order_ready;
  assign ar_take = arvalid != '0 && ar_ready;

  arb_rr #(.N(N)) u_aw_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (awvalid),
    .grant_o (aw_grant),
    .take_i  (aw_take)
  );
  arb_rr #(.N(N)) u_ar_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (arvalid),
    .grant_o (ar_grant),
    .take_i  (ar_take)
  );
  onehot_mux #(.WIDTH(ADDR_BITS), .N(N)) u_aw_next (
    .sel_i  (aw_grant),
    .data_i (aw_all),
    .data_o (aw_next)
  );
  onehot_mux #(.WIDTH(ADDR_BITS), .N(N)) u_ar_next (
    .sel_i  (ar_grant),
    .data_i (ar_all),
    .data_o (ar_next)
  );
  onehot_index #(.N(N)) u_aw_who (
    .onehot_i (aw_grant),
    .index_o  (aw_who)
  );

  fifo #(.WIDTH(ADDR_BITS), .DEPTH(2)) u_aw (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (aw_take),
    .in_ready_o  (aw_ready),
    .in_data_i   (aw_next),
    .out_valid_o (m_o.awvalid),
    .out_ready_i (m_i.awready),
    .out_data_o  ({aw_who_o, m_o.awid, m_o.awaddr, m_o.awlen, m_o.awsize, m_o.awburst}),
    .count_o     ()
  );
  fifo #(.WIDTH(ADDR_BITS), .DEPTH(2)) u_ar (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ar_take),
    .in_ready_o  (ar_ready),
    .in_data_i   (ar_next),
    .out_valid_o (m_o.arvalid),
    .out_ready_i (m_i.arready),
    .out_data_o  ({ar_who_o, m_o.arid, m_o.araddr, m_o.arlen, m_o.arsize, m_o.arburst}),
    .count_o     ()
  );

  // ---- write data: the next master --------------------------------------------------------------
  logic            w_some;
  logic [N_W-1:0]  w_who;

  fifo #(.WIDTH(N_W), .DEPTH(4)) u_order (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (aw_take),
    .in_ready_o  (order_ready),
    .in_data_i   (aw_who),
    .out_valid_o (w_some),
    .out_ready_i (m_o.wvalid && m_i.wready && m_o.wlast),
    .out_data_o  (w_who),
    .count_o     ()
  );
  assign m_o.wvalid = w_some && s_i[w_who].wvalid;
  assign m_o.wdata  = s_i[w_who].wdata;
  assign m_o.wstrb  = s_i[w_who].wstrb;
  assign m_o.wlast  = s_i[w_who].wlast;
  for (genvar n = 0; n < N; n++) begin : gen_data
    assign s_o[n].wready = m_i.wready && w_some && 32'(w_who) == n;
  end

  // ---- answers ----------------------------------------------------------------------------------
  assign m_o.bready = s_i[b_who_i].bready;
  assign m_o.rready = s_i[r_who_i].rready;
  for (genvar n = 0; n < N; n++) begin : gen_answer
    assign s_o[n].bvalid = m_i.bvalid && 32'(b_who_i) == n;
    assign s_o[n].bid    = m_i.bid;
    assign s_o[n].bresp  = m_i.bresp;
    assign s_o[n].rvalid = m_i.rvalid && 32'(r_who_i) == n;
    assign s_o[n].rid    = m_i.rid;
    assign s_o[n].rdata  = m_i.rdata;
    assign s_o[n].rresp  = m_i.rresp;
    assign s_o[n].rlast  = m_i.rlast;
  end

endmodule
