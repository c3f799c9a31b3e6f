// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the FMA lanes.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module fma_decode (
  // from issue
  input  logic               en_i,
  input  isa_pkg::dec_t      dec_i,
  input  logic [127:0]       word_i,
  // to the lanes
  output exec_pkg::fma_ctl_t ctl_o
);

  typedef struct packed {
    exec_pkg::fma_ctl_t ctl;
    logic               known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    p.known         = 1'b1;
    p.ctl.uns       = isa_pkg::f_sign(word) == isa_pkg::SIGN_U32;
    p.ctl.neg_a     = dec.a_neg;
    p.ctl.neg_b     = dec.b_neg;
    p.ctl.neg_c     = dec.c_neg;
    p.ctl.abs_a     = dec.a_abs;
    p.ctl.abs_b     = dec.b_abs;
    p.ctl.ftz       = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
    p.ctl.round.rnd = isa_pkg::f_rnd(word);
    p.ctl.round.ftz = p.ctl.ftz;
    p.ctl.round.sat = isa_pkg::f_sat(word) == isa_pkg::SAT_SAT;
    case (dec.op)
      isa_pkg::OP_FADD, isa_pkg::OP_FMUL, isa_pkg::OP_FFMA: begin
        p.ctl.fp  = 1'b1;
        p.ctl.add = dec.op == isa_pkg::OP_FADD;
        p.ctl.mul = dec.op == isa_pkg::OP_FMUL;
      end
      isa_pkg::OP_CS2R: p.ctl.wide = 1'b1;   // nothing times nothing, and the pair
      isa_pkg::OP_IMAD, isa_pkg::OP_IMAD_WIDE, isa_pkg::OP_IMAD_HI: begin
        p.ctl.wide = dec.op != isa_pkg::OP_IMAD;
        p.ctl.high = dec.op == isa_pkg::OP_IMAD_HI;
      end
      isa_pkg::OP_IDP4A: begin
        p.ctl.dot    = 1'b1;
        p.ctl.sign_a = isa_pkg::f_bytea(word) == isa_pkg::BYTE8_S8;
        p.ctl.sign_b = isa_pkg::f_byteb(word) == isa_pkg::BYTE8_S8;
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

  decode_cases #(.UNIT(isa_pkg::UNIT_FMA), .KNOWN(known_ops())) u_cases ();

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
