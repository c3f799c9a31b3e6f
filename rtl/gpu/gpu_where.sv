// SPDX-License-Identifier: Apache-2.0
// Which block, and which of its warps, runs in a warp slot of an SM: a trap_where for each SM, of
// which the one that trapped is chosen.
// Latency, handshake: those of trap_where.
module gpu_where #(
  parameter  int unsigned N    = cfg_pkg::SMS,
  localparam int unsigned SM_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic                                clk_i,
  // from the dispatchers of the SMs
  input  sm_pkg::blocks_t [N-1:0]             ct_blk_i,
  // from the point of decision, from and to the host registers
  input  logic                                trap_valid_i,
  input  logic [SM_W-1:0]                     trap_sm_i,
  input  logic                                look_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]       slot_i,
  output logic [2:0][31:0]                    ctaid_o,    // x at index 0
  output logic [4:0]                          warp_o
);

  logic [N-1:0][2:0][31:0] ctaid;
  logic [N-1:0][4:0]       warp;

  for (genvar s = 0; s < N; s++) begin : gen_sm
    trap_where u_where (
      .clk_i         (clk_i),
      .ct_blk_i      (ct_blk_i[s]),
      .trap_valid_i  (trap_valid_i),
      .look_i        (look_i),
      .slot_i        (slot_i),
      .ctaid_x_o     (ctaid[s][0]),
      .ctaid_y_o     (ctaid[s][1]),
      .ctaid_z_o     (ctaid[s][2]),
      .warp_o        (warp[s])
    );
  end

  assign ctaid_o = ctaid[(N > 1) ? trap_sm_i : '0];
  assign warp_o  = warp[(N > 1) ? trap_sm_i : '0];

endmodule
