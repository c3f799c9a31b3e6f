// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the FP64 unit's lanes: arithmetic, comparisons, and conversions with a
// 64-bit operand or result.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module fp64_decode (
  // from issue
  input  logic                            en_i,
  input  isa_pkg::dec_t                   dec_i,
  input  logic [127:0]                    word_i,
  // to the unit
  output logic [core_pkg::VAR_CTL_W-1:0]  ctl_o
);

  // Rounding to an integer has the directions of rounding to a number.
  function automatic logic [1:0] direction(logic [1:0] irnd);
    case (irnd)
      isa_pkg::IRND_FLOOR: direction = isa_pkg::RND_RM;
      isa_pkg::IRND_CEIL:  direction = isa_pkg::RND_RP;
      isa_pkg::IRND_TRUNC: direction = isa_pkg::RND_RZ;
      default:             direction = isa_pkg::RND_RN;
    endcase
  endfunction

  function automatic logic unsigned_type(logic [2:0] t);
    unsigned_type = t == isa_pkg::ITYPE_U64 || t == isa_pkg::ITYPE_U32 || t == isa_pkg::ITYPE_U16 || t == isa_pkg::ITYPE_U8;
  endfunction

  function automatic logic [1:0] size_of(logic [2:0] t);
    case (t)
      isa_pkg::ITYPE_S64, isa_pkg::ITYPE_U64: size_of = fp64_pkg::I64;
      isa_pkg::ITYPE_S16, isa_pkg::ITYPE_U16: size_of = fp64_pkg::I16;
      isa_pkg::ITYPE_S8, isa_pkg::ITYPE_U8:   size_of = fp64_pkg::I8;
      default:                                size_of = fp64_pkg::I32;
    endcase
  endfunction

  // The same of a field of the set ftype or fto, which number the formats alike.
  function automatic logic [1:0] format_of(logic [1:0] f);
    case (f)
      isa_pkg::FTYPE_F64: format_of = fp64_pkg::F64;
      isa_pkg::FTYPE_F16: format_of = fp64_pkg::F16;
      default:            format_of = fp64_pkg::F32;
    endcase
  endfunction

  function automatic logic [1:0] format_to(logic [1:0] f);
    case (f)
      isa_pkg::FTO_F64: format_to = fp64_pkg::F64;
      isa_pkg::FTO_F16: format_to = fp64_pkg::F16;
      default:          format_to = fp64_pkg::F32;
    endcase
  endfunction

  // Conditions as the set of outcomes they accept: unordered, greater, equal, less.
  function automatic exec_pkg::accept_t accepts(logic [3:0] fcmp);
    case (fcmp)
      isa_pkg::FCMP_LT:  accepts = 4'b0001;
      isa_pkg::FCMP_EQ:  accepts = 4'b0010;
      isa_pkg::FCMP_LE:  accepts = 4'b0011;
      isa_pkg::FCMP_GT:  accepts = 4'b0100;
      isa_pkg::FCMP_NE:  accepts = 4'b0101;
      isa_pkg::FCMP_GE:  accepts = 4'b0110;
      isa_pkg::FCMP_NUM: accepts = 4'b0111;
      isa_pkg::FCMP_NAN: accepts = 4'b1000;
      isa_pkg::FCMP_LTU: accepts = 4'b1001;
      isa_pkg::FCMP_EQU: accepts = 4'b1010;
      isa_pkg::FCMP_LEU: accepts = 4'b1011;
      isa_pkg::FCMP_GTU: accepts = 4'b1100;
      isa_pkg::FCMP_NEU: accepts = 4'b1101;
      isa_pkg::FCMP_GEU: accepts = 4'b1110;
      isa_pkg::FCMP_T:   accepts = 4'b1111;
      default:           accepts = 4'b0000;
    endcase
  endfunction

  function automatic fp64_pkg::compare_t comparison(logic [127:0] word);
    automatic fp64_pkg::compare_t c = '0;
    c.accept  = accepts(isa_pkg::f_fcmp(word));
    c.join_op = isa_pkg::f_bool(word);
    comparison = c;
  endfunction

  function automatic fp64_pkg::convert_t from_int(logic [127:0] word);
    automatic fp64_pkg::convert_t c = '0;
    c.uns  = unsigned_type(isa_pkg::f_isrc(word));
    c.size = size_of(isa_pkg::f_isrc(word));
    c.to   = format_of(isa_pkg::f_flt(word));
    from_int = c;
  endfunction

  function automatic fp64_pkg::convert_t to_int(logic [127:0] word);
    automatic fp64_pkg::convert_t c = '0;
    c.uns  = unsigned_type(isa_pkg::f_dint(word));
    c.size = size_of(isa_pkg::f_dint(word));
    c.from = format_of(isa_pkg::f_flt(word));
    c.ftz  = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
    to_int = c;
  endfunction

  function automatic fp64_pkg::convert_t to_float(logic [127:0] word);
    automatic fp64_pkg::convert_t c = '0;
    c.to    = format_to(isa_pkg::f_fdst(word));
    c.from  = format_to(isa_pkg::f_fsrc(word));
    c.ftz   = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
    c.sat   = isa_pkg::f_sat(word) == isa_pkg::SAT_SAT;
    c.half1 = isa_pkg::f_h1(word) == isa_pkg::HALF1_H1;
    to_float = c;
  endfunction

  typedef struct packed {
    fp64_pkg::ctl_t ctl;
    logic           known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    automatic logic [9:0] in_f64 = 10'(fp64_pkg::convert_t'{to: fp64_pkg::F64, from: fp64_pkg::F64, default: '0});
    p.known     = 1'b1;
    p.ctl.rnd   = isa_pkg::f_rnd(word);
    p.ctl.neg_a = dec.a_neg;
    p.ctl.neg_b = dec.b_neg;
    p.ctl.neg_c = dec.c_neg;
    p.ctl.abs_a = dec.a_abs;
    p.ctl.abs_b = dec.b_abs;
    p.ctl.arg   = in_f64;
    case (dec.op)
      isa_pkg::OP_DADD:  p.ctl.kind = fp64_pkg::ADD;
      isa_pkg::OP_DMUL:  p.ctl.kind = fp64_pkg::MUL;
      isa_pkg::OP_DFMA:  p.ctl.kind = fp64_pkg::FMA;
      isa_pkg::OP_DMNMX: p.ctl.kind = fp64_pkg::MINMAX;
      isa_pkg::OP_DSETP: begin
        p.ctl.kind = fp64_pkg::COMPARE;
        p.ctl.arg  = comparison(word);
      end
      isa_pkg::OP_I2F: begin
        p.ctl.kind = fp64_pkg::FROM_INT;
        p.ctl.arg  = from_int(word);
      end
      isa_pkg::OP_F2I: begin
        p.ctl.kind = fp64_pkg::TO_INT;
        p.ctl.rnd  = direction(isa_pkg::f_irnd(word));
        p.ctl.arg  = to_int(word);
      end
      isa_pkg::OP_F2F: begin
        p.ctl.kind = fp64_pkg::CONVERT;
        p.ctl.arg  = to_float(word);
      end
      isa_pkg::OP_FRND: begin
        p.ctl.kind = fp64_pkg::INTEGRAL;
        p.ctl.rnd  = direction(isa_pkg::f_irnd(word));
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

  decode_cases #(.UNIT(isa_pkg::UNIT_FP64), .KNOWN(known_ops())) u_cases ();

  plan_t now;
  always_comb begin
    now = '0;   // decoded only where an instruction of this unit arrives: simulation pays for it
    if (en_i) now = plan(dec_i, word_i);
    ctl_o = core_pkg::VAR_CTL_W'(now.ctl);
  end

  // It is for decode_cases.
  logic unused;
  assign unused = now.known;

endmodule
