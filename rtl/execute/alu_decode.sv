// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the ALU lanes: what the shifter, adder, logic and comparator do.
// Latency: combinational.
// No handshake.
// It does not look at operands, and instructions of other units give a move.
`default_nettype none

module alu_decode (
  input  logic [7:0]          fault_i,
  // from issue
  input  isa_pkg::dec_t       dec_i,
  input  logic [127:0]        word_i,
  // to the lanes
  output exec_pkg::alu_ctl1_t ctl1_o,
  output exec_pkg::alu_ctl2_t ctl2_o
);

  logic is_lea, is_lea_hi, is_isetp, is_fsetp;
  assign is_lea    = dec_i.op == isa_pkg::OP_LEA;
  assign is_lea_hi = dec_i.op == isa_pkg::OP_LEA_HI || dec_i.op == isa_pkg::OP_LEA_HI_X;
  assign is_isetp  = dec_i.op == isa_pkg::OP_ISETP;
  assign is_fsetp  = dec_i.op == isa_pkg::OP_FSETP;

  // Conditions as the set of outcomes they accept: unordered, greater, equal, less.
  exec_pkg::accept_t icmp, fcmp;
  always_comb begin
    case (isa_pkg::f_icmp(word_i))
      isa_pkg::ICMP_LT: icmp = 4'b0001;
      isa_pkg::ICMP_EQ: icmp = 4'b0010;
      isa_pkg::ICMP_LE: icmp = 4'b0011;
      isa_pkg::ICMP_GT: icmp = 4'b0100;
      isa_pkg::ICMP_NE: icmp = 4'b0101;
      isa_pkg::ICMP_GE: icmp = 4'b0110;
      isa_pkg::ICMP_T:  icmp = 4'b0111;
      default:          icmp = 4'b0000;
    endcase
    case (isa_pkg::f_fcmp(word_i))
      isa_pkg::FCMP_LT:  fcmp = 4'b0001;
      isa_pkg::FCMP_EQ:  fcmp = 4'b0010;
      isa_pkg::FCMP_LE:  fcmp = 4'b0011;
      isa_pkg::FCMP_GT:  fcmp = 4'b0100;
      isa_pkg::FCMP_NE:  fcmp = 4'b0101;
      isa_pkg::FCMP_GE:  fcmp = 4'b0110;
      isa_pkg::FCMP_NUM: fcmp = 4'b0111;
      isa_pkg::FCMP_NAN: fcmp = 4'b1000;
      isa_pkg::FCMP_LTU: fcmp = 4'b1001;
      isa_pkg::FCMP_EQU: fcmp = 4'b1010;
      isa_pkg::FCMP_LEU: fcmp = 4'b1011;
      isa_pkg::FCMP_GTU: fcmp = 4'b1100;
      isa_pkg::FCMP_NEU: fcmp = 4'b1101;
      isa_pkg::FCMP_GEU: fcmp = 4'b1110;
      isa_pkg::FCMP_T:   fcmp = 4'b1111;
      default:           fcmp = 4'b0000;
    endcase
  end

  logic [1:0] shtype;
  assign shtype = isa_pkg::f_shtype(word_i);

  logic is_fmnmx, compares;
  assign is_fmnmx = dec_i.op == isa_pkg::OP_FMNMX;
  assign compares = is_isetp || is_fsetp || is_fmnmx || dec_i.op == isa_pkg::OP_IMNMX;

  always_comb begin
    ctl1_o = '0;
    ctl2_o = '0;
    ctl1_o.shift.amount = isa_pkg::f_sh5(word_i);
    ctl1_o.lut   = isa_pkg::f_lut(word_i);
    ctl1_o.plut0 = isa_pkg::f_plut0(word_i);
    ctl1_o.plut1 = isa_pkg::f_plut1(word_i);
    ctl2_o.accept   = is_fsetp ? fcmp : icmp;
    ctl2_o.bool_or  = isa_pkg::f_bool(word_i) == isa_pkg::BOOL_OR;
    ctl2_o.bool_xor = isa_pkg::f_bool(word_i) == isa_pkg::BOOL_XOR;
    ctl2_o.pd       = exec_pkg::PD_CARRY;
    case (dec_i.op)
      isa_pkg::OP_IADD3: begin
        ctl1_o.use_c  = 1'b1;
        ctl1_o.inv_a  = dec_i.a_neg;
        ctl1_o.inv_b  = dec_i.b_neg;
        ctl1_o.inv_c  = dec_i.c_neg;
        ctl1_o.one_ac = dec_i.a_neg;
        ctl1_o.one    = dec_i.b_neg;
        ctl1_o.one_b  = dec_i.c_neg;
        ctl2_o.sum    = 1'b1;
      end
      isa_pkg::OP_IADD3_X: begin
        ctl1_o.use_c = 1'b1;
        ctl1_o.inv_a = dec_i.a_neg;
        ctl1_o.inv_b = dec_i.b_neg;
        ctl1_o.inv_c = dec_i.c_neg;
        ctl1_o.ext   = 1'b1;
        ctl2_o.sum   = 1'b1;
      end
      isa_pkg::OP_LOP3_LUT: begin
        ctl1_o.word = 1'b1;
        ctl2_o.pd   = exec_pkg::PD_NONZERO;
      end
      isa_pkg::OP_SHF: begin
        ctl1_o.word = 1'b1;
        ctl1_o.shl  = 1'b1;
        ctl1_o.shift.left = isa_pkg::f_shdir(word_i) == isa_pkg::SHDIR_L;
        ctl1_o.shift.hi = isa_pkg::f_shhi(word_i) == isa_pkg::HI_HI;
        ctl1_o.shift.wrap = isa_pkg::f_wrap(word_i) == isa_pkg::WRAP_W;
        ctl1_o.shift.range64 = shtype == isa_pkg::SHTYPE_S64 || shtype == isa_pkg::SHTYPE_U64;
        ctl1_o.shift.arith = shtype == isa_pkg::SHTYPE_S64 || shtype == isa_pkg::SHTYPE_S32;
      end
      isa_pkg::OP_LEA, isa_pkg::OP_LEA_HI, isa_pkg::OP_LEA_HI_X: begin
        ctl1_o.lea = 1'b1;
        ctl2_o.sum = 1'b1;
        ctl1_o.lea_carry = dec_i.op == isa_pkg::OP_LEA_HI_X;
        ctl1_o.shift.left = 1'b1;
        ctl1_o.shift.fixed = 1'b1;
        ctl1_o.shift.hi = !is_lea;
        ctl1_o.shift.sext = is_lea_hi && isa_pkg::f_sx32(word_i) == isa_pkg::SX32_SX32;
      end
      isa_pkg::OP_PLOP3_LUT: ctl2_o.pd = exec_pkg::PD_TABLE;
      default: begin
        // Comparisons, minimum and maximum, selections; whatever else is here moves b.
        ctl1_o.inv_b  = 1'b1;
        ctl1_o.one    = compares;
        ctl1_o.flt    = is_fsetp || is_fmnmx;
        ctl1_o.ftz    = ctl1_o.flt && isa_pkg::f_ftz(word_i) == isa_pkg::FTZ_FTZ;
        ctl1_o.sneg_a = ctl1_o.flt && dec_i.a_neg;
        ctl1_o.sneg_b = ctl1_o.flt && dec_i.b_neg;
        ctl1_o.abs_a  = ctl1_o.flt && dec_i.a_abs;
        ctl1_o.abs_b  = ctl1_o.flt && dec_i.b_abs;
        ctl2_o.choose = 1'b1;
        ctl2_o.minmax = is_fmnmx || dec_i.op == isa_pkg::OP_IMNMX;
        ctl2_o.select = dec_i.op == isa_pkg::OP_SEL;
        ctl2_o.flt    = ctl1_o.flt;
        ctl2_o.uns    = !ctl1_o.flt && isa_pkg::f_sign(word_i) == isa_pkg::SIGN_U32;
        if (compares) ctl2_o.pd = exec_pkg::PD_COMPARE;
      end
    endcase
    if (fault_i == core_pkg::FAULT_ALU_CARRY && !ctl1_o.lea) ctl2_o.cut_carry = ctl2_o.sum;
  end

  // Registers, control codes and the like are for others.
  logic unused;
  assign unused = ^{dec_i, word_i};

endmodule

`default_nettype wire
