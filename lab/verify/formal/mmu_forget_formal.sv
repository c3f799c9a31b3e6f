// SPDX-License-Identifier: Apache-2.0
// rtl/mmu/mmu_forget.sv, with two channels.
// config: tiny
// quick
`include "properties.svh"

module mmu_forget_formal (
  input logic             clk_i,
  input logic             go,
  input mmu_pkg::forget_t what,
  input logic             quiet,
  input logic             ready,
  input logic [1:0]       forgotten
);
  `RESET

  logic             busy, hold, clear_valid, forget;
  mmu_pkg::forget_t meant;

  mmu_forget #(.CHANNELS(2)) u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .go_i          (go),
    .what_i        (what),
    .busy_o        (busy),
    .hold_o        (hold),
    .quiet_i       (quiet),
    .clear_valid_o (clear_valid),
    .clear_ready_i (ready),
    .what_o        (meant),
    .forget_o      (forget),
    .forgotten_i   (forgotten)
  );

  // ---- what is under way: once it has ended, nothing begins while it is held back; owed answers -----
  logic             rests_q, cleared_q, walked_q, forget_q;
  logic [1:0]       owed_q;
  mmu_pkg::forget_t meant_q;
  always_ff @(posedge clk_i) begin
    rests_q   <= rst_ni && hold && quiet;
    cleared_q <= rst_ni && clear_valid && ready;
    walked_q  <= rst_ni && !go && (walked_q || (clear_valid && ready && quiet));
    forget_q  <= rst_ni && !go && (forget_q || forget);
    owed_q    <= !rst_ni ? '0 : forget ? ~forgotten : owed_q & ~forgotten;
    if (go) meant_q <= what;
  end
  `GIVEN(g_rests, !rests_q || !hold || quiet)
  `GIVEN(g_go, !go || !busy)
  `GIVEN(g_owed, (forgotten & ~(forget ? 2'b11 : owed_q)) == '0)

  // The shared translations are invalidated while nothing is under way that may have read an old entry.
  `PROVE(p_quiet, !clear_valid || quiet)
  // SMs get it behind that, once, and its range stays the host's.
  `PROVE(p_hear, !forget || (cleared_q && walked_q && !forget_q && busy && meant == meant_q))
  // It is over when SMs have got it and all have answered.
  `PROVE(p_over, busy || owed_q == '0)
  // Both answer in one cycle, long after they got it.
  `REACH(r_both, busy && owed_q == 2'b11 && forgotten == 2'b11 && !forget)
endmodule
