// SPDX-License-Identifier: Apache-2.0
// Results of an issue: in S1 what issues now (pre_o); a cycle later the micro-op with its value for all lanes (constant, immediate,
// special register, result of a control instruction), what counts from then on (begun_o), and fences for the cache.
// Latency: pre_o combinational, the rest one cycle.
// Handshake: the micro-op stays until its operands have been read, with two readers until it goes on
// into its own (op_ready_i); the rest is an event of its first cycle.
// It does not hold more than one for each reader. Uniform registers take the value's place in issue_uniform, special registers
// that differ from lane to lane in the operand stage.
module issue_uop (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // which SM, of how many: constant
  input  logic [7:0]           sm_i,
  input  logic [8:0]           sms_i,
  // from the host: cycles since go
  input  logic [63:0]          clock_i,
  // from fetch, the instruction buffer, the constant prefetch, divergence
  input  logic [31:0]          pc_i,
  input  issue_pkg::entry_t    ib_entry_i,
  input  logic [1:0][31:0]     cf_data_i,
  input  logic [31:0]          members_i,    // B[x]
  // from S1
  input  stage_pkg::s1_t       s1_i,
  input  stage_pkg::origin_t   origin_i,
  input  stage_pkg::lanes_t    lanes_i,
  input  core_pkg::red_t       red_i,        // the result of a BAR.RED
  input  logic                 judged_i,
  input  logic                 commit_i,
  input  logic                 shown_i,
  input  logic                 go_i,
  // to and from operand; to divergence and the uniform datapath
  output front_pkg::pre_t      pre_o,
  output front_pkg::issued_t   issued_o,
  output core_pkg::uop_t [core_pkg::READERS-1:0] uop_o,   // in front of each reader
  output core_pkg::uop_t       new_o,                      // what has issued a cycle ago
  output front_pkg::uni_t      uni_o,
  input  logic [core_pkg::READERS-1:0] op_ready_i,
  // to the warps' state
  output stage_pkg::begun_t    begun_o,
  // to the cache: a fence, or its emptying
  output front_pkg::fence_t    fence_o
);

  // ---- the value -------------------------------------------------------------------------------
  logic [31:0]   sval, sval_hi;
  isa_pkg::dec_t dec;
  logic [127:0]  word;
  logic [7:0]    sreg;

  assign dec  = ib_entry_i.dec;
  assign word = ib_entry_i.word;
  // SR names of S2UR are numbered as those of S2R.
  assign sreg = (dec.op == isa_pkg::OP_S2UR) ? isa_pkg::f_usreg(word) : isa_pkg::f_sreg(word);

  always_comb begin
    sval    = dec.imm;
    sval_hi = '0;
    if (ib_entry_i.kind.cst) begin
      sval    = cf_data_i[0];
      sval_hi = cf_data_i[1];
    end else if (kind_pkg::wide_imm(dec)) begin
      sval    = '0;
      sval_hi = dec.imm;
    end else if (dec.imm_short) begin
      sval    = 32'(dec.imm[15:0]);
      sval_hi = 32'(dec.imm[31:16]);
    end else if (dec.op == isa_pkg::OP_BMOV_GET) begin
      sval    = members_i;
    end else if (dec.op == isa_pkg::OP_BAR_RED_POPC) begin
      sval    = 32'(red_i.sum);
    end else if (dec.op == isa_pkg::OP_BAR_RED) begin
      sval    = '0;
      sval[0] = (isa_pkg::f_barred(word) == isa_pkg::BARRED_OR) ? red_i.sum != '0 : red_i.all;
    end else if (dec.op == isa_pkg::OP_S2R || dec.op == isa_pkg::OP_S2UR) begin
      case (sreg)
        isa_pkg::SREG_SR_CTAID_X: sval = origin_i.ctaid[0];
        isa_pkg::SREG_SR_CTAID_Y: sval = origin_i.ctaid[1];
        isa_pkg::SREG_SR_CTAID_Z: sval = origin_i.ctaid[2];
        isa_pkg::SREG_SR_WARPID:  sval = 32'(origin_i.id.slot);
        isa_pkg::SREG_SR_NWARPID: sval = cfg_pkg::SM_WARPS;
        isa_pkg::SREG_SR_SMID:    sval = 32'(sm_i);
        isa_pkg::SREG_SR_NSMID:   sval = 32'(sms_i);
        isa_pkg::SREG_SR_CLOCKLO: sval = clock_i[31:0];
        isa_pkg::SREG_SR_CLOCKHI: sval = clock_i[63:32];
        // SRZ; others are made of the lane's number
        default:                  sval = '0;
      endcase
    end else if (dec.op == isa_pkg::OP_CS2R) begin
      {sval_hi, sval} = (isa_pkg::f_sreg2(word) == isa_pkg::SREG2_SR_CLOCKLO) ? clock_i : '0;
    end
  end

  // ---- what issues -----------------------------------------------------------------------------
  core_pkg::uop_t uop;
  logic           pre, gen_q, coll_q, line_q, first_q, ctl_q, uni_q, shown_q, plain;

  assign pre        = go_i && (ib_entry_i.gen || s1_i.head.coll);
  assign pre_o      = '{valid: pre, slot: s1_i.slot, rbase: origin_i.rbase, dec: ib_entry_i.dec};
  assign uni_o      = '{read: cfg_pkg::HAS_UNI && commit_i, valid: uni_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q <= 1'b0;
      shown_q <= 1'b0;
      ctl_q   <= 1'b0;
      uni_q   <= 1'b0;
    end else begin
      first_q <= pre;
      shown_q <= l1_pkg::THERE && shown_i;
      ctl_q   <= go_i && stage_pkg::is_ctl(s1_i.head);
      uni_q   <= go_i && s1_i.head.uni;
    end
  end

  // Whether the instruction commits comes too late to choose among so many bits: without that
  // they do not count.
  assign uop = '{
    id:       origin_i.id,
    pc:       pc_i,
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
    rbase:    origin_i.rbase
  };

  always_ff @(posedge clk_i) begin
    if (judged_i) begin
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
      else         valid_q <= (pre && mine) || (valid_q && !op_ready_i[k]);
    end
    always_ff @(posedge clk_i) begin
      if (judged_i && mine && (core_pkg::READERS == 1 || !valid_q)) uop_q <= uop;
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

  // ---- fences ----------------------------------------------------------------------------------
  logic membar, cctl;

  assign membar = new_o.dec.op == isa_pkg::OP_MEMBAR;
  assign cctl   = new_o.dec.op == isa_pkg::OP_CCTL_E && isa_pkg::f_cctl(new_o.word) == isa_pkg::CCTL_IVALL;

  assign fence_o.valid = shown_q && (membar || cctl) && new_o.exec != '0;
  assign fence_o.kind  = cctl ? l1_pkg::EMPTYING : (isa_pkg::f_scope(new_o.word) == isa_pkg::SCOPE_CTA) ? l1_pkg::FENCE_CTA : l1_pkg::FENCE_GPU;
  assign fence_o.id    = new_o.id;

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_entry_i, dec, s1_i};

endmodule
