// SPDX-License-Identifier: Apache-2.0
// Nothing behind AXI4-Lite: every access is answered with SLVERR.
// Latency: a cycle. Handshake: AXI4-Lite, one access each way at a time.
// It keeps nothing.
`default_nettype none

module axil_none (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  output logic [1:0]  s_axil_bresp_o,
  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,
  output logic [31:0] s_axil_rdata_o,
  output logic [1:0]  s_axil_rresp_o
);

  logic b_q, r_q;

  assign s_axil_awready_o = s_axil_awvalid_i && s_axil_wvalid_i && !b_q;
  assign s_axil_wready_o  = s_axil_awready_o;
  assign s_axil_bvalid_o  = b_q;
  assign s_axil_bresp_o   = 2'd2;
  assign s_axil_arready_o = !r_q;
  assign s_axil_rvalid_o  = r_q;
  assign s_axil_rdata_o   = '0;
  assign s_axil_rresp_o   = 2'd2;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_q <= 1'b0;
      r_q <= 1'b0;
    end else begin
      b_q <= s_axil_awready_o || (b_q && !s_axil_bready_i);
      r_q <= (s_axil_arvalid_i && !r_q) || (r_q && !s_axil_rready_i);
    end
  end

endmodule

`default_nettype wire
