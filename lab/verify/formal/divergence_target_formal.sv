// SPDX-License-Identifier: Apache-2.0
// rtl/issue/divergence_target.sv, as `fpga` has it: eight beats of four lanes. Any of its eight warps, beats of others in between.
// The assumptions of divergence_formal.sv about targets.
// config: fpga
`include "properties.svh"

module divergence_target_formal (
  input logic                            clk_i,
  input logic [31:0]                     code_bytes,
  input logic                            set_valid,
  input logic [cfg_pkg::WARP_W-1:0]      set_slot,
  input logic [31:0]                     set_exec,
  input logic                            set_adds,
  input logic [31:0]                     set_off,
  input logic                            br_valid,
  input logic [cfg_pkg::WARP_W-1:0]      br_slot,
  input logic [4:0]                      br_beat,
  input logic [core_pkg::BR_LANES-1:0][31:0] br_lo,
  input logic [core_pkg::BR_LANES-1:0][31:0] br_hi
);
  `RESET
  localparam int unsigned LANES = core_pkg::BR_LANES;
  localparam int unsigned BEATS = 32 / LANES;

  logic                       done_valid, any_bad;
  logic [cfg_pkg::WARP_W-1:0] done_slot, warp_q;
  logic [31:0]                target, same, bad;
  logic [63:0]                bad_addr;

  divergence_target u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .code_bytes_i  (code_bytes),
    .set_valid_i   (set_valid),
    .set_slot_i    (set_slot),
    .set_exec_i    (set_exec),
    .set_adds_i    (set_adds),
    .set_off_i     (set_off),
    .op_br_valid_i (br_valid),
    .op_br_slot_i  (br_slot),
    .op_br_beat_i  (br_beat),
    .op_br_lo_i    (br_lo),
    .op_br_hi_i    (br_hi),
    .done_valid_o  (done_valid),
    .done_slot_o   (done_slot),
    .slot_i        (warp_q),
    .target_o      (target),
    .same_o        (same),
    .any_bad_o     (any_bad),
    .bad_o         (bad),
    .addr_en_i     (1'b0),
    .addr_slot_i   ('0),
    .bad_addr_o    (bad_addr)
  );

  // An instruction's lanes come before its beats, which ascend; the next one's come when it is done.
  logic        set, beat, set_q, ready_q, looks;
  logic [3:0]  next_q, past;      // beats that have come; that have been looked at
  logic [31:0] exec_q;
  assign set    = set_valid && set_slot == warp_q;
  assign beat   = br_valid && br_slot == warp_q;
  assign looks = u_dut.valid_q && u_dut.slot_q == warp_q;
  assign past   = next_q - 4'(looks);
  always_ff @(posedge clk_i) begin
    warp_q <= warp_q;
    if (!rst_ni) begin
      set_q   <= 1'b0;
      next_q  <= 4'd0;
      ready_q <= 1'b0;
    end else begin
      if (set) begin
        set_q  <= 1'b1;
        exec_q <= set_exec;
        next_q <= 4'd0;
      end else if (beat) next_q <= next_q + 4'd1;
      ready_q <= !set && (ready_q || (done_valid && done_slot == warp_q));
    end
  end
  `GIVEN(g_set, !set || !set_q || ready_q)
  `GIVEN(g_beat, !beat || (set_q && !set && next_q < 4'(BEATS) && br_beat == 5'(next_q)))

  // Inside: the lanes that share the target, of the beats that have been looked at.
  logic [31:0] looked, found;
  logic        fits;
  always_comb begin
    for (int l = 0; l < 32; l++) looked[l] = 4'(l / int'(LANES)) < past;
    found = same & looked;
    fits  = !set_q || (next_q <= 4'(BEATS) && (!looks || (next_q != 4'd0 && u_dut.beat_q == 5'(past)))
      && u_dut.u_set.mem_q[warp_q][64:33] == exec_q && (!looks || u_dut.all_exec == exec_q) && (found & ~exec_q) == '0
      && (found != '0) == ((exec_q & looked) != '0)
      && (past == 4'd0 || u_dut.seen_q[warp_q] == ((exec_q & looked) != '0))
      && (past == 4'd0 || u_dut.seen_bad_q[warp_q] == ((bad & looked) != '0))
      && ready_q == (past == 4'(BEATS)));
    if (!set_q && looks) fits = 1'b0;
    if (!set_q && ready_q) fits = 1'b0;
  end

  // When all beats have come: the lanes that share the target execute, there is one if any lane executes, and whether one is bad is
  // reported beside them.
  `PROVE(p_same, fits && (!ready_q || ((same & ~exec_q) == '0 && (same != '0) == (exec_q != '0) && any_bad == (bad != '0))))
  // Its output for a warp holds until that warp's next beats.
  logic        still_q;
  logic [31:0] target_q, same_q, bad_q;
  always_ff @(posedge clk_i) begin
    still_q  <= rst_ni && !looks && !set;
    target_q <= target;
    same_q   <= same;
    bad_q    <= bad;
  end
  `PROVE(p_stands, !still_q || (target == target_q && same == same_q && bad == bad_q))
  // All lanes but the lowest have another target.
  `REACH(r_other, ready_q && exec_q == '1 && same == 32'd1)
endmodule
