// SPDX-License-Identifier: Apache-2.0
// One access of the link at a time: a host register by AXI4-Lite, or up to eight bytes of memory by a burst of one beat on AXI4.
// Latency: that of the bus and two cycles. A link of a million bits a second brings eight bytes in two thousand cycles at
// 25 MHz, so that longer bursts would save nothing.
// Handshake: req_i with access_i is a pulse; done_o a pulse with error_o and data_o. If the bus has not answered after LIMIT
// cycles, done_o comes with dead_o: the access stays open on the bus, and all that follow end at once, until a reset.
// It does not look at addresses.
`default_nettype none

module link_bus #(
  parameter  int unsigned LIMIT = 1 << 20,
  parameter  int unsigned ID_W  = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the executor
  input  logic                req_i,
  input  link_pkg::access_t   access_i,
  output logic                done_o,
  output logic                error_o,
  output logic                dead_o,
  output logic [63:0]         data_o,
  // to the host registers
  output logic                m_axil_awvalid_o,
  input  logic                m_axil_awready_i,
  output logic [11:0]         m_axil_awaddr_o,
  output logic                m_axil_wvalid_o,
  input  logic                m_axil_wready_i,
  output logic [31:0]         m_axil_wdata_o,
  output logic [3:0]          m_axil_wstrb_o,
  input  logic                m_axil_bvalid_i,
  output logic                m_axil_bready_o,
  input  logic [1:0]          m_axil_bresp_i,
  output logic                m_axil_arvalid_o,
  input  logic                m_axil_arready_i,
  output logic [11:0]         m_axil_araddr_o,
  input  logic                m_axil_rvalid_i,
  output logic                m_axil_rready_o,
  input  logic [31:0]         m_axil_rdata_i,
  input  logic [1:0]          m_axil_rresp_i,
  // to memory
  output logic                m_axi_awvalid_o,
  input  logic                m_axi_awready_i,
  output logic [ID_W-1:0]     m_axi_awid_o,
  output logic [39:0]         m_axi_awaddr_o,
  output logic [7:0]          m_axi_awlen_o,
  output logic [2:0]          m_axi_awsize_o,
  output logic [1:0]          m_axi_awburst_o,
  output logic                m_axi_wvalid_o,
  input  logic                m_axi_wready_i,
  output logic [63:0]         m_axi_wdata_o,
  output logic [7:0]          m_axi_wstrb_o,
  output logic                m_axi_wlast_o,
  input  logic                m_axi_bvalid_i,
  output logic                m_axi_bready_o,
  input  logic [1:0]          m_axi_bresp_i,
  output logic                m_axi_arvalid_o,
  input  logic                m_axi_arready_i,
  output logic [ID_W-1:0]     m_axi_arid_o,
  output logic [39:0]         m_axi_araddr_o,
  output logic [7:0]          m_axi_arlen_o,
  output logic [2:0]          m_axi_arsize_o,
  output logic [1:0]          m_axi_arburst_o,
  input  logic                m_axi_rvalid_i,
  output logic                m_axi_rready_o,
  input  logic [63:0]         m_axi_rdata_i,
  input  logic [1:0]          m_axi_rresp_i
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
      addr_taken = access_q.write ? m_axi_awready_i : m_axi_arready_i;
      data_taken = m_axi_wready_i;
      answered   = access_q.write ? m_axi_bvalid_i : m_axi_rvalid_i;
      refused    = access_q.write ? m_axi_bresp_i != '0 : m_axi_rresp_i != '0;
    end else begin
      addr_taken = access_q.write ? m_axil_awready_i : m_axil_arready_i;
      data_taken = m_axil_wready_i;
      answered   = access_q.write ? m_axil_bvalid_i : m_axil_rvalid_i;
      refused    = access_q.write ? m_axil_bresp_i != '0 : m_axil_rresp_i != '0;
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
    if (busy_q && answered) got_q <= access_q.memory ? m_axi_rdata_i : 64'(m_axil_rdata_i);
  end

  assign done_o  = done_q;
  assign error_o = error_q;
  assign dead_o  = dead_q;
  assign data_o  = got_q;

  assign m_axil_awvalid_o = busy_q && addr_q && access_q.write && !access_q.memory;
  assign m_axil_awaddr_o  = access_q.addr[11:0];
  assign m_axil_wvalid_o  = busy_q && data_q && !access_q.memory;
  assign m_axil_wdata_o   = access_q.data[31:0];
  assign m_axil_wstrb_o   = 4'hf;
  assign m_axil_bready_o  = busy_q && !addr_q && !data_q;
  assign m_axil_arvalid_o = busy_q && addr_q && !access_q.write && !access_q.memory;
  assign m_axil_araddr_o  = access_q.addr[11:0];
  assign m_axil_rready_o  = busy_q && !addr_q;

  assign m_axi_awvalid_o = busy_q && addr_q && access_q.write && access_q.memory;
  assign m_axi_awid_o    = '0;
  assign m_axi_awaddr_o  = access_q.addr;
  assign m_axi_awlen_o   = 8'd0;
  assign m_axi_awsize_o  = 3'd3;
  assign m_axi_awburst_o = 2'd1;
  assign m_axi_wvalid_o  = busy_q && data_q && access_q.memory;
  assign m_axi_wdata_o   = access_q.data;
  assign m_axi_wstrb_o   = access_q.strb;
  assign m_axi_wlast_o   = 1'b1;
  assign m_axi_bready_o  = busy_q && !addr_q && !data_q;
  assign m_axi_arvalid_o = busy_q && addr_q && !access_q.write && access_q.memory;
  assign m_axi_arid_o    = '0;
  assign m_axi_araddr_o  = access_q.addr;
  assign m_axi_arlen_o   = 8'd0;
  assign m_axi_arsize_o  = 3'd3;
  assign m_axi_arburst_o = 2'd1;
  assign m_axi_rready_o  = busy_q && !addr_q;

endmodule

`default_nettype wire
