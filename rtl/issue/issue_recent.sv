// SPDX-License-Identifier: Apache-2.0
// Instructions that nobody has counted yet: the one in S1, and the one that issued a cycle ago
// (its counters rise now). Their warp's next one must not need to know what they do.
// Latency: the one in S1 shows at once, the other a cycle after its issue.
// No handshake.
// It does not look at counters: once an instruction is counted issue_ready does.
`include "heddle_idle.svh"

module issue_recent (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the instruction buffer
  input  issue_pkg::heads_t          ib_heads_i,
  // from S1
  input  stage_pkg::s1_t             s1_i,
  input  stage_pkg::flow_t           flow_i,
  input  stage_pkg::act_t            act_i,
  // to S0, to the warps' state
  output logic [cfg_pkg::WARPS-1:0]  blocked_o,
  output stage_pkg::recent_t         recent_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned NSB   = issue_pkg::NSB;

  logic             any_q, coll_q;
  logic [WARPS-1:0] here_q, by_counter, by_drain;
  logic [NSB-1:0]   raise, raise_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q  <= 1'b0;
      here_q <= '0;
    end else begin
      any_q  <= act_i.commit;
      here_q <= act_i.commit ? s1_i.here : '0;
    end
  end
  // Which one it was counts only if it did.
  always_ff @(posedge clk_i) begin
    if (flow_i.judged) begin
      raise_q <= s1_i.head.raise;
      coll_q  <= s1_i.head.coll;
    end
  end

  // It waits for a counter, or raises one, that one of the two raises.
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
  logic rows;
  assign rows      = core_pkg::READERS > 1 || (core_pkg::QUEUED && s1_i.head.gen);
  assign blocked_o = ((s1_i.head.alone || s1_i.head.stalls || s1_i.bad || rows) ? s1_i.here : '0)
    | by_counter | by_drain;

  assign recent_o = '{any: any_q, here: here_q};

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_heads_i, s1_i, flow_i, act_i};

endmodule
