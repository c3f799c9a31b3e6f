// SPDX-License-Identifier: Apache-2.0
// Warp scheduler: picks one eligible warp a cycle by one of three policies: greedy-then-oldest, loose round robin, two levels.
// The policy is the configuration's (SCHED); with STRAP all three are there and sched_i chooses, from reset on.
// Latency: combinational from eligibility to pick_o, and from there and take_i, which may come late, to sel_o; history moves at
// the clock edge.
// Handshake: pick_o is one-hot or zero; where take_i is set it is selected. A yield hint ends a warp's greed; under the two
// others the warp that gave it goes in the next selection only if nobody else can. How long an eligible warp may wait stands in
// the policies' headers.
// It does not know why a warp is eligible.
`include "heddle_assert.svh"

module warp_sched #(
  parameter bit          STRAP  = 1'b0,
  parameter logic [1:0]  SCHED  = cfg_pkg::SCHED,   // core_pkg::SCHED_*
  parameter int unsigned ACTIVE = issue_pkg::SCHED_ACTIVE,
  parameter int unsigned LIMIT  = issue_pkg::SCHED_LIMIT
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the host
  input  logic [1:0]                    sched_i,
  // from the dispatcher
  input  logic [cfg_pkg::WARPS-1:0]     start_i,
  // from the warps' state; a warp that waits long is not eligible
  input  logic [cfg_pkg::WARPS-1:0]     eligible_i,
  input  logic [cfg_pkg::WARPS-1:0]     long_i,
  // from the check stage: this warp issued an instruction with the yield hint
  input  logic [cfg_pkg::WARPS-1:0]     yield_i,
  // from and to the check stage
  output logic [cfg_pkg::WARPS-1:0]     pick_o,
  input  logic                          take_i,    // it can take an instruction
  output logic [cfg_pkg::WARPS-1:0]     sel_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  if (SCHED == core_pkg::SCHED_DEFAULT) begin : gen_check
    $error("warp_sched: SCHED names no policy");
  end

  logic [1:0]            chosen;
  logic [WARPS-1:0]      req [4], pick [4];   // by policy; none has number 0

  if (STRAP) begin : gen_strap
    assign chosen = (sched_i == core_pkg::SCHED_DEFAULT) ? SCHED : sched_i;
  end else begin : gen_fixed
    logic unused;
    assign unused = ^sched_i;
    assign chosen = SCHED;
  end
  always_comb begin
    for (int unsigned p = 0; p < 4; p++) req[p] = (chosen == 2'(p)) ? eligible_i : '0;
  end
  assign pick[core_pkg::SCHED_DEFAULT] = '0;

  if (STRAP || SCHED == core_pkg::SCHED_GTO) begin : gen_gto
    oldest_first #(.N(WARPS), .LIMIT(LIMIT)) u_gto (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .start_i (start_i),
      .yield_i (yield_i),
      .req_i   (req[core_pkg::SCHED_GTO]),
      .pick_o  (pick[core_pkg::SCHED_GTO]),
      .take_i  (take_i)
    );
  end else begin : gen_no_gto
    assign pick[core_pkg::SCHED_GTO] = '0;
  end

  if (STRAP || SCHED == core_pkg::SCHED_LRR) begin : gen_lrr
    round_robin #(.N(WARPS)) u_lrr (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .yield_i (yield_i),
      .req_i   (req[core_pkg::SCHED_LRR]),
      .pick_o  (pick[core_pkg::SCHED_LRR]),
      .take_i  (take_i)
    );
  end else begin : gen_no_lrr
    assign pick[core_pkg::SCHED_LRR] = '0;
  end

  if (STRAP || SCHED == core_pkg::SCHED_TWO_LEVEL) begin : gen_two
    two_level #(.N(WARPS), .SIZE(ACTIVE), .LIMIT(LIMIT)) u_two (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .start_i (start_i),
      .long_i  (long_i | ((chosen == core_pkg::SCHED_TWO_LEVEL) ? '0 : '1)),   // nothing moves where it has no say
      .yield_i (yield_i),
      .req_i   (req[core_pkg::SCHED_TWO_LEVEL]),
      .pick_o  (pick[core_pkg::SCHED_TWO_LEVEL]),
      .take_i  (take_i)
    );
  end else begin : gen_no_two
    assign pick[core_pkg::SCHED_TWO_LEVEL] = '0;
  end

  assign pick_o = pick[0] | pick[1] | pick[2] | pick[3];
  assign sel_o  = take_i ? pick_o : '0;

  // What a policy does not look at.
  logic unused_inputs;
  assign unused_inputs = ^{start_i, long_i, req[0], req[1], req[2], req[3]};

  // One warp at most, and only an eligible one; never none when one is eligible, but for two levels.
  `ASSERT(a_onehot, (pick_o & (pick_o - WARPS'(1))) == '0 && (pick_o & ~eligible_i) == '0)
  `ASSERT_IF(a_work, chosen != core_pkg::SCHED_TWO_LEVEL, (pick_o == '0) == (eligible_i == '0))

endmodule
