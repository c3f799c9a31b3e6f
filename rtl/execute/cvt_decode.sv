// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the conversion lanes.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module cvt_decode (
  // from issue
  input  logic               en_i,
  input  isa_pkg::dec_t      dec_i,
  input  logic [127:0]       word_i,
  // to the lanes
  output exec_pkg::cvt_ctl_t ctl_o
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
    unsigned_type = t == isa_pkg::ITYPE_U32 || t == isa_pkg::ITYPE_U16 || t == isa_pkg::ITYPE_U8;
  endfunction
  function automatic logic is8(logic [2:0] t);
    is8 = t == isa_pkg::ITYPE_S8 || t == isa_pkg::ITYPE_U8;
  endfunction
  function automatic logic is16(logic [2:0] t);
    is16 = t == isa_pkg::ITYPE_S16 || t == isa_pkg::ITYPE_U16;
  endfunction

  typedef struct packed {
    exec_pkg::cvt_ctl_t ctl;
    logic               known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    p.known   = 1'b1;
    p.ctl.neg = dec.b_neg;
    p.ctl.abs = dec.b_abs;
    case (dec.op)
      isa_pkg::OP_F2I: begin
        p.ctl.to_int = 1'b1;
        p.ctl.uns    = unsigned_type(isa_pkg::f_dint(word));
        p.ctl.bits8  = is8(isa_pkg::f_dint(word));
        p.ctl.bits16 = is16(isa_pkg::f_dint(word));
        p.ctl.from16 = isa_pkg::f_flt(word) == isa_pkg::FTYPE_F16;
        p.ctl.ftz    = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ && !p.ctl.from16;
        p.ctl.rnd    = direction(isa_pkg::f_irnd(word));
      end
      isa_pkg::OP_I2F: begin
        p.ctl.uns    = unsigned_type(isa_pkg::f_isrc(word));
        p.ctl.bits8  = is8(isa_pkg::f_isrc(word));
        p.ctl.bits16 = is16(isa_pkg::f_isrc(word));
        p.ctl.to16   = isa_pkg::f_flt(word) == isa_pkg::FTYPE_F16;
        p.ctl.norm   = 1'b1;
        p.ctl.rnd    = isa_pkg::f_rnd(word);
      end
      isa_pkg::OP_FRND: begin
        p.ctl.in_place = 1'b1;
        p.ctl.from16   = isa_pkg::f_rint(word) == isa_pkg::RINT_F16;
        p.ctl.to16     = p.ctl.from16;
        p.ctl.ftz      = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ && !p.ctl.from16;
        p.ctl.rnd      = direction(isa_pkg::f_irnd(word));
      end
      isa_pkg::OP_F2F: begin
        p.ctl.from_float = 1'b1;
        p.ctl.from16     = isa_pkg::f_fsrc(word) == isa_pkg::FTO_F16;
        p.ctl.to16       = isa_pkg::f_fdst(word) == isa_pkg::FTO_F16;
        p.ctl.upper      = isa_pkg::f_h1(word) == isa_pkg::HALF1_H1;
        p.ctl.norm       = p.ctl.from16 && !p.ctl.to16;
        p.ctl.ftz        = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ && !p.ctl.from16;
        p.ctl.sat        = isa_pkg::f_sat(word) == isa_pkg::SAT_SAT;
        p.ctl.rnd        = isa_pkg::f_rnd(word);
      end
      isa_pkg::OP_F2FP_F16_F32_PACK_AB: begin
        p.ctl.from_float = 1'b1;
        p.ctl.to16       = 1'b1;
        p.ctl.pack       = 1'b1;
        p.ctl.neg_a      = dec.a_neg;
        p.ctl.abs_a      = dec.a_abs;
        p.ctl.ftz        = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
        p.ctl.relu       = isa_pkg::f_relu(word) == isa_pkg::RELU_RELU;
        p.ctl.rnd        = isa_pkg::f_rnd(word);
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

  decode_cases #(.UNIT(isa_pkg::UNIT_CVT), .KNOWN(known_ops())) u_cases ();

  plan_t now;
  always_comb begin
    now = '0;   // decoded only where an instruction of this unit arrives: simulation pays for it
    if (en_i) now = plan(dec_i, word_i);
    ctl_o = now.ctl;
  end

  // It is for decode_cases.
  logic unused;
  assign unused = now.known;

endmodule
