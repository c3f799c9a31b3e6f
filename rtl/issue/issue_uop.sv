// SPDX-License-Identifier: Apache-2.0
// What is handed on: in S1 what issues now (pre_o), a cycle later the micro-op, and what counts
// from then on (begun_o).
// Latency: pre_o combinational, the rest one cycle.
// Handshake: the micro-op stands until its operands have been read (op_i.ready); what else follows
// from an issue is an event of its first cycle.
// It does not hold more than one.
module issue_uop (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // which SM, of how many: constant
  input  logic [7:0]           sm_i,
  input  logic [8:0]           sms_i,
  // from the host: cycles since go
  input  logic [63:0]          clock_i,
  // from fetch, the instruction buffer, the constant prefetch, divergence
  input  front_pkg::place_t    if_i,
  input  issue_pkg::entry_t    ib_entry_i,
  input  front_pkg::const_t    cf_i,
  input  front_pkg::paths_t    dv_q_i,
  // from S1
  input  stage_pkg::s1_t       s1_i,
  input  stage_pkg::who_t      who_i,
  input  stage_pkg::lanes_t    lanes_i,
  input  stage_pkg::again_t    again_i,
  input  stage_pkg::flow_t     flow_i,
  input  stage_pkg::act_t      act_i,
  // to and from operand; to divergence and the uniform datapath
  output front_pkg::pre_t      pre_o,
  output front_pkg::issued_t   issued_o,
  output core_pkg::uop_t       uop_o,
  output front_pkg::uni_t      uni_o,
  input  front_pkg::operand_t  op_i,
  // to the warps' state
  output stage_pkg::begun_t    begun_o
);

  logic [31:0]    sval, sval_hi;
  core_pkg::uop_t uop_q;
  logic           pre, gen_q, coll_q, first_q, ctl_q, uni_q, plain;

  issue_value u_value (
    .ib_entry_i (ib_entry_i),
    .cf_i       (cf_i),
    .sm_i       (sm_i),
    .sms_i      (sms_i),
    .clock_i    (clock_i),
    .members_i  (dv_q_i.members),
    .who_i      (who_i),
    .red_i      (again_i.red),
    .sval_o     (sval),
    .sval_hi_o  (sval_hi)
  );

  assign pre        = act_i.go && (ib_entry_i.gen || s1_i.head.coll);
  assign pre_o      = '{valid: pre, slot: s1_i.slot, rbase: who_i.rbase, dec: ib_entry_i.dec};
  assign uni_o      = '{read: cfg_pkg::HAS_UNI && act_i.commit, valid: uni_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gen_q   <= 1'b0;
      coll_q  <= 1'b0;
      first_q <= 1'b0;
      ctl_q   <= 1'b0;
      uni_q   <= 1'b0;
    end else begin
      if (op_i.ready) begin
        gen_q  <= act_i.go && ib_entry_i.gen;
        coll_q <= act_i.go && s1_i.head.coll;
      end
      first_q <= pre;
      ctl_q   <= act_i.go && stage_pkg::is_ctl(s1_i.head);
      uni_q   <= act_i.go && s1_i.head.uni;
    end
  end

  // Whether the instruction commits comes too late to choose among so many bits: without that
  // nobody looks at them.
  always_ff @(posedge clk_i) begin
    if (flow_i.judged) begin
      uop_q.id      <= who_i.id;
      uop_q.pc      <= if_i.q_pc;
      uop_q.is_short <= ib_entry_i.is_short;
      uop_q.followed <= ib_entry_i.followed;
      uop_q.word    <= ib_entry_i.word;
      uop_q.dec     <= ib_entry_i.dec;
      uop_q.exec    <= lanes_i.exec;
      uop_q.ps0     <= lanes_i.ps0;
      uop_q.ps1     <= lanes_i.ps1;
      uop_q.ps2     <= lanes_i.ps2;
      uop_q.preds   <= lanes_i.preds;
      uop_q.sval    <= sval;
      uop_q.sval_hi <= sval_hi;
      uop_q.rbase   <= who_i.rbase;
    end
  end

  assign issued_o = '{valid: gen_q || coll_q, first: first_q, ctl: ctl_q};
  assign uop_o    = uop_q;

  // A control instruction that the ALU writes nothing for.
  assign plain = ctl_q && !kind_pkg::br_result(uop_q.dec);

  assign begun_o.valid = first_q || uni_q;
  assign begun_o.fixed = (first_q && gen_q && !plain) || uni_q;
  assign begun_o.coll  = first_q && coll_q;
  assign begun_o.copy  = kind_pkg::is_copy(uop_q.dec);
  assign begun_o.slot  = core_pkg::local_slot(uop_q.id.slot);
  assign begun_o.wbar  = plain ? 3'd7 : uop_q.dec.wbar;
  assign begun_o.rbar  = uni_q ? 3'd7 : uop_q.dec.rbar;

  // Fields that concern others.
  logic unused;
  assign unused = ^{if_i, ib_entry_i, dv_q_i, s1_i, again_i, flow_i, act_i, op_i};

endmodule
