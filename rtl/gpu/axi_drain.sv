// SPDX-License-Identifier: Apache-2.0
// Gate on the AXI master port: passes everything, and on request lets what has begun finish and nothing new begin.
// Latency: none (combinational in every channel); drained_o one cycle after the last response.
// Handshake: AXI4. A request that was shown stays until taken; each write address gets its data and each data burst its address.
// While drain_i is high no new burst passes. It does not make up data or responses: the masters behind must finish their bursts.
`include "heddle_assert.svh"

module axi_drain (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to the reset control
  input  logic               drain_i,
  output logic               drained_o,
  // from and to the machine
  input  axi_pkg::axi_req_t  s_i,
  output axi_pkg::axi_rsp_t  s_o,
  // to and from memory
  output axi_pkg::axi_req_t  m_o,
  input  axi_pkg::axi_rsp_t  m_i
);

  // Bursts under way (addresses taken less responses), and how many data bursts have ended ahead of their addresses.
  logic [9:0]        reads_q, writes_q;
  logic signed [9:0] lead_q;
  logic              mid_q;                       // inside a data burst
  logic              aw_held_q, w_held_q, ar_held_q;
  logic              aw_take, w_take, ar_take, b_take, r_take;
  logic              aw_pass, w_pass, ar_pass;

  // In a drain an address passes when it was shown already, or when its data is on the way; data likewise.
  assign ar_pass = !drain_i || ar_held_q;
  assign aw_pass = !drain_i || aw_held_q || lead_q > 0 || (lead_q == 0 && (mid_q || w_held_q));
  assign w_pass  = !drain_i || w_held_q || mid_q || lead_q < 0;

  always_comb begin
    m_o         = s_i;
    m_o.arvalid = s_i.arvalid && ar_pass;
    m_o.awvalid = s_i.awvalid && aw_pass;
    m_o.wvalid  = s_i.wvalid && w_pass;
    s_o         = m_i;
    s_o.arready = m_i.arready && ar_pass;
    s_o.awready = m_i.awready && aw_pass;
    s_o.wready  = m_i.wready && w_pass;
  end

  assign ar_take = m_o.arvalid && m_i.arready;
  assign aw_take = m_o.awvalid && m_i.awready;
  assign w_take  = m_o.wvalid && m_i.wready;
  assign b_take  = m_i.bvalid && s_i.bready;
  assign r_take  = m_i.rvalid && s_i.rready && m_i.rlast;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q   <= '0;
      writes_q  <= '0;
      lead_q    <= '0;
      mid_q     <= 1'b0;
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      ar_held_q <= 1'b0;
    end else begin
      reads_q   <= reads_q + 10'(ar_take) - 10'(r_take);
      writes_q  <= writes_q + 10'(aw_take) - 10'(b_take);
      lead_q    <= lead_q + $signed({9'd0, w_take && s_i.wlast}) - $signed({9'd0, aw_take});
      if (w_take) mid_q <= !s_i.wlast;
      aw_held_q <= m_o.awvalid && !m_i.awready;
      w_held_q  <= m_o.wvalid && !m_i.wready;
      ar_held_q <= m_o.arvalid && !m_i.arready;
    end
  end

  assign drained_o = drain_i && reads_q == '0 && writes_q == '0 && lead_q == 0 && !mid_q && !aw_held_q && !w_held_q
    && !ar_held_q;

  // A response only comes for a burst under way.
  `ASSUME(a_b, !m_i.bvalid || writes_q != '0)
  `ASSUME(a_r, !m_i.rvalid || reads_q != '0)
  // When drained, nothing is offered.
  `ASSERT(a_quiet, !drained_o || (!m_o.awvalid && !m_o.wvalid && !m_o.arvalid))

endmodule
