// SPDX-License-Identifier: Apache-2.0
// Warp scheduler: picks one eligible warp a cycle by one of the policies (host_regs_pkg::POLICY_*).
// The policy is the configuration's (SCHED); with STRAP all are there and sched_i chooses, from reset on.
// Latency: combinational from eligibility to pick_o, and from there and take_i, which may come late, to sel_o; history moves at
// the clock edge.
// Handshake: pick_o is one-hot or zero; where take_i is set it is selected. A policy's header says what the yield hint does, and
// how long an eligible warp may wait.
// It does not form eligibility.
`include "heddle_assert.svh"

module warp_sched #(
  parameter bit          STRAP  = 1'b0,
  parameter int unsigned SCHED  = cfg_pkg::SCHED,
  parameter int unsigned ACTIVE = issue_pkg::SCHED_ACTIVE,
  parameter int unsigned LIMIT  = issue_pkg::SCHED_LIMIT
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the host
  input  core_pkg::policy_t             sched_i,
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

  localparam int unsigned WARPS    = cfg_pkg::WARPS;
  localparam int unsigned POLICIES = host_regs_pkg::POLICY_COUNT;

  if (SCHED == host_regs_pkg::POLICY_DEFAULT || SCHED >= POLICIES) begin : gen_check
    $error("warp_sched: SCHED names no policy");
  end

  // By policy: its requests, none where it has no say; its pick.
  logic [WARPS-1:0] req [POLICIES], pick [POLICIES];
  logic             chosen [POLICIES];

  for (genvar p = 0; p < POLICIES; p++) begin : gen_policy
    localparam bit BUILT = STRAP || SCHED == p;
    assign chosen[p] = STRAP ? 32'(sched_i) == p || (32'(sched_i) == host_regs_pkg::POLICY_DEFAULT && SCHED == p) : BUILT;
    assign req[p]    = chosen[p] ? eligible_i : '0;

    if (BUILT && p == host_regs_pkg::POLICY_GTO) begin : gen_gto
      oldest_first #(.N(WARPS), .LIMIT(LIMIT)) u_policy (
        .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_i), .yield_i(yield_i),
        .req_i(req[p]), .pick_o(pick[p]), .take_i(take_i)
      );
    end else if (BUILT && p == host_regs_pkg::POLICY_LRR) begin : gen_lrr
      round_robin #(.N(WARPS)) u_policy (
        .clk_i(clk_i), .rst_ni(rst_ni), .yield_i(yield_i),
        .req_i(req[p]), .pick_o(pick[p]), .take_i(take_i)
      );
    end else if (BUILT && p == host_regs_pkg::POLICY_TWO_LEVEL) begin : gen_two_level
      two_level #(.N(WARPS), .SIZE(ACTIVE), .LIMIT(LIMIT)) u_policy (
        .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_i), .yield_i(yield_i),
        .long_i(chosen[p] ? long_i : '1),   // nothing moves where it has no say
        .req_i(req[p]), .pick_o(pick[p]), .take_i(take_i)
      );
    end else begin : gen_none
      assign pick[p] = '0;
    end
  end

  always_comb begin
    pick_o = '0;
    for (int unsigned p = 0; p < POLICIES; p++) pick_o |= pick[p];
  end
  assign sel_o = take_i ? pick_o : '0;

  // Inputs that a policy does not read.
  logic unused;
  assign unused = ^{start_i, long_i, yield_i, sched_i};

  // One warp at most, and only an eligible one.
  `ASSERT(a_onehot, (pick_o & (pick_o - WARPS'(1))) == '0 && (pick_o & ~eligible_i) == '0)

endmodule
