// SPDX-License-Identifier: Apache-2.0
// What is handed on: in S1 what issues now (pre_o), a cycle later the micro-op, and what counts
// from then on (begun_o).
// Latency: pre_o combinational, the rest one cycle.
// Handshake: the micro-op stands until its operands have been read, with two readers until it goes on
// into its own (op_i.ready); what else follows from an issue is an event of its first cycle.
// It does not hold more than one for each reader.
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
  output core_pkg::uop_t [core_pkg::READERS-1:0] uop_o,   // in front of each reader
  output core_pkg::uop_t       new_o,                      // what has issued a cycle ago
  output front_pkg::uni_t      uni_o,
  input  front_pkg::operand_t  op_i,
  // to the warps' state
  output stage_pkg::begun_t    begun_o
);

  logic [31:0]    sval, sval_hi;
  core_pkg::uop_t uop;
  logic           pre, gen_q, coll_q, line_q, first_q, ctl_q, uni_q, plain;

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
      first_q <= 1'b0;
      ctl_q   <= 1'b0;
      uni_q   <= 1'b0;
    end else begin
      first_q <= pre;
      ctl_q   <= act_i.go && stage_pkg::is_ctl(s1_i.head);
      uni_q   <= act_i.go && s1_i.head.uni;
    end
  end

  // Whether the instruction commits comes too late to choose among so many bits: without that
  // nobody looks at them.
  assign uop = '{
    id:       who_i.id,
    pc:       if_i.q_pc,
    is_short: ib_entry_i.is_short,
    followed: ib_entry_i.followed,
    word:     ib_entry_i.word,
    dec:      ib_entry_i.dec,
    exec:     lanes_i.exec,
    ps0:      lanes_i.ps0,
    ps1:      lanes_i.ps1,
    ps2:      lanes_i.ps2,
    preds:    lanes_i.preds,
    sval:     sval,
    sval_hi:  sval_hi,
    rbase:    who_i.rbase
  };

  always_ff @(posedge clk_i) begin
    if (flow_i.judged) begin
      gen_q  <= ib_entry_i.gen;
      coll_q <= s1_i.head.coll;
      line_q <= s1_i.head.line;
    end
  end

  // The micro-op in front of each reader. What reads no operands is there for a cycle, without valid.
  for (genvar k = 0; k < core_pkg::READERS; k++) begin : gen_reader
    core_pkg::uop_t uop_q;
    logic           valid_q, mine;
    assign mine = core_pkg::READERS == 1 || s1_i.head.line == 1'(k);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= (pre && mine) || (valid_q && !op_i.ready[k]);
    end
    always_ff @(posedge clk_i) begin
      if (flow_i.judged && mine && (core_pkg::READERS == 1 || !valid_q)) uop_q <= uop;
    end
    assign issued_o.valid[k] = valid_q;
    assign uop_o[k]          = uop_q;
  end

  assign issued_o.first = first_q;
  assign issued_o.ctl   = ctl_q;
  assign new_o          = uop_o[(core_pkg::READERS > 1) ? 32'(line_q) : 0];

  // A control instruction that the ALU writes nothing for.
  assign plain = ctl_q && !kind_pkg::br_result(new_o.dec);

  assign begun_o.valid = first_q || uni_q;
  assign begun_o.fixed = (first_q && gen_q && !plain) || uni_q;
  assign begun_o.coll  = first_q && coll_q;
  assign begun_o.copy  = kind_pkg::is_copy(new_o.dec);
  assign begun_o.slot  = core_pkg::local_slot(new_o.id.slot);
  assign begun_o.wbar  = plain ? 3'd7 : new_o.dec.wbar;
  assign begun_o.rbar  = uni_q ? 3'd7 : new_o.dec.rbar;

  // Fields that concern others.
  logic unused;
  assign unused = ^{if_i, ib_entry_i, dv_q_i, s1_i, again_i, flow_i, act_i, op_i};

endmodule
