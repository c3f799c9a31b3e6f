// SPDX-License-Identifier: Apache-2.0
// Queue in front of the control unit: takes one control instruction a cycle, keeps what the unit needs of it, hands them over one at
// a time, fair among warps. BRA, JMP, CALL.REL are branches; BPT.TRAP comes only where no lane executes it, and is one too.
// Latency: combinational when nothing waits (the instruction is taken in the cycle of its event), else one cycle after its turn.
// What is handed over is its warp, and little of the instruction; all of it is read from the next cycle on, as long as it is at
// work.
// Handshake: the event needs no ready, since a warp has at most one instruction here; out_valid_o / out_ready_i towards the unit,
// the choice may move until it is taken. Instructions that read a register wait until that is known (tg_done).
// It does not look at masks.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module divergence_intake (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from issue
  input  logic                       in_valid_i,
  input  core_pkg::uop_t             uop_i,
  output logic                       adds_o,          // it is a register target, which its operand is added to
  // from the target unit
  input  logic                       tg_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] tg_done_slot_i,
  // to the control unit
  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [cfg_pkg::WARP_W-1:0] out_slot_o,
  output divergence_pkg::first_t     out_first_o,     // what is wanted of it as it is taken
  // the instruction at work
  input  logic [cfg_pkg::WARP_W-1:0] work_slot_i,
  output divergence_pkg::ctl_t       work_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [WARPS-1:0]           wait_q, set, grant;
  logic [cfg_pkg::WARP_W-1:0] slot;
  divergence_pkg::first_t     in_first, first;
  divergence_pkg::ctl_t       ctl;
  logic                       waiting, now, reads;

  divergence_pkg::kind_e kind;

  always_comb begin
    kind = divergence_pkg::KIND_BRANCH;
    if (`HEDDLE_LIVE(in_valid_i)) case (uop_i.dec.op)
      isa_pkg::OP_BRX, isa_pkg::OP_CALL_ABS, isa_pkg::OP_RET: kind = divergence_pkg::KIND_TARGET;
      isa_pkg::OP_BSSY:  kind = divergence_pkg::KIND_BSSY;
      isa_pkg::OP_BSYNC: kind = divergence_pkg::KIND_BSYNC;
      isa_pkg::OP_BREAK: kind = divergence_pkg::KIND_BREAK;
      isa_pkg::OP_EXIT, isa_pkg::OP_KILL: kind = divergence_pkg::KIND_EXIT;
      isa_pkg::OP_WARPSYNC:  kind = divergence_pkg::KIND_WARPSYNC;
      isa_pkg::OP_BMOV_SET:  kind = divergence_pkg::KIND_SET;
      isa_pkg::OP_BMOV_GET:
        kind = (isa_pkg::f_clear(uop_i.word) == isa_pkg::CLEAR_CLEAR) ? divergence_pkg::KIND_CLEAR : divergence_pkg::KIND_NONE;
      isa_pkg::OP_YIELD:     kind = divergence_pkg::KIND_YIELD;
      isa_pkg::OP_NANOSLEEP: kind = divergence_pkg::KIND_SLEEP;
      default: ;
    endcase
  end

  assign reads  = kind == divergence_pkg::KIND_TARGET || kind == divergence_pkg::KIND_WARPSYNC
    || kind == divergence_pkg::KIND_SET || kind == divergence_pkg::KIND_SLEEP;
  assign adds_o = kind == divergence_pkg::KIND_TARGET;

  always_comb begin
    ctl = 'x;
    if (`HEDDLE_LIVE(in_valid_i)) begin
      ctl.kind   = kind;
      ctl.counts = isa_pkg::op_flow(uop_i.dec.op) != isa_pkg::FLOW_NEXT;
      ctl.followed = uop_i.followed;
      ctl.id     = uop_i.id;
      ctl.at     = divergence_pkg::at_of(uop_i.pc, uop_i.is_short);
      ctl.exec   = uop_i.exec;
      ctl.target = (uop_i.dec.op == isa_pkg::OP_JMP) ? isa_pkg::f_abs32(uop_i.word)
        : uop_i.pc + divergence_pkg::size_of(ctl.at) + isa_pkg::f_rel(uop_i.word);
      ctl.bx     = {1'b0, isa_pkg::f_bx(uop_i.word)};
      if (kind == divergence_pkg::KIND_WARPSYNC) ctl.bx = divergence_pkg::BX_W;
      if (kind == divergence_pkg::KIND_CLEAR)    ctl.bx = {1'b0, isa_pkg::f_bxs(uop_i.word)};
    end
  end

  logic [cfg_pkg::WARP_W-1:0] in_slot;
  assign in_slot  = core_pkg::local_slot(uop_i.id.slot);
  assign in_first = '{kind: ctl.kind, counts: ctl.counts, bx: ctl.bx};

  ram_async #(.WIDTH($bits(ctl)), .DEPTH(WARPS)) u_store (
    .clk_i     (clk_i),
    .wr_en_i   (in_valid_i),
    .wr_addr_i (in_slot),
    .wr_data_i (ctl),
    .rd_addr_i (work_slot_i),
    .rd_data_o (work_o)
  );
  ram_async #(.WIDTH($bits(first)), .DEPTH(WARPS)) u_first (
    .clk_i     (clk_i),
    .wr_en_i   (in_valid_i),
    .wr_addr_i (in_slot),
    .wr_data_i (in_first),
    .rd_addr_i (slot),
    .rd_data_o (first)
  );

  arb_rr #(.N(WARPS)) u_pick (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (wait_q),
    .grant_o (grant),
    .take_i  (out_ready_i)
  );
  onehot_index #(.N(WARPS)) u_slot (
    .onehot_i (grant),
    .index_o  (slot)
  );

  assign waiting     = wait_q != '0;
  assign now         = in_valid_i && !reads;
  assign out_valid_o = waiting || now;
  assign out_slot_o  = waiting ? slot : in_slot;
  assign out_first_o = waiting ? first : in_first;

  always_comb begin
    set = '0;
    if (now && (waiting || !out_ready_i)) set[in_slot] = 1'b1;
    if (tg_done_valid_i) set[tg_done_slot_i] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wait_q <= '0;
    else wait_q <= (wait_q & ~(out_ready_i ? grant : '0)) | set;
  end

  // The rest of the instruction is for others.
  logic unused;
  assign unused = ^uop_i;

  // A warp that waits here sends nothing new.
  `ASSERT(a_one, !in_valid_i || !wait_q[in_slot])

endmodule
