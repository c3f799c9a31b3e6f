// SPDX-License-Identifier: Apache-2.0
// rtl/issue/dep_counters.sv with plane_counters.sv, as `tiny` has them: any counter of any warp, followed. The range near the
// highest value: plane_counters_formal.sv.
// config: tiny
// without u_dut.a_below: only the counter that is followed is known to fall no more often than it was raised
// without u_dut.a_start: nor that a warp starts with the others at zero
`include "properties.svh"

module dep_counters_formal (
  input logic                                          clk_i,
  input logic [cfg_pkg::WARPS-1:0]                     start,
  input stage_pkg::begun_t                             begun,
  input front_pkg::operand_t                           op,
  input stage_pkg::ends_t                              ends,
  input logic [5:0]                                    limit,
  input logic [cfg_pkg::WARPS-1:0]                     refused
);
  `RESET

  stage_pkg::counts_t         counts;
  logic                       above;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [2:0]                 bar_q;

  dep_counters u_dut (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .start_i   (start),
    .begun_i   (begun),
    .op_i      (op),
    .ends_i    (ends),
    .counts_o  (counts),
    .q_slot_i  (slot_q),
    .q_bar_i   (bar_q),
    .q_limit_i (limit),
    .above_o   (above),
    .refused_i (refused)
  );

  // Any counter of any warp.
  always_ff @(posedge clk_i) begin
    slot_q <= slot_q;
    bar_q  <= bar_q;
  end
  `GIVEN(g_bar, bar_q < 3'(issue_pkg::NSB))

  // The same as a number.
  logic [6:0] up, down, value_q;
  logic       fell_q;
  always_comb begin
    up   = 7'(begun.valid && begun.slot == slot_q && begun.wbar == bar_q)
      + 7'(begun.valid && begun.slot == slot_q && begun.rbar == bar_q);
    down = 7'(op.disp_valid[0] && op.disp_slot[0] == slot_q && op.disp_rbar[0] == bar_q);
    for (int i = 0; i <= int'(core_pkg::ENDS); i++)
      down = down + 7'(ends.valid[i] && ends.done[i].slot == slot_q && ends.done[i].to.wbar == bar_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) value_q <= 7'd0;
    else         value_q <= value_q + up - down;
    fell_q <= rst_ni && down != 7'd0;
  end
  // A counter that falls has been raised, and a warp with a counter near its end raises nothing.
  `GIVEN(g_balance, down <= value_q + up)
  `GIVEN(g_full, !counts.near_full[bar_q][slot_q] || up == 7'd0)

  // A counter is what was raised less what fell, several in a cycle included.
  `PROVE(p_above, above == (value_q > 7'(limit)))
  // A wait on the counter ends exactly when it is zero.
  `PROVE(p_nonzero, counts.nonzero[bar_q][slot_q] == (value_q != 7'd0))
  // A warp that DEPBAR refused looks again in the cycle after its counter falls.
  `PROVE(p_falls, !fell_q || !counts.refused[slot_q])
  // As many fall in one cycle as can, two of them raised in it.
  `REACH(r_many, down == 7'(core_pkg::ENDS + 2) && up == 7'd2 && value_q == 7'(core_pkg::ENDS))
endmodule
