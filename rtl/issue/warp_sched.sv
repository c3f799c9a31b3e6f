// SPDX-License-Identifier: Apache-2.0
// Warp scheduler: picks one eligible warp a cycle. GTO: the warp selected last while it can go on, else the one that started
// first. LRR: round robin behind the warp selected last.
// Latency: combinational from eligibility to selection; history moves at the clock edge.
// Handshake: sel_o is one-hot or zero. The yield hint ends a warp's greed (LRR prefers the others anyway).
// It does not know why a warp is eligible.
`default_nettype none
`include "heddle_assert.svh"

module warp_sched #(
  parameter logic GTO = cfg_pkg::SCHED_GTO
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the dispatcher
  input  logic [cfg_pkg::WARPS-1:0]     start_i,
  // from the warps' state
  input  logic [cfg_pkg::WARPS-1:0]     eligible_i,
  // from the check stage: this warp issued an instruction with the yield hint
  input  logic [cfg_pkg::WARPS-1:0]     yield_i,
  // to the check stage
  output logic [cfg_pkg::WARPS-1:0]     sel_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [WARPS-1:0] pick;

  assign sel_o = pick;

  if (GTO) begin : gen_gto
    oldest_first #(.N(WARPS)) u_gto (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .start_i (start_i),
      .yield_i (yield_i),
      .req_i   (eligible_i),
      .pick_o  (pick)
    );
  end else begin : gen_lrr
    arb_rr #(.N(WARPS)) u_rr (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (eligible_i),
      .grant_o (pick),
      .take_i  (1'b1)
    );
  end

  if (!GTO) begin : gen_unused
    logic unused;
    assign unused = ^{start_i, yield_i};
  end

  // One warp at most, and only an eligible one; never none when one is eligible.
  `ASSERT(a_onehot, (pick & (pick - WARPS'(1))) == '0 && (pick & ~eligible_i) == '0)
  `ASSERT(a_work, (pick == '0) == (eligible_i == '0))

endmodule

`default_nettype wire
