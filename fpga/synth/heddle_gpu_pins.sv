// SPDX-License-Identifier: Apache-2.0
// heddle_gpu on a few pins, for place and route: more ports than the package has balls.
// Latency: every input comes from a register, every output goes to one. Handshake: none that is kept.
// Inputs are a long shift register, outputs are folded into one bit: nothing is constant, nothing is pruned.
// It does not run programs and has no retire port: it is what a board builds, without the board.
`default_nettype none

module heddle_gpu_pins #(
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS,
  localparam int unsigned AXI_ID_W = order_pkg::ID_W
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic shift_i,
  output logic fold_o
);

  // What the host and the memory drive.
  typedef struct packed {
    logic                awvalid;
    logic [11:0]         awaddr;
    logic                wvalid;
    logic [31:0]         wdata;
    logic [3:0]          wstrb;
    logic                bready;
    logic                arvalid;
    logic [11:0]         araddr;
    logic                rready;
    logic                m_awready;
    logic                m_wready;
    logic                m_bvalid;
    logic [AXI_ID_W-1:0] m_bid;
    logic [1:0]          m_bresp;
    logic                m_arready;
    logic                m_rvalid;
    logic [AXI_ID_W-1:0] m_rid;
    logic [AXI_BITS-1:0] m_rdata;
    logic [1:0]          m_rresp;
    logic                m_rlast;
  } in_t;

  // What they see.
  typedef struct packed {
    logic                  awready;
    logic                  wready;
    logic                  bvalid;
    logic [1:0]            bresp;
    logic                  arready;
    logic                  rvalid;
    logic [31:0]           rdata;
    logic [1:0]            rresp;
    logic                  m_awvalid;
    logic [AXI_ID_W-1:0]   m_awid;
    logic [39:0]           m_awaddr;
    logic [7:0]            m_awlen;
    logic [2:0]            m_awsize;
    logic [1:0]            m_awburst;
    logic                  m_wvalid;
    logic [AXI_BITS-1:0]   m_wdata;
    logic [AXI_BITS/8-1:0] m_wstrb;
    logic                  m_wlast;
    logic                  m_bready;
    logic                  m_arvalid;
    logic [AXI_ID_W-1:0]   m_arid;
    logic [39:0]           m_araddr;
    logic [7:0]            m_arlen;
    logic [2:0]            m_arsize;
    logic [1:0]            m_arburst;
    logic                  m_rready;
  } out_t;

  localparam int unsigned IN_W   = $bits(in_t);
  localparam int unsigned OUT_W  = $bits(out_t);
  localparam int unsigned GROUP  = 16;   // outputs folded in one cycle
  localparam int unsigned GROUPS = (OUT_W + GROUP - 1) / GROUP;

  in_t                     in_q;
  out_t                    out_d;
  logic [GROUPS*GROUP-1:0] out_q;
  logic [GROUPS-1:0]       fold_q;
  logic                    rst_q, half_q, end_q;

  always_ff @(posedge clk_i) begin
    rst_q  <= rst_ni;
    in_q   <= {in_q[IN_W-2:0], shift_i};
    out_q  <= (GROUPS*GROUP)'(out_d);
    for (int i = 0; i < GROUPS; i++) fold_q[i] <= ^out_q[i*GROUP +: GROUP];
    half_q <= ^fold_q;
    end_q  <= half_q;
  end

  assign fold_o = end_q;

  /* verilator lint_off PINMISSING */
  heddle_gpu u_gpu (
    .clk_i              (clk_i),
    .rst_ni             (rst_q),
    .s_axil_awvalid_i   (in_q.awvalid),
    .s_axil_awready_o   (out_d.awready),
    .s_axil_awaddr_i    (in_q.awaddr),
    .s_axil_wvalid_i    (in_q.wvalid),
    .s_axil_wready_o    (out_d.wready),
    .s_axil_wdata_i     (in_q.wdata),
    .s_axil_wstrb_i     (in_q.wstrb),
    .s_axil_bvalid_o    (out_d.bvalid),
    .s_axil_bready_i    (in_q.bready),
    .s_axil_bresp_o     (out_d.bresp),
    .s_axil_arvalid_i   (in_q.arvalid),
    .s_axil_arready_o   (out_d.arready),
    .s_axil_araddr_i    (in_q.araddr),
    .s_axil_rvalid_o    (out_d.rvalid),
    .s_axil_rready_i    (in_q.rready),
    .s_axil_rdata_o     (out_d.rdata),
    .s_axil_rresp_o     (out_d.rresp),
    .m_axi_awvalid_o    (out_d.m_awvalid),
    .m_axi_awready_i    (in_q.m_awready),
    .m_axi_awid_o       (out_d.m_awid),
    .m_axi_awaddr_o     (out_d.m_awaddr),
    .m_axi_awlen_o      (out_d.m_awlen),
    .m_axi_awsize_o     (out_d.m_awsize),
    .m_axi_awburst_o    (out_d.m_awburst),
    .m_axi_wvalid_o     (out_d.m_wvalid),
    .m_axi_wready_i     (in_q.m_wready),
    .m_axi_wdata_o      (out_d.m_wdata),
    .m_axi_wstrb_o      (out_d.m_wstrb),
    .m_axi_wlast_o      (out_d.m_wlast),
    .m_axi_bvalid_i     (in_q.m_bvalid),
    .m_axi_bready_o     (out_d.m_bready),
    .m_axi_bid_i        (in_q.m_bid),
    .m_axi_bresp_i      (in_q.m_bresp),
    .m_axi_arvalid_o    (out_d.m_arvalid),
    .m_axi_arready_i    (in_q.m_arready),
    .m_axi_arid_o       (out_d.m_arid),
    .m_axi_araddr_o     (out_d.m_araddr),
    .m_axi_arlen_o      (out_d.m_arlen),
    .m_axi_arsize_o     (out_d.m_arsize),
    .m_axi_arburst_o    (out_d.m_arburst),
    .m_axi_rvalid_i     (in_q.m_rvalid),
    .m_axi_rready_o     (out_d.m_rready),
    .m_axi_rid_i        (in_q.m_rid),
    .m_axi_rdata_i      (in_q.m_rdata),
    .m_axi_rresp_i      (in_q.m_rresp),
    .m_axi_rlast_i      (in_q.m_rlast),
    .ret_ready_i        (1'b1)
  );
  /* verilator lint_on PINMISSING */

endmodule

`default_nettype wire
