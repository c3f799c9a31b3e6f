// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the ALU lanes: what the shifter, adder, logic and comparator do.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module alu_decode (
  // from issue
  input  logic                en_i,
  input  isa_pkg::dec_t       dec_i,
  input  logic [127:0]        word_i,
  // to the lanes
  output exec_pkg::alu_ctl1_t ctl1_o,
  output exec_pkg::alu_ctl2_t ctl2_o
);

  // Conditions as the set of outcomes they accept: unordered, greater, equal, less.
  function automatic exec_pkg::accept_t accepts_int(logic [2:0] icmp);
    case (icmp)
      isa_pkg::ICMP_LT: accepts_int = 4'b0001;
      isa_pkg::ICMP_EQ: accepts_int = 4'b0010;
      isa_pkg::ICMP_LE: accepts_int = 4'b0011;
      isa_pkg::ICMP_GT: accepts_int = 4'b0100;
      isa_pkg::ICMP_NE: accepts_int = 4'b0101;
      isa_pkg::ICMP_GE: accepts_int = 4'b0110;
      isa_pkg::ICMP_T:  accepts_int = 4'b0111;
      default:          accepts_int = 4'b0000;
    endcase
  endfunction

  // PRMT's bytes by mode. A number that n, b's lowest two bits, makes: n plus or minus i, n, its larger or smaller with i, or
  // byte i % 2 of its half.
  function automatic alu_bits_pkg::place_t places(logic [2:0] mode);
    automatic logic [3:0][2:0] number, at;   // for each n; what `of` has of it
    places       = '0;
    places.named = mode == isa_pkg::PRMT_IDX;
    for (int i = 0; i < 4; i++) begin
      for (int n = 0; n < 4; n++) begin
        case (mode)
          isa_pkg::PRMT_F4E:  number[n] = 3'(n + i);
          isa_pkg::PRMT_B4E:  number[n] = 3'(n + 8 - i);
          isa_pkg::PRMT_RC8:  number[n] = 3'(n);
          isa_pkg::PRMT_ECL:  number[n] = 3'((n > i) ? n : i);
          isa_pkg::PRMT_ECR:  number[n] = 3'((n < i) ? n : i);
          isa_pkg::PRMT_RC16: number[n] = 3'(2 * (n % 2) + i % 2);
          default:            number[n] = (i == 0) ? 3'(n) : 3'd0;   // byte 0's lower bits are n
        endcase
        at[n] = {number[n][2], 2'(number[n] - 3'(i))};
      end
      for (int k = 0; k < 3; k++) begin
        places.of[i][k] = '{one:  at[0][k],
                            n0:   at[0][k] ^ at[1][k],
                            n1:   at[0][k] ^ at[2][k],
                            both: at[0][k] ^ at[1][k] ^ at[2][k] ^ at[3][k]};
      end
    end
  endfunction

  typedef struct packed {
    exec_pkg::alu_ctl2_t two;
    exec_pkg::alu_ctl1_t one;
    logic                known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t      p      = '0;
    automatic logic       flt    = dec.op == isa_pkg::OP_FSETP || dec.op == isa_pkg::OP_FMNMX || dec.op == isa_pkg::OP_FSET;
    automatic logic [1:0] shtype = isa_pkg::f_shtype(word);
    p.known            = 1'b1;
    p.one.bits.wrap    = isa_pkg::f_wrap(word) == isa_pkg::WRAP_W;
    p.one.plut0        = isa_pkg::f_plut0(word);
    p.one.plut1        = isa_pkg::f_plut1(word);
    p.two.accept       = flt ? exec_pkg::accepts_float(isa_pkg::f_fcmp(word)) : accepts_int(isa_pkg::f_icmp(word));
    p.two.bool_or      = isa_pkg::f_bool(word) == isa_pkg::BOOL_OR;
    p.two.bool_xor     = isa_pkg::f_bool(word) == isa_pkg::BOOL_XOR;
    p.two.pd           = exec_pkg::PD_CARRY;
    case (dec.op)
      isa_pkg::OP_IADD3: begin
        p.one.use_c  = 1'b1;
        p.one.inv_a  = dec.a_neg;
        p.one.inv_b  = dec.b_neg;
        p.one.inv_c  = dec.c_neg;
        p.one.one_ac = dec.a_neg;
        p.one.one    = dec.b_neg;
        p.one.one_b  = dec.c_neg;
        p.two.sum    = 1'b1;
      end
      isa_pkg::OP_IADD3_X: begin
        p.one.use_c = 1'b1;
        p.one.inv_a = dec.a_neg;
        p.one.inv_b = dec.b_neg;
        p.one.inv_c = dec.c_neg;
        p.one.ext   = 1'b1;
        p.two.sum   = 1'b1;
      end
      isa_pkg::OP_LOP3_LUT: begin
        p.one.lut   = isa_pkg::f_lut(word);
        p.two.word  = 1'b1;
        p.two.pd    = exec_pkg::PD_NONZERO;
      end
      isa_pkg::OP_SHF: begin
        p.two.word          = 1'b1;
        p.one.shift.on      = 1'b1;
        p.one.shift.left    = isa_pkg::f_shdir(word) == isa_pkg::SHDIR_L;
        p.one.shift.hi      = isa_pkg::f_shhi(word) == isa_pkg::HI_HI;
        p.one.shift.range64 = shtype == isa_pkg::SHTYPE_S64 || shtype == isa_pkg::SHTYPE_U64;
        p.one.shift.arith   = shtype == isa_pkg::SHTYPE_S64 || shtype == isa_pkg::SHTYPE_S32;
      end
      isa_pkg::OP_LEA, isa_pkg::OP_LEA_HI, isa_pkg::OP_LEA_HI_X: begin
        p.one.lea         = 1'b1;
        p.two.sum         = 1'b1;
        p.one.lea_carry   = dec.op == isa_pkg::OP_LEA_HI_X;
        p.one.shift.on    = 1'b1;
        p.one.shift.left  = 1'b1;
        p.one.shift.fixed = 1'b1;
        p.one.shift.amount = isa_pkg::f_sh5(word);
        p.one.shift.hi    = dec.op != isa_pkg::OP_LEA;
        p.one.shift.sext  = p.one.shift.hi && isa_pkg::f_sx32(word) == isa_pkg::SX32_SX32;
      end
      isa_pkg::OP_P2R: begin
        // b chooses between a and c, which has the predicates: index a<<2 | b<<1 | c.
        p.one.lut   = 8'b1011_1000;
        p.two.word  = 1'b1;
      end
      isa_pkg::OP_R2P: begin
        p.one.bits.pair = 1'b1;
        p.one.y_c       = 1'b1;
        p.one.inv_b     = 1'b1;
        p.two.choose    = 1'b1;
      end
      isa_pkg::OP_BAR_RED: begin   // is operand b zero?
        p.one.lut   = 8'hcc;
        p.two.word  = 1'b1;
        p.two.pd    = exec_pkg::PD_NONZERO;
      end
      isa_pkg::OP_PLOP3_LUT: p.two.pd = exec_pkg::PD_TABLE;
      isa_pkg::OP_UP2P: begin   // ps0, whatever the others are
        p.one.plut0 = 8'hf0;
        p.two.pd    = exec_pkg::PD_TABLE;
      end
      isa_pkg::OP_PRMT, isa_pkg::OP_SGXT, isa_pkg::OP_BMSK, isa_pkg::OP_POPC, isa_pkg::OP_FLO, isa_pkg::OP_BREV: begin
        p.two.word          = dec.op != isa_pkg::OP_POPC && dec.op != isa_pkg::OP_BREV;
        p.two.sum           = dec.op == isa_pkg::OP_POPC;
        p.one.lea           = dec.op == isa_pkg::OP_POPC || dec.op == isa_pkg::OP_PRMT;
        p.one.y_c           = dec.op == isa_pkg::OP_PRMT || dec.op == isa_pkg::OP_BREV;
        p.one.bits.permute  = dec.op == isa_pkg::OP_PRMT;
        p.one.bits.extend   = dec.op == isa_pkg::OP_SGXT;
        p.one.bits.ones     = dec.op == isa_pkg::OP_SGXT || dec.op == isa_pkg::OP_BMSK;
        p.one.bits.no_b     = dec.op == isa_pkg::OP_SGXT || dec.op == isa_pkg::OP_POPC;
        p.one.bits.count    = dec.op == isa_pkg::OP_POPC;
        p.one.bits.lead     = dec.op == isa_pkg::OP_FLO;
        p.one.bits.turn     = dec.op == isa_pkg::OP_BREV;
        p.one.shift.on      = p.one.bits.ones || p.one.bits.permute;
        p.one.shift.left    = p.one.bits.ones;
        p.one.shift.hi      = p.one.bits.ones;
        p.one.shift.twice   = p.one.bits.permute;
        p.one.shift.fixed   = p.one.bits.extend || p.one.bits.permute;   // by nothing
        p.one.shift.by_a    = dec.op == isa_pkg::OP_BMSK;
        p.one.inv_b         = p.one.bits.extend || p.one.bits.permute || (p.one.bits.turn && !dec.b_neg);
        p.two.choose        = p.one.bits.extend || p.one.bits.permute || p.one.bits.turn;
        if (p.one.bits.permute) p.one.bits.place = places(isa_pkg::f_prmt(word));
        p.one.bits.uns      = isa_pkg::f_sign(word) == isa_pkg::SIGN_U32;
        p.one.bits.inv      = dec.b_neg;
        p.one.bits.from_top = isa_pkg::f_sh(word) == isa_pkg::SH_SH;
      end
      isa_pkg::OP_IABS: begin
        p.one.abs_int = 1'b1;
        p.two.sum     = 1'b1;
      end
      isa_pkg::OP_VABSDIFF: begin
        p.one.diff   = 1'b1;
        p.one.y_c    = 1'b1;
        p.one.one_ac = 1'b1;
        p.one.uns    = isa_pkg::f_sign(word) == isa_pkg::SIGN_U32;
        p.two.sum    = 1'b1;
      end
      isa_pkg::OP_FCHK_DIVIDE: begin
        p.one.range = 1'b1;
        p.one.abs_a = 1'b1;
        p.one.abs_b = 1'b1;
        p.one.inv_b = 1'b1;
        p.one.one   = 1'b1;
        p.two.range = 1'b1;
        p.two.pd    = exec_pkg::PD_TABLE;
      end
      isa_pkg::OP_FSEL: begin
        p.one.inv_b  = 1'b1;
        p.one.ftz    = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
        p.one.sneg_a = dec.a_neg;
        p.one.sneg_b = dec.b_neg;
        p.one.abs_a  = dec.a_abs;
        p.one.abs_b  = dec.b_abs;
        p.two.choose = 1'b1;
        p.two.select = 1'b1;
      end
      isa_pkg::OP_MOV, isa_pkg::OP_S2R, isa_pkg::OP_SEL, isa_pkg::OP_BMOV_GET, isa_pkg::OP_BAR_RED_POPC: begin
        p.one.inv_b  = 1'b1;
        p.two.choose = 1'b1;
        p.two.select = dec.op == isa_pkg::OP_SEL;
      end
      isa_pkg::OP_ISETP, isa_pkg::OP_ISETP_EX, isa_pkg::OP_FSETP, isa_pkg::OP_FSET, isa_pkg::OP_IMNMX,
      isa_pkg::OP_FMNMX: begin
        p.one.inv_b  = 1'b1;
        p.one.one    = 1'b1;
        p.one.flt    = flt;
        p.one.ftz    = flt && isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
        p.one.sneg_a = flt && dec.a_neg;
        p.one.sneg_b = flt && dec.b_neg;
        p.one.abs_a  = flt && dec.a_abs;
        p.one.abs_b  = flt && dec.b_abs;
        p.two.choose = dec.op != isa_pkg::OP_FSET;
        p.two.minmax = dec.op == isa_pkg::OP_IMNMX || dec.op == isa_pkg::OP_FMNMX;
        p.two.keep_nan = dec.op == isa_pkg::OP_FMNMX && isa_pkg::f_keepn(word) == isa_pkg::KEEPN_NAN;
        p.two.flt    = flt;
        p.two.uns    = !flt && isa_pkg::f_sign(word) == isa_pkg::SIGN_U32;
        p.two.pd     = exec_pkg::PD_COMPARE;
        p.two.as_word = dec.op == isa_pkg::OP_FSET;
        p.two.as_one  = dec.op == isa_pkg::OP_FSET && isa_pkg::f_bf(word) == isa_pkg::BF_BF;
        // Equal high words: always and never stay what they are, every other relation is that of the low words.
        if (dec.op == isa_pkg::OP_ISETP_EX) begin
          p.two.low_words = p.two.accept != 4'b0111 && p.two.accept != '0;
          p.two.accept.eq = p.two.accept == 4'b0111;
        end
      end
      default: p.known = 1'b0;
    endcase
    plan = p;
  endfunction

  function automatic logic [isa_pkg::OP_COUNT-1:0] known_ops();
    automatic isa_pkg::dec_t dec = '0;
    for (int i = 0; i < int'(isa_pkg::OP_COUNT); i++) begin
      dec.op       = isa_pkg::op_e'(8'(i));
      known_ops[i] = 1'(plan(dec, '0));   // its lowest bit: known
    end
  endfunction

  decode_cases #(.UNIT(isa_pkg::UNIT_ALU), .KNOWN(known_ops())) u_cases ();

  plan_t now;
  always_comb begin
    now = '0;   // decoded only where an instruction of this unit arrives: simulation pays for it
    if (en_i) now = plan(dec_i, word_i);
    ctl1_o = now.one;
    ctl2_o = now.two;
  end

  // It is for decode_cases.
  logic unused;
  assign unused = now.known;

endmodule
