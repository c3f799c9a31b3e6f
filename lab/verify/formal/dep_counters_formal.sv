// SPDX-License-Identifier: Apache-2.0
// rtl/issue/dep_counters.sv with plane_counters.sv, as `tiny` has them: any counter of any warp, followed. What happens near the
// highest value: plane_counters_formal.sv.
// config: tiny
// without u_dut.a_below: only the counter that is followed is known to fall no more often than it was raised
// without u_dut.a_start: nor that a warp starts with the others at zero
`include "properties.svh"

module dep_counters_formal (
  input logic                                          clk_i,
  input logic [cfg_pkg::WARPS-1:0]                     start,
  input logic                                          raise_valid,
  input logic [cfg_pkg::WARP_W-1:0]                    raise_slot,
  input logic [2:0]                                    raise_wbar,
  input logic [2:0]                                    raise_rbar,
  input logic                                          disp_valid,
  input logic [cfg_pkg::WARP_W-1:0]                    disp_slot,
  input logic [2:0]                                    disp_rbar,
  input logic [core_pkg::ENDS:0]                       done_valid,
  input logic [core_pkg::ENDS:0][cfg_pkg::WARP_W-1:0]  done_slot,
  input logic [core_pkg::ENDS:0][2:0]                  done_wbar,
  input logic [5:0]                                    limit
);
  `RESET

  logic [issue_pkg::NSB-1:0][cfg_pkg::WARPS-1:0] nonzero, near_full;
  logic                                          above;
  logic [cfg_pkg::WARPS-1:0]                     falls;
  logic [cfg_pkg::WARP_W-1:0]                    slot_q;
  logic [2:0]                                    bar_q;

  dep_counters u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_i         (start),
    .raise_valid_i   (raise_valid),
    .raise_slot_i    (raise_slot),
    .raise_wbar_i    (raise_wbar),
    .raise_rbar_i    (raise_rbar),
    .op_disp_valid_i (disp_valid),
    .op_disp_slot_i  (disp_slot),
    .op_disp_rbar_i  (disp_rbar),
    .done_valid_i    (done_valid),
    .done_slot_i     (done_slot),
    .done_wbar_i     (done_wbar),
    .dc_nonzero_o    (nonzero),
    .dc_near_full_o  (near_full),
    .q_slot_i        (slot_q),
    .q_bar_i         (bar_q),
    .q_limit_i       (limit),
    .dc_above_o      (above),
    .dc_falls_o      (falls)
  );

  // Any counter of any warp.
  always_ff @(posedge clk_i) begin
    slot_q <= slot_q;
    bar_q  <= bar_q;
  end
  `GIVEN(g_bar, bar_q < 3'(issue_pkg::NSB))

  // The same as a number.
  logic [6:0] up, down, value_q;
  always_comb begin
    up   = 7'(raise_valid && raise_slot == slot_q && raise_wbar == bar_q)
      + 7'(raise_valid && raise_slot == slot_q && raise_rbar == bar_q);
    down = 7'(disp_valid && disp_slot == slot_q && disp_rbar == bar_q);
    for (int i = 0; i <= int'(core_pkg::ENDS); i++)
      down = down + 7'(done_valid[i] && done_slot[i] == slot_q && done_wbar[i] == bar_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) value_q <= 7'd0;
    else         value_q <= value_q + up - down;
  end
  // What falls has been raised, and a warp with a counter near its end raises nothing.
  `GIVEN(g_balance, down <= value_q + up)
  `GIVEN(g_full, !near_full[bar_q][slot_q] || up == 7'd0)

  // A counter is what was raised less what fell, several in a cycle included.
  `PROVE(p_above, above == (value_q > 7'(limit)))
  // A wait on the counter ends exactly when it is zero.
  `PROVE(p_nonzero, nonzero[bar_q][slot_q] == (value_q != 7'd0))
  // Whose counter falls is told.
  `PROVE(p_falls, down == 7'd0 || falls[slot_q])
  // As many fall in one cycle as can, two of them raised in it.
  `REACH(r_many, down == 7'(core_pkg::ENDS + 2) && up == 7'd2 && value_q == 7'(core_pkg::ENDS))
endmodule
