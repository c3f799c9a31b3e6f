// SPDX-License-Identifier: Apache-2.0
// Decodes a fetched word once: the buffer entry with everything issue wants, and the few flags that the scheduler looks at.
// Latency: combinational.
// No handshake.
// It does not look at warp or launch: ibuf finds registers beyond the kernel's count.
`include "heddle_idle.svh"

module predecode (
  input  logic                            its_i,       // YIELD is no hint
  // from fetch: outputs count while valid_i is high
  input  logic                            valid_i,
  input  logic [127:0]                    word_i,
  input  core_pkg::err_t                  err_i,
  // to the instruction buffer
  output issue_pkg::stored_t              entry_o,
  output issue_pkg::head_t                head_o,
  output issue_pkg::jump_t                jump_o
);

  localparam logic [15:0] UNITS = kind_pkg::UNITS_THERE[15:0];   // those of the machine: words for others are not decoded

  isa_pkg::dec_t dec;
  logic          br, there;
  logic [1:0]    row;      // its last one

  // Nothing is decoded while nothing arrives.
  always_comb begin
    dec   = 'x;
    there = 1'b0;
    if (valid_i) dec = isa_pkg::decode_for(word_i, UNITS, cfg_pkg::HAS_UNI);
    if (`HEDDLE_LIVE(valid_i)) there = kind_pkg::UNITS_THERE[5'(dec.unit)] && (cfg_pkg::HAS_UNI || !kind_pkg::has_uniform(dec));
    // From here on ULDC is an instruction of the load/store unit.
    if (valid_i && kind_pkg::uniform_load(dec)) dec.unit = isa_pkg::UNIT_MEM;
  end
  assign br  = dec.unit == isa_pkg::UNIT_BR;

  always_comb begin
    entry_o = 'x;
    if (`HEDDLE_LIVE(valid_i)) begin
      entry_o.bus_err = err_i;
      entry_o.illegal = !dec.legal || !there
                        || (!kind_pkg::UNITS_THERE[kind_pkg::PART_FATOM] && kind_pkg::adds_floats(dec, word_i));
      entry_o.word    = word_i;
      entry_o.dec     = dec;
    end
  end

  // Guarded branches back close loops; every other guarded one may as well fall through. What could not be fetched traps.
  logic leaves;
  assign leaves = isa_pkg::op_flow(dec.op) == isa_pkg::FLOW_BRANCH || isa_pkg::op_flow(dec.op) == isa_pkg::FLOW_CALL
                  || isa_pkg::op_flow(dec.op) == isa_pkg::FLOW_RETURN || isa_pkg::op_flow(dec.op) == isa_pkg::FLOW_EXIT;
  logic [31:0] distance;
  assign distance = isa_pkg::f_rel(word_i);
  assign jump_o.likely   = br && leaves && (dec.guard == {1'b0, isa_pkg::PT} || (dec.op == isa_pkg::OP_BRA && distance[31]));
  assign jump_o.absolute = dec.op == isa_pkg::OP_JMP;
  assign jump_o.direct   = jump_o.likely && err_i == '0
    && (dec.op == isa_pkg::OP_BRA || dec.op == isa_pkg::OP_CALL_REL || jump_o.absolute);
  logic unused;
  assign unused   = ^distance[30:0];

  // Nothing to do but to be counted, and to wait for it. Of the two divergence units only `its` lets YIELD do something.
  // What the ALU writes for a control instruction counts as its result everywhere.
  logic hint, result, depbar;
  assign depbar = dec.op == isa_pkg::OP_DEPBAR_LE;
  assign hint   = dec.op == isa_pkg::OP_NOP || (dec.op == isa_pkg::OP_YIELD && !its_i) || depbar;
  assign result = kind_pkg::br_result(dec);

  // An illegal word may get flags: then it waits a little before its trap is raised.
  always_comb begin
    head_o = 'x;
    row    = 'x;
    if (`HEDDLE_LIVE(valid_i)) begin
      row              = kind_pkg::last_row(dec);
      head_o.coll      = kind_pkg::collected(dec.unit);
      head_o.uni       = kind_pkg::uniform(dec);
      head_o.gen       = !head_o.coll && !head_o.uni &&
                         (!br || result || dec.a_kind != isa_pkg::SRC_NONE || dec.b_kind != isa_pkg::SRC_NONE);
      head_o.line      = core_pkg::LINES > 1 && (dec.unit == isa_pkg::UNIT_FMA || (br && !result)
                                                 || (core_pkg::READERS > 1 && head_o.coll));
      head_o.two       = row != '0;
      head_o.three     = row == 2'd2;
      head_o.stalls    = dec.stall > 4'd1;
      head_o.drain     = isa_pkg::op_drains(dec.op);
      head_o.fence     = (cfg_pkg::L1_BYTES != 0 || cfg_pkg::HAS_ASYNC) && dec.op == isa_pkg::OP_MEMBAR && isa_pkg::f_scope(word_i) != isa_pkg::SCOPE_CTA;
      head_o.alone     = head_o.drain || (br && !hint) || kind_pkg::uniform_load(dec);
      head_o.ordered   = dec.unit == isa_pkg::UNIT_MEM || (br && !head_o.drain && !hint);
      head_o.cst       = kind_pkg::has_const(dec);
      head_o.bx        = (dec.op == isa_pkg::OP_BMOV_GET) ? isa_pkg::f_bxs(word_i) : isa_pkg::f_bx(word_i);
      head_o.wait_mask = dec.wait_mask;
      for (int unsigned i = 0; i < issue_pkg::NSB; i++) begin
        head_o.raise[i] = (!br || result) && dec.wbar == 3'(i);
        if ((head_o.coll || head_o.gen) && dec.rbar == 3'(i)) head_o.raise[i] = 1'b1;
        // It raises nothing, but depends on the counter, as an instruction that raises it does.
        if (depbar && isa_pkg::f_sbn(word_i) == 3'(i)) head_o.raise[i] = 1'b1;
      end
    end
  end

endmodule
