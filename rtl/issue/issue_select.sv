// SPDX-License-Identifier: Apache-2.0
// The scheduler's choice (S0), and the registers of S1: which warp's instruction stands there.
// Latency: selected in cycle t, in S1 from t+1 on.
// Handshake: S1 stands until nothing behind it holds it up (flow_i.free). Nothing is selected
// while stall counts stand still: selection is their last cycle. A selection is void if its warp's
// instruction in S1 is refused, and at a halt.
// It does not know why a warp is eligible, nor read the instruction: its flags alone come along.
`include "heddle_idle.svh"

module issue_select #(
  parameter bit STRAPS = 1'b0   // 1: sched_i chooses the scheduling policy; 0: the configuration does
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the host and the dispatcher
  input  logic [1:0]                 sched_i,
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  // from issue_ready, the instruction buffer, operand
  input  stage_pkg::ready_t          ready_i,
  input  issue_pkg::heads_t          ib_heads_i,
  input  front_pkg::operand_t        op_i,
  // from S1
  input  stage_pkg::flow_t           flow_i,
  input  stage_pkg::act_t            act_i,
  // to divergence and the instruction buffer; to S1
  output stage_pkg::pick_t           pick_o,
  output stage_pkg::s1_t             s1_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned HEAD_W = issue_pkg::HEAD_W;

  logic [WARPS-1:0]  pick, sel, here_d, here_q;
  logic [HEAD_W-1:0] head_bits;
  logic [HEAD_W-1:0][WARPS-1:0] flag;
  logic [WARP_W-1:0] slot, slot_q;
  logic              free, valid_q, bad_q;
  issue_pkg::head_t  head, head_q;

  if ($bits(issue_pkg::flags_t) != HEAD_W * WARPS) begin : gen_check
    $error("issue_select: flags_t of issue_pkg has not the flags of head_t");
  end

  assign flag = ib_heads_i.flag;
  assign free = valid_q ? flow_i.free : !op_i.hold;

  warp_sched #(.STRAP(STRAPS)) u_sched (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sched_i    (sched_i),
    .start_i    (start_i),
    .eligible_i (ready_i.eligible),
    .long_i     (ready_i.slow),
    .yield_i    (here_q & {WARPS{act_i.yields}}),
    .pick_o     (pick),
    .take_i     (free),
    .sel_o      (sel)
  );
  // Whose instruction it is does not depend on whether S1 is free: that comes late.
  onehot_index #(.N(WARPS)) u_slot (
    .onehot_i (pick),
    .index_o  (slot)
  );
  // Without an instruction (a bad PC) there are no flags.
  always_comb begin
    head_bits = '0;
    `HEDDLE_ONLY(pick != '0) begin
      for (int unsigned f = 0; f < HEAD_W; f++) begin
        head_bits[f] = (pick & ib_heads_i.valid & flag[f]) != '0;
      end
    end
  end
  assign head = head_bits;

  assign here_d = sel & ~(act_i.refused ? here_q : '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      here_q  <= '0;
    end else if (flow_i.free || !valid_q || flow_i.stop) begin
      valid_q <= here_d != '0;
      here_q  <= here_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (sel != '0) begin
      slot_q <= slot;
      head_q <= head;
      bad_q  <= (pick & ib_heads_i.valid) == '0;
    end
  end

  assign pick_o = '{free: free, pick: pick, sel: sel, any: sel != '0, slot: slot, bx: head.bx};
  assign s1_o   = '{valid: valid_q, bad: bad_q, slot: slot_q, here: here_q, head: head_q};

  // Fields that concern others.
  logic unused;
  assign unused = ^{ready_i, op_i, flow_i, act_i, ib_heads_i};

endmodule
