// SPDX-License-Identifier: Apache-2.0
// What a general instruction reads and writes, as its collector wants it: four words a0, b0, c0 and x1 (the second word of
// a register branch's a, or of IMAD.WIDE's c), and the write ports that each of its beats needs.
// Latency: combinational.
// No handshake.
// It does not read anything: immediates, constants, RZ and lane values are put in when a beat is dispatched.
`default_nettype none

module operand_map (
  // from issue
  input  core_pkg::uop_t                      uop_i,
  // to the reuse cache: operand places a, b, c
  output logic [2:0]                          can_o,    // one register, not RZ
  output logic [2:0]                          keep_o,   // ... to be kept
  output logic [2:0][7:0]                     reg_o,
  input  logic [2:0]                          hit_i,
  // to the collector
  output logic [3:0]                          need_o,
  output logic [3:0]                          side_o,
  output logic [3:0][back_pkg::WREG_W-1:0]    wreg_o,
  // to the reservation table
  output logic [cfg_pkg::BANKS-1:0]          ports_o,
  output logic [back_pkg::PIPES-1:0]          pipe_o,
  // to writeback
  output logic [back_pkg::WREG_W-1:0]         rd_wreg_o,
  output logic                                rd_en_o
);

  isa_pkg::dec_t dec;
  logic          is_tid, a_reg, b_reg, c_reg, a_pair, c_pair;
  logic [7:0]    x_reg, sreg;

  assign dec    = uop_i.dec;
  assign sreg   = isa_pkg::f_sreg(uop_i.word);
  assign is_tid = dec.op == isa_pkg::OP_S2R && (sreg == isa_pkg::SREG_SR_TID_X || sreg == isa_pkg::SREG_SR_TID_Y
                                                || sreg == isa_pkg::SREG_SR_TID_Z);
  assign a_reg  = dec.a_kind == isa_pkg::SRC_REG && dec.a_reg != isa_pkg::RZ;
  assign b_reg  = dec.b_kind == isa_pkg::SRC_REG && dec.b_reg != isa_pkg::RZ;
  assign c_reg  = dec.c_kind == isa_pkg::SRC_REG && dec.c_reg != isa_pkg::RZ;
  assign a_pair = a_reg && dec.a_n != 2'd0;
  assign c_pair = c_reg && dec.c_n != 2'd0;
  assign x_reg  = a_pair ? dec.a_reg : dec.c_reg;

  assign can_o  = {c_reg && !c_pair, b_reg, a_reg && !a_pair};
  assign keep_o = can_o & dec.reuse[2:0];
  assign reg_o  = {dec.c_reg, dec.b_reg, dec.a_reg};

  assign need_o = {a_pair || c_pair, c_reg, b_reg || is_tid, a_reg};
  assign side_o = {1'b0, hit_i[2], hit_i[1] || is_tid, hit_i[0]};
  assign wreg_o[0] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.a_reg);
  assign wreg_o[1] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.b_reg);
  assign wreg_o[2] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.c_reg);
  assign wreg_o[3] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(x_reg) + back_pkg::WREG_W'(1);

  assign rd_wreg_o = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.rd);
  assign rd_en_o   = dec.has_rd && dec.rd != isa_pkg::RZ;
  assign pipe_o    = {dec.unit == isa_pkg::UNIT_CVT, dec.unit == isa_pkg::UNIT_FMA, dec.unit == isa_pkg::UNIT_ALU};

  always_comb begin
    ports_o = '0;
    if (rd_en_o) begin
      ports_o |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(rd_wreg_o);
      if (dec.rd_n != 2'd0) ports_o |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(rd_wreg_o + back_pkg::WREG_W'(1));
    end
  end

  logic unused;
  assign unused = ^{uop_i, dec};

endmodule

`default_nettype wire
