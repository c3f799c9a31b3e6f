// SPDX-License-Identifier: Apache-2.0
// Fences and emptyings of the cache as they issue (MEMBAR, CCTL), and warps whose next instruction is a fence of GPU scope.
// Latency: an event comes in the cycle after the issue; want_o at once.
// Handshake: events; want_o stays until the fence has issued.
// It does not hold a warp back (issue_ready). Where there is no cache nothing of it is left.
module issue_fence (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the instruction buffer and the warps' state
  input  issue_pkg::heads_t           ib_heads_i,
  input  stage_pkg::state_t           state_i,
  input  logic [cfg_pkg::WARPS-1:0]   blocked_i,      // what has just issued may be for memory
  input  stage_pkg::s1_t              s1_i,           // what is in front of it has not issued yet
  // what issues, a cycle later
  input  logic                        shown_i,
  input  core_pkg::uop_t              is_uop_i,
  // to the cache
  output logic [cfg_pkg::WARPS-1:0]   want_o,
  output front_pkg::fence_t           fence_o
);

  logic valid_q, membar, cctl;

  assign want_o = {cfg_pkg::WARPS{l1_pkg::THERE}} & ib_heads_i.valid & ib_heads_i.flag.fence
    & state_i.alive & ~state_i.mem_busy & ~state_i.copy_busy & ~blocked_i & ~s1_i.here;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= l1_pkg::THERE && shown_i;
  end

  assign membar = is_uop_i.dec.op == isa_pkg::OP_MEMBAR;
  assign cctl   = is_uop_i.dec.op == isa_pkg::OP_CCTL_E && isa_pkg::f_cctl(is_uop_i.word) == isa_pkg::CCTL_IVALL;

  assign fence_o.valid = valid_q && (membar || cctl) && is_uop_i.exec != '0;
  assign fence_o.kind  = cctl ? l1_pkg::EMPTYING : (isa_pkg::f_scope(is_uop_i.word) == isa_pkg::SCOPE_CTA) ? l1_pkg::FENCE_CTA : l1_pkg::FENCE_GPU;
  assign fence_o.id    = is_uop_i.id;

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_heads_i, state_i, s1_i, is_uop_i};

endmodule
