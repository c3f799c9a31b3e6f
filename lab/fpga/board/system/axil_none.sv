// SPDX-License-Identifier: Apache-2.0
// Nothing behind AXI4-Lite: every access is answered with SLVERR.
// Latency: a cycle. Handshake: AXI4-Lite, one access each way at a time.
// It keeps nothing.
module axil_none (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o
);

  logic b_q, r_q, unused;

  assign axil_o.awready = axil_i.awvalid && axil_i.wvalid && !b_q;
  assign axil_o.wready  = axil_o.awready;
  assign axil_o.bvalid  = b_q;
  assign axil_o.bresp   = 2'd2;
  assign axil_o.arready = !r_q;
  assign axil_o.rvalid  = r_q;
  assign axil_o.rdata   = '0;
  assign axil_o.rresp   = 2'd2;
  assign unused         = ^{axil_i.awaddr, axil_i.wdata, axil_i.wstrb, axil_i.araddr};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_q <= 1'b0;
      r_q <= 1'b0;
    end else begin
      b_q <= axil_o.awready || (b_q && !axil_i.bready);
      r_q <= (axil_i.arvalid && !r_q) || (r_q && !axil_i.rready);
    end
  end

endmodule
