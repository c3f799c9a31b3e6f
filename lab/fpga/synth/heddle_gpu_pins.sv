// SPDX-License-Identifier: Apache-2.0
// The machine (rtl/gpu/gpu.sv) on a few pins, for place and route: more ports than the package has balls.
// Latency: every input comes from a register, every output goes to one. Handshake: none that is kept.
// Inputs are a long shift register, outputs are folded into one bit: nothing is constant, nothing is pruned.
// It does not run programs and has no retire port: it is what a board builds, without the board.
module heddle_gpu_pins (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic shift_i,
  output logic fold_o
);

  // Inputs from the host and the memory, outputs to them.
  typedef struct packed {
    axi_pkg::axil_req_t s_axil;
    axi_pkg::axi_rsp_t [line_pkg::AXI_PORTS-1:0] m_axi;
  } in_t;
  typedef struct packed {
    axi_pkg::axil_rsp_t s_axil;
    axi_pkg::axi_req_t [line_pkg::AXI_PORTS-1:0] m_axi;
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
  gpu u_gpu (
    .clk_i       (clk_i),
    .rst_ni      (rst_q),
    .axil_i      (in_q.s_axil),
    .axil_o      (out_d.s_axil),
    .axi_o       (out_d.m_axi),
    .axi_i       (in_q.m_axi),
    .ret_ready_i (1'b1)
  );
  /* verilator lint_on PINMISSING */

endmodule
