// SPDX-License-Identifier: Apache-2.0
// One access of the link at a time: a host register by AXI4-Lite, or up to eight bytes of memory by a burst of one beat on AXI4.
// Latency: that of the bus and two cycles. A link of a million bits a second brings eight bytes in two thousand cycles at
// 25 MHz, so that longer bursts would save nothing.
// Handshake: req_i with access_i is a pulse; done_o a pulse with error_o and data_o. If the bus has not answered after LIMIT
// cycles, done_o comes with dead_o: the access stays open on the bus, and all that follow end at once, until a reset.
// It does not look at addresses.
module link_bus #(
  parameter int unsigned LIMIT = 1 << 20
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the executor
  input  logic               req_i,
  input  link_pkg::access_t  access_i,
  output logic               done_o,
  output logic               error_o,
  output logic               dead_o,
  output logic [63:0]        data_o,
  // to the host registers
  output axi_pkg::axil_req_t axil_o,
  input  axi_pkg::axil_rsp_t axil_i,
  // to memory
  output axi_pkg::axi_req_t  axi_o,
  input  axi_pkg::axi_rsp_t  axi_i
);

  localparam int unsigned LIMIT_W = $clog2(LIMIT + 1);

  link_pkg::access_t  access_q;
  logic               busy_q, addr_q, data_q;   // under way; address, data still to be taken
  logic               done_q, error_q, dead_q;
  logic [63:0]        got_q;
  logic [LIMIT_W-1:0] time_q;
  logic               addr_taken, data_taken, answered, refused;

  always_comb begin
    if (access_q.memory) begin
      addr_taken = access_q.write ? axi_i.awready : axi_i.arready;
      data_taken = axi_i.wready;
      answered   = access_q.write ? axi_i.bvalid : axi_i.rvalid;
      refused    = access_q.write ? axi_i.bresp != '0 : axi_i.rresp != '0;
    end else begin
      addr_taken = access_q.write ? axil_i.awready : axil_i.arready;
      data_taken = axil_i.wready;
      answered   = access_q.write ? axil_i.bvalid : axil_i.rvalid;
      refused    = access_q.write ? axil_i.bresp != '0 : axil_i.rresp != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    done_q <= 1'b0;
    if (!rst_ni) begin
      busy_q <= 1'b0;
      addr_q <= 1'b0;
      data_q <= 1'b0;
      dead_q <= 1'b0;
    end else if (!busy_q) begin
      if (req_i && !dead_q) begin
        busy_q  <= 1'b1;
        addr_q  <= 1'b1;
        data_q  <= access_i.write;
        error_q <= 1'b0;
      end
    end else begin
      if (addr_taken) addr_q <= 1'b0;
      if (data_taken) data_q <= 1'b0;
      if (answered && !addr_q && !data_q) begin
        busy_q  <= 1'b0;
        done_q  <= !dead_q;
        error_q <= refused;
      end else if (time_q == '0 && !dead_q) begin
        dead_q <= 1'b1;      // busy until the reset
        done_q <= 1'b1;
      end
    end
    if (rst_ni && dead_q && req_i) done_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (req_i && !busy_q) begin
      access_q <= access_i;
      time_q   <= LIMIT_W'(LIMIT);
    end else if (time_q != '0) time_q <= time_q - 1'b1;
    if (busy_q && answered) got_q <= access_q.memory ? axi_i.rdata : 64'(axil_i.rdata);
  end

  assign done_o  = done_q;
  assign error_o = error_q;
  assign dead_o  = dead_q;
  assign data_o  = got_q;

  assign axil_o.awvalid = busy_q && addr_q && access_q.write && !access_q.memory;
  assign axil_o.awaddr  = access_q.addr[11:0];
  assign axil_o.wvalid  = busy_q && data_q && !access_q.memory;
  assign axil_o.wdata   = access_q.data[31:0];
  assign axil_o.wstrb   = 4'hf;
  assign axil_o.bready  = busy_q && !addr_q && !data_q;
  assign axil_o.arvalid = busy_q && addr_q && !access_q.write && !access_q.memory;
  assign axil_o.araddr  = access_q.addr[11:0];
  assign axil_o.rready  = busy_q && !addr_q;

  assign axi_o.awvalid = busy_q && addr_q && access_q.write && access_q.memory;
  assign axi_o.awid    = '0;
  assign axi_o.awaddr  = access_q.addr;
  assign axi_o.awlen   = 8'd0;
  assign axi_o.awsize  = 3'd3;
  assign axi_o.awburst = 2'd1;
  assign axi_o.wvalid  = busy_q && data_q && access_q.memory;
  assign axi_o.wdata   = access_q.data;
  assign axi_o.wstrb   = access_q.strb;
  assign axi_o.wlast   = 1'b1;
  assign axi_o.bready  = busy_q && !addr_q && !data_q;
  assign axi_o.arvalid = busy_q && addr_q && !access_q.write && access_q.memory;
  assign axi_o.arid    = '0;
  assign axi_o.araddr  = access_q.addr;
  assign axi_o.arlen   = 8'd0;
  assign axi_o.arsize  = 3'd3;
  assign axi_o.arburst = 2'd1;
  assign axi_o.rready  = busy_q && !addr_q;

  // It has one access under way: any answer is that one's.
  logic unused;
  assign unused = ^{axi_i.bid, axi_i.rid, axi_i.rlast};

endmodule
