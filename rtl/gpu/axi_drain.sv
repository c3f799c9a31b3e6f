// SPDX-License-Identifier: Apache-2.0
// Gate on the AXI master port: passes everything, and on request lets what has begun finish and nothing new begin.
// Latency: none (combinational in every channel); drained_o one cycle after the last response.
// Handshake: AXI4. A request that was shown stays until taken; each write address gets its data and each data burst its address.
// While drain_i is high no new burst passes. It does not make up data or responses: whoever is behind must finish its bursts.
`default_nettype none
`include "heddle_assert.svh"

module axi_drain (
  input  logic clk_i,
  input  logic rst_ni,
  // from and to the reset control
  input  logic drain_i,
  output logic drained_o,
  // from and to the SM
  input  logic s_awvalid_i,
  output logic s_awready_o,
  input  logic s_wvalid_i,
  output logic s_wready_o,
  input  logic s_wlast_i,
  input  logic s_bready_i,
  input  logic s_arvalid_i,
  output logic s_arready_o,
  input  logic s_rready_i,
  // from and to memory
  output logic m_awvalid_o,
  input  logic m_awready_i,
  output logic m_wvalid_o,
  input  logic m_wready_i,
  input  logic m_bvalid_i,
  output logic m_arvalid_o,
  input  logic m_arready_i,
  input  logic m_rvalid_i,
  input  logic m_rlast_i
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

  assign m_arvalid_o = s_arvalid_i && ar_pass;
  assign s_arready_o = m_arready_i && ar_pass;
  assign m_awvalid_o = s_awvalid_i && aw_pass;
  assign s_awready_o = m_awready_i && aw_pass;
  assign m_wvalid_o  = s_wvalid_i && w_pass;
  assign s_wready_o  = m_wready_i && w_pass;

  assign ar_take = m_arvalid_o && m_arready_i;
  assign aw_take = m_awvalid_o && m_awready_i;
  assign w_take  = m_wvalid_o && m_wready_i;
  assign b_take  = m_bvalid_i && s_bready_i;
  assign r_take  = m_rvalid_i && s_rready_i && m_rlast_i;

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
      lead_q    <= lead_q + $signed({9'd0, w_take && s_wlast_i}) - $signed({9'd0, aw_take});
      if (w_take) mid_q <= !s_wlast_i;
      aw_held_q <= m_awvalid_o && !m_awready_i;
      w_held_q  <= m_wvalid_o && !m_wready_i;
      ar_held_q <= m_arvalid_o && !m_arready_i;
    end
  end

  assign drained_o = drain_i && reads_q == '0 && writes_q == '0 && lead_q == 0 && !mid_q && !aw_held_q && !w_held_q
    && !ar_held_q;

  // A response only comes for a burst under way.
  `ASSUME(a_b, !m_bvalid_i || writes_q != '0)
  `ASSUME(a_r, !m_rvalid_i || reads_q != '0)
  // When drained, nothing is offered.
  `ASSERT(a_quiet, !drained_o || (!m_awvalid_o && !m_wvalid_o && !m_arvalid_o))

endmodule

`default_nettype wire
