// SPDX-License-Identifier: Apache-2.0
// Warps that may be selected, and why the others may not: the first half of S0. Two instructions have not been counted yet, the
// one in S1 and the one that issued a cycle ago (its counters rise now): a warp's next one must not depend on what they do.
// Latency: combinational, from registers.
// Handshake: want_o stays until the fence has issued.
// It does not choose (issue_select), nor compare registers and predicates (scoreboard).
`include "heddle_idle.svh"

module issue_ready (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from fetch, the instruction buffer, the constant prefetch
  input  front_pkg::place_t          if_i,
  input  issue_pkg::heads_t          ib_heads_i,
  input  logic [cfg_pkg::WARPS-1:0]  cf_ready_i,  // the head has its constant, or needs none
  // from the warps' state, the dependency counters, the scoreboard
  input  stage_pkg::state_t          state_i,
  input  stage_pkg::counts_t         counts_i,
  input  logic [cfg_pkg::WARPS-1:0]  sb_hold_i,   // needs a result, or has not been looked at
  input  logic [cfg_pkg::WARPS-1:0]  sb_waits_i,  // needs a result
  // from the cache: a fence may go
  input  logic [cfg_pkg::WARPS-1:0]  fence_ok_i,
  // from issue_room
  input  stage_pkg::full_t           full_i,
  // from S1
  input  stage_pkg::s1_t             s1_i,
  input  logic                       run_i,       // no halt, the retire port is ready
  input  logic                       judged_i,    // S1 is left,
  input  logic                       commit_i,    // ... with an issue
  input  logic [cfg_pkg::WARPS-1:0]  redo_i,      // a BAR.RED has arrived, and its warp comes for the result
  // to issue_select, issue_room, the counters
  output logic [cfg_pkg::WARPS-1:0]  eligible_o,
  output logic [cfg_pkg::WARPS-1:0]  slow_o,      // waits as long as memory, fetch, or other warps want
  output logic [cfg_pkg::WARPS-1:0]  wants_o,     // waits for nothing but room behind S1
  output stage_pkg::why_t            why_o,
  // to the warps' state
  output stage_pkg::recent_t         recent_o,
  // to the cache: the next instruction is a fence of GPU scope, and nothing of the warp is under way
  output logic [cfg_pkg::WARPS-1:0]  want_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned NSB   = issue_pkg::NSB;

  // ---- what has not been counted yet -------------------------------------------------------------
  logic             any_q, coll_q, rows;
  logic [WARPS-1:0] here_q, by_counter, by_drain, blocked_now;
  logic [NSB-1:0]   raise, raise_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q  <= 1'b0;
      here_q <= '0;
    end else begin
      any_q  <= commit_i;
      here_q <= commit_i ? s1_i.here : '0;
    end
  end
  // These count only if it has issued.
  always_ff @(posedge clk_i) begin
    if (judged_i) begin
      raise_q <= s1_i.head.raise;
      coll_q  <= s1_i.head.coll;
    end
  end

  // The next one waits for a counter, or raises one, that one of the two raises.
  always_comb begin
    by_counter = '0;
    raise      = s1_i.head.raise;
    `HEDDLE_ONLY((s1_i.valid && raise != '0) || (any_q && raise_q != '0)) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        by_counter = by_counter
          | ((ib_heads_i.flag.wait_mask[n] | ib_heads_i.flag.raise[n])
          & ((raise[n] ? s1_i.here : '0) | (raise_q[n] ? here_q : '0)));
      end
    end
  end

  // It drains, and one of the two is for memory.
  assign by_drain = ib_heads_i.flag.drain
    & ((s1_i.head.coll ? s1_i.here : '0) | (coll_q ? here_q : '0));

  // Or whatever it is. With row queues its rows leave them before its warp issues again; with two readers the warps' state says
  // when that may be, from the cycle after the issue on.
  assign rows        = core_pkg::READERS > 1 || (core_pkg::QUEUED && s1_i.head.gen);
  assign blocked_now = ((s1_i.head.alone || s1_i.head.stalls || s1_i.bad || rows) ? s1_i.here : '0)
    | by_counter | by_drain;

  assign recent_o = '{any: any_q, here: here_q};

  // ---- what has been -----------------------------------------------------------------------------
  logic [WARPS-1:0] valid, there, counters, waits, drains, no_cst, mem_out, blocked, ready;

  assign valid   = ib_heads_i.valid;
  assign there   = valid | if_i.bad_pc;

  // A dependency counter that it waits for is not zero; one that it raises is about to overflow.
  always_comb begin
    counters = '0;
    for (int unsigned n = 0; n < NSB; n++) begin
      counters = counters | (ib_heads_i.flag.wait_mask[n] & counts_i.nonzero[n])
        | (ib_heads_i.flag.raise[n] & counts_i.near_full[n]);
    end
  end

  assign waits   = counts_i.refused | (valid & (sb_waits_i | counters));
  // Barriers wait for the addresses of copies (no access behind a barrier traps that was before it), a fence of GPU scope for all
  // of them.
  assign drains  = valid & ((ib_heads_i.flag.drain & (state_i.mem_busy | state_i.unchecked))
    | (ib_heads_i.flag.fence & (state_i.copy_busy | (l1_pkg::THERE ? ~fence_ok_i : '0))));
  assign no_cst  = valid & ~cf_ready_i;
  assign mem_out = valid & ib_heads_i.flag.coll & state_i.mem_full;
  assign blocked = valid & (blocked_now | (sb_hold_i & ~sb_waits_i));

  assign ready = state_i.alive & there & ~state_i.sync & ~state_i.stalled
    & ~waits & ~drains & ~no_cst & ~mem_out & ~blocked & ~(if_i.bad_pc & s1_i.here) & ~if_i.leaves;

  // After a halt only a BAR.RED that has arrived comes for its result.
  assign eligible_o = ready & ~(valid & (full_i.mem | full_i.rows | full_i.uni)) & (run_i ? '1 : redo_i);
  assign slow_o     = ~state_i.alive | ~there | state_i.bar | waits | drains | mem_out;
  assign wants_o    = ready & valid;

  assign why_o = '{there: there, stalled: state_i.stalled | blocked, no_cst: no_cst, waits: waits, drains: drains,
    no_room: mem_out | (valid & full_i.mem), no_rows: valid & full_i.rows};

  // What has just issued may be for memory; what is in S1 has not issued yet.
  assign want_o = {WARPS{l1_pkg::THERE}} & valid & ib_heads_i.flag.fence
    & state_i.alive & ~state_i.mem_busy & ~state_i.copy_busy & ~blocked_now & ~s1_i.here;

  // Flags that concern others.
  logic unused;
  assign unused = ^{ib_heads_i, s1_i};

endmodule
