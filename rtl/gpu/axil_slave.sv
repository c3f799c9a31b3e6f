// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave port (32-bit) in front of a register block: one read and one write under way at a time.
// Latency: a write takes effect in the cycle after address and data have both come; read data three cycles after the address,
// a cycle more behind a write.
// Handshake: AXI4-Lite towards the host; wr_valid_o and rd_valid_o are events, never together; rd_data_i is sampled in the cycle
// after rd_valid_o, rd_word_o stands then, too. While ready_i is low nothing is taken from the host.
// Writes that do not cover all four bytes answer SLVERR and have no effect. It does not decode the addresses.
`include "heddle_assert.svh"

module axil_slave (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to the host
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o,
  // to and from the registers
  input  logic               ready_i,
  output logic               wr_valid_o,
  output logic [9:0]         wr_word_o,
  output logic [31:0]        wr_data_o,
  output logic               rd_valid_o,
  output logic [9:0]         rd_word_o,
  input  logic [31:0]        rd_data_i
);

  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  logic              aw_q, w_q, b_q, ar_q, look_q, r_q;   // what is held: address, data, response; registers being read
  logic [9:0]        aw_word_q, ar_word_q;
  logic [31:0]       w_data_q, r_data_q;
  logic              w_whole_q, b_error_q;

  assign axil_o.awready = ready_i && !aw_q;
  assign axil_o.wready  = ready_i && !w_q;
  assign axil_o.arready = ready_i && !ar_q && !look_q && !r_q;
  assign axil_o.bvalid  = b_q;
  assign axil_o.bresp   = b_error_q ? SLVERR : OKAY;
  assign axil_o.rvalid  = r_q;
  assign axil_o.rdata   = r_data_q;
  assign axil_o.rresp   = OKAY;

  logic write_now;
  assign write_now  = aw_q && w_q && !b_q;
  assign wr_valid_o = write_now && w_whole_q;
  assign wr_word_o  = aw_word_q;
  assign wr_data_o  = w_data_q;
  assign rd_valid_o = ar_q && !write_now;
  assign rd_word_o  = ar_word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q   <= 1'b0;
      w_q    <= 1'b0;
      b_q    <= 1'b0;
      ar_q   <= 1'b0;
      look_q <= 1'b0;
      r_q    <= 1'b0;
    end else begin
      aw_q   <= (aw_q || (axil_i.awvalid && ready_i)) && !write_now;
      w_q    <= (w_q || (axil_i.wvalid && ready_i)) && !write_now;
      b_q    <= write_now || (b_q && !axil_i.bready);
      ar_q   <= (axil_i.arvalid && axil_o.arready) || (ar_q && write_now);
      look_q <= rd_valid_o;
      r_q    <= look_q || (r_q && !axil_i.rready);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!aw_q && axil_i.awvalid) aw_word_q <= axil_i.awaddr[11:2];
    if (!w_q && axil_i.wvalid) begin
      w_data_q  <= axil_i.wdata;
      w_whole_q <= axil_i.wstrb == 4'hf;
    end
    if (write_now) b_error_q <= !w_whole_q;
    if (axil_o.arready && axil_i.arvalid) ar_word_q <= axil_i.araddr[11:2];
    if (look_q) r_data_q <= rd_data_i;
  end

  // The byte within a word does not matter.
  logic unused;
  assign unused = &{1'b0, axil_i.awaddr[1:0], axil_i.araddr[1:0]};

  // A response stays, with its payload, until it is taken.
  logic        r_kept_q, b_kept_q;
  logic [31:0] r_kept_data_q;
  always_ff @(posedge clk_i) begin
    r_kept_q      <= rst_ni && r_q && !axil_i.rready;
    b_kept_q      <= rst_ni && b_q && !axil_i.bready;
    r_kept_data_q <= r_data_q;
  end
  `ASSERT(a_r_stable, !r_kept_q || (r_q && r_data_q == r_kept_data_q))
  `ASSERT(a_b_stable, !b_kept_q || b_q)

endmodule
