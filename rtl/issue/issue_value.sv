// SPDX-License-Identifier: Apache-2.0
// The value that goes along with an instruction, the same for all lanes: constant, immediate,
// special register, what a control instruction returns.
// Latency: combinational.
// No handshake.
// It does not read uniform registers: issue_uniform puts their value in this one's place. Special
// registers that differ from lane to lane are operand's business.
module issue_value (
  // from the instruction buffer and the constant prefetch
  input  issue_pkg::entry_t  ib_entry_i,
  input  front_pkg::const_t  cf_i,
  // which SM, of how many: constant
  input  logic [7:0]         sm_i,
  input  logic [8:0]         sms_i,
  // from the host: cycles since go
  input  logic [63:0]        clock_i,
  // from divergence: B[x]
  input  logic [31:0]        members_i,
  // from S1: who it is, what its barrier has found
  input  stage_pkg::who_t    who_i,
  input  core_pkg::red_t     red_i,
  // to the uop
  output logic [31:0]        sval_o,
  output logic [31:0]        sval_hi_o
);

  isa_pkg::dec_t dec;
  logic [127:0]  word;
  logic [7:0]    sreg;

  assign dec  = ib_entry_i.dec;
  assign word = ib_entry_i.word;
  // SR names of S2UR are numbered as those of S2R.
  assign sreg = (dec.op == isa_pkg::OP_S2UR) ? isa_pkg::f_usreg(word) : isa_pkg::f_sreg(word);

  always_comb begin
    sval_o    = dec.imm;
    sval_hi_o = '0;
    if (ib_entry_i.kind.cst) begin
      sval_o    = cf_i.data;
      sval_hi_o = cf_i.data_hi;
    end else if (kind_pkg::wide_imm(dec)) begin
      sval_o    = '0;
      sval_hi_o = dec.imm;
    end else if (dec.imm_short) begin
      sval_o    = 32'(dec.imm[15:0]);
      sval_hi_o = 32'(dec.imm[31:16]);
    end else if (dec.op == isa_pkg::OP_BMOV_GET) begin
      sval_o    = members_i;
    end else if (dec.op == isa_pkg::OP_BAR_RED_POPC) begin
      sval_o    = 32'(red_i.sum);
    end else if (dec.op == isa_pkg::OP_BAR_RED) begin
      sval_o    = '0;
      sval_o[0] = (isa_pkg::f_barred(word) == isa_pkg::BARRED_OR) ? red_i.sum != '0 : red_i.all;
    end else if (dec.op == isa_pkg::OP_S2R || dec.op == isa_pkg::OP_S2UR) begin
      case (sreg)
        isa_pkg::SREG_SR_CTAID_X: sval_o = who_i.ctaid[0];
        isa_pkg::SREG_SR_CTAID_Y: sval_o = who_i.ctaid[1];
        isa_pkg::SREG_SR_CTAID_Z: sval_o = who_i.ctaid[2];
        isa_pkg::SREG_SR_WARPID:  sval_o = 32'(who_i.id.slot);
        isa_pkg::SREG_SR_NWARPID: sval_o = cfg_pkg::SM_WARPS;
        isa_pkg::SREG_SR_SMID:    sval_o = 32'(sm_i);
        isa_pkg::SREG_SR_NSMID:   sval_o = 32'(sms_i);
        isa_pkg::SREG_SR_CLOCKLO: sval_o = clock_i[31:0];
        isa_pkg::SREG_SR_CLOCKHI: sval_o = clock_i[63:32];
        // SRZ; others are made of the lane's number
        default:                  sval_o = '0;
      endcase
    end else if (dec.op == isa_pkg::OP_CS2R) begin
      {sval_hi_o, sval_o} = (isa_pkg::f_sreg2(word) == isa_pkg::SREG2_SR_CLOCKLO) ? clock_i : '0;
    end
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_entry_i, dec, cf_i, who_i};

endmodule
