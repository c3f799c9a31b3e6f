// SPDX-License-Identifier: Apache-2.0
// What a general instruction reads and writes: for its collector the four words a0, b0, c0 and x1, for the reservation
// table the write ports that each of its beats needs, and what is kept of it until its beats are dispatched.
// Latency: combinational.
// No handshake.
// It does not read anything: immediates, constants, RZ and lane values are put in when a beat is dispatched.
`default_nettype none

module operand_map (
  input  logic [7:0]                          fault_i,
  // from issue
  input  logic                                valid_i,
  input  core_pkg::uop_t                      uop_i,
  // to the reuse cache: operand places a, b, c
  output logic [2:0]                          can_o,    // one register, not RZ
  output logic [2:0]                          keep_o,   // ... to be kept
  output logic [2:0][7:0]                     reg_o,
  input  logic [2:0]                          hit_i,
  // to the collector
  output logic [back_pkg::WORDS-1:0]          need_o,   // read from the register file
  output logic [2:0]                          side_o,   // read from the side memory of this place
  output logic                                tid_o,    // ... which for b is that of the thread ids
  output logic [back_pkg::WORDS-1:0][back_pkg::WREG_W-1:0] wreg_o,
  output logic [cfg_pkg::BANKS-1:0]           ports_o,
  // to the memory of instructions under way
  output back_pkg::held_t                     held_o
);

  isa_pkg::dec_t dec;
  logic          is_s2r, is_tid, a_reg, b_reg, c_reg, a_pair, c_pair, rd_en;
  logic [7:0]    x_reg, sreg;
  logic [back_pkg::WREG_W-1:0] rd_wreg;

  assign dec    = uop_i.dec;
  assign sreg   = isa_pkg::f_sreg(uop_i.word);
  assign is_s2r = dec.op == isa_pkg::OP_S2R;
  assign is_tid = is_s2r && (sreg == isa_pkg::SREG_SR_TID_X || sreg == isa_pkg::SREG_SR_TID_Y
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

  assign need_o = {a_pair || c_pair, c_reg && !hit_i[2], b_reg && !hit_i[1], a_reg && !hit_i[0]};
  assign side_o = {hit_i[2], hit_i[1] || is_tid, hit_i[0]};
  assign tid_o  = is_tid;
  assign wreg_o[0] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.a_reg);
  assign wreg_o[1] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.b_reg);
  assign wreg_o[2] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.c_reg);
  assign wreg_o[3] = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(x_reg) + back_pkg::WREG_W'(1);

  assign rd_wreg = back_pkg::WREG_W'(uop_i.rbase) + back_pkg::WREG_W'(dec.rd);
  assign rd_en   = dec.has_rd && dec.rd != isa_pkg::RZ;

  always_comb begin
    ports_o = '0;
    if (rd_en) begin
      ports_o |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(rd_wreg);
      if (dec.rd_n != 2'd0) ports_o |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(rd_wreg + back_pkg::WREG_W'(1));
    end
  end

  // Masks of lanes: EQ has the own bit, LT what is below, LE both; GE and GT are the complements of LT and LE.
  back_pkg::lane_kind_t lane;
  always_comb begin
    lane = '0;
    case (sreg)
      isa_pkg::SREG_SR_EQMASK: lane.own = 1'b1;
      isa_pkg::SREG_SR_LTMASK: {lane.earlier, lane.below} = 2'b11;
      isa_pkg::SREG_SR_LEMASK: {lane.earlier, lane.below, lane.own} = 3'b111;
      isa_pkg::SREG_SR_GTMASK: {lane.earlier, lane.below, lane.own, lane.flip} = 4'b1111;
      isa_pkg::SREG_SR_GEMASK: {lane.earlier, lane.below, lane.flip} = 3'b111;
      default:                 lane.number = 1'b1;
    endcase
  end

  logic [exec_pkg::CTL_W-1:0] ctl;
  exec_decode u_decode (.fault_i(fault_i), .valid_i(valid_i), .dec_i(dec), .word_i(uop_i.word), .ctl_o(ctl));

  // Which words the instruction has as operands: registers, RZ, a broadcast value, or special registers.
  // Worked out only where an instruction arrives.
  always_comb begin
    held_o = '0;
    if (valid_i) begin
      held_o.id      = uop_i.id;
      held_o.exec    = uop_i.exec;
      held_o.ps0     = uop_i.ps0;
      held_o.ps1     = uop_i.ps1;
      held_o.ps2     = uop_i.ps2;
      held_o.sval    = uop_i.sval;
      held_o.used[0] = dec.a_kind == isa_pkg::SRC_REG;
      held_o.used[1] = dec.a_kind == isa_pkg::SRC_REG && dec.a_n != 2'd0;
      held_o.used[2] = dec.b_kind != isa_pkg::SRC_NONE || is_s2r;
      held_o.used[4] = dec.c_kind != isa_pkg::SRC_NONE;
      held_o.used[5] = dec.c_kind == isa_pkg::SRC_REG && dec.c_n != 2'd0;
      held_o.tid_b   = is_tid;
      held_o.lane_b  = is_s2r && (sreg == isa_pkg::SREG_SR_LANEID || sreg >= isa_pkg::SREG_SR_EQMASK);
      held_o.sval_b  = dec.b_kind == isa_pkg::SRC_IMM || dec.b_kind == isa_pkg::SRC_CONST
                       || (is_s2r && !is_tid && !held_o.lane_b);
      held_o.sval_c  = dec.c_kind == isa_pkg::SRC_IMM || dec.c_kind == isa_pkg::SRC_CONST;
      held_o.lane    = lane;
      held_o.tid_y   = sreg == isa_pkg::SREG_SR_TID_Y;
      held_o.tid_z   = sreg == isa_pkg::SREG_SR_TID_Z;
      held_o.ctl     = ctl;
      held_o.pipe    = {dec.unit == isa_pkg::UNIT_CVT, dec.unit == isa_pkg::UNIT_FMA, dec.unit == isa_pkg::UNIT_ALU};
      held_o.rd_en   = rd_en;
      held_o.rd      = dec.rd;
      held_o.rd_n    = dec.rd_n;
      held_o.wreg    = rd_wreg;
      held_o.pd0     = dec.has_pd0 ? dec.pd0 : isa_pkg::PT;
      held_o.pd1     = dec.has_pd1 ? dec.pd1 : isa_pkg::PT;
      held_o.wbar    = dec.wbar;
      held_o.rbar    = dec.rbar;
    end
  end

  logic unused;
  assign unused = ^{uop_i, dec};

endmodule

`default_nettype wire
