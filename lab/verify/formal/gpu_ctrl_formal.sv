// SPDX-License-Identifier: Apache-2.0
// rtl/gpu/gpu_ctrl.sv, with a queue of up to three launches and a cache that SMs share.
// config: quad
`include "properties.svh"

module gpu_ctrl_formal (
  input logic       clk_i,
  input logic       start,
  input logic       abort,
  input logic       skip,
  input logic       flush,
  input logic       empty,
  input logic       keep,
  input logic       there,       // front has the next launch
  input logic       axi_drained,
  input logic       done,
  input logic       trap,
  input logic [3:0] refuse,
  input logic       sm_drained,
  input logic       flushed,
  input logic       dirty
);
  `RESET

  logic        running, is_done, trapped, refused, draining, flushing, dropped, ended, idle, waiting, next_ready, free, begins, drain;
  logic        sm_rst_n, go, stop, flush_all, flush_range, flush_keep, mmu_runs;
  logic [3:0]  why;
  logic [63:0] cycles;
  logic [2:0]  how;

  gpu_pkg::state_t state;
  assign running  = state.running;
  assign is_done  = state.done;
  assign trapped  = state.trapped;
  assign refused  = state.refused;
  assign draining = state.draining;
  assign flushing = state.flushing;
  assign why      = state.refuse;
  assign cycles   = state.cycles;
  assign dropped  = state.dropped;
  assign ended    = state.ended;
  assign how      = state.how;
  assign idle     = state.idle;

  gpu_ctrl #(.QUEUE(1'b1)) u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .command_i       ('{start: start, drop: abort, skip: skip, flush: flush, empty: empty, keep: keep}),
    .state_o         (state),
    .waiting_i       (waiting),
    .next_ready_i    (next_ready),
    .free_o          (free),
    .begin_o         (begins),
    .drain_o         (drain),
    .drained_i       (axi_drained),
    .sm_rst_no       (sm_rst_n),
    .go_o            (go),
    .grid_done_i     (done),
    .ct_refuse_i     (refuse),
    .is_trap_valid_i (trap),
    .stop_o          (stop),
    .sm_drained_i    (sm_drained),
    .flush_o         (flush_all),
    .flush_range_o   (flush_range),
    .flush_keep_o    (flush_keep),
    .flushed_i       (flushed),
    .dirty_i         (dirty),
    .mmu_idle_i      (1'b1),
    .mmu_runs_o      (mmu_runs)
  );

  // ---- the neighbours: a taken launch waits until it begins or is dropped; one thing at a time from the host ----------------
  logic [1:0] waits_q;
  assign waiting    = waits_q != 2'd0;
  assign next_ready = there && waiting;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || abort) waits_q <= '0;
    else                  waits_q <= waits_q + 2'(start) - 2'(begins);
  end
  `GIVEN(g_room, !start || waits_q != 2'd3)
  `GIVEN(g_host, !(abort && (start || skip || flush || empty)) && !(skip && (start || flush || empty)))

  // A grid ends, or is refused, and a trap comes, once it runs; a trap, and the reason of a refusal, hold until the reset.
  logic       runs_q, trap_q;
  logic [3:0] refuse_q;
  always_ff @(posedge clk_i) begin
    trap_q   <= rst_ni && sm_rst_n && trap;
    refuse_q <= (rst_ni && sm_rst_n) ? refuse : '0;
    if (!rst_ni || abort) runs_q <= 1'b0;
    else                  runs_q <= begins || (runs_q && !ended);
  end
  `GIVEN(g_trap, (!trap_q || trap || !sm_rst_n) && (refuse_q == '0 || refuse == refuse_q || !sm_rst_n))
  `GIVEN(g_runs, (runs_q && !ended) || (trap == trap_q && refuse == refuse_q && !done))

  // ---- what must be -----------------------------------------------------------------------------------------------------------
  logic       skipped_q, begins_q, rests_q, held_q;
  logic [3:0] idle_q;
  always_ff @(posedge clk_i) begin
    begins_q  <= rst_ni && begins;
    rests_q   <= rst_ni && !running && !draining && !flushing;
    skipped_q <= rst_ni && (skip || (skipped_q && !ended));
    held_q    <= rst_ni && !skip && !abort && (held_q || (ended && how[2:1] != '0 && waiting));
    // Nothing keeps the next one from beginning.
    if (!rst_ni || !waiting || begins || (runs_q && !ended) || trapped || refused || abort || skip || !there || !axi_drained || !flushed
        || !sm_drained)
      idle_q <= '0;
    else idle_q <= idle_q + 4'd1;
  end

  // One begins only when the one before has ended.
  `PROVE(p_one, !begins || !runs_q || ended)
  // A grid that ends has begun, and ends once.
  `PROVE(p_ended, !ended || runs_q)
  // It ends without an outcome only if it was skipped.
  `PROVE(p_how, !ended || (how == 3'd0 && skipped_q) || how == 3'd1 || how == 3'd2 || how == 3'd4)
  // SMs begin in the cycle behind, out of reset.
  `PROVE(p_go, go == begins_q && (!go || sm_rst_n))
  // They are not reset under a launch, nor do its registers change.
  `PROVE(p_reset, !runs_q || ended || (sm_rst_n && !free))
  // No launch begins in a flush, and none is begun under one that runs, but for its own end.
  `PROVE(p_flush, !(begins && flush_all))
  // The host's range, and lines that stay, are in its commands alone.
  `PROVE(p_range, flush_range == flushing && (!flush_keep || flush_range) && (!flushing || !runs_q))
  // Behind one that trapped or was refused those that waited begin only with a SKIP.
  `PROVE(p_held, !(begins && held_q))
  // A waiting launch begins within so many cycles without an obstacle.
  `PROVE(p_begins, idle_q < 4'd12)
  // A launch is running, or at rest all is reported.
  `PROVE(p_rest, !(runs_q && rests_q) || ended)
  // Without a reset in between another launch follows.
  `REACH(r_warm, begins && runs_q && ended)
endmodule
