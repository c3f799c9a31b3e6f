// SPDX-License-Identifier: Apache-2.0
// rtl/gpu/axi_drain.sv, before an SM that keeps AXI's rules and a memory that answers each request.
// config: tiny
`include "properties.svh"

module axi_drain_formal (
  input logic clk_i,
  input logic drain,
  input logic s_awvalid, s_wvalid, s_wlast, s_bready, s_arvalid, s_rready,
  input logic m_awready, m_wready, m_bvalid, m_arready, m_rvalid, m_rlast
);
  `RESET

  logic drained, s_awready, s_wready, s_arready, m_awvalid, m_wvalid, m_arvalid;

  axi_pkg::axi_req_t s_req, m_req;
  axi_pkg::axi_rsp_t s_rsp, m_rsp;

  // Payloads, which no gate touches, are 0.
  always_comb begin
    s_req         = '0;
    s_req.awvalid = s_awvalid;
    s_req.wvalid  = s_wvalid;
    s_req.wlast   = s_wlast;
    s_req.bready  = s_bready;
    s_req.arvalid = s_arvalid;
    s_req.rready  = s_rready;
    m_rsp         = '0;
    m_rsp.awready = m_awready;
    m_rsp.wready  = m_wready;
    m_rsp.bvalid  = m_bvalid;
    m_rsp.arready = m_arready;
    m_rsp.rvalid  = m_rvalid;
    m_rsp.rlast   = m_rlast;
  end
  assign {s_awready, s_wready, s_arready} = {s_rsp.awready, s_rsp.wready, s_rsp.arready};
  assign {m_awvalid, m_wvalid, m_arvalid} = {m_req.awvalid, m_req.wvalid, m_req.arvalid};

  axi_drain u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .drain_i     (drain),
    .drained_o   (drained),
    .s_i         (s_req),
    .s_o         (s_rsp),
    .m_o         (m_req),
    .m_i         (m_rsp)
  );

  // Handshakes of each side: addresses, ends of data bursts, responses. Seven of each are enough to be wrong in.
  logic              aw_take, w_take, ar_take, b_take, r_take;
  logic [3:0]        writes_q, reads_q;
  logic signed [4:0] lead_q;        // data bursts ended, less their addresses
  logic              mid_q, drain_q;
  logic              aw_kept_q, w_kept_q, ar_kept_q, aw_s_q, w_s_q, ar_s_q;

  assign aw_take = m_awvalid && m_awready;
  assign w_take  = m_wvalid && m_wready;
  assign ar_take = m_arvalid && m_arready;
  assign b_take  = m_bvalid && s_bready;
  assign r_take  = m_rvalid && s_rready && m_rlast;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      writes_q <= 4'd0;
      reads_q  <= 4'd0;
      lead_q   <= 5'sd0;
      mid_q    <= 1'b0;
    end else begin
      writes_q <= writes_q + 4'(aw_take) - 4'(b_take);
      reads_q  <= reads_q + 4'(ar_take) - 4'(r_take);
      lead_q   <= lead_q + $signed({4'd0, w_take && s_wlast}) - $signed({4'd0, aw_take});
      if (w_take) mid_q <= !s_wlast;
    end
    drain_q   <= rst_ni && drain;
    aw_kept_q <= rst_ni && m_awvalid && !m_awready;
    w_kept_q  <= rst_ni && m_wvalid && !m_wready;
    ar_kept_q <= rst_ni && m_arvalid && !m_arready;
    aw_s_q    <= rst_ni && s_awvalid && !s_awready;
    w_s_q     <= rst_ni && s_wvalid && !s_wready;
    ar_s_q    <= rst_ni && s_arvalid && !s_arready;
  end

  logic was_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                         was_q <= 1'b0;
    else if (drain && !drain_q && mid_q && lead_q == 5'sd2) was_q <= 1'b1;
  end

  // The SM holds what it offers; responses come for bursts under way; no count exceeds the numbers here.
  `GIVEN(g_held, (!aw_s_q || s_awvalid) && (!w_s_q || s_wvalid) && (!ar_s_q || s_arvalid))
  `GIVEN(g_answers, (!m_bvalid || writes_q != 4'd0) && (!m_rvalid || reads_q != 4'd0))
  `GIVEN(g_small, writes_q <= 4'd7 && reads_q <= 4'd7 && lead_q >= -5'sd7 && lead_q <= 5'sd7)

  // An offer to memory stays until taken, also when a drain begins meanwhile.
  `PROVE(p_stable, (!aw_kept_q || m_awvalid) && (!w_kept_q || m_wvalid) && (!ar_kept_q || m_arvalid))
  // Nothing is taken from the SM that memory does not take, and the other way round.
  `PROVE(p_same, aw_take == (s_awvalid && s_awready) && w_take == (s_wvalid && s_wready) && ar_take == (s_arvalid && s_arready))
  // In a drain no read is shown that was not shown before.
  `PROVE(p_no_read, !(drain_q && drain && !ar_kept_q) || !m_arvalid)
  // In a drain no further address of a write is shown unless its data has begun, and no data without an address or a beginning.
  `PROVE(p_no_write, !drain || ((!m_awvalid || aw_kept_q || lead_q > 5'sd0 || (lead_q == 5'sd0 && (mid_q || w_kept_q)))
    && (!m_wvalid || w_kept_q || mid_q || lead_q < 5'sd0)))
  // When it says drained, no burst is under way: addresses and data are equal in number, and all are answered.
  `PROVE(p_drained, !drained || (writes_q == 4'd0 && reads_q == 4'd0 && lead_q == 5'sd0 && !mid_q))
  // A drain ends: with nothing under way and nothing shown, it is drained.
  `PROVE(p_ends, !(drain && writes_q == 4'd0 && reads_q == 4'd0 && lead_q == 5'sd0 && !mid_q && !aw_kept_q && !w_kept_q
    && !ar_kept_q) || drained)
  // Without a drain it is wires.
  `PROVE(p_wires, drain || (m_awvalid == s_awvalid && m_wvalid == s_wvalid && m_arvalid == s_arvalid))
  // A drain that began amid a write, with the data two bursts before the addresses, comes to its end.
  `REACH(r_drained, drained && was_q)
endmodule
