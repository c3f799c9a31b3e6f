// SPDX-License-Identifier: Apache-2.0
// Which warps may be selected (S0), and why the others may not: the first half of S0.
// Latency: combinational, from registers.
// No handshake.
// It does not choose (issue_select), nor look at registers and predicates (scoreboard).
module issue_ready (
  // from fetch, the instruction buffer, the constant prefetch
  input  front_pkg::place_t          if_i,
  input  issue_pkg::heads_t          ib_heads_i,
  input  front_pkg::const_t          cf_i,
  // from the warps' state and the scoreboard
  input  stage_pkg::state_t          state_i,
  input  logic [cfg_pkg::WARPS-1:0]  sb_hold_i,   // needs a result, or has not been looked at
  input  logic [cfg_pkg::WARPS-1:0]  sb_waits_i,  // needs a result
  // from the cache: a fence may go
  input  logic [cfg_pkg::WARPS-1:0]  fence_ok_i,
  // from issue_recent and issue_room
  input  logic [cfg_pkg::WARPS-1:0]  blocked_i,
  input  stage_pkg::full_t           full_i,
  // from S1
  input  stage_pkg::s1_t             s1_i,
  input  stage_pkg::again_t          again_i,
  input  stage_pkg::flow_t           flow_i,
  // to issue_select and the counters
  output stage_pkg::ready_t          ready_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned NSB   = issue_pkg::NSB;

  logic [WARPS-1:0] valid, there, counters, waits, drains, no_cst, mem_out, blocked;
  logic [WARPS-1:0] ready, eligible;

  assign valid   = ib_heads_i.valid;
  assign there   = valid | if_i.bad_pc;

  // A dependency counter that it waits for is not zero; one that it raises is about to overflow.
  always_comb begin
    counters = '0;
    for (int unsigned n = 0; n < NSB; n++) begin
      counters = counters | (ib_heads_i.flag.wait_mask[n] & state_i.nonzero[n])
        | (ib_heads_i.flag.raise[n] & state_i.near_full[n]);
    end
  end

  assign waits   = state_i.dep_sleep | (valid & (sb_waits_i | counters));
  // Barriers wait for the addresses of copies (no access behind a barrier traps that was before it), a fence of GPU scope for all
  // of them.
  assign drains  = valid & ((ib_heads_i.flag.drain & (state_i.mem_busy | state_i.unchecked))
    | (ib_heads_i.flag.fence & (state_i.copy_busy | (l1_pkg::THERE ? ~fence_ok_i : '0))));
  assign no_cst  = valid & ~cf_i.ready;
  assign mem_out = valid & ib_heads_i.flag.coll & state_i.mem_full;
  assign blocked = valid & (blocked_i | (sb_hold_i & ~sb_waits_i));

  assign ready = state_i.alive & there & ~state_i.sync & ~state_i.stalled
    & ~waits & ~drains & ~no_cst & ~mem_out & ~blocked & ~(if_i.bad_pc & s1_i.here) & ~if_i.leaves;
  // After a halt only a BAR.RED that has arrived comes for its result.
  assign eligible = ready & ~(valid & (full_i.mem | full_i.rows | full_i.uni))
    & (flow_i.run ? '1 : again_i.warps);

  assign ready_o.eligible = eligible;
  assign ready_o.wants    = ready & valid;
  assign ready_o.slow     = ~state_i.alive | ~there | state_i.bar | waits | drains | mem_out;
  assign ready_o.there    = there;
  assign ready_o.stalled  = state_i.stalled | blocked;
  assign ready_o.no_cst   = no_cst;
  assign ready_o.waits    = waits;
  assign ready_o.drains   = drains;
  assign ready_o.no_room  = mem_out | (valid & full_i.mem);
  assign ready_o.no_rows  = valid & full_i.rows;

  // Fields that concern others.
  logic unused;
  assign unused = ^{if_i, ib_heads_i, cf_i, s1_i, again_i, flow_i};

endmodule
