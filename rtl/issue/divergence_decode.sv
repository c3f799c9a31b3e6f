// SPDX-License-Identifier: Apache-2.0
// What the divergence unit keeps of a control instruction.
// Latency: combinational.
// No handshake.
// It does not look at masks. BRA, JMP, CALL.REL are branches; BPT.TRAP comes only where no lane executes it, and is one too.
`include "heddle_idle.svh"

module divergence_decode (
  input  logic                 valid_i,     // what follows counts
  input  core_pkg::uop_t       uop_i,
  output divergence_pkg::ctl_t ctl_o,
  output logic                 reads_o,     // it waits for an operand
  output logic                 adds_o,      // it is a register target:
  output logic [31:0]          off_o        // which the operand is added to
);

  divergence_pkg::kind_e kind;

  always_comb begin
    kind = divergence_pkg::KIND_BRANCH;
    if (`HEDDLE_LIVE(valid_i)) case (uop_i.dec.op)
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

  assign reads_o = kind == divergence_pkg::KIND_TARGET || kind == divergence_pkg::KIND_WARPSYNC
    || kind == divergence_pkg::KIND_SET || kind == divergence_pkg::KIND_SLEEP;
  assign adds_o  = kind == divergence_pkg::KIND_TARGET;
  assign off_o   = isa_pkg::f_off32(uop_i.word);

  always_comb begin
    ctl_o = 'x;
    if (`HEDDLE_LIVE(valid_i)) begin
      ctl_o.kind   = kind;
      ctl_o.counts = isa_pkg::op_flow(uop_i.dec.op) != isa_pkg::FLOW_NEXT;
      ctl_o.followed = uop_i.followed;
      ctl_o.id     = uop_i.id;
      ctl_o.at     = divergence_pkg::at_of(uop_i.pc, uop_i.is_short);
      ctl_o.exec   = uop_i.exec;
      ctl_o.target = (uop_i.dec.op == isa_pkg::OP_JMP) ? isa_pkg::f_abs32(uop_i.word)
        : uop_i.pc + divergence_pkg::size_of(ctl_o.at) + isa_pkg::f_rel(uop_i.word);
      ctl_o.bx     = {1'b0, isa_pkg::f_bx(uop_i.word)};
      if (kind == divergence_pkg::KIND_WARPSYNC) ctl_o.bx = divergence_pkg::BX_W;
      if (kind == divergence_pkg::KIND_CLEAR)    ctl_o.bx = {1'b0, isa_pkg::f_bxs(uop_i.word)};
    end
  end

  // The rest of the instruction is for others.
  logic unused;
  assign unused = ^uop_i;

endmodule
