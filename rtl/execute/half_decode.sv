// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the FP16 lanes.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module half_decode (
  // from issue
  input  logic                en_i,
  input  isa_pkg::dec_t       dec_i,
  input  logic [127:0]        word_i,
  // to the lanes
  output exec_pkg::half_ctl_t ctl_o
);

  // Which half of the operand halves 1 and 0 of the result see.
  function automatic logic [1:0] halves(logic [1:0] part);
    case (part)
      isa_pkg::HALVES_H0_H0: halves = 2'b00;
      isa_pkg::HALVES_H1_H1: halves = 2'b11;
      default:               halves = 2'b10;
    endcase
  endfunction

  typedef struct packed {
    exec_pkg::half_ctl_t ctl;
    logic                known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t            p    = '0;
    automatic isa_pkg::parts_t  part = isa_pkg::parts(word);
    p.known        = 1'b1;
    p.ctl.from_a   = halves(part.a);
    p.ctl.from_b   = halves(part.b);
    p.ctl.from_c   = halves(part.c);
    p.ctl.neg_a    = dec.a_neg;
    p.ctl.neg_b    = dec.b_neg;
    p.ctl.neg_c    = dec.c_neg;
    p.ctl.abs_a    = dec.a_abs;
    p.ctl.abs_b    = dec.b_abs;
    p.ctl.ftz      = isa_pkg::f_ftz(word) == isa_pkg::FTZ_FTZ;
    p.ctl.bool_or  = isa_pkg::f_bool(word) == isa_pkg::BOOL_OR;
    p.ctl.bool_xor = isa_pkg::f_bool(word) == isa_pkg::BOOL_XOR;
    case (dec.op)
      isa_pkg::OP_HADD2, isa_pkg::OP_HMUL2, isa_pkg::OP_HFMA2: begin
        p.ctl.math = 1'b1;
        p.ctl.add  = dec.op == isa_pkg::OP_HADD2;
        p.ctl.mul  = dec.op == isa_pkg::OP_HMUL2;
        p.ctl.sat  = isa_pkg::f_sat(word) == isa_pkg::SAT_SAT;
        p.ctl.relu = dec.op == isa_pkg::OP_HFMA2 && isa_pkg::f_relu(word) == isa_pkg::RELU_RELU;
      end
      isa_pkg::OP_HMNMX2: begin
        p.ctl.minmax   = 1'b1;
        p.ctl.keep_nan = isa_pkg::f_keepn(word) == isa_pkg::KEEPN_NAN;
      end
      isa_pkg::OP_HSET2, isa_pkg::OP_HSETP2: begin
        p.ctl.accept = exec_pkg::accepts_float(isa_pkg::f_fcmp(word));
        p.ctl.one    = isa_pkg::f_bf(word) == isa_pkg::BF_BF;
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

  decode_cases #(.UNIT(isa_pkg::UNIT_HALF), .KNOWN(known_ops())) u_cases ();

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
