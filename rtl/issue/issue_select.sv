// SPDX-License-Identifier: Apache-2.0
// The scheduler's choice (S0), and the registers of S1: which warp's instruction is there; slot, generation and sequence number
// of the warp, its first register row, its block.
// Latency: selected in cycle t, in S1 from t+1 on. The sequence number counts up with an issue (act_i.go).
// Handshake: S1 holds its instruction until nothing behind it holds it up (flow_i.free). Nothing is selected
// while stall counts stand still: selection is their last cycle. A selection is void if its warp's
// instruction in S1 is refused, and at a halt. A warp is not selected in the cycle of its start.
// It does not form eligibility (issue_ready), nor read the instruction: its flags alone come along.
`include "heddle_idle.svh"

module issue_select #(
  parameter bit STRAPS = 1'b0   // 1: sched_i chooses the scheduling policy; 0: the configuration does
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [cfg_pkg::PART_W-1:0] part_i,
  // from the host and the dispatcher
  input  core_pkg::policy_t          sched_i,
  input  logic                       ct_start_valid_i,
  input  core_pkg::start_t           ct_start_i,
  input  logic [cfg_pkg::WARPS-1:0]  start_i,      // the same as a vector
  // from issue_ready, the instruction buffer, operand
  input  logic [cfg_pkg::WARPS-1:0]  eligible_i,
  input  logic [cfg_pkg::WARPS-1:0]  slow_i,
  input  issue_pkg::heads_t          ib_heads_i,
  input  logic                       op_hold_i,    // stall counts stand still
  // from S1: may it be left; what it does
  input  stage_pkg::flow_t           flow_i,
  input  stage_pkg::act_t            act_i,
  // to the instruction buffer and the counters: the choice, as if S1 could take it, and where it can (which comes late)
  output logic [cfg_pkg::WARPS-1:0]  pick_o,
  output logic                       free_o,
  output logic [cfg_pkg::WARPS-1:0]  sel_o,
  // to divergence: a cycle ahead, and now
  output logic                       is_sel_valid_o,
  output front_pkg::look_t           is_sel_o,
  output front_pkg::look_t           is_q_o,
  // to S1
  output stage_pkg::s1_t             s1_o,
  output stage_pkg::origin_t         origin_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned HEAD_W = issue_pkg::HEAD_W;

  // ---- S0 ----------------------------------------------------------------------------------------
  logic [WARPS-1:0]  pick, sel, here_d, here_q;
  logic [HEAD_W-1:0] head_bits;
  logic [HEAD_W-1:0][WARPS-1:0] flag;
  logic [WARP_W-1:0] slot, slot_q;
  logic              free, any, valid_q, bad_q;
  issue_pkg::head_t  head, head_q;

  if ($bits(issue_pkg::flags_t) != HEAD_W * WARPS) begin : gen_check
    $error("issue_select: flags_t of issue_pkg has not the flags of head_t");
  end

  assign flag = ib_heads_i.flag;
  assign free = valid_q ? flow_i.free : !op_hold_i;

  warp_sched #(.STRAP(STRAPS)) u_sched (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sched_i    (sched_i),
    .start_i    (start_i),
    .eligible_i (eligible_i),
    .long_i     (slow_i),
    .yield_i    (here_q & {WARPS{act_i.yields}}),
    .pick_o     (pick),
    .take_i     (free),
    .sel_o      (sel)
  );
  // The slot does not depend on whether S1 is free: that comes late.
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
  assign any  = sel != '0;

  assign pick_o         = pick;
  assign free_o         = free;
  assign sel_o          = sel;
  assign is_sel_valid_o = any;
  assign is_sel_o       = '{slot: slot, bx: head.bx};

  // ---- S1 ----------------------------------------------------------------------------------------
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
    if (any) begin
      slot_q <= slot;
      head_q <= head;
      bad_q  <= (pick & ib_heads_i.valid) == '0;
    end
  end

  assign s1_o   = '{valid: valid_q, bad: bad_q, slot: slot_q, here: here_q, head: head_q};
  assign is_q_o = '{slot: slot_q, bx: head_q.bx};

  // ---- the warp there ----------------------------------------------------------------------------
  logic [15:0]      rbase;
  logic [7:0]       gen;
  logic [2:0][31:0] ctaid;
  logic [31:0]      kept, seq;
  logic [WARPS-1:0] fresh_q;
  core_pkg::id_t    id;

  ram_async #(.WIDTH(16), .DEPTH(WARPS)) u_rbase (
    .clk_i     (clk_i),
    .wr_en_i   (ct_start_valid_i),
    .wr_addr_i (core_pkg::local_slot(ct_start_i.slot)),
    .wr_data_i (ct_start_i.rbase),
    .rd_addr_i (slot_q),
    .rd_data_o (rbase)
  );
  // S2R alone reads the block.
  ram_apart #(.WIDTH(104), .DEPTH(WARPS)) u_ctaid (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ct_start_valid_i),
    .wr_addr_i (core_pkg::local_slot(ct_start_i.slot)),
    .wr_data_i ({ct_start_i.gen, ct_start_i.ctaid_z, ct_start_i.ctaid_y, ct_start_i.ctaid_x}),
    .rd_en_i   (any),
    .rd_addr_i (slot),
    .rd_data_o ({gen, ctaid})
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_seq (
    .clk_i     (clk_i),
    .wr_en_i   (act_i.go),
    .wr_addr_i (slot_q),
    .wr_data_i (seq + 32'd1),
    .rd_addr_i (slot_q),
    .rd_data_o (kept)
  );
  assign seq = fresh_q[slot_q] ? '0 : kept;

  // Nothing of it has issued since it started.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '0;
    else         fresh_q <= (fresh_q & ~(act_i.go ? here_q : '0)) | start_i;
  end

  assign id       = '{slot: core_pkg::sm_slot(slot_q, part_i), gen: gen, seq: seq};
  assign origin_o = '{rbase: rbase, id: id, ctaid: ctaid};

  // Fields that concern others.
  logic unused;
  assign unused = ^{ct_start_i, flow_i, act_i, ib_heads_i};

endmodule
