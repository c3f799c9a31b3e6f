// SPDX-License-Identifier: Apache-2.0
// Joins AXI4 masters into one: an id is the master's number above its own id. Addresses in turn, write data in the order of the
// addresses; responses by id.
// Latency: a cycle for addresses; none for data and responses. An address each way, a beat each way a cycle.
// Handshake: AXI4. Write data waits until its address has been chosen.
// It does not look at addresses.
module axi_mux #(
  parameter  int unsigned N     = 2,
  parameter  int unsigned ID_W  = 4,
  parameter  int unsigned BITS  = 64,
  localparam int unsigned N_W   = (N > 1) ? $clog2(N) : 1,
  localparam int unsigned ALL_W = ID_W + ((N > 1) ? N_W : 0)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // masters
  input  logic [N-1:0]                  s_awvalid_i,
  output logic [N-1:0]                  s_awready_o,
  input  logic [N-1:0][ID_W-1:0]        s_awid_i,
  input  logic [N-1:0][39:0]            s_awaddr_i,
  input  logic [N-1:0][7:0]             s_awlen_i,
  input  logic [N-1:0][2:0]             s_awsize_i,
  input  logic [N-1:0][1:0]             s_awburst_i,
  input  logic [N-1:0]                  s_wvalid_i,
  output logic [N-1:0]                  s_wready_o,
  input  logic [N-1:0][BITS-1:0]        s_wdata_i,
  input  logic [N-1:0][BITS/8-1:0]      s_wstrb_i,
  input  logic [N-1:0]                  s_wlast_i,
  output logic [N-1:0]                  s_bvalid_o,
  input  logic [N-1:0]                  s_bready_i,
  output logic [N-1:0][ID_W-1:0]        s_bid_o,
  output logic [N-1:0][1:0]             s_bresp_o,
  input  logic [N-1:0]                  s_arvalid_i,
  output logic [N-1:0]                  s_arready_o,
  input  logic [N-1:0][ID_W-1:0]        s_arid_i,
  input  logic [N-1:0][39:0]            s_araddr_i,
  input  logic [N-1:0][7:0]             s_arlen_i,
  input  logic [N-1:0][2:0]             s_arsize_i,
  input  logic [N-1:0][1:0]             s_arburst_i,
  output logic [N-1:0]                  s_rvalid_o,
  input  logic [N-1:0]                  s_rready_i,
  output logic [N-1:0][ID_W-1:0]        s_rid_o,
  output logic [N-1:0][BITS-1:0]        s_rdata_o,
  output logic [N-1:0][1:0]             s_rresp_o,
  output logic [N-1:0]                  s_rlast_o,
  // memory
  output logic                          m_awvalid_o,
  input  logic                          m_awready_i,
  output logic [ALL_W-1:0]              m_awid_o,
  output logic [39:0]                   m_awaddr_o,
  output logic [7:0]                    m_awlen_o,
  output logic [2:0]                    m_awsize_o,
  output logic [1:0]                    m_awburst_o,
  output logic                          m_wvalid_o,
  input  logic                          m_wready_i,
  output logic [BITS-1:0]               m_wdata_o,
  output logic [BITS/8-1:0]             m_wstrb_o,
  output logic                          m_wlast_o,
  input  logic                          m_bvalid_i,
  output logic                          m_bready_o,
  input  logic [ALL_W-1:0]              m_bid_i,
  input  logic [1:0]                    m_bresp_i,
  output logic                          m_arvalid_o,
  input  logic                          m_arready_i,
  output logic [ALL_W-1:0]              m_arid_o,
  output logic [39:0]                   m_araddr_o,
  output logic [7:0]                    m_arlen_o,
  output logic [2:0]                    m_arsize_o,
  output logic [1:0]                    m_arburst_o,
  input  logic                          m_rvalid_i,
  output logic                          m_rready_o,
  input  logic [ALL_W-1:0]              m_rid_i,
  input  logic [BITS-1:0]               m_rdata_i,
  input  logic [1:0]                    m_rresp_i,
  input  logic                          m_rlast_i
);

  // ---- addresses, in turn -----------------------------------------------------------------------
  localparam int unsigned ADDR_BITS = ALL_W + 40 + 8 + 3 + 2;

  logic [N-1:0]                 aw_grant, ar_grant;
  logic [N-1:0][ADDR_BITS-1:0]  aw_all, ar_all;
  logic [ADDR_BITS-1:0]         aw_next, ar_next;
  logic                         aw_ready, ar_ready, order_ready, aw_take, ar_take;
  logic [N_W-1:0]               aw_who;

  for (genvar n = 0; n < N; n++) begin : gen_master
    assign aw_all[n] = {ALL_W'({N_W'(n), s_awid_i[n]}), s_awaddr_i[n], s_awlen_i[n], s_awsize_i[n], s_awburst_i[n]};
    assign ar_all[n] = {ALL_W'({N_W'(n), s_arid_i[n]}), s_araddr_i[n], s_arlen_i[n], s_arsize_i[n], s_arburst_i[n]};
    assign s_awready_o[n] = aw_grant[n] && aw_ready && order_ready;
    assign s_arready_o[n] = ar_grant[n] && ar_ready;
  end
  assign aw_take = s_awvalid_i != '0 && aw_ready && order_ready;
  assign ar_take = s_arvalid_i != '0 && ar_ready;

  arb_rr #(.N(N)) u_aw_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (s_awvalid_i),
    .grant_o (aw_grant),
    .take_i  (aw_take)
  );
  arb_rr #(.N(N)) u_ar_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (s_arvalid_i),
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
    .out_valid_o (m_awvalid_o),
    .out_ready_i (m_awready_i),
    .out_data_o  ({m_awid_o, m_awaddr_o, m_awlen_o, m_awsize_o, m_awburst_o}),
    .count_o     ()
  );
  fifo #(.WIDTH(ADDR_BITS), .DEPTH(2)) u_ar (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ar_take),
    .in_ready_o  (ar_ready),
    .in_data_i   (ar_next),
    .out_valid_o (m_arvalid_o),
    .out_ready_i (m_arready_i),
    .out_data_o  ({m_arid_o, m_araddr_o, m_arlen_o, m_arsize_o, m_arburst_o}),
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
    .out_ready_i (m_wvalid_o && m_wready_i && m_wlast_o),
    .out_data_o  (w_who),
    .count_o     ()
  );
  assign m_wvalid_o = w_some && s_wvalid_i[w_who];
  assign m_wdata_o  = s_wdata_i[w_who];
  assign m_wstrb_o  = s_wstrb_i[w_who];
  assign m_wlast_o  = s_wlast_i[w_who];
  for (genvar n = 0; n < N; n++) begin : gen_data
    assign s_wready_o[n] = m_wready_i && w_some && 32'(w_who) == n;
  end

  // ---- answers ----------------------------------------------------------------------------------
  logic [N_W-1:0] b_who, r_who;

  if (N > 1) begin : gen_who
    assign b_who = N_W'(m_bid_i >> ID_W);
    assign r_who = N_W'(m_rid_i >> ID_W);
  end else begin : gen_one
    assign b_who = '0;
    assign r_who = '0;
  end
  assign m_bready_o = s_bready_i[b_who];
  assign m_rready_o = s_rready_i[r_who];
  for (genvar n = 0; n < N; n++) begin : gen_answer
    assign s_bvalid_o[n] = m_bvalid_i && 32'(b_who) == n;
    assign s_bid_o[n]    = ID_W'(m_bid_i);
    assign s_bresp_o[n]  = m_bresp_i;
    assign s_rvalid_o[n] = m_rvalid_i && 32'(r_who) == n;
    assign s_rid_o[n]    = ID_W'(m_rid_i);
    assign s_rdata_o[n]  = m_rdata_i;
    assign s_rresp_o[n]  = m_rresp_i;
    assign s_rlast_o[n]  = m_rlast_i;
  end

endmodule
